"""A source of plain lines, for pages of text."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.catalogue import say
from ..drawing.entry import Entry, Paragraph


class LinesSource:
    """Each line wraps; none is ever markup."""

    def __init__(self, lines: Sequence[str], tone: str = "plain") -> None:
        self._lines = lines
        self._tone = tone

    def __len__(self) -> int:
        return len(self._lines)

    def key(self, position: int) -> int:
        return position

    def seq(self, position: int) -> int:
        return position

    def row(self, position: int) -> int | None:
        return None

    def position(self, seq: int) -> int:
        return min(seq, max(0, len(self._lines) - 1))

    def empty(self) -> str:
        return say("detail.reading")

    def entry(self, position: int) -> Entry:
        return Entry((), [Paragraph(self._lines[position], self._tone, rows=200)])
