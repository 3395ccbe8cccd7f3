"""`/stats`: private until it is shown to everyone, and without former members and unlisted users."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.interactions.limits import MAX_SHARES
from bot.interactions.members import CACHE_TIME
from bot.store.tally import MEAN, computer_ratings
from engine.games import discover
from engine.players import discover as discover_players
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.fake_clock import FakeClock
from tests.bot.forging import forge
from tests.bot.habits import choose_preference
from tests.bot.moderating import GAME, begin
from tests.e2e.rooms import Room, play_move, start_game

NOTHING = "There’s nothing to show"


async def play_rated(app: App, *names: str, games: int = 1) -> Room:
    """A room with rated games in which the last of some people always won. The newest one is on the board."""
    room = app.room()
    for _ in range(games):
        await begin(room, *names)
        for _ in range(3):
            for coins, name in enumerate(names, start=1):
                await play_move(room.person(name), "sealed bid", coins=str(coins))
        await room.onlooker.expect("## ")
    return room


async def words(person: Player, page: str, **typed: Any) -> Seen:
    """A page in words, or why there is none."""
    answer = await person.slash(f"stats {page}", **typed)
    assert answer is not None
    return await person.tap("As text", on=answer) if "As text" in answer.labels else answer


async def leave_out(person: Player) -> None:
    """Somebody wants to be left out of tables."""
    await choose_preference(person, "unlisted", "Leave me out of rankings")


async def test_the_end_card_shows_each_rating_change(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben", games=5)
    end = await room.onlooker.expect("🟦 1,7")
    ends = [seen.text for seen in room.onlooker.messages if "Rating: " in seen.text]
    assert [1, 2, 3, 4] == [n for n in range(1, 6) for end in ends if f"🔴 placement game {n} of 5" in end]
    assert not [end for end in ends[:4] if "±" in end], "a newcomer reads of no fall"
    assert "🔴 1,2" in end.text
    assert "(−" in end.text
    assert "(+" in end.text


async def test_an_unrated_game_says_that_it_is_not_rated(app: App) -> None:
    room = app.room()
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game=GAME)
    await ana.tap("✓ Rated", on=await ana.slash("table options"))
    await ben.tap("Join", on=await room.onlooker.expect("Not rated"))
    await start_game(ana, ben)
    for _ in range(3):
        for person in (ana, ben):
            await play_move(person, "sealed bid", coins="1")
    assert "Not rated" in await room.onlooker.expect("## 🔴")


async def test_the_first_board_says_whether_the_game_is_rated(app: App) -> None:
    room = app.room()
    await begin(room, "Ana", "Ben")
    assert "Your move" in (await room.onlooker.expect("-# Rated")).labels


async def test_a_new_record_is_on_the_end_card_except_after_the_first_game(app: App) -> None:
    room = app.room()
    await begin(app.room(), "Ana", "Ben")  # a game that still runs has set no record
    for first_bid, points, is_record in (("2", 2, False), ("1", 3, True)):
        await begin(room, "Ana", "Ben")
        # equal bids win nothing, so the first game has fewer points
        for own in (first_bid, "1", "1"):
            await play_move(room.person("Ana"), "sealed bid", coins=own)
            await play_move(room.person("Ben"), "sealed bid", coins="2")
        end = await room.onlooker.expect(f"{room.person('Ben').mention} · {points}")
        assert is_record == ("New record in this server" in end.text) == ("🟦 3 points" in end.text), end.text


async def test_a_users_own_page_includes_accuracy_and_luck_from_stories(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben")
    statement = "UPDATE results SET luck = ?, lost = 0.2, usually = 0.8, choices = 9, lowest = 0.1 WHERE seat = ?"
    await app.change(statement, 0.25, 0)
    await app.change(statement, -0.25, 1)
    ana, ben = await words(room.person("Ana"), "player"), await words(room.person("Ben"), "player")
    assert "accuracy 75 · luck +0.2" in ana
    assert "Luck has been worth −0.2 wins" in ben


async def test_users_see_their_own_page_first_and_in_private(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben")
    assert "Across all servers" not in await words(room.person("Ben"), "player"), "it would say the same"
    await app.change("UPDATE ratings SET matches = 2 WHERE guild_id = 0")
    page = await words(room.person("Ben"), "player")
    assert page.ephemeral
    assert "**Sealed Bids** – rating placement 1/5" in page
    assert "games 1 · won 100% · fair share 50% · place 1.0" in page
    assert "Across all servers (only you see this): Sealed Bids placement 2/5" in page
    assert f"Most games with {room.person('Ana').mention}" in page


async def test_sharing_a_page_reveals_no_results_of_other_servers(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben")
    await app.change("UPDATE ratings SET matches = 2 WHERE guild_id = 0")
    ben = room.person("Ben")
    await ben.tap("Show to everyone", on=await ben.slash("stats player"))
    shared = await room.onlooker.expect("Shown by")
    (card,) = shared.images
    lines = [
        "Ben",
        "Sealed Bids – rating placement 1/5 · games 1 · won 100% · fair share 50% · place 1.0 · points 3.0"
        " · wins in a row 1",
        "Bars show the share of games won; the mark is what equal players would win.",
        "A rating shows after 5 games.",
        "Most games with Ana",
    ]
    assert lines == card.alt.split("\n"), "no Markdown, and nothing of other servers"
    ana = room.person("Ana")
    notes = [*lines[2:4], f"Most games with {ana.mention}", f"Shown by {ben.mention}."]
    assert [f"-# {note}" for note in notes] == shared.text.split("\n")
    assert ([], [], ()) == (shared.labels, [*shared.menus], shared.pinged)


async def test_sharing_pages_is_limited_to_a_few_in_ten_minutes(app: App) -> None:
    ben = (await play_rated(app, "Ana", "Ben")).person("Ben")
    page = await ben.slash("stats player")
    answers = [await ben.tap("Show to everyone", on=page) for _ in range(MAX_SHARES + 1)]
    assert all("Everyone in this channel can see it" in answer for answer in answers[:-1])
    assert "in ten minutes" in answers[-1]


async def test_a_name_in_a_picture_is_shortened_and_has_no_invisible_characters(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben")
    user = app.local.discord.world.users[room.person("Ana").id]
    user.name = f"Ana\u202e{'n' * 40}"
    person = room.person(user.name)
    pictures = [(await somebody.slash("stats player")).images[0] for somebody in (person, person.in_dm())]
    assert [f"Ana{'n' * 16}…"] * 2 == [picture.alt.splitlines()[0] for picture in pictures]


async def test_sharing_without_permission_to_post_names_the_missing_permission(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben")
    ben = room.person("Ben")
    page = await ben.slash("stats player")
    room.local.forbid(room.channel, "ATTACH_FILES")
    assert "**Attach Files**" in await ben.tap("Show to everyone", on=page)


@pytest.mark.parametrize("computer", ["easy", "fair", "strong"])
async def test_the_player_page_names_a_computer_of_similar_strength(app: App, computer: str) -> None:
    room = await play_rated(app, "Ana", "Ben")
    await app.change(
        "UPDATE ratings SET game = 'muscat', matches = 9, sigma = 2, mu = ?", computer_ratings()["muscat"][computer].mu
    )
    assert f"Muscat like a *{discover_players()[computer].title}*" in await words(room.person("Ben"), "player")


async def test_a_shared_page_is_in_the_language_of_the_server(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben")
    ben = room.person("Ben")
    app.local.discord.world.users[ben.id].locale = "xx"
    page = await ben.slash("stats player")
    assert "rátíng plácémént" in page.images[0].alt, "Ben reads in a language of their own"
    button = next(button.custom_id for button in page.buttons if ":statshare:" in button.custom_id)
    assert "Évéryóné" in (await ben.tap_id(button, on=page)).text
    (card,) = (await room.onlooker.expect("Shown by")).images
    assert "rating placement" in card.alt


async def test_a_users_page_shown_to_others_omits_other_servers(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben")
    caro = room.person("Caro")
    page = await words(caro, "player", who=room.person("Ben").id)
    assert "rating placement 1/5" in page
    assert "Across all servers" not in page
    assert "You haven’t played a rated game" in await words(caro, "player")


async def test_a_user_who_opts_out_is_left_out_at_once(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben", games=5)
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    assert ben.mention in await words(caro, "server")
    await leave_out(ben)
    for seen in (
        await words(caro, "server"),
        await words(caro, "records"),
        await words(ana, "player"),
        await words(caro, "player", who=ana.id),
    ):
        assert ben.mention not in seen
    assert "**Most points** – 3\n" in await words(caro, "records"), "whose it is, nobody learns"
    assert NOTHING in await words(caro, "player", who=ben.id)
    assert NOTHING in await words(ana, "versus", who=ben.id)
    assert "rating 1,7" in await words(ben, "player"), "their own page is theirs"


async def test_a_user_who_left_the_server_is_not_named(app: App, fake_clock: FakeClock) -> None:
    room = await play_rated(app, "Ana", "Ben", games=5)
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    app.local.discord.world.users[ben.id].left = True
    fake_clock.ahead += CACHE_TIME
    try:
        assert ben.mention not in await words(caro, "server")
        assert ben.mention not in await words(ana, "player")
        assert "somebody" in await words(caro, "records")
        assert NOTHING in await words(ana, "versus", who=ben.id)
    finally:
        app.local.discord.world.users[ben.id].left = False


@pytest.mark.parametrize("way", ["without fields", "torn JSON", "null", "bad status"])
async def test_a_malformed_member_response_is_handled(app: App, way: str) -> None:
    room = await play_rated(app, "Ana", "Ben")
    ana, ben = room.people("Ana", "Ben")
    # by then the cache of members is outdated
    await app.close()
    await app.open()
    odd = app.local.fault("GET /guilds/*/members/*", broken=way, times=None)
    answer = await ana.slash("stats player", who=ben.id)
    assert odd.struck
    # where there is a status, it says that Ben is a member
    assert "My answer got lost" in answer if way == "bad status" else answer.images


async def test_the_versus_page_shows_which_player_was_ahead(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben", games=2)
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    assert "ahead 0 · equal 0 · behind 2 · games 2" in await words(ana, "versus", who=ben.id)
    assert "ahead 2" in await words(caro, "versus", who=ana.id, other=ben.id)
    assert "haven’t played" in await words(ana, "versus", who=caro.id)


async def test_a_ranking_requires_a_minimum_of_games_and_orders_by_certainty(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben", games=4)
    ana, ben = room.people("Ana", "Ben")
    page = await ana.slash("stats server")
    assert "Nobody here has played 5 rated games" in page
    assert ((), []) == (tuple(page.images), page.labels), "an empty ranking has nothing to show"
    room = await play_rated(app, "Ana", "Ben")
    page = await words(room.person("Caro"), "server", game=GAME)
    assert page.text.index(f"1. **{ben.mention}") < page.text.index(f"2. **{ana.mention}")
    # a higher mean that is less certain comes later
    await app.change("UPDATE ratings SET mu = ?, sigma = 8 WHERE user_id = ?", MEAN + 12, ana.id)
    await app.change("UPDATE ratings SET mu = ?, sigma = 2 WHERE user_id = ?", MEAN + 4, ben.id)
    page = await words(ana, "server")
    assert page.text.index(ben.mention) < page.text.index(ana.mention)


async def test_the_records_page_shows_points_length_and_winning_streak_with_their_holders(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben", games=2)
    page = await words(room.person("Caro"), "records")
    assert f"**Most points** – 3 · {room.person('Ben').mention}" in page
    assert "**Longest game, in moves** – 6" in page
    assert f"**Most wins in a row** – 2 · {room.person('Ben').mention}" in page
    await app.change("UPDATE ratings SET longest_run = 5 WHERE user_id = ?", room.person("Ana").id)
    page = await words(room.person("Caro"), "records")
    assert f"**Most wins in a row** – 5 · {room.person('Ana').mention}" in page


async def test_a_page_of_another_game_can_be_chosen(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben", games=5)
    other = "INSERT INTO ratings SELECT guild_id, user_id, 'garden', mu, sigma, 9, 1, 1, 9, 9, 1, 1, 9 FROM ratings"
    await app.change(other)
    caro = room.person("Caro")
    page = await caro.slash("stats server")
    first = page.images[0].alt.partition(" in this")[0]
    assert discover()["garden"].title == first, "it is played most"
    assert f"### {first} records " in await caro.slash("stats records")
    menu = {option.label: option.value for option in page.menus[0].options}
    (second,) = set(menu) - {first}
    chosen = await caro.choose(menu[second], on=page)
    assert chosen.images[0].alt.startswith(f"{second} in this server")
    assert [[True, False], [False, True]] == [
        [option.chosen for option in picture.menus[0].options] for picture in (page, chosen)
    ]


async def test_a_player_page_lists_all_their_games_with_the_most_played_first(
    app: App,
) -> None:
    room = await play_rated(app, "Ana", "Ben", games=2)
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    await app.change(
        "INSERT INTO ratings SELECT guild_id, user_id, 'toll', mu, sigma, 9, 1, 1, 9, 9, 1, 1, 9 FROM ratings"
    )
    await app.change(f"UPDATE meetings SET matches = 3 WHERE other_id = {ana.id}")
    for game in ("toll", "garden"):
        meeting = f"SELECT guild_id, user_id, {caro.id}, '{game}', 1, 1, 0 FROM meetings WHERE other_id = {ana.id}"
        await app.change(f"INSERT INTO meetings {meeting} AND game = 'sealed'")
    # what they play most has a certain rating, and one of the two games was of it
    await app.change("UPDATE ratings SET sigma = 2 WHERE game = 'toll'")
    await app.change("UPDATE ratings SET matches = 8 WHERE game = 'sealed'")
    await app.change("UPDATE matches SET game = 'toll' WHERE id = 2")
    await app.change("UPDATE results SET luck = 0.25, lost = 0.2, usually = 0.8, choices = 9, lowest = 0.1")
    page = await words(ben, "player")
    assert "? means provisional" in page
    assert "Luck has been worth +0.5 wins in all" in page
    assert page.text.index(discover()["toll"].title) < page.text.index(discover()[GAME].title)
    assert f"Most games with {ana.mention}, {caro.mention}" in page


async def test_an_empty_page_says_what_would_be_rated(app: App) -> None:
    ana = app.room().person("Ana")
    assert "No rated game has ended in this server" in await words(ana, "server")
    assert "No rated game has ended in this server" in await words(ana, "records")


async def test_malformed_page_keys_are_refused(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben")
    ana = room.person("Ana")
    page = await ana.slash("stats player")
    for key in ("", "player", "player/x", "server/no_such", "versus/1", "player/1/2", "server/a/b", "x"):
        button = {"type": 2, "style": 2, "label": "Show", "custom_id": f"cv:statshare:0:0:{key}"}
        assert "no longer there" in await forge(app, ana, page, button), key


async def test_users_cannot_share_pages_they_may_not_see(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben")
    ana, ben = room.people("Ana", "Ben")
    await leave_out(ben)
    button = {"type": 2, "style": 2, "label": "Show", "custom_id": f"cv:statshare:0:0:player/{ben.id}"}
    assert NOTHING in await forge(app, ana, await ana.slash("stats player"), button)


async def test_a_direct_message_shows_only_the_users_own_results(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben")
    ben = room.person("Ben").in_dm()
    assert "rating placement 1/5" in await words(ben, "player")
    assert NOTHING in await words(ben, "player", who=room.person("Ana").id)
    assert "No rated game" in await words(ben, "server")


async def test_a_forgotten_user_is_in_no_ranking(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben", games=5)
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    data = await ben.slash("me data")
    data_file = json.loads((await ben.tap("As a file", on=data)).images[0].data)
    assert {"ratings", "rating_history", "meetings", "records"} <= {name for name in data_file if data_file[name]}
    await ben.tap("Forget me for good", on=await ben.tap("Forget me", on=data))
    assert ben.mention not in await words(caro, "server")
    assert "somebody" in await words(caro, "records")
    assert "haven’t played a rated game" in await words(ben, "player")
    assert "rating 1,2" in await words(ana, "player")
