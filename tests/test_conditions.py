"""Settings, system prompt and tools at a moment (formats 6.4, 6.6)."""

from __future__ import annotations

from palimpsest.core.session import open_log
from palimpsest.core.views.conditions import conditions_at
from palimpsest.tui.screens.conditions import conditions_lines
from screens import SAMPLES, TOUR, viewing

V4 = SAMPLES / "login-redirect-v4" / "session.v4.jsonl.zstd"


def test_v0_takes_the_system_prompt_from_the_request_header() -> None:
    with open_log(TOUR) as session:
        first = session.log.brackets.headers[0][0]
        assert conditions_at(session, first - 1) is None
        found = conditions_at(session, first)
        assert found is not None
        assert found.system.startswith("You are a coding agent") and found.system_seq == first
        assert found.provider == "deepseek-official" and "reasoningEffort" in found.settings
        assert "bash" in {tool.name for tool in found.tools}
        window = conditions_at(session, session.end)
        assert window is not None and window.window == 20_000


def test_v4_takes_it_from_the_surface() -> None:
    with open_log(V4) as session:
        found = conditions_at(session, session.end)
        assert found is not None and found.system and found.system_seq == 7
        assert session.log.type_of(7) == "system/message"
        assert found.system_tokens > 0


def test_the_page_tells_them_as_plain_text() -> None:
    with open_log(TOUR) as session:
        lines = conditions_lines(conditions_at(session, session.end))
        assert lines[0].startswith("model: deepseek-official/") and "tools (" in "\n".join(lines)
        assert conditions_lines(None) == ["no request has been made yet"]


async def test_r_shows_the_page() -> None:
    async with viewing(TOUR) as view:
        await view.press("r")
        assert any("system prompt (" in line or "tools (" in line for line in view.lines())
        await view.press("escape")
        assert view.app.screen is view.screen
