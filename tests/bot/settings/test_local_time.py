"""The local time of a due player, for the other players of the game, if the player lets them see it."""

from __future__ import annotations

import re

from playground.player import Player, Seen
from tests.bot.habits import choose_preference, open_settings
from tests.bot.timed_app import TimedApp
from tests.rooms import Room

CLOCK = "🕐 Local time"
SHOW, HIDE = "Show others my time", "Hide my time from others"


async def toggle(person: Player, label: str) -> Seen:
    page = await person.tap(label, on=await open_settings(person, "zone"))
    assert page is not None
    return page


async def begin_in_tokyo(timed_app: TimedApp) -> tuple[Room, Player, Player]:
    """Begin a game at noon in UTC in which Ana, who lives in Tokyo, is due."""
    timed_app.fake_clock.show(12)
    room, (ana, ben) = await timed_app.begin("Ana", "Ben", game="beg")
    await timed_app.likes(ana, zone="Asia/Tokyo", zone_asked=True)
    return room, ana, ben


async def test_only_the_other_players_see_the_local_time_and_only_if_the_player_allows_it(timed_app: TimedApp) -> None:
    room, ana, ben = await begin_in_tokyo(timed_app)
    assert CLOCK not in await ben.tap("Your move", on=room.onlooker.last)
    assert "the other players see your local time" in await toggle(ana, SHOW)
    for answer in (await ben.tap("Your move", on=room.onlooker.last), await ben.slash("game board")):
        # the clock of the test goes on
        assert re.search(rf"{CLOCK}: {ana.mention} 9(:0\d)? PM", answer.text)
    assert CLOCK not in await room.person("Eve").slash("game board"), "Eve does not play"
    assert CLOCK not in await ana.slash("game board")
    assert "the other players" not in await toggle(ana, HIDE)
    assert CLOCK not in await ben.tap("Your move", on=room.onlooker.last)


async def test_local_time_is_hidden_from_readers_in_the_same_time_and_while_the_player_is_away(
    timed_app: TimedApp,
) -> None:
    room, ana, ben = await begin_in_tokyo(timed_app)
    await toggle(ana, SHOW)
    await timed_app.likes(ben, zone="Asia/Seoul")
    assert CLOCK not in await ben.tap("Your move", on=room.onlooker.last)
    await timed_app.likes(ben, zone="Europe/Berlin")
    assert CLOCK in await ben.tap("Your move", on=room.onlooker.last)
    await choose_preference(ana, "away", "Away for 3 days")
    answer = await ben.tap("Your move", on=room.onlooker.last)
    assert (True, False) == ("🏖️ Away" in answer, CLOCK in answer)


async def test_without_a_time_zone_no_time_is_shown_and_the_bot_asks_for_the_zone(timed_app: TimedApp) -> None:
    room, (ana, ben) = await timed_app.begin("Ana", "Ben", game="beg")
    page = await toggle(ana, SHOW)
    assert "the other players" not in page
    assert HIDE in page.labels
    await ana.expect("I don’t know your time zone")
    await timed_app.likes(ben, zone="Asia/Tokyo")
    assert CLOCK not in await ben.tap("Your move", on=room.onlooker.last)
