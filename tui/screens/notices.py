"""Notices: everything the reader tolerated or refused."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from ...core.catalogue import say
from ...core.export.plain import one_line
from ...core.notices import Notice
from .page import Page


def notice_line(notice: Notice) -> str:
    """One notice as text: severity, code, sentence and place."""
    places = [f"#{notice.seq}"] if notice.seq is not None else []
    if notice.line is not None:
        places.append(say("notices.line", line=notice.line))
    if notice.byte is not None:
        places.append(say("notices.byte", byte=notice.byte))
    where = f" ({', '.join(places)})" if places else ""
    return one_line(f"{notice.severity} {notice.code}: {notice.message}{where}")


class NoticesScreen(Page):
    def __init__(self, notices: Sequence[Notice]) -> None:
        lines = [Content(notice_line(notice)) for notice in notices] or [Content(say("notices.none"))]
        super().__init__(say("notices.title"), Content("\n").join(lines))
