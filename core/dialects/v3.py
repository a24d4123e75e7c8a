"""Version 3: dsh 0.1.5 and 0.1.6. The system prompt is a node of the surface, images can be offloaded (formats 9.3)."""

from __future__ import annotations

from . import shapes
from .dialect import Dialect, as_is
from .operations import OperationRules
from .results import blank_wrapped_result, wrapped_failure_fault
from .retired import retired_since_v3
from .vocabulary import CODE_DISPATCH

V3 = Dialect(
    version=3,
    surface=frozenset({"user/message", "system/message", "assistant/message", "tool/result"}),
    packed=False,
    rules=OperationRules("startSeq", "endSeq", assistants_cite=False, ends_before_self=True, sources_first=True),
    checks={
        "user/message": shapes.user_fault,
        "system/message": shapes.system_fault,
        "assistant/message": shapes.assistant_fault,
        "tool/result": wrapped_failure_fault,
        "request/header": shapes.request_header_fault,
    },
    normalise=as_is,
    legacy_ids=False,
    blank_result=blank_wrapped_result,
    retired=retired_since_v3,
    seed_field="isSeeded",
    dropped=CODE_DISPATCH,
    skips_ignorable=True,
    protects_head=True,
    offloads=True,
)
