"""Files that change under an open log: the view stays consistent and says what happened."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from palimpsest.core.reading.stamp import Stamp, change, stamp
from palimpsest.tui.screens.viewer import ViewerScreen
from palimpsest.tui.widgets.watch import Watch
from screens import HELLO, SAMPLES, Viewing, viewing

BEFORE = Stamp((1, 2), 100, 5)


@pytest.mark.parametrize(
    ("now", "what"),
    [
        (BEFORE, None),
        (Stamp((1, 2), 101, 5), "grown"),
        (Stamp((1, 2), 99, 9), "cut"),
        (Stamp((1, 2), 100, 6), "rewritten"),
        (Stamp((1, 3), 100, 5), "replaced"),
        (Stamp((1, 3), 900, 5), "replaced"),
        ("gone", "gone"),
        ("unreadable", "unreadable"),
    ],
)
def test_change(now: Stamp, what: str | None) -> None:
    assert change(BEFORE, now) == what


def test_stamp(tmp_path: Path) -> None:
    path = tmp_path / "log"
    assert stamp(path) == "gone"
    path.write_bytes(b"12")
    found = stamp(path)
    assert isinstance(found, Stamp) and found.size == 2
    assert stamp(path / "below") == "unreadable"


async def noticed(view: Viewing) -> str:
    """The footer after the watch has looked once more."""
    view.screen.query_one(Watch).look()
    await view.app.workers.wait_for_complete()
    await view.pilot.pause()
    return view.lines()[-1]


async def test_what_happens_to_the_file_is_said(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    shutil.copy(HELLO, path)
    whole = path.read_bytes()
    async with viewing(path) as view:
        assert "R reads it again" not in await noticed(view)
        with path.open("ab") as more:
            more.write(b'{"type":"turn/start","seq":107,"time":1,"data":{"turn":3}}\n')
        assert "the file has grown" in await noticed(view)
        os.truncate(path, len(whole) // 2)
        assert "the file was cut short" in await noticed(view)
        for key in ("g", "G", "2", "pageup", "v", "1", "g", "G"):
            await view.press(key)
        (tmp_path / "other").write_bytes(whole)
        (tmp_path / "other").rename(path)
        assert "the file was replaced" in await noticed(view)
        path.unlink()
        assert "the file is gone" in await noticed(view)
        await view.press("R")
        assert view.app.screen is view.screen and view.screen.session.log.events == 107


async def test_reading_again_keeps_the_moment(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    shutil.copy(HELLO, path)
    async with viewing(path) as view:
        await view.press("colon", *"8", "enter")
        with path.open("ab") as more:
            more.write(b'{"type":"turn/start","seq":107,"time":1,"data":{"turn":3}}\n')
        await view.press("R")
        await view.app.workers.wait_for_complete()
        await view.pilot.pause()
        screen = view.app.screen
        assert isinstance(screen, ViewerScreen)
        assert (screen.session.log.events, screen.moment) == (108, 8)


async def test_a_torn_tail_that_completes_is_whole_when_read_again(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    whole = HELLO.read_bytes()
    path.write_bytes(whole[:-20])
    async with viewing(path) as view:
        assert view.screen.session.status == "torn"
        path.write_bytes(whole)
        assert "the file has grown" in await noticed(view)
        await view.press("f5")
        await view.app.workers.wait_for_complete()
        await view.pilot.pause()
        screen = view.app.screen
        assert isinstance(screen, ViewerScreen)
        assert (screen.session.status, screen.session.log.events) == ("ok", 107)


async def test_a_newer_generation_is_announced_and_opened(tmp_path: Path) -> None:
    shutil.copy(HELLO, tmp_path / "session.jsonl")
    async with viewing(tmp_path / "session.jsonl") as view:
        shutil.copy(SAMPLES / "hello-v4" / "session.v4.jsonl", tmp_path)
        assert "a newer generation (v4) has appeared" in await noticed(view)
        await view.press("R")
        await view.app.workers.wait_for_complete()
        await view.pilot.pause()
        screen = view.app.screen
        assert isinstance(screen, ViewerScreen) and screen.session.log.header is not None
        assert screen.session.log.header.version == 4
