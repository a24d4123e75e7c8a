"""Version 2: dsh 0.1.3-alpha. Streams move into the messages, the cut is marked by an event (formats 9.2)."""

from __future__ import annotations

from . import shapes
from .dialect import Dialect, as_is
from .operations import OperationRules
from .results import blank_wrapped_result, wrapped_result_fault
from .retired import retired_always

V2 = Dialect(
    version=2,
    surface=frozenset({"user/message", "assistant/message", "tool/result"}),
    packed=False,
    rules=OperationRules("start", "end", assistants_cite=False),
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
    seed_field="isSeeded",
)
