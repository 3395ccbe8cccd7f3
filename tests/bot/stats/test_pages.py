"""Pages of `/stats` as plain data."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import count
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.features.stats import pages, showing
from bot.features.stats.pages import player_page, records_page, server_page, versus_page
from bot.posting.pictures import Drawn
from bot.store.matches import SeatHolder
from bot.store.store import Store
from bot.store.table_events import TableEventKind
from bot.store.tally import (
    PLACEMENT_MATCHES,
    PROVISIONAL_MARGIN,
    SCALE,
    Change,
    Credit,
    Owners,
    SeatStory,
    Standing,
    computer_ratings,
)
from bot.tables.guild_settings import GuildSettings
from bot.tables.preferences import Preferences, keep_preferences
from engine.core import Outcome
from tests.bot.desk import Desk
from tests.bot.matches import change, end_match, open_match
from tests.bot.refusing import CHANNEL, GUEST, GUILD, HOST
from tests.bot.whole import whole
from tests.crowd.database import in_memory

AT = datetime(2026, 11, 22, 18, 30, tzinfo=UTC)
SERVER, OTHER_SERVER = 9, 10
ANA, BEN, CARO, DAN, EVA = 71, 72, 73, 74, 75
PLACE, POINTS = 4, 5
"""The columns with the means of places and of points."""


class History:
    """A series of rated matches that ended one after the other."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._numbers = count(1)

    async def won(
        self,
        winner: int,
        loser: int,
        *,
        game: str = "muscat",
        guild_id: int = SERVER,
        whole: bool = True,
        tie: bool = False,
        rated: bool = True,
    ) -> int:
        """A match of two, with 8 points for the winner. Returns its id."""
        holders = [SeatHolder(user) for user in (winner, loser)]
        about = {"guild_id": guild_id, "channel_id": next(self._numbers), "game": game}
        match_id = await open_match(self.store, *holders, **about)
        credits = (Credit(winner, None, 0, 1, whole), Credit(loser, None, 1, 1 if tie else 2))
        outcome = Outcome((0.5, 0.5) if tie else (1.0, 0.0), (8, 8 if tie else 4), cast(Any, TableEventKind.CLOSED))
        await change(self.store, match_id, end_match(outcome, AT, Owners(credits, moves=9, rated=rated)))
        return match_id


@pytest.fixture
async def history() -> AsyncIterator[History]:
    async with in_memory() as database:
        yield History(Store(database))


async def notes_of(history: History, *, own: bool = True) -> str:
    page = await player_page(history.store.ratings, SERVER, ANA, own=own)
    return "\n".join(map(str, page.notes))


async def test_the_rating_history_appears_after_placement_with_the_newest_game_last(history: History) -> None:
    for _ in range(PLACEMENT_MATCHES - 1):
        await history.won(ANA, BEN)
    assert () == (await player_page(history.store.ratings, SERVER, ANA, own=True)).course
    await history.won(ANA, BEN)
    course = (await player_page(history.store.ratings, SERVER, ANA, own=True)).course
    assert PLACEMENT_MATCHES == len(course)
    assert sorted(course) == [*course], "each game was won"


async def test_the_bars_of_a_player_are_explained(history: History) -> None:
    await history.won(ANA, BEN)
    assert "the mark is what equal players would win" in await notes_of(history)


async def test_the_partners_of_a_player_are_the_three_with_the_most_games(history: History) -> None:
    for times, other in enumerate((EVA, DAN, CARO, BEN), start=1):
        for _ in range(times):
            await history.won(ANA, other)
    assert (BEN, CARO, DAN) == (await player_page(history.store.ratings, SERVER, ANA, own=True)).partners
    for game in ("jinns", "muses", "gangs"):
        await history.won(ANA, DAN, game=game)
    page = await player_page(history.store.ratings, SERVER, ANA, own=True)
    assert (DAN, BEN, CARO) == page.partners, "in all games"


