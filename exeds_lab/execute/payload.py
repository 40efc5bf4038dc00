"""The kernel's half of the product as one expression.

The user's kernel may live in another environment, without exeds_lab or with another version of
it. So the modules of `kernel/` travel as text, under a private name that carries the hash of their
content: loading is idempotent, versions do not mix, and no name enters the user's namespace.
"""

from __future__ import annotations

import ast
import base64
import functools
import hashlib
import json
import zlib
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple

_PACKAGE = "exeds_lab.kernel"
_FOLDER = Path(__file__).parent.parent / "kernel"

_LOADER = """
def load(package, modules):
    import sys, types
    if package in sys.modules:  # two requests found it missing at the same time
        return
    parent = types.ModuleType(package)
    parent.__path__ = []
    made = {package: parent}
    sys.modules[package] = parent
    try:
        for name, source in modules:
            module = types.ModuleType(package + "." + name)
            module.__package__ = package
            module.__file__ = "<" + module.__name__ + ">"
            made[module.__name__] = sys.modules[module.__name__] = module
            exec(compile(source, module.__file__, "exec", dont_inherit=True), module.__dict__)
            setattr(parent, name, module)
        parent.agent.install()
    except BaseException:
        for name in made:
            sys.modules.pop(name, None)
        raise
"""


class Payload(NamedTuple):
    """What is sent to a kernel."""

    package: str
    """The private name of the package in the kernel."""
    bootstrap: str
    """An expression that loads it; its value is None."""

    def request(self, body: dict[str, Any]) -> str:
        """Return the expression that hands a request to the agent.

        Its value is `'taken'`, or `'missing'` when the payload is not loaded.
        """
        text = json.dumps(body, ensure_ascii=True)
        return (
            "(lambda m: 'missing' if m is None else m.agent.handle("
            f"{text!r}))(__import__('sys').modules.get({self.package!r}))"
        )


@functools.cache
def payload() -> Payload:
    """Read `kernel/` once and pack it."""
    sources = {path.stem: path.read_text("utf-8") for path in sorted(_FOLDER.glob("[!_]*.py"))}
    digest = hashlib.sha256(json.dumps(sources, sort_keys=True).encode()).hexdigest()[:12]
    package = f"_exeds_lab_kernel_{digest}"
    modules = [(name, sources[name].replace(_PACKAGE, package)) for name in _in_order(sources)]
    packed = base64.b64encode(zlib.compress(json.dumps(modules).encode(), 9)).decode()
    bootstrap = (
        f"(lambda scope: exec({_LOADER!r}, scope) or scope['load']({package!r}, "
        "__import__('json').loads(__import__('zlib').decompress("
        f"__import__('base64').b64decode({packed!r})))))({{}})"
    )
    return Payload(package, bootstrap)


def _in_order(sources: dict[str, str]) -> list[str]:
    """Module names, each after those it imports: then no importer is needed in the kernel."""
    needs = {name: _imported(source) & set(sources) for name, source in sources.items()}
    return list(TopologicalSorter(needs).static_order())


def _imported(source: str) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == _PACKAGE:
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_PACKAGE + "."):
            names.add(str(node.module).removeprefix(_PACKAGE + "."))
    return names
