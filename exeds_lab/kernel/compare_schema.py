"""A value against a declared type, columns and shape -> facts."""

from __future__ import annotations

import sys
from typing import Any

from exeds_lab.kernel.compare_dtypes import kind_of_dtype, same_kind
from exeds_lab.kernel.encode_table import dtype_text, shape_of
from exeds_lab.kernel.facts import MAX_ROWS_LISTED, Facts
from exeds_lab.kernel.guard import guarded, type_name

_WORDS = {
    "int": "integer",
    "integer": "integer",
    "float": "floating",
    "str": "text",
    "string": "text",
    "text": "text",
    "bool": "boolean",
    "datetime": "datetime",
    "date": "date",
    "timedelta": "timedelta",
    "category": "category",
    "complex": "complex",
}
"""Words that name a kind and make no claim of an exact dtype."""
_MAX_ELEMENTS = 1_000_000


def compare_schema(expected: dict[str, Any], actual: Any) -> Facts:
    """Compare type, then columns, dtypes and shape; the content is not looked at."""
    facts = Facts()
    if not _compare_type(facts, expected["type"], actual):
        return facts
    if expected["columns"] is not None:
        _compare_columns(facts, expected["columns"], actual)
    if expected["shape"] is not None:
        _compare_shape(facts, expected["shape"], actual)
    if expected["dtype"] is not None:
        _compare_dtype(facts, expected["dtype"], actual)
    return facts


def _compare_type(facts: Facts, wanted: str, actual: Any) -> bool:
    kind = type(actual)
    name = type_name(actual)
    if wanted.rpartition(".")[2] == name and _is_genuine(kind, name):
        return True
    scalar = _numpy_scalar(kind)
    if scalar is not None and _WORDS.get(wanted) == kind_of_dtype(scalar):
        facts.add("dtype", column="", expected=wanted, actual=scalar, same_kind=True)
        return True
    facts.add("type", expected=wanted, actual=name)
    if any(one.__name__ == wanted for one in kind.__mro__[1:]):
        facts.hint(f"{name} is a subclass of {wanted}")
    return False


def _is_genuine(kind: type, name: str) -> bool:
    """A class that only bears the name of a known one is not that one."""
    for module in ("builtins", "pandas", "numpy"):
        known = getattr(sys.modules.get(module), name, None)
        if isinstance(known, type):
            return kind is known
    return True


def _numpy_scalar(kind: type) -> str | None:
    numpy = sys.modules.get("numpy")
    if numpy is None or not issubclass(kind, numpy.generic):
        return None
    name = kind.__name__
    if getattr(numpy, name, None) is not kind:
        return None
    return {"str_": "str", "bool_": "bool"}.get(name, name)


def _compare_columns(facts: Facts, columns: list[dict[str, Any]], actual: Any) -> None:
    frame = sys.modules.get("pandas")
    if frame is None or type(actual) is not frame.DataFrame:
        why = f"{type_name(actual)} has no columns"
        facts.add("incomparable", expected="columns", actual=type_name(actual), why=why)
        return
    names = [str(column["name"]) for column in columns]
    given = [_label(label) for label in actual.columns.tolist()]
    missing, extra = _without(names, given), _without(given, names)
    if missing or extra:
        facts.add_columns(missing, extra)
    elif names != given:
        moved = sum(1 for left, right in zip(names, given) if left != right)
        facts.add(
            "order",
            axis="columns",
            moved=moved,
            expected=names[:MAX_ROWS_LISTED],
            actual=given[:MAX_ROWS_LISTED],
        )
        facts.hint("columns in another order")
    _compare_column_dtypes(facts, columns, given, actual)


def _label(label: Any) -> str:
    if type(label) is str:
        return label
    return " / ".join(str(part) for part in label) if type(label) is tuple else str(label)


def _without(names: list[str], others: list[str]) -> list[str]:
    rest = list(others)
    missing = []
    for name in names:
        if name in rest:
            rest.remove(name)
        else:
            missing.append(name)
    return missing


def _compare_column_dtypes(
    facts: Facts, columns: list[dict[str, Any]], given: list[str], actual: Any
) -> None:
    renamed = len(columns) == len(given)
    for at, column in enumerate(columns):
        name = str(column["name"])
        place = given.index(name) if name in given else at
        if column["dtype"] is not None and (name in given or renamed):
            _add_dtype(facts, name, column["dtype"], actual.iloc[:, place])


