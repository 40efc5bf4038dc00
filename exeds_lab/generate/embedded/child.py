"""The local model's process, seen from the server: started, watched, ended."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from pathlib import Path

from exeds_lab.errors import GeneratorError
from exeds_lab.generate.embedded.serve import Order

START_S = 120.0
"""Seconds that the model has to be loaded."""
SLOTS = 4
CONTEXT = 12_288
"""Tokens of all slots together."""
LINES_KEPT = 20
"""Last lines of the log, for the message when it fails."""
SERVE = "exeds_lab.generate.embedded.serve"


class ModelProcess:
    """One running process with a model in it.

    Build it with `start`; `close` ends it at once. It belongs to the event loop it was started in.
    """

    def __init__(self, process: Process, key: str) -> None:
        self.key = key
        self.url = ""
        """Base URL of its OpenAI-compatible interface; set by `start`."""
        self._process = process
        self._log: deque[str] = deque(maxlen=LINES_KEPT)
        self._reading = asyncio.create_task(self._read_log())

    @classmethod
    async def start(cls, path: Path, threads: int) -> ModelProcess:
        """Load a GGUF file in a process of its own.

        Raises:
            GeneratorError: it does not start (layer `local`).
        """
        key = secrets.token_urlsafe(24)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", SERVE, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=_environment()
        )
        started = cls(process, key)
        try:
            await started._wait_for_url(Order(str(path), key, threads, SLOTS, CONTEXT))
        except BaseException:
            await started.close()
            raise
        return started

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.returncode is None

    async def close(self) -> None:
        """Kill it and wait until it is gone."""
        if self.alive:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        await self._process.wait()
        self._reading.cancel()
        await asyncio.wait([self._reading])

    async def _wait_for_url(self, order: Order) -> None:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise TypeError("the process was started without pipes")
        stdin.write(json.dumps(order._asdict()).encode() + b"\n")
        try:
            async with asyncio.timeout(START_S):
                await stdin.drain()
                while line := await stdout.readline():
                    if line.startswith(b'{"url"'):
                        self.url = json.loads(line)["url"]
                        return
                await self._process.wait()
        except (TimeoutError, ConnectionError) as error:
            raise self._failed(f"it was not ready after {START_S:.0f} s") from error
        raise self._failed(f"its process ended with {self._process.returncode}")

    def _failed(self, why: str) -> GeneratorError:
        errors = [line for line in self._log if "error" in line.lower()] or list(self._log)
        said = f": {errors[-1][:300]}" if errors else ""
        return GeneratorError(
            f"The local model could not be loaded, {why}{said}.",
            "Fetch it again with `exeds-lab model remove` and `exeds-lab model get`, or set an "
            "endpoint.",
            layer="local",
            retryable=False,
        )

    async def _read_log(self) -> None:
        stream = self._process.stderr
        while stream is not None and (line := await stream.readline()):
            self._log.append(line.decode("utf-8", "replace").strip())


def _environment() -> dict[str, str]:
    """The parent's environment, with this package importable in the child."""
    root = str(Path(__file__).parents[3])
    inherited = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [root, inherited]))}
