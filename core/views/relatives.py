"""Relatives: the sessions and files that a log is kin to (formats 1.3, 8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ..reading.places import PlaceError, find_log, generations, named_version, session_directories
from ..session import Session, read_heading

Kinship = Literal["parent", "child", "older", "newer"]


@dataclass(frozen=True, slots=True)
class Relative:
    """`path` is the log to open, None where it was not found. `label` tells what the log itself says."""

    kinship: Kinship
    id: str
    path: Path | None
    label: str = ""


def generations_beside(session: Session) -> list[Relative]:
    """The other generations in the log's directory, newest first. Never merged with it. Raises OSError."""
    path = session.path
    mine = named_version(path.name) if path is not None else None
    if path is None or mine is None:
        return []
    return [
        Relative("newer" if one.version > mine else "older", one.path.name, one.path)
        for one in generations(path.parent)
        if one.path.name != path.name and one.version != mine
    ]


def named_children(session: Session) -> dict[str, str]:
    """Ids of child sessions that the log names, with their labels (subagents, workflow agents, team members)."""
    found: dict[str, str] = {}
    cut = session.log.inherited
    for seq in session.log.brackets.children:
        if seq < cut:
            continue
        event = session.log.event(seq)
        data: Any = event.data
        key = "childId"
        if event.type == "team/member":
            data, key = data.get("member"), "id"
        if not isinstance(data, dict):
            continue
        child, label = data.get(key), data.get("label", data.get("name", ""))
        if isinstance(child, str):
            found[child] = label if isinstance(label, str) else ""
    return found


def relatives(session: Session) -> Iterator[Relative]:
    """Parent, children and other generations, as they are found. Reads the header of every session
    under the log's root: to be run where nobody waits for it. Raises OSError."""
    yield from generations_beside(session)
    header = session.log.header
    if header is None:
        return
    named = named_children(session)
    wanted_parent = header.parent
    for directory in session_directories(session.path):
        heading = _heading(directory)
        if heading is None:
            continue
        path, id_, parent = heading
        if id_ == wanted_parent:
            wanted_parent = None
            yield Relative("parent", id_, path)
        elif parent == header.id or id_ in named:
            yield Relative("child", id_, path, named.pop(id_, ""))
    if wanted_parent is not None:
        yield Relative("parent", wanted_parent, None)
    for id_, label in named.items():
        yield Relative("child", id_, None, label)


def _heading(directory: Path) -> tuple[Path, str, str | None] | None:
    """Path, id and parent of the log in a session directory; None for what is no readable session."""
    try:
        path = find_log(directory)
        header = read_heading(path).header
    except (OSError, PlaceError):
        return None
    return (path, header.id, header.parent) if header is not None else None
