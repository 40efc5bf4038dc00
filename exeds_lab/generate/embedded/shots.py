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
        variables="stays: DataFrame, 5 x 2 (rows x columns)\n"
        "    'hotel': str, e.g. Krone\n"
        "    'nights': int64, e.g. 3",
        expected="The last expression must be this pandas Series of int64 with 2 values:\n"
        "```text\nKrone | 6\nPost | 9\n```\nThe first column shown is the index.",
        task="Longest stay in each hotel.",
        code='stays.groupby("hotel")["nights"].max()',
    ),
    Shot(
        variables="lakes: DataFrame, 6 x 2 (rows x columns)\n"
        "    'lake': str, e.g. Garda\n"
        "    'depth_m': float64, e.g. 346.0",
        expected="The last expression must be this pandas DataFrame[lake, depth_m] with 2 rows:\n"
        "```text\nlake | depth_m\nComo | 410.0\nGarda | 346.0\n```\n"
        "The order of the rows matters: depth_m, largest first.",
        task="Lakes deeper than 300 m, deepest first.",
        code='lakes[lakes["depth_m"] > 300].sort_values("depth_m", ascending=False)',
    ),
    Shot(
        variables="notes: DataFrame, 3 x 1 (rows x columns)\n    'note': str, e.g. buy tea",
        expected="The last expression must be this pandas Series of int64 with 3 values:\n"
        "```text\n2\n1\n4\n```",
        task="Number of words in each note.",
        code='notes["note"].str.split().str.len()',
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
