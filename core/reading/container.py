"""The container: a log's bytes as chunks of plaintext lines, told apart by content.

A chunk is one zstd frame, or in a raw file a block of whole lines. Chunks are numbered
from 0 and can be read again at any time; that is how payloads stay lazy.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ..notices import Extent, Notice
from ..settings import DEFAULT, Limits
from . import frames
from .bytes import Bytes

WINDOW = 1 << 20
BLOCK = 1 << 17
CACHE_BYTES = 24 << 20

Encoding = Literal["zstd", "raw"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Plaintext of one frame or block, met in file order.

    `fault`: the frame is damaged and `text` is what could be recovered of it.
    `torn`: the file ends inside it; `text` ends in a fragment that is no record.
    """

    number: int
    byte: int
    text: bytes
    torn: bool = False
    fault: Notice | None = None


class Container:
    """One log's bytes. `done` counts the bytes consumed by `chunks`."""

    def __init__(self, data: Bytes, limits: Limits = DEFAULT) -> None:
        self.data = data
        self.limits = limits
        head = data.read(0, 4)
        self.encoding: Encoding = "zstd" if head and frames.MAGIC.startswith(head) else "raw"
        self.done = 0
        self.starts = array("q")
        self.ends = array("q")
        self._partial: set[int] = set()
        self._cache: OrderedDict[int, bytes] = OrderedDict()
        self._cached = 0

    def __len__(self) -> int:
        """Complete frames or blocks met so far."""
        return len(self.starts) - len(self._partial)

    def chunks(self) -> Iterator[Chunk]:
        return self._frames() if self.encoding == "zstd" else self._blocks()

    def text(self, number: int) -> bytes:
        """The plaintext of a chunk, read and decoded again unless it is still at hand."""
        text = self._cache.get(number)
        if text is not None:
            self._cache.move_to_end(number)
            return text
        start, end = self.starts[number], self.ends[number]
        data = self.data.read(start, end - start)
        if self.encoding == "raw":
            text = data
        elif number in self._partial:
            text = frames.recover(data, self.limits.frame_bytes)
        else:
            text = frames.decompress(data, self.limits.frame_bytes)
        self._cache[number] = text
        self._cached += len(text)
        while self._cached > CACHE_BYTES and len(self._cache) > 1:
            self._cached -= len(self._cache.popitem(last=False)[1])
        return text

    def place(self, number: int, offset: int) -> int:
        """The file byte of a place in a chunk: in a zstd file that of the frame."""
        return self.starts[number] + (offset if self.encoding == "raw" else 0)

    def close(self) -> None:
        self.data.close()

    def _met(self, start: int, end: int, partial: bool = False) -> int:
        self.starts.append(start)
        self.ends.append(end)
        number = len(self.starts) - 1
        if partial:
            self._partial.add(number)
        self.done = end
        return number

    def _frames(self) -> Iterator[Chunk]:
        buffer, base, at = b"", 0, 0
        size = self.data.size
        while base + at < size:
            found = frames.scan(buffer, at)
            if isinstance(found, frames.Short) and base + len(buffer) < size:
                # Grow the window by what is still unread of a long frame, so that a frame
                # of any size is scanned a few times at most.
                base, at, want = base + at, 0, max(WINDOW, 2 * (len(buffer) - at))
                buffer = self.data.read(base, want)
                if base + len(buffer) < size and len(buffer) < want:
                    size = base + len(buffer)  # the file was cut while it was read
                continue
            start = base + at
            if isinstance(found, frames.Short):
                yield self._torn(start, buffer[at:])
                return
            if isinstance(found, frames.Bad):
                number = self._met(start, size, partial=True)
                yield Chunk(number, start, b"", fault=_no_frame(found, number, start, buffer[at : at + 4], size))
                return
            yield self._frame(start, buffer[at : found.end])
            at = found.end

    def _frame(self, start: int, frame: bytes) -> Chunk:
        end = start + len(frame)
        try:
            text = frames.decompress(frame, self.limits.frame_bytes)
        except frames.FrameError as error:
            number = self._met(start, end, partial=True)
            stated = f"checksum {frame[:-5:-1].hex()}" if error.code == "bad-checksum" else None
            notice = Notice(
                error.code,
                "error",
                f"frame {number + 1} at byte {start} is damaged: {error}",
                byte=start,
                frame=number + 1,
                expected=stated,
                affected=Extent(len(frame), "bytes"),
            )
            return Chunk(number, start, frames.recover(frame, self.limits.frame_bytes), fault=notice)
        return Chunk(self._met(start, end), start, text)

    def _torn(self, start: int, rest: bytes) -> Chunk:
        number = self._met(start, start + len(rest), partial=True)
        return Chunk(number, start, frames.recover(rest, self.limits.frame_bytes), torn=True)

    def _blocks(self) -> Iterator[Chunk]:
        at = 0
        size = self.data.size
        while at < size:
            want = BLOCK
            block = self.data.read(at, want)
            cut = block.rfind(b"\n")
            while cut < 0 and at + len(block) < size:
                more = self.data.read(at + len(block), want)
                if not more:
                    break
                cut = more.rfind(b"\n")
                cut += len(block) if cut >= 0 else 0
                block += more
                want *= 2
            if cut < 0:
                if block:
                    yield Chunk(self._met(at, at + len(block), partial=True), at, block, torn=True)
                return
            yield Chunk(self._met(at, at + cut + 1), at, block[: cut + 1])
            at += cut + 1


def _no_frame(bad: frames.Bad, number: int, start: int, head: bytes, size: int) -> Notice:
    """The notice of bytes that are no frame; nothing after them can be found again."""
    magic = bad.code == "bad-magic"
    return Notice(
        bad.code,
        "error",
        f"the bytes from {start} on are no frame: {bad.reason}",
        byte=start,
        frame=number + 1,
        expected=frames.MAGIC.hex() if magic else None,
        found=head.hex() if magic else None,
        affected=Extent(size - start, "bytes"),
    )
