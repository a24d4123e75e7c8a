"""What was read past damage, as any pane shows it: a red rule, then row after row as it stands."""

from __future__ import annotations

from ...core.catalogue import say
from ...core.notices import Notice
from ...core.session import Session
from ..drawing.entry import Entry, Paragraph, Span

ROW_BYTES = 4_000


def damage_entry(notice: Notice) -> Entry:
    return Entry((Span(say("damage.rule", message=notice.message), "error"),), rule=True)


def salvage_entry(session: Session, row: int) -> Entry:
    columns = session.log.columns
    name = columns.type_of(row)
    head = (
        Span("✗", "error"),
        Span(f"{columns.seq[row]:>5} ", "faint"),
        Span(name or say("damage.unreadable"), "note"),
    )
    try:
        text = session.log.line(row)[:ROW_BYTES].decode("utf-8", "replace")
    except (ValueError, OSError) as error:
        text = say("part.unreadable", reason=error)
    return Entry(head, [Paragraph(text, "note", rows=2)], bar="error")
