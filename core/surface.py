"""The fold: which messages the model sees at any moment (formats 6).

Every node has a key: its own seq if it was appended, the key of the span's first node if it
replaced. Live nodes are always sorted by key, so order is a comparison; and every node lives
from `born` (its seq) to `died` (the seq of the replacement that shadowed it). With these
lifetimes the surface at any moment is a filter over one stable order: no refolding. Live nodes
form a linked list, so that applying an operation is O(1) amortised per event.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import Any

from .dialects.cited import uncited_fault
from .dialects.event import Fault, Operation
from .dialects.offload import offload_fault, offloaded
from .dialects.results import rewrite_fault
from .log import Log
from .notices import Notice

NEVER = 2**62
"""`died` of a node that is still on the surface."""
_NONE = -1
_OFFLOADABLE = ("user/message", "tool/result")


@dataclass(frozen=True, slots=True)
class Replacement:
    """`generation` counts from 1. start, end: the seqs the event named. shadowed: seqs in surface order."""

    seq: int
    generation: int
    start: int
    end: int
    shadowed: tuple[int, ...]


class Surface:
    """The lifetimes of all nodes, folded from a log's operations. `advance` as the log grows."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.operations: list[Operation] = []
        self.born = array("q")
        self.died = array("q")
        self.key = array("q")
        self.replacements: list[Replacement] = []
        self.offloads: list[Operation] = []
        self.fault: Notice | None = None
        self._taken = 0
        self._index: dict[int, int] = {}
        self._next = array("q")
        self._previous = array("q")
        self._head = self._tail = _NONE
        self._order: list[int] = []
        self._by_seq: dict[int, Replacement] = {}
        self._asked = (-1, -1)
        self._answer: list[int] = []

    def __len__(self) -> int:
        """How many nodes there ever were."""
        return len(self.born)

    # Folding

    def advance(self) -> None:
        """Takes in the operations that the log has gathered since; stops for good at a fault."""
        operations = self.log.operations
        while self.fault is None and self._taken < len(operations):
            operation = operations[self._taken]
            self._taken += 1
            fault = self._apply(operation)
            if fault is not None:
                line, byte = self.log.place_of(self.log.row_of(operation.seq))
                self.fault = Notice(fault.code, "error", fault.message, operation.seq, line, byte)

    def _apply(self, operation: Operation) -> Fault | None:
        if operation.fault is not None:
            return operation.fault
        if operation.targets:
            return self._offload(operation)
        dialect = self.log.dialect
        assert dialect is not None
        if operation.source_fault is not None and (operation.appends or dialect.rules.sources_first):
            return operation.source_fault
        if operation.appends:
            self._append(operation)
            return None
        span, fault = self._span(operation)
        fault = fault or operation.source_fault
        fault = fault or uncited_fault((self.born[node] for node in span), operation.sources)
        if fault is None and operation.type == "tool/result":
            replaced = [self.operations[node] for node in span]
            fault = rewrite_fault(replaced, operation.seq, self.log.event, dialect.blank_result)
        if fault is None and dialect.protects_head:
            fault = self._head_fault(operation, span)
        if fault is None:
            self._replace(operation, span)
        return fault

    def _span(self, operation: Operation) -> tuple[list[int], Fault | None]:
        """The nodes of a replace in surface order, or E14, E15, E16."""
        start = self._index.get(operation.start, _NONE)
        if start == _NONE or self.died[start] != NEVER:
            return [], Fault("E14", f"the replace starts at event {operation.start}, which is not on the surface")
        end = self._index.get(operation.end, _NONE)
        if end == _NONE or self.died[end] != NEVER:
            return [], Fault("E15", f"the replace ends at event {operation.end}, which is not on the surface")
        if self.key[start] > self.key[end]:
            return [], Fault("E16", f"the replace starts at event {operation.start}, which stands after its end")
        span = [start]
        while span[-1] != end:
            span.append(self._next[span[-1]])
        return span, None

    def _head_fault(self, operation: Operation, span: list[int]) -> Fault | None:
        """E21: the system prompt at the head gives way only to another one, alone."""
        if span[0] != self._head or self.operations[span[0]].type != "system/message":
            return None
        if operation.type == "system/message" and len(span) == 1:
            return None
        return Fault("E21", "the replace takes in the system prompt at the head of the surface")

    def _offload(self, operation: Operation) -> Fault | None:
        """From here on its targets derive with those images offloaded; E22 if that cannot be."""
        for seq, indexes in operation.targets:
            node = self._index.get(seq, _NONE)
            if node == _NONE or self.died[node] != NEVER:
                return Fault("E22", f"the offload names event {seq}, which is not on the surface")
            target = self.operations[node]
            message = derive(self.log, target, operation.seq) if target.type in _OFFLOADABLE else None
            if message is None:
                return Fault("E22", f"the offload names event {seq}, a {target.type}")
            fault = offload_fault(message, indexes)
            if fault is not None:
                return fault
        for seq, indexes in operation.targets:
            node = self._index[seq]
            target = self.operations[node]
            self.operations[node] = replace(target, offloads=(*target.offloads, (operation.seq, indexes)))
        self.offloads.append(operation)
        return None

    def _append(self, operation: Operation) -> None:
        node = self._add(operation, operation.seq)
        self._link(self._tail, node)
        self._tail = node

    def _replace(self, operation: Operation, span: list[int]) -> None:
        before, after = self._previous[span[0]], self._next[span[-1]]
        node = self._add(operation, self.key[span[0]])
        for shadowed in span:
            self.died[shadowed] = operation.seq
        self._link(before, node)
        self._link(node, after)
        if after == _NONE:
            self._tail = node
        replacement = Replacement(
            operation.seq,
            len(self.replacements) + 1,
            operation.start,
            operation.end,
            tuple(self.born[shadowed] for shadowed in span),
        )
        self.replacements.append(replacement)
        self._by_seq[operation.seq] = replacement

    def _add(self, operation: Operation, key: int) -> int:
        node = len(self.born)
        self.operations.append(operation)
        self.died.append(NEVER)
        self.key.append(key)
        self._next.append(_NONE)
        self._previous.append(_NONE)
        self._index[operation.seq] = node
        self.born.append(operation.seq)  # last: its length says how many nodes are complete
        return node

    def _link(self, left: int, right: int) -> None:
        if left == _NONE:
            self._head = right
        else:
            self._next[left] = right
        if right != _NONE:
            self._previous[right] = left

    # Looking

    @property
    def order(self) -> list[int]:
        """All nodes ever in their one stable surface order: by key, then by birth."""
        if len(self._order) != len(self.born):
            self._order = sorted(range(len(self.born)), key=self.key.__getitem__)
        return self._order

    def at(self, moment: int) -> list[int]:
        """The nodes (indexes) on the surface just after event `moment`, in order; not to be changed.

        The last answer is kept: a screen asks for one moment several times."""
        asked = (moment, len(self.born))
        if self._asked != asked:
            born, died = self.born, self.died
            self._answer = [node for node in self.order if born[node] <= moment < died[node]]
            self._asked = asked
        return self._answer

    def seqs_at(self, moment: int) -> list[int]:
        return [self.born[node] for node in self.at(moment)]

    def node(self, seq: int) -> int | None:
        """The node that event `seq` is, None if it never was one."""
        return self._index.get(seq)

    def operation(self, seq: int) -> Operation:
        """The operation of a node. Raises KeyError for an event that never was one."""
        return self.operations[self._index[seq]]

    def replacement(self, seq: int) -> Replacement | None:
        return self._by_seq.get(seq)

    def generation(self, moment: int) -> int:
        """How many replacements have been applied just after event `moment`."""
        return bisect_right(self.replacements, moment, key=lambda replacement: replacement.seq)

    def gone(self, seq: int, moment: int) -> bool:
        """Whether event `seq` was a node and is no longer on the surface at `moment`."""
        node = self._index.get(seq)
        return node is not None and self.died[node] <= moment

    def shadowers(self, seq: int, moment: int) -> list[int]:
        """The chain of replacements that took event `seq` out of view by `moment`, the first one first."""
        chain: list[int] = []
        node = self._index.get(seq)
        while node is not None and self.died[node] <= moment:
            chain.append(self.died[node])
            node = self._index.get(self.died[node])
        return chain

    def tokens(self, moment: int) -> int:
        """Estimated tokens of the messages the model sees at `moment`."""
        return sum(self.operations[node].tokens for node in self.at(moment))

    def messages(self, moment: int) -> list[Any]:
        """The derived messages at `moment` (formats 6.3), JSON values untouched."""
        found = (derive(self.log, self.operations[node], moment) for node in self.at(moment))
        return [message for message in found if message is not None]


def derive(log: Log, operation: Operation, moment: int) -> dict[str, Any] | None:
    """The message that a node gives the model at `moment`, None if it gives none.

    In late v3 and v4 an image/offload changes what a node derives from its seq on (formats 6.7).
    """
    if operation.empty:
        return None
    data = log.event(operation.seq).data
    carried: Any = data
    if operation.type != "user/message":
        # The history also asks for events whose shape is at fault.
        carried = data.get("message") if isinstance(data, dict) else None
    if not isinstance(carried, dict):
        return None
    message: dict[str, Any] = carried
    for since, indexes in operation.offloads:
        if since <= moment:
            message = offloaded(message, frozenset(indexes))
    return message
