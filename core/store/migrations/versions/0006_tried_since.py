"""Since when a delivery has been tried: one that is sent again begins anew."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("delivery", sa.Column("since", sa.Double(), nullable=True))


def downgrade() -> None:
    op.drop_column("delivery", "since")
