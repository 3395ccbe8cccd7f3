"""How much time a table gives for a turn, and what of it each person has left."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

snowflake = sa.BigInteger().with_variant(sa.Integer, "sqlite")
time = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("matches", sa.Column("pace", sa.String(16), nullable=False, server_default=""))
    op.add_column("matches", sa.Column("firm", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "clocks",
        sa.Column("match_id", snowflake, sa.ForeignKey("matches.id", name="fk_clocks_match_id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("user_id", snowflake, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("period", sa.Interval, nullable=False),
        sa.Column("bank", sa.Interval, nullable=False),
        sa.Column("since", time, nullable=False),
        sa.Column("spent", sa.Interval, nullable=False),
        sa.Column("stopped", sa.Interval, nullable=False),
        sa.Column("until", time, nullable=False),
        sa.Column("at", time),
        sa.Column("warned", time),
        sa.Column("out", time),
        sa.Column("barred", sa.Boolean, nullable=False),
        sa.Column("strikes", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("message_id", snowflake),
        sa.Column("votes", sa.JSON, nullable=False),
        sa.Column("verdict", sa.String(8), nullable=False),
        sa.Column("stand_in", sa.String(32), nullable=False),
        sa.Column("habits", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_clocks"),
    )
    op.create_index("ix_clocks_at", "clocks", ["at"])
