"""Plain text that is safe on any terminal: nothing from a log reaches it as control.

What a terminal would obey or hide (C0 and C1, DEL, bidi controls, zero-width and other
format characters, line and paragraph separators, lone surrogates, private use) becomes a
visible sign: a control picture, or its code point in brackets.
"""

from __future__ import annotations

import re
import unicodedata

_SUSPECT = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\uf8ff\ufe00-\ufe0f\ufeff\ufff9-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U0010ffff]"
)
_JOINERS = {"\u200d", *map(chr, range(0xFE00, 0xFE10))}
TAB = "    "


def _sign(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    if character == "\t":
        return TAB
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if character in _JOINERS:
        # Terminals disagree on the width of what these join; each part is drawn by itself.
        return ""
    return f"⟨U+{code:04X}⟩"


def clean(text: str) -> str:
    """The text with only printable characters and line feeds left; CR LF counts as a line feed."""
    if "\r\n" in text:
        text = text.replace("\r\n", "\n")
    return _SUSPECT.sub(_sign, text)


def one_line(text: str) -> str:
    """Cleaned, and every run of white space one space."""
    return " ".join(clean(text).split())


def is_clean(text: str) -> bool:
    """Whether nothing in the text is a control, format, surrogate or private character, line feeds apart."""
    return all(one == "\n" or unicodedata.category(one) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") for one in text)
