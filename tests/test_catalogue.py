"""The catalogue: every text the interface asks for exists, and none stands there unused."""

from __future__ import annotations

import ast
from pathlib import Path

import palimpsest.core.catalogue
import pytest
from palimpsest.core.catalogue import ENGLISH, say

ROOT = Path(palimpsest.core.catalogue.__file__).parent.parent


def asked() -> tuple[set[str], set[str]]:
    """The keys the source asks for, and the beginnings of those it puts together."""
    keys: set[str] = set()
    beginnings: set[str] = set()
    for path in [*ROOT.glob("core/**/*.py"), *ROOT.glob("tui/**/*.py")]:
        if path.name == "catalogue.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
                beginnings.add(str(node.values[0].value))
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                keys.add(node.value)
    beginnings |= {key for key in keys if key.endswith(".")}
    return keys, {one for one in beginnings if "." in one}


def test_nothing_stands_in_the_catalogue_unused() -> None:
    keys, beginnings = asked()
    unused = [key for key in ENGLISH if key not in keys and not key.startswith(tuple(beginnings))]
    assert unused == []


def test_every_text_asked_for_exists() -> None:
    calls = [
        node.args[0].value
        for path in [*ROOT.glob("core/**/*.py"), *ROOT.glob("tui/**/*.py")]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "say"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    ]
    assert calls and [key for key in calls if key not in ENGLISH] == []


def test_values_are_never_templates() -> None:
    assert say("stream.turn", turn="{evil} [b]") == "turn {evil} [b]"


def test_an_unknown_text_is_an_error() -> None:
    with pytest.raises(KeyError):
        say("no.such.text")
