"""Packed delta rows of v0 and v1 (formats 2.4)."""

from __future__ import annotations

import copy
from typing import Any

import build
import pytest
from opening import codes, events, opened
from palimpsest.core.dialects.packed import member, packed, quick, texts, times

ROW: build.Row = {
    "type": "text-chunks",
    "seq0": 0,
    "time0": 100,
    "data": {"turn": 1, "step": 1, "index": 0, "dt": [5, -2], "texts": ["a", "b", "c"]},
}
TOOL: build.Row = {
    "type": "tool-call-chunks",
    "seq0": 0,
    "time0": 100,
    "data": {"turn": 1, "step": 1, "index": 2, "id": "call", "name": "read", "dt": [7], "args": ["{", "}"]},
}


def changed(row: build.Row, **fields: Any) -> build.Row:
    """The row with other data fields, or with other fields of its own if they are among them."""
    new = copy.deepcopy(row)
    for key, value in fields.items():
        place = new if key in new or key == "seq" else new["data"]
        place[key] = value
        if value is ...:
            del place[key]
    return new


def log_of(*rows: build.Row) -> build.Log:
    log = build.Log()
    log.rows.extend(rows)
    return log


def test_case_14() -> None:
    """formats 11, case 14: events at 100, 105, 103; the next number is 10."""
    log = build.Log()
    for _ in range(7):
        log.turn_start()
    log.rows.append(changed(ROW, seq0=7))
    log.next = 10
    log.turn_end()
    session = opened(log.raw())
    assert session.status == "ok"
    assert session.log.events == 11
    assert [one[:3] for one in events(session)[7:10]] == [
        (7, 100, "assistant/chunk"),
        (8, 105, "assistant/chunk"),
        (9, 103, "assistant/chunk"),
    ]
    assert events(session)[8][3] == {"turn": 1, "step": 1, "chunk": {"type": "text-delta", "index": 0, "text": "b"}}


@pytest.mark.parametrize(
    ("row", "chunk"),
    [
        (ROW, {"type": "text-delta", "index": 0, "text": "a"}),
        ({**ROW, "type": "reasoning-chunks"}, {"type": "reasoning-delta", "index": 0, "text": "a"}),
        (TOOL, {"type": "tool-call-delta", "index": 2, "id": "call", "name": "read", "argumentsDelta": "{"}),
        (
            changed(TOOL, name=...),
            {"type": "tool-call-delta", "index": 2, "id": "call", "argumentsDelta": "{"},
        ),  # case 16
        (
            changed(TOOL, name=""),
            {"type": "tool-call-delta", "index": 2, "id": "call", "name": "", "argumentsDelta": "{"},
        ),
        (changed(ROW, dt=[], texts=["a"]), {"type": "text-delta", "index": 0, "text": "a"}),  # one member
    ],
)
def test_members(row: build.Row, chunk: build.Row) -> None:
    """formats 2.4, the table; name is on all members or on none."""
    assert member(row, 0) == (100, {"turn": 1, "step": 1, "chunk": chunk})
    session = opened(log_of(row).raw())
    assert session.status == "ok"
    assert events(session)[0] == (0, 100, "assistant/chunk", {"turn": 1, "step": 1, "chunk": chunk})


FAULTY = [
    changed(ROW, dt=[5]),  # case 15
    changed(ROW, dt=[5, -2, 1]),
    changed(ROW, dt=[]),
    changed(ROW, dt=[5, 0.5]),
    changed(ROW, dt=[5, None]),
    changed(ROW, dt=[5, True]),
    changed(ROW, dt={}),
    changed(ROW, dt=...),
    changed(ROW, texts=[], dt=[]),
    changed(ROW, texts=["a", "b", 3]),
    changed(ROW, texts="abc"),
    changed(ROW, texts=...),
    changed(ROW, args=["a"]),
    changed(ROW, id="call"),
    changed(ROW, name="read"),
    changed(ROW, turn=-1),
    changed(ROW, turn="1"),
    changed(ROW, turn=...),
    changed(ROW, step=1.5),
    changed(ROW, step=None),
    changed(ROW, index=-1),
    changed(ROW, index=...),
    changed(ROW, seq0=-1),
    changed(ROW, seq0="0"),
    changed(ROW, seq0=2**53 - 2),
    changed(ROW, time0="100"),
    changed(ROW, time0=1.5),
    changed(ROW, time0=...),
    changed(ROW, time0=2**53 - 1),
    changed(ROW, time0=-(2**53) + 1, dt=[-1, 1]),
    changed(ROW, data=[]),
    changed(ROW, data=None),
    {**ROW, "seq": 0},
    {**ROW, "ignorable": True},
    {**ROW, "surfaceOp": "append"},
    {key: value for key, value in ROW.items() if key != "seq0"},
    changed(TOOL, id=""),
    changed(TOOL, id=...),
    changed(TOOL, id=7),
    changed(TOOL, name=None),
    changed(TOOL, name=7),
    changed(TOOL, args=...),
    changed(TOOL, texts=["a"]),
    changed(TOOL, args=[1, 2]),
]


