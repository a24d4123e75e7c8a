"""Makes session logs row by row and frame by frame, the way the harness writes them.

Rows are plain dicts. `Log` numbers events as they are added; `raw` and `zstd` give the bytes
of a file. Frames are written as Node writes them: a checksum and no content size.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

if sys.version_info >= (3, 14):
    from compression import zstd as _zstd
else:
    from backports import zstd as _zstd

Row = dict[str, Any]
Line = Row | bytes
"""A row, or the bytes of a line that is no row."""

START = 1_750_000_000_000
"""Epoch ms of the first event; each later one is 10 ms after."""

USER = {"kind": "user"}
MODEL = {"kind": "model", "provider": "deepseek", "model": "deepseek-v4-pro"}


# Rows


def header(version: int = 0, **fields: Any) -> Row:
    """A header line; a field given as None is left out."""
    seeded = {"isSeeded": False} if version >= 2 else {}
    row = {"type": "session", "version": version, "id": "built", "createdAt": START, "delegationDepth": 0, **seeded}
    return {key: value for key, value in {**row, **fields}.items() if value is not None}


def event(seq: int, type_: str, data: Any, **fields: Any) -> Row:
    """An event row; `time` may be among the fields."""
    time = fields.pop("time", START + 10 * seq)
    return {"type": type_, "seq": seq, "time": time, "data": data, **fields}


def replace(start: int, end: int) -> Row:
    """The surface operation of versions 0 to 2."""
    return {"op": "replace", "start": start, "end": end}


def text(words: str) -> Row:
    return {"type": "text", "text": words}


def tool_call(call_id: str, name: str = "read", arguments: str = "{}") -> Row:
    return {"type": "tool-call", "id": call_id, "name": name, "arguments": arguments}


def user_message(id_: str, content: Sequence[Any], source: Row | None = None) -> Row:
    return {"id": id_, "role": "user", "source": source or USER, "content": list(content)}


def assistant_message(id_: str, content: Sequence[Any]) -> Row:
    return {"id": id_, "role": "assistant", "source": MODEL, "content": list(content)}


def result_message(id_: str, call_id: str, content: Sequence[Any], **block: Any) -> Row:
    """A tool result of versions 0 to 3: a user message around one tool-result block."""
    inner = {"type": "tool-result", "toolCallId": call_id, "content": list(content), **block}
    return {"id": id_, "role": "user", "source": {"kind": "tool", "callId": call_id}, "content": [inner]}


def text_delta(words: str, index: int = 0) -> Row:
    return {"type": "text-delta", "index": index, "text": words}


def chunk(seq: int, payload: Row, turn: int = 1, step: int = 1, **fields: Any) -> Row:
    """One `assistant/chunk` event."""
    return event(seq, "assistant/chunk", {"turn": turn, "step": step, "chunk": payload}, **fields)


_PACKED = {
    "text-delta": ("text-chunks", "texts", "text"),
    "reasoning-delta": ("reasoning-chunks", "texts", "text"),
    "tool-call-delta": ("tool-call-chunks", "args", "argumentsDelta"),
}


def packed(chunks: Sequence[Row]) -> Row:
    """Consecutive delta events of one kind, block and call as one packed row."""
    first = chunks[0]
    data, payload = first["data"], first["data"]["chunk"]
    tag, plural, key = _PACKED[payload["type"]]
    times = [row["time"] for row in chunks]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    named = {name: payload[name] for name in ("id", "name") if name in payload}
    inner = {"turn": data["turn"], "step": data["step"], "index": payload["index"], **named, "dt": gaps}
    inner[plural] = [row["data"]["chunk"][key] for row in chunks]
    return {"type": tag, "seq0": first["seq"], "time0": first["time"], "data": inner}


def packable(left: Row, right: Row) -> bool:
    """Whether two neighbouring rows may stand in one packed row."""
    if left["type"] != "assistant/chunk" or right["type"] != "assistant/chunk":
        return False
    one, two = left["data"], right["data"]
    if one["chunk"]["type"] not in _PACKED:
        return False
    texts = {"text", "argumentsDelta"}
    return bool(
        (one["turn"], one["step"]) == (two["turn"], two["step"])
        and {key: value for key, value in one["chunk"].items() if key not in texts}
        == {key: value for key, value in two["chunk"].items() if key not in texts}
    )


# Bytes


def line(row: Line) -> bytes:
    """A row as JSON.stringify writes it: nothing escaped but what must be."""
    if isinstance(row, bytes):
        return row
    words = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    return re.sub("[\ud800-\udfff]", lambda lone: f"\\u{ord(lone[0]):04x}", words).encode()


def raw(lines: Iterable[Line]) -> bytes:
    return b"".join(line(one) + b"\n" for one in lines)


def frame(data: bytes, *, checksum: bool = True) -> bytes:
    """One zstd frame, without a content size."""
    parameter = _zstd.CompressionParameter
    options: dict[int, int] = {parameter.checksum_flag: int(checksum), parameter.content_size_flag: 0}
    writer = _zstd.ZstdCompressor(options=options)
    return writer.compress(data) + writer.flush()


def zstd(lines: Sequence[Line], batch: int = 3) -> bytes:
    """A frame for the first line, then one for every `batch` lines."""
    batches = [lines[:1], *(lines[at : at + batch] for at in range(1, len(lines), batch))]
    return b"".join(frame(raw(one)) for one in batches)


def frames_of(data: bytes, cuts: Iterable[int]) -> bytes:
    """The header line in its frame, the rest in frames cut at any byte offsets of the rest."""
    first, _, rest = data.partition(b"\n")
    edges = [0, *sorted(min(cut, len(rest)) for cut in cuts), len(rest)]
    pieces = [rest[left:right] for left, right in pairwise(edges)]
    return b"".join(frame(piece) for piece in (first + b"\n", *pieces))


def flipped(data: bytes, at: int, bits: int = 0xFF) -> bytes:
    """The bytes with some bits of one of them turned over."""
    return data[:at] + bytes([data[at] ^ bits]) + data[at + 1 :]


# Logs


@dataclass
class Log:
    """A log as it grows: every method adds one event and returns its number."""

    version: int = 0
    first: Row = field(default_factory=dict)
    rows: list[Line] = field(default_factory=list)
    next: int = 0

    @property
    def lines(self) -> list[Line]:
        return [self.first or header(self.version), *self.rows]

    def raw(self) -> bytes:
        return raw(self.lines)

    def zstd(self, batch: int = 3) -> bytes:
        return zstd(self.lines, batch)

    def add(self, type_: str, data: Any, **fields: Any) -> int:
        self.rows.append(event(self.next, type_, data, **fields))
        self.next += 1
        return self.next - 1

    def line(self, line_: bytes) -> None:
        """A line that counts for no event."""
        self.rows.append(line_)

    def user(self, words: str = "hello", op: Any = "append", source: Row | None = None, **fields: Any) -> int:
        message = user_message(f"u{self.next}", [text(words)], source)
        return self.add("user/message", message, surfaceOp=op, **fields)

    def assistant(
        self, words: str = "yes", op: Any = "append", *, content: Sequence[Any] | None = None, turn: int = 1,
        step: int = 1, usage: Row | None = None, **fields: Any,
    ) -> int:  # fmt: skip
        message = assistant_message(f"a{self.next}", [text(words)] if content is None else content)
        data = {"turn": turn, "step": step, "message": message, **({"usage": usage} if usage else {})}
        return self.add("assistant/message", data, surfaceOp=op, **fields)

    def call(self, call_id: str, name: str = "read", arguments: str = "{}") -> int:
        data = {"turn": 1, "step": 1, "callId": call_id, "name": name, "arguments": arguments}
        return self.add("tool/call", data)

    def result(self, call_id: str, words: str = "done", op: Any = "append", *, id_: str = "", **fields: Any) -> int:
        message = result_message(id_ or f"r-{call_id}", call_id, [text(words)])
        return self.add("tool/result", {"turn": 1, "step": 1, "message": message}, surfaceOp=op, **fields)

    def turn_start(self, turn: int = 1) -> int:
        return self.add("turn/start", {"turn": turn})

    def turn_end(self, turn: int = 1, kind: str = "completed") -> int:
        return self.add("turn/end", {"turn": turn, "reason": {"kind": kind}})

    def step_start(self, turn: int = 1, step: int = 1) -> int:
        return self.add("step/start", {"turn": turn, "step": step})

    def step_end(self, turn: int = 1, step: int = 1) -> int:
        return self.add("step/end", {"turn": turn, "step": step})

    def chunk(self, payload: Row, turn: int = 1, step: int = 1) -> int:
        return self.add("assistant/chunk", {"turn": turn, "step": step, "chunk": payload})

    def deltas(self, words: Iterable[str], turn: int = 1, step: int = 1, **payload: Any) -> list[int]:
        """Text deltas, or of another kind if the payload says so."""
        return [self.chunk({**text_delta(word), **payload}, turn, step) for word in words]

    def pack(self, words: Sequence[str], turn: int = 1, step: int = 1) -> list[int]:
        """Text deltas as one packed row."""
        seqs = list(range(self.next, self.next + len(words)))
        rows = [
            chunk(seq, text_delta(word), turn, step) for seq, word in zip(seqs, words, strict=True)
        ]  # fmt: skip
        self.rows.append(packed(rows))
        self.next += len(words)
        return seqs

    def retry(self, turn: int = 1, step: int = 1, retry: int = 1, **data: Any) -> int:
        failure = {"message": "service unavailable", "code": "HTTP", "status": 503}
        known = {"retryId": "retry", "turn": turn, "step": step, "provider": "deepseek", "mode": "normal"}
        more = {"policyKey": "p", "retry": retry, "maxRetries": 3, "delayMs": 600, "failure": failure}
        return self.add("llm/retry", {**known, **more, **data})

    def summarise(self, shadowed: Sequence[int], words: str = "summary", turn: int | None = 1) -> int:
        """A whole compaction: start, summary, checkpoint, end. Returns the checkpoint."""
        id_ = f"c{self.next}"
        start = self.add("compaction/start", {"compactionId": id_, "turn": turn})
        span = {"start": shadowed[0], "end": shadowed[-1]}
        data = {"compactionId": id_, "summary": [text(words)], "shadowedRange": span, "shadowedSeqs": list(shadowed)}
        route = {"shadowedTokenCount": 100, "provider": "deepseek", "model": "deepseek-v4-pro"}
        summary = self.add("compaction/summary", {**data, **route})
        source = {"kind": "plugin", "plugin": "compact", "compactionId": id_}
        cited = [start, summary, *shadowed]
        checkpoint = self.user(words, replace(shadowed[0], shadowed[-1]), source, sourceEventSeqs=cited)
        self.add("compaction/end", {"compactionId": id_, "turn": turn})
        return checkpoint

    def prune(self, node: int, call_id: str, words: str = "cut") -> int:
        """A tool result cut by the pruner. Returns the rewrite."""
        span = {"shadowedRange": {"start": node, "end": node}, "shadowedSeqs": [node], "shadowedTokenCount": 50}
        self.add("compaction/prune", span)
        return self.result(call_id, words, replace(node, node), sourceEventSeqs=[node])


def turn_of_tools() -> Log:
    """A small log with a bit of everything: a tool call, a prune, a summary and a packed row."""
    log = Log()
    log.turn_start()
    first = log.user("fix the login")
    log.step_start()
    cited = log.pack(["I'll ", "read ", "it"])
    asks = log.assistant(content=[text("I'll read it"), tool_call("c1")], sourceEventSeqs=cited)
    log.call("c1")
    result = log.result("c1", "a long file")
    log.step_end()
    rewrite = log.prune(result, "c1")
    log.summarise([first, asks, rewrite])
    log.user("and the test?")
    log.turn_end()
    return log
