"""One hundred people at once on one process: each conversation is as if its person were alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.support.crowd import PEOPLE, Somebody, Thinking, crowd, is_as_alone
from tests.support.slack.app import App
from tests.support.slack.faults import Limits
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import slack_bot
from tests.support.slack_people import NOW


class InSlack(Somebody):
    """Somebody in their direct message, who clicks, or fills a window in."""

    tapped = (0, 1)

    def __init__(self, person: Person, server: SlackServer) -> None:
        self.person, self.name, self.server = person, person.name, server
        self.dm = person.dm

    def begins(self) -> None:
        self.person.runs("/surestep", "new request")

    def says(self, words: str) -> None:
        self.person.says(words)

    async def taps(self, question: int) -> None:
        if question == 0:
            self.person.clicks("Something bought")
        else:
            window = await self.person.opens("Answer in a form")
            window.fills(Item=f"Thing {self.name}").submits()

    def sees_last(self, question: str) -> bool:
        newest = self.dm.messages[-1] if self.dm.messages else None
        if newest is None or question not in newest.raw:
            return False
        return self.dm.screen(self.person).live == [newest]

    @property
    def texts(self) -> Sequence[str]:
        return self.dm.screen(self.person).texts


async def test_a_hundred_people_at_once_see_what_each_would_see_alone(
    app: App, tmp_path: Path
) -> None:
    model = Thinking()
    async with (
        SlackServer(app, now=NOW, ack_seconds=30.0) as server,
        slack_bot(server, tmp_path, model=model) as bot,
    ):

        def somebody(name: str) -> InSlack:
            return InSlack(server.workspace.person(name), server)

        people = [somebody(f"P{number:03}") for number in range(PEOPLE)]
        limits = server.befall(Limits(1.0), "chat.postMessage", channel=people[7].dm, skip=1)
        seen = await crowd(people, somebody("Slow"), model)
        await bot.quiet()
        assert limits.met == 1, "it waited as it was told"
        for one in people:
            assert (await bot.draft(one.person))["product"] == f"Thing {one.name}"
        await is_as_alone(seen, somebody)
        assert not server.warnings
