"""Salvage: what can be read past damage is listed apart and never enters the log."""

from __future__ import annotations

import build
from opening import opened, sequence
from palimpsest.core.session import Session


def salvaged(session: Session) -> list[tuple[int, int, int, int]]:
    return [(one.first_seq, one.last_seq, one.events, one.line) for one in session.log.salvage]


def damaged_log() -> build.Log:
    log = build.Log()
    log.turn_start()
    log.user()
    log.line(b"garbage")
    log.user()
    log.pack(["a", "b", "c"])
    log.turn_end()
    return log


def test_a_run_past_a_faulty_row() -> None:
    """The interface: `salvaged`; packed rows count their members."""
    session = opened(damaged_log().raw())
    assert session.status == "damaged"
    assert salvaged(session) == [(2, 6, 5, 5)]
    assert session.log.events == 2
    assert sequence(session) == [1]


def test_a_gap_starts_a_run_at_the_row_itself() -> None:
    log = build.Log()
    log.user()
    log.next = 10
    log.user()
    log.user()
    session = opened(log.raw())
    assert session.status == "torn"
    assert salvaged(session) == [(10, 11, 2, 3)]


def test_every_break_starts_another_run() -> None:
    log = damaged_log()
    log.line(b"garbage")
    log.user()
    log.next = 50
    log.user()
    log.user()
    assert salvaged(opened(log.raw())) == [(2, 6, 5, 5), (7, 7, 1, 9), (50, 51, 2, 10)]


def test_a_damaged_frame_gives_what_it_holds_before_the_fault() -> None:
    """formats 2.2: a frame with a wrong checksum is damage; its lines are salvage."""
    log = build.Log()
    for _ in range(6):
        log.user()
    frames = [build.frame(build.raw(part)) for part in (log.lines[:1], log.lines[1:3], log.lines[3:5], log.lines[5:])]
    frames[2] = build.flipped(frames[2], len(frames[2]) - 1)
    session = opened(b"".join(frames))
    assert session.status == "damaged"
    assert session.log.events == 2
    assert [row for one in salvaged(session) for row in range(one[0], one[1] + 1)][-2:] == [4, 5]
    assert sequence(session) == [0, 1]


def test_a_line_does_not_go_on_past_a_damaged_frame() -> None:
    """What follows a damaged frame does not continue a fragment before it."""
    whole = build.line(build.event(1, "plan/mode", {}))
    log = build.Log()
    log.user()
    bad = build.flipped(build.frame(b"noise\n"), -3 + len(build.frame(b"noise\n")))
    data = b"".join(
        [
            build.frame(build.raw(log.lines[:1])),
            build.frame(build.raw(log.rows) + whole[:20]),
            bad,
            build.frame(whole[20:] + b"\n"),
        ]
    )
    session = opened(data)
    assert session.status == "damaged"
    assert session.log.events == 1
    assert not [one for one in session.log.salvage if one.first_seq == 1]


def test_the_bytes_of_salvaged_rows_can_be_read() -> None:
    """The viewer shows them under a red rule."""
    log = damaged_log()
    for data in (log.raw(), log.zstd(), log.zstd(batch=1)):
        session = opened(data)
        (run,) = session.log.salvage
        for row, line in zip(range(run.first_row, run.last_row + 1), log.rows[3:], strict=True):
            assert session.log.row(row) == line


def test_a_sound_log_has_none() -> None:
    assert not opened(build.turn_of_tools().zstd()).log.salvage
