"""What came out of a candidate: the actual side of every check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Seen:
    """What came out of a candidate. Nothing here is changed by measuring."""

    namespace: Mapping[str, Any]
    """The names after the run."""
    has_result: bool
    """Whether there is a last value; None can be one."""
    result: Any
    """The value of the last expression, or of the last assignment."""
    stdout: str
    """The text printed."""
    error: dict[str, Any] | None
    """`ename`, `evalue` and `mro` (names of the classes of the exception); None if none."""
    before: Mapping[str, Any]
    """The user's variables as they were before the run."""
    effects: dict[str, Any] | None
    """`Effects` as JSON; None when they could not be computed."""
