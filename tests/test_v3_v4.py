"""Formats 3 and 4 (formats 6, 9.3, 9.4, 10): the rules that no real log at hand exercises, on hand-made rows."""

from __future__ import annotations

from typing import Any

import build
import pytest
from build import Log, Row, text
from opening import codes, dumped, opened, sequence
from palimpsest.core.session import Session
from palimpsest.core.surface import derive

PROMPT = {3: {"kind": "plugin", "plugin": "@deepseek-ai/dsh-system-prompt"}, 4: {"kind": "system-prompt"}}
BOTH = pytest.mark.parametrize("version", [3, 4])


def span(start: int, end: int) -> Row:
    return {"op": "replace", "startSeq": start, "endSeq": end}


def image(name: str, **fields: Any) -> Row:
    return {"type": "image", "attachment": {"attachmentId": name, "mediaType": "image/png", "bytes": 1}, **fields}


class Newer(Log):
    """Rows of version 3 or 4."""

    def system(self, words: str = "You are an agent.", op: Any = "append", **fields: Any) -> int:
        content = [text(words)] if words else []
        message = {"id": f"s{self.next}", "role": "system", "content": content, "source": PROMPT[self.version]}
        return self.add("system/message", {"turn": 1, "step": 1, "message": message}, surfaceOp=op, **fields)

    def person(self, content: list[Row], op: Any = "append", **fields: Any) -> int:
        return self.add("user/message", build.user_message(f"u{self.next}", content), surfaceOp=op, **fields)

    def answer(self, op: Any = "append", content: list[Row] | None = None, stream: Any = (), **fields: Any) -> int:
        message = build.assistant_message("a", [text("yes")] if content is None else content)
        data = {"turn": 1, "step": 1, "message": message, "stream": list(stream)}
        return self.add("assistant/message", data, surfaceOp=op, **fields)

    def tool(
        self, content: list[Row], op: Any = "append", data: Row | None = None, failed: bool = False, **fields: Any
    ) -> int:
        flag = {"isError": True} if failed else {}
        if self.version == 3:
            message = build.result_message("r", "c", content, **flag)
        else:
            source = {"kind": "tool", "callId": "c"}
            message = {"id": "r", "role": "tool", "toolCallId": "c", "content": content, "source": source, **flag}
        more = {"turn": 1, "step": 1, "message": message, **(data or {})}
        return self.add("tool/result", more, surfaceOp=op, **fields)

    def request(self, *tools: Row, **header: Any) -> int:
        listed = {"tools": list(tools)} if tools else {}
        fields = {"config": {"provider": "p", "model": "m"}, **listed, **header}
        return self.add("request/header", {"header": fields, "reason": "initial"})

    def developer(self, content: list[Row], op: Any = "append", data: Row | None = None, **fields: Any) -> int:
        message = {"id": "d", "role": "developer", "content": content, "source": {"kind": "tool-jobs"}}
        more = {"turn": 1, "step": 1, "message": message, **(data or {})}
        return self.add("developer/message", more, surfaceOp=op, **fields)

    def offload(self, *targets: tuple[int, list[int]]) -> int:
        listed = [{"seq": seq, "imageIndexes": indexes} for seq, indexes in targets]
        return self.add("image/offload", {"targets": listed})

    def judged(self) -> tuple[str, list[str]]:
        """The status and the codes of all errors."""
        session = opened(self.raw())
        return session.status, [notice.code for notice in session.notices if notice.severity == "error"]


OK: tuple[str, list[str]] = ("ok", [])


def bad(code: str) -> tuple[str, list[str]]:
    return "invalid", [code]


# Replaces


@BOTH
def test_replace_keys_e6(version: int) -> None:
    """formats 6.1 E6, 11 row 26: startSeq and endSeq, and nothing else."""
    for op in (build.replace(0, 0), {**span(0, 0), "start": 0}, {"op": "replace", "startSeq": 0}, span(-1, 0)):
        log = Newer(version)
        log.user()
        log.user(op=op, sourceEventSeqs=[0])
        assert log.judged() == bad("E6")


