"""Hostile logs: inputs that broke session viewers before, and inputs made to exhaust one.

Every entry makes its bytes when asked, so that nothing large lies in the repository. What is no
content of a file (a file that changes under the viewer, the terminal's size, colours and mouse,
pipes) is tested where it belongs: in the tests of the watch, the screens, the terminal and the
command line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

import build
from build import Log, Row, frame, header, raw, replace, text

Make = Callable[[], bytes]

OK, TORN, INVALID, DAMAGED = ("ok",), ("torn",), ("invalid",), ("damaged",)
UNREADABLE, UNSUPPORTED = ("unreadable",), ("unsupported",)

AFTER = "still here"
"""Said last in most entries: what follows the hostile part is read as well."""


@dataclass(frozen=True, slots=True)
class Hostile:
    """One input.

    status: the accepted ones. codes: notices there must be. shown: pieces of text that the panes
    show, literally; told: pieces of the notices. place: where the file lies, below any directory;
    beside: further files there. plain: bytes of plaintext, where memory is bounded; growth: how
    many times that many bytes the process may grow by (and a fixed allowance, see test_corpus); viewed:
    whether the app is tried on it, too.
    huge: takes minutes, and is only tried when asked for.
    """

    name: str
    make: Make
    status: tuple[str, ...] = OK
    codes: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    place: str = "log.jsonl"
    beside: Mapping[str, Make] = field(default_factory=dict)
    plain: int = 0
    growth: float = 0.0
    viewed: bool = False
    slow: bool = False
    huge: bool = False

    @property
    def opens(self) -> bool:
        """Whether there is something to view at all."""
        return not {"unreadable", "unsupported"} & set(self.status)


# Making


def talk(*words: str, version: int = 0, **fields: object) -> Log:
    """One turn in which a person says the words, one message each."""
    log = Log(version, first=header(version, **fields))
    log.turn_start()
    for one in words:
        log.user(one)
    return log


def closed(log: Log) -> Log:
    log.user(AFTER)
    log.turn_end()
    return log


def said(*words: str, version: int = 0, **fields: object) -> bytes:
    return closed(talk(*words, version=version, **fields)).raw()


def with_line(line: bytes, *, committed: bool = True) -> bytes:
    """A log with a foreign line between two messages; `committed` by the end of a turn past it."""
    log = talk("before the line")
    log.line(line)
    log.user(AFTER)
    if committed:
        log.turn_end()
    return log.raw()


def stored(data: bytes) -> bytes:
    """A zstd frame that holds its plaintext as it is, not compressed."""
    pieces = [data[at : at + 100_000] for at in range(0, len(data), 100_000)]
    blocks = [(len(one) << 3 | (one is pieces[-1])).to_bytes(3, "little") + one for one in pieces]
    return b"\x28\xb5\x2f\xfd\x00\x70" + b"".join(blocks)


def frames(log: Log, batch: int = 2) -> list[bytes]:
    lines = log.lines
    return [frame(raw(lines[:1])), *(frame(raw(lines[at : at + batch])) for at in range(1, len(lines), batch))]


def everywhere(words: str) -> bytes:
    """The words in every place where a log may hold text, from the header to a packed chunk."""
    log = Log(0, first=header(id=words, cwd=words, parentSession=words, agentPreset=words))
    log.add("session/title", {"title": words, "messageSeqs": [], "source": {"kind": words}})
    config = {"provider": words, "model": words, words: words}
    tool = {"name": words, "description": words, "inputSchema": {}}
    log.add("request/header", {"header": {"config": config, "system": words, "tools": [tool]}, "reason": "initial"})
    log.add(words, {words: words}, ignorable=True)
    log.turn_start()
    first = log.user(words, source={"kind": "plugin", "plugin": words})
    log.step_start()
    log.pack([words, words])
    log.retry(failure={"message": words, "code": words})
    cited = log.pack([words])
    calls = [build.tool_call(words, words, json.dumps({words: words})), build.tool_call("c2", words, words)]
    blocks = [{"type": "reasoning", "text": words}, {"type": words, words: words}, *calls]
    picture = {"attachmentId": words, "name": words, "mediaType": words}
    message = {
        **build.assistant_message(words, [text(words), *blocks]),
        "source": {"kind": "model", "provider": words, "model": words},
    }
    data = {"turn": 1, "step": 1, "message": message, "usage": {words: 1}}
    asks = log.add("assistant/message", data, surfaceOp="append", sourceEventSeqs=cited)
    log.call(words, words, words)
    result = log.result(words, words)
    log.result("c2", words)
    log.add("user/message", build.user_message(words, [text(words), {"type": "image", "attachment": picture}]),
            surfaceOp="append")  # fmt: skip
    log.prune(result, words, words)
    log.step_end()
    log.summarise([first, asks], words)
    again = {"compactionId": words, "turn": 1}
    log.add("compaction/start", again)
    log.add("compaction/end", {**again, "error": {"message": words, "code": words}})
    log.turn_end(kind=words)
    log.turn_start(2)
    return closed(log).raw()


def not_utf8() -> bytes:
    return said("MARK").replace(b"MARK", "上下文".encode("gbk"))


def magic_inside() -> bytes:
    """The bytes that begin a frame, in the middle of one whose plaintext is stored as it is."""
    lines = closed(talk("MARK after the magic")).lines
    body = raw(lines[1:]).replace(b"MARK", b"\x28\xb5\x2f\xfd")
    return stored(raw(lines[:1])) + stored(body)


def flipped_byte() -> bytes:
    noise = Random(6)
    log = closed(talk("before the damage", *(noise.randbytes(60).hex() for _ in range(9))))
    found = frames(log)
    found[3] = build.flipped(found[3], len(found[3]) // 2)
    return b"".join(found)


def garbage_between() -> bytes:
    found = frames(closed(talk("before the garbage", "two", "three")))
    return b"".join([*found[:2], b"\x00garbage\xff", *found[2:]])


def gap(step: int, *, zstd: bool) -> bytes:
    """The number of an event left out, or used twice."""
    log = talk("before the gap")
    log.next += step
    return closed(log).zstd() if zstd else closed(log).raw()


def seeded() -> bytes:
    log = Log(0, first=header(seedLength=3, parentSession="the-parent"))
    log.turn_start()
    log.user("said in the parent")
    log.turn_end()
    log.add("session/end-seed", {})
    log.turn_start(2)
    return closed(log).raw()


def nested_replacements() -> bytes:
    """A summary of a summary; its span ends at a node of a lower number than it holds."""
    log = talk("first", "second", "third")
    rewritten = log.user("rewritten second", replace(2, 2), sourceEventSeqs=[2])
    log.summarise([1, rewritten, 3], "the first summary")
    log.user("between the summaries")
    log.summarise([log.next - 3, log.next - 1], "the second summary")
    return closed(log).raw()


def missing_target() -> bytes:
    log = talk("kept")
    log.user("of nothing", replace(0, 0), sourceEventSeqs=[0])
    return closed(log).raw()


def open_compactions() -> bytes:
    log = talk("kept")
    log.add("compaction/start", {"compactionId": "one", "turn": 1})
    log.add("compaction/end", {"compactionId": "one", "turn": 1, "error": {"message": "the summary failed"}})
    log.add("compaction/start", {"compactionId": "two", "turn": 1})
    return closed(log).raw()


def prunes_only() -> bytes:
    log = talk("go")
    log.add("compaction/start", {"compactionId": "one", "turn": 1})
    for number in range(12):
        log.prune(log.result(f"c{number}", "a long result"), f"c{number}")
    log.add("compaction/end", {"compactionId": "one", "turn": 1})
    return closed(log).raw()


def summary_of(words: str) -> bytes:
    log = talk("swallowed")
    log.summarise([1], words)
    return closed(log).raw()


def odd_answers() -> bytes:
    log = talk("go")
    log.assistant(content=[], usage={"promptTokens": 7})
    message = build.assistant_message("a", [text("broken off")])
    log.add("assistant/message", {"turn": 1, "step": 1, "message": message, "interrupted": True}, surfaceOp="append")
    log.assistant("no usage", usage={})
    return closed(log).raw()


def images() -> bytes:
    attachment = {"attachmentId": "gone", "name": "missing.png", "mediaType": "image/png", "width": 9, "height": 9}
    blocks: list[Row] = [{"type": "image", "attachment": attachment}, {"type": "image"}, {"type": "file"}]
    log = talk("look")
    log.add("user/message", build.user_message("u", blocks), surfaceOp="append")
    return closed(log).raw()


def clock_back() -> bytes:
    log = talk("go")
    log.step_start()
    row = build.packed([build.chunk(log.next + at, build.text_delta(word)) for at, word in enumerate(["a", "b", "c"])])
    row["data"]["dt"] = [-5_000, -1]
    log.rows.append(row)
    log.next += 3
    log.assistant("abc", sourceEventSeqs=[[log.next - 3, log.next - 1]])
    return closed(log).raw()


def unknown_event(**fields: object) -> bytes:
    log = talk("before the unknown")
    log.add("future/thing", {"any": "thing"}, **fields)
    return closed(log).raw()


def numbers() -> bytes:
    """Numbers past every double, and integers of thousands of digits, wherever a number may stand."""
    log = talk("go")
    usage = {"promptTokens": 1, "outputTokens": 2}
    log.assistant("counted", usage=usage)
    log.add("request/context", {"provider": "p", "model": "m", "contextWindow": 3})
    log.add("some/number", {"value": 4}, ignorable=True)
    data = closed(log).raw()
    many = b"9" * 5_000
    for old, new in (
        (b'"promptTokens":1', b'"promptTokens":1e999'),
        (b'"outputTokens":2', b'"outputTokens":' + many),
        (b'"contextWindow":3', b'"contextWindow":-1e999'),
        (b'"value":4', b'"value":[1e999,-' + many + b",1e-999,0." + many + b"]"),
    ):
        assert old in data
        data = data.replace(old, new)
    return data


def header_number(key: str, number: bytes) -> bytes:
    first = header()
    first[key] = 0
    return raw([first]).replace(f'"{key}":0'.encode(), f'"{key}":'.encode() + number)


# Bounds

HEAD = raw([header()])


def long_line(size: int) -> bytes:
    return said("x" * size)


def short_rows(rows: int) -> bytes:
    return said("before the rows") + b"7\n" * rows


def deep(levels: int) -> bytes:
    nested = b'{"a":' * levels + b"1" + b"}" * levels
    return with_line(b'{"type":"x","seq":2,"time":1,"data":' + nested + b',"ignorable":true}')


def deep_arguments(levels: int) -> bytes:
    log = talk("go")
    log.assistant(content=[build.tool_call("c", "deep", "[" * levels + "]" * levels)])
    return closed(log).raw()


def expanding(size: int) -> bytes:
    """A message of one letter again and again, in a frame some ten thousand times smaller."""
    log = talk("before the bomb")
    log.user("x" * size)
    lines = closed(log).lines
    return b"".join(frame(raw(part)) for part in (lines[:1], lines[1:3], lines[3:]))


def window(*, first: bool) -> bytes:
    """A frame whose header asks for a window of 2 GiB; the plaintext is there, stored."""
    lines = closed(talk("before the window")).lines
    parts = [stored(raw(part)) for part in (lines[:1], lines[1:3], lines[3:])]
    at = 0 if first else 2
    parts[at] = parts[at][:5] + b"\xa8" + parts[at][6:]
    return b"".join(parts)


_USER = (
    '{"type":"user/message","seq":%d,"time":1750000000000,"data":{"id":"u","role":"user","source":{"kind":"user"},'
    '"content":[{"type":"text","text":"said %d"}]},"surfaceOp":%s}\n'
)


def _user(seq: int, node: int | None = None) -> str:
    if node is None:
        return _USER % (seq, seq, '"append"')
    return _USER % (seq, seq, f'{{"op":"replace","start":{node},"end":{node}}},"sourceEventSeqs":[{node}]')


def chained(size: int) -> bytes:
    """One message replaced again and again."""
    rows = [_user(0), *(_user(seq, seq - 1) for seq in range(1, size + 1))]
    return HEAD + "".join(rows).encode()


def one_by_one(size: int) -> bytes:
    """A surface of so many messages, each replaced once."""
    rows = [*(_user(seq) for seq in range(size)), *(_user(size + seq, seq) for seq in range(size))]
    return HEAD + "".join(rows).encode()


def all_at_once(size: int) -> bytes:
    """A summary that takes the place of everything and cites it as one range."""
    log = Log(3)
    for _ in range(size):
        log.user("swallowed")
    span = {"op": "replace", "startSeq": 0, "endSeq": size - 1}
    source = {"kind": "plugin", "plugin": "compact", "compactionId": "c"}
    log.user("of everything", span, source, sourceEventSeqs=[[0, size - 1]])
    log.user(AFTER)
    return log.raw()


def many_types(size: int) -> bytes:
    """A type of its own for every row, and a notice for each."""
    log = talk()
    for number in range(size):
        log.add(f"type/{number}", {}, ignorable=True)
    return closed(log).raw()


_SAME = said("one of two")

ESCAPES = "\x1b[31mred\x1b[0m \x1b]52;c;ZXZpbA==\x07 \x1b]0;title\x1b\\ \x9b5n \x9d0;t\x9c \x08\x7f \x1bP1\x1b\\ end"
MARKUP = "[/red] [tag=1:2 [b] [@click=app.quit]go[/] [link=file:///]x"
BIDI = "a\u202eevil\u202c \u2066iso\u2069 \u200fmark \u061calm end"
WIDE = "\u4e0a\u4e0b\u6587 \U0001f468\u200d\U0001f469\u200d\U0001f467 \u26a0\ufe0f e\u0301 \uff21 end"

TABLE: tuple[Hostile, ...] = (
    # The container
    Hostile("many frames", lambda: closed(talk("in the second frame")).zstd(batch=1),
            shown=("in the second frame", AFTER)),
    Hostile("magic inside a frame", magic_inside, shown=("after the magic", AFTER)),
    Hostile("garbage between frames", garbage_between, DAMAGED, ("bad-magic",), ("before the garbage",),
            ("are no frame",)),
    Hostile("first frame of two lines", lambda: frame(closed(talk("in one frame")).raw()), DAMAGED, ("header-frame",),
            (AFTER,), ("first frame is not exactly",)),
    Hostile("first frame of half a line", lambda: build.frames_of(said("x"), [])[4:], UNREADABLE),
    Hostile("torn last frame", lambda: closed(talk("before the tear")).zstd(batch=1)[:-9], TORN, ("torn-tail",),
            ("before the tear", AFTER), ("ends inside a frame",)),
    Hostile("torn last line", lambda: said("before the tear")[:-9], TORN, ("torn-tail",),
            ("before the tear", AFTER), ("ends inside a line",)),
    Hostile("torn first line", lambda: HEAD[:-9], UNREADABLE, ("no-header",)),
    Hostile("flipped byte", flipped_byte, DAMAGED, (), ("before the damage",), ("is damaged",)),
    Hostile("window of 2 GiB", lambda: window(first=False), DAMAGED, ("limit",), ("before the window",),
            ("is damaged",)),
    Hostile("first window of 2 GiB", lambda: window(first=True), UNREADABLE, ("limit",)),
    Hostile("NUL block at the end", lambda: said("before the NULs") + bytes(9 * 1024), TORN, ("torn-tail",),
            ("before the NULs", AFTER), ("is incomplete",)),
    Hostile("NUL block in the middle", lambda: with_line(bytes(143 * 1024)), DAMAGED, ("bad-json",),
            ("before the line", "user/message"), ("not JSON",)),
    Hostile("nothing but NULs", lambda: bytes(9 * 1024), UNREADABLE, ("no-header",)),
    Hostile("nothing", bytes, UNREADABLE, ("no-header",)),
    # The order of rows
    Hostile("gap in frames", lambda: gap(1, zstd=True), DAMAGED, ("seq-gap",), ("before the gap", "user/message"),
            ("expected event 2, found event 3",)),
    Hostile("number twice", lambda: gap(-1, zstd=False), DAMAGED, ("seq-gap",), ("before the gap", "user/message"),
            ("expected event 2, found event 1",)),
    Hostile("not an object", lambda: with_line(b"[1,2]"), DAMAGED, ("bad-row",), ("before the line",),
            ("no JSON object",)),
    # The header and the place
    Hostile("id is a number", lambda: raw([header(id=7)]), UNREADABLE, ("header-field",)),
    Hostile("name of another version", lambda: said("misnamed"), INVALID, ("generation",), ("misnamed",),
            ("named as version 4",), place="session.v4.jsonl"),
    Hostile("several generations", lambda: said("the older one"), shown=("the older one",), told=("newer generation",),
            codes=("generation",), place="session.jsonl", beside={"session.v3.jsonl": lambda: said("x", version=3)}),
    Hostile("version 5", lambda: said("x", version=5), UNSUPPORTED, ("version",)),
    Hostile("version past every double", lambda: header_number("version", b"1e999"), UNSUPPORTED, ("version",)),
    Hostile("version of 5000 digits", lambda: header_number("version", b"9" * 5_000), UNSUPPORTED, ("version",)),
    Hostile("time past every double", lambda: header_number("createdAt", b"1e999"), UNREADABLE, ("header-field",)),
    Hostile("time past every calendar", lambda: header_number("createdAt", b"9007199254740991"), OK),
    Hostile("Windows paths", lambda: said(r"C:\Users\me\x", cwd=r"C:\Users\me"), shown=(r"C:\Users\me\x",)),
    Hostile("one id in two projects", lambda: _SAME, shown=("one of two",), place="--a--/s/session.jsonl",
            beside={"--b--/s/session.jsonl": lambda: _SAME}),
    Hostile("inherited events", seeded, shown=("said in the parent", AFTER, "inherited")),
    Hostile("byte order mark", lambda: b"\xef\xbb\xbf" + said("x"), UNREADABLE, ("no-header",)),
    # Text
    Hostile("CRLF", lambda: said("one\r\ntwo").replace(b"}\n", b"}\r\n"), shown=("one", "two", AFTER)),
    Hostile("line separators", lambda: said("one\u2028two\u2029three\x85four"),
            shown=("one⟨U+2028⟩two⟨U+2029⟩three⟨U+0085⟩four", AFTER)),
    Hostile("lone surrogates", lambda: said("half \ud83d and \ude00 other"),
            shown=("half ⟨U+D83D⟩ and ⟨U+DE00⟩ other", AFTER)),
    Hostile("markup", lambda: said(MARKUP), shown=(MARKUP, AFTER)),
    Hostile("markup everywhere", lambda: everywhere(MARKUP), shown=(MARKUP, AFTER), told=(MARKUP,)),
    Hostile("escape sequences", lambda: said(ESCAPES), shown=("␛[31mred␛[0m ␛]52;c;ZXZpbA==␇", "⟨U+009B⟩5n", AFTER)),
    Hostile("escape sequences everywhere", lambda: everywhere(ESCAPES), shown=("␛[31mred", AFTER),
            told=("x1b[31mred",)),
    Hostile("bidi", lambda: said(BIDI), shown=("a⟨U+202E⟩evil", "⟨U+2066⟩iso⟨U+2069⟩", AFTER)),
    Hostile("bidi everywhere", lambda: everywhere(BIDI), shown=("a⟨U+202E⟩evil", AFTER)),
    Hostile("wide and joined", lambda: said(WIDE * 20), shown=("上下文 👨👩👧 ⚠", AFTER)),
    Hostile("wide and joined everywhere", lambda: everywhere(WIDE), shown=("上下文 👨👩👧 ⚠", AFTER)),
    Hostile("surrogates everywhere", lambda: everywhere("\ud83d[/]\ude00 end"), shown=("⟨U+D83D⟩[/]", AFTER)),
    Hostile("no words everywhere", lambda: everywhere(" \n\t\r\n\x0b "), shown=(AFTER,)),
    Hostile("not UTF-8", not_utf8, shown=("\ufffd", AFTER)),
    Hostile("no UTF-8 in the header", lambda: said("x", cwd="MARK").replace(b"MARK", b"\xff\xfe"), shown=(AFTER,)),
    # Meaning
    Hostile("unknown and ignorable", lambda: unknown_event(ignorable=True), codes=("unknown-ignorable",),
            shown=("before the unknown", AFTER), told=("'future/thing'",)),
    Hostile("unknown and required", unknown_event, INVALID, ("unknown-type",),
            ("before the unknown", AFTER, "stops before #2"), ("'future/thing'",)),
    Hostile("replacement of a replacement", nested_replacements, shown=("first", "the second summary", AFTER)),
    Hostile("replacement of nothing", missing_target, INVALID, ("E14",), ("kept", AFTER, "stops before #2"),
            ("starts at event 0",)),
    Hostile("compactions without an end", open_compactions, codes=("open-compaction",),
            shown=("the summary failed", "still open", AFTER)),
    Hostile("prunes only", prunes_only, shown=("pruned by #", AFTER)),
    Hostile("empty summary", lambda: summary_of(""), shown=("swallowed", "shadowed by", AFTER)),
    Hostile("repeated summary", lambda: summary_of("again and again\n" * 2_000), shown=("again and again", AFTER)),
    Hostile("odd answers", odd_answers, shown=("never sent: empty", "broken off", AFTER)),
    Hostile("images without their files", images, shown=("missing.png", AFTER)),
    Hostile("clock set back", clock_back, shown=("abc", AFTER)),
    Hostile("numbers", numbers, shown=("counted", AFTER)),
    # Bounds
    Hostile("one long line", lambda: long_line(12_800_000), shown=(AFTER,), plain=12_800_000, growth=4,
            viewed=True),
    Hostile("rows of one byte", lambda: short_rows(200_000), TORN, ("bad-row", "limit"), ("before the rows", AFTER),
            ("no JSON object",), plain=400_000, growth=24, viewed=True),
    Hostile("a million rows of one byte", lambda: short_rows(1_000_000), TORN, ("bad-row", "limit"),
            ("before the rows",), plain=2_000_000, growth=24, slow=True),
    Hostile("100,000 levels", lambda: deep(100_000), DAMAGED, ("bad-json",), ("before the line", "user/message"),
            ("nested too deeply",), plain=600_000, growth=10, viewed=True),
    Hostile("100,000 levels of arguments", lambda: deep_arguments(100_000), shown=("deep(", AFTER), plain=200_000,
            growth=10, viewed=True),
    Hostile("frame of 100 MB", lambda: expanding(100_000_000), shown=("before the bomb", AFTER), plain=100_000_000,
            growth=5, slow=True),
    Hostile("20,000 replacements", lambda: chained(20_000), shown=("shadowed by #1",), plain=5_000_000, growth=12,
            viewed=True),
    Hostile("100,000 replacements", lambda: chained(100_000), shown=("shadowed by #1",), plain=25_000_000, growth=12,
            slow=True),
    Hostile("10,000 nodes one by one", lambda: one_by_one(10_000), shown=("19999",), plain=4_200_000, growth=10),
    Hostile("100,000 nodes one by one", lambda: one_by_one(100_000), shown=("199999",), plain=45_000_000, growth=10,
            slow=True),
    Hostile("1,000,000 nodes one by one", lambda: one_by_one(1_000_000), shown=("1999999",), plain=460_000_000,
            growth=10, slow=True, huge=True),
    Hostile("everything by one range", lambda: all_at_once(20_000), shown=("of everything", "20000 → 1", AFTER),
            plain=4_000_000, growth=8),
    Hostile("a type for every row", lambda: many_types(70_000), codes=("unknown-ignorable", "limit"), shown=(AFTER,),
            plain=6_000_000, growth=6),
)  # fmt: skip
