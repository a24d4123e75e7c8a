"""Colours in tool output: SGR sequences obeyed when asked for, nothing else ever."""

from __future__ import annotations

import build
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opening import opened
from palimpsest.core.export.plain import is_clean
from palimpsest.tui.drawing.entry import Entry, Paragraph, Span, layout
from palimpsest.tui.drawing.sgr import Look, parse_sgr
from rich.style import Style
from screens import viewing


@pytest.mark.parametrize(
    ("text", "plain", "looks"),
    [
        ("plain", "plain", []),
        ("\x1b[31mred\x1b[0m end", "red end", [Look(0, "red"), Look(3, "")]),
        ("a\x1b[1;92;44mb\x1b[22mc\x1b[39;49md", "abcd",
         [Look(1, "bold bright_green on blue"), Look(2, "bright_green on blue"), Look(3, "")]),
        ("\x1b[38;5;208mx\x1b[38;2;1;2;3my", "xy", [Look(0, "color(208)"), Look(1, "#010203")]),
        ("\x1b[mx", "x", [Look(0, "")]),
        ("\x1b[38;5;999mx\x1b[38;2;1mz\x1b[48;9my", "xzy", [Look(0, ""), Look(1, ""), Look(2, "")]),
        ("\x1b]52;c;AA\x07 \x1b[2J \x1b[5n \x1b[?25l", "\x1b]52;c;AA\x07 \x1b[2J \x1b[5n \x1b[?25l", []),
    ],
)  # fmt: skip
def test_parse(text: str, plain: str, looks: list[Look]) -> None:
    assert parse_sgr(text) == (plain, looks)


PIECES = st.sampled_from(["\x1b[", "\x1b[31m", "\x1b[1;4m", "\x1b[38;5;", "0m", ";", "m", "38;2;1;1;1m", "\x1b]0;t\x07",
                          "word ", "你好", "\x00", "\u202e", "\n", "[/red]"])  # fmt: skip


@given(st.lists(PIECES, max_size=30).map("".join), st.integers(8, 60), st.booleans())
def test_whatever_is_drawn_is_clean_and_every_look_is_a_style(text: str, width: int, unfolded: bool) -> None:
    entry = Entry((Span("●"),), [Paragraph(text, colours=True)])
    for row in layout(entry, width, unfolded, "l"):
        for span in row:
            assert is_clean(span.text)
            Style.parse(span.look)


@given(st.text("ab \n", max_size=60), st.integers(8, 30))
def test_colours_do_not_change_the_words(text: str, width: int) -> None:
    painted = "".join(f"\x1b[3{at % 8}m{character}" for at, character in enumerate(text))
    drawn = []
    for body, colours in ((text, False), (painted, True)):
        entry = Entry((Span("●"),), [Paragraph(body, colours=colours, rows=99)])
        drawn.append(["".join(span.text for span in row) for row in layout(entry, width, False, "l")])
    assert drawn[0] == drawn[1]


async def test_the_viewer_shows_signs_until_asked_for_colours() -> None:
    log = build.Log()
    log.turn_start()
    log.call("c1")
    log.result("c1", "\x1b[31mFAILED\x1b[0m and \x1b]0;title\x07")
    log.turn_end()
    async with viewing(opened(log.raw())) as view:
        assert any("␛[31mFAILED␛[0m" in line for line in view.pane_lines("history"))
        await view.press("a")
        line = next(line for line in view.pane_lines("history") if "FAILED" in line)
        assert "FAILED and ␛]0;title␇" in line
        strip = next(strip for y in range(20) if "FAILED" in (strip := view.pane("history").render_line(y)).text)
        assert any(
            one.text == "FAILED" and one.style and one.style.color and one.style.color.name == "red" for one in strip
        )
        await view.press("a")
        assert any("␛[31mFAILED" in line for line in view.pane_lines("history"))
