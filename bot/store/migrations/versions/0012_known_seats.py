"""Who knows the secrets of which seats, as long as a match runs."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

snowflake = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "known_seats",
        sa.Column("match_id", snowflake, sa.ForeignKey("matches.id", name="fk_known_seats_match_id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("knower", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", "knower", name="pk_known_seats"),
    )
