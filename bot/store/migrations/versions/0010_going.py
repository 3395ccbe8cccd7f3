"""Which matches the bot has to look at after a start: so far, all in which computers play or answers are given."""

from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.execute(
        "INSERT INTO settings (scope, scope_id, name, value) SELECT 'match', id, 'goes on', 'true' FROM matches "
        "WHERE status = 'running' AND (id IN (SELECT match_id FROM standing) "
        "OR id IN (SELECT match_id FROM sittings WHERE until IS NULL AND computer IS NOT NULL))"
    )
