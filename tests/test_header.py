"""The header line: the version gate, required and optional fields (formats 3, and the status table)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import build
import pytest
from opening import codes, opened
from palimpsest.core.dialects.header import read_header


def verdict(**fields: Any) -> tuple[str, list[str]]:
    row = {**build.header(), **fields}
    reading = read_header({key: value for key, value in row.items() if value is not ...})
    return reading.verdict, [notice.code for notice in reading.notices]


def test_every_known_field_is_read() -> None:
    """formats 3."""
    more: dict[str, Any] = {
        "cwd": "/home/u/app",
        "parentSession": "p",
        "origin": "subagent",
        "agentPreset": "ptc",
        "seedLength": 3,
    }
    reading = read_header(build.header(**more))
    header = reading.header
    assert reading.verdict == "ok"
    assert not reading.notices
    assert header is not None
    assert (header.version, header.id, header.created, header.depth) == (0, "built", build.START, 0)
    assert (header.cwd, header.parent, header.origin, header.preset) == ("/home/u/app", "p", "subagent", "ptc")
    assert (header.seed_length, header.seeded) == (3, None)
    assert reading.fields == {key: value for key, value in build.header(**more).items() if key != "type"}


@pytest.mark.parametrize(
    "line", [None, 3, "session", [], [{"type": "session"}], {}, {"type": "header"}, {"version": 0}]
)
def test_what_is_no_header_is_unreadable(line: Any) -> None:
    """formats 10: header not JSON or not of type session."""
    reading = read_header(line)
    assert (reading.verdict, reading.header) == ("unreadable", None)
    assert [notice.code for notice in reading.notices] == ["no-header"]


@pytest.mark.parametrize("data", [b"", b"\n", b"nothing\n", b"{\n", b'{"type":"session"}', b"\x00" * 64, b"[]\n"])
def test_files_without_a_header_are_unreadable(data: bytes) -> None:
    """formats 2.2, 10; a line without its end is no line."""
    session = opened(data)
    assert session.status == "unreadable"
    assert session.log.events == 0
    assert all(notice.severity == "error" for notice in session.notices)
    assert session.notices


@pytest.mark.parametrize("version", [..., None, "0", True, False, [], {}])
def test_a_version_that_is_no_number_is_unreadable(version: Any) -> None:
    """Status table: a required header field missing or of the wrong type."""
    assert verdict(version=version) == ("unreadable", ["header-field"])


@pytest.mark.parametrize("version", [5, 6, 2**53, -1, 0.5, 1e300])
def test_an_unknown_version_is_unsupported(version: Any) -> None:
    """formats 0: treat 5 and above as unknown, never guess."""
    assert verdict(version=version) == ("unsupported", ["version"])


def test_the_version_is_read_before_anything_else() -> None:
    """formats 3: a newer header may have any shape."""
    assert verdict(version=9, id=..., createdAt="now", delegationDepth=...) == ("unsupported", ["version"])
    assert verdict(version=1.0, seedLength=2.0) == ("ok", [])


@pytest.mark.parametrize("name", ["sandboxMode", "approvalPolicy"])
def test_retired_fields_are_unsupported(name: str) -> None:
    """formats 3: v0 refuses them."""
    assert verdict(**{name: "ask"}) == ("unsupported", ["retired"])
    assert verdict(**{name: None}) == ("unsupported", ["retired"])


@pytest.mark.parametrize(
    "fields",
    [
        {"id": ...},
        {"id": 5},
        {"id": None},
        {"createdAt": ...},
        {"createdAt": -1},
        {"createdAt": 1.5},
        {"createdAt": "1"},
        {"createdAt": 2**53},
        {"delegationDepth": ...},
        {"delegationDepth": -1},
        {"delegationDepth": True},
        {"delegationDepth": None},
        {"origin": "user"},
        {"origin": None},
        {"agentPreset": 1},
        {"agentPreset": None},
    ],
)
def test_required_fields_and_their_types(fields: dict[str, Any]) -> None:
    """formats 3 and the status table."""
    assert verdict(**fields) == ("unreadable", ["header-field"])


@pytest.mark.parametrize(
    "fields",
    [
        {"cwd": 1},
        {"cwd": None},
        {"parentSession": 7},
        {"seedLength": -1},
        {"seedLength": 1.5},
        {"seedLength": "3"},
        {"seedLength": None},
    ],
)
def test_an_optional_field_of_the_wrong_type_is_invalid(fields: dict[str, Any]) -> None:
    """Status table: the events are still read."""
    assert verdict(**fields) == ("invalid", ["header-field"])
    log = build.Log(first={**build.header(), **fields})
    log.user()
    session = opened(log.raw())
    assert session.status == "invalid"
    assert session.log.events == 1


def test_unknown_fields_are_told_and_kept() -> None:
    """formats 3: show unknown keys with a warning."""
    log = build.Log(first=build.header(zeta=1, alpha={"x": []}))
    log.user()
    session = opened(log.raw())
    assert session.status == "ok"
    assert [(one.code, one.severity) for one in session.notices] == [("header-field", "warning")] * 2
    assert "'alpha'" in session.notices[0].message
    assert session.log.heading.fields is not None
    assert session.log.heading.fields["alpha"] == {"x": []}


@pytest.mark.parametrize("cwd", ["/", "C:\\w", "\\\\host\\share", "relative", "", "\ud83d"])
def test_any_cwd_is_accepted(cwd: str) -> None:
    """formats 3 and case 58: both POSIX and Windows forms."""
    assert verdict(cwd=cwd) == ("ok", [])


def test_the_cut_of_an_early_log() -> None:
    """formats 8 and case 39: seedLength is the number of inherited events."""
    for length, events, status in ((2, 3, "ok"), (3, 3, "ok"), (0, 0, "ok"), (4, 3, "invalid")):
        log = build.Log(first=build.header(seedLength=length, parentSession="p"))
        for _ in range(events):
            log.user()
        session = opened(log.raw())
        assert session.status == status
        assert session.log.inherited == length
        assert codes(session) == (["seed"] if status == "invalid" else [])


def test_the_file_name_states_the_version() -> None:
    """formats 1.3 and case 45: the header's version must be that of the name."""
    log = build.Log()
    log.user()
    for name, status in (
        ("session.jsonl", "ok"),
        ("session.v1.jsonl", "invalid"),
        ("session.v4.jsonl.zstd", "invalid"),
        ("session.v0.jsonl", "ok"),
        ("copy of session.v3.jsonl", "ok"),
    ):
        session = opened(log.raw(), Path("/somewhere") / name)
        assert session.status == status, name
        assert codes(session) == (["generation"] if status == "invalid" else [])
        assert session.log.events == 1
