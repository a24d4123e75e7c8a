"""Tool results: wrapped in a user message up to v3, a message of their own in v4 (formats 5.1); rewrites of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..reading.json import same
from .event import EventAt, Fault, Operation
from .shapes import carried, filled, message_fault, wrong


def wrapped_result_fault(data: Any) -> Fault | None:
    """A tool result of v0 to v3: a user message around exactly one tool-result block."""
    message = carried(data)
    fault = message_fault(message, "user") or _source_fault(message)
    if fault:
        return fault
    content = message["content"]
    block = content[0] if len(content) == 1 else None
    if not isinstance(block, dict) or block.get("type") != "tool-result" or not isinstance(block.get("content"), list):
        return wrong("the tool result is not exactly one tool-result block")
    return _call_fault(block, message)


def wrapped_failure_fault(data: Any) -> Fault | None:
    """v3: as before, and an error stands only beside a failed result (formats 6.6)."""
    return wrapped_result_fault(data) or _error_fault(data, lambda message: message["content"][0])


def plain_result_fault(data: Any) -> Fault | None:
    """A tool result of v4: a message of the role tool that holds the content itself."""
    message = carried(data)
    fault = message_fault(message, "tool") or _source_fault(message) or _call_fault(message, message)
    return fault or _error_fault(data, lambda message: message)


def blank_wrapped_result(data: dict[str, Any]) -> Any:
    """E20 before v4: everything but the content of the one tool-result block."""
    message = data["message"]
    block = {key: value for key, value in message["content"][0].items() if key != "content"}
    return {**data, "message": {**message, "content": [block]}}


def blank_plain_result(data: dict[str, Any]) -> Any:
    """E20 in v4: everything but the content of the message."""
    return {**data, "message": {key: value for key, value in data["message"].items() if key != "content"}}


def rewrite_fault(
    replaced: Sequence[Operation], seq: int, event_at: EventAt, blank: Callable[[dict[str, Any]], Any]
) -> Fault | None:
    """E18, E19, E20: tool result `seq` may only replace one tool result, and only its content."""
    if len(replaced) != 1:
        return Fault("E18", f"a tool result replaces {len(replaced)} nodes")
    target = replaced[0]
    if target.type != "tool/result":
        return Fault("E19", f"a tool result replaces a {target.type}")
    if not same(blank(event_at(target.seq).data), blank(event_at(seq).data)):
        return Fault("E20", "a rewritten tool result changes more than its content")
    return None


def _source_fault(message: Any) -> Fault | None:
    source = message["source"]
    if source["kind"] != "tool" or not filled(source.get("callId")):
        return wrong("the tool result's source names no call")
    return None


def _call_fault(holder: dict[str, Any], message: dict[str, Any]) -> Fault | None:
    if holder.get("toolCallId") != message["source"]["callId"]:
        return wrong("the tool result answers another call than its source names")
    return None


def _error_fault(data: dict[str, Any], holder: Any) -> Fault | None:
    if "error" in data and holder(data["message"]).get("isError") is not True:
        return wrong("the tool result has an error but is not marked as failed")
    return None
