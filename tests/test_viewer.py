"""The viewer as a person uses it: stepping, before and after, turns, panes, folding, the command line."""

from __future__ import annotations

from pathlib import Path

import build
import pytest
from opening import opened
from palimpsest.core.export.sentences import account_text
from palimpsest.core.session import Session, open_log
from palimpsest.core.surface import Replacement
from palimpsest.core.views.moments import first_message
from palimpsest.core.views.replacements import account, kind_of
from palimpsest.tui.screens.help import HelpScreen
from palimpsest.tui.screens.notices import NoticesScreen
from palimpsest.tui.screens.viewer import ViewerScreen
from palimpsest.tui.widgets.account import Account
from palimpsest.tui.widgets.command_line import CommandLine
from screens import HELLO, TORN, TOUR, Viewing, viewing
from textual.command import CommandPalette
from textual.widgets import Input

BACK, ON = "left_square_bracket", "right_square_bracket"
TURN_BACK, TURN_ON = "left_curly_bracket", "right_curly_bracket"


def told(screen: ViewerScreen) -> str:
    return screen.query_one("#account", Account).text


async def test_opens_at_the_end_with_the_whole_history_below_it() -> None:
    async with viewing(TOUR) as view:
        assert view.screen.moment == 4083
        assert view.pane("history").at_end
        assert any("● 4081 dsh" in line for line in view.pane_lines("history"))
        assert "▸ 3606 ◆ compaction summary" in view.pane_lines("surface")[0]
        assert any("→ #4081 assistant message" in line for line in view.pane_lines("stream"))


async def test_steps_back_and_forth_through_every_replacement() -> None:
    with open_log(TOUR) as session:
        await step_through(session)


async def step_through(session: Session) -> None:
    replacements = session.surface.replacements
    assert [one.seq for one in replacements] == [1878, 2518, 3163, 3165, 3167, 3606]
    async with viewing(TOUR) as view:
        for replacement in reversed(replacements):
            await view.press(BACK)
            assert view.screen.moment == replacement.seq
            assert told(view.screen) == account_text(account(session, replacement))
        await view.press(BACK)
        assert view.screen.moment == replacements[0].seq, "the first replacement is the last stop"
        for replacement in replacements[1:]:
            await view.press(ON)
            assert view.screen.moment == replacement.seq
            await check_panes(view, session, replacement)


async def check_panes(view: Viewing, session: Session, replacement: Replacement) -> None:
    """What each pane shows right after a replacement."""
    first = first_message(session, replacement)
    history = view.pane_lines("history")
    sign = "~" if kind_of(session, replacement) == "prune" else "◌"
    head = next(line for line in history if f"{first:>5} " in line)
    assert sign in head and f"by #{replacement.seq}" in head
    surface = view.pane_lines("surface")
    head = next(line for line in surface if f"▾{replacement.seq:>5} " in line)
    assert f"{len(replacement.shadowed)} → 1" in head
    assert any(
        f"◌{replacement.shadowed[0]:>5} " in line or f"▸{replacement.shadowed[0]:>5} " in line for line in surface
    )
    stream = view.pane_lines("stream")
    kind = "compaction" if len(replacement.shadowed) > 1 else f"prune of #{replacement.shadowed[0]}"
    assert any(kind in line for line in stream[:3])


async def test_before_and_after_show_the_two_surfaces() -> None:
    async with viewing(TOUR) as view:
        await view.press(BACK)
        seq = view.screen.moment
        after = set(view.screen.session.surface.seqs_at(seq))
        assert len(view.pane("surface").source) > len(after), "the shadow is unfolded below the summary"
        await view.press("b")
        assert view.screen.moment == seq - 1 and view.screen.before
        assert any("▸ 2518 ◆ compaction summary" in line for line in view.pane_lines("surface"))
        history = view.pane_lines("history")
        assert any("● 2521 you about to be shadowed by #3606" in line for line in history)
        await view.press("b")
        assert view.screen.moment == seq and not view.screen.before


async def test_before_then_forward_lands_on_the_same_replacement() -> None:
    async with viewing(TOUR) as view:
        await view.press(BACK, "b", ON)
        assert view.screen.moment == 3606
        await view.press("b", BACK)
        assert view.screen.moment == 3167


async def test_a_chain_names_every_replacement_that_took_the_place() -> None:
    async with viewing(TOUR) as view:
        await view.press("g")
        assert any("◌    7 you shadowed by #1878 → #2518 → #3606" in line for line in view.pane_lines("history"))


async def test_messages_past_the_moment_are_not_yet_written() -> None:
    async with viewing(TOUR) as view:
        await view.press("colon", *"8", "enter")
        assert view.screen.moment == 8
        lines = view.pane_lines("history")
        assert any("●    8 " in line for line in lines)
        assert any("·  118 dsh not yet" in line for line in lines)
        assert [view.screen.session.surface.born[item.node] for item in view.pane("surface").source.items] == [7, 8]  # type: ignore[attr-defined]


