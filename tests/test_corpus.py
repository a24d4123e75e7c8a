"""Every hostile log of the corpus: read, dumped, summed up and viewed, in a bounded amount of memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from corpus import AFTER, TABLE, Hostile
from fuzz import check, laid_out
from opening import opened
from palimpsest.core.export.plain import is_clean, one_line
from palimpsest.core.session import open_log
from palimpsest.tui.app import PalimpsestApp
from palimpsest.tui.commands import EXIT, cli
from palimpsest.tui.panes.pane import Pane
from palimpsest.tui.screens.viewer import ViewerScreen
from rich.cells import cell_len
from rich.segment import Segment
from screens import Viewing, viewing
from textual.strip import Strip

ALLOWANCE = 24 << 20
"""Bytes that a process may grow by whatever the log."""


def entries(*, bounds: bool | None = None) -> list[object]:
    """The corpus as parameters; with or without what is made to exhaust a viewer."""
    found: list[object] = []
    for entry in TABLE:
        if bounds is None or bounds == bool(entry.plain):
            marks = [pytest.mark.slow] if entry.slow else []
            if entry.huge:
                marks.append(
                    pytest.mark.skipif("PALIMPSEST_HUGE" not in os.environ, reason="PALIMPSEST_HUGE=1 tries it")
                )
            found.append(pytest.param(entry, id=entry.name, marks=marks))
    return found


def placed(entry: Hostile, root: Path) -> Path:
    """The entry's files on disk; the path of its log."""
    for place, make in {entry.place: entry.make, **entry.beside}.items():
        path = root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(make())
    return root / entry.place


# Reading


@pytest.mark.parametrize("entry", entries(bounds=False))
def test_what_is_read_and_what_is_said(entry: Hostile, tmp_path: Path) -> None:
    with open_log(placed(entry, tmp_path)) as session:
        found = check(session)
        assert found["status"] in entry.status
        assert set(entry.codes) <= {one["code"] for one in found["notices"]}
        lines = list(laid_out(session))
        told = [one_line(one["message"]) for one in found["notices"]]
    for words in entry.shown:
        assert any(words in line for line in lines), words
    for words in entry.told:
        assert any(words in line for line in told), words


@pytest.mark.parametrize("entry", entries(bounds=False))
def test_what_the_commands_print(entry: Hostile, tmp_path: Path) -> None:
    path = placed(entry, tmp_path)
    code = EXIT[entry.status[0]]
    for command in ("", "dump --messages", "dump --at 1", "check", "check --json"):
        arguments = [*command.split(), str(path)]
        done = CliRunner().invoke(cli, arguments)
        assert isinstance(done.exception, SystemExit | None), done.exception
        assert done.exit_code == code
        assert all(is_clean(line) for line in (done.stdout + done.stderr).split("\n"))
        assert done.stderr.count("\n") <= 1
        if arguments[0] == "dump":
            assert json.loads(done.stdout)["status"] in entry.status
        elif arguments[0] == "check":
            assert entry.status[0] in done.stdout
        elif code == 2:
            assert not done.stdout
        else:
            assert entry.status[0] in done.stdout


# Viewing


def screen_rows(view: Viewing) -> list[Strip]:
    """What the screens are made of, the covered ones too, exactly as it goes to the terminal."""
    return [strip for screen in view.app.screen_stack for strip in screen._compositor.render_strips()]


def look(view: Viewing, seen: set[str]) -> None:
    """Adds the rows of the screen; no row holds what a terminal obeys, and none is wider than the screen."""
    width = view.app.size.width
    for strip in screen_rows(view):
        assert not any(segment.control for segment in strip)
        if strip.text not in seen:
            assert is_clean(strip.text) and "\n" not in strip.text, ascii(strip.text)
            assert cell_len(strip.text) == strip.cell_length == width, ascii(strip.text)
            seen.add(strip.text)


async def typed(view: Viewing, key: str) -> None:
    """One key, without waiting until the machine is idle as the pilot does."""
    view.app.simulate_key(key)
    await view.pilot.pause(0)
    if key in ("1", "2", "3", "v", "w"):
        await view.pilot.pause(0)
    elif key in ("enter", "p"):
        await view.app.workers.wait_for_complete()
        await view.pilot.pause(0)


