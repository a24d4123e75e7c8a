"""Raw lines and zstd frames: what is whole, torn and damaged (formats 2.1, 2.2)."""

from __future__ import annotations

import build
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opening import codes, dumped, events, opened, sequence
from palimpsest.core.reading import container as container_module
from palimpsest.core.reading.bytes import MemoryBytes
from palimpsest.core.reading.container import Container
from palimpsest.core.reading.frames import MAGIC, Bad, Short, Whole, recover, scan
from palimpsest.core.settings import Limits

LOG = build.turn_of_tools()
RAW, ZSTD = LOG.raw(), LOG.zstd()
EVENTS = events(opened(RAW))


def without_place(data: bytes) -> dict[str, object]:
    """The dump without what depends on the container."""
    found = dumped(data)
    return {key: value for key, value in found.items() if key not in ("file", "notices")}


def chunks(data: bytes) -> list[tuple[bytes, bool, str | None]]:
    found = Container(MemoryBytes(data)).chunks()
    return [(one.text, one.torn, one.fault.code if one.fault else None) for one in found]


# Frames


def test_built_frames_are_those_of_node() -> None:
    """formats 2.2: a checksum, no content size, not single-segment."""
    for content in (b"", b"x", b"line\n" * 9_000):
        descriptor = build.frame(content)[4]
        assert descriptor & 0x04
        assert descriptor >> 6 == 0
        assert not descriptor & 0x20
    assert not build.frame(b"x", checksum=False)[4] & 0x04


def test_scan_finds_where_every_frame_ends() -> None:
    """formats 2.2, the structural scan."""
    frames = [build.frame(b""), build.frame(b"abc" * 99, checksum=False), build.frame(bytes(400_000))]
    data = b"".join(frames)
    at = 0
    for frame in frames:
        assert scan(data, at) == Whole(at + len(frame))
        at += len(frame)
    assert isinstance(scan(data, at), Short)


@pytest.mark.parametrize("content", [b"", b"hello hello hello hello", bytes(70_000)])
def test_a_frame_cut_anywhere_is_short_never_bad(content: bytes) -> None:
    """formats 2.2: only the end of the file inside a frame is torn."""
    frame = build.frame(content)
    for cut in range(len(frame)):
        assert isinstance(scan(frame[:cut], 0), Short)
    assert scan(frame, 0) == Whole(len(frame))


@pytest.mark.parametrize(
    ("descriptor", "rest", "size"),
    [
        (0x20, b"\x00", 1),  # single segment: one byte of content size, no window
        (0x60, b"\x00\x00", 2),
        (0xA0, b"\x00" * 4, 4),
        (0xE0, b"\x00" * 8, 8),
        (0x00, b"\x00", 1),  # a window byte
        (0x40, b"\x00" * 3, 3),
        (0x80, b"\x00" * 5, 5),
        (0xC0, b"\x00" * 9, 9),
        (0x01, b"\x00" * 2, 2),  # dictionary ids of one, two and four bytes
        (0x02, b"\x00" * 3, 3),
        (0x03, b"\x00" * 5, 5),
        (0x23, b"\x00" * 5, 5),
    ],
)
def test_scan_knows_every_frame_header(descriptor: int, rest: bytes, size: int) -> None:
    """formats 2.2, step 3."""
    assert len(rest) == size
    block = b"\x01\x00\x00"
    frame = MAGIC + bytes([descriptor]) + rest + block
    assert scan(frame, 0) == Whole(len(frame))
    assert isinstance(scan(frame[:-1], 0), Short)
    assert isinstance(scan(frame[:-4], 0), Short)
    checked = MAGIC + bytes([descriptor | 4]) + rest + block
    assert isinstance(scan(checked + b"\x00" * 3, 0), Short)
    assert scan(checked + b"\x00" * 4, 0) == Whole(len(checked) + 4)


