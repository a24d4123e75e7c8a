"""The early shapes of version 0, read as its last one (formats 9.0)."""

from __future__ import annotations

from typing import Any

import build
import pytest
from opening import codes, opened, sequence
from palimpsest.core.session import Session
from palimpsest.core.views.replacements import account, kind_of

CONTENT = [build.text("hello")]


def only(type_: str, data: Any, **fields: Any) -> Session:
    """A session of one event."""
    log = build.Log()
    log.add(type_, data, **fields)
    return opened(log.raw())


def data_of(session: Session, seq: int = 0) -> Any:
    return session.log.event(seq).data


def checkpoint(**more: Any) -> build.Row:
    return {"kind": "plugin", "plugin": "compact", **more}


def test_the_last_shape_is_left_as_it_is() -> None:
    """formats 9.0: rows that need no change are the very objects that were read."""
    log = build.turn_of_tools()
    session = opened(log.raw())
    assert not session.log.assigned
    for row in log.rows:
        if isinstance(row, dict) and "seq" in row:
            assert session.log.event(row["seq"]).data == row["data"]


def test_steering_with_a_message() -> None:
    """formats 9.0: `steering/message {turn, message}` is that user message."""
    message = build.user_message("s1", CONTENT)
    session = only("steering/message", {"turn": 1, "message": message}, surfaceOp="append")
    assert session.status == "ok"
    assert (session.log.event(0).type, data_of(session)) == ("user/message", message)
    assert session.surface.messages(0) == [message]
    assert session.log.event(0).raw["type"] == "steering/message"


def test_steering_with_content() -> None:
    """formats 9.0: `{turn, content, source}` gets an id and a role."""
    session = only("steering/message", {"turn": 1, "content": CONTENT, "source": build.USER}, surfaceOp="append")
    assert session.status == "ok"
    assert data_of(session) == build.user_message("legacy-message:built:0", CONTENT)


def test_turn_start_with_a_trigger() -> None:
    """formats 9.0: the trigger is dropped."""
    session = only("turn/start", {"turn": 3, "trigger": {"kind": "user"}})
    assert data_of(session) == {"turn": 3}
    assert session.log.brackets.turns[0].number == 3


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ({"kind": "aborted"}, {"kind": "aborted", "reason": {"kind": "legacy"}}),
        ({"kind": "disposed"}, {"kind": "aborted", "reason": {"kind": "disposed"}}),  # case 49
        (
            {"kind": "error", "step": 2, "failure": {"message": "m", "code": "C"}},
            {"kind": "error", "error": {"message": "m", "code": "C"}},
        ),
        (
            {"kind": "error", "step": 2, "message": "m"},
            {"kind": "error", "error": {"message": "m", "code": "UNKNOWN"}},
        ),
        (
            {"kind": "error", "message": "m", "code": "C"},
            {"kind": "error", "error": {"message": "m", "code": "C"}},
        ),
        ({"kind": "completed"}, {"kind": "completed"}),
        ({"kind": "aborted", "reason": {"kind": "user"}}, {"kind": "aborted", "reason": {"kind": "user"}}),
        (
            {"kind": "error", "error": {"message": "m", "code": "C"}},
            {"kind": "error", "error": {"message": "m", "code": "C"}},
        ),
        ({"kind": "something-new"}, {"kind": "something-new"}),
    ],
)
def test_turn_end_reasons(early: build.Row, late: build.Row) -> None:
    """formats 4.3."""
    log = build.Log()
    log.turn_start()
    log.add("turn/end", {"turn": 1, "reason": early})
    session = opened(log.raw())
    assert session.status == "ok"
    assert data_of(session, 1)["reason"] == late
    turn = session.log.brackets.turns[0]
    assert turn.reason == late["kind"]
    assert turn.failure == (f"m ({late['error']['code']})" if "error" in late else "")


def test_user_message_without_identity() -> None:
    """formats 9.0: content and source, no id, role or message."""
    session = only("user/message", {"content": CONTENT, "source": build.USER, "extra": 1}, surfaceOp="append")
    assert session.status == "ok"
    assert data_of(session) == {**build.user_message("legacy-message:built:0", CONTENT), "extra": 1}


@pytest.mark.parametrize("more", [{"id": "u"}, {"role": "user"}, {"message": {}}])
def test_half_an_identity_is_no_early_shape(more: build.Row) -> None:
    """formats 5.1: such a message is malformed."""
    session = only("user/message", {"content": CONTENT, "source": build.USER, **more}, surfaceOp="append")
    assert session.status == "invalid"
    assert codes(session) == ["message-shape"]


def test_assistant_message_with_provenance() -> None:
    """formats 9.0: the other keys stay."""
    provenance = {"provider": "p", "model": "m", "replayState": {"x": 1}}
    usage = {"inputTokens": 5, "outputTokens": 2}
    data = {"turn": 1, "step": 2, "content": CONTENT, "provenance": provenance, "usage": usage}
    session = only("assistant/message", data, surfaceOp="append")
    assert session.status == "ok"
    source = {**provenance, "kind": "model"}
    message = {"id": "legacy-message:built:0", "role": "assistant", "content": CONTENT, "source": source}
    assert data_of(session) == {"turn": 1, "step": 2, "usage": usage, "message": message}
    assert session.surface.messages(0) == [message]
    assert [(seq, usage.input) for seq, usage in session.log.usages] == [(0, 5)]