async def test_a_provisional_rating_is_not_compared_with_computers(history: History) -> None:
    for n in range(2 * PLACEMENT_MATCHES):
        await (history.won(ANA, BEN) if n % 2 else history.won(BEN, ANA))
    assert "provisional" in await notes_of(history)
    assert "like a" not in await notes_of(history)


@pytest.mark.parametrize(("above", "mark"), [(0, ""), (1, "?")])
async def test_a_rating_is_provisional_as_long_as_its_margin_is_large(above: int, mark: str) -> None:
    (game, of_computers), *_ = computer_ratings().items()
    equal = next(iter(of_computers.values()))
    sigma = (PROVISIONAL_MARGIN + above) / SCALE / 2
    standing = Standing(SERVER, ANA, game, mu=equal.mu, sigma=sigma, matches=PLACEMENT_MATCHES)
    words = f"{equal.points:,} ± {PROVISIONAL_MARGIN + above}{mark}"
    assert words == pages.rating_words(standing)
    assert [pages.MARGIN_NOTE, *[pages.PROVISIONAL_NOTE] * above] == pages._rating_notes([standing])
    assert (not above) == bool(pages._like_computers([standing]))
    newcomer = replace(standing, matches=PLACEMENT_MATCHES - 1)
    assert (f"placement {PLACEMENT_MATCHES - 1}/{PLACEMENT_MATCHES}", [pages.PLACEMENT_NOTE]) == (
        pages.rating_words(newcomer),
        pages._rating_notes([newcomer]),
    )


async def test_games_played_only_in_this_server_are_not_repeated_under_all_servers(history: History) -> None:
    await history.won(ANA, BEN)
    assert "Across all servers" not in await notes_of(history)
    await history.won(ANA, BEN, game="jinns")
    await history.won(ANA, BEN, game="jinns", guild_id=OTHER_SERVER)
    (everywhere,) = [line for line in (await notes_of(history)).splitlines() if "Across all servers" in line]
    assert "Jinns" in everywhere
    assert "Muscat" not in everywhere
    assert "Across all servers" not in await notes_of(history, own=False)


async def test_the_most_played_game_comes_first(history: History) -> None:
    for other in (BEN, CARO, DAN):
        await history.won(ANA, other, game="jinns")
    for _ in range(4):
        await history.won(ANA, BEN)
    assert ["muscat", "jinns"] == await history.store.ratings.games(SERVER)


async def test_stories_of_unrated_games_are_not_added_up(history: History) -> None:
    for rated in (True, False):
        match_id = await history.won(ANA, BEN, rated=rated)
        await history.store.ratings.note_story(match_id, [SeatStory(luck=0.25, choices=3), SeatStory(luck=-0.25)])
    stories = await history.store.ratings.stories(SERVER, ANA)
    assert {"muscat": (0.25, 3)} == {game: (story.luck, story.choices) for game, story in stories.items()}


async def test_a_page_has_a_menu_of_games_if_there_are_several(history: History) -> None:
    menus = list[int]()
    for game in ("muscat", "jinns"):
        await history.won(ANA, BEN, game=game)
        rows = showing._layout(await server_page(history.store.ratings, SERVER, ""), IMAGE).to_components()
        menus.append(sum(map(_is_menu, rows)))
    assert [0, 1] == menus


async def test_average_points_cover_only_games_a_player_decided_alone(history: History) -> None:
    await history.won(ANA, BEN)
    await history.won(ANA, BEN, whole=False)
    (row,) = (await player_page(history.store.ratings, SERVER, ANA, own=True)).rows
    assert ("1.0", "8.0") == (row.values[PLACE], row.values[POINTS])
    await history.won(ANA, BEN, game="jinns", whole=False)
    (row,) = [row for row in (await player_page(history.store.ratings, SERVER, ANA, own=True)).rows if row.share == 1][
        1:
    ]
    assert ("1.0", "–") == (row.values[PLACE], row.values[POINTS]), "no game decided alone"


