"""In the fork: run the candidate as IPython would run it in the next cell."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import sys
import threading
import time
from typing import Any, Callable, NamedTuple

from exeds_lab.kernel import tracebacks
from exeds_lab.kernel.capture import Capture


class Run(NamedTuple):
    """What came out."""

    error: BaseException | None
    failure: tracebacks.Failure | None
    has_result: bool
    result: Any
    duration_s: float


class _Hook:
    """IPython's display hook, remembering the value that it was given (None too)."""

    def __init__(self, hook: Any) -> None:
        self._hook = hook
        self.value: Any = None

    def __call__(self, value: Any = None) -> None:
        self.value = value
        self._hook(value)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._hook, name)


def prepare(shell: Any) -> None:
    """Cut IPython off from the live kernel's loop, history and database."""
    asyncio._set_running_loop(None)
    with contextlib.suppress(Exception):
        shell.db = {}
    history = shell.history_manager
    if history is not None:
        history.enabled = False
        for lock in ("db_input_cache_lock", "db_output_cache_lock"):
            if hasattr(history, lock):  # its thread, gone here, may have held it
                setattr(history, lock, threading.Lock())


def run(shell: Any, code: str, capture: Capture, settle: Callable[[], None]) -> Run:
    """Run the code; whatever it raises is in the result.

    `settle` is called as soon as the code has run, before anything of it is looked at.
    """
    names = _cell_names(shell)
    reported: list[BaseException] = []

    def show(*args: Any, **keywords: Any) -> None:
        """Stand in for IPython's traceback printers."""
        del args, keywords
        error = sys.exc_info()[1]
        if error is not None and error not in reported:
            reported.append(error)

    for printer in ("showtraceback", "showsyntaxerror", "showindentationerror"):
        setattr(shell, printer, show)
    # IPython also formats each exception for its history, which takes seconds for a recursion.
    shell._format_exception_for_storage = lambda *_args, **_keywords: {}
    hook = _Hook(shell.displayhook)
    shell.display_trap.hook = hook
    started = time.perf_counter()
    error = _run_cell(shell, code, names, settle) or (reported[0] if reported else None)
    duration = time.perf_counter() - started
    failure = None
    if error is not None:
        failure = tracebacks.failure(error, names, _blank_lines(code))
        capture.show({"output": _error_output(failure)})
    has_result, result = _result(shell, code, hook.value) if error is None else (False, None)
    return Run(error, failure, has_result, result, duration)


def _run_cell(
    shell: Any, code: str, names: dict[str, str], settle: Callable[[], None]
) -> BaseException | None:
    """Run in a loop that is running, as a cell of the notebook does."""
    problem = None
    try:
        cell = shell.transform_cell(code)
    except Exception:
        cell, problem = code, sys.exc_info()
    _remember_name(shell, names)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    cell_run = shell.run_cell_async(
        code, store_history=True, transformed_cell=cell, preprocessing_exc_tuple=problem
    )
    try:
        try:
            outcome = loop.run_until_complete(cell_run)
            shell.events.trigger("post_execute")  # inline figures are shown here
            shell.events.trigger("post_run_cell", outcome)
        finally:
            settle()
    except BaseException as error:
        settle()
        return error
    problem_found: BaseException | None = outcome.error_before_exec or outcome.error_in_exec
    return problem_found


def _cell_names(shell: Any) -> dict[str, str]:
    """File names of the notebook's cells -> `Cell In[n]`."""
    known = getattr(shell.compile, "_filename_map", {})
    return {name: f"Cell In[{number}]" for name, number in known.items()}


def _remember_name(shell: Any, names: dict[str, str]) -> None:
    """Learn under which file name IPython compiles the candidate."""
    cache = shell.compile.cache

    def remember(*args: Any, **keywords: Any) -> str:
        name: str = cache(*args, **keywords)
        names[name] = tracebacks.CANDIDATE
        shell.compile.cache = cache  # only the first is the candidate; more may be nested runs
        return name

    shell.compile.cache = remember


def _blank_lines(code: str) -> int:
    """Blank lines at the top, which IPython drops before it compiles."""
    lines = code.split("\n")
    return next((number for number, line in enumerate(lines) if line.strip()), 0)


def _error_output(failure: tracebacks.Failure) -> dict[str, Any]:
    return {
        "output_type": "error",
        "ename": failure.ename,
        "evalue": failure.evalue,
        "traceback": failure.traceback,
    }


def _result(shell: Any, code: str, shown: Any) -> tuple[bool, Any]:
    """Return the last expression's value, else that of the last assignment's target.

    An expression whose value is None (a call of print, say) is no result.
    """
    try:
        body = ast.parse(shell.transform_cell(code)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False, None
    if body and isinstance(body[-1], ast.Expr) and shown is not None:
        return True, shown
    name = _last_target(body)
    if name is not None and name in shell.user_ns:
        return True, shell.user_ns[name]
    return False, None


def _last_target(body: list[ast.stmt]) -> str | None:
    """The name that the last assignment of a module sets or changes."""
    for statement in reversed(body):
        if isinstance(statement, ast.Assign):
            return _name_in(statement.targets[-1])
        if isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
            return _name_in(statement.target)
        for part in ("finalbody", "orelse", "body"):
            inner = getattr(statement, part, None)
            is_scope = isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            if isinstance(inner, list) and not is_scope:
                name = _last_target(inner)
                if name is not None:
                    return name
    return None


def _name_in(target: ast.expr) -> str | None:
    if isinstance(target, (ast.Tuple, ast.List)):
        return _name_in(target.elts[-1]) if target.elts else None
    if isinstance(target, ast.Starred):
        return _name_in(target.value)
    while isinstance(target, (ast.Attribute, ast.Subscript)):
        target = target.value
    return target.id if isinstance(target, ast.Name) else None
