"""The model surface pane's source: what the model sees at the moment, shadows unfolding below."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ...core.catalogue import say
from ...core.dialects.event import Operation
from ...core.export.figures import tokens
from ...core.surface import Replacement
from ...core.views.replacements import account
from ...core.views.surface import SurfaceItem
from ..drawing.entry import Entry, Row, Span
from .scene import KIND_GLYPHS, Scene
from .words import tell


class SurfaceSource:
    """Where the moment lies past what can be told for certain, a last item says so."""

    def __init__(self, scene: Scene, items: Sequence[SurfaceItem], unfolded: frozenset[int]) -> None:
        self._scene = scene
        self.items = items
        self._unfolded = unfolded
        self._ending = _ending(scene)
        self._by_seq = sorted(range(len(items)), key=self._born)
        self._seqs = [self._born(position) for position in self._by_seq]

    def _born(self, position: int) -> int:
        return self._scene.session.surface.born[self.items[position].node]

    def __len__(self) -> int:
        return len(self.items) + bool(self._ending)

    def key(self, position: int) -> int:
        if position == len(self.items):
            return -1
        return hash(self.items[position])

    def seq(self, position: int) -> int:
        if position == len(self.items):
            return self._scene.moment
        return self._born(position)

    def row(self, position: int) -> int | None:
        return self._scene.session.row_behind(self.seq(position))

    def position(self, seq: int) -> int:
        """The item of event `seq`; of an event that is no node here, the last one born before it."""
        at = bisect_right(self._seqs, seq) - 1
        return self._by_seq[at] if at >= 0 else 0

    def empty(self) -> str:
        return say("surface.empty")

    def replacement(self, position: int) -> Replacement | None:
        """The replacement that the item is, None for any other node."""
        if position >= len(self.items):
            return None
        return self._scene.session.surface.replacement(self._born(position))

    def entry(self, position: int) -> Entry:
        if position == len(self.items):
            return Entry((Span(self._ending, "error"),), rule=True)
        item = self.items[position]
        surface = self._scene.session.surface
        operation = surface.operations[item.node]
        replacement = surface.replacement(operation.seq)
        if replacement is not None:
            return self._replacement(item, operation, replacement)
        return self._node(item, operation)

    def _node(self, item: SurfaceItem, operation: Operation) -> Entry:
        scene = self._scene
        under = scene.tone(item.under) if item.under is not None else ""
        leaving = scene.before and operation.seq in scene.marked and item.depth == 0
        if leaving and scene.focus is not None:
            under = scene.tone(scene.focus.seq)
        glyph = "◌" if item.depth else "∅" if operation.empty else "●"
        told = tell(scene.session, operation, scene.moment, scene.colours)
        head = [Span(glyph, under or "plain"), Span(f"{operation.seq:>5} ", "faint"), told.speaker]
        if leaving and scene.focus is not None:
            head.append(Span(f" {say('state.leaving', seq=scene.focus.seq)}", under))
        return Entry(
            tuple(head),
            told.body,
            inline=not leaving,
            bar=under,
            tint=scene.tint(operation.seq),
            faded=item.depth > 0,
            depth=item.depth,
        )

    def _replacement(self, item: SurfaceItem, operation: Operation, replacement: Replacement) -> Entry:
        scene = self._scene
        told = account(scene.session, replacement)
        tone = scene.tone(replacement.seq)
        opened = replacement.seq in self._unfolded
        head: Row = (
            Span("▾" if opened else "▸", tone),
            Span(f"{replacement.seq:>5} ", "faint"),
            Span(f"{KIND_GLYPHS[told.kind]} {say(f'kind.{told.kind}', producer=told.producer)}", tone),
            Span(f"  {say('surface.shadowed', count=len(replacement.shadowed))}", "note"),
            Span(
                f"  {say('surface.tokens', before=tokens(told.tokens_before), after=tokens(told.tokens_after))}", "note"
            ),
        )
        leaving = scene.before and operation.seq in scene.marked
        tint = scene.tint(operation.seq)
        if not tint and scene.focus is not None and scene.focus.seq == replacement.seq:
            tint = f"{tone}-tint"
        faded = item.depth > 0
        if leaving and scene.focus is not None:
            tone = scene.tone(scene.focus.seq)
            head = (*head, Span(f"  {say('state.leaving', seq=scene.focus.seq)}", tone))
        body = tell(scene.session, operation, scene.moment, scene.colours).body
        return Entry(head, body, inline=False, bar=tone, tint=tint, faded=faded, depth=item.depth)


def _ending(scene: Scene) -> str:
    """Why the surface cannot be told any further than it is shown, empty where it can."""
    session = scene.session
    fault = session.surface.fault
    if fault is not None and (fault.seq or 0) <= scene.moment:
        return say("surface.frozen", seq=fault.seq, message=fault.message)
    if session.log.condition == "damaged" and scene.moment >= session.end:
        return say("surface.damaged", seq=session.end)
    return ""
