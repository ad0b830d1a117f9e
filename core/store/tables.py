"""The tables. A change here needs a migration in `migrations/versions`; a test compares the two.

Times are seconds since 1970 by the database's own clock (`sql.now`). JSON is text that msgspec
wrote, so that what is read back is what was written, byte for byte, on both engines.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
    literal_column,
    text,
)

from core.store.sql import pending

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

_Id = BigInteger().with_variant(Integer, "sqlite")


def _numbered(name: str, *columns: Any) -> Table:
    """A table whose rows are numbered in the order they were written; no number is used twice."""
    number = Column("id", _Id, primary_key=True, autoincrement=True)
    return Table(name, metadata, number, *columns, sqlite_autoincrement=True)


def _text(name: str, *constraints: Any, **options: Any) -> Column[str]:
    return Column(name, Text, *constraints, nullable=False, **options)


def _number(name: str, default: str = "0") -> Column[int]:
    return Column(name, BigInteger, nullable=False, server_default=default)


def _time(name: str, default: str | None = None) -> Column[float]:
    return Column(name, Double, nullable=False, server_default=default)


def _perhaps(name: str) -> Column[float]:
    return Column(name, Double, nullable=True)


def _outcome() -> tuple[Column[Any], ...]:
    """How it went: `done_at` when it is done, `parked_at` when it was given up and is shown to an
    admin, both empty while it is pending. `tries` counts what failed, `error` is the last one."""
    return (
        _number("tries"),
        _text("error", server_default=""),
        _perhaps("done_at"),
        _perhaps("parked_at"),
    )


def _lease() -> tuple[Column[Any], ...]:
    """Who works on it until when. `lease_until` is 0 when it was given back in order, so that one
    that lies in the past tells of a worker that died; `fence` counts the leases."""
    return (
        _time("run_at", "0"),
        _time("lease_until", "0"),
        _number("fence"),
        _text("owner", server_default=""),
    )


def _index_where(where: ColumnElement[bool], *columns: Column[Any]) -> None:
    """An index of the few rows that somebody still looks for."""
    name = f"ix_{columns[0].table.name}_open"
    Index(name, *columns, sqlite_where=where, postgresql_where=where)


# One conversation's queue: `account` is whose it is (see `part.account_of`), `ready` counts its
# pending entries. `run_at` is its place in the queue of lanes and, after a failure, when it is
# tried again. `hold_until` is when words have waited long enough for more words; ALL_CLAIMED while
# nothing waits outside a claim.
ALL_CLAIMED = -1.0

lane = Table(
    "lane",
    metadata,
    _text("key", primary_key=True),
    _number("ready"),
    _time("hold_until", "0"),
    *_lease(),
    _text("account", server_default=""),
)
Index("ix_lane_account", lane.c.account)
# A literal, not a parameter: PostgreSQL plans prepared statements without knowing parameters, and
# could not tell that the index holds these rows.
is_ready = lane.c.ready > literal_column("0")
_index_where(is_ready, lane.c.run_at)

# `amended` counts how often the words were changed by whoever wrote them.
inbox = _numbered(
    "inbox",
    _text("lane", ForeignKey("lane.key")),
    _text("dedupe"),
    _text("payload"),
    _time("received_at"),
    *_outcome(),
    _number("amended"),
    UniqueConstraint("dedupe"),
)
_index_where(pending(inbox), inbox.c.lane, inbox.c.id)

# `asking` is whether an ask is open in it, `under_way` whether a journey is, so that those can be
# found without reading every state. `heard_at` is when the person themselves last did something,
# `nudged_at` when they were last reminded of what they left.
conversation = Table(
    "conversation",
    metadata,
    _text("key", primary_key=True),
    _text("state"),
    Column("asking", Boolean, nullable=False),
    _time("updated_at"),
    Column("under_way", Boolean, nullable=False, server_default=false()),
    _time("heard_at", "0"),
    _perhaps("nudged_at"),
    _text("handle", server_default=""),
)
Index(
    "ix_conversation_open",
    conversation.c.key,
    sqlite_where=text("asking = 1"),
    postgresql_where=text("asking"),
)
Index(
    "ix_conversation_under_way",
    conversation.c.heard_at,
    sqlite_where=text("under_way = 1"),
    postgresql_where=text("under_way"),
)

# Only ever added to. `words` marks what the person typed.
transcript = _numbered(
    "transcript",
    _text("lane"),
    _text("journey"),
    _text("role"),
    Column("words", Boolean, nullable=False),
    _text("text"),
    _time("at"),
)
Index("ix_transcript_lane", transcript.c.lane, transcript.c.journey, transcript.c.id)

# What turns want shown, in order. `key` is what makes a second sending of the same effect known.
outbox = _numbered(
    "outbox",
    _text("lane"),
    _text("channel"),
    _text("key"),
    _text("effect"),
    _time("created_at"),
    Column("native", Text, nullable=True),
    *_lease(),
    *_outcome(),
    UniqueConstraint("key"),
)
_index_where(pending(outbox), outbox.c.id, outbox.c.lane)

# Where a card stands on its platform, for editing it.
drawn = Table(
    "drawn",
    metadata,
    _text("lane", primary_key=True),
    _text("card", primary_key=True),
    _text("native"),
)

# `content` is byte for byte what was confirmed.
submission = _numbered(
    "submission",
    _text("journey"),
    _text("manifest"),
    _text("digest"),
    _text("revision"),
    _text("content"),
    _text("sources"),
    _text("person"),
    _text("lane"),
    _time("at"),
    _text("zone", server_default=""),
    _text("account", server_default=""),
    UniqueConstraint("journey"),
)
Index("ix_submission_account", submission.c.account)

# `unsure` marks one that may have arrived, and nobody can tell: while it is being sent, and for
# good where it was given up then. `since` is when it was tried first, of late.
delivery = _numbered(
    "delivery",
    Column("submission", _Id, ForeignKey("submission.id"), nullable=False),
    _text("destination"),
    _text("key"),
    *_lease(),
    *_outcome(),
    Column("unsure", Boolean, nullable=False, server_default=false()),
    _perhaps("since"),
    UniqueConstraint("key"),
)
_index_where(pending(delivery), delivery.c.id)
Index("ix_delivery_submission", delivery.c.submission)

# Every version of a journey type that a journey may still be on.
manifest = Table(
    "manifest",
    metadata,
    _text("name", primary_key=True),
    _text("digest", primary_key=True),
    _text("content"),
    _time("at"),
)

directory = Table(
    "directory",
    metadata,
    _text("name", primary_key=True),
    _text("digest"),
)

# `search` has the folded words, each after a space; `facets` the folded fields, each on a line.
record = Table(
    "record",
    metadata,
    _text("directory", ForeignKey("directory.name"), primary_key=True),
    _text("id", primary_key=True),
    Column("position", Integer, nullable=False),
    _text("label"),
    _text("detail"),
    _text("fields"),
    _text("search"),
    _text("facets"),
)
Index("ix_record_position", record.c.directory, record.c.position)

# Counts and enums only: no column has room for anybody's words. Items are numbered in the version
# that `digest` names.
event = _numbered(
    "event",
    _time("at"),
    _text("what"),
    Column("item", Integer, nullable=False),
    Column("count", Integer, nullable=False),
    Column("turn", Integer, nullable=False),
    _text("manifest"),
    _text("channel"),
    _text("digest", server_default=""),
)

# What moderators decided about a submission; `stage` is waiting until then.
moderation = Table(
    "moderation",
    metadata,
    Column("submission", _Id, ForeignKey("submission.id"), primary_key=True),
    _text("stage"),
    _text("account", server_default=""),
    _text("name", server_default=""),
    _text("reason", server_default=""),
    _perhaps("at"),
)
Index("ix_moderation_stage", moderation.c.stage)


def _given(name: str, key: str, *columns: Any) -> Table:
    """A table of what admins gave or set, one row for a key: who did, and when."""
    keyed = _text(key, primary_key=True)
    return Table(name, metadata, keyed, *columns, _text("by"), _time("at"))


# Who may run the bot: owners are in the settings, not here.
role = _given("role", "account", _text("role"), _text("name", server_default=""))

# Who is not talked with.
blocked = _given("blocked", "account", _text("reason", server_default=""))

# What admins set from the chat; a journey that is paused is one of them.
switch = _given("switch", "name", _text("value"))

# Whose everything is to be deleted.
erasure = _given("erasure", "account")

# Every command of an admin, once by its `key`. `subject` is what it was about: a number, a name, an
# account.
audit = _numbered(
    "audit",
    _time("at"),
    _text("account"),
    _text("verb"),
    _text("subject", server_default=""),
    _text("outcome", server_default=""),
    Column("key", Text, nullable=True),
)
Index("ix_audit_key", audit.c.key, unique=True)

# What a person used on a day, counted in days since 1970 (UTC).
spent = Table(
    "spent",
    metadata,
    _text("account", primary_key=True),
    Column("day", Integer, primary_key=True),
    _number("turns"),
    _number("tokens"),
)
