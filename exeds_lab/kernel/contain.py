"""In the fork: limits and protections, the strongest that this machine grants.

Order: private namespaces with an overlay, then Landlock, then the audit hook. Each works without
the others; what is in force is reported, never assumed.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import sys
from pathlib import Path
from typing import Any, NamedTuple

from exeds_lab.kernel import audit, landlock, overlay

_MEASURING_MB = 512
"""Memory that is left for comparing after a candidate has used up its own."""
_SHARED_MEMORY = "/dev/shm"


class Containment(NamedTuple):
    """What holds a trial."""

    protections: tuple[str, ...]
    """In words, as an Execution lists them."""
    layers: list[overlay.Layer]
    veto: audit.Veto
    scratch: str


def contain(libc: ctypes.CDLL, limits: dict[str, Any], scratch: str) -> Containment:
    """Put limits and protections in force for this process and all it starts."""
    limit_resources(limits)
    words = ["fork"]
    layers: list[overlay.Layer] = []
    writable = [scratch]
    if sys.platform == "linux":
        roots = private_roots()
        if overlay.isolate(libc):
            words.append("no network")
            layers = overlay.cover(libc, roots, scratch, int(limits["memory_mb"]))
        if layers:
            words.append("overlay")
            writable += [layer.root for layer in layers]
            _enter_again()
        if landlock.restrict(libc, writable):
            words.append("Landlock")
    held = "Landlock" in words
    veto = audit.Veto([os.path.realpath(path) for path in writable], may_start_programs=held)
    sys.addaudithook(veto)
    words.append("audit hook")
    return Containment(tuple(words), layers, veto, scratch)


def limit_resources(limits: dict[str, Any]) -> None:
    """Bound memory, processor time, core dumps and file sizes."""
    data = _private_bytes()
    if data is not None:
        soft = data + (int(limits["memory_mb"]) << 20)
        _set_limit(resource.RLIMIT_DATA, soft, soft + (_MEASURING_MB << 20))
    # The monitor ends a trial in time; this holds even while the live kernel cannot run it.
    seconds = int(limits["timeout_s"]) * (os.cpu_count() or 1) + 30
    _set_limit(resource.RLIMIT_CPU, seconds, seconds + 5)
    _set_limit(resource.RLIMIT_CORE, 0, 0)


def allow_measuring() -> None:
    """After the candidate: let comparing use the memory kept for it."""
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    _set_limit(resource.RLIMIT_DATA, hard, hard)


def private_roots() -> list[str]:
    """Return the folders that become private: the working folder, caches, shared memory."""
    wanted: list[str | None] = [
        _working_folder(),
        _SHARED_MEMORY,
        str(Path("~/.cache").expanduser()),
    ]
    roots: list[str] = []
    for path in wanted:
        real = os.path.realpath(path) if path else "/"
        below = any((real + os.sep).startswith(root + os.sep) for root in roots)
        if (
            real != "/"
            and Path(real).is_dir()
            and not below
            and "," not in real
            and ":" not in real
        ):
            roots.append(real)
    return roots


def _working_folder() -> str | None:
    try:
        return str(Path.cwd())
    except OSError:  # it was deleted
        return None


def _enter_again() -> None:
    """Resolve the working folder anew, through the mount that now covers it."""
    folder = _working_folder()
    if folder:
        with contextlib.suppress(OSError):
            os.chdir(folder)


def _private_bytes() -> int | None:
    """Private writable memory of this process; what RLIMIT_DATA counts."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmData"):
                return int(line.split()[1]) << 10
    except (OSError, ValueError, IndexError):
        return None
    return None


def _set_limit(which: int, soft: int, hard: int) -> None:
    ceiling = resource.getrlimit(which)[1]
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(which, (soft, hard))
