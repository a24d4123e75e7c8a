"""The history pane's source: the whole transcript, each message with its state at the moment."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from ...core.catalogue import say
from ...core.dialects.event import Operation
from ...core.export.figures import tokens
from ...core.export.sentences import turn_name
from ...core.log import Turn
from ...core.notices import Notice
from ...core.surface import Replacement
from ...core.views.history import HistoryItem, State, state_of
from ...core.views.stream import Seed
from ...core.views.usage import Totals
from ..drawing.entry import Entry, Span
from .marks import damage_entry, in_order, salvage_entry, seed_entry
from .scene import KIND_GLYPHS, Scene
from .words import tell

GLYPHS = {
    "in-view": "●",
    "shadowed": "◌",
    "rewritten": "~",
    "never-sent": "∅",
    "not-yet": "·",
    "unknown": "?",
}


class HistorySource:
    def __init__(self, scene: Scene, items: Sequence[HistoryItem], totals: Totals) -> None:
        self._scene = scene
        self._items = items
        self._whole = in_order(items)
        self._totals = totals

    def __len__(self) -> int:
        return len(self._items)

    def key(self, position: int) -> int:
        item = self._items[position]
        return hash((item.row, item.seq, type(item.subject)))

    def seq(self, position: int) -> int:
        return self._items[position].seq

    def row(self, position: int) -> int | None:
        item = self._items[position]
        return item.row if item.row >= 0 else self._scene.session.row_behind(item.seq)

    def position(self, seq: int) -> int:
        return max(0, bisect_right(self._items, seq, 0, self._whole, key=lambda item: item.seq) - 1)

    def messages(self) -> Iterator[tuple[int, Operation]]:
        """The messages among the items, with their positions."""
        for position, item in enumerate(self._items):
            if isinstance(item.subject, Operation):
                yield position, item.subject

    def empty(self) -> str:
        return say("history.empty")

    def entry(self, position: int) -> Entry:
        item = self._items[position]
        match item.subject:
            case Operation():
                return self._message(item.subject)
            case Replacement():
                return self._replacement(item.subject)
            case Turn():
                return self._turn(item.subject)
            case Seed():
                return seed_entry(self._scene, item.subject)
            case Notice():
                return damage_entry(item.subject)
            case _:
                return salvage_entry(self._scene.session, item.row)

    def _replacement(self, one: Replacement) -> Entry:
        """Where something was replaced: no message of the history, but the reason for what became of some."""
        scene = self._scene
        kind, tone = scene.kind(one.seq), scene.tone(one.seq)
        producer = scene.session.surface.operation(one.seq).producer
        words = say(
            "history.replacement",
            sign=KIND_GLYPHS[kind],
            seq=one.seq,
            kind=say(f"kind.{kind}", producer=producer),
            count=len(one.shadowed),
        )
        focused = scene.focus is not None and scene.focus.seq == one.seq
        return Entry(
            (Span(words, tone),), rule=True, tint=f"{tone}-tint" if focused else "", faded=one.seq > scene.moment
        )

    def _turn(self, turn: Turn) -> Entry:
        words = [say("history.turn", turn=turn_name(turn))]
        spent = self._totals.per_turn.get(turn.start)
        if spent is not None:
            words.append(say("history.tokens", prompt=tokens(spent.prompt), output=tokens(spent.output)))
        if turn.start < self._scene.session.log.inherited:
            words.append(say("history.inherited"))
        if turn.reason not in ("", "completed"):
            words.append(turn.reason)
        faded = turn.start > self._scene.moment
        return Entry((Span(" · ".join(words), "rule"),), rule=True, faded=faded)

    def _message(self, operation: Operation) -> Entry:
        scene = self._scene
        state = state_of(scene.session, operation, scene.moment)
        tone = scene.tone(state.by[0]) if state.by else ""
        leaving = scene.before and operation.seq in scene.marked and not state.by
        if leaving and scene.focus is not None:
            tone = scene.tone(scene.focus.seq)
        head = [Span(f"{GLYPHS[state.standing]}", tone or "plain"), Span(f"{operation.seq:>5} ", "faint")]
        told = tell(scene.session, operation, operation.seq, scene.colours)
        head.append(told.speaker)
        note = _note(scene, state, leaving)
        if note:
            head.append(Span(f" {note}", tone or "note"))
        gone = state.standing in ("shadowed", "not-yet", "unknown")
        inherited = operation.seq < scene.session.log.inherited
        return Entry(
            tuple(head), told.body, inline=not note, bar=tone, tint=scene.tint(operation.seq), faded=gone or inherited
        )


def _note(scene: Scene, state: State, leaving: bool) -> str:
    if leaving and scene.focus is not None:
        return say("state.leaving", seq=scene.focus.seq)
    chain = say("state.chain").join(f"#{seq}" for seq in state.by)
    match state.standing:
        case "shadowed":
            return say("state.shadowed", chain=chain)
        case "rewritten":
            kind = say(f"state.rewritten.{scene.kind(state.by[-1])}")
            return say("state.rewritten", kind=kind, chain=chain)
        case "never-sent" | "not-yet" | "unknown":
            return say(f"state.{state.standing}")
        case _:
            return ""
