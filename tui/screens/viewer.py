"""The viewer: three panes, one moment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.command import CommandPalette
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input

from ...core.catalogue import say
from ...core.export.plain import one_line
from ...core.session import Session
from ...core.surface import Replacement
from ...core.views.conditions import conditions_at
from ...core.views.moments import (
    first_message,
    named_moment,
    next_replacement,
    next_turn,
    previous_replacement,
    previous_turn,
)
from ...core.views.surface import surface_items
from ..panes.events import EventsSource
from ..panes.history import HistorySource
from ..panes.pane import Pane
from ..panes.scene import Gathered, Scene, scene
from ..panes.stream import StreamSource
from ..panes.surface import SurfaceSource
from ..widgets.account import Account
from ..widgets.bar import Bar
from ..widgets.command_line import CommandLine
from ..widgets.loader import Loader
from ..widgets.watch import Watch
from .conditions import ConditionsScreen
from .detail import DetailScreen
from .frame import PANES, account_line, footer_text, has_room, header_text, pane_facts, panes_shown
from .help import HelpScreen
from .keys import VIEWER_KEYS
from .notices import NoticesScreen
from .opening import newest_of, open_for_viewing
from .relatives import RelativesScreen


class ViewerScreen(Screen[None]):
    """Shows one session. The moment decides what the model sees; the cursor is what you look at."""

    AUTO_FOCUS = "#history"
    BINDINGS: ClassVar[list[BindingType]] = [*VIEWER_KEYS]

    def __init__(self, session: Session, steps: Iterator[float], moment: int | None = None) -> None:
        """steps: the session's own `load`. moment: where to open; at the end of the log by default."""
        super().__init__()
        self.session = session
        self._steps = steps
        self.moment = -1
        self._wanted = moment
        self.focused_replacement: Replacement | None = None
        self.before = False
        self._gathered: Gathered | None = None
        self._share = 0.0
        self._pane = "history"
        self._zoomed = False
        self._folds: dict[int, bool] = {}
        self._moved = False
        self._all_events = False
        self._changed = ""
        self._colours = False

    def compose(self) -> ComposeResult:
        yield Bar(id="header")
        yield Account(id="account")
        with Horizontal(id="panes"):
            for name in PANES:
                yield Pane(id=name)
        names = (one.description for one in VIEWER_KEYS)
        yield CommandLine(["start", "end", "turn ", *names], id="command")
        yield Bar(id="footer")
        yield Loader(self.session, self._steps)
        if self.session.path is not None:
            yield Watch(self.session.path)

    def on_mount(self) -> None:
        self._tell()

    def pane(self, name: str) -> Pane:
        return self.query_one(f"#{name}", Pane)

    # Loading

    def on_loader_looked(self, looked: Loader.Looked) -> None:
        looked.stop()
        first = self._gathered is None
        self._gathered, self._share = looked.gathered, 1.0 if looked.done else looked.share
        if not self._moved:
            self.moment = looked.gathered.end
        self._show(keep_end=True)
        if looked.done and not self._moved and self._wanted is not None:
            wanted = min(self._wanted, self.session.end)
            self.go(wanted, self.session.surface.replacement(wanted))
            return
        if first:
            for name in ("stream", "history"):
                self.pane(name).action_bottom()
        if looked.done and not self._moved and self.session.log.condition == "damaged":
            # A damaged log opens where it breaks, not at the end of what could be saved.
            for name, at in looked.gathered.damage().items():
                self.pane(name).look_at_position(at, above=self.pane(name).size.height // 2)

    def on_watch_changed(self, changed: Watch.Changed) -> None:
        """The file is no longer what was read: what is shown stays as it is until it is read again."""
        self._changed = "" if changed.change is None else say(f"file.{changed.change}")
        if changed.newer is not None:
            self._changed = say("file.newer", version=changed.newer)
        self._tell()

    def action_reload(self) -> None:
        """Reads the log again, in its newest generation, and comes back to the same moment."""
        if self.session.path is None:
            return
        path = newest_of(self.session.path)
        opened = open_for_viewing(path, self.session.log.container.limits) if isinstance(path, Path) else path
        if isinstance(opened, str):
            self._refuse(opened)
            return
        moment = self.moment if path == self.session.path and self._moved else None
        self.app.switch_screen(ViewerScreen(*opened, moment))

    # Showing

    def _scene(self) -> Scene:
        return scene(self.session, self.moment, self.focused_replacement, self.before, self._colours)

    def _show(self, *, keep_end: bool = False) -> None:
        gathered = self._gathered
        if gathered is None:
            return
        with self.session.log.lock:
            now = self._scene()
            unfolded = self._unfolded()
            surface = SurfaceSource(now, surface_items(self.session, self.moment, unfolded), unfolded)
            arrived = EventsSource(now, gathered.rows) if self._all_events else StreamSource(now, gathered.stream)
            self.pane("stream").show(arrived, keep_end=keep_end)
            self.pane("history").show(HistorySource(now, gathered.history, gathered.totals), keep_end=keep_end)
            # The surface opens at its top: there stands what took the place of the rest.
            self.pane("surface").show(surface)
            self._tell()

    def _unfolded(self) -> frozenset[int]:
        """Replacements whose shadow shows: the one stepped to, and what a person unfolded."""
        opened = {seq for seq, unfold in self._folds.items() if unfold}
        if self.focused_replacement is not None and self._folds.get(self.focused_replacement.seq, True):
            opened.add(self.focused_replacement.seq)
        return frozenset(opened)

    def _tell(self) -> None:
        """Writes the lines around the panes."""
        session = self.session
        with session.log.lock:
            self._tell_of(session)

    def _tell_of(self, session: Session) -> None:
        self.query_one("#header", Bar).tell(*header_text(session, self.moment, self._share))
        label, text = account_line(session, self.moment, self.focused_replacement, self.before)
        self.query_one("#account", Account).tell(text, label)
        keys, status = footer_text(session, self.size.width, self._changed)
        self.query_one("#footer", Bar).tell(keys, status, alert=bool(status))
        if self._gathered is not None:
            for name, facts in pane_facts(session, self.moment, self._gathered.totals).items():
                self.pane(name).border_subtitle = facts

    # The moment

    def go(self, moment: int, focus: Replacement | None = None, *, before: bool = False) -> None:
        """Moves the moment; `focus` is the replacement stepped to."""
        self._moved = True
        self.moment = max(-1, min(moment, self.session.end))
        self.focused_replacement, self.before = focus, before
        self._show()
        if focus is not None:
            self.pane("history").look_at(first_message(self.session, focus))
            self.pane("surface").look_at(focus.shadowed[0] if before else focus.seq)
            self.pane("stream").look_at(focus.seq)
        else:
            for name in ("stream", "history"):
                self.pane(name).look_at(self.moment, above=max(1, self.size.height // 3))
            self.pane("surface").action_bottom()

    def action_replacement(self, by: int) -> None:
        # Before a replacement means: the next step forward is that replacement itself.
        step = next_replacement if by > 0 else previous_replacement
        seq = step(self.session, self.moment)
        if seq is None:
            if not self.session.surface.replacements:
                self._say("step.none")
            else:
                self._say("step.last" if by > 0 else "step.first")
            return
        self.go(seq, self.session.surface.replacement(seq))

    def action_before(self) -> None:
        replacement = self.focused_replacement
        if replacement is None:
            self._say("before.nothing")
            return
        self.go(replacement.seq if self.before else replacement.seq - 1, replacement, before=not self.before)

    def action_turn(self, by: int) -> None:
        seq = (next_turn if by > 0 else previous_turn)(self.session, self.moment)
        if seq is None:
            self._say("step.last-turn" if by > 0 else "step.first-turn")
        else:
            self.go(seq)

    def action_event(self, by: int) -> None:
        moment = self.moment + by
        if not 0 <= moment <= self.session.end:
            self._say("step.end" if by > 0 else "step.start")
            return
        self.go(moment, self.session.surface.replacement(moment))

    def action_moment_here(self) -> None:
        pane = self.pane(self._pane)
        if len(pane.source):
            row = pane.source.row(pane.cursor)
            if row is None or row >= self.session.log.trusted_rows:
                self._say("moment.none")
                return
            seq = pane.source.seq(pane.cursor)
            self.go(seq, self.session.surface.replacement(seq))

    # The command line

    def action_command(self) -> None:
        command = self.query_one("#command", CommandLine)
        command.display = True
        # At once, not when messages are next handled: keys already typed belong to the line.
        self.set_focus(command)

    def on_command_line_closed(self, closed: CommandLine.Closed) -> None:
        self.query_one("#command", CommandLine).display = False
        if closed.refocus:
            self.set_focus(self.pane(self._pane))

    def on_command_line_entered(self, entered: CommandLine.Entered) -> None:
        text = entered.text
        moment = named_moment(self.session, text)
        if moment is not None:
            if moment > self.session.end:
                self._say("command.past-end", end=self.session.end)
            moment = min(moment, self.session.end)
            self.go(moment, self.session.surface.replacement(moment))
            return
        if text.lower().startswith("turn "):
            self._say("command.no-turn", turn=text[5:].strip())
            return
        wanted = text.casefold()
        for binding in VIEWER_KEYS:
            if wanted in (binding.description.casefold(), binding.action):
                self.run_worker(self.run_action(binding.action), exclusive=False)
                return
        self._search_commands(text)

    def _search_commands(self, text: str) -> None:
        """Opens the palette of all commands with the text already in it."""
        if not self._roomy():
            return
        palette = CommandPalette(placeholder=say("command.search"))

        def ask() -> None:
            palette.query_one(Input).value = text

        self.app.push_screen(palette)
        palette.call_after_refresh(ask)

    def commands(self) -> list[tuple[str, str]]:
        """Every action of the viewer with its name, for the palette."""
        return [(one.description, one.action) for one in VIEWER_KEYS]

    # Panes

    def action_pane(self, name: str) -> None:
        self.pane(name).focus()

    def action_pane_by(self, by: int) -> None:
        self.action_pane(PANES[(PANES.index(self._pane) + by) % len(PANES)])

    def action_zoom(self) -> None:
        self._zoomed = not self._zoomed
        self._arrange()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if isinstance(event.widget, Pane) and event.widget.id:
            self._pane = event.widget.id
            self._arrange()

    def on_resize(self, event: events.Resize) -> None:
        self._arrange()
        self._tell()

    def _arrange(self) -> None:
        shown = panes_shown(self.size.width, self._pane, self._zoomed)
        for name in PANES:
            pane = self.pane(name)
            pane.display = name in shown
            pane.border_title = self._title(name) if len(shown) > 1 else self._tabs(name)

    def _title(self, name: str) -> str:
        words = say("events.title") if name == "stream" and self._all_events else say(f"pane.{name}")
        return f"{PANES.index(name) + 1} {words}"

    def _tabs(self, shown: str) -> Content:
        """The names of all panes, for a pane that stands alone in front of the others."""
        names = [Content.styled(self._title(name), "reverse" if name == shown else "") for name in PANES]
        return Content("  ").join(names)

    def on_pane_folded(self, folded: Pane.Folded) -> None:
        source = folded.pane.source
        if isinstance(source, SurfaceSource):
            replacement = source.replacement(folded.position)
            if replacement is not None:
                self._folds[replacement.seq] = folded.unfold
                self._show()

    # Else

    def action_all_events(self) -> None:
        """The stream pane shows attempts, or every event; the place in the log stays."""
        pane = self.pane("stream")
        seq = pane.source.seq(pane.cursor) if len(pane.source) else 0
        self._all_events = not self._all_events
        pane.unfolded.clear()
        self._show()
        pane.look_at(seq, above=pane.size.height // 3)
        self._arrange()

    def action_colours(self) -> None:
        """Tool output in the colours it asks for, or with its escape sequences as signs."""
        self._colours = not self._colours
        self._show()
        self._say("colours.on" if self._colours else "colours.off")

    def action_detail(self) -> None:
        pane = self.pane(self._pane)
        row = pane.source.row(pane.cursor) if len(pane.source) else None
        if row is not None:
            self.app.push_screen(DetailScreen(self.session, row))

    def action_conditions(self) -> None:
        try:
            with self.session.log.lock:
                found = conditions_at(self.session, self.moment)
        except (ValueError, KeyError, OSError) as error:
            self._refuse(say("part.unreadable", reason=error))
        else:
            self.app.push_screen(ConditionsScreen(self.moment, found))

    def action_relatives(self) -> None:
        if self._roomy():
            self.app.push_screen(RelativesScreen(self.session), self._open)

    def _open(self, path: Path | None) -> None:
        """Opens another log on top of this one; escape comes back."""
        if path is None:
            return
        opened = open_for_viewing(path, self.session.log.container.limits)
        if isinstance(opened, str):
            self._refuse(opened)
        else:
            self.app.push_screen(ViewerScreen(*opened))

    def _roomy(self) -> bool:
        """Whether a list of choices has room; says so if it has not."""
        room = has_room(self.size)
        if not room:
            self._say("screen.too-small")
        return room

    def _refuse(self, reason: str) -> None:
        self.notify(one_line(reason), severity="error", markup=False)

    def action_back(self) -> None:
        if any(isinstance(screen, ViewerScreen) for screen in self.app.screen_stack[:-1]):
            self.dismiss()

    def on_unmount(self) -> None:
        self.session.close()

    def action_notices(self) -> None:
        self.app.push_screen(NoticesScreen(self.session.notices))

    def action_help(self) -> None:
        self.app.push_screen(HelpScreen([*VIEWER_KEYS, *Pane.BINDINGS]))

    def _say(self, key: str, **values: object) -> None:
        self.app.clear_notifications()  # the newest answer is the one that counts
        self.notify(one_line(say(key, **values)), markup=False, timeout=3)
