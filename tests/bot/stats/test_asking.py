"""Pages of `/stats` as users ask for them, at a desk: private results, and names of players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.stats import showing
from bot.interactions.limits import MAX_SHARES
from bot.store.tally import MEAN, PLACEMENT_MATCHES, computer_ratings
from engine.games import discover
from engine.players import discover as discover_players
from tests.bot.desk import Desk
from tests.bot.outcomes import prefer
from tests.bot.refusing import CHANNEL, GUEST, GUILD, HOST, House
from tests.bot.stats.test_pages import IMAGE, History

CARO = 72
NOTHING_TEXT, PAGE_GONE = "There’s nothing to show", [["new private", "This page is no longer there."]]


@pytest.fixture
def home(home: House, monkeypatch: pytest.MonkeyPatch) -> House:
    async def draw_card(*_: object, **__: object) -> Any:
        return IMAGE

    monkeypatch.setattr(home.services.pictures, "draw_card", draw_card)
    home.let_make_events()
    home.add_channel(CHANNEL)
    return home


async def guest_wins(home: House, games: int = 1, game: str = "sealed", guild_id: int = GUILD) -> None:
    """Rated games of the host and the guest."""
    for _ in range(games):
        await History(home.store).won(GUEST, HOST, game=game, guild_id=guild_id)


async def change(home: House, sql: str, *values: object) -> None:
    await home.store.ratings._database.execute(sql, *values)


async def words(desk: Desk, user_id: int, key: str, **columns: Any) -> str:
    """A page as text, or why there is none."""
    ((how, *lines),) = await desk.tap(user_id, f"statwords:0:0:{key}", **columns)
    assert "new private" == how
    return "\n".join(lines)


async def test_users_see_their_results_in_other_servers_and_others_do_not(desk: Desk) -> None:
    await guest_wins(desk.home)
    assert "Across all servers" not in await words(desk, GUEST, f"player/{GUEST}"), "it would say the same"
    await guest_wins(desk.home, guild_id=GUILD + 1)
    own, of_others = [await words(desk, user_id, f"player/{GUEST}") for user_id in (GUEST, CARO)]
    for page in (own, of_others):
        assert "**Sealed Bids** – rating placement 1/5" in page
        assert "games 1 · won 100% · fair share 50% · place 1.0" in page
        assert f"Most games with <@{HOST}>" in page
    assert "Across all servers (only you see this): Sealed Bids placement 2/5" in own
    assert "Across all servers" not in of_others
    assert "You haven’t played a rated game" in await words(desk, CARO, f"player/{CARO}")


async def test_a_users_own_page_includes_accuracy_and_luck_from_stories(desk: Desk) -> None:
    home = desk.home
    await guest_wins(home)
    statement = "UPDATE results SET luck = ?, lost = 0.2, usually = 0.8, choices = 9, lowest = 0.1 WHERE user_id = ?"
    for luck, user_id in ((0.25, HOST), (-0.25, GUEST)):
        await change(home, statement, luck, user_id)
    assert "accuracy 75 · luck +0.2" in await words(desk, HOST, f"player/{HOST}")
    assert "Luck has been worth −0.2 wins" in await words(desk, GUEST, f"player/{GUEST}")


async def test_sharing_pages_is_limited_to_a_few_in_ten_minutes(desk: Desk) -> None:
    await guest_wins(desk.home)
    answers = [await desk.tap(GUEST, f"statshare:0:0:player/{GUEST}") for _ in range(MAX_SHARES + 1)]
    done = [["new private", "Everyone in this channel can see it now."]]
    assert ([done] * MAX_SHARES, True) == (answers[:-1], "in ten minutes" in answers[-1][0][1])


async def test_sharing_without_permission_to_post_names_the_missing_permission(desk: Desk) -> None:
    await guest_wins(desk.home)
    lacking = discord.Permissions.all()
    lacking.attach_files = False
    ((_, *lines),) = await desk.tap(GUEST, f"statshare:0:0:player/{GUEST}", app_permissions=lacking)
    assert "**Attach Files**" in "\n".join(lines)


@pytest.mark.parametrize("computer", ["easy", "fair", "strong"])
async def test_the_player_page_names_a_computer_of_similar_strength(desk: Desk, computer: str) -> None:
    await guest_wins(desk.home, game="muscat")
    mu = computer_ratings()["muscat"][computer].mu
    await change(desk.home, "UPDATE ratings SET matches = 9, sigma = 2, mu = ?", mu)
    title = discover_players()[computer].title
    assert f"Muscat like a *{title}*" in await words(desk, GUEST, f"player/{GUEST}")


async def test_a_user_who_opts_out_is_left_out_at_once(desk: Desk) -> None:
    home, guest = desk.home, f"<@{GUEST}>"
    await guest_wins(home, PLACEMENT_MATCHES)
    assert guest in await words(desk, CARO, "server")
    await prefer(home, GUEST, unlisted=True)
    for user_id, key in ((CARO, "server"), (CARO, "records"), (HOST, f"player/{HOST}"), (CARO, f"player/{HOST}")):
        assert guest not in await words(desk, user_id, key), key
    assert "**Most points** – 8\n" in await words(desk, CARO, "records"), "whose it is, nobody learns"
    for user_id, key in ((CARO, f"player/{GUEST}"), (HOST, f"versus/{HOST}/{GUEST}")):
        assert NOTHING_TEXT in await words(desk, user_id, key), key
        ((_, refusal),) = await desk.tap(user_id, f"statshare:0:0:{key}")
        assert NOTHING_TEXT in refusal, "nor can anyone show it to everyone"
    assert "rating 1,7" in await words(desk, GUEST, f"player/{GUEST}"), "their own page is theirs"


async def test_the_versus_page_shows_which_player_was_ahead(desk: Desk) -> None:
    await guest_wins(desk.home, 2)
    assert "ahead 0 · equal 0 · behind 2 · games 2" in await words(desk, HOST, f"versus/{HOST}/{GUEST}")
    assert "ahead 2" in await words(desk, CARO, f"versus/{GUEST}/{HOST}")
    ((_, *lines),) = await desk.command(HOST, showing.show_versus, who=SimpleNamespace(id=CARO))
    assert "haven’t played" in "\n".join(lines)


async def test_the_versus_page_of_two_others_needs_both_of_them_in_the_server(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await guest_wins(desk.home, 2)
    real, absent = desk.home.services.members.names, list[int]()

    async def names(guild: Any, users: Iterable[int], **options: Any) -> Mapping[int, str]:
        return {user: name for user, name in (await real(guild, users, **options)).items() if user not in absent}

    monkeypatch.setattr(desk.home.services.members, "names", names)
    assert "ahead 2" in await words(desk, CARO, f"versus/{GUEST}/{HOST}")
    for user_id in (HOST, GUEST):
        absent[:] = [user_id]
        assert NOTHING_TEXT in await words(desk, CARO, f"versus/{GUEST}/{HOST}")


async def test_a_ranking_requires_a_minimum_of_games_and_orders_by_certainty(desk: Desk) -> None:
    home, host, guest = desk.home, f"<@{HOST}>", f"<@{GUEST}>"
    await guest_wins(home, PLACEMENT_MATCHES - 1)
    ((_, *lines),) = await desk.command(HOST, showing.show_server)
    assert "Nobody here has played 5 rated games" in "\n".join(lines)
    assert ([], []) == (desk.files, [line for line in lines if line.startswith("[")]), "nothing to show"
    await guest_wins(home)
    page = await words(desk, CARO, "server/sealed")
    assert page.index(f"1. **{guest}") < page.index(f"2. **{host}")
    # a higher mean that is less certain comes later
    await change(home, "UPDATE ratings SET mu = ?, sigma = 8 WHERE user_id = ?", MEAN + 12, HOST)
    await change(home, "UPDATE ratings SET mu = ?, sigma = 2 WHERE user_id = ?", MEAN + 4, GUEST)
    page = await words(desk, HOST, "server")
    assert page.index(guest) < page.index(host)


async def test_the_records_page_shows_points_length_and_winning_streak_with_their_holders(desk: Desk) -> None:
    await guest_wins(desk.home, 2)
    page = await words(desk, CARO, "records")
    for record in (f"Most points** – 8 · <@{GUEST}>", "Longest game, in moves** – 9", f"in a row** – 2 · <@{GUEST}>"):
        assert record in page
    await change(desk.home, "UPDATE ratings SET longest_run = 5 WHERE user_id = ?", HOST)
    assert f"**Most wins in a row** – 5 · <@{HOST}>" in await words(desk, CARO, "records")


async def test_the_most_played_game_comes_first_and_another_one_can_be_chosen(desk: Desk) -> None:
    home, titles = desk.home, {game: discover()[game].title for game in ("sealed", "toll")}
    await guest_wins(home, PLACEMENT_MATCHES)
    await guest_wins(home, PLACEMENT_MATCHES + 1, game="toll")
    for key in ("server", "records"):
        assert titles["toll"] in (await words(desk, CARO, key)).splitlines()[0]
        ((_, *lines),) = await desk.tap(CARO, "stats:0:0:", f"{key}/sealed")
        rows = {line.split()[0]: line for line in lines if f"{key}/" in line.split()[0]}
        assert {f"{key}/toll", f"*{key}/sealed"} == rows.keys(), "the menu with the chosen one"
    page = await words(desk, GUEST, f"player/{GUEST}")
    assert page.index(titles["toll"]) < page.index(titles["sealed"])


async def test_a_player_page_adds_up_all_games(desk: Desk) -> None:
    home = desk.home
    await guest_wins(home, 3)
    for game in ("toll", "garden"):
        await History(home.store).won(GUEST, CARO, game=game, guild_id=GUILD)
    await change(home, "UPDATE ratings SET matches = 8, sigma = CASE game WHEN 'toll' THEN 2 ELSE 6 END")
    await change(home, "UPDATE results SET luck = 0.25, lost = 0.2, usually = 0.8, choices = 9, lowest = 0.1")
    page = await words(desk, GUEST, f"player/{GUEST}")
    assert "? means provisional" in page, "one of the games has a certain rating"
    assert "Luck has been worth +1.2 wins in all" in page
    assert f"Most games with <@{HOST}>, <@{CARO}>" in page, "not those of the most kinds of games"


async def test_an_empty_page_says_what_would_be_rated(desk: Desk) -> None:
    for key in ("server", "records"):
        assert "No rated game has ended in this server" in await words(desk, HOST, key)


async def test_malformed_page_keys_are_refused(desk: Desk) -> None:
    await guest_wins(desk.home)
    for key in ("player", "player/x", "server/no_such", "versus/1", "player/1/2", "server/a/b", "x", "serverx"):
        assert PAGE_GONE == await desk.tap(HOST, f"statshare:0:0:{key}"), key


async def test_a_server_without_the_bot_has_no_pages(desk: Desk) -> None:
    await guest_wins(desk.home)
    answer = await words(desk, GUEST, f"player/{GUEST}", is_guild_integration=lambda: False)
    assert answer.startswith("I’m not in this server: [invite me](")


async def test_a_direct_message_shows_only_the_users_own_results(desk: Desk) -> None:
    await guest_wins(desk.home, guild_id=GUILD)
    direct: dict[str, Any] = {"guild_id": None, "guild": None}
    assert "rating placement 1/5" in await words(desk, GUEST, f"player/{GUEST}", **direct)
    assert NOTHING_TEXT in await words(desk, GUEST, f"player/{HOST}", **direct)
    assert "Only games in servers are rated" in await words(desk, GUEST, "server", **direct)
