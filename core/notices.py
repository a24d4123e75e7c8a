"""Notices: everything the reader tolerated or refused, as values.

The codes are a closed list; where one stands for a rule of the log format, its
number is that of the rule (E1..E23).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["error", "warning", "info"]

CONTAINER_CODES = ("no-header", "bad-magic", "bad-frame", "bad-checksum", "header-frame", "torn-tail")
ROW_CODES = ("bad-json", "bad-row", "seq-gap")
HEADER_CODES = ("header-field", "version", "retired")
EVENT_CODES = ("envelope", "message-shape", "unknown-type", "unknown-ignorable", "limit")
RELATION_CODES = ("open-turn", "open-compaction", "orphan-call", "provenance", "seed", "generation")
RULE_CODES = tuple(f"E{number}" for number in range(1, 24))
CODES = frozenset(CONTAINER_CODES + ROW_CODES + HEADER_CODES + EVENT_CODES + RELATION_CODES + RULE_CODES)

KEPT_PER_CODE = 200
"""Notices kept of one code; the rest is only counted, so a hostile log cannot fill memory."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much a fault takes in: bytes of the file as they stand on disk (of a line: of its text), or events."""

    count: int
    unit: Literal["bytes", "events"]


@dataclass(frozen=True, slots=True)
class Notice:
    """One fault or oddity. `line` counts from 1 (the header), `byte` is a file offset.

    The rest is None where it is not known. frame: counts from 1 in a zstd file, None in a raw one.
    expected, found: short words for what should stand there and what does.
    affected: what is missing, unreadable or left out.
    """

    code: str
    severity: Severity
    message: str
    seq: int | None = None
    line: int | None = None
    byte: int | None = None
    frame: int | None = None
    expected: str | None = None
    found: str | None = None
    affected: Extent | None = None


@dataclass(slots=True)
class Notices:
    """Notices in the order they were met, bounded per code."""

    limit: int = KEPT_PER_CODE
    kept: list[Notice] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, notice: Notice) -> None:
        self.counts[notice.code] += 1
        if self.counts[notice.code] <= self.limit:
            self.kept.append(notice)

    def full(self, code: str) -> bool:
        """Whether a further notice of this kind is only counted; then nothing need be told of it."""
        return self.counts[code] >= self.limit

    def count(self, code: str) -> None:
        """One more of a kind that is full."""
        self.counts[code] += 1

    def all(self) -> Iterator[Notice]:
        yield from self.kept
        for code, count in self.counts.items():
            if count > self.limit:
                yield Notice("limit", "info", f"{count - self.limit} more notices of the kind {code}")
