from __future__ import annotations

import pytest

from exeds_lab.prompt.tokens import estimate


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("hello", 1),
        ("hello world", 2),
        ("groupby", 2),
        ("2026", 4),
        ('df["a"].sum()', 10),
        ("\n    return", 2),
        ("Grüße", 4),
        ("売上", 2),
        ("😀", 2),
    ],
)
def test_the_estimate_is_what_its_rules_say(text: str, tokens: int) -> None:
    assert estimate(text) == tokens
