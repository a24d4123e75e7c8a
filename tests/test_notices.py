"""Notices: values with a place, bounded, and told once."""

from __future__ import annotations

import build
import pytest
from opening import codes, opened
from palimpsest.core.notices import CODES, KEPT_PER_CODE, Notice, Notices


def test_the_list_of_codes_is_closed() -> None:
    """The interface names them all."""
    words = """
        no-header bad-magic bad-frame bad-checksum header-frame torn-tail bad-json bad-row seq-gap
        header-field version retired envelope message-shape unknown-type unknown-ignorable limit
        open-turn open-compaction orphan-call provenance seed generation
    """.split()
    assert {*words, *(f"E{number}" for number in range(1, 24))} == CODES


def test_notices_of_one_code_are_bounded() -> None:
    """A hostile log cannot fill memory; what is left out is counted."""
    notices = Notices()
    for seq in range(KEPT_PER_CODE + 5):
        notices.add(Notice("unknown-ignorable", "info", "odd", seq))
    notices.add(Notice("seed", "error", "other"))
    found = list(notices.all())
    assert len(found) == KEPT_PER_CODE + 2
    assert [one.code for one in found[-2:]] == ["seed", "limit"]
    assert found[-1].message.startswith("5 more")


def test_a_log_of_oddities() -> None:
    log = build.Log()
    for _ in range(KEPT_PER_CODE + 50):
        log.add("foo/bar", {}, ignorable=True)
    session = opened(log.raw())
    assert session.status == "ok"
    assert codes(session) == ["unknown-ignorable"] * KEPT_PER_CODE + ["limit"]


def test_the_first_fault_counts_even_where_notices_are_bounded() -> None:
    log = build.Log()
    for _ in range(KEPT_PER_CODE + 50):
        log.add("foo/bar", {})
    session = opened(log.raw())
    assert session.status == "invalid"
    assert session.surface.fault is not None
    assert session.surface.fault.seq == 0
    assert codes(session).count("unknown-type") == KEPT_PER_CODE


@pytest.mark.parametrize("frames", [False, True])
def test_line_and_byte(frames: bool) -> None:
    """Lines count from 1, the header; in a zstd file the byte is that of the frame."""
    log = build.Log()
    for _ in range(4):
        log.user()
    log.add("foo/bar", {}, ignorable=True)
    data = log.zstd(batch=2) if frames else log.raw()
    (notice,) = opened(data).notices
    assert (notice.seq, notice.line) == (4, 6)
    head = [build.frame(build.raw(part)) for part in (log.lines[:1], log.lines[1:3], log.lines[3:5])]
    assert notice.byte == (sum(map(len, head)) if frames else len(build.raw(log.lines[:5])))


def test_a_fault_of_shape_is_told_once() -> None:
    """The fold stops at what the pass has told already."""
    log = build.Log()
    log.add("user/message", {"content": []}, surfaceOp="append")
    session = opened(log.raw())
    assert codes(session) == ["message-shape"]
    assert session.surface.fault == session.notices[0]


def test_open_turn() -> None:
    """formats 10: tolerated, and told."""
    log = build.Log()
    log.turn_start(7)
    (notice,) = opened(log.raw()).notices
    assert (notice.code, notice.severity, notice.seq, notice.message) == ("open-turn", "info", 0, "turn 7 has no end")
    log.turn_end(7)
    assert not opened(log.raw()).notices
