"""A seeded mutation fuzzer: logs broken in their bytes, frames, rows and values, and what must hold for any log.

`python tests/fuzz.py --seeds 0:20000` is the long run; it prints each seed that breaks something. A
failing input can be kept with `--keep DIR`.
"""

from __future__ import annotations

import argparse
import copy
import json
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import build
from corpus import TABLE
from opening import opened
from palimpsest.core.export.check import facts
from palimpsest.core.export.dump import dump, to_json
from palimpsest.core.export.plain import is_clean
from palimpsest.core.export.raw import row_lines, row_title
from palimpsest.core.export.report import report
from palimpsest.core.export.sentences import account_text
from palimpsest.core.export.summary import summary
from palimpsest.core.notices import CODES
from palimpsest.core.session import Session
from palimpsest.core.views.conditions import conditions_at
from palimpsest.core.views.replacements import account
from palimpsest.core.views.session import about, window_at
from palimpsest.core.views.surface import surface_items
from palimpsest.tui.drawing.entry import layout
from palimpsest.tui.panes.events import EventsSource
from palimpsest.tui.panes.history import HistorySource
from palimpsest.tui.panes.lines import LinesSource
from palimpsest.tui.panes.scene import Scene, gather, scene
from palimpsest.tui.panes.source import Source
from palimpsest.tui.panes.stream import StreamSource
from palimpsest.tui.panes.surface import SurfaceSource
from palimpsest.tui.screens.notices import notice_line

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ROOT = Path(__file__).parents[1]
MAGIC = b"\x28\xb5\x2f\xfd"
SMALL = 40_000
"""Bytes of the files that are mutated."""


# What must hold


def check(session: Session) -> dict[str, Any]:
    """The dump of a session, after everything in it has been held against everything else."""
    text = to_json(dump(session, None, messages=True))
    assert text.isascii()
    checked = json.loads(to_json(facts(session)), parse_constant=_refused)
    found: dict[str, Any] = json.loads(text, parse_constant=_refused)
    events, surface, history = found["events"], found["surface"], found["history"]
    assert surface["at"] == (events - 1 if events else None)
    assert history == sorted(set(history)) and all(0 <= seq < events for seq in history)
    shadowed = _check_replacements(found["replacements"], events)
    replacing = {one["seq"] for one in found["replacements"]}
    nodes = surface["nodes"]
    assert len(nodes) == len(set(nodes)) and not set(nodes) & shadowed
    assert {*nodes, *shadowed} <= {*history, *replacing}
    assert surface["generation"] == len(replacing)
    assert len(found["messages"]) <= len(nodes)
    sound = found["status"] in ("ok", "torn")
    if sound:
        assert {*nodes, *shadowed} == {*history, *replacing}, "a message is lost"
    assert sound == all(one["severity"] != "error" for one in found["notices"]), "errors if and only if not sound"
    assert {one["code"] for one in found["notices"]} <= CODES
    assert all(one["message"] for one in found["notices"])
    assert [checked["status"], checked["events"]] == [found["status"], events]
    assert checked["replacements"]["total"] == len(replacing) == sum(checked["replacements"]["by_kind"].values())
    if found["status"] in ("unreadable", "unsupported"):
        assert not events and not history and found["notices"]
    assert all(one["events"] > 0 and one["line"] > 1 for one in found.get("salvaged", []))
    _check_moments(session, found)
    return found


def _refused(constant: str) -> Any:
    raise AssertionError(f"{constant} in JSON")


def _check_replacements(replacements: list[dict[str, Any]], events: int) -> set[int]:
    seen: set[int] = set()
    last = -1
    for generation, one in enumerate(replacements, 1):
        assert one["generation"] == generation and last < one["seq"] < events
        last = one["seq"]
        span = one["shadowed"]
        assert span and (span[0], span[-1]) == (one["start"], one["end"])
        assert len(set(span)) == len(span) and not seen & set(span), "shadowed twice"
        assert all(seq < one["seq"] for seq in span)
        seen |= set(span)
    return seen


