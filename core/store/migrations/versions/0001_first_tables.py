"""The first tables."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

PENDING = "done_at IS NULL AND parked_at IS NULL"

TABLES = (
    "lane",
    "inbox",
    "conversation",
    "transcript",
    "outbox",
    "drawn",
    "submission",
    "delivery",
    "manifest",
    "directory",
    "record",
    "event",
)


def upgrade() -> None:
    incoming()
    conversations()
    outgoing()
    submissions()
    journey_types()


def downgrade() -> None:
    for name in reversed(TABLES):
        op.drop_table(name)


# Written out here once more, and never changed: a migration does not follow tables.py.


def incoming() -> None:
    op.create_table(
        "lane",
        text("key", primary_key=True),
        number("ready"),
        seconds("hold_until", server_default="0"),
        *lease(),
    )
    op.create_index("ix_lane_open", "lane", ["run_at"], **where("ready > 0"))
    numbered(
        "inbox",
        text("lane", sa.ForeignKey("lane.key", name="fk_inbox_lane")),
        text("dedupe"),
        text("payload"),
        seconds("received_at"),
        *outcome(),
        sa.UniqueConstraint("dedupe", name="uq_inbox_dedupe"),
    )
    op.create_index("ix_inbox_open", "inbox", ["lane", "id"], **where(PENDING))


def conversations() -> None:
    op.create_table(
        "conversation",
        text("key", primary_key=True),
        text("state"),
        sa.Column("asking", sa.Boolean(), nullable=False),
        seconds("updated_at"),
    )
    asking = where("asking", sqlite="asking = 1")
    op.create_index("ix_conversation_open", "conversation", ["key"], **asking)
    numbered(
        "transcript",
        text("lane"),
        text("journey"),
        text("role"),
        sa.Column("words", sa.Boolean(), nullable=False),
        text("text"),
        seconds("at"),
    )
    op.create_index("ix_transcript_lane", "transcript", ["lane", "journey", "id"])


def outgoing() -> None:
    numbered(
        "outbox",
        text("lane"),
        text("channel"),
        text("key"),
        text("effect"),
        seconds("created_at"),
        sa.Column("native", sa.Text(), nullable=True),
        *lease(),
        *outcome(),
        sa.UniqueConstraint("key", name="uq_outbox_key"),
    )
    op.create_index("ix_outbox_open", "outbox", ["id", "lane"], **where(PENDING))
    op.create_table(
        "drawn",
        text("lane", primary_key=True),
        text("card", primary_key=True),
        text("native"),
    )


def submissions() -> None:
    numbered(
        "submission",
        text("journey"),
        text("manifest"),
        text("digest"),
        text("revision"),
        text("content"),
        text("sources"),
        text("person"),
        text("lane"),
        seconds("at"),
        sa.UniqueConstraint("journey", name="uq_submission_journey"),
    )
    op.create_index("ix_submission_person", "submission", ["person"])
    reference = sa.ForeignKey("submission.id", name="fk_delivery_submission")
    numbered(
        "delivery",
        sa.Column("submission", row_number(), reference, nullable=False),
        text("destination"),
        text("key"),
        *lease(),
        *outcome(),
        sa.UniqueConstraint("key", name="uq_delivery_key"),
    )
    op.create_index("ix_delivery_open", "delivery", ["id"], **where(PENDING))
    op.create_index("ix_delivery_submission", "delivery", ["submission"])


def journey_types() -> None:
    op.create_table(
        "manifest",
        text("name", primary_key=True),
        text("digest", primary_key=True),
        text("content"),
        seconds("at"),
    )
    op.create_table("directory", text("name", primary_key=True), text("digest"))
    reference = sa.ForeignKey("directory.name", name="fk_record_directory")
    op.create_table(
        "record",
        text("directory", reference, primary_key=True),
        text("id", primary_key=True),
        sa.Column("position", sa.Integer(), nullable=False),
        *(text(name) for name in ("label", "detail", "fields", "search", "facets")),
    )
    op.create_index("ix_record_position", "record", ["directory", "position"])
    numbered(
        "event",
        seconds("at"),
        text("what"),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("item", "count", "turn")),
        text("manifest"),
        text("channel"),
    )


def numbered(name: str, *parts: Any) -> None:
    number = sa.Column("id", row_number(), primary_key=True, autoincrement=True)
    op.create_table(name, number, *parts, sqlite_autoincrement=True)


def row_number() -> Any:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def text(name: str, *parts: Any, **options: Any) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), *parts, nullable=False, **options)


def number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False, server_default="0")


def seconds(name: str, **options: Any) -> sa.Column[float]:
    return sa.Column(name, sa.Double(), nullable=False, **options)


def lease() -> tuple[sa.Column[Any], ...]:
    return (
        seconds("run_at", server_default="0"),
        seconds("lease_until", server_default="0"),
        number("fence"),
        text("owner", server_default=""),
    )


def outcome() -> tuple[sa.Column[Any], ...]:
    return (
        number("tries"),
        text("error", server_default=""),
        sa.Column("done_at", sa.Double(), nullable=True),
        sa.Column("parked_at", sa.Double(), nullable=True),
    )


def where(condition: str, sqlite: str = "") -> dict[str, Any]:
    """An index of few rows, on both engines."""
    return {"sqlite_where": sa.text(sqlite or condition), "postgresql_where": sa.text(condition)}
