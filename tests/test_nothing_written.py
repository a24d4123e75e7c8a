"""Nothing is ever written to a session, nor to any other file, and no connection is made."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import corpus
import pytest
from palimpsest.tui.commands import EXIT, cli
from screens import SAMPLES

HERE = Path(__file__).parent
LINKS = "\x1b]8;;file:///etc/passwd\x1b\\x [@click=app.quit]/bin/sh[/] $(touch x) `touch x`"

# Run in a process of its own: an audit hook cannot be taken away again.
_AUDITED = r"""
import json, os, sys

REPORT, SCRIPT = sys.argv[1], sys.argv[2]
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGING = {
    "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.chown",
    "os.utime", "os.setxattr", "os.removexattr", "os.lockf", "os.chflags", "fcntl.flock", "fcntl.lockf",
    "tempfile.mkstemp", "tempfile.mkdtemp", "mmap.__new__", "sqlite3.connect", "dbm.open",
    "shutil.copyfile", "shutil.move", "shutil.rmtree",
}
STARTING = {"subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.fork", "os.forkpty",
            "os.startfile", "pty.spawn", "webbrowser.open"}
seen, recording = [], True

def self_pipe():
    # An event loop wakes itself up through a pair of connected sockets that nobody else can reach.
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.endswith("socket.py"):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_name == "_make_self_pipe"

def hook(event, arguments):
    if not recording:
        return
    if event == "open":
        path, mode, flags = arguments
        writes = bool(set(mode or "") & set("wax+")) or bool((flags or 0) & WRITING)
        seen.append(["write" if writes else "read", str(path)])
    elif event in CHANGING:
        seen.append(["change", event + " " + " ".join(map(str, arguments))])
    elif event in STARTING:
        seen.append(["start", event + " " + str(arguments)])
    elif event.startswith("socket.") and event != "socket.gethostname":
        if not (event == "socket.__new__" and self_pipe()):
            seen.append(["socket", event + " " + str(arguments[1:])])

sys.argv = sys.argv[2:]
sys.addaudithook(hook)
code = 0
try:
    exec(compile(SCRIPT, "script", "exec"), {"__name__": "script"})
except SystemExit as error:
    code = error.code or 0
finally:
    recording = False
    with open(REPORT, "w") as file:
        json.dump({"seen": seen, "code": code}, file)
"""

COMMANDS = """
import json, sys
from palimpsest.tui.__main__ import main

codes = []
for arguments in json.loads(sys.argv[1]):
    sys.argv = ["palimpsest", *arguments]
    try:
        main()
        codes.append(0)
    except SystemExit as error:
        codes.append(error.code or 0)
sys.exit(json.dumps(codes))
"""

KEYS = """g l enter escape m w escape v pagedown enter escape v 1 l left_square_bracket b 3 l enter escape r escape p
    enter escape question_mark escape a z colon e n d enter R right_square_bracket G""".split()
APP = f"""
import asyncio, sys
from contextlib import suppress
from pathlib import Path
from textual.worker import WorkerCancelled
from palimpsest.core.session import open_session
from palimpsest.tui.app import PalimpsestApp

async def settled(app):
    # A log that is read again leaves a look at the old file behind, which is given up.
    with suppress(WorkerCancelled):
        await app.workers.wait_for_complete()

async def look(path):
    app = PalimpsestApp(open_session(Path(path)))
    async with app.run_test(size=(100, 30)) as pilot:
        await app.workers.wait_for_complete()
        for key in {KEYS!r}:
            app.simulate_key(key)
            await pilot.pause(0)
            if key in ("enter", "p", "R"):
                await settled(app)
                await pilot.pause(0)
        app.simulate_key("q")
        await pilot.pause(0)
    assert app.return_code == 0, app.return_code

for path in sys.argv[1:]:
    asyncio.run(look(path))
