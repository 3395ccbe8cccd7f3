"""`/stats`: private until it is shown to everyone, and without former members and unlisted users."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.interactions.members import CACHE_TIME
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.fake_clock import FakeClock
from tests.bot.habits import choose_preference
from tests.bot.moderating import GAME, begin
from tests.rooms import Room, play_move, start_game

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


async def test_a_board_says_behind_more_whether_the_game_is_rated(app: App) -> None:
    room = app.room()
    await begin(room, "Ana", "Ben")
    board = await room.board()
    assert "-# Rated" in await room.person("Ana").tap("More", on=board)


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


async def test_a_name_in_a_picture_is_shortened_and_has_no_invisible_characters(app: App) -> None:
    room = await play_rated(app, "Ana", "Ben")
    user = app.local.discord.world.users[room.person("Ana").id]
    user.name = f"Ana\u202e{'n' * 40}"
    person = room.person(user.name)
    pictures = [(await somebody.slash("stats player")).images[0] for somebody in (person, person.in_dm())]
    assert [f"Ana{'n' * 16}…"] * 2 == [picture.alt.splitlines()[0] for picture in pictures]


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


async def test_a_user_who_left_the_server_is_not_named(app: App, fake_clock: FakeClock) -> None:
    room = await play_rated(app, "Ana", "Ben", games=5)
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    app.local.discord.world.users[ben.id].has_left = True
    fake_clock.ahead += CACHE_TIME
    try:
        assert ben.mention not in await words(caro, "server")
        assert ben.mention not in await words(ana, "player")
        assert "somebody" in await words(caro, "records")
        assert NOTHING in await words(ana, "versus", who=ben.id)
    finally:
        app.local.discord.world.users[ben.id].has_left = False


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
