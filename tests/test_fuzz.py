"""A small share of the fuzzer's work, seeds that once failed, and logs of arbitrary JSON rows."""

from __future__ import annotations

import json
from typing import Any

import build
import fuzz
import pytest
from fuzz import LINES, ODD, TYPES, attempt, check, mutant
from hypothesis import given, settings
from hypothesis import strategies as st
from opening import opened
from palimpsest.core.export.dump import dump

SEEDS = 300
STRIDE = 50

REGRESSIONS = [20_080, 20_221, 20_488, 20_944, 32_880]
"""Seeds of inputs that broke something. They keep their meaning only as long as the mutations do."""

STREAM = {"type": "text-chunks", "time0": 1, "index": 0, "dt": [], "texts": ["x"]}


def streamed(**fields: Any) -> bytes:
    log = build.Log(2)
    log.add("assistant/attempt", {"turn": 1, "step": 1, "stream": [{**STREAM, **fields}]})
    return log.raw()


def told(data: Any, tools: Any = None) -> bytes:
    """A developer message after a request header."""
    log = build.Log(4)
    header = {"config": {"provider": "p", "model": "m"}, **({"tools": tools} if tools is not None else {})}
    log.add("request/header", {"header": header, "reason": "initial"})
    log.add("developer/message", data, surfaceOp="append")
    return log.raw()


ADDED = [{"type": "tool-addition", "toolName": "read"}]
ADDS = {"id": "d", "role": "developer", "source": {"kind": "tool-jobs"}, "content": ADDED}
BROKE = {
    "a record's type is half a character": streamed(type="\ud83d"),
    "a record's time is half a character": streamed(time0="\ud83d"),
    "a record's key is half a character": streamed(**{"\ud83d": 1}),
    "a developer message without a message": told({}),
    "a developer message that is a number": told(7),
    "tools of a header that is not there": told({"headerSeq": 99, "message": ADDS}),
    "tools of a header that are a number": told({"headerSeq": 0, "message": ADDS}, 7),
}
"""Smallest inputs of what the fuzzer found."""


@pytest.mark.parametrize("first", range(0, SEEDS, STRIDE))
def test_mutants_break_nothing(first: int) -> None:
    for seed in range(first, first + STRIDE):
        try:
            attempt(mutant(seed)[1], seed)
        except Exception as error:
            error.add_note(f"seed {seed}, made from {mutant(seed)[0]}")
            raise


@pytest.mark.parametrize("seed", REGRESSIONS)
def test_seeds_that_once_failed(seed: int) -> None:
    attempt(mutant(seed)[1], seed)


@pytest.mark.parametrize("data", BROKE.values(), ids=BROKE)
def test_inputs_that_once_failed(data: bytes) -> None:
    attempt(data, 0)


def test_the_mutants_are_of_every_kind() -> None:
    """The fuzzer is no good if nothing gets past the header, or if a seed does not make one input."""
    sessions = [opened(mutant(seed)[1]) for seed in range(300)]
    assert {one.status for one in sessions} >= {"ok", "torn", "invalid", "damaged", "unreadable"}
    assert {one.log.header.version for one in sessions if one.log.header} == {0, 1, 2, 3, 4}
    assert mutant(7) == mutant(7)
    assert len({mutant(seed)[1] for seed in range(100)}) > 95


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("status", "ok"),
        ("history", [1, 2, 3]),
        ("replacements", []),
        ("surface", {"at": 15, "generation": 3, "nodes": [14, 14]}),
        ("notices", []),
        ("events", 3),
    ],
)
def test_the_checks_notice_a_wrong_dump(key: str, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    log = build.turn_of_tools()
    log.user("of nothing", build.replace(999, 999), sourceEventSeqs=[0])
    session = opened(log.raw())
    assert check(session)["status"] == "invalid"
    monkeypatch.setattr(fuzz, "dump", lambda *given, **named: {**dump(*given, **named), key: value})
    with pytest.raises(AssertionError):
        check(session)


# Arbitrary rows

words = st.text(st.characters(codec=None, exclude_categories=()), max_size=6)
numbers = st.integers(-(10**20), 10**20) | st.floats()
scalars = st.none() | st.booleans() | numbers | st.sampled_from(["", "text", "append", *ODD]) | words
names = st.one_of(
    st.sampled_from(
        "type seq time data message content source surfaceOp id role turn step chunk text stream op".split()
    ),
    st.text(max_size=3),
)
values: st.SearchStrategy[Any] = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=5), max_leaves=12
)
kinds = st.one_of(st.sampled_from(TYPES), scalars)
rows = st.one_of(
    values,
    st.fixed_dictionaries(
        {"type": kinds, "data": values},
        optional={"seq": st.integers(0, 6), "time": st.integers(), "surfaceOp": values, "sourceEventSeqs": values},
    ),
    st.fixed_dictionaries({"message": values, "type": st.sampled_from(TYPES)}),
)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(0, 4), st.lists(rows, max_size=8), st.booleans(), st.booleans())
def test_arbitrary_rows_break_nothing(version: int, plan: list[Any], numbered: bool, zstd: bool) -> None:
    log = build.Log(version)
    log.turn_start()
    log.user("a message")
    for row in plan:
        if numbered and isinstance(row, dict):
            row = {"time": build.START, **row, "seq": log.next}
            log.next += 1
        log.line(json.dumps(row).encode())
    log.turn_end()
    attempt(log.zstd() if zstd else log.raw(), version)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.one_of(st.binary(max_size=30), st.sampled_from(LINES)), max_size=6), st.booleans())
def test_arbitrary_lines_break_nothing(lines: list[bytes], headed: bool) -> None:
    attempt(b"\n".join([*([build.line(build.header())] if headed else []), *lines]), 0)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.dictionaries(st.sampled_from([*build.header(2), "cwd", "seedLength", "origin", "parentSession"]), values))
def test_arbitrary_headers_break_nothing(fields: dict[str, Any]) -> None:
    log = build.Log(first={**build.header(), **fields})
    log.user("a message")
    attempt(b"\n".join(json.dumps(row).encode() for row in log.lines) + b"\n", 0)