@BOTH
def test_replace_ends_are_earlier_e7(version: int) -> None:
    """formats 6.1 E7: judged before sources and span."""
    for start, end in ((1, 0), (0, 1), (0, 9)):
        log = Newer(version)
        log.user()
        log.user(op=span(start, end), sourceEventSeqs=[])
        assert log.judged() == bad("E7")


@BOTH
def test_sources_come_before_the_span(version: int) -> None:
    """formats 6.1, order: E8 to E13 before E14 to E16; E17 after them."""
    for op, cited, code in (
        (span(1, 1), [], "E10"),
        (span(1, 1), ["x"], "E11"),
        (span(1, 1), [0, 0], "E12"),
        (span(1, 1), [9], "E13"),
        (span(1, 1), [0], "E14"),
        (span(0, 1), [0], "E15"),
        (span(2, 0), [0, 2], "E16"),
        (span(0, 2), [0], "E17"),
    ):
        log = Newer(version)
        log.user()
        log.turn_start()
        log.user()
        log.user(op=op, sourceEventSeqs=cited)
        assert log.judged() == bad(code), code


@BOTH
def test_assistants_cite_nothing_e8(version: int) -> None:
    """formats 6.1 E8: also where the span would be wrong."""
    for op in ("append", span(0, 0)):
        log = Newer(version)
        log.turn_start()
        log.answer(op, sourceEventSeqs=[])
        assert log.judged() == bad("E8")


@BOTH
def test_unknown_ignorable_events_are_skipped_whole(version: int) -> None:
    """formats 4.1, 6.1 note 1: with their surface fields; a known type is still E2 and E3."""
    log = Newer(version)
    log.add("foo/bar", {}, ignorable=True, surfaceOp={"op": "x"}, sourceEventSeqs="y")
    log.add("tool/code-dispatch", {}, ignorable=True, surfaceOp="append")
    assert log.judged() == OK
    assert codes(opened(log.raw())) == ["unknown-ignorable"] * 2
    for field, code in (("surfaceOp", "E2"), ("sourceEventSeqs", "E3")):
        known = Newer(version)
        known.add("turn/start", {"turn": 1}, ignorable=True, **{field: []})
        assert known.judged() == bad(code)


def test_developer_messages_are_no_nodes_in_v3() -> None:
    """formats 4.1: surface-eligible from version 4 on."""
    log = Newer(3)
    log.developer([text("hi")])
    assert log.judged() == bad("E2")


# The system prompt


@BOTH
def test_empty_prompt_keeps_its_place_and_gives_no_message(version: int) -> None:
    """formats 6.3, 6.5, 11 row 28."""
    log = Newer(version)
    log.system("")
    log.user("hello")
    found = dumped(log.raw())
    assert (found["status"], found["surface"]["nodes"], found["history"]) == ("ok", [0, 1], [0, 1])
    assert [message["role"] for message in found["messages"]] == ["user"]


@BOTH
@pytest.mark.parametrize(
    ("system", "start", "end", "status"),
    [
        (False, 0, 0, "invalid"),
        (False, 0, 2, "invalid"),
        (False, 1, 2, "ok"),
        (False, 2, 2, "ok"),
        (True, 0, 0, "ok"),
        (True, 0, 1, "invalid"),
        (True, 2, 2, "ok"),
        (True, 1, 2, "ok"),
    ],
)
def test_the_head_gives_way_to_another_prompt_only_e21(
    version: int, system: bool, start: int, end: int, status: str
) -> None:
    """formats 6.1 E21, 6.5, 11 row 27: node 0 is protected, later system messages are not."""
    log = Newer(version)
    log.system()
    log.user()
    log.system("in history")
    cited: dict[str, Any] = {"op": span(start, end), "sourceEventSeqs": list(range(start, end + 1))}
    _ = log.system("new", **cited) if system else log.user(**cited)
    assert log.judged() == (OK if status == "ok" else bad("E21"))


