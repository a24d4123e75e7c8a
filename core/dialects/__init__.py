"""Rows to events, one dialect a format version. Adding a version means adding one module here."""

from __future__ import annotations

from .dialect import Dialect
from .v0 import V0

DIALECTS: dict[int, Dialect] = {dialect.version: dialect for dialect in (V0,)}
