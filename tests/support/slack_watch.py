"""What always holds in a conversation in Slack, looked at from the server's side after every act
(see `tests.support.always`): what a person sees there, what was sent, what is on disk."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import select

from bot.wiring import House
from channels.slack.payload import Part, part_of
from core.store.tables import outbox
from tests.support.always import Seen, Sent, Way
from tests.support.slack.calls import Call
from tests.support.slack.channels import Channel
from tests.support.slack.controls import Control, controls_in
from tests.support.slack.drawing import shown
from tests.support.slack.errors import Json
from tests.support.slack.messages import Message
from tests.support.slack.people import Person
from tests.support.slack.screen import Screen
from tests.support.slack.text import markdown
from tests.support.slack_bot import SlackBot
from tests.support.watching import Carried, Watching

_WAYS = {"chat.postMessage": Way.NEW, "chat.update": Way.CHANGED}
_USES = ("block_actions", "view_submission")


class Watch(Watching):
    """Looks after one person's conversation, in their direct message or in a `thread`.

    `used` is every control that was ever seen on a card of theirs, with its message.
    """

    def __init__(
        self,
        bot: SlackBot,
        person: Person,
        thread: Message | None = None,
        carried: Carried | None = None,
    ) -> None:
        super().__init__(carried)
        self.bot = bot
        self.person = person
        self.thread = thread
        self.used: list[tuple[Message, Control]] = []

    @property
    def place(self) -> Channel:
        """Where they talk."""
        return self.person.dm if self.thread is None else self.thread.channel

    @property
    def view(self) -> Screen:
        """What they see of it."""
        return self.place.screen(self.person, thread=self.thread)

    @property
    def live(self) -> list[Message]:
        """The messages with controls of this person's."""
        return [one for one in self.view.live if self.person.id in _owners(one)]

    def told(self) -> list[str]:
        """What only they were told, oldest first."""
        return [one.text for one in self.view if one.only_for is self.person]

    @asynccontextmanager
    async def act(self) -> AsyncIterator[None]:
        """See Watching; every control that is seen then is kept."""
        async with super().act():
            yield
        known = {(message.ts, control.key) for message, control in self.used}
        for message in self.live:
            self.used += [
                (message, one) for one in message.controls if (message.ts, one.key) not in known
            ]

    # What the rules look at

    @property
    def house(self) -> House:
        return self.bot.house

    @property
    def owner(self) -> str:
        return self.person.id

    @property
    def lane(self) -> str:
        return self.bot.lane(self.person, thread=self.thread)

    def screen(self) -> Sequence[Seen]:
        """See Watching."""
        return [
            Seen(
                id=one.ts,
                text=one.text,
                own=not one.from_bot,
                labels=tuple(one.labels),
                cards=frozenset(part.card for part in parts_of(one)),
                owners=frozenset(_owners(one)),
            )
            for one in self.view
            if one.only_for is None and (one.from_bot or one.sender is self.person)
        ]

    def count(self) -> tuple[int, int]:
        """See Watching."""
        delivery = self.bot.server.delivery
        uses = sum(len(delivery.attempted(kind)) for kind in _USES)
        return len(self.bot.server.calls), uses

    def sent(self, since: int, until: int) -> tuple[Sequence[Sent], Sequence[str]]:
        """See Watching."""
        calls = [one for one in self.bot.server.calls[since:until] if one.carried_out]
        here = [self._sent(call) for call in calls if self._is_here(call)]
        return here, [*self._texts(calls), *self._streamed(calls)]

    async def settled(self) -> None:
        """See Watching."""
        await self.bot.quiet()

    def in_order(self) -> None:
        """See Watching: every click was acknowledged, every call was one that Slack takes, and
        nothing is half shown."""
        server = self.bot.server
        assert not server.violations, server.violations
        assert not server.warnings, server.warnings
        assert not [one for one in self.view if one.streaming is not None], "half shown"

    def drawn(self) -> str:
        """See Watching."""
        return self.bot.server.drawn()

    # Calls

    def _is_here(self, call: Call) -> bool:
        ts = call.arguments.get("ts") or (call.result or {}).get("ts")
        found = next((one for one in self.place.messages if one.ts == ts), None)
        if call.channel != self.place.id or found is None:
            return False
        return self.thread is None or found.root == self.thread.root

    def _sent(self, call: Call) -> Sent:
        blocks = _blocks(call)
        return Sent(
            way=_WAYS.get(call.method, Way.OTHER),
            text=self._shown(blocks) or str(call.arguments.get("text", "")),
            live=bool(controls_in(blocks)),
        )

    def _texts(self, calls: Sequence[Call]) -> Iterator[str]:
        """What single calls say: on the screen, in a notification, in a modal or the Home."""
        for call in calls:
            yield str(call.arguments.get("text", ""))
            yield self._shown(_blocks(call))
            view = call.arguments.get("view") or {}
            yield self._shown(
                (json.loads(view) if isinstance(view, str) else view).get("blocks", [])
            )

    def _streamed(self, calls: Sequence[Call]) -> Iterator[str]:
        """What stood in each stream, after each piece of it."""
        streams: dict[str, str] = {}
        for call in calls:
            if "markdown_text" in call.arguments:
                ts = str(call.arguments.get("ts") or call.result["ts"])
                streams[ts] = streams.get(ts, "") + str(call.arguments["markdown_text"])
                yield markdown(streams[ts], self.person.workspace.name_of).text

    def _shown(self, blocks: list[Json]) -> str:
        return shown(blocks, self.person.workspace.name_of).text


def _blocks(call: Call) -> list[Json]:
    blocks: list[Json] = _json(call.arguments.get("blocks") or [])
    return blocks


def _json(value: Any) -> Any:
    """An argument, whichever way it was sent: in JSON, or in a form."""
    return json.loads(value) if isinstance(value, str) else value


def parts_of(message: Message) -> list[Part]:
    """What the controls of a message name: its card, and whose it is."""
    found = (part_of(str(one.block.get("block_id", ""))) for one in message.controls)
    return [one for one in found if one is not None]


def _owners(message: Message) -> set[str]:
    return {part.owner for part in parts_of(message)}


async def given_up(bot: SlackBot) -> list[str]:
    """Why something could not be sent, for all that was given up."""
    async with bot.house.store.database.read() as connection:
        rows = await connection.execute(select(outbox).where(outbox.c.parked_at.is_not(None)))
        return [str(row.error) for row in rows]