async def test_the_mark_of_a_bar_is_the_share_of_equal_players_at_tables_of_that_size(history: History) -> None:
    standing = Standing(SERVER, ANA, "muscat", matches=4, wins=1, fair=1, places=9)
    assert (0.25, 0.25) == ((row := pages._row(standing, SeatStory())).share, row.fair)


async def test_a_ranking_has_ten_players_and_a_course_sixty_games(history: History) -> None:
    ratings = history.store.ratings
    rows = [Standing(SERVER, user_id, "muscat", matches=PLACEMENT_MATCHES) for user_id in range(1, 12)]
    match_id = await history.won(ANA, BEN, rated=False)
    changes = [Change(SERVER, 1, "muscat", n, match_id, 25, 25, 8) for n in range(1, 62)]
    await ratings._put("ratings", rows)
    await ratings._put("rating_history", changes)
    assert 10 == len((await server_page(ratings, SERVER, "")).rows)
    assert 60 == len((await player_page(ratings, SERVER, 1, own=True)).course)


async def test_the_records_of_a_game_include_the_longest_winning_streak(history: History) -> None:
    records = [
        ("Most points", "8", ANA),
        ("Closest finish, in points", "4", None),
        ("Longest game, in moves", "9", None),
    ]
    runs = {"A": None, "AB": None, "ABB": ("2", BEN), "ABBAA": ("2", ANA), "ABBAAB": ("2", ANA), "ABBAABBB": ("3", BEN)}
    for number, winner in enumerate("ABBAABBB", start=1):
        await (history.won(ANA, BEN) if winner == "A" else history.won(BEN, ANA))
        if (games := "ABBAABBB"[:number]) in runs:
            run = [("Most wins in a row", *longest)] if (longest := runs[games]) else []
            page = await records_page(history.store.ratings, SERVER, "")
            assert records + run == [(str(row.about), *row.values, row.user_id) for row in page.rows], games


async def test_the_versus_page_counts_wins_of_both_players_and_ties(history: History) -> None:
    await history.won(ANA, BEN)
    await history.won(ANA, BEN)
    await history.won(BEN, ANA)
    await history.won(ANA, BEN, tie=True)
    (row,) = (await versus_page(history.store.ratings, SERVER, ANA, BEN)).rows
    assert ("2", "1", "1", "4") == row.values


PLAYER = """### <@71>
**Muscat** – rating 1,500 ± 300? · games 7 · won 79% · fair share 50% · place 1.1 · points 7.4 · wins in a row 6 \
· accuracy 75 · luck +0.3
**Jinns of the Lake** – rating placement 1/5 · games 1 · won 100% · fair share 50% · place 1.0 · points 8.0 \
· wins in a row 1
-# Bars show the share of games won; the mark is what equal players would win.
-# Luck has been worth +0.3 wins in all, according to the stories of the games.
-# ± is how far off a rating may be.
-# ? means provisional: more games will settle it.
-# A rating shows after 5 games.
"""
EVERYWHERE = "-# Across all servers (only you see this): Jinns of the Lake placement 2/5\n"
PAGES = {
    "own": f"{PLAYER}{EVERYWHERE}-# Most games with <@72>",
    "of another player": f"{PLAYER}-# Most games with <@72>",
    "of a newcomer": """### <@73>
**Ali Baba’s Gangs** – rating placement 1/5 · games 1 · won 100% · fair share 50% · place 1.0 · points 8.0 \
· wins in a row 1 · luck +0.0
**Jinns of the Lake** – rating placement 1/5 · games 1 · won 0% · fair share 50% · place 2.0 · points 4.0 \
· wins in a row 0
**Muscat** – rating placement 1/5 · games 1 · won 100% · fair share 50% · place 1.0 · points 8.0 · wins in a row 1
-# Bars show the share of games won; the mark is what equal players would win.
-# Luck has been worth +0.0 wins in all, according to the stories of the games.
-# A rating shows after 5 games.
-# Most games with <@71>, <@72>""",
    "two": """### <@71> against <@72>
**Muscat** – ahead 5 · equal 1 · behind 0 · games 6""",
    "ranking": """### Muscat in this server
1. **<@71>** – rating 1,500 ± 300? · games 7
2. **<@72>** – rating 1,500 ± 300? · games 6
-# ± is how far off a rating may be.
-# ? means provisional: more games will settle it.""",
    "empty ranking": """### Jinns of the Lake in this server
-# Nobody here has played 5 rated games yet.""",
    "records": """### Muscat records in this server
**Most points** – 8 · <@71>
**Closest finish, in points** – 0
**Longest game, in moves** – 9
**Won from the slimmest chance, in %** – 20 · <@71>
**Most wins in a row** – 6 · <@71>""",
    "records of a former member": """### Ali Baba’s Gangs records in this server
**Most points** – 8 · somebody
**Closest finish, in points** – 4
**Longest game, in moves** – 9
**Won from the slimmest chance, in %** – 100 · somebody""",
}
"""All pages of a server of which Caro is no longer a member, with the same rating for everyone."""


