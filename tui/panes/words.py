"""How messages are told in a pane: who speaks, and its parts as paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.catalogue import say
from ...core.dialects.event import Operation
from ...core.dialects.producers import CHECKPOINT, PERSON
from ...core.messages import read_message
from ...core.session import Session
from ...core.surface import derive
from ...core.views.history import closer_of
from ...core.views.parts import Part, parts
from ..drawing.entry import Paragraph, Span

WHOLE = 60
"""Rows of what a person or the model wrote that show while the row is folded."""


SUMMARY = 16


@dataclass(frozen=True, slots=True)
class Told:
    """Who speaks, and what, read from the log again."""

    speaker: Span
    body: Sequence[Paragraph]


def tell(session: Session, operation: Operation, moment: int, colours: bool) -> Told:
    """The message of an operation as it is at `moment`. colours: tool output shows its own."""
    try:
        found = derive(session.log, operation, moment)
    except (ValueError, KeyError, OSError) as error:
        return Told(_speaker(operation, ""), [Paragraph(say("part.unreadable", reason=error), "error")])
    if found is None:
        return Told(_speaker(operation, ""), [Paragraph(say("history.empty-message"), "faint")])
    message = read_message(found)
    rows = _rows_shown(operation)
    closer = closer_of(message.id)
    note = [Paragraph(say(f"history.closer.{closer}"), "faint")] if closer is not None else []
    body = note + [_paragraph(part, "context" if rows < WHOLE else "plain", rows, colours) for part in parts(message)]
    return Told(_speaker(operation, session.log.brackets.tools.get(operation.seq, "")), body)


def _rows_shown(operation: Operation) -> int:
    """Rows of text shown while folded: injected context gives way to what people and the model say."""
    if operation.type in ("assistant/message", "tool/result") or operation.producer == PERSON:
        return WHOLE
    return SUMMARY if operation.producer == CHECKPOINT else 2


def _speaker(operation: Operation, tool: str) -> Span:
    """Who speaks; injected context is named after its producer."""
    match operation.type:
        case "assistant/message":
            return Span(say("who.model"), "model")
        case "tool/result":
            return Span(f"{say('who.tool')} {tool}".rstrip(), "tool")
        case "user/message" if operation.producer == PERSON:
            return Span(say("who.person"), "person")
        case "system/message":
            return Span(say("who.system"), "context")
        case "developer/message":
            return Span(f"{say('who.developer')} {operation.producer}", "context")
        case _:
            return Span(operation.producer or operation.type, "context")


def _paragraph(part: Part, tone: str, rows: int, colours: bool) -> Paragraph:
    match part.kind:
        case "text":
            return Paragraph(part.text, tone, rows=rows)
        case "reasoning":
            return Paragraph(part.text, "reasoning", say("part.thinking"), rows=3)
        case "call":
            return Paragraph(say("part.call", name=part.title, arguments=part.text), "call", rows=2)
        case "result":
            return Paragraph(part.text, "plain", rows=6, colours=colours)
        case "failed-result":
            return Paragraph(part.text, "failed", say("part.failed"), rows=6, colours=colours)
        case "image":
            return Paragraph(say("part.image", name=part.title, facts=part.text), "note")
        case "file":
            return Paragraph(say("part.file", name=part.title, facts=part.text), "note")
        case "other":
            return Paragraph(say("part.other", name=part.title, json=part.text), "note", rows=4)
