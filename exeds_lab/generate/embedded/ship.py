"""The search as one text that runs in a fork of the user's kernel."""

from __future__ import annotations

import functools
import json
from importlib import resources
from typing import Any

PACKAGE = "exeds_lab.generate.embedded.search"
PRIVATE = "_exeds_lab_search"
"""Name of the shipped package in `sys.modules` of the fork."""
MARK = "@exeds-lab-search "
"""Stands before the line of JSON that the search prints, so that it is found among other output."""

ORDER = (
    "grid",
    "decode",
    "goal",
    "literal",
    "words",
    "sampling",
    "bench",
    "tables",
    "form",
    "finish",
    "keys",
    "vectors",
    "conditions",
    "cases",
    "texts",
    "columns",
    "subsets",
    "reductions",
    "groups",
    "statistics",
    "reshapes",
    "joins",
    "arrays",
    "driver",
    "behaviour",
    "main",
)
"""Every module of the search, each after those that it imports."""

LOADER = """
def _exeds_lab_load(sources, package):
    import sys, types
    sys.modules[package] = types.ModuleType(package)
    for name, source in sources:
        module = types.ModuleType(package + "." + name)
        sys.modules[module.__name__] = module
        setattr(sys.modules[package], name, module)
        exec(compile(source, "<exeds-lab search: " + name + ">", "exec"), module.__dict__)
    return sys.modules[package + ".main"]
"""


@functools.cache
def sources() -> tuple[tuple[str, str], ...]:
    """Name and text of every module, its imports pointing into the private package."""
    folder = resources.files(PACKAGE)
    return tuple(
        (name, (folder / f"{name}.py").read_text("utf-8").replace(PACKAGE, PRIVATE))
        for name in ORDER
    )


def shipped(request: dict[str, Any]) -> str:
    """The code that searches for the request and prints what it found.

    It needs nothing but Python 3.9, pandas and numpy, and leaves no name behind but in
    `sys.modules` of the fork.
    """
    return (
        f"{LOADER}\n"
        f"_exeds_lab_load({list(sources())!r}, {PRIVATE!r})"
        f".run({MARK!r}, __import__('json').loads({json.dumps(request)!r}), globals())\n"
    )
