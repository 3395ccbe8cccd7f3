"""Votes about somebody who is late end at a time; those that are open now are given one at the next look."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("clocks", sa.Column("vote_ends", sa.DateTime(timezone=True)))
    op.add_column("clocks", sa.Column("reminds_at", sa.DateTime(timezone=True)))
    op.execute("UPDATE clocks SET at = out WHERE out IS NOT NULL AND at IS NULL")
