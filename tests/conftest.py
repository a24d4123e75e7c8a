"""The same screen everywhere: no animations, one colour depth, one language and zone."""

from __future__ import annotations

import os

os.environ.update(TEXTUAL_ANIMATIONS="none", COLORTERM="truecolor", TERM="xterm-256color", TZ="UTC", LANG="C.UTF-8")
os.environ.pop("NO_COLOR", None)
