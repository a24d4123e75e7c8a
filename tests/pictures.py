"""Makes the pictures in sample_logs/pictures: the real app on the sample log, as SVG.

Run it with the environment the tests run in: `.venv/bin/python tests/pictures.py`
"""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path

from palimpsest.core.session import open_session
from palimpsest.tui.app import PalimpsestApp

SAMPLES = Path(__file__).parent.parent / "sample_logs"
LOG = SAMPLES / "login-redirect" / "session.jsonl.zstd"
STEP_BACK = "left_square_bracket"

PICTURES: dict[str, tuple[tuple[int, int], list[str]]] = {
    "start": ((180, 44), []),
    "step": ((180, 44), [STEP_BACK] * 5),
    "before": ((180, 44), [STEP_BACK] * 5 + ["b"]),
    "two-panes": ((120, 40), [STEP_BACK] * 4),
    "one-pane": ((80, 24), [STEP_BACK] * 5),
}


async def picture(size: tuple[int, int], keys: list[str]) -> str:
    app = PalimpsestApp(open_session(LOG))
    async with app.run_test(size=size) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        for key in keys:
            await pilot.press(key)
        await pilot.pause()
        # The picture must not ask the network for a font.
        return re.sub(r"@font-face \{.*?\}\s*", "", app.export_screenshot(), flags=re.DOTALL)


def main() -> None:
    os.environ["TEXTUAL_ANIMATIONS"] = "none"
    for name, (size, keys) in PICTURES.items():
        path = SAMPLES / "pictures" / f"{name}.svg"
        path.parent.mkdir(exist_ok=True)
        path.write_text(asyncio.run(picture(size, keys)), encoding="utf-8")
        print(path.relative_to(SAMPLES.parent))


if __name__ == "__main__":
    main()
