"""Files that people sent in Slack, fetched for a destination or a post."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from core.channel import Never
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import SlackBot, slack_bot
from tests.support.slack_files import attached, stored
from tests.support.telegram.files import png

PICTURE = png(20, 10)


@pytest.fixture
async def bot(
    slack: SlackServer, tmp_path: Path, journeys: dict[str, Any]
) -> AsyncIterator[SlackBot]:
    async with slack_bot(slack, tmp_path, **journeys) as running:
        yield running


@asynccontextmanager
async def another_host(handle: Callable[[web.Request], web.Response]) -> AsyncIterator[str]:
    """A server that is not Slack's; its address."""

    async def answer(request: web.Request) -> web.Response:
        return handle(request)

    app = web.Application()
    app.router.add_get("/{any:.*}", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/file"
    finally:
        await runner.cleanup()


async def test_a_file_that_somebody_sent_is_fetched(
    bot: SlackBot, slack: SlackServer, ada: Person
) -> None:
    file = stored(slack, ada.uploads("cover.png", PICTURE))
    ref = attached(file).ref
    assert await bot.channel.download(ref, len(PICTURE)) == PICTURE
    assert await bot.house.files.content(attached(file)) == PICTURE
    with pytest.raises(Never, match="larger than the"):
        await bot.channel.download(ref, len(PICTURE) - 1)


async def test_a_file_that_is_not_there_is_never_fetched(
    bot: SlackBot, slack: SlackServer, ada: Person
) -> None:
    file = stored(slack, ada.uploads("cover.png", PICTURE))
    file.deleted = True
    for ref in (attached(file).ref, "slack:T00000001:F404", "photo:1"):
        with pytest.raises(Never):
            await bot.channel.download(ref, 1000)


async def test_the_token_is_told_to_nobody_but_slack(
    bot: SlackBot, slack: SlackServer, ada: Person
) -> None:
    told: list[str | None] = []

    def elsewhere(request: web.Request) -> web.Response:
        told.append(request.headers.get("Authorization"))
        return web.Response(body=b"x" * 500, content_type="image/png")

    file = stored(slack, ada.uploads("cover.png", PICTURE))
    async with another_host(elsewhere) as address:
        file.moved_to = address
        assert await bot.channel.download(attached(file).ref, 1000) == b"x" * 500
        # What comes from there may be more than Slack said.
        with pytest.raises(Never, match="larger than the"):
            await bot.channel.download(attached(file).ref, 400)
        # What lies elsewhere from the start is not asked for at all.
        file.external = True
        with pytest.raises(Never, match="does not lie at Slack"):
            await bot.channel.download(attached(file).ref, 1000)
    assert told == [None, None]


async def test_a_page_to_log_in_is_no_file(bot: SlackBot, slack: SlackServer, ada: Person) -> None:
    def login(request: web.Request) -> web.Response:
        return web.Response(text="<html>Sign in</html>", content_type="text/html")

    file = stored(slack, ada.uploads("cover.png", PICTURE))
    async with another_host(login) as address:
        file.moved_to = address
        with pytest.raises(Never, match="files:read"):
            await bot.channel.download(attached(file).ref, 1000)