def test_tool_result_without_a_message() -> None:
    """formats 9.0 and case 48."""
    data = {"turn": 1, "step": 1, "callId": "c", "content": CONTENT, "isError": False}
    session = only("tool/result", data, surfaceOp="append")
    assert session.status == "ok"
    message = data_of(session)["message"]
    assert message["id"] == "legacy-message:built:0"
    assert (message["role"], message["source"]) == ("user", {"kind": "tool", "callId": "c"})
    (block,) = message["content"]
    assert (block["type"], block["toolCallId"], block["content"]) == ("tool-result", "c", CONTENT)
    assert block.get("isError", False) is False
    assert data_of(session).keys() == {"turn", "step", "message"}


def test_a_failed_tool_result_without_a_message() -> None:
    """formats 9.0: isError goes into the block, other keys stay outside."""
    data = {"turn": 1, "step": 1, "callId": "c", "content": [], "isError": True, "error": {"name": "n", "code": "C"}}
    session = only("tool/result", data, surfaceOp="append")
    assert data_of(session)["message"]["content"][0]["isError"] is True
    assert data_of(session)["error"] == {"name": "n", "code": "C"}


def test_a_rewritten_early_tool_result_keeps_the_id_of_the_first() -> None:
    """formats 9.0: id of the replaced message when it is a replace; so E20 holds."""
    data = {"turn": 1, "step": 1, "callId": "c", "content": CONTENT, "isError": False}
    log = build.Log()
    log.add("tool/result", data, surfaceOp="append")
    for seq in (0, 1):
        cut = {**data, "content": [build.text(f"cut {seq}")]}
        log.add("tool/result", cut, surfaceOp=build.replace(seq, seq), sourceEventSeqs=[seq])
    session = opened(log.raw())
    assert session.status == "ok"
    assert sequence(session) == [2]
    assert {data_of(session, seq)["message"]["id"] for seq in range(3)} == {"legacy-message:built:0"}


def test_an_early_rewrite_that_changes_more_is_still_refused() -> None:
    """formats 9.0: pure shape changes, the rules stay."""
    data = {"turn": 1, "step": 1, "callId": "c", "content": CONTENT, "isError": False}
    log = build.Log()
    log.add("tool/result", data, surfaceOp="append")
    log.add("tool/result", {**data, "isError": True}, surfaceOp=build.replace(0, 0), sourceEventSeqs=[0])
    assert [(one.code, one.seq) for one in opened(log.raw()).notices] == [("E20", 1)]


def compact(*, legacy: bool, ids: bool, events_between: int = 0) -> build.Log:
    """A compaction under its early or late names, with or without ids."""
    prefix = "compact" if legacy else "compaction"
    known = {"compactionId": "id"} if ids else {}
    log = build.Log()
    for _ in range(2):
        log.user()
    log.add(f"{prefix}/start", {**known, "turn": None})
    for _ in range(events_between):
        log.add("plan/mode", {"active": True})
    span = {"shadowedRange": {"start": 0, "end": 1}, "shadowedSeqs": [0, 1], "shadowedTokenCount": 7}
    route = {"provider": "p", "model": "m"}
    summary = log.add(f"{prefix}/summary", {**known, "summary": CONTENT, **span, **route})
    log.user("sum", build.replace(0, 1), checkpoint(**known), sourceEventSeqs=[2, summary, 0, 1])
    log.add(f"{prefix}/end", {**known, "turn": None})
    return log


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("ids", [False, True])
@pytest.mark.parametrize("between", [0, 2])
def test_compactions_under_early_names_and_without_ids(legacy: bool, ids: bool, between: int) -> None:
    """formats 9.0 and case 47: `compact/X` is `compaction/X`; a missing id is that of the start."""
    log = compact(legacy=legacy, ids=ids, events_between=between)
    session = opened(log.raw())
    assert session.status == "ok"
    checkpoint_seq = sequence(session)[0]
    wanted = "id" if ids else "legacy-compaction:built:2"
    assert session.log.event(2).type == "compaction/start"
    for seq in (2, checkpoint_seq - 1, checkpoint_seq + 1):
        assert data_of(session, seq)["compactionId"] == wanted
    assert data_of(session, checkpoint_seq)["source"]["compactionId"] == wanted
    (replacement,) = session.surface.replacements
    assert kind_of(session, replacement) == "summary"
    told = account(session, replacement)
    assert told.compaction is not None
    assert told.compaction.id == wanted
    assert (told.tokens_before, told.recorded, told.model) == (7, True, "m")


def test_an_early_prune() -> None:
    """formats 9.0: `compact/prune` is a prune, and needs no id."""
    log = build.Log()
    log.result("c", "long")
    log.add(
        "compact/prune",
        {"shadowedRange": {"start": 0, "end": 0}, "shadowedSeqs": [0], "shadowedTokenCount": 9},
    )
    log.result("c", "cut", build.replace(0, 0), sourceEventSeqs=[0])
    session = opened(log.raw())
    assert session.status == "ok"
    assert "compactionId" not in data_of(session, 1)
    assert [kind_of(session, one) for one in session.surface.replacements] == ["prune"]


