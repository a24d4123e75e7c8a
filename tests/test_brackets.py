"""Turns, steps, compactions, calls: what opens and closes (formats 4.2, 7)."""

from __future__ import annotations

from typing import Any

import build
import pytest
from opening import opened
from palimpsest.core.log.brackets import Brackets


def brackets(log: build.Log) -> Brackets:
    session = opened(log.raw())
    assert session.status == "ok"
    return session.log.brackets


def test_turns_and_steps() -> None:
    log = build.Log()
    for turn in (4, 5):
        log.turn_start(turn)
        log.step_start(turn, 1)
        log.step_end(turn, 1)
        log.turn_end(turn)
    log.turn_start(6)
    found = brackets(log)
    assert [(one.number, one.start, one.end) for one in found.turns] == [(4, 0, 3), (5, 4, 7), (6, 8, None)]
    assert [(one.turn, one.number, one.start, one.end) for one in found.steps] == [(4, 1, 1, 2), (5, 1, 5, 6)]
    assert [one.reason for one in found.turns] == ["completed", "completed", ""]
    fifth = found.turn_at(5)
    assert fifth is not None
    assert fifth.number == 5
    assert found.turn_at(-1) is None


def test_a_turn_end_without_a_start_is_passed_over() -> None:
    log = build.Log()
    log.turn_end()
    log.turn_start()
    log.turn_end()
    log.turn_end()
    assert [(one.start, one.end) for one in brackets(log).turns] == [(1, 2)]


def test_a_whole_compaction() -> None:
    """formats 7.2."""
    log = build.Log()
    nodes = [log.user(), log.user()]
    checkpoint = log.summarise(nodes, turn=3)
    (found,) = brackets(log).compactions
    assert (found.start, found.summary, found.end) == (2, checkpoint - 1, checkpoint + 1)
    assert (found.id, found.turn, found.command) == ("c2", 3, None)
    assert (found.shadowed_tokens, found.provider, found.model) == (100, "deepseek", "deepseek-v4-pro")
    assert (found.failure, found.stale) == ("", False)
    assert brackets(log).compaction_of(checkpoint - 1) is not None
    assert brackets(log).compaction_of(checkpoint) is None


def test_a_failed_compaction_changes_nothing() -> None:
    """formats 11, case 33."""
    log = build.Log()
    log.user()
    log.add("compaction/start", {"compactionId": "c", "turn": 1})
    log.add("compaction/end", {"compactionId": "c", "turn": 1, "error": {"message": "too long", "code": "X"}})
    session = opened(log.raw())
    (found,) = session.log.brackets.compactions
    assert (found.failure, found.end, found.summary) == ("too long (X)", 2, None)
    assert session.surface.seqs_at(session.end) == [0]
    assert not session.surface.replacements


@pytest.mark.parametrize(("reopened", "notices"), [(True, []), (False, ["open-compaction"])])
def test_an_orphan_start(reopened: bool, notices: list[str]) -> None:
    """formats 11, case 34: stale if the log was reopened later, else in progress."""
    log = build.Log()
    log.add("compaction/start", {"compactionId": "c", "turn": None})
    if reopened:
        log.add("session/end-seed", {})
    session = opened(log.raw())
    (found,) = session.log.brackets.compactions
    assert (found.stale, found.end) == (reopened, None)
    assert [notice.code for notice in session.notices] == notices


def test_a_standalone_compaction_with_context_injected() -> None:
    """formats 11, case 35: what is injected between stays after the checkpoint."""
    log = build.Log()
    nodes = [log.user() for _ in range(4)]
    log.add("compaction/start", {"compactionId": "c", "turn": None, "sourceCommandId": "cmd"})
    injected = log.user("injected", source={"kind": "plugin", "plugin": "time-context"})
    span = {"shadowedRange": {"start": 0, "end": 3}, "shadowedSeqs": nodes, "shadowedTokenCount": 1}
    log.add("compaction/summary", {"compactionId": "c", "summary": [], **span, "provider": "p", "model": "m"})
    source = {"kind": "plugin", "plugin": "compact", "compactionId": "c"}
    checkpoint = log.user("sum", build.replace(0, 3), source, sourceEventSeqs=[4, 6, *nodes])
    log.add("compaction/end", {"compactionId": "c", "turn": None})
    session = opened(log.raw())
    assert session.surface.seqs_at(session.end) == [checkpoint, injected]
    (found,) = session.log.brackets.compactions
    assert (found.command, found.turn) == ("cmd", None)


