"""The fold against a naive list-splice model, and what must not depend on how rows are stored."""

from __future__ import annotations

import json
from typing import Any

import build
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import Naive
from opening import dumped, events, opened
from palimpsest.core.export.dump import dump
from palimpsest.core.log import reader
from palimpsest.core.reading.bytes import MemoryBytes
from palimpsest.core.session import Session, session_of
from plans import Step, long_plan, plans, rows_of, sound_plans

quickly = settings(max_examples=150, deadline=None)
thoroughly = settings(max_examples=3_000, deadline=None)


def agree(session: Session, model: Naive) -> None:
    """Everything the surface says, at every moment."""
    surface = session.surface
    assert session.log.events == len(model.rows)
    assert [list(one.shadowed) for one in surface.replacements] == [one[3] for one in model.replacements]
    assert [(one.seq, one.start, one.end) for one in surface.replacements] == [one[:3] for one in model.replacements]
    assert [one.generation for one in surface.replacements] == list(range(1, len(model.replacements) + 1))
    assert (surface.fault and (surface.fault.seq, surface.fault.code)) == model.error
    assert [operation.seq for operation in session.log.operations if operation.appends] == model.history
    for moment, nodes in enumerate(model.moments):
        assert surface.seqs_at(moment) == nodes
        assert surface.generation(moment) == model.generations[moment]
        assert surface.messages(moment) == model.messages(moment)
        for seq in range(moment + 1):
            known = surface.node(seq) is not None
            assert surface.shadowers(seq, moment) == (model.shadowers(seq, moment) if known else [])


def check(plan: list[Step]) -> Naive:
    rows, model = rows_of(plan)
    session = opened(build.raw([build.header(), *rows]))
    agree(session, model)
    assert session.status == ("invalid" if model.error else "ok")
    return model


@settings(max_examples=500, deadline=None)
@given(plans)
def test_the_fold_is_the_list_splice(plan: list[Step]) -> None:
    """formats 6.1 to 6.3: nodes, replacements, messages, chains and the first error."""
    check(plan)


@quickly
@given(sound_plans)
def test_sound_operations_are_never_refused(plan: list[Step]) -> None:
    """The plans without wrongs mostly go through: the model and the fold accept them alike."""
    model = check(plan)
    if model.error is not None:  # the one wrong left: a tool result in place of something else
        assert model.error[1] in ("E18", "E19")


@pytest.mark.slow
@thoroughly
@given(plans)
def test_the_fold_is_the_list_splice_many_times(plan: list[Step]) -> None:
    """formats 6.1 to 6.3."""
    check(plan)


@pytest.mark.parametrize("seed", range(30))
def test_long_logs(seed: int) -> None:
    """formats 6, over a hundred operations, with and without a violation on the way."""
    sound = check(long_plan(seed, 120, faulty=0))
    assert len(sound.replacements) > 10 or sound.error
    check(long_plan(seed, 120, faulty=0.02))


def test_the_plans_reach_every_rule() -> None:
    """The random sequences are no good if they never break a rule: E2 to E20 but E7 and E8 of later versions."""
    found: set[str] = set()
    for what in range(12):
        for where in range(0, 41, 4):
            for far in (0, 1, 3):
                for wrong in range(13):
                    opening = [(4, 0, 0, 60), (2, 0, 0, 60), (3, 0, 0, 60), (3, 0, 0, 60), (4, 0, 0, 60)]
                    error = rows_of([*opening, (what, where, far, wrong)])[1].error
                    found.add(error[1] if error else "")
    rules = {f"E{number}" for number in range(2, 21)} - {"E7", "E8"}
    assert rules <= found


# Storage


deltas = st.tuples(
    st.sampled_from(["text-delta", "reasoning-delta", "tool-call-delta"]),
    st.integers(0, 1),
    st.text(st.characters(exclude_categories=()), max_size=3),
    st.integers(-5, 50),
    st.sampled_from(["", "read", None]),
)
pieces = st.lists(st.one_of(deltas, st.sampled_from(["finish", "retry", "step", "message", "user"])), max_size=25)


def streaming_rows(plan: list[Any]) -> list[build.Row]:
    """A log of streams: runs of deltas, retries, steps, messages that cite the chunks since the last."""
    log = build.Log()
    log.turn_start()
    log.step_start()
    step, chunks, time = 1, list[int](), build.START
    for piece in plan:
        if piece == "finish":
            chunks.append(log.chunk({"type": "finish", "reason": {"kind": "stop"}}, step=step))
        elif piece == "retry":
            log.retry(step=step)
            chunks = []
        elif piece == "step":
            log.step_end(step=step)
            step += 1
            log.step_start(step=step)
            chunks = []
        elif piece == "message":
            log.assistant(step=step, sourceEventSeqs=chunks)
            chunks = []
        elif piece == "user":
            log.user()
        else:
            kind, index, words, gap, name = piece
            time += gap
            payload = {"type": kind, "index": index, "text": words}
            if kind == "tool-call-delta":
                named = {} if name is None else {"name": name}
                payload = {"type": kind, "index": index, "id": "call", **named, "argumentsDelta": words}
            data = {"turn": 1, "step": step, "chunk": payload}
            chunks.append(log.add("assistant/chunk", data, time=time))
    return [row for row in log.rows if isinstance(row, dict)]


