"""Relatives of a log: generations beside it, parent and children, where it was reopened (formats 1.3, 8)."""

from __future__ import annotations

import shutil
from pathlib import Path

import build
from opening import opened
from palimpsest.core.session import open_log
from palimpsest.core.views.history import closer_of, history_items
from palimpsest.core.views.relatives import Relative, generations_beside, named_children, relatives
from palimpsest.core.views.stream import Seed, seeds
from palimpsest.tui.screens.relatives import RelativesScreen
from palimpsest.tui.screens.viewer import ViewerScreen
from screens import HELLO, SAMPLES, viewing

PROJECT = SAMPLES / "fork" / "sessions" / "--home-dev-project--"
CHILD = PROJECT / "login-fork-child" / "session.jsonl.zstd"
PARENT = PROJECT / "login-fork-parent" / "session.jsonl.zstd"
HELLO_V4 = SAMPLES / "hello-v4" / "session.v4.jsonl"


def test_a_fork_finds_its_parent_and_the_parent_its_fork() -> None:
    with open_log(CHILD) as session:
        assert list(relatives(session)) == [Relative("parent", "login-fork-parent", PARENT.absolute())]
    with open_log(PARENT) as session:
        assert list(relatives(session)) == [Relative("child", "login-fork-child", CHILD.absolute())]


def test_a_parent_that_is_not_there_is_named_all_the_same(tmp_path: Path) -> None:
    home = tmp_path / "sessions" / "--p--" / "child"
    home.mkdir(parents=True)
    shutil.copy(CHILD, home)
    with open_log(home / CHILD.name) as session:
        assert list(relatives(session)) == [Relative("parent", "login-fork-parent", None)]


def test_children_across_projects_and_unreadable_neighbours(tmp_path: Path) -> None:
    root = tmp_path / "sessions"
    for project, name, log in (("--a--", "parent", PARENT), ("--b--", "child", CHILD)):
        (root / project / name).mkdir(parents=True)
        shutil.copy(log, root / project / name)
    (root / "--b--" / "broken").mkdir()
    (root / "--b--" / "broken" / "session.jsonl").write_bytes(b"junk\n")
    (root / "--b--" / "empty").mkdir()
    (root / "stray").write_text("no directory")
    with open_log(root / "--a--" / "parent" / PARENT.name) as session:
        assert [one.id for one in relatives(session)] == ["login-fork-child"]


def test_other_generations_are_named_and_never_merged(tmp_path: Path) -> None:
    shutil.copy(HELLO, tmp_path / "session.jsonl")
    shutil.copy(HELLO_V4, tmp_path / "session.v4.jsonl")
    (tmp_path / "session.lock").touch()
    (tmp_path / "session.v2.jsonl.0123456789ab.tmp").touch()
    with open_log(tmp_path / "session.v4.jsonl") as session:
        assert generations_beside(session) == [Relative("older", "session.jsonl", tmp_path / "session.jsonl")]
        assert session.log.events == 30
        assert [(one.code, one.severity) for one in session.notices] == [("generation", "info")]
    with open_log(tmp_path / "session.jsonl") as session:
        assert [one.kinship for one in generations_beside(session)] == ["newer"]
        assert [(one.code, one.severity) for one in session.notices] == [("generation", "warning")]
        assert session.status == "ok"


def test_children_that_a_log_names() -> None:
    """Workflow agents, team members; what was inherited names the parent's children, not ours."""
    log = build.Log(first=build.header(seedLength=1))
    log.add("tool-workflow/agent-start", {"runId": "r", "seq": 0, "label": "old", "childId": "parents"})
    log.add("session/end-seed", {})
    log.add("tool-workflow/agent-start", {"runId": "r", "seq": 0, "label": "reader", "childId": "kid-1"})
    log.add("team/member", {"version": 1, "teamId": "t", "member": {"id": "kid-2", "name": "Mia"}})
    log.add("team/member", {"version": 1, "teamId": "t", "member": "odd"})
    with opened(log.raw()) as session:
        assert named_children(session) == {"kid-1": "reader", "kid-2": "Mia"}


def test_where_a_log_was_reopened_and_what_it_inherited() -> None:
    with open_log(CHILD) as session:
        assert seeds(session)[0] == Seed(166, True)
        assert any(item.subject == Seed(166, True) for item in history_items(session))


def test_a_cut_without_an_event_of_its_own_is_marked_too() -> None:
    """Tricky case 40: the prefix ended in an end-seed, the child's first event is an ordinary one."""
    log = build.Log(first=build.header(seedLength=2))
    log.add("turn/start", {"turn": 1})
    log.add("session/end-seed", {})
    log.add("turn/start", {"turn": 2})
    with opened(log.raw()) as session:
        assert seeds(session) == [Seed(1, False), Seed(2, True)]


def test_results_that_the_harness_wrote_itself() -> None:
    assert closer_of("interrupted-tool-result-c1-0") == "interrupted"
    assert closer_of("forked-tool-result-c1-0") == "forked"
    assert closer_of("9b2c") is None


async def test_the_parent_opens_on_top_and_escape_comes_back() -> None:
    async with viewing(CHILD) as view:
        first = view.screen
        assert any("inherited up to here from login-fork-parent" in line for line in history_text(view))
        await view.press("p")
        await view.app.workers.wait_for_complete()
        await view.pilot.pause()
        assert isinstance(view.app.screen, RelativesScreen)
        assert any("parent: login-fork-parent" in line for line in view.lines())
        await view.press("enter")
        await view.app.workers.wait_for_complete()
        await view.pilot.pause()
        opened_screen = view.app.screen
        assert isinstance(opened_screen, ViewerScreen) and opened_screen is not first
        assert opened_screen.session.log.events == 300
        await view.press("escape")
        assert view.app.screen is first
        await view.press("escape")
        assert view.app.screen is first


def history_text(view) -> list[str]:  # type: ignore[no-untyped-def]
    source = view.pane("history").source
    return ["".join(span.text for span in source.entry(at).head) for at in range(len(source))]


async def test_a_log_without_relatives_says_so(tmp_path: Path) -> None:
    path = tmp_path / "one" / "two" / "log.jsonl"
    path.parent.mkdir(parents=True)
    shutil.copy(HELLO, path)
    async with viewing(path) as view:
        await view.press("p")
        await view.app.workers.wait_for_complete()
        await view.pilot.pause()
        assert any("No parent, child or other generation" in line for line in view.lines())
