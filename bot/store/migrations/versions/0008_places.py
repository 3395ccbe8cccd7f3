"""Threads of their own, and how people gather: invitations, starting when full, who is ready, lobbies that expire."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

snowflake = sa.BigInteger().with_variant(sa.Integer, "sqlite")

NOW = {"sqlite": "strftime('%Y-%m-%d %H:%M:%f000', 'now')", "postgresql": "now()"}
"""In the form in which times are written."""


def upgrade() -> None:
    now = NOW[op.get_bind().dialect.name]
    op.add_column("matches", sa.Column("parent_id", snowflake))
    op.create_index("ix_matches_parent_id", "matches", ["parent_id"])
    op.add_column("matches", sa.Column("own_thread", sa.Boolean, nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("when_full", sa.Boolean, nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("ready_check", sa.Boolean, nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("ready", sa.JSON))
    op.create_table(
        "invitations",
        sa.Column("match_id", snowflake, sa.ForeignKey("matches.id", name="fk_invitations_match_id"), nullable=False),
        sa.Column("user_id", snowflake, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "user_id", name="pk_invitations"),
    )
    op.execute(
        "INSERT INTO timers (match_id, user_id, kind, version, at, since) "
        f"SELECT id, 0, 'lobby', 0, {now}, {now} FROM matches WHERE status = 'lobby'"
    )
