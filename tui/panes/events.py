"""The source of all events: every row of the log in one line, in the stream pane's place."""

from __future__ import annotations

from bisect import bisect_right

from ...core.catalogue import say
from ...core.views.events import event_line
from ..drawing.entry import Entry, Paragraph, Span
from .scene import Scene

SHOWN = 500
"""Characters of an event's text that are looked at: a row shows fewer."""


class EventsSource:
    """rows: how many rows of the log there are to show."""

    def __init__(self, scene: Scene, rows: int) -> None:
        self._scene = scene
        self._rows = rows
        self._trusted = min(rows, scene.session.log.trusted_rows)

    def __len__(self) -> int:
        return self._rows

    def key(self, position: int) -> int:
        return position

    def seq(self, position: int) -> int:
        return self._scene.session.log.columns.seq[position]

    def row(self, position: int) -> int | None:
        return position

    def position(self, seq: int) -> int:
        return max(0, bisect_right(self._scene.session.log.columns.seq, seq, 0, self._trusted) - 1)

    def empty(self) -> str:
        return say("events.empty")

    def entry(self, position: int) -> Entry:
        session = self._scene.session
        try:
            line = event_line(session, position)
        except (ValueError, OSError) as error:
            return Entry((Span("?", "error"),), [Paragraph(say("part.unreadable", reason=error), "error", rows=1)])
        trusted = position < self._trusted
        sign = "✗" if not trusted else " " if line.known else "?"
        number = f"{line.first:>5}" if line.first == line.last else f"{line.first:>5}+{line.last - line.first}"
        operation = session.surface.node(line.first) if trusted else None
        tone = "error" if not trusted or not line.type else "plain" if operation is not None else "note"
        head = (
            Span(sign, "error"),
            Span(f"{number} ", "faint"),
            Span(line.type or say("events.unreadable"), "model" if operation is not None else "tool"),
            Span(f"  {line.text[:SHOWN]}", tone),
        )
        faded = line.first > self._scene.moment
        return Entry(head, tint=self._scene.tint(line.first), faded=faded)
