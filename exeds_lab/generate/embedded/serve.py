"""The local model's process: `python -m exeds_lab.generate.embedded.serve`.

One line of JSON on standard input says what to load; one line on standard output says where it
listens. It ends when standard input closes, so it never outlives its parent.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import threading
from typing import Any, NamedTuple

HOST = "127.0.0.1"
PR_SET_PDEATHSIG = 1
PROMPT_CACHE_MIB = 256


class Order(NamedTuple):
    """What the process is to serve."""

    path: str
    """The GGUF file."""
    key: str
    """The only API key that is accepted."""
    threads: int
    slots: int
    """Answers that are written at once."""
    context: int
    """Tokens of all slots together."""


def main() -> None:
    """Load, tell the port, serve until standard input closes."""
    die_with_parent()
    order = Order(**json.loads(sys.stdin.readline()))
    threading.Thread(target=end_with_input, daemon=True).start()
    server = start(order)
    sys.stdout.write(json.dumps({"url": f"{server.listening_address}/v1"}) + "\n")
    sys.stdout.flush()
    threading.Event().wait()


def die_with_parent() -> None:
    """Ask the kernel to kill this process with its parent, where it can (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def end_with_input() -> None:
    """End as soon as the parent closes its end of the pipe."""
    while sys.stdin.readline():
        pass
    os._exit(0)


def start(order: Order) -> Any:
    """The running server: loopback alone, with a key, no web page, nothing fetched."""
    import xllamacpp  # noqa: PLC0415  an optional extra; only this process loads it

    params = xllamacpp.CommonParams()
    params.model.path = order.path
    params.hostnames = [HOST]
    params.port = 0
    params.api_keys = [order.key]
    params.cors_origins = f"http://{HOST}"
    params.ui = False
    params.endpoint_slots = False
    params.offline = True
    params.use_jinja = True
    params.cache_ram_mib = PROMPT_CACHE_MIB
    params.n_parallel = order.slots
    params.n_ctx = order.context
    # One memory for all slots: answers to the same prompt share it instead of holding copies.
    params.kv_unified = True
    params.cpuparams.n_threads = order.threads
    params.cpuparams_batch.n_threads = order.threads
    return xllamacpp.Server(params)


if __name__ == "__main__":
    main()
