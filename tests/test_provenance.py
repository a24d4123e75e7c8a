"""Provenance and calls: each finding on a log made for it, and none on sound logs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import build
import pytest
from opening import opened
from palimpsest.core.notices import Notice
from palimpsest.core.views.provenance import Origin, origins, orphan_calls
from screens import SAMPLES
from test_linear import TIMES, counted


def findings(log: build.Log) -> list[Notice]:
    return [notice for origin in origins(opened(log.raw())) for notice in origin.findings]


def compaction(
    shadowed: Sequence[int] = (0, 1), *, spoil: Callable[[build.Row], object] = lambda _: None, id_: str = "c",
    cited: Sequence[int] = (), apart: bool = False,
) -> build.Log:  # fmt: skip
    """Nodes 0 to 2, then start 3, summary 4 and checkpoint 5, which replaces 0 and 1.

    `spoil` changes the summary's data; `apart` puts an event between summary and checkpoint."""
    log = build.Log()
    for _ in range(3):
        log.user()
    start = log.add("compaction/start", {"compactionId": "c", "turn": None})
    span = {"start": shadowed[0], "end": shadowed[-1]}
    data = {"compactionId": "c", "summary": [], "shadowedRange": span, "shadowedSeqs": list(shadowed)}
    spoil(data)
    summary = log.add("compaction/summary", data)
    if apart:
        log.add("session/title", {"title": "t"})
    source = {"kind": "plugin", "plugin": "compact", "compactionId": id_}
    log.user("summary", build.replace(0, 1), source, sourceEventSeqs=[start, summary, 0, 1, *cited])
    log.add("compaction/end", {"compactionId": "c", "turn": None})
    return log


def told(log: build.Log) -> list[tuple[str, str | None, str | None]]:
    return [(one.message, one.expected, one.found) for one in findings(log)]


def test_a_sound_log_has_no_finding() -> None:
    session = opened(build.turn_of_tools().raw())
    found = list(origins(session))
    assert [(one.kind, one.cited, one.record, one.findings) for one in found] == [
        ("prune", 1, 10, ()),
        ("summary", 5, 13, ()),
    ]
    assert orphan_calls(session) == []
    assert findings(compaction()) == []
    assert findings(compaction(apart=True)) == []


@pytest.mark.parametrize("name", ["login-redirect", "login-redirect-v4", "login-redirect-torn"])
def test_recorded_sessions_have_no_finding(name: str) -> None:
    (path,) = (SAMPLES / name).glob("session*")
    found = list(origins(opened(path.read_bytes())))
    assert found and not any(one.findings for one in found) and all(one.record for one in found)


def test_other_nodes_recorded() -> None:
    seqs = "the shadowedSeqs of #4 are not the nodes that were shadowed"
    span = "the shadowedRange of #4 is not the span that was replaced"
    assert told(compaction([0, 2])) == [(seqs, "#0 #2", "#0 #1"), (span, "#0 #2", "#0 #1")]
    assert told(compaction(spoil=lambda data: data.update(shadowedSeqs=[1, 0]))) == [(seqs, "#1 #0", "#0 #1")]
    assert told(compaction(spoil=lambda data: data.update(shadowedSeqs=[0.0, 1]))) == []
    assert told(compaction(spoil=lambda data: data.update(shadowedSeqs="x"))) == [(seqs, "malformed", "#0 #1")]
    assert told(compaction(spoil=lambda data: data.update(shadowedSeqs=[0, None]))) == [(seqs, "#0 ?", "#0 #1")]
    assert told(compaction(spoil=lambda data: data.update(shadowedRange={"start": 0}))) == [(span, "#0 ?", "#0 #1")]
    assert told(compaction(spoil=lambda data: data.update(shadowedRange=7))) == [(span, "malformed", "#0 #1")]


def test_long_lists_are_counted() -> None:
    ((_, expected, _),) = told(compaction(spoil=lambda data: data.update(shadowedSeqs=list(range(99)))))
    assert expected == "#0 #1 #2 #3 #4 #5 … (99)"


def test_a_field_that_is_absent_says_nothing() -> None:
    assert told(compaction(spoil=lambda data: (data.pop("shadowedSeqs"), data.pop("shadowedRange")))) == []


def test_a_citation_beyond_span_and_record() -> None:
    assert told(compaction(cited=[2])) == [("cites #2, which is neither in its span nor its record", None, "#2")]


def test_ids_that_differ() -> None:
    assert told(compaction(id_="d")) == [("the checkpoint names another compaction than the summary #4", "c", "d")]


