"""The text of a block as it streamed, read again piece by piece, wherever its version keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..dialects import embedded, packed
from .attempts import Block
from .log import Log

Pieces = tuple[list[int], list[str]]
"""Epoch ms and text of some deltas, one of each per delta."""


def block_pieces(log: Log, block: Block) -> Iterator[Pieces]:
    """A block's deltas in runs as the log holds them, up to the block's first end (formats 2.4, 2.6, 5.4)."""
    if not block.chars or log.dialect is None:
        return
    held = _rows(log, block) if log.dialect.packed else _records(log, block)
    for holder, index, pieces in held:
        if index != block.index:
            continue
        if holder.get("type") == "block-end":
            return
        if pieces[1]:
            yield pieces


def _rows(log: Log, block: Block) -> Iterator[tuple[dict[str, Any], Any, Pieces]]:
    """The chunk events and packed rows between a block's first and last event."""
    for number in range(log.row_of(block.first_seq), log.row_of(block.last_seq) + 1):
        name = log.columns.type_of(number)
        if name in packed.TAGS:
            row = log.row(number)
            yield row["data"], row["data"]["index"], (packed.times(row), packed.texts(row))
        elif name == "assistant/chunk":
            data = log.row(number).get("data")
            chunk = data.get("chunk") if isinstance(data, dict) else None
            if isinstance(chunk, dict):
                yield chunk, chunk.get("index"), ([log.columns.time[number]], packed.chunk_texts(chunk))


def _records(log: Log, block: Block) -> Iterator[tuple[dict[str, Any], Any, Pieces]]:
    """The records of the one event that holds a block."""
    for record in log.event(block.first_seq).data["stream"]:
        holder = record["chunk"] if record["type"] == "chunk" else record
        yield holder, holder.get("index"), (embedded.times(record), embedded.texts(record))
