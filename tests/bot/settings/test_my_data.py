"""All that is kept of a person is given to them, and forgotten when they want it: held against the database."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from enum import EnumType
from pathlib import Path
from typing import Any, get_origin

import orjson
import pytest

from bot.features.settings import my_data as my_data_page
from bot.interactions.limits import DAY, MAX_FORGETTING, MAX_MY_DATA
from bot.store import columns as store_columns
from bot.store import known_seats, user_data
from bot.store.codec import json_of, time_of
from bot.store.columns import Hidden, Other, Person, Personal, bare
from bot.store.database import Database, placeholders
from bot.store.jobs import NOBODY
from bot.store.known_seats import knower_of
from bot.store.migrate import table_keys
from bot.store.opening import file_address, open_database
from bot.store.pseudonyms import pseudonym
from bot.store.schema import match_tables
from bot.store.store import Store
from bot.store.user_data import JSON_COLUMNS, PLAYER_TABLES
from engine.values import Value
from playground.player import Player
from tests.bot.app import DATABASE, App
from tests.bot.fake_clock import FakeClock
from tests.bot.habits import choose_preference, chosen_preference, open_settings
from tests.bot.moderating import begin
from tests.rooms import Room, play_move

ME, OTHER, NAME = 424242, 777777, "Zenobia"
AT = datetime(2026, 11, 22, tzinfo=UTC)

IDS_OF_OTHER_THINGS = {
    "matches": {"occupies"},
    "entries": {"interaction_id"},
    "jobs": {"guild_id"},
    "leagues": {"guild_id", "channel_id", "message_id"},
    "league_players": {"interaction_id"},
    "bars": {"guild_id"},
    "league_tables": {"thread_id"},
    **{table: {"guild_id"} for table in ("ratings", "rating_history", "meetings", "records")},
}
"""Columns with Discord’s ids, but not of a person; those of facts of matches are marked in their types."""


TIMES = {"at", "begun_at", "due_at", "reminded", "until", "closes_at"}
"""Columns of text that hold times."""

WORDS = {
    "entries": {"notation"},
    "jobs": {"kind"},
    "settings": {"name"},
    "results": {"computer"},
    **{table: {"game"} for table in ("ratings", "rating_history", "meetings")},
    "records": {"game", "kind"},
    "leagues": {"occupies", "game", "pace", "computer"},
    "league_tables": {"secret"},
}
"""Columns of text that do not identify a person."""


class Column(Value):
    """A column of the database, as it says itself; `is_reference` is whether it holds the id of a match."""

    table: str
    name: str
    type: str
    is_reference: bool

    @property
    def fact(self) -> store_columns.Column | None:
        """The column as the type of a fact of a match describes it."""
        table = match_tables().get(self.table)
        return table.columns.get(self.name) if table else None

    @property
    def is_person(self) -> bool:
        """Whether it may hold the id of a user: a new one does, until it stands above."""
        if self.name == "id" or self.is_reference:  # ours, not Discord’s
            return False
        if fact := self.fact:
            assert self.type not in ("BIGINT", "TEXT") or is_described(fact), f"mark {self} in its type"
            assert "user" not in self.name or fact.mark(Person), f"{self} is a user"
            return bool(fact.mark(Person)) and not fact.is_json
        return self.type == "BIGINT" and self.name not in IDS_OF_OTHER_THINGS.get(self.table, ())


def is_described(fact: store_columns.Column) -> bool:
    """Whether a type says what a text or an id has to do with persons."""
    kind = bare(fact.kind)
    is_plain = isinstance(kind, EnumType) or kind is datetime or fact.is_json
    return is_plain or any(fact.mark(mark) for mark in (Person, Other, Personal, Hidden))


async def columns_of(database: Database, table: str) -> list[Column]:
    references = {row["from"] for row in await database.fetch(f"PRAGMA foreign_key_list({table})")}
    rows = await database.fetch(f"PRAGMA table_info({table})")
    return [Column(table, row["name"], row["type"], row["name"] in references) for row in rows]


HOLDING: dict[tuple[str, str], Any] = {
    ("settings", "scope"): "user",
    ("matches", "status"): "over",
    ("leagues", "options"): {},
    ("leagues", "status"): "over",
    ("league_players", "name"): NAME,
    ("boards", "body"): {"story": f"🔴 {NAME} moves. <@{ME}> is due; Zenobias stay.", "due": [0]},
    ("settings", "value"): {"zone": "Europe/Rome"},
    ("jobs", "state"): {"version": 3},
    ("reminded", "sending"): [[1, 3]],
    ("reminded", "messages"): [[1, 8, 9]],
    ("seat_history", "until"): None,
    ("known_seats", "knower"): knower_of("x", ME),
    ("blocks", "digest"): pseudonym("blocks", ME, ME),
    ("blocks", "name"): NAME,
    ("bars", "digest"): pseudonym("bars", 1, ME),
    ("bars", "name"): NAME,
    ("bars", "reason"): f"{NAME} was rude",
    ("bars", "until"): None,
    ("league_traces", "digest"): pseudonym("leagues", 1, ME),
}
"""Values of columns in the row that every table gets."""


def value_of(column: Column) -> Any:
    key = (column.table, column.name)
    if key in HOLDING:
        value = HOLDING[key]
        return json.dumps(value, ensure_ascii=False) if column.name in JSON_COLUMNS.get(column.table, ()) else value
    if column.is_person:
        return ME
    if (fact := column.fact) and column.type == "TEXT":
        return value_of_fact(fact)
    if column.type != "TEXT":
        return 1
    if column.name in TIMES:
        return "2026-01-01T00:00:00.000000+00:00"
    assert column.name in WORDS.get(column.table, ()), f"{key} is new: say what of a person it holds"
    return "x"


def value_of_fact(fact: store_columns.Column) -> str:
    """A text that its type allows; names and words of a person are `NAME`."""
    kind = bare(fact.kind)
    if fact.is_json and fact.mark(Person):
        return fact.encode({ME: "wait", OTHER: "play"} if get_origin(kind) is dict else frozenset({ME, OTHER}))
    if fact.is_json:
        return fact.encode({"zone": "Europe/Rome"} if fact.mark(Personal) else get_origin(kind)())
    if kind is datetime:
        return time_of(AT)
    if isinstance(kind, EnumType):
        return str(next(iter(kind)))
    return NAME if fact.mark(Personal) else "x"


def value_in(column: Column, match_id: int) -> Any:
    """A copy of the value in the row of another match."""
    is_unique = column.name in ("id", "occupies", "interaction_id")
    return match_id if is_unique or column.is_reference else value_of(column)


async def rows(database: Database) -> str:
    """All rows of the database, as one text."""
    tables = [await database.fetch(f"SELECT * FROM {table}") for table in table_keys()]
    return "\n".join(repr([tuple(row) for row in table]) for table in tables)


@pytest.fixture
async def database(folder: Path) -> AsyncIterator[Database]:
    """A database with one row in every table."""
    async with open_database(file_address(folder / DATABASE)) as database:
        await database.execute("DELETE FROM settings")
        for table in table_keys():
            columns = await columns_of(database, table)
            sql = (
                f"INSERT INTO {table} ({', '.join(column.name for column in columns)}) VALUES ({placeholders(columns)})"
            )
            await database.execute(sql, *map(value_of, columns))
        yield database


@pytest.fixture
def store(database: Database) -> Store:
    return Store(database)


async def test_every_database_table_is_listed(database: Database) -> None:
    assert await database.table_names() - {"schema_version"} == set(table_keys())


async def test_every_table_is_exported_or_contains_no_personal_data(store: Store) -> None:
    tables = await store.user_data.all_of(ME)
    silent = {"offers", "answered", "stood_in", "boards", "rating_state", "league_tables"}
    more = {"votes", "hosted"}
    assert set(table_keys()) - silent == {name for name in tables if tables[name]} - more
    assert [{"id": 1}] == tables["hosted"]
    assert [{"match_id": 1, "seat": 1, "vote": "wait"}] == tables["votes"]
    assert "seed" not in tables["matches"][0]
    assert {"zone": "Europe/Rome"} == tables["settings"][0]["value"]
    assert str(OTHER) not in str(tables)


async def test_no_file_has_secrets_of_games_or_ids_of_others(store: Store) -> None:
    tables = await store.user_data.all_of(ME)
    hidden = {
        "matches": {"seed", "secret", "ids", "ready", "host_id", "occupies"},
        "meetings": {"other_id"},
        "blocks": {"digest"},
        "bars": {"digest"},
        "leagues": {"host_id", "occupies"},
    }
    for table, columns in hidden.items():
        assert tables[table], table
        assert [] == [row for row in tables[table] if columns & row.keys()], table


async def test_a_vote_is_that_of_the_user_and_not_of_another_player(database: Database, store: Store) -> None:
    """The other player votes first, or alone."""
    await database.execute("UPDATE clocks SET votes = ?", json_of({OTHER: "play", ME: "wait"}))
    assert [{"match_id": 1, "seat": 1, "vote": "wait"}] == (await store.user_data.all_of(ME))["votes"]
    assert [{"match_id": 1, "seat": 1, "vote": "play"}] == (await store.user_data.all_of(OTHER))["votes"]
    await database.execute("UPDATE clocks SET votes = ?", json_of({OTHER: "play"}))
    assert [] == (await store.user_data.all_of(ME))["votes"]


@pytest.mark.parametrize(("since", "until", "moves"), [(2, None, 0), (0, 1, 0), (0, None, 1), (1, 2, 1)])
async def test_a_player_gets_the_moves_made_while_they_had_the_seat(
    database: Database, store: Store, since: int, until: int | None, moves: int
) -> None:
    """The move is that of version 1."""
    await database.execute("UPDATE seat_history SET since = ?, until = ?", since, until)
    assert moves == len((await store.user_data.all_of(ME))["entries"])


@pytest.mark.parametrize(("user_id", "rows"), [(ME, 0), (OTHER, 1)])
async def test_what_a_player_prepared_is_deleted_when_they_are_forgotten(
    database: Database, store: Store, user_id: int, rows: int
) -> None:
    await store.user_data.forget(user_id, {})
    numbers = {name: await database.fetch_value(f"SELECT count(*) FROM {name}") for name in PLAYER_TABLES}
    assert {"drafts", "auto_answers", "planned_turns"} <= numbers.keys()
    assert dict.fromkeys(PLAYER_TABLES, rows) == numbers


async def test_forgetting_a_user_removes_everything_that_identifies_them(database: Database, store: Store) -> None:
    assert str(ME) in await rows(database)
    await store.user_data.forget(ME, await store.user_data.names(ME))
    remaining = await rows(database)
    assert str(ME) not in remaining
    assert NAME not in remaining.replace("Zenobias stay", "")
    assert "Europe/Rome" not in remaining
    assert "🔴 somebody moves. somebody is due" in remaining
    assert str(OTHER) in remaining
    row = await store.matches.find(1)
    assert row is not None
    assert [(NOBODY, "somebody")] == [(holder.user_id, holder.name) for holder in row.holders]
    # until the match is over, and until a moderator lifts the bar
    stays = {"known_seats": [{"match_id": 1, "seat": 1}], "bars": [{"guild_id": 1, "until": None}]} | {
        "league_traces": [{"league_id": 1, "held": 1, "round": 1, "forgotten": 2}]
    }
    assert stays == {name: values for name, values in (await store.user_data.all_of(ME)).items() if values}


@pytest.mark.parametrize(
    ("words", "reworded"),
    [
        ("🔴 Ann Lee moves, Ann-Lee waits", "🔴 somebody moves, somebody-Lee waits"),
        ("Annette, Ann Leeward", "Annette, somebody Leeward"),
        ("Annabel, Joann and <@71>", "Annabel, Joann and <@71>"),
        ("<@7>: a choice of \\*Ann\\*", "somebody: a choice of \\*somebody\\*"),
        ("\\_A\\_ is due", "somebody is due"),
    ],
)
def test_names_of_a_forgotten_user_are_replaced_as_whole_words_the_longest_first(words: str, reworded: str) -> None:
    pattern = user_data._name_pattern(7, ["Ann", "Ann Lee", "_A_", ""])
    assert {"text": [reworded, 7]} == user_data._anonymize({"text": [words, 7]}, pattern)


async def test_bars_and_blocks_against_a_forgotten_user_still_apply_when_they_return(store: Store) -> None:
    await store.blocks.add(OTHER, ME, NAME, AT)
    assert OTHER not in {block["blocked_id"] for block in (await store.user_data.all_of(ME))["blocks"]}
    await store.user_data.forget(ME, {})
    assert {frozenset((ME, OTHER))} == await store.blocks.pairs([ME, OTHER, 5])
    assert [(NOBODY, "")] == [(block.user_id, block.name) for block in await store.blocks.of(OTHER)]
    (bar,) = (await store.bars.among(1, [ME, OTHER], AT)).values()
    assert (NOBODY, "", "", None) == (bar.user_id, bar.name, bar.reason, bar.until)
    assert {} == await store.bars.among(2, [ME], AT), "another server has nothing against them"


async def test_forgetting_a_user_deletes_the_blocks_they_made(store: Store) -> None:
    await store.blocks.add(ME, OTHER, "Otto", AT)
    await store.user_data.forget(ME, {})
    assert frozenset() == await store.blocks.pairs([ME, OTHER])


# --- in the chat ---


async def my_data(person: Player) -> Any:
    return await person.slash("me data")


async def test_users_receive_all_data_about_themselves_and_none_about_others(app: App) -> None:
    room = app.room()
    await begin(room, "Ana", "Ben")
    for name, coins in (("Ana", "1"), ("Ben", "2")):
        await play_move(room.person(name), "sealed bid", coins=coins)
    page = await my_data(room.person("Ana"))
    answer = await room.person("Ana").tap("As a file", on=page)
    assert answer.ephemeral
    (file,) = answer.images
    data = json.loads(file.data)
    assert room.person("Ana").id == data["user_id"]
    assert "Ana" == data["seat_history"][0]["name"]
    assert ["bid 1"] == [entry["notation"] for entry in data["entries"]], "nobody else’s moves"
    assert "Ben" not in file.data.decode()
    assert app.seeds()[0] not in file.data.decode()


async def test_a_forgotten_user_leaves_their_tables_and_the_others_play_on(app: App) -> None:
    playing, lobby, over = app.room(), app.room(), app.room()
    await begin(playing, "Ana", "Ben")
    for name in ("Ana", "Ben"):
        person = lobby.person(name)
        await (person.slash("table new", game="toll") if name == "Ana" else person.tap("Join"))
    await play_to_the_end(over)
    ana = playing.person("Ana")
    sure = await ana.tap("Forget me", on=await my_data(ana))
    assert "cannot be undone" in sure
    assert "Everything about you is deleted" in await ana.tap("Forget me for good", on=sure)
    stored = {table: str(app.query(f"SELECT * FROM {table}")) for table in table_keys()}
    assert {} == {table: rows for table, rows in stored.items() if str(ana.id) in rows or "Ana" in rows}
    playing_now = "SELECT computer FROM seat_history WHERE match_id = 1 AND seat = 0 AND until IS NULL"
    assert [("uniform",)] == app.query(playing_now)
    ben = lobby.person("Ben")
    assert [(ben.id,), (ben.id,)] == app.query("SELECT host_id FROM matches WHERE id < 3"), "of both tables"
    assert "somebody" in await over.person("Ben").slash("game board")
    await play_move(playing.person("Ben"), "sealed bid", coins="2")
    await playing.onlooker.expect("The bids are")


async def test_a_forgotten_user_has_the_default_settings_at_once(app: App) -> None:
    ana = app.room().person("Ana")
    settings = await choose_preference(ana, "interval", "Never remind me")
    assert ["Never remind me"] == chosen_preference(settings, "interval")
    await ana.tap("Forget me for good", on=await ana.tap("Forget me", on=await my_data(ana)))
    assert ["Every day"] == chosen_preference(await open_settings(ana, "interval"), "interval")


async def play_to_the_end(room: Room) -> None:
    await begin(room, "Ana", "Ben")
    for _ in range(3):
        for name in ("Ana", "Ben"):
            await play_move(room.person(name), "sealed bid", coins=str(len(name) - 2))
    await room.onlooker.expect("win!")


async def test_a_user_gets_only_a_few_data_files_a_day(app: App, fake_clock: FakeClock) -> None:
    ana = app.room().person("Ana")
    page = await my_data(ana)
    for _ in range(MAX_MY_DATA):
        assert (await ana.tap("As a file", on=page)).images
    assert "within a day" in await ana.tap("As a file", on=page)
    sure = await ana.tap("Forget me", on=page)
    assert "Everything about you is deleted" in await ana.tap("Forget me for good", on=sure), (
        "which no file stands in the way of"
    )
    fake_clock.ahead += DAY
    assert (await ana.tap("As a file", on=page)).images


async def test_a_file_that_discord_would_refuse_is_compressed(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(my_data_page, "MAX_BYTES", 10)
    ana = app.room().person("Ana")
    (file,) = (await ana.tap("As a file", on=await my_data(ana))).images
    assert file.filename == "my-data.json.gz"
    assert ana.id == json.loads(gzip.decompress(file.data))["user_id"]


def test_a_file_of_many_games_is_encoded_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """The encoder holds up the whole process; the taps of others wait for no more than one row."""
    sizes, encode = [], orjson.dumps

    def dumps(value: Any, *options: Any) -> bytes:
        encoded = encode(value, *options)
        sizes.append(len(encoded))
        return encoded

    monkeypatch.setattr(orjson, "dumps", dumps)
    rows = {"entries": [{"match_id": n, "notation": "place Läufer"} for n in range(500)], "votes": []}
    _, content = my_data_page._file(ME, rows)
    assert json.loads(content) == {"user_id": ME, **rows}
    assert "Läufer".encode() in content
    assert len(sizes) == 500
    assert max(sizes) < 100


async def test_the_name_of_a_forgotten_user_is_in_no_cache(app: App) -> None:
    ana, ben = app.room().people("Ana", "Ben")

    async def requests() -> int:
        """Number of requests to Discord for the name of Ana."""
        before = sum(number for route, number in counted.items() if "/members/" in route)
        await ben.slash("stats player", who=ana.id)
        return sum(number for route, number in counted.items() if "/members/" in route) - before

    counted = app.local.journal.requests
    page = await my_data(ana)
    assert 0 == await requests(), "it came with what Ana has typed"
    await ana.tap("Forget me for good", on=await ana.tap("Forget me", on=page))
    assert 1 == await requests()


async def test_a_user_can_be_forgotten_only_a_few_times_a_day(app: App) -> None:
    ana = app.room().person("Ana")
    answers = []
    for _ in range(MAX_FORGETTING + 1):
        sure = await ana.tap("Forget me", on=await my_data(ana))
        answers.append(await ana.tap("Forget me for good", on=sure))
    assert all("Everything about you is deleted" in answer for answer in answers[:-1])
    assert "within a day" in answers[-1]


async def test_matches_are_read_in_small_batches_without_gaps(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(user_data, "MATCHES_PER_READ", 2)
    monkeypatch.setattr(user_data, "BOARDS_PER_READ", 2)
    monkeypatch.setattr(known_seats, "MATCHES_PER_READ", 2)
    for match_id in range(2, 6):
        for table in ("matches", "seat_history", "entries", "boards", "known_seats"):
            values = [value_in(column, match_id) for column in await columns_of(database, table)]
            await database.execute(f"INSERT INTO {table} VALUES ({placeholders(values)})", *values)
    store, fetched = Store(database), list[int]()
    fetch = Database.fetch

    async def noted(self: Database, sql: str, *parameters: Any) -> Any:
        assert self._owner is not asyncio.current_task(), "others have their turn between two pieces"
        fetched.append(len(rows_read := await fetch(self, sql, *parameters)))
        return rows_read

    with monkeypatch.context() as patch:
        patch.setattr(Database, "fetch", noted)
        data = await store.user_data.all_of(ME)
    assert max(fetched) <= 5, "a row of each game at most"
    everything = {1, 2, 3, 4, 5}
    assert everything == {row["id"] for row in data["matches"]}
    assert everything == {row["match_id"] for row in data["entries"]}
    assert everything == {row["match_id"] for row in data["known_seats"]}
    assert everything == set(await store.user_data.mentioned_in(ME))
    await store.user_data.forget(ME, await store.user_data.names(ME))
    assert NAME not in (await rows(database)).replace("Zenobias stay", "")
