"""Points in time as nanoseconds: ISO 8601 text as pandas and datetime write it."""

from __future__ import annotations

import datetime
import re
from typing import NamedTuple

_ISO = re.compile(
    r"([+-]?\d{4,})-(\d\d)-(\d\d)"
    r"(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?"
    r"(Z|[+-]\d\d:?\d\d(?::\d\d)?)?)?"
)
_DAY = 86_400


class Instant(NamedTuple):
    """A point in time."""

    nanoseconds: int
    """Since 1970; of UTC when there is an offset, of the clock otherwise."""
    offset: int | None
    """Seconds east of UTC; None for a naive time."""


def read_instant(text: str) -> Instant | None:
    """Read `2024-01-31`, `2024-01-31 12:00`, `2024-01-31T12:00:00.5+02:00`; None if it is none."""
    found = _ISO.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    try:
        days = datetime.date(int(year), int(month), int(day)).toordinal() - 719_163
    except ValueError:
        return None
    clock = int(hour or 0) * 3600 + int(minute or 0) * 60 + int(second or 0)
    if int(hour or 0) > 23 or int(minute or 0) > 59 or int(second or 0) > 59:
        return None
    offset = _offset(zone)
    seconds = days * _DAY + clock - (offset or 0)
    return Instant(seconds * 1_000_000_000 + int((fraction or "").ljust(9, "0")), offset)


def _offset(zone: str | None) -> int | None:
    if zone is None:
        return None
    if zone == "Z":
        return 0
    digits = zone[1:].replace(":", "").ljust(6, "0")
    seconds = int(digits[:2]) * 3600 + int(digits[2:4]) * 60 + int(digits[4:])
    return -seconds if zone[0] == "-" else seconds
