"""Conditions: settings, tools and system prompt of a request made at the moment."""

from __future__ import annotations

from textual.content import Content

from ...core.catalogue import say
from ...core.export.figures import count, tokens
from ...core.export.plain import clean, one_line
from ...core.views.conditions import Conditions
from .page import Page


def conditions_lines(found: Conditions | None) -> list[str]:
    """What the page says, as plain text."""
    if found is None:
        return [say("conditions.none")]
    lines = [f"{say('conditions.model')}: {found.provider}/{found.model} (#{found.header})"]
    if found.window is not None:
        lines.append(f"{say('conditions.window')}: {count(found.window)}")
    if found.settings:
        told = ", ".join(f"{key} {value}" for key, value in found.settings.items())
        lines.append(f"{say('conditions.settings')}: {told}")
    lines += ["", say("conditions.tools", count=len(found.tools))]
    lines += [f"  {tool.name}: {tool.description}" for tool in found.tools]
    lines.append("")
    if found.system:
        place = f" #{found.system_seq}" if found.system_seq is not None else ""
        lines.append(say("conditions.system", tokens=tokens(found.system_tokens)) + place)
        return [*map(one_line, lines), clean(found.system)]
    lines.append(say("conditions.no-system"))
    return [one_line(line) for line in lines]


class ConditionsScreen(Page):
    def __init__(self, moment: int, found: Conditions | None) -> None:
        content = Content("\n").join(Content(line) for line in conditions_lines(found))
        super().__init__(say("conditions.title", seq=max(0, moment)), content)
