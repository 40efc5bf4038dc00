"""Start an ipykernel that is denied some system calls, as containers deny them.

Usage: python walled_kernel.py 'unshare mount' -m ipykernel_launcher -f connection.json
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys

CALLS = {
    "unshare": (272,),
    "mount": (165, 166),
    "landlock": (444, 445, 446),
}
"""Numbers on x86-64."""
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _EPERM = 0x7FFF0000, 0x00050001


def deny(numbers: list[int]) -> None:
    """Make these calls fail with EPERM, here and in all that is started from here."""
    program = [struct.pack("<HBBI", _LOAD, 0, 0, 0)]
    for position, number in enumerate(numbers):
        program.append(struct.pack("<HBBI", _EQUAL, len(numbers) - position, 0, number))
    program.append(struct.pack("<HBBI", _RETURN, 0, 0, _ALLOW))
    program.append(struct.pack("<HBBI", _RETURN, 0, 0, _EPERM))
    code = ctypes.create_string_buffer(b"".join(program))
    header = struct.pack("<HxxxxxxQ", len(program), ctypes.addressof(code))
    libc = ctypes.CDLL(None)
    libc.prctl(38, 1, 0, 0, 0)
    if libc.prctl(22, 2, header, 0, 0) != 0:
        raise OSError("no seccomp here")


def drop_administration() -> None:
    """Never again have the privilege to mount, as an ordinary user has not."""
    if ctypes.CDLL(None).prctl(24, 21, 0, 0, 0) != 0:
        raise OSError("not root")


if __name__ == "__main__":
    if "administration" in sys.argv[1]:
        drop_administration()
    deny([number for name in sys.argv[1].split() for number in CALLS.get(name, ())])
    os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
