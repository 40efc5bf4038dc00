"""One trial: the candidate in a fork, and what came of it as an Execution (JSON)."""

from __future__ import annotations

import sys
import time
from typing import Any, Callable

from exeds_lab.kernel import (
    child,
    compare,
    describe,
    effects,
    fork,
    frames,
    monitor,
    outputs,
    pages,
    running,
    safety,
    seen,
)

Send = Callable[[dict[str, Any]], None]
"""Sends one event to whoever asked."""

_SAFE = "a fork is exact: it has every variable of the kernel"


class Trial:
    """A trial that runs. Made on the kernel's main thread; `on_end` comes from the monitor's."""

    def __init__(self, request: dict[str, Any], send: Send, on_end: Callable[[], None]) -> None:
        self._request = request
        self._send = send
        self._on_end = on_end
        self._begun = time.perf_counter()
        self._outputs = outputs.OutputList(int(request["limits"]["output_bytes"]))
        self._live = outputs.Live(self._tell, int(request["limits"]["output_bytes"]))
        self._broken: str | None = None
        self._ran: dict[str, Any] | None = None
        self._protections: list[str] = []
        self._fork = fork.Fork(request, _work, self._take, self._finish, self._live.send_if_due)

    def cancel(self) -> None:
        """Kill it."""
        self._fork.cancel()

    def tell_of_cell(self) -> None:
        """The kernel begins to run a cell of the user's."""
        self._fork.tell_of_cell()

    def _take(self, frame: frames.Frame) -> None:
        if frame.kind != frames.JSON:
            name = "stdout" if frame.kind == frames.STDOUT else "stderr"
            self._outputs.text(name, frame.body)
            self._live.text(name, frame.body)
        elif "output" in frame.body:
            self._show(frame.body["output"])
        elif "clear" in frame.body:
            self._outputs.clear(bool(frame.body["clear"]))
        elif "started" in frame.body:
            self._protections = [str(word) for word in frame.body["started"]]
        elif "ran" in frame.body:
            self._ran = frame.body["ran"]
        elif "broken" in frame.body:
            self._broken = str(frame.body["broken"])
        elif "born" in frame.body:
            self._send({"event": "born", "process": frame.body["born"]})

    def _show(self, output: dict[str, Any]) -> None:
        if output["output_type"] == "update_display_data":
            display_id = output["transient"].get("display_id", "")
            self._outputs.update(display_id, output["data"], output["metadata"])
            return
        self._outputs.add(output)
        self._live.add(output)

    def _tell(self, shown: list[dict[str, Any]]) -> None:
        self._send({"event": "outputs", "outputs": shown})

    def _finish(self, ending: monitor.Ending) -> None:
        try:
            done = ending.done or {}
            ran = self._ran or {}
            outcome = _outcome(ending, ran, self._request["limits"])
            if outcome["outcome"] == "killed" and self._broken is not None:
                outcome["why"] = f"its process failed: {self._broken}"
            has_facts = outcome["outcome"] in ("completed", "raised")
            self._send(
                {
                    "event": "done",
                    "execution": {
                        "outcome": outcome,
                        "outputs": self._outputs.collected(),
                        "truncated": self._outputs.truncated,
                        "result": done.get("result"),
                        "facts": done.get("facts", []) if has_facts else [],
                        "effects": done.get("effects"),
                        "duration_s": ran.get("duration_s", 0.0),
                        "total_s": time.perf_counter() - self._begun,
                        "limits": self._request["limits"],
                        "strategy": "none" if outcome["outcome"] == "not_run" else "fork",
                        "strategy_reason": _SAFE,
                        "protections": self._protections,
                        "kernel": fork.kernel_name(),
                    },
                }
            )
        except Exception as error:
            self._send({"event": "failed", "why": f"{type(error).__name__}: {error}"[:2000]})
        finally:
            self._on_end()


