"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

snowflake = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("id", snowflake, nullable=False),
        sa.Column("guild_id", snowflake, nullable=False),
        sa.Column("channel_id", snowflake, nullable=False),
        sa.Column("occupies", snowflake),
        sa.Column("host_id", snowflake, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("lobby_message_id", snowflake),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.UniqueConstraint("occupies", name="uq_matches_occupies"),
    )
    op.create_table(
        "seats",
        sa.Column("match_id", snowflake, sa.ForeignKey("matches.id", name="fk_seats_match_id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("user_id", snowflake),
        sa.Column("computer", sa.String(32)),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_seats"),
    )
    op.create_table(
        "entries",
        sa.Column("match_id", snowflake, sa.ForeignKey("matches.id", name="fk_entries_match_id"), nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("notation", sa.String, nullable=False),
        sa.Column("interaction_id", snowflake),
        sa.PrimaryKeyConstraint("match_id", "n", name="pk_entries"),
        sa.UniqueConstraint("interaction_id", name="uq_entries_interaction_id"),
    )
    op.create_table(
        "posts",
        sa.Column("id", snowflake, nullable=False),
        sa.Column("match_id", snowflake, sa.ForeignKey("matches.id", name="fk_posts_match_id"), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("message_id", snowflake),
        sa.Column("body", sa.JSON),
        sa.PrimaryKeyConstraint("id", name="pk_posts"),
    )
    op.create_index("ix_posts_match_id", "posts", ["match_id"])
    op.create_table(
        "settings",
        sa.Column("scope", sa.String(16), nullable=False),
        sa.Column("scope_id", snowflake, nullable=False),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("value", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("scope", "scope_id", "name", name="pk_settings"),
    )
