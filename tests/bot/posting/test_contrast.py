"""High contrast: in whose pictures, and in which channels."""

from __future__ import annotations

from bot.settings.preference_layouts import CHOICES
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.moderating import begin, moderator, more_settings, thread_of
from tests.e2e.robots import BOARD
from tests.e2e.rooms import Room

OWN = list(CHOICES).index("contrast")
"""The menu of `/me settings`."""
CHANNELS = 1
"""The menu on the second page of the settings of a server."""
GAME = "jinns"


def strong(seen: Seen) -> bool:
    """Whether the ink of its only picture, the first color of every palette, is black."""
    (image,) = seen.images
    return image.data.partition(b"PLTE")[2][:3] == b"\0\0\0"


async def undo_request(person: Player, wanted: str = "High contrast") -> None:
    await person.choose(wanted, on=await person.slash("me settings"), menu=OWN)


async def lay_down(room: Room, *channels: str) -> None:
    eva = moderator(room)
    await eva.choose(*channels, on=await more_settings(eva), menu=CHANNELS)


async def test_private_pictures_are_as_each_wants_them_and_boards_as_before(app: App) -> None:
    room = app.room()
    board = await begin(room, "Ana", "Ben", game=GAME)
    ana, ben = room.people("Ana", "Ben")
    await undo_request(ana)
    assert not strong(board)
    assert [True, False] == [strong(await person.slash("game board")) for person in (ana, ben)]
    due = ana if "Ana" in board.mentions else ben
    await undo_request(due)
    assert strong(await due.tap("Your move", on=board))
    await undo_request(due, "Usual colors")
    assert not strong(await due.slash("game board"))


async def test_boards_have_it_where_moderators_say_so_and_in_threads_of_there(app: App) -> None:
    room, other = app.room(), app.room()
    await lay_down(room, room.channel)
    assert strong(await begin(room, "Ana", "Ben", game=GAME))
    assert strong(await begin(thread_of(app, room), "Ana", "Ben", game=GAME))
    assert not strong(await begin(other, "Ana", "Ben", game=GAME))
    assert not strong(await room.person("Ana").slash("game board")), "what only they see is theirs to choose"


async def test_in_direct_messages_boards_are_as_whoever_plays_there_wants_them(app: App) -> None:
    ana = app.room().person("Ana").in_dm()
    await undo_request(ana)
    lobby = await ana.slash("table new", game=GAME)
    await ana.tap("Add computer")
    await ana.tap("Start")
    assert strong(await ana.expect(BOARD, after=lobby))
