"""Text that is safe on any terminal, and figures as people read them."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from palimpsest.core.export.figures import date, duration, tokens
from palimpsest.core.export.plain import clean, is_clean, one_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ntext", "plain\ntext"),
        ("\x1b[31mred", "␛[31mred"),
        ("\x1b]52;c;ZXZpbA==\x07", "␛]52;c;ZXZpbA==␇"),
        ("a\x00b\x7fc", "a␀b␡c"),
        ("\x9b31m", "⟨U+009B⟩31m"),
        ("a\u202eb\u2066c", "a⟨U+202E⟩b⟨U+2066⟩c"),
        ("zero\u200bwidth", "zero⟨U+200B⟩width"),
        ("line\u2028sep\u0085", "line⟨U+2028⟩sep⟨U+0085⟩"),
        ("lone \ud83d", "lone ⟨U+D83D⟩"),
        ("private \ue000", "private ⟨U+E000⟩"),
        ("one\r\ntwo\rthree", "one\ntwo␍three"),
        ("a\tb", "a    b"),
        ("family 👨\u200d👩 ⚠\ufe0f", "family 👨👩 ⚠"),
        ("[/red] [bold]", "[/red] [bold]"),
    ],
)
def test_clean(text: str, shown: str) -> None:
    assert clean(text) == shown


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=200))
def test_cleaned_text_holds_nothing_a_terminal_obeys(text: str) -> None:
    cleaned = clean(text)
    assert is_clean(cleaned)
    cleaned.encode("utf-8")
    assert "\n" not in one_line(text)


def test_every_control_and_format_character_is_shown_as_a_sign() -> None:
    hidden = [chr(code) for code in range(sys.maxunicode + 1) if chr(code) != "\n" and not is_clean(clean(chr(code)))]
    assert hidden == []


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0"), (999, "999"), (1_000, "1k"), (1_234, "1.2k"), (99_949, "99.9k"), (99_950, "100k"), (131_072, "131k"),
     (999_499, "999k"), (999_500, "1M"), (1_250_000, "1.2M"), (2_000_000_000, "2.0G")],
)  # fmt: skip
def test_tokens(count: int, shown: str) -> None:
    assert tokens(count) == shown


@pytest.mark.parametrize(
    ("ms", "shown"),
    [(0, "0 ms"), (999, "999 ms"), (1_000, "1.0 s"), (59_949, "59.9 s"), (59_950, "1 min 0 s"),
     (3_600_000, "1 h 0 min"), (-1_500, "-1.5 s")],
)  # fmt: skip
def test_duration(ms: int, shown: str) -> None:
    assert duration(ms) == shown


def test_dates_no_calendar_reaches_stay_numbers() -> None:
    assert date(1_750_000_000_000) == "2025-06-15 15:06:40 UTC"
    assert date(2**53 - 1) == str(2**53 - 1)
