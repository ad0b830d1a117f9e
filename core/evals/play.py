"""Plays a scenario with the runtime leading, and tells what came of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from core.cards import Button, Card, Record, Role, Summary, buttons
from core.catalogue import Catalogue
from core.evals.acting import CannotAnswer, upload
from core.evals.chat import Chat, Metered, Took
from core.evals.expecting import unmet, unmet_at_end
from core.evals.player import STUBBORN, Player, Tries, TurnsOut
from core.evals.record import ChatRecord, Ending
from core.evals.restless import Restless, is_yes
from core.evals.scenario import Entry, Scenario, Somebody
from core.evals.scripts import ScenarioModel, Unscripted
from core.evals.shelf import Shelf
from core.evals.telling import Means
from core.model import Model
from core.replies import Reload, Submit
from core.state import Person

START, SUMMARY = "start", "summary"
"""An entry that is `at` the first is the person's very first message; the other is the summary."""

Act = Callable[[Entry], Awaitable[Took | None]]


async def play(
    catalogue: Catalogue, scenario: Scenario, *, model: Model | None = None, seed: int = 0
) -> ChatRecord:
    """Play a scenario with the runtime leading.

    Without a model it is played as it is written: the model answers what the scenario says, and
    all that is expected must come. With one, the person is restless too, by `seed`; then it is
    looked at whether all that always holds does, and whether the person gets to the end.
    """
    script = ScenarioModel()
    chat = Chat(
        types=catalogue,
        model=Metered(model or script),
        fetch=catalogue.tools(shelf_of(catalogue, scenario)),
        person=person_of(scenario.person),
        now=datetime.fromisoformat(scenario.now),
        starts=scenario.journey,
    )
    if model is None:
        player = ScriptPlayer(chat, scenario, script)
    else:
        player = ScriptPlayer(chat, scenario, script, Restless(seed, scenario))
    await player.all()
    return player.record()


def shelf_of(catalogue: Catalogue, scenario: Scenario) -> Shelf:
    """The directories of a scenario's journey; its own records stand in for a directory's."""
    shelf = Shelf()
    for name, directory in catalogue.journey(scenario.journey).directories.items():
        given = scenario.records.get(name)
        records = directory.records if given is None else [_record(one) for one in given]
        shelf.put(f"{scenario.journey}.{name}", records)
    return shelf


def _record(given: Mapping[str, Any]) -> Record:
    fields = {name: value for name, value in given.items() if name not in ("id", "label", "detail")}
    detail = str(given.get("detail", ""))
    return Record(id=str(given["id"]), label=str(given["label"]), detail=detail, fields=fields)


def person_of(somebody: Somebody) -> Person:
    """The person of a scenario, as their platform knows them."""
    return Person(
        id="person",
        name=somebody.name,
        locale=somebody.locale,
        zone=somebody.zone or "UTC",
        zone_known=somebody.zone is not None,
        country=somebody.country,
    )


