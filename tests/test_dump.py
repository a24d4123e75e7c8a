"""`dump`: the contract of the interface, schema 1."""

from __future__ import annotations

import json
from typing import Any

import build
import pytest
from opening import dumped, opened
from palimpsest.core.export.dump import dump, to_json
from palimpsest.core.settings import DEFAULT

KEYS = "schema file status header events inherited surface history replacements notices".split()


def log_of_replacements() -> build.Log:
    """Nodes 0..3; 4 takes the place of 1 and 2; 5 is appended; 6 takes the place of 4, 3 and 5."""
    log = build.Log()
    for _ in range(4):
        log.user()
    log.user("one", build.replace(1, 2), sourceEventSeqs=[1, 2])
    log.user()
    log.user("two", build.replace(4, 5), sourceEventSeqs=[[3, 5]])
    return log


DATA = log_of_replacements().raw()


def test_keys_and_types() -> None:
    """The object of the interface, key by key."""
    found = dumped(DATA, messages=False)
    assert list(found) == KEYS
    assert found["schema"] == 1
    assert found["file"] == {"encoding": "raw", "version": 0, "bytes": len(DATA), "frames": None}
    assert found["status"] == "ok"
    assert found["header"] == {key: value for key, value in build.header().items() if key != "type"}
    assert (found["events"], found["inherited"]) == (7, 0)
    assert found["surface"] == {"at": 6, "generation": 2, "nodes": [0, 6]}
    assert found["history"] == [0, 1, 2, 3, 5]
    assert found["replacements"] == [
        {"seq": 4, "generation": 1, "kind": "edit", "start": 1, "end": 2, "shadowed": [1, 2]},
        {"seq": 6, "generation": 2, "kind": "edit", "start": 4, "end": 5, "shadowed": [4, 3, 5]},
    ]
    assert found["notices"] == []


def test_messages_only_when_asked() -> None:
    found = dumped(DATA)
    assert list(found) == [*KEYS[:-1], "messages", "notices"]
    assert [message["id"] for message in found["messages"]] == ["u0", "u6"]
    assert "messages" not in dumped(DATA, messages=False)


@pytest.mark.parametrize(
    ("at", "nodes", "generation", "replacements"),
    [
        (0, [0], 0, []),
        (3, [0, 1, 2, 3], 0, []),
        (4, [0, 4, 3], 1, [4]),
        (5, [0, 4, 3, 5], 1, [4]),
        (6, [0, 6], 2, [4, 6]),
    ],
)
def test_at_a_moment(at: int, nodes: list[int], generation: int, replacements: list[int]) -> None:
    """`surface`, `replacements` and `messages` are those of the moment, all else is the whole log's."""
    found, whole = dumped(DATA, at), dumped(DATA)
    assert found["surface"] == {"at": at, "generation": generation, "nodes": nodes}
    assert [one["seq"] for one in found["replacements"]] == replacements
    assert [message["id"] for message in found["messages"]] == [f"u{seq}" for seq in nodes]
    for key in ("schema", "file", "status", "header", "events", "inherited", "history", "notices"):
        assert found[key] == whole[key]


@pytest.mark.parametrize("at", [7, 1_000_000, 2**70])
def test_past_the_end_is_the_end(at: int) -> None:
    assert dumped(DATA, at) == dumped(DATA)


@pytest.mark.parametrize("at", [-1, -7, -(2**70)])
def test_before_the_first_event(at: int) -> None:
    found = dumped(DATA, at)
    assert found["surface"] == {"at": None, "generation": 0, "nodes": []}
    assert found["replacements"] == []
    assert found["messages"] == []
    assert found["history"] == [0, 1, 2, 3, 5]


@pytest.mark.parametrize("at", [None, -1, 0, 5])
def test_an_empty_log(at: int | None) -> None:
    found = dumped(build.raw([build.header()]), at)
    assert found["surface"] == {"at": None, "generation": 0, "nodes": []}
    assert (found["events"], found["history"], found["messages"], found["status"]) == (0, [], [], "ok")


@pytest.mark.parametrize("data", [b"", b"x", build.raw([build.header(version=9)]), build.frame(b"")[:3]])
def test_an_object_whatever_the_status(data: bytes) -> None:
    found = dumped(data)
    assert set(KEYS) <= found.keys()
    assert found["status"] in ("unreadable", "unsupported")
    assert found["surface"] == {"at": None, "generation": 0, "nodes": []}
    assert (found["events"], found["inherited"], found["history"], found["replacements"]) == (0, 0, [], [])
    assert found["notices"][0]["severity"] == "error"


