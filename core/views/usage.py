"""Usage totals: tokens per turn and of the session, what was inherited left out (formats 5.5, 8)."""

from __future__ import annotations

from dataclasses import dataclass

from ..log import Turn, Usage
from ..log.usage import NONE
from ..session import Session


@dataclass(frozen=True, slots=True)
class Totals:
    """`total` is all that this session itself spent: kept calls, failed attempts and compactions.

    per_turn is keyed by the seq at which a turn starts; between_turns holds the rest.
    """

    total: Usage
    per_turn: dict[int, Usage]
    between_turns: Usage
    failed: Usage
    compactions: Usage
    calls: int


def totals(session: Session) -> Totals:
    log = session.log
    cut = log.inherited
    summaries = {one.summary for one in log.brackets.compactions}
    spent = [(seq, usage) for seq, usage in log.usages if seq >= cut]
    lost = [
        (attempt.last_seq, attempt.usage)
        for attempt in log.attempts.all
        if attempt.usage is not None and attempt.message is None and attempt.first_seq >= cut
    ]
    per_turn: dict[int, Usage] = {}
    between = NONE
    for seq, usage in sorted(spent + lost, key=lambda pair: pair[0]):
        turn = log.brackets.turn_at(seq)
        if turn is None or not _holds(turn, seq):
            between += usage
        else:
            per_turn[turn.start] = per_turn.get(turn.start, NONE) + usage
    failed = _sum([usage for _, usage in lost])
    compactions = _sum([usage for seq, usage in spent if seq in summaries])
    return Totals(
        total=_sum(list(per_turn.values())) + between,
        per_turn=per_turn,
        between_turns=between,
        failed=failed,
        compactions=compactions,
        calls=len(spent) + len(lost),
    )


def _holds(turn: Turn, seq: int) -> bool:
    return turn.start <= seq and (turn.end is None or seq <= turn.end)


def _sum(usages: list[Usage]) -> Usage:
    total = NONE
    for usage in usages:
        total += usage
    return total
