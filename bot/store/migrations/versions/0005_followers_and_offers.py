"""Who follows a game without playing it, and which seats are offered to whoever wants them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

snowflake = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "followers",
        sa.Column("match_id", snowflake, sa.ForeignKey("matches.id", name="fk_followers_match_id"), nullable=False),
        sa.Column("user_id", snowflake, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "user_id", name="pk_followers"),
    )
    op.create_table(
        "offers",
        sa.Column("match_id", snowflake, sa.ForeignKey("matches.id", name="fk_offers_match_id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("message_id", snowflake),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_offers"),
    )
