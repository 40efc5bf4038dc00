"""The trial's process from fork to exit. Nothing here may return into the live kernel's stack."""

from __future__ import annotations

import builtins
import contextlib
import ctypes
import faulthandler
import gc
import os
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Callable, NamedTuple

from exeds_lab.kernel import contain, detach, frames, pools, processes, running
from exeds_lab.kernel.capture import Capture

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_RESET_SIGNALS = (
    signal.SIGTERM,
    signal.SIGALRM,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGCHLD,
    signal.SIGHUP,
)
_exit = os._exit  # a candidate may replace it


class Ends(NamedTuple):
    """The trial's ends of the three pipes."""

    frames: int
    stdout: int
    stderr: int
    news: int
    """Readable once the live kernel has begun to run a cell of the user's."""


class Child(NamedTuple):
    """A process that is set up and may run foreign code."""

    shell: Any
    writer: frames.Writer
    capture: Capture
    containment: contain.Containment
    news: int
    """See Ends."""


def live(
    request: dict[str, Any], ends: Ends, work: Callable[[Child, dict[str, Any]], None]
) -> None:
    """Be the trial: set up, work, and end. Never returns.

    Args:
        request: needs `id`, `token`, `limits` and `scratch`.
        ends: pipes; the process is silent once they are closed.
        work: what to do when set up; it sends the frames.
    """
    try:
        child = _set_up(request, ends)
        try:
            work(child, request)
            while True:  # the monitor kills us, and first all that we started
                signal.pause()
        except BaseException as error:
            child.writer.send({"broken": f"{type(error).__name__}: {error}"[:2000]})
    finally:
        _exit(70)


def _set_up(request: dict[str, Any], ends: Ends) -> Child:
    _leave_family(request["id"])
    writer = frames.Writer(detach.raised(ends.frames), bytes.fromhex(request["token"]))
    writer.send({"born": processes.identity(os.getpid())})
    _own_standard_streams(ends)
    news = detach.raised(ends.news)
    libc = ctypes.CDLL(None, use_errno=True)
    with contextlib.suppress(OSError):
        detach.own_descriptors({0, 1, 2, writer.fd, news})
        detach.own_mappings(libc)
    shell = sys.modules["IPython"].get_ipython()
    capture = Capture(writer, int(request["limits"]["output_bytes"]))
    capture.install(shell)
    running.prepare(shell)
    _use_scratch(request["scratch"])
    containment = contain.contain(libc, request["limits"], request["scratch"])
    faulthandler.enable(2)
    pools.use_one_thread()
    return Child(shell, writer, capture, containment, news)


def _leave_family(trial: str) -> None:
    """Become a process of its own: no debugger, signals, garbage collection or parent shared."""
    sys.settrace(None)
    sys.setprofile(None)
    threading.settrace(None)
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is not None and monitoring.get_tool(0):
        monitoring.set_events(0, 0)
    gc.freeze()  # collecting would write to, and so copy, every inherited page
    os.setsid()
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")
    os.environ[processes.MARK] = trial
    sys.dont_write_bytecode = True
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in _RESET_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0)


def _own_standard_streams(ends: Ends) -> None:
    null = os.open(os.devnull, os.O_RDONLY)
    for fd, number in ((null, 0), (ends.stdout, 1), (ends.stderr, 2)):
        os.dup2(fd, number)
        if fd > 2:
            os.close(fd)


def _use_scratch(folder: str) -> None:
    tempfile.tempdir = os.environ["TMPDIR"] = folder
    if "matplotlib" not in sys.modules and not Path("~/.config/matplotlib").expanduser().is_dir():
        os.environ.setdefault("MPLCONFIGDIR", folder)


def has_news(child: Child) -> bool:
    """Whether the live kernel ran something since the fork (or that cannot be told any more)."""
    try:
        return bool(os.read(child.news, 1))
    except BlockingIOError:
        return False
    except OSError:
        return True


class Settled:
    """What a candidate may bend in its own process and measuring needs straight again."""

    def __init__(self) -> None:
        self._modules = dict(sys.modules)
        self._space = vars(builtins)
        self._builtins = dict(self._space)
        self._recursion = sys.getrecursionlimit()

    def restore(self, child: Child) -> None:
        """Put modules, builtins, streams, tracing and signals back; end a process that forked.

        May be called twice: the candidate's trace function may raise in the midst of the first.
        """
        self._space.update(self._builtins)  # first: without builtins little else works
        if os.getpid() != child.writer.pid:  # the candidate called os.fork and came back
            _exit(0)
        sys.settrace(None)
        sys.setprofile(None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.modules.update(self._modules)
        sys.setrecursionlimit(self._recursion)
        child.capture.restore_streams()
        contain.allow_measuring()
