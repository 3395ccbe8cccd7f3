"""Times of entries, results of matches, who sat where from when to when, and turns that are not confirmed."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

snowflake = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.add_column("entries", sa.Column("at", sa.DateTime(timezone=True)))
    op.add_column("matches", sa.Column("reason", sa.String(32)))
    op.create_table(
        "results",
        sa.Column("match_id", snowflake, sa.ForeignKey("matches.id", name="fk_results_match_id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("share", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_results"),
    )
    op.create_table(
        "sittings",
        sa.Column("match_id", snowflake, sa.ForeignKey("matches.id", name="fk_sittings_match_id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("since", sa.Integer, nullable=False),
        sa.Column("until", sa.Integer),
        sa.Column("user_id", snowflake),
        sa.Column("computer", sa.String(32)),
        sa.PrimaryKeyConstraint("match_id", "seat", "since", name="pk_sittings"),
    )
    op.create_table(
        "drafts",
        sa.Column("match_id", snowflake, sa.ForeignKey("matches.id", name="fk_drafts_match_id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("notations", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_drafts"),
    )
    op.execute(
        "INSERT INTO sittings (match_id, seat, since, user_id, computer) "
        "SELECT match_id, seat, 0, user_id, computer FROM seats"
    )
    op.drop_table("seats")
