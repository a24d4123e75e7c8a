"""Reading and folding do linear work, counted in operations, never in time."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import build
import pytest
from opening import opened
from palimpsest.core.reading.bytes import MemoryBytes
from palimpsest.core.session import Session, session_of
from palimpsest.core.surface import Surface

SMALL = 300
TIMES = 8


class Counting(array):  # type: ignore[type-arg]
    """An array that counts every element anyone looks at or sets, in C or in Python."""

    touched = 0

    def __getitem__(self, at: Any) -> Any:
        Counting.touched += len(range(*at.indices(len(self)))) if isinstance(at, slice) else 1
        return super().__getitem__(at)

    def __setitem__(self, at: Any, value: Any) -> None:
        Counting.touched += 1
        super().__setitem__(at, value)

    def __iter__(self) -> Iterator[Any]:
        Counting.touched += len(self)
        return super().__iter__()

    def __contains__(self, value: object) -> bool:
        Counting.touched += len(self)
        return super().__contains__(value)

    def index(self, *arguments: Any) -> int:
        Counting.touched += len(self)
        return super().index(*arguments)


def counted(work: Callable[[], object]) -> int:
    """Calls, Python and C, and array elements touched while `work` runs."""
    calls = 0

    def called(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    Counting.touched = 0
    before = sys.getprofile()
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls + Counting.touched


def appends(size: int) -> build.Log:
    log = build.Log()
    for _ in range(size):
        log.user()
    return log


def rewrites(size: int) -> build.Log:
    """Half appended, half taking the place of a node each, far from one another."""
    log = build.Log()
    half = size // 2
    for _ in range(half):
        log.user()
    for at in range(half):
        node = at * 7 % half
        if half % 7:
            log.user("x", build.replace(node, node), sourceEventSeqs=[node])
    return log


def chain(size: int) -> build.Log:
    """One node replaced again and again, with a log grown on after it."""
    log = build.Log()
    node = log.user()
    for _ in range(size // 2):
        node = log.user("x", build.replace(node, node), sourceEventSeqs=[node])
        log.user("y")
    return log


def compactions(size: int) -> build.Log:
    """Every twenty events a compaction swallows all but the last."""
    log = build.Log()
    live: list[int] = []
    while log.next < size:
        live += [log.user() for _ in range(20)]
        live = [log.summarise(live[:-1]), live[-1]]
    return log


def prunes(size: int) -> build.Log:
    log = build.Log()
    while log.next < size:
        log.prune(log.result("c", "long"), "c")
    return log


def streams(size: int) -> build.Log:
    log = build.Log()
    log.turn_start()
    while log.next < size:
        log.step_start(step=log.next)
        log.assistant(step=log.next, sourceEventSeqs=log.deltas(["a"] * 10, step=log.next - 1))
    return log


def unsurfaced(size: int) -> Session:
    """A session read but not folded, with arrays that count."""
    session = opened(MAKER(size).raw())
    surface = Surface(session.log)
    for name in ("born", "died", "key", "_next", "_previous"):
        setattr(surface, name, Counting("q"))
    session.surface = surface
    return session


MAKER: Callable[[int], build.Log] = appends
MAKERS = [appends, rewrites, chain, compactions, prunes, streams]


def grows_linearly(small: int, large: int) -> bool:
    """Eight times the log may cost eight times the work and a little more; a square costs 64."""
    return large < small * TIMES * 1.25


@pytest.mark.parametrize("maker", MAKERS)
def test_the_fold_is_linear(maker: Callable[[int], build.Log], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "MAKER", maker)
    small, large = (unsurfaced(size) for size in (SMALL, SMALL * TIMES))
    costs = [counted(session.surface.advance) for session in (small, large)]
    assert large.surface.fault is None
    assert len(large.surface) > TIMES * len(small.surface) * 0.9
    assert grows_linearly(*costs), costs


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("frames", [False, True])
def test_reading_is_linear(maker: Callable[[int], build.Log], frames: bool) -> None:
    costs = []
    for size in (SMALL, SMALL * TIMES):
        log = maker(size)
        data = log.zstd() if frames else log.raw()
        costs.append(counted(lambda: list(session_of(MemoryBytes(data)).load())))  # noqa: B023
    assert grows_linearly(*costs), costs


@pytest.mark.parametrize("maker", MAKERS)
def test_a_surface_costs_no_more_than_its_nodes(
    maker: Callable[[int], build.Log], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asking for a moment looks at each node that ever was twice or so, wherever the moment is.

    Every look counts four times here: the element, the method, `super` and what it calls.
    """
    monkeypatch.setattr(sys.modules[__name__], "MAKER", maker)
    for size in (SMALL, SMALL * TIMES):
        session = unsurfaced(size)
        session.surface.advance()
        nodes = len(session.surface)
        session.surface.at(session.end)
        for moment in (0, session.end // 2, session.end):
            assert counted(lambda: session.surface.at(moment)) <= 12 * nodes + 50  # noqa: B023


def test_the_counting_sees_a_square() -> None:
    """The measure itself: a fold that looked its nodes up in a list would be caught."""

    def quadratic(size: int) -> int:
        nodes = Counting("q")

        def work() -> None:
            for seq in range(size):
                nodes.append(seq)
                nodes.index(seq)

        return counted(work)

    def linear(size: int) -> int:
        nodes = Counting("q", range(size))
        return counted(lambda: [nodes[at] for at in range(size)])

    assert not grows_linearly(quadratic(SMALL), quadratic(SMALL * TIMES))
    assert grows_linearly(linear(SMALL), linear(SMALL * TIMES))