def refused(request: dict[str, Any], why: str) -> dict[str, Any]:
    """Return the Execution of a candidate that was not run."""
    return {
        "outcome": {"outcome": "not_run", "why": why},
        "outputs": [],
        "truncated": False,
        "result": None,
        "facts": [],
        "effects": None,
        "duration_s": 0.0,
        "total_s": 0.0,
        "limits": request["limits"],
        "strategy": "none",
        "strategy_reason": why,
        "protections": [],
        "kernel": fork.kernel_name(),
    }


def why_refused(request: dict[str, Any]) -> str | None:
    """Return why this candidate cannot be run apart from the kernel; None when it can."""
    return safety.why_no_fork(str(request["code"]), _shell().user_ns)


def _shell() -> Any:
    return sys.modules["IPython"].get_ipython()


def _work(process: child.Child, request: dict[str, Any]) -> None:
    """In the fork: run, then look at what came out."""
    names = process.shell.user_ns
    before = effects.Before(process.shell)
    settled = child.Settled()
    process.writer.send({"started": process.containment.protections})
    run = running.run(
        process.shell, request["code"], process.capture, lambda: settled.restore(process)
    )
    process.capture.finish()
    process.writer.send({"ran": _ran(run, request["limits"])})
    if child.has_news(process):
        pages.distrust()
    changed = before.effects(names, process.containment)

    came_out = seen.Seen(
        namespace=names,
        has_result=run.has_result,
        result=run.result,
        stdout=process.capture.stdout,
        error=_error(run),
        before=before.values,
        effects=changed,
    )
    facts = [compare.measure(check, request["policy"], came_out) for check in request["checks"]]
    result = describe.describe(run.result) if run.has_result else None
    process.writer.send({"done": {"result": result, "facts": facts, "effects": changed}})


def _error(run: running.Run) -> dict[str, Any] | None:
    if run.error is None or run.failure is None:
        return None
    names = [kind.__name__ for kind in type(run.error).__mro__]
    return {"ename": run.failure.ename, "evalue": run.failure.evalue, "mro": names}


def _ran(run: running.Run, limits: dict[str, Any]) -> dict[str, Any]:
    outcome: dict[str, Any] = {"outcome": "completed"}
    if run.failure is not None:
        outcome = {"outcome": "raised", **run.failure._asdict()}
        if isinstance(run.error, MemoryError):
            allowed = f"a trial may use {limits['memory_mb']:,} MB more than the kernel"
            outcome["evalue"] = f"{run.failure.evalue} ({allowed})".strip()
    return {"outcome": outcome, "duration_s": run.duration_s}


def _outcome(ending: monitor.Ending, ran: dict[str, Any], limits: dict[str, Any]) -> dict[str, Any]:
    """Say how the candidate ended; only a fork that reported to its end has not been killed."""
    if ending.phase == "setting up" and ending.stopped != "cancelled":
        return {"outcome": "not_run", "why": "the fork could not be set up"}
    if ending.interrupted and ending.stopped in (None, "timeout"):
        line = ran.get("outcome", {}).get("line")
        return {"outcome": "timed_out", "limit_s": limits["timeout_s"], "line": line}
    if ending.done is not None and ending.stopped is None:
        return dict(ran["outcome"])
    return {
        "outcome": "killed",
        "signal": ending.signal,
        "exit_code": ending.exit_code,
        "why": _why_killed(ending, limits),
    }


def _why_killed(ending: monitor.Ending, limits: dict[str, Any]) -> str:
    if ending.stopped == "timeout":
        return "looking at its result took too long (a __repr__ or __eq__ that does not return?)"
    if ending.stopped is not None:
        return {
            "cancelled": "stopped by the user",
            "memory": "the machine ran out of memory",
            "processes": f"had more than {limits['processes']:,} processes",
            "broken": "wrote into the trial's own channel",
            "lost": "the kernel lost sight of it",
        }[ending.stopped]
    where = " while its result was looked at" if ending.phase == "measuring" else ""
    if ending.signal is not None:
        return f"ended by {ending.signal}{where}"
    return f"left through os._exit({ending.exit_code}){where}"
