"""Colours that a tool wrote into its output: SGR sequences, parsed and nothing else.

Shown only when a person asks for it. A sequence is taken only if it is exactly
`ESC [ numbers m`; everything else that begins with ESC stays text, to be shown as signs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_SGR = re.compile(r"\x1b\[([0-9;]{0,64})m")
_NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_ON = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse", 9: "strike"}
_OFF = {22: ("bold", "dim"), 23: ("italic",), 24: ("underline",), 27: ("reverse",), 29: ("strike",)}


@dataclass(frozen=True, slots=True)
class Look:
    """A run of text from `start` on (in characters of the plain text) and how it looks, as Rich writes styles."""

    start: int
    style: str


def parse_sgr(text: str) -> tuple[str, list[Look]]:
    """The text without its SGR sequences, and where its look changes."""
    if "\x1b[" not in text:
        return text, []
    parts: list[str] = []
    looks: list[Look] = []
    state: dict[str, str] = {}
    at = length = 0
    for match in _SGR.finditer(text):
        parts.append(text[at : match.start()])
        length += match.start() - at
        at = match.end()
        _apply(state, match[1])
        looks.append(Look(length, " ".join(state.values())))
    parts.append(text[at:])
    return "".join(parts), looks


def _apply(state: dict[str, str], parameters: str) -> None:
    numbers = [int(one or 0) for one in parameters.split(";")]
    while numbers:
        number = numbers.pop(0)
        if number == 0:
            state.clear()
        elif number in _ON:
            state[_ON[number]] = _ON[number]
        elif number in _OFF:
            for name in _OFF[number]:
                state.pop(name, None)
        elif number in (39, 49):
            state.pop("ink" if number == 39 else "ground", None)
        elif number in (38, 48):
            colour = _extended(numbers)
            if colour:
                _paint(state, number == 48, colour)
        elif 30 <= number <= 37 or 40 <= number <= 47:
            _paint(state, number >= 40, _NAMES[number % 10])
        elif 90 <= number <= 97 or 100 <= number <= 107:
            _paint(state, number >= 100, f"bright_{_NAMES[number % 10]}")


def _paint(state: dict[str, str], ground: bool, colour: str) -> None:
    if ground:
        state["ground"] = f"on {colour}"
    else:
        state["ink"] = colour


def _extended(numbers: list[int]) -> str:
    """The colour of `38;5;n` or `38;2;r;g;b`, its numbers taken off. Empty if it is none; then what
    follows cannot be told apart either, and is dropped as terminals do."""
    kind = numbers.pop(0) if numbers else None
    if kind == 5 and numbers and (index := numbers.pop(0)) < 256:
        return f"color({index})"
    if kind == 2 and len(numbers) >= 3:
        red, green, blue = numbers[:3]
        del numbers[:3]
        if max(red, green, blue) < 256:
            return f"#{red:02x}{green:02x}{blue:02x}"
    numbers.clear()
    return ""
