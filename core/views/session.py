"""What a session is, in a few words: title, model, context window."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from ..session import Session


@dataclass(frozen=True, slots=True)
class About:
    """`title` is empty where the log records none."""

    title: str
    provider: str
    model: str


def about(session: Session) -> About:
    """The last title, and the provider and model of the last request."""
    brackets = session.log.brackets
    _, provider, model = brackets.headers[-1] if brackets.headers else (0, "", "")
    return About(brackets.title, provider, model)


def window_at(session: Session, moment: int) -> int | None:
    """The context window in tokens that the last request context up to `moment` states."""
    windows = session.log.brackets.windows
    at = bisect_right(windows, moment, key=lambda pair: pair[0]) - 1
    return windows[at][1] if at >= 0 else None
