"""The history: what the human saw, in log order, and what became of each message in the model's view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..dialects.event import Operation
from ..session import Session

Standing = Literal["in-view", "shadowed", "rewritten", "never-sent", "not-yet", "unknown"]


@dataclass(frozen=True, slots=True)
class State:
    """How a message stands at a moment. `by` is the chain of replacements that took it out of
    view, the first one first; empty while it is in view."""

    standing: Standing
    by: tuple[int, ...] = ()


def history(session: Session) -> list[Operation]:
    """The append-origin surface events of the whole log, in log order."""
    return [operation for operation in session.log.operations if operation.appends]


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
    if operation.empty:
        return State("never-sent", tuple(surface.shadowers(operation.seq, moment)))
    chain = surface.shadowers(operation.seq, moment)
    if not chain:
        return State("in-view")
    last = surface.node(chain[-1])
    only_rewrites = all(_rewrites(session, seq) for seq in chain)
    if last is not None and only_rewrites:
        return State("rewritten", tuple(chain))
    return State("shadowed", tuple(chain))


def _rewrites(session: Session, seq: int) -> bool:
    """Whether a replacement rewrites one message in place rather than dropping it."""
    node = session.surface.node(seq)
    return node is not None and session.surface.operations[node].type in ("tool/result", "assistant/message")
