"""Developer messages and the tools they add or remove: rule E23 (formats 6.6)."""

from __future__ import annotations

from typing import Any

from ..reading.json import natural
from .carried import block_types_in
from .event import EventAt, Fault

TOOL_CHANGES = frozenset({"tool-addition", "tool-removal"})


def binding_fault(type_: str, data: Any, seq: int, event_at: EventAt) -> Fault | None:
    """E23 for any event of v4: tool changes only in developer messages, bound to a request header."""
    if type_ == "developer/message":
        return _developer_fault(data, seq, event_at)
    if not TOOL_CHANGES.isdisjoint(block_types_in(type_, data)):
        return _wrong(f"{type_} holds a tool change, which only a developer message may")
    return None


def _wrong(message: str) -> Fault:
    return Fault("E23", message)


def _developer_fault(data: dict[str, Any], seq: int, event_at: EventAt) -> Fault | None:
    added: list[str] = []
    for block in data["message"]["content"]:
        kind = block.get("type") if isinstance(block, dict) else None
        if not isinstance(kind, str) or kind not in TOOL_CHANGES:
            continue
        name = block.get("toolName")
        if not isinstance(name, str) or not name:
            return _wrong(f"a {kind} block names no tool")
        if kind == "tool-addition":
            if "tool" in block:
                return _wrong("a tool-addition block defines its tool itself")
            added.append(name)
    if not added:
        return _wrong("headerSeq stands where no tool is added") if "headerSeq" in data else None
    header_seq = natural(data.get("headerSeq"))
    if header_seq is None or header_seq >= seq:
        return _wrong("tools are added but headerSeq names no earlier event")
    header = event_at(header_seq)
    if header.type != "request/header":
        return _wrong(f"headerSeq names a {header.type}")
    return next((fault for name in added if (fault := _definition_fault(header.data, name)) is not None), None)


def _definition_fault(data: Any, name: str) -> Fault | None:
    header = data.get("header") if isinstance(data, dict) else None
    tools = header.get("tools") if isinstance(header, dict) else None
    found = [
        tool
        for tool in (tools if isinstance(tools, list) else [])
        if isinstance(tool, dict) and tool.get("name") == name
    ]
    if len(found) != 1:
        return _wrong(f"the request header defines the added tool {name!r} {len(found)} times")
    tool = found[0]
    sound = isinstance(tool.get("description"), str) and isinstance(tool.get("parameters"), dict)
    if not sound or ("deferLoading" in tool and tool["deferLoading"] is not True):
        return _wrong(f"the request header's definition of the added tool {name!r} is malformed")
    return None
