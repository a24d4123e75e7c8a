"""The app: made the same way by the command line and by the tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import PurePath
from typing import Any, ClassVar

from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.screen import Screen

from ..core.export.plain import one_line
from ..core.session import Session
from .screens.frame import has_room
from .screens.viewer import ViewerScreen


class PalimpsestApp(App[None]):
    """Shows one opened session while it is being read."""

    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = ["panes/pane.tcss", "screens/viewer.tcss"]
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", show=False)]

    def __init__(self, session: Session, steps: Iterator[float] | None = None) -> None:
        """steps: the session's own `load`, if it has begun already."""
        super().__init__()
        self.session = session
        self._steps = session.load() if steps is None else steps
        name = one_line(session.path.name) if session.path is not None else "-"
        self.title = f"palimpsest {name}"

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The viewer's own actions first, then what every app offers."""
        if isinstance(screen, ViewerScreen):
            for name, action in screen.commands():
                yield SystemCommand(name, "", partial(screen.run_action, action))
        yield from super().get_system_commands(screen)

    def action_command_palette(self) -> None:
        if has_room(self.size):
            super().action_command_palette()

    def on_resize(self, event: events.Resize) -> None:
        if isinstance(self.screen, CommandPalette) and not has_room(event.size):
            self.pop_screen()

    def on_mount(self) -> None:
        self.push_screen(ViewerScreen(self.session, self._steps))
