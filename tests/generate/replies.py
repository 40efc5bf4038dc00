"""Ugly replies, each with what should be read from it: code, or a problem in words."""

from __future__ import annotations

import json

NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "source": ["# Plan\n"]},
            {"cell_type": "code", "source": ["import pandas as pd\n", "df = pd.read_csv(p)"]},
            {"cell_type": "code", "source": "df.head()", "outputs": [{"text": "noise"}]},
        ],
        "nbformat": 4,
    },
    indent=1,
)

CODE: dict[str, tuple[str, str]] = {
    # fences
    "a python fence": ("```python\nx = 1\nx\n```", "x = 1\nx"),
    "a fence without a name": ("```\nx = 1\n```", "x = 1"),
    "a fence of tildes": ("~~~python\nx = 1\n~~~", "x = 1"),
    "a fence named in capitals": ("```Python\nx = 1\n```", "x = 1"),
    "a fence with attributes": ('```python title="a.py" {.line}\nx = 1\n```', "x = 1"),
    "a fence in braces": ("```{python}\nx = 1\n```", "x = 1"),
    "a fence named py with a colon": ("```python:cell.py\nx = 1\n```", "x = 1"),
    "a fence without its end": ("```python\nx = 1\ny = x", "x = 1\ny = x"),
    "a fence without its beginning": ("x = 1\ny = x\n```", "x = 1\ny = x"),
    "a fence without its beginning, and prose": (
        "x = 1\ny = x\n```\nThis adds one variable.",
        "x = 1\ny = x",
    ),
    "a fence with a blank line inside": ("```python\n\nx = 1\n\ny = 2\n\n```", "x = 1\n\ny = 2"),
    "a fence in a list": (
        "1. Do this:\n\n   ```python\n   for x in y:\n       print(x)\n   ```\n",
        "for x in y:\n    print(x)",
    ),
    "a fence in a quotation": ("> ```python\n> x = 1\n> ```", "x = 1"),
    "a fence on one line": ("```python x = 1```", "x = 1"),
    "a fence inside a fenced document": (
        "````markdown\nHere it is.\n\n```python\nx = 1\n```\n````",
        "x = 1",
    ),
    "a fence inside a document fenced by as many backticks": (
        "```markdown\nHere it is.\n\n```python\nx = 1\n```\n\nDone.\n```",
        "x = 1",
    ),
    "a longer fence around backticks": (
        '````python\ntext = """\n```\nraw\n```\n"""\n````',
        'text = """\n```\nraw\n```\n"""',
    ),
    "backticks inside a string in a fence": (
        '```python\ntext = """\n```\nraw\n```\n"""\nlen(text)\n```',
        'text = """\n```\nraw\n```\n"""\nlen(text)',
    ),
    "a fence with text after its end": ("```python\nx = 1\n``` That is all.", "x = 1"),
    "a stray fence at the end": ("```python\nx = 1\n```\n```", "x = 1"),
    "a fence of quotation marks": ("'''python\ndf.sum()\n'''", "df.sum()"),
    "three backticks in a sentence": ("I'd use ```df.sum()``` for that.", "df.sum()"),
    "tags in brackets": ("[PYTHON]\ndf.sum()\n[/PYTHON]", "df.sum()"),
    "a code tag": ("<code>df.sum()</code>", "df.sum()"),
    "a token of the chat template": ("```python\ndf.sum()\n```<|eot_id|>", "df.sum()"),
    "bare code between tokens": ("<|python_tag|>df.sum()<|im_end|>\n", "df.sum()"),
    "html instead of a fence": (
        '<pre><code class="language-python">x = 1 &lt; 2\n</code></pre>',
        "x = 1 < 2",
    ),
    # prose
    "bare code": ("x = 1\nx", "x = 1\nx"),
    "a bare name": ("df", "df"),
    "prose around bare code": (
        "Sure! Here is the code:\n\nimport pandas as pd\ndf.head()\n\nHope this helps!",
        "import pandas as pd\ndf.head()",
    ),
    "prose between two pieces of bare code": (
        "First we import it:\n\nimport pandas as pd\n\nThen we take the first rows:\n\ndf.head()\n",
        "import pandas as pd\n\n\ndf.head()",
    ),
    "prose before a bare function": (
        "Of course.\n\ndef f(x):\n    y = x + 1\n\n    return y\n\nf(2)\n\nThis returns 3.",
        "def f(x):\n    y = x + 1\n\n    return y\n\nf(2)",
    ),
    "prose before a comprehension over lines": (
        "Of course.\n\n[\n    x\n    for x in y\n    if x\n]\n\nThis keeps what is true (of y).",
        "[\n    x\n    for x in y\n    if x\n]",
    ),
    "prose before a long string that looks like prose": (
        'Of course.\n\nq = """\nSELECT a FROM t\n"""\nlen(q)\n\nThat is it.',
        'q = """\nSELECT a FROM t\n"""\nlen(q)',
    ),
    "a list of steps around bare code": (
        "- import it\n- use it\n\nimport numpy as np\nnp.mean(x)",
        "import numpy as np\nnp.mean(x)",
    ),
    "code in a sentence": ("You can use `df['city'].nunique()` for this.", "df['city'].nunique()"),
    "prose around a fence": (
        "Sure!\n\n```python\ndf.sum()\n```\n\nThis sums every column.",
        "df.sum()",
    ),
    # several blocks
    "two blocks that are two steps": (
        "Import:\n```python\nimport numpy as np\n```\nThen:\n```python\nnp.mean(x)\n```",
        "import numpy as np\n\nnp.mean(x)",
    ),
    "an alternative after the answer": (
        "```python\ndf.a.sum()\n```\nAlternatively, with numpy:\n```python\nnp.sum(df.a)\n```",
        "df.a.sum()",
    ),
    "a second option": (
        "Option 1:\n```python\na = 1\n```\nOption 2:\n```python\na = 2\n```",
        "a = 1",
    ),
    "a correction of the answer": (
        "```python\ndf.sum(axis=1)\n```\nWait, corrected version:\n```python\ndf.sum(axis=0)\n```",
        "df.sum(axis=0)",
    ),
    "steps and then the whole": (
        "Step:\n```python\na = 1\n```\nStep:\n```python\nb = a\n```\n"
        "All together:\n```python\na = 1\nb = a\n```",
        "a = 1\nb = a",
    ),
    "the whole again without saying so": (
        "```python\na = 1\n```\nand\n```python\na = 1\nb = a\n```",
        "a = 1\nb = a",
    ),
    "the same block twice": ("```python\na = 1\n```\n```python\na = 1\n```", "a = 1"),
    "an excerpt explained afterwards": (
        "```python\na = 1\nb = a\n```\nThe line\n```python\nb = a\n```\ncopies it.",
        "a = 1\nb = a",
    ),
    "sample data before the answer": (
        "Sample data:\n```python\ndf = pd.DataFrame()\n```\nThe code:\n```python\ndf.sum()\n```",
        "df.sum()",
    ),
    "usage after the answer": (
        "```python\ndef f(x):\n    return x\n```\nExample usage:\n```python\nf(0)\n```",
        "def f(x):\n    return x",
    ),
    "output after the answer": ("```python\n6 * 7\n```\nOutput:\n```\n42\n```", "6 * 7"),
    "output in a fence of its own kind": ("```\nx = 6\n```\n```output\n6\n```", "x = 6"),
    "a literal after nameless code": ("```\nx + 1\n```\n```\n[1, 2]\n```", "x + 1"),
    "an installation before the answer": (
        "```bash\npip install pandas\n```\n```python\ndf.sum()\n```",
        "df.sum()",
    ),
    "an installation in a python fence": (
        "```python\npip install pandas\n```\n```python\ndf.sum()\n```",
        "df.sum()",
    ),
    "the original after the correction": (
        "The code:\n```python\nx = 1\n```\nThe original was\n```python\nx == 1\n```",
        "x = 1",
    ),
    "prose that tells what the code outputs": (
        "Import:\n```python\nimport a\n```\nNow output the total instead of the mean\n"
        "```python\na.total()\n```",
        "import a\n\na.total()",
    ),
    "sql beside python": ("```sql\nselect 1\n```\n```python\nx = 1\n```", "x = 1"),
    "a language nobody knows": ("```pandas\ndf.sum()\n```", "df.sum()"),
    "code in a text fence": ("```text\ndf.sum()\n```", "df.sum()"),
    # prompts
    "the classic prompt with output": (
        "```python\n>>> for x in y:\n...     print(x)\n...\n1\n2\n>>> x\n2\n```",
        "for x in y:\n    print(x)\n\nx",
    ),
    "the classic prompt without a fence": (
        "Like this:\n\n>>> df.sum()\na    3\n>>> df.max()\n",
        "df.sum()\ndf.max()",
    ),
    "the IPython prompt with output": (
        "```\nIn [1]: x = 1\n   ...: y = 2\n\nIn [2]: x + y\nOut[2]: 3\n```",
        "x = 1\ny = 2\nx + y",
    ),
    "the IPython prompt on a line of its own": (
        "In [1]:\nimport pandas as pd\ndf.sum()\nOut[1]:\na    3\ndtype: int64",
        "import pandas as pd\ndf.sum()",
    ),
    "the IPython prompt before a pasted function": (
        "```\nIn [3]: def f(x):\n    return x\n```",
        "def f(x):\n    return x",
    ),
    # other forms
    "a notebook as JSON": (NOTEBOOK, "import pandas as pd\ndf = pd.read_csv(p)\n\ndf.head()"),
    "a notebook in a json fence": (
        f"Here:\n```json\n{NOTEBOOK}\n```",
        "import pandas as pd\ndf = pd.read_csv(p)\n\ndf.head()",
    ),
    "code in a JSON field": ('{"explanation": "sums", "code": "x = 1\\nx"}', "x = 1\nx"),
    "code as a JSON string": ('"x = 1\\nx"', "x = 1\nx"),
    "a JSON field in a json fence": ('```json\n{"code": "x = 1"}\n```', "x = 1"),
    "a diff": (
        "```diff\n--- a/cell\n+++ b/cell\n@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3\n```",
        "x = 1\ny = 3",
    ),
    "a diff in a python fence": (
        "```python\n@@ -1,2 +1,2 @@\n for x in y:\n-    pass\n+    print(x)\n```",
        "for x in y:\n    print(x)",
    ),
    "only added lines": (
        "```python\n+for x in y:\n+    print(x)\n```",
        "for x in y:\n    print(x)",
    ),
    "numbered lines": ("```python\n1 x = 1\n2 if x:\n3     x = 2\n```", "x = 1\nif x:\n    x = 2"),
    "newlines written as two characters": ("```python\nx = 1\\nx\n```", "x = 1\nx"),
    "escaped html": ("```python\nx = 1 if a &lt; b else 2\n```", "x = 1 if a < b else 2"),
    # thinking
    "thinking before the answer": (
        "<think>\nMaybe\n```python\nbad = 1\n```\nno.\n</think>\n\n```python\ngood = 1\n```",
        "good = 1",
    ),
    "thinking whose opening tag is missing": (
        "Maybe\n```python\nbad = 1\n```\nno.\n</think>\n```python\ngood = 1\n```",
        "good = 1",
    ),
    "a thinking tag in the code": (
        "```python\ntext.replace('<think>', '')\n```",
        "text.replace('<think>', '')",
    ),
    # typography and white space
    "carriage returns": ("```python\r\nif x:\r\n    y = 1\r\n```\r\n", "if x:\n    y = 1"),
    "non-breaking spaces": (
        "```python\nif x:\n\u00a0\u00a0\u00a0\u00a0y\u00a0=\u00a01\n```",
        "if x:\n    y = 1",
    ),
    "a non-breaking space that means something": (
        "```python\ns.replace('\u00a0', ' ')\n```",
        "s.replace('\u00a0', ' ')",
    ),
    "smart quotes": (
        "```python\ndf[\u201ccity\u201d] == \u2018a\u2019\n```",
        "df[\"city\"] == 'a'",
    ),
    "smart quotes that mean something": (
        "```python\ns.strip('\u201c\u201d')\n```",
        "s.strip('\u201c\u201d')",
    ),
    "a long dash for minus": ("```python\nx \u2212 1\n```", "x - 1"),
    "a byte-order mark": ("\ufeffx = 1", "x = 1"),
    "zero-width spaces": ("```python\nx\u200b = 1\n```", "x = 1"),
    "tabs": ("```python\nif x:\n\ty = 1\n```", "if x:\n\ty = 1"),
    "tabs mixed with spaces": (
        "```python\nif x:\n\ty = 1\n        z = 2\n```",
        "if x:\n        y = 1\n        z = 2",
    ),
    "tabs of four mixed with spaces": (
        "```python\nif x:\n\ty = 1\n    z = 2\n```",
        "if x:\n    y = 1\n    z = 2",
    ),
    "leading indentation": ("    for x in y:\n        print(x)", "for x in y:\n    print(x)"),
    "indentation lost from the first line": ("x = 1\n    y = 2\n    z = 3", "x = 1\ny = 2\nz = 3"),
    "trailing blanks": ("```python\nx = 1   \n\n\n```", "x = 1"),
    # cells
    "top-level await": ("```python\nawait f()\n```", "await f()"),
    "a line magic": (
        "```python\n%matplotlib inline\ndf.plot()\n```",
        "%matplotlib inline\ndf.plot()",
    ),
    "a cell magic": ("```python\n%%time\nx = 1\n```", "%%time\nx = 1"),
    "a shell command": ("```python\nfiles = !ls\nlen(files)\n```", "files = !ls\nlen(files)"),
    "a question for help": ("```python\ndf.sum?\n```", "df.sum?"),
    "a bad escape that only warns": (
        "```python\nre.sub('\\d', '', s)\n```",
        "re.sub('\\d', '', s)",
    ),
    "a comment and code": ("```python\n# why?\nx = 1\n```", "# why?\nx = 1"),
}

