"""What one event asks of the surface, and the rules that need no surface to be judged: E2 to E13."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..reading.json import natural
from .cited import read_cited
from .event import Fault, Runs


@dataclass(frozen=True, slots=True)
class Asked:
    """`start` and `end` are -1 for an append. See Operation for the two kinds of fault."""

    start: int = -1
    end: int = -1
    fault: Fault | None = None
    source_fault: Fault | None = None
    sources: Runs | None = None


@dataclass(frozen=True, slots=True)
class OperationRules:
    """How a version spells a replace and what it demands of sources (formats 6.1)."""

    start_key: str
    end_key: str
    assistants_cite: bool
    """v0 and v1: an assistant message cites its chunks, possibly none; later versions forbid it (E8)."""
    ends_before_self: bool = False
    """v3 and v4 check E7."""
    sources_first: bool = False
    """v3 and v4 judge sources (E8..E13) before they look for the span (E14..E16)."""


def stray(row: dict[str, Any]) -> Fault | None:
    """E2 and E3: surface fields on an event that cannot be on the surface."""
    if "surfaceOp" in row:
        return Fault("E2", f"{row['type']} cannot carry surfaceOp")
    if "sourceEventSeqs" in row:
        return Fault("E3", f"{row['type']} cannot carry sourceEventSeqs")
    return None


def asked(row: dict[str, Any], seq: int, rules: OperationRules) -> Asked:
    """E4 to E13 for an event that is eligible for the surface."""
    if "surfaceOp" not in row:
        return Asked(fault=Fault("E4", f"{row['type']} has no surfaceOp"))
    start, end, fault = _span(row["surfaceOp"], seq, rules)
    if fault:
        return Asked(fault=fault)
    sources, source_fault = _sources(row, seq, rules)
    return Asked(start, end, None, source_fault, sources)


def _span(op: Any, seq: int, rules: OperationRules) -> tuple[int, int, Fault | None]:
    if op == "append" and isinstance(op, str):
        return -1, -1, None
    if not isinstance(op, dict):
        return -1, -1, Fault("E5", 'surfaceOp is neither "append" nor an object')
    start, end = natural(op.get(rules.start_key)), natural(op.get(rules.end_key))
    if op.keys() != {"op", rules.start_key, rules.end_key} or op["op"] != "replace" or start is None or end is None:
        return -1, -1, Fault("E6", "surfaceOp is not exactly a replace of one span")
    if rules.ends_before_self and not (start < seq and end < seq):
        return -1, -1, Fault("E7", "the replace names an event that is not earlier")
    return start, end, None


def _sources(row: dict[str, Any], seq: int, rules: OperationRules) -> tuple[Runs | None, Fault | None]:
    if "sourceEventSeqs" not in row:
        return None, None
    assistant = row["type"] == "assistant/message"
    if assistant and not rules.assistants_cite:
        return None, Fault("E8", "an assistant message cannot carry sourceEventSeqs")
    return read_cited(row["sourceEventSeqs"], seq, may_be_empty=assistant, bounded=rules.assistants_cite)
