"""Version 0: dsh 0.0.1-rc.1 to 0.1.2-rc.1, several dialects under one number."""

from __future__ import annotations

from typing import Any

from . import legacy, shapes
from .dialect import Dialect
from .event import Fault
from .operations import OperationRules
from .vocabulary import RETIRED_TYPES


def _retired(row: dict[str, Any]) -> Fault | None:
    if row["type"] in RETIRED_TYPES:
        return Fault("retired", f"{row['type']} is retired and cannot be interpreted")
    data = row.get("data")
    if row["type"] == "request/header" and isinstance(data, dict) and data.get("reason") == "fallback":
        return Fault("retired", 'request/header with the reason "fallback" is retired')
    return None


def blank_wrapped_result(data: dict[str, Any]) -> Any:
    """E20 before v4: everything but the content of the one tool-result block."""
    message = data["message"]
    block = {key: value for key, value in message["content"][0].items() if key != "content"}
    return {**data, "message": {**message, "content": [block]}}


V0 = Dialect(
    version=0,
    surface=frozenset({"user/message", "assistant/message", "tool/result"}),
    packed=True,
    rules=OperationRules("start", "end", assistants_cite=True),
    checks={
        "user/message": shapes.user_fault,
        "assistant/message": shapes.assistant_fault,
        "tool/result": shapes.wrapped_result_fault,
        "request/header": shapes.request_header_fault,
    },
    normalise=legacy.normalise,
    legacy_ids=True,
    blank_result=blank_wrapped_result,
    retired=_retired,
)