def _check_moments(session: Session, found: dict[str, Any]) -> None:
    """The surface just before and after a replacement differ by what it says, and by nothing else."""
    for one in found["replacements"][: 20 if found["events"] < 5_000 else 2]:
        before = dump(session, one["seq"] - 1)["surface"]["nodes"]
        after = dump(session, one["seq"])["surface"]["nodes"]
        at = before.index(one["start"])
        span = one["shadowed"]
        assert before[at : at + len(span)] == span
        assert after == [*before[:at], one["seq"], *before[at + len(span) :]]


def sources(now: Scene, unfolded: frozenset[int]) -> list[Source]:
    """Everything that a pane may show of a scene."""
    gathered = gather(now.session)
    items = surface_items(now.session, now.moment, unfolded)
    return [
        StreamSource(now, gathered.stream),
        EventsSource(now, gathered.rows),
        HistorySource(now, gathered.history, gathered.totals),
        SurfaceSource(now, items, unfolded),
    ]


def laid_out(
    session: Session, moments: Sequence[int] | None = None, widths: Sequence[int] = (78, 5), most: int = 600
) -> Iterator[str]:
    """Every line that the reports, the panes and the pages of a log can show, each checked to be clean."""
    for text in (summary(session), report(facts(session)), *map(notice_line, session.notices)):
        yield from _clean(text.split("\n"))
    for one in session.surface.replacements[:20]:
        account_text(account(session, one))
    yield from panes(session, moments, widths, most)


