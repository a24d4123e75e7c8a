"""The scene: what the three panes show at once. One session, one moment, at most one replacement in focus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...core.notices import Notice
from ...core.session import Session
from ...core.surface import Replacement
from ...core.views.history import HistoryItem, history_items
from ...core.views.replacements import Kind, kind_of
from ...core.views.stream import StreamItem, stream
from ...core.views.usage import Totals, totals
from ..drawing.tones import replacement_tone

KIND_GLYPHS = {"summary": "◆", "prune": "▪", "rewrite": "▪", "prompt": "▫", "tools": "▫", "edit": "✎"}


@dataclass(frozen=True, slots=True)
class Gathered:
    """What is read of the log so far, made off the screen's thread in one piece."""

    stream: Sequence[StreamItem]
    history: Sequence[HistoryItem]
    totals: Totals
    end: int
    rows: int

    def damage(self) -> dict[str, int]:
        """By pane, the position of the item that tells where the log breaks."""
        subjects: dict[str, list[object]] = {
            "stream": [item.subject for item in self.stream],
            "history": [item.subject for item in self.history],
        }
        return {
            name: at
            for name, told in subjects.items()
            for at, subject in enumerate(told)
            if isinstance(subject, Notice)
        }


def gather(session: Session) -> Gathered:
    """To be called by the thread that loads, between two batches: nothing changes meanwhile."""
    return Gathered(stream(session), history_items(session), totals(session), session.end, len(session.log.columns))


@dataclass(frozen=True, slots=True)
class Scene:
    """focus: the replacement stepped to; before: the moment just before it is shown; colours: tool
    output is shown in the colours it asks for."""

    session: Session
    moment: int
    focus: Replacement | None = None
    before: bool = False
    colours: bool = False
    marked: frozenset[int] = field(default=frozenset())

    def tone(self, seq: int) -> str:
        """The colour of replacement `seq`."""
        replacement = self.session.surface.replacement(seq)
        return replacement_tone(replacement.generation) if replacement is not None else "faint"

    def kind(self, seq: int) -> Kind:
        replacement = self.session.surface.replacement(seq)
        assert replacement is not None
        return kind_of(self.session, replacement)

    def tint(self, seq: int) -> str:
        """The background of event `seq`: that of the replacement in focus if it shadows the event."""
        return f"{self.tone(self.focus.seq)}-tint" if self.focus is not None and seq in self.marked else ""


def scene(session: Session, moment: int, focus: Replacement | None, before: bool, colours: bool) -> Scene:
    marked = frozenset(focus.shadowed) if focus is not None else frozenset()
    return Scene(session, moment, focus, before, colours, marked)
