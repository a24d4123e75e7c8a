"""How the main screens look, as text.

To accept a change: UPDATE_GOLDENS=1 pytest tests/test_looks.py, and read the diff.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from screens import TORN, TOUR, viewing

GOLDENS = Path(__file__).parent / "goldens"
BACK = "left_square_bracket"

LOOKS: dict[str, tuple[Path, tuple[int, int], list[str]]] = {
    "start-200x50": (TOUR, (200, 50), []),
    "step-200x50": (TOUR, (200, 50), [BACK] * 5),
    "before-120x40": (TOUR, (120, 40), [BACK] * 5 + ["b"]),
    "prune-120x40": (TOUR, (120, 40), [BACK] * 2),
    "step-80x24": (TOUR, (80, 24), [BACK] * 5),
    "surface-80x24": (TOUR, (80, 24), [BACK] * 5 + ["3"]),
    "help-80x24": (TOUR, (80, 24), ["question_mark"]),
    "torn-80x24": (TORN, (80, 24), []),
    "tiny-40x12": (TOUR, (40, 12), [BACK]),
}


@pytest.mark.parametrize("name", LOOKS)
async def test_look(name: str) -> None:
    log, size, keys = LOOKS[name]
    async with viewing(log, size) as view:
        await view.press(*keys)
        text = "\n".join(view.lines()) + "\n"
    golden = GOLDENS / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDENS"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
