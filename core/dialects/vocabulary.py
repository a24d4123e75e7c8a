"""Every event type a released version knows (formats 4.2). A union: what any version knows is never unknown."""

from __future__ import annotations

LOG_TYPES = frozenset(
    """
    turn/start turn/end step/start step/end
    user/message system/message developer/message assistant/chunk assistant/message assistant/attempt
    tool/call tool/result tool/code-dispatch-start tool/code-dispatch tool/ptc-dispatch-start tool/ptc-dispatch
    request/header request/context session/end-seed session/title session/title-llm-request
    agent/inbox/spliced agent-preset/selected approval/asked approval/decided approval/policy
    command/run command/done compaction/start compaction/summary compaction/end compaction/prune
    deliverables/presented feedback/record feedback/message-put feedback/message-delete goal/change
    hook/invoked hook/result image/offload llm/retry llm/retry-started model/selection permission/preset
    plan/mode sandbox/mode schedule/change session-log-deepseek/delivery-accepted
    subagent/descriptor subagent/catalog subagent/model-selection-policy
    team/member team/task team/message/queued team/message/delivered todo/write
    tool-workflow/run-start tool-workflow/agent-start tool-workflow/agent-end tool-workflow/run-end
    web/deepseek-search-llm-request job/registered job/settled workspace/changes
    """.split()
)

CODE_DISPATCH = frozenset({"tool/code-dispatch-start", "tool/code-dispatch"})
"""Inner tool calls up to v2; later versions call them tool/ptc-dispatch."""

LEGACY_TYPES = frozenset({"steering/message", "compact/start", "compact/summary", "compact/end", "compact/prune"})
"""Types of early v0 that are read as their later forms."""

RETIRED_TYPES = frozenset({"request/header-delta", "mode/set"})
"""Types that upstream refuses in every version."""
