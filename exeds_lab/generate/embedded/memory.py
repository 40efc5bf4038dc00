"""How much memory is free."""

from __future__ import annotations

from pathlib import Path

MEMINFO = Path("/proc/meminfo")


def free_memory() -> int | None:
    """Bytes that could be used without swapping; None where the system does not tell."""
    try:
        lines = MEMINFO.read_text("ascii").splitlines()
    except OSError:
        return None
    for line in lines:
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            return int(rest.split()[0]) * 1024
    return None
