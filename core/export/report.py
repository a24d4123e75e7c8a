"""The text of `check`: the facts of a log, line by line, safe on any terminal and short enough to paste."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from ..catalogue import say
from .figures import count, date
from .plain import one_line

LINE = 600
"""Characters of one line; a hostile log may hold a word of any length."""
LISTED = 50
"""Entries of one list; the others are counted."""


def report(facts: dict[str, Any]) -> str:
    """The facts of one log (`core.export.check`), its path on the first line; ends with a line feed."""
    rows = list(_rows(facts))
    width = max(len(name) for name, _ in rows)
    lines = [one_line(facts["path"]), *(f"  {name:<{width}}  {_line(value)}" for name, value in rows)]
    if facts["error"] is None:
        lines += _section("salvaged", (say("check.salvaged.run", **_run(one)) for one in facts["salvaged"]))
        lines += _section("open", _open(facts["open"]))
        lines += _section("notices", map(notice_text, facts["notices"]), limit=None)
        lines += _section("findings", map(notice_text, facts["findings"]), limit=None)
    return "\n".join(lines) + "\n"


def total(checked: Iterable[dict[str, Any]]) -> str:
    """How many logs there were of each status, in one line."""
    counts = Counter(one["status"] or say("check.unopened") for one in checked)
    told = ", ".join(f"{number} {status}" for status, number in sorted(counts.items()))
    return say("check.total", count=counts.total(), by_status=told)


def notice_text(notice: dict[str, Any]) -> str:
    """Severity, code, place and message of a notice, then what was expected, found and affected."""
    places = [f"#{notice['seq']}"] if notice["seq"] is not None else []
    places += [
        say(f"check.place.{key}", number=notice[key]) for key in ("line", "byte", "frame") if notice[key] is not None
    ]
    more = [say(f"check.{key}", words=notice[key]) for key in ("expected", "found") if notice[key] is not None]
    if notice["affected"] is not None:
        more.append(say(f"check.affected.{notice['affected']['unit']}", count=count(notice["affected"]["count"])))
    head = " ".join([notice["severity"], notice["code"], ", ".join(places)]).rstrip()
    return f"{head}: {notice['message']}" + (f" ({', '.join(more)})" if more else "")


def _rows(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if facts["error"] is not None:
        yield say("check.error"), facts["error"]
        return
    status = facts["status"]
    yield say("check.status"), say("check.status.text", status=status, sentence=say(f"status.{status}"))
    yield say("check.file"), _file(facts["file"])
    yield say("check.header"), _header(facts["header"])
    events = count(facts["events"])
    if facts["inherited"]:
        events = say("summary.events.inherited", events=events, inherited=count(facts["inherited"]))
    yield say("check.events"), events
    yield say("check.turns"), count(facts["turns"])
    yield say("check.replacements"), _replacements(facts["replacements"])
    surface = facts["surface"]
    key = "check.surface.none" if surface["at"] is None else "check.surface.text"
    yield say("check.surface"), say(key, **{**surface, "nodes": count(surface["nodes"])})
    if facts["provenance"]:
        agree = sum(one["agrees"] for one in facts["provenance"])
        told = say("check.provenance.text", agree=count(agree), total=count(len(facts["provenance"])))
        yield say("check.provenance"), told
    if facts["generations"]:
        yield say("check.generations"), ", ".join(f"{one['name']} ({one['kinship']})" for one in facts["generations"])


def _file(file: dict[str, Any]) -> str:
    key = "check.file.raw" if file["frames"] is None else "check.file.zstd"
    sizes = {name: count(file[name]) for name in ("bytes", "frames", "rows") if file[name] is not None}
    return say(key, encoding=file["encoding"], **sizes)


def _header(header: dict[str, Any] | None) -> str:
    if header is None:
        return say("check.header.none")
    told = []
    for key, value in header.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        dated = key == "createdAt" and isinstance(value, int) and not isinstance(value, bool)
        told.append(f"{key} {text} ({date(value)})" if dated else f"{key} {text}")
    return ", ".join(told)


def _replacements(replacements: dict[str, Any]) -> str:
    kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(replacements["by_kind"].items()))
    return f"{count(replacements['total'])}: {kinds}" if kinds else "0"


def _run(run: dict[str, int]) -> dict[str, int]:
    return {"first": run["first_seq"], "last": run["last_seq"], **run}


def _open(brackets: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    yield from (say("check.open.turn", **one) for one in brackets["turns"])
    yield from (say("check.open.step", **one) for one in brackets["steps"])
    for one in brackets["compactions"]:
        yield say("check.open.stale" if one["stale"] else "check.open.compaction", **one)


def _section(name: str, entries: Iterable[str], limit: int | None = LISTED) -> list[str]:
    """A titled list; the reader bounds notices and findings itself, other lists end at the limit."""
    told = list(entries)
    if not told:
        return []
    shown = told[:limit]
    more = [say("check.more", count=count(len(told) - len(shown)))] if len(shown) < len(told) else []
    return [f"  {say(f'check.{name}')}", *(f"    {_line(one)}" for one in (*shown, *more))]


def _line(text: str) -> str:
    text = one_line(text)
    return text if len(text) <= LINE else text[:LINE] + "…"
