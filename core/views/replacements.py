"""Replacements: of what kind each is, and the account of what happened (formats 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..dialects.producers import CHECKPOINT
from ..log import Compaction
from ..session import Session
from ..surface import Replacement

Kind = Literal["summary", "prune", "rewrite", "prompt", "tools", "edit"]


@dataclass(frozen=True, slots=True)
class Account:
    """One replacement, told honestly. Tokens are heuristic prices: `tokens_before` is recorded by
    the harness where `recorded` is true and estimated otherwise; `tokens_after` is always estimated.
    duration: ms from the compaction's start to its end, None where there is no bracket.
    by_role: shadowed nodes per kind of event. asked_by: what triggered it.
    """

    replacement: Replacement
    kind: Kind
    producer: str
    turn: int | None
    by_role: dict[str, int]
    tokens_before: int
    tokens_after: int
    recorded: bool
    compaction: Compaction | None
    model: str
    provider: str
    duration: int | None
    by_person: bool


def kind_of(session: Session, replacement: Replacement) -> Kind:
    """The kind of a replacement, decided by events, sources and fields (formats 7.4)."""
    operation = session.surface.operation(replacement.seq)
    match operation.type:
        case "tool/result":
            prune = session.log.brackets.prunes.get(replacement.seq - 1)
            return "prune" if prune is not None and prune.shadowed == replacement.shadowed else "rewrite"
        case "system/message":
            return "prompt"
        case "developer/message":
            return "tools"
        case "assistant/message":
            return "rewrite"
        case _:
            return "summary" if operation.producer == CHECKPOINT else "edit"


def compaction_of(session: Session, replacement: Replacement) -> Compaction | None:
    """The compaction bracket of a summary: that of the summary event right before it, else by id."""
    brackets = session.log.brackets
    bracket = brackets.compaction_of(replacement.seq - 1)
    if bracket is not None:
        return bracket
    wanted = session.surface.operation(replacement.seq).compaction
    open_then = None
    for candidate in brackets.compactions:
        if candidate.start > replacement.seq:
            break
        if wanted and candidate.id == wanted:
            return candidate
        if candidate.end is None or candidate.end > replacement.seq:
            open_then = candidate
    return open_then if not wanted else None


def account(session: Session, replacement: Replacement) -> Account:
    log = session.log
    kind = kind_of(session, replacement)
    operation = session.surface.operation(replacement.seq)
    shadowed = [session.surface.operation(seq) for seq in replacement.shadowed]
    by_role: dict[str, int] = {}
    for one in shadowed:
        by_role[one.type] = by_role.get(one.type, 0) + 1
    bracket = compaction_of(session, replacement) if kind == "summary" else None
    recorded = bracket.shadowed_tokens if bracket is not None else None
    if kind == "prune":
        recorded = log.brackets.prunes[replacement.seq - 1].tokens
    turn = log.brackets.turn_at(replacement.seq)
    inside = turn is not None and (turn.end is None or turn.end > replacement.seq)
    duration = None
    if bracket is not None and bracket.end_time is not None:
        duration = max(0, bracket.end_time - bracket.start_time)
    return Account(
        replacement=replacement,
        kind=kind,
        producer=operation.producer,
        turn=turn.number if turn is not None and inside else None,
        by_role=by_role,
        tokens_before=recorded if recorded is not None else sum(one.tokens for one in shadowed),
        tokens_after=operation.tokens,
        recorded=recorded is not None,
        compaction=bracket,
        model=bracket.model if bracket else "",
        provider=bracket.provider if bracket else "",
        duration=duration,
        by_person=bracket is not None and (bracket.command is not None or bracket.turn is None),
    )
