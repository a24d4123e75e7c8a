"""Columns: what is kept of every row, about 30 bytes each."""

from __future__ import annotations

from array import array
from bisect import bisect_right

UNREADABLE = 0
"""The type code of a row that is no sound record."""


class Columns:
    """Row i is line i + 2 of the file. `seq` is the row's first event, `count` how many it holds."""

    def __init__(self) -> None:
        self.chunk = array("I")
        self.offset = array("I")
        self.seq = array("q")
        self.time = array("q")
        self.type = array("H")
        self.count = array("I")
        self.types: list[str] = [""]
        self._codes: dict[str, int] = {"": UNREADABLE}

    def __len__(self) -> int:
        return len(self.seq)

    def add(self, chunk: int, offset: int, seq: int, time: int, type_: str, count: int) -> None:
        code = self._codes.get(type_)
        if code is None:
            code = self._code(type_)
        self.chunk.append(chunk)
        self.offset.append(offset)
        self.seq.append(seq)
        self.time.append(time)
        self.type.append(code)
        self.count.append(count)

    def _code(self, type_: str) -> int:
        if len(self.types) > 0xFFFE:  # a hostile log may invent a type for every row
            type_ = "(too many types)"
            if type_ in self._codes:
                return self._codes[type_]
        self.types.append(type_)
        self._codes[type_] = len(self.types) - 1
        return self._codes[type_]

    def type_of(self, row: int) -> str:
        return self.types[self.type[row]]

    def row_of(self, seq: int, rows: int) -> int:
        """The row among the first `rows` that holds event `seq`. Raises KeyError."""
        row = bisect_right(self.seq, seq, 0, rows) - 1
        if row < 0 or seq >= self.seq[row] + self.count[row]:
            raise KeyError(seq)
        return row
