"""Strict JSON as Node reads it (formats 2.1)."""

from __future__ import annotations

import math
from typing import Any

import build
import pytest
from opening import codes, opened, sequence
from palimpsest.core.export.dump import to_json
from palimpsest.core.reading.json import MAX_SAFE, BadJsonError, integer, natural, parse, same
from palimpsest.core.settings import DEFAULT


@pytest.mark.parametrize("line", [b"NaN", b"Infinity", b"-Infinity", b'{"a":NaN}', b"[1,-Infinity]"])
def test_constants_that_only_python_knows_are_refused(line: bytes) -> None:
    """formats 2.1: reject NaN and Infinity."""
    with pytest.raises(BadJsonError):
        parse(line)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b" ",
        b"{",
        b"[1,]",
        b'{"a":1,}',
        b"{'a':1}",
        b'{"a":1} x',
        b"{}{}",
        b"01",
        b"+1",
        b".5",
        b"1.",
        b"0x10",
        b'"\t"',
        b'"\\x41"',
        b"\xef\xbb\xbf{}",
        b"\x00",
        b"tru",
        b"{} // why",
        b"\xc2\xa0{}",
    ],
)
def test_what_json_parse_refuses(line: bytes) -> None:
    """formats 2.1: strict JSON; neither a byte order mark nor a no-break space is white space."""
    with pytest.raises(BadJsonError):
        parse(line)


def test_white_space_around_a_value() -> None:
    """formats 2.1: CR is no separator, but white space of JSON."""
    assert parse(b' \t{"a": 1}\r') == {"a": 1}


def test_the_last_of_two_equal_keys_wins() -> None:
    """formats 2.1: duplicate keys, on the fast path and on the slow one."""
    assert parse(b'{"a":1,"b":0,"a":2}') == {"a": 2, "b": 0}
    assert parse(b'{"a":1,"b":"\\ud83d","a":2}')["a"] == 2


@pytest.mark.parametrize("escape", ["\\ud83d", "\\udc00", "\\ud83d\\ud83d", "\\ude00\\ud83d"])
def test_lone_surrogates_are_kept(escape: str) -> None:
    """formats 2.1: lone surrogate escapes are legal."""
    value = parse(f'"{escape}"'.encode())
    assert [f"\\u{ord(unit):04x}" for unit in value] == [f"\\u{part}" for part in escape.split("\\u")[1:]]


def test_a_surrogate_pair_is_one_character() -> None:
    """formats 2.1."""
    assert parse(b'"\\ud83d\\ude00"') == "\U0001f600"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'"a\xffb"', "a�b"),
        (b'"\xc3"', "�"),
        (b'"\xe2\x82"', "�"),
        (b'"\xed\xa0\xbd"', "���"),
        (b'"\xc0\x80"', "��"),
    ],
)
def test_invalid_utf8_is_replaced(line: bytes, expected: str) -> None:
    """formats 2.1: UTF-8 with replacement, as Node does it; the value is kept."""
    assert parse(line) == expected


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085", "\x7f", "\ufeff"])
def test_separators_of_other_worlds_are_text(separator: str) -> None:
    """formats 2.1, case 11 of formats 11."""
    assert parse(f'"a{separator}b"'.encode()) == f"a{separator}b"


def test_numbers_beyond_a_double() -> None:
    """formats 2.1: 1e999 is Infinity in JavaScript, as are integers of thousands of digits."""
    assert parse(b"1e999") == math.inf
    assert parse(b"-1e999") == -math.inf
    assert parse(b"9" * 5000) == math.inf
    assert parse(b"1e-999") == 0


