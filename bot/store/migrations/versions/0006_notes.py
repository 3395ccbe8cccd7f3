"""What happened around a match and is no move of it."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

snowflake = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "notes",
        sa.Column("id", snowflake, primary_key=True),
        sa.Column("match_id", snowflake, sa.ForeignKey("matches.id", name="fk_notes_match_id"), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("user_id", snowflake),
        sa.Column("words", sa.String(200), nullable=False, server_default=""),
    )
    op.create_index("ix_notes_match_id", "notes", ["match_id"])