def test_scan_counts_blocks_by_their_type() -> None:
    """formats 2.2, step 4: a run-length block has one byte, whatever its size says."""
    start = MAGIC + b"\x00\x00"
    run = (1_000 << 3 | 1 << 1).to_bytes(3, "little") + b"x"
    plain = (2 << 3 | 1).to_bytes(3, "little") + b"yz"
    assert scan(start + run + plain, 0) == Whole(len(start + run + plain))
    assert isinstance(scan(start + run, 0), Short)


@pytest.mark.parametrize("bits", [0x08, 0x10, 0x18])
def test_reserved_descriptor_bits_are_damage(bits: int) -> None:
    """formats 2.2, step 2."""
    found = scan(MAGIC + bytes([bits]) + b"\x00" * 9, 0)
    assert isinstance(found, Bad)
    assert found.code == "bad-frame"


def test_a_reserved_block_type_is_damage() -> None:
    """formats 2.2, step 4."""
    found = scan(MAGIC + b"\x00\x00" + b"\x07\x00\x00", 0)
    assert isinstance(found, Bad)
    assert found.code == "bad-frame"


def test_skippable_frames_are_not_accepted() -> None:
    """formats 2.2."""
    skippable = b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"skip"
    session = opened(ZSTD + skippable)
    assert session.status == "damaged"
    assert codes(session) == ["bad-magic"]
    assert events(session) == EVENTS


