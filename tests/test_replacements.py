"""Replacements: kinds by events, sources and fields, never by texts (formats 7.4)."""

from __future__ import annotations

import build
from opening import opened
from palimpsest.core.session import Session
from palimpsest.core.views.replacements import account, kind_of


def kinds(session: Session) -> list[str]:
    assert session.status == "ok"
    return [kind_of(session, one) for one in session.surface.replacements]


def test_kinds() -> None:
    log = build.Log()
    nodes = [log.user(), log.user(), log.result("c"), log.result("d"), log.assistant(), log.user()]
    log.prune(nodes[2], "c")
    log.result("d", "other", build.replace(nodes[3], nodes[3]), sourceEventSeqs=[nodes[3]])
    log.assistant("other", build.replace(nodes[4], nodes[4]), sourceEventSeqs=[nodes[4]])
    edit = {"kind": "plugin", "plugin": "acme-edit"}
    log.user("edited", build.replace(nodes[5], nodes[5]), edit, sourceEventSeqs=[nodes[5]])
    log.summarise(nodes[:2])
    assert kinds(opened(log.raw())) == ["prune", "rewrite", "rewrite", "edit", "summary"]


def test_a_prune_names_the_nodes_it_cut() -> None:
    """formats 7.4: prune if the event before is a prune of exactly these nodes."""
    log = build.Log()
    node, other = log.result("c"), log.result("d")
    log.add("compaction/prune", {"shadowedSeqs": [other], "shadowedTokenCount": 1})
    log.result("c", "cut", build.replace(node, node), sourceEventSeqs=[node])
    log.add("compaction/prune", {"shadowedSeqs": [other], "shadowedTokenCount": 1})
    log.add("plan/mode", {})
    log.result("d", "cut", build.replace(other, other), sourceEventSeqs=[other])
    assert kinds(opened(log.raw())) == ["rewrite", "rewrite"]


def test_an_account_of_a_summary() -> None:
    log = build.Log()
    log.turn_start(3)
    nodes = [log.user("a" * 400), log.assistant("b" * 400)]
    log.summarise(nodes, "short", turn=3)
    log.turn_end(3)
    session = opened(log.raw())
    (replacement,) = session.surface.replacements
    told = account(session, replacement)
    assert (told.kind, told.producer, told.turn) == ("summary", "compact-checkpoint", 3)
    assert told.by_role == {"user/message": 1, "assistant/message": 1}
    assert (told.tokens_before, told.recorded) == (100, True)
    assert told.tokens_after == 10
    assert (told.provider, told.model) == ("deepseek", "deepseek-v4-pro")
    assert told.duration == 30
    assert not told.by_person


def test_an_account_without_records_is_an_estimate() -> None:
    """formats 7.5: text ceil(units / 4) + 4, message + 4."""
    log = build.Log()
    node = log.user("a" * 401)
    log.user("😀", build.replace(node, node), {"kind": "plugin", "plugin": "acme"}, sourceEventSeqs=[node])
    session = opened(log.raw())
    told = account(session, session.surface.replacements[0])
    assert (told.tokens_before, told.recorded, told.tokens_after) == (101 + 8, False, 1 + 8)
    assert (told.compaction, told.duration, told.turn, told.producer) == (None, None, None, "plugin:acme")


def test_a_summary_that_a_person_asked_for() -> None:
    """formats 7.2: `turn: null` is a standalone compaction."""
    log = build.Log()
    log.summarise([log.user()], turn=None)
    session = opened(log.raw())
    assert account(session, session.surface.replacements[0]).by_person


def test_the_tree_of_summaries() -> None:
    """formats 11, case 24: checkpoint over prune over result."""
    log = build.Log()
    node = log.result("c", "long")
    rewrite = log.prune(node, "c")
    checkpoint = log.summarise([rewrite])
    session = opened(log.raw())
    assert [one.shadowed for one in session.surface.replacements] == [(node,), (rewrite,)]
    assert session.surface.shadowers(node, session.end) == [rewrite, checkpoint]
