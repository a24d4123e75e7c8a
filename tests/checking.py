"""Conformance cases: facts about logs, compared with what the dump says.

A case is one line of a folder's `cases.jsonl`: `file`, `status` (the accepted values), and where
given `events`, `inherited`, `nodes`, `replacements` as [seq, start, end, [shadowed]], `history`,
`messages` (count and SHA-256 of their canonical JSON), `moments` ([seq, nodes]) and `error` (seq and
code of the first violation).
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from palimpsest.core.export.dump import dump, to_json
from palimpsest.core.session import Session, open_log

Case = dict[str, Any]


def cases_of(folder: Path) -> list[Case]:
    lines = (folder / "cases.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def whole(value: Any) -> Any:
    """The value with integral floats as integers, as they are one and the same in JSON."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [whole(one) for one in value]
    if isinstance(value, dict):
        return {key: whole(one) for key, one in value.items()}
    return value


def digest(messages: list[Any]) -> str:
    text = json.dumps(whole(messages), sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def said(session: Session, at: int | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(to_json(dump(session, at, messages=True)))
    return found


def differences(folder: Path, case: Case) -> list[str]:
    """What the reader says otherwise than the case."""
    session = open_log(folder / case["file"])
    try:
        found = said(session)
        wrong = [] if found["status"] in case["status"] else [f"status {found['status']}, not {case['status']}"]
        facts = {
            "events": found["events"],
            "inherited": found["inherited"],
            "nodes": found["surface"]["nodes"],
            "history": found["history"],
            "replacements": [
                [one[key] for key in ("seq", "start", "end", "shadowed")] for one in found["replacements"]
            ],
            "messages": {"count": len(found["messages"]), "sha256": digest(found["messages"])},
        }
        wrong += [f"{key} {fact}, not {case[key]}" for key, fact in facts.items() if key in case and fact != case[key]]
        for seq, nodes in case.get("moments", []):
            here = said(session, seq)["surface"]["nodes"]
            if here != nodes:
                wrong.append(f"nodes {here} at {seq}, not {nodes}")
        if "error" in case:
            wrong += _error_differs(found["notices"], **case["error"])
        return wrong
    finally:
        session.close()


def _error_differs(notices: list[dict[str, Any]], seq: int | None, code: str | None) -> list[str]:
    errors = [one for one in notices if one["severity"] == "error" and (seq is None or one["seq"] == seq)]
    if any(code is None or one["code"] == code for one in errors):
        return []
    return [f"no error {code} at event {seq} among {[(one['seq'], one['code']) for one in errors]}"]
