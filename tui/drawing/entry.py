"""Entries: what a source says about one item, and their layout into rows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from ...core.catalogue import say
from ...core.export.figures import count
from ...core.export.plain import clean, one_line
from .sgr import Look, parse_sgr
from .wrap import clip, width_of, wrap_at

MOST_ROWS = 400
"""Rows of one entry that a pane shows even unfolded; the rest is only counted."""
INDENT = 2


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a row. `tone` names a style of the pane; `look` is what the text itself asks for (SGR)."""

    text: str
    tone: str = "plain"
    look: str = ""


Row = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Log text to wrap, not cleaned yet. `rows`: how many are shown while the entry is folded.
    `colours`: SGR sequences in it are obeyed instead of shown as signs. `hidden`: characters that
    follow the text and are not part of it."""

    text: str
    tone: str = "plain"
    prefix: str = ""
    rows: int = 12
    colours: bool = False
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One item as a pane draws it.

    head: the first row's beginning; the body flows after it if `inline`.
    bar: tone of the bar at the left of the rows after the first, empty for none.
    tint: tone whose background marks the entry, empty for none. faded: drawn dimmed.
    rule: the head is a line across the pane. depth: nesting, one step two columns.
    """

    head: Row
    body: Sequence[Paragraph] = ()
    inline: bool = True
    bar: str = ""
    tint: str = ""
    faded: bool = False
    rule: bool = False
    depth: int = 0


def layout(entry: Entry, width: int, unfolded: bool, key: str) -> list[Row]:
    """The rows of an entry, each at most `width` columns. `key` is the key that unfolds it."""
    margin = min(2 * entry.depth, max(0, width // 3))
    width = max(4, width - margin)
    pad: Row = (Span(" " * margin),) if margin else ()
    if entry.rule:
        return [pad + _rule(entry.head, width)]
    head = _clip_row(entry.head, width)
    lead: Row = (Span("│ " if entry.bar else " " * INDENT, entry.bar or "plain"),)
    used = sum(width_of(span.text) for span in head)
    rows: list[Row] = []
    room = width - used - 1 if entry.inline else 0
    open_head = room >= 14
    if not open_head:
        rows.append(head)
    for paragraph in entry.body:
        left = MOST_ROWS - len(rows)
        if left <= 0:
            break
        limit = left if unfolded else min(left, paragraph.rows)
        first = room - width_of(paragraph.prefix) if open_head else 0
        text, cut, looks = _bounded(paragraph, (width - INDENT) * (limit + 1))
        # One row more than wanted: where that is all, it stands there instead of a note about it.
        places, taken = wrap_at(text, width - INDENT, first, limit + 1)
        rest = len(text) - taken + cut
        if rest > 0:
            places.pop()
            rest = max(1, len(text) - sum(end - start for start, end in places) + cut)
        for start, end in places:
            spans = _spans(text, start, end, paragraph.tone, looks)
            if open_head:
                rows.append((*head, Span(" "), *spans))
                open_head = False
            else:
                rows.append((*lead, *spans))
        rest = max(0, rest) + paragraph.hidden
        if rest > 0:
            if open_head:  # text that takes no room at all
                rows.append(head)
                open_head = False
            note = say("part.cut", count=count(rest)) if unfolded else say("part.more", count=count(rest), unfold=key)
            rows.append((*lead, Span(clip(note, width - INDENT), "faint")))
    if open_head:
        rows.append(head)
    return [pad + row for row in rows] if pad else rows


def _bounded(paragraph: Paragraph, cells: int) -> tuple[str, int, list[Look]]:
    """The cleaned beginning of a paragraph, enough for so many cells, the characters left out, and its looks."""
    most = cells + 200
    cut = max(0, len(paragraph.text) - most)
    text = paragraph.prefix + paragraph.text[:most]
    if not paragraph.colours:
        text = clean(text)
        return (text if cut else text.rstrip()), cut, []
    plain, looks = parse_sgr(text)
    # Cleaning changes lengths: it is done piece by piece, so that looks stay where they belong.
    cleaned = clean(plain[: looks[0].start] if looks else plain)
    moved: list[Look] = []
    for at, look in enumerate(looks):
        end = looks[at + 1].start if at + 1 < len(looks) else len(plain)
        moved.append(Look(len(cleaned), look.style))
        cleaned += clean(plain[look.start : end])
    return (cleaned if cut else cleaned.rstrip()), cut, moved


def _spans(text: str, start: int, end: int, tone: str, looks: list[Look]) -> Row:
    """A row's text cut where its look changes."""
    if not looks:
        return (Span(text[start:end], tone),)
    spans: list[Span] = []
    at = bisect_right(looks, start, key=lambda look: look.start) - 1
    while start < end:
        until = min(end, looks[at + 1].start) if at + 1 < len(looks) else end
        if until > start:
            spans.append(Span(text[start:until], tone, looks[at].style if at >= 0 else ""))
        start, at = max(start, until), at + 1
    return tuple(spans)


def _clip_row(row: Row, width: int) -> Row:
    spans: list[Span] = []
    for span in row:
        if width <= 0:
            break
        text = clip(one_line_kept(span.text), width)
        spans.append(Span(text, span.tone))
        width -= width_of(text)
    return tuple(spans)


def one_line_kept(text: str) -> str:
    """Cleaned for one row, its own spaces kept."""
    return clean(text).replace("\n", " ")


def _rule(head: Row, width: int) -> Row:
    tone = head[0].tone if head else "rule"
    words = clip(" ".join(one_line(span.text) for span in head), max(1, width - 6))
    tail = "─" * max(0, width - width_of(words) - 4)
    return (Span("── ", tone), Span(words, tone), Span(" " + tail, tone))
