"""Opening a database: the pragmas, the migrations, and what is said when the file is not ours."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event, inspect, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.errors import StartError
from bot.store import schema


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[AsyncEngine]:
    """A database brought up to date, closed at the end.

    Raises:
        StartError: the place cannot be written, the file is not ours, or a newer program made it.
    """
    engine = _engine(url)
    try:
        await _migrate(engine)
        yield engine
    finally:
        await engine.dispose()


def _engine(url: str) -> AsyncEngine:
    # parameters are hidden from errors: a seed is a secret
    try:
        if make_url(url).get_backend_name() != "sqlite":
            return create_async_engine(url, hide_parameters=True)
        _make_folder(make_url(url).database or "")
        # one connection: SQLite has a single writer anyway, and readers then see what was just written
        engine = create_async_engine(url, hide_parameters=True, pool_size=1, max_overflow=0)
    except (ArgumentError, NoSuchModuleError) as error:
        raise StartError(f"DATABASE_URL cannot be used: {error}") from None
    event.listen(engine.sync_engine, "connect", _set_pragmas)
    return engine


def _make_folder(path: str) -> None:
    folder = Path(path).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(f"The data folder {folder} cannot be made: {error.strerror}. Set DATA_DIR.") from None


def _set_pragmas(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


async def _migrate(engine: AsyncEngine) -> None:
    place = engine.url.database
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_bring_up_to_date, str(place))
    except DBAPIError as error:
        raise StartError(_explain(str(error.orig), str(place))) from None
    except OSError as error:
        raise StartError(f"The database {place} cannot be reached: {error.strerror or error}") from None


def _explain(problem: str, place: str) -> str:
    if "not a database" in problem:
        return f"{place} is not a database. Move it away, or set DATA_DIR to another folder."
    if "readonly" in problem or "unable to open" in problem:
        return f"The database {place} cannot be written. Check who owns the folder, or set DATA_DIR."
    return f"The database {place} cannot be used: {problem}"


def _bring_up_to_date(connection: Connection, place: str) -> None:
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
    command.upgrade(settings, "head")


def _revision(connection: Connection, place: str) -> str | None:
    tables = set(inspect(connection).get_table_names())
    if not tables:
        return None
    if not {"alembic_version", "matches"} <= tables:
        raise StartError(f"{place} is a database of another program. Move it away, or set DATA_DIR.")
    version = connection.scalar(select(text("version_num")).select_from(text("alembic_version")))
    return str(version)