def panes(session: Session, moments: Sequence[int] | None, widths: Sequence[int], most: int) -> Iterator[str]:
    """Every row that the panes and the details can show, at a few moments if none are given.

    Of a source with more than `most` items the first, the last and some between are shown.
    """
    if session.log.header is None:
        return
    if moments is None:
        seqs = [one.seq for one in session.surface.replacements[:3]]
        moments = sorted({-1, 0, session.end // 2, *seqs, *(seq - 1 for seq in seqs), session.end})
    about(session)
    unfolded = frozenset(one.seq for one in session.surface.replacements[:200])
    for moment in moments:
        conditions_at(session, moment)
        window_at(session, moment)
        focus = session.surface.replacement(moment + 1) or session.surface.replacement(moment)
        before = focus is not None and focus.seq > moment
        now = scene(session, moment, focus, before, moment == session.end)
        for source in sources(now, unfolded):
            assert isinstance(source.empty(), str)
            for position in _some(len(source), most):
                assert source.position(source.seq(position)) < len(source)
                source.key(position)
                row = source.row(position)
                assert row is None or 0 <= row < len(session.log.columns)
                yield from _rows(source, position, widths)
    for row in _some(len(session.log.columns), most // 10):
        yield from _rows(LinesSource([*row_title(session, row), *row_lines(session, row)[:50]]), 0, widths)


def _rows(source: Source, position: int, widths: Sequence[int]) -> Iterator[str]:
    entry = source.entry(position)
    for width in widths:
        for unfolded in (False, True):
            lines = ["".join(span.text for span in row) for row in layout(entry, width, unfolded, "l")]
            assert lines and not any("\n" in line for line in lines)
            yield from _clean(lines)


def _clean(lines: list[str]) -> Iterator[str]:
    for line in lines:
        assert is_clean(line), ascii(line)
        yield line


def _some(size: int, most: int) -> Sequence[int]:
    if size <= most:
        return range(size)
    third = most // 3
    return sorted({*range(third), *range(0, size, -(-size // third)), *range(size - third, size)})


# Mutations

ODD: list[Any] = [
    None, True, False, 0, -1, 1, 1.0, 1.5, 2**53 - 1, 2**53, -(2**53), 10**30, 1e308, "", "x", "\ud83d", "\x1b[31m",
    "[/red]", "append", "user", "tool", "model", "replace", "text-chunks", "assistant/chunk", [], {}, [1], [[1, 2]],
    [[]], [None], {"a": 1}, {"kind": "user"}, {"kind": "plugin", "plugin": "compact"}, [[0, 10**9]],
    {"op": "replace", "start": 1, "end": 1}, {"op": "replace", "startSeq": 1, "endSeq": 1},
    {"type": "text", "text": "t"}, [{"type": "image", "attachment": {"attachmentId": "i"}}],
    [{"type": "tool-result", "content": [{"type": "tool-result", "content": []}]}],
]  # fmt: skip
KEYS = ("x surfaceOp sourceEventSeqs ignorable data type \ud83d name id isError stream content source usage turn "
        "message header config").split(" ")  # fmt: skip
TYPES = """turn/start turn/end step/start step/end compaction/start compaction/summary compaction/end compaction/prune
    session/end-seed session/title request/header request/context user/message assistant/message tool/result tool/call
    system/message developer/message assistant/attempt image/offload text-chunks reasoning-chunks assistant/chunk
    llm/retry llm/retry-started compact/start compact/prune steering/message mode/set subagent/catalog
    foo/bar""".split()
LINES = [
    b"",
    b"\r",
    b"null",
    b"[]",
    b"{}",
    b'{"seq":0}',
    b"\x00\x00",
    b"\xff",
    b'{"type":"turn/end"',
    b"[" * 2_000,
    b"1e999",
]


def plain(data: bytes) -> bytes:
    """The plaintext of a log's bytes, as far as its frames are whole."""
    if not data.startswith(MAGIC):
        return data
    out = b""
    while data:
        decoder = zstd.ZstdDecompressor()
        try:
            out += decoder.decompress(data)
        except zstd.ZstdError:
            break
        data = decoder.unused_data if decoder.eof else b""
    return out


@cache
def seeds() -> dict[int, list[tuple[str, bytes]]]:
    """What is mutated: small logs of the project and of the corpus, by version."""
    paths = [*(ROOT / "sample_logs").rglob("*.jsonl*"), *(ROOT / "tests" / "cases").rglob("*.jsonl")]
    found = [(path.name, path.read_bytes()) for path in sorted(paths) if path.stat().st_size < SMALL]
    found += [(entry.name, entry.make()) for entry in TABLE if not entry.plain and entry.opens]
    tools = build.turn_of_tools().rows
    found += [(f"tools of v{version}", build.raw([build.header(version), *tools])) for version in (0, 1)]
    found += [(f"roles of v{version}", every_role(version).raw()) for version in (2, 3, 4)]
    groups: dict[int, list[tuple[str, bytes]]] = {}
    for name, data in found:
        header = opened(data).log.header
        if header is not None and len(data) < SMALL and plain(data).count(b"\n") > 3:
            groups.setdefault(header.version, []).append((name, data))
    return dict(sorted(groups.items()))


def every_role(version: int) -> build.Log:
    """A log of version 2 to 4: what the version has of prompts, tools, offloads, attempts and summaries."""
    log = build.Log(version)
    log.turn_start()
    tool = {"name": "read", "description": "reads", "parameters": {}}
    header = {"config": {"provider": "p", "model": "m"}, "tools": [tool]}
    first = log.add("request/header", {"header": header, "reason": "initial"})
    log.add("request/context", {"provider": "p", "model": "m", "contextWindow": 1_000})
    step = {"turn": 1, "step": 1}
    names = ("start", "end") if version == 2 else ("startSeq", "endSeq")
    picture = {"type": "image", "attachment": {"attachmentId": "i", "name": "i.png", "mediaType": "image/png"}}
    seen = log.add("user/message", build.user_message("u", [build.text("look"), picture]), surfaceOp="append")
    stream = [{"type": "text-chunks", "time0": build.START, "index": 0, "dt": [5], "texts": ["se", "en"]}]
    log.add("assistant/attempt", {**step, "stream": stream})
    answer = build.assistant_message("a", [build.text("seen"), build.tool_call("c")])
    log.add("assistant/message", {**step, "message": answer, "stream": stream}, surfaceOp="append")
    if version == 3:
        log.add("image/offload", {"targets": [{"seq": seen, "imageIndexes": [0]}]})
    if version > 2:
        prompt = {"id": "s", "role": "system", "content": [build.text("prompt")], "source": {"kind": "system-prompt"}}
        head = log.add("system/message", {**step, "message": prompt}, surfaceOp="append")
        span = {"op": "replace", **dict.fromkeys(names, head)}
        log.add("system/message", {**step, "message": prompt}, surfaceOp=span, sourceEventSeqs=[head])
    if version > 3:
        changed = [{"type": "tool-addition", "toolName": "read"}]
        told = {"id": "d", "role": "developer", "content": changed, "source": {"kind": "tool-jobs"}}
        log.add("developer/message", {"headerSeq": first, "message": told}, surfaceOp="append")
    compact = {"kind": "compact-checkpoint"} if version > 3 else {"kind": "plugin", "plugin": "compact"}
    summary = build.user_message("s", [build.text("summary")], compact)
    span = {"op": "replace", **dict.fromkeys(names, seen)}
    log.add("user/message", summary, surfaceOp=span, sourceEventSeqs=[seen])
    log.user("again")
    log.turn_end()
    return log


def _some_bytes(chance: Random, data: bytes) -> bytes:
    found = bytearray(data)
    for _ in range(chance.choice((1, 1, 3, 10))):
        at = chance.randrange(len(found) + 1)
        what = chance.randrange(8)
        if what < 4 and at < len(found):
            found[at] ^= 1 << chance.randrange(8)
        elif what < 5:
            del found[at : at + chance.choice((1, 3, 100))]
        elif what < 6:
            found[at:at] = chance.randbytes(chance.choice((1, 4, 50)))
        elif what < 7:
            found[at:at] = found[at : at + chance.choice((4, 80, 600))]
        else:
            del found[at:]
    return bytes(found)


def _some_frames(chance: Random, data: bytes) -> bytes:
    lines = [line + b"\n" for line in plain(data).split(b"\n")[:-1]]
    parts = [lines[:1]]
    while sum(map(len, parts)) < len(lines):
        at = sum(map(len, parts))
        parts.append(lines[at : at + chance.choice((1, 2, 5, 20))])
    found = [build.frame(b"".join(part), checksum=chance.random() < 0.8) for part in parts]
    for _ in range(chance.choice((1, 1, 2))):
        at = chance.randrange(len(found))
        what = chance.randrange(8)
        if what == 0:
            found.insert(at, found[at])
        elif what == 7:
            found[0] = build.frame(b"".join(lines[:2]))
        elif what == 1 and len(found) > 1:
            del found[at]
        elif what == 2:
            found.insert(at, build.frame(chance.choice(LINES)))
        elif what == 3:
            found[at] = build.flipped(found[at], chance.randrange(len(found[at])), 1 << chance.randrange(8))
        elif what == 4:
            found[at] = found[at][: chance.randrange(len(found[at]))]
        elif what == 5:
            found.insert(at, b"\x50\x2a\x4d\x18\x01\x00\x00\x00x")
        else:
            found[at] += chance.choice((b"\x28\xb5", b"\x00", b"\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00"))
    return b"".join(found)


def _some_rows(chance: Random, data: bytes) -> bytes:
    lines = plain(data).split(b"\n")[:-1] or [b"{}"]
    for _ in range(chance.choice((1, 1, 2, 4))):
        at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        what = chance.randrange(6)
        if what == 0:
            lines.insert(other, lines[at])
        elif what == 1 and len(lines) > 1:
            del lines[at]
        elif what == 2:
            lines[at], lines[other] = lines[other], lines[at]
        elif what == 3:
            lines.insert(at, chance.choice(LINES))
        elif what == 4:
            lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
        else:
            lines[at] += lines[other]
    return _stored(chance, lines)


def _some_values(chance: Random, data: bytes) -> bytes:
    lines = plain(data).split(b"\n")[:-1] or [b"{}"]
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(len(lines)) if chance.random() < 0.9 else 0
        try:
            row = json.loads(lines[at])
        except (ValueError, RecursionError):
            continue
        lines[at] = json.dumps(_changed(chance, row)).encode()
    return _stored(chance, lines)


def _changed(chance: Random, row: Any) -> Any:
    places = list(_places(row))
    if not places:
        return copy.deepcopy(chance.choice(ODD))
    if isinstance(row, dict) and chance.random() < 0.15:
        row["type"] = chance.choice(TYPES)
        return row
    holder, key = chance.choice(places)
    what = chance.random()
    if what < 0.15:
        del holder[key]
    elif what < 0.3 and isinstance(holder, dict):
        holder[chance.choice(KEYS)] = copy.deepcopy(chance.choice(ODD))
    elif what < 0.5 and type(holder[key]) is int:
        holder[key] += chance.choice((-10, -5, -2, -1, 1, 2, 5, 100))
    elif what < 0.6:
        other, from_key = chance.choice(places)
        holder[key] = copy.deepcopy(other[from_key])
    else:
        holder[key] = copy.deepcopy(chance.choice(ODD))
    return row


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    keys: Sequence[Any] = (
        list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys[:12]:
        yield value, key
        yield from _places(value[key])


def _stored(chance: Random, lines: list[bytes]) -> bytes:
    return build.zstd(lines, chance.choice((1, 2, 5, 20))) if chance.random() < 0.4 else build.raw(lines)


MUTATIONS: tuple[Callable[[Random, bytes], bytes], ...] = (
    _some_bytes, _some_bytes, _some_frames, _some_rows, _some_values, _some_values, _some_values, _some_values,
)  # fmt: skip


def mutant(seed: int) -> tuple[str, bytes]:
    """The input of a seed: the name of what was mutated, and its bytes."""
    chance = Random(seed)
    name, data = chance.choice(chance.choice(list(seeds().values())))
    return name, chance.choice(MUTATIONS)(chance, data)


def attempt(data: bytes, seed: int) -> str:
    """Reads bytes, checks what must hold, and lays out all that the viewer could show of it."""
    session = opened(data)
    found = check(session)
    for _ in laid_out(session, [session.end, session.end // 2], [(78, 5, 33, 20)[seed % 4]], most=60):
        pass
    return str(found["status"])


def main() -> int:
    parser = argparse.ArgumentParser(description="Open mutated logs and check what must hold for any log.")
    parser.add_argument("--seeds", default="0:2000", help="first:last, the last one left out")
    parser.add_argument("--keep", type=Path, help="a directory for inputs that fail")
    asked = parser.parse_args()
    first, last = map(int, asked.seeds.split(":"))
    statuses: Counter[str] = Counter()
    failures: Counter[tuple[str, str, int]] = Counter()
    for seed in range(first, last):
        name, data = mutant(seed)
        try:
            statuses[attempt(data, seed)] += 1
        except Exception as error:  # noqa: BLE001 (the point is to meet any)
            frame = traceback.extract_tb(error.__traceback__)[-1]
            place = (type(error).__name__, Path(frame.filename).name, frame.lineno or 0)
            if place not in failures:
                print(f"seed {seed} ({name}): {ascii(error)[:200]} in {frame.filename}:{frame.lineno}", flush=True)
                if asked.keep:
                    (asked.keep / f"{seed}.jsonl").write_bytes(data)
            failures[place] += 1
    print(dict(statuses))
    for place, times in failures.most_common():
        print(times, *place)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