def test_a_checkpoint_without_a_record() -> None:
    log = compaction(id_="d", apart=True)
    (notice,) = findings(log)
    assert notice.message == "no compaction/summary tells what this checkpoint removes"
    assert (notice.code, notice.severity, notice.seq, notice.line) == ("provenance", "warning", 6, 8)
    assert notice.byte == len(build.raw(log.lines[:7]))


def prune(recorded: Any, cited: list[int] | None = None) -> build.Log:
    log = build.Log()
    log.user()
    log.assistant(content=[build.tool_call("a")], sourceEventSeqs=[])
    node = log.result("a", "long")
    log.add("compaction/prune", {"shadowedRange": {"start": 2, "end": 2}, "shadowedSeqs": recorded})
    log.result("a", "cut", build.replace(node, node), sourceEventSeqs=cited or [node])
    return log


def test_a_prune_of_something_else() -> None:
    assert told(prune([2])) == []
    seqs = "the shadowedSeqs of #3 are not the nodes that were shadowed"
    assert told(prune([1])) == [(seqs, "#1", "#2")]
    assert told(prune([2, "x"])) == [(seqs, "#2 ?", "#2")]
    assert told(prune([2], [2, 0])) == [("cites #0, which is neither in its span nor its record", None, "#0")]


def test_an_edit_may_cite_what_it_was_made_from() -> None:
    log = build.Log()
    log.user()
    log.user()
    log.user("edited", build.replace(1, 1), {"kind": "plugin", "plugin": "x"}, sourceEventSeqs=[0, 1])
    (origin,) = origins(opened(log.raw()))
    assert origin == Origin(origin.replacement, "edit", 2, None, ())


def test_calls_without_a_result() -> None:
    log = build.Log()
    log.turn_start()
    log.assistant(content=[build.tool_call("a", "read"), build.tool_call("b", "grep")], sourceEventSeqs=[])
    log.result("a")
    log.turn_end()
    (notice,) = orphan_calls(opened(log.raw()))
    assert (notice.code, notice.severity, notice.seq, notice.line, notice.found) == (
        "orphan-call",
        "warning",
        1,
        3,
        "b",
    )
    assert notice.message == "the tool call grep has no result"


def test_a_call_of_an_open_turn_may_still_be_answered() -> None:
    log = build.Log()
    log.turn_start()
    log.assistant(content=[build.tool_call("a")], sourceEventSeqs=[])
    assert [one.severity for one in orphan_calls(opened(log.raw()))] == ["info"]
    log.turn_start(2)
    assert [one.severity for one in orphan_calls(opened(log.raw()))] == ["warning"]


def test_a_rewritten_answer_asks_for_nothing_again() -> None:
    """v0 and v1: an assistant message may replace another, its tool calls with it."""
    log = build.Log()
    log.assistant(content=[build.tool_call("a")], sourceEventSeqs=[])
    log.result("a")
    log.assistant(op=build.replace(0, 0), content=[build.tool_call("a")], sourceEventSeqs=[0])
    assert orphan_calls(opened(log.raw())) == []


def chain(size: int) -> bytes:
    """Compactions of one node each, in which every second record lies apart from its checkpoint, and every
    checkpoint cites all events before it in one range."""
    log = build.Log()
    node = log.user()
    for at in range(size):
        id_ = f"c{at}"
        log.add("compaction/start", {"compactionId": id_, "turn": None})
        span = {"shadowedRange": {"start": node, "end": node}, "shadowedSeqs": [node]}
        log.add("compaction/summary", {"compactionId": id_, "summary": [], **span})
        if at % 2:
            log.add("session/title", {"title": "t"})
        source = {"kind": "plugin", "plugin": "compact", "compactionId": id_}
        node = log.user("s", build.replace(node, node), source, sourceEventSeqs=[[0, log.next - 1]])
        log.add("compaction/end", {"compactionId": id_, "turn": None})
    return log.raw()


def test_linear_in_replacements() -> None:
    small, big = (opened(chain(size)) for size in (100, 100 * TIMES))
    once = counted(lambda: list(origins(small)))
    assert counted(lambda: list(origins(big))) < 1.3 * TIMES * once


def test_only_payloads_of_replacements_and_their_records_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    session = opened(build.turn_of_tools().raw())
    asked: list[int] = []
    event = session.log.event
    monkeypatch.setattr(session.log, "event", lambda seq: (asked.append(seq), event(seq))[1])
    list(origins(session))
    assert sorted(set(asked)) == [10, 13, 14]
    assert json.loads(session.log.line(14 - 2))["type"] == "user/message"
