"""Whether a variable of the user's is what it was -> facts, from the effects of the run."""

from __future__ import annotations

import types
from typing import Any

from exeds_lab.kernel.facts import Facts
from exeds_lab.kernel.seen import Seen

_CODE = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType)


def compare_unchanged(name: str, seen: Seen) -> Facts:
    """Add what happened to a variable that must not change.

    A name whose content could not be followed is incomparable. Modules and plain functions are
    code, not data: they are unchanged when the name still stands for the same object.
    """
    facts = Facts()
    effects = seen.effects
    if effects is None:
        why = "the process ended before its effects could be seen"
        facts.add("incomparable", expected="unchanged", actual="not known", why=why)
    elif name in effects.get("deleted", ()):
        facts.add("changed", name=name, how="deleted")
    elif name in effects.get("rebound", ()):
        facts.add("changed", name=name, how="assigned anew")
    elif name in _mutated(effects):
        facts.add("changed", name=name, how=_mutated(effects)[name])
    elif name in effects.get("created", ()) or name not in seen.before:
        facts.add("absent", what=f"there was no variable {name} before", hint=None)
    elif name in effects.get("unproven", ()) and not _is_same_code(name, seen):
        why = f"what {name} holds could not be followed"
        facts.add("incomparable", expected="unchanged", actual="not known", why=why)
    return facts


def _mutated(effects: dict[str, Any]) -> dict[str, str]:
    return {one["name"]: one["how"] for one in effects.get("mutated", ())}


def _is_same_code(name: str, seen: Seen) -> bool:
    before, after = seen.before.get(name), seen.namespace.get(name)
    return before is after and type(after) in _CODE
