"""`sourceEventSeqs`: decoding of ranges, and the rules E9 to E13 and E17 (formats 2.5, 6.1)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from ..reading.json import MAX_SAFE, natural
from .event import Fault, Runs


def read_cited(value: Any, seq: int, *, may_be_empty: bool, bounded: bool) -> tuple[Runs, Fault | None]:
    """The cited seqs as runs in written order, or the first fault.

    may_be_empty: an assistant message of v0 and v1 may cite nothing (a known empty stream).
    bounded: v0 and v1 refuse lists that expand to more values than the event's own seq.
    """
    if not isinstance(value, list):
        return (), Fault("E9", "sourceEventSeqs is not an array")
    if not value:
        return (), None if may_be_empty else Fault("E10", "sourceEventSeqs is empty")
    run = _one_run(value)
    runs: list[tuple[int, int]] = [run] if run is not None else []
    paired = False
    for entry in value if run is None else ():
        if type(entry) is int and 0 <= entry <= MAX_SAFE:
            # Nearly every entry; an answer of v0 cites each of its chunks.
            if runs and runs[-1][1] + 1 == entry:
                runs[-1] = (runs[-1][0], entry)
            else:
                runs.append((entry, entry))
            continue
        if isinstance(entry, list):
            ends = [natural(end) for end in entry]
            if len(ends) != 2 or ends[0] is None or ends[1] is None or ends[0] > ends[1]:
                return (), Fault("E11", "sourceEventSeqs holds a malformed range")
            paired = True
            first, last = ends[0], ends[1]
        else:
            number = natural(entry)
            if number is None:
                return (), Fault("E11", "sourceEventSeqs holds something that is no event number")
            first = last = number
        if runs and runs[-1][1] + 1 == first:
            runs[-1] = (runs[-1][0], last)
        else:
            runs.append((first, last))
    increasing = all(left[1] < right[0] for left, right in pairwise(runs))
    if paired and not increasing:
        return (), Fault("E11", "sourceEventSeqs mixes ranges with an order that does not increase")
    if paired and bounded and sum(last - first + 1 for first, last in runs) > seq:
        return (), Fault("E11", f"sourceEventSeqs expands to more than {seq} events")
    if not increasing:
        ordered = sorted(runs)
        if any(left[1] >= right[0] for left, right in pairwise(ordered)):
            return (), Fault("E12", "sourceEventSeqs names an event twice")
    if max(last for _, last in runs) >= seq:
        return (), Fault("E13", f"sourceEventSeqs names event {max(last for _, last in runs)}, which is not earlier")
    return tuple(runs), None


def _one_run(value: list[Any]) -> tuple[int, int] | None:
    """The list as one run if it is plain consecutive integers: the common case, without a loop."""
    first, last = value[0], value[-1]
    if type(first) is not int or type(last) is not int or len(value) != last - first + 1 or not 0 <= first <= MAX_SAFE:
        return None
    consecutive = value == list(range(first, last + 1)) and {*map(type, value)} == {int}
    return (first, last) if consecutive and last <= MAX_SAFE else None


def uncited_fault(shadowed: Iterable[int], runs: Runs | None) -> Fault | None:
    """E17: a replace cites every node that it shadows."""
    missing = uncited(shadowed, runs)
    return Fault("E17", f"the replace shadows event {missing} but does not cite it") if missing is not None else None


def uncited(seqs: Iterable[int], runs: Runs | None) -> int | None:
    """The first of `seqs` that `runs` does not cover, or None."""
    ordered = sorted(runs or ())
    firsts = [first for first, _ in ordered]
    for seq in seqs:
        at = bisect_right(firsts, seq) - 1
        if at < 0 or ordered[at][1] < seq:
            return seq
    return None
