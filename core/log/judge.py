"""Judging sound rows in order: shapes, roles, ids and types, and what the index keeps of them."""

from __future__ import annotations

from typing import Any

from ..dialects.dialect import Dialect
from ..dialects.embedded import EVENTS, Piece, read_stream
from ..dialects.event import Fault, Operation, Targets
from ..dialects.header import Header
from ..dialects.legacy import LegacyIds
from ..dialects.offload import OFFLOAD, read_targets
from ..dialects.operations import Asked, asked, stray
from ..dialects.packed import Delta, delta_of
from ..dialects.price import price
from ..dialects.producers import producer
from ..dialects.shapes import envelope_fault
from ..dialects.vocabulary import LOG_TYPES
from ..notices import Notice
from ..reading.json import integer, natural
from .attempts import failure_text, word
from .log import Log
from .usage import read_usage


class Judge:
    """Takes trusted rows into the log's columns, operations, attempts and brackets."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.packed = False
        self._dialect: Dialect | None = None
        self._legacy: LegacyIds | None = None

    def begin(self, header: Header, dialect: Dialect) -> None:
        self._dialect, self.packed = dialect, dialect.packed
        if dialect.legacy_ids:
            self._legacy = LegacyIds(header.id, self.log.message_id)

    def delta(self, delta: Delta, chunk: int, offset: int) -> None:
        log = self.log
        name = f"{delta.kind}-chunks" if delta.packed else "assistant/chunk"
        log.columns.add(chunk, offset, delta.seq, delta.time, name, delta.count)
        log.trusted_rows += 1
        log.events += delta.count
        log.attempts.delta(delta)

    def event(self, row: dict[str, Any], seq: int, chunk: int, offset: int) -> None:
        log, dialect = self.log, self._dialect
        assert dialect is not None
        if self._legacy is not None:
            assigned = self._legacy.assign(row, seq)
            if assigned:
                log.assigned[seq] = assigned
            row = dialect.normalise(row, assigned)
        type_ = row.get("type")
        name = type_ if isinstance(type_, str) else ""
        time = integer(row.get("time")) or 0
        place = (len(log.columns) + 2, log.container.place(chunk, offset))
        log.columns.add(chunk, offset, seq, time, name, 1)
        log.trusted_rows += 1
        log.events += 1
        fault = self._fault(row, name, seq, place)
        pieces: list[Piece] | None = None
        if fault is None and name in EVENTS and not dialect.packed:
            pieces = read_stream(row["data"], seq)
            if pieces is None:
                fault = Fault("message-shape", "the event has no well-formed stream")
        surface = name in dialect.surface
        if fault is not None:
            self._note(Notice(fault.code, "error", fault.message, seq, *place))
            span = (-1, -1) if surface and row.get("surfaceOp") == "append" else (0, 0)
            log.operations.append(Operation(seq, name, *span, fault=fault))
            return
        if pieces is not None and (pieces or not surface):
            log.attempts.stream(seq, time, *_step(row["data"]), pieces)
        if surface:
            self._surface_event(row, name, seq, time)
        elif not (dialect.skips_ignorable and row.get("ignorable") is True and self._unknown(name)):
            self._log_event(row, name, seq)
        self._follow(row["data"], name, seq, time)

    def finish(self) -> None:
        """What only the end of the log can say."""
        log = self.log
        self._check_seed()
        turns, compactions = log.brackets.turns, log.brackets.compactions
        if turns and turns[-1].end is None:
            message = f"turn {turns[-1].number} has no end"
            log.notices.add(Notice("open-turn", "info", message, turns[-1].start))
        if compactions and compactions[-1].end is None and not compactions[-1].stale:
            log.notices.add(Notice("open-compaction", "info", "a compaction has no end", compactions[-1].start))

    def _check_seed(self) -> None:
        """The header against what the log holds of inherited events (formats 8)."""
        log, cut = self.log, self.log.brackets.cut
        seeded = log.header.seeded if log.header is not None else None
        if seeded is False and cut is not None:
            message = "the header says that nothing is inherited, this event marks the end of what is"
            self._note(Notice("seed", "error", message, cut, *log.place_of(log.row_of(cut))))
        if log.condition == "damaged":
            return  # what is missing may be past the damage
        if seeded is True and cut is None:
            message = "the header says that events are inherited, no event marks where they end"
            self._note(Notice("seed", "error", message, line=1, byte=0))
        if log.inherited > log.events:
            message = f"the header counts {log.inherited} inherited events, the log has {log.events}"
            self._note(Notice("seed", "error", message, line=1, byte=0))

    def _note(self, fault: Notice) -> None:
        self.log.notices.add(fault)
        if self.log.first_fault is None:
            self.log.first_fault = fault

    def _fault(self, row: dict[str, Any], name: str, seq: int, place: tuple[int, int]) -> Fault | None:
        dialect = self._dialect
        assert dialect is not None
        fault = envelope_fault(row) or dialect.retired(row)
        if fault is not None:
            return fault
        if self._unknown(name):
            if row.get("ignorable") is not True:
                return Fault("unknown-type", f"the event type {name!r} is unknown and may not be ignored")
            message = f"the event type {name!r} is unknown and ignorable"
            self.log.notices.add(Notice("unknown-ignorable", "info", message, seq, *place))
        check = dialect.checks.get(name)
        return check(row["data"]) if check is not None else None

    def _unknown(self, name: str) -> bool:
        return name not in LOG_TYPES or (self._dialect is not None and name in self._dialect.dropped)

    def _bound(self, row: dict[str, Any], name: str, seq: int) -> Fault | None:
        """E23."""
        binding = self._dialect.binding if self._dialect is not None else None
        return binding(name, row["data"], seq, self.log.event) if binding is not None else None

    def _log_event(self, row: dict[str, Any], name: str, seq: int) -> None:
        """An event that is no node: what it breaks, and whether it changes what nodes derive."""
        assert self._dialect is not None
        fault = stray(row) or self._bound(row, name, seq)
        targets: Targets = ()
        if fault is None and name == OFFLOAD and self._dialect.offloads:
            targets, fault = read_targets(row["data"])
        if fault is not None or targets:
            self.log.operations.append(Operation(seq, name, 0, 0, fault=fault, targets=targets))

    def _surface_event(self, row: dict[str, Any], name: str, seq: int, time: int) -> None:
        assert self._dialect is not None
        log, data = self.log, row["data"]
        wish = asked(row, seq, self._dialect.rules)
        message = data if name == "user/message" else data["message"]
        bound = self._bound(row, name, seq) if wish.source_fault is None else None
        log.operations.append(_operation(wish, name, seq, message, bound))
        if name == "assistant/message":
            cited = wish.sources if self._dialect.packed else ((seq, seq),)
            log.attempts.message(seq, *_step(data), cited, data.get("interrupted") is True)
            log.brackets.asked(seq, time, message["content"])
            usage = read_usage(data.get("usage"))
            if usage is not None:
                log.usages.append((seq, usage))
        elif name == "tool/result":
            log.brackets.answered(seq, time, str(message["source"].get("callId")))

    def _follow(self, data: Any, name: str, seq: int, time: int) -> None:
        log = self.log
        log.brackets.event(name, seq, time, data)
        if not isinstance(data, dict):
            return
        if name == "assistant/chunk":
            self._chunk(seq, time, data)
        elif name == "step/start":
            log.attempts.step_started(*_step(data), time)
        elif name == "llm/retry":
            log.attempts.retried(seq, failure_text(data.get("failure")))
        elif name == "llm/retry-started":
            log.attempts.retry_started(time)
        elif name in ("step/end", "turn/end"):
            log.attempts.ended()
        elif name == "compaction/summary":
            usage = read_usage(data.get("usage"))
            if usage is not None:
                log.usages.append((seq, usage))

    def _chunk(self, seq: int, time: int, data: dict[str, Any]) -> None:
        delta = delta_of(seq, time, data)
        if delta is not None:
            self.log.attempts.delta(delta)
        elif isinstance(data.get("chunk"), dict):
            self.log.attempts.chunk(seq, time, *_step(data), data["chunk"])


def _step(data: dict[str, Any]) -> tuple[int, int]:
    """The turn and step that an event belongs to, 0 where it does not say."""
    return natural(data.get("turn")) or 0, natural(data.get("step")) or 0


def _operation(wish: Asked, name: str, seq: int, message: dict[str, Any], bound: Fault | None) -> Operation:
    content = message["content"]
    empty = not content and name not in ("user/message", "tool/result")
    start, end = (0, 0) if wish.fault else (wish.start, wish.end)
    return Operation(
        seq,
        name,
        start,
        end,
        fault=wish.fault,
        source_fault=wish.source_fault or bound,
        sources=None if start < 0 else wish.sources,
        producer=producer(message["source"], message["role"]),
        compaction=word(message["source"].get("compactionId")),
        tokens=0 if empty else price(message),
        empty=empty,
    )
