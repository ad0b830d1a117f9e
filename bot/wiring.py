"""The one place where real things meet: settings, store, journeys, model, channels."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bot.environment import environment
from bot.settings import OFF, Settings, data_folder
from bot.starting import first_journey
from core import privacy
from core.admin import exporting, stats
from core.admin.accounts import Owners
from core.admin.base import Office
from core.admin.chats import Moderators, ShowWaiting
from core.admin.door import AdminDoor
from core.admin.pulse import Pulse
from core.admin.watch import Watch
from core.catalogue import Catalogue
from core.channel import Channel
from core.delivery import Deliverer, Means, Patience, troubles
from core.files import Files, Maker
from core.gate import Gate, Limits
from core.model import Model, ModelSettings, NoModel
from core.runtime import Rules, Runtime
from core.sender import Sender
from core.state import Person
from core.store import Store
from core.upkeep import Chore, Erasing, HandedOut, Keeps, Retention


@dataclass(frozen=True)
class House:
    """Everything that a process runs with."""

    settings: Settings
    store: Store
    catalogue: Catalogue
    runtime: Runtime
    sender: Sender
    deliverer: Deliverer
    chores: tuple[Chore, ...]
    pulse: Pulse
    files: Files = field(default_factory=Files)

    def open_channel(self, channel: Channel) -> None:
        """Let a channel's lanes be served by this process."""
        self.pulse.serves(channel.name)
        self.runtime.channels[channel.name] = channel
        self.sender.channels[channel.name] = channel

    def troubles(self) -> list[str]:
        """Why destinations of the journeys cannot be delivered to yet, a line for each."""
        manifests = [self.catalogue.journey(name).manifest for name in self.catalogue.names()]
        return troubles(manifests, self.deliverer.kinds, self.deliverer.means)


def now() -> datetime:
    """The clock of the shell."""
    return datetime.now(UTC)


def exports_folder(settings: Settings) -> Path:
    """The folder of the files that are made to be handed out in a terminal."""
    return settings.data_dir / "exports"


def fresh_id() -> str:
    """An id for a journey: short enough for callback data, too large to be guessed."""
    return secrets.token_urlsafe(9)


def unknown_person(settings: Settings) -> Person:
    """Somebody before they chose anything."""
    return Person(
        id="",
        locale=settings.locale,
        zone=settings.zone,
        zone_known=False,
        country=settings.country,
    )


def admin_command(settings: Settings) -> str:
    """The command in Telegram of those who run the bot; empty where there is none."""
    name = settings.telegram_admin_command
    return "" if name == OFF else name


def owner() -> str:
    """This process, as leases name it."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(3)}"


@asynccontextmanager
async def open_model(settings: Settings) -> AsyncIterator[Model]:
    """The model that the settings name; none without a key."""
    if settings.anthropic_api_key is None:
        yield NoModel()
        return
    from core.model.anthropic_model import AnthropicModel

    chosen = ModelSettings(
        model=settings.model,
        base_url=settings.anthropic_base_url,
        max_tokens=settings.model_max_tokens,
        effort=settings.model_effort,
        deadline=settings.model_deadline,
    )
    async with AnthropicModel(settings.anthropic_api_key.get_secret_value(), chosen) as model:
        yield model


@asynccontextmanager
async def open_house(settings: Settings) -> AsyncIterator[House]:
    """Everything of a process, opened and closed again: the schema current, the journeys loaded."""
    data_folder(settings)
    catalogue = Catalogue.load(settings.journeys_dir)
    store = await Store.open(settings.database_url)
    try:
        await store.migrate()
        await catalogue.keep(store)
        async with open_model(settings) as model:
            yield _house(settings, store, catalogue, model)
    finally:
        await store.close()


def _house(settings: Settings, store: Store, catalogue: Catalogue, model: Model) -> House:
    me, variables = owner(), environment()
    runtime = _runtime(settings, store, catalogue, model, me)
    office = _office(settings, runtime, catalogue, variables)
    limits = Limits(turns_a_minute=settings.turns_a_minute)
    moderators, private = Moderators(office), privacy.Privacy(store)
    runtime.doors = (Gate(store, now, limits), private, AdminDoor(office))
    runtime.moderates, runtime.model_failed = moderators, office.pulse.model_failed
    runtime.paused = lambda: office.watch.paused
    return House(
        settings,
        store,
        catalogue,
        runtime,
        sender=Sender(store, me, lease=settings.lease),
        deliverer=_deliverer(settings, runtime, catalogue, variables),
        chores=_chores(settings, store, moderators),
        pulse=office.pulse,
        files=Files(makers=_makers(office, private)),
    )


def _runtime(
    settings: Settings, store: Store, catalogue: Catalogue, model: Model, me: str
) -> Runtime:
    return Runtime(
        store=store,
        types=catalogue,
        model=model,
        tools=catalogue.tools(store),
        clock=now,
        fresh=fresh_id,
        owner=me,
        starts=first_journey(settings, catalogue),
        talks=settings.anthropic_api_key is not None,
        rules=Rules(
            lease=settings.lease,
            model_deadline=settings.model_deadline,
            tokens_a_day=settings.tokens_a_day,
            open_journeys=settings.open_journeys,
        ),
    )


def _deliverer(
    settings: Settings, runtime: Runtime, catalogue: Catalogue, variables: Mapping[str, str]
) -> Deliverer:
    means = Means(
        data=settings.data_dir,
        channels=runtime.channels,
        environment=variables,
        private=settings.allow_private_addresses,
    )
    return Deliverer(
        runtime.store,
        means,
        runtime.owner,
        catalogue,
        ring=runtime.bell.ring,
        patience=Patience(lease=settings.lease),
    )


def _chores(settings: Settings, store: Store, moderators: Moderators) -> tuple[Chore, ...]:
    handed_out = HandedOut(exports_folder(settings))
    return (
        Retention(store, Keeps(settings.keep_days, settings.keep_submissions_days)),
        Erasing(store, moderators.erased, handed_out),
        handed_out,
        ShowWaiting(moderators),
    )


def _office(
    settings: Settings, runtime: Runtime, catalogue: Catalogue, variables: Mapping[str, str]
) -> Office:
    """What the people who run the bot work with."""

    async def reload(journey: str) -> None:
        await catalogue.reload(journey, runtime.store)

    def clock() -> datetime:
        return runtime.clock()

    return Office(
        store=runtime.store,
        catalogue=catalogue,
        channels=runtime.channels,
        clock=clock,
        ring=runtime.bell.ring,
        data=settings.data_dir,
        pulse=Pulse(clock, model=runtime.model.name if runtime.talks else ""),
        owners=Owners.of(settings.owners),
        watch=Watch(runtime.store, reload),
        locale=settings.locale,
        zone=settings.zone,
        environment=variables,
        called={"telegram": admin_command(settings)},
    )


def _makers(office: Office, private: privacy.Privacy) -> dict[str, Maker]:
    """What makes files when they are sent, by the first word of their recipe."""
    return {
        stats.RECIPE: stats.FunnelMaker(office),
        exporting.RECIPE: exporting.ExportMaker(office),
        privacy.RECIPE: private.make,
    }
