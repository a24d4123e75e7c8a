"""The command line as a script meets it: exit codes, one line on standard error, no traceback."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from screens import HELLO, SAMPLES, TORN, TOUR

ENVIRONMENT = {**os.environ, "PYTHONWARNINGS": "error"}


def run(*arguments: str | Path, stdin: bytes | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "palimpsest.tui", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, input=stdin, env=ENVIRONMENT, timeout=60, check=False)
    return subprocess.CompletedProcess(
        command, done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
    )


def refused(done: subprocess.CompletedProcess[str], why: str, code: int = 2) -> None:
    assert done.returncode == code
    assert why in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_terminal_a_log_prints_its_summary() -> None:
    done = run(SAMPLES / "login-redirect")
    assert done.returncode == 0 and done.stderr == ""
    assert "#2518 compaction summary: 14 nodes (#1878 to #2439) → 1" in done.stdout
    assert "340k in (238k cached), 2.4k out" in done.stdout
    assert "turn 5: 56.6k in, 501 out" in done.stdout


def test_a_fork_counts_only_its_own_tokens() -> None:
    child = SAMPLES / "fork" / "sessions" / "--home-dev-project--" / "login-fork-child"
    done = run(child)
    assert "344, of which 166 inherited" in done.stdout
    assert "turn 1:" not in done.stdout and "turn 2:" not in done.stdout and "turn 3:" in done.stdout


def test_dump_prints_one_ascii_object() -> None:
    done = run("dump", TOUR, "--messages", "--at", "1878")
    assert done.returncode == 0 and done.stderr == "" and done.stdout.isascii()
    found = json.loads(done.stdout)
    assert found["surface"] == {"at": 1878, "generation": 1, "nodes": [1878, 1870]}
    assert [one["seq"] for one in found["replacements"]] == [1878]
    assert len(found["messages"]) == 2 and found["events"] == 4084


def test_dump_of_a_torn_log_succeeds_and_says_why_on_standard_error() -> None:
    done = run("dump", TORN)
    refused(done, "torn", code=0)
    assert json.loads(done.stdout)["status"] == "torn"


def test_dump_takes_a_negative_moment() -> None:
    assert json.loads(run("dump", HELLO, "--at", "-1").stdout)["surface"] == {"at": None, "generation": 0, "nodes": []}


@pytest.mark.parametrize(
    ("name", "content", "status", "code"),
    [
        ("empty", b"", "unreadable", 2),
        ("junk", bytes(range(256)) * 40, "unreadable", 2),
        ("newer", b'{"type":"session","version":9,"id":"x","createdAt":1,"delegationDepth":0}\n', "unsupported", 2),
        ("no-header-end", b'{"type":"session","version":0', "unreadable", 2),
        ("zstd-head", b"\x28\xb5\x2f", "unreadable", 2),
        ("other-json", b'{"hello":1}\n', "unreadable", 2),
    ],
)
def test_bad_files_are_dumped_and_refused(tmp_path: Path, name: str, content: bytes, status: str, code: int) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    done = run("dump", path)
    refused(done, name, code)
    assert json.loads(done.stdout)["status"] == status
    shown = run(path)
    refused(shown, name, code)
    assert shown.stdout == ""


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    for command in ([], ["dump"]):
        refused(run(*command, tmp_path / "missing"), "No such file or directory")
        done = run(*command, tmp_path)
        refused(done, "no session log in this directory")
        assert done.stdout == ""
    refused(run(), "name a log file")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read anything")
def test_an_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    shutil.copy(HELLO, path)
    path.chmod(0)
    refused(run(path), "Permission denied")


def test_a_device_is_no_log() -> None:
    refused(run(os.devnull), "not a regular file")


def test_hostile_names_do_not_reach_the_terminal(tmp_path: Path) -> None:
    done = run(tmp_path / "\x1b[31m[/red]\nsecond line")
    refused(done, "␛[31m[/red]")
    assert "\x1b" not in done.stderr


def test_a_file_named_like_a_command_opens_by_its_path(tmp_path: Path) -> None:
    shutil.copy(HELLO, tmp_path / "dump")
    done = subprocess.run(
        [sys.executable, "-m", "palimpsest.tui", "./dump"], cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 0 and b"What a session log is" in done.stdout


def test_version_and_help() -> None:
    assert run("--version").stdout.startswith("palimpsest, version ")
    shown = run("--help").stdout
    assert "dump" in shown and "LOG" in shown


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f'{sys.executable} -m palimpsest.tui dump --messages "{TOUR}" | head -c 10; exit ${{PIPESTATUS[0]}}'
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert done.stderr == b""


def test_a_pipe_can_be_read() -> None:
    command = f'{sys.executable} -m palimpsest.tui dump <(cat "{HELLO}")'
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert json.loads(done.stdout)["events"] == 107
