"""Detail: the event behind a row, its place in the file and its JSON as it stands."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from ...core.catalogue import say
from ...core.export.plain import one_line
from ...core.export.raw import row_lines, row_title
from ...core.session import Session
from ..panes.lines import LinesSource
from ..panes.pane import Pane


class DetailScreen(ModalScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter", "dismiss", say("key.back"))]

    def __init__(self, session: Session, row: int) -> None:
        super().__init__()
        self._session = session
        self._row = row

    def compose(self) -> ComposeResult:
        with Vertical(id="detail") as page:
            page.border_title = say("detail.title")
            page.border_subtitle = say("detail.close")
            yield Static("\n".join(map(one_line, row_title(self._session, self._row))), markup=False)
            yield Pane(id="detail-lines")

    def on_mount(self) -> None:
        self._read()

    @work(thread=True)
    def _read(self) -> None:
        """A row may hold megabytes: its JSON is made off the screen's thread."""
        try:
            lines = row_lines(self._session, self._row)
        except (ValueError, OSError) as error:
            lines = [say("part.unreadable", reason=error)]
        self.app.call_from_thread(self._show, lines)

    def _show(self, lines: list[str]) -> None:
        if self.is_attached:
            self.query_one(Pane).show(LinesSource(lines))