@pytest.mark.parametrize("digits", [17, 300, 400, 401, 4_000, 4_299, 4_300, 4_301, 5_000])
def test_long_integers_are_no_event_numbers_and_can_be_shown(digits: int) -> None:
    """formats 2.1: only the size of such a number matters; Python's limit on digits must not show."""
    for sign in (b"", b"-"):
        number = parse(sign + b"9" * digits)
        assert integer(number) is None
        assert (number > MAX_SAFE) is (sign == b"")
        assert to_json([number])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, 0),
        (1.0, 1),
        (-0.0, 0),
        (-3, -3),
        (MAX_SAFE, MAX_SAFE),
        (float(MAX_SAFE), MAX_SAFE),
        (MAX_SAFE + 1, None),
        (-MAX_SAFE - 1, None),
        (float(MAX_SAFE + 1), None),
        (1.5, None),
        (math.inf, None),
        (math.nan, None),
        (True, None),
        (False, None),
        ("1", None),
        (None, None),
        ([], None),
    ],
)
def test_safe_integers(value: object, expected: int | None) -> None:
    """formats 2.1: integral floats are integers, true is none."""
    found = integer(value)
    assert found == expected
    assert found is None or type(found) is int
    assert natural(value) == (expected if expected is not None and expected >= 0 else None)


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ({"a": 1, "b": [2]}, {"b": [2.0], "a": 1.0}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ({"a": True}, {"a": 1}, False),
        ({"a": False}, {"a": 0}, False),
        ([True], [True], True),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ({}, [], False),
        (None, {}, False),
        ([], "", False),
        ("1", 1, False),
        (None, None, True),
        ([[]], [{}], False),
    ],
)
def test_deep_equality(left: Any, right: Any, equal: bool) -> None:
    """formats 6.1: the comparison of E20 is deep JSON equality."""
    assert same(left, right) is equal
    assert same(right, left) is equal


def nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


def test_nesting_is_bounded_and_never_raises_anything_else() -> None:
    """A value deeper than any real one is no JSON here; a million levels do not crash."""
    assert parse(nested(DEFAULT.nesting)) is not None
    for levels in (DEFAULT.nesting + 1, 1_000, 100_000):
        with pytest.raises(BadJsonError):
            parse(nested(levels))
        with pytest.raises(BadJsonError):
            parse(b'{"a":' * levels + b'"\\ud83d"' + b"}" * levels)


def test_many_values_side_by_side_are_not_deep() -> None:
    assert len(parse(b"[" + b"[]," * 5_000 + b"[]]")) == 5_001
    assert parse(b'"' + b"[" * 5_000 + b'"') == "[" * 5_000


def deeper(frames: int, look: Any) -> Any:
    return look() if frames == 0 else deeper(frames - 1, look)


@pytest.mark.parametrize("levels", [200, DEFAULT.nesting - 4, 400, 900, 970, 980, 985, 990, 995])
def test_a_row_that_was_read_can_be_read_again_from_anywhere(levels: int) -> None:
    """A trusted event stays readable however deep the caller's stack is."""
    log = build.Log()
    content = build.line(build.event(0, "plan/mode", "HERE")).replace(b'"HERE"', nested(levels))
    log.line(content)
    session = opened(log.raw())
    assert session.log.events == (1 if levels <= DEFAULT.nesting else 0)
    session.log._rows.clear()
    for seq in range(session.log.events):
        assert deeper(150, lambda: session.log.event(seq)).type == "plan/mode"  # noqa: B023


def test_lone_surrogates_and_bad_utf8_in_a_log() -> None:
    """formats 11, cases 12 and 13: replaced or kept, and the record stands."""
    log = build.Log()
    log.user("\ud83d")
    session = opened(log.raw().replace(b'"u0"', b'"u\xff0"'))
    assert session.status == "ok"
    assert sequence(session) == [0]
    message = session.surface.messages(0)[0]
    assert message["content"][0]["text"] == "\ud83d"
    assert message["id"] == "u�0"


@pytest.mark.parametrize("number", [b"1e999", b"9" * 5000, b"1.5", b"-1", b"true", b'"0"', b"null", b"[0]"])
def test_a_seq_that_is_no_event_number(number: bytes) -> None:
    """formats 2.3: such a row is faulty, whatever its size."""
    log = build.Log()
    log.line(build.line(build.event(0, "plan/mode", {})).replace(b'"seq":0', b'"seq":' + number))
    session = opened(log.raw())
    assert session.status == "torn"
    assert codes(session) == ["bad-row"]
    assert session.log.events == 0


def test_integral_floats_number_events() -> None:
    """formats 2.1: 1.0 equals the integer 1."""
    log = build.Log()
    for _ in range(3):
        log.user()
    log.user("sum", build.replace(0, 1), sourceEventSeqs=[0, 1])
    data = log.raw()
    for plain in (b'"seq":1', b'"end":1', b'"sourceEventSeqs":[0,1'):
        assert plain in data
        data = data.replace(plain, plain + b".0")
    session = opened(data)
    assert session.status == "ok"
    assert sequence(session) == [3, 2]
