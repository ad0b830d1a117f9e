"""What always holds in a chat in Telegram, looked at from the server's side after every act (see
`tests.support.always`): what stands on the screen, what was sent, what is on disk."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from bot.wiring import House
from channels.telegram.payload import Pressed, pressed
from tests.support import watching
from tests.support.always import Seen, Sent, Way
from tests.support.telegram.calls import Call
from tests.support.telegram.chats import Chat
from tests.support.telegram.messages import Message
from tests.support.telegram.people import Person, Tap
from tests.support.telegram_bot import TelegramBot
from tests.support.watching import Carried, Watching

_WAYS = {
    "sendMessage": Way.NEW,
    "sendRichMessage": Way.NEW,
    "sendPhoto": Way.NEW,
    "sendDocument": Way.NEW,
    "sendMediaGroup": Way.NEW,
    "editMessageText": Way.CHANGED,
}


class Watch(Watching):
    """Looks after one person's conversation, in their private chat or in a group.

    `cards` is every button that was ever seen, with its message.
    """

    def __init__(
        self,
        bot: TelegramBot,
        person: Person,
        group: Chat | None = None,
        carried: Carried | None = None,
    ) -> None:
        super().__init__(carried)
        self.bot = bot
        self.person = person
        self.group = group
        self.cards: list[tuple[Message, str, str]] = []

    @property
    def chat(self) -> Chat:
        return self.group or self.person.chat

    def live(self) -> list[Message]:
        """The messages with buttons of this person's."""
        live = self.chat.screen(self.person).live
        return [one for one in live if str(self.person.id) in _owners(one)]

    @asynccontextmanager
    async def act(self) -> AsyncIterator[None]:
        """See Watching; every button that is seen then is kept."""
        async with super().act():
            yield
        known = {(one.id, label) for one, label, _ in self.cards}
        for message in self.live():
            for button in message.buttons:
                if button.data and (message.id, button.label) not in known:
                    self.cards.append((message, button.label, button.data))

    # What the rules look at

    @property
    def house(self) -> House:
        return self.bot.house

    @property
    def owner(self) -> str:
        return str(self.person.id)

    @property
    def lane(self) -> str:
        return self.bot.lane(self.person, self.group)

    @property
    def names(self) -> tuple[str, ...]:
        return (self.person.name,) if self.group is not None else ()

    def screen(self) -> Sequence[Seen]:
        """See Watching."""
        return [
            Seen(
                id=one.id,
                text=one.text,
                own=not one.from_bot,
                labels=tuple(one.labels),
                cards=frozenset(found.card for found in buttons_of(one)),
                owners=frozenset(_owners(one)),
            )
            for one in self.chat.screen(self.person)
            if one.from_bot or one.sender["id"] == self.person.id
        ]

    def count(self) -> tuple[int, int]:
        """See Watching."""
        return len(self.bot.server.calls), len(self.bot.server.taps)

    def sent(self, since: int, until: int) -> tuple[Sequence[Sent], Sequence[str]]:
        """See Watching."""
        calls = self.bot.server.calls[since:until]
        here = [one for one in calls if one.chat == self.chat.id and one.error is None]
        said = [str(call.parameters.get("text", "")) for call in calls]
        return [_sent(call) for call in here], said

    async def settled(self) -> None:
        """See Watching."""
        await settled(self.bot)

    def in_order(self) -> None:
        """See Watching: every tap has its answer."""
        taps = self.bot.server.taps.values()
        assert all(tap.answer is not None for tap in taps), "a spinner"

    def drawn(self) -> str:
        """See Watching."""
        return str(self.chat.screen())


def _sent(call: Call) -> Sent:
    return Sent(
        way=_WAYS.get(call.method, Way.OTHER),
        text=str(call.parameters.get("text", "")),
        live=any(_data(call.parameters)),
        file=call.method == "sendPhoto",
    )


def _owners(message: Message) -> set[str]:
    return {str(found.owner) for found in buttons_of(message)}


def buttons_of(message: Message) -> list[Pressed]:
    """What the buttons of a message name."""
    return [found for one in message.buttons if one.data and (found := pressed(one.data))]


def _data(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        found = value.get("callback_data")
        if isinstance(found, str):
            yield found
        for one in value.values():
            yield from _data(one)
    elif isinstance(value, list):
        for one in value:
            yield from _data(one)


async def settled(bot: TelegramBot) -> None:
    """Wait until all is dealt with, and every tap has its answer."""
    await bot.quiet()
    taps: list[Tap] = list(bot.server.taps.values())
    await bot.server.until(lambda: all(tap.answer is not None for tap in taps), "every answer")


async def submissions(bot: TelegramBot, lane: str = "") -> tuple[Any, ...]:
    """The rows of what was submitted, in one conversation or in all."""
    return await watching.submissions(bot.house, lane)
