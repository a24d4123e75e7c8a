"""Tones: the names under which rows ask for a style; the style sheet beside the pane says how each looks."""

from __future__ import annotations

REPLACEMENT_TONES = tuple(f"r{number}" for number in range(8))
TINTS = tuple(f"{tone}-tint" for tone in REPLACEMENT_TONES)

TONES = (
    "plain",
    "faint",
    "rule",
    "error",
    "person",
    "model",
    "tool",
    "context",
    "reasoning",
    "call",
    "failed",
    "note",
    "cursor",
    *REPLACEMENT_TONES,
    *TINTS,
)


def replacement_tone(generation: int) -> str:
    """The colour a replacement has everywhere; generations count from 1."""
    return REPLACEMENT_TONES[(generation - 1) % len(REPLACEMENT_TONES)]
