"""A deliverer whose one destination is a pigeon, which answers what it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.delivery import (
    KINDS,
    Confirmed,
    Deliverer,
    Kind,
    Means,
    Outcome,
    Patience,
    Settings,
)
from core.delivery.base import Setting
from core.effects import Submission
from core.manifest import Manifest
from core.store import Stage, Store
from tests.core.store.building import pass_time, submit
from tests.support.chat import Types


@dataclass
class Pigeon:
    """A destination that answers what it is told to; None is no answer, ever."""

    answers: list[Outcome | Exception | None]
    knows_keys: bool = True
    asked: list[str] = field(default_factory=list)

    async def deliver(self, submission: Submission, key: str, confirmed: Confirmed) -> Outcome:
        self.asked.append(key)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer is None:
            await asyncio.Event().wait()
        if isinstance(answer, Exception):
            raise answer
        assert answer is not None
        return answer


@dataclass
class Pigeons:
    """The kind of destination that a pigeon is."""

    pigeon: Pigeon
    here: bool = False
    about: str = "A pigeon."
    settings: tuple[Setting, ...] = ()

    def fault(self, settings: Settings) -> str:
        return ""

    def make(self, settings: Settings, means: Means) -> Pigeon:
        return self.pigeon


async def keep(store: Store, *destinations: dict[str, object]) -> None:
    """Keep the version of the manifest that the submissions are made with."""
    item = {"name": "title", "value": "short_text"}
    made = Manifest.model_validate(
        {"name": "event", "version": 1, "items": [item], "destinations": destinations}
    )
    await store.keep_manifest("event", "d1", made.model_dump_json(exclude_unset=True))


def worker(
    store: Store, data: Path, owner: str = "test", kinds: Mapping[str, Kind] = KINDS
) -> Deliverer:
    return Deliverer(store, Means(data), owner, Types(()), kinds)


@dataclass
class Desk:
    """A deliverer with its store, whose time can pass."""

    store: Store
    deliverer: Deliverer

    async def wait(self, seconds: float) -> None:
        await pass_time(self.store, seconds)

    async def stage(self) -> Stage:
        (one,) = await self.store.deliveries("j")
        return one.stage

    async def error(self) -> str:
        (one,) = await self.store.deliveries("j")
        return one.error


async def desk(
    store: Store,
    data: Path,
    answers: Sequence[Outcome | Exception | None],
    *,
    knows_keys: bool = True,
    here: bool = False,
    patience: Patience | None = None,
) -> tuple[Desk, Pigeon]:
    """A submission on its way to a pigeon that gives these answers, the last one for ever."""
    await keep(store, {"name": "loft", "kind": "pigeon"})
    await submit(store, "j", "loft")
    pigeon = Pigeon(list(answers), knows_keys)
    deliverer = worker(store, data, kinds={"pigeon": Pigeons(pigeon, here)})
    deliverer.patience = patience or deliverer.patience
    return Desk(store, deliverer), pigeon
