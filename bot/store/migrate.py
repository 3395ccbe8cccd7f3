"""Bringing a database up to date, whatever keeps it; nothing is changed in one that is not ours or too new."""

from __future__ import annotations

from sqlalchemy import Connection, inspect, select, text

from bot.errors import StartError
from bot.store import schema


def bring_up_to_date(connection: Connection, place: object) -> None:
    """Make the tables of this program, or change those of an older one, all of them or none.

    Raises:
        StartError: the tables are of another program, or of a newer one; `place` is how the host knows them.
    """
    revision = _revision(connection, place)
    if revision == schema.REVISION:
        return
    from alembic import command, config, script, util  # slow to import, and needed once per release

    settings = config.Config()
    settings.set_main_option("script_location", "bot.store:migrations")
    settings.attributes["connection"] = connection
    try:
        if revision is not None:
            script.ScriptDirectory.from_config(settings).get_revision(revision)
    except util.CommandError:
        raise StartError(
            f"{place} was made by a newer Caravanserai. Update the program; nothing was changed."
        ) from None
    if connection.dialect.name == "sqlite":  # it would make each table for itself, and a kill leave some
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    command.upgrade(settings, "head")


def _revision(connection: Connection, place: object) -> str | None:
    tables = set(inspect(connection).get_table_names())
    if not tables:
        return None
    if not {"alembic_version", "matches"} <= tables:
        raise StartError(f"{place} is a database of another program. Move it away, or set DATA_DIR.")
    version = connection.scalar(select(text("version_num")).select_from(text("alembic_version")))
    return str(version)