"""

Events = list[tuple[str, str]]


def run(script: str, *arguments: str | Path, home: Path) -> tuple[Any, Events]:
    """Runs a script under the hook, in an empty home: what it exits with, and the events."""
    home.mkdir(exist_ok=True)
    report = home.parent / "report.json"
    environment = {**os.environ, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1", "TEXTUAL_ANIMATIONS": "none"}
    command = [sys.executable, "-c", _AUDITED, str(report), script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, env=environment, cwd=home, check=False, timeout=120)
    found: dict[str, Any] = json.loads(report.read_text())
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return found["code"], [(kind, what) for kind, what in found["seen"]]


def harmless(event: tuple[str, str]) -> bool:
    """Reading, or writing to where nothing stays."""
    return event[0] == "read" or event == ("write", os.devnull)


def state(root: Path) -> dict[str, tuple[object, ...]]:
    """Everything there is to know of a tree, but when it was last read."""
    found: dict[str, tuple[object, ...]] = {}
    for path in [root, *sorted(root.rglob("*"))]:
        about = path.lstat()
        content = path.read_bytes() if stat.S_ISREG(about.st_mode) else b""
        kept = (about.st_mode, about.st_ino, about.st_nlink, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
        found[str(path.relative_to(root))] = (*kept, about.st_uid, about.st_gid, content)
    return found


@pytest.fixture(params=[False, True], ids=["writable", "read-only"])
def root(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A sessions root with whole, torn, damaged and hostile sessions, relatives and generations."""
    root = tmp_path / "sessions"
    shutil.copytree(SAMPLES / "fork" / "sessions", root)
    project = root / "--home-dev-project--"
    shutil.copytree(SAMPLES / "login-redirect-torn", project / "torn")
    shutil.copytree(SAMPLES / "hello", project / "hello")
    shutil.copy(SAMPLES / "hello-v4" / "session.v4.jsonl", project / "hello")
    for name, data in (("damaged", corpus.flipped_byte()), ("hostile", corpus.everywhere(LINKS))):
        (project / name).mkdir()
        (project / name / "session.jsonl").write_bytes(data)
    (project / "hello" / "session.lock").touch()
    paths = [root, *root.rglob("*")]
    if request.param:
        for path in paths:
            path.chmod(0o555 if path.is_dir() else 0o444)
    yield root
    for path in paths:
        path.chmod(0o755 if path.is_dir() else 0o644)


LOGS = {
    "login-fork-child/session.jsonl.zstd": "ok",
    "torn/session.jsonl.zstd": "torn",
    "hello/session.v4.jsonl": "ok",
    "damaged/session.jsonl": "damaged",
    "hostile/session.jsonl": "ok",
}
ARGUMENTS: dict[str, list[list[str]]] = {
    "open": [[]],
    "dump": [["dump"], ["dump", "--messages", "--at", "3"]],
    "check": [["check"], ["check", "--json"]],
}
"""How a command is called before the path of a log; by its name alone where nothing is said here."""


def test_commands_write_nothing(root: Path, tmp_path: Path) -> None:
    before = state(root)
    calls, codes = [], []
    for name in cli.commands:
        for arguments in ARGUMENTS.get(name, [[name]]):
            for log, status in LOGS.items():
                calls.append([*arguments, str(root / "--home-dev-project--" / log)])
                codes.append(EXIT[status])
    code, events = run(COMMANDS, json.dumps(calls), home=tmp_path / "home")
    assert json.loads(code) == codes
    quiet(events, root, tmp_path, list(LOGS))
    assert state(root) == before


def test_the_viewer_writes_nothing(root: Path, tmp_path: Path) -> None:
    before = state(root)
    logs = list(LOGS) if root.stat().st_mode & 0o200 else ["hello/session.v4.jsonl"]
    code, events = run(APP, *(root / "--home-dev-project--" / log for log in logs), home=tmp_path / "home")
    assert code == 0
    quiet(events, root, tmp_path, logs)
    assert state(root) == before


def quiet(events: Events, root: Path, tmp_path: Path, logs: list[str]) -> None:
    """Every log was read, and nothing else was done anywhere."""
    read = {what for kind, what in events if kind == "read"}
    assert read >= {str(root / "--home-dev-project--" / log) for log in logs}
    assert [one for one in events if not harmless(one)] == []
    assert list((tmp_path / "home").iterdir()) == []


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        ("open(sys.argv[1] + '/new', 'w')", "write"),
        ("os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)", "write"),
        ("os.mkdir(sys.argv[1] + '/new')", "change"),
        ("os.utime(sys.argv[1])", "change"),
        ("fcntl.flock(open(sys.argv[1] + '/log'), fcntl.LOCK_SH)", "change"),
        ("socket.socket()", "socket"),
        ("socket.socketpair()", "socket"),
        ("socket.getaddrinfo('localhost', 1)", "socket"),
        ("os.system('true')", "start"),
        ("asyncio.run(asyncio.sleep(0))", ""),
    ],
)
def test_the_hook_sees_what_it_is_for(script: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "log").touch()
    attempted = f"import asyncio, fcntl, os, socket, sys\ntry:\n    {script}\nexcept OSError:\n    pass"
    _, events = run(attempted, tmp_path / "root", home=tmp_path / "home")
    assert {one[0] for one in events if not harmless(one)} == ({kind} if kind else set())


@pytest.mark.parametrize("change", ["write", "touch", "mode", "new", "gone"])
def test_the_state_tells_every_change(change: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"1")
    before = state(tmp_path)
    assert state(tmp_path) == before
    if change == "write":
        about = path.stat()
        path.write_bytes(b"2")
        os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    elif change == "touch":
        os.utime(path, ns=(1, 1))
    elif change == "mode":
        path.chmod(0o400)
    elif change == "new":
        (tmp_path / "log.lock").touch()
    else:
        path.unlink()
    assert state(tmp_path) != before
