"""Attempts: the stream grouped by model call (formats 5.4, 12)."""

from __future__ import annotations

import build
import pytest
from opening import opened
from palimpsest.core.log import Attempt

FINISH = {"type": "finish", "reason": {"kind": "stop"}}
BROKEN = {"type": "finish", "reason": {"kind": "error", "failure": {"message": "reset", "code": "NET"}}}


def attempts(log: build.Log) -> list[Attempt]:
    session = opened(log.raw())
    assert session.status == "ok"
    return session.log.attempts.all


def step() -> build.Log:
    log = build.Log()
    log.turn_start()
    log.step_start()
    return log


def test_a_retried_attempt_and_the_one_that_was_kept() -> None:
    """formats 11, case 30: chunks, a retry, chunks; the message cites only the last ones."""
    log = step()
    first = log.deltas(["a"] * 40)
    retry = log.retry()
    started = log.add("llm/retry-started", {"retryId": "retry", "turn": 1, "step": 1, "retry": 1})
    second = log.deltas(["b"] * 50)
    message = log.assistant(sourceEventSeqs=second)
    failed, kept = attempts(log)
    assert (failed.number, failed.outcome, failed.retry, failed.message) == (1, "failed", retry, None)
    assert failed.failure == "service unavailable (HTTP 503)"
    assert (failed.first_seq, failed.last_seq, failed.chunks) == (first[0], first[-1], 40)
    assert (kept.number, kept.outcome, kept.message, kept.exact) == (2, "kept", message, True)
    assert (kept.first_seq, kept.last_seq, kept.chunks) == (second[0], second[-1], 50)
    assert failed.asked == build.START + 10
    assert kept.asked == build.START + 10 * started


@pytest.mark.parametrize("closer", ["step/end", "turn/end"])
def test_an_attempt_that_nobody_kept(closer: str) -> None:
    """formats 12: it ends with the step or turn."""
    log = step()
    log.deltas(["a", "b"])
    log.add(closer, {"turn": 1, "step": 1, "reason": {"kind": "interrupted"}})
    log.assistant(sourceEventSeqs=[2, 3])
    (attempt,) = attempts(log)
    assert (attempt.outcome, attempt.message) == ("dropped", None)


def test_an_open_attempt_at_the_end_of_the_log() -> None:
    log = step()
    log.deltas(["a"])
    assert [attempt.outcome for attempt in attempts(log)] == ["open"]


def test_a_finish_closes_the_attempt_and_the_message_still_claims_it() -> None:
    log = step()
    cited = log.deltas(["a", "b"])
    cited.append(log.chunk(FINISH))
    message = log.assistant(sourceEventSeqs=cited)
    (attempt,) = attempts(log)
    assert (attempt.outcome, attempt.message, attempt.exact, attempt.finish) == ("kept", message, True, "stop")


def test_chunks_after_a_finish_are_another_attempt() -> None:
    log = step()
    log.deltas(["a"])
    log.chunk(BROKEN)
    log.deltas(["b"])
    one, two = attempts(log)
    assert (one.outcome, one.failure, one.finish) == ("failed", "reset (NET)", "error")
    assert (two.number, two.outcome) == (2, "open")


def test_a_message_that_cites_other_chunks_claims_none() -> None:
    """formats 12: claimed by the message citing exactly those seqs."""
    for wrong in ([2], [2, 3, 1], []):
        log = step()
        log.deltas(["a", "b"])
        log.assistant(sourceEventSeqs=wrong)
        (attempt,) = attempts(log)
        assert (attempt.outcome, attempt.message) == ("dropped", None), wrong


def test_a_message_that_records_no_chunks_is_taken_to_be_of_the_attempt() -> None:
    """formats 12: `sourceEventSeqs` absent is not recorded."""
    log = step()
    log.deltas(["a", "b"])
    message = log.assistant()
    (attempt,) = attempts(log)
    assert (attempt.message, attempt.exact, attempt.outcome) == (message, False, "kept")


def test_a_message_of_another_step_claims_nothing() -> None:
    """formats 12: grouped by (turn, step)."""
    log = step()
    cited = log.deltas(["a"])
    log.assistant(step=2, sourceEventSeqs=cited)
    assert [attempt.message for attempt in attempts(log)] == [None]


