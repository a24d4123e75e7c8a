"""Row recovery: the first faulty row, and what its consequences are (formats 2.3)."""

from __future__ import annotations

from typing import Any

import build
import pytest
from opening import codes, events, opened, sequence

GARBAGE = [
    b"",
    b"{",
    b"garbage",
    b"\x00\x00\x00",
    b"NaN",
    b"null",
    b"3",
    b"[]",
    b'"text"',
    b"{}",
    b'{"type":"turn/start"}',
    b'{"type":"turn/start","seq":"1","time":1,"data":{}}',
    b'{"type":"turn/start","seq":-1,"time":1,"data":{}}',
]


def log_with(*bad: bytes) -> build.Log:
    log = build.Log()
    log.turn_start()
    log.user()
    for line in bad:
        log.line(line)
    log.user("later")
    return log


@pytest.mark.parametrize("bad", GARBAGE)
def test_a_faulty_row_without_a_later_turn_end_is_a_torn_tail(bad: bytes) -> None:
    """formats 2.3 and case 9: what stands before it is the log."""
    session = opened(log_with(bad).raw())
    assert session.status == "torn"
    assert sequence(session) == [1]
    assert session.log.events == 2
    assert [notice.severity for notice in session.notices if notice.code in ("bad-json", "bad-row")] == ["warning"]


@pytest.mark.parametrize("bad", GARBAGE)
def test_a_faulty_row_before_a_turn_end_is_damage(bad: bytes) -> None:
    """formats 2.3 and case 10."""
    log = log_with(bad)
    log.turn_end()
    session = opened(log.raw())
    assert session.status == "damaged"
    assert sequence(session) == [1]
    notice = next(one for one in session.notices if one.severity == "error")
    assert notice.line == 4
    assert notice.byte == len(build.raw(log.lines[:3]))


@pytest.mark.parametrize("bad", GARBAGE)
def test_a_faulty_row_in_a_complete_frame_is_damage(bad: bytes) -> None:
    """formats 2.3: zstd, and interface: a complete frame holds no faulty row."""
    session = opened(log_with(bad).zstd())
    assert session.status == "damaged"
    assert sequence(session) == [1]


@pytest.mark.parametrize("bad", [b"garbage", b"{}", build.line(build.event(9, "plan/mode", {}))])
@pytest.mark.parametrize("ends", [False, True])
def test_a_faulty_row_recovered_from_the_torn_frame(bad: bytes, ends: bool) -> None:
    """formats 2.3, the rule of this project: torn, damaged when a turn/end follows."""
    log = log_with(bad)
    if ends:
        log.turn_end()
    header, body, rest = (build.frame(build.raw(part)) for part in (log.lines[:1], log.lines[1:3], log.lines[3:]))
    session = opened(header + body + rest[:-2])  # cut inside the checksum: all of its text can be produced
    assert session.status == ("damaged" if ends else "torn")
    assert "torn-tail" in codes(session)
    assert sequence(session) == [1]


@pytest.mark.parametrize("seq", [0, 1, 3, 2**53 - 1])
def test_a_gap_or_a_repeated_number(seq: int) -> None:
    """formats 2.3: the seq of a row is the number of events so far."""
    session = opened(log_with(build.line(build.event(seq, "plan/mode", {"active": True}))).raw())
    assert session.status == "torn"
    assert codes(session)[0] == "seq-gap"
    assert session.notices[0].seq == seq
    assert session.log.events == 2


def test_the_faulty_row_may_itself_be_the_turn_end() -> None:
    """formats 2.3: "a later (or this very) decodable row"."""
    for seq in (0, 7, 2**53 - 1):
        log = build.Log()
        log.turn_start()
        log.line(build.line(build.event(seq, "turn/end", {"turn": 1})))
        assert opened(log.raw()).status == "damaged"
    log = build.Log()
    log.turn_start()
    log.line(b'{"type":"turn/end","time":1,"data":{}}')
    assert opened(log.raw()).status == "damaged"


def test_a_turn_end_that_cannot_be_decoded_commits_nothing() -> None:
    """formats 2.3: only a decodable row counts."""
    log = log_with(b"garbage")
    log.line(b'{"type":"turn/end","seq":3,')
    assert opened(log.raw()).status == "torn"