def _add_dtype(facts: Facts, column: str, wanted: str, series: Any) -> None:
    given = dtype_text(series.dtype)
    if wanted == given:
        return
    left, right = kind_of_dtype(wanted), _kind_of_series(given, series)
    if wanted in _WORDS and _is_word_for(wanted, given, left, right):
        return
    same = same_kind(left, right)
    facts.add("dtype", column=column, expected=wanted, actual=given, same_kind=same)


def _is_word_for(wanted: str, given: str, left: str, right: str) -> bool:
    if wanted == "datetime" and right.startswith("datetime"):
        return True
    return left == right or _WORDS[wanted] == kind_of_dtype(given)


_INFERRED = {
    "string": "text",
    "integer": "integer",
    "floating": "floating",
    "boolean": "boolean",
    "datetime": "datetime",
    "datetime64": "datetime",
    "date": "date",
    "timedelta": "timedelta",
    "decimal": "decimal",
    "empty": "empty",
    "bytes": "bytes",
    "complex": "complex",
}


def _kind_of_series(dtype: str, series: Any) -> str:
    if dtype != "object":
        return kind_of_dtype(dtype)
    infer = sys.modules["pandas"].api.types.infer_dtype
    return _INFERRED.get(str(guarded(lambda: infer(series, skipna=True))), "object")


def _compare_shape(facts: Facts, wanted: list[int | None], actual: Any) -> None:
    given = shape_of(actual)
    if given is None and type(actual) in (list, tuple, dict, set, frozenset, str, range, bytes):
        given = (len(actual),)
    if given is None:
        size = guarded(lambda: len(actual))
        if type(size) is not int:
            why = f"{type_name(actual)} has no length"
            facts.add("incomparable", expected=_shape(wanted), actual=type_name(actual), why=why)
            return
        given = (size,)
    claimed = [*wanted, *(None for _ in range(len(given) - len(wanted)))]
    fits = len(claimed) == len(given) and (len(wanted) == len(given) or len(wanted) == 1)
    if not fits or any(one not in (None, other) for one, other in zip(claimed, given)):
        facts.add("shape", expected=_shape(wanted), actual=_shape(list(given)))


def _shape(shape: list[int | None]) -> str:
    return " x ".join("any" if length is None else f"{length:,}" for length in shape)


def _compare_dtype(facts: Facts, wanted: str, actual: Any) -> None:
    if type(actual) in (list, tuple, set, frozenset):
        _compare_elements(facts, wanted, actual)
        return
    if shape_of(actual) is None or not hasattr(actual, "dtype"):
        why = f"{type_name(actual)} has no dtype"
        facts.add("incomparable", expected=wanted, actual=type_name(actual), why=why)
        return
    pandas = sys.modules.get("pandas")
    if pandas is not None and type(actual) is pandas.Series:
        _add_dtype(facts, "", wanted, actual)
        return
    given = "str" if actual.dtype.kind == "U" else str(actual.dtype)
    if wanted != given and not (wanted in _WORDS and _WORDS[wanted] == kind_of_dtype(given)):
        same = same_kind(kind_of_dtype(wanted), kind_of_dtype(given))
        facts.add("dtype", column="", expected=wanted, actual=given, same_kind=same)


def _compare_elements(facts: Facts, wanted: str, actual: Any) -> None:
    """The elements of a list are of exactly this type."""
    if len(actual) > _MAX_ELEMENTS:
        why = "it is too large to look at every element"
        facts.add("incomparable", expected=wanted, actual=type_name(actual), why=why)
        return
    for at, element in enumerate(actual):
        name = type_name(element)
        if name != wanted or not _is_genuine(type(element), name):
            column = f"[{at}]" if type(actual) in (list, tuple) else ""
            same = _WORDS.get(wanted) == kind_of_dtype(_numpy_scalar(type(element)) or name)
            genuine = _is_genuine(type(element), name) and name != wanted
            facts.add(
                "dtype", column=column, expected=wanted, actual=name, same_kind=same and genuine
            )
