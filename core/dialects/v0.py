"""Version 0: dsh 0.0.1-rc.1 to 0.1.2-rc.1, several dialects under one number (formats 9.0)."""

from __future__ import annotations

from . import legacy, shapes
from .dialect import Dialect
from .operations import OperationRules
from .results import blank_wrapped_result, wrapped_result_fault
from .retired import retired_always

V0 = Dialect(
    version=0,
    surface=frozenset({"user/message", "assistant/message", "tool/result"}),
    packed=True,
    rules=OperationRules("start", "end", assistants_cite=True),
    checks={
        "user/message": shapes.user_fault,
        "assistant/message": shapes.assistant_fault,
        "tool/result": wrapped_result_fault,
        "request/header": shapes.request_header_fault,
    },
    normalise=legacy.normalise,
    legacy_ids=True,
    blank_result=blank_wrapped_result,
    retired=retired_always,
    seed_field="seedLength",
)
