"""Version 4: dsh 0.1.7 and 0.2. Tool results are plain messages, developer messages change tools (formats 9.4)."""

from __future__ import annotations

from . import shapes
from .developer import binding_fault
from .dialect import Dialect, as_is
from .operations import OperationRules
from .results import blank_plain_result, plain_result_fault
from .retired import retired_since_v4
from .vocabulary import CODE_DISPATCH

V4 = Dialect(
    version=4,
    surface=frozenset({"user/message", "system/message", "developer/message", "assistant/message", "tool/result"}),
    packed=False,
    rules=OperationRules("startSeq", "endSeq", assistants_cite=False, ends_before_self=True, sources_first=True),
    checks={
        "user/message": shapes.user_fault,
        "system/message": shapes.system_fault,
        "developer/message": shapes.developer_fault,
        "assistant/message": shapes.assistant_fault,
        "tool/result": plain_result_fault,
        "request/header": shapes.request_header_fault,
    },
    normalise=as_is,
    legacy_ids=False,
    blank_result=blank_plain_result,
    retired=retired_since_v4,
    seed_field="isSeeded",
    dropped=CODE_DISPATCH,
    skips_ignorable=True,
    protects_head=True,
    offloads=True,
    binding=binding_fault,
)
