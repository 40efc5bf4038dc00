"""What is said of candidates that no large model wrote."""

from __future__ import annotations

from exeds_lab.model.candidate import GeneratorInfo

SEARCH = GeneratorInfo(
    kind="search",
    model="search",
    label="Built-in search, no AI: found by trying pandas operations until one gave your expected "
    "result.",
    leaves_machine=False,
)
"""Who writes the programs of the search."""

EMBEDDED = GeneratorInfo(
    kind="embedded",
    model="built-in search",
    label="Built-in search, no AI. It needs a declared expected value; nothing is sent out.",
    leaves_machine=False,
)
"""The embedded generator where there is no local model."""

UNCHECKED = (
    "Not checked. In our tests 1 in 4 to 3 in 4 such answers of this small model were wrong."
)
"""Note on a candidate of the local model for which nothing was declared."""


def embedded_with(model: str) -> GeneratorInfo:
    """The embedded generator with a local model."""
    return EMBEDDED.model_copy(
        update={
            "model": f"built-in search and {model}",
            "label": f"Built-in search, then the local model {model}. Both run on this computer; "
            "nothing is sent out.",
        }
    )


def local(model: str) -> GeneratorInfo:
    """Who writes the answers of the local model."""
    return GeneratorInfo(
        kind="local",
        model=model,
        label=f"Local model {model}: small, runs on this computer, nothing is sent out.",
        leaves_machine=False,
    )


def others_fit(count: int) -> str:
    """How many different programs fit beside the one shown."""
    if count == 0:
        return "No other program that was tried fits."
    if count == 1:
        return "1 other program also fits."
    return f"{count} other programs also fit."
