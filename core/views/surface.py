"""The model surface at a moment, as a tree: under each replacement the nodes it shadowed."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from ..session import Session


class SurfaceItem(NamedTuple):
    """A node of the surface, or (depth > 0) one that is shadowed and shown under the replacement
    that took its place, whose seq is `under`."""

    node: int
    depth: int = 0
    under: int | None = None


def surface_items(session: Session, moment: int, unfolded: Set[int]) -> list[SurfaceItem]:
    """The nodes at `moment` in order; below each replacement in `unfolded` (seqs) the nodes it
    shadowed, in their old order, nested to any depth."""
    surface = session.surface
    items: list[SurfaceItem] = []
    for node in surface.at(moment):
        items.append(SurfaceItem(node))
        if surface.born[node] not in unfolded:
            continue
        pending = _shadow(session, surface.born[node], 1)
        while pending:
            item = pending.pop()
            items.append(item)
            seq = surface.born[item.node]
            if seq in unfolded:
                pending.extend(_shadow(session, seq, item.depth + 1))
    return items


def _shadow(session: Session, seq: int, depth: int) -> list[SurfaceItem]:
    """What replacement `seq` shadowed, last one first; empty if `seq` is no replacement."""
    replacement = session.surface.replacement(seq)
    if replacement is None:
        return []
    nodes = (session.surface.node(one) for one in reversed(replacement.shadowed))
    return [SurfaceItem(node, depth, seq) for node in nodes if node is not None]