def test_prunes() -> None:
    """formats 7.3."""
    log = build.Log()
    node = log.result("c", "long")
    rewrite = log.prune(node, "c")
    found = brackets(log).prunes
    assert {seq: (one.shadowed, one.tokens) for seq, one in found.items()} == {rewrite - 1: ((node,), 50)}


def test_tool_calls_from_question_to_answer() -> None:
    log = build.Log()
    asks = log.assistant(content=[build.tool_call("one"), build.tool_call("two", "grep"), build.tool_call("three")])
    started = log.call("two", "grep")
    answered = log.result("two")
    log.result("one")
    log.result("nobody-asked")
    calls = brackets(log).calls
    assert sorted(calls) == ["one", "three", "two"]
    two = calls["two"]
    assert (two.message, two.start, two.end, two.name) == (asks, started, answered, "grep")
    assert (calls["one"].start, calls["one"].end) == (asks, answered + 1)
    assert calls["three"].end is None


def test_a_rewrite_does_not_answer_again() -> None:
    """formats 5.1: a rewrite of a tool result keeps its id; the call ended with the first."""
    log = build.Log()
    log.assistant(content=[build.tool_call("c")])
    node = log.result("c")
    log.prune(node, "c")
    assert brackets(log).calls["c"].end == node


def test_seeds_titles_headers_and_windows() -> None:
    """formats 8 and case 60: end-seeds are resume boundaries; the last title wins."""
    log = build.Log()
    log.add("session/end-seed", {})
    log.add("session/title", {"title": "one", "messageSeqs": [], "source": {"kind": "user"}})
    log.add("request/header", {"header": {"config": {"provider": "p", "model": "m"}}, "reason": "initial"})
    log.add("request/context", {"provider": "p", "model": "m", "contextWindow": 1000})
    log.add("request/context", {"provider": "p", "model": "m"})
    log.add("session/title", {"title": "two", "messageSeqs": [], "source": {"kind": "provider"}})
    log.add("session/end-seed", {})
    found = brackets(log)
    assert found.seeds == [0, 6]
    assert found.title == "two"
    assert found.headers == [(2, "p", "m")]
    assert found.windows == [(3, 1000), (4, None)]


@pytest.mark.parametrize("data", [None, [], "x", 3, {}, {"turn": "x", "reason": 3, "error": 4, "shadowedSeqs": "no"}])
def test_odd_payloads_never_raise(data: Any) -> None:
    """formats 5.1: log-only payloads are hardly validated on load."""
    log = build.Log()
    types = """
        turn/start turn/end step/start step/end compaction/start compaction/summary compaction/prune compaction/end
        tool/call session/end-seed session/title request/context llm/retry llm/retry-started assistant/chunk
    """.split()
    for type_ in [*types, *reversed(types)]:
        log.add(type_, data)
    assert opened(log.raw()).status == "ok"
    assert opened(log.raw()).log.events == 2 * len(types)


def test_a_call_id_used_twice_names_the_tool_of_its_own_time() -> None:
    log = build.Log()
    log.assistant(content=[build.tool_call("c1", "read")])
    first = log.result("c1")
    log.assistant(content=[build.tool_call("c1", "bash")])
    second = log.result("c1")
    with opened(log.raw()) as session:
        assert session.log.brackets.tools == {first: "read", second: "bash"}


@pytest.mark.parametrize("number", [-1, 2**60, "3", None, 1.5])
def test_a_turn_without_a_number_is_given_none(number: object) -> None:
    log = build.Log()
    log.add("turn/start", {"turn": number})
    with opened(log.raw()) as session:
        assert [turn.number for turn in session.log.brackets.turns] == [None]


def test_nested_compactions_end_by_their_ids() -> None:
    log = build.Log()
    for type_, id_ in (("start", "outer"), ("start", "inner"), ("end", "inner"), ("end", "outer")):
        log.add(f"compaction/{type_}", {"compactionId": id_, "turn": None})
    with opened(log.raw()) as session:
        assert [(one.id, one.start, one.end) for one in session.log.brackets.compactions] == [
            ("outer", 0, 3),
            ("inner", 1, 2),
        ]
