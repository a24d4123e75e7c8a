"""Settings that bound what a hostile log can cost. Each can be set in the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

PREFIX = "PALIMPSEST_"
DEEPEST = 800
"""Levels of JSON that can be walked without running out of stack."""


class SettingError(ValueError):
    """A setting that cannot be used; the text is one sentence for a person."""


@dataclass(frozen=True, slots=True)
class Limits:
    """frame_bytes: plaintext bytes one zstd frame may expand to; beyond it the frame is not read.
    nesting: levels of arrays and objects a row may have; a deeper row is a faulty row.
    values: values one row of some megabytes may hold; a row of more is a faulty row.
    faults: faulty rows after which a file is not read any further.
    notices: notices kept of one kind; the rest is only counted.
    """

    frame_bytes: int = 1 << 30
    nesting: int = 256
    values: int = 8_000_000
    faults: int = 1_000_000
    notices: int = 200


DEFAULT = Limits()


def limits_from(environment: Mapping[str, str]) -> Limits:
    """The limits that PALIMPSEST_FRAME_BYTES, PALIMPSEST_NESTING and their like ask for.

    Raises SettingError.
    """
    asked: dict[str, int] = {}
    for one in fields(Limits):
        name = PREFIX + one.name.upper()
        text = environment.get(name, "").strip()
        if not text:
            continue
        if not (text.isascii() and text.isdigit()) or not 1 <= int(text[:20]) <= _most(one.name):
            raise SettingError(f"{name} must be a whole number from 1 to {_most(one.name)}, not {text[:40]!r}")
        asked[one.name] = int(text)
    return Limits(**asked)


def _most(name: str) -> int:
    return DEEPEST if name == "nesting" else 1 << 40
