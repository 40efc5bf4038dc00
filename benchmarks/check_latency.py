"""Time of one check of a trivial candidate against a namespace full of frames.

    python benchmarks/check_latency.py [--sizes 10MB,100MB,1GB,4GB] [--repeats 7] [--json]

For each size a real ipykernel runs a notebook that makes a frame of that many bytes (half of them
text). Then, in that kernel, the median of `repeats` runs of
- one check, from the request to the Execution in our hands, namespace, effects and all,
- a bare `os.fork()` whose child exits at once, and `waitpid`,
- `copy.deepcopy` of the frame (isolates less: neither files, crashes, loops nor shared objects),
- the same notebook run again from the start in a fresh kernel with nbclient.

With --json the last line is {"rows": [{"size", "check_s", "fork_s", "ratio_to_fork", "deepcopy_s",
"rerun_s", "speedup_vs_rerun"}, ...]}.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

from exeds_lab.config import DEFAULT
from exeds_lab.execute.executor import TrialRequest
from exeds_lab.execute.live import LiveExecutor
from exeds_lab.model.execution import Completed
from exeds_lab.model.spec import ANALYST

UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9}
BYTES_A_ROW = 131
"""Of the frame below, deep."""
WANTED_RATIO, WANTED_GROWTH_S, WANTED_SPEEDUP = 5.0, 0.08, 20.0

MAKE = """
rows = {rows}
draw = np.random.default_rng(0)
df = pd.DataFrame({{f"x{{i}}": draw.random(rows) for i in range(4)}})
df["group"] = draw.integers(0, 100, rows)
df["count"] = np.arange(rows)
df["code"] = pd.Series([f"c{{i % 997}}" for i in range(rows)])
df["name"] = pd.Series([f"name {{i:08d}}" for i in range(rows)], dtype=object)
"""

FORK = """
def bare_fork():
    import os, time
    begun = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return time.perf_counter() - begun
"""

DEEPCOPY = """
def deep_copy():
    import copy, time
    begun = time.perf_counter()
    copy.deepcopy(df)
    return time.perf_counter() - begun
"""


def notebook(size: int) -> nbformat.NotebookNode:
    """A notebook that makes a frame of about `size` bytes."""
    cell = nbformat.v4.new_code_cell
    make = MAKE.format(rows=max(1, size // BYTES_A_ROW))
    return nbformat.v4.new_notebook(
        cells=[cell("import numpy as np\nimport pandas as pd"), cell(make), cell("df.describe()")],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )


async def evaluate(client: AsyncKernelClient, expression: str) -> float:
    """Evaluate in the kernel as a cell would."""
    reply = await client.execute_interactive(
        "", silent=True, user_expressions={"v": expression}, output_hook=lambda _: None
    )
    answer = reply["content"]["user_expressions"]["v"]
    if answer["status"] != "ok":
        raise RuntimeError(str(answer))
    return float(answer["data"]["text/plain"])


async def one_check(executor: LiveExecutor) -> float:
    """Seconds of one check."""
    request = TrialRequest("1+1", (), ANALYST, DEFAULT.limits)
    begun = time.perf_counter()
    execution = await executor.run(request)
    took = time.perf_counter() - begun
    if not isinstance(execution.outcome, Completed):
        raise TypeError(str(execution.outcome))
    return took


async def in_live_kernel(book: nbformat.NotebookNode, folder: Path, repeats: int) -> dict[str, Any]:
    """Medians of check, fork and deepcopy in one kernel."""
    manager = AsyncKernelManager(kernel_name="python3")
    await manager.start_kernel(cwd=str(folder))
    client = manager.client()
    client.start_channels()
    await client.wait_for_ready(timeout=60)
    executor = LiveExecutor(manager, 30.0)
    try:
        for source in (*(cell.source for cell in book.cells), FORK, DEEPCOPY):
            reply = await client.execute_interactive(source, output_hook=lambda _: None)
            if reply["content"]["status"] != "ok":
                raise RuntimeError(reply["content"]["evalue"])
        await one_check(executor)  # loads the agent, once a kernel
        checks, forks = [], []
        for _ in range(repeats):
            forks.append(await evaluate(client, "bare_fork()"))
            checks.append(await one_check(executor))
        copies = [await evaluate(client, "deep_copy()") for _ in range(repeats)]
    finally:
        await executor.close()
        client.stop_channels()
        await manager.shutdown_kernel(now=True)
    medians = map(statistics.median, (checks, forks, copies))
    return dict(zip(("check_s", "fork_s", "deepcopy_s"), medians, strict=True))


def rerun(book: nbformat.NotebookNode, folder: Path) -> float:
    """Seconds of running the notebook in a fresh kernel."""
    begun = time.perf_counter()
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(nbformat.from_dict(book), kernel_name="python3", resources=resources).execute()
    return time.perf_counter() - begun


def measure(size: str, repeats: int) -> dict[str, Any]:
    """One row."""
    number, unit = re.fullmatch(r"(\d+(?:\.\d+)?)([KMG]B)", size).groups()
    book = notebook(int(float(number) * UNITS[unit]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        row = asyncio.run(in_live_kernel(book, folder, repeats))
        rerun_s = statistics.median(rerun(book, folder) for _ in range(repeats))
    return {
        "size": size,
        "check_s": row["check_s"],
        "fork_s": row["fork_s"],
        "ratio_to_fork": row["check_s"] / row["fork_s"],
        "deepcopy_s": row["deepcopy_s"],
        "rerun_s": rerun_s,
        "speedup_vs_rerun": rerun_s / row["check_s"],
    }


def say(line: str) -> None:
    """Print a line now."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Print a table, and with --json one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="10MB,100MB,1GB,4GB")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    say("size      check   bare fork  ratio   deepcopy    re-run  speedup")
    rows = []
    for size in options.sizes.split(","):
        row = measure(size.strip(), options.repeats)
        rows.append(row)
        say(
            f"{row['size']:6} {1000 * row['check_s']:6.0f} ms {1000 * row['fork_s']:8.1f} ms"
            f" {row['ratio_to_fork']:5.1f}x {1000 * row['deepcopy_s']:7.0f} ms"
            f" {row['rerun_s']:7.2f} s {row['speedup_vs_rerun']:7.0f}x"
        )
    say(
        f"wanted: at most {WANTED_RATIO:.0f}x the bare fork at 1 GB, less than"
        f" {1000 * WANTED_GROWTH_S:.0f} ms more a GB, {WANTED_SPEEDUP:.0f}x at 100 MB"
    )
    if options.json:
        say(json.dumps({"rows": rows}))


if __name__ == "__main__":
    main()
