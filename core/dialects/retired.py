"""Forms that a version refuses because they belong to an earlier one (formats 6.6, 10)."""

from __future__ import annotations

from typing import Any

from .carried import block_types_in, messages_in
from .event import Fault
from .vocabulary import CODE_DISPATCH, RETIRED_TYPES


def _refused(what: str) -> Fault:
    return Fault("retired", f"{what} is retired and cannot be interpreted")


def retired_always(row: dict[str, Any]) -> Fault | None:
    """What upstream refuses in every version."""
    if row["type"] in RETIRED_TYPES:
        return _refused(str(row["type"]))
    data = row.get("data")
    if row["type"] == "request/header" and isinstance(data, dict) and data.get("reason") == "fallback":
        return _refused('request/header with the reason "fallback"')
    return None


def retired_since_v3(row: dict[str, Any]) -> Fault | None:
    """The prompt inside request headers, their empty lists, and the old names of inner tool calls."""
    fault = retired_always(row)
    if fault is not None:
        return fault
    type_, data = row["type"], row.get("data")
    if type_ in CODE_DISPATCH and row.get("ignorable") is not True:
        return _refused(str(type_))
    header = data.get("header") if type_ == "request/header" and isinstance(data, dict) else None
    if isinstance(header, dict):
        if "system" in header:
            return _refused("a system prompt in a request header")
        if header.get("tools") == []:
            return _refused("an empty tool list in a request header")
        if header.get("adapterDefaults") == {}:
            return _refused("an empty adapterDefaults in a request header")
    return None


def retired_since_v4(row: dict[str, Any]) -> Fault | None:
    """Wrapped tool results and the plugin wrapper around sources."""
    fault = retired_since_v3(row)
    if fault is not None:
        return fault
    type_, data = row["type"], row.get("data")
    for message in messages_in(type_, data):
        source = message.get("source")
        if isinstance(source, dict) and source.get("kind") == "plugin":
            return _refused('the source kind "plugin"')
        if type_ == "tool/result" and message.get("role") == "user":
            return _refused("a tool result in a user message")
    if "tool-result" in block_types_in(type_, data):
        return _refused("a tool-result block")
    return None
