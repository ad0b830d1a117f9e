"""Chats as they may come out, made from a seed; and ways to play them that end badly."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from random import Random
from threading import Event

import msgspec

from core.evals.many import Planned
from core.evals.record import (
    OCCASIONS,
    Broken,
    ChatRecord,
    Ending,
    Failure,
    FailureKind,
    Lead,
    Spent,
    TurnRecord,
)
from core.model import Usage

ITEMS = ("title", "when", "venue", "speakers")


def planned(number: int, *, lead: Lead = Lead.RUNTIME, first: int = 1) -> list[Planned]:
    """So many chats, of two scenarios in turn."""
    return [
        Planned(
            folder="dinner",
            scenario=("taps", "words")[seed % 2],
            lead=lead,
            model="mischief",
            seed=seed,
        )
        for seed in range(first, first + number)
    ]


def play_made_up(folder: Path, scenario: str, *, lead: Lead, model: str, seed: int) -> ChatRecord:
    """A chat drawn from its seed: the runtime's goes well, the model's does not always."""
    chance = Random(f"{scenario}{lead}{seed}")
    length = chance.randint(len(ITEMS), 3 * len(ITEMS))
    decided = {"G1": 1, "G7": length} if lead is Lead.RUNTIME else {}
    turns = tuple(_turn(chance, number, lead) for number in range(length))
    kinds = [kind for kind in FailureKind if lead is Lead.MODEL and chance.random() < 0.2]
    return ChatRecord(
        journey=folder.name,
        scenario=scenario,
        lead=lead,
        model=model,
        seed=seed,
        ending=Ending.UNFINISHED if FailureKind.UNFINISHED in kinds else Ending.SUBMITTED,
        turns=turns,
        owed=ITEMS if chance.random() < 0.7 else ITEMS[:-1],
        failures=tuple(Failure(kind=kind, turn=length, item="when") for kind in kinds),
        occasions={kind: 1 + (kind in kinds) for kind in sorted(OCCASIONS)},
        decided=decided,
    )


def _turn(chance: Random, number: int, lead: Lead) -> TurnRecord:
    settled = ITEMS[: number + 1]
    asked = ITEMS[number + 1] if number + 1 < len(ITEMS) else "summary"
    if lead is Lead.RUNTIME and chance.random() < 0.6:
        return TurnRecord(person="a tap", bot=("a card",), ask=asked, settled=settled)
    usage = Usage(
        input=chance.randint(50, 200) + 30 * number,
        output=chance.randint(20, 90),
        cache_read=1500,
        cache_creation=0 if number else 1500,
    )
    asks = asked if lead is Lead.RUNTIME else ""
    return TurnRecord(person="words", ask=asks, settled=settled, spent=Spent(calls=1, usage=usage))


def play_with_faults(
    folder: Path, scenario: str, *, lead: Lead, model: str, seed: int
) -> ChatRecord:
    """As above; every tenth chat breaks G7 twice, and every seventh raises."""
    if seed % 7 == 0:
        raise ValueError(f"seed {seed} is not played")
    record = play_made_up(folder, scenario, lead=lead, model=model, seed=seed)
    if seed % 10:
        return record
    twice = tuple(Broken(guarantee="G7", turn=turn, detail="not the last") for turn in (3, 2))
    return msgspec.structs.replace(record, broken=twice)


def play_and_die(folder: Path, scenario: str, *, lead: Lead, model: str, seed: int) -> ChatRecord:
    """As above, but seed 13 takes its process with it."""
    if seed == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return play_made_up(folder, scenario, lead=lead, model=model, seed=seed)


def always_die(folder: Path, scenario: str, *, lead: Lead, model: str, seed: int) -> ChatRecord:
    """A way to play that kills every process."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def play_until_stuck(
    folder: Path, scenario: str, *, lead: Lead, model: str, seed: int
) -> ChatRecord:
    """The first forty chats are played; the next one never ends."""
    if seed > 40:
        Event().wait()
    return play_made_up(folder, scenario, lead=lead, model=model, seed=seed)