@BOTH
def test_prompt_replacement_and_its_moments(version: int) -> None:
    """formats 6.2, 6.5 (b): the head is rewritten in its place, again and again."""
    log = Newer(version)
    log.system("old")
    log.user("hello")
    log.system("new", span(0, 0), sourceEventSeqs=[0])
    log.system("", span(2, 2), sourceEventSeqs=[2])
    session = opened(log.raw())
    assert (session.status, sequence(session)) == ("ok", [3, 1])
    prompts = [[one["content"] for one in session.surface.messages(at) if one["role"] == "system"] for at in range(4)]
    assert prompts == [[[text("old")]], [[text("old")]], [[text("new")]], []]
    assert [one["kind"] for one in dumped(log.raw())["replacements"]] == ["prompt", "prompt"]


@BOTH
def test_a_head_of_another_type_is_not_protected(version: int) -> None:
    """formats 6.1 E21: only where node 0 is a system message."""
    log = Newer(version)
    log.user()
    log.system()
    log.user(op=span(0, 1), sourceEventSeqs=[0, 1])
    assert log.judged() == OK


@BOTH
def test_a_tool_result_over_the_head_is_e19_first(version: int) -> None:
    """formats 6.1, order: E18 to E20 before E21."""
    log = Newer(version)
    log.system()
    log.tool([text("out")], span(0, 0), sourceEventSeqs=[0])
    assert log.judged() == bad("E19")


def test_which_routes_take_prompts_in_history() -> None:
    """formats 6.4: the latest request/context says so."""
    log = Newer(4)
    log.add("request/context", {"provider": "p", "model": "m", "systemPromptUpdate": "in-history"})
    log.add("request/context", {"provider": "p", "model": "m", "contextWindow": 10})
    brackets = opened(log.raw()).log.brackets
    assert (brackets.prompts_in_history, brackets.windows) == ([(0, True), (1, False)], [(0, None), (1, 10)])


# Tool results


@BOTH
def test_a_rewrite_changes_only_the_content_e20(version: int) -> None:
    """formats 6.1 E20, 11 row 25: v4 blanks the message's content, v3 that of its block."""
    for data, failed, status in (
        ({}, False, OK),
        ({"meta": {}}, False, bad("E20")),
        ({"turn": 2}, False, bad("E20")),
        ({}, True, bad("E20")),
    ):
        log = Newer(version)
        log.tool([text("long"), image("a")])
        log.tool([], span(0, 0), data, failed, sourceEventSeqs=[0])
        assert log.judged() == status


def test_v4_results_are_read_directly() -> None:
    """formats 5.1, 11 row 50: role tool, content on the message."""
    log = Newer(4)
    log.tool([text("out")], failed=True)
    (message,) = opened(log.raw()).surface.messages(0)
    assert (message["role"], message["content"], message["isError"]) == ("tool", [text("out")], True)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"role": "user"}, "retired"),
        ({"role": "assistant"}, "message-shape"),
        ({"toolCallId": "d"}, "message-shape"),
        ({"source": {"kind": "tool"}}, "message-shape"),
        ({"source": {"kind": "user"}}, "message-shape"),
        ({"content": None}, "message-shape"),
        ({"id": ""}, "message-shape"),
    ],
)
def test_v4_result_shapes(change: Row, code: str) -> None:
    """formats 5.1, 10."""
    log = Newer(4)
    message = {"id": "r", "role": "tool", "toolCallId": "c", "content": [], "source": {"kind": "tool", "callId": "c"}}
    log.add("tool/result", {"turn": 1, "step": 1, "message": {**message, **change}}, surfaceOp="append")
    assert log.judged() == bad(code)


