"""High contrast: in whose pictures, and in which channels."""

from __future__ import annotations

from playground.player import Player
from tests.bot.app import App
from tests.bot.habits import choose_preference, strong
from tests.bot.leagues import test_leagues as leagues
from tests.bot.moderating import begin, choose_setting, moderator, thread_of
from tests.bot.stats.test_stats import play_rated
from tests.robots import BOARD
from tests.rooms import Room

GAME = "jinns"


async def choose(person: Player, wanted: str = "High contrast") -> None:
    await choose_preference(person, "contrast", wanted)


async def lay_down(room: Room, *channels: str) -> None:
    eva = moderator(room)
    await choose_setting(eva, "contrast", *channels)


async def test_private_pictures_follow_each_user_and_boards_stay_unchanged(app: App) -> None:
    room = app.room()
    board = await begin(room, "Ana", "Ben", game=GAME)
    ana, ben = room.people("Ana", "Ben")
    await choose(ana)
    assert not strong(board)
    assert [True, False] == [strong(await person.slash("game board")) for person in (ana, ben)]
    due = ana if "Ana" in board.mentions else ben
    await choose(due)
    assert strong(await due.tap("Your move", on=board))
    await choose(due, "Standard colors")
    assert not strong(await due.slash("game board"))


async def test_boards_have_high_contrast_in_the_chosen_channels_and_their_threads(app: App) -> None:
    room, other = app.room(), app.room()
    await lay_down(room, room.channel)
    assert strong(await begin(room, "Ana", "Ben", game=GAME))
    assert strong(await begin(thread_of(app, room), "Ana", "Ben", game=GAME))
    assert not strong(await begin(other, "Ana", "Ben", game=GAME))
    assert not strong(await room.person("Ana").slash("game board")), "what only they see is theirs to choose"


async def test_boards_in_direct_messages_follow_the_contrast_setting_of_the_player(app: App) -> None:
    ana = app.room().person("Ana").in_dm()
    await choose(ana)
    lobby = await ana.slash("table new", game=GAME)
    await ana.tap("Add computer")
    await ana.tap("Start")
    assert strong(await ana.expect(BOARD, after=lobby))


async def test_shared_standings_have_high_contrast_in_the_chosen_channels(app: App) -> None:
    room, league = await play_rated(app, "Ana", "Ben"), app.room()
    ben = room.person("Ben")
    await ben.tap("Show to everyone", on=await ben.slash("stats player"))
    assert not strong(await room.onlooker.expect("Shown by"))
    await lay_down(room, league.channel)
    await leagues.begin(app, league, "Ana", "Ben")
    await leagues.play(app)
    assert strong(await league.onlooker.expect("League is over"))
    ben, shared = league.person("Ben"), None
    for command in ("stats player", "league standings"):
        own = await ben.slash(command)
        await ben.tap("Show to everyone", on=own)
        shared = await league.onlooker.expect("Shown by", after=shared)
        assert [False, True] == [strong(own), strong(shared)]
    await choose(ben)
    assert [True, True] == [strong(await ben.slash(command)) for command in ("stats player", "league standings")]
