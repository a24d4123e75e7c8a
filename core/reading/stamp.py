"""Stamps: whether a file is still the one that was read. Looks only; never locks, never writes.

Size and identity decide. The time of change alone is believed only when it moves, since network
file systems are known to report it late.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Change = Literal["grown", "cut", "rewritten", "replaced", "gone", "unreadable"]


@dataclass(frozen=True, slots=True)
class Stamp:
    """Identity (device and inode), size in bytes, time of change in ns."""

    identity: tuple[int, int]
    size: int
    changed: int


def stamp(path: Path) -> Stamp | Literal["gone", "unreadable"]:
    """The stamp of a file as it is now, or why there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return "gone"
    except OSError:
        return "unreadable"
    return Stamp((found.st_dev, found.st_ino), found.st_size, found.st_mtime_ns)


def change(before: Stamp, now: Stamp | Literal["gone", "unreadable"]) -> Change | None:
    """What happened between two stamps, None if nothing did that can be seen."""
    if not isinstance(now, Stamp):
        return now
    if now.identity != before.identity:
        return "replaced"
    if now.size > before.size:
        return "grown"
    if now.size < before.size:
        return "cut"
    return "rewritten" if now.changed != before.changed else None