@BOTH
def test_an_error_needs_a_failed_result(version: int) -> None:
    """formats 6.6: data.error requires isError, in v3 on the block, in v4 on the message."""
    for failed, expected in ((True, OK), (False, bad("message-shape"))):
        log = Newer(version)
        log.tool([], data={"error": {"name": "E", "code": "X"}}, failed=failed)
        assert log.judged() == expected
    old = Log(2)
    message = build.result_message("r", "c", [])
    old.add("tool/result", {"message": message, "error": {"name": "E", "code": "X"}}, surfaceOp="append")
    assert opened(old.raw()).status == "ok"


# Retired forms


@BOTH
@pytest.mark.parametrize(
    ("type_", "data"),
    [
        ("request/header", {"header": {"config": {"provider": "p", "model": "m"}, "system": "x"}}),
        ("request/header", {"header": {"config": {"provider": "p", "model": "m"}, "tools": []}}),
        ("request/header", {"header": {"config": {"provider": "p", "model": "m"}, "adapterDefaults": {}}}),
        ("request/header", {"reason": "fallback"}),
        ("tool/code-dispatch", {}),
        ("tool/code-dispatch-start", {}),
        ("request/header-delta", {}),
        ("mode/set", {}),
    ],
)
def test_retired_since_v3(version: int, type_: str, data: Row) -> None:
    """formats 6.6, 10."""
    log = Newer(version)
    log.add(type_, data)
    assert log.judged() == bad("retired")


PLUGGED = {"id": "u", "role": "user", "content": [], "source": {"kind": "plugin", "plugin": "compact"}}
WRAPPED = {"type": "tool-result", "toolCallId": "c", "content": []}
NESTED = {"id": "u", "role": "user", "content": [WRAPPED], "source": {"kind": "user"}}
STREAMED = {"type": "chunk", "time": 1, "chunk": {"type": "block-end", "index": 0, "block": WRAPPED}}
STARTED = {"type": "chunk", "time": 1, "chunk": {"type": "block-start", "index": 0, "blockType": "tool-result"}}
HOLDERS: list[tuple[str, Row, Row]] = [
    ("user/message", PLUGGED, {"surfaceOp": "append"}),
    ("user/message", NESTED, {"surfaceOp": "append"}),
    ("agent/inbox/spliced", {"target": "next-turn", "start": 0, "inserted": [PLUGGED]}, {}),
    ("agent/inbox/spliced", {"target": "next-turn", "start": 0, "inserted": [NESTED]}, {}),
    ("session/title-llm-request", {"messages": [PLUGGED]}, {}),
    ("compaction/summary", {"summary": [WRAPPED]}, {}),
    ("compaction/summary", {"rawOutput": [WRAPPED]}, {}),
    ("assistant/attempt", {"turn": 1, "step": 1, "stream": [STREAMED]}, {}),
    ("assistant/attempt", {"turn": 1, "step": 1, "stream": [STARTED]}, {}),
]


@pytest.mark.parametrize(("type_", "data", "fields"), HOLDERS)
def test_retired_since_v4(type_: str, data: Row, fields: Row) -> None:
    """formats 10: the plugin wrapper and tool-result blocks; fine in v3."""
    for version, expected in ((3, OK), (4, bad("retired"))):
        log = Newer(version)
        log.add(type_, data, **fields)
        assert log.judged() == expected


def test_third_party_sources_of_v4() -> None:
    """formats 5.3, 11 row 51."""
    log = Newer(4)
    log.user(source={"kind": "plugin:acme"})
    session = opened(log.raw())
    assert (session.status, session.log.operations[0].producer) == ("ok", "plugin:acme")


def test_jobs_are_known() -> None:
    """formats 4.2: in real logs of 0.2.1-rc.2."""
    log = Newer(4)
    log.add("job/registered", {})
    log.add("job/settled", {})
    assert log.judged() == OK


# image/offload


