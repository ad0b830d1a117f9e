"""Ada in Slack with the first question of a dinner open: in her direct message, or in a thread."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from core.model import Model
from core.texts import Texts
from tests.support.dinner_folder import dinner
from tests.support.slack.app import App
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import slack_bot
from tests.support.slack_people import NOW, Act, Visit

TEXTS = Texts("en", command="/surestep ")
STALE, NOTHING_OPEN = TEXTS("turn.stale"), TEXTS("turn.nothing_open")
NOT_YOURS = TEXTS("turn.not_yours")
"""What only the one who clicked is told."""


@asynccontextmanager
async def direct(app: App, folder: Path, model: Model | None = None) -> AsyncIterator[Visit]:
    """Ada in her direct message."""
    async with (
        SlackServer(app, now=NOW) as server,
        slack_bot(server, folder, model=model, **dinner(folder)) as bot,
    ):
        visit = Visit(bot, server.workspace.person("Ada"))
        await visit.does("/surestep start dinner")
        yield visit


@asynccontextmanager
async def in_thread(app: App, folder: Path, model: Model | None = None) -> AsyncIterator[Visit]:
    """Ada in the thread of a channel that nobody else is in."""
    async with (
        SlackServer(app, now=NOW) as server,
        slack_bot(server, folder, model=model, **dinner(folder)) as bot,
    ):
        ada = server.workspace.person("Ada")
        root = ada.says("@Surestep", in_=server.workspace.channel("general", ada))
        await bot.quiet()
        yield Visit(bot, ada, root)


async def does(visit: Visit, *acts: str | Act) -> None:
    """One act after the other."""
    for act in acts:
        await visit.does(act)


def told_only(visit: Visit) -> list[str]:
    """What only this person was told there, oldest first."""
    return [one.text for one in visit.screen if one.only_for is visit.person]


def shown(visit: Visit) -> list[str]:
    """What everybody sees there, oldest first."""
    return [one.text for one in visit.screen if one.only_for is None]
