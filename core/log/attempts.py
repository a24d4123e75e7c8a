"""Attempts: the stream grouped by model call, kept or not (formats 5.4, 12).

In v0 and v1 an attempt is the consecutive chunks of one (turn, step) until a finish chunk, a
retry, the end of the step or turn, or a message. It is claimed by the assistant message that
cites exactly its chunks. In later versions an attempt is the stream that one event holds.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ..dialects.embedded import Piece
from ..dialects.event import Runs
from ..dialects.packed import Delta, Kind
from .usage import Usage, read_usage

Outcome = Literal["open", "kept", "failed", "dropped"]
BlockKind = Literal["text", "reasoning", "tool-call", "other"]


@dataclass(slots=True)
class Block:
    """One content block as it streamed. `chars` counts code points, times are epoch ms."""

    kind: BlockKind
    index: int
    first_seq: int
    last_seq: int
    first_time: int
    last_time: int
    chunks: int = 0
    chars: int = 0
    call_id: str = ""
    name: str = ""
    closed: bool = False


@dataclass(slots=True)
class Attempt:
    """One model call as it streamed.

    outcome: kept as `message`; failed (an error finish, or retried); dropped (ended without a
    message or error); open (still going when the log ends). exact: the message cites exactly
    these chunks; False where the log does not record it.
    runs: the events its chunks are, or in v2 and later the one event that holds them.
    first_token: epoch ms of the first telling delta, None if there was none.
    asked: epoch ms at which the step began or the retry started, for the time to first token.
    """

    turn: int
    step: int
    number: int
    first_seq: int
    last_seq: int
    first_time: int
    last_time: int
    asked: int | None = None
    chunks: int = 0
    runs: list[tuple[int, int]] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    first_token: int | None = None
    outcome: Outcome = "open"
    finish: str = ""
    failure: str = ""
    usage: Usage | None = None
    message: int | None = None
    exact: bool = False
    interrupted: bool = False
    retry: int | None = None


class Attempts:
    """Groups chunks into attempts as the log is read, in order. `all` only grows at its end."""

    def __init__(self) -> None:
        self.all: list[Attempt] = []
        self._open: Attempt | None = None
        self._last: Attempt | None = None
        self._blocks: dict[int, Block] = {}
        self._step = (-1, -1)
        self._number = 0
        self._asked: int | None = None

    def step_started(self, turn: int, step: int, time: int) -> None:
        self._step, self._number, self._asked = (turn, step), 0, time

    def delta(self, delta: Delta) -> None:
        attempt = self._attempt(delta.turn, delta.step, delta.seq, delta.time)
        last = delta.seq + delta.count - 1 if delta.packed else delta.seq
        self._extend(attempt, delta.seq, last, delta.end_time, delta.count)
        block = self._block(delta.index, delta.kind, delta.seq, delta.time)
        if block.closed:
            return
        block.last_seq, block.last_time = last, delta.end_time
        block.chunks += delta.count
        block.chars += delta.chars
        if delta.call_id:
            block.call_id = delta.call_id
        if delta.name:
            block.name = delta.name
        if delta.telling and attempt.first_token is None:
            attempt.first_token = delta.token_time

    def chunk(self, seq: int, time: int, turn: int, step: int, chunk: dict[str, Any]) -> None:
        """A chunk that is no delta: block-start, block-end, usage, finish, or unknown."""
        attempt = self._attempt(turn, step, seq, time)
        self._extend(attempt, seq, seq, time, 1)
        kind, index = chunk.get("type"), chunk.get("index")
        if kind in ("block-start", "block-end") and isinstance(index, int):
            inner = chunk.get("block")
            named = chunk.get("blockType") or (inner.get("type") if isinstance(inner, dict) else None)
            block = self._block(index, _block_kind(named), seq, time)
            block.last_seq, block.last_time = seq, time
            block.chunks += 1
            block.closed = block.closed or kind == "block-end"
        elif kind == "usage":
            attempt.usage = read_usage(chunk.get("usage")) or attempt.usage
        elif kind == "finish":
            self._finish(attempt, chunk.get("reason"))

    def stream(self, seq: int, time: int, turn: int, step: int, pieces: Sequence[Piece]) -> None:
        """A whole attempt that event `seq` holds, whatever it contains."""
        self._close()
        started = pieces[0].time if pieces else time
        attempt = self._attempt(turn, step, seq, started)
        attempt.runs.append((seq, seq))
        for piece in pieces:
            self._open = attempt  # a finish does not end it: the event does
            if isinstance(piece, Delta):
                self.delta(piece)
            else:
                self.chunk(seq, piece.time, turn, step, piece.chunk)
        self._close()

    def message(self, seq: int, turn: int, step: int, cited: Runs | None, interrupted: bool) -> None:
        """An assistant message; `cited` is None where the log does not record its chunks."""
        attempt = self._last
        self._close()
        if attempt is None or attempt.message is not None or (attempt.turn, attempt.step) != (turn, step):
            return
        exact = cited is not None and list(cited) == attempt.runs
        if not exact and cited is not None:
            return
        attempt.message, attempt.exact, attempt.interrupted = seq, exact, interrupted
        attempt.outcome = "kept"

    def retried(self, seq: int, failure: str) -> None:
        attempt = self._last
        self._close()
        if attempt is not None and attempt.message is None and attempt.outcome != "kept":
            attempt.outcome, attempt.retry = "failed", seq
            attempt.failure = attempt.failure or failure

    def retry_started(self, time: int) -> None:
        self._close()
        self._asked = time

    def ended(self) -> None:
        """The step or turn is over."""
        self._close()
        self._last = None

    def _attempt(self, turn: int, step: int, seq: int, time: int) -> Attempt:
        attempt = self._open
        if attempt is not None and (attempt.turn, attempt.step) == (turn, step):
            return attempt
        self._close()
        if self._step != (turn, step):
            self.step_started(turn, step, time)
            self._asked = None
        self._number += 1
        attempt = Attempt(turn, step, self._number, seq, seq, time, time, asked=self._asked)
        self.all.append(attempt)
        self._open = self._last = attempt
        self._blocks = {}
        return attempt

    def _extend(self, attempt: Attempt, first: int, last: int, time: int, count: int) -> None:
        runs = attempt.runs
        if runs and runs[-1][1] + 1 == first:
            runs[-1] = (runs[-1][0], last)
        elif not runs or runs[-1][1] < first:
            runs.append((first, last))
        attempt.last_seq, attempt.last_time = last, time
        attempt.chunks += count

    def _block(self, index: int, kind: Kind | BlockKind, seq: int, time: int) -> Block:
        block = self._blocks.get(index)
        if block is None:
            block = Block(kind, index, seq, seq, time, time)
            self._blocks[index] = block
            assert self._open is not None
            self._open.blocks.append(block)
        elif block.kind == "other":
            block.kind = kind
        return block

    def _finish(self, attempt: Attempt, reason: Any) -> None:
        reason = reason if isinstance(reason, dict) else {}
        attempt.finish = str(reason.get("kind", ""))
        if attempt.finish in ("error", "aborted"):
            attempt.failure = failure_text(reason.get("failure")) or attempt.finish
        self._close()

    def _close(self) -> None:
        attempt = self._open
        if attempt is not None:
            attempt.outcome = "failed" if attempt.finish == "error" else "dropped"
        self._open = None


def word(value: Any) -> str:
    """A JSON value as a word: a string as it stands, nothing for null, else its JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def failure_text(failure: Any) -> str:
    """A failure object as one line: message, code and HTTP status."""
    if not isinstance(failure, dict):
        return ""
    tail = " ".join(word(failure[key]) for key in ("code", "status") if failure.get(key) is not None)
    message = word(failure.get("message"))
    return f"{message} ({tail})" if tail else message


def _block_kind(name: Any) -> BlockKind:
    return name if name in ("text", "reasoning", "tool-call") else "other"
