"""Wrapping and layout: rows never wider than the pane, nothing lost, nothing measured that is not shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from palimpsest.core.export.plain import clean
from palimpsest.tui.drawing.entry import MOST_ROWS, Entry, Paragraph, Span, layout
from palimpsest.tui.drawing.wrap import clip, width_of, wrap

WORDS = st.text(st.sampled_from("ab c\n 你好🙂é-"), max_size=120)
ANY = st.text(st.characters(exclude_categories=()), max_size=120)


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 8, ["one two", "three"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("a\n\nb", 10, ["a", "", "b"]),
        ("", 10, [""]),
        ("  indented line", 12, ["  indented", "line"]),
        ("你好世界", 5, ["你好", "世界"]),
        ("ab你好", 5, ["ab你", "好"]),
        ("word 你好世界再见", 10, ["word 你好", "世界再见"]),
        ("end\n", 10, ["end", ""]),
    ],
)
def test_rows(text: str, width: int, rows: list[str]) -> None:
    assert wrap(text, width, width, 99) == (rows, len(text))


def test_the_first_row_may_be_narrower() -> None:
    assert wrap("one two three four", 10, 4, 99)[0] == ["one", "two three", "four"]


def test_it_stops_at_the_limit_and_says_how_far_it_came() -> None:
    text = "one two three four"
    rows, taken = wrap(text, 7, 7, 1)
    assert rows == ["one two"] and text[taken:].split() == ["three", "four"]


@given(WORDS, st.integers(2, 30), st.integers(0, 30))
def test_no_row_is_too_wide_and_no_character_is_lost(text: str, width: int, first: int) -> None:
    rows, taken = wrap(text, width, first, 10_000)
    assert taken == len(text)
    assert all(width_of(row) <= max(width, first) for row in rows)
    kept = "".join(rows).replace(" ", "")
    assert kept == text.replace(" ", "").replace("\n", "")


@given(ANY, st.integers(0, 20))
def test_clipped_text_fits(text: str, width: int) -> None:
    assert width_of(clip(clean(text).replace("\n", " "), width)) <= width


@given(ANY, ANY, st.integers(5, 60), st.booleans(), st.booleans(), st.integers(0, 30))
def test_layout_fits_any_text(head: str, body: str, width: int, unfolded: bool, inline: bool, depth: int) -> None:
    entry = Entry((Span("●"), Span(head)), [Paragraph(body, prefix="x: ")], inline=inline, bar="r0", depth=depth)
    rows = layout(entry, width, unfolded, "l")
    assert rows
    assert all(sum(width_of(span.text) for span in row) <= width for row in rows)


def test_a_folded_paragraph_says_how_much_more_there_is() -> None:
    entry = Entry((Span("head"),), [Paragraph("line\n" * 50, rows=3)], inline=False)
    rows = ["".join(span.text for span in row) for row in layout(entry, 40, False, "l")]
    assert rows[:4] == ["head", "  line", "  line", "  line"]
    assert rows[4].startswith("  … ") and "more characters (l unfolds)" in rows[4]
    assert len(layout(entry, 40, True, "l")) == 51


def test_one_row_more_is_shown_instead_of_a_note_about_it() -> None:
    entry = Entry((Span("head"),), [Paragraph("1\n2\n3\n4", rows=3)], inline=False)
    assert ["".join(span.text for span in row).strip() for row in layout(entry, 40, False, "l")] == ["head", *"1234"]


def test_an_endless_text_costs_no_more_than_what_shows() -> None:
    looked: list[int] = []

    class Counting(str):
        def __getitem__(self, key: object) -> str:
            piece = super().__getitem__(key)  # type: ignore[index]
            looked.append(len(piece))
            return piece

    entry = Entry((Span("head"),), [Paragraph(Counting("x" * 10_000_000), rows=3)])
    rows = layout(entry, 80, False, "l")
    assert len(rows) <= 5
    assert sum(looked) < 1_000
    assert len(layout(entry, 80, True, "l")) <= MOST_ROWS + 1
