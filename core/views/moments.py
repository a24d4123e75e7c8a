"""Moments worth stepping to: replacements, turns, single events."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from ..session import Session
from ..surface import Replacement


def next_replacement(session: Session, moment: int) -> int | None:
    """The seq of the first replacement after `moment`, None at the last."""
    found = session.surface.replacements
    at = bisect_right(found, moment, key=lambda one: one.seq)
    return found[at].seq if at < len(found) else None


def previous_replacement(session: Session, moment: int) -> int | None:
    """The seq of the last replacement before `moment`, None at the first."""
    found = session.surface.replacements
    at = bisect_left(found, moment, key=lambda one: one.seq) - 1
    return found[at].seq if at >= 0 else None


def next_turn(session: Session, moment: int) -> int | None:
    """The seq at which the next turn starts, None in the last."""
    turns = session.log.brackets.turns
    at = bisect_right(turns, moment, key=lambda turn: turn.start)
    return turns[at].start if at < len(turns) else None


def previous_turn(session: Session, moment: int) -> int | None:
    """The seq at which the turn before `moment` starts, None before the first."""
    turns = session.log.brackets.turns
    at = bisect_left(turns, moment, key=lambda turn: turn.start) - 1
    return turns[at].start if at >= 0 else None


def turn_moment(session: Session, number: int) -> int | None:
    """The seq at which the last turn numbered `number` starts, None if there is none."""
    return next((turn.start for turn in reversed(session.log.brackets.turns) if turn.number == number), None)


def first_message(session: Session, replacement: Replacement) -> int:
    """The first message of the history that a replacement took out of view itself; failing
    that (it shadowed nothing but replacements) the one at whose place it stands."""
    surface = session.surface
    for seq in replacement.shadowed:
        node = surface.node(seq)
        if node is not None and surface.operations[node].appends:
            return seq
    node = surface.node(replacement.seq)
    return surface.key[node] if node is not None else replacement.seq


def named_moment(session: Session, text: str) -> int | None:
    """The moment that a typed word means: an event number (which may lie past the end), `turn 7`,
    `start`, `end`. None for anything else."""
    words = text.lower().lstrip("#:").split()
    match words:
        case ["start"]:
            return min(0, session.end)
        case ["end"]:
            return session.end
        case [number] if number.isascii() and number.isdigit():
            return int(number[:18])
        case ["turn", number] if number.isascii() and number.isdigit():
            return turn_moment(session, int(number[:18]))
        case _:
            return None
