"""palimpsest.core: reads dsh session logs, folds the model surface, projects the views.

It imports neither textual nor rich and prints nothing.
"""

from __future__ import annotations

from .session import Session, open_log

__all__ = ["Session", "open_log"]