def pictures(version: int) -> Newer:
    """0 prompt, 1 user with two images, 2 tool result with two, 3 answer."""
    log = Newer(version)
    log.system()
    log.person([image("a"), text("and"), image("b")])
    log.tool([text("out"), image("c"), image("d")])
    log.answer()
    return log


def flags(session: Session, seq: int, moment: int) -> list[bool]:
    """Per image of a node whether it is offloaded at a moment."""
    node = session.surface.node(seq)
    assert node is not None
    message = derive(session.log, session.surface.operations[node], moment)
    assert message is not None
    blocks = message["content"]
    if blocks[0]["type"] == "tool-result":
        blocks = blocks[0]["content"]
    return [block.get("offloaded", False) for block in blocks if block["type"] == "image"]


@BOTH
def test_offload_projects_from_its_seq_on(version: int) -> None:
    """formats 6.7, 11 rows 37 and 38: nodes and history stay, v3 looks inside the tool-result block."""
    log = pictures(version)
    log.offload((1, [1]), (2, [0]))
    log.offload((1, [0]))
    session = opened(log.raw())
    assert (session.status, sequence(session)) == ("ok", [0, 1, 2, 3])
    assert [flags(session, 1, at) for at in (3, 4, 5)] == [[False, False], [False, True], [True, True]]
    assert [flags(session, 2, at) for at in (3, 4, 5)] == [[False, False], [True, False], [True, False]]
    assert [one.seq for one in session.surface.offloads] == [4, 5]
    assert dumped(log.raw(), 4)["messages"][1]["content"] == [image("a"), text("and"), image("b", offloaded=True)]
    assert dumped(log.raw(), 3)["messages"][1]["content"] == [image("a"), text("and"), image("b")]
    shown = next(one for one in session.log.operations if one.seq == 1)
    message = derive(session.log, shown, session.end)
    assert message is not None
    assert message["content"][2] == image("b")


def test_v3_offload_counts_depth_first() -> None:
    """formats 6.7: nested results are walked in order, unknown blocks are not."""
    log = Newer(3)
    inner = {"type": "tool-result", "toolCallId": "x", "content": [image("b")]}
    log.person([image("a"), inner, {"type": "odd", "content": [image("z")]}, 5, image("c")])  # type: ignore[list-item]
    log.offload((0, [1, 2]))
    (message,) = opened(log.raw()).surface.messages(1)
    blocks = message["content"]
    assert blocks[1]["content"] == [image("b", offloaded=True)]
    assert (blocks[0], blocks[2]["content"], blocks[4]) == (image("a"), [image("z")], image("c", offloaded=True))


@BOTH
@pytest.mark.parametrize(
    "data",
    [
        None, {}, {"targets": []}, {"targets": {}}, {"targets": [{"seq": 1, "imageIndexes": [0]}], "more": 1},
        {"targets": [5]}, {"targets": [{"seq": 1}]}, {"targets": [{"seq": 1, "imageIndexes": [0], "x": 1}]},
        {"targets": [{"seq": -1, "imageIndexes": [0]}]}, {"targets": [{"seq": 1, "imageIndexes": []}]},
        {"targets": [{"seq": 1, "imageIndexes": [1, 0]}]}, {"targets": [{"seq": 1, "imageIndexes": [0, 0]}]},
        {"targets": [{"seq": 1, "imageIndexes": [-1]}]}, {"targets": [{"seq": 1, "imageIndexes": [True]}]},
        {"targets": [{"seq": 1, "imageIndexes": [0]}, {"seq": 1, "imageIndexes": [1]}]},
        {"targets": [{"seq": 1, "imageIndexes": [2]}]}, {"targets": [{"seq": 0, "imageIndexes": [0]}]},
        {"targets": [{"seq": 3, "imageIndexes": [0]}]}, {"targets": [{"seq": 9, "imageIndexes": [0]}]},
        {"targets": [{"seq": 4, "imageIndexes": [0]}]},
    ],
)  # fmt: skip
def test_offloads_that_cannot_be_interpreted_e22(version: int, data: Any) -> None:
    """formats 6.7 E22: exact shape, on the surface, a user message or tool result, an image that is there."""
    log = pictures(version)
    log.add("image/offload", data)
    assert log.judged() == bad("E22")
    assert sequence(opened(log.raw())) == [0, 1, 2, 3]


