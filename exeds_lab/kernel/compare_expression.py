"""A Python expression that must be true -> facts, with the values of its parts."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Mapping
from typing import Any

from exeds_lab.kernel.facts import Facts, short
from exeds_lab.kernel.guard import REPR_SECONDS, guarded, guarded_repr, module_name, type_name
from exeds_lab.kernel.seen import Seen

_MAX_VALUES = 12
_RECORD = "_exeds_record_"


class Before:
    """The user's variables before the run: `before.df`."""

    def __init__(self, names: Any) -> None:
        self._names = names

    def __getattr__(self, name: str) -> Any:
        """The value that a name had."""
        if name in self._names:
            return self._names[name]
        raise AttributeError(f"there was no variable {name} before the run")


def compare_expression(expression: str, seen: Seen) -> Facts:
    """Evaluate an expression on what came out; anything but a true bool is a difference."""
    facts = Facts()
    parts = _Parts(seen.before)
    try:
        tree = ast.parse(expression.strip(), mode="eval")
        wrapped = ast.fix_missing_locations(parts.visit(tree))
        names = _names(tree, seen)
        names[_RECORD] = parts.record
        outcome = eval(compile(wrapped, "<check>", "eval"), names)
    except BaseException as problem:
        _add(facts, expression, parts, _told(problem))
        return facts
    judged = _truth(outcome)
    if judged is None:
        why = f"the check gives {guarded_repr(outcome, 100)}, not True or False"
        facts.add("incomparable", expected="True", actual=type_name(outcome), why=why)
    elif not judged:
        _add(facts, expression, parts, None)
    elif parts.own_rules is not None:
        why = f"{parts.own_rules} was defined by the candidate and compares by rules of its own"
        facts.add("incomparable", expected="True", actual=parts.own_rules, why=why)
    return facts


def _add(facts: Facts, expression: str, parts: _Parts, error: str | None) -> None:
    facts.add("expression", expression=expression, values=parts.texts(), error=error)


def _told(problem: BaseException) -> str:
    text = guarded(lambda: str(problem), REPR_SECONDS)
    if type(text) is not str or not text:
        return type_name(problem)
    return short(f"{type_name(problem)}: {text}")


def _truth(outcome: Any) -> bool | None:
    """The truth of a bool of Python or numpy; None for everything else."""
    if type(outcome) is bool:
        return outcome
    numpy = sys.modules.get("numpy")
    if numpy is not None and type(outcome) is numpy.bool_:
        return bool(outcome)
    return None


def _names(tree: ast.Expression, seen: Seen) -> dict[str, Any]:
    """What the expression sees.

    A `result` left over from earlier is no result of this candidate. A function of Python that
    the candidate has overwritten (`sum = ...`) is called as Python's own.
    """
    names = dict(seen.namespace)
    if seen.has_result and seen.error is None:
        names["result"] = seen.result
    elif "result" not in _touched(seen):
        names.pop("result", None)
    names["before"] = Before(seen.before)
    names["__builtins__"] = builtins
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    for name in called:
        if hasattr(builtins, name) and name in names and name not in seen.before:
            del names[name]
    return names


def _touched(seen: Seen) -> set[str]:
    effects = seen.effects or {}
    return {*effects.get("created", ()), *effects.get("rebound", ())}


class _Parts(ast.NodeTransformer):
    """Wraps the parts of an expression so that their values are noted as it is evaluated."""

    def __init__(self, before: Mapping[str, Any]) -> None:
        self._before = before
        self._sources: list[str] = []
        self._values: dict[int, Any] = {}
        self._compared: set[int] = set()
        self.own_rules: str | None = None
        """A class of the candidate's that decides a comparison by its own methods."""

    def record(self, place: int, value: Any) -> Any:
        """Note a value and hand it on."""
        self._values[place] = value
        if place in self._compared and self.own_rules is None and self._judges_itself(value):
            self.own_rules = type_name(value)
        return value

    def _judges_itself(self, value: Any) -> bool:
        """Whether a class that did not exist before the run defines how it compares."""
        kind = type(value)
        if module_name(value) != "__main__" or self._before.get(type_name(value)) is kind:
            return False
        return any("__eq__" in one.__dict__ for one in kind.__mro__ if one is not object)

    def texts(self) -> list[list[str]]:
        """The parts with their values, the larger parts first."""
        found = [
            (self._sources[place], guarded_repr(value, 200))
            for place, value in sorted(self._values.items())
            if type(value) is not type(sys) and not callable(value)
        ]
        unique = dict(found)
        return [[source, text] for source, text in list(unique.items())[:_MAX_VALUES]]

    def visit(self, node: ast.AST) -> Any:
        """Wrap a node, after its parts."""
        if isinstance(node, (ast.Lambda, ast.comprehension, *_COMPREHENSIONS)):
            return node  # their names live only inside them
        place = self._place(node) if isinstance(node, _SHOWN) and _is_read(node) else None
        if isinstance(node, ast.Compare):
            return self._compare(node)
        if isinstance(node, ast.Call):
            node.args = [self.visit(one) for one in node.args]
            for keyword in node.keywords:
                keyword.value = self.visit(keyword.value)
            if isinstance(node.func, ast.Attribute):
                node.func.value = self.visit(node.func.value)
        else:
            self.generic_visit(node)
        return node if place is None else self._wrapped(node, place)

    def _compare(self, node: ast.Compare) -> ast.AST:
        node.left = self.visit(node.left)
        node.comparators = [self.visit(one) for one in node.comparators]
        for side in (node.left, *node.comparators):
            if isinstance(side, ast.Call) and _name_of(side.func) == _RECORD:
                self._compared.add(ast.literal_eval(side.args[0]))
        return node

    def _place(self, node: ast.AST) -> int:
        self._sources.append(ast.unparse(node))
        return len(self._sources) - 1

    def _wrapped(self, node: ast.AST, place: int) -> ast.AST:
        arguments: list[Any] = [ast.Constant(place), node]
        return ast.Call(ast.Name(_RECORD, ast.Load()), arguments, [])


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SHOWN = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp)


def _name_of(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _is_read(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
