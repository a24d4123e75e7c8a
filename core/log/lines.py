"""Lines: the plaintext of chunks cut at 0x0A and nowhere else; a line may cross frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..reading.container import Chunk

SLICE = 1 << 20


@dataclass(slots=True)
class Lines:
    """Cuts chunk after chunk; keeps the fragment after the last line end."""

    _fragment: list[bytes] = field(default_factory=list)
    _place: tuple[int, int] = (0, 0)

    @property
    def fragment_chunk(self) -> int | None:
        """The chunk in which an unfinished line began, None if there is none."""
        return self._place[0] if self._fragment else None

    def take(self, chunk: Chunk, start: int = 0) -> Iterator[tuple[bytes, int, int]]:
        """Each line that this chunk ends, with the chunk and offset it began at."""
        text, number, offset = chunk.text, chunk.number, start
        end = text.rfind(b"\n") + 1
        while offset < end:
            # In slices: a chunk may expand to a gigabyte of line ends.
            cut = text.rfind(b"\n", offset, offset + SLICE) + 1 or text.find(b"\n", offset) + 1
            for piece in text[offset : cut - 1].split(b"\n"):
                if self._fragment:
                    self._fragment.append(piece)
                    whole = b"".join(self._fragment)
                    self._fragment = []
                    yield whole, *self._place
                else:
                    yield piece, number, offset
                offset += len(piece) + 1
        tail = text[offset:]
        if tail:
            if not self._fragment:
                self._place = (number, offset)
            self._fragment.append(tail)

    def drop(self) -> None:
        """Forgets the fragment: what follows does not continue it."""
        self._fragment = []