async def test_turns_events_and_the_cursor_move_the_moment() -> None:
    async with viewing(TOUR) as view:
        await view.press(TURN_BACK)
        assert view.screen.session.log.type_of(view.screen.moment) == "turn/start"
        start = view.screen.moment
        await view.press(TURN_BACK, TURN_ON)
        assert view.screen.moment == start
        await view.press("full_stop")
        assert view.screen.moment == start + 1
        await view.press("comma", "comma")
        assert view.screen.moment == start - 1
        await view.press("g", "j", "m")
        assert view.screen.moment == view.pane("history").source.seq(1)


async def test_scrolling_never_moves_the_moment() -> None:
    async with viewing(TOUR) as view:
        for key in ("k", "pageup", "ctrl+u", "g", "j", "pagedown", "ctrl+d", "G", "up", "down", "home", "end"):
            await view.press(key)
            assert view.screen.moment == 4083


@pytest.mark.parametrize(
    ("typed", "moment"),
    [("1878", 1878), ("#1878", 1878), ("end", 4083), ("start", 0), ("turn 5", 1874), ("99999999999999999999", 4083)],
)
async def test_the_command_line_goes_to_a_moment(typed: str, moment: int) -> None:
    async with viewing(TOUR) as view:
        view.screen.go(100)
        await view.press("colon")
        view.screen.query_one("#command", CommandLine).value = typed
        await view.press("enter")
        assert view.screen.moment == moment
        assert not view.screen.query_one("#command", CommandLine).display
        assert view.screen.focused is view.pane("history")


async def test_the_command_line_runs_commands_and_says_what_it_does_not_know() -> None:
    async with viewing(TOUR) as view:
        await view.press("colon")
        view.screen.query_one("#command", CommandLine).value = "previous replacement"
        await view.press("enter")
        await view.app.workers.wait_for_complete()
        assert view.screen.moment == 3606
        await view.press("colon")
        view.screen.query_one("#command", CommandLine).value = "[/red] nonsense"
        await view.press("enter")
        palette = view.app.screen
        assert isinstance(palette, CommandPalette)
        assert palette.query_one(Input).value == "[/red] nonsense"
        await view.press("escape", "colon", "escape")
        assert view.screen.focused is view.pane("history")


@pytest.mark.parametrize(
    ("size", "focus", "shown"),
    [
        ((180, 40), "2", {"stream", "history", "surface"}),
        ((169, 40), "1", {"stream", "history"}),
        ((120, 40), "2", {"history", "surface"}),
        ((110, 40), "3", {"history", "surface"}),
        ((109, 40), "3", {"surface"}),
        ((80, 24), "1", {"stream"}),
        ((40, 12), "2", {"history"}),
    ],
)
async def test_as_many_panes_as_there_is_room_for(size: tuple[int, int], focus: str, shown: set[str]) -> None:
    async with viewing(TOUR, size) as view:
        await view.press(focus)
        assert {name for name in ("stream", "history", "surface") if view.pane(name).display} == shown


async def test_tab_walks_the_panes_and_z_zooms_one() -> None:
    async with viewing(TOUR) as view:
        order = []
        for _ in range(3):
            await view.press("tab")
            order.append(view.screen.focused.id if view.screen.focused else None)
        assert order == ["surface", "stream", "history"]
        await view.press("shift+tab", "z")
        assert [name for name in ("stream", "history", "surface") if view.pane(name).display] == ["stream"]
        await view.press("z")
        assert all(view.pane(name).display for name in ("stream", "history", "surface"))


async def test_a_replacement_unfolds_to_any_depth_and_folds_again() -> None:
    async with viewing(TOUR) as view:
        await view.press("3", "g")
        assert "▸ 3606 ◆ compaction summary" in view.pane_lines("surface")[0]
        folded = len(view.pane("surface").source)
        await view.press("l")
        assert len(view.pane("surface").source) == folded + 24
        assert "▾ 3606" in view.pane_lines("surface")[0]
        await view.press("j", "l")
        assert len(view.pane("surface").source) == folded + 24 + 14, "#2518 opens below it"
        await view.press("j", "l")
        assert len(view.pane("surface").source) == folded + 24 + 14 + 36, "and #1878 below that"
        await view.press("g", "h")
        assert len(view.pane("surface").source) == folded


async def test_a_long_message_folds_and_unfolds() -> None:
    async with viewing(TOUR) as view:
        await view.press(*[BACK] * 4)
        position = view.pane("history").cursor
        short = len(view.pane("history")._rows_of(position))
        await view.press("l")
        assert len(view.pane("history")._rows_of(position)) > short
        await view.press("h")
        assert len(view.pane("history")._rows_of(position)) == short


