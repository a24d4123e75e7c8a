"""The app: made the same way by the command line and by the tests."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import PurePath
from typing import Any, ClassVar

from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.screen import Screen
from textual.widgets import Input

from ..core.catalogue import say
from ..core.export.plain import one_line
from ..core.session import Session
from .screens.frame import has_room
from .screens.viewer import ViewerScreen

ENDING_SIGNALS = ("SIGTERM", "SIGHUP")
"""They end the app in good order, so that the terminal is left as it was."""
INTERRUPTED = 130
AGAIN = 3.0
"""Seconds within which a second ctrl+c quits."""


class PalimpsestApp(App[None]):
    """Shows one opened session while it is being read."""

    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = ["panes/pane.tcss", "screens/viewer.tcss"]
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", show=False),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]

    def __init__(self, session: Session, steps: Iterator[float] | None = None) -> None:
        """steps: the session's own `load`, if it has begun already."""
        super().__init__()
        self.session = session
        self._interrupted = float("-inf")
        self._steps = session.load() if steps is None else steps
        name = one_line(session.path.name) if session.path is not None else "-"
        self.title = f"palimpsest {name}"

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The viewer's own actions first, then what every app offers."""
        if isinstance(screen, ViewerScreen):
            for name, action in screen.commands():
                yield SystemCommand(name, "", partial(screen.run_action, action))
        yield from super().get_system_commands(screen)

    def action_interrupt(self) -> None:
        """ctrl+c copies what is selected in an input; else it asks once, and then quits."""
        field = self.focused
        if isinstance(field, Input) and field.selected_text:
            field.action_copy()
            return
        now = time.monotonic()
        if now - self._interrupted <= AGAIN:
            self.exit(return_code=INTERRUPTED)
            return
        self._interrupted = now
        self.clear_notifications()
        self.notify(say("interrupt.again"), markup=False, timeout=AGAIN)

    def action_command_palette(self) -> None:
        if has_room(self.size):
            super().action_command_palette()

    def on_resize(self, event: events.Resize) -> None:
        if isinstance(self.screen, CommandPalette) and not has_room(event.size):
            self.pop_screen()

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        for name in ENDING_SIGNALS:
            number = getattr(signal, name, None)  # Windows has neither the signals nor the handlers
            if number is not None and threading.current_thread() is threading.main_thread():
                loop.add_signal_handler(number, self.exit, None, 128 + number)
        self.push_screen(ViewerScreen(self.session, self._steps))