@BOTH
def test_offloading_twice_is_e22(version: int) -> None:
    """formats 6.7: judged against the message as already projected, or as a rewrite left it."""
    log = pictures(version)
    log.offload((2, [1]))
    log.offload((2, [1]))
    assert log.judged() == bad("E22")
    log = pictures(version)
    log.tool([image("c", offloaded=True), image("d")], span(2, 2), sourceEventSeqs=[2])
    log.offload((4, [1]))
    assert log.judged() == OK
    log.offload((4, [0]))
    assert log.judged() == bad("E22")


@BOTH
def test_offloading_what_is_shadowed_is_e22(version: int) -> None:
    """formats 6.7: the target is currently on the surface; one bad target leaves the others as they were."""
    log = pictures(version)
    log.user(op=span(2, 3), sourceEventSeqs=[2, 3])
    log.offload((1, [0]), (2, [0]))
    session = opened(log.raw())
    assert (codes(session), flags(session, 1, session.end)) == (["E22"], [False, False])


def test_offload_with_surface_fields_is_e2() -> None:
    """formats 6.1: it is log-only."""
    log = pictures(4)
    log.add("image/offload", {"targets": []}, surfaceOp="append")
    assert log.judged() == bad("E2")


def test_offload_means_nothing_before_v3() -> None:
    """formats 6.1 E22: earlier versions know no projection."""
    for version in (0, 1, 2):
        log = Log(version)
        log.add("image/offload", {"targets": 5})
        assert opened(log.raw()).status == "ok"


# Developer messages


TOOL = {"name": "read", "description": "reads", "parameters": {}}
ADDED = {"type": "tool-addition", "toolName": "read"}
REMOVED = {"type": "tool-removal", "toolName": "read"}


def test_developer_messages_are_nodes() -> None:
    """formats 6.3, 11 row 57: with a binding where tools are added, without content no message."""
    log = Newer(4)
    log.request({**TOOL, "deferLoading": True})
    log.developer([ADDED, text("now")], data={"headerSeq": 0})
    log.developer([REMOVED])
    log.developer([])
    found = dumped(log.raw())
    assert (found["status"], found["surface"]["nodes"]) == ("ok", [1, 2, 3])
    assert [message["content"] for message in found["messages"]] == [[ADDED, text("now")], [REMOVED]]


def test_developer_rewrite_is_of_the_kind_tools() -> None:
    """formats 7.4."""
    log = Newer(4)
    log.developer([REMOVED])
    log.developer([], span(0, 0), sourceEventSeqs=[0])
    assert [one["kind"] for one in dumped(log.raw())["replacements"]] == ["tools"]


@pytest.mark.parametrize(
    ("tools", "content", "data"),
    [
        ([TOOL], [ADDED], {}),
        ([TOOL], [ADDED], {"headerSeq": 2}),
        ([TOOL], [ADDED], {"headerSeq": 9}),
        ([TOOL], [ADDED], {"headerSeq": 1}),
        ([TOOL], [ADDED], {"headerSeq": "0"}),
        ([TOOL], [REMOVED], {"headerSeq": 0}),
        ([TOOL], [], {"headerSeq": 0}),
        ([TOOL], [{"type": "tool-addition"}], {"headerSeq": 0}),
        ([TOOL], [{"type": "tool-removal", "toolName": ""}], {}),
        ([TOOL], [{**ADDED, "tool": None}], {"headerSeq": 0}),
        ([TOOL], [{**ADDED, "toolName": "write"}], {"headerSeq": 0}),
        ([TOOL, TOOL], [ADDED], {"headerSeq": 0}),
        ([{**TOOL, "description": None}], [ADDED], {"headerSeq": 0}),
        ([{**TOOL, "parameters": []}], [ADDED], {"headerSeq": 0}),
        ([{**TOOL, "deferLoading": False}], [ADDED], {"headerSeq": 0}),
        ([], [ADDED], {"headerSeq": 0}),
    ],
)
def test_developer_bindings_e23(tools: list[Row], content: list[Row], data: Row) -> None:
    """formats 6.6 E23."""
    log = Newer(4)
    log.request(*tools)
    log.turn_start()
    log.developer(content, data=data)
    assert log.judged() == bad("E23")


