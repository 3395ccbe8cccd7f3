"""Timers, and what somebody was last sent; whoever plays is looked at once, as if just called."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

snowflake = sa.BigInteger().with_variant(sa.Integer, "sqlite")
time = sa.DateTime(timezone=True)

NOW = {"sqlite": "strftime('%Y-%m-%d %H:%M:%f000', 'now')", "postgresql": "now()"}
"""In the form in which times are written."""


def upgrade() -> None:
    now = NOW[op.get_bind().dialect.name]
    op.create_table(
        "timers",
        sa.Column("match_id", snowflake, sa.ForeignKey("matches.id", name="fk_timers_match_id"), nullable=False),
        sa.Column("user_id", snowflake, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", time, nullable=False),
        sa.Column("since", time, nullable=False),
        sa.Column("reminded", time),
        sa.PrimaryKeyConstraint("match_id", "user_id", "kind", name="pk_timers"),
    )
    op.create_index("ix_timers_at", "timers", ["at"])
    op.create_table(
        "reminded",
        sa.Column("user_id", snowflake, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", time),
        sa.Column("until", time),
        sa.PrimaryKeyConstraint("user_id", name="pk_reminded"),
    )
    op.execute(
        "INSERT INTO timers (match_id, user_id, kind, version, at, since) "
        f"SELECT DISTINCT matches.id, user_id, 'reminder', -1, {now}, {now} "
        "FROM matches JOIN sittings ON sittings.match_id = matches.id "
        "WHERE status = 'running' AND until IS NULL AND user_id IS NOT NULL"
    )
