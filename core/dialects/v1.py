"""Version 1: the layout of v0 in its last shapes. Only seen between source versions, never released (formats 9.1)."""

from __future__ import annotations

from . import shapes
from .dialect import Dialect, as_is
from .operations import OperationRules
from .results import blank_wrapped_result, wrapped_result_fault
from .retired import retired_always

V1 = Dialect(
    version=1,
    surface=frozenset({"user/message", "assistant/message", "tool/result"}),
    packed=True,
    rules=OperationRules("start", "end", assistants_cite=True),
    checks={
        "user/message": shapes.user_fault,
        "assistant/message": shapes.assistant_fault,
        "tool/result": wrapped_result_fault,
        "request/header": shapes.request_header_fault,
    },
    normalise=as_is,
    legacy_ids=False,
    blank_result=blank_wrapped_result,
    retired=retired_always,
    seed_field="seedLength",
)
