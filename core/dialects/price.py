"""The harness's heuristic token price of a message (formats 7.5). An estimate, in tokens."""

from __future__ import annotations

import json
from typing import Any


def _units(text: str) -> int:
    """Length in UTF-16 code units, as JavaScript counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _tokens(units: int) -> int:
    return -(-units // 4)


def price_block(block: Any) -> int:
    kind = block.get("type") if isinstance(block, dict) else None
    if kind in ("text", "reasoning") and isinstance(block.get("text"), str):
        return _tokens(_units(block["text"])) + 4
    if kind == "tool-call" and isinstance(block.get("name"), str) and isinstance(block.get("arguments"), str):
        return _tokens(_units(block["name"])) + _tokens(_units(block["arguments"])) + 4
    if kind == "tool-result" and isinstance(block.get("content"), list):
        return sum(map(price_block, block["content"])) + 4
    return 4 + _tokens(_units(json.dumps(block, ensure_ascii=False, separators=(",", ":"))))


def price(message: Any) -> int:
    """Tokens of one message; 0 for what is no message."""
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, list):
        return 0
    try:
        return sum(map(price_block, content)) + 4
    except RecursionError:  # nested beyond any real message; it has no sensible price
        return 0