def packed_by(rows: list[build.Row], wanted: Any) -> list[build.Row]:
    """Neighbouring deltas packed into one row where `wanted` says so."""
    groups: list[list[build.Row]] = []
    for row in rows:
        if groups and build.packable(groups[-1][-1], row) and wanted():
            groups[-1].append(row)
        else:
            groups.append([row])

    def single(row: build.Row) -> bool:
        return not build.packable(row, row) or not wanted()

    return [
        group[0] if len(group) == 1 and single(group[0]) else build.packed(group) for group in groups
    ]  # fmt: skip


def telling(session: Session) -> tuple[Any, ...]:
    """What a session says, whatever its rows and frames are."""
    found = dumped_of(session)
    return events(session), repr(session.log.attempts.all), found


def dumped_of(session: Session) -> dict[str, Any]:
    found = dump(session, messages=True)
    kept = {key: value for key, value in found.items() if key not in ("file", "notices")}
    return {**kept, "codes": [(notice["code"], notice["seq"]) for notice in found["notices"]]}


@quickly
@given(pieces, st.data())
def test_packed_unpacked_and_mixed_rows_are_equivalent(plan: list[Any], data: st.DataObject) -> None:
    """formats 2.4."""
    rows = streaming_rows(plan)
    plain = telling(opened(build.raw([build.header(), *rows])))
    assert plain[2]["status"] == "ok"
    for wanted in (lambda: True, lambda: data.draw(st.booleans())):
        packed = packed_by(rows, wanted)
        assert telling(opened(build.raw([build.header(), *packed]))) == plain
        assert telling(opened(build.zstd([build.header(), *packed]))) == plain


@quickly
@given(plans, st.integers(1, 7), st.lists(st.integers(0, 6_000), max_size=8))
def test_raw_and_zstd_and_any_frames_are_equivalent(plan: list[Step], batch: int, cuts: list[int]) -> None:
    """formats 2.2."""
    lines: list[build.Line] = [build.header(), *rows_of(plan)[0]]
    raw = build.raw(lines)
    plain = telling(opened(raw))
    assert telling(opened(build.zstd(lines, batch))) == plain
    assert telling(opened(build.frames_of(raw, cuts))) == plain


@quickly
@given(pieces, st.lists(st.integers(0, 200), max_size=30), st.integers(1, 5))
def test_events_read_again_are_the_events_as_written(plan: list[Any], order: list[int], batch: int) -> None:
    """Lazy payloads: in any order, out of packed rows and frames, as parsed at once."""
    rows = streaming_rows(plan)
    lines: list[build.Line] = [build.header(), *packed_by(rows, lambda: True)]
    for data in (build.raw(lines), build.zstd(lines, batch)):
        session = opened(data)
        session.log._rows.clear()
        for wish in order:
            seq = wish % len(rows)
            found = session.log.event(seq)
            row = json.loads(build.line(rows[seq]))
            assert (found.seq, found.time, found.type, found.data) == (seq, row["time"], row["type"], row["data"])


@quickly
@given(plans, st.integers(0, 45))
def test_a_moment_is_the_end_of_a_shorter_log(plan: list[Step], cut: int) -> None:
    """Every view is a function of (log, moment): what comes later changes nothing."""
    rows, _ = rows_of(plan)
    if not rows:
        return
    cut %= len(rows)
    whole = dumped(build.raw([build.header(), *rows]), cut)
    short = dumped(build.raw([build.header(), *rows[: cut + 1]]))
    for key in ("surface", "replacements", "messages"):
        assert whole[key] == short[key]


@quickly
@given(plans)
def test_a_log_read_in_small_batches_is_the_same(plan: list[Step]) -> None:
    """Others may look between two batches; what they see is a prefix."""
    rows, model = rows_of(plan)
    data = build.raw([build.header(), *rows])
    session = session_of(MemoryBytes(data))
    before, reader.BATCH = reader.BATCH, 3
    try:
        for _ in session.load():
            seen = session.log.events
            assert session.surface.seqs_at(session.end) == (model.moments[seen - 1] if seen else [])
    finally:
        reader.BATCH = before
    agree(session, model)


@quickly
@given(st.binary(max_size=300), st.booleans())
def test_any_bytes_at_all(noise: bytes, after_header: bool) -> None:
    """Nothing a file holds makes the reader raise."""
    data = build.raw([build.header()]) + noise if after_header else noise
    found = dumped(data)
    assert found["status"] in ("unreadable", "unsupported", "damaged", "invalid", "torn", "ok")
    assert found["status"] == "ok" or found["notices"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
KEYS = (
    "type seq time data ignorable surfaceOp sourceEventSeqs seq0 time0 message content source id role turn step".split()
)
TYPES = """
    user/message assistant/message tool/result assistant/chunk compaction/start compaction/summary compaction/end
    compaction/prune turn/start turn/end step/start llm/retry request/header session/title tool/call text-chunks
    tool-call-chunks steering/message compact/summary session/end-seed foo/bar
""".split()
odd_rows = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES) | json_values, "time": st.just(1) | json_values},
    optional={
        "data": st.dictionaries(st.sampled_from(KEYS), json_values, max_size=6) | json_values,
        "surfaceOp": st.just("append") | json_values,
        "sourceEventSeqs": st.lists(st.integers(-1, 9)) | json_values,
        "ignorable": st.just(True) | json_values,
    },
)


@quickly
@given(st.lists(odd_rows, max_size=8))
def test_any_rows_at_all(rows: list[build.Row]) -> None:
    """Rows of any shape get an answer, and every trusted event can be looked at."""
    numbered = [{**row, "seq": seq} for seq, row in enumerate(rows)]
    session = opened(build.raw([build.header(), *numbered]))
    assert len(events(session)) == session.log.events
    found = dumped_of(session)
    assert found["status"] in ("damaged", "invalid", "torn", "ok")
