"""A record of an admin's command is written once; an event says which version it is of."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("audit", sa.Column("key", sa.Text(), nullable=True))
    op.create_index("ix_audit_key", "audit", ["key"], unique=True)
    op.add_column("event", sa.Column("digest", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("event", "digest")
    op.drop_index("ix_audit_key", "audit")
    op.drop_column("audit", "key")
