"""The loader: reads a session off the screen's thread, and now and then gathers what is there to be shown."""

from __future__ import annotations

import time
from collections.abc import Iterator

from textual import work
from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from ...core.session import Session
from ..panes.scene import Gathered, gather

FIRST_LOOK = 0.05
LOOK_AGAIN = 0.4
"""Seconds of reading before the panes show what is there, and between later looks."""


class Loader(Widget):
    """Nothing to see. `steps` is the session's own `load`, which may have begun already."""

    class Looked(Message):
        """What is read so far, and the share of the file that is, 0 to 1. `done`: all of it."""

        def __init__(self, gathered: Gathered, share: float, done: bool) -> None:
            super().__init__()
            self.gathered = gathered
            self.share = share
            self.done = done

    def __init__(self, session: Session, steps: Iterator[float]) -> None:
        super().__init__()
        self.display = False
        self._session = session
        self._steps = steps

    def on_mount(self) -> None:
        self._load()

    @work(thread=True)
    def _load(self) -> None:
        worker = get_current_worker()
        wait, last = FIRST_LOOK, time.monotonic()
        for share in self._steps:
            if worker.is_cancelled:
                return
            now = time.monotonic()
            if now - last >= wait:
                self.post_message(self.Looked(gather(self._session), share, False))
                # A look costs more the longer the log; never spend more than a share of the time on it.
                last = time.monotonic()
                wait = max(LOOK_AGAIN, 8 * (last - now))
        self.post_message(self.Looked(gather(self._session), 1.0, True))
