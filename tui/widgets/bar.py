"""A bar: one line with something on the left and something on the right; the left gives way."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from ...core.export.plain import one_line
from ..drawing.wrap import clip, width_of


class Bar(Widget):
    """Text of a log may stand in it: it is cleaned and never markup."""

    ALLOW_SELECT = False

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id)
        self._left = ""
        self._right = ""
        self._alert = False

    def tell(self, left: str, right: str = "", *, alert: bool = False) -> None:
        """alert: the right side is a warning."""
        told = (one_line(left), one_line(right), alert)
        if told != (self._left, self._right, self._alert):
            self._left, self._right, self._alert = told
            self.refresh()

    def render_line(self, y: int) -> Strip:
        base = self.rich_style
        width = self.size.width
        if y > 0:
            return Strip.blank(width, base)
        right = clip(self._right, max(0, width - 2))
        room = width - width_of(right) - 2
        left = clip(self._left, room - 1) if room > 1 else ""
        gap = max(0, width - width_of(left) - width_of(right) - 2)
        strong = base + Style(bold=True) if self._alert else base
        return Strip(
            [Segment(" " + left, base), Segment(" " * gap, base), Segment(right + " ", strong)]
        ).adjust_cell_length(width, base)
