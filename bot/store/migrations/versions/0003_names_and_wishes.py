"""Names of people, how far they have seen a match, wishes to take something back; boards know their version."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

snowflake = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.add_column("sittings", sa.Column("name", sa.String(64), nullable=False, server_default=""))
    op.add_column("sittings", sa.Column("seen", sa.Integer, nullable=False, server_default="0"))
    # without an undo, and there was none until now, a version is a ply
    op.execute("ALTER TABLE posts RENAME COLUMN ply TO version")
    op.create_table(
        "wishes",
        sa.Column("match_id", snowflake, sa.ForeignKey("matches.id", name="fk_wishes_match_id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("agreed", sa.JSON, nullable=False),
        sa.Column("message_id", snowflake),
        sa.PrimaryKeyConstraint("match_id", name="pk_wishes"),
    )
