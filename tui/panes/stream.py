"""The stream pane's source: attempts as they arrived, kept or not."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ...core.catalogue import say
from ...core.export.figures import count, duration, tokens
from ...core.export.sentences import turn_name
from ...core.log import Attempt, Block, Compaction, Prune, Turn
from ...core.notices import Notice
from ...core.surface import Replacement
from ...core.views.stream import Seed, StreamItem, block_text
from ..drawing.entry import Entry, Paragraph, Span
from .marks import damage_entry, in_order, salvage_entry, seed_entry
from .scene import Scene

TEXT_LIMIT = 60_000


class StreamSource:
    def __init__(self, scene: Scene, items: Sequence[StreamItem]) -> None:
        self._scene = scene
        self._items = items
        self._whole = in_order(items)

    def __len__(self) -> int:
        return len(self._items)

    def key(self, position: int) -> int:
        item = self._items[position]
        index = item.subject.index if isinstance(item.subject, Block) else 0
        return hash((item.row, item.first, index, item.kind))

    def seq(self, position: int) -> int:
        return self._items[position].first

    def row(self, position: int) -> int | None:
        item = self._items[position]
        return item.row if item.row >= 0 else self._scene.session.row_behind(item.first)

    def position(self, seq: int) -> int:
        return max(0, bisect_right(self._items, seq, 0, self._whole, key=lambda item: item.first) - 1)

    def empty(self) -> str:
        return say("stream.empty")

    def entry(self, position: int) -> Entry:
        item = self._items[position]
        match item.subject:
            case Turn():
                words = say("stream.turn", turn=turn_name(item.subject))
                if self._later(item):
                    words = f"{words} · {say('stream.not-yet')}"
                return Entry((Span(words, "rule"),), rule=True, faded=self._later(item))
            case Attempt() if item.kind == "attempt":
                return self._attempt(item, item.subject)
            case Attempt():
                return self._outcome(item, item.subject)
            case Block():
                return self._block(item, item.subject)
            case Compaction():
                return self._compaction(item, item.subject)
            case Prune():
                return self._prune(item, item.subject)
            case Seed():
                return seed_entry(self._scene, item.subject)
            case Notice():
                return damage_entry(item.subject)
            case _:
                return salvage_entry(self._scene.session, item.row)

    def _later(self, item: StreamItem) -> bool:
        return item.first > self._scene.moment

    def _attempt(self, item: StreamItem, attempt: Attempt) -> Entry:
        place = f"T{attempt.turn}.{attempt.step}" + (f"/{attempt.number}" if attempt.number > 1 else "")
        head = [
            Span("·" if self._later(item) else "▷", self._tone(attempt) or "plain"),
            Span(f"{attempt.first_seq:>5} ", "faint"),
            Span(place, "model"),
        ]
        facts = [say("stream.chunks", count=count(attempt.chunks)), duration(attempt.last_time - attempt.first_time)]
        if attempt.first_token is not None and attempt.asked is not None:
            waited = duration(max(0, attempt.first_token - attempt.asked))
            facts.insert(0, say("stream.ttft", time=waited))
        head.append(Span("  " + "  ".join(facts), "note"))
        return self._marked(item, attempt, tuple(head))

    def _block(self, item: StreamItem, block: Block) -> Entry:
        match block.kind:
            case "reasoning":
                title, tone, rows = say("stream.thinking"), "reasoning", 3
            case "text":
                title, tone, rows = say("stream.text"), "plain", 12
            case "tool-call":
                title, tone, rows = say("stream.call", name=block.name or "?"), "call", 3
            case _:
                title, tone, rows = say("stream.block", kind=block.kind), "note", 3
        facts = f"{say('stream.chunks', count=count(block.chunks))}  {duration(block.last_time - block.first_time)}"
        head = (Span("· " if self._later(item) else "░ ", "faint"), Span(title, tone), Span(f"  {facts}", "note"))
        try:
            text = block_text(self._scene.session, block, TEXT_LIMIT)
        except (ValueError, KeyError, OSError) as error:
            return Entry(head, [Paragraph(say("part.unreadable", reason=error), "error")], inline=False)
        hidden = max(0, block.chars - len(text))
        body = [Paragraph(text, tone, rows=rows, hidden=hidden)] if text else []
        attempt = self._attempt_of(item)
        return self._marked(item, attempt, head, body)

    def _outcome(self, item: StreamItem, attempt: Attempt) -> Entry:
        match attempt.outcome:
            case "kept":
                key = "kept.interrupted" if attempt.interrupted else "kept" if attempt.exact else "kept.unrecorded"
                span = Span(say(f"stream.{key}", seq=attempt.message), "note")
            case "failed":
                key = "stream.failed.retried" if attempt.retry is not None else "stream.failed"
                span = Span(say(key, number=attempt.number, failure=attempt.failure), "failed")
            case "dropped":
                span = Span(say("stream.dropped", number=attempt.number), "failed")
            case _:
                span = Span(say("stream.open", number=attempt.number), "note")
        head = [Span("· ", "faint"), span] if self._later(item) else [span]
        if attempt.usage is not None:
            used = attempt.usage
            words = say("history.tokens", prompt=tokens(used.prompt), output=tokens(used.output))
            head.append(Span(f"  {words}", "note"))
        return self._marked(item, attempt, tuple(head))

    def _compaction(self, item: StreamItem, one: Compaction) -> Entry:
        taken = self._scene.session.surface.replacement(one.summary + 1) if one.summary is not None else None
        tone = self._scene.tone(taken.seq) if taken is not None else ""
        words = Span(say("stream.compaction"), tone or "rule")
        head = [Span("◆", tone or "note"), Span(f"{one.start:>5} ", "faint"), words]
        if one.end_time is not None:
            head.append(Span(f"  {duration(one.end_time - one.start_time)}", "note"))
        if one.model:
            head.append(Span(f"  {one.model}", "note"))
        if one.failure:
            said = Span(f"  {say('stream.compaction.failed', failure=one.failure)}", "failed")
        elif one.summary is not None:
            said = Span(f"  {say('stream.compaction.summary', seq=one.summary)}", "note")
        elif one.stale:
            said = Span(f"  {say('stream.compaction.stale')}", "note")
        else:
            said = Span(f"  {say('stream.compaction.open' if one.end is None else 'stream.compaction.none')}", "note")
        return Entry((*head, said), tint=self._tint(taken), faded=self._later(item))

    def _prune(self, item: StreamItem, prune: Prune) -> Entry:
        taken = self._scene.session.surface.replacement(prune.seq + 1)
        tone = self._scene.tone(taken.seq) if taken is not None else "note"
        words = say("stream.prune", seqs=", ".join(f"#{seq}" for seq in prune.shadowed))
        head = (Span("▪", tone), Span(f"{prune.seq:>5} ", "faint"), Span(words, tone))
        return Entry(head, tint=self._tint(taken), faded=self._later(item))

    def _tint(self, replacement: Replacement | None) -> str:
        focus = self._scene.focus
        if replacement is None or focus is None or focus.seq != replacement.seq:
            return ""
        return f"{self._scene.tone(focus.seq)}-tint"

    def _attempt_of(self, item: StreamItem) -> Attempt | None:
        attempts = self._scene.session.log.attempts.all
        at = bisect_right(attempts, item.first, key=lambda attempt: attempt.first_seq) - 1
        return attempts[at] if at >= 0 else None

    def _tone(self, attempt: Attempt | None) -> str:
        """The colour of the replacement that shadows the attempt's message at the moment."""
        if attempt is None or attempt.message is None:
            return ""
        chain = self._scene.session.surface.shadowers(attempt.message, self._scene.moment)
        return self._scene.tone(chain[0]) if chain else ""

    def _marked(
        self, item: StreamItem, attempt: Attempt | None, head: tuple[Span, ...], body: Sequence[Paragraph] = ()
    ) -> Entry:
        tint = self._scene.tint(attempt.message) if attempt is not None and attempt.message is not None else ""
        return Entry(
            head, body, inline=False, bar=self._tone(attempt), tint=tint, faded=self._later(item)
        )  # fmt: skip
