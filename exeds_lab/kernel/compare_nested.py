"""Two encoded values, element by element -> facts."""

from __future__ import annotations

import json
from typing import Any

from exeds_lab.kernel.compare_dtypes import kind_of_dtype
from exeds_lab.kernel.compare_scalar import Tolerance, is_nested, match, words_for
from exeds_lab.kernel.facts import MAX_ROWS_LISTED, Facts, short
from exeds_lab.kernel.near import Numbers
from exeds_lab.kernel.ordering import exact_key, sort_key
from exeds_lab.kernel.render import kind_name, pair_text, value_text


def same_value(expected: Any, actual: Any, tolerance: Tolerance) -> bool:
    """Whether two encoded values are equal in every respect but floats within tolerance."""
    facts = Facts()
    Walk(facts, tolerance).compare(expected, actual, "")
    return not facts.differences


def tag(encoded: Any) -> str:
    """What kind of container an encoded value is: its `$`, or `list`; empty for a scalar."""
    if type(encoded) is list:
        return "list"
    return str(encoded["$"]) if type(encoded) is dict and is_nested(encoded) else ""


class Walk:
    """Compares two encoded values and gathers how they differ, with the path of each place."""

    def __init__(self, facts: Facts, tolerance: Tolerance) -> None:
        self._facts = facts
        self._tolerance = tolerance
        self.numbers = Numbers()

    def compare(self, expected: Any, actual: Any, path: str) -> None:
        """Compare what stands at `path`."""
        left, right = tag(expected), tag(actual)
        if not left and not right:
            self._scalars(expected, actual, path)
        elif left != right or (left == "like" and expected["type"] != actual["type"]):
            self._forms(expected, actual, path)
        else:
            self._containers(left, expected, actual, path)

    def _containers(self, kind: str, expected: Any, actual: Any, path: str) -> None:
        if kind == "like":
            self.compare(expected["v"], actual["v"], path)
        elif kind == "list":
            self._sequence(expected, actual, path)
        elif kind == "tuple":
            self._sequence(expected["v"], actual["v"], path)
        elif kind == "dict":
            self._dict(expected["v"], actual["v"], path)
        elif kind == "set":
            self._set(expected["v"], actual["v"], path)
        elif kind == "array":
            self._array(expected, actual, path)
        else:
            self._table(expected, actual, path)

    def _scalars(self, expected: Any, actual: Any, path: str) -> None:
        found = match(expected, actual, self._tolerance)
        names = kind_name(expected), kind_name(actual)
        if found.verdict in ("equal", "kind"):
            if names[0] != names[1] or found.verdict == "kind":
                self._dtype(path, *_zones(expected, actual, names))
        elif found.verdict == "missing":
            self._missing_kind(expected, actual, path)
        elif found.verdict == "type" and not path:
            self._facts.add("type", expected=names[0], actual=names[1])
            self._hint_text(expected, actual)
        else:
            self.numbers.note(expected, actual)
            self._value(expected, actual, path, found.abs_error, found.rel_error)

    def _missing_kind(self, expected: Any, actual: Any, path: str) -> None:
        wanted, given = value_text(expected, 100), value_text(actual, 100)
        self._facts.add("missing_kind", path=path, expected=wanted, actual=given)

    def _hint_text(self, expected: Any, actual: Any) -> None:
        words = words_for(expected, actual)
        if words is not None:
            self._facts.hint(words)

    def _dtype(self, path: str, expected: str, actual: str) -> None:
        same = kind_of_dtype(expected) == kind_of_dtype(actual) and expected != actual
        self._facts.add("dtype", column=path, expected=expected, actual=actual, same_kind=same)

    def _value(
        self,
        expected: Any,
        actual: Any,
        path: str,
        abs_error: float | None = None,
        rel_error: float | None = None,
    ) -> None:
        left, right = value_text(expected, 300), value_text(actual, 300)
        if left == right:
            left, right = pair_text(expected, actual)
        self._facts.add(
            "value",
            path=path,
            expected=left,
            actual=right,
            abs_error=abs_error,
            rel_error=rel_error,
        )

    def _forms(self, expected: Any, actual: Any, path: str) -> None:
        """Two kinds of container: equal after a conversion, or of different types."""
        left, right = elements(expected), elements(actual)
        if left is None or right is None:
            left, right = _mapping(expected), _mapping(actual)
        if left is not None and right is not None:
            inner = Facts()
            Walk(inner, self._tolerance).compare(left, right, path)
            if not inner.is_hard():
                self._add_form(expected, actual, path)
                self._facts.add_all(inner)
                return
        if path:
            self._value(expected, actual, path)
        else:
            self._facts.add("type", expected=kind_name(expected), actual=kind_name(actual))
            self._hint_element(expected, actual)

    def _add_form(self, expected: Any, actual: Any, path: str) -> None:
        wanted, given = kind_name(expected), kind_name(actual)
        where = f"{path} is " if path else ""
        words = f"{where}{article(given)}, not {article(wanted)}"
        self._facts.add("form", expected=wanted, actual=given, conversion=words)

    def _hint_element(self, expected: Any, actual: Any) -> None:
        inside = elements(actual)
        if inside is None or len(inside) != 1 or tag(expected):
            return
        if same_value(expected, inside[0], self._tolerance):
            self._facts.hint(f"the right value inside {article(kind_name(actual))} of one")

    def _sequence(self, expected: list[Any], actual: list[Any], path: str) -> None:
        if len(expected) != len(actual):
            self._lengths(len(expected), len(actual), path)
            return
        inner = Facts()
        walk = Walk(inner, self._tolerance)
        for at, (left, right) in enumerate(zip(expected, actual)):
            walk.compare(left, right, f"{path}[{at}]")
        if not path and inner.is_hard() and self._equal_sorted(expected, actual):
            self._add_order(expected, actual)
        else:
            self._facts.add_all(inner)
            self.numbers.take(walk.numbers)

    def _lengths(self, expected: int, actual: int, path: str) -> None:
        where = f"{path}: " if path else ""
        words = (
            f"{where}{count:,} element{'' if count == 1 else 's'}" for count in (expected, actual)
        )
        wanted, given = words
        self._facts.add("shape", expected=wanted, actual=given)

    def _equal_sorted(self, expected: list[Any], actual: list[Any]) -> bool:
        inner = Facts()
        walk = Walk(inner, self._tolerance)
        for left, right in zip(_sorted(expected), _sorted(actual)):
            walk.compare(left, right, "[]")
        return not inner.differences

    def _add_order(self, expected: list[Any], actual: list[Any]) -> None:
        wanted = [value_text(item, 100) for item in expected]
        given = [value_text(item, 100) for item in actual]
        moved = sum(1 for left, right in zip(wanted, given) if left != right)
        self._facts.add(
            "order",
            axis="rows",
            moved=moved,
            expected=wanted[:MAX_ROWS_LISTED],
            actual=given[:MAX_ROWS_LISTED],
        )
        self._facts.hint("equal after sorting")

    def _dict(self, expected: list[Any], actual: list[Any], path: str) -> None:
        rest = {_key(key): (key, item) for key, item in actual}
        unmatched = []
        for key, item in expected:
            found = rest.pop(_key(key), None)
            if found is None:
                unmatched.append((key, item))
            else:
                self._item(key, item, found, path)
        for key, item in unmatched:
            found = rest.pop(self._numeric_twin(key, rest), None)
            if found is None:
                self._absent(f"{path}[{value_text(key, 100)}]", value_text(item, 300), "missing")
            else:
                self._item(key, item, found, path)
        for key, item in rest.values():
            self._absent(f"{path}[{value_text(key, 100)}]", "no such key", value_text(item, 300))

    def _item(self, key: Any, item: Any, found: tuple[Any, Any], path: str) -> None:
        place = f"{path}[{value_text(key, 100)}]"
        wanted, given = kind_name(key), kind_name(found[0])
        if wanted != given:
            self._dtype(f"key {place}", wanted, given)
        self.compare(item, found[1], place)

    def _numeric_twin(self, key: Any, rest: dict[str, tuple[Any, Any]]) -> str:
        for name, (other, _) in rest.items():
            nested = tag(key) or tag(other)
            if not nested and match(key, other, Tolerance(0.0, 0.0)).verdict == "kind":
                return name
        return ""

    def _absent(self, path: str, expected: str, actual: str) -> None:
        self._facts.add(
            "value", path=path, expected=expected, actual=actual, abs_error=None, rel_error=None
        )

    def _set(self, expected: list[Any], actual: list[Any], path: str) -> None:
        if len(expected) != len(actual):
            self._lengths(len(expected), len(actual), path)
        missing, extra = _without(expected, actual), _without(actual, expected)
        inner = Facts()
        if len(missing) == len(extra):
            walk = Walk(inner, self._tolerance)
            for left, right in zip(_sorted(missing), _sorted(extra)):
                walk.compare(left, right, f"{path}{{}}")
        if len(missing) == len(extra) and not inner.is_hard():
            self._facts.add_all(inner)
        else:
            left, right = (_listed(items) for items in (missing, extra))
            self._absent(path, f"with {left}", f"with {right}")

    def _array(self, expected: Any, actual: Any, path: str) -> None:
        if expected["shape"] != actual["shape"]:
            wanted, given = (_shape(side["shape"]) for side in (expected, actual))
            where = f"{path}: " if path else ""
            self._facts.add("shape", expected=where + wanted, actual=where + given)
            return
        if expected["dtype"] != actual["dtype"]:
            self._dtype(path, expected["dtype"], actual["dtype"])
        inner = Facts()
        walk = Walk(inner, self._tolerance)
        for at, (left, right) in enumerate(zip(expected["v"], actual["v"])):
            walk.compare(left, right, f"{path}{_place(at, expected['shape'])}")
        flat = len(expected["shape"]) == 1 and not path
        if flat and inner.is_hard() and self._equal_sorted(expected["v"], actual["v"]):
            self._add_order(expected["v"], actual["v"])
            return
        self.numbers.take(walk.numbers)
        if expected["dtype"] != actual["dtype"]:
            inner.drop("dtype")  # told once, for the array
        self._facts.add_all(inner)

    def _table(self, expected: Any, actual: Any, path: str) -> None:
        """A table inside another value: everything but floats must be the same."""
        for part in ("form", "columns", "dtypes", "index", "index_names", "name"):
            if json.dumps(expected[part]) != json.dumps(actual[part]):
                words = [short(json.dumps(side[part])) for side in (expected, actual)]
                self._absent(f"{path} {part}", *words)
        if len(expected["rows"]) != len(actual["rows"]):
            self._lengths(len(expected["rows"]), len(actual["rows"]), path or "rows")
            return
        for at, (left, right) in enumerate(zip(expected["rows"], actual["rows"])):
            if len(left) == len(right):
                self._sequence(left, right, f"{path}[{at}]")


