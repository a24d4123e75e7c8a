"""Driving the app in tests: open a log, wait until it is read, read the screen as text."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from palimpsest.core.session import Session, open_session
from palimpsest.tui.app import PalimpsestApp
from palimpsest.tui.panes.pane import Pane
from palimpsest.tui.screens.viewer import ViewerScreen
from rich.cells import cell_len
from textual.pilot import Pilot

SAMPLES = Path(__file__).parent.parent / "sample_logs"
TOUR = SAMPLES / "login-redirect" / "session.jsonl.zstd"
HELLO = SAMPLES / "hello" / "session.jsonl"
TORN = SAMPLES / "login-redirect-torn" / "session.jsonl.zstd"

_TEXT = re.compile(r'<text class="[^"]*-r\d+" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>')
_CELL = 12.2


class Viewing:
    """An app under test: its pilot, and what its screen and panes show."""

    def __init__(self, pilot: Pilot[None], app: PalimpsestApp) -> None:
        self.pilot = pilot
        self.app = app

    @property
    def screen(self) -> ViewerScreen:
        """The viewer on top, whatever page lies over it."""
        return next(screen for screen in reversed(self.app.screen_stack) if isinstance(screen, ViewerScreen))

    def pane(self, name: str) -> Pane:
        return self.screen.pane(name)

    def pane_lines(self, name: str) -> list[str]:
        """The rows of a pane as it would draw them now, without trailing spaces."""
        pane = self.pane(name)
        return [pane.render_line(y).text.rstrip() for y in range(pane.size.height)]

    def lines(self) -> list[str]:
        """The whole screen as text."""
        return screen_lines(self.app.export_screenshot())

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
        await self.pilot.pause()


def screen_lines(svg: str) -> list[str]:
    """The rows of an exported screen, wide characters in their columns."""
    rows: dict[float, dict[int, str]] = {}
    for x, y, text in _TEXT.findall(svg):
        row = rows.setdefault(float(y), {})
        column = round(float(x) / _CELL)
        for character in html.unescape(text).replace("\xa0", " "):
            row[column] = character
            column += max(1, cell_len(character))
    lines = []
    for _, row in sorted(rows.items()):
        line, column = "", 0
        for at in sorted(row):
            line += " " * (at - column) + row[at]
            column = at + max(1, cell_len(row[at]))
        lines.append(line.rstrip())
    return lines


@asynccontextmanager
async def viewing(source: Path | Session, size: tuple[int, int] = (180, 44)) -> AsyncIterator[Viewing]:
    """The app on a log, read to its end."""
    session = open_session(source) if isinstance(source, Path) else source
    app = PalimpsestApp(session)
    async with app.run_test(size=size) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        yield Viewing(pilot, app)
