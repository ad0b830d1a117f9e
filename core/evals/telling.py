"""Writes down the story of a chat for the referee, turn by turn.

`Telling` is one journey's, and the same whoever leads: what the person means by what they do is
told by the person, what the bot made of it by what it kept, said and showed. `Teller` tells it of a
chat that the runtime leads, from the screen and from the person.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from core.cards import Mark, Summary
from core.effects import Change, Draw, Effect, Say, Submission
from core.evals import owing
from core.evals.acting import same
from core.evals.asking import questions
from core.evals.chat import Chat, Took
from core.evals.drawing import drawn
from core.evals.heard import Heard
from core.evals.looking import Looking
from core.evals.record import Failure, FailureKind, FirstSummary
from core.evals.referee import Given, Sent, Story, Summed, judged, occasions
from core.manifest import Kind, Manifest
from core.state import AskKind, Conversation, Journey

Spelled = Mapping[str, tuple[str, ...]]


class Means(msgspec.Struct, frozen=True, kw_only=True):
    """What the person means by what they do: what they give, by item (None leaves it out), and
    whether it is a yes to the summary and nothing else."""

    gives: dict[str, Any] = {}
    says_yes: bool = False


class Telling:
    """The story of one journey as it grows."""

    def __init__(self, manifest: Manifest | None = None) -> None:
        items = manifest.items if manifest is not None else ()
        lists = frozenset(item.name for item in items if item.value is Kind.ENTRIES)
        self.manifest = manifest
        self.story = Story(lists=lists)
        self.confirmed = False
        self._held: dict[str, Any] = {}

    def person(self, turn: int, words: str, means: Means, *, at_summary: bool = False) -> None:
        """What the person did. A yes holds until something else is given, or another summary is
        shown."""
        self.story.heard[turn] = words
        self.confirmed = means.says_yes or (self.confirmed and not means.gives)
        if at_summary and not means.says_yes:
            self.story.not_yes.append(turn)

    def gave(self, turn: int, gives: Mapping[str, Any], spelled: Spelled) -> None:
        """What they gave with it. That they go on giving the same is nothing new."""
        for item, value in gives.items():
            newest = next((one for one in self.story.given[::-1] if one.item == item), None)
            held = item in self._held and _is(value, self._held[item])
            if newest is not None and newest.value == value and (held or not newest.taken):
                continue
            correction = item in self._held and not held
            self.story.given.append(
                Given(
                    turn=turn,
                    item=item,
                    value=value,
                    correction=correction,
                    spellings=spelled[item],
                )
            )

    def has(self, item: str, value: Any) -> bool:
        """Whether the person has given this value already, and it was taken."""
        return any(
            one.item == item and one.taken and one.value == value for one in self.story.given
        )

    def took(self, turn: int, draft: Mapping[str, Any], accepted: Mapping[str, Any]) -> None:
        """What the bot has kept after the turn; `accepted` are the records that the person took."""
        newest = {one.item: at for at, one in enumerate(self.story.given)}
        for item, at in newest.items():
            one = self.story.given[at]
            if item in draft and _is(one.value, draft[item]):
                record = item in accepted and _is(one.value, accepted[item])
                taken = one.taken or turn
                self.story.given[at] = msgspec.structs.replace(one, taken=taken, record=record)
        self._held = dict(draft)

    def bot(self, turn: int, said: str, things: int, asked: Iterable[str]) -> None:
        """What it said, how many things it asked for, and for which items."""
        self.story.said[turn] = said
        self.story.questions[turn] = things
        for item in asked:
            self.story.asked.setdefault(item, turn)

    def summed(self, summary: Summed) -> None:
        """It showed a summary."""
        self.confirmed = False
        self.story.summaries.append(summary)

    def sent(self, turn: int, content: dict[str, Any], spelled: Spelled) -> None:
        """It submitted. Only the first submission of a journey is one."""
        if self.story.sent is not None:
            return
        self.story.sent = Sent(
            turn=turn,
            content=content,
            spellings={name: spelled[name] for name in content if content[name] is not None},
            required=required(self.manifest, content) if self.manifest is not None else (),
            said_yes=self.confirmed,
        )


def required(manifest: Manifest, values: Mapping[str, Any]) -> tuple[str, ...]:
    """The items that belong to such a journey and must have a value, in the manifest's order: by
    the evals' own reckoning, not by the planner's word."""
    there = owing.belonging(manifest, values)
    return tuple(
        item.name for item in manifest.items if item.required and there[item.name] is not False
    )


def _is(wanted: Any, value: Any) -> bool:
    return value is None if wanted is None else value is not None and same(wanted, value)


class Teller:
    """Tells of a chat that the runtime leads: a story for each journey that was begun in it."""

    def __init__(self, chat: Chat) -> None:
        self.chat = chat
        self.looking = Looking(chat.types, chat.fetch)
        self.tellings = [Telling()]
        self.first_summaries: list[FirstSummary] = []
        self._heard = Heard()
        self._journey = ""

    @property
    def now(self) -> Telling:
        """The journey that the chat is in."""
        return self.tellings[-1]

    async def turn(self, number: int, took: Took, words: str, means: Means) -> None:
        """One turn, but for the summaries that were first seen in it (see `first`)."""
        journey = took.taken.state.journey
        self._begin(journey)
        before = took.before.journey
        ask = before.ask if before is not None else None
        at_summary = ask is not None and ask.kind is AskKind.SUMMARY
        is_theirs = took.reply.by == took.before.person.id
        self.now.person(number, words, means, at_summary=at_summary and is_theirs)
        self._heard.hear(took.look)
        if journey is not None:
            await self._kept(number, took, journey, means)
        shown = took.taken.effects.show
        cards = [one.card for one in shown if isinstance(one, Draw | Change)]
        asked = [card.item for card in cards if card.item]
        own = list(self.now.story.heard.values())
        self.now.bot(number, drawn(shown), _asked_for(shown, own), asked)
        for effect in shown:
            if isinstance(effect, Draw) and isinstance(effect.card, Summary):
                await self._summed(number, took.taken.state, effect.card)
        self._heard.remember(took.look)

    def _begin(self, journey: Journey | None) -> None:
        if journey is not None and journey.id != self._journey:
            self._journey = journey.id
            self.tellings.append(Telling(self.chat.type.manifest))

    async def _kept(self, number: int, took: Took, journey: Journey, means: Means) -> None:
        state = took.taken.state
        known = {name: one for name, one in means.gives.items() if name in self._items}
        self.now.gave(number, known, await self.spelled(state, known))
        accepted = {name: ones[-1] for name, ones in self._heard.accepted.items() if ones}
        self.now.took(number, journey.draft.plain(), accepted)
        submission = took.taken.effects.submission
        if submission is not None:
            await self._sent(number, took.before, submission)

    @property
    def _items(self) -> Mapping[str, Any]:
        return self.chat.type.manifest.by_name

    async def spelled(
        self, state: Conversation, values: Mapping[str, Any]
    ) -> dict[str, tuple[str, ...]]:
        """The spellings of some values."""
        now, looking = self.chat.now, self.looking
        return {
            name: await looking.spellings(state, now, name, value) for name, value in values.items()
        }

    async def _summed(self, number: int, state: Conversation, card: Summary) -> None:
        rows = [row for row in card.rows if row.mark is not Mark.SKIPPED]
        draft = state.journey.draft.plain() if state.journey is not None else {}
        there = {row.item: draft[row.item] for row in rows if row.item in draft}
        spelled = await self.spelled(state, there)
        self.now.summed(
            Summed(
                turn=number,
                shows={row.item: row.value for row in card.rows},
                records=tuple(
                    row.item for row in rows if self._items[row.item].value is Kind.RECORD
                ),
                values={name: (value, spelled[name]) for name, value in there.items()},
            )
        )

    def first(self, number: int, wrong: Iterable[str]) -> None:
        """The first summary of a journey was seen, and what was wrong on it."""
        self.first_summaries.append(FirstSummary(turn=number, wrong=tuple(wrong)))

    async def _sent(self, number: int, state: Conversation, submission: Submission) -> None:
        content: dict[str, Any] = json.loads(submission.content)
        self.now.sent(number, content, await self.spelled(state, content))

    # What came of it

    @property
    def owed(self) -> tuple[str, ...]:
        """The items that the newest journey had to bring."""
        journey, manifest = self.chat.journey, self.now.manifest
        if journey is None or manifest is None:
            return ()
        return required(manifest, journey.draft.plain())

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Everything that went wrong, in every journey."""
        return tuple(one for telling in self.tellings for one in judged(telling.story))

    @property
    def occasions(self) -> dict[FailureKind, int]:
        """The occasions of all journeys together."""
        return added([occasions(one.story) for one in self.tellings])


def added(counted: Iterable[Mapping[FailureKind, int]]) -> dict[FailureKind, int]:
    """Occasions summed up, without those that never were."""
    sums: dict[FailureKind, int] = {}
    for one in counted:
        for kind, times in one.items():
            sums[kind] = sums.get(kind, 0) + times
    return {kind: times for kind, times in sums.items() if times}


def _asked_for(shown: tuple[Effect, ...], own: list[str]) -> int:
    """How many things a turn asked for: the questions in what was said, and the cards."""
    said = [one for one in shown if isinstance(one, Say)]
    asked = sum(len(questions(one.text, own, fixed=not one.model)) for one in said)
    return asked + sum(isinstance(one, Draw) for one in shown)
