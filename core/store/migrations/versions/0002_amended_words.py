"""How often the words of a reply were changed after they were sent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    amended = sa.Column("amended", sa.BigInteger(), nullable=False, server_default="0")
    op.add_column("inbox", amended)


def downgrade() -> None:
    op.drop_column("inbox", "amended")
