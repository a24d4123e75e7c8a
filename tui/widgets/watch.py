"""The watch: notices when the file of a session is no longer the one that was read."""

from __future__ import annotations

from pathlib import Path

from textual import work
from textual.message import Message
from textual.widget import Widget

from ...core.reading.places import named_version, newest_version
from ...core.reading.stamp import Change, Stamp, change, stamp

INTERVAL = 1.0
"""Seconds between two looks at the file."""


class Watch(Widget):
    """Nothing to see. Looks at the file now and then, off the screen's thread: a file system may hang."""

    class Changed(Message):
        """`change` is None when the file is again as it was read; `newer` names a newer generation beside it."""

        def __init__(self, change: Change | None, newer: int | None) -> None:
            super().__init__()
            self.change = change
            self.newer = newer

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.display = False
        self._path = path
        self._before = stamp(path)
        self._told: tuple[Change | None, int | None] = (None, None)
        self._looking = False

    def on_mount(self) -> None:
        self.set_interval(INTERVAL, self.look)

    def look(self) -> None:
        if not self._looking and isinstance(self._before, Stamp):
            self._looking = True
            self._look()

    @work(thread=True)
    def _look(self) -> None:
        assert isinstance(self._before, Stamp)
        found = change(self._before, stamp(self._path))
        named = named_version(self._path.name)
        newest = newest_version(self._path.parent) if named is not None else None
        newer = newest if newest is not None and named is not None and newest > named else None
        self._looking = False
        if (found, newer) != self._told:
            self._told = (found, newer)
            self.post_message(self.Changed(found, newer))
