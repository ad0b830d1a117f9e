"""The workspaces that installed the app, in the bot's own database.

slack_sdk's own stores keep them, in its tables: `slack_bots`, `slack_installations` and
`slack_oauth_states` (the installations that are under way).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any
from weakref import WeakValueDictionary

import aiohttp
import structlog
from slack_sdk.errors import SlackClientError
from slack_sdk.oauth.installation_store import Bot
from slack_sdk.oauth.installation_store.sqlalchemy import (
    AsyncSQLAlchemyInstallationStore,
    SQLAlchemyInstallationStore,
)
from slack_sdk.oauth.state_store.sqlalchemy import AsyncSQLAlchemyOAuthStateStore
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator
from slack_sdk.web.async_client import AsyncWebClient
from sqlalchemy import Connection, NullPool, delete, event, select, text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from core.store.engine import PRAGMAS, is_sqlite, parse_url

log = structlog.get_logger()

STATE_SECONDS = 600
"""For so long somebody may look at Slack's page on which the app is allowed."""

EARLY = 120
"""Minutes before its end in which a token that has one is renewed, as slack_bolt does."""

_REST = 30.0
"""Seconds until a token is asked for again that could not be renewed."""

_LOCK = 0x5EED_51AC
"""The advisory lock that processes wait for which start at once, on PostgreSQL."""


@asynccontextmanager
async def open_installations(
    database_url: str, client_id: str, client_secret: str = "", base: str = AsyncWebClient.BASE_URL
) -> AsyncIterator[Installations]:
    """The installations of the app with this client id; tables that are missing are made.

    The secret is needed to renew tokens, at the Web API's address `base`, for an app that has token
    rotation switched on. Raises StoreError for a URL that cannot be used.
    """
    engine = _engine(parse_url(database_url))
    client = AsyncWebClient(base_url=base, retry_handlers=[])
    rotator = AsyncTokenRotator(client_id=client_id, client_secret=client_secret, client=client)
    try:
        found = Installations(engine, client_id, rotator)
        await found.prepare()
        yield found
    finally:
        await engine.dispose()


def _engine(url: URL) -> AsyncEngine:
    """Connections of its own: few are needed, and seldom."""
    if not is_sqlite(url):
        return create_async_engine(url, pool_size=1, max_overflow=1, pool_pre_ping=True)
    made = create_async_engine(url, poolclass=NullPool, connect_args={"isolation_level": None})
    event.listen(made.sync_engine, "connect", _prepare)
    event.listen(made.sync_engine, "begin", _begin)
    return made


def _prepare(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _begin(connection: Connection) -> None:
    # slack_sdk reads before it writes, which a deferred transaction cannot do safely.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


class Installations:
    """The bot's tokens, by workspace. `store` and `states` are slack_sdk's, for its OAuth flow."""

    def __init__(self, engine: AsyncEngine, client_id: str, rotator: AsyncTokenRotator) -> None:
        self._engine = engine
        self._rotator = rotator
        self._bots: dict[str, Bot] = {}
        self._renewing: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._rest: dict[str, float] = {}
        self.client_id = client_id
        self.store = _Store(client_id, engine, lambda team: self._bots.pop(team, None))
        self.states = AsyncSQLAlchemyOAuthStateStore(STATE_SECONDS, engine)

    async def prepare(self) -> None:
        """Make the tables that are missing; forget installations that nobody finished."""
        states = self.states.oauth_states
        now = datetime.now(UTC).replace(tzinfo=None)  # as slack_sdk writes it
        async with self._engine.begin() as connection:
            await connection.run_sync(self._make_tables)
            await connection.execute(delete(states).where(states.c.expire_at < now))

    def _make_tables(self, connection: Connection) -> None:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        for one in (self.store.metadata, self.states.metadata):
            one.create_all(connection)

    async def of(self, team: str) -> str | None:
        """The token in a workspace; None where the app is not installed."""
        bot = self._bots.get(team) or await self._newest(team)
        if bot is not None and _ends_soon(bot):
            bot = await self._renewed(team)
        if bot is None:
            return None
        self._bots[team] = bot
        return bot.bot_token

    async def again(self, team: str) -> str | None:
        """As `of`, for when Slack refused the token: another process may know a newer one."""
        self._bots.pop(team, None)
        return await self.of(team)

    async def _renewed(self, team: str) -> Bot | None:
        """The bot with a token that does not end soon, where that can be had."""
        lock = self._renewing.setdefault(team, asyncio.Lock())
        async with lock:
            bot = await self._newest(team)
            if bot is None or not _ends_soon(bot) or time.monotonic() < self._rest.get(team, 0.0):
                return bot
            try:
                newer = await self._rotator.perform_bot_token_rotation(
                    bot=bot, minutes_before_expiration=EARLY
                )
            except (SlackClientError, aiohttp.ClientError, OSError, TimeoutError) as error:
                # Another process was faster, or Slack is away while this token is still good.
                log.warning("slack_token_not_renewed", team=team, error=type(error).__name__)
                self._rest[team] = time.monotonic() + _REST
                return await self._newest(team)
            if newer is not None:
                await self.store.async_save_bot(newer)
            return newer or bot

    async def _newest(self, team: str) -> Bot | None:
        # Not by slack_sdk's own search, which has to be told the workspace's organization.
        bots = self.store.bots
        found = (
            select(bots)
            .where(bots.c.client_id == self.client_id, bots.c.team_id == team)
            .where(bots.c.bot_token.is_not(None))
            .order_by(bots.c.installed_at.desc(), bots.c.id.desc())
            .limit(1)
        )
        async with self._engine.begin() as connection:
            row = (await connection.execute(found)).mappings().first()
        return None if row is None else SQLAlchemyInstallationStore.build_bot_entity(row)

    async def forget(self, team: str) -> None:
        """A workspace removed the app: nothing of its tokens is kept."""
        async with self._engine.begin() as connection:
            await self._remove(connection, team)
        self._bots.pop(team, None)

    async def _remove(self, connection: AsyncConnection, team: str) -> None:
        for table in (self.store.bots, self.store.installations):
            mine = (table.c.client_id == self.client_id, table.c.team_id == team)
            await connection.execute(delete(table).where(*mine))


def _ends_soon(bot: Bot) -> bool:
    """Whether its token has an end, which is near or past."""
    ends = bot.bot_token_expires_at
    return ends is not None and ends <= time.time() + EARLY * 60


class _Store(AsyncSQLAlchemyInstallationStore):
    """slack_sdk's store, which tells (`saved`) of the workspace whose token it has just kept."""

    def __init__(self, client_id: str, engine: AsyncEngine, saved: Callable[[str], object]) -> None:
        super().__init__(client_id=client_id, engine=engine)
        self._saved = saved

    async def async_save_bot(self, bot: Bot) -> None:
        await super().async_save_bot(bot)
        self._saved(bot.team_id or "")
