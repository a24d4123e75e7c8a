"""The pass: rows in file order, each judged once; the recovery rules of formats 2.2 and 2.3.

Reading is a generator so that a caller can do it off its main thread, show progress and
let others look at what is there already.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from ..dialects import DIALECTS
from ..dialects.header import HeaderReading, read_header
from ..dialects.packed import TAGS, packed, quick
from ..notices import Extent, Notice
from ..reading.container import Chunk, Encoding
from ..reading.json import BadJsonError, integer, natural, parse
from .judge import Judge
from .lines import Lines
from .log import Log, Salvage

BATCH = 500
"""Rows judged between two moments at which others may look at the log."""


class Reader:
    """Fills a log in. `read` once, to its end.

    `_issue` is the first faulty row or gap. Alone it makes the end of a raw log torn; a
    `turn/end` past it, or its standing in a complete frame, makes it damage.
    """

    def __init__(self, log: Log) -> None:
        self.log = log
        self._lines = Lines()
        self._issue: Notice | None = None
        self._torn = False
        self._faults = 0
        self._judge = Judge(log)

    def read(self) -> Iterator[None]:
        """Reads the file once, yielding after every batch of rows."""
        log = self.log
        chunks = log.container.chunks()
        first = next(chunks, None)
        rest = self._read_heading(first)
        if first is None or rest is None:
            log.condition = "whole"
            return
        yield from self._take(first, rest)
        for chunk in chunks:
            yield from self._take(chunk)
            if self._faults > log.container.limits.faults:
                break
        self._end_fragment()
        if log.condition == "reading":
            self._settle()
        self._judge.finish()

    # The header

    def _read_heading(self, chunk: Chunk | None) -> int | None:
        """Reads the first line; the offset of what follows it, None if nothing can follow."""
        log = self.log
        if chunk is None:
            log.notices.add(log.heading.notices[0])
            return None
        zstd = log.container.encoding == "zstd"
        whole = Extent(log.container.data.size, "bytes")
        end = chunk.text.find(b"\n")
        if end < 0 and (chunk.torn or not zstd or not chunk.text):
            message = "there is no complete header line"
            fault = chunk.fault or Notice("no-header", "error", message, line=1, byte=0, affected=whole)
            log.heading = HeaderReading("unreadable", (fault,))
        elif zstd and chunk.torn:
            message = "the file ends inside its first frame"
            fault = Notice("no-header", "error", message, line=1, byte=0, frame=1, affected=whole)
            log.heading = HeaderReading("unreadable", (fault,))
        else:
            log.heading = _heading(chunk.text if end < 0 else chunk.text[:end])
        for notice in log.heading.notices:
            log.notices.add(notice)
        header = log.heading.header
        if header is None:
            return None
        log.header, log.dialect = header, DIALECTS[header.version]
        self._judge.begin(header, log.dialect)
        after = len(chunk.text) if end < 0 else end + 1
        if zstd and chunk.fault is None and (end < 0 or after < len(chunk.text)):
            found = "no line end" if end < 0 else f"{len(chunk.text) - after} bytes after the line"
            message = "the first frame is not exactly the header line"
            self._damage(Notice("header-frame", "error", message, byte=0, frame=1, expected="one line", found=found))
        return after

    # Rows

    def _take(self, chunk: Chunk, start: int = 0) -> Iterator[None]:
        log = self.log
        if chunk.fault is not None:
            self._lines.drop()
            self._damage(chunk.fault)
        if chunk.torn:
            self._tear(chunk)
        lines = self._lines.take(chunk, start)
        while True:
            with log.lock:
                taken = 0
                for line, number, offset in islice(lines, BATCH):
                    self._row(line, number, offset)
                    taken += 1
            yield
            if self._faults > log.container.limits.faults:
                message = f"more than {log.container.limits.faults} faulty rows: the rest of the file is not read"
                self._damage(Notice("limit", "error", message, byte=chunk.byte))
                self._lines.drop()
                return
            if taken < BATCH:
                break
        if chunk.fault is not None:
            self._lines.drop()

    def _row(self, line: bytes, chunk: int, offset: int) -> None:
        log = self.log
        delta = quick(line)
        if delta is not None and delta.seq == log.events and self._issue is None and self._judge.packed:
            self._judge.delta(delta, chunk, offset)
            return
        if not line or line.isspace():
            self._fault("bad-json", "the line is empty", chunk, offset, len(line))
            return
        try:
            row = parse(line, log.container.limits)
        except BadJsonError as error:
            self._fault("bad-json", f"the line is not JSON: {error}", chunk, offset, len(line))
            return
        if not isinstance(row, dict):
            self._fault("bad-row", "the line is no JSON object", chunk, offset, len(line))
            return
        tag = row.get("type")
        name = tag if isinstance(tag, str) else ""
        if name in TAGS:
            delta = packed(row) if self._judge.packed else None
            if delta is None:
                self._fault("bad-row", f"the line is no well-formed {name} row", chunk, offset, len(line))
            elif self._in_order(delta.seq, delta.time, name, delta.count, chunk, offset):
                self._judge.delta(delta, chunk, offset)
            return
        seq = natural(row.get("seq"))
        if seq is None:
            self._fault("bad-row", "the event has no number", chunk, offset, len(line))
            self._committed(name)
        elif self._in_order(seq, integer(row.get("time")) or 0, name, 1, chunk, offset):
            self._judge.event(row, seq, chunk, offset)

    def _in_order(self, seq: int, time: int, name: str, count: int, chunk: int, offset: int) -> bool:
        """Whether a sound row is the next trusted one; if not it is put with the salvage."""
        expected = self.log.events
        if self._issue is None and seq == expected:
            return True
        if self._issue is None:
            message = f"expected event {expected}, found event {seq}"
            missing = Extent(seq - expected, "events") if seq > expected else None
            wanted, found = f"event {expected}", f"event {seq}"
            gap = Notice("seq-gap", "error", message, seq, expected=wanted, found=found, affected=missing)
            self._start_issue(gap, chunk, offset)
        self._salvage(seq, time, name, count, chunk, offset)
        return False

    # Faults

    def _fault(self, code: str, message: str, chunk: int, offset: int, size: int) -> None:
        """A faulty row of `size` bytes."""
        log = self.log
        affected = Extent(size, "bytes")
        if self._issue is None:
            notice = Notice(code, "error", message, expected=f"event {log.events}", affected=affected)
            self._start_issue(notice, chunk, offset)
        elif log.notices.full(code):
            log.notices.count(code)
        else:
            log.notices.add(self._placed(Notice(code, "warning", message, affected=affected), chunk, offset))
        log.columns.add(chunk, offset, -1, 0, "", 0)
        self._faults += 1

    def _start_issue(self, issue: Notice, chunk: int, offset: int) -> None:
        self._issue = self._placed(issue, chunk, offset)
        if self.log.container.encoding == "zstd" and not self._torn:
            self._damage(self._issue)

    def _placed(self, notice: Notice, chunk: int, offset: int) -> Notice:
        """The notice with the place of the next row, which begins there."""
        container = self.log.container
        line, byte = len(self.log.columns) + 2, container.place(chunk, offset)
        return replace(notice, line=line, byte=byte, frame=_frame(container.encoding, chunk))

    def _damage(self, notice: Notice) -> None:
        """From here on everything read is salvage."""
        self.log.condition = "damaged"
        self._issue = self._issue or notice
        self.log.notices.add(notice)

    def _committed(self, name: str) -> None:
        """A turn/end past a faulty row: the row was damage, not a torn end."""
        if name == "turn/end" and self._issue is not None and self.log.condition == "reading":
            self._damage(self._issue)

    def _salvage(self, seq: int, time: int, name: str, count: int, chunk: int, offset: int) -> None:
        log = self.log
        row = len(log.columns)
        log.columns.add(chunk, offset, seq, time, name, count)
        self._committed(name)
        last = log.salvage[-1] if log.salvage else None
        if last is not None and last.last_seq + 1 == seq and last.last_row + 1 == row:
            last.last_seq, last.last_row = seq + count - 1, row
            last.events += count
            return
        byte = log.container.place(chunk, offset)
        log.salvage.append(Salvage(seq, seq + count - 1, count, row + 2, byte, row, row))

    def _tear(self, chunk: Chunk) -> None:
        """The file ends inside this chunk; before it no line may be unfinished."""
        self._end_fragment()
        self._torn = True
        what = "a frame" if self.log.container.encoding == "zstd" else "a line"
        message = f"the file ends inside {what}: what stands from byte {chunk.byte} on is incomplete"
        container = self.log.container
        frame = _frame(container.encoding, chunk.number)
        rest = Extent(container.ends[chunk.number] - chunk.byte, "bytes")
        self.log.notices.add(Notice("torn-tail", "warning", message, byte=chunk.byte, frame=frame, affected=rest))

    def _end_fragment(self) -> None:
        number = self._lines.fragment_chunk
        if number is not None and not self._torn:
            byte, end = self.log.container.starts[number], self.log.container.ends[number]
            message, size = f"the frame at byte {byte} ends inside a line", Extent(end - byte, "bytes")
            self._damage(Notice("bad-frame", "error", message, byte=byte, frame=number + 1, affected=size))
        self._lines.drop()

    def _settle(self) -> None:
        issue = self._issue
        if issue is not None:
            self.log.notices.add(replace(issue, severity="warning"))
        self.log.condition = "torn" if issue is not None or self._torn else "whole"


def _frame(encoding: Encoding, chunk: int) -> int | None:
    """The number of a chunk as a frame, from 1; a raw file has none."""
    return chunk + 1 if encoding == "zstd" else None


def _heading(line: bytes) -> HeaderReading:
    try:
        return read_header(parse(line))
    except BadJsonError as error:
        notice = Notice("no-header", "error", f"the first line is not JSON: {error}", line=1, byte=0)
        return HeaderReading("unreadable", (notice,))
