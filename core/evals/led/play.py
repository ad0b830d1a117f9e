"""Plays a scenario with the model leading, and tells what came of it."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec

from core import planner
from core.catalogue import Catalogue
from core.evals.chat import Metered
from core.evals.led.desk import Desk
from core.evals.led.person import SORRY, Does, Person
from core.evals.led.prompt import clock, system, tools
from core.evals.play import person_of, shelf_of
from core.evals.record import ChatRecord, Ending, Failure, FailureKind, Lead, TurnRecord
from core.evals.referee import Given, Sent, Story, Summed, judged, stands_in
from core.evals.scenario import Scenario
from core.manifest import Kind
from core.model import Model, ModelFailed, Request, Result, Turn
from core.prose import cut

ROUNDS = 8
"""Tool rounds of one answer; a model that still calls tools then has failed."""

MOST = 80
"""Turns after which the person has had enough."""


async def play_led(
    catalogue: Catalogue, scenario: Scenario, *, model: Model, seed: int = 0
) -> ChatRecord:
    """Play a scenario with the model leading. What only the runtime has (taps, reloads, commands)
    is left out; the person writes."""
    chat = _Led(catalogue, scenario, model)
    await chat.all()
    return chat.record(seed)


class _Led:
    def __init__(self, catalogue: Catalogue, scenario: Scenario, model: Model) -> None:
        self.scenario = scenario
        self.kind = catalogue.journey(scenario.journey).type
        fetch = catalogue.tools(shelf_of(catalogue, scenario))
        started = datetime.fromisoformat(scenario.now)
        self.desk = Desk(self.kind, person_of(scenario.person), started, fetch)
        self.person = Person(scenario, self.desk)
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
        self.story = Story()
        self.stuck = ""
        self.confirmed = False

    async def all(self) -> None:
        """From hello to the submission, or until nobody can get on."""
        does: Does | None = self.person.opens()
        while does is not None and len(self.turns) < MOST:
            said = await self._turn(does)
            does = None if self._is_sent() else await self.person.reads(said)
        if self.desk.sent is None:
            self.stuck = "the person could not get to the end"

    def _is_sent(self) -> bool:
        return self.desk.sent is not None

    async def _turn(self, does: Does) -> str:
        number = len(self.turns) + 1
        # A yes holds until something else is given, or another summary is shown.
        self.confirmed = does.says_yes or (self.confirmed and not does.gives)
        self.transcript.append(Turn(role="person", text=does.text))
        said = await self._said(number)
        await self._given(number, does, heard=said != SORRY)
        self.transcript.append(Turn(role="bot", text=said))
        self.story.said[number] = said
        self.story.questions[number] = cut(said).questions
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

    async def _given(self, number: int, does: Does, *, heard: bool) -> None:
        """What the person gave. Where the bot asked them to say it again, that is no reply that
        could have left a correction out."""
        for item, value in does.gives.items():
            self.story.given.append(
                Given(
                    turn=number,
                    item=item,
                    value=value,
                    record=self.kind.manifest.item(item).value is Kind.RECORD,
                    correction=does.corrects and heard,
                    spellings=await self.desk.spellings(item, value),
                )
            )

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
                    if self.desk.sent is not None and self.story.sent is None:
                        await self._sent(number)
                request = request.after(answer, tuple(results))
        except ModelFailed:
            return SORRY
        return "\n\n".join(texts) or SORRY

    async def _sent(self, number: int) -> None:
        content = self.desk.sent or {}
        self.story.sent = Sent(
            turn=number,
            content=content,
            spellings={
                name: await self.desk.spellings(name, value)
                for name, value in content.items()
                if value is not None
            },
            said_yes=self.confirmed,
        )

    async def _summed(self, number: int, said: str) -> None:
        """A summary of the model's shows, line by line, what it says of each item; and what has no
        line of its own, wherever it stands."""
        if not self.person.is_summary(said):
            return
        self.confirmed = False
        items, shows = self.kind.manifest.by_name, self.person.rows(said)
        records = []
        for name, value in self.desk.draft.values.items():
            if items[name].value is Kind.RECORD:
                spelled = await self.desk.spellings(name, value.value)
                records += [name] if stands_in(spelled, shows.get(name, said)) else []
        self.story.summaries.append(
            Summed(turn=number, shows=shows, text=said, records=tuple(records))
        )

    def record(self, seed: int) -> ChatRecord:
        """All that came of it."""
        self.story.owed = planner.required(self.kind.manifest, self.desk.draft)
        failures = judged(self.story)
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
            owed=self.story.owed,
            failures=failures,
        )
