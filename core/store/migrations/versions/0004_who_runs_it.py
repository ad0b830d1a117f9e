"""Whose a lane is, journeys that stop half-way, and what the people who run the bot do."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

TABLES = ("moderation", "role", "blocked", "switch", "erasure", "audit", "spent")


def upgrade() -> None:
    accounts()
    half_way()
    op.add_column("delivery", sa.Column("unsure", sa.Boolean(), **no()))
    decisions()
    given("role", "account", text("role"), text("name", server_default=""))
    given("blocked", "account", text("reason", server_default=""))
    given("switch", "name", text("value"))
    given("erasure", "account")
    op.create_table(
        "audit",
        sa.Column("id", number(), primary_key=True, autoincrement=True),
        seconds("at"),
        text("account"),
        text("verb"),
        text("subject", server_default=""),
        text("outcome", server_default=""),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "spent",
        text("account", primary_key=True),
        sa.Column("day", sa.Integer(), primary_key=True),
        sa.Column("turns", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("tokens", sa.BigInteger(), nullable=False, server_default="0"),
    )


def downgrade() -> None:
    for name in reversed(TABLES):
        op.drop_table(name)
    op.drop_column("delivery", "unsure")
    op.drop_index("ix_conversation_under_way", "conversation")
    for name in ("nudged_at", "heard_at", "under_way"):
        op.drop_column("conversation", name)
    op.create_index("ix_submission_person", "submission", ["person"])
    for table in ("submission", "lane"):
        op.drop_index(f"ix_{table}_account", table)
        op.drop_column(table, "account")


def accounts() -> None:
    """A lane is `channel:place:...:owner`, of five parts with the workspace behind the channel."""
    op.drop_index("ix_submission_person", "submission")
    for table, key in (("lane", "key"), ("submission", "lane")):
        op.add_column(table, text("account", server_default=""))
        op.create_index(f"ix_{table}_account", table, ["account"])
        found = sa.table(table, sa.column(key), sa.column("account"))
        connection = op.get_bind()
        for (lane,) in connection.execute(sa.select(found.c[key]).distinct()).all():
            channel, *parts = lane.split(":")
            space = [parts[0]] if len(parts) == 4 else []
            account = ":".join([channel, *space, *parts[-1:]])
            connection.execute(sa.update(found).where(found.c[key] == lane).values(account=account))


def half_way() -> None:
    op.add_column("conversation", sa.Column("under_way", sa.Boolean(), **no()))
    op.add_column("conversation", seconds("heard_at", server_default="0"))
    op.add_column("conversation", sa.Column("nudged_at", sa.Double(), nullable=True))
    op.create_index(
        "ix_conversation_under_way",
        "conversation",
        ["heard_at"],
        sqlite_where=sa.text("under_way = 1"),
        postgresql_where=sa.text("under_way"),
    )
    names = ("key", "state", "under_way", "heard_at", "updated_at")
    found = sa.table("conversation", *(sa.column(name) for name in names))
    connection = op.get_bind()
    connection.execute(sa.update(found).values(heard_at=found.c.updated_at))
    for key, state in connection.execute(sa.select(found.c.key, found.c.state)).all():
        journey = json.loads(state).get("journey") or {}
        if journey and journey.get("status", "open") == "open":
            connection.execute(sa.update(found).where(found.c.key == key).values(under_way=True))


def decisions() -> None:
    op.create_table(
        "moderation",
        sa.Column(
            "submission",
            number(),
            sa.ForeignKey("submission.id", name="fk_moderation_submission"),
            primary_key=True,
        ),
        text("stage"),
        text("account", server_default=""),
        text("name", server_default=""),
        text("reason", server_default=""),
        sa.Column("at", sa.Double(), nullable=True),
    )
    op.create_index("ix_moderation_stage", "moderation", ["stage"])


def given(name: str, key: str, *columns: sa.Column[Any]) -> None:
    op.create_table(name, text(key, primary_key=True), *columns, text("by"), seconds("at"))


def no() -> dict[str, Any]:
    return {"nullable": False, "server_default": sa.false()}


def number() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def seconds(name: str, **options: Any) -> sa.Column[float]:
    return sa.Column(name, sa.Double(), nullable=False, **options)


def text(name: str, **options: Any) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False, **options)
