"""A session: one log and the surface folded from it, read together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .log import Log
from .log.log import Status
from .log.reader import Reader
from .notices import Notice
from .reading.bytes import Bytes, open_bytes
from .reading.container import Container
from .reading.places import named_version
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
    _misnamed: Notice | None = field(default=None)

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
        found = list(self.log.notices.all())
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

    def close(self) -> None:
        """Lets go of the file; payloads cannot be read after that."""
        self.log.container.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _name_notice(self) -> Notice | None:
        header = self.log.header
        named = named_version(self.path.name) if self.path is not None else None
        if header is None or named is None or named == header.version:
            return None
        message = f"the file is named as version {named}, its header says version {header.version}"
        return Notice("generation", "error", message, line=1, byte=0)


def session_of(data: Bytes, path: Path | None = None) -> Session:
    """A session over bytes at hand, not read yet."""
    log = Log(Container(data))
    return Session(log, Surface(log), path)


def open_session(path: Path) -> Session:
    """Opens a log file, not read yet. Raises OSError."""
    return session_of(open_bytes(path), path)


def open_log(path: str | Path) -> Session:
    """Opens a log file and reads all of it; use it in a `with`, or close it. Raises OSError."""
    session = open_session(Path(path))
    for _ in session.load():
        pass
    return session
