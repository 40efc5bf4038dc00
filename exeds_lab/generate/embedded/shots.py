"""Examples that stand before the real task: small models learn the form of the answer from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from exeds_lab.model.candidate import Message


class Shot(NamedTuple):
    """One solved task."""

    variables: str
    expected: str
    task: str
    code: str


SHOTS = (
    Shot(
        variables="stays: DataFrame, 5 x 3 (rows x columns)\n"
        "    'hotel': str, e.g. Krone\n"
        "    'nights': int64, e.g. 3\n"
        "    'rate': float64, e.g. 80.0",
        expected="The last expression must be this pandas Series of float64 with 2 values:\n"
        "```text\nPost | 810.0\nKrone | 480.0\n```\n"
        "The order of the rows matters. The first column shown is the index.",
        task="Income (nights times rate) of each hotel, highest first.",
        code='income = stays["nights"] * stays["rate"]\n'
        'result = income.groupby(stays["hotel"]).sum().sort_values(ascending=False)',
    ),
    Shot(
        variables="lakes: DataFrame, 6 x 3 (rows x columns)\n"
        "    'lake': str, e.g. Garda\n"
        "    'land': str, e.g. Italy\n"
        "    'depth_m': float64, e.g. 346.0",
        expected="The last expression must be this pandas DataFrame[land, deepest] with 2 rows:\n"
        "```text\nland | deepest\nItaly | 410.0\nNorway | 514.0\n```\n"
        "The order of the rows matters: deepest, smallest first.",
        task="Depth of the deepest lake of each land, without lakes under 50 m.",
        code='deep = lakes[lakes["depth_m"] >= 50]\n'
        'result = deep.groupby("land")["depth_m"].max().reset_index(name="deepest")',
    ),
    Shot(
        variables="notes: DataFrame, 3 x 2 (rows x columns)\n"
        "    'note': str, e.g. buy tea\n"
        "    'due': str, e.g. 2026-03-01",
        expected="The last expression must be this pandas DataFrame[note, due, words] "
        "with 3 rows:\n"
        "```text\nnote | due | words\nbuy tea | 2026-03-01 | 2\ncall | 2026-03-09 | 1\n"
        "water the plants | 2026-04-02 | 3\n```\nThe order of the rows matters.",
        task="Add a column words with the number of words of each note.",
        code='result = notes.assign(words=notes["note"].str.split().str.len())',
    ),
)


def with_shots(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The prompt with the examples between its instructions and its task.

    The instructions and the examples never change, so the server keeps them computed.
    """
    system = tuple(message for message in messages if message.role == "system")
    rest = tuple(message for message in messages if message.role != "system")
    solved = [message for shot in SHOTS for message in _messages(shot)]
    return (*system, *solved, *rest)


def _messages(shot: Shot) -> tuple[Message, Message]:
    asked = (
        f"# Variables in the kernel\n```text\n{shot.variables}\n```\n\n"
        f"# What must come out\n{shot.expected}\n\n"
        f"# Task\n{shot.task}\n\nPut the answer in the last expression of the cell."
    )
    return (
        Message(role="user", content=asked),
        Message(role="assistant", content=f"```python\n{shot.code}\n```"),
    )
