"""Opening a log for the viewer: from inside it, where a refusal is an answer and not an exit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ...core.catalogue import say
from ...core.reading.places import PlaceError, find_log, named_version
from ...core.session import Session, open_session
from ...core.settings import Limits


class Opened(NamedTuple):
    """A session whose header is read, and the rest of its reading."""

    session: Session
    steps: Iterator[float]


def open_for_viewing(path: Path, limits: Limits) -> Opened | str:
    """Opens a log and reads its header; the reason, in one sentence, if it cannot be shown."""
    try:
        session = open_session(path, limits)
    except OSError as error:
        return say("error.nothing", path=path, reason=error.strerror or error)
    steps = session.load()
    next(steps, None)
    if session.log.header is not None:
        return Opened(session, steps)
    session.close()
    return say("error.nothing", path=path, reason=say(f"status.{session.status}"))


def newest_of(path: Path) -> Path | str:
    """The newest generation of the log at `path`, which may be the path itself; a sentence if there is none."""
    if named_version(path.name) is None:
        return path
    try:
        return find_log(path.parent)
    except PlaceError as error:
        return str(error)
