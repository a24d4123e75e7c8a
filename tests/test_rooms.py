"""The rooms and what they may know of each other."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import palimpsest.core
import pytest
from palimpsest.core.notices import CODES

CORE = Path(palimpsest.core.__file__).parent
SOURCES = sorted(CORE.rglob("*.py"))

BLOCKER = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked}:
            raise ModuleNotFoundError(name + " is blocked", name=name)
        return None
sys.meta_path.insert(0, Blocker())
"""


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def modules() -> list[str]:
    """Every module of the core by its full name."""
    names = []
    for path in SOURCES:
        parts = path.relative_to(CORE).with_suffix("").parts
        names.append(".".join(("palimpsest", "core", *(part for part in parts if part != "__init__"))))
    return names


def test_there_is_a_core() -> None:
    assert {"palimpsest.core", "palimpsest.core.surface", "palimpsest.core.export.dump"} <= set(modules())


def test_core_loads_where_there_is_no_screen() -> None:
    """Every module of the core, with textual, rich and click absent."""
    code = BLOCKER.format(blocked={"textual", "rich", "click"}) + "import importlib\n"
    code += "".join(f"importlib.import_module({name!r})\n" for name in modules())
    run(code + "print('loaded')")


def test_the_blocker_blocks() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BLOCKER.format(blocked={"rich"}) + "import rich"], capture_output=True, check=False
    )
    assert done.returncode != 0


def test_the_dump_needs_no_models_and_no_screen() -> None:
    """A headless command starts fast: the dump imports neither pydantic nor textual nor rich."""
    found = run("import palimpsest.core.export.dump, sys; print(*sorted(sys.modules))").split()
    assert "msgspec" in found
    assert not {name.partition(".")[0] for name in found} & {"pydantic", "pydantic_core", "textual", "rich", "click"}


@pytest.mark.parametrize("name", ["core", "tui"])
def test_the_folders_are_no_packages_of_their_own(name: str) -> None:
    """They are `palimpsest.core` and `palimpsest.tui`, and nothing else."""
    assert importlib.util.find_spec(name) is None
    assert importlib.util.find_spec(f"palimpsest.{name}") is not None


def test_core_prints_nothing() -> None:
    calls = [
        f"{path.name}:{node.lineno}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert calls == []


# Notice codes


def code_position(arguments: list[ast.arg], *, method: bool) -> int | None:
    names = [argument.arg for argument in arguments]
    names = names[1:] if method and names[:1] in (["self"], ["cls"]) else names
    return names.index("code") if "code" in names else None


def takers(tree: ast.Module) -> dict[str, int]:
    """Names of functions and classes of a module that take a notice code, and at which position."""
    found: dict[str, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name != "__init__":
            at = code_position(node.args.args, method=True)
            if at is not None:
                found[node.name] = at
        elif isinstance(node, ast.ClassDef):
            fields = [
                one.target.id
                for one in node.body
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
            ]
            inits = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
            position = code_position(inits[0].args.args, method=True) if inits else None
            if position is None and "code" in fields:
                position = fields.index("code")
            if position is not None:
                found[node.name] = position
    return found


def texts(expression: ast.expr) -> Iterator[str]:
    """The string constants that an expression may give."""
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        yield expression.value
    elif isinstance(expression, ast.IfExp):
        yield from texts(expression.body)
        yield from texts(expression.orelse)
    elif isinstance(expression, ast.BoolOp):
        for value in expression.values:
            yield from texts(value)


def codes_used() -> dict[str, str]:
    """Every notice code the source of the core names, with a place that names it."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}
    classes = {
        name: at for tree in trees.values() for name, at in takers(tree).items() if name[:1].isupper()
    }  # fmt: skip
    found: dict[str, str] = {}
    for path, tree in trees.items():
        known = {**classes, **takers(tree)}
        for node in ast.walk(tree):
            given: list[ast.expr] = []
            if isinstance(node, ast.Call):
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                if name in known:
                    given += node.args[known[name] : known[name] + 1]
                    given += [keyword.value for keyword in node.keywords if keyword.arg == "code"]
            elif isinstance(node, ast.Assign) and any(
                isinstance(one, ast.Name) and one.id == "code" for one in node.targets
            ):
                given.append(node.value)
            for value in given:
                found.update(dict.fromkeys(texts(value), f"{path.name}:{value.lineno}"))
    return found


def test_every_code_in_the_source_is_in_the_list() -> None:
    """The list of notice codes is closed."""
    used = codes_used()
    assert {"bad-magic", "bad-checksum", "header-field", "bad-json", "seq-gap", "E2", "E14", "E20"} <= used.keys()
    assert {code: place for code, place in used.items() if code not in CODES} == {}
