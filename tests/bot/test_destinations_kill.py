"""kill -9 of the whole program, before and after it sends: one effect a key at every destination,
and where a platform knows no keys, what nobody can know is shown instead of being doubled (G13)."""

from __future__ import annotations

import csv
import json
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.state import Person
from core.store import Stage, Store
from core.store.deliveries import Delivery
from tests.support.mail import MailServer
from tests.support.program import log_of, program
from tests.support.receivers import HttpReceiver
from tests.support.sent_in import dinner_to, send_in, settled
from tests.support.slack.server import SlackServer
from tests.support.slack_program import running
from tests.support.telegram.server import TelegramServer

SECRET = "a secret of the tests"
TOLD = "Good news: what you sent in has arrived."
KNOWN = ("lines", "table", "hook")
"""The destinations that know keys: each gets it in the end, whatever happens."""


@dataclass
class World:
    """Everything that a submission goes to."""

    receiver: HttpReceiver
    mail: MailServer
    folder: Path

    def destinations(self, chat: str) -> list[dict[str, Any]]:
        hook = {"url": self.receiver.url, "secret": "$HOOK_SECRET"}
        mail = {
            "to": "team@example.org",
            "from": "bot@example.org",
            "host": "127.0.0.1",
            "port": self.mail.port,
            "tls": "none",
        }
        return [
            {"name": "lines", "kind": "jsonl", "settings": {"path": "dinners.jsonl"}},
            {"name": "table", "kind": "csv", "settings": {"path": "dinners.csv"}},
            {"name": "hook", "kind": "webhook", "settings": hook},
            {"name": "mail", "kind": "email", "settings": mail},
            {"name": "team", "kind": "chat", "settings": {"chat": chat}},
        ]

    def known_are_right(self, found: dict[str, Delivery]) -> None:
        """Where keys are known, it arrived, and had its effect once."""
        assert {name: found[name].stage for name in KNOWN} == dict.fromkeys(KNOWN, Stage.DELIVERED)
        (line,) = (self.folder / "data" / "dinners.jsonl").read_text("utf-8").splitlines()
        assert json.loads(line)["key"] == "j:lines"
        with (self.folder / "data" / "dinners.csv").open(encoding="utf-8-sig") as opened:
            header, row = csv.reader(opened)
        assert dict(zip(header, row, strict=True))["key"] == "j:table"
        assert set(self.receiver.keys) == {"j:hook"}
        assert all(one.is_signed(SECRET.encode()) for one in self.receiver.posted)
        assert len({one.body for one in self.receiver.posted}) == 1


def is_known_or_shown(one: Delivery, there: int) -> None:
    """It is there once, and known to be; or nobody knows, and it is not there twice."""
    if one.stage is Stage.DELIVERED:
        assert there == 1
    else:
        assert one.stage is Stage.UNKNOWN
        assert there <= 1
        assert one.error.startswith("it may have arrived; look before it is sent again (")


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with HttpReceiver() as receiver, MailServer() as mail:
        yield World(receiver, mail, tmp_path)


Told = Callable[[], Awaitable[Any]]
CHOSEN = {"HOOK_SECRET": SECRET, "SURESTEP_ALLOW_PRIVATE_ADDRESSES": "true"}


async def killed_and_started_again(
    world: World, lane: str, person: Person, point: str, start: Callable[..., Any], told: Told
) -> dict[str, Delivery]:
    """Kill the program at a point, start it again, and wait for what becomes of it all; where all
    of it arrives, until the person is told."""
    store = await Store.open(f"sqlite+aiosqlite:///{world.folder}/chat.db")
    try:
        await store.migrate()
        await send_in(store, world.folder, lane, person)
        async with start(SURESTEP_CRASH=point, **CHOSEN) as killed:
            await killed.watching
        assert killed.code == -signal.SIGKILL, log_of(world.folder)
        async with start(**CHOSEN):
            found = await settled(store)
            if all(one.stage is Stage.DELIVERED for one in found.values()):
                await told()
            return found
    finally:
        await store.close()


@pytest.mark.parametrize(
    "point",
    [
        "before-begin-delivery",
        "after-begin-delivery",
        "before-delivered:5",
    ],
)
async def test_in_telegram(world: World, point: str) -> None:
    async with TelegramServer() as server:
        ada = server.person("Ada")
        group = server.group("Orga", ada, supergroup=True)
        dinner_to(world.folder, *world.destinations(f"telegram:{group.id}"))
        lane = f"telegram:{ada.id}:0:{ada.id}"

        def start(**chosen: str) -> Any:
            # The library that is loaded sooner.
            token = {"TELEGRAM_BOT_TOKEN": server.token, "TELEGRAM_DRIVER": "ptb"}
            token |= {"TELEGRAM_API_BASE": server.url}
            return program(server, world.folder, **token, **chosen)

        def told() -> Any:
            return server.until(lambda: TOLD in ada.chat.screen().texts, "the news")

        her = Person(id=str(ada.id))
        found = await killed_and_started_again(world, lane, her, point, start, told)
        world.known_are_right(found)
        posts = [one for one in group.screen() if "Winter Dinner" in one.text]
        is_known_or_shown(found["mail"], len(world.mail.messages))
        is_known_or_shown(found["team"], len(posts))
        unsure = [one for one in found.values() if one.stage is Stage.UNKNOWN]
        if point == "before-begin-delivery":
            assert unsure == []
            assert ada.chat.screen().texts == [TOLD]
        elif point == "after-begin-delivery":
            assert unsure != []
        else:
            assert (len(world.mail.messages), len(posts)) == (1, 1)


async def test_in_slack(world: World) -> None:
    """All of it was sent, and the program was killed before it wrote that down."""
    async with SlackServer() as server:
        ada = server.workspace.person("Ada")
        team = server.workspace.channel("orga", ada)
        dinner_to(world.folder, *world.destinations(f"slack:{team.id}"))
        lane = f"slack:{ada.workspace.id}:{ada.dm.id}:0:{ada.id}"

        def start(**chosen: str) -> Any:
            return running(server, world.folder, **chosen)

        def told() -> Any:
            return server.until(lambda: TOLD in str(ada.dm.screen()) or None, "the news")

        found = await killed_and_started_again(
            world, lane, Person(id=ada.id), "before-delivered:5", start, told
        )
        world.known_are_right(found)
        assert str(team.screen()).count("Title: Winter Dinner") == 1
        assert len(world.mail.messages) == 1
        is_known_or_shown(found["mail"], 1)
        is_known_or_shown(found["team"], 1)
