"""Limits: what a hostile log may cost, and how a person changes that."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import build
import pytest
from opening import codes, opened
from palimpsest.core.reading.json import LONG, BadJsonError, parse
from palimpsest.core.settings import DEFAULT, Limits, SettingError, limits_from
from screens import HELLO


def test_the_environment_sets_limits() -> None:
    assert limits_from({}) == DEFAULT
    assert limits_from(
        {"PALIMPSEST_NESTING": "7", "PALIMPSEST_FRAME_BYTES": " 1000 ", "PALIMPSEST_FAULTS": ""}
    ) == Limits(nesting=7, frame_bytes=1_000)


@pytest.mark.parametrize("text", ["0", "-1", "x", "1e3", "801", "9" * 30, "٣"])
def test_a_limit_that_cannot_be_used_is_refused(text: str) -> None:
    with pytest.raises(SettingError, match="PALIMPSEST_NESTING must be a whole number from 1 to 800"):
        limits_from({"PALIMPSEST_NESTING": text})


def test_the_command_refuses_it_in_one_line() -> None:
    environment = {**os.environ, "PALIMPSEST_NESTING": "many\x1b[31m"}
    command = [sys.executable, "-m", "palimpsest.tui", "dump", str(HELLO)]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert done.returncode == 2 and done.stdout == b"" and b"\x1b" not in done.stderr
    assert done.stderr.count(b"\n") == 1 and b"PALIMPSEST_NESTING must be" in done.stderr


def test_nesting() -> None:
    assert parse(b"[[[]]]", Limits(nesting=3)) == [[[]]]
    with pytest.raises(BadJsonError, match="nested too deeply"):
        parse(b"[[[[]]]]", Limits(nesting=3))


def test_a_long_line_of_brackets_is_refused_before_it_is_built() -> None:
    line = b"[" + b"{}," * (LONG // 2) + b"{}]"
    tracemalloc.start()
    with pytest.raises(BadJsonError, match="more than 1000000 values"):
        parse(line, Limits(values=1_000_000))
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()
    assert isinstance(parse(b'"' + b"x" * (2 * LONG) + b'"', Limits(values=10)), str), "a long text is no bomb"


def test_reading_stops_after_so_many_faulty_rows() -> None:
    log = build.Log()
    log.turn_start()
    data = log.raw() + b"\n" * 50_000
    session = opened(data, limits=Limits(faults=2_000))
    assert session.status == "damaged" and session.log.events == 1
    assert len(session.log.columns) < 5_000
    assert any("the rest of the file is not read" in one.message for one in session.notices)


def test_notices_kept_of_one_kind() -> None:
    log = build.Log()
    log.turn_start()
    session = opened(log.raw() + b"x\n" * 100, limits=Limits(notices=5))
    assert codes(session).count("bad-json") == 5
    assert any("more notices of the kind bad-json" in one.message for one in session.notices)


def test_a_viewer_that_crashes_does_not_exit_with_0(tmp_path: Path) -> None:
    """The exit code is the app's own."""
    program = (
        "import sys\n"
        "from palimpsest.tui import app, commands\n"
        "app.PalimpsestApp.run = lambda self: setattr(self, '_return_code', 3)\n"
        "from palimpsest.core.session import open_session\n"
        "from pathlib import Path\n"
        "with open_session(Path(sys.argv[1])) as session:\n"
        "    commands._view(session)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(HELLO)], capture_output=True, check=False)
    assert done.returncode == 3, done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "palimpsest.tui", "dump", str(HELLO)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2 and b"Traceback" not in done.stderr and b"No space left" in done.stderr


def test_a_hostile_argument_is_cleaned() -> None:
    command = [sys.executable, "-m", "palimpsest.tui", str(HELLO), "\x1b]0;pwn\x07"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 2 and b"\x1b" not in done.stderr and b"\x07" not in done.stderr
