"""The early dialects of version 0, read as its last one (formats 9.0).

Pure changes of shape. Where an early row lacks an id that later rows carry, `LegacyIds`
gives it one in the order of the log; reading the row again needs only that id.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..reading.json import natural
from .dialect import NOTHING, Assigned
from .producers import CHECKPOINT, producer

_ABORTED: dict[str, Any] = {"kind": "aborted", "reason": {"kind": "legacy"}}


def normalise(row: dict[str, Any], assigned: Assigned) -> dict[str, Any]:
    """The row in the last shape of version 0; the very same object if it already has it."""
    kind = row.get("type")
    if not isinstance(kind, str):
        return row
    change = _CHANGES.get(kind)
    if change is None:
        return row
    data = row.get("data")
    if not isinstance(data, dict):
        return row
    new_kind, new_data = change(kind, data, assigned)
    if new_kind == kind and new_data is data:
        return row
    return {**row, "type": new_kind, "data": new_data}


def _steering(_: str, data: dict[str, Any], assigned: Assigned) -> tuple[str, Any]:
    if "message" in data:
        return "user/message", data["message"]
    if "content" in data and "source" in data:
        return "user/message", {
            "id": assigned.get("id"), "role": "user", "content": data["content"], "source": data["source"],
        }  # fmt: skip
    return "steering/message", data


def _compact(kind: str, data: dict[str, Any], assigned: Assigned) -> tuple[str, Any]:
    kind = kind.replace("compact/", "compaction/")
    if "compactionId" in assigned and "compactionId" not in data:
        return kind, {"compactionId": assigned["compactionId"], **data}
    return kind, data


def _turn_start(kind: str, data: dict[str, Any], _: Assigned) -> tuple[str, Any]:
    if "trigger" not in data:
        return kind, data
    return kind, {key: value for key, value in data.items() if key != "trigger"}


def _turn_end(kind: str, data: dict[str, Any], _: Assigned) -> tuple[str, Any]:
    reason = data.get("reason")
    if not isinstance(reason, dict):
        return kind, data
    if reason.get("kind") == "aborted" and "reason" not in reason:
        return kind, {**data, "reason": _ABORTED}
    if reason.get("kind") == "disposed":
        return kind, {**data, "reason": {"kind": "aborted", "reason": {"kind": "disposed"}}}
    if reason.get("kind") == "error" and "error" not in reason:
        failure = reason.get("failure")
        if not isinstance(failure, dict):
            failure = {"message": reason.get("message", ""), "code": reason.get("code", "UNKNOWN")}
        return kind, {**data, "reason": {"kind": "error", "error": failure}}
    return kind, data


def _user(kind: str, data: dict[str, Any], assigned: Assigned) -> tuple[str, Any]:
    if "content" in data and "source" in data and not data.keys() & {"id", "role", "message"}:
        data = {**data, "id": assigned.get("id"), "role": "user"}
    source = data.get("source")
    if "compactionId" in assigned and isinstance(source, dict) and _idless_checkpoint(data):
        data = {**data, "source": {**source, "compactionId": assigned["compactionId"]}}
    return kind, data


def _idless_checkpoint(data: dict[str, Any]) -> bool:
    source = data.get("source")
    return producer(source, "user") == CHECKPOINT and isinstance(source, dict) and "compactionId" not in source


def _assistant(kind: str, data: dict[str, Any], assigned: Assigned) -> tuple[str, Any]:
    provenance = data.get("provenance")
    if "message" in data or "content" not in data or not isinstance(provenance, dict):
        return kind, data
    rest = {key: value for key, value in data.items() if key not in ("content", "provenance")}
    source = {**provenance, "kind": "model"}
    return kind, {
        **rest,
        "message": {"id": assigned.get("id"), "role": "assistant", "content": data["content"], "source": source},
    }


def _result(kind: str, data: dict[str, Any], assigned: Assigned) -> tuple[str, Any]:
    if "message" in data or not {"callId", "content"} <= data.keys():
        return kind, data
    rest = {key: value for key, value in data.items() if key not in ("callId", "content", "isError")}
    failed = {"isError": True} if data.get("isError") is True else {}
    block = {"type": "tool-result", "toolCallId": data["callId"], "content": data["content"], **failed}
    source = {"kind": "tool", "callId": data["callId"]}
    message = {"id": assigned.get("id"), "role": "user", "content": [block], "source": source}
    return kind, {**rest, "message": message}


def _retry(kind: str, data: dict[str, Any], assigned: Assigned) -> tuple[str, Any]:
    return kind, data if "retryId" in data else {**assigned, **data}


def _request_header(kind: str, data: dict[str, Any], _: Assigned) -> tuple[str, Any]:
    header = data.get("header")
    if not isinstance(header, dict) or not isinstance(header.get("messagePrefix"), list):
        return kind, data
    return kind, {**data, "header": {key: value for key, value in header.items() if key != "messagePrefix"}}


_CHANGES: dict[str, Callable[[str, dict[str, Any], Assigned], tuple[str, Any]]] = {
    "steering/message": _steering,
    **{f"compact/{part}": _compact for part in ("start", "summary", "end", "prune")},
    **{f"compaction/{part}": _compact for part in ("start", "summary", "end")},
    "turn/start": _turn_start,
    "turn/end": _turn_end,
    "user/message": _user,
    "assistant/message": _assistant,
    "tool/result": _result,
    "llm/retry": _retry,
    "llm/retry-started": _retry,
    "request/header": _request_header,
}


class LegacyIds:
    """Hands out ids to rows of early v0 that have none, in log order."""

    def __init__(self, session: str, message_id: Callable[[int], str | None]) -> None:
        """message_id: the id of the message of an earlier event, for rewritten tool results."""
        self._session = session
        self._message_id = message_id
        self._compaction: str | None = None
        self._retries: dict[tuple[Any, ...], str] = {}

    def assign(self, row: dict[str, Any], seq: int) -> Assigned:
        """The fields this row should get; empty for nearly every row."""
        kind, data = row.get("type"), row.get("data")
        if not isinstance(kind, str) or not isinstance(data, dict):
            return NOTHING
        if kind == "session/end-seed":
            self._compaction = None
        if kind.startswith(("compact/", "compaction/")):
            return self._compaction_id(kind.partition("/")[2], data, seq)
        if kind in ("llm/retry", "llm/retry-started"):
            return self._retry_id(kind, data, seq)
        if kind in ("user/message", "steering/message", "assistant/message", "tool/result"):
            return self._message(row, data, seq)
        return NOTHING

    def _compaction_id(self, part: str, data: dict[str, Any], seq: int) -> Assigned:
        if part == "prune" or "compactionId" in data:
            return NOTHING
        if part == "start":
            self._compaction = f"legacy-compaction:{self._session}:{seq}"
        mine = self._compaction
        if part == "end":
            self._compaction = None
        return {"compactionId": mine} if mine else NOTHING

    def _retry_id(self, kind: str, data: dict[str, Any], seq: int) -> Assigned:
        if "retryId" in data:
            return NOTHING
        chain = tuple(str(data.get(key)) for key in ("turn", "step"))
        if kind == "llm/retry":
            whole = (*chain, *(str(data.get(key)) for key in ("provider", "policyKey")))
            mine = self._retries.setdefault(whole, f"legacy-retry:{self._session}:{seq}")
            self._retries[chain] = mine
        known = self._retries.get(chain)
        return {"retryId": known} if known else NOTHING

    def _message(self, row: dict[str, Any], data: dict[str, Any], seq: int) -> Assigned:
        fields: dict[str, str] = {}
        if self._compaction and row["type"] == "user/message" and _idless_checkpoint(data):
            fields["compactionId"] = self._compaction
        if "message" not in data and "id" not in data:
            fields["id"] = self._replaced_id(row, seq) or f"legacy-message:{self._session}:{seq}"
        return fields or NOTHING

    def _replaced_id(self, row: dict[str, Any], seq: int) -> str | None:
        op = row.get("surfaceOp")
        if row["type"] != "tool/result" or not isinstance(op, dict):
            return None
        start = natural(op.get("start"))
        return self._message_id(start) if start is not None and start < seq else None
