"""`dump`: one JSON object with everything the reading is judged by. Schema 1."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from ..session import Session, open_log
from ..views.history import history
from ..views.replacements import kind_of

SCHEMA = 1


def dump(session: Session, at: int | None = None, messages: bool = False) -> dict[str, Any]:
    """The dump of a loaded session; `at` moves surface, replacements and messages to that moment."""
    log, surface = session.log, session.surface
    end = session.end
    moment = end if at is None else min(at, end)
    before_all = moment < 0
    nodes = [] if before_all else surface.seqs_at(moment)
    found: dict[str, Any] = {
        "schema": SCHEMA,
        "file": {
            "encoding": log.container.encoding,
            "version": log.header.version if log.header else _stated_version(session),
            "bytes": log.container.data.size,
            "frames": len(log.container) if log.container.encoding == "zstd" else None,
        },
        "status": session.status,
        "header": log.heading.fields,
        "events": log.events,
        "inherited": log.inherited,
        "surface": {
            "at": None if before_all else moment,
            "generation": 0 if before_all else surface.generation(moment),
            "nodes": nodes,
        },
        "history": [operation.seq for operation in history(session)],
        "replacements": [
            {
                "seq": one.seq,
                "generation": one.generation,
                "kind": kind_of(session, one),
                "start": one.start,
                "end": one.end,
                "shadowed": list(one.shadowed),
            }
            for one in surface.replacements
            if one.seq <= moment
        ],
    }
    if messages:
        found["messages"] = [] if before_all else surface.messages(moment)
    if log.salvage:
        found["salvaged"] = [
            {
                "first_seq": one.first_seq,
                "last_seq": one.last_seq,
                "events": one.events,
                "line": one.line,
                "byte": one.byte,
            }
            for one in log.salvage
        ]
    found["notices"] = [
        {
            "code": notice.code,
            "severity": notice.severity,
            "seq": notice.seq,
            "line": notice.line,
            "byte": notice.byte,
            "message": notice.message,
        }
        for notice in session.notices
    ]
    return found


def dump_file(path: str | Path, at: int | None = None) -> dict[str, Any]:
    """The dump of a file with its messages, as the command prints it. Raises OSError."""
    with open_log(path) as session:
        found = json.loads(to_json(dump(session, at, messages=True)))
    assert isinstance(found, dict)
    return found


def _stated_version(session: Session) -> Any:
    return (session.log.heading.fields or {}).get("version")


def to_json(value: Any) -> str:
    """ASCII-escaped JSON; numbers that JSON cannot hold (1e999) become null, as in JavaScript."""
    try:
        return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), ensure_ascii=True, separators=(",", ":"), allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list):
        return [_finite(one) for one in value]
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    return value
