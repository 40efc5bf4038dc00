"""In the fork: one thread a pool. No worker thread of the live kernel exists here."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from pathlib import Path
from typing import Any

_VARIABLES = ("OMP_NUM_THREADS", "POLARS_MAX_THREADS", "RAYON_NUM_THREADS", "LOKY_MAX_CPU_COUNT")
_OPENMP = ("libgomp", "libiomp", "libomp")
_entered: list[Any] = []
"""Contexts that stay entered until the process ends."""


def use_one_thread() -> None:
    """Tell every loaded library with a thread pool to compute on the calling thread."""
    os.environ.update(dict.fromkeys(_VARIABLES, "1"))
    torch = sys.modules.get("torch")
    if torch is not None:
        with contextlib.suppress(Exception):
            torch.set_num_threads(1)
    for library in _openmp_libraries():
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(library).omp_set_num_threads(1)
    joblib = sys.modules.get("joblib")
    if joblib is not None:  # else it reaches for worker processes of the live kernel
        with contextlib.suppress(Exception):
            context = joblib.parallel_config(backend="sequential")
            context.__enter__()
            _entered.append(context)


def _openmp_libraries() -> set[str]:
    try:
        maps = Path("/proc/self/maps").read_bytes().decode(errors="replace")
    except OSError:
        return set()
    paths = {line.split(None, 5)[5] for line in maps.splitlines() if line.count("/") > 1}
    return {path for path in paths if any(name in path for name in _OPENMP)}