@pytest.mark.parametrize("row", FAULTY)
def test_anything_else_under_a_tag_is_a_faulty_row(row: build.Row) -> None:
    """formats 2.4: never passed through as an event; and packed rows are atomic (2.3)."""
    assert quick(build.line(row)) is None
    log = log_of(row)
    session = opened(log.raw())
    assert session.status == "torn"
    assert session.log.events == 0
    assert codes(session)[0] == ("seq-gap" if row.get("seq0") == 2**53 - 2 and packed(row) else "bad-row")
    log.turn_end()
    assert opened(log.raw()).status == "damaged"
    assert opened(log_of(row).zstd()).status == "damaged"


def test_numbers_written_as_floats_and_odd_key_orders() -> None:
    """formats 2.1 and 2.4: the general way judges what the fast one refuses, with the same outcome."""
    plain = events(opened(log_of(ROW).raw()))
    floats = changed(ROW, seq0=0.0, time0=100.0, dt=[5.0, -2], turn=1.0, index=0.0)
    turned = {key: ROW[key] for key in reversed(ROW)}
    spaced = build.line(ROW).replace(b":", b" : ").replace(b",", b" , ")
    for line in (floats, turned, spaced):
        session = opened(build.raw([build.header(), line]))
        assert session.status == "ok"
        assert events(session) == plain
        assert len(session.log.attempts.all) == 1
        assert session.log.attempts.all[0].blocks[0].chars == 3


def test_lone_surrogates_in_a_packed_row() -> None:
    """formats 2.1: they survive, on the slow path."""
    row = changed(ROW, texts=["\ud83d", "\ude00", "x"])
    session = opened(log_of(row).raw())
    assert session.status == "ok"
    assert [one[3]["chunk"]["text"] for one in events(session)] == ["\ud83d", "\ude00", "x"]


def test_a_packed_row_out_of_order_is_a_gap() -> None:
    """formats 2.3: its first seq counts."""
    log = build.Log()
    log.user()
    log.rows.append(changed(ROW, seq0=2))
    session = opened(log.raw())
    assert session.status == "torn"
    assert codes(session) == ["seq-gap"]
    assert session.log.salvage[0].events == 3


@pytest.mark.parametrize(
    ("row", "count"),
    [(ROW, 3), (TOOL, 2), (build.chunk(0, build.text_delta("a")), 1)],
)
def test_the_fast_way_says_what_the_general_way_says(row: build.Row, count: int) -> None:
    fast = quick(build.line(row))
    assert fast is not None
    assert (fast.seq, fast.count) == (0, count)
    if row["type"] != "assistant/chunk":
        assert fast == packed(row)
        assert fast.end_time == member(row, count - 1)[0]


def test_the_general_way_is_left_what_is_no_delta() -> None:
    """Every other row, and every chunk that is no delta."""
    for row in (
        build.chunk(0, {"type": "finish", "reason": {"kind": "stop"}}),
        build.chunk(0, {"type": "usage", "usage": {}}),
        build.event(0, "turn/start", {"turn": 1}),
        build.event(0, "assistant/chunk", None),
        build.chunk(0, build.text_delta("a"), ignorable=True),
    ):
        assert quick(build.line(row)) is None


def test_the_first_telling_delta() -> None:
    """formats 5.4: non-empty text, or tool arguments, or a name."""
    for row, telling in (
        (changed(ROW, texts=["", "", ""]), False),
        (changed(ROW, texts=["", "b", ""]), True),
        (changed(TOOL, args=["", ""]), True),
        (changed(TOOL, args=["", ""], name=...), False),
        (changed(TOOL, args=["", ""], name=""), False),
        (changed(TOOL, args=["", "}"], name=...), True),
    ):
        found = packed(row)
        assert found is not None
        assert found.telling is telling, row


def test_token_boundaries_and_times_are_kept() -> None:
    """formats 2.4: never join the texts when token boundaries matter."""
    assert texts(ROW) == ["a", "b", "c"]
    assert times(ROW) == [100, 105, 103]
    assert texts(TOOL) == ["{", "}"]
    one = build.chunk(4, build.text_delta("x"))
    assert (texts(one), times(one)) == (["x"], [one["time"]])


def test_a_chunk_that_was_read_can_be_looked_at() -> None:
    """A single delta with a field of its own, nested too deeply to be read, is no trusted event."""
    log = build.Log()
    log.chunk({**build.text_delta("a"), "x": "HERE"})
    data = log.raw().replace(b'"HERE"', b"[" * 400 + b"]" * 400)
    session = opened(data)
    for seq in range(session.log.events):
        assert session.log.event(seq).type == "assistant/chunk"
    assert (session.status, session.log.events) == ("torn", 0)
