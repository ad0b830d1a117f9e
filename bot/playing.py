"""One chat of the evals, as any process plays it: a scenario, who leads, a model, a seed."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from bot.logs import set_up
from bot.settings import load
from bot.wiring import open_model
from core.catalogue import Catalogue
from core.evals import pins
from core.evals.led.mischief import LeadingMischief
from core.evals.led.play import play_led
from core.evals.loading import load_scenarios
from core.evals.mischief import Mischief
from core.evals.play import play
from core.evals.record import ChatRecord, Lead
from core.evals.scenario import Scenario
from core.model import Model

Kind = Literal["scripted", "mischief", "anthropic"]
"""A model to run against."""


def play_one(folder: Path, scenario: str, *, lead: Lead, model: str, seed: int) -> ChatRecord:
    """Play a scenario of a journey's folder. One that is played as it is written is compared with
    how it is pinned. Raises KeyError where there is no such scenario."""
    record = play_unpinned(folder, scenario, lead=lead, model=model, seed=seed)
    if model != "scripted":
        return record
    differs = tuple(pins.compare(folder, record))
    return msgspec.structs.replace(record, broken=record.broken + differs)


def play_unpinned(folder: Path, scenario: str, *, lead: Lead, model: str, seed: int) -> ChatRecord:
    """As above, however it is pinned."""
    found = scenarios_of(folder)[scenario]
    return asyncio.run(_play(catalogue_of(folder.parent), found, lead, model, seed))


async def _play(
    catalogue: Catalogue, scenario: Scenario, lead: Lead, kind: str, seed: int
) -> ChatRecord:
    async with _model(kind, lead, seed) as model:
        if lead is Lead.RUNTIME:
            return await play(catalogue, scenario, model=model, seed=seed)
        if model is None:
            raise ValueError("a scenario that is played as it is written has no model that leads")
        return await play_led(catalogue, scenario, model=model, seed=seed)


def _model(kind: str, lead: Lead, seed: int) -> AbstractAsyncContextManager[Model | None]:
    """The model of a kind; None where the scenario itself says what it answers."""
    if kind == "anthropic":
        return open_model(load())
    if kind == "mischief":
        return nullcontext(Mischief(seed) if lead is Lead.RUNTIME else LeadingMischief(seed))
    return nullcontext()


@cache
def catalogue_of(journeys: Path) -> Catalogue:
    """The journeys of a folder, loaded once in a process."""
    # What happens in a chat is in its record; a process that plays thousands logs none of it.
    set_up("error")
    return Catalogue.load(journeys)


@cache
def scenarios_of(folder: Path) -> dict[str, Scenario]:
    """The scenarios of a journey's folder by name. Raises ScenariosFaulty, and KeyError where the
    journey itself has faults."""
    loaded = catalogue_of(folder.parent).journey(folder.name)
    return {one.name: one for one in load_scenarios(folder, loaded.manifest)}
