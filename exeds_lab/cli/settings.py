"""Options and environment variables to a Config."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from exeds_lab.config import SETTINGS, Config, from_values

PREFIX = "EXEDS_LAB_"
"""Every setting can be given as EXEDS_LAB_<NAME>."""

_SHARED_KEY = "OPENAI_API_KEY"
_Command = TypeVar("_Command", bound=Callable[..., Any])

_MODEL_OPTIONS = (
    click.option("--model", metavar="NAME", help="Model at an OpenAI-compatible endpoint."),
    click.option("--base-url", metavar="URL", help="Base URL of that endpoint."),
    click.option(
        "--local-model",
        metavar="NAME",
        help="Without an endpoint: default, small, none (search only), or a GGUF file.",
    ),
)
_TRIAL_OPTIONS = (
    click.option(
        "--timeout",
        "trial_timeout_s",
        type=float,
        metavar="SECONDS",
        help="Most seconds that a candidate may run.",
    ),
    click.option(
        "--memory", "memory_mb", type=int, metavar="MIB", help="Most memory that it may add."
    ),
)


def model_options(command: _Command) -> _Command:
    """Add the options that choose who generates. Keys have none: they come from the environment."""
    return _with(command, _MODEL_OPTIONS)


def trial_options(command: _Command) -> _Command:
    """Add the limits of a trial."""
    return _with(command, _TRIAL_OPTIONS)


def config_of(options: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> Config:
    """Options first, then the environment, then the defaults.

    OPENAI_API_KEY is only sent to OpenAI's own endpoint: it is looked at when a model is named and
    no base URL is.

    Raises:
        ConfigError: a value cannot be used.
    """
    values: dict[str, Any] = {name: environment.get(PREFIX + name.upper()) for name in SETTINGS}
    values |= {name: options[name] for name in SETTINGS if options.get(name) is not None}
    if values["model"] and not values["base_url"] and not values["api_key"]:
        values["api_key"] = environment.get(_SHARED_KEY)
    return from_values(values)


def _with(command: _Command, options: tuple[Callable[[_Command], _Command], ...]) -> _Command:
    for option in reversed(options):
        command = option(command)
    return command
