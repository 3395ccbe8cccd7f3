"""Boards in whose place a newer one was posted are forgotten: nothing was done with them any more."""

from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.execute(
        "DELETE FROM posts WHERE id < (SELECT max(newer.id) FROM posts newer "
        "WHERE newer.match_id = posts.match_id AND newer.message_id IS NOT NULL)"
    )
