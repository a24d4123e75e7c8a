"""Stream rows of v0 and v1: packed runs of deltas, and single chunk events (formats 2.4).

The typed decoder judges the exact shape in one step and is all that most rows need. What
it refuses is looked at again as plain JSON, where 1.0 counts as 1 and lone surrogates live.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from ..reading.json import MAX_SAFE, integer, natural

Natural = Annotated[int, Meta(ge=0, le=MAX_SAFE)]
Safe = Annotated[int, Meta(ge=-MAX_SAFE, le=MAX_SAFE)]
Texts = Annotated[list[str], Meta(min_length=1)]
Kind = Literal["text", "reasoning", "tool-call"]

TAGS = frozenset({"text-chunks", "reasoning-chunks", "tool-call-chunks"})
_PREFIXES = tuple(f'{{"type":"{tag}'.encode() for tag in (*sorted(TAGS), "assistant/chunk"))
_SINGLE = b'{"type":"assistant/chunk'
_DELTA = b"-delta"
_DELTAS: dict[str, tuple[Kind, str]] = {
    "text-delta": ("text", "text"),
    "reasoning-delta": ("reasoning", "text"),
    "tool-call-delta": ("tool-call", "argumentsDelta"),
}


class _Run(Struct, forbid_unknown_fields=True):
    turn: Natural
    step: Natural
    index: Natural
    dt: list[Safe]
    texts: Texts


class _ToolRun(Struct, forbid_unknown_fields=True):
    turn: Natural
    step: Natural
    index: Natural
    id: Annotated[str, Meta(min_length=1)]
    dt: list[Safe]
    args: Texts
    name: str | UnsetType = UNSET


class _TextRow(Struct, forbid_unknown_fields=True, tag_field="type", tag="text-chunks"):
    seq0: Natural
    time0: Safe
    data: _Run


class _ReasoningRow(Struct, forbid_unknown_fields=True, tag_field="type", tag="reasoning-chunks"):
    seq0: Natural
    time0: Safe
    data: _Run


class _ToolRow(Struct, forbid_unknown_fields=True, tag_field="type", tag="tool-call-chunks"):
    seq0: Natural
    time0: Safe
    data: _ToolRun


class _Chunk(Struct, forbid_unknown_fields=True):
    type: Literal["text-delta", "reasoning-delta", "tool-call-delta"]
    index: Natural
    text: str = ""
    argumentsDelta: str = ""
    id: str = ""
    name: str = ""


class _ChunkData(Struct, forbid_unknown_fields=True):
    turn: Natural
    step: Natural
    chunk: _Chunk


class _ChunkEvent(Struct, forbid_unknown_fields=True, tag_field="type", tag="assistant/chunk"):
    seq: Natural
    time: Safe
    data: _ChunkData


_decoder = msgspec.json.Decoder(_TextRow | _ReasoningRow | _ToolRow | _ChunkEvent)


class Delta(Struct):
    """A run of stream deltas of one block. `chars` counts code points.

    `packed`: each of its `count` deltas is an event, numbered from `seq` on; otherwise all of
    them stand in event `seq`.
    `telling`: it holds something a reader would call the first token (formats 5.4), the first of
    it at `token_time`.
    """

    seq: int
    time: int
    count: int
    packed: bool
    turn: int
    step: int
    kind: Kind
    index: int
    chars: int
    end_time: int
    telling: bool
    token_time: int
    call_id: str = ""
    name: str = ""


def quick(line: bytes) -> Delta | None:
    """The line as a run of deltas if it plainly is one; None sends it the general way."""
    if not line.startswith(_PREFIXES) or (line.startswith(_SINGLE) and _DELTA not in line):
        return None
    try:
        row = _decoder.decode(line)
    except (ValueError, RecursionError):
        return None
    if isinstance(row, _ChunkEvent):
        single = row.data
        chunk = single.chunk
        kind, _ = _DELTAS[chunk.type]
        text = chunk.argumentsDelta if kind == "tool-call" else chunk.text
        telling = bool(text) or (kind == "tool-call" and bool(chunk.name))
        return Delta(
            row.seq, row.time, 1, False, single.turn, single.step, kind, chunk.index, len(text), row.time,
            telling, row.time, chunk.id, chunk.name,
        )  # fmt: skip
    data = row.data
    if isinstance(data, _ToolRun):
        name = "" if data.name is UNSET else str(data.name)
        return run(
            row.seq0, row.time0, data.turn, data.step, "tool-call", data.index, data.dt, data.args, data.id, name
        )
    kind = "text" if isinstance(row, _TextRow) else "reasoning"
    return run(row.seq0, row.time0, data.turn, data.step, kind, data.index, data.dt, data.texts)


def run(
    seq: int, time: int, turn: int, step: int, kind: Kind, index: int, dt: list[int], texts: list[str],
    call_id: str = "", name: str = "", *, packed: bool = True,
) -> Delta | None:  # fmt: skip
    """A run as one value; None if its gaps do not fit or its numbers are beyond safe integers."""
    count = len(texts)
    if len(dt) != count - 1 or seq + count - 1 > MAX_SAFE:
        return None
    end = time + sum(dt)
    if abs(time) + sum(map(abs, dt)) > MAX_SAFE and any(abs(at) > MAX_SAFE for at in accumulate(dt, initial=time)):
        return None
    chars = sum(map(len, texts))
    token_time = time
    if chars and not texts[0] and not name:
        token_time = next(at for at, text in zip(accumulate(dt, initial=time), texts, strict=True) if text)
    telling = bool(chars) or bool(name)
    return Delta(seq, time, count, packed, turn, step, kind, index, chars, end, telling, token_time, call_id, name)


def packed(row: dict[str, Any]) -> Delta | None:
    """A packed row judged as plain JSON; None if it is faulty in any way."""
    data = row.get("data")
    if row.keys() != {"type", "seq0", "time0", "data"} or not isinstance(data, dict):
        return None
    tool = row["type"] == "tool-call-chunks"
    texts_key = "args" if tool else "texts"
    wanted = {"turn", "step", "index", "dt", texts_key}
    if tool:
        wanted |= {"id", "name"} if "name" in data else {"id"}
    if data.keys() != wanted:
        return None
    numbers = [natural(row["seq0"]), natural(data["turn"]), natural(data["step"]), natural(data["index"])]
    time, dt, texts = integer(row["time0"]), data["dt"], data[texts_key]
    if None in numbers or time is None or not _list_of(dt, integer) or not _list_of(texts, _string) or not texts:
        return None
    call_id, name = data.get("id", ""), data.get("name", "")
    if tool and (not isinstance(call_id, str) or not call_id or not isinstance(name, str)):
        return None
    seq, turn, step, index = (number for number in numbers if number is not None)
    kind: Kind = "tool-call" if tool else "text" if row["type"] == "text-chunks" else "reasoning"
    return run(seq, time, turn, step, kind, index, [int(gap) for gap in dt], texts, call_id, name)


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _list_of(values: object, test: Any) -> bool:
    return isinstance(values, list) and all(test(value) is not None for value in values)


def delta_of(seq: int, time: int, data: dict[str, Any]) -> Delta | None:
    """A single `assistant/chunk` payload as a delta, or None if it is another kind of chunk."""
    chunk = data.get("chunk")
    turn, step = natural(data.get("turn")), natural(data.get("step"))
    if not isinstance(chunk, dict) or turn is None or step is None:
        return None
    index = natural(chunk.get("index"))
    known = _DELTAS.get(str(chunk.get("type")))
    if known is None or index is None:
        return None
    kind, key = known
    text = chunk.get(key)
    text = text if isinstance(text, str) else ""
    call_id, name = str(chunk.get("id") or ""), str(chunk.get("name") or "")
    telling = bool(text) or (kind == "tool-call" and bool(name))
    return Delta(seq, time, 1, False, turn, step, kind, index, len(text), time, telling, time, call_id, name)


def member(row: dict[str, Any], seq: int) -> tuple[int, dict[str, Any]]:
    """Time and `assistant/chunk` payload of one member of a sound packed row."""
    data = row["data"]
    k = seq - int(row["seq0"])
    time = int(row["time0"]) + sum(int(gap) for gap in data["dt"][:k])
    chunk: dict[str, Any]
    if row["type"] == "tool-call-chunks":
        named = {"name": data["name"]} if "name" in data else {}
        chunk = {"type": "tool-call-delta", "index": data["index"], "id": data["id"], **named}
        chunk["argumentsDelta"] = data["args"][k]
    else:
        kind = "text-delta" if row["type"] == "text-chunks" else "reasoning-delta"
        chunk = {"type": kind, "index": data["index"], "text": data["texts"][k]}
    return time, {"turn": data["turn"], "step": data["step"], "chunk": chunk}


def texts(row: dict[str, Any]) -> list[str]:
    """The pieces of text a stream row carries: of a packed row all, of a chunk event one."""
    if row["type"] in TAGS:
        return list(row["data"]["args" if row["type"] == "tool-call-chunks" else "texts"])
    return chunk_texts(row["data"]["chunk"])


def chunk_texts(chunk: dict[str, Any]) -> list[str]:
    """The text of a single delta chunk, nothing for any other chunk."""
    text = chunk.get(_DELTAS.get(str(chunk.get("type")), ("text", "text"))[1])
    return [text] if isinstance(text, str) else []


def times(row: dict[str, Any]) -> list[int]:
    """Epoch milliseconds of each piece of `texts`."""
    if row["type"] in TAGS:
        return list(accumulate((int(gap) for gap in row["data"]["dt"]), initial=int(row["time0"])))
    return [int(row["time"])]
