"""The only door: one JSON request in, events and one JSON reply out.

The request is evaluated on the kernel's main shell, where nothing else computes. Events are
IOPub display data with the request's own parent, so they reach only who asked. A cancel comes on
the control channel and is served while a cell of the user's runs.
"""

from __future__ import annotations

import json
import sys
import threading
from typing import Any, Callable

from exeds_lab.kernel import fork, interrupts, looking, trial

MIME = "application/vnd.exeds-lab.event+json"
CANCEL = "exeds_lab_cancel_request"
"""Message type on the control channel; content: {"id": ..}."""

_running: dict[str, trial.Trial] = {}
_cancelled: list[str] = []
_lock = threading.Lock()
_MAX_REMEMBERED = 100

Events = Callable[[dict[str, Any]], None]


def handle(text: str) -> str:
    """Take one request; its reply is the last event. Called on the kernel's main thread.

    Returns:
        `taken`: the shell is free again, events follow.
    """
    request = json.loads(text)
    send = _sender()
    if request["id"] in _cancelled:
        send({"event": "cancelled"})
        return "taken"
    try:
        _start(request, send)
    except Exception as error:
        send({"event": "failed", "why": f"{type(error).__name__}: {error}"[:2000]})
    return "taken"


def install() -> None:
    """Serve cancel requests; called once after loading."""
    fork.remove_stale_scratch()
    shell = _shell()
    shell.kernel.control_handlers[CANCEL] = _on_cancel
    shell.events.register("pre_execute", _on_cell)


def _start(request: dict[str, Any], send: Events) -> None:
    starters = {
        "trial": _start_trial,
        "variables": looking.variables,
        "read": looking.read,
        "probe": looking.probe,
    }
    starters[request["do"]](request, send)


def _start_trial(request: dict[str, Any], send: Events) -> None:
    why = trial.why_refused(request)
    if why is not None:
        send({"event": "done", "execution": trial.refused(request, why)})
        return
    identifier = request["id"]
    with _lock:  # it may end before it is entered here
        _running[identifier] = trial.Trial(request, send, lambda: _forget(identifier))
        if identifier in _cancelled:  # the cancel came while it was being forked
            _running[identifier].cancel()
    _interrupts.watch()


def _forget(identifier: str) -> None:
    with _lock:
        _running.pop(identifier, None)
    _interrupts.settle()


def _on_cell() -> None:
    """A cell of the user's begins; our own requests are empty cells, which IPython skips."""
    for running in list(_running.values()):
        running.tell_of_cell()


def _cancel_all() -> None:
    for running in list(_running.values()):
        running.cancel()


_interrupts = interrupts.Interrupts(_cancel_all, lambda: bool(_running))


def _on_cancel(stream: Any, ident: Any, message: dict[str, Any]) -> None:
    """Serve a cancel on the control thread."""
    identifier = str(message["content"].get("id"))
    _cancelled.append(identifier)
    del _cancelled[:-_MAX_REMEMBERED]
    running = _running.get(identifier)
    if running is not None:
        running.cancel()
    content = {"status": "ok", "known": running is not None}
    session = _shell().kernel.session
    session.send(stream, "exeds_lab_cancel_reply", content, parent=message, ident=ident)


def _sender() -> Events:
    """Return a function that sends events with the current request as their parent."""
    shell = _shell()
    kernel, parent = shell.kernel, shell.get_parent()

    def send(event: dict[str, Any]) -> None:
        content = {"data": {MIME: event}, "metadata": {}, "transient": {}}
        kernel.session.send(kernel.iopub_socket, "display_data", content, parent=parent)

    return send


def _shell() -> Any:
    return sys.modules["IPython"].get_ipython()
