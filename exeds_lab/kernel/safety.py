"""When a fork is safe, and when it is not: reasons, never a hang.

Forking while another thread is inside multi-threaded linear algebra freezes the live kernel: its
atfork handler joins the workers. And native thread pools that run in the kernel do not exist in
the fork: a candidate that touches their library would wait for ever.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
import time
import types
from pathlib import Path
from typing import Any

_COMPUTING = (
    "ipykernel_",
    "<ipython-input",
    *(f"{os.sep}{name}{os.sep}" for name in ("numpy", "scipy", "pandas", "sklearn", "torch")),
)
"""Parts of file names: the notebook's own code, and the number crunchers."""
_POOLS = {
    "polars-": "polars",
    "tf_XLA": "jax",
    "grpc_global_tim": "grpc",
    "event_engine": "grpc",
    "cuda": "cuda",
}
"""Beginning of a native thread's name -> whose pool runs."""
_USERS = {
    "polars": ("polars",),
    "jax": ("jax", "jaxlib", "flax", "optax"),
    "grpc": ("grpc",),
    "cuda": ("torch", "cupy", "cudf", "numba"),
    "numba parallel": (),
    "process pool": (),
}
"""Pool -> packages whose objects need it."""
_POOL_TYPES = {
    ("multiprocessing.pool", "Pool"),
    ("concurrent.futures.process", "ProcessPoolExecutor"),
    ("joblib.externals.loky.reusable_executor", "_ReusablePoolExecutor"),
}
_MAX_ITEMS = 1_000
_LOOK_S = 0.03


def why_no_fork(code: str, names: dict[str, Any]) -> str | None:
    """Return why this code cannot run in a fork of this process now; None when it can."""
    if not hasattr(os, "fork"):
        return "this platform cannot fork a process"
    if sys.platform == "darwin":
        return "macOS libraries do not survive a fork"
    busy = busy_threads()
    if busy:
        return "another thread of the kernel computes: " + "; ".join(busy[:3])
    reasons = unsafe_uses(code, names)
    return "; ".join(reasons[:3]) if reasons else None


def busy_threads() -> list[str]:
    """Python threads of the notebook or of a number cruncher that use the processor now."""
    suspects = _suspects()
    if not suspects:
        return []
    before = _cpu_ns()
    time.sleep(_LOOK_S)
    after = _cpu_ns()
    names = {thread.ident: thread for thread in threading.enumerate()}
    return [
        f"{getattr(names.get(ident), 'name', ident)} in {where}"
        for ident, where in _suspects().items()
        if _is_running(getattr(names.get(ident), "native_id", None), before, after)
    ]


def unsafe_uses(code: str, names: dict[str, Any]) -> list[str]:
    """Objects that the code mentions and whose thread or process pool a fork would not have."""
    pools = _running_pools()
    reasons = []
    for name, value in _mentioned(code, names).items():
        for item in _with_items(value):
            if (type(item).__module__, type(item).__name__) in _POOL_TYPES:
                reasons.append(f"{name} is a pool of processes of the live kernel")
            if _is_parallel_numba(item):
                reasons.append(f"{name} is a parallel numba function")
            package = _package(item)
            reasons += [
                f"{name} uses {package}, whose thread pool runs in the kernel"
                for pool in pools
                if package in _USERS[pool]
            ]
    imported = set(re.findall(r"^\s*(?:import|from)\s+(\w+)", code, re.MULTILINE))
    for pool in pools:
        reasons += [
            f"the code imports {package}, whose thread pool runs in the kernel"
            for package in _USERS[pool]
            if package in imported
        ]
    return sorted(set(reasons))


def _suspects() -> dict[int, str]:
    """Threads, other than this one, whose Python frame may be computing."""
    found = {}
    for ident, frame in sys._current_frames().items():
        path = frame.f_code.co_filename
        if ident == threading.get_ident() or "debugpy" in path or "pydevd" in path:
            continue
        if any(part in path for part in _COMPUTING) or (
            ident == threading.main_thread().ident and not _waits(path)
        ):
            found[ident] = f"{Path(path).name}:{frame.f_lineno} {frame.f_code.co_name}"
    return found


def _waits(path: str) -> bool:
    return Path(path).name in {"selectors.py", "threading.py", "queue.py", "base_events.py"}


def _cpu_ns() -> dict[int, int]:
    """Processor time of each native thread, in nanoseconds, where the system tells."""
    return {task: int(text.split()[0]) for task, text in _of_tasks("schedstat").items() if text}


def _is_running(task: int | None, before: dict[int, int], after: dict[int, int]) -> bool:
    """Whether the thread, or a native worker it may wait for, used a tenth of the time."""
    if task is None or task not in before or task not in after:
        return True
    named = {thread.native_id for thread in threading.enumerate()}
    watched = [task] + [other for other in after if other not in named]
    return any(after.get(t, 0) - before.get(t, 0) > _LOOK_S * 1e8 for t in watched)


def _running_pools() -> set[str]:
    names = _of_tasks("comm").values()
    return {pool for start, pool in _POOLS.items() if any(n.startswith(start) for n in names)}


def _of_tasks(file: str) -> dict[int, str]:
    """Content of /proc/self/task/*/file; empty where there is no such thing."""
    found = {}
    with contextlib.suppress(OSError):
        for folder in Path("/proc/self/task").iterdir():
            with contextlib.suppress(OSError):  # the thread has ended
                found[int(folder.name)] = (folder / file).read_text()
    return found


def _mentioned(code: str, names: dict[str, Any]) -> dict[str, Any]:
    """Variables whose name is a word of the code, and those its own functions mention."""
    found: dict[str, Any] = {}
    waiting = [word for word in set(re.findall(r"[^\W\d]\w*", code)) if word in names]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        value = found[name] = names[name]
        if isinstance(value, types.FunctionType) and value.__globals__ is names:
            waiting += [word for word in _words_of(value.__code__) if word in names]
    return found


def _words_of(code: types.CodeType) -> list[str]:
    words = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            words += _words_of(constant)
    return words


def _with_items(value: Any) -> list[Any]:
    if type(value) in (list, tuple) and len(value) <= _MAX_ITEMS:
        return [value, *value]
    if type(value) is dict and len(value) <= _MAX_ITEMS:
        return [value, *value.values()]
    return [value]


def _package(value: Any) -> str:
    if isinstance(value, types.ModuleType):
        name: Any = value.__name__
    elif isinstance(value, (types.FunctionType, type)):
        name = value.__module__
    else:
        name = type(value).__module__
    return str(name).partition(".")[0]


def _is_parallel_numba(value: Any) -> bool:
    if not type(value).__module__.startswith("numba."):
        return False
    options = getattr(value, "targetoptions", None)
    return isinstance(options, dict) and bool(options.get("parallel"))
