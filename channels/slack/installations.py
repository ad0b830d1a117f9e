"""The workspaces that installed the app, in the bot's own database.

slack_sdk's own stores keep them, in its tables: `slack_bots`, `slack_installations` and
`slack_oauth_states` (the installations that are under way).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from slack_sdk.oauth.installation_store import Bot
from slack_sdk.oauth.installation_store.sqlalchemy import AsyncSQLAlchemyInstallationStore
from slack_sdk.oauth.state_store.sqlalchemy import AsyncSQLAlchemyOAuthStateStore
from sqlalchemy import Connection, NullPool, delete, event, select, text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from core.store.engine import PRAGMAS, is_sqlite, parse_url

STATE_SECONDS = 600
"""For so long somebody may look at Slack's page on which the app is allowed."""

_LOCK = 0x5EED_51AC
"""The advisory lock that processes wait for which start at once, on PostgreSQL."""


@asynccontextmanager
async def open_installations(database_url: str, client_id: str) -> AsyncIterator[Installations]:
    """The installations of the app with this client id; tables that are missing are made.

    Raises StoreError for a URL that cannot be used.
    """
    engine = _engine(parse_url(database_url))
    try:
        found = Installations(engine, client_id)
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

    def __init__(self, engine: AsyncEngine, client_id: str) -> None:
        self._engine = engine
        self._tokens: dict[str, str] = {}
        self.client_id = client_id
        self.store = _Store(client_id, engine, lambda team: self._tokens.pop(team, None))
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
        token = self._tokens.get(team) or await self._newest(team)
        if token is not None:
            self._tokens[team] = token
        return token

    async def again(self, team: str) -> str | None:
        """As `of`, for when Slack refused the token: another process may know a newer one."""
        self._tokens.pop(team, None)
        return await self.of(team)

    async def _newest(self, team: str) -> str | None:
        # Not by slack_sdk's own search, which has to be told the workspace's organization.
        bots = self.store.bots
        found = (
            select(bots.c.bot_token)
            .where(bots.c.client_id == self.client_id, bots.c.team_id == team)
            .where(bots.c.bot_token.is_not(None))
            .order_by(bots.c.installed_at.desc(), bots.c.id.desc())
            .limit(1)
        )
        async with self._engine.begin() as connection:
            token = (await connection.execute(found)).scalar_one_or_none()
        return None if token is None else str(token)

    async def forget(self, team: str) -> None:
        """A workspace removed the app: nothing of its tokens is kept."""
        async with self._engine.begin() as connection:
            await self._remove(connection, team)
        self._tokens.pop(team, None)

    async def _remove(self, connection: AsyncConnection, team: str) -> None:
        for table in (self.store.bots, self.store.installations):
            mine = (table.c.client_id == self.client_id, table.c.team_id == team)
            await connection.execute(delete(table).where(*mine))


class _Store(AsyncSQLAlchemyInstallationStore):
    """slack_sdk's store, which tells (`saved`) of the workspace whose token it has just kept."""

    def __init__(self, client_id: str, engine: AsyncEngine, saved: Callable[[str], object]) -> None:
        super().__init__(client_id=client_id, engine=engine)
        self._saved = saved

    async def async_save_bot(self, bot: Bot) -> None:
        await super().async_save_bot(bot)
        self._saved(bot.team_id or "")
