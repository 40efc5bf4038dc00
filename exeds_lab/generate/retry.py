"""When to ask again.

The client's own retries are switched off: it would also ask a silent server three times, ask again
when the quota is used up, and cannot tell whether text was already shown.
"""

from __future__ import annotations

import email.utils
import random
import time
from collections.abc import Mapping

LONGEST_WAIT_S = 60.0
"""A server that asks for a longer wait is reported instead."""

_FIRST_WAIT_S = 0.5
_LONGEST_BACKOFF_S = 8.0


def backoff_s(attempt: int) -> float:
    """Seconds before attempt `attempt + 1` (0-based): doubled each time, with up to 25 % less."""
    wait = min(_FIRST_WAIT_S * 2.0**attempt, _LONGEST_BACKOFF_S)
    return wait * (1 - 0.25 * random.random())


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait; None when it does not say.

    Reads `retry-after-ms`, and `retry-after` as seconds or as a date.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    written = headers.get("retry-after")
    seconds = _number(written)
    if seconds is not None or written is None:
        return seconds
    date = email.utils.parsedate_tz(written)
    return None if date is None else max(0.0, email.utils.mktime_tz(date) - time.time())


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None
