"""Somebody who answers whatever is asked in Telegram, by taps, by words, or as they like.

    visit = Visit(bot, ada)
    await visit.does("/start event")
    await visit.answers({"kind": ["[Workshop]"], "capacity": ["60"], "cover": [PHOTO]})

An act is what a person does, as one would write it down: `[Workshop]` is a tap on that button of
the open card, PHOTO sends a photo, anything else is typed. A label stands there without the sign
before it (a tick, a number), which differs by how the card is drawn; `[✕ 2]` takes the second entry
off a list.

After each act the visit sees that the chat is in order: one live card, the newest message, and the
one that is open; no button that still spins, no preview left over (G7, G8).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from channels.telegram.payload import pressed
from core.state import Ask, Status
from tests.support import arrived
from tests.support.telegram.calls import Call
from tests.support.telegram.keyboards import Button
from tests.support.telegram.messages import Message
from tests.support.telegram.people import Person
from tests.support.telegram.screen import draw
from tests.support.telegram_bot import TelegramBot

PHOTO = "(a photo)"
"""The act of sending a photo."""

NOW = 1_796_119_200
"""Tuesday, 1 December 2026, 10:00 UTC: when people start, on the server's clock."""

SUMMARY = ""
"""What is open when the summary is: no item."""

Script = Mapping[str, Sequence[str]]
"""What is done at each item, in the order in which they are asked."""

_SIGNS = re.compile(r"^(?:(?:✅|⬜|✎|✕|💡|🔎|\d+\.|[A-Z]\.) )+")


@dataclass
class Visit:
    """One person in their private chat. `log` is what they did, and what then stood there last."""

    bot: TelegramBot
    person: Person
    log: list[str] = field(default_factory=list)

    # What is done

    async def does(self, act: str) -> list[Call]:
        """Do one thing, and wait for all that comes of it: the calls that it took."""
        before = len(self.bot.server.calls)
        if act == PHOTO:
            self.person.sends_photo()
        elif act.startswith("[") and act.endswith("]"):
            self._taps(act[1:-1])
        else:
            self.person.says(act)
        await self.bot.quiet()
        await self.is_in_order()
        self.log += [f"> {act}", *draw(self.person.chat.newest), ""]
        return [one for one in self.bot.server.calls[before:] if one.method != "getUpdates"]

    async def answers(self, script: Script) -> None:
        """Answer each item when it is asked, in the script's order."""
        for item, acts in script.items():
            for act in acts:
                asked = await self.asked()
                assert asked == item, f"{asked!r} is asked, and {item!r} is answered:\n{self}"
                await self.does(act)

    def _taps(self, label: str) -> None:
        card = self.card
        self.person.forges(self.button(label).data or "", card)

    # What is seen

    @property
    def card(self) -> Message:
        """The one message with buttons."""
        return self.bot.card(self.person)

    def button(self, label: str) -> Button:
        """The button of the open card with this label, whatever sign stands before it."""
        buttons = self.card.buttons
        removed = re.fullmatch(r"✕ (\d+)", label)
        if removed is not None:
            crosses = [one for one in buttons if one.label.startswith("✕")]
            return crosses[int(removed.group(1)) - 1]
        exact = [one for one in buttons if one.label == label]
        found = exact or [one for one in buttons if _SIGNS.sub("", one.label) == label]
        assert len(found) == 1, f"{len(found)} buttons {label!r}:\n{self}"
        assert not found[0].disabled, f"{label!r} is disabled:\n{self}"
        return found[0]

    async def is_in_order(self) -> None:
        """See that there is one live card, the open one, at the end of the chat (G7, G8), that
        every tap is answered and that nothing is half shown."""
        chat, ask = self.person.chat, await self.ask()
        live = chat.screen(self.person).live
        assert len(live) == (0 if ask is None else 1), f"{len(live)} live cards:\n{self}"
        if ask is not None:
            assert chat.newest is live[0], f"the open card is not the newest message:\n{self}"
            cards = {found.card for found in map(_pressed, live[0].buttons) if found is not None}
            assert cards == {ask.card}, f"{cards} is drawn, and {ask.card} is open:\n{self}"
        spinning = [tap for tap in self.bot.server.taps.values() if tap.answer is None]
        assert not spinning, f"{spinning} wait for an answer:\n{self}"
        assert chat.live_draft() is None, f"a preview is left over:\n{self}"
        assert not self.bot.server.violations, self.bot.server.violations

    async def ask(self) -> Ask | None:
        """What is open."""
        journey = (await self.bot.state(self.person)).journey
        return journey.ask if journey is not None else None

    async def asked(self) -> str | None:
        """The item that is asked: SUMMARY at the summary, None when nothing is."""
        ask = await self.ask()
        return ask.item if ask is not None else None

    def sent(self, kind: str) -> Message:
        """The last message of a kind ("photo") that the person sent."""
        theirs = [one for one in self.person.chat.messages if not one.from_bot]
        return [one for one in theirs if one.media == kind][-1]

    def is_sent_back(self, message: Message) -> bool:
        """Whether the bot shows the very file of a message."""
        seen = self.person.chat.screen(self.person)
        return any(one.from_bot and f"'{message.file_id}'" in str(one.content) for one in seen)

    async def status(self) -> Status:
        """How far the person's journey is."""
        return (await self.bot.journey(self.person)).status

    async def submitted(self) -> list[dict[str, Any]]:
        """What the person has submitted, as it is stored."""
        return await arrived.submitted(self.bot.house, f"telegram:{self.person.id}")

    async def delivered(self, file: str) -> list[dict[str, Any]]:
        """What has arrived at a destination that is a file, when nothing is on its way any more."""
        return await arrived.delivered(self.bot.house, file)

    @property
    def story(self) -> str:
        """Each act with what then stood last in the chat, and the whole chat as it is now."""
        return "\n".join([*self.log, str(self)])

    def __str__(self) -> str:
        return str(self.person.chat.screen(self.person))


def _pressed(button: Button) -> Any:
    return pressed(button.data or "")
