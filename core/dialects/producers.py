"""Who produced a message: source kinds of all versions under one set of names (formats 5.3).

Only "user" is a person. The names are those of v4; a third-party producer reads `plugin:NAME`.
"""

from __future__ import annotations

from typing import Any

PERSON = "user"
CHECKPOINT = "compact-checkpoint"

_PLUGINS = {
    "compact": CHECKPOINT,
    "dsh-compaction-basic": "compact-basic",
    "tools-code-mode": "ptc-mode",
    "tools-ptc": "ptc-mode",
}
_SYSTEM_PROMPT_PLUGIN = "@deepseek-ai/dsh-system-prompt"
_RENAMED = {"workspace-instructions": "agent-instructions"}
_FIRST_PARTY = frozenset(
    """
    agent-instructions session-reference team-message goal skill-invocation skill-catalog coordinator
    subagent-report subagent-settled webhook agent-message model-selection plan-mode time-context tmux-context
    user-approval repeat-tool-reminder tool-cordis cordis-host-runner tool-goal tool-jobs hooks-codex
    hooks-claude-code schedule dsh-session-title-llm
    """.split()
)


def producer(source: Any, role: str) -> str:
    """The canonical producer name of a message source. Never raises on odd input."""
    if not isinstance(source, dict):
        return ""
    kind = source.get("kind")
    if not isinstance(kind, str):
        return ""
    if kind != "plugin":
        return _RENAMED.get(kind, kind)
    plugin = source.get("plugin")
    if not isinstance(plugin, str):
        return "plugin:"
    if plugin == _SYSTEM_PROMPT_PLUGIN:
        return "system-prompt" if role == "system" else "runtime-context"
    if plugin in _PLUGINS:
        return _PLUGINS[plugin]
    return plugin if plugin in _FIRST_PARTY else f"plugin:{plugin}"
