"""The virtual pane: shows any number of items, measuring only those on the screen.

Its position is (item, row inside the item), not a line number: nothing is ever wrapped that
is not seen, a resize keeps the place, and the end is found by walking back one page.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from ...core.catalogue import say
from ..drawing.entry import Entry, Row, Span, layout
from ..drawing.tones import TONES
from ..drawing.wrap import clip
from .source import NoSource, Source

ENTRIES_AT_HAND = 400
WHEEL_ROWS = 3
UNFOLD_KEY = "l"


class Laid(NamedTuple):
    """An entry and its rows at the present width."""

    entry: Entry
    rows: list[Row]


class Pane(Widget, can_focus=True):
    """A scrollable, foldable list of entries with a cursor."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"pane--{tone}" for tone in TONES}
    ALLOW_SELECT = False

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", say("key.down"), show=False),
        Binding("k,up", "move(-1)", say("key.up"), show=False),
        Binding("pagedown", "page(1.0)", say("key.page-down"), show=False),
        Binding("pageup", "page(-1.0)", say("key.page-up"), show=False),
        Binding("ctrl+d", "page(0.5)", say("key.half-down"), show=False),
        Binding("ctrl+u", "page(-0.5)", say("key.half-up"), show=False),
        Binding("g,home", "top", say("key.top"), show=False),
        Binding("G,end", "bottom", say("key.bottom"), show=False),
        Binding("l,right", "unfold(True)", say("key.unfold"), show=False),
        Binding("h,left", "unfold(False)", say("key.fold"), show=False),
    ]

    cursor: reactive[int] = reactive(0, init=False)

    class Moved(Message):
        """The cursor came to rest on another item."""

        def __init__(self, pane: Pane, seq: int) -> None:
            super().__init__()
            self.pane = pane
            self.seq = seq

    class Folded(Message):
        """A row was folded or unfolded; its source may want to show more under it."""

        def __init__(self, pane: Pane, position: int, unfold: bool) -> None:
            super().__init__()
            self.pane = pane
            self.position = position
            self.unfold = unfold

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id)
        self.source: Source = NoSource()
        self.unfolded: set[int] = set()
        self.at_end = True
        self._top = (0, 0)
        self._laid: OrderedDict[int, Laid] = OrderedDict()
        self._shown: list[tuple[int, Row]] | None = None
        self._dragging = False

    # The source

    def show(self, source: Source, *, keep_end: bool = False) -> None:
        """Takes a new source. Stays where it is, or at the end if it is there and `keep_end`."""
        keep = None
        if len(self.source) and len(source):
            top = min(self._top[0], len(self.source) - 1)
            keep = (self.source.key(top), self.source.seq(top), self._top[1])
            under = self.source.key(min(self.cursor, len(self.source) - 1))
            under_seq = self.source.seq(min(self.cursor, len(self.source) - 1))
        self.source = source
        self.forget()
        if keep_end and self.at_end:
            self.action_bottom()
        elif keep is not None:
            self._top = (self._find(keep[0], keep[1]), keep[2])
            self.set_cursor(self._find(under, under_seq), scroll=False)
        else:
            self._top = (0, 0)
            self.set_cursor(0, scroll=False)

    def _find(self, key: int, seq: int) -> int:
        """Where the item with this key is now, or the one nearest to it."""
        at = self.source.position(seq)
        position = at
        while position >= 0 and self.source.seq(position) == seq:
            if self.source.key(position) == key:
                return position
            position -= 1
        return at

    def forget(self) -> None:
        """What was laid out is no longer true."""
        self._laid.clear()
        self.redraw()

    def redraw(self) -> None:
        self._shown = None
        self.refresh()

    def look_at(self, seq: int, *, above: int = 1) -> None:
        """Brings the item of event `seq` into view, `above` rows below the top, and the cursor to it."""
        if len(self.source):
            self.look_at_position(self.source.position(seq), above=above)

    def look_at_position(self, position: int, *, above: int = 1) -> None:
        """The same for the item at a position."""
        self._top = self._walk((position, 0), -above)
        self.set_cursor(position, scroll=False)
        self._settle()

    # Layout

    @property
    def _height(self) -> int:
        return max(1, self.size.height)

    @property
    def _width(self) -> int:
        # One column for the cursor, one for the scroll bar.
        return max(4, self.size.width - 2)

    def _laid_out(self, position: int) -> Laid:
        key = self.source.key(position)
        laid = self._laid.get(key)
        if laid is None:
            entry = self.source.entry(position)
            rows = layout(entry, self._width, key in self.unfolded, UNFOLD_KEY)
            # Without the body: a message may be megabytes, of which the rows hold what shows.
            laid = Laid(replace(entry, body=()), rows)
            self._laid[key] = laid
            if len(self._laid) > ENTRIES_AT_HAND:
                self._laid.popitem(last=False)
        else:
            self._laid.move_to_end(key)
        return laid

    def _rows_of(self, position: int) -> list[Row]:
        return self._laid_out(position).rows

    def _walk(self, place: tuple[int, int], rows: int) -> tuple[int, int]:
        """The place `rows` further down (up if negative), stopping at the first and last row."""
        position, row = place
        if rows >= 0:
            while rows > 0:
                have = len(self._rows_of(position))
                if row + rows < have:
                    return position, row + rows
                if position + 1 >= len(self.source):
                    return position, have - 1
                rows -= have - row
                position, row = position + 1, 0
            return position, row
        rows = -rows
        while rows > row:
            if position == 0:
                return 0, 0
            rows -= row + 1
            position -= 1
            row = len(self._rows_of(position)) - 1
        return position, row - rows

    def _last_top(self) -> tuple[int, int]:
        last = len(self.source) - 1
        return self._walk((last, len(self._rows_of(last)) - 1), -(self._height - 1))

    def _settle(self) -> None:
        """Keeps the view inside the items and notes whether it is at the end."""
        if not len(self.source):
            self._top, self.at_end = (0, 0), True
            self.redraw()
            return
        position = min(self._top[0], len(self.source) - 1)
        row = min(self._top[1], len(self._rows_of(position)) - 1) if position == self._top[0] else 0
        last = self._last_top()
        self.at_end = (position, row) >= last
        self._top = min((position, row), last)
        self.redraw()

    def _visible(self) -> list[tuple[int, Row]]:
        if self._shown is None:
            shown: list[tuple[int, Row]] = []
            position, row = self._top
            while len(shown) < self._height and position < len(self.source):
                shown.extend((position, one) for one in self._rows_of(position)[row:])
                position, row = position + 1, 0
            self._shown = shown[: self._height]
        return self._shown

    # Moving

    def set_cursor(self, position: int, *, scroll: bool = True) -> None:
        if not len(self.source):
            return
        position = max(0, min(position, len(self.source) - 1))
        moved = position != self.cursor
        self.cursor = position
        if scroll:
            self._bring_in(position)
        if moved:
            self.post_message(self.Moved(self, self.source.seq(position)))
        self.redraw()

    def _bring_in(self, position: int) -> None:
        if position < self._top[0] or (position == self._top[0] and self._top[1] > 0):
            self._top = (position, 0)
        else:
            height = min(len(self._rows_of(position)), self._height)
            lowest = self._walk((position, height - 1), -(self._height - 1))
            self._top = max(self._top, lowest)
        self._settle()

    def scroll_rows(self, rows: int) -> None:
        """Scrolls; the cursor comes along only as far as it must to stay in view."""
        if not len(self.source):
            return
        self._top = self._walk(self._top, rows)
        self._settle()
        shown = self._visible()
        if shown:
            first, last = shown[0][0], shown[-1][0]
            self.set_cursor(max(first, min(self.cursor, last)), scroll=False)

    def action_move(self, by: int) -> None:
        shown = self._visible()
        inside = [row for position, row in shown if position == self.cursor]
        if inside and len(self._rows_of(self.cursor)) > len(inside):
            # The item is taller than what shows of it: read on inside it first.
            edge = shown[-1][0] if by > 0 else shown[0][0]
            if edge == self.cursor and not (by > 0 and self.at_end and self._complete_below()):
                before = self._top
                self.scroll_rows(by)
                if self._top != before:
                    return
        self.set_cursor(self.cursor + by)

    def _complete_below(self) -> bool:
        shown = self._visible()
        rows = self._rows_of(self.cursor)
        return bool(shown) and shown[-1][1] is rows[-1]

    def action_page(self, pages: float) -> None:
        rows = max(1, round(abs(pages) * (self._height - 1)))
        before = self._top
        self.scroll_rows(rows if pages > 0 else -rows)
        if self._top == before:
            self.set_cursor(len(self.source) - 1 if pages > 0 else 0)

    def action_top(self) -> None:
        self._top = (0, 0)
        self.set_cursor(0)
        self._settle()

    def action_bottom(self) -> None:
        if len(self.source):
            self._top = self._last_top()
            self.set_cursor(len(self.source) - 1, scroll=False)
        self._settle()

    def action_unfold(self, unfold: bool) -> None:
        if not len(self.source):
            return
        key = self.source.key(self.cursor)
        if unfold:
            self.unfolded.add(key)
        else:
            self.unfolded.discard(key)
        self._laid.pop(key, None)
        self._bring_in(self.cursor)
        self.post_message(self.Folded(self, self.cursor, unfold))

    # Events

    def on_resize(self, event: events.Resize) -> None:
        self._laid.clear()
        if self.at_end and len(self.source):
            self._top = self._last_top()
        self._settle()

    def on_focus(self) -> None:
        self.redraw()

    def on_blur(self) -> None:
        self.redraw()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.scroll_rows(WHEEL_ROWS)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.scroll_rows(-WHEEL_ROWS)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        place = event.get_content_offset(self)
        if place is None:
            return
        if place.x >= self.size.width - 1:
            self._dragging = True
            self.capture_mouse()
            self._drag(place.y)
        else:
            shown = self._visible()
            if place.y < len(shown):
                self.set_cursor(shown[place.y][0], scroll=False)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragging:
            self._drag(event.y - self.gutter.top)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    def _drag(self, y: int) -> None:
        if not len(self.source):
            return
        share = max(0.0, min(1.0, y / max(1, self._height - 1)))
        self._top = (round(share * (len(self.source) - 1)), 0)
        self.scroll_rows(0)

    # Drawing

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return container.height

    def render_line(self, y: int) -> Strip:
        base = self.rich_style
        width = self.size.width
        shown = self._visible()
        if y >= len(shown):
            text = clip(self.source.empty(), self._width) if y == 0 and not len(self.source) else ""
            return Strip([Segment(" " + text, self._style("faint", base))]).adjust_cell_length(width, base)
        position, row = shown[y]
        entry = self._laid_out(position).entry
        if entry.tint:
            base = base + Style(bgcolor=self.get_component_rich_style(f"pane--{entry.tint}").bgcolor)
        here = position == self.cursor
        if here and self.has_focus and not entry.tint:
            base = base + Style(bgcolor=self.get_component_rich_style("pane--cursor").bgcolor)
        mark = Segment("▌" if here else " ", self._style("cursor" if self.has_focus else "faint", base))
        segments = [mark]
        segments += [Segment(span.text, self._span_style(span, base, entry.faded)) for span in row]
        strip = Strip(segments).adjust_cell_length(width - 1, base)
        return Strip([*strip, self._scroll_mark(y)], width)

    def _style(self, tone: str, base: Style, faded: bool = False) -> Style:
        style = self.get_component_rich_style(f"pane--{tone}", partial=True)
        return base + Style(color=style.color, bold=style.bold, italic=style.italic, dim=faded or style.dim or None)

    def _span_style(self, span: Span, base: Style, faded: bool) -> Style:
        style = self._style(span.tone, base, faded)
        return style + Style.parse(span.look) if span.look else style

    def _scroll_mark(self, y: int) -> Segment:
        items = len(self.source)
        shown = self._visible()
        if not shown or (self._top == (0, 0) and self.at_end):
            return Segment(" ", self.rich_style)
        height = self._height
        first, last = shown[0][0], shown[-1][0]
        start = min(height - 1, int(first / items * height))
        end = max(start + 1, round((last + 1) / items * height))
        inside = start <= y < end
        return Segment("┃" if inside else " ", self._style("faint", self.rich_style))
