"""The real program at the loopback Slack server, over Socket Mode or over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.support.program import Program, log_of, program
from tests.support.slack.server import SlackServer

RETRIES = 301
"""Seconds on Slack's clock after which all that was not acknowledged has been sent again."""


@asynccontextmanager
async def running(
    server: SlackServer, folder: Path, port: int = 0, /, **chosen: str
) -> AsyncIterator[Program]:
    """The program, when it listens: at a port, or where there is none over Socket Mode.

    What was not acknowledged before is sent again, as Slack does it some minutes later.
    """
    if port:
        way = {"SLACK_SIGNING_SECRET": server.signing_secret, "PORT": str(port)}
    else:
        way = {"SLACK_APP_TOKEN": server.app_token}
    named = {"SLACK_BOT_TOKEN": server.token, "SLACK_API_BASE": server.api, **way, **chosen}
    server.delivery.by_clock = True
    async with program(server, folder, **named) as started:
        await (_is_at(server, port, started) if port else _has_socket(server, started))
        assert not started.dead, log_of(folder)
        if not server.delivery.is_idle:
            server.passes(RETRIES)
        yield started


async def _has_socket(server: SlackServer, started: Program) -> None:
    sockets = server.delivery.sockets
    await server.until(lambda: sockets.open or started.dead, "a socket")


async def _is_at(server: SlackServer, port: int, started: Program) -> None:
    while not started.dead:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.02)  # a port that is opened tells nobody
            continue
        writer.close()
        if server.delivery.poster is None:
            await server.posts_to(f"http://127.0.0.1:{port}/slack/events")
        return
