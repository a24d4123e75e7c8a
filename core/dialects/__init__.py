"""Rows to events, one dialect a format version. Adding a version means adding one module and naming it here."""

from __future__ import annotations

from .dialect import Dialect
from .v0 import V0
from .v1 import V1
from .v2 import V2
from .v3 import V3
from .v4 import V4

DIALECTS: dict[int, Dialect] = {dialect.version: dialect for dialect in (V0, V1, V2, V3, V4)}