async def test_every_page_says_all_it_has_to_say_and_names_members_only(history: History) -> None:
    for _ in range(PLACEMENT_MATCHES):
        match_id = await history.won(ANA, BEN)
    story = SeatStory(luck=0.26, lost=0.1, usually=0.4, choices=3, lowest=0.2)
    await history.store.ratings.note_story(match_id, [story, SeatStory(luck=-0.26)])
    await history.won(ANA, BEN, tie=True)
    await history.won(CARO, ANA)
    for guild_id in (SERVER, OTHER_SERVER):
        await history.won(ANA, CARO, game="jinns", guild_id=guild_id)
    match_id = await history.won(CARO, BEN, game="gangs")
    await history.store.ratings.note_story(match_id, [SeatStory(luck=-0.04), SeatStory(luck=0.04)])
    ratings = history.store.ratings
    all_pages = [
        await player_page(ratings, SERVER, ANA, own=True),
        await player_page(ratings, SERVER, ANA, own=False),
        await player_page(ratings, SERVER, CARO, own=False),
        await versus_page(ratings, SERVER, ANA, BEN),
        await server_page(ratings, SERVER, ""),
        await server_page(ratings, SERVER, "jinns"),
        await records_page(ratings, SERVER, ""),
        await records_page(ratings, SERVER, "gangs"),
    ]
    public = [showing._without_absent(page, NAMES) for page in all_pages]
    texts = [re.sub(r"\d,\d{3} ± \d{3}", "1,500 ± 300", showing._words(page)) for page in public]
    assert PAGES == dict(zip(PAGES, texts, strict=True))
    player, _, newcomer, versus, ranking, _, records, former = [
        showing._card(page, partial(showing._plain, names=NAMES)) for page in public
    ]
    assert ("Ana", ("rating", "games", "won"), "Muscat", False) == (
        player.title,
        player.columns,
        player.game,
        player.numbered,
    )
    assert (PLACEMENT_MATCHES + 2, 0) == (len(player.course), len(newcomer.course))
    assert [(5.5 / 7, 0.5), (1, 0.5)] == [(line.share, line.fair) for line in player.lines]
    assert ("somebody", "Ali Baba’s Gangs") == (newcomer.title, newcomer.game)
    assert ("Ana against Ben", [5 / 6]) == (versus.title, [line.share for line in versus.lines])
    assert (True, ["Ana", "Ben"]) == (ranking.numbered, [line.about for line in ranking.lines])
    assert ["Ana", "", "", "Ana", "Ana"] == [line.note for line in records.lines]
    assert ["somebody", "", "", "somebody"] == [line.note for line in former.lines]


NAMES = {ANA: "Ana", BEN: "Ben"}


