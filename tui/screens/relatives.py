"""Relatives: parent, children and other generations of a log, to be opened from here."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from ...core.catalogue import say
from ...core.export.plain import one_line
from ...core.session import Session
from ...core.views.relatives import Relative, relatives
from .frame import has_room


def relative_line(one: Relative) -> str:
    """One relative as text."""
    where = str(one.path) if one.path is not None else say("relatives.missing")
    label = f" {one.label}" if one.label else ""
    return one_line(f"{say(f'relatives.{one.kinship}')}: {one.id}{label} · {where}")


class RelativesScreen(ModalScreen[Path | None]):
    """Answers with the path to open, None if there is none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", say("key.back")),
        Binding("j", "down", show=False),
        Binding("k", "up", show=False),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._found: list[Relative] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="page") as page:
            page.border_title = say("relatives.title")
            page.border_subtitle = say("relatives.looking")
            yield OptionList(markup=False)

    def on_mount(self) -> None:
        self._look()

    def on_resize(self, event: events.Resize) -> None:
        if self.is_current and not has_room(event.size):
            self.dismiss(None)

    @work(thread=True)
    def _look(self) -> None:
        try:
            for one in relatives(self._session):
                if not self.is_attached:
                    return
                self.app.call_from_thread(self._add, one)
        except (OSError, ValueError, KeyError) as error:
            self.app.call_from_thread(self.notify, one_line(str(error)), severity="warning", markup=False)
        self.app.call_from_thread(self._done)

    def _add(self, one: Relative) -> None:
        self._found.append(one)
        options = self.query_one(OptionList)
        options.add_option(Option(Content(relative_line(one)), disabled=one.path is None))
        if options.highlighted is None and one.path is not None:
            options.highlighted = len(self._found) - 1

    def _done(self) -> None:
        if not self.is_attached:
            return
        if not self._found:
            self.query_one(OptionList).add_option(Option(Content(say("relatives.none")), disabled=True))
        self.query_one(".page", Vertical).border_subtitle = say("relatives.keys")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._found[event.option_index].path)

    def action_down(self) -> None:
        self.query_one(OptionList).action_cursor_down()

    def action_up(self) -> None:
        self.query_one(OptionList).action_cursor_up()
