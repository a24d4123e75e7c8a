"""`sourceEventSeqs`: ranges, and the rules E9 to E13 with E17 (formats 2.5, 6.1)."""

from __future__ import annotations

from typing import Any

import build
import pytest
from opening import opened, sequence
from palimpsest.core.dialects.cited import read_cited, uncited


def cited(value: Any, seq: int = 20, *, may_be_empty: bool = False, bounded: bool = True) -> list[int] | str:
    """The expanded list, or the code of the fault."""
    runs, fault = read_cited(value, seq, may_be_empty=may_be_empty, bounded=bounded)
    if fault is not None:
        return fault.code
    return [seq for first, last in runs for seq in range(first, last + 1)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([3, [5, 9], 12], [3, 5, 6, 7, 8, 9, 12]),  # case 17
        ([[5, 9]], [5, 6, 7, 8, 9]),
        ([[4, 4]], [4]),
        ([[0, 2], 3, [4, 5]], [0, 1, 2, 3, 4, 5]),
        ([9, 3], [9, 3]),  # case 18: a plain list keeps its order
        ([3, 2, 1], [3, 2, 1]),
        ([1, 2, 3], [1, 2, 3]),
        ([1.0, [2.0, 3]], [1, 2, 3]),
        ([0], [0]),
        ([19], [19]),
    ],
)
def test_decoding(value: Any, expected: list[int]) -> None:
    """formats 2.5."""
    assert cited(value) == expected


@pytest.mark.parametrize("value", [None, {}, "3", 3, True])
def test_no_array_is_e9(value: Any) -> None:
    """formats 6.1, E9."""
    assert cited(value) == "E9"
    assert cited(value, may_be_empty=True) == "E9"


def test_empty_is_e10_unless_it_may_be() -> None:
    """formats 6.1, E10, and case 19."""
    assert cited([]) == "E10"
    assert cited([], may_be_empty=True) == []


@pytest.mark.parametrize(
    "value",
    [
        [-1],
        [1.5],
        ["1"],
        [None],
        [True],
        [{}],
        [2**53],
        [[]],
        [[1]],
        [[1, 2, 3]],
        [[2, 1]],
        [[1, "2"]],
        [[-1, 2]],
        [[1, [2, 3]]],
        [[1, 2**53]],
        [[5, 9], 3],  # case 18: a range, and not increasing
        [3, [3, 5]],
        [[1, 4], [4, 6]],
        [[4, 6], [1, 2]],
        [7, 3, [9, 12]],
    ],
)
def test_malformed_members_are_e11(value: Any) -> None:
    """formats 2.5 and 6.1, E11."""
    assert cited(value) == "E11"


def test_a_list_longer_than_the_log_is_e11() -> None:
    """formats 2.5: v0 and v1 bound the expanded length by the event's own seq."""
    assert cited([[0, 2**52]]) == "E11"
    assert cited([[0, 2**52]], bounded=False) == "E13"
    assert cited([[0, 19]]) == list(range(20))
    assert cited([[0, 20]]) == "E11"


@pytest.mark.parametrize("value", [[1, 1], [1, 2, 1], [3, 1, 2, 3], [25, 25]])
def test_duplicates_are_e12(value: Any) -> None:
    """formats 6.1, E12; before E13."""
    assert cited(value) == "E12"


@pytest.mark.parametrize("value", [[20], [1, 25], [21, 3], [[19, 20]]])
def test_members_that_are_not_earlier_are_e13(value: Any) -> None:
    """formats 6.1, E13."""
    assert cited(value) == "E13"


def test_uncited_names_the_first_missing() -> None:
    """formats 6.1, E17."""
    runs = ((9, 9), (2, 4), (6, 7))
    assert uncited([2, 3, 4, 6, 7, 9], runs) is None
    assert uncited([3, 5, 8], runs) == 5
    assert uncited([1], runs) == 1
    assert uncited([10], runs) == 10
    assert uncited([1], None) == 1
    assert uncited([], None) is None


@pytest.mark.parametrize(
    ("sources", "code"),
    [
        ([0, 1, 2], None),
        ([2, 0, 1], None),
        ([[0, 2]], None),
        ([[0, 1]], "E17"),
        ([0, 2], "E17"),
        ([0, 1, 1], "E12"),
        ([], "E10"),
        ([0, 1, 7], "E13"),
        (["0"], "E11"),
        (None, "E9"),
        (..., "E17"),
    ],
)
def test_sources_of_a_replace(sources: Any, code: str | None) -> None:
    """formats 6.1: after E14 to E16, and E17 last."""
    log = build.Log()
    for _ in range(3):
        log.user()
    more = {} if sources is ... else {"sourceEventSeqs": sources}
    log.user("sum", build.replace(0, 1), **more) if code is None else log.user("sum", build.replace(0, 2), **more)
    session = opened(log.raw())
    if code is None:
        assert session.status == "ok"
        assert sequence(session) == [3, 2]
    else:
        assert session.status == "invalid"
        assert [(notice.code, notice.seq) for notice in session.notices] == [(code, 3)]
        assert sequence(session) == [0, 1, 2]


def test_the_span_is_looked_for_before_its_sources() -> None:
    """formats 6.1: in v0 E14 to E16 come before E9 to E13."""
    log = build.Log()
    log.user()
    log.user("sum", build.replace(7, 7), sourceEventSeqs=None)
    assert [notice.code for notice in opened(log.raw()).notices] == ["E14"]


def test_an_assistant_may_cite_nothing_a_user_may_not() -> None:
    """formats 11, case 19: a known empty stream."""
    log = build.Log()
    log.assistant(sourceEventSeqs=[])
    assert opened(log.raw()).status == "ok"
    log.user(sourceEventSeqs=[])
    assert [notice.code for notice in opened(log.raw()).notices] == ["E10"]


def test_an_appended_event_may_cite() -> None:
    """formats 4.1."""
    log = build.Log()
    log.user()
    log.result("c", sourceEventSeqs=[0])
    assert opened(log.raw()).status == "ok"
    log.result("d", sourceEventSeqs=[9])
    assert [notice.code for notice in opened(log.raw()).notices] == ["E13"]
