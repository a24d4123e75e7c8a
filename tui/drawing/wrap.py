"""Wrapping: text to rows of at most so many columns, stopping as soon as enough rows are there."""

from __future__ import annotations

from rich.cells import cell_len, get_character_cell_size


def width_of(text: str) -> int:
    """Columns that cleaned text takes."""
    return len(text) if text.isascii() else cell_len(text)


def clip(text: str, width: int) -> str:
    """The text in at most `width` columns, an ellipsis where it was cut."""
    if width <= 0:
        return ""
    if width_of(text) <= width:
        return text
    return text[: _fit(text, 0, width - 1)] + "…"


def wrap(text: str, width: int, first: int, limit: int) -> tuple[list[str], int]:
    """Rows of cleaned text, and how many characters of it they hold; see `wrap_at`."""
    places, taken = wrap_at(text, width, first, limit)
    return [text[start:end] for start, end in places], taken


def wrap_at(text: str, width: int, first: int, limit: int) -> tuple[list[tuple[int, int]], int]:
    """Where the rows of cleaned text start and end, and how many characters of it they hold.

    width, first: columns of every row and of the first one (`first` <= 0 leaves it to others).
    limit: rows at most; what follows them is not looked at.
    """
    width = max(1, width)
    rows: list[tuple[int, int]] = []
    at, end = 0, len(text)
    room = first if first > 0 else width
    while len(rows) < limit:
        line_end = text.find("\n", at)
        if line_end < 0:
            line_end = end
        while len(rows) < limit:
            cut = _cut(text, at, line_end, room)
            rows.append((at, at + len(text[at:cut].rstrip()) if cut < line_end else cut))
            room = width
            at = cut
            if at >= line_end:
                break
            while at < line_end and text[at] == " ":
                at += 1
            if at >= line_end:
                break
        if at < line_end:
            return rows, at
        at = line_end + 1
        if at > end:
            return rows, end
    return rows, min(at, end)


def _cut(text: str, start: int, end: int, room: int) -> int:
    """Where to end a row that starts at `start`: at a space or wide character if it can be."""
    fits = _fit(text, start, room, end)
    if fits >= end:
        return end
    if fits <= start:
        return start + 1
    if text[fits] == " ":
        return fits
    space = text.rfind(" ", start, fits)
    best = space if space > start and text[start:space].strip() else -1
    for at in range(fits, max(best, start), -1):
        if not text[at].isascii() and get_character_cell_size(text[at]) == 2:
            return at
        if not text[at - 1].isascii() and get_character_cell_size(text[at - 1]) == 2:
            return at
    return best if best > start else fits


def _fit(text: str, start: int, room: int, end: int | None = None) -> int:
    """The end of the longest piece from `start` that takes at most `room` columns."""
    end = len(text) if end is None else end
    guess = text[start : min(end, start + room)]
    if guess.isascii():
        return start + len(guess)
    used, at = 0, start
    while at < end:
        used += get_character_cell_size(text[at])
        if used > room:
            return at
        at += 1
    return end