def test_a_binding_to_a_faulty_header_does_not_crash() -> None:
    """formats 6.6: the first fault stays the one of the header; odd block types are passed over."""
    for header in ({}, {"header": 5}, None):
        log = Newer(4)
        log.add("request/header", header)
        log.developer([ADDED, {"type": []}], data={"headerSeq": 0})
        assert log.judged() == bad("message-shape")


def test_developer_messages_have_the_role_developer() -> None:
    """formats 5.1, 6.6."""
    log = Newer(4)
    log.add("developer/message", {"message": build.user_message("u", [])}, surfaceOp="append")
    assert log.judged() == bad("message-shape")


@pytest.mark.parametrize("block", [ADDED, REMOVED])
def test_tool_changes_stand_in_developer_messages_only_e23(block: Row) -> None:
    """formats 6.6, 10: not in other messages, streams, summaries, inbox or title inputs."""
    message = build.user_message("u", [block])
    ended = {"type": "chunk", "time": 1, "chunk": {"type": "block-end", "index": 0, "block": block}}
    events: list[tuple[str, Row, Row]] = [
        ("user/message", message, {"surfaceOp": "append"}),
        ("agent/inbox/spliced", {"inserted": [message]}, {}),
        ("session/title-llm-request", {"messages": [message]}, {}),
        ("compaction/summary", {"summary": [block]}, {}),
        ("assistant/attempt", {"turn": 1, "step": 1, "stream": [ended]}, {}),
    ]
    for type_, data, fields in events:
        log = Newer(4)
        log.add(type_, data, **fields)
        assert log.judged() == bad("E23"), type_


def test_e23_comes_after_the_sources_and_before_the_span() -> None:
    """formats 6.1, order."""
    for op, cited, code in (("append", [], "E10"), (span(0, 0), [0], "E23"), ({"op": "x"}, [0], "E6")):
        log = Newer(4)
        log.turn_start()
        log.developer([ADDED], op, sourceEventSeqs=cited)
        assert log.judged() == bad(code)


# Forks


def test_v4_fork_inside_a_turn() -> None:
    """formats 8, 11 row 42: the closers after the tagged marker are the child's own."""
    log = Newer(4, first=build.header(4, isSeeded=True, parentSession="parent"))
    log.turn_start()
    log.answer(content=[build.tool_call("c")])
    cut = log.add("session/end-seed", {"inherited": True})
    log.tool([text("not started")], data={"error": {"name": "E", "code": "TOOL_NOT_STARTED"}}, failed=True)
    log.step_end()
    log.turn_end(kind="forked")
    session = opened(log.raw())
    assert (session.status, session.log.inherited, session.log.brackets.turns[0].reason) == ("ok", cut, "forked")


@pytest.mark.parametrize("version", [5, 6, 99, 2**60])
def test_later_versions_are_refused_in_a_sentence(version: int) -> None:
    """formats 0, 3, 9.5: never guess."""
    session = opened(build.raw([{"type": "session", "version": version}]))
    (notice,) = session.notices
    assert (session.status, notice.code) == ("unsupported", "version")
    assert notice.message == f"the log has format version {version}; versions 0 to 4 can be read"
