"""The same story recorded by two versions of the harness reads the same, side by side."""

from __future__ import annotations

from palimpsest.core.dialects.producers import PERSON
from palimpsest.core.messages import Message, Text, read_message
from palimpsest.core.session import Session, open_log
from palimpsest.core.surface import derive
from palimpsest.core.views.history import history, state_of
from palimpsest.core.views.replacements import account
from screens import SAMPLES, TOUR

V4 = SAMPLES / "login-redirect-v4" / "session.v4.jsonl.zstd"


def said(session: Session) -> list[tuple[str, str, str]]:
    """What the person and the model said, in order, and what became of it: role, state, text."""
    found = []
    for operation in history(session):
        message = derive(session.log, operation, operation.seq)
        if message is None or operation.type == "tool/result":
            continue
        read: Message = read_message(message)
        if operation.type == "assistant/message" or read.producer == PERSON:
            text = "\n".join(block.text for block in read.content if isinstance(block, Text))
            found.append((read.role, state_of(session, operation, session.end).standing, text))
    return found


def told(session: Session) -> list[tuple[object, ...]]:
    """The accounts, apart from the numbers of events and what a clock or a price decides."""
    accounts = [account(session, one) for one in session.surface.replacements]
    return [
        (one.kind, len(one.replacement.shadowed), one.by_person, one.turn, one.producer, one.recorded, one.by_role)
        for one in accounts
    ]


def test_the_same_texts_and_the_same_fates() -> None:
    with open_log(TOUR) as early, open_log(V4) as late:
        pairs = list(zip(said(early), said(late), strict=True))
    for one, other in pairs:
        assert one[:2] == other[:2]
        if one[2].startswith("Here are five drafts"):
            # The person interrupted this answer, in each recording at another word.
            assert one[2][:200] == other[2][:200]
        else:
            assert one[2] == other[2]


def test_the_same_account_of_every_replacement() -> None:
    with open_log(TOUR) as early, open_log(V4) as late:
        assert told(early) == told(late)


def test_the_same_attempts() -> None:
    with open_log(TOUR) as early, open_log(V4) as late:
        kept = [
            [(one.turn, one.step, one.number, one.outcome, one.finish, one.failure) for one in session.log.attempts.all]
            for session in (early, late)
        ]
        assert kept[0] == kept[1]
