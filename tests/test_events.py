"""All events: every known type has a readable line, unknown ones their JSON, and the pane shows them (formats 4.2)."""

from __future__ import annotations

import json

import build
import pytest
from opening import opened
from palimpsest.core.catalogue import ENGLISH
from palimpsest.core.dialects.packed import TAGS
from palimpsest.core.dialects.vocabulary import LOG_TYPES
from palimpsest.core.session import open_log
from palimpsest.core.views.events import event_line, event_text
from palimpsest.tui.screens.detail import DetailScreen
from screens import SAMPLES, TOUR, viewing


def test_every_known_type_has_a_line_and_no_other_has_one() -> None:
    told = {key.removeprefix("event.") for key in ENGLISH if key.startswith("event.")}
    assert told == LOG_TYPES


@pytest.mark.parametrize(
    ("type_", "data", "line"),
    [
        ("turn/end", {"turn": 3, "reason": {"kind": "error", "error": {"message": "busy"}}}, "turn 3: error busy"),
        ("turn/end", {"turn": 3, "reason": {"kind": "completed"}}, "turn 3: completed"),
        ("todo/write", {"todos": [1, 2]}, "2 entries"),
        ("llm/retry", {"turn": 1, "step": 2, "retry": 1, "delayMs": 600, "failure": {"message": "x", "code": "C"}},
         "1.2 retry 1 in 600 ms: x C"),
        ("session/title", {"title": "{turn} [b]"}, "{turn} [b]"),
        ("session/title", {"title": None}, ""),
        ("session/title", "no object", '"no object"'),
        ("turn/start", {"turn": {"odd": 1}}, 'turn {"odd": 1}'),
        ("vendor/thing", {"a": [1]}, '{"a": [1]}'),
    ],
)  # fmt: skip
def test_lines(type_: str, data: object, line: str) -> None:
    assert event_text(type_, data) == line


@pytest.mark.parametrize("log", ["login-redirect/session.jsonl.zstd", "login-redirect-v4/session.v4.jsonl.zstd"])
def test_every_row_of_a_recorded_session_has_a_line(log: str) -> None:
    with open_log(SAMPLES / log) as session:
        columns = session.log.columns
        lines = [event_line(session, row) for row in range(len(columns))]
    assert all(line.known and line.type for line in lines)
    assert sum(line.last - line.first + 1 for line in lines) == session.log.events
    assert not any(line.text.startswith("{") for line in lines if line.type not in TAGS | {"assistant/chunk"})


def test_an_unknown_event_and_an_unreadable_row_are_shown_as_they_stand() -> None:
    log = build.Log()
    log.add("vendor/thing", {"a": 1}, ignorable=True)
    raw = log.raw() + b"not json\n"
    with opened(raw) as session:
        assert event_line(session, 0).text == json.dumps({"a": 1}) and not event_line(session, 0).known
        line = event_line(session, 1)
        assert (line.type, line.text, line.known) == ("", "not json", False)


async def test_the_stream_pane_shows_all_events_and_their_json() -> None:
    async with viewing(TOUR) as view:
        await view.press("1", "v", "g")
        assert "1 All events" in str(view.pane("stream").border_title)
        rows = len(view.screen.session.log.columns)
        assert len(view.pane("stream").source) == rows
        lines = view.pane_lines("stream")
        assert "    0 permission/preset  danger-full-access" in lines[0]
        await view.press("enter")
        await view.app.workers.wait_for_complete()
        await view.pilot.pause()
        assert isinstance(view.app.screen, DetailScreen)
        shown = "\n".join(view.lines())
        assert '"preset": "danger-full-access"' in shown and "line 2 · byte" in shown
        await view.press("escape", "v")
        assert len(view.pane("stream").source) < rows


async def test_a_step_marks_its_events() -> None:
    async with viewing(TOUR) as view:
        await view.press("v", "left_square_bracket")
        assert any("3606 user/message" in line for line in view.pane_lines("stream")[:3])


async def test_detail_opens_from_every_pane() -> None:
    async with viewing(TOUR) as view:
        for name, pane in (("1", "stream"), ("2", "history"), ("3", "surface")):
            await view.press(name, "enter")
            await view.app.workers.wait_for_complete()
            await view.pilot.pause()
            assert isinstance(view.app.screen, DetailScreen), pane
            await view.press("escape")
