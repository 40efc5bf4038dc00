from __future__ import annotations

import pytest

from exeds_lab.cli.settings import config_of
from exeds_lab.config import DEFAULT, OpenAISettings, from_values
from exeds_lab.errors import ConfigError


def endpoint(**changes: object) -> OpenAISettings:
    settings = OpenAISettings(
        base_url=None,
        api_key=None,
        model="m",
        timeout_s=60.0,
        max_retries=2,
        temperature=0.8,
        max_tokens=None,
    )
    return settings.model_copy(update=changes)


def test_with_nothing_set_the_defaults_hold() -> None:
    assert config_of({}, {}) == DEFAULT


def test_options_come_before_the_environment() -> None:
    environment = {"EXEDS_LAB_MODEL": "e", "EXEDS_LAB_CANDIDATES": "7", "EXEDS_LAB_API_KEY": "k"}
    config = config_of({"model": "m", "base_url": None}, environment)

    assert config.openai == endpoint(api_key="k")
    assert config.candidates == 7


@pytest.mark.parametrize(
    ("options", "key"),
    [({"model": "m"}, "the user's own"), ({"model": "m", "base_url": "http://localhost/v1"}, None)],
)
def test_the_openai_key_goes_to_openai_alone(options: dict[str, str], key: str | None) -> None:
    config = config_of(options, {"OPENAI_API_KEY": "the user's own"})

    assert config.openai is not None
    assert config.openai.api_key == key


def test_the_openai_key_alone_sends_nothing_anywhere() -> None:
    assert config_of({}, {"OPENAI_API_KEY": "the user's own"}).openai is None


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"parallel": 0}, "The setting 'parallel' must be above zero."),
        ({"trial_timeout_s": -1}, "The setting 'trial_timeout_s' must be above zero."),
        ({"base_url": "http://localhost/v1"}, "An endpoint is set, but no model."),
        (
            {"candidates": "many"},
            "The setting 'candidates' cannot be used: Input should be a valid integer, unable to "
            "parse string as an integer.",
        ),
    ],
)
def test_what_cannot_be_used_is_named(values: dict[str, object], reason: str) -> None:
    with pytest.raises(ConfigError) as caught:
        from_values(values)

    assert caught.value.reason == reason
