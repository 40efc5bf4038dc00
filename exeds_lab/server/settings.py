"""What an administrator or a user sets in `jupyter_server_config.py`: `c.ExedsLab.model = "…"`.

Every setting may also come from the environment as EXEDS_LAB_<NAME>. Nothing here imports
pydantic: these traits are read when the server starts.
"""

from __future__ import annotations

import os
from typing import Any

from traitlets import Float, Integer, TraitType, Unicode
from traitlets.config import Configurable

_PREFIX = "EXEDS_LAB_"
KEY_VARIABLE = f"{_PREFIX}API_KEY"
"""Taken out of the environment when the server starts, so that kernels do not inherit it."""

_SHARED_KEY = "OPENAI_API_KEY"


def _optional(kind: type[TraitType[Any, Any]], text: str) -> Any:
    return kind(None, allow_none=True, help=text).tag(config=True)


class ExedsLab(Configurable):
    """c.ExedsLab.* ; what is not set has the default of `exeds_lab.config.DEFAULT`."""

    base_url = _optional(Unicode, "Base URL of an OpenAI-compatible endpoint.")
    api_key = _optional(Unicode, "Its key; stays on the server, never sent to the browser.")
    model = _optional(Unicode, "The model's name; with none of these three the local model serves.")
    model_timeout_s = _optional(Float, "Seconds without a byte before the model is given up.")
    max_retries = _optional(Integer, "Retries after 429, 5xx and lost connections.")
    temperature = _optional(Float, "Temperature of all candidates but the first.")
    max_tokens = _optional(Integer, "Most tokens of a reply.")
    local_model = _optional(Unicode, "default, small, none, or the path of a GGUF file.")
    search_s = _optional(Float, "CPU seconds of the built-in search.")
    threads = _optional(Integer, "Threads of the local model.")
    idle_s = _optional(Float, "Idle seconds after which the local model is unloaded.")
    candidates = _optional(Integer, "Default number of candidates.")
    prompt_tokens = _optional(Integer, "Token budget of a prompt.")
    trial_timeout_s = _optional(Float, "Wall seconds of one trial.")
    memory_mb = _optional(Integer, "Memory growth of one trial, MiB.")
    output_bytes = _optional(Integer, "Text of one trial that is kept.")
    processes = _optional(Integer, "Processes of one trial.")
    parallel = _optional(Integer, "Trials that run at once.")
    queue_s = _optional(Float, "Seconds to wait for a busy kernel.")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._environment: dict[str, str] = {}

    def values(self) -> dict[str, Any]:
        """Flat settings for `config.from_values`: traits first, then the environment.

        OPENAI_API_KEY is only sent to OpenAI's own endpoint: it is looked at when a model is
        named and no base URL is.
        """
        names = self.trait_names(config=True)
        found = {name: getattr(self, name) for name in names}
        for name in names:
            if found[name] is None:
                found[name] = self._environment.get(_PREFIX + name.upper())
        if found["model"] and not found["base_url"] and not found["api_key"]:
            found["api_key"] = os.environ.get(_SHARED_KEY)
        return found

    def take_environment(self) -> None:
        """Remember our variables, and take the key out of the process's environment."""
        self._environment = {
            name: value for name, value in os.environ.items() if name.startswith(_PREFIX)
        }
        os.environ.pop(KEY_VARIABLE, None)
