"""The real program in a real terminal: start, step, resize, quit. Needs tmux."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from screens import TORN, TOUR

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
PATIENCE = 30.0


class Terminal:
    """One tmux server of its own, so that nothing else is touched."""

    def __init__(self, socket: Path) -> None:
        self._socket = str(socket)

    def tmux(self, *arguments: str) -> str:
        command = ["tmux", "-S", self._socket, "-f", "/dev/null", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def start(self, log: Path, width: int, height: int) -> None:
        viewer = f"env -u COLUMNS -u LINES TEXTUAL_ANIMATIONS=none {sys.executable} -m palimpsest.tui '{log}'"
        program = f"{viewer}; code=$?; stty -a; echo exit $code; sleep 60"
        self.tmux("new-session", "-d", "-x", str(width), "-y", str(height), "bash", "-c", program)

    def text(self) -> str:
        return self.tmux("capture-pane", "-p")

    def keys(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def wait(self, sign: str | Callable[[str], bool]) -> str:
        """The screen as soon as it shows the sign; the test fails if it never does."""
        end = time.monotonic() + PATIENCE
        while True:
            text = self.text()
            if sign(text) if callable(sign) else sign in text:
                return text
            if time.monotonic() > end:
                pytest.fail(f"{sign!r} never showed:\n{text}")
            time.sleep(0.05)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    found = Terminal(tmp_path / "tmux")
    yield found
    subprocess.run(["tmux", "-S", str(tmp_path / "tmux"), "kill-server"], capture_output=True, check=False)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (200, 50)])
def test_open_step_and_quit(terminal: Terminal, width: int, height: int) -> None:
    terminal.start(TOUR, width, height)
    terminal.wait("gen 6/6")
    terminal.keys("[", "[")
    terminal.wait("#3167 pruned tool result")
    terminal.keys("b")
    terminal.wait("BEFORE")
    terminal.keys("]")
    terminal.wait("AFTER")
    terminal.keys("?")
    terminal.wait("next replacement")
    terminal.keys("Escape")
    terminal.wait(lambda text: "next replacement" not in text)
    terminal.keys("q")
    left = terminal.wait("exit 0")
    assert "echo" in left and "-echo " not in left, "the terminal is left as it was"


def test_a_resize_rearranges_the_panes(terminal: Terminal) -> None:
    terminal.start(TOUR, 200, 50)
    terminal.wait("1 Stream ─")
    terminal.tmux("resize-window", "-x", "80", "-y", "24")
    text = terminal.wait("1 Stream  2 History  3 Model surface")
    assert len([line for line in text.splitlines() if "╭" in line]) == 1
    terminal.tmux("resize-window", "-x", "30", "-y", "8")
    terminal.keys("[")
    terminal.wait("#3606")
    terminal.keys("q")
    terminal.tmux("resize-window", "-x", "80", "-y", "24")
    terminal.wait("exit 0")


def test_a_torn_log_opens(terminal: Terminal) -> None:
    terminal.start(TORN, 120, 40)
    text = terminal.wait("the file ends inside a frame")
    assert "torn" in text
    terminal.keys("q")
    terminal.wait("exit 0")


def test_junk_is_one_line_and_exit_2(terminal: Terminal, tmp_path: Path) -> None:
    junk = tmp_path / "junk"
    junk.write_bytes(b"\x00\x1b[31m" * 100)
    terminal.start(junk, 400, 40)  # wide: the path must not break the sentence
    text = terminal.wait("exit 2")
    assert "no readable session log" in text and "Traceback" not in text
