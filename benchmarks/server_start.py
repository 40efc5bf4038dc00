"""What loading the extension adds to the start of a Jupyter server.

    python benchmarks/server_start.py [--runs 7] [--json]

Each run is a fresh process: it initialises a ServerApp without extensions, then imports and loads
ours. Wanted: under 0.1 s.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys

WANTED_S = 0.1

PROGRAM = """
import json, tempfile, time
began = time.perf_counter()
from jupyter_server.serverapp import ServerApp
app = ServerApp(
    allow_root=True, open_browser=False, port=0, root_dir=tempfile.mkdtemp(), jpserver_extensions={}
)
app.initialize(argv=[], find_extensions=False, new_httpserver=False)
server = time.perf_counter() - began
began = time.perf_counter()
from exeds_lab.server.extension import _load_jupyter_server_extension
_load_jupyter_server_extension(app)
print(json.dumps({"server_s": server, "added_s": time.perf_counter() - began}))
"""


def measure() -> dict[str, float]:
    """One fresh process."""
    out = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True
    ).stdout
    found: dict[str, float] = json.loads(out.splitlines()[-1])
    return found


def main() -> int:
    """Print the medians; exit 1 when more is added than wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    runs = [measure() for _ in range(options.runs)]
    server = statistics.median(run["server_s"] for run in runs)
    added = statistics.median(run["added_s"] for run in runs)
    row = {
        "server_s": round(server, 4),
        "added_s": round(added, 4),
        "ratio": round(added / server, 4),
        "wanted_s": WANTED_S,
        "runs": options.runs,
    }
    if options.json:
        sys.stdout.write(json.dumps(row) + "\n")
    else:
        sys.stdout.write(
            f"server {server:.3f} s, extension adds {added:.4f} s (x{1 + added / server:.3f})\n"
        )
    return 0 if added < WANTED_S else 1


if __name__ == "__main__":
    sys.exit(main())
