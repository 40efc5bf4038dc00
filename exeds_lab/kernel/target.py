"""Where a check looks."""

from __future__ import annotations

from typing import Any, NamedTuple

from exeds_lab.kernel.seen import Seen


class Absent(NamedTuple):
    """The target is not there."""

    what: str
    hint: str | None
    """Why, when it is known."""


def resolve(target: dict[str, Any], seen: Seen) -> Any:
    """The value that a check looks at, or `Absent`.

    A candidate that raised has no last value, whatever was evaluated before that.
    """
    kind = target["target"]
    raised = None if seen.error is None else f"it raised {seen.error.get('ename', 'an exception')}"
    if kind == "stdout":
        return seen.stdout if seen.stdout else Absent("nothing was printed", raised)
    if kind == "variable":
        name = target["name"]
        if raised is None and name in seen.namespace:
            return seen.namespace[name]
        return Absent(f"there is no variable {name}", raised)
    if raised is None and seen.has_result:
        return seen.result
    return Absent("there is no last value", raised)
