"""The account: what happened at the replacement stepped to, in one line, two where there is little room."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from ...core.export.plain import one_line
from ..drawing.wrap import clip, width_of, wrap

ROWS = 2


class Account(Widget):
    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"account--label"}

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id)
        self._label = ""
        self._text = ""

    @property
    def text(self) -> str:
        return self._text

    def tell(self, text: str, label: str = "") -> None:
        """label: BEFORE or AFTER, set off from the text."""
        self._label, self._text = label, one_line(text)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        base = self.rich_style
        width = max(8, self.size.width - 2)
        lead = f" {self._label}  " if self._label else " "
        rows, taken = wrap(self._text, width, width - width_of(lead) + 1, ROWS)
        if taken < len(self._text) and rows:
            rows[-1] = clip(rows[-1] + " " + self._text[taken:], width)
        segments = []
        if y < len(rows):
            if y == 0:
                segments.append(Segment(lead, base + self.get_component_rich_style("account--label", partial=True)))
            segments.append(Segment(rows[y] if y == 0 else f" {rows[y]}", base))
        return Strip(segments).adjust_cell_length(self.size.width, base)
