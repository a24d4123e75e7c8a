"""`image/offload`: which images of which messages the model no longer gets, rule E22 (formats 6.7).

Not a replacement: it changes what a node derives from its seq on.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, pairwise
from typing import Any

from ..reading.json import natural
from .event import Fault, Targets

OFFLOAD = "image/offload"


def read_targets(data: Any) -> tuple[Targets, Fault | None]:
    """The targets of an offload, or why its own data is malformed."""
    listed = data.get("targets") if isinstance(data, dict) and data.keys() == {"targets"} else None
    if not isinstance(listed, list) or not listed:
        return (), _wrong("the offload is not exactly a list of targets")
    found: dict[int, tuple[int, ...]] = {}
    for target in listed:
        if not isinstance(target, dict) or target.keys() != {"seq", "imageIndexes"}:
            return (), _wrong("a target of the offload is not exactly an event and its images")
        seq, indexes = natural(target["seq"]), _indexes(target["imageIndexes"])
        if seq is None or indexes is None:
            return (), _wrong("a target of the offload names no event, or no images in increasing order")
        if seq in found:
            return (), _wrong(f"the offload names event {seq} twice")
        found[seq] = indexes
    return tuple(found.items()), None


def offload_fault(message: dict[str, Any], indexes: tuple[int, ...]) -> Fault | None:
    """Why these images of a message, as derived so far, cannot be offloaded."""
    images = list(_images(message["content"]))
    for index in indexes:
        if index >= len(images):
            return _wrong(f"the offload names image {index} of a message that has {len(images)}")
        if images[index].get("offloaded") is True:
            return _wrong(f"image {index} is offloaded already")
    return None


def offloaded(message: dict[str, Any], indexes: frozenset[int]) -> dict[str, Any]:
    """A copy of the message whose chosen images say that they are offloaded."""
    return {**message, "content": _marked(message["content"], indexes, count())}


def _wrong(message: str) -> Fault:
    return Fault("E22", message)


def _indexes(value: Any) -> tuple[int, ...] | None:
    numbers = [natural(one) for one in value] if isinstance(value, list) else []
    found = tuple(number for number in numbers if number is not None)
    if not found or len(found) != len(numbers) or any(left >= right for left, right in pairwise(found)):
        return None
    return found


def _nested(block: Any) -> list[Any] | None:
    if not isinstance(block, dict) or block.get("type") != "tool-result":
        return None
    content = block.get("content")
    return content if isinstance(content, list) else None


def _images(blocks: list[Any]) -> Iterator[dict[str, Any]]:
    """All image blocks depth first; up to v3 they may stand inside tool-result blocks."""
    for block in blocks:
        inner = _nested(block)
        if inner is not None:
            yield from _images(inner)
        elif isinstance(block, dict) and block.get("type") == "image":
            yield block


def _marked(blocks: list[Any], indexes: frozenset[int], numbers: Iterator[int]) -> list[Any]:
    """The blocks again, numbering images exactly as `_images` meets them."""
    marked: list[Any] = []
    for block in blocks:
        inner = _nested(block)
        if inner is not None:
            block = {**block, "content": _marked(inner, indexes, numbers)}
        elif isinstance(block, dict) and block.get("type") == "image" and next(numbers) in indexes:
            block = {**block, "offloaded": True}
        marked.append(block)
    return marked
