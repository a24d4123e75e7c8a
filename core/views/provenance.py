"""Provenance: whether a replacement, what it cites and what the harness recorded of it tell one story.

A compaction writes down what it removes before it removes it (formats 7.2, 7.3): the event right before
the replacement lists the nodes, and the replacement cites them. The fold refuses a replacement that fails to
cite what it shadows (E17); everything else that does not agree is only told here and changes no status.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..catalogue import say
from ..dialects.event import Runs
from ..log import Call, Compaction
from ..notices import Notice
from ..reading.json import natural
from ..session import Session
from ..surface import Replacement
from .replacements import Kind, kind_of

NAMED = 6
"""Event numbers that one finding lists; the others are counted."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a replacement says it comes from.

    cited: how many events its sourceEventSeqs names. record: the seq of the compaction/summary or
    compaction/prune that tells what it removes, None where there is none. findings: warnings of the
    code `provenance`, one per disagreement, with `expected` as recorded and `found` as folded.
    """

    replacement: Replacement
    kind: Kind
    cited: int
    record: int | None
    findings: tuple[Notice, ...]


def origins(session: Session) -> Iterator[Origin]:
    """Every applied replacement, in log order, in one pass. Reads again the payloads of replacements and of
    their records, and no others. Raises OSError or ValueError if the file cannot be read again."""
    by_id = _by_id(session.log.brackets.compactions)
    for replacement in session.surface.replacements:
        runs = session.surface.operation(replacement.seq).sources or ()
        kind = kind_of(session, replacement)
        told: list[tuple[str, str, str]] = []
        record, may_cite = None, None
        if kind == "summary":
            record, may_cite = _summary(session, replacement, by_id, told)
        elif replacement.seq - 1 in session.log.brackets.prunes and _is_result(session, replacement):
            record, may_cite = replacement.seq - 1, set(replacement.shadowed)
        if record is not None:
            _compare(session.log.event(record).data, record, replacement, told)
        beyond = _beyond(runs, may_cite) if may_cite is not None else None
        if beyond is not None:
            told.append((say("provenance.cited", seq=beyond), "", f"#{beyond}"))
        cited = sum(last - first + 1 for first, last in runs)
        yield Origin(replacement, kind, cited, record, tuple(_finding(session, replacement.seq, *one) for one in told))


def orphan_calls(session: Session) -> list[Notice]:
    """Tool calls of the model that have no result, in log order: `info` in a last turn that is still open,
    where the result may be to come, else `warning`. `found` is the call's id."""
    log = session.log
    rewrites = {operation.seq for operation in log.operations if not operation.appends}
    waiting = [call for call in log.brackets.calls.values() if call.end is None and call.message not in rewrites]
    last = log.brackets.turns[-1] if log.brackets.turns else None
    open_from = last.start if last is not None and last.end is None else log.events
    return [_orphan(session, call, call.message > open_from) for call in sorted(waiting, key=lambda one: one.message)]


def _orphan(session: Session, call: Call, pending: bool) -> Notice:
    line, byte = session.log.place_of(session.log.row_of(call.message))
    message = say("provenance.orphan.open" if pending else "provenance.orphan", name=call.name)
    return Notice("orphan-call", "info" if pending else "warning", message, call.message, line, byte, found=call.id)


def _by_id(compactions: Sequence[Compaction]) -> dict[str, Compaction]:
    """The first compaction of each id that got as far as a summary."""
    found: dict[str, Compaction] = {}
    for one in compactions:
        if one.id and one.summary is not None:
            found.setdefault(one.id, one)
    return found


def _summary(
    session: Session, replacement: Replacement, by_id: dict[str, Compaction], told: list[tuple[str, str, str]]
) -> tuple[int | None, set[int] | None]:
    """The record of a checkpoint, and what it may cite: its span, the compaction's start and its summary."""
    data = session.log.event(replacement.seq).data
    source = data.get("source") if isinstance(data, dict) else None
    named = source.get("compactionId") if isinstance(source, dict) else None
    named = named if isinstance(named, str) else ""
    bracket = session.log.brackets.compaction_of(replacement.seq - 1) or by_id.get(named)
    if bracket is None or bracket.summary is None or bracket.summary > replacement.seq:
        told.append((say("provenance.no-record"), "", ""))
        return None, None
    if named and bracket.id and named != bracket.id:
        told.append((say("provenance.id", record=bracket.summary), bracket.id, named))
    return bracket.summary, {*replacement.shadowed, bracket.start, bracket.summary}


def _is_result(session: Session, replacement: Replacement) -> bool:
    return session.surface.operation(replacement.seq).type == "tool/result"


def _compare(data: Any, record: int, replacement: Replacement, told: list[tuple[str, str, str]]) -> None:
    """shadowedSeqs and shadowedRange of a record against the fold; a field that is absent says nothing."""
    if not isinstance(data, dict):
        return
    if "shadowedSeqs" in data:
        stated = data["shadowedSeqs"]
        seqs = tuple(map(natural, stated)) if isinstance(stated, list) else None
        if seqs != replacement.shadowed:
            told.append((say("provenance.seqs", record=record), _named(seqs), _named(replacement.shadowed)))
    if "shadowedRange" in data:
        stated = data["shadowedRange"]
        ends = (natural(stated.get("start")), natural(stated.get("end"))) if isinstance(stated, dict) else None
        if ends != (replacement.start, replacement.end):
            found = (replacement.start, replacement.end)
            told.append((say("provenance.range", record=record), _named(ends), _named(found)))


def _named(seqs: Sequence[int | None] | None) -> str:
    """Event numbers in a few words: the first ones, and how many there are if that is more."""
    if seqs is None:
        return say("provenance.malformed")
    listed = " ".join("?" if seq is None else f"#{seq}" for seq in seqs[:NAMED])
    return listed if len(seqs) <= NAMED else say("provenance.many", listed=listed, count=len(seqs))


def _beyond(runs: Runs, allowed: Collection[int]) -> int | None:
    """The first cited event that is not among the allowed ones. Ranges are never expanded past it."""
    for first, last in runs:
        seq = first
        while seq <= last and seq in allowed:
            seq += 1
        if seq <= last:
            return seq
    return None


def _finding(session: Session, seq: int, message: str, expected: str, found: str) -> Notice:
    line, byte = session.log.place_of(session.log.row_of(seq))
    return Notice("provenance", "warning", message, seq, line, byte, expected=expected or None, found=found or None)
