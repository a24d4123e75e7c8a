"""Parts: a message taken apart into pieces of text that a pane or a page can show one after another."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from ..messages import Attachment, Block, File, Image, Message, Other, Reasoning, Text, ToolCall, ToolResult

PartKind = Literal["text", "reasoning", "call", "result", "failed-result", "image", "file", "other"]


@dataclass(frozen=True, slots=True)
class Part:
    """`title` is the tool, file or block name; `text` is log text, never markup."""

    kind: PartKind
    text: str
    title: str = ""


def parts(message: Message) -> list[Part]:
    found: list[Part] = []
    for block in message.content:
        _add(found, block, None)
    return found


def _add(found: list[Part], block: Block, result: PartKind | None) -> None:
    match block:
        case Text(text=text):
            found.append(Part(result or "text", text))
        case Reasoning(text=text):
            found.append(Part("reasoning", text))
        case ToolCall():
            found.append(Part("call", arguments_line(block.arguments), block.name))
        case Image(attachment=attachment):
            note = " (offloaded)" if block.offloaded else ""
            found.append(Part("image", _describe(attachment) + note, attachment.name or attachment.id))
        case File(attachment=attachment):
            found.append(Part("file", _describe(attachment), attachment.name or attachment.id))
        case ToolResult():
            kind: PartKind = "failed-result" if block.failed else "result"
            if not block.content:
                found.append(Part(kind, ""))
            for inner in block.content:
                _add(found, inner, kind)
        case Other():
            found.append(Part("other", json.dumps(block.json_value, ensure_ascii=False), block.name))


def _describe(attachment: Attachment) -> str:
    size = f"{attachment.width}×{attachment.height}" if attachment.width and attachment.height else ""
    weight = f"{attachment.bytes} bytes" if attachment.bytes is not None else ""
    return " ".join(part for part in (attachment.media_type, size, weight) if part)


def arguments_line(arguments: str) -> str:
    """A tool call's arguments on one line: `key: value` pairs if they are a JSON object, else as they stand."""
    try:
        value: Any = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    if not isinstance(value, dict):
        return arguments
    return ", ".join(f"{key}: {one if isinstance(one, str) else _compact(one)}" for key, one in value.items())


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
