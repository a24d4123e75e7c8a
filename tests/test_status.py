"""The status table, row by row and in its order: the first that fits, top down."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import build
import pytest
from opening import dumped, opened
from palimpsest.core.dialects import DIALECTS


def good() -> build.Log:
    log = build.Log()
    log.turn_start()
    log.user()
    log.turn_end()
    return log


def unreadable() -> bytes:
    log = good()
    log.first = build.header(createdAt="now")
    return log.raw()


def unsupported() -> bytes:
    log = good()
    log.first = build.header(version=5)
    return log.raw()


def damaged() -> bytes:
    log = build.Log()
    log.turn_start()
    log.line(b"garbage")
    log.turn_end()
    return log.raw()


def invalid() -> bytes:
    log = good()
    log.add("foo/bar", {})
    return log.raw()


def torn() -> bytes:
    return good().raw() + b'{"half'


def fine() -> bytes:
    return good().raw()


@pytest.mark.parametrize("make", [unreadable, unsupported, damaged, invalid, torn, fine])
def test_every_status(make: Callable[[], bytes]) -> None:
    """The table of the interface."""
    name = make.__name__ if make is not fine else "ok"
    assert opened(make()).status == name
    found = dumped(make())
    assert found["status"] == name
    errors = [notice for notice in found["notices"] if notice["severity"] == "error"]
    assert bool(errors) is (name not in ("ok", "torn"))
    assert bool(found["notices"]) is (name != "ok")


def test_unreadable_comes_before_damaged() -> None:
    log = build.Log(first=build.header(id=None))
    log.line(b"garbage")
    log.turn_end()
    assert opened(log.raw()).status == "unreadable"
    assert opened(build.zstd([b"garbage", *log.rows])).status == "unreadable"


def test_unsupported_comes_before_damaged() -> None:
    log = build.Log(first=build.header(version=9))
    log.line(b"garbage")
    log.turn_end()
    assert opened(log.raw()).status == "unsupported"


def test_a_version_number_that_is_no_number_comes_before_an_unknown_one() -> None:
    log = build.Log(first={**build.header(), "version": "9"})
    assert opened(log.raw()).status == "unreadable"


def test_damaged_comes_before_invalid() -> None:
    log = build.Log(first=build.header(cwd=5))
    log.user(op=None)
    log.line(b"garbage")
    log.turn_end()
    session = opened(log.raw(), Path("session.v3.jsonl"))
    assert session.status == "damaged"
    assert {"header-field", "E5", "bad-json", "generation"} <= {notice.code for notice in session.notices}


def test_damaged_comes_before_torn() -> None:
    assert opened(damaged() + b"half").status == "damaged"
    log = good()
    log.line(b"garbage")
    assert opened(log.zstd() + build.frame(b"more")[:-1]).status == "damaged"


@pytest.mark.parametrize("tail", [b"half", b"garbage\n"])
def test_invalid_comes_before_torn(tail: bytes) -> None:
    assert opened(invalid() + tail).status == "invalid"
    log = build.Log()
    log.user(op=None)
    session = opened(log.raw() + tail)
    assert session.status == "invalid"
    assert opened(fine() + tail, Path("session.v2.jsonl")).status == "invalid"


def test_open_turns_and_ignorable_types_are_ok() -> None:
    log = good()
    log.turn_start(2)
    log.add("foo/bar", {}, ignorable=True)
    log.add("compaction/start", {"compactionId": "c", "turn": 2})
    session = opened(log.raw())
    assert session.status == "ok"
    assert all(notice.severity == "info" for notice in session.notices)


def test_an_ignorable_event_with_surface_fields_is_still_invalid() -> None:
    """formats 6.1, note 1: only v3 and v4 skip them."""
    for fields, code in (({"surfaceOp": "append"}, "E2"), ({"sourceEventSeqs": [0]}, "E3")):
        log = good()
        log.add("foo/bar", {}, ignorable=True, **fields)
        session = opened(log.raw())
        assert session.status == "invalid"
        assert code in [notice.code for notice in session.notices]


@pytest.mark.parametrize("known", ["turn/start", "system/message", "developer/message", "image/offload", "job/settled"])
def test_a_type_that_any_version_knows_is_never_unknown(known: str) -> None:
    """formats 4.2: the union over all versions; but only this version's types are on the surface."""
    log = good()
    log.add(known, {})
    assert opened(log.raw()).status == "ok"
    log.add(known, {}, surfaceOp="append")
    assert [notice.code for notice in opened(log.raw()).notices if notice.severity == "error"] == ["E2"]


def test_versions_of_this_build() -> None:
    for version in range(5):
        log = build.Log(version)
        status = opened(log.raw()).status
        if version not in DIALECTS:
            assert status == "unsupported"
        else:
            assert status == "ok"