PROBLEM: dict[str, tuple[str, str]] = {
    "nothing": ("", "The reply is empty."),
    "blanks": (" \n\n", "The reply is empty."),
    "an empty fence": ("```python\n```", "The reply holds no code: \u201c```python ```\u201d"),
    "an apology": (
        "I'm sorry, but I can't help with that.",
        "The model declined: \u201cI'm sorry, but I can't help with that.\u201d",
    ),
    "a refusal of one word": ("Sorry", "The model declined: \u201cSorry\u201d"),
    "a question": (
        "Which column do you mean?",
        "The reply holds no code: \u201cWhich column do you mean?\u201d",
    ),
    "a question in a fence": (
        "```\nWhich column do you mean?\n```",
        "The code does not compile: line 1 is a sentence: `Which column do you mean?`",
    ),
    "a plan": (
        "First group the rows by city, then take the mean of each group.",
        "The reply holds no code: "
        "\u201cFirst group the rows by city, then take the mean of each group.\u201d",
    ),
    "a long answer": (
        "word " * 100,
        "The reply holds no code: \u201c" + ("word " * 100)[:159] + "\u2026\u201d",
    ),
    "another language": (
        "```sql\nselect city from t\n```",
        "The reply holds no code: \u201c```sql select city from t ```\u201d",
    ),
    "only comments": ("```python\n# nothing to do\n```", "The code holds nothing but comments."),
    "thinking alone": ("<think>\nx = 1\n</think>", "The reply holds only the model's thinking."),
    "thinking without end": ("<think>\nx = 1\n", "The reply holds only the model's thinking."),
    "a string without end": (
        "```python\nx = 1\ny = 'abc\n```",
        "The code does not compile: line 2: unterminated string literal (detected at line 2): "
        "`y = 'abc`",
    ),
    "a bracket without end": (
        "```python\nx = (1\ny = 2\n```",
        "The code does not compile: line 1: '(' was never closed: `x = (1`",
    ),
    "a bare program with a mistake": (
        "Here you are:\n\nimport pandas as pd\nx = (1\ny = 2\n",
        "The code does not compile: line 2: '(' was never closed: `x = (1`",
    ),
    "a bare program that breaks off": (
        "Here you are:\n\ndef f(x):\n    y = x + 1\n    return (y\n",
        "The code does not compile: line 3: '(' was never closed: `return (y`",
    ),
    "a return outside a function": (
        "```python\nreturn 1\n```",
        "The code does not compile: line 1: 'return' outside function: `return 1`",
    ),
    "one broken step of two": (
        "```python\na = 1\n```\nthen\n```python\nb = = a\n```",
        "The code does not compile: line 1: invalid syntax: `b = = a`",
    ),
    "code of Python 2": (
        "```python\nprint 'a'\n```",
        "The code does not compile: line 1: Missing parentheses in call to 'print'. Did you mean "
        "print(...)?: `print 'a'`",
    ),
}
