"""A stand-in for the fork of a kernel: a fresh Python that makes the data and runs the code."""

from __future__ import annotations

import asyncio
import json
import sys

from exeds_lab.generate.generator import RunInFork
from exeds_lab.model.execution import Completed, Execution, Limits, Raised, TimedOut

LIMITS = Limits(timeout_s=20, memory_mb=2048, output_bytes=1 << 20, processes=64)
RUNNER = "import json, sys; given = json.load(sys.stdin); exec(given[0]); exec(given[1])"


def forks(setup: str) -> RunInFork:
    """Runs code in a process of its own, after `setup`."""

    async def run(code: str, timeout_s: float) -> Execution:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            RUNNER,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd="/",
        )
        given = json.dumps([setup, code]).encode()
        try:
            out, err = await asyncio.wait_for(process.communicate(given), timeout_s)
        except TimeoutError:
            return execution(TimedOut(limit_s=timeout_s, line=None), "")
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            lines = tuple(err.decode().splitlines())
            return execution(
                Raised(ename="Error", evalue=lines[-1], traceback=lines, line=None), ""
            )
        return execution(Completed(), out.decode())

    return run


def execution(outcome: Completed | Raised | TimedOut, printed: str) -> Execution:
    """What a trial would say."""
    stream = {"output_type": "stream", "name": "stdout", "text": printed}
    return Execution(
        outcome=outcome,
        outputs=(stream,) if printed else (),
        truncated=False,
        result=None,
        facts=(),
        effects=None,
        duration_s=0.0,
        total_s=0.0,
        limits=LIMITS,
        strategy="fork",
        strategy_reason="",
        protections=(),
        kernel="",
    )
