"""A model behind the Messages API leads a whole journey: over real HTTP, on loopback."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from core.catalogue import Catalogue
from core.evals.led.mischief import NONE_AT_ALL, LeadingMischief
from core.evals.led.play import play_led
from core.evals.led.prompt import SAVE, SUBMIT
from core.evals.loading import load_scenarios
from core.evals.record import ChatRecord, Ending, FailureKind
from core.model import Answer, Request, Result, Turn
from core.model.anthropic_model import AnthropicModel
from core.model.base import Round
from core.model.settings import ModelSettings
from core.model.testing import MessagesServer, Refuses, Reply, Says, Use
from core.model.testing.cache import blocks_of


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue.load()


class Competent:
    """The service's model: it leads by what the HTTP request says, and nothing else."""

    def __init__(self) -> None:
        self.model = LeadingMischief(1, NONE_AT_ALL)

    async def __call__(self, body: dict[str, Any]) -> Reply:
        answer = await self.model.respond(_request(body))
        return _says(answer)


def _says(answer: Answer) -> Says:
    uses = tuple(Use(name=one.name, input=one.arguments) for one in answer.calls)
    return Says(text=answer.text, uses=uses)


def _request(body: dict[str, Any]) -> Request:
    """What a model reads in a request: the transcript, and the tool rounds of this turn."""
    turns: list[Turn] = []
    rounds: list[Round] = []
    messages = body["messages"]
    for at, message in enumerate(messages):
        blocks = blocks_of(message["content"])
        results = [one for one in blocks if one["type"] == "tool_result"]
        if results:
            told = tuple(Result(call=one["tool_use_id"], text=one["content"]) for one in results)
            before = tuple(blocks_of(messages[at - 1]["content"]))
            rounds.append(Round(blocks=before, results=told))
        elif not any(one["type"] == "tool_use" for one in blocks):
            role = "person" if message["role"] == "user" else "bot"
            texts = [one["text"] for one in blocks if not one["text"].startswith("(Now it is ")]
            turns += [Turn(role=role, text=text) for text in texts]  # type: ignore[arg-type]
    system = tuple(one["text"] for one in blocks_of(body["system"]))
    return Request(system=system, transcript=tuple(turns), rounds=tuple(rounds))


def played(catalogue: Catalogue, journey: str, name: str, server: MessagesServer) -> Any:
    scenarios = load_scenarios(catalogue.journey(journey).folder)
    scenario = next(one for one in scenarios if one.name == name)
    settings = ModelSettings(base_url=server.url, attempts=1)

    async def play() -> ChatRecord:
        async with AnthropicModel("sk-test", settings) as model:
            return await play_led(catalogue, scenario, model=model, calm=True)

    return play()


@pytest.mark.parametrize(
    "journey, name", [("event", "corrected_at_the_summary"), ("request", "purchase_by_words")]
)
async def test_it_leads_to_the_submission_without_a_failure(
    catalogue: Catalogue, journey: str, name: str
) -> None:
    async with MessagesServer(by=Competent()) as server:
        record = await played(catalogue, journey, name, server)
    assert record.failures == ()
    assert record.ending is Ending.SUBMITTED
    assert record.spent.calls == len(server.requests)
    assert record.spent.usage.cache_read == sum(use.read for use in server.uses) > 0


async def test_it_is_told_the_day_the_tools_and_every_result(catalogue: Catalogue) -> None:
    async with MessagesServer(by=Competent()) as server:
        await played(catalogue, "event", "by_taps", server)
    first, last = server.requests[0], server.requests[-1]
    own = ["find_venues", "find_advice"]
    assert [one["name"] for one in first["tools"]] == [SAVE, *own, SUBMIT]
    assert "runtime" not in json.dumps([first["tools"], first["system"]])
    assert "Tuesday 2026-12-01 13:00, Europe/Berlin" in json.dumps(first["messages"])
    (told,) = blocks_of(last["messages"][-1]["content"])
    assert told["content"] == "Submitted."


async def test_a_submission_that_nobody_confirmed_is_told_whoever_the_model_is(
    catalogue: Catalogue,
) -> None:
    competent = Competent()

    async def hasty(body: dict[str, Any]) -> Reply:
        """Submits as soon as it has everything, and asks afterwards."""
        answer = await competent.model.respond(_request(body))
        if "Is everything right?" in answer.text:
            return Says(uses=(Use(name=SUBMIT, input={"confirmed": True}),))
        return _says(answer)

    async with MessagesServer(by=hasty) as server:
        record = await played(catalogue, "request", "access_by_taps", server)
    assert record.ending is Ending.SUBMITTED
    assert [one.kind for one in record.failures] == [FailureKind.CONFIRMED_AFTER_CHANGE]


async def test_a_service_that_refuses_is_given_up_on(catalogue: Catalogue) -> None:
    async with MessagesServer(by=lambda _: Refuses(status=529)) as server:
        record = await asyncio.wait_for(played(catalogue, "event", "by_taps", server), 30)
    assert record.ending is Ending.UNFINISHED
    assert [one.kind for one in record.failures] == [FailureKind.UNFINISHED]
    assert {turn.person for turn in record.turns} == {"Hello!"}