def test_an_unknown_version_is_stated() -> None:
    found = dumped(build.raw([build.header(version=9, more=1)]))
    assert found["file"]["version"] == 9
    assert found["header"]["more"] == 1
    assert dumped(b"")["file"]["version"] is None
    assert dumped(b"")["header"] is None


def test_a_violation_freezes_the_surface_and_nothing_else() -> None:
    """First error wins; history and events go on to the end."""
    log = log_of_replacements()
    log.user("bad", build.replace(1, 1), sourceEventSeqs=[1])
    log.user("bad too", build.replace(99, 99), sourceEventSeqs=[1])
    log.user()
    found = dumped(log.raw())
    assert found["status"] == "invalid"
    assert found["events"] == 10
    assert found["surface"] == {"at": 9, "generation": 2, "nodes": [0, 6]}
    assert [one["seq"] for one in found["replacements"]] == [4, 6]
    assert found["history"] == [0, 1, 2, 3, 5, 9]
    assert [(one["code"], one["seq"]) for one in found["notices"]] == [("E14", 7)]


def test_empty_messages_derive_nothing() -> None:
    """formats 6.3 and case 29: an empty assistant message is a node but no message; a user's is sent."""
    log = build.Log()
    log.add("user/message", build.user_message("u", []), surfaceOp="append")
    log.assistant(content=[])
    log.add(
        "tool/result",
        {"turn": 1, "step": 1, "message": build.result_message("r", "c", [])},
        surfaceOp="append",
    )
    found = dumped(log.raw())
    assert found["surface"]["nodes"] == [0, 1, 2]
    assert [message["id"] for message in found["messages"]] == ["u", "r"]


def test_values_are_untouched() -> None:
    """Keys nobody knows, floats, and numbers beyond 2**53 come out as they went in."""
    log = build.Log()
    odd = {**build.user_message("u", [{"type": "x", "n": 1.5, "big": 2**60, "deep": {"a": [None, True]}}]), "zeta": []}
    log.add("user/message", odd, surfaceOp="append")
    assert dumped(log.raw())["messages"] == [odd]


def test_the_output_is_ascii() -> None:
    """ASCII-escaped JSON, lone surrogates and control characters included."""
    log = build.Log(first=build.header(cwd="/höme/用户/\ud83d"))
    log.user("😀 \ud83d \x1b[31m \x00 \u2028")
    text = to_json(dump(opened(log.raw()), messages=True))
    assert text.isascii()
    assert "\x1b" not in text
    found = json.loads(text)
    assert found["header"]["cwd"] == "/höme/用户/\ud83d"
    assert found["messages"][0]["content"][0]["text"] == "😀 \ud83d \x1b[31m \x00 \u2028"


def test_numbers_that_json_cannot_hold_are_null() -> None:
    log = build.Log()
    log.user()
    data = log.raw().replace(b'"text":"hello"', b'"text":"hello","x":1e999,"y":[-1e999,{"z":' + b"9" * 5000 + b"}]")
    message = dumped(data)["messages"][0]["content"][0]
    assert (message["x"], message["y"]) == (None, [None, {"z": None}])


@pytest.mark.parametrize("inner", [b"1", b"1e999"])
def test_the_deepest_row_that_is_read_can_be_dumped(inner: bytes) -> None:
    levels = DEFAULT.nesting - 3
    log = build.Log()
    log.user()
    deep = b"[" * levels + inner + b"]" * levels
    data = log.raw().replace(b'"content":[', b'"extra":' + deep + b',"content":[')
    value: Any = dumped(data)["messages"][0]["extra"]
    for _ in range(levels):
        (value,) = value
    assert value == (1 if inner == b"1" else None)


def test_salvage_is_listed_only_where_there_is_some() -> None:
    log = build.Log()
    log.user()
    log.line(b"garbage")
    log.user()
    log.user()
    found = dumped(log.raw())
    assert found["status"] == "torn"
    before = len(build.raw(log.lines[:3]))
    assert found["salvaged"] == [{"first_seq": 1, "last_seq": 2, "events": 2, "line": 4, "byte": before}]
    assert (found["events"], found["history"], found["surface"]["nodes"]) == (1, [0], [0])


def test_notices_say_where() -> None:
    log = build.Log()
    log.user()
    log.user(op=7)
    (notice,) = dumped(log.raw())["notices"]
    assert list(notice) == ["code", "severity", "seq", "line", "byte", "message"]
    assert (notice["code"], notice["severity"], notice["seq"], notice["line"]) == ("E5", "error", 1, 3)
    assert notice["byte"] == len(build.raw(log.lines[:2]))
    assert notice["message"]
