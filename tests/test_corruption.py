"""A small share of what `tests/corruption.py` does, on logs the project may hold."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from corruption import check, corrupt
from opening import opened
from screens import HELLO, SAMPLES

V4 = SAMPLES / "login-redirect-v4" / "session.v4.jsonl.zstd"
FORK = SAMPLES / "fork" / "sessions" / "--home-dev-project--" / "login-fork-child" / "session.jsonl.zstd"


@pytest.mark.parametrize("path", [HELLO, V4, FORK], ids=lambda path: path.parent.name)
def test_what_stands_before_the_damage_is_unchanged(path: Path) -> None:
    data = path.read_bytes()
    whole = opened(data)
    met = {check(whole, corrupt(data, seed), random.Random(seed)) for seed in range(60)}
    assert "damaged" in met and "torn" in met


def test_the_check_can_fail() -> None:
    """A log whose early events are other ones does not pass for a later damage."""
    data = HELLO.read_bytes()
    changed = data.replace(b"What is a session log", b"What is a session dog", 1)
    made = corrupt(changed, 1)
    late = type(made)("flip", changed + b"x", len(changed))
    whole = opened(data)
    with pytest.raises(AssertionError, match="changed"):
        check(whole, late, random.Random(0))
