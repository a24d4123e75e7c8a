"""The summary of a log as plain text: what the bare command prints when there is no terminal."""

from __future__ import annotations

from ..catalogue import say
from ..log import Usage
from ..session import Session
from ..views.history import history
from ..views.replacements import account
from ..views.session import about
from ..views.usage import totals
from .figures import count, date, tokens
from .plain import one_line
from .sentences import account_text, turn_name

VALUE = 500
"""Characters of one fact that are printed; a title may be megabytes."""


def summary(session: Session) -> str:
    """A few dozen lines; log text in it is cleaned of control characters."""
    facts = about(session)
    log, surface = session.log, session.surface
    rows = [
        ("file", f"{session.path or '-'} ({log.container.encoding}, {count(log.container.data.size)} bytes)"),
        ("status", f"{session.status} ({say(f'status.{session.status}')})"),
    ]
    if log.header is not None:
        rows.append(("session", f"{log.header.id} (dsh v{log.header.version})"))
        rows.append(("title", facts.title or say("header.untitled")))
        if log.header.cwd:
            rows.append(("project", log.header.cwd))
        rows.append(("created", date(log.header.created)))
        if log.header.parent:
            rows.append(("parent", log.header.parent))
        events = count(log.events)
        if log.inherited:
            events = say("summary.events.inherited", events=events, inherited=count(log.inherited))
        rows.append(("events", events))
        messages = history(session)
        rows.append(
            ("history", say("summary.history.text", messages=count(len(messages)), turns=len(log.brackets.turns)))
        )
        gone = sum(surface.gone(one.seq, session.end) for one in messages)
        nodes = len(surface.at(session.end))
        priced = tokens(surface.tokens(session.end))
        rows.append(("surface", say("summary.surface.text", nodes=count(nodes), tokens=priced, gone=count(gone))))
        spent = totals(session)
        rows.append(("usage", _usage("summary.usage.text", spent.total, calls=count(spent.calls))))
    width = max(len(say(f"summary.{key}")) for key, _ in rows)
    lines = [f"{say(f'summary.{key}'):<{width}}  {one_line(value[:VALUE])}" for key, value in rows]
    lines += _section("replacements", [account_text(account(session, one)) for one in surface.replacements])
    lines += _section("turns", _turns(session))
    lines += _section("notices", [f"{one.severity} {one.code}: {one.message}" for one in session.notices])
    return "\n".join(lines) + "\n"


def _turns(session: Session) -> list[str]:
    spent = totals(session)
    lines = [
        f"{say('summary.turn', turn=turn_name(turn))}: {_spent(spent.per_turn.get(turn.start))}"
        for turn in session.log.brackets.turns
        if turn.start >= session.log.inherited
    ]
    if spent.between_turns.prompt or spent.between_turns.output:
        lines.append(f"{say('summary.between')}: {_usage('summary.turn.text', spent.between_turns)}")
    return lines


def _spent(usage: Usage | None) -> str:
    return say("summary.turn.none") if usage is None else _usage("summary.turn.text", usage)


def _usage(key: str, usage: Usage, **values: str) -> str:
    return say(key, prompt=tokens(usage.prompt), cached=tokens(usage.cache_read), output=tokens(usage.output), **values)


def _section(key: str, lines: list[str]) -> list[str]:
    if not lines:
        return []
    return ["", say(f"summary.{key}"), *(f"  {one_line(line)}" for line in lines)]
