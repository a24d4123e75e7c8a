"""The history: what the human saw, in log order, and what became of each message in the model's view."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import merge
from typing import Literal

from ..dialects.event import Operation
from ..log import Salvage, Turn
from ..notices import Notice
from ..session import Session
from ..surface import Replacement
from .stream import Seed, salvaged, seeds

Standing = Literal["in-view", "shadowed", "rewritten", "never-sent", "not-yet", "unknown"]


@dataclass(frozen=True, slots=True)
class State:
    """How a message stands at a moment. `by` is the chain of replacements that took it out of
    view, the first one first; empty while it is in view."""

    standing: Standing
    by: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class HistoryItem:
    """A message of the history; or, between them, the start of a turn, the place of a replacement,
    where the log was reopened, or what was read past damage (`row`)."""

    seq: int
    subject: Operation | Replacement | Turn | Seed | Notice | Salvage
    row: int = -1


def history(session: Session) -> list[Operation]:
    """The append-origin surface events of the whole log, in log order."""
    return [operation for operation in session.log.operations if operation.appends]


def history_items(session: Session) -> list[HistoryItem]:
    """The history with its turns and the places where something was replaced, in log order; what is
    past damage stands at the end."""
    messages = (HistoryItem(operation.seq, operation) for operation in history(session))
    turns = (HistoryItem(turn.start, turn) for turn in session.log.brackets.turns)
    replaced = (HistoryItem(one.seq, one) for one in session.surface.replacements)
    reopened = (HistoryItem(seed.seq, seed) for seed in seeds(session))
    items = list(merge(reopened, messages, replaced, turns, key=lambda item: item.seq))
    for item in salvaged(session, messages_only=True):
        if isinstance(item.subject, (Notice, Salvage)):
            items.append(HistoryItem(item.first, item.subject, item.row))
    return items


def closer_of(message_id: str) -> Literal["interrupted", "forked"] | None:
    """Whether the harness wrote a tool result itself, for a call that had none when the log was
    reopened or forked (formats 5.1, 8)."""
    if message_id.startswith("interrupted-tool-result-"):
        return "interrupted"
    return "forked" if message_id.startswith("forked-tool-result-") else None


def state_of(session: Session, operation: Operation, moment: int) -> State:
    """The state of a message of the history just after event `moment`.

    rewritten: a tool result whose place is held by a rewrite of it; unknown: past the event
    at which the fold had to stop.
    """
    surface = session.surface
    if operation.seq > moment:
        return State("not-yet")
    if surface.node(operation.seq) is None:
        return State("unknown")
    chain = tuple(surface.shadowers(operation.seq, moment))
    if operation.empty:
        return State("never-sent", chain)
    if not chain:
        return State("in-view")
    rewritten = all(_rewrites(session, seq) for seq in chain)
    return State("rewritten" if rewritten else "shadowed", chain)


def _rewrites(session: Session, seq: int) -> bool:
    """Whether a replacement rewrites one message in place: it stands for one node of its own kind."""
    surface = session.surface
    node, replacement = surface.node(seq), surface.replacement(seq)
    if node is None or replacement is None or len(replacement.shadowed) != 1:
        return False
    type_, target = surface.operations[node].type, surface.node(replacement.shadowed[0])
    same = target is not None and surface.operations[target].type == type_
    return same and type_ in ("tool/result", "assistant/message")