def test_other_steps_start_other_attempts() -> None:
    log = step()
    log.deltas(["a"])
    log.deltas(["b"], step=2)
    log.deltas(["c"], turn=2)
    assert [(one.turn, one.step, one.number) for one in attempts(log)] == [(1, 1, 1), (1, 2, 1), (2, 1, 1)]


def test_events_between_chunks_do_not_end_an_attempt() -> None:
    log = step()
    one = log.deltas(["a"])
    log.add("todo/write", {"todos": []})
    two = log.deltas(["b"])
    log.assistant(sourceEventSeqs=[*one, *two])
    (attempt,) = attempts(log)
    assert (attempt.chunks, attempt.exact) == (2, True)
    assert attempt.runs == [(2, 2), (4, 4)]


def test_blocks_and_the_first_token() -> None:
    """formats 5.4: first token = first delta with text, arguments or a name."""
    log = step()
    log.chunk({"type": "block-start", "index": 0, "blockType": "reasoning"})
    log.deltas(["", "hm", "m"], type="reasoning-delta")
    log.chunk({"type": "block-end", "index": 0, "block": {"type": "reasoning", "text": "hmm"}})
    log.deltas(["late"], type="reasoning-delta")
    log.deltas(["a😀"], index=1)
    call = {"type": "tool-call-delta", "index": 2, "id": "c", "name": "read", "argumentsDelta": ""}
    log.chunk(call)
    log.chunk({**call, "argumentsDelta": "{}", "name": ""})
    (attempt,) = attempts(log)
    reasoning, text, tool = attempt.blocks
    assert (reasoning.kind, reasoning.closed, reasoning.chars) == ("reasoning", True, 3)
    assert (text.kind, text.chars, text.chunks) == ("text", 2, 1)
    assert (tool.kind, tool.call_id, tool.name, tool.chars) == ("tool-call", "c", "read", 2)
    assert attempt.first_token == build.START + 10 * 4
    assert attempt.chunks == 9


def test_no_telling_delta_no_first_token() -> None:
    log = step()
    log.deltas(["", ""])
    assert attempts(log)[0].first_token is None


def test_the_last_usage_chunk_counts() -> None:
    """formats 5.4."""
    log = step()
    for tokens in (3, 5):
        log.chunk({"type": "usage", "usage": {"inputTokens": tokens, "outputTokens": 1, "cacheReadTokens": 10}})
    log.chunk({"type": "usage", "usage": None})
    (attempt,) = attempts(log)
    assert attempt.usage is not None
    assert (attempt.usage.input, attempt.usage.prompt) == (5, 15)


def test_an_interrupted_message() -> None:
    log = step()
    cited = log.deltas(["a"])
    data = {"turn": 1, "step": 1, "message": build.assistant_message("a", []), "interrupted": True}
    log.add("assistant/message", data, surfaceOp="append", sourceEventSeqs=cited)
    assert [(one.interrupted, one.outcome) for one in attempts(log)] == [(True, "kept")]


def test_chunks_outside_a_step_are_an_attempt_without_a_start() -> None:
    log = build.Log()
    log.deltas(["a"], turn=4, step=2)
    (attempt,) = attempts(log)
    assert (attempt.turn, attempt.step, attempt.asked) == (4, 2, None)


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"type": 7},
        {"type": "new-kind", "index": 0},
        {"type": "text-delta", "index": "0", "text": "a"},
        {"type": "text-delta", "index": 0, "text": None},
        {"type": "text-delta", "index": 0},
        {"type": "block-start", "index": 0},
        {"type": "block-start", "index": [0]},
        {"type": "block-end", "index": 0, "block": "x"},
        {"type": "finish"},
        {"type": "finish", "reason": "stop"},
        {"type": "finish", "reason": {"kind": "error"}},
        {"type": "finish", "reason": {"kind": "error", "failure": "x"}},
        {"type": "usage"},
        {"type": "tool-call-delta", "index": 0, "id": None, "name": 5, "argumentsDelta": []},
    ],
)
def test_odd_chunks_are_counted_and_never_raise(payload: build.Row) -> None:
    """formats 5.1: payloads are hardly validated on load."""
    log = step()
    log.chunk(payload)
    log.deltas(["a"])
    assert sum(attempt.chunks for attempt in attempts(log)) == 2
