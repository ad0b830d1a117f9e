"""Who runs the bot, and the record of all that they did."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from core.store.part import Part, brief, moment
from core.store.sql import insert, now, storable
from core.store.tables import audit, role


@dataclass(frozen=True, slots=True)
class Granted:
    """A role that somebody was given, by whom and when."""

    account: str
    role: str
    name: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Audited:
    """One command of somebody who runs the bot. Nothing of anybody's content is in it."""

    id: int
    at: datetime
    account: str
    verb: str
    subject: str
    outcome: str


class Roles(Part):
    """Giving and taking roles, and writing down who did what."""

    async def role_of(self, account: str) -> str:
        """The role that an account was given; empty without one."""
        statement = select(role.c.role).where(role.c.account == account)
        async with self.database.read() as connection:
            return str((await connection.execute(statement)).scalar_one_or_none() or "")

    async def roles(self) -> list[Granted]:
        """Everybody who was given a role, by their account."""
        async with self.database.read() as connection:
            rows = await connection.execute(select(role).order_by(role.c.account))
            return [
                Granted(row.account, row.role, row.name, row.by, moment(row.at)) for row in rows
            ]

    async def grant(self, account: str, given: str, by: str, name: str = "") -> None:
        """Give an account a role, in the place of the one that it has."""
        values = {"role": given, "name": storable(name), "by": by, "at": now()}

        async def work(connection: AsyncConnection) -> None:
            statement = insert(connection, role).values(account=account, **values)
            statement = statement.on_conflict_do_update(
                index_elements=["account"], set_=values, where=role.c.role != given
            )
            await connection.execute(statement)

        await self.database.write("grant", work)

    async def revoke(self, account: str) -> bool:
        """Take the role of an account away; False where it has none."""

        async def work(connection: AsyncConnection) -> bool:
            gone = role.delete().where(role.c.account == account)
            return (await connection.execute(gone)).rowcount == 1

        return await self.database.write("revoke", work)

    async def audited(
        self, key: str, account: str, verb: str, subject: str = "", outcome: str = ""
    ) -> None:
        """Write down a command, before it is carried out and again with what came of it: of one
        `key` there is one record."""
        told = {"subject": brief(storable(subject)), "outcome": brief(storable(outcome))}

        async def work(connection: AsyncConnection) -> None:
            values = {"key": key, "account": account, "verb": verb, "at": now(), **told}
            statement = insert(connection, audit).values(values)
            statement = statement.on_conflict_do_nothing(index_elements=["key"])
            if (await connection.execute(statement)).rowcount != 1 and outcome:
                # What came of it the first time stands, however often it is carried out.
                unknown = (audit.c.key == key) & (audit.c.outcome == "")
                await connection.execute(update(audit).where(unknown).values(told))

        await self.database.write("audited", work)

    async def audits(self, limit: int, offset: int = 0) -> list[Audited]:
        """What was done, the newest first."""
        statement = select(audit).order_by(audit.c.id.desc()).limit(limit).offset(offset)
        async with self.database.read() as connection:
            rows = await connection.execute(statement)
            return [
                Audited(row.id, moment(row.at), row.account, row.verb, row.subject, row.outcome)
                for row in rows
            ]
