"""A session: one log and the surface folded from it, read together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .dialects.header import HeaderReading
from .log import Log
from .log.log import Status
from .log.reader import Reader
from .notices import Notice
from .reading.bytes import Bytes, open_bytes
from .reading.container import Container
from .reading.places import generations, named_version
from .settings import DEFAULT, Limits
from .surface import Surface


@dataclass(slots=True)
class Session:
    """An opened log. `load` reads it; everything else may be asked while that runs.

    Hold `log.lock` to look at several things of one moment while another thread loads.
    """

    log: Log
    surface: Surface
    path: Path | None = None
    loaded: bool = False
    _misnamed: Notice | None = None
    _beside: list[Notice] = field(default_factory=list)

    def load(self) -> Iterator[float]:
        """Reads and folds, batch by batch; yields the share of the file read so far, 0 to 1."""
        size = self.log.container.data.size
        for _ in Reader(self.log).read():
            with self.log.lock:
                self.surface.advance()
            yield self.log.container.done / size if size else 1.0
        with self.log.lock:
            self.surface.advance()
            self._misnamed = self._name_notice()
            self._beside = self._generation_notices()
            self.loaded = True

    @property
    def status(self) -> Status:
        status = self.log.status
        if status in ("ok", "torn") and (self.surface.fault is not None or self._misnamed is not None):
            return "invalid"
        return status

    @property
    def notices(self) -> list[Notice]:
        """Everything the reader tolerated or refused."""
        found = [*self.log.notices.all(), *self._beside]
        if self._misnamed is not None:
            found.append(self._misnamed)
        fault = self.surface.fault
        if fault is not None and fault not in found:
            found.append(fault)
        return found

    @property
    def end(self) -> int:
        """The last moment: the seq of the last trusted event, -1 for an empty log."""
        return self.log.events - 1

    @property
    def trusted_to(self) -> int:
        """The last moment whose surface is certain: the one before the fold met a fault."""
        return self.end if self.surface.fault is None else (self.surface.fault.seq or 0) - 1

    def row_behind(self, seq: int) -> int | None:
        """The row of the log that holds a trusted event, None if there is none."""
        try:
            return self.log.row_of(seq)
        except KeyError:
            return None

    def close(self) -> None:
        """Lets go of the file; payloads cannot be read after that."""
        self.log.container.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _generation_notices(self) -> list[Notice]:
        """Other generations beside this log: complete, frozen copies of an earlier moment, never merged."""
        named = named_version(self.path.name) if self.path is not None else None
        if self.path is None or named is None:
            return []
        try:
            beside = [one for one in generations(self.path.parent) if one.version != named]
        except OSError:
            return []  # a directory that may not be listed says nothing about the log itself
        found = []
        older = ", ".join(one.path.name for one in beside if one.version < named)
        newer = ", ".join(one.path.name for one in beside if one.version > named)
        if older:
            found.append(Notice("generation", "info", f"older generations lie beside this log, frozen: {older}"))
        if newer:
            found.append(Notice("generation", "warning", f"a newer generation of this log lies beside it: {newer}"))
        return found

    def _name_notice(self) -> Notice | None:
        header = self.log.header
        named = named_version(self.path.name) if self.path is not None else None
        if header is None or named is None or named == header.version:
            return None
        message = f"the file is named as version {named}, its header says version {header.version}"
        return Notice("generation", "error", message, line=1, byte=0)


def session_of(data: Bytes, path: Path | None = None, limits: Limits = DEFAULT) -> Session:
    """A session over bytes at hand, not read yet."""
    log = Log(Container(data, limits))
    return Session(log, Surface(log), path)


def open_session(path: Path, limits: Limits = DEFAULT) -> Session:
    """Opens a log file, not read yet. Raises OSError."""
    return session_of(open_bytes(path), path, limits)


def open_log(path: str | Path) -> Session:
    """Opens a log file and reads all of it; use it in a `with`, or close it. Raises OSError."""
    session = open_session(Path(path))
    for _ in session.load():
        pass
    return session


def read_heading(path: Path) -> HeaderReading:
    """Reads no more of a log than its first chunk, for its header. Raises OSError."""
    with open_session(path) as session:
        next(session.load(), None)
        return session.log.heading