async def test_a_menu_offers_at_most_as_many_games_as_discord_takes(history: History) -> None:
    await history.won(ANA, BEN)
    page = replace(await server_page(history.store.ratings, SERVER, ""), games=tuple(f"game_{n}" for n in range(30)))
    (menu,) = (row["components"][0] for row in showing._layout(page, IMAGE).to_components() if _is_menu(row))
    assert ["server/game_0", "server/game_24"] == [menu["options"][n]["value"] for n in (0, -1)]
    assert 25 == len(menu["options"])


IMAGE = Drawn(b"", "a.png", "a page")


def _is_menu(row: Any) -> bool:
    return any(part["type"] == discord.ComponentType.select.value for part in row.get("components", ()))


@pytest.fixture
def pictures(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The descriptions of the cards that the bot draws."""
    alts: list[str] = []

    async def draw_card(_card: object, _name: str, alt: str, *, contrast: bool) -> Drawn:
        alts.append(alt)
        return IMAGE

    monkeypatch.setattr(desk.home.services.pictures, "draw_card", draw_card)
    return alts


async def test_a_picture_names_the_people_of_its_heading_as_its_reader_may_ask(
    desk: Desk, pictures: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    await History(desk.home.store).won(GUEST, HOST, guild_id=GUILD)
    members, askers = desk.home.services.members, set[int]()
    names = members.names

    async def noted(*who: Any, asked_by: int) -> dict[int, str]:
        askers.add(asked_by)
        return await names(*who, asked_by=asked_by)

    monkeypatch.setattr(members, "names", noted)
    await desk.command(HOST, showing.show_versus, who=SimpleNamespace(id=GUEST))
    assert "Ana against bot\nMuscat – ahead 0 · equal 0 · behind 1 · games 1" == pictures[0]
    assert {HOST} == askers, "people take turns with their requests for members"


@pytest.mark.parametrize("key", ["server/muscat/jinns", "records/muscat/jinns", "server/muscat/1"])
async def test_a_page_is_about_one_game(desk: Desk, pictures: list[str], key: str) -> None:
    await History(desk.home.store).won(GUEST, HOST, guild_id=GUILD)
    assert [["new private", "This page is no longer there."]] == await desk.tap(HOST, "stats:0:0:", key)


async def test_a_command_shows_the_game_that_was_typed_or_the_most_played_one(desk: Desk, pictures: list[str]) -> None:
    history = History(desk.home.store)
    for game in ("muscat", "jinns", "jinns"):
        await history.won(GUEST, HOST, game=game, guild_id=GUILD)
    for page, command in (("server", showing.show_server), ("records", showing.show_records)):
        for typed, game in (({}, "jinns"), ({"title": "muscat"}, "muscat")):
            ((how, *lines),) = await desk.command(HOST, command, **typed)
            selected_rows = [line.split()[0] for line in lines if line.startswith("  *")]
            assert ("new private", [f"*{page}/{game}"]) == (how, selected_rows)
    for typed, user_id in (({}, HOST), ({"who": SimpleNamespace(id=GUEST)}, GUEST)):
        ((*_, button, _),) = await desk.command(HOST, showing.show_player, **typed)
        assert f"[Show to everyone statshare player/{user_id}]" == button
    ben, eva = SimpleNamespace(id=GUEST), SimpleNamespace(id=HOST)
    for typed, key in (({"who": ben}, "70/71"), ({"who": eva, "other": ben}, "71/70")):
        ((*_, button, _),) = await desk.command(HOST, showing.show_versus, **typed)
        assert f"[Show to everyone statshare versus/{key}]" == button


async def test_a_game_without_records_says_so(history: History) -> None:
    await history.won(ANA, BEN)
    page = await records_page(history.store.ratings, SERVER, "alibaba")
    assert ((), ["No rated game has ended here yet."]) == (page.rows, [*map(str, page.notes)])


async def test_a_page_has_its_picture_above_its_notes(history: History) -> None:
    await history.won(ANA, BEN)
    items = showing._items(await player_page(history.store.ratings, SERVER, ANA, own=True), IMAGE)
    assert [discord.ui.MediaGallery, discord.ui.TextDisplay] == [*map(type, items)]


async def test_results_from_before_it_was_stored_count_as_decided_alone(history: History) -> None:
    await history.won(ANA, BEN, whole=False)
    store = history.store
    for changes, scored in (("whole = 0", 0), ("whole = NULL", 1), ("whole = 1", 1)):
        await store.ratings._database.execute(f"UPDATE results SET {changes}")
        await store.ratings.compute()
        assert [scored] == [standing.scored for standing in await store.ratings.standings(SERVER, ANA)]


async def test_a_page_is_shared_without_its_private_parts_in_contrast_and_language_of_its_channel(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = desk.home
    home.let_make_events()
    home.add_channel(CHANNEL)
    await History(home.store).won(HOST, GUEST, guild_id=GUILD)
    await home.services.servers.keep(GUILD, GuildSettings(contrast=(CHANNEL,), language="de"))
    pictures = list[tuple[str, str, bool]]()

    async def draw_card(_card: object, name: str, alt: str, *, contrast: bool) -> Drawn:
        pictures.append((name, alt.splitlines()[0], contrast))
        return IMAGE

    async def names(_: Any, users: Any, *, asked_by: int) -> dict[int, str]:
        return {user_id: "Benno" for user_id in users if user_id == GUEST}

    monkeypatch.setattr(home.services.pictures, "draw_card", draw_card)
    monkeypatch.setattr(home.services.members, "names", names)
    key = f"versus/{HOST}/{GUEST}"
    ((how, *lines),) = await desk.tap(HOST, "stats:0:0:", key)
    assert ("edit", [f"[Show to everyone statshare {key}]", f"[As text statwords {key}]"]) == (how, lines)
    forbidden = await desk.tap(HOST, f"statshare:0:0:{key}", app_permissions=discord.Permissions(view_channel=True))
    with home.services.limits.shares.one(HOST):
        busy = await desk.tap(HOST, f"statshare:0:0:{key}")
    assert (["new private"] * 2, []) == ([answer[0][0] for answer in (forbidden, busy)], home.network.bodies)
    done = "Everyone in this channel can see it now."
    assert [["new private", done]] == await desk.tap(HOST, f"statshare:0:0:{key}", id=4711)
    ((address, body),) = home.network.bodies
    assert (f"POST /channels/{CHANNEL}/messages", "4711", True) == (address, body["nonce"], body["enforce_nonce"])
    assert ([f"-# Gezeigt von <@{HOST}>."], 1) == (whole(body["components"]), len(body["attachments"]))
    assert [("stats", "Ana against Benno", False), ("stats", "Ana gegen Benno", True)] == pictures
    await keep_preferences(home.store.settings, GUEST, Preferences(unlisted=True))
    hidden = [["new private", str(showing.HIDDEN_TEXT)]]
    assert hidden == await desk.tap(HOST, "stats:0:0:", key)
    await keep_preferences(home.store.settings, GUEST, Preferences())
    assert hidden != await desk.tap(HOST, "stats:0:0:", key)
    assert hidden == await desk.tap(HOST, "stats:0:0:", f"versus/{HOST}/72"), "not a member"


async def test_the_own_page_shared_has_no_ratings_of_other_servers(desk: Desk, pictures: list[str]) -> None:
    home = desk.home
    home.let_make_events()
    home.add_channel(CHANNEL)
    history = History(home.store)
    await history.won(HOST, GUEST, guild_id=GUILD)
    await history.won(HOST, GUEST, guild_id=GUILD + 1)
    await desk.tap(HOST, "stats:0:0:", f"player/{HOST}")
    await desk.tap(HOST, f"statshare:0:0:player/{HOST}")
    assert [True, False] == ["all servers" in alt for alt in pictures], pictures
    assert [False, False] == ["-#" in alt for alt in pictures], "it has no Markdown"
