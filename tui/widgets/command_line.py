"""The command line: an event number, a turn, the end; anything else looks for a command."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.suggester import SuggestFromList
from textual.widgets import Input

from ...core.catalogue import say


class CommandLine(Input):
    """Offers the rest of a command's name while it is typed; tab takes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", say("key.back"), show=False),
        Binding("tab", "cursor_right", show=False),
    ]

    class Entered(Message):
        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Closed(Message):
        """The line is to be put away; `refocus`: nothing else has been chosen instead."""

        def __init__(self, refocus: bool) -> None:
            super().__init__()
            self.refocus = refocus

    def __init__(self, commands: Iterable[str], id: str) -> None:  # noqa: A002 (Textual's name)
        suggester = SuggestFromList(commands, case_sensitive=False)
        super().__init__(id=id, placeholder=say("command.prompt"), compact=True, suggester=suggester)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        text = self.value.strip()
        self.action_close()
        if text:
            self.post_message(self.Entered(text))

    def action_close(self) -> None:
        self.value = ""
        self.post_message(self.Closed(refocus=True))

    def on_blur(self, event: events.Blur) -> None:
        if self.display:
            self.value = ""
            self.post_message(self.Closed(refocus=False))
