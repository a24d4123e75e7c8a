"""Random operation sequences for property tests: plans of small numbers, made into rows.

A plan is a list of tuples, so that hypothesis shrinks it well. What a number means is decided
against the surface that the rows before it give: mostly a live node, now and then a dead, a
future or a reversed one, missing sources, or a tool result that changes too much.
"""

from __future__ import annotations

import copy
import random
from typing import Any

import build
from hypothesis import strategies as st
from naive import Naive

Step = tuple[int, int, int, int]

steps = st.tuples(st.integers(0, 11), st.integers(0, 40), st.integers(0, 6), st.integers(0, 60))
"""(what, where, how far, how wrong)"""

plans = st.lists(steps, max_size=40)
sound_plans = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 40), st.integers(0, 6), st.just(60)), max_size=40)

_ODD_OPERATIONS: list[Any] = [None, 7, "replace", [], {}, {"op": "replace", "start": 0}, {"op": "append"}, ...]
_ODD_SOURCES: list[Any] = [None, [], [-1], ["0"], [0, 0], [99_999], [[3, 1]], [[0, 2], 1], [1.5], {}]


def long_plan(seed: int, size: int, faulty: float) -> list[Step]:
    """A plan longer than hypothesis makes them; `faulty` is the share of steps that may be wrong."""
    chance = random.Random(seed)

    def wrong() -> int:
        return chance.randrange(13) if chance.random() < faulty else 60

    return [(chance.randrange(12), chance.randrange(41), chance.randrange(7), wrong()) for _ in range(size)]


def rows_of(plan: list[Step]) -> tuple[list[build.Row], Naive]:
    """The rows of a plan, and the naive model after all of them."""
    model = Naive()
    for step in plan:
        model.take(_row(model, *step))
    return model.rows, model


def _row(model: Naive, what: int, where: int, far: int, wrong: int) -> build.Row:
    seq = len(model.rows)
    if what == 0:
        fields = {"surfaceOp": "append"} if wrong == 0 else {"sourceEventSeqs": [0]} if wrong == 1 else {}
        return build.event(seq, "plan/mode", {"active": True}, **fields)
    if what == 1:
        return build.chunk(seq, build.text_delta("token"))
    if what <= 5 or not model.nodes:
        row = _appended(seq, what)
        if wrong < len(_ODD_OPERATIONS):
            _set(row, "surfaceOp", copy.deepcopy(_ODD_OPERATIONS[wrong]))
        elif wrong < 12:
            _set(row, "sourceEventSeqs", copy.deepcopy(_ODD_SOURCES[where % len(_ODD_SOURCES)]))
        elif wrong < 24 and seq:
            row["sourceEventSeqs"] = [where % seq]
        return row
    return _replacing(model, seq, what, where, far, wrong)


def _set(row: build.Row, key: str, value: Any) -> None:
    row[key] = value
    if value is ...:
        del row[key]


def _appended(seq: int, what: int) -> build.Row:
    if what == 2:
        content = [] if seq % 3 == 0 else [build.text(f"answer {seq}")]
        data = {"turn": 1, "step": 1, "message": build.assistant_message(f"a{seq}", content)}
        return build.event(seq, "assistant/message", data, surfaceOp="append")
    if what == 3:
        data = {"turn": 1, "step": 1, "message": build.result_message(f"r{seq}", f"c{seq}", [build.text("long")])}
        return build.event(seq, "tool/result", data, surfaceOp="append")
    content = [] if seq % 7 == 0 else [build.text(f"words {seq}")]
    return build.event(seq, "user/message", build.user_message(f"u{seq}", content), surfaceOp="append")


def _replacing(model: Naive, seq: int, what: int, where: int, far: int, wrong: int) -> build.Row:
    nodes = model.nodes
    first = where % len(nodes)
    last = min(first + far, len(nodes) - 1)
    if what >= 10 and wrong not in (11, 12):  # a tool result in place of one, if there is one
        results = [at for at, node in enumerate(nodes) if model.rows[node]["type"] == "tool/result"]
        first = last = results[where % len(results)] if results else first
    start, end = nodes[first], nodes[last]
    cited: list[Any] = list(nodes[first : last + 1])
    if wrong == 0:
        start = where  # live, dead, future or no node at all
    elif wrong == 1:
        end = seq + far
    elif wrong == 2:
        start, end = end, start
    elif wrong == 3:
        cited = cited[1:]
    elif wrong == 4 and seq:
        cited = [[0, seq - 1]]
    elif wrong == 5:
        cited = [*cited, seq]
    elif wrong > 40:
        cited = sorted({*cited, 0})
    row = _replacement(model, seq, what, nodes[first], wrong)
    row["surfaceOp"] = build.replace(start, end)
    row["sourceEventSeqs"] = cited
    if wrong == 6:
        del row["sourceEventSeqs"]
    elif wrong == 7:
        row["sourceEventSeqs"] = copy.deepcopy(_ODD_SOURCES[where % len(_ODD_SOURCES)])
    return row


def _replacement(model: Naive, seq: int, what: int, target: int, wrong: int) -> build.Row:
    """What takes the place: any message, or a rewrite of a tool result."""
    if what < 10:
        return _appended(seq, 2 if what == 9 else 4)
    old = model.rows[target]
    if old["type"] != "tool/result":
        return _appended(seq, 3)
    data = copy.deepcopy(old["data"])
    block = data["message"]["content"][0]
    block["content"] = [build.text(f"cut {seq}")]
    if wrong == 8:
        block["isError"] = True
    elif wrong == 9:
        data["message"]["id"] = "another"
    elif wrong == 10:
        data["meta"] = {}
    return build.event(seq, "tool/result", dict(reversed(data.items())))
