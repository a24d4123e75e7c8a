"""The header line: the version gate first, then the fields (formats 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..notices import Notice
from ..reading.json import natural
from . import DIALECTS

Verdict = Literal["unreadable", "unsupported", "invalid", "ok"]

_KNOWN = {"type", "version", "id", "createdAt", "delegationDepth", "cwd", "parentSession", "origin", "agentPreset"}
_RETIRED = ("sandboxMode", "approvalPolicy")


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a log. `fields` is the line as it stands, without its type tag.

    created: epoch ms. seed_length: leading events inherited from a parent, as v0 and v1 record it;
    seeded: whether there are any, as later versions do.
    """

    version: int
    id: str
    created: int
    depth: int
    fields: dict[str, Any]
    cwd: str | None = None
    parent: str | None = None
    origin: str | None = None
    preset: str | None = None
    seed_length: int | None = None
    seeded: bool | None = None


@dataclass(frozen=True, slots=True)
class HeaderReading:
    """A header or the reason there is none; `fields` is kept for showing in either case."""

    verdict: Verdict
    notices: tuple[Notice, ...]
    fields: dict[str, Any] | None = None
    header: Header | None = None


def read_header(line: Any) -> HeaderReading:
    """Judges the first line's JSON value."""
    if not isinstance(line, dict) or line.get("type") != "session":
        return _refuse("unreadable", "no-header", 'the first line is not a JSON object of type "session"', None)
    fields = {key: value for key, value in line.items() if key != "type"}
    raw = line.get("version")
    if isinstance(raw, bool) or not isinstance(raw, (int, float)):
        return _refuse("unreadable", "header-field", "the header has no version number", fields)
    version = natural(raw)
    dialect = DIALECTS.get(version) if version is not None else None
    if version is None or dialect is None:
        newest = max(DIALECTS)
        message = f"the log has format version {raw}; versions 0 to {newest} can be read"
        return _refuse("unsupported", "version", message, fields)
    for name in _RETIRED:
        if name in line:
            return _refuse("unsupported", "retired", f"the header has the retired field {name}", fields)
    wrong = _missing_or_wrong(line)
    if wrong:
        return _refuse("unreadable", "header-field", wrong, fields)
    notices: list[Notice] = []
    for key in sorted(line.keys() - _KNOWN - {dialect.seed_field}):
        notices.append(_notice("header-field", "warning", f"unknown header field {key!r}"))
    for name in ("cwd", "parentSession"):
        if name in line and not isinstance(line[name], str):
            notices.append(_notice("header-field", "error", f"the header field {name} is not a string"))
    counted = dialect.seed_field == "seedLength"
    seed = natural(line.get("seedLength")) if counted else None
    if counted and "seedLength" in line and seed is None:
        notices.append(_notice("header-field", "error", "the header field seedLength is not a non-negative integer"))
    seeded = None if counted else line.get("isSeeded")
    if not counted and not isinstance(seeded, bool):
        notices.append(_notice("header-field", "error", "the header field isSeeded is missing or no boolean"))
    header = Header(
        version=version,
        id=line["id"],
        created=natural(line["createdAt"]) or 0,
        depth=natural(line["delegationDepth"]) or 0,
        fields=fields,
        cwd=_text(line.get("cwd")),
        parent=_text(line.get("parentSession")),
        origin=_text(line.get("origin")),
        preset=_text(line.get("agentPreset")),
        seed_length=seed,
        seeded=seeded if isinstance(seeded, bool) else None,
    )
    invalid = any(notice.severity == "error" for notice in notices)
    return HeaderReading("invalid" if invalid else "ok", tuple(notices), fields, header)


def _missing_or_wrong(line: dict[str, Any]) -> str | None:
    if not isinstance(line.get("id"), str):
        return "the header has no session id"
    for name in ("createdAt", "delegationDepth"):
        if natural(line.get(name)) is None:
            return f"the header field {name} is missing or not a non-negative integer"
    if "origin" in line and line["origin"] != "subagent":
        return 'the header field origin is something other than "subagent"'
    if "agentPreset" in line and not isinstance(line["agentPreset"], str):
        return "the header field agentPreset is not a string"
    return None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _notice(code: str, severity: Literal["error", "warning"], message: str) -> Notice:
    return Notice(code, severity, message, line=1, byte=0)


def _refuse(verdict: Verdict, code: str, message: str, fields: dict[str, Any] | None) -> HeaderReading:
    return HeaderReading(verdict, (_notice(code, "error", message),), fields)
