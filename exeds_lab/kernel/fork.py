"""Fork the live kernel and watch the fork."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sys
import tempfile
import threading
import warnings
from pathlib import Path
from typing import Any, Callable

from exeds_lab.kernel import child, frames, monitor, processes

_SCRATCH = "exeds-lab-"
Work = Callable[[child.Child, dict[str, Any]], None]
"""What the fork does once it is set up."""


class Fork:
    """One fork and its monitor.

    Made on the main thread of the kernel, where nothing else computes. `on_end` is called once, on
    the monitor's thread, when the fork is gone.
    """

    def __init__(
        self,
        request: dict[str, Any],
        work: Work,
        on_frame: Callable[[frames.Frame], None],
        on_end: Callable[[monitor.Ending], None],
        on_tick: Callable[[], None] = lambda: None,
    ) -> None:
        request = {
            **request,
            "token": secrets.token_hex(8),
            "scratch": tempfile.mkdtemp(prefix=f"{_SCRATCH}{os.getpid()}-"),
        }
        ours, theirs, self._news = _pipes()
        with warnings.catch_warnings():  # Python warns of forking with threads; see safety.py
            warnings.simplefilter("ignore")
            pid = getattr(os, "original_fork", os.fork)()  # a debugger replaces os.fork
        if pid == 0:
            for fd in (*ours, self._news):
                os.close(fd)
            child.live(request, theirs, work)
        for fd in theirs:
            os.close(fd)
        self._monitor = monitor.Monitor(pid, ours, request, on_frame, on_tick)
        self._on_end = on_end
        self._open = threading.Lock()
        name = f"exeds-lab-{request['id']}"
        threading.Thread(target=self._run, daemon=True, name=name).start()

    def cancel(self) -> None:
        """End the fork and everything that it started."""
        self._monitor.cancel()

    def tell_of_cell(self) -> None:
        """The kernel begins to run a cell of the user's; called on the main thread."""
        with self._open, contextlib.suppress(OSError):
            if self._news >= 0:
                os.write(self._news, b"1")

    def _run(self) -> None:
        try:
            ending = self._monitor.run()
        except Exception:
            ending = monitor.Ending(None, "lost", None, None, "running", interrupted=False)
        with self._open:
            os.close(self._news)
            self._news = -1
        self._on_end(ending)


def _pipes() -> tuple[monitor.Pipes, child.Ends, int]:
    """Return our ends, the fork's ends, and the end that tells it of a cell; ours never block."""
    frames_in, frames_out = os.pipe()
    stdout_in, stdout_out = os.pipe()
    stderr_in, stderr_out = os.pipe()
    news_in, news_out = os.pipe()
    for fd in (frames_in, stdout_in, stderr_in, news_in, news_out):
        os.set_blocking(fd, False)
    ours = monitor.Pipes(frames_in, stdout_in, stderr_in)
    return ours, child.Ends(frames_out, stdout_out, stderr_out, news_in), news_out


def remove_stale_scratch() -> None:
    """Remove the folders of trials whose kernel died before it could."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_SCRATCH}*-*"):
        owner = folder.name[len(_SCRATCH) :].partition("-")[0]
        if owner.isdigit() and processes.is_gone(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def kernel_name() -> str:
    """Return `Python 3.11.7, ipykernel 7.4.0`."""
    version = ".".join(map(str, sys.version_info[:3]))
    ipykernel = sys.modules.get("ipykernel")
    return f"Python {version}, ipykernel {getattr(ipykernel, '__version__', 'unknown')}"