async def test_failed_and_interrupted_attempts_are_shown() -> None:
    async with viewing(TOUR) as view:
        source = view.pane("stream").source
        heads = ["".join(span.text for span in source.entry(at).head) for at in range(len(source))]
        assert any("attempt 1 failed: The scripted server is busy" in head and "retried" in head for head in heads)
        assert any("The scripted stream broke off (TRANSPORT)" in head for head in heads)
        assert any("#3600 assistant message, interrupted" in head for head in heads)
        assert sum("▷" in head for head in heads) == 32


async def test_usage_totals_stand_at_the_history_and_at_each_turn() -> None:
    async with viewing(TOUR) as view:
        assert "340k in (238k cached) · 2.4k out" in str(view.pane("history").border_subtitle)
        await view.press("g")
        assert any("turn 1 · 27.3k in · 298 out" in line for line in view.pane_lines("history"))


async def test_a_torn_log_says_so() -> None:
    async with viewing(TORN) as view:
        assert view.screen.session.status == "torn"
        assert "1 notice" in view.lines()[-1]
        await view.press("w")
        assert isinstance(view.app.screen, NoticesScreen)
        assert any("torn-tail" in line for line in view.lines())
        await view.press("escape")
        assert view.app.screen is view.screen


async def test_help_lists_every_binding() -> None:
    async with viewing(HELLO) as view:
        await view.press("question_mark")
        assert isinstance(view.app.screen, HelpScreen)
        assert any("next replacement" in line for line in view.lines())
        await view.press("escape", "q")
    assert view.app.return_code == 0


async def test_a_log_without_replacements_answers_the_stepping_keys() -> None:
    async with viewing(HELLO) as view:
        end = view.screen.moment
        for key, answer in ((BACK, "holds no replacement"), (ON, "holds no replacement"), ("b", "needs a replacement")):
            await view.press(key)
            assert view.screen.moment == end
            assert [str(one.message) for one in view.app._notifications if answer not in str(one.message)] == []
            assert len(view.app._notifications) == 1, "answers do not pile up"


async def test_the_mouse_focuses_selects_and_scrolls() -> None:
    async with viewing(TOUR) as view:
        await view.press("g")
        pane = view.pane("surface")
        await view.pilot.click("#surface", offset=(5, 4))
        await view.pilot.pause()
        assert view.screen.focused is pane
        assert pane.cursor == pane._visible()[3][0]
        top = view.pane("history")._top
        view.pane("history").scroll_rows(3)
        assert view.pane("history")._top > top
        assert view.screen.moment == 4083


async def test_keys_typed_right_after_the_colon_belong_to_the_command_line() -> None:
    async with viewing(TOUR) as view:
        view.screen.action_command()
        assert view.screen.focused is view.screen.query_one("#command", CommandLine), "at once"


async def test_the_command_line_closes_when_another_pane_is_chosen() -> None:
    async with viewing(TOUR) as view:
        await view.press("colon", "x")
        await view.pilot.click("#surface", offset=(5, 4))
        await view.pilot.pause()
        assert not view.screen.query_one("#command", CommandLine).display
        assert view.screen.focused is view.pane("surface")


async def test_tab_takes_the_rest_of_a_commands_name() -> None:
    async with viewing(TOUR) as view:
        await view.press("colon", *"previous r")
        await view.app.workers.wait_for_complete()
        await view.pilot.pause()
        await view.press("tab", "enter")
        await view.app.workers.wait_for_complete()
        await view.pilot.pause()
        assert view.screen.moment == 3606


async def test_a_number_past_the_end_goes_there_and_says_so() -> None:
    async with viewing(TOUR) as view:
        await view.press("colon", *"99999", "enter")
        assert view.screen.moment == 4083
        assert [str(one.message) for one in view.app._notifications] == ["the log ends at #4083"]


async def test_the_history_marks_where_something_was_replaced() -> None:
    async with viewing(TOUR) as view:
        await view.press(BACK)
        source = view.pane("history").source
        rules = ["".join(span.text for span in source.entry(at).head) for at in range(len(source))]
        assert "◆ #2518 compaction summary: 14 shadowed" in rules and "▪ #3163 pruned tool result: 1 shadowed" in rules


