"""Brackets: what opens and closes in a log. Turns, steps, compactions and tool calls."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from ..reading.json import natural
from .attempts import failure_text, word
from .usage import Usage, read_usage


@dataclass(slots=True)
class Bracket:
    """start, end: seqs, end None while open. Times are epoch ms."""

    start: int
    start_time: int
    end: int | None = None
    end_time: int | None = None


@dataclass(slots=True)
class Turn(Bracket):
    """`number` is None where the log states none that could be one."""

    number: int | None = None
    reason: str = ""
    failure: str = ""


@dataclass(slots=True)
class Step(Bracket):
    turn: int = 0
    number: int = 0


@dataclass(slots=True)
class Compaction(Bracket):
    """A compaction from its start to its end; `turn` is None for one that a person asked for.

    shadowed_tokens: the harness's own heuristic price of what it removed.
    stale: left open, and the log was reopened later.
    """

    id: str = ""
    turn: int | None = None
    command: str | None = None
    summary: int | None = None
    shadowed_tokens: int | None = None
    provider: str = ""
    model: str = ""
    usage: Usage | None = None
    failure: str = ""
    replacement: int | None = None
    stale: bool = False


@dataclass(slots=True)
class Call(Bracket):
    """A tool call of the model: `message` asked for it, `start` is its tool/call event or the message."""

    id: str = ""
    name: str = ""
    message: int = -1


@dataclass(frozen=True, slots=True)
class Prune:
    """A `compaction/prune` event: which nodes it cut, at what heuristic price."""

    seq: int
    shadowed: tuple[int, ...]
    tokens: int | None


TITLE = 1_000
"""Characters of a title that are kept."""
OPEN_AT_MOST = 8
"""First-party logs hold one open compaction at a time; no more than so many are looked through."""


class Brackets:
    """Follows the log in order and keeps what opened and closed. Lists grow only at their ends.

    cut: the last session/end-seed tagged as the end of what was inherited (v2 and later).
    prompts_in_history: per request/context, whether its route takes a new system prompt as a
    further message; otherwise the head is rewritten (formats 6.4, 6.5).
    """

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.steps: list[Step] = []
        self.compactions: list[Compaction] = []
        self.prunes: dict[int, Prune] = {}
        self.calls: dict[str, Call] = {}
        self.tools: dict[int, str] = {}
        self.seeds: list[int] = []
        self.children: list[int] = []
        self.headers: list[tuple[int, str, str]] = []
        self.windows: list[tuple[int, int | None]] = []
        self.prompts_in_history: list[tuple[int, bool]] = []
        self.cut: int | None = None
        self.title = ""
        self._compaction: Compaction | None = None
        self._by_summary: dict[int, Compaction] = {}
        self._ends = {
            "turn/start": self._turn_start,
            "turn/end": self._turn_end,
            "step/start": self._step_start,
            "step/end": self._step_end,
            "compaction/start": self._compaction_start,
            "compaction/summary": self._compaction_summary,
            "compaction/end": self._compaction_end,
            "compaction/prune": self._compaction_prune,
            "tool/call": self._tool_call,
            "session/end-seed": self._end_seed,
            "session/title": self._title,
            "request/header": self._header,
            "request/context": self._context,
            **dict.fromkeys(("subagent/catalog", "tool-workflow/agent-start", "team/member"), self._child),
        }

    def event(self, type_: str, seq: int, time: int, data: Any) -> None:
        follow = self._ends.get(type_)
        if follow is not None and isinstance(data, dict):
            follow(seq, time, data)

    def turn_at(self, seq: int) -> Turn | None:
        """The last turn that began at or before `seq`."""
        at = bisect_right(self.turns, seq, key=lambda turn: turn.start) - 1
        return self.turns[at] if at >= 0 else None

    def compaction_of(self, summary: int) -> Compaction | None:
        """The compaction whose summary event is `summary`."""
        return self._by_summary.get(summary)

    def asked(self, seq: int, time: int, content: Any) -> None:
        """An assistant message's tool calls are now awaited."""
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("type") == "tool-call" and isinstance(block.get("id"), str):
                name = block.get("name")
                self.calls[block["id"]] = Call(
                    seq, time, id=block["id"], name=name if isinstance(name, str) else "", message=seq
                )

    def answered(self, seq: int, time: int, call_id: str) -> None:
        call = self.calls.get(call_id)
        if call is None:
            return
        if call.name:
            self.tools[seq] = call.name
        if call.end is None:
            call.end, call.end_time = seq, time

    def _turn_start(self, seq: int, time: int, data: dict[str, Any]) -> None:
        self.turns.append(Turn(seq, time, number=natural(data.get("turn"))))

    def _turn_end(self, seq: int, time: int, data: dict[str, Any]) -> None:
        if not self.turns or self.turns[-1].end is not None:
            return
        turn = self.turns[-1]
        turn.end, turn.end_time = seq, time
        reason = data.get("reason")
        if isinstance(reason, dict):
            turn.reason = str(reason.get("kind", ""))
            turn.failure = failure_text(reason.get("error"))

    def _step_start(self, seq: int, time: int, data: dict[str, Any]) -> None:
        self.steps.append(Step(seq, time, turn=natural(data.get("turn")) or 0, number=natural(data.get("step")) or 0))

    def _step_end(self, seq: int, time: int, data: dict[str, Any]) -> None:
        if self.steps and self.steps[-1].end is None:
            self.steps[-1].end, self.steps[-1].end_time = seq, time

    def _compaction_start(self, seq: int, time: int, data: dict[str, Any]) -> None:
        command = data.get("sourceCommandId")
        self._compaction = Compaction(
            seq,
            time,
            id=word(data.get("compactionId")),
            turn=natural(data.get("turn")),
            command=command if isinstance(command, str) else None,
        )
        self.compactions.append(self._compaction)

    def _compaction_summary(self, seq: int, time: int, data: dict[str, Any]) -> None:
        bracket = self._compaction
        if bracket is None:  # a summary without a start: the bracket is as long as we can see
            bracket = Compaction(seq, time, id=word(data.get("compactionId")))
            self.compactions.append(bracket)
        bracket.summary = seq
        self._by_summary[seq] = bracket
        bracket.shadowed_tokens = natural(data.get("shadowedTokenCount"))
        bracket.provider, bracket.model = word(data.get("provider")), word(data.get("model"))
        bracket.usage = read_usage(data.get("usage"))

    def _compaction_end(self, seq: int, time: int, data: dict[str, Any]) -> None:
        bracket = self._ended(data.get("compactionId"))
        if bracket is None:
            return
        bracket.end, bracket.end_time = seq, time
        error = data.get("error")
        if error is not None:
            bracket.failure = failure_text(error) or word(error)
        if bracket is self._compaction:
            self._compaction = None

    def _ended(self, id_: Any) -> Compaction | None:
        """The compaction that an end names; the one that is open, where it names none."""
        if id_ is None or (self._compaction is not None and self._compaction.id == id_):
            return self._compaction
        still_open = (one for one in reversed(self.compactions[-OPEN_AT_MOST:]) if one.end is None and one.id == id_)
        return next(still_open, None)

    def _compaction_prune(self, seq: int, time: int, data: dict[str, Any]) -> None:
        shadowed = data.get("shadowedSeqs")
        numbers = [natural(number) for number in shadowed] if isinstance(shadowed, list) else []
        self.prunes[seq] = Prune(
            seq, tuple(number for number in numbers if number is not None), natural(data.get("shadowedTokenCount"))
        )

    def _tool_call(self, seq: int, time: int, data: dict[str, Any]) -> None:
        call = self.calls.get(str(data.get("callId")))
        if call is not None and call.end is None:
            call.start, call.start_time = seq, time

    def _end_seed(self, seq: int, time: int, data: dict[str, Any]) -> None:
        self.seeds.append(seq)
        if data.get("inherited") is True:
            self.cut = seq
        if self._compaction is not None:
            self._compaction.stale = True
            self._compaction = None

    def _child(self, seq: int, time: int, data: dict[str, Any]) -> None:
        self.children.append(seq)

    def _title(self, seq: int, time: int, data: dict[str, Any]) -> None:
        title = data.get("title")
        self.title = title[:TITLE] if isinstance(title, str) else ""

    def _header(self, seq: int, time: int, data: dict[str, Any]) -> None:
        header = data.get("header")
        config = header.get("config") if isinstance(header, dict) else None
        if isinstance(config, dict):
            self.headers.append((seq, word(config.get("provider")), word(config.get("model"))))

    def _context(self, seq: int, time: int, data: dict[str, Any]) -> None:
        self.windows.append((seq, natural(data.get("contextWindow"))))
        self.prompts_in_history.append((seq, data.get("systemPromptUpdate") == "in-history"))
