"""Keys mashed at random, in terminals of any size: nothing breaks, and what the panes show stays true."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from palimpsest.core.views.history import state_of
from palimpsest.tui.panes.history import GLYPHS, HistorySource
from palimpsest.tui.panes.surface import SurfaceSource
from screens import HELLO, SAMPLES, TORN, TOUR, Viewing, viewing

KEYS = [
    "left_square_bracket", "right_square_bracket", "left_curly_bracket", "right_curly_bracket", "comma", "full_stop",
    "b", "m", "j", "k", "down", "up", "pagedown", "pageup", "ctrl+d", "ctrl+u", "g", "G", "l", "h", "tab", "shift+tab",
    "1", "2", "3", "z", "v", "a", "w", "r", "enter", "escape", "escape", "question_mark", "colon", "7", "x",
]  # fmt: skip
LOGS = [TOUR, TORN, HELLO, SAMPLES / "login-redirect-v4" / "session.v4.jsonl.zstd"]


def check(view: Viewing) -> None:
    """The surface pane holds the nodes of the moment, in order; each sign of the history is its state."""
    screen = view.screen
    surface = screen.session.surface
    shown = view.pane("surface").source
    assert isinstance(shown, SurfaceSource)
    top = [surface.born[item.node] for item in shown.items if item.depth == 0]
    assert top == surface.seqs_at(screen.moment)
    history = view.pane("history").source
    assert isinstance(history, HistorySource)
    for position, operation in history.messages():
        if abs(position - view.pane("history").cursor) < 3:
            sign = history.entry(position).head[0].text
            assert sign == GLYPHS[state_of(screen.session, operation, screen.moment).standing]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
async def test_mashed_keys(seed: int) -> None:
    chance = random.Random(seed)
    log: Path = LOGS[seed % len(LOGS)]
    size = chance.choice([(80, 24), (120, 40), (200, 50), (20, 5), (40, 12), (3, 2)])
    async with viewing(log, size) as view:
        for press in range(60):
            await view.pilot.press(chance.choice(KEYS))
            if press % 20 == 19:
                await view.pilot.resize_terminal(chance.randint(1, 210), chance.randint(1, 60))
            if press % 10 == 9:
                await view.pilot.pause()
                check(view)
        await view.app.workers.wait_for_complete()


@pytest.mark.parametrize("size", [(1, 1), (5, 3), (20, 5), (40, 12), (300, 100)])
async def test_any_size_of_terminal(size: tuple[int, int]) -> None:
    async with viewing(TOUR, size) as view:
        await view.press("left_square_bracket", "b", "1", "v", "enter", "escape", "w", "escape", "question_mark")
        await view.press("escape", "2", "pageup", "3", "l", "pagedown", "z", "z")
        check(view)


async def test_the_mouse_at_every_cell() -> None:
    async with viewing(TOUR, (60, 16)) as view:
        for y in range(0, 16, 2):
            for x in range(0, 60, 15):
                await view.pilot.click(offset=(x, y))
        await view.pilot.mouse_down("#history", offset=(58, 3))
        await view.pilot.hover("#history", offset=(58, 9))
        await view.pilot.mouse_up("#history", offset=(58, 9))
        check(view)
