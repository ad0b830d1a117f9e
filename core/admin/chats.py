"""The moderators' chats: what is to be decided is put there, and changed when it is decided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import structlog

from core import submitted, values
from core.admin import showing
from core.admin.base import Office, shown_at
from core.channel import Chats
from core.effects import Put, Submission
from core.journey import JourneyType, looks_first
from core.manifest import Moderation
from core.posts import Action, Attachment, Line, Post, Tone
from core.store.deliveries import Submitted
from core.store.moderation import Decided, Look, post_of
from core.store.part import channel_of, written
from core.texts import Texts

log = structlog.get_logger()

_MOST = 200


def buttons_for(texts: Texts, number: int) -> tuple[Action, ...]:
    """What can be decided about a submission."""
    return (
        Action(command=f"approve {number}", label=texts("admin.approve_button"), tone=Tone.GOOD),
        Action(
            command=f"changes {number}",
            label=texts("admin.changes_button"),
            needs=texts("admin.changes_needs"),
        ),
        Action(
            command=f"reject {number}",
            label=texts("admin.reject_button"),
            needs=texts("admin.reject_needs"),
            tone=Tone.BAD,
        ),
    )


def verdict_line(texts: Texts, one: Decided, when: Callable[[datetime], str]) -> str:
    """What was decided, by whom, when (as a moment reads there) and why; or that it waits."""
    if one.at is None:
        return texts("admin.verdict.waiting")
    who = one.name or written(one.account)
    line = texts(f"admin.verdict.{one.verdict.value}", who=who, when=when(one.at))
    return f"{line}\n{one.reason}" if one.reason else line


@dataclass(frozen=True)
class _Card:
    """A submission as it stands in the moderators' chat."""

    title: str
    text: str
    lines: tuple[Line, ...]
    files: tuple[Attachment, ...]

    def post(self, number: int, actions: tuple[Action, ...], footer: str = "") -> Post:
        return Post(
            id=post_of(number),
            title=f"#{number} {self.title}",
            text=self.text,
            lines=self.lines,
            files=self.files,
            actions=actions,
            footer=footer,
        )


@dataclass
class Moderators:
    """Shows submissions to those who decide about them."""

    office: Office

    async def look(self, lane: str, made: Submission, name: str) -> Look | None:
        """How a submission that is being confirmed is shown; None where nobody has to look."""
        type_ = self.office.catalogue.version(made.manifest, made.digest)
        moderation = looks_first(self.office.catalogue, type_.manifest) if type_ else None
        if type_ is None or moderation is None:
            return None
        chat = self.lane_of(moderation)
        return self._look(chat, self._card(chat, type_, made, lane, name, self.office.clock()))

    async def decided(self, one: Submitted, made: Decided) -> tuple[str, Put | None]:
        """The lane of the chat, and the submission as it stands there when it is decided."""
        chat, card = await self._stands(one)
        if card is None:
            return "", None
        footer = verdict_line(self._texts(chat), made, self._when)
        return chat, Put(post=card.post(one.id, (), footer))

    def erased(self, number: int) -> Put:
        """What stands in the chat in the place of a submission that was erased."""
        texts = self.office.texts(self.office.locale)
        return Put(
            post=Post(id=post_of(number), title=f"#{number}", text=texts("admin.was_erased"))
        )

    async def show_waiting(self) -> int:
        """Show what was confirmed in a process that reaches no such chat; how many those were."""
        shown, store = 0, self.office.store
        for number in await store.not_shown(_MOST):
            one = await store.submission(number)
            chat, card = await self._stands(one) if one is not None else ("", None)
            if card is not None:
                shown += await store.show_undecided(number, self._look(chat, card))
        if shown:
            store.outgoing.ring()
        return shown

    def lane_of(self, moderation: Moderation) -> str:
        """The lane of a moderators' chat; empty where this process does not reach it."""
        chat = moderation.chat
        if chat.startswith("$"):
            chat = self.office.environment.get(chat[1:], "")
        name, _, place = chat.partition(":")
        channel = self.office.channels.get(name)
        if not isinstance(channel, Chats):
            return ""
        try:
            return channel.chat_lane(place)
        except ValueError:
            log.warning("no_moderators_chat", channel=name)
            return ""

    def _texts(self, lane: str) -> Texts:
        return self.office.texts(self.office.locale, channel_of(lane))

    async def _stands(self, one: Submitted) -> tuple[str, _Card | None]:
        """The lane of the chat that a submission is shown in, and the submission as it stands
        there; None where this process does not reach it."""
        type_ = await showing.type_of(self.office, one)
        if type_ is None:
            return "", None
        # What was to be looked at is decided, also where nobody looks at what comes after it.
        now = looks_first(self.office.catalogue, type_.manifest)
        moderation = now or type_.manifest.moderation
        chat = self.lane_of(moderation) if moderation is not None else ""
        if not chat:
            return "", None
        name = await showing.name_of(self.office, one.lane)
        return chat, self._card(chat, type_, one.submission, one.lane, name, one.at)

    def _card(
        self, chat: str, type_: JourneyType, made: Submission, lane: str, name: str, at: datetime
    ) -> _Card:
        texts, who = self._texts(chat), showing.who(lane, name)
        return _Card(
            title=submitted.title(type_, made, texts.locale),
            text=texts("admin.from", who=who, when=self._when(at)),
            lines=submitted.rows(type_, made, texts.locale),
            files=submitted.attachments(type_, made, channel_of(lane)),
        )

    def _when(self, moment: datetime) -> str:
        """A moment, and on whose clock: those who read along may live anywhere."""
        zone, locale = self.office.zone, self.office.locale
        return f"{shown_at(moment, zone, locale)} ({values.city(zone, locale)})"

    def _look(self, chat: str, card: _Card) -> Look:
        texts = self._texts(chat)
        return Look(chat, lambda number: Put(post=card.post(number, buttons_for(texts, number))))


@dataclass
class ShowWaiting:
    """A chore (see core.upkeep.keeper): what waits is in the moderators' chat."""

    moderators: Moderators
    every: float = 30.0

    async def do(self) -> int:
        """Show what was not shown yet."""
        return await self.moderators.show_waiting()
