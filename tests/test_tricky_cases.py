"""The tricky cases of the format page, row by row (formats 11). `row` numbers stand in the test names.

Rows that concern only showing assert the value in the core that a view shows.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import build
import pytest
from build import Log, Row, replace, text, text_delta
from opening import codes, opened, sequence
from palimpsest.core.dialects.producers import producer
from palimpsest.core.export.dump import dump, to_json
from palimpsest.core.log import Usage
from palimpsest.core.messages import ToolCall, ToolResult, read_message
from palimpsest.core.reading.places import find_log, generations
from palimpsest.core.session import Session, open_log
from palimpsest.core.views.history import history
from palimpsest.core.views.replacements import compaction_of, kind_of


def talk(count: int = 9, version: int = 0) -> Log:
    """User messages and nothing else."""
    log = Log(version)
    for _ in range(count):
        log.user()
    return log


def kinds(session: Session) -> list[str]:
    return [kind_of(session, one) for one in session.surface.replacements]


def span(start: int, end: int) -> Row:
    """The replace of version 3 and later."""
    return {"op": "replace", "startSeq": start, "endSeq": end}


def system(log: Log, words: str = "prompt") -> int:
    source = {"kind": "system-prompt"}
    message = {"id": "s", "role": "system", "content": [text(words)] if words else [], "source": source}
    return log.add("system/message", {"turn": 1, "step": 1, "message": message}, surfaceOp="append")


def streamed(log: Log, type_: str, *records: Row, **data: Any) -> int:
    """An assistant message or attempt of version 2 and later."""
    fields = {"surfaceOp": "append"} if type_ == "assistant/message" else {}
    more = {"message": build.assistant_message("a", [text("yes")])} if fields else {}
    return log.add(type_, {"turn": 1, "step": 1, "stream": list(records), **more, **data}, **fields)


# The container


def test_row_01_every_frame_is_decoded() -> None:
    session = opened(talk().zstd(batch=3))
    assert (session.log.events, len(session.log.container)) == (9, 4)


def test_row_02_a_streamed_frame_without_content_size() -> None:
    data = talk(500).zstd(batch=500)
    assert opened(data).log.events == 500


def test_row_03_two_bytes_of_the_next_frame() -> None:
    session = opened(talk().zstd() + b"\x28\xb5")
    assert (session.status, session.log.events, codes(session)) == ("torn", 9, ["torn-tail"])


def test_row_04_complete_lines_of_a_frame_cut_short() -> None:
    noise, log = Random(4), Log(0)
    for _ in range(6):
        log.user(noise.randbytes(100_000).hex())
    session = opened(log.zstd(batch=6)[:-10_000])
    assert (session.status, session.log.events, codes(session)[0]) == ("torn", 5, "torn-tail")


def test_row_05_junk_after_a_frame_is_damage() -> None:
    session = opened(talk().zstd() + b"junk")
    assert (session.status, session.log.events, codes(session)) == ("damaged", 9, ["bad-magic"])


def test_row_06_a_wrong_checksum_in_the_middle() -> None:
    lines = talk().lines
    frames = [build.frame(build.raw(part)) for part in (lines[:1], lines[1:4], lines[4:])]
    frames[1] = build.flipped(frames[1], len(frames[1]) - 1)
    session = opened(b"".join(frames))
    assert (session.status, session.log.events, codes(session)[0]) == ("damaged", 0, "bad-checksum")


def test_row_07_the_first_frame_holds_more_than_the_header() -> None:
    session = opened(build.frame(talk(1).raw()))
    assert (session.status, codes(session)) == ("damaged", ["header-frame"])


def test_row_08_a_last_line_without_its_end() -> None:
    session = opened(talk().raw()[:-1])
    assert (session.status, session.log.events) == ("torn", 8)


@pytest.mark.parametrize(("committed", "status"), [(False, "torn"), (True, "damaged")])
def test_rows_09_10_garbage_in_a_raw_file(committed: bool, status: str) -> None:
    log = talk(38)
    log.line(b"garbage")
    for number in range(10):
        _ = log.turn_end() if committed and number == 5 else log.user()
    session = opened(log.raw())
    assert (session.status, session.log.events) == (status, 38)
    assert any(notice.code == "bad-json" and notice.line == 40 for notice in session.notices)


# Lines and text


def test_row_11_line_separators_inside_strings() -> None:
    log = Log(0)
    log.user("a\u2028b\u0085c\x0bd")
    log.rows.append(build.line(build.event(1, "plan/mode", {})) + b"\r")
    log.next += 1
    session = opened(log.raw())
    assert (session.status, session.log.events) == ("ok", 2)


def test_row_12_invalid_utf8_is_replaced() -> None:
    session = opened(talk(1).raw().replace(b"hello", b"h\xffllo"))
    assert (session.status, session.surface.messages(0)[0]["content"]) == ("ok", [text("h\ufffdllo")])


def test_row_13_a_lone_surrogate_is_kept() -> None:
    log = Log(0)
    log.user("\ud83d\x1b[31m")
    session = opened(log.raw())
    assert session.surface.messages(0)[0]["content"] == [text("\ud83d\x1b[31m")]
    assert to_json(dump(session, messages=True)).isascii()


# Packed rows and sources

PACKED = {"turn": 1, "step": 1, "index": 0, "dt": [5, -2], "texts": ["a", "b", "c"]}


def packed_at_7(**data: Any) -> Session:
    log = talk(7)
    log.rows.append({"type": "text-chunks", "seq0": 7, "time0": 100, "data": {**PACKED, **data}})
    log.next = 10
    log.user()
    return opened(log.raw())


def test_row_14_a_packed_row_is_several_events() -> None:
    session = packed_at_7()
    found = [session.log.event(seq) for seq in (7, 8, 9)]
    assert [one.time for one in found] == [100, 105, 103]
    assert [one.data["chunk"] for one in found] == [text_delta(word) for word in "abc"]
    assert (session.status, session.log.events) == ("ok", 11)


def test_row_15_a_faulty_packed_row_is_faulty_whole() -> None:
    session = packed_at_7(dt=[5])
    assert (session.status, session.log.events) == ("torn", 7)


@pytest.mark.parametrize("named", [{}, {"name": "read"}])
def test_row_16_packed_tool_rows_with_and_without_name(named: Row) -> None:
    log = Log(0)
    data = {"turn": 1, "step": 1, "index": 0, "id": "c", **named, "dt": [1], "args": ["{", "}"]}
    log.rows.append({"type": "tool-call-chunks", "seq0": 0, "time0": 1, "data": data})
    session = opened(log.raw())
    assert [session.log.event(seq).data["chunk"].get("name", "") for seq in (0, 1)] == [named.get("name", "")] * 2


def test_row_17_source_ranges() -> None:
    log = talk(13)
    log.user(op=replace(3, 3), sourceEventSeqs=[3, [5, 9], 12])
    session = opened(log.raw())
    assert (session.status, session.log.operations[-1].sources) == ("ok", ((3, 3), (5, 9), (12, 12)))


@pytest.mark.parametrize(("cited", "code"), [([[5, 9], 3], ["E11"]), ([9, 3], [])])
def test_row_18_ranges_must_increase_plain_lists_need_not(cited: Any, code: list[str]) -> None:
    log = talk(10)
    log.user(op=replace(3, 3), sourceEventSeqs=cited)
    assert codes(opened(log.raw())) == code


def test_row_19_a_known_empty_stream() -> None:
    log = Log(0)
    log.assistant(sourceEventSeqs=[])
    assert opened(log.raw()).status == "ok"
    log.user(sourceEventSeqs=[])
    assert codes(opened(log.raw())) == ["E10"]


@pytest.mark.parametrize("version", [2, 3, 4])
def test_row_20_no_such_thing_since_v2(version: int) -> None:
    log = Log(version)
    data = {"turn": 1, "step": 1, "message": build.assistant_message("a", []), "stream": []}
    log.add("assistant/message", data, surfaceOp="append", sourceEventSeqs=[])
    assert codes(opened(log.raw())) == ["E8"]


# The surface


def swapped() -> Log:
    """Nodes [6, 3, 4]: event 6 replaced the first two."""
    log = Log(0)
    log.turn_start()
    for _ in range(4):
        log.user()
    log.add("plan/mode", {})
    log.user(op=replace(1, 2), sourceEventSeqs=[5, 1, 2])
    log.add("plan/mode", {})
    log.add("plan/mode", {})
    return log


def test_row_21_a_high_seq_may_stand_left_of_a_low_one() -> None:
    log = swapped()
    log.user(op=replace(6, 3), sourceEventSeqs=[8, 6, 3])
    session = opened(log.raw())
    assert (session.surface.seqs_at(8), sequence(session)) == ([6, 3, 4], [9, 4])


def test_row_22_a_span_backwards_is_e16() -> None:
    log = swapped()
    log.user(op=replace(3, 6), sourceEventSeqs=[6, 3])
    assert "E16" in codes(opened(log.raw()))


def test_row_23_a_shadowed_seq_is_e14() -> None:
    log = swapped()
    log.user(op=replace(1, 3), sourceEventSeqs=[1, 3])
    assert "E14" in codes(opened(log.raw()))


def test_row_24_a_summary_over_a_pruned_result() -> None:
    log = talk(1)
    log.call("c")
    node = log.result("c", "long")
    rewrite = log.prune(node, "c")
    checkpoint = log.summarise([0, rewrite])
    session = opened(log.raw())
    found = session.surface.replacement(checkpoint)
    assert found is not None
    assert found.shadowed == (0, rewrite)
    assert session.surface.shadowers(node, session.end) == [rewrite, checkpoint]
    assert kinds(session) == ["prune", "summary"]


@pytest.mark.parametrize(("flag", "expected"), [({"isError": True}, ["E20"]), ({}, [])])
def test_row_25_a_prune_changes_content_only(flag: Row, expected: list[str]) -> None:
    log = Log(0)
    log.result("c", "long")
    data = {"turn": 1, "step": 1, "message": build.result_message("r-c", "c", [text("cut")], **flag)}
    log.add("tool/result", data, surfaceOp=replace(0, 0), sourceEventSeqs=[0])
    assert codes(opened(log.raw())) == expected


@pytest.mark.parametrize(("version", "op"), [(3, replace(0, 0)), (4, replace(0, 0)), (2, span(0, 0)), (0, span(0, 0))])
def test_row_26_each_version_has_its_own_keys(version: int, op: Row) -> None:
    log = talk(1, version)
    log.user(op=op, sourceEventSeqs=[0])
    assert codes(opened(log.raw())) == ["E6"]


@pytest.mark.parametrize(("start", "expected"), [(0, ["E21"]), (2, [])])
def test_row_27_the_head_is_protected(start: int, expected: list[str]) -> None:
    log = Log(4)
    system(log)
    log.user()
    log.user()
    system(log, "more")
    log.user()
    log.user(op=span(start, 4), sourceEventSeqs=list(range(start, 5)))
    assert codes(opened(log.raw())) == expected


def test_row_28_an_empty_head_keeps_its_position() -> None:
    log = Log(4)
    system(log, "")
    log.user()
    session = opened(log.raw())
    assert (sequence(session), len(session.surface.messages(1))) == ([0, 1], 1)


def test_row_29_an_answer_that_only_counts_tokens() -> None:
    log = Log(0)
    log.assistant(content=[], usage={"inputTokens": 3, "outputTokens": 1})
    session = opened(log.raw())
    assert (sequence(session), session.surface.messages(0), session.log.usages) == ([0], [], [(0, Usage(3, 1))])
    assert session.log.operations[0].empty


# Attempts


def test_row_30_a_retried_attempt_in_v0() -> None:
    log = Log(0)
    log.step_start()
    log.pack(["a"] * 40)
    log.retry()
    kept = log.pack(["b"] * 50)
    message = log.assistant(sourceEventSeqs=kept)
    first, second = opened(log.raw()).log.attempts.all
    assert (first.outcome, first.chunks, first.message) == ("failed", 40, None)
    assert (second.outcome, second.chunks, second.message) == ("kept", 50, message)


def test_row_31_a_retried_attempt_since_v2() -> None:
    log = Log(2)
    log.step_start()
    run = {"type": "text-chunks", "time0": 1, "index": 0, "dt": [0] * 39, "texts": ["a"] * 40}
    streamed(log, "assistant/attempt", run)
    log.retry()
    log.add("llm/retry-started", {"retryId": "retry", "turn": 1, "step": 1, "retry": 1})
    message = streamed(log, "assistant/message", {**run, "dt": [0] * 49, "texts": ["b"] * 50})
    first, second = opened(log.raw()).log.attempts.all
    assert (first.outcome, first.chunks, first.message) == ("failed", 40, None)
    assert (second.outcome, second.chunks, second.message) == ("kept", 50, message)


def test_row_32_a_stream_record_of_one() -> None:
    log = Log(3)
    streamed(log, "assistant/message", {"type": "text-chunks", "time0": 1, "index": 0, "dt": [], "texts": ["a"]})
    (attempt,) = opened(log.raw()).log.attempts.all
    assert (attempt.chunks, attempt.first_token) == (1, 1)


# Compactions


def test_row_33_a_failed_compaction() -> None:
    log = talk(2)
    log.add("compaction/start", {"compactionId": "c", "turn": None})
    log.add("compaction/end", {"compactionId": "c", "turn": None, "error": {"message": "no"}})
    session = opened(log.raw())
    assert (session.log.brackets.compactions[0].failure, sequence(session)) == ("no", [0, 1])


def test_row_34_a_stale_compaction() -> None:
    log = talk(1)
    log.add("compaction/start", {"compactionId": "c", "turn": None})
    assert codes(opened(log.raw())) == ["open-compaction"]
    log.add("session/end-seed", {})
    session = opened(log.raw())
    assert (session.log.brackets.compactions[0].stale, codes(session)) == (True, [])


def test_row_35_context_injected_while_compacting_stays() -> None:
    log = Log(0)
    log.turn_start()
    for _ in range(4):
        log.user()
    log.turn_end()
    log.add("compaction/start", {"compactionId": "c", "turn": None})
    log.user("injected", source={"kind": "agent-instructions"})
    log.add("compaction/summary", {"compactionId": "c", "shadowedSeqs": [1, 2, 3, 4]})
    source = {"kind": "plugin", "plugin": "compact", "compactionId": "c"}
    log.user("summary", replace(1, 4), source, sourceEventSeqs=[6, 8, 1, 2, 3, 4])
    log.add("compaction/end", {"compactionId": "c", "turn": None})
    assert sequence(opened(log.raw())) == [9, 7]


def test_row_36_another_producer_edits() -> None:
    log = talk(5)
    log.user(op=replace(4, 4), source={"kind": "plugin", "plugin": "acme"}, sourceEventSeqs=[4])
    session = opened(log.raw())
    assert (kinds(session), session.log.operations[-1].producer) == (["edit"], "plugin:acme")
    assert compaction_of(session, session.surface.replacements[0]) is None


def picture(name: str, **fields: Any) -> Row:
    return {"type": "image", "attachment": {"attachmentId": name}, **fields}


def test_row_37_an_offloaded_image() -> None:
    log = talk(3, 4)
    log.add("user/message", build.user_message("u", [picture("a"), picture("b")]), surfaceOp="append")
    log.add("image/offload", {"targets": [{"seq": 3, "imageIndexes": [1]}]})
    session = opened(log.raw())
    assert session.surface.messages(4)[3]["content"] == [picture("a"), picture("b", offloaded=True)]
    assert session.surface.messages(3)[3]["content"] == [picture("a"), picture("b")]
    assert [one.seq for one in history(session)] == [0, 1, 2, 3]


def test_row_38_an_offloaded_image_inside_a_result() -> None:
    log = Log(3)
    data = {"turn": 1, "step": 1, "message": build.result_message("r", "c", [picture("a"), picture("b")])}
    log.add("tool/result", data, surfaceOp="append")
    log.add("image/offload", {"targets": [{"seq": 0, "imageIndexes": [1]}]})
    (message,) = opened(log.raw()).surface.messages(1)
    assert message["content"][0]["content"] == [picture("a"), picture("b", offloaded=True)]


# Seeds, forks, generations


@pytest.mark.parametrize("marked", [False, True])
def test_rows_39_40_the_cut_of_v0_is_its_seed_length(marked: bool) -> None:
    log = talk(9)
    log.first = build.header(0, seedLength=10, parentSession="parent")
    _ = log.add("session/end-seed", {}) if marked else log.user()
    log.turn_start()
    log.turn_end()
    session = opened(log.raw())
    assert (session.status, session.log.inherited) == ("ok", 10)


def test_row_41_the_last_tagged_marker_is_the_cut() -> None:
    for seeded, status in ((True, "ok"), (False, "invalid")):
        log = talk(5, 4)
        log.first = build.header(4, isSeeded=seeded)
        log.add("session/end-seed", {"inherited": True})
        for _ in range(14):
            log.user()
        log.add("session/end-seed", {"inherited": True})
        session = opened(log.raw())
        assert (session.log.inherited, session.status) == (20, status)


def test_row_42_a_fork_inside_a_turn() -> None:
    log = Log(4, build.header(4, isSeeded=True))
    log.turn_start()
    log.add("session/end-seed", {"inherited": True})
    source = {"kind": "tool", "callId": "c"}
    closer = {"id": "forked-tool-result-c-1", "role": "tool", "toolCallId": "c", "content": [], "source": source}
    log.add("tool/result", {"turn": 1, "step": 1, "message": {**closer, "isError": True}}, surfaceOp="append")
    log.turn_end(kind="forked")
    session = opened(log.raw())
    (turn,) = session.log.brackets.turns
    assert (session.log.inherited, sequence(session), turn.reason, turn.end) == (1, [2], "forked", 3)


def directory(root: Path, *names: str) -> Path:
    for name in names:
        version = int(name.partition(".v")[2].partition(".")[0] or 0)
        (root / name).write_bytes(Log(version).raw())
    return root


def test_row_43_the_newest_generation_is_the_log(tmp_path: Path) -> None:
    names = ("session.jsonl.zstd", "session.v3.jsonl.zstd", "session.v4.jsonl.zstd")
    home = directory(tmp_path, *names)
    (home / "session.lock").touch()
    assert find_log(home).name == "session.v4.jsonl.zstd"
    assert [one.version for one in generations(home)] == [4, 3, 0]


def test_row_44_a_newer_generation_is_refused_not_passed_over(tmp_path: Path) -> None:
    home = directory(tmp_path, "session.v4.jsonl.zstd", "session.v7.jsonl.zstd")
    session = open_log(find_log(home))
    session.close()
    assert (session.status, codes(session)) == ("unsupported", ["version", "generation"])
    assert "session.v4.jsonl.zstd" in session.notices[1].message, "the older one is offered, not opened"


def test_row_45_name_and_header_disagree(tmp_path: Path) -> None:
    path = tmp_path / "session.v3.jsonl.zstd"
    path.write_bytes(Log(2).raw())
    session = open_log(path)
    session.close()
    assert (session.status, codes(session)) == ("invalid", ["generation"])


# Types and shapes


@pytest.mark.parametrize("version", range(5))
def test_row_46_unknown_events(version: int) -> None:
    log = talk(1, version)
    log.add("foo/bar", {})
    log.user()
    session = opened(log.raw())
    assert (session.status, codes(session), session.trusted_to) == ("invalid", ["unknown-type"], 0)
    log = talk(1, version)
    log.add("foo/bar", {}, ignorable=True)
    assert (opened(log.raw()).status, codes(opened(log.raw()))) == ("ok", ["unknown-ignorable"])
    log.add("foo/bar", {}, ignorable=True, surfaceOp="append")
    assert opened(log.raw()).status == ("ok" if version >= 3 else "invalid")


def test_row_47_an_early_summary_is_paired_by_adjacency() -> None:
    log = talk(2)
    log.add("compact/start", {"turn": None})
    summary = log.add("compact/summary", {"shadowedSeqs": [0, 1], "shadowedTokenCount": 9})
    log.user("s", replace(0, 1), {"kind": "plugin", "plugin": "compact"}, sourceEventSeqs=[2, summary, 0, 1])
    log.add("compact/end", {"turn": None})
    session = opened(log.raw())
    found = compaction_of(session, session.surface.replacements[0])
    assert found is not None
    assert (found.summary, found.shadowed_tokens, kinds(session)) == (summary, 9, ["summary"])


def test_row_48_an_early_tool_result_is_wrapped() -> None:
    log = Log(0)
    early = {"turn": 1, "step": 1, "callId": "c", "content": [text("x")], "isError": False}
    log.add("tool/result", early, surfaceOp="append")
    (message,) = opened(log.raw()).surface.messages(0)
    assert message["content"] == [{"type": "tool-result", "toolCallId": "c", "content": [text("x")]}]


def test_row_49_disposed_is_aborted() -> None:
    log = Log(0)
    log.turn_start()
    log.add("turn/end", {"turn": 1, "reason": {"kind": "disposed"}})
    session = opened(log.raw())
    assert session.log.event(1).data["reason"] == {"kind": "aborted", "reason": {"kind": "disposed"}}


def test_row_50_a_result_of_v4_is_read_directly() -> None:
    source = {"kind": "tool", "callId": "c"}
    message = {"id": "r", "role": "tool", "toolCallId": "c", "content": [text("x")], "isError": True, "source": source}
    log = Log(4)
    log.add("tool/result", {"turn": 1, "step": 1, "message": message}, surfaceOp="append")
    session = opened(log.raw())
    assert session.surface.messages(0) == [message]
    (result,) = read_message(message).content
    assert isinstance(result, ToolResult)
    assert (result.call_id, result.failed, len(result.content)) == ("c", True, 1)


def test_row_51_third_party_sources() -> None:
    assert producer({"kind": "plugin:acme"}, "user") == producer({"kind": "plugin", "plugin": "acme"}, "user")
    log = Log(4)
    log.user(source={"kind": "plugin:acme"})
    assert opened(log.raw()).status == "ok"
    log.user(source={"kind": "plugin", "plugin": "acme"})
    assert codes(opened(log.raw())) == ["retired"]


@pytest.mark.parametrize("version", range(5))
def test_row_52_inner_calls_are_log_only(version: int) -> None:
    name = "tool/ptc-dispatch" if version >= 3 else "tool/code-dispatch"
    log = Log(version)
    log.add(f"{name}-start", {"rootCallId": "c", "parentCallId": "c", "subCallId": "c:code:1", "name": "read"})
    log.add(name, {"rootCallId": "c", "parentCallId": "c", "subCallId": "c:code:1", "name": "read", "content": []})
    session = opened(log.raw())
    assert (session.status, sequence(session), session.log.event(1).data["parentCallId"]) == ("ok", [], "c")


def test_row_53_arguments_that_are_no_json() -> None:
    log = Log(0)
    log.assistant(content=[build.tool_call("c", arguments='{"a":')])
    (block,) = read_message(opened(log.raw()).surface.messages(0)[0]).content
    assert isinstance(block, ToolCall)
    assert block.arguments == '{"a":'


def test_row_54_the_file_ends_inside_a_turn() -> None:
    log = Log(0)
    log.turn_start()
    log.assistant(content=[build.tool_call("c")])
    session = opened(log.raw())
    assert (session.status, codes(session)) == ("ok", ["open-turn"])
    assert (session.log.brackets.turns[0].end, session.log.brackets.calls["c"].end) == (None, None)


@pytest.mark.parametrize("version", range(5))
def test_row_55_where_the_prompt_stands(version: int) -> None:
    log = Log(version)
    log.add("request/header", {"header": {"config": {"provider": "p", "model": "m"}, "system": "prompt"}})
    session = opened(log.raw())
    assert (session.status, codes(session)) == (("invalid", ["retired"]) if version >= 3 else ("ok", []))


def test_row_56_a_series_repeats_its_header() -> None:
    log = Log(0)
    for reason in ("initial", "series"):
        log.add("request/header", {"header": {"config": {"provider": "p", "model": "m"}}, "reason": reason})
    session = opened(log.raw())
    assert (session.status, session.log.brackets.headers) == ("ok", [(0, "p", "m"), (1, "p", "m")])
    assert session.log.event(1).data["reason"] == "series"


def test_row_57_added_tools_are_defined_by_their_header() -> None:
    log = Log(4)
    tool = {"name": "read", "description": "reads", "parameters": {}, "deferLoading": True}
    log.add("request/header", {"header": {"config": {"provider": "p", "model": "m"}, "tools": [tool]}})
    content = [{"type": "tool-addition", "toolName": "read"}]
    message = {"id": "d", "role": "developer", "content": content, "source": {"kind": "tool-jobs"}}
    log.add("developer/message", {"turn": 1, "step": 1, "message": message, "headerSeq": 0}, surfaceOp="append")
    session = opened(log.raw())
    assert (session.status, session.surface.messages(1)) == ("ok", [message])


def test_row_58_a_foreign_cwd_is_accepted() -> None:
    session = opened(Log(0, build.header(0, cwd="C:\\w")).raw())
    assert session.log.header is not None
    assert (session.status, session.log.header.cwd) == ("ok", "C:\\w")


def test_row_59_the_last_title_wins() -> None:
    log = Log(0)
    for title, kind in (("first", "provider"), ("second", "user"), ("third", "provider")):
        log.add("session/title", {"title": title, "messageSeqs": [], "source": {"kind": kind}})
    assert opened(log.raw()).log.brackets.title == "third"


@pytest.mark.parametrize("version", range(5))
def test_row_60_reopenings_are_no_cut(version: int) -> None:
    log = Log(version)
    for _ in range(3):
        log.add("session/end-seed", {})
    session = opened(log.raw())
    assert (session.status, session.log.inherited, session.log.brackets.seeds) == ("ok", 0, [0, 1, 2])


def test_every_row_has_its_test() -> None:
    names = [name for name in globals() if name.startswith("test_row")]
    numbers = {int(part) for name in names for part in name.split("_") if part.isdigit()}
    assert numbers == set(range(1, 61))
