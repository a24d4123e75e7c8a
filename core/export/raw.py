"""One row of the log as it stands: its place, and its JSON spread over lines."""

from __future__ import annotations

import json

from ..catalogue import say
from ..reading.json import BadJsonError
from ..session import Session
from .figures import date

LINES = 100_000
PIECE = 4_000
"""Characters of a line from which it is cut, so that a string of megabytes can be scrolled."""
BYTES = 1 << 20
"""What is shown of a row that is no JSON."""


def row_title(session: Session, row: int) -> list[str]:
    """Number, type, time and place of a row."""
    columns = session.log.columns
    first, count = columns.seq[row], columns.count[row]
    number = f"#{first}" if count == 1 else say("detail.members", first=first, last=first + count - 1)
    line, byte = session.log.place_of(row)
    name = columns.type_of(row) or say("events.unreadable")
    return [f"{number}  {name}", f"{date(columns.time[row])} · {say('detail.place', line=line, byte=byte)}"]


def row_lines(session: Session, row: int) -> list[str]:
    """A row's JSON, indented; of a row that is no JSON, its bytes as text. Raises OSError, ValueError."""
    try:
        text = json.dumps(session.log.row(row), indent=2, ensure_ascii=False)
    except BadJsonError:
        text = session.log.line(row)[:BYTES].decode("utf-8", "replace")
    lines: list[str] = []
    for line in text.split("\n", LINES)[:LINES]:
        lines += [line[at : at + PIECE] for at in range(0, len(line), PIECE)] or [""]
    return lines
