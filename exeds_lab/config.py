"""Everything a user may set, as one frozen record.

At the server's edge traitlets fill it (`server/settings.py`), at the terminal's edge the
environment and options (`cli/settings.py`). Nothing else reads the environment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field, ValidationError

from exeds_lab.errors import ConfigError
from exeds_lab.model.execution import Limits
from exeds_lab.model.record import Record


class OpenAISettings(Record):
    """An OpenAI-compatible endpoint."""

    base_url: str | None
    """None: the client's own default endpoint."""
    api_key: str | None = Field(repr=False)
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

_ENDPOINT: Mapping[str, Any] = {
    "base_url": None,
    "api_key": None,
    "model": "",
    "timeout_s": 60.0,
    "max_retries": 2,
    "temperature": 0.8,
    "max_tokens": None,
}

_PLACES: Mapping[str, tuple[str, ...]] = {
    "base_url": ("openai", "base_url"),
    "api_key": ("openai", "api_key"),
    "model": ("openai", "model"),
    "model_timeout_s": ("openai", "timeout_s"),
    "max_retries": ("openai", "max_retries"),
    "temperature": ("openai", "temperature"),
    "max_tokens": ("openai", "max_tokens"),
    "local_model": ("embedded", "model"),
    "search_s": ("embedded", "search_s"),
    "threads": ("embedded", "threads"),
    "idle_s": ("embedded", "idle_s"),
    "candidates": ("candidates",),
    "prompt_tokens": ("prompt_tokens",),
    "trial_timeout_s": ("limits", "timeout_s"),
    "memory_mb": ("limits", "memory_mb"),
    "output_bytes": ("limits", "output_bytes"),
    "processes": ("limits", "processes"),
    "parallel": ("parallel",),
    "queue_s": ("queue_s",),
}

SETTINGS = tuple(_PLACES)
"""The flat names by which a setting is known to traitlets, options and the environment."""

_ABOVE_ZERO = (
    "model_timeout_s",
    "candidates",
    "prompt_tokens",
    "trial_timeout_s",
    "memory_mb",
    "output_bytes",
    "processes",
    "parallel",
    "queue_s",
)

_SWITCHES = ("base_url", "api_key", "model")
"""Any of these set means: use the endpoint, not the embedded generator."""


def from_values(values: Mapping[str, Any]) -> Config:
    """The configuration from flat names; what is not named, None or empty keeps its default.

    Args:
        values: by the names in SETTINGS; texts are converted.

    Raises:
        ConfigError: a value cannot be used, or an endpoint is named without a model.
    """
    given = {name: value for name, value in values.items() if value not in (None, "")}
    data: dict[str, Any] = DEFAULT.model_dump()
    if any(name in given for name in _SWITCHES):
        data["openai"] = dict(_ENDPOINT)
    for name, value in given.items():
        *outer, last = _PLACES[name]
        target = data[outer[0]] if outer else data
        if target is not None:
            target[last] = value
    try:
        config = Config.model_validate(data)
    except ValidationError as error:
        raise _unusable(error) from None
    _refuse_zero(config)
    if config.openai is not None and not config.openai.model:
        raise ConfigError(
            "An endpoint is set, but no model.",
            "Name the model: `--model`, EXEDS_LAB_MODEL or c.ExedsLab.model.",
        )
    return config


def _refuse_zero(config: Config) -> None:
    data = config.model_dump()
    for name in _ABOVE_ZERO:
        *outer, last = _PLACES[name]
        holder = data[outer[0]] if outer else data
        if holder is not None and holder[last] <= 0:
            raise ConfigError(f"The setting {name!r} must be above zero.", "Correct it.")


def _unusable(error: ValidationError) -> ConfigError:
    first = error.errors(include_url=False, include_input=False)[0]
    place = tuple(str(part) for part in first["loc"])
    name = next((name for name, where in _PLACES.items() if where == place), ".".join(place))
    return ConfigError(f"The setting {name!r} cannot be used: {first['msg']}.", "Correct it.")
