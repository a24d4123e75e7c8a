"""Sentences about replacements: the one-line account of what happened."""

from __future__ import annotations

from ..catalogue import say
from ..log import Turn
from ..views.replacements import Account
from .figures import duration, tokens


def turn_name(turn: Turn) -> str:
    """The number of a turn, or a sign that the log states none."""
    return "?" if turn.number is None else str(turn.number)


def kind_text(account: Account) -> str:
    return say(f"kind.{account.kind}", producer=account.producer)


def account_text(account: Account) -> str:
    """One honest line: kind, span, tokens before and after, model, duration, turn, failure."""
    replacement = account.replacement
    kind = kind_text(account)
    count = len(replacement.shadowed)
    if count == 1:
        head = say("account.node", seq=replacement.seq, kind=kind, first=replacement.shadowed[0])
    else:
        nodes = say("account.nodes.count", count=count)
        head = say(
            "account.nodes",
            seq=replacement.seq,
            kind=kind,
            nodes=nodes,
            first=replacement.start,
            last=replacement.end,
        )
    key = "account.tokens" if account.recorded else "account.tokens.estimated"
    told = [head, say(key, before=tokens(account.tokens_before), after=tokens(account.tokens_after))]
    if account.model:
        told.append(account.model)
    if account.duration is not None:
        told.append(duration(account.duration))
    told.append(say("account.between") if account.turn is None else say("account.turn", turn=account.turn))
    if account.by_person:
        told.append(say("account.person"))
    if account.compaction is not None and account.compaction.failure:
        told.append(say("account.failure", failure=account.compaction.failure))
    return ", ".join(told)
