"""Strict JSON as Node reads it, and the number tests of JavaScript.

msgspec is the fast path; what it refuses (lone surrogates, invalid UTF-8, 1e999,
integers of thousands of digits) is decided by the standard library, which is told
to refuse NaN and Infinity.
"""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec

from ..settings import DEFAULT, Limits

MAX_SAFE = 2**53 - 1
LONG = 4 << 20
"""Bytes from which a line is looked over before it is parsed."""

_fast = msgspec.json.Decoder()


class BadJsonError(ValueError):
    """The bytes are not strict JSON."""


def _refuse(constant: str) -> Any:
    raise BadJsonError(f"{constant} is not JSON")


def _integer(digits: str) -> int | float:
    # JavaScript numbers are doubles: beyond that precision only the size matters, and
    # Python would refuse to convert thousands of digits.
    return int(digits) if len(digits) <= 400 else float(digits)


_slow = json.JSONDecoder(parse_constant=_refuse, parse_int=_integer)


def parse(line: bytes, limits: Limits = DEFAULT) -> Any:
    """The JSON value of one line. Raises BadJsonError, also beyond the limits.

    The parsers' own bound on nesting depends on how deep the caller's stack is: a line could be
    read in the pass and not when it is looked at again. And a long line made of nothing but
    brackets would cost a hundred times its size.
    """
    if len(line) > LONG and sum(map(line.count, (b",", b"[", b"{"))) > limits.values:
        raise BadJsonError(f"more than {limits.values} values in one line")
    try:
        value = _fast.decode(line)
    except (ValueError, RecursionError):
        value = _parse_slowly(line)
    if line.count(b"[") + line.count(b"{") > limits.nesting and _deeper(value, limits.nesting):
        raise BadJsonError("nested too deeply to be read")
    return value


def _deeper(value: Any, levels: int) -> bool:
    inside = [value]
    for _ in range(levels):
        holders = [one for one in inside if isinstance(one, (dict, list))]
        if not holders:
            return False
        inside = [part for one in holders for part in (one.values() if isinstance(one, dict) else one)]
    return any(isinstance(one, (dict, list)) for one in inside)


def _parse_slowly(line: bytes) -> Any:
    text = line.decode("utf-8", "replace").strip(" \t\r\n")
    try:
        value, end = _slow.raw_decode(text)
    except RecursionError:
        raise BadJsonError("nested too deeply to be read") from None
    except BadJsonError:
        raise
    except json.JSONDecodeError as error:
        raise BadJsonError(f"{error.msg} at character {error.pos}") from None
    if end != len(text):
        raise BadJsonError(f"text after the value at character {end}")
    return value


def integer(value: object) -> int | None:
    """The value as a safe integer (1.0 counts as 1, true does not), or None."""
    if type(value) is int:
        return value if -MAX_SAFE <= value <= MAX_SAFE else None
    if type(value) is float and math.isfinite(value) and value.is_integer():
        return int(value) if -MAX_SAFE <= value <= MAX_SAFE else None
    return None


def natural(value: object) -> int | None:
    """The value as a non-negative safe integer, or None."""
    number = integer(value)
    return number if number is not None and number >= 0 else None


def same(left: Any, right: Any) -> bool:
    """Deep equality of JSON values: key order is irrelevant, 1.0 equals 1, true is not 1."""
    pairs = [(left, right)]
    while pairs:
        one, two = pairs.pop()
        if isinstance(one, dict):
            if not isinstance(two, dict) or one.keys() != two.keys():
                return False
            pairs.extend((value, two[key]) for key, value in one.items())
        elif isinstance(one, list):
            if not isinstance(two, list) or len(one) != len(two):
                return False
            pairs.extend(zip(one, two, strict=True))
        elif isinstance(one, bool) or isinstance(two, bool):
            if one is not two:
                return False
        elif isinstance(two, (dict, list)) or one != two:
            return False
    return True
