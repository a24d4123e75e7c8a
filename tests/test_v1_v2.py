"""Formats 1 and 2 (formats 9.1, 9.2): no real log of either is at hand, so small ones are made from a real log of
version 0 by the rules of the two conversions, and rules of their own from hand-made rows."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import build
import pytest
from build import Log, Row, text, text_delta
from opening import codes, dumped, opened, sequence
from palimpsest.core.log import Attempt, Usage
from palimpsest.core.log.pieces import block_pieces
from palimpsest.core.session import Session

HELLO = Path(__file__).parent.parent / "sample_logs" / "hello" / "session.jsonl"


def hello() -> list[Row]:
    return [json.loads(line) for line in HELLO.read_text("utf-8").splitlines()]


# Conversions


def to_v1(rows: list[Row]) -> list[Row]:
    """formats 9.1: only the header's number changes where no early shape is in use."""
    return [{**rows[0], "version": 1}, *rows[1:]]


def to_v2(rows: list[Row]) -> list[Row]:
    """formats 9.2: cited chunks become the stream of their message, and everything is numbered anew."""
    first, events = rows[0], rows[1:]
    moved = {seq for row in events if row["type"] == "assistant/message" for seq in row["sourceEventSeqs"]}
    kept = [row for row in events if row["seq"] not in moved]
    renamed = {row["seq"]: number for number, row in enumerate(kept)}
    found = [{**first, "version": 2, "isSeeded": False}]
    for row in kept:
        row = {**row, "seq": renamed[row["seq"]]}
        cited = row.pop("sourceEventSeqs", None)
        if row["type"] == "assistant/message":
            row["data"] = {**row["data"], "stream": records([events[seq] for seq in cited])}
        elif row["type"].startswith("session/title"):
            row["data"] = {**row["data"], "messageSeqs": [renamed[seq] for seq in row["data"]["messageSeqs"]]}
        found.append(row)
    return found


def records(chunks: list[Row]) -> list[Row]:
    """Chunk events as the records of an embedded stream (formats 2.6)."""
    found: list[Row] = []
    run: list[Row] = []
    for row in [*chunks, None]:
        if row is not None and run and build.packable(run[-1], row):
            run.append(row)
            continue
        if run:
            found.append(record(run))
        run = [] if row is None else [row]
    return found


def record(run: list[Row]) -> Row:
    if not run[0]["data"]["chunk"]["type"].endswith("-delta"):
        return {"type": "chunk", "time": run[0]["time"], "chunk": run[0]["data"]["chunk"]}
    row = build.packed(run)
    inner = {key: value for key, value in row["data"].items() if key not in ("turn", "step")}
    return {"type": row["type"], "time0": row["time0"], **inner}


def without_seqs(attempt: Attempt) -> Row:
    """An attempt but for where it stands in the log."""
    fields = asdict(attempt)
    for name in ("first_seq", "last_seq", "runs", "message", "retry"):
        del fields[name]
    for block in fields["blocks"]:
        del block["first_seq"], block["last_seq"]
    return fields


def words_of(session: Session) -> list[list[tuple[int, str]]]:
    """Time and text of every delta, block by block."""
    blocks = (block for attempt in session.log.attempts.all for block in attempt.blocks)
    return [
        [pair for times, texts in block_pieces(session.log, block) for pair in zip(times, texts, strict=True)]
        for block in blocks
    ]


def test_v1_reads_as_v0() -> None:
    """formats 9.1: the same layout, so the same reading."""
    old, new = opened(build.raw(hello())), opened(build.raw(to_v1(hello())))
    assert new.status == "ok"
    assert new.notices == []
    assert sequence(new) == sequence(old)
    assert new.log.attempts.all == old.log.attempts.all
    assert new.surface.messages(new.end) == old.surface.messages(old.end)


def test_v2_reads_to_the_same_values() -> None:
    """formats 9.2: the 60 and 21 chunks before the two answers are no events any more, everything else stays."""
    old, new = opened(build.raw(hello())), opened(build.raw(to_v2(hello())))
    assert new.status == "ok"
    assert (old.log.events, new.log.events) == (107, 107 - 60 - 21)
    assert sequence(old) == [7, 8, 9, 75, 82, 104]
    assert sequence(new) == [7, 8, 9, 15, 22, 23]
    assert new.surface.messages(new.end) == old.surface.messages(old.end)
    assert [without_seqs(one) for one in new.log.attempts.all] == [without_seqs(one) for one in old.log.attempts.all]
    assert words_of(new) == words_of(old)
    assert [usage for _, usage in new.log.usages] == [usage for _, usage in old.log.usages]


