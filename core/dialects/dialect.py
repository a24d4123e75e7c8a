"""What a format version is to the rest of the reader: one frozen value of rules and functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .event import EventAt, Fault
from .operations import OperationRules
from .shapes import Check

Assigned = Mapping[str, str]
"""Fields that an early row lacks and that its place in the log decides, such as a message id."""
NOTHING: Assigned = {}
Normalise = Callable[[dict[str, Any], Assigned], dict[str, Any]]
Binding = Callable[[str, Any, int, EventAt], Fault | None]


def as_is(row: dict[str, Any], _: Assigned) -> dict[str, Any]:
    """The normalising of a version that has one shape only."""
    return row


@dataclass(frozen=True, slots=True)
class Dialect:
    """One format version.

    surface: the types that may be on the surface.
    packed: the stream stands as chunk events, delta runs as packed rows; otherwise it is embedded
    in the messages and attempts that it led to.
    checks: shape rules per type. normalise: maps a row to the version's last shape, given an id
    where the row has none; it never touches surface fields. legacy_ids: whether there are such
    rows, so that ids must be handed out.
    blank_result: a tool result's data with its content taken out, for comparing a rewrite (E20).
    retired: the form of an event that its version refuses, or None.
    seed_field: the header's word on inherited events, their number or only whether there are any;
    with isSeeded the last tagged session/end-seed is the cut.
    dropped: types of earlier versions that count as unknown to this one.
    skips_ignorable: an unknown ignorable event is skipped whatever surface fields it carries.
    protects_head: a system message at the head is only ever replaced by another one (E21).
    offloads: an image/offload changes derived messages (E22).
    binding: what ties tool changes to request headers (E23).
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
    seed_field: Literal["seedLength", "isSeeded"]
    dropped: frozenset[str] = frozenset()
    skips_ignorable: bool = False
    protects_head: bool = False
    offloads: bool = False
    binding: Binding | None = None
