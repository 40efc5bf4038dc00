"""The search as text: complete, and invisible where it runs."""

from __future__ import annotations

import asyncio
import json
from importlib import resources

from forks import forks

from exeds_lab.generate.embedded.ship import MARK, ORDER, PACKAGE, shipped, sources

REQUEST = {"names": ["df"], "expected": 6, "text": "Sum of a", "seconds": 2.0}


def printed(code, setup="import pandas as pd\ndf = pd.DataFrame({'a': [1, 2, 3]})"):
    execution = asyncio.run(forks(setup)(code, 60.0))
    return "".join(output["text"] for output in execution.outputs).splitlines()


def test_every_module_is_shipped_once():
    names = {file.name.removesuffix(".py") for file in resources.files(PACKAGE).iterdir()}

    assert sorted(ORDER) == sorted(names - {"__init__", "__pycache__"})


def test_the_text_names_nothing_of_ours():
    assert not any("exeds_lab." in text for _, text in sources())


def test_it_prints_one_marked_line_of_json():
    lines = [line for line in printed(shipped(REQUEST)) if line.startswith(MARK)]

    assert len(lines) == 1
    assert json.loads(lines[0].removeprefix(MARK))["programs"][0]["code"] == 'df["a"].sum()'


def test_the_answer_survives_other_output():
    setup = "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2, 3]})\nprint('hello')"

    assert printed(shipped(REQUEST), setup)[0] == "hello"
    assert printed(shipped(REQUEST), setup)[1].startswith(MARK)


def test_an_import_is_added_where_the_notebook_has_none():
    setup = "import pandas\ndf = pandas.DataFrame({'a': ['2024-01-31'], 'b': [1]})"
    request = {**REQUEST, "expected": [{"$": "datetime", "v": "2024-01-31T00:00:00"}]}

    line = printed(shipped(request), setup)[0]

    first = json.loads(line.removeprefix(MARK))["programs"][0]["code"]
    assert first == 'import pandas as pd\nlist(pd.to_datetime(df["a"]))'
