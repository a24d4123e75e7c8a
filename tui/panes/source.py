"""What a pane asks of its source: items by position and by event. A pane knows nothing of logs."""

from __future__ import annotations

from typing import Protocol

from ..drawing.entry import Entry


class Source(Protocol):
    def __len__(self) -> int: ...

    def key(self, position: int) -> int:
        """A number that stays with the item as the source changes."""
        ...

    def seq(self, position: int) -> int:
        """The first event that the item stands for."""
        ...

    def row(self, position: int) -> int | None:
        """The row of the log behind the item, None if there is none."""
        ...

    def position(self, seq: int) -> int:
        """The last item that begins at or before event `seq`, 0 if none does."""
        ...

    def entry(self, position: int) -> Entry: ...

    def empty(self) -> str:
        """What to say while there is no item."""
        ...


class NoSource:
    """A source of nothing, until there is one."""

    def __len__(self) -> int:
        return 0

    def key(self, position: int) -> int:
        raise IndexError(position)

    def seq(self, position: int) -> int:
        raise IndexError(position)

    def row(self, position: int) -> int | None:
        return None

    def position(self, seq: int) -> int:
        return 0

    def entry(self, position: int) -> Entry:
        raise IndexError(position)

    def empty(self) -> str:
        return ""
