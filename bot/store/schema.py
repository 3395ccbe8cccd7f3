"""The tables. `entries` only ever grows: it is the game; everything else can be computed or posted again."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
)

REVISION = "0001"
"""The newest migration this program knows."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Snowflake = BigInteger().with_variant(Integer, "sqlite")

matches = Table(
    "matches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("guild_id", Snowflake, nullable=False),
    Column("channel_id", Snowflake, nullable=False),
    Column("occupies", Snowflake, unique=True),  # the channel while the match is open: one open match a channel
    Column("host_id", Snowflake, nullable=False),
    Column("game", String(32), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("status", String(8), nullable=False),
    Column("lobby_message_id", Snowflake),
)

seats = Table(
    "seats",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("user_id", Snowflake),
    Column("computer", String(32)),
)

entries = Table(
    "entries",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("notation", String, nullable=False),
    Column("interaction_id", Snowflake, unique=True),
)

posts = Table(
    "posts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("match_id", ForeignKey("matches.id"), nullable=False, index=True),
    Column("ply", Integer, nullable=False),
    Column("status", String(8), nullable=False),
    Column("message_id", Snowflake),
    Column("body", JSON),
)

settings = Table(
    "settings",
    metadata,
    Column("scope", String(16), primary_key=True),
    Column("scope_id", Snowflake, primary_key=True, autoincrement=False),
    Column("name", String(32), primary_key=True),
    Column("value", JSON, nullable=False),
)
