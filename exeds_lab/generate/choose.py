"""Which generator serves."""

from __future__ import annotations

from exeds_lab.config import Config
from exeds_lab.generate.generator import Generator


def choose(config: Config) -> Generator:
    """The configured endpoint, else the embedded generator.

    Keep the generator while the configuration is the same: it learns what its server can do, or
    holds the local model in memory. Close it when another takes its place.

    Raises:
        GeneratorError: the endpoint's base URL or key cannot be used.
    """
    # Either brings much that the other does not need.
    if config.openai is not None:
        from exeds_lab.generate.openai import OpenAIGenerator  # noqa: PLC0415

        return OpenAIGenerator(config.openai)
    from exeds_lab.generate.embedded.generator import EmbeddedGenerator  # noqa: PLC0415

    return EmbeddedGenerator(config.embedded)
