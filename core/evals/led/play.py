"""Plays a scenario with the model leading, and tells what came of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from core.catalogue import Catalogue
from core.evals.chat import Metered
from core.evals.led.desk import Desk
from core.evals.led.person import SORRY, Does, GivesUp, Person
from core.evals.led.prompt import clock, system, tools
from core.evals.play import person_of, shelf_of
from core.evals.record import (
    MOST_TURNS,
    ChatRecord,
    Ending,
    Failure,
    FailureKind,
    FirstSummary,
    Lead,
    TurnRecord,
)
from core.evals.referee import Summed, judged, occasions, stands_in
from core.evals.restless import Restless
from core.evals.scenario import Scenario
from core.evals.telling import Telling, added, required
from core.manifest import Kind
from core.model import Model, ModelFailed, Request, Result, Turn

ROUNDS = 8
"""Tool rounds of one answer; a model that still calls tools then has failed."""


async def play_led(
    catalogue: Catalogue, scenario: Scenario, *, model: Model, seed: int = 0, calm: bool = False
) -> ChatRecord:
    """Play a scenario with the model leading. What only the runtime has (taps, reloads, commands)
    is left out; the person writes, and is as restless as there, by `seed`, unless they are calm."""
    chat = _Led(catalogue, scenario, model, None if calm else Restless(seed, scenario))
    await chat.all()
    return chat.record(seed)


class _Led:
    def __init__(
        self, catalogue: Catalogue, scenario: Scenario, model: Model, restless: Restless | None
    ) -> None:
        self.scenario = scenario
        self.kind = catalogue.journey(scenario.journey).type
        fetch = catalogue.tools(shelf_of(catalogue, scenario))
        started = datetime.fromisoformat(scenario.now)
        self.desk = Desk(self.kind, person_of(scenario.person), started, fetch)
        self.person = Person(scenario, self.desk, restless)
        self.model = Metered(model)
        texts = self.kind.speak(scenario.person.locale)
        person = self.desk.state.person
        self.request = Request(
            system=system(self.kind.manifest, texts),
            tools=tools(self.kind.manifest),
            tail=clock(started.astimezone(ZoneInfo(person.zone)), person.zone),
        )
        self.transcript: list[Turn] = []
        self.turns: list[TurnRecord] = []
        self.telling = Telling(self.kind.manifest)
        self.first_summaries: tuple[FirstSummary, ...] = ()
        self.at_summary = False
        self.stuck = ""

    async def all(self) -> None:
        """From hello to the submission, or until nobody can get on."""
        does = self.person.opens()
        try:
            while True:
                said = await self._turn(does)
                if self.desk.sent is not None:
                    return
                if len(self.turns) >= MOST_TURNS:
                    raise GivesUp(f"after {MOST_TURNS} turns it is not done")
                does = await self.person.reads(said)
        except GivesUp as stuck:
            self.stuck = str(stuck)

    async def _turn(self, does: Does) -> str:
        number, telling = len(self.turns) + 1, self.telling
        telling.person(number, does.text, does.means, at_summary=self.at_summary)
        self.transcript.append(Turn(role="person", text=does.text))
        gives = does.means.gives
        spelled = {name: await self.desk.spellings(name, one) for name, one in gives.items()}
        telling.gave(number, gives, spelled)
        said = await self._said(number)
        telling.took(number, self._draft(), self._named())
        self.transcript.append(Turn(role="bot", text=said))
        self.at_summary = self.person.is_summary(said)
        asked = [] if self.at_summary else self.person.asked(said)
        own = list(telling.story.heard.values())
        telling.bot(number, said, self.person.things(said, own), asked)
        if self.at_summary:
            await self._summed(number, said)
        self.turns.append(
            TurnRecord(
                person=does.text,
                bot=(said,),
                settled=tuple(self.desk.draft.values),
                spent=self.model.reset(),
            )
        )
        return said

    def _draft(self) -> dict[str, Any]:
        """What is kept: what the person declined is left out, as far as nothing is kept for it."""
        declined = {name: None for name, value in self.person.given.items() if value is None}
        return {**declined, **self.desk.draft.plain()}

    def _named(self) -> dict[str, Any]:
        """The records that the person has chosen: those that they called by their names."""
        items = self.kind.manifest.by_name
        return {
            one.item: one.value
            for one in self.telling.story.given
            if items[one.item].value is Kind.RECORD
            and stands_in(one.spellings, self.telling.story.heard[one.turn])
        }

    async def _said(self, number: int) -> str:
        """The model's answer, with its tool calls carried out."""
        request = msgspec.structs.replace(self.request, transcript=tuple(self.transcript))
        texts: list[str] = []
        try:
            for _ in range(ROUNDS):
                answer = await self.model.respond(request)
                texts += [answer.text] if answer.text.strip() else []
                if not answer.calls:
                    return "\n\n".join(texts) or SORRY
                results = []
                for call in answer.calls:
                    told = await self.desk.call(call.name, call.arguments)
                    results.append(Result(call=call.id, text=told))
                    await self._sent(number)
                request = request.after(answer, tuple(results))
        except ModelFailed:
            return SORRY
        return "\n\n".join(texts) or SORRY

    async def _sent(self, number: int) -> None:
        content = self.desk.sent
        if content is None or self.telling.story.sent is not None:
            return
        spelled = {name: await self.desk.spellings(name, one) for name, one in content.items()}
        self.telling.sent(number, content, spelled)

    async def _summed(self, number: int, said: str) -> None:
        """A summary of the model's shows, line by line, what it says of each item; and what has no
        line of its own, wherever it stands."""
        items, shows = self.kind.manifest.by_name, self.person.rows(said)
        there: dict[str, tuple[Any, tuple[str, ...]]] = {}
        for name, value in self.desk.draft.plain().items():
            spelled = await self.desk.spellings(name, value)
            if stands_in(spelled, shows.get(name, said)):
                there[name] = value, spelled
        records = tuple(name for name in there if items[name].value is Kind.RECORD)
        if not self.telling.story.summaries:
            wrong = tuple(await self.person.wrong_on(said))
            self.first_summaries = (FirstSummary(turn=number, wrong=wrong),)
        self.telling.summed(
            Summed(turn=number, shows=shows, text=said, records=records, values=there)
        )

    def record(self, seed: int) -> ChatRecord:
        """All that came of it."""
        failures = judged(self.telling.story)
        if self.stuck:
            turn = len(self.turns)
            failures += (Failure(kind=FailureKind.UNFINISHED, turn=turn, detail=self.stuck),)
        return ChatRecord(
            journey=self.scenario.journey,
            scenario=self.scenario.name,
            lead=Lead.MODEL,
            model=self.model.name,
            seed=seed,
            ending=Ending.SUBMITTED if self.desk.sent is not None else Ending.UNFINISHED,
            turns=tuple(self.turns),
            owed=required(self.kind.manifest, self.desk.draft.plain()),
            failures=failures,
            occasions=added([occasions(self.telling.story)]),
            first_summaries=self.first_summaries,
            compared=self.scenario.expect.ends is Ending.SUBMITTED,
        )
