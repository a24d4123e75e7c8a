"""The structure of zstd frames: where each ends, without decompressing it.

Only the end of the file inside the last frame is "short" (torn); everything else that
does not fit is bad. Scanning structurally first is what tells the two apart, and names
the frame at fault.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MAGIC = b"\x28\xb5\x2f\xfd"
_RESERVED_BITS = 0x18
_CONTENT_SIZE_BYTES = (0, 2, 4, 8)
_DICTIONARY_BYTES = (0, 1, 2, 4)
_RECOVERY_STEP = 512


@dataclass(frozen=True, slots=True)
class Whole:
    """A structurally complete frame; `end` is the offset after it."""

    end: int


@dataclass(frozen=True, slots=True)
class Short:
    """The buffer ends inside the frame."""


@dataclass(frozen=True, slots=True)
class Bad:
    code: str
    reason: str


class FrameError(ValueError):
    """A structurally complete frame that does not decompress. `code` is the notice code."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


_SHORT = Short()


def scan(buffer: bytes, at: int) -> Whole | Short | Bad:
    """The frame starting at `at`."""
    have = len(buffer)
    if have - at < 4:
        return _SHORT
    if buffer[at : at + 4] != MAGIC:
        return Bad("bad-magic", f"found {buffer[at : at + 4].hex()} where a frame should start")
    if have - at < 5:
        return _SHORT
    descriptor = buffer[at + 4]
    if descriptor & _RESERVED_BITS:
        return Bad("bad-frame", f"reserved bits in the frame descriptor {descriptor:#04x}")
    single_segment = bool(descriptor & 0x20)
    size_flag = descriptor >> 6
    size_bytes = _CONTENT_SIZE_BYTES[size_flag] or int(single_segment)
    at += 5 + (not single_segment) + _DICTIONARY_BYTES[descriptor & 3] + size_bytes
    while True:
        if have - at < 3:
            return _SHORT
        block = buffer[at] | buffer[at + 1] << 8 | buffer[at + 2] << 16
        kind = block >> 1 & 3
        if kind == 3:
            return Bad("bad-frame", "reserved block type")
        at += 3 + (1 if kind == 1 else block >> 3)
        if at > have:
            return _SHORT
        if block & 1:
            break
    if descriptor & 4:
        at += 4
    return Whole(at) if at <= have else _SHORT


def decompress(frame: bytes, limit: int) -> bytes:
    """The plaintext of one whole frame, at most `limit` bytes. Raises FrameError."""
    decoder = zstd.ZstdDecompressor()
    try:
        text = decoder.decompress(frame, limit + 1)
    except zstd.ZstdError as error:
        # The decoder tells its reasons in words alone; it refuses windows of more than 128 MiB.
        code = (
            "bad-checksum" if "checksum" in str(error) else "limit" if "too much memory" in str(error) else "bad-frame"
        )
        raise FrameError(code, str(error)) from None
    if not decoder.eof:
        reason = f"expands beyond {limit} bytes" if len(text) > limit else "ends before its last block"
        raise FrameError("limit" if len(text) > limit else "bad-frame", reason)
    return text


def recover(frame: bytes, limit: int) -> bytes:
    """What can be produced from a torn or faulty frame, up to the first error."""
    decoder = zstd.ZstdDecompressor()
    parts: list[bytes] = []
    total = 0
    for at in range(0, len(frame), _RECOVERY_STEP):
        try:
            part = decoder.decompress(frame[at : at + _RECOVERY_STEP])
        except (zstd.ZstdError, EOFError):
            break
        parts.append(part)
        total += len(part)
        if decoder.eof or total > limit:
            break
    return b"".join(parts)
