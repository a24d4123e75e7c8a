"""All events: one readable line for every row of the log, known or not (formats 4.2)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from ..catalogue import ENGLISH
from ..dialects.packed import TAGS, texts
from ..dialects.vocabulary import LOG_TYPES
from ..reading.json import BadJsonError
from ..session import Session

_FIELD = re.compile(r"\{([\w.#]+)\}")
_UNKNOWN_LENGTH = 2_000


@dataclass(frozen=True, slots=True)
class EventLine:
    """One row of the log. first, last: its events (equal but for packed rows; -1 if unreadable).
    time is in epoch ms. `known`: a type that a released version knows."""

    first: int
    last: int
    time: int
    type: str
    text: str
    known: bool


def event_line(session: Session, row: int) -> EventLine:
    """The line of a row; raises OSError or ValueError only if the file itself cannot be read again."""
    columns = session.log.columns
    type_, first, count = columns.type_of(row), columns.seq[row], columns.count[row]
    try:
        raw = session.log.row(row)
    except BadJsonError:
        text = session.log.line(row)[:_UNKNOWN_LENGTH].decode("utf-8", "replace")
        return EventLine(first, first + count - 1, columns.time[row], type_, text, False)
    packed = type_ in TAGS and "seq0" in raw
    text = "".join(texts(raw)) if packed else event_text(type_, raw.get("data"))
    return EventLine(first, first + count - 1, columns.time[row], type_, text, type_ in LOG_TYPES or type_ in TAGS)


def event_text(type_: str, data: Any) -> str:
    """What happened, in a few words; an unknown event as its JSON."""
    template = ENGLISH.get(f"event.{type_}")
    if template is None or not isinstance(data, dict):
        return json.dumps(data, ensure_ascii=False)[:_UNKNOWN_LENGTH]
    told = _FIELD.sub(lambda match: _value(data, match[1]), template)
    return re.sub(r" +", " ", told).strip(" ,:·")


def _value(data: Any, path: str) -> str:
    """The value at a dotted path as a word; `#` at its end counts a list. Empty where there is none."""
    counted = path.endswith("#")
    for key in path.rstrip("#").split("."):
        data = data.get(key) if isinstance(data, dict) else None
    if counted:
        return str(len(data)) if isinstance(data, list) else "0"
    if data is None:
        return ""
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)[:_UNKNOWN_LENGTH]
