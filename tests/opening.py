"""Opens built logs: what the tests ask of a session, in one word each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from palimpsest.core.export.dump import dump, to_json
from palimpsest.core.reading.bytes import MemoryBytes
from palimpsest.core.session import Session, session_of
from palimpsest.core.settings import DEFAULT, Limits


def opened(data: bytes, path: Path | None = None, limits: Limits = DEFAULT) -> Session:
    """A session over bytes, read to its end."""
    session = session_of(MemoryBytes(data), path, limits)
    for _ in session.load():
        pass
    return session


def dumped(data: bytes, at: int | None = None, *, messages: bool = True) -> dict[str, Any]:
    """The dump of bytes, through its JSON text as a script would get it."""
    found: dict[str, Any] = json.loads(to_json(dump(opened(data), at, messages)))
    return found


def codes(session: Session) -> list[str]:
    return [notice.code for notice in session.notices]


def events(session: Session) -> list[tuple[int, int, str, Any]]:
    """Every trusted event, its payload read again."""
    found = (session.log.event(seq) for seq in range(session.log.events))
    return [(one.seq, one.time, one.type, one.data) for one in found]


def sequence(session: Session) -> list[int]:
    """The nodes at the end."""
    return session.surface.seqs_at(session.end)
