"""The surface of version 0 as the specification words it (formats 6), with nothing but lists.

Positions come from list.index, spans are slices, the surface at every moment is a copy. It
takes rows as they stand in the file and knows nothing of how the reader works.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

ELIGIBLE = ("user/message", "assistant/message", "tool/result")
SAFE = 2**53 - 1


class ViolationError(Exception):
    """A rule is broken; the text is its label."""


@dataclass
class Naive:
    """`moments[n]` is the surface just after event n; `error` the first violation, (seq, label)."""

    nodes: list[int] = field(default_factory=list)
    moments: list[list[int]] = field(default_factory=list)
    generations: list[int] = field(default_factory=list)
    replacements: list[tuple[int, int, int, list[int]]] = field(default_factory=list)
    history: list[int] = field(default_factory=list)
    error: tuple[int, str] | None = None
    rows: list[dict[str, Any]] = field(default_factory=list)

    def take(self, row: dict[str, Any]) -> None:
        self.rows.append(row)
        if row["type"] in ELIGIBLE and row.get("surfaceOp") == "append":
            self.history.append(row["seq"])
        if self.error is None:
            try:
                self._fold(row)
            except ViolationError as violation:
                self.error = (row["seq"], str(violation))
        self.moments.append(list(self.nodes))
        self.generations.append(len(self.replacements))

    def messages(self, moment: int) -> list[Any]:
        """formats 6.3."""
        found = []
        for seq in self.moments[moment]:
            row = self.rows[seq]
            message = row["data"] if row["type"] == "user/message" else row["data"]["message"]
            if row["type"] == "assistant/message" and message["content"] == []:
                continue
            found.append(message)
        return found

    def shadowers(self, seq: int, moment: int) -> list[int]:
        """The replacements that took a node out of view, one after the other."""
        chain: list[int] = []
        for by, _, _, shadowed in self.replacements:
            if by <= moment and (chain[-1] if chain else seq) in shadowed:
                chain.append(by)
        return chain

    # formats 6.1, in the order of versions 0 to 2

    def _fold(self, row: dict[str, Any]) -> None:
        if row["type"] not in ELIGIBLE:
            self._require("surfaceOp" not in row, "E2")
            self._require("sourceEventSeqs" not in row, "E3")
            return
        self._require("surfaceOp" in row, "E4")
        op, seq = row["surfaceOp"], row["seq"]
        if op == "append":
            self._sources(row)
            self.nodes.append(seq)
            return
        self._require(isinstance(op, dict), "E5")
        self._require(sorted(op) == ["end", "op", "start"] and op["op"] == "replace", "E6")
        self._require(_event_number(op["start"]) and _event_number(op["end"]), "E6")
        self._require(op["start"] in self.nodes, "E14")
        self._require(op["end"] in self.nodes, "E15")
        first, last = self.nodes.index(op["start"]), self.nodes.index(op["end"])
        self._require(first <= last, "E16")
        shadowed = self.nodes[first : last + 1]
        cited = self._sources(row)
        self._require(all(node in cited for node in shadowed), "E17")
        if row["type"] == "tool/result":
            self._require(len(shadowed) == 1, "E18")
            target = self.rows[shadowed[0]]
            self._require(target["type"] == "tool/result", "E19")
            self._require(_without_content(target["data"]) == _without_content(row["data"]), "E20")
        self.nodes[first : last + 1] = [seq]
        self.replacements.append((seq, op["start"], op["end"], shadowed))

    def _sources(self, row: dict[str, Any]) -> list[int]:
        """formats 2.5 and E9 to E13; the expanded list."""
        if "sourceEventSeqs" not in row:
            return []
        value, seq = row["sourceEventSeqs"], row["seq"]
        self._require(isinstance(value, list), "E9")
        self._require(value != [] or row["type"] == "assistant/message", "E10")
        expanded: list[int] = []
        for entry in value:
            if isinstance(entry, list):
                self._require(len(entry) == 2 and all(map(_event_number, entry)) and entry[0] <= entry[1], "E11")
                expanded += range(entry[0], entry[1] + 1)
            else:
                self._require(_event_number(entry), "E11")
                expanded.append(entry)
        if any(isinstance(entry, list) for entry in value):
            self._require(expanded == sorted(set(expanded)), "E11")
            self._require(len(expanded) <= seq, "E11")
        self._require(len(set(expanded)) == len(expanded), "E12")
        self._require(all(number < seq for number in expanded), "E13")
        return expanded

    @staticmethod
    def _require(holds: bool, label: str) -> None:
        if not holds:
            raise ViolationError(label)


def _event_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= SAFE


def _without_content(data: dict[str, Any]) -> str:
    """The canonical text of a tool result whose content is blanked."""
    blank = json.loads(json.dumps(data))
    blank["message"]["content"][0]["content"] = None
    return json.dumps(blank, sort_keys=True)
