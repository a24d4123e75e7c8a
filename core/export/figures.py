"""Figures as a person reads them: token counts, durations, sizes, dates."""

from __future__ import annotations

from datetime import UTC, datetime


def tokens(count: int) -> str:
    """1234 as 1.2k, 80000 as 80k, 1234567 as 1.2M."""
    if count < 1_000:
        return str(count)
    for limit, divisor, unit in ((999_500, 1_000, "k"), (999_500_000, 1_000_000, "M")):
        if count < limit:
            scaled = count / divisor
            return f"{scaled:.1f}{unit}" if scaled < 99.95 and round(scaled, 1) % 1 else f"{scaled:.0f}{unit}"
    return f"{count / 1_000_000_000:.1f}G"


def count(number: int) -> str:
    """1234567 as 1,234,567."""
    return f"{number:,}"


def duration(ms: int) -> str:
    """850 as 850 ms, 6100 as 6.1 s, 125000 as 2 min 5 s."""
    if ms < 0:
        return f"-{duration(-ms)}"
    if ms < 1_000:
        return f"{ms} ms"
    if ms < 59_950:
        return f"{ms / 1_000:.1f} s"
    minutes, seconds = divmod(round(ms / 1_000), 60)
    if minutes < 60:
        return f"{minutes} min {seconds} s"
    return f"{minutes // 60} h {minutes % 60} min"


def date(ms: int) -> str:
    """Epoch ms as a date and time in UTC; the bare number where no calendar reaches."""
    try:
        return datetime.fromtimestamp(ms / 1_000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (OverflowError, ValueError, OSError):
        return str(ms)
