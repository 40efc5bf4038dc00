"""The kernel's half as one expression, loaded in an interpreter that has no exeds_lab."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from exeds_lab.execute.payload import payload

KERNEL = Path(__file__).parents[2] / "exeds_lab" / "kernel"

PROGRAM = """
import sys, types
class Events:
    def register(self, name, callback): pass
class Kernel:
    control_handlers = {}
class Shell:
    kernel = Kernel()
    events = Events()
ipython = types.ModuleType("IPython")
ipython.get_ipython = lambda: Shell()
sys.modules["IPython"] = ipython
names = dict.fromkeys(["kept"], 1)
before = dict(names)
bundle = sys.stdin.read().split("\\n")
first = eval(bundle[1], names)
loaded = eval(bundle[0], names)
names.pop("__builtins__")
print([first, loaded, names == before, "exeds_lab" in sys.modules,
       list(Kernel.control_handlers)])
"""


def test_it_loads_without_exeds_lab_and_leaves_no_name() -> None:
    bundle = payload()
    probe = f"'missing' if not __import__('sys').modules.get({bundle.package!r}) else 'there'"

    shown = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROGRAM],
        input=f"{bundle.bootstrap}\n{probe}",
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    expected = ["missing", None, True, False, ["exeds_lab_cancel_request"]]
    assert shown.strip() == repr(expected)


def test_a_request_of_any_text_is_one_expression() -> None:
    body = {"do": "trial", "code": "'\"\\\n\t\u2028 é \ud800 \0"}

    expression = payload().request(body)

    assert compile(expression, "request", "eval")
    assert expression.isascii()


def test_it_carries_every_module_under_a_private_name() -> None:
    bundle = payload()

    assert bundle.package.startswith("_exeds_lab_kernel_")
    assert payload() is bundle
    assert len(list(KERNEL.glob("[!_]*.py"))) > 20
