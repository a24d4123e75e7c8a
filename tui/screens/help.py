"""Help: every key, made from the real bindings, and what the signs mean."""

from __future__ import annotations

from collections.abc import Iterable

from textual.binding import Binding, BindingType
from textual.content import Content

from ...core.catalogue import ENGLISH, say
from .page import Page

_GROUPS = {
    "help.moment": ("replacement", "turn", "event", "before", "moment_here", "command"),
    "help.cursor": ("move", "page", "top", "bottom", "unfold"),
    "help.panes": ("pane_by", "pane", "zoom"),
}
_SIGNS = {
    "right_square_bracket": "]",
    "left_square_bracket": "[",
    "right_curly_bracket": "}",
    "left_curly_bracket": "{",
    "full_stop": ".",
    "comma": ",",
    "colon": ":",
    "question_mark": "?",
    "pagedown": "PgDn",
    "pageup": "PgUp",
}


def help_lines(bindings: Iterable[BindingType]) -> list[tuple[str, str]]:
    """Pairs of keys and what they do; a heading has no keys."""
    rest = [binding for binding in bindings if isinstance(binding, Binding)]
    lines: list[tuple[str, str]] = []
    for heading, actions in [*_GROUPS.items(), ("help.other", ())]:
        chosen = [one for one in rest if not actions or one.action.partition("(")[0] in actions]
        rest = [one for one in rest if one not in chosen]
        lines.append(("", say(heading)))
        lines += [(_keys(one.key), one.description) for one in chosen]
    lines.append(("", say("help.glyphs")))
    lines += [tuple(say(key).split(" ", 1)) for key in ENGLISH if key.startswith("help.glyph.")]  # type: ignore[misc]
    return lines


def _keys(keys: str) -> str:
    return " ".join(_SIGNS.get(key, key) for key in keys.split(","))


class HelpScreen(Page):
    def __init__(self, bindings: Iterable[BindingType]) -> None:
        rows: list[Content] = []
        for keys, what in help_lines(bindings):
            if keys:
                rows.append(Content.assemble((f"  {keys:<14}", "bold"), what))
            else:
                rows.append(Content.assemble("\n" if rows else "", (what, "bold underline")))
        super().__init__(say("help.title"), Content("\n").join(rows))