def test_a_turn_end_before_the_fault_commits_nothing() -> None:
    """formats 2.3: only what follows the fault decides."""
    log = build.Log()
    log.turn_start()
    log.turn_end()
    log.line(b"garbage")
    assert opened(log.raw()).status == "torn"


def test_only_the_first_issue_counts() -> None:
    """formats 2.3: `issue` is kept, later faults are told as warnings."""
    log = log_with(b"garbage", b"{}")
    log.turn_end()
    session = opened(log.raw())
    errors = [(notice.code, notice.line) for notice in session.notices if notice.severity == "error"]
    assert errors == [("bad-json", 4)]
    assert ("bad-row", 5) in [(notice.code, notice.line) for notice in session.notices]


def test_rows_after_a_fault_contribute_nothing() -> None:
    """formats 2.3: not even with the number that was expected."""
    log = log_with(b"garbage")
    log.turn_end()
    session = opened(log.raw())
    assert session.log.events == 2
    assert len(session.log.operations) == 1
    assert session.log.brackets.turns[0].end is None


@pytest.mark.parametrize(
    "change",
    [
        {"data": ...},
        {"time": ...},
        {"time": 1.5},
        {"time": "1"},
        {"time": None},
        {"time": True},
        {"time": 2**53},
        {"type": ...},
        {"type": 7},
        {"type": None},
        {"ignorable": False},
        {"ignorable": 1},
        {"ignorable": None},
        {"extra": 1},
    ],
)
def test_a_malformed_envelope_is_invalid_not_damage(change: dict[str, Any]) -> None:
    """formats 4.1 and the status table: storage is sound, the event is not."""
    row = {**build.event(1, "plan/mode", {"active": True}), **change}
    log = build.Log()
    log.user()
    log.line(build.line({key: value for key, value in row.items() if value is not ...}))
    log.next += 1
    log.user()
    for data in (log.raw(), log.zstd()):
        session = opened(data)
        assert session.status == "invalid"
        assert [(one.code, one.seq, one.line) for one in session.notices] == [("envelope", 1, 3)]
        assert session.log.events == 3
        assert sequence(session) == [0]
        assert session.trusted_to == 0


@pytest.mark.parametrize("time", [0, -5, 1.0, -0.0, 2**53 - 1, -(2**53) + 1])
def test_times_may_be_any_safe_integer(time: float) -> None:
    """formats 4.1: time may go backwards."""
    log = build.Log()
    log.user()
    log.user(time=time)
    session = opened(log.raw())
    assert session.status == "ok"
    assert session.log.time_of(1) == time


@pytest.mark.parametrize("data", [None, [], {}, "", 0, False])
def test_data_may_be_any_json_if_it_is_there(data: Any) -> None:
    """formats 4.1: data is any JSON, present. Upstream hardly checks the inside of log-only events."""
    log = build.Log()
    for type_ in ("plan/mode", "turn/start", "compaction/summary", "todo/write", "assistant/chunk", "session/title"):
        log.add(type_, data)
    session = opened(log.raw())
    assert session.status == "ok"
    assert [one[3] for one in events(session)] == [data] * 6


@pytest.mark.parametrize("type_", [b"", b'"type":7,', b'"type":null,', b'"type":[],', b'"type":{},'])
def test_an_event_without_a_type_can_be_looked_at(type_: bytes) -> None:
    """formats 10: what is not interpreted is still shown raw."""
    log = build.Log()
    log.line(b"{" + type_ + b'"seq":0,"time":1,"data":{}}')
    session = opened(log.raw())
    assert codes(session) == ["envelope"]
    assert session.log.event(0).raw["seq"] == 0


def test_a_missing_type_at_the_expected_seq_does_not_stop_the_count() -> None:
    """The row after a malformed one has the next number."""
    log = build.Log()
    log.line(b'{"seq":0,"time":1,"data":{}}')
    log.next = 1
    log.turn_start()
    session = opened(log.raw())
    assert session.status == "invalid"
    assert [turn.start for turn in session.log.brackets.turns] == [1]


def test_a_header_alone_is_a_log() -> None:
    """formats 10: a header-only file is shown."""
    for data in (build.raw([build.header()]), build.zstd([build.header()])):
        session = opened(data)
        assert session.status == "ok"
        assert session.end == -1
        assert sequence(session) == []
