"""Standing answers, the entries that came of them, and one direct message a day."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

snowflake = sa.BigInteger().with_variant(sa.Integer, "sqlite")
time = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "standing",
        sa.Column("match_id", snowflake, sa.ForeignKey("matches.id", name="fk_standing_match_id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("aside", sa.String(16), nullable=False),
        sa.Column("way", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", "aside", name="pk_standing"),
    )
    op.create_table(
        "answered",
        sa.Column("match_id", snowflake, sa.ForeignKey("matches.id", name="fk_answered_match_id"), nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("at_once", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "n", name="pk_answered"),
    )
    op.create_table(
        "mornings",
        sa.Column("user_id", snowflake, nullable=False),
        sa.Column("at", time, nullable=False),
        sa.Column("since", time, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_mornings"),
    )
