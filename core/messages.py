"""Messages and content blocks in one form for all versions, built when looked at (formats 5).

Block contents are hardly validated by the harness, so nothing here refuses: a block that
does not fit its type is an `Other` with its JSON.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from .dialects.producers import producer

NESTED_RESULTS = 8
"""Tool results inside tool results that are unwrapped; deeper ones stay JSON."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", populate_by_name=True)


class Text(_Part):
    type: Literal["text"]
    text: str


class Reasoning(_Part):
    type: Literal["reasoning"]
    text: str


class ToolCall(_Part):
    """`arguments` is the model's own JSON text and may be no JSON at all."""

    type: Literal["tool-call"]
    id: str = ""
    name: str
    arguments: str


class Attachment(_Part):
    """A reference to bytes outside the log. Sizes are in bytes and pixels."""

    id: str = Field("", alias="attachmentId")
    name: str = ""
    media_type: str = Field("", alias="mediaType")
    bytes: int | None = None
    width: int | None = None
    height: int | None = None


class Image(_Part):
    type: Literal["image"]
    attachment: Attachment
    offloaded: bool = False


class File(_Part):
    type: Literal["file"]
    attachment: Attachment


class Other(_Part):
    """A block of another or unknown type, or one whose fields do not fit."""

    type: Literal["other"] = "other"
    name: str
    json_value: Any


class ToolResult(_Part):
    """What a tool gave back, unwrapped from either version's shape."""

    type: Literal["tool-result"] = "tool-result"
    call_id: str
    failed: bool
    content: tuple[Block, ...]


Block = Text | Reasoning | ToolCall | Image | File | ToolResult | Other


class Message(_Part):
    """`producer` is the canonical source kind; only "user" is a person. `content` is flat: a tool
    result's blocks stand in one ToolResult."""

    id: str
    role: str
    producer: str
    content: tuple[Block, ...]


ToolResult.model_rebuild()
Message.model_rebuild()

_Known = Annotated[Text | Reasoning | ToolCall | Image | File, Field(discriminator="type")]
_known: TypeAdapter[Any] = TypeAdapter(_Known)


def read_block(block: Any, depth: int = 0) -> Block:
    """One content block; never raises on odd input."""
    if isinstance(block, dict) and block.get("type") == "tool-result" and depth < NESTED_RESULTS:
        return _result(block, str(block.get("toolCallId", "")), depth + 1)
    try:
        found: Block = _known.validate_python(block)
    except ValidationError:
        name = block.get("type") if isinstance(block, dict) else None
        found = Other(name=name if isinstance(name, str) else "?", json_value=block)
    return found


def read_message(message: dict[str, Any]) -> Message:
    """A message as it is carried by an event of any version."""
    content = message.get("content")
    content = content if isinstance(content, list) else []
    role = str(message.get("role", ""))
    blocks: tuple[Block, ...]
    if role == "tool":
        blocks = (_result(message, str(message.get("toolCallId", ""))),)
    else:
        blocks = tuple(map(read_block, content))
    return Message(
        id=str(message.get("id", "")), role=role, producer=producer(message.get("source"), role), content=blocks
    )


def _result(holder: dict[str, Any], call_id: str, depth: int = 0) -> ToolResult:
    content = holder.get("content")
    inner = tuple(read_block(block, depth) for block in content) if isinstance(content, list) else ()
    return ToolResult(call_id=call_id, failed=holder.get("isError") is True, content=inner)
