"""`check`: what a fault takes in, the report, its JSON, and the exit codes of the real command."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import build
import pytest
from opening import opened
from palimpsest.core.export import check
from palimpsest.core.export.check import facts
from palimpsest.core.export.dump import to_json
from palimpsest.core.export.plain import is_clean
from palimpsest.core.export.report import LINE, LISTED, report
from palimpsest.core.notices import Extent, Notice
from screens import HELLO, SAMPLES, TORN
from test_commands import refused, run

KEYS = (
    "path error status file header events inherited turns replacements surface salvaged open notices findings "
    "provenance generations"
).split()
NOTICE = "code severity message seq line byte frame expected found affected".split()


def checked(data: bytes, path: Path | None = None) -> dict[str, Any]:
    """The facts of bytes, through their JSON text."""
    found: dict[str, Any] = json.loads(to_json(facts(opened(data, path))))
    return found


def noticed(data: bytes, code: str) -> Notice:
    return next(one for one in opened(data).notices if one.code == code)


def users(count: int = 6) -> build.Log:
    log = build.Log()
    for _ in range(count):
        log.user()
    return log


# The extent of a fault


def test_a_gap_tells_both_numbers_and_what_is_missing() -> None:
    log = users()
    log.next = 9
    log.user()
    notice = noticed(log.zstd(), "seq-gap")
    assert (notice.expected, notice.found, notice.affected) == ("event 6", "event 9", Extent(3, "events"))
    assert notice.frame == 4
    raw = noticed(log.raw(), "seq-gap")
    assert (raw.severity, raw.frame, raw.expected, raw.found) == ("warning", None, "event 6", "event 9")


def test_an_event_number_that_comes_twice_misses_nothing() -> None:
    log = users()
    log.next = 2
    log.user()
    notice = noticed(log.raw(), "seq-gap")
    assert (notice.expected, notice.found, notice.affected) == ("event 6", "event 2", None)


def test_a_checksum_that_does_not_fit() -> None:
    frames = [build.frame(build.raw(lines)) for lines in (users().lines[:1], users().lines[1:4], users().lines[4:])]
    broken = build.flipped(frames[1], len(frames[1]) - 1)
    notice = noticed(frames[0] + broken + frames[2], "bad-checksum")
    assert (notice.frame, notice.byte, notice.affected) == (2, len(frames[0]), Extent(len(broken), "bytes"))
    assert notice.expected == f"checksum {int.from_bytes(broken[-4:], 'little'):08x}"


def test_bytes_that_are_no_frame() -> None:
    data = users().zstd()
    notice = noticed(data + b"garbage", "bad-magic")
    assert (notice.frame, notice.byte, notice.affected) == (4, len(data), Extent(7, "bytes"))
    assert (notice.expected, notice.found) == ("28b52ffd", b"garb".hex())


def test_a_torn_end_tells_what_is_left_out() -> None:
    whole = users(3).zstd()
    notice = noticed(users(6).zstd()[:-5], "torn-tail")
    assert (notice.frame, notice.byte) == (3, len(whole))
    assert notice.affected == Extent(len(users(6).zstd()) - 5 - len(whole), "bytes")
    notice = noticed(users().raw() + b'{"type"', "torn-tail")
    assert (notice.frame, notice.affected) == (None, Extent(7, "bytes"))


@pytest.mark.parametrize(("line", "code"), [(b"{]", "bad-json"), (b"[1,2]", "bad-row"), (b'{"type":"x"}', "bad-row")])
def test_a_faulty_row(line: bytes, code: str) -> None:
    log = users(3)
    log.line(line)
    log.user()
    log.line(line)
    first, second = (one for one in opened(log.raw()).notices if one.code == code)
    assert {first.affected, second.affected} == {Extent(len(line), "bytes")}
    assert {first.expected, second.expected} == {"event 3", None}
    assert noticed(log.zstd(2), code).frame == 3


def test_faults_of_the_first_frame() -> None:
    data = users().zstd()
    assert noticed(data[:20], "no-header").affected == Extent(20, "bytes")
    double = build.frame(build.raw(users().lines[:2])) + build.frame(build.raw(users().lines[2:]))
    notice = noticed(double, "header-frame")
    assert (notice.frame, notice.expected) == (1, "one line")
    cut = build.frame(build.raw(users().lines[:1])) + build.frame(build.raw(users().lines[1:])[:-4])
    assert noticed(cut, "bad-frame").frame == 2


# The facts


def test_the_keys_are_those_documented() -> None:
    found = checked(build.turn_of_tools().zstd())
    assert list(found) == KEYS == check.KEYS
    assert all(f"\n    {key} " in (check.__doc__ or "") for key in KEYS)
    assert (found["path"], found["error"], found["status"]) == ("-", None, "ok")
    assert list(found["file"]) == ["encoding", "version", "bytes", "frames", "rows"]
    assert (found["file"]["frames"], found["file"]["rows"], found["events"]) == (7, 16, 18)
    assert found["replacements"] == {"total": 2, "by_kind": {"prune": 1, "summary": 1}}
    assert found["surface"] == {"at": 17, "generation": 2, "nodes": 2}
    assert found["open"] == {"turns": [], "steps": [], "compactions": []}
    assert (found["notices"], found["findings"], found["generations"], found["salvaged"]) == ([], [], [], [])
    assert [list(one) for one in found["provenance"]] == [
        ["seq", "generation", "kind", "start", "end", "shadowed", "cited", "record", "agrees"]
    ] * 2


def test_a_notice_has_the_frame_of_its_line() -> None:
    log = users()
    log.user(op=7)
    (notice,) = checked(log.zstd())["notices"]
    assert list(notice) == NOTICE
    assert (notice["code"], notice["line"], notice["frame"], notice["affected"]) == ("E5", 8, 4, None)
    assert checked(log.raw())["notices"][0]["frame"] is None


def test_what_is_left_open() -> None:
    log = build.Log()
    log.turn_start()
    log.step_start()
    log.add("compaction/start", {"compactionId": "old", "turn": 1})
    log.add("session/end-seed", {})
    log.turn_start(2)
    log.step_start(2)
    log.add("compaction/start", {"compactionId": "new", "turn": 2})
    found = checked(log.raw())
    assert found["open"] == {
        "turns": [{"number": 1, "seq": 0}, {"number": 2, "seq": 4}],
        "steps": [{"turn": 1, "number": 1, "seq": 1}, {"turn": 2, "number": 1, "seq": 5}],
        "compactions": [
            {"id": "old", "seq": 2, "turn": 1, "stale": True},
            {"id": "new", "seq": 6, "turn": 2, "stale": False},
        ],
    }
    text = report(found)
    assert "compaction old (#2), stale" in text and "compaction new (#6)\n" in text and "step 2.1 (#5)" in text


def test_findings_change_no_status() -> None:
    log = build.Log()
    log.assistant(content=[build.tool_call("c")], sourceEventSeqs=[])
    log.user("s", build.replace(0, 0), {"kind": "plugin", "plugin": "compact"}, sourceEventSeqs=[0])
    found = checked(log.raw())
    assert found["status"] == "ok" and found["notices"] == []
    assert [(one["code"], one["severity"]) for one in found["findings"]] == [
        ("orphan-call", "warning"),
        ("provenance", "warning"),
    ]
    assert [one["agrees"] for one in found["provenance"]] == [False]


def test_findings_are_bounded() -> None:
    log = users(300)
    for at in range(300):
        log.user("s", build.replace(at, at), {"kind": "plugin", "plugin": "compact"}, sourceEventSeqs=[at])
    found = checked(log.raw())
    assert len(found["provenance"]) == 300 and len(found["findings"]) == 201
    assert found["findings"][-1]["message"] == "100 more notices of the kind provenance"


def test_a_frozen_surface_is_told_at_its_last_certain_moment() -> None:
    log = users(3)
    log.user("bad", build.replace(9, 9), sourceEventSeqs=[1])
    log.user()
    assert checked(log.raw())["surface"] == {"at": 2, "generation": 0, "nodes": 3}


@pytest.mark.parametrize("data", [b"", b"x", build.raw([build.header(version=9)]), build.frame(b"")[:3]])
def test_facts_whatever_the_status(data: bytes) -> None:
    found = checked(data)
    assert list(found) == KEYS and found["status"] in ("unreadable", "unsupported")
    assert found["notices"] and report(found)


# The text


def test_the_text_of_a_damaged_log() -> None:
    log = users()
    log.next = 9
    log.user()
    log.user()
    text = report(checked(log.zstd()))
    assert "  status        damaged: a part of the file is broken\n" in text
    assert ", 4 whole frames, 8 rows\n" in text
    assert "    #9 to #10, 2 events from line 8, byte " in text
    assert "frame 4: expected event 6, found event 9 (expected event 6, found event 9, affects 3 events)\n" in text


def test_log_text_is_cleaned_and_cut() -> None:
    evil = "\x1b]0;x\x07\n‮[/red]"
    log = build.Log(first=build.header(cwd=evil, more=evil * 1_000, parentSession="\ud83d"))
    log.assistant(content=[build.tool_call(evil, evil)], sourceEventSeqs=[])
    log.add(evil, {}, ignorable=True)
    text = report(facts(opened(log.raw(), Path(evil))))
    assert is_clean(text) and "\x1b" not in text and "[/red]" in text
    assert max(map(len, text.splitlines())) <= LINE + 20


def test_long_lists_end_with_a_count() -> None:
    log = build.Log()
    for turn in range(LISTED + 5):
        log.turn_start(turn + 1)
    assert "    … 5 more\n" in report(checked(log.raw()))


# The command


def write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    log = users()
    broken = users()
    broken.user("bad", build.replace(99, 99), sourceEventSeqs=[1])
    return {
        "ok": write(tmp_path / "ok", log.raw()),
        "torn": write(tmp_path / "torn", log.raw()[:-3]),
        "damaged": write(tmp_path / "damaged", log.zstd() + b"garbage"),
        "invalid": write(tmp_path / "invalid", broken.raw()),
        "unsupported": write(tmp_path / "unsupported", build.raw([build.header(version=9)])),
        "unreadable": write(tmp_path / "unreadable", b"?"),
        "missing": tmp_path / "missing",
    }


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ("ok", 0), ("torn", 0), ("ok torn", 0), ("damaged", 1), ("invalid ok", 1), ("unsupported", 2),
        ("unreadable", 2), ("missing", 2), ("ok invalid missing", 2), ("unsupported damaged ok", 2),
    ],
)  # fmt: skip
def test_exit_codes(files: dict[str, Path], names: str, code: int) -> None:
    for more in ([], ["--json"]):
        done = run("check", *more, *(files[name] for name in names.split()))
        assert (done.returncode, done.stderr) == (code, "")
    found = json.loads(done.stdout)
    assert [one["status"] or "missing" for one in found] == names.split()


def test_a_path_that_cannot_be_opened_is_part_of_the_report(files: dict[str, Path]) -> None:
    done = run("check", files["missing"], files["ok"])
    assert f"{files['missing']}\n  error  No such file or directory\n" in done.stdout
    assert done.stdout.endswith("checked 2: 1 not opened, 1 ok\n")
    (found,) = json.loads(run("check", "--json", files["missing"]).stdout)
    assert list(found) == KEYS
    assert {key: value for key, value in found.items() if value is not None} == {
        "path": str(files["missing"]),
        "error": "No such file or directory",
    }


def test_the_json_is_one_ascii_array(tmp_path: Path) -> None:
    log = build.Log(first=build.header(cwd="/höme/\ud83d", more=1.5))
    done = run("check", "--json", write(tmp_path / "日本", log.raw()))
    assert done.stdout.isascii() and done.stdout.count("\n") == 1
    (found,) = json.loads(done.stdout)
    assert found["header"]["cwd"] == "/höme/\ud83d" and found["path"].endswith("日本")


def test_no_log_at_all_is_refused() -> None:
    done = run("check")
    assert done.returncode == 2 and "LOG" in done.stderr and "Traceback" not in done.stderr


def test_directories(tmp_path: Path) -> None:
    """A session directory is its newest generation, any other every log below it, each path once."""
    data = users().raw()
    session = tmp_path / "root" / "--p--" / "s"
    old = write(session / "session.jsonl", data)
    new = write(session / "session.v4.jsonl", build.raw([build.header(4)]))
    other = write(tmp_path / "root" / "deep" / "er" / "session.jsonl", data)
    write(tmp_path / "root" / "deep" / "er" / "notes.jsonl", b"no log")

    def paths(*arguments: Path) -> list[Path]:
        return [Path(one["path"]) for one in json.loads(run("check", "--json", *arguments).stdout)]

    assert paths(session) == [new]
    assert paths(tmp_path / "root") == [old, new, other]
    assert paths(other, tmp_path / "root", session, session / ".." / "s" / "session.jsonl") == [other, old, new]
    found = json.loads(run("check", "--json", session).stdout)[0]
    assert found["generations"] == [{"kinship": "older", "name": "session.jsonl"}]
    assert "session.jsonl (older)" in run("check", session).stdout


def test_both_encodings_of_a_generation_are_checked(tmp_path: Path) -> None:
    write(tmp_path / "session.jsonl", users().raw())
    write(tmp_path / "session.jsonl.zstd", users().zstd())
    found = json.loads(run("check", "--json", tmp_path).stdout)
    assert [one["file"]["encoding"] for one in found] == ["raw", "zstd"]


def test_directories_without_a_log(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "sub" / "session.jsonl")
    done = run("check", tmp_path)
    assert done.returncode == 2 and "no session log in or below this directory" in done.stdout


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read anything")
def test_a_directory_that_cannot_be_listed(tmp_path: Path) -> None:
    write(tmp_path / "a" / "session.jsonl", users().raw())
    closed = tmp_path / "b"
    closed.mkdir(0)
    done = run("check", tmp_path)
    assert done.returncode == 2 and f"{closed}\n  error  Permission denied" in done.stdout
    assert "1 ok" in done.stdout


def test_directories_that_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: object) -> Any:
        raise PermissionError(13, "Permission denied", str(path))

    assert list(check.logs_at(tmp_path / "none")) == [(tmp_path / "none", "")]
    monkeypatch.setattr(os, "scandir", denied)
    assert list(check.logs_at(tmp_path)) == [(tmp_path, "Permission denied")]


def test_hostile_names(tmp_path: Path) -> None:
    name = b"\x1b[31m\xff\n[red]"
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
    path.write_bytes(users().raw())
    done = run("check", path, tmp_path / "\x1b[2J")
    assert done.returncode == 2 and is_clean(done.stdout) and "␛[31m" in done.stdout and "⟨U+DCFF⟩" in done.stdout
    refused(run(tmp_path / "\x1b[2J"), "␛[2J")
    found = json.loads(run("check", "--json", path).stdout)
    assert os.fsencode(found[0]["path"]).endswith(name)


def test_samples_are_fine() -> None:
    done = run("check", SAMPLES)
    assert done.returncode == 0 and done.stdout.endswith("checked 7: 6 ok, 1 torn\n")
    assert "  provenance    6 of 6 agree" in done.stdout and "findings" not in done.stdout


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_progress_is_drawn_on_a_terminal_only_and_on_standard_error(arguments: list[str]) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "palimpsest.tui", "check", *arguments, str(HELLO), str(TORN)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, timeout=60, check=False)
    os.close(theirs)
    drawn = os.read(ours, 65536)
    os.close(ours)
    assert done.returncode == 0 and b"100%" in drawn
    assert done.stdout.startswith(b"[{" if arguments else b"palimpsest ")
