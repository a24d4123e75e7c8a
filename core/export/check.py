"""`check`: everything that was found in a log, as a report to paste into an issue, and the same as JSON.

`facts` gives one object per log. Its keys, all of them always present, null where a thing is unknown or absent:

    path          the file as it was named, a string
    error         why the path could not be opened or read, one sentence; then every key below is null
    status        ok, torn, invalid, damaged, unsupported or unreadable
    file          encoding (zstd or raw), version (what the header states), bytes on disk, frames (whole ones;
                  null in a raw file), rows (lines past the header, faulty ones included)
    header        the header line as it stands, without its type tag; null if there is none
    events        trusted events: those before the first damage
    inherited     how many of them were copied from a parent session
    turns         how many turns began
    replacements  total, and by_kind: applied replacements of each kind there is
    surface       at (the last moment whose surface is certain, null for none), generation, nodes (a count)
    salvaged      runs read past the damage: first_seq, last_seq, events, line, byte
    open          brackets left open. turns: number, seq. steps: turn, number, seq.
                  compactions: id, seq, turn (null between turns), stale (the log was reopened after it)
    notices       everything the reader tolerated or refused, in the order it was met
    findings      tool calls without a result (orphan-call) and replacements whose sources do not agree
                  (provenance); at most 200 of a code. They change neither status nor exit code
    provenance    one object per replacement: seq, generation, kind, start, end (as the event names them),
                  shadowed (a count), cited (a count), record (the seq of the compaction/summary or
                  compaction/prune that tells what it removes), agrees (no finding)
    generations   other generations of this log beside it: kinship (older or newer), name

A notice or finding is code, severity (error, warning, info), message, seq, line (from 1), byte, frame (from 1),
expected, found (short strings), affected ({count, unit: bytes or events}).
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..catalogue import say
from ..notices import Notice, Notices
from ..reading.places import generations, named_version
from ..session import Session
from ..views.provenance import Origin, origins, orphan_calls
from ..views.relatives import generations_beside

KEYS = (
    "path error status file header events inherited turns replacements surface salvaged open notices findings "
    "provenance generations"
).split()


def logs_at(path: Path) -> Iterator[tuple[Path, str]]:
    """The logs that a path means: a file itself; in a session directory its newest generation, in both
    encodings if it has both; below any other directory every file with a canonical name (formats 1.3).

    Each with the reason why it cannot be read, empty for a log: a directory that cannot be listed, or that has
    no log in or below it. Links to directories are not followed, pipes and devices left out.
    """
    try:
        here = generations(path) if path.is_dir() else None
    except OSError as error:
        yield path, _reason(error)
        return
    if here is None:
        yield path, ""
    elif here:
        yield from ((one.path, "") for one in here if one.version == here[0].version)
    else:
        yield from _below(path)


def _below(root: Path) -> Iterator[tuple[Path, str]]:
    faults: list[OSError] = []
    empty = True
    for folder, folders, names in os.walk(root, onerror=faults.append):
        folders.sort()
        for one in (Path(folder, name) for name in sorted(names) if named_version(name) is not None):
            if _may_be_log(one):
                empty = False
                yield one, ""
    yield from ((Path(fault.filename), _reason(fault)) for fault in faults)
    if empty and not faults:
        yield root, say("check.no-log")


def _may_be_log(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return True  # opening it tells why it cannot be read


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def unopened(path: Path, reason: str) -> dict[str, Any]:
    """The facts of a path that could not be opened or read."""
    return {**dict.fromkeys(KEYS), "path": str(path), "error": reason}


def facts(session: Session) -> dict[str, Any]:
    """The facts of a loaded session, JSON values only; see the head of this module.

    Raises OSError or ValueError if the file or its directory cannot be read again.
    """
    log, surface = session.log, session.surface
    found = Notices()
    for notice in orphan_calls(session):
        found.add(notice)
    provenance: list[dict[str, Any]] = []
    for origin in origins(session):
        provenance.append(_origin(origin))
        for notice in origin.findings:
            found.add(notice)
    moment = session.trusted_to
    values = {
        "path": str(session.path or "-"),
        "status": session.status,
        "file": {
            "encoding": log.container.encoding,
            "version": (log.heading.fields or {}).get("version"),
            "bytes": log.container.data.size,
            "frames": len(log.container) if log.container.encoding == "zstd" else None,
            "rows": len(log.columns),
        },
        "header": log.heading.fields,
        "events": log.events,
        "inherited": log.inherited,
        "turns": len(log.brackets.turns),
        "replacements": {
            "total": len(provenance),
            "by_kind": dict(Counter(one["kind"] for one in provenance)),
        },
        "surface": {
            "at": moment if moment >= 0 else None,
            "generation": surface.generation(moment),
            "nodes": len(surface.at(moment)),
        },
        "salvaged": [
            {key: getattr(run, key) for key in ("first_seq", "last_seq", "events", "line", "byte")}
            for run in log.salvage
        ],
        "open": _open(session),
        "notices": [_notice(session, notice) for notice in session.notices],
        "findings": [_notice(session, notice) for notice in found.all()],
        "provenance": provenance,
        "generations": [{"kinship": one.kinship, "name": one.id} for one in generations_beside(session)],
    }
    return {key: values.get(key) for key in KEYS}


def _origin(origin: Origin) -> dict[str, Any]:
    replacement = origin.replacement
    return {
        "seq": replacement.seq,
        "generation": replacement.generation,
        "kind": origin.kind,
        "start": replacement.start,
        "end": replacement.end,
        "shadowed": len(replacement.shadowed),
        "cited": origin.cited,
        "record": origin.record,
        "agrees": not origin.findings,
    }


def _open(session: Session) -> dict[str, Any]:
    brackets = session.log.brackets
    return {
        "turns": [{"number": one.number, "seq": one.start} for one in brackets.turns if one.end is None],
        "steps": [
            {"turn": one.turn, "number": one.number, "seq": one.start} for one in brackets.steps if one.end is None
        ],
        "compactions": [
            {"id": one.id, "seq": one.start, "turn": one.turn, "stale": one.stale}
            for one in brackets.compactions
            if one.end is None
        ],
    }


def _notice(session: Session, notice: Notice) -> dict[str, Any]:
    extent = notice.affected
    return {
        "code": notice.code,
        "severity": notice.severity,
        "message": notice.message,
        "seq": notice.seq,
        "line": notice.line,
        "byte": notice.byte,
        "frame": notice.frame if notice.frame is not None else _frame(session, notice.line),
        "expected": notice.expected,
        "found": notice.found,
        "affected": None if extent is None else {"count": extent.count, "unit": extent.unit},
    }


def _frame(session: Session, line: int | None) -> int | None:
    """The frame in which a line of a zstd file begins, from 1."""
    log = session.log
    if line is None or log.container.encoding != "zstd":
        return None
    row = line - 2
    if row < 0:
        return 1
    return log.columns.chunk[row] + 1 if row < len(log.columns) else None
