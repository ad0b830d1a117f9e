"""Somebody who answers whatever is asked in Slack, by clicks and windows, in words, or both.

    visit = Visit(bot, ada)
    await visit.does("/surestep new event")
    await visit.answers({"kind": ["[Workshop]"], "date": [Picks("2027-02-05")], "capacity": ["60"]})

An act is what a person does, as one would write it down: `[Workshop]` is a click on that button of
the open card, `/surestep ...` runs the command, another act does what it is called, and any other
text is typed. A button is named without the sign before it.

After each act the visit sees that the conversation is in order: one live card, the newest message,
and the one that is open; nothing that is still being written (G7, G8).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from channels.slack.payload import Part, part_of
from core.state import Ask, Status
from core.store.part import account_of
from core.texts import Texts
from tests.support import arrived
from tests.support.slack.calls import Call
from tests.support.slack.channels import Channel
from tests.support.slack.controls import Control
from tests.support.slack.messages import Message
from tests.support.slack.modals import Modal
from tests.support.slack.people import Person
from tests.support.slack.screen import Screen, draw
from tests.support.slack_bot import SlackBot

NOW = 1_796_119_200
"""Tuesday, 1 December 2026, 10:00 UTC: when people start, on the server's clock."""

SUMMARY = ""
"""What is open when the summary is: no item."""

ENGLISH = Texts("en")
OPEN = [ENGLISH(f"slack.{name}") for name in ("open", "open_one", "add", "choose_file")]
"""The buttons that open a window."""

_SIGNS = re.compile(r"^(?:(?:☑|☐|💡|\d+\.|[A-Z]\.) )+")


class Act(Protocol):
    """Something that a person does with a card."""

    async def do(self, visit: Visit) -> None:
        """Do it."""


@dataclass(frozen=True)
class Picks:
    """Picks a day, a time, or both and then sets them."""

    day: str = ""
    time: str = ""

    async def do(self, visit: Visit) -> None:
        card = visit.person.on(visit.card)
        if self.day:
            card.picks_date(visit.control("datepicker"), self.day)
        if self.time:
            card.picks_time(visit.control("timepicker"), self.time)
        if self.day and self.time:
            visit.clicks(ENGLISH("slack.set"))


class Chooses:
    """Chooses in a select, or ticks boxes."""

    def __init__(self, *labels: str) -> None:
        self.labels = labels

    async def do(self, visit: Visit) -> None:
        kinds = ("static_select", "multi_static_select", "checkboxes", "radio_buttons")
        visit.person.on(visit.card).selects(visit.control(*kinds), *self.labels)

    def __str__(self) -> str:
        return f"chooses {', '.join(self.labels)}"


@dataclass(frozen=True)
class Finds:
    """Types into the search, and takes what it finds."""

    query: str
    label: str

    async def do(self, visit: Visit) -> None:
        search = visit.control("external_select")
        found = await visit.person.searches(search, self.query, visit.card)
        assert self.label in found, f"{found} were found:\n{visit}"
        visit.person.on(visit.card).selects(search, self.label)


@dataclass(frozen=True)
class Names:
    """Picks somebody from Slack's own list of members: a person, or whoever has this name or id."""

    somebody: Person | str

    async def do(self, visit: Visit) -> None:
        members = {one.name: one for one in visit.person.workspace.people.values()}
        picked = members.get(self.somebody) if isinstance(self.somebody, str) else self.somebody
        on, select = visit.person.on(visit.card), visit.control("users_select")
        on.selects(select, picked or self.somebody)


class Fills:
    """Fills a window in, and sends it: `values` by the labels of its fields."""

    def __init__(self, **values: Any) -> None:
        self.values = values

    async def do(self, visit: Visit) -> None:
        modal = await visit.opens()
        await modal.fills(self.values).submits().answered()
        assert not modal.is_open, f"it stays open:\n{modal}"

    def __str__(self) -> str:
        return f"fills {self.values}"


@dataclass(frozen=True)
class Uploads:
    """Sends a file."""

    name: str
    content: bytes = b"\x89PNG\r\n\x1a\n"

    async def do(self, visit: Visit) -> None:
        visit.person.uploads(self.name, self.content, in_=visit.place, thread=visit.thread)


Script = Mapping[str, Sequence[str | Act]]
"""What is done at each item, in the order in which they are asked."""


