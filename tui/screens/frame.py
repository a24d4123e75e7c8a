"""What the lines around the panes say, and which panes stand side by side."""

from __future__ import annotations

from textual.geometry import Size

from ...core.catalogue import say
from ...core.export.figures import count, tokens
from ...core.export.sentences import account_text
from ...core.session import Session
from ...core.surface import Replacement
from ...core.views.replacements import account
from ...core.views.session import about, window_at
from ...core.views.usage import Totals

PANES = ("stream", "history", "surface")
WIDE, MEDIUM = 170, 110
"""Columns from which three and two panes stand side by side."""
ROOMY = 100
"""Columns from which the footer names all main keys."""


SMALLEST = Size(40, 10)
"""Below this a list of choices laid over the panes has no room for its own frame."""


def has_room(size: Size) -> bool:
    return size.width >= SMALLEST.width and size.height >= SMALLEST.height


def panes_shown(width: int, focused: str, zoomed: bool) -> set[str]:
    """Three panes, the focused one and its right neighbour, or one."""
    if zoomed or width < MEDIUM:
        return {focused}
    if width >= WIDE:
        return set(PANES)
    at = PANES.index(focused)
    return {focused, PANES[at + 1] if at + 1 < len(PANES) else PANES[at - 1]}


def header_text(session: Session, moment: int, share: float) -> tuple[str, str]:
    """Left: what is open. Right: progress while it is read (`share`, 0 to 1), generation, moment, context."""
    left = ["palimpsest"]
    if session.log.header is not None:
        facts = about(session)
        left = [f"palimpsest  {facts.title or say('header.untitled')}", f"dsh v{session.log.header.version}"]
        if facts.model:
            left.append(f"{facts.provider}/{facts.model}")
        if session.log.inherited:
            left.append(say("header.inherited", count=count(session.log.inherited)))
    right = [] if session.loaded else [say("header.loading", percent=int(100 * share))]
    surface = session.surface
    right.append(say("header.generation", generation=surface.generation(moment), total=len(surface.replacements)))
    right.append(say("header.moment", seq=max(0, moment), end=max(0, session.end)))
    window, seen = window_at(session, moment), tokens(surface.tokens(moment))
    if window is None:
        right.append(say("header.context.unknown", tokens=seen))
    else:
        right.append(say("header.context", tokens=seen, window=tokens(window)))
    return " · ".join(left), " · ".join(right)


def account_line(session: Session, moment: int, focus: Replacement | None, before: bool) -> tuple[str, str]:
    """The label BEFORE or AFTER, and the account of the replacement in focus or of the last one so far."""
    if focus is not None:
        label = say("account.before") if before else say("account.after")
        return label, account_text(account(session, focus))
    generation = session.surface.generation(moment)
    if generation == 0:
        return "", say("account.none")
    last = session.surface.replacements[generation - 1]
    return "", say("account.last", account=account_text(account(session, last)))


def footer_text(session: Session, width: int, changed: str) -> tuple[str, str]:
    """Left: keys. Right: what happened to the file since it was read, the status if the log is not
    whole, and how many notices there are."""
    keys = say("footer.keys" if width >= ROOMY else "footer.keys.short")
    notices = [notice for notice in session.notices if notice.severity != "info"]
    told: list[str] = [changed] if changed else []
    if session.status != "ok":
        told.append(session.status)
    if notices:
        told.append(say("footer.notice") if len(notices) == 1 else say("footer.notices", count=len(notices)))
    return keys, " · ".join(told)


def pane_facts(session: Session, moment: int, totals: Totals) -> dict[str, str]:
    """What stands at the foot of each pane."""
    attempts = session.log.attempts.all
    lost = sum(attempt.outcome in ("failed", "dropped") for attempt in attempts)
    spent = totals.total
    surface = session.surface
    return {
        "stream": say("pane.stream.facts", attempts=count(len(attempts)), lost=count(lost)),
        "history": say(
            "header.usage",
            prompt=tokens(spent.prompt),
            cached=tokens(spent.cache_read),
            output=tokens(spent.output),
        ),
        "surface": say(
            "pane.surface.facts", nodes=count(len(surface.at(moment))), tokens=tokens(surface.tokens(moment))
        ),
    }
