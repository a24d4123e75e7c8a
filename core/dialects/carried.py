"""Where events carry messages and content blocks, for rules that hold in all of these places (formats 4.2, 6.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .embedded import EVENTS


def _listed(holder: Any, key: str) -> list[Any]:
    value = holder.get(key) if isinstance(holder, dict) else None
    return value if isinstance(value, list) else []


def _itself(data: Any) -> Iterator[Any]:
    yield data


def _message(data: Any) -> Iterator[Any]:
    if isinstance(data, dict):
        yield data.get("message")


def _inserted(data: Any) -> Iterator[Any]:
    yield from _listed(data, "inserted")


def _inputs(data: Any) -> Iterator[Any]:
    yield from _listed(data, "messages")


_MESSAGES: dict[str, Callable[[Any], Iterator[Any]]] = {
    "user/message": _itself,
    "system/message": _message,
    "developer/message": _message,
    "assistant/message": _message,
    "tool/result": _message,
    "agent/inbox/spliced": _inserted,
    "session/title-llm-request": _inputs,
}


def messages_in(type_: str, data: Any) -> Iterator[dict[str, Any]]:
    """The messages that an event carries, as far as they are objects."""
    find = _MESSAGES.get(type_)
    if find is not None:
        yield from (message for message in find(data) if isinstance(message, dict))


def block_types_in(type_: str, data: Any) -> Iterator[str]:
    """The types of all content blocks an event carries: in messages, in summaries, in embedded streams."""
    for message in messages_in(type_, data):
        yield from _types(_listed(message, "content"))
    if type_ == "compaction/summary":
        yield from _types(_listed(data, "summary"))
        yield from _types(_listed(data, "rawOutput"))
    elif type_ in EVENTS:
        yield from _streamed(_listed(data, "stream"))


def _types(blocks: list[Any]) -> Iterator[str]:
    for block in blocks:
        kind = block.get("type") if isinstance(block, dict) else None
        if isinstance(kind, str):
            yield kind


def _streamed(records: list[Any]) -> Iterator[str]:
    for record in records:
        chunk = record.get("chunk") if isinstance(record, dict) else None
        if isinstance(chunk, dict):
            yield from _types([chunk.get("block"), {"type": chunk.get("blockType")}])