@dataclass
class Visit:
    """One person in their direct message, or in a `thread` of a channel. `log` is what they did,
    and what then stood there last."""

    bot: SlackBot
    person: Person
    thread: Message | None = None
    log: list[str] = field(default_factory=list)

    # What is done

    async def does(self, act: str | Act) -> list[Call]:
        """Do one thing, and wait for all that comes of it: the calls that it took."""
        before = len(self.bot.server.calls)
        if not isinstance(act, str):
            await act.do(self)
        elif act.startswith("[") and act.endswith("]"):
            self.clicks(act[1:-1])
        elif act.startswith("/"):
            name, _, text = act.partition(" ")
            await self.person.runs(name, text).answered()
        else:
            self.person.says(act, in_=self.place, thread=self.thread)
        await self.bot.quiet()
        await self.is_in_order()
        newest = self.screen[-1]
        self.log += [f"> {act}", *draw(newest, self.person), ""]
        return self.bot.server.calls[before:]

    async def answers(self, script: Script) -> None:
        """Answer each item when it is asked, in the script's order."""
        for item, acts in script.items():
            for act in acts:
                asked = await self.asked()
                assert asked == item, f"{asked!r} is asked, and {item!r} is answered:\n{self}"
                await self.does(act)

    def clicks(self, label: str) -> None:
        """Click a button of the open card, whatever sign stands before its label."""
        surface = self.person.on(self.card)
        labels = [one for one in surface.buttons if _SIGNS.sub("", one) == label]
        surface.clicks(labels[0] if labels else label)

    async def opens(self) -> Modal:
        """Open the window of the card."""
        buttons = self.person.on(self.card).buttons
        label = next((one for one in OPEN if one in buttons), None)
        assert label is not None, f"no window to open, but {buttons}"
        return await self.person.opens(label, self.card)

    # What is seen

    @property
    def place(self) -> Channel:
        """Where they talk."""
        return self.person.dm if self.thread is None else self.thread.channel

    @property
    def screen(self) -> Screen:
        """What they see of it."""
        return self.place.screen(self.person, thread=self.thread)

    @property
    def card(self) -> Message:
        """The one message with controls."""
        live = self.screen.live
        assert len(live) == 1, f"{len(live)} live cards:\n{self}"
        return live[0]

    def control(self, *kinds: str) -> str:
        """What the first control of these kinds on the open card is called."""
        found = [one for one in self.card.controls if one.kind in kinds]
        assert found, f"none of {kinds}:\n{self}"
        return next(iter(found[0].names), "")

    async def is_in_order(self) -> None:
        """See that there is one live card, the open one, at the end of the conversation (G7, G8),
        and that nothing is half shown."""
        screen, ask = self.screen, await self.ask()
        live = [one for one in screen.live if one.only_for is None]
        assert len(live) == (0 if ask is None else 1), f"{len(live)} live cards:\n{self}"
        if ask is not None:
            told = [one for one in screen if one.only_for is None]
            assert told[-1] is live[0], f"the open card is not the newest message:\n{self}"
            cards = {part.card for part in map(_part, live[0].controls) if part is not None}
            assert cards == {ask.card}, f"{cards} is drawn, and {ask.card} is open:\n{self}"
        assert not [one for one in screen if one.streaming is not None], f"half shown:\n{self}"
        server = self.bot.server
        assert not server.violations, server.violations
        assert not server.warnings, server.warnings

    async def ask(self) -> Ask | None:
        """What is open."""
        lane = self.bot.lane(self.person, thread=self.thread)
        state = await self.bot.house.store.conversation(lane)
        journey = state.journey if state is not None else None
        return journey.ask if journey is not None else None

    async def asked(self) -> str | None:
        """The item that is asked: SUMMARY at the summary, None when nothing is."""
        ask = await self.ask()
        return ask.item if ask is not None else None

    async def status(self) -> Status:
        """How far the person's journey is."""
        return (await self.bot.journey(self.person)).status

    async def submitted(self) -> list[dict[str, Any]]:
        """What the person has submitted, as it is stored."""
        return await arrived.submitted(self.bot.house, account_of(self.bot.lane(self.person)))

    async def delivered(self, file: str) -> list[dict[str, Any]]:
        """What has arrived at a destination that is a file."""
        return await arrived.delivered(self.bot.house, file)

    @property
    def story(self) -> str:
        """Each act with what then stood last in the conversation, and all of it as it is now."""
        return "\n".join([*self.log, str(self)])

    def __str__(self) -> str:
        return str(self.screen)


def _part(control: Control) -> Part | None:
    return part_of(str(control.block.get("block_id", "")))
