"""One hundred people at once on one process: each chat is as if its person were alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.support.crowd import PEOPLE, Somebody, Thinking, crowd, is_as_alone
from tests.support.telegram.faults import Floods
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import telegram_bot


class InTelegram(Somebody):
    """Somebody in their private chat."""

    def __init__(self, person: Person, server: TelegramServer) -> None:
        self.person, self.name, self.server = person, person.name, server

    def begins(self) -> None:
        self.person.says("/start request")

    def says(self, words: str) -> None:
        self.person.says(words)

    async def taps(self, question: int) -> None:
        self.person.taps("Something bought")

    def sees_last(self, question: str) -> bool:
        chat = self.person.chat
        newest = chat.messages[-1] if chat.messages else None
        if newest is None or question not in newest.text:
            return False
        return chat.screen(self.person).live == [newest]

    @property
    def texts(self) -> Sequence[str]:
        return self.person.chat.screen(self.person).texts


async def test_a_hundred_people_at_once_see_what_each_would_see_alone(tmp_path: Path) -> None:
    model = Thinking()
    async with (
        TelegramServer() as server,
        telegram_bot(server, tmp_path, model=model) as bot,
    ):

        def somebody(name: str) -> InTelegram:
            return InTelegram(server.person(name), server)

        people = [somebody(f"P{number:03}") for number in range(PEOPLE)]
        server.befall(Floods(1.0), "sendMessage", chat=people[7].person.chat, skip=1)
        seen = await crowd(people, somebody("Slow"), model)
        await bot.quiet()
        for one in people:
            assert (await bot.draft(one.person))["product"] == f"Thing {one.name}"
        await is_as_alone(seen, somebody)
        assert all(tap.answer is not None for tap in server.taps.values())