KEYS = "g enter escape 1 v v 3 g left_square_bracket b l".split()
MORE = "w escape m l 2 pagedown r escape p escape a left_curly_bracket z tab enter escape G".split()
"""Keys for logs whose hostile text stands everywhere."""
SIZES = [(80, 24), (20, 5), (200, 50)]
SHARES = [1, 11, 12]
"""Every entry is shown at the first size, a share of them at the others."""

VIEWS = [
    pytest.param(entry, size, id=f"{entry.name} at {size[0]}x{size[1]}")
    for size, share in zip(SIZES, SHARES, strict=True)
    for entry in [one for one in TABLE if one.opens and (not one.plain or (share == 1 and one.viewed))][::share]
]


@pytest.mark.parametrize(("entry", "size"), VIEWS)
async def test_what_the_viewer_shows(entry: Hostile, size: tuple[int, int], tmp_path: Path) -> None:
    seen: set[str] = set()
    async with viewing(placed(entry, tmp_path), size) as view:
        assert view.screen.session.status in entry.status
        look(view, seen)
        keys = (["w", "escape"] if entry.told else []) + KEYS + (MORE if "everywhere" in entry.name else [])
        for key in keys:
            await typed(view, key)
            look(view, seen)
        assert is_clean(view.app.title)
        assert isinstance(view.app.screen, ViewerScreen) and view.app.is_running
    if size[0] >= 80:
        for words in (*entry.shown, *entry.told):
            assert any(words in line for line in seen), words


async def test_a_row_that_is_not_clean_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check itself: a pane that let log text through would be caught."""
    for words in ("\x1b[31mred", "a\u202eb", "\x9b5n", "one\ntwo"):
        with monkeypatch.context() as patch:
            patch.setattr(Pane, "render_line", lambda self, y, words=words: Strip([Segment(words)]))
            async with viewing(opened(TABLE[0].make()), (80, 24)) as view:
                with pytest.raises(AssertionError):
                    look(view, set())


def test_the_app_takes_its_title_from_a_hostile_name(tmp_path: Path) -> None:
    path = tmp_path / "\x1b]0;x\x07 [red]\u202e.jsonl"
    path.write_bytes(TABLE[0].make())
    with open_log(path) as session:
        title = PalimpsestApp(session).title
    assert is_clean(title) and "[red]" in title


# Bounds

_PROBE = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from fuzz import check, laid_out, panes
from palimpsest.core.export.dump import dump, to_json
from palimpsest.core.session import open_log

def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM"))

before = peak()
with open_log(sys.argv[1]) as session:
    fast = sys.argv[3] == "fast"
    found = check(session) if fast else json.loads(to_json(dump(session)))
    grown = peak() - before
    lines = list((laid_out if fast else panes)(session, [session.end], (78,), 150))
codes = sorted({one["code"] for one in found["notices"]})
told = [one["message"] for one in found["notices"]]
print(json.dumps({"grown": grown, "status": found["status"], "codes": codes, "lines": lines, "told": told}))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peaks are read from /proc")
@pytest.mark.parametrize("entry", entries(bounds=True))
def test_bounds(entry: Hostile, tmp_path: Path) -> None:
    """In a process of its own, so that the peak is that of this log."""
    command = [sys.executable, "-c", _PROBE, str(placed(entry, tmp_path)), str(Path(__file__).parent)]
    command.append("slow" if entry.slow else "fast")
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()[-2_000:]
    found = json.loads(done.stdout)
    assert found["status"] in entry.status
    assert set(entry.codes) <= set(found["codes"])
    for words in entry.shown:
        assert any(words in line for line in found["lines"]), words
    for words in entry.told:
        assert any(words in line for line in found["told"]), words
    assert found["grown"] <= ALLOWANCE + entry.growth * entry.plain, f"{found['grown'] / entry.plain:.1f} times"


def test_the_table_is_what_it_says() -> None:
    assert len({entry.name for entry in TABLE}) == len(TABLE)
    assert all(entry.shown or entry.told or not entry.opens or entry.name.startswith("time past") for entry in TABLE)
    assert sum(AFTER in entry.shown for entry in TABLE) > 30