def article(name: str) -> str:
    """`a list`, `an ndarray`."""
    return f"{'an' if name[:1].lower() in tuple('aeio') or name == 'ndarray' else 'a'} {name}"


def elements(encoded: Any) -> list[Any] | None:
    """The elements of a one-dimensional container, in order; None for anything else."""
    kind = tag(encoded)
    if kind == "list":
        items: list[Any] = encoded
        return items
    if kind == "like":
        return elements(encoded["v"])
    if kind == "tuple" or (kind == "array" and len(encoded["shape"]) == 1):
        return list(encoded["v"])
    if kind == "table" and len(encoded["columns"]) == 1:
        return [row[0] for row in encoded["rows"]]
    return None


def _mapping(encoded: Any) -> Any | None:
    """The dict that a container holds; None for anything else."""
    if tag(encoded) == "like":
        return _mapping(encoded["v"])
    return encoded if tag(encoded) == "dict" else None


def _zones(expected: Any, actual: Any, names: tuple[str, str]) -> tuple[str, str]:
    if names[0] != names[1]:
        return names
    return value_text(expected, 100), value_text(actual, 100)


def _key(key: Any) -> str:
    plain = key["v"] if type(key) is dict and key["$"] == "scalar" else key
    return json.dumps(plain, sort_keys=True)


def _sorted(items: list[Any]) -> list[Any]:
    return sorted(items, key=lambda item: (sort_key(item), exact_key(item)))


def _without(items: list[Any], others: list[Any]) -> list[Any]:
    gone = {json.dumps(other, sort_keys=True) for other in others}
    return [item for item in items if json.dumps(item, sort_keys=True) not in gone]


def _listed(items: list[Any]) -> str:
    return ", ".join(value_text(item, 60) for item in items[:20]) or "nothing more"


def _shape(shape: list[int]) -> str:
    return "(" + ", ".join(str(length) for length in shape) + ")"


def _place(at: int, shape: list[int]) -> str:
    places: list[str] = []
    for length in reversed(shape):
        places.append(str(at % length))
        at //= length
    return f"[{', '.join(reversed(places))}]"