def test_recovery_gives_a_prefix_and_stops_at_its_limit() -> None:
    """formats 2.2: the available bytes of a torn frame, flushed."""
    plain = b"".join(b'{"line":%d}\n' % number for number in range(60_000))
    frame = build.frame(plain)
    for cut in range(0, len(frame), len(frame) // 40):
        assert plain.startswith(recover(frame[:cut], 1 << 30))
    half = recover(frame[: len(frame) // 2], 1 << 30)
    assert len(half) > len(plain) // 4
    bomb = build.frame(bytes(64 << 20))
    assert len(recover(bomb, 1 << 20)) < 64 << 20


# Whole files


def test_raw_and_zstd_tell_the_same() -> None:
    """formats 2.2: frame boundaries mean nothing to the rows."""
    assert without_place(RAW) == without_place(ZSTD)
    assert opened(RAW).status == opened(ZSTD).status == "ok"


def test_encoding_is_told_by_content() -> None:
    assert dumped(RAW)["file"] == {"encoding": "raw", "version": 0, "bytes": len(RAW), "frames": None}
    frames = 1 + -(-len(LOG.rows) // 3)
    assert dumped(ZSTD)["file"] == {"encoding": "zstd", "version": 0, "bytes": len(ZSTD), "frames": frames}


def test_every_frame_is_read() -> None:
    """formats 11, cases 1 and 2: many decoders stop after the first frame."""
    assert events(opened(build.zstd(LOG.lines, batch=1))) == EVENTS
    assert events(opened(build.zstd(LOG.lines, batch=10_000))) == EVENTS


def test_empty_frames_say_nothing() -> None:
    """formats 2.2: between frames and at the end."""
    first, rest = build.frame(build.raw(LOG.lines[:1])), build.frame(build.raw(LOG.rows))
    empty = build.frame(b"")
    session = opened(first + empty + rest + empty)
    assert session.status == "ok"
    assert events(session) == EVENTS


def test_frames_without_a_checksum_are_read() -> None:
    """formats 2.2, step 5."""
    pieces = [build.raw(LOG.lines[:1]), build.raw(LOG.rows)]
    session = opened(b"".join(build.frame(piece, checksum=False) for piece in pieces))
    assert session.status == "ok"
    assert events(session) == EVENTS


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, len(RAW)), max_size=12))
def test_frames_may_be_cut_anywhere(cuts: list[int]) -> None:
    """formats 2.2: a line may be split across frames by a foreign writer."""
    assert without_place(build.frames_of(RAW, cuts)) == without_place(RAW)


def test_a_line_over_many_frames_is_read_again_whole() -> None:
    """A row's bytes come back from all the frames it crosses."""
    log = build.Log()
    log.user("before")
    log.user("long " * 400)
    log.user("after")
    rest = len(build.raw(log.rows))
    data = build.frames_of(log.raw(), range(0, rest, 50))
    session = opened(data)
    assert session.status == "ok"
    for row, line in enumerate(log.rows):
        assert session.log.line(row) == build.line(line)
    assert events(session) == events(opened(log.raw()))


@pytest.mark.parametrize("window", [1, 7, 64, 1_000])
def test_windows_and_blocks_of_any_size(window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line or a frame longer than what is read at once."""
    monkeypatch.setattr(container_module, "BLOCK", window)
    monkeypatch.setattr(container_module, "WINDOW", window)
    for data in (RAW, ZSTD):
        assert without_place(data) == without_place(LOG.raw())
        assert events(opened(data)) == EVENTS
    assert opened(RAW + b"fragment").status == "torn"
    assert opened(ZSTD + MAGIC).status == "torn"


def test_a_line_longer_than_the_real_window() -> None:
    log = build.Log()
    log.user("x" * (3 * container_module.WINDOW))
    log.user("y")
    for data in (log.raw(), log.zstd()):
        session = opened(data)
        assert session.status == "ok"
        assert len(session.log.event(0).data["content"][0]["text"]) == 3 * container_module.WINDOW
        assert sequence(session) == [0, 1]


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\u0085", "\v", "\f", "\r", "\x1c", "\x1e"])
def test_only_0x0a_ends_a_line(character: str) -> None:
    """formats 2.1 and case 11: what str.splitlines would split is text."""
    log = build.Log()
    log.user(f"a{character}b")
    for data in (log.raw(), log.zstd()):
        session = opened(data)
        assert session.status == "ok"
        assert session.surface.messages(0)[0]["content"][0]["text"] == f"a{character}b"


def test_crlf_is_read() -> None:
    """formats 2.1: CR is no separator; before a line end it is white space."""
    session = opened(RAW.replace(b"\n", b"\r\n"))
    assert session.status == "ok"
    assert events(session) == EVENTS


def test_a_chunk_that_left_the_cache_is_decoded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container_module, "CACHE_BYTES", 1)
    session = opened(ZSTD)
    assert events(session) == EVENTS
    assert events(session) == EVENTS


def test_a_frame_beyond_the_limit_is_refused() -> None:
    """A bomb is refused with a notice instead of filling memory."""
    session = opened(build.zstd([*LOG.lines[:1], b"x" * 500_000], batch=1), limits=Limits(frame_bytes=1_000))
    assert session.status == "damaged"
    assert codes(session)[0] == "limit"


# Torn


def test_two_bytes_of_the_next_magic_are_a_torn_tail() -> None:
    """formats 11, case 3."""
    for size in (1, 2, 3):
        session = opened(ZSTD + MAGIC[:size])
        assert session.status == "torn"
        assert codes(session) == ["torn-tail"]
        assert events(session) == EVENTS


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5])
def test_no_complete_header_frame(size: int) -> None:
    """formats 2.2: no complete frame, nothing to open."""
    session = opened(ZSTD[:size])
    assert session.status == "unreadable"
    assert codes(session) == ["no-header"]


def test_zstd_cut_at_every_byte() -> None:
    """formats 2.2 and the status table: never raises, and keeps a prefix of the events."""
    ends = {0}
    at = 0
    while at < len(ZSTD):
        found = scan(ZSTD, at)
        assert isinstance(found, Whole)
        at = found.end
        ends.add(at)
    for cut in range(len(ZSTD)):
        session = opened(ZSTD[:cut])
        expected = "unreadable" if cut < min(ends - {0}) else "ok" if cut in ends else "torn"
        assert session.status == expected, cut
        assert events(session) == EVENTS[: session.log.events]
        assert ("torn-tail" in codes(session)) is (expected == "torn")


def test_raw_cut_at_every_byte() -> None:
    """formats 2.1: bytes after the last line end are no record, even if they parse."""
    counts = [0]
    for row in LOG.rows:
        assert isinstance(row, dict)
        counts.append(counts[-1] + len(row["data"].get("texts", [0])))
    for cut in range(len(RAW)):
        session = opened(RAW[:cut])
        lines = RAW[:cut].count(b"\n")
        expected = "unreadable" if lines == 0 else "ok" if RAW[:cut].endswith(b"\n") else "torn"
        assert session.status == expected, cut
        assert session.log.events == counts[max(lines - 1, 0)]
        assert events(session) == EVENTS[: session.log.events]


def test_a_torn_frame_gives_its_complete_lines() -> None:
    """formats 11, case 4."""
    rows = [build.event(seq, "plan/mode", {"noise": f"{seq * 7919 % 100_003:x}" * 40}) for seq in range(3_000)]
    first, last = build.frame(build.raw([build.header()])), build.frame(build.raw(rows))
    session = opened(first + last[: len(last) * 3 // 4])
    assert session.status == "torn"
    assert codes(session) == ["torn-tail"]
    assert 0 < session.log.events < 3_000
    assert [one[3] for one in events(session)] == [row["data"] for row in rows[: session.log.events]]


# Damage


def test_junk_after_a_frame_is_damage() -> None:
    """formats 11, case 5."""
    session = opened(ZSTD + b"junk")
    assert session.status == "damaged"
    assert codes(session) == ["bad-magic"]
    assert session.notices[0].byte == len(ZSTD)
    assert events(session) == EVENTS


def test_a_wrong_checksum_is_damage_wherever_it_stands() -> None:
    """formats 11, case 6: even if later frames are fine."""
    frames = [build.frame(build.raw([line])) for line in LOG.lines]
    for at in range(1, len(frames)):
        broken = build.flipped(frames[at], len(frames[at]) - 1)
        session = opened(b"".join([*frames[:at], broken, *frames[at + 1 :]]))
        assert session.status == "damaged"
        assert codes(session)[0] == "bad-checksum"
        assert session.notices[0].byte == sum(map(len, frames[:at]))
        assert events(session) == EVENTS[: session.log.events]


def test_a_fragment_after_the_last_complete_frame_is_damage() -> None:
    """formats 2.2: nothing may be left over, whether or not a torn frame follows."""
    data = build.frame(build.raw(LOG.lines[:1])) + build.frame(build.raw(LOG.rows) + b'{"half":')
    for tail in (b"", MAGIC[:2], build.frame(b"more")[:-3]):
        session = opened(data + tail)
        assert session.status == "damaged", tail
        assert "bad-frame" in codes(session)
        assert events(session) == EVENTS


@pytest.mark.parametrize("lines", [2, 3])
def test_the_first_frame_is_exactly_the_header(lines: int) -> None:
    """formats 2.2 and case 7."""
    data = build.frame(build.raw(LOG.lines[:lines])) + build.frame(build.raw(LOG.lines[lines:]))
    session = opened(data)
    assert session.status == "damaged"
    assert codes(session)[0] == "header-frame"
    assert session.log.events == 0
    assert sequence(session) == []


def test_a_header_without_a_line_end_in_its_frame() -> None:
    """formats 2.2: not exactly one line."""
    session = opened(build.frame(build.line(build.header())) + build.frame(b"\n" + build.raw(LOG.rows)))
    assert session.status == "damaged"
    assert codes(session)[0] == "header-frame"


def test_every_byte_flipped() -> None:
    """Never raises; a file that reads differently says that something is wrong with it."""
    fields = opened(ZSTD).log.heading.fields
    for bits in (0xFF, 0x01, 0x80):
        for at in range(len(ZSTD)):
            session = opened(build.flipped(ZSTD, at, bits))
            found = events(session)
            if session.status == "ok":  # a bit that changes nothing decoded, as in a window size
                assert (found, session.log.heading.fields) == (EVENTS, fields), at
            else:
                assert session.status in ("unreadable", "damaged", "torn"), at
                assert session.notices, at
                assert found == EVENTS[: len(found)], at


def test_every_byte_of_a_raw_log_changed() -> None:
    """Without checksums nothing can be promised but an answer."""
    for bits in (0xFF, 0x01, 0x20):
        for at in range(len(RAW)):
            found = dumped(build.flipped(RAW, at, bits))
            assert found["status"] == "ok" or found["notices"], at
            assert found["events"] <= len(EVENTS)
