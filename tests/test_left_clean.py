"""The terminal is left as it was: after quitting, ctrl+c, signals and a crash; in a real pseudo-terminal."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from screens import TOUR

pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")
pytestmark = pytest.mark.slow

PATIENCE = 30.0
CRASH = (
    "from palimpsest.tui.screens.viewer import ViewerScreen\n"
    "def crash(self):\n"
    "    raise RuntimeError('injected')\n"
    "ViewerScreen.action_help = crash\n"
    "from palimpsest.tui.__main__ import main\n"
    "main()\n"
)
MODES = {"1000", "1002", "1003", "1006", "1015", "1004", "2004"}
"""Private modes a full-screen app may switch on: mouse, focus, paste."""


class Terminal:
    """The viewer in a pseudo-terminal of its own."""

    def __init__(self, arguments: list[str]) -> None:
        self.main, self.side = pty.openpty()
        termios.tcsetwinsize(self.side, (40, 120))
        self.before = termios.tcgetattr(self.side)
        environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [sys.executable, *arguments, str(TOUR)],
            stdin=self.side, stdout=self.side, stderr=self.side, env=environment, start_new_session=True,
        )  # fmt: skip
        self.output = b""

    def read_until(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < end, self.output[-2_000:]
            if select.select([self.main], [], [], 0.05)[0]:
                self.output += os.read(self.main, 65_536)

    def drawn(self) -> bool:
        return b"6/6" in self.output

    def ended(self) -> int:
        self.read_until(lambda: self.process.poll() is not None)
        while select.select([self.main], [], [], 0.2)[0]:
            self.output += os.read(self.main, 65_536)
        return self.process.returncode

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.main)
        os.close(self.side)

    def left_on(self) -> set[str]:
        """The private modes that were switched on and not off again; the alternate screen and a hidden cursor too."""
        state: dict[str, bool] = {}
        for modes, letter in re.findall(rb"\x1b\[\?([\d;]+)([hl])", self.output):
            for mode in modes.decode().split(";"):
                state[mode] = letter == b"h"
        on = {mode for mode in MODES if state.get(mode)}
        if state.get("1049"):
            on.add("alternate screen")
        if state.get("25") is False:
            on.add("hidden cursor")
        assert "1049" in state, "the viewer was on the alternate screen at all"
        return on


def quit_by_key(terminal: Terminal) -> None:
    os.write(terminal.main, b"q")


def interrupt_twice(terminal: Terminal) -> None:
    os.write(terminal.main, b"\x03")
    terminal.read_until(lambda: b"once" in terminal.output)
    os.write(terminal.main, b"\x03")


def terminate(terminal: Terminal) -> None:
    terminal.process.send_signal(signal.SIGTERM)


def hang_up(terminal: Terminal) -> None:
    terminal.process.send_signal(signal.SIGHUP)


def ask_for_help(terminal: Terminal) -> None:
    os.write(terminal.main, b"?")


@pytest.mark.parametrize(
    ("arguments", "end", "code"),
    [
        (["-m", "palimpsest.tui"], quit_by_key, 0),
        (["-m", "palimpsest.tui"], interrupt_twice, 130),
        (["-m", "palimpsest.tui"], terminate, 143),
        (["-m", "palimpsest.tui"], hang_up, 129),
        (["-c", CRASH], ask_for_help, 1),
    ],
    ids=["q", "ctrl+c twice", "SIGTERM", "SIGHUP", "a crash"],
)
def test_the_terminal_is_left_clean(arguments: list[str], end: Callable[[Terminal], None], code: int) -> None:
    terminal = Terminal(arguments)
    try:
        terminal.read_until(terminal.drawn)
        end(terminal)
        assert terminal.ended() == code
        assert terminal.left_on() == set()
        assert termios.tcgetattr(terminal.side) == terminal.before
    finally:
        terminal.close()


def test_the_check_itself_can_fail(tmp_path: Path) -> None:
    """A viewer that is killed cannot clean up, and the check says so."""
    terminal = Terminal(["-m", "palimpsest.tui"])
    try:
        terminal.read_until(terminal.drawn)
        terminal.process.send_signal(signal.SIGKILL)
        assert terminal.ended() == -signal.SIGKILL
        assert "alternate screen" in terminal.left_on()
    finally:
        terminal.close()
