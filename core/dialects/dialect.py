"""What a format version is to the rest of the reader: one frozen value of rules and functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .event import Fault
from .operations import OperationRules
from .shapes import Check

Assigned = Mapping[str, str]
"""Fields that an early row lacks and that its place in the log decides, such as a message id."""
NOTHING: Assigned = {}
Normalise = Callable[[dict[str, Any], Assigned], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One format version.

    surface: the types that may be on the surface. packed: delta runs stand as rows of their own.
    checks: shape rules per type. normalise: maps a row to the version's last shape, given an id
    where the row has none; it never touches surface fields. legacy_ids: makes the state that
    hands out such ids, None where every row has its own.
    blank_result: a tool result's data with its content taken out, for comparing a rewrite (E20).
    retired: the form of an event that its version refuses, or None.
    """

    version: int
    surface: frozenset[str]
    packed: bool
    rules: OperationRules
    checks: Mapping[str, Check]
    normalise: Normalise
    legacy_ids: bool
    blank_result: Callable[[dict[str, Any]], Any]
    retired: Callable[[dict[str, Any]], Fault | None]
    skips_ignorable: bool = False
    """v3 and v4: an unknown ignorable event is skipped whatever surface fields it carries."""