async def test_many_items_of_one_event_keep_their_place_when_another_pane_folds() -> None:
    """In v2 and later all blocks of an answer stand in one event."""
    log = build.Log(3)
    log.turn_start()
    log.step_start()
    first = log.user("question")
    stream = [{"type": "text-chunks", "time0": 1, "index": at, "dt": [], "texts": [f"block {at}"]} for at in range(20)]
    message = build.assistant_message("a", [build.text("x")])
    log.add("assistant/message", {"turn": 1, "step": 1, "message": message, "stream": stream}, surfaceOp="append")
    source = {"kind": "plugin", "plugin": "compact"}
    span = {"op": "replace", "startSeq": first, "endSeq": first}
    log.user("summary", span, source, sourceEventSeqs=[first])
    async with viewing(opened(log.raw())) as view:
        await view.press("1", "g", "j", "j", "j", "j")
        before = (view.pane("stream").cursor, view.pane("stream")._top)
        await view.press("3", "g", "l", "h")
        assert (view.pane("stream").cursor, view.pane("stream")._top) == before


async def test_a_damaged_log_opens_where_it_breaks(tmp_path: Path) -> None:
    """Numbers past the damage may repeat those before it; going to an event means the trusted one."""
    log = build.Log()
    log.turn_start()
    for number in range(30):
        log.user(f"message {number}")
    end = log.turn_end()
    rows = log.lines
    path = tmp_path / "log.jsonl"
    path.write_bytes(build.raw([*rows, *rows[6:16], rows[-1]]))
    async with viewing(path, (120, 40)) as view:
        assert view.screen.session.status == "damaged" and view.screen.session.end == end
        lines = view.pane_lines("history")
        assert any("expected event 32, found event 5" in line for line in lines)
        assert any(line.lstrip().startswith("✗    5 user/message") for line in lines)
        for number in (3, 8, 12, 29):
            await view.press("colon", *str(number), "enter")
            assert view.pane("history").source.seq(view.pane("history").cursor) == number
            assert view.pane("history").source.row(view.pane("history").cursor) == number


@pytest.mark.parametrize("data", [None, [], 7, "text", {"message": []}, {"message": {"content": {}}}])
async def test_an_event_of_odd_shape_is_shown_all_the_same(data: object) -> None:
    log = build.Log()
    log.user("before")
    log.add("assistant/message", data, surfaceOp="append")
    log.user("after")
    async with viewing(opened(log.raw())) as view:
        assert view.screen.session.status == "invalid"
        assert any("?    1 dsh" in line for line in view.pane_lines("history"))
        assert any("stops before #1" in line for line in view.pane_lines("surface"))


@pytest.mark.parametrize("size", [(1, 1), (4, 3), (6, 20), (30, 3), (80, 1)])
async def test_lists_of_choices_do_not_open_where_they_have_no_room(size: tuple[int, int]) -> None:
    async with viewing(TOUR, size) as view:
        await view.press("p", "ctrl+p", "colon", "x", "enter")
        await view.app.workers.wait_for_complete()
        assert view.app.screen is view.screen


async def test_lists_of_choices_close_when_their_room_goes() -> None:
    async with viewing(TOUR) as view:
        for key in ("p", "ctrl+p"):
            await view.press(key)
            assert view.app.screen is not view.screen
            await view.pilot.resize_terminal(6, 4)
            await view.pilot.pause()
            await view.app.workers.wait_for_complete()
            await view.pilot.pause()
            assert view.app.screen is view.screen
            await view.pilot.resize_terminal(180, 44)
            await view.pilot.pause()


async def test_a_log_overwritten_in_place_says_what_cannot_be_read_again(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl.zstd"
    path.write_bytes(TOUR.read_bytes())
    async with viewing(path) as view:
        path.write_bytes(b"\xff" * path.stat().st_size)
        await view.press(
            BACK, BACK, "b", "g", "pagedown", "1", "v", "g", "pagedown", "r", "enter", "escape", "p", "escape"
        )
        await view.app.workers.wait_for_complete()
        assert any("cannot be read again" in line for line in view.pane_lines("history"))


async def test_a_row_past_damage_is_no_moment(tmp_path: Path) -> None:
    log = build.Log()
    log.turn_start()
    log.user("one")
    path = tmp_path / "log.jsonl"
    path.write_bytes(log.raw() + b"junk\n" + build.raw(log.rows[:1]))
    async with viewing(path) as view:
        await view.press("1", "v", "G", "m", "k", "m")
        assert view.screen.moment == 1


async def test_text_that_takes_no_room_stands_below_its_head() -> None:
    log = build.Log()
    log.user("\u0301" * 20_000)
    async with viewing(opened(log.raw())) as view:
        lines = [line for line in view.pane_lines("history") if line.strip()]
        assert "0 you" in lines[0]


async def test_a_block_that_is_cut_says_how_much_more_there_is() -> None:
    log = build.Log()
    log.turn_start()
    log.step_start()
    log.pack(["x" * 1_000] * 300)
    async with viewing(opened(log.raw())) as view:
        note = next(line for line in view.pane_lines("stream") if "more characters" in line)
        assert "299," in note, note
