"""Where a check looks."""

from __future__ import annotations

from typing import Any, NamedTuple

from exeds_lab.kernel.seen import Seen

_SHARED = (type(None), bool, int, str, bytes, tuple, frozenset)
"""Types of which Python shares equal objects: setting one anew may leave no trace."""


class Absent(NamedTuple):
    """The target is not there."""

    what: str
    hint: str | None
    """Why, when it is known."""


def resolve(target: dict[str, Any], seen: Seen) -> Any:
    """The value that a check looks at, or `Absent`.

    A candidate that raised has no last value, whatever was evaluated before that; and a variable
    that was there before, and that it left alone, is none of its results.
    """
    kind = target["target"]
    raised = None if seen.error is None else f"it raised {seen.error.get('ename', 'an exception')}"
    if kind == "stdout":
        return seen.stdout if seen.stdout else Absent("nothing was printed", raised)
    if kind == "variable":
        return _variable(target["name"], seen, raised)
    if raised is None and seen.has_result:
        return seen.result
    return Absent("there is no last value", raised)


def _variable(name: str, seen: Seen, raised: str | None) -> Any:
    if raised is not None or name not in seen.namespace:
        return Absent(f"there is no variable {name}", raised)
    value = seen.namespace[name]
    if _was_left_alone(name, value, seen):
        return Absent(f"{name} is what it was before", "the code does not set it")
    return value


def _was_left_alone(name: str, value: Any, seen: Seen) -> bool:
    effects = seen.effects
    if effects is None or name not in seen.before or any(type(value) is one for one in _SHARED):
        return False
    mutated = [one["name"] for one in effects.get("mutated", ())]
    touched = (effects.get("created", ()), effects.get("rebound", ()), mutated)
    return not any(name in names for names in (*touched, effects.get("unproven", ())))
