"""Token usage as providers report it (formats 5.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..reading.json import natural


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more model calls. The prompt side is disjoint: input, cache_read and
    cache_write add up to the prompt; reasoning is already inside output."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0

    @property
    def prompt(self) -> int:
        return self.input + self.cache_read + self.cache_write

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            self.reasoning + other.reasoning,
        )


NONE = Usage()


def read_usage(value: Any) -> Usage | None:
    """A usage object; odd or missing numbers count as 0. None if it is no object."""
    if not isinstance(value, dict):
        return None

    def tokens(key: str) -> int:
        return natural(value.get(key)) or 0

    return Usage(
        tokens("inputTokens"),
        tokens("outputTokens"),
        tokens("cacheReadTokens"),
        tokens("cacheWriteTokens"),
        tokens("reasoningTokens"),
    )
