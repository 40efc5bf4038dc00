"""The exception raised against the one expected -> facts."""

from __future__ import annotations

import re
from typing import Any

from exeds_lab.kernel.facts import Facts, short


def compare_exception(expected: dict[str, Any], error: dict[str, Any] | None) -> Facts:
    """Compare the class (a subclass counts) and the message."""
    facts = Facts()
    if error is None:
        facts.add("exception", expected=_wanted(expected), actual="nothing was raised")
        return facts
    actual = f"{error.get('ename', '')}: {error.get('evalue', '')}"
    name = expected["type"].rpartition(".")[2]
    names = {str(one).rpartition(".")[2] for one in (*error.get("mro", ()), error.get("ename"))}
    pattern = expected["pattern"]
    if name not in names:
        facts.add("exception", expected=_wanted(expected), actual=short(actual))
    elif pattern is not None and re.search(pattern, str(error.get("evalue", ""))) is None:
        facts.add("exception", expected=_wanted(expected), actual=short(actual))
        facts.hint(f"the right exception, with another message: {short(str(error.get('evalue')))}")
    return facts


def _wanted(expected: dict[str, Any]) -> str:
    pattern = expected["pattern"]
    return str(expected["type"] if pattern is None else f'{expected["type"]} matching "{pattern}"')