def test_ids_of_a_compaction_end_with_it() -> None:
    """formats 9.0: until end or end-seed."""
    for closer in (("compact/end", {"turn": None}), ("session/end-seed", {})):
        log = build.Log()
        log.add("compact/start", {"turn": None})
        log.add(*closer)
        log.user("sum", source=checkpoint())
        log.add("compact/start", {"turn": None})
        log.add("compact/summary", {"summary": CONTENT})
        session = opened(log.raw())
        assert "compactionId" not in data_of(session, 2)["source"]
        assert data_of(session, 4)["compactionId"] == "legacy-compaction:built:3"


def test_only_checkpoints_get_a_compaction_id() -> None:
    """formats 9.0: context injected between start and end stays as it is."""
    log = build.Log()
    log.add("compaction/start", {"turn": None})
    log.user("injected", source={"kind": "plugin", "plugin": "todo"})
    assert data_of(opened(log.raw()), 1)["source"] == {"kind": "plugin", "plugin": "todo"}


def test_retries_without_ids_form_chains() -> None:
    """formats 9.0: one id per (turn, step, provider, policyKey)."""
    log = build.Log()
    base = {"turn": 1, "step": 1, "provider": "p", "policyKey": "k", "mode": "normal", "retry": 1, "delayMs": 1}
    first = log.add("llm/retry", base)
    started = log.add("llm/retry-started", {"turn": 1, "step": 1, "retry": 1})
    again = log.add("llm/retry", {**base, "retry": 2})
    other_policy = log.add("llm/retry", {**base, "policyKey": "other"})
    other_step = log.add("llm/retry", {**base, "step": 2})
    known = log.add("llm/retry", {**base, "step": 3, "retryId": "mine"})
    session = opened(log.raw())
    assert session.status == "ok"
    ids = {
        seq: data_of(session, seq)["retryId"] for seq in (first, started, again, other_policy, other_step, known)
    }  # fmt: skip
    assert ids[first] == ids[started] == ids[again] == "legacy-retry:built:0"
    assert ids[other_policy] == f"legacy-retry:built:{other_policy}"
    assert ids[other_step] == f"legacy-retry:built:{other_step}"
    assert ids[known] == "mine"


def request_header(**header: Any) -> build.Row:
    config = {"provider": "p", "model": "m"}
    return {"header": {"config": config, **header}, "reason": "initial"}


def test_message_prefix_is_dropped() -> None:
    """formats 9.0: `request/header.header.messagePrefix`."""
    session = only("request/header", request_header(messagePrefix=[1], system="s"))
    assert session.status == "ok"
    assert data_of(session) == request_header(system="s")


@pytest.mark.parametrize(
    ("type_", "data"),
    [
        ("request/header-delta", {}),
        ("mode/set", {"mode": "plan"}),
        ("request/header", {**request_header(), "reason": "fallback"}),
    ],
)
def test_retired_forms_are_invalid(type_: str, data: Any) -> None:
    """formats 9.0 and the status table: upstream refuses them; the log itself is still shown."""
    log = build.Log()
    log.user()
    log.add(type_, data)
    log.user()
    session = opened(log.raw())
    assert session.status == "invalid"
    assert [(one.code, one.seq) for one in session.notices] == [("retired", 1)]
    assert sequence(session) == [0]
    assert session.log.events == 3


def test_early_names_of_sources() -> None:
    """formats 9.0: `workspace-instructions` is `agent-instructions`."""
    log = build.Log()
    log.user(source={"kind": "workspace-instructions"})
    log.user(source={"kind": "plugin", "plugin": "agent-instructions"})
    session = opened(log.raw())
    assert [one.producer for one in session.log.operations] == ["agent-instructions"] * 2


@pytest.mark.parametrize(
    ("type_", "data"),
    [
        ("steering/message", {"turn": 1}),
        ("steering/message", {"turn": 1, "message": None}),
        ("steering/message", None),
        ("assistant/message", {"content": CONTENT, "provenance": {}}),
        ("assistant/message", {"content": CONTENT}),
        ("assistant/message", {"content": None, "provenance": {"provider": "p", "model": "m"}}),
        ("tool/result", {"callId": "c"}),
        ("tool/result", {"callId": "", "content": []}),
        ("tool/result", {"callId": 7, "content": []}),
        ("tool/result", {"callId": "c", "content": "text"}),
        ("user/message", {"content": "text", "source": build.USER}),
        ("user/message", {"content": [], "source": {}}),
        ("user/message", {"content": [], "source": {"kind": ""}}),
        ("user/message", None),
    ],
)
def test_half_an_early_shape_is_malformed(type_: str, data: Any) -> None:
    """formats 5.1: after normalisation the shapes are checked."""
    session = only(type_, data, surfaceOp="append")
    assert session.status == "invalid"
    assert sequence(session) == []
    assert codes(session)[0] in ("message-shape", "unknown-type", "E2")
