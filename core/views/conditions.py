"""The conditions of a moment: what a model request made then would run under.

Settings and tools come from the last request header; the system prompt too in v0 to v2, and
from the surface in v3 and later (formats 6.4, 6.6).
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from ..dialects.price import price_block
from ..messages import Text, read_message
from ..session import Session
from ..surface import derive
from .session import window_at


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool the model may call, as the request header defines it."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Conditions:
    """`header` is the seq of the request header. settings: the config beside provider and model.
    system_seq: the event the system prompt stands in; system_tokens is estimated."""

    header: int
    provider: str
    model: str
    settings: dict[str, Any]
    tools: tuple[Tool, ...]
    system: str
    system_seq: int | None
    system_tokens: int
    window: int | None


def conditions_at(session: Session, moment: int) -> Conditions | None:
    """The conditions just after event `moment`; None before the first request header."""
    headers = session.log.brackets.headers
    at = bisect_right(headers, moment, key=lambda one: one[0]) - 1
    if at < 0:
        return None
    seq, provider, model = headers[at]
    header = session.log.event(seq).data["header"]
    config = header["config"]
    system, system_seq = _system(session, moment, seq, header)
    return Conditions(
        header=seq,
        provider=provider,
        model=model,
        settings={key: value for key, value in config.items() if key not in ("provider", "model")},
        tools=tuple(_tools(session, moment, seq, header.get("tools"))),
        system=system,
        system_seq=system_seq,
        system_tokens=price_block({"type": "text", "text": system}) if system else 0,
        window=window_at(session, moment),
    )


def _system(session: Session, moment: int, seq: int, header: dict[str, Any]) -> tuple[str, int | None]:
    dialect = session.log.dialect
    if dialect is None or "system/message" not in dialect.surface:
        text = header.get("system")
        return (text, seq) if isinstance(text, str) and text else ("", None)
    surface = session.surface
    prompts = [
        surface.operations[node] for node in surface.at(moment) if surface.operations[node].type == "system/message"
    ]
    if not prompts:
        return "", None
    chosen = prompts[0]
    updates = session.log.brackets.prompts_in_history
    at = bisect_right(updates, moment, key=lambda one: one[0]) - 1
    if at >= 0 and updates[at][1]:
        chosen = next((one for one in reversed(prompts) if not one.empty), chosen)
    message = derive(session.log, chosen, moment)
    if message is None:
        return "", None
    return "\n".join(block.text for block in read_message(message).content if isinstance(block, Text)), chosen.seq


def _tools(session: Session, moment: int, seq: int, listed: Any) -> list[Tool]:
    """The header's tools; in v4 with the additions and removals of developer messages since."""
    tools = {tool.name: tool for tool in map(_tool, listed if isinstance(listed, list) else []) if tool is not None}
    # Nodes only: a message that the fold refused changes nothing.
    for operation in session.surface.operations:
        if not seq < operation.seq <= moment or operation.type != "developer/message":
            continue
        data = session.log.event(operation.seq).data
        for block in data["message"]["content"]:
            name = block.get("toolName") if isinstance(block, dict) else None
            if isinstance(name, str) and block.get("type") == "tool-removal":
                tools.pop(name, None)
            elif isinstance(name, str) and block.get("type") == "tool-addition":
                tools[name] = _defined(session, data.get("headerSeq"), name)
    return list(tools.values())


def _defined(session: Session, seq: Any, name: str) -> Tool:
    """The tool as the header that an addition refers to defines it."""
    header = session.log.event(seq).data.get("header") if isinstance(seq, int) else None
    listed = header.get("tools") if isinstance(header, dict) else None
    listed = listed if isinstance(listed, list) else []
    found = (tool for tool in map(_tool, listed) if tool is not None and tool.name == name)
    return next(found, Tool(name, ""))


def _tool(value: Any) -> Tool | None:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return None
    description = value.get("description")
    return Tool(value["name"], description if isinstance(description, str) else "")
