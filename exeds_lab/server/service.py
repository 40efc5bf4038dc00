"""What the server holds between requests: configuration, generator, one executor a kernel."""

from __future__ import annotations

from typing import Any

from exeds_lab.config import Config, from_values
from exeds_lab.generate.choose import choose
from exeds_lab.generate.generator import Generator
from exeds_lab.server.kernels import Kernels
from exeds_lab.server.settings import ExedsLab

_KEY = "exeds_lab_service"


class Service:
    """Made at the first request, lives as long as the server. Used in its event loop alone."""

    def __init__(self, config: Config, generator: Generator, kernels: Kernels) -> None:
        self.config = config
        self.generator = generator
        self.kernels = kernels


def service_of(settings: dict[str, Any]) -> Service:
    """The service of this web application.

    Args:
        settings: of the tornado application.

    Raises:
        ConfigError: a setting cannot be used.
    """
    if _KEY not in settings:
        traits: ExedsLab = settings["exeds_lab_settings"]
        config = from_values(traits.values())
        kernels = Kernels(settings["kernel_manager"], config)
        settings[_KEY] = Service(config, choose(config), kernels)
    service: Service = settings[_KEY]
    return service
