"""Streams of v2 and later: a whole attempt inside one event (formats 2.6).

`assistant/message` and `assistant/attempt` hold their stream as records: runs of deltas, and
single chunks of any kind. All their chunks have the seq of the event.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from ..reading.json import integer, natural
from .packed import Delta, Kind, Natural, Safe, Texts, chunk_texts, delta_of, run

EVENTS = frozenset({"assistant/message", "assistant/attempt"})


class _TextRecord(Struct, forbid_unknown_fields=True, tag_field="type", tag="text-chunks"):
    time0: Safe
    index: Natural
    dt: list[Safe]
    texts: Texts


class _ReasoningRecord(Struct, forbid_unknown_fields=True, tag_field="type", tag="reasoning-chunks"):
    time0: Safe
    index: Natural
    dt: list[Safe]
    texts: Texts


class _ToolRecord(Struct, forbid_unknown_fields=True, tag_field="type", tag="tool-call-chunks"):
    time0: Safe
    index: Natural
    dt: list[Safe]
    id: Annotated[str, Meta(min_length=1)]
    args: Texts
    name: Annotated[str, Meta(min_length=1)] | UnsetType = UNSET


class _ChunkRecord(Struct, forbid_unknown_fields=True, tag_field="type", tag="chunk"):
    time: Safe
    chunk: dict[str, Any]


_Record = _TextRecord | _ReasoningRecord | _ToolRecord | _ChunkRecord


class Chunk(Struct):
    """One chunk that is no delta. `time` is in epoch ms."""

    time: int
    chunk: dict[str, Any]


Piece = Delta | Chunk


def read_stream(data: Any, seq: int) -> list[Piece] | None:
    """The stream of event `seq` in order; None if there is none or it is malformed in any way."""
    records = _records(data.get("stream")) if isinstance(data, dict) else None
    if records is None:
        return None
    turn, step = natural(data.get("turn")) or 0, natural(data.get("step")) or 0
    pieces = [_piece(record, seq, turn, step) for record in records]
    found = [piece for piece in pieces if piece is not None]
    return found if len(found) == len(pieces) else None


def texts(record: dict[str, Any]) -> list[str]:
    """The pieces of text that one record of a sound stream carries."""
    if record["type"] != "chunk":
        return list(record["args" if record["type"] == "tool-call-chunks" else "texts"])
    return chunk_texts(record["chunk"])


def times(record: dict[str, Any]) -> list[int]:
    """Epoch milliseconds of each piece of `texts`."""
    if record["type"] == "chunk":
        return [int(record["time"])]
    return list(accumulate((int(gap) for gap in record["dt"]), initial=int(record["time0"])))


_MALFORMED = (msgspec.ValidationError, UnicodeError)
"""What the decoder raises for a record of another shape; the second where it cannot even name what it found."""


def _records(stream: Any) -> list[_Record] | None:
    try:
        return msgspec.convert(stream, list[_Record])
    except _MALFORMED:
        pass
    try:  # once more as JavaScript counts, where 1.0 is 1
        return msgspec.convert(list(_with_integers(stream)), list[_Record])
    except _MALFORMED:
        return None


def _with_integers(stream: Any) -> Iterator[Any]:
    for record in stream if isinstance(stream, list) else (None,):
        if not isinstance(record, dict):
            yield record
            continue
        fields = dict(record)
        for key in ("time", "time0", "index"):
            if key in fields:
                fields[key] = integer(fields[key])
        if isinstance(fields.get("dt"), list):
            fields["dt"] = [integer(gap) for gap in fields["dt"]]
        yield fields


def _piece(record: _Record, seq: int, turn: int, step: int) -> Piece | None:
    if isinstance(record, _ChunkRecord):
        delta = delta_of(seq, record.time, {"turn": turn, "step": step, "chunk": record.chunk})
        return delta if delta is not None else Chunk(record.time, record.chunk)
    if isinstance(record, _ToolRecord):
        name = "" if record.name is UNSET else str(record.name)
        return run(
            seq, record.time0, turn, step, "tool-call", record.index, record.dt, record.args, record.id, name,
            packed=False,
        )  # fmt: skip
    kind: Kind = "text" if isinstance(record, _TextRecord) else "reasoning"
    return run(seq, record.time0, turn, step, kind, record.index, record.dt, record.texts, packed=False)
