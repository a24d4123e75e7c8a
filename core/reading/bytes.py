"""Positional reads from a log, read-only; the file is never mapped, locked or written."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path
from typing import Protocol


class Bytes(Protocol):
    size: int

    def read(self, offset: int, size: int) -> bytes:
        """Up to `size` bytes at `offset`; fewer only at the end."""
        ...

    def close(self) -> None: ...


class MemoryBytes:
    """Bytes that are already here (a pipe, a test)."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.size = len(data)

    def read(self, offset: int, size: int) -> bytes:
        return self.data[offset : min(offset + size, self.size)]

    def close(self) -> None:
        pass


class FileBytes:
    """A regular file. Not mapped: a file cut short under a mapping kills the process.

    `size` is the size when it was opened; later growth is not part of this reading.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb", buffering=0)
        self._lock = threading.Lock()
        self.size = os.fstat(self._file.fileno()).st_size

    def read(self, offset: int, size: int) -> bytes:
        size = min(size, self.size - offset)
        parts: list[bytes] = []
        with self._lock:
            self._file.seek(offset)
            while size > 0:
                part = self._file.read(size)
                if not part:
                    break
                parts.append(part)
                size -= len(part)
        return b"".join(parts) if len(parts) != 1 else parts[0]

    def close(self) -> None:
        self._file.close()


def open_bytes(path: Path) -> Bytes:
    """Opens a regular file or drains a pipe. Raises OSError."""
    mode = path.stat().st_mode
    if stat.S_ISREG(mode):
        return FileBytes(path)
    if stat.S_ISFIFO(mode):
        with path.open("rb") as pipe:
            return MemoryBytes(pipe.read())
    raise OSError(f"not a regular file: {path}")
