"""The command line: an event number, a turn, the end; anything else looks for a command."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from ...core.catalogue import say


class CommandLine(Input):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", say("key.back"), show=False)]

    class Entered(Message):
        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Closed(Message):
        pass

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id, placeholder=say("command.prompt"), compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        text = self.value.strip()
        self.value = ""
        self.post_message(self.Closed())
        if text:
            self.post_message(self.Entered(text))

    def action_close(self) -> None:
        self.value = ""
        self.post_message(self.Closed())
