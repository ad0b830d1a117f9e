"""On whose clock the dates and times of a submission are."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    zone = sa.Column("zone", sa.Text(), nullable=False, server_default="")
    op.add_column("submission", zone)


def downgrade() -> None:
    op.drop_column("submission", "zone")
