"""Marks that any pane shows: where a log was reopened, what it inherited, where it is damaged and what is past that."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.catalogue import say
from ...core.notices import Notice
from ...core.session import Session
from ...core.views.history import HistoryItem
from ...core.views.stream import Seed, StreamItem
from ..drawing.entry import Entry, Paragraph, Span
from .scene import Scene

ROW_BYTES = 4_000


def in_order(items: Sequence[HistoryItem] | Sequence[StreamItem]) -> int:
    """How many items stand before the damage, in the order of their events; past it numbers may say anything."""
    whole = len(items)
    while whole and items[whole - 1].row >= 0:
        whole -= 1
    return whole


def seed_entry(scene: Scene, seed: Seed) -> Entry:
    header = scene.session.log.header
    if seed.cut:
        words = say("stream.inherited", parent=(header.parent if header else None) or "?")
    else:
        words = say("stream.reopened")
    return Entry((Span(words, "rule"),), rule=True, faded=seed.seq > scene.moment)


def damage_entry(notice: Notice) -> Entry:
    return Entry((Span(say("damage.rule", message=notice.message), "error"),), rule=True)


def salvage_entry(session: Session, row: int) -> Entry:
    columns = session.log.columns
    name = columns.type_of(row)
    head = (
        Span("✗", "error"),
        Span(f"{columns.seq[row]:>5} ", "faint"),
        Span(name or say("events.unreadable"), "note"),
    )
    try:
        text = session.log.line(row)[:ROW_BYTES].decode("utf-8", "replace")
    except (ValueError, OSError) as error:
        text = say("part.unreadable", reason=error)
    return Entry(head, [Paragraph(text, "note", rows=2)], bar="error")
