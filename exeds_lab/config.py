"""Everything a user may set, as one frozen record.

At the server's edge traitlets fill it (`server/settings.py`), at the terminal's edge the
environment and options (`cli/`). Nothing else reads the environment.
"""

from __future__ import annotations

from exeds_lab.model.execution import Limits
from exeds_lab.model.record import Record


class OpenAISettings(Record):
    """An OpenAI-compatible endpoint."""

    base_url: str | None
    """None: the client's own default endpoint."""
    api_key: str | None
    """None or empty: sent as a blank key, for local servers that want none."""
    model: str
    timeout_s: float
    """Seconds without a single byte before a request is given up."""
    max_retries: int
    """Retries after 429, 5xx and lost connections, with backoff."""
    temperature: float
    max_tokens: int | None
    """None: the server's own limit."""


class EmbeddedSettings(Record):
    """The generator that needs no key and no network."""

    model: str
    """`default` (1.5B), `small` (0.5B), `none` (search only) or the path of a GGUF file."""
    search_s: float
    """CPU seconds that the search may use."""
    threads: int | None
    """None: one fewer than there are cores, at least 1."""
    idle_s: float
    """Seconds without a request after which the local model is unloaded."""


class Config(Record):
    """Everything a user may set."""

    openai: OpenAISettings | None
    """None: nothing is configured and the embedded generator serves."""
    embedded: EmbeddedSettings
    candidates: int
    """Default number of candidates."""
    prompt_tokens: int
    """Token budget of a prompt."""
    limits: Limits
    """Limits of one trial."""
    parallel: int
    """Trials that run at once."""
    queue_s: float
    """Seconds to wait for a busy kernel before giving up."""


DEFAULT = Config(
    openai=None,
    embedded=EmbeddedSettings(model="default", search_s=2.0, threads=None, idle_s=600.0),
    candidates=3,
    prompt_tokens=6000,
    limits=Limits(timeout_s=20.0, memory_mb=2048, output_bytes=1 << 20, processes=64),
    parallel=2,
    queue_s=300.0,
)
"""What holds when nothing is set."""
