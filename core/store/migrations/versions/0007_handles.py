"""What people go by on their platform."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("conversation", sa.Column("handle", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("conversation", "handle")
