"""Names, generations and what a path means (formats 1.3)."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import build
import pytest
from palimpsest.core.reading.bytes import FileBytes, MemoryBytes, open_bytes
from palimpsest.core.reading.places import PlaceError, find_log, generations, named_version
from palimpsest.core.session import open_log


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("session.jsonl", 0),
        ("session.jsonl.zstd", 0),
        ("session.v1.jsonl", 1),
        ("session.v4.jsonl.zstd", 4),
        ("session.v17.jsonl", 17),
    ],
)
def test_canonical_names(name: str, version: int) -> None:
    """formats 1.3."""
    assert named_version(name) == version


@pytest.mark.parametrize(
    "name",
    [
        "session.v0.jsonl",
        "session.v02.jsonl.zstd",
        "session.V2.jsonl",
        "session.jsonl.zst",
        "session.jsonl.0123456789ab.tmp",
        "session.migration.0123456789abcdef.jsonl.tmp",
        "session.migration.0123456789abcdef.jsonl.zstd.tmp",
        "session.lock",
        "session.jsonl\n",
        "session.v١.jsonl",
        "session.v.jsonl",
        "session.v-1.jsonl",
        "Session.jsonl",
        "xsession.jsonl",
        "session.jsonl.zstd.zstd",
        "",
    ],
)
def test_names_that_are_no_generation(name: str) -> None:
    """formats 1.3: not generations, ignore."""
    assert named_version(name) is None


def touch(directory: Path, *names: str) -> None:
    for name in names:
        (directory / name).write_bytes(b"")


def test_the_highest_generation_is_the_log(tmp_path: Path) -> None:
    """formats 1.3 and case 43: numerically highest, never merged."""
    touch(tmp_path, "session.jsonl.zstd", "session.v3.jsonl.zstd", "session.v10.jsonl", "session.lock", "notes.txt")
    touch(tmp_path, "session.v99.jsonl.0123456789ab.tmp")
    (tmp_path / "session.v50.jsonl").mkdir()
    assert [one.version for one in generations(tmp_path)] == [10, 3, 0]
    assert find_log(tmp_path) == tmp_path / "session.v10.jsonl"


def test_a_generation_newer_than_known_is_not_skipped(tmp_path: Path) -> None:
    """formats 1.3 and case 44: never silently an older one."""
    touch(tmp_path, "session.v4.jsonl", "session.v7.jsonl")
    assert find_log(tmp_path).name == "session.v7.jsonl"


def test_both_encodings_of_one_version_are_asked_about(tmp_path: Path) -> None:
    """formats 1.3: show both or ask; an older pair does not matter."""
    touch(tmp_path, "session.jsonl", "session.jsonl.zstd", "session.v2.jsonl")
    assert find_log(tmp_path).name == "session.v2.jsonl"
    touch(tmp_path, "session.v2.jsonl.zstd")
    with pytest.raises(PlaceError, match=r"session\.v2\.jsonl and session\.v2\.jsonl\.zstd"):
        find_log(tmp_path)


def test_a_file_of_any_name_is_itself(tmp_path: Path) -> None:
    touch(tmp_path, "odd name")
    assert find_log(tmp_path / "odd name") == tmp_path / "odd name"


def test_what_leads_nowhere_says_so(tmp_path: Path) -> None:
    with pytest.raises(PlaceError, match="no session log in this directory"):
        find_log(tmp_path)
    with pytest.raises(PlaceError, match="No such file"):
        find_log(tmp_path / "missing")


def test_file_and_memory_read_alike(tmp_path: Path) -> None:
    data = bytes(range(256)) * 5
    (tmp_path / "log").write_bytes(data)
    file, memory = open_bytes(tmp_path / "log"), MemoryBytes(data)
    assert isinstance(file, FileBytes)
    assert file.size == memory.size == len(data)
    for offset, size in ((0, 10), (1270, 100), (5, 0), (1280, 5), (2000, 5)):
        assert file.read(offset, size) == memory.read(offset, size) == data[offset : offset + size]
    file.close()


def test_growth_is_not_part_of_a_reading(tmp_path: Path) -> None:
    """formats 10: the size at opening is what is read."""
    path = tmp_path / "session.jsonl"
    path.write_bytes(build.raw([build.header()]))
    file = open_bytes(path)
    with path.open("ab") as more:
        more.write(b"half a line")
    assert file.read(0, 10_000) == build.raw([build.header()])
    file.close()


def test_pipes_are_drained_and_directories_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="not a regular file"):
        open_bytes(tmp_path)
    path = tmp_path / "pipe"
    os.mkfifo(path)
    data = build.turn_of_tools().zstd()
    writer = threading.Thread(target=path.write_bytes, args=(data,))
    writer.start()
    found = open_bytes(path)
    writer.join()
    assert isinstance(found, MemoryBytes)
    assert found.data == data


def test_a_log_file_is_read_and_never_written(tmp_path: Path) -> None:
    """The file and its directory stay as they are."""
    path = tmp_path / "session.jsonl.zstd"
    path.write_bytes(build.turn_of_tools().zstd())
    path.chmod(0o444)
    before = (path.stat().st_mtime_ns, path.read_bytes(), sorted(tmp_path.iterdir()))
    session = open_log(path)
    assert session.status == "ok"
    session.close()
    assert (path.stat().st_mtime_ns, path.read_bytes(), sorted(tmp_path.iterdir())) == before
