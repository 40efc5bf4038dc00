"""In the fork: which memory was written since the fork, without having read it before.

A page that is still shared with the live kernel was not written by either side; the kernel's
pagemap tells (bit 56: mapped by this process alone). Reading the bits costs some 10 ms a GB, where
hashing would cost 50 and copying more. Partial pages at the edges, and small buffers, are copied.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from typing import Any

PAGE = mmap.PAGESIZE
_SMALL = 64 << 10
_ENTRIES = 1 << 17
"""Pagemap entries read at once."""
_EXCLUSIVE_AND_PRESENT = (1 << 56) | (1 << 63)


_trust = True


def distrust() -> None:
    """The live kernel ran a cell since the fork: a page that is ours alone proves nothing now."""
    global _trust
    _trust = False


class Memory:
    """A range of memory as it is now."""

    def __init__(self, address: int, size: int) -> None:
        """`size`: bytes. The owner must outlive this object and must not move."""
        self._copies: list[tuple[int, bytes]] = []
        self._first = self._last = 0
        """Whole pages watched through the pagemap."""
        end = address + size
        if size < _SMALL:
            self._copy(address, end)
        else:
            self._first = -(-address // PAGE)
            self._last = end // PAGE
            self._copy(address, self._first * PAGE)
            self._copy(self._last * PAGE, end)

    def is_written(self) -> bool:
        """Whether it changed since.

        Raises:
            OSError: this system does not tell.
        """
        if any(ctypes.string_at(at, len(copy)) != copy for at, copy in self._copies):
            return True
        return self._first < self._last and _any_exclusive(self._first, self._last)

    def _copy(self, start: int, end: int) -> None:
        if end > start:
            self._copies.append((start, ctypes.string_at(start, end - start)))


def _any_exclusive(first: int, last: int) -> bool:
    with open("/proc/self/pagemap", "rb", buffering=0) as file:  # noqa: PTH123  unbuffered
        for start in range(first, last, _ENTRIES):
            file.seek(start * 8)
            if _has_both_bits(file.read(min(_ENTRIES, last - start) * 8)):
                if not _trust:
                    raise OSError("either side may have written")
                return True
    return False


def _has_both_bits(entries: bytes) -> bool:
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None:
        bits = numpy.uint64(_EXCLUSIVE_AND_PRESENT)
        return bool(((numpy.frombuffer(entries, dtype=numpy.uint64) & bits) == bits).any())
    bits_needed = _EXCLUSIVE_AND_PRESENT
    return any(entry & bits_needed == bits_needed for entry in memoryview(entries).cast("Q"))