class ScriptPlayer(Player):
    """A person who does what a scenario's script says, and answers the rest."""

    def __init__(
        self,
        chat: Chat,
        scenario: Scenario,
        script: ScenarioModel,
        restless: Restless | None = None,
    ) -> None:
        super().__init__(chat, scenario, restless)
        self.script = script
        self.acts: Mapping[str, Act] = {
            "say": self._say,
            "tap": self._tap_label,
            "answer": self._answer_with,
            "submit": self._submit,
            "upload": self._upload,
            "change": self._change,
            "command": lambda entry: self.take(
                self.command(entry.command or ""), self._means(entry)
            ),
            "reload": self._reload,
            "stale_tap": self._stale_tap,
            "later": self._later,
        }

    async def all(self) -> None:
        """Everything from the start to the end."""
        try:
            await self._script()
            if not self.scenario.stops or self._is_not_there_yet():
                self.script.expect(None)
                await self._to_the_end()
        except Unscripted as missing:
            self.fault(str(missing))
        except (CannotAnswer, TurnsOut) as stuck:
            self.unfinished(str(stuck))
        if self.restless is None:
            self._compare()
        elif self._is_not_there_yet() and not self.failures:
            self.unfinished(f"it ended {self.ending.value}")

    def _is_not_there_yet(self) -> bool:
        """Whether the script was to end in a submission, and a model of its own brought it off."""
        wants = self.scenario.expect.ends is Ending.SUBMITTED
        return self.restless is not None and wants and self.chat.is_open

    async def _to_the_end(self) -> None:
        while await self.until("summary"):
            if self.restless is None or not await self.put_right():
                await self.confirm()
                return

    async def _script(self) -> None:
        first = self.scenario.script[0] if self.scenario.script else None
        if first is None or first.at != START:
            await self.take(self.command(f"new {self.scenario.journey}"))
        for entry in self.scenario.script:
            await self._entry(entry)

    def _compare(self) -> None:
        expect, calls = self.scenario.expect, self.spent.calls
        for text in unmet_at_end(expect, self.chat, self.ending, calls):
            self.fault(text)

    async def _entry(self, entry: Entry) -> None:
        self.script.expect(None)
        if entry.at not in ("", START) and not await self.until(entry.at):
            self._not_possible(f"{entry.at} was never asked, so {entry.act} could not be done")
            return
        self.script.expect(entry)
        self.intent.update(entry.gives)
        took = await self.acts[entry.act](entry)
        if self.restless is None:
            for text in unmet(entry, took, self.chat):
                self.fault(text)

    def _not_possible(self, why: str) -> None:
        """What a scenario has planned cannot be done: with a model of its own, that may be."""
        if self.restless is None:
            self.fault(why)

    # What a person does

    def _means(self, entry: Entry, *, says_yes: bool = False) -> Means:
        return Means(gives=entry.gives, says_yes=says_yes)

    async def _say(self, entry: Entry) -> Took:
        """Words. A question beside the answer gives nothing but what the scenario says it gives."""
        text = entry.say or ""
        if self.restless is not None and is_yes(text):
            await self._read_before()
        means = self._means(entry, says_yes=is_yes(text) and self.chat.asks == SUMMARY)
        return await self.say(text, means, own="?" not in text)

    async def _tap_label(self, entry: Entry) -> Took | None:
        wanted = (entry.tap or "").casefold()
        confirm = _confirm(self.card())
        if self.restless is not None and confirm and confirm.label.casefold() == wanted:
            await self._read_before()
        card = self.card()
        there = buttons(card) if card is not None else ()
        found = [one for one in there if one.label.casefold() == wanted]
        # A suggestion is what a person taps of two that read alike: it stands apart from the rest.
        found.sort(key=lambda one: one.role is not Role.SUGGESTION)
        if card is None or not found:
            labels = ", ".join(one.label for one in there) or "nothing is open"
            self._not_possible(f"there is no button {entry.tap!r} ({labels})")
            return None
        means = self._means(entry, says_yes=found[0] == _confirm(card))
        return await self.tap(card, found[0].token, means, own=True)

    async def _read_before(self) -> None:
        """With a model of its own a summary may be wrong: nobody confirms it unread."""
        while await self.put_right():
            await self.until(SUMMARY)

    async def _answer_with(self, entry: Entry) -> Took | None:
        self.intent[self.chat.asks] = entry.answer
        return await self._settle(self.chat.asks)

    async def _settle(self, item: str) -> Took | None:
        """Answer the open ask until it is open no longer."""
        took = None
        tries = Tries()
        while self.chat.asks == item and tries.so_far(item, self.card()) < STUBBORN:
            took = await self.answer()
        return took

    async def _submit(self, entry: Entry) -> Took | None:
        card, values = self.card(), dict(entry.submit or {})
        if card is None:
            self._not_possible("nothing is open that could be sent")
            return None
        person = self.chat.person.id
        reply = Submit(card=card.id, values=values, by=person, at=self.chat.now)
        return await self.take(reply, self._means(entry), own=True)

    async def _upload(self, entry: Entry) -> Took | None:
        sent = entry.upload.model_dump() if entry.upload is not None else {}
        return await self.take(upload(sent, by=self.chat), self._means(entry), own=True)

    async def _change(self, entry: Entry) -> Took | None:
        """Re-open an item from the summary, and answer it anew."""
        ((item, value),) = (entry.change or {}).items()
        card = self.card()
        rows = card.rows if isinstance(card, Summary) else ()
        row = next((one for one in rows if one.item == item), None)
        if card is None or row is None:
            self._not_possible(f"{item} can be changed at a summary that has it (at: summary)")
            return None
        self.intent[item] = value
        if self.by_words(item):
            await self.say(row.label)
        else:
            await self.tap(card, row.edit.token)
        return await self._settle(item)

    async def _reload(self, entry: Entry) -> Took:
        return await self.take(Reload(by=self.chat.person.id, at=self.chat.now))

    async def _stale_tap(self, entry: Entry) -> Took | None:
        live = {one.id for one in self.chat.screen.live}
        cards = [one for one in self.chat.screen.drawn.values() if one.id not in live]
        summary = entry.stale_tap == "summary"
        old = [
            one
            for one in cards
            if (isinstance(one, Summary) if summary else one.item == entry.stale_tap)
        ]
        if not old:
            self._not_possible(f"there is no earlier card of {entry.stale_tap}")
            return None
        button = old[-1].confirm if isinstance(old[-1], Summary) else buttons(old[-1])[0]
        return await self.tap(old[-1], button.token)

    async def _later(self, entry: Entry) -> None:
        self.chat.now += timedelta(hours=entry.later or 0)


def _confirm(card: Card | None) -> Button | None:
    return card.confirm if isinstance(card, Summary) else None