def test_v2_chunks_have_the_seq_of_their_event() -> None:
    """formats 2.6: the stream stands inside its message, which it led to exactly."""
    first, second = opened(build.raw(to_v2(hello()))).log.attempts.all
    for attempt, seq in ((first, 15), (second, 23)):
        assert (attempt.first_seq, attempt.last_seq, attempt.runs) == (seq, seq, [(seq, seq)])
        assert {(block.first_seq, block.last_seq) for block in attempt.blocks} == {(seq, seq)}
        assert (attempt.message, attempt.exact, attempt.outcome) == (seq, True, "kept")


# Version 1


@pytest.mark.parametrize(
    ("type_", "data", "code"),
    [
        ("compact/start", {}, "unknown-type"),
        ("steering/message", {"turn": 1, "content": [], "source": {"kind": "user"}}, "unknown-type"),
        ("foo/bar", {}, "unknown-type"),
        ("user/message", {"content": [], "source": {"kind": "user"}}, "message-shape"),
        ("tool/result", {"callId": "c", "content": [], "isError": False}, "message-shape"),
        ("request/header-delta", {}, "retired"),
        ("mode/set", {}, "retired"),
        ("request/header", {"reason": "fallback"}, "retired"),
    ],
)
def test_v1_has_the_last_shapes_only(type_: str, data: Row, code: str) -> None:
    """formats 9.1, 4.1, 10: early shapes were converted, so here they are faults."""
    log = Log(1)
    log.add(type_, data)
    session = opened(log.raw())
    assert (session.status, codes(session)[0]) == ("invalid", code)


def test_v1_packed_rows_ranges_and_known_empty_streams() -> None:
    """formats 2.4, 2.5, 6.1: as in version 0."""
    log = Log(1)
    log.user()
    log.pack(["a", "b", "c"])
    log.assistant(sourceEventSeqs=[[1, 3]])
    log.assistant(sourceEventSeqs=[])
    session = opened(log.raw())
    assert session.status == "ok"
    assert [(one.runs, one.message, one.exact) for one in session.log.attempts.all] == [([(1, 3)], 4, True)]


def test_v1_ignorable_event_with_surface_fields_is_e2() -> None:
    """formats 4.1, 6.1: only version 3 and later skip the surface fields of what they do not know."""
    for version in (1, 2):
        log = Log(version)
        log.add("foo/bar", {}, ignorable=True)
        log.add("foo/bar", {}, ignorable=True, surfaceOp="append")
        assert codes(opened(log.raw())) == ["unknown-ignorable", "unknown-ignorable", "E2"]


def test_v1_seed_length_is_the_cut() -> None:
    """formats 3, 8."""
    log = Log(1, first=build.header(1, seedLength=1))
    log.user()
    log.add("session/end-seed", {"inherited": True})
    assert (opened(log.raw()).log.inherited, opened(log.raw()).status) == (1, "ok")
    log.first["seedLength"] = 3
    assert (opened(log.raw()).status, codes(opened(log.raw()))) == ("invalid", ["seed"])


# Version 2


