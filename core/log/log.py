"""The log: what one pass over the file left behind, and payloads read again when looked at.

A trusted event is one before the first damage; what could be read past it is kept apart as
salvage and never enters the surface or the history.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Literal

from ..dialects.dialect import NOTHING, Assigned, Dialect
from ..dialects.event import Event, Operation
from ..dialects.header import Header, HeaderReading
from ..dialects.packed import TAGS, member
from ..notices import Notice, Notices
from ..reading.container import Container
from ..reading.json import BadJsonError, parse
from .attempts import Attempts
from .brackets import Brackets
from .columns import Columns
from .usage import Usage

Status = Literal["unreadable", "unsupported", "damaged", "invalid", "torn", "ok"]
Condition = Literal["reading", "whole", "torn", "damaged"]

ROWS_AT_HAND = 256
LONG_ROW = 1 << 17
"""Bytes up to which a row that was looked at is kept at hand."""


@dataclass(slots=True)
class Salvage:
    """A run of rows readable past the damage. `line` and `byte` are those of its first row."""

    first_seq: int
    last_seq: int
    events: int
    line: int
    byte: int
    first_row: int
    last_row: int


class Log:
    """A session log as far as it has been read; a Reader fills it in.

    `lock` is held while a batch of rows is taken in; hold it to look at more than one thing.
    `trusted_rows` and `events` count what stands before the first damage.
    `first_fault` is the first event that is wrong in itself, surface rules apart.
    """

    def __init__(self, container: Container) -> None:
        self.container = container
        self.lock = threading.RLock()
        self.heading = HeaderReading("unreadable", (Notice("no-header", "error", "the file is empty", line=1),))
        self.header: Header | None = None
        self.dialect: Dialect | None = None
        self.condition: Condition = "reading"
        self.notices = Notices(container.limits.notices)
        self.first_fault: Notice | None = None
        self.columns = Columns()
        self.trusted_rows = 0
        self.events = 0
        self.salvage: list[Salvage] = []
        self.operations: list[Operation] = []
        self.attempts = Attempts()
        self.brackets = Brackets()
        self.usages: list[tuple[int, Usage]] = []
        self.assigned: dict[int, Assigned] = {}
        self._rows: OrderedDict[int, dict[str, Any]] = OrderedDict()

    @property
    def status(self) -> Status:
        """The status as far as the log alone decides it; the fold may add `invalid`."""
        if self.heading.verdict in ("unreadable", "unsupported"):
            return self.heading.verdict
        if self.condition == "damaged":
            return "damaged"
        if self.heading.verdict == "invalid" or self.first_fault is not None:
            return "invalid"
        return "torn" if self.condition == "torn" else "ok"

    @property
    def inherited(self) -> int:
        """The cut: how many leading events were copied from a parent session (formats 8)."""
        if self.dialect is not None and self.dialect.seed_field == "isSeeded":
            return self.brackets.cut or 0
        return (self.header.seed_length or 0) if self.header else 0

    def row(self, row: int) -> dict[str, Any]:
        """The JSON object of a sound row, read again. Raises BadJsonError for any other."""
        with self.lock:
            value = self._rows.get(row)
            if value is not None:
                self._rows.move_to_end(row)
                return value
            line = self.line(row)
            value = parse(line, self.container.limits)
            if not isinstance(value, dict):
                raise BadJsonError("the row is no object")
            # A long row is not kept: it would crowd out, or outweigh, all the others.
            if len(line) <= LONG_ROW:
                self._rows[row] = value
                if len(self._rows) > ROWS_AT_HAND:
                    self._rows.popitem(last=False)
            return value

    def line(self, row: int) -> bytes:
        """A row's bytes as they stand, without the line end; it may cross frames."""
        with self.lock:
            chunk, offset = self.columns.chunk[row], self.columns.offset[row]
            parts: list[bytes] = []
            while chunk < len(self.container.starts):
                text = self.container.text(chunk)
                end = text.find(b"\n", offset)
                parts.append(text[offset:] if end < 0 else text[offset:end])
                if end >= 0:
                    break
                chunk, offset = chunk + 1, 0
            return b"".join(parts)

    def row_of(self, seq: int) -> int:
        """The trusted row that holds event `seq`. Raises KeyError."""
        return self.columns.row_of(seq, self.trusted_rows)

    def type_of(self, seq: int) -> str:
        """The canonical type of a trusted event. Raises KeyError."""
        type_ = self.columns.type_of(self.row_of(seq))
        return "assistant/chunk" if type_ in TAGS else type_

    def time_of(self, seq: int) -> int:
        """Epoch ms of a trusted event (in a packed row: of its first). Raises KeyError."""
        return self.columns.time[self.row_of(seq)]

    def event(self, seq: int) -> Event:
        """A trusted event, its payload read again. Raises KeyError."""
        row_number = self.row_of(seq)
        raw = self.row(row_number)
        if self.columns.type_of(row_number) in TAGS:
            time, data = member(raw, seq)
            return Event(seq, time, "assistant/chunk", data, raw)
        assert self.dialect is not None
        row = self.dialect.normalise(raw, self.assigned.get(seq, NOTHING))
        time = self.columns.time[row_number]
        return Event(seq, time, str(row.get("type")), row.get("data"), raw, row.get("ignorable") is True)

    def message_id(self, seq: int) -> str | None:
        """The id of an earlier event's carried message, if it has one."""
        try:
            data = self.event(seq).data
        except KeyError:
            return None
        message = data.get("message") if isinstance(data, dict) else None
        found = message.get("id") if isinstance(message, dict) else None
        return found if isinstance(found, str) else None

    def place_of(self, row: int) -> tuple[int, int]:
        """Line (from 1) and file byte of a row; in a zstd file the byte of its frame."""
        return row + 2, self.container.place(self.columns.chunk[row], self.columns.offset[row])
