"""One log: header, columns of every row, attempts, brackets and notices; payloads are read again when looked at."""

from __future__ import annotations

from .attempts import Attempt, Block
from .brackets import Bracket, Call, Compaction, Prune, Step, Turn
from .log import Log, Salvage
from .usage import Usage

__all__ = ["Attempt", "Block", "Bracket", "Call", "Compaction", "Log", "Prune", "Salvage", "Step", "Turn", "Usage"]