class V2(Log):
    """Rows of version 2. A stream is a list of records."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(2, build.header(2, **fields))

    def answer(self, stream: Any, op: Any = "append", turn: int = 1, step: int = 1, **fields: Any) -> int:
        data = {"turn": turn, "step": step, "message": build.assistant_message("a", [text("yes")]), "stream": stream}
        return self.add("assistant/message", data, surfaceOp=op, **fields)

    def attempt(self, stream: Any) -> int:
        return self.add("assistant/attempt", {"turn": 1, "step": 1, "stream": stream})


def chunk(payload: Row, time: int = 100) -> Row:
    return {"type": "chunk", "time": time, "chunk": payload}


def texts(*words: str, time: int = 100, dt: list[Any] | None = None) -> Row:
    gaps = [1] * (len(words) - 1) if dt is None else dt
    return {"type": "text-chunks", "time0": time, "index": 0, "dt": gaps, "texts": list(words)}


FAILED = chunk({"type": "finish", "reason": {"kind": "error", "failure": {"message": "down", "code": "SERVER"}}}, 130)
SPENT = chunk({"type": "usage", "usage": {"inputTokens": 7, "outputTokens": 2}}, 120)


def test_v2_failed_attempts_retries_and_the_kept_one() -> None:
    """formats 11 row 31: assistant/attempt, llm/retry, llm/retry-started, assistant/message."""
    log = V2()
    log.user()
    log.step_start()
    log.attempt([texts("", "par", "tial", dt=[4, 2]), SPENT, FAILED])
    log.retry()
    log.add("llm/retry-started", {"retryId": "retry", "turn": 1, "step": 1, "retry": 1}, time=150)
    log.answer([texts("yes", time=160)])
    first, second = opened(log.raw()).log.attempts.all
    assert (first.outcome, first.failure, first.finish, first.retry, first.message) == (
        "failed", "down (SERVER)", "error", 3, None,
    )  # fmt: skip
    assert (first.first_time, first.first_token, first.last_time, first.chunks) == (100, 104, 130, 5)
    assert (first.usage, first.number, first.runs) == (Usage(7, 2), 1, [(2, 2)])
    assert (second.outcome, second.message, second.number, second.asked) == ("kept", 5, 2, 150)


def test_v2_runs_of_one_and_raw_deltas() -> None:
    """formats 11 row 32, 2.6: a run of one is normal; a delta without a tool name stands as a raw chunk."""
    call = {"type": "tool-call-chunks", "time0": 110, "index": 1, "dt": [], "id": "c", "args": ["{}"]}
    raw = chunk({"type": "tool-call-delta", "index": 1, "id": "c", "name": "", "argumentsDelta": " "}, 115)
    log = V2()
    log.answer([texts("a"), {**call, "name": "read"}, call, raw])
    session = opened(log.raw())
    (attempt,) = session.log.attempts.all
    assert [(one.kind, one.chunks, one.chars, one.call_id, one.name) for one in attempt.blocks] == [
        ("text", 1, 1, "", ""), ("tool-call", 3, 5, "c", "read"),
    ]  # fmt: skip
    assert words_of(session) == [[(100, "a")], [(110, "{}"), (110, "{}"), (115, " ")]]


def test_v2_one_event_is_one_attempt() -> None:
    """formats 2.6: even chunks after a finish belong to the event that holds them."""
    log = V2()
    log.attempt([FAILED, texts("late", time=140)])
    (attempt,) = opened(log.raw()).log.attempts.all
    assert (attempt.chunks, attempt.outcome, attempt.last_time) == (2, "failed", 140)


def test_v2_what_follows_a_block_end_is_not_its_text() -> None:
    """formats 5.4: the first close wins."""
    end = chunk({"type": "block-end", "index": 0, "block": text("a")})
    log = V2()
    log.answer([texts("a"), end, texts("b")])
    session = opened(log.raw())
    assert session.log.attempts.all[0].blocks[0].chars == 1
    assert words_of(session) == [[(100, "a")]]


def test_v2_empty_streams() -> None:
    """formats 9.2: no chunks were recorded. The message takes no earlier attempt for its own."""
    log = V2()
    log.attempt([])
    log.answer([])
    (attempt,) = opened(log.raw()).log.attempts.all
    assert (attempt.first_seq, attempt.chunks, attempt.message, attempt.outcome) == (0, 0, None, "dropped")


@pytest.mark.parametrize(
    "stream",
    [
        None, {}, [1], [{}], [{"type": "foo"}], [chunk({}) | {"turn": 1}], [{"type": "chunk", "time": 1}],
        [{"type": "chunk", "time": 1, "chunk": []}], [{"type": "chunk", "chunk": {}}],
        [texts("a", "b", dt=[])], [texts("a", dt=[1])], [texts()], [texts("a", "b", dt=["1"])],
        [texts("a", "b", dt=[1.5])], [texts("a") | {"index": -1}], [texts("a") | {"seq0": 1}],
        [texts("a") | {"time0": 2**53}], [texts("a", "b", time=2**53 - 1)], [texts("a") | {"texts": [1]}],
        [{"type": "tool-call-chunks", "time0": 1, "index": 0, "dt": [], "id": "", "args": ["a"]}],
        [{"type": "tool-call-chunks", "time0": 1, "index": 0, "dt": [], "id": "c", "name": "", "args": ["a"]}],
        [{"type": "tool-call-chunks", "time0": 1, "index": 0, "dt": [], "args": ["a"]}],
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["assistant/message", "assistant/attempt"])
def test_v2_malformed_streams(stream: Any, kind: str) -> None:
    """formats 2.6, 4.2: exact keys, and as many gaps as pairs of texts."""
    log = V2()
    _ = log.answer(stream) if kind == "assistant/message" else log.attempt(stream)
    session = opened(log.raw())
    assert (session.status, codes(session)) == ("invalid", ["message-shape"])
    assert sequence(session) == []
    assert session.log.attempts.all == []


@pytest.mark.parametrize("data", [None, [], "x", {}])
def test_v2_an_attempt_is_an_object_with_a_stream(data: Any) -> None:
    """formats 4.2."""
    log = V2()
    log.add("assistant/attempt", data)
    assert codes(opened(log.raw())) == ["message-shape"]


def test_v2_the_stream_is_required() -> None:
    """formats 4.2."""
    log = V2()
    log.assistant()
    assert codes(opened(log.raw())) == ["message-shape"]


def test_v2_integral_floats_and_lone_surrogates_in_streams() -> None:
    """formats 2.1: 1.0 is 1, and half a surrogate pair is text."""
    log = V2()
    log.answer([texts("\ud83d", "b", dt=[1.0]) | {"time0": 100.0}])
    session = opened(log.raw())
    assert session.status == "ok"
    assert words_of(session) == [[(100, "\ud83d"), (101, "b")]]


def test_v2_packed_rows_are_faulty() -> None:
    """formats 2.4: these rows do not exist at top level any more."""
    log = V2()
    log.user()
    log.pack(["a", "b"])
    session = opened(log.raw())
    assert (session.status, session.log.events) == ("torn", 1)
    assert "bad-row" in codes(session)


@pytest.mark.parametrize("cited", [[], [0], "x"])
def test_v2_assistants_cite_nothing_e8(cited: Any) -> None:
    """formats 6.1 E8, 11 row 20."""
    log = V2()
    log.user()
    log.answer([], sourceEventSeqs=cited)
    assert codes(opened(log.raw())) == ["E8"]


@pytest.mark.parametrize(
    ("op", "cited", "code"),
    [
        ({"op": "replace", "startSeq": 0, "endSeq": 0}, [0], "E6"),
        ({"op": "replace", "start": 9, "end": 0}, [0], "E14"),
        ({"op": "replace", "start": 0, "end": 9}, [0], "E15"),
        ({"op": "replace", "start": 0, "end": 0}, [0], "E8"),
        ({"op": "replace", "start": 0, "end": 0}, None, "E17"),
    ],
)
def test_v2_an_assistant_never_replaces(op: Any, cited: Any, code: str) -> None:
    """formats 6.1: the span is judged before the sources, and an answer fits neither way."""
    log = V2()
    log.user()
    log.answer([], op, **({} if cited is None else {"sourceEventSeqs": cited}))
    assert codes(opened(log.raw())) == [code]


def test_v2_file_blocks_pass_untouched() -> None:
    """formats 5.2: native to version 2."""
    block = {"type": "file", "attachment": {"attachmentId": "sha256:0", "name": "notes.txt", "bytes": 12}}
    log = V2()
    log.add("user/message", build.user_message("u", [block]), surfaceOp="append")
    assert dumped(log.raw())["messages"] == [build.user_message("u", [block])]


# Seeds


def seeded(*tags: int, length: int = 6, **fields: Any) -> Session:
    """A log whose markers at `tags` are tagged, with a plain one after each."""
    log = V2(**fields)
    for seq in range(length):
        log.add("session/end-seed", {"inherited": True} if seq in tags else {})
    return opened(log.raw())


def test_v2_the_last_tagged_marker_is_the_cut() -> None:
    """formats 8, 11 row 41: nested forks leave several; plain markers are reopenings (row 60)."""
    session = seeded(1, 4, isSeeded=True)
    assert (session.status, session.log.inherited, session.log.brackets.seeds) == ("ok", 4, list(range(6)))
    assert seeded(isSeeded=False).log.inherited == 0
    assert seeded(0, isSeeded=True).log.inherited == 0


@pytest.mark.parametrize(("tags", "says"), [((), True), ((2,), False)])
def test_v2_a_contradicted_header_is_invalid(tags: tuple[int, ...], says: bool) -> None:
    """formats 8: isSeeded and the tagged marker go together."""
    session = seeded(*tags, isSeeded=says)
    assert session.status == "invalid"
    (notice,) = session.notices
    assert (notice.code, notice.severity, notice.seq) == ("seed", "error", tags[0] if tags else None)


@pytest.mark.parametrize("value", [1, "true", None])
def test_v2_only_true_tags_a_marker(value: Any) -> None:
    """formats 8: `data.inherited === true`."""
    log = V2(isSeeded=False)
    log.add("session/end-seed", {"inherited": value})
    assert opened(log.raw()).status == "ok"


def test_v2_header_fields() -> None:
    """formats 3: isSeeded is required, seedLength is not known any more."""
    for fields, status, severity in (
        ({"isSeeded": None}, "invalid", "error"),
        ({"isSeeded": 1}, "invalid", "error"),
        ({"seedLength": 3}, "ok", "warning"),
    ):
        session = opened(V2(**fields).raw())
        assert (session.status, session.notices[0].code, session.notices[0].severity) == (
            status, "header-field", severity,
        )  # fmt: skip


def test_v2_a_raw_text_delta_counts_like_a_run_of_one() -> None:
    """formats 2.6, 5.4."""
    log = V2()
    log.answer([chunk(text_delta("a")), texts("b")])
    (block,) = opened(log.raw()).log.attempts.all[0].blocks
    assert (block.chunks, block.chars) == (2, 2)
