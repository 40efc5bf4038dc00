"""Loading the embedded generator is cheap: what is heavy comes with the first request."""

from __future__ import annotations

import os
import subprocess
import sys


def test_the_generator_loads_neither_pandas_nor_openai_nor_the_model():
    code = (
        "import sys, exeds_lab.generate.embedded.generator\n"
        "print(sorted({'pandas', 'numpy', 'openai', 'xllamacpp'} & set(sys.modules)))"
    )
    path = os.pathsep.join(filter(None, sys.path))

    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": path},
    )

    assert done.stdout == "[]\n"
