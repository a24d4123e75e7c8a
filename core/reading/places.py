"""Where logs lie: canonical names, and which generation of a session directory is the log (formats 1.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_NO_CWD = "_no-cwd"
_NAME = re.compile(r"session(?:\.v([1-9][0-9]*))?\.jsonl(\.zstd)?")


class PlaceError(Exception):
    """A path that leads to no log; the text is one sentence for a person."""


@dataclass(frozen=True, slots=True)
class Generation:
    """One canonical log file of a session directory."""

    path: Path
    version: int


def named_version(name: str) -> int | None:
    """The format version that a canonical file name states, None for any other name."""
    match = _NAME.fullmatch(name)
    return int(match[1] or 0) if match else None


def generations(directory: Path) -> list[Generation]:
    """The canonical logs of a session directory, newest version first. Raises OSError."""
    found = [
        Generation(entry, version)
        for entry in directory.iterdir()
        if (version := named_version(entry.name)) is not None and entry.is_file()
    ]
    return sorted(found, key=lambda one: (-one.version, one.path.name))


def newest_version(directory: Path) -> int | None:
    """The version of the newest generation in a directory, None if there is none or it cannot be listed."""
    try:
        found = generations(directory)
    except OSError:
        return None
    return found[0].version if found else None


def find_log(path: Path) -> Path:
    """The log that a path means: a file itself, a session directory's newest generation.

    Raises PlaceError with what to do instead.
    """
    try:
        if not path.is_dir():
            path.stat()
            return path
        found = generations(path)
    except OSError as error:
        raise PlaceError(f"{path}: {error.strerror or error}") from None
    if not found:
        raise PlaceError(
            f"{path}: no session log in this directory (session.jsonl or session.vN.jsonl, with or without .zstd)"
        )
    newest = [one for one in found if one.version == found[0].version]
    if len(newest) > 1:
        names = " and ".join(one.path.name for one in newest)
        raise PlaceError(f"{path}: holds both {names}; name the one to open")
    return newest[0].path


def session_directories(log: Path | None) -> Iterator[Path]:
    """The directories of other sessions that lie where this log's does: under the same sessions root
    (`<root>/<project>/<session>/<log>`), else, in a folder of another shape, right beside its own.

    Raises OSError.
    """
    if log is None:
        return
    own = log.absolute().parent
    project = own.parent
    projects = [project]
    if project.name == _NO_CWD or (project.name.startswith("--") and project.name.endswith("--")):
        projects = sorted(entry for entry in project.parent.iterdir() if entry.is_dir())
    for folder in projects:
        for entry in sorted(folder.iterdir()):
            if entry != own and entry.is_dir():
                yield entry
