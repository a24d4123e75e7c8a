"""The history: what the human saw, and how each message stands at a moment."""

from __future__ import annotations

import build
from opening import opened
from palimpsest.core.session import Session
from palimpsest.core.views.history import State, history, state_of


def states(session: Session, moment: int) -> dict[int, State]:
    return {operation.seq: state_of(session, operation, moment) for operation in history(session)}


def test_history_is_what_was_appended() -> None:
    """formats 6.4: replacement copies are for the model only."""
    log = build.Log()
    log.user()
    log.user("sum", build.replace(0, 0), sourceEventSeqs=[0])
    log.assistant()
    log.user("bad", build.replace(77, 77), sourceEventSeqs=[0])
    log.result("c")
    assert [operation.seq for operation in history(opened(log.raw()))] == [0, 2, 4]


def test_every_standing_of_the_gutter() -> None:
    log = build.Log()
    asked = log.user()
    empty = log.assistant(content=[])
    node = log.result("c", "long")
    rewrite = log.prune(node, "c")
    first = log.summarise([asked, empty])
    later = log.user()
    second = log.summarise([first, rewrite])
    session = opened(log.raw())
    assert session.status == "ok"
    assert states(session, asked) == {
        asked: State("in-view"),
        empty: State("not-yet"),
        node: State("not-yet"),
        later: State("not-yet"),
    }
    assert states(session, rewrite)[node] == State("rewritten", (rewrite,))
    assert states(session, rewrite)[empty] == State("never-sent")
    assert states(session, later)[asked] == State("shadowed", (first,))
    end = states(session, session.end)
    assert end[asked] == State("shadowed", (first, second))
    assert end[empty] == State("never-sent", (first, second))
    assert end[node] == State("shadowed", (rewrite, second))
    assert end[later] == State("in-view")


def test_two_rewrites_are_still_a_rewrite() -> None:
    log = build.Log()
    node = log.result("c", "long")
    first = log.prune(node, "c")
    second = log.prune(first, "c", "cut again")
    assert states(opened(log.raw()), second)[node] == State("rewritten", (first, second))


def test_an_assistant_message_that_swallows_others_does_not_rewrite_them() -> None:
    """formats 7.4: only what takes the place of one message of its own kind rewrites it."""
    log = build.Log()
    user, answer = log.user(), log.assistant()
    swallowed = log.assistant("both", build.replace(user, answer), sourceEventSeqs=[user, answer])
    alone = log.assistant("again")
    rewritten = log.assistant("better", build.replace(alone, alone), sourceEventSeqs=[alone])
    session = opened(log.raw())
    assert session.status == "ok"
    found = states(session, session.end)
    assert found[user] == found[answer] == State("shadowed", (swallowed,))
    assert found[alone] == State("rewritten", (rewritten,))


def test_past_a_fault_the_standing_is_unknown() -> None:
    log = build.Log()
    log.user()
    log.user(op=7)
    log.user()
    session = opened(log.raw())
    assert [state.standing for state in states(session, session.end).values()] == ["in-view", "unknown"]
