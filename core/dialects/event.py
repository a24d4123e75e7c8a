"""Events and surface operations: what every dialect maps its rows to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Runs = tuple[tuple[int, int], ...]
"""Inclusive seq ranges in the order they were written."""

Targets = tuple[tuple[int, tuple[int, ...]], ...]
"""Events and the images in them: (seq, image indexes in increasing order)."""


@dataclass(frozen=True, slots=True)
class Event:
    """One logical entry of the log, in canonical form.

    `raw` is the row as it stands in the file; for a member of a packed row it is that row.
    `time` is in epoch milliseconds and may go backwards.
    """

    seq: int
    time: int
    type: str
    data: Any
    raw: dict[str, Any]
    ignorable: bool = False


EventAt = Callable[[int], Event]
"""The event with a seq that is known to be in the log."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an event breaks a rule: the notice code and a sentence."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Operation:
    """What a surface event does to the surface, with everything the fold and the views ask of it.

    start, end: the span named by a replace (seqs, inclusive by position); -1 for an append.
    fault: the event is wrong in itself; the fold stops here.
    source_fault: `sourceEventSeqs` or the binding to a request header is wrong; the fold decides
    when that counts (E8..E13, E23).
    sources: the cited seqs, None where the field is absent.
    compaction: the id of the compaction whose checkpoint the message is, if it says so.
    producer: the canonical source kind ("user" is a person).
    tokens: the harness's heuristic price of the derived message (estimate).
    empty: derives no message, although it is a node.
    targets: the images that an image/offload takes away; it is no node itself.
    offloads: what offloads did to this node, in log order: (from seq on, image indexes). Only on
    the values that the fold holds; the log's own show what the human saw.
    """

    seq: int
    type: str
    start: int = -1
    end: int = -1
    fault: Fault | None = None
    source_fault: Fault | None = None
    sources: Runs | None = None
    producer: str = ""
    compaction: str = ""
    tokens: int = 0
    empty: bool = False
    targets: Targets = ()
    offloads: Targets = ()

    @property
    def appends(self) -> bool:
        return self.start < 0
