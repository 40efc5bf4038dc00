"""Looking at variables without touching them: a fork asks them, the live kernel never does.

A `__repr__` or `__len__` of the user's may raise, sleep or change something; in a fork that costs
at most its deadline, and the variable is then known by its type alone.
"""

from __future__ import annotations

import sys
import types
from typing import Any, Callable

from exeds_lab.kernel import (
    child,
    contain,
    describe,
    effects,
    encode,
    fork,
    frames,
    guard,
    monitor,
    safety,
)

Send = Callable[[dict[str, Any]], None]

_LIMITS = {"timeout_s": 5.0, "memory_mb": 2048, "output_bytes": 1 << 16, "processes": 8}
_MAX_VARIABLES = 500
_MAX_CELLS = 50_000


def variables(request: dict[str, Any], send: Send) -> None:
    """Describe the user's variables; functions, classes and modules are left out."""
    shell = _shell()
    bare = {
        name: _bare(shell.user_ns[name])
        for name in effects.user_names(shell)
        if not isinstance(
            shell.user_ns[name], (type, types.FunctionType, types.BuiltinFunctionType)
        )
    }
    names = list(bare)[:_MAX_VARIABLES]

    def take(frame: frames.Frame) -> None:
        if frame.kind == frames.JSON and "variable" in frame.body:
            bare[frame.body["variable"]] = frame.body["description"]

    def end(_: monitor.Ending) -> None:
        reply = [{"name": name, "description": bare[name]} for name in names]
        send({"event": "done", "variables": reply})

    if not names or safety.why_no_fork("", {}) is not None:
        send({"event": "done", "variables": [{"name": n, "description": bare[n]} for n in names]})
        return
    _fork({**request, "names": names}, _describe_all, take, end)


def read(request: dict[str, Any], send: Send) -> None:
    """Encode the value of an expression, evaluated in a fork."""
    why = safety.why_no_fork(request["expression"], _shell().user_ns)
    if why is not None:
        send(_problem(f"The value cannot be read now: {why}.", "Try again in a moment."))
        return

    def end(ending: monitor.Ending) -> None:
        if ending.done is None:
            took = "Reading the value took too long or ended its process."
            send(_problem(took, "Declare the value by typing it."))
        else:
            send({"event": "done", **ending.done})

    _fork(request, _read, lambda _: None, end)


def probe(request: dict[str, Any], send: Send) -> None:
    """Say whether this kernel can fork and what would hold the fork."""
    ours = {
        "python": ".".join(map(str, sys.version_info[:3])),
        "ipykernel": str(getattr(sys.modules.get("ipykernel"), "__version__", "unknown")),
    }
    why = safety.why_no_fork("", {})
    if why is not None:
        send({"event": "done", "can_fork": False, "why": why, "protections": [], **ours})
        return

    def end(ending: monitor.Ending) -> None:
        words = list((ending.done or {}).get("protections", ()))
        failed = "" if words else "a fork of it could not be set up"
        found = {"can_fork": bool(words), "why": failed, "protections": words}
        send({"event": "done", **found, **ours})

    _fork(request, _protections, lambda _: None, end)


def _fork(
    request: dict[str, Any],
    work: fork.Work,
    take: Callable[[frames.Frame], None],
    end: Callable[[monitor.Ending], None],
) -> None:
    fork.Fork({"limits": _LIMITS, **request}, work, take, end)


def _describe_all(process: child.Child, request: dict[str, Any]) -> None:
    contain.allow_measuring()
    process.writer.send({"started": process.containment.protections})
    for name in request["names"]:
        described = describe.describe(process.shell.user_ns[name])
        process.writer.send({"variable": name, "description": described})
    process.writer.send({"done": {}})


def _read(process: child.Child, request: dict[str, Any]) -> None:
    process.writer.send({"started": process.containment.protections})
    expression = request["expression"]
    try:
        value = eval(expression, process.shell.user_global_ns, process.shell.user_ns)
        encoded = encode.encode(value, _MAX_CELLS)
        process.writer.send({"done": {"value": encoded, "description": describe.describe(value)}})
    except encode.EncodeError as error:
        process.writer.send({"done": {"problem": _words(f"{expression}: {error}")}})
    except Exception as error:
        words = f"There is no value {expression}: {type(error).__name__}: {error}"
        process.writer.send({"done": {"problem": _words(words[:500])}})


def _protections(process: child.Child, request: dict[str, Any]) -> None:
    del request
    process.writer.send({"started": process.containment.protections})
    process.writer.send({"done": {"protections": process.containment.protections}})


def _problem(reason: str, next_step: str) -> dict[str, Any]:
    return {"event": "done", "problem": {"reason": reason, "next_step": next_step}}


def _words(reason: str) -> dict[str, str]:
    next_step = "Name a variable of the notebook, or type the value that you expect."
    return {"reason": reason, "next_step": next_step}


def _bare(value: Any) -> dict[str, Any]:
    """What the type alone tells; calls nothing of the value's."""
    name = guard.type_name(value)
    return {
        "type": name,
        "module": guard.module_name(value),
        "shape": None,
        "columns": None,
        "preview": f"<{name}>",
        "html": None,
        "size_bytes": None,
    }


def _shell() -> Any:
    return sys.modules["IPython"].get_ipython()
