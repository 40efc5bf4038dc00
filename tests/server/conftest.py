from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from exeds_lab.config import DEFAULT
from exeds_lab.generate.generator import Generator
from exeds_lab.server.kernels import Kernels
from exeds_lab.server.routes import NAMESPACE
from exeds_lab.server.service import Service
from tests.server.scenario import Kernel


@pytest.fixture
def start_kernel(jp_serverapp: Any, jp_asyncio_loop: Any) -> Iterator[Callable[[], Kernel]]:
    """Start kernels through the server's own kernel manager."""
    run = jp_asyncio_loop.run_until_complete
    manager = jp_serverapp.kernel_manager
    started: list[Kernel] = []

    def start() -> Kernel:
        kernel_id = run(manager.start_kernel(kernel_name="python3"))
        started.append(Kernel(kernel_id, manager, run))
        return started[-1]

    yield start
    for kernel in started:
        kernel.client.stop_channels()
        if kernel.id in manager:
            run(manager.shutdown_kernel(kernel.id, now=True))


@pytest.fixture
def kernel(start_kernel: Callable[[], Kernel]) -> Kernel:
    """One kernel with a little state."""
    started = start_kernel()
    started.execute("a = 40\nb = 2")
    return started


@pytest.fixture
def other_kernel(start_kernel: Callable[[], Kernel]) -> Kernel:
    """A second kernel."""
    return start_kernel()


@pytest.fixture
def serve(jp_serverapp: Any, jp_asyncio_loop: Any) -> Iterator[Callable[[Generator], Service]]:
    """Let the server use this generator."""
    settings = jp_serverapp.web_app.settings
    services: list[Service] = []

    def use(generator: Generator, **changes: Any) -> Service:
        config = DEFAULT.model_copy(update=changes)
        service = Service(config, generator, Kernels(settings["kernel_manager"], config))
        settings["exeds_lab_service"] = service
        services.append(service)
        return service

    yield use
    for service in services:
        jp_asyncio_loop.run_until_complete(service.kernels.close())


@pytest.fixture
def post(jp_fetch: Any) -> Callable[..., Any]:
    """POST a record to a route; gives status and body."""

    async def send(route: str, body: Any, **options: Any) -> tuple[int, Any]:
        text = body if isinstance(body, str) else body.model_dump_json()
        response = await jp_fetch(
            *NAMESPACE, route, method="POST", body=text, raise_error=False, **options
        )
        return response.code, response.body.decode()

    return send
