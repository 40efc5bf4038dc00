from __future__ import annotations

import json
import subprocess
import sys

HEAVY = (
    "IPython",
    "alembic",
    "click",
    "httpx",
    "nbclient",
    "nbformat",
    "numpy",
    "openai",
    "pandas",
    "pydantic",
    "rich",
    "sqlalchemy",
    "xllamacpp",
)

PROGRAM = """
import json, sys
import jupyter_server.serverapp
before = set(sys.modules)
import exeds_lab.server.extension
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def test_loading_the_extension_imports_our_four_modules_and_nothing_else() -> None:
    """What a running server has anyway is not counted; pydantic comes at the first request."""
    out = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True
    ).stdout

    assert json.loads(out) == [
        "exeds_lab",
        "exeds_lab._version",
        "exeds_lab.server",
        "exeds_lab.server.extension",
        "exeds_lab.server.gate",
        "exeds_lab.server.routes",
        "exeds_lab.server.settings",
    ]


def test_importing_the_package_alone_loads_nothing_heavy() -> None:
    program = f"import sys, exeds_lab; print([m for m in {HEAVY!r} if m in sys.modules])"
    out = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout

    assert out == "[]\n"
