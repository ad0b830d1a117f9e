"""A server, people in it, and bolt apps that talk to it by HTTP and by Socket Mode."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import aiohttp
import pytest

from tests.support.slack.bare import Ask, Bolt, Running, asking, by_http, by_socket
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack.sink import Sink, listening


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    """A server whose every violation fails the test."""
    async with SlackServer() as running:
        yield running


@pytest.fixture
def ada(server: SlackServer) -> Person:
    """Somebody in the workspace."""
    return server.workspace.person("Ada")


@pytest.fixture
async def ask(server: SlackServer) -> AsyncIterator[Ask]:
    """Call a method by bare HTTP, with JSON."""
    async with aiohttp.ClientSession() as session:
        yield asking(session, server)


@pytest.fixture
async def runs(server: SlackServer) -> AsyncIterator[Running]:
    """Let a bolt app run by HTTP until the end of the test."""
    async with AsyncExitStack() as stack:

        async def run(bolt: Bolt) -> None:
            await stack.enter_async_context(by_http(server, bolt))

        yield run


@pytest.fixture(params=["http", "socket"])
async def runs_either_way(
    server: SlackServer, request: pytest.FixtureRequest
) -> AsyncIterator[Running]:
    """Let a bolt app run by HTTP, and in another test by Socket Mode."""
    way = {"http": by_http, "socket": by_socket}[request.param]
    async with AsyncExitStack() as stack:

        async def run(bolt: Bolt) -> None:
            await stack.enter_async_context(way(server, bolt))

        yield run


@pytest.fixture
async def sink(server: SlackServer) -> AsyncIterator[Sink]:
    """A bot that only listens."""
    async with listening(server) as running:
        yield running


@pytest.fixture
async def post() -> AsyncIterator[Callable[..., Awaitable[int]]]:
    """Post JSON to an address; gives the status."""
    async with aiohttp.ClientSession() as session:

        async def run(url: str, **body: object) -> int:
            async with session.post(url, json=body) as answer:
                return answer.status

        yield run
