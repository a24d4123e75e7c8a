"""Shapes that a log must have to be interpreted: the envelope and the messages (formats 4.1, 5.1).

Block contents are hardly checked here, as upstream does not check them either: whoever
shows a block must live with missing and odd fields.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..reading.json import integer
from .event import Fault

_KEYS = frozenset({"type", "seq", "time", "data", "ignorable", "surfaceOp", "sourceEventSeqs"})


def envelope_fault(row: dict[str, Any]) -> Fault | None:
    """What is wrong with a row's envelope, or None."""
    if not isinstance(row.get("type"), str):
        return Fault("envelope", "the event has no type")
    if integer(row.get("time")) is None:
        return Fault("envelope", "the event's time is missing or not an integer")
    if "data" not in row:
        return Fault("envelope", "the event has no data")
    if "ignorable" in row and row["ignorable"] is not True:
        return Fault("envelope", "ignorable is something other than true")
    if not row.keys() <= _KEYS:
        return Fault("envelope", f"the event has an unknown field {min(row.keys() - _KEYS)!r}")
    return None


def wrong(message: str) -> Fault:
    return Fault("message-shape", message)


def filled(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def message_fault(message: Any, role: str) -> Fault | None:
    """The parts all messages share: id, role, source and content."""
    if not isinstance(message, dict):
        return wrong("there is no message")
    if not filled(message.get("id")):
        return wrong("the message has no id")
    if message.get("role") != role:
        return wrong(f"the message's role is not {role}")
    source = message.get("source")
    if not isinstance(source, dict) or not filled(source.get("kind")):
        return wrong("the message's source has no kind")
    if not isinstance(message.get("content"), list):
        return wrong("the message's content is not an array")
    return None


def user_fault(data: Any) -> Fault | None:
    return message_fault(data, "user")


def carried(data: Any) -> Any:
    return data.get("message") if isinstance(data, dict) else None


def assistant_fault(data: Any) -> Fault | None:
    message = carried(data)
    fault = message_fault(message, "assistant")
    if fault:
        return fault
    source = message["source"]
    if source["kind"] != "model" or not filled(source.get("provider")) or not filled(source.get("model")):
        return wrong("the assistant message's source names no model")
    return None


def system_fault(data: Any) -> Fault | None:
    """v3 and later."""
    return message_fault(carried(data), "system")


def developer_fault(data: Any) -> Fault | None:
    """v4; what ties it to a request header is E23."""
    return message_fault(carried(data), "developer")


_ADAPTER_DEFAULTS = ("reasoningEffort", "maxTokens")


def request_header_fault(data: Any) -> Fault | None:
    header = data.get("header") if isinstance(data, dict) else None
    config = header.get("config") if isinstance(header, dict) else None
    if not isinstance(header, dict) or not isinstance(config, dict):
        return wrong("the request header has no config")
    if not filled(config.get("provider")) or not filled(config.get("model")):
        return wrong("the request header names no provider or model")
    if "reasoningEffort" in config and not filled(config["reasoningEffort"]):
        return wrong("the request header's reasoningEffort is empty")
    defaults = header.get("adapterDefaults")
    if defaults is None and "adapterDefaults" not in header:
        return None
    if not isinstance(defaults, dict):
        return wrong("the request header's adapterDefaults is no object")
    for name, value in defaults.items():
        if name not in _ADAPTER_DEFAULTS or value is not True or name not in config:
            return wrong(f"the request header's adapterDefaults has an odd entry {name!r}")
    return None


Check = Callable[[Any], Fault | None]
