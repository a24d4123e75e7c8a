"""The wheel: what it holds, and under which names."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The files of a wheel built from a copy of the checkout, so that nothing is left in it."""
    place = tmp_path_factory.mktemp("wheel")
    copy = place / "checkout"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        (copy / name).write_bytes((ROOT / name).read_bytes())
    for room in ("core", "tui"):
        for path in (ROOT / room).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                target = copy / path.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(path.read_bytes())
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(place), str(copy)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = place.glob("*.whl")
    return zipfile.ZipFile(wheel).namelist()


@pytest.mark.slow
def test_the_wheel_holds_every_source_file(names: list[str]) -> None:
    """Packages are listed by hand in pyproject.toml: none may be forgotten."""
    sources = [
        path.relative_to(ROOT).as_posix()
        for room in ("core", "tui")
        for path in (ROOT / room).rglob("*")
        if path.suffix in (".py", ".tcss") or path.name == "py.typed"
    ]
    assert any(name.endswith(".tcss") for name in sources)
    assert {"core/py.typed", "tui/py.typed"} <= set(sources)
    assert sorted(f"palimpsest/{name}" for name in sources) == sorted(
        name for name in names if name.startswith("palimpsest/")
    )


@pytest.mark.slow
def test_the_wheel_takes_no_other_name(names: list[str]) -> None:
    """No top-level `core` or `tui`, and no file at the root of the namespace package."""
    assert {name.partition("/")[0] for name in names if ".dist-info" not in name} == {"palimpsest"}
    assert {name.split("/")[1] for name in names if name.startswith("palimpsest/")} == {"core", "tui"}
