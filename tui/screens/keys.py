"""The viewer's keys: what help, the palette and the command line tell is made from these."""

from __future__ import annotations

from textual.binding import Binding

from ...core.catalogue import say

VIEWER_KEYS = [
    Binding("right_square_bracket,c", "replacement(1)", say("key.next-replacement"), key_display="]"),
    Binding("left_square_bracket,C", "replacement(-1)", say("key.previous-replacement"), key_display="["),
    Binding("right_curly_bracket", "turn(1)", say("key.next-turn"), key_display="}"),
    Binding("left_curly_bracket", "turn(-1)", say("key.previous-turn"), key_display="{"),
    Binding("full_stop", "event(1)", say("key.next-event"), key_display="."),
    Binding("comma", "event(-1)", say("key.previous-event"), key_display=","),
    Binding("b", "before", say("key.before-after")),
    Binding("m", "moment_here", say("key.moment-here")),
    Binding("colon", "command", say("key.command"), key_display=":"),
    Binding("tab", "pane_by(1)", say("key.next-pane")),
    Binding("shift+tab", "pane_by(-1)", say("key.previous-pane")),
    Binding("1", "pane('stream')", say("key.pane", pane=say("pane.stream"))),
    Binding("2", "pane('history')", say("key.pane", pane=say("pane.history"))),
    Binding("3", "pane('surface')", say("key.pane", pane=say("pane.surface"))),
    Binding("enter", "detail", say("key.detail")),
    Binding("v", "all_events", say("key.all-events")),
    Binding("a", "colours", say("key.colours")),
    Binding("r", "conditions", say("key.conditions")),
    Binding("p", "relatives", say("key.relatives")),
    Binding("R,f5", "reload", say("key.reload")),
    Binding("escape", "back", say("key.back")),
    Binding("z", "zoom", say("key.zoom")),
    Binding("w", "notices", say("key.notices")),
    Binding("question_mark,f1", "help", say("key.help"), key_display="?"),
    Binding("q", "app.quit", say("key.quit")),
]
