"""The stream: what arrived chunk by chunk, grouped into attempts, kept or not."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import merge
from typing import Literal

from ..log import Attempt, Block, Compaction, Prune, Salvage, Turn
from ..log.pieces import block_pieces
from ..notices import CONTAINER_CODES, ROW_CODES, Notice
from ..session import Session

Kind = Literal["turn", "attempt", "block", "outcome", "compaction", "prune", "seed", "damage", "salvage"]


@dataclass(frozen=True, slots=True)
class Seed:
    """Where the log was reopened, or (`cut`) where what it inherited from its parent ends."""

    seq: int
    cut: bool


def seeds(session: Session) -> list[Seed]:
    """The boundaries of reopening, and the cut, which v0 may place without an event (formats 8)."""
    log = session.log
    cut = log.inherited
    found = [Seed(seq, seq == cut) for seq in log.brackets.seeds]
    if cut and cut < log.events and not any(seed.cut for seed in found):
        found.append(Seed(cut, True))
    return sorted(found, key=lambda seed: seed.seq)


@dataclass(frozen=True, slots=True)
class StreamItem:
    """One thing to show. first, last: the events it stands for; `row` is set for salvage only."""

    kind: Kind
    first: int
    last: int
    subject: Turn | Attempt | Block | Compaction | Prune | Seed | Notice | Salvage
    row: int = -1


def stream(session: Session) -> list[StreamItem]:
    """The whole stream in log order; what is past damage stands under a damage item."""
    log = session.log
    turns = (StreamItem("turn", turn.start, turn.start, turn) for turn in log.brackets.turns)
    compactions = (
        StreamItem("compaction", one.start, one.start if one.end is None else one.end, one)
        for one in log.brackets.compactions
    )
    prunes = (StreamItem("prune", prune.seq, prune.seq + 1, prune) for prune in log.brackets.prunes.values())
    attempts = (item for attempt in log.attempts.all for item in _attempt(attempt))
    reopened = (StreamItem("seed", seed.seq, seed.seq, seed) for seed in seeds(session))
    items = list(merge(reopened, turns, compactions, prunes, attempts, key=lambda item: item.first))
    return items + salvaged(session)


_BREAKS = frozenset(CONTAINER_CODES + ROW_CODES + ("limit",))


def _attempt(attempt: Attempt) -> list[StreamItem]:
    # Sorted by first event like everything else: the head first, the outcome last.
    head = StreamItem("attempt", attempt.first_seq, attempt.first_seq, attempt)
    blocks = [StreamItem("block", block.first_seq, block.last_seq, block) for block in attempt.blocks]
    end = attempt.last_seq
    outcome = StreamItem("outcome", end, end if attempt.message is None else attempt.message, attempt)
    return [head, *blocks, outcome]


def salvaged(session: Session, messages_only: bool = False) -> list[StreamItem]:
    """Where a torn or damaged log ends being whole: the notice that says so, and below it, row by
    row, what could be read past the damage."""
    log = session.log
    if log.condition not in ("torn", "damaged"):
        return []
    wanted = "error" if log.condition == "damaged" else "warning"
    break_ = next(notice for notice in log.notices.kept if notice.severity == wanted and notice.code in _BREAKS)
    items = [StreamItem("damage", log.events, log.events, break_)]
    surface = log.dialect.surface if log.dialect else frozenset()
    for run in log.salvage:
        for row in range(run.first_row, run.last_row + 1):
            if messages_only and log.columns.type_of(row) not in surface:
                continue
            seq = log.columns.seq[row]
            items.append(StreamItem("salvage", seq, seq + log.columns.count[row] - 1, run, row))
    return items


def block_text(session: Session, block: Block, limit: int) -> str:
    """The joined text of a block's deltas, at most about `limit` characters."""
    parts: list[str] = []
    length = 0
    for _, texts in block_pieces(session.log, block):
        for text in texts:
            parts.append(text)
            length += len(text)
        if length >= limit:
            break
    return "".join(parts)
