"""Boards lead to the turn of today, and nothing beside them calls players."""

from __future__ import annotations

from tests.e2e.rooms import FIRST_MOVE, Room, choose_first

POST = "POST /channels/{}/messages"


async def confirm(room: Room, name: str) -> None:
    """Play the first thing offered, by taps."""
    person = room.person(name)
    step = await person.tap("Your move")
    await choose_first(person, step)
    await person.tap("Confirm")


def post_here(room: Room) -> str:
    return POST.format(room.local.channel(room.channel).id)


async def test_nobody_is_called_by_lobbies_and_announcements(room: Room):
    await room.game("Ana", "Ben", "Caro")
    await room.person("Ben").slash("game leave")
    await room.person("Ben").tap("Resign")
    await room.onlooker.expect("a computer takes over")
    assert [()] == list({seen.pinged for seen in room.onlooker.messages if not seen.images})


async def test_every_board_leads_to_the_turn_of_today_and_none_is_edited_for_the_next_one(room: Room):
    await room.first_turn("Ana", "Ben", "Caro")
    first, second, newest = (seen for seen in room.onlooker.messages if seen.images)
    for board in (first, second, newest):
        assert "Choose one action" in await room.person("Ana").tap("Your move", on=board)
        assert "Not your turn yet" in await room.person("Caro").tap("Your move", on=board)
        assert not board.edited


async def test_a_board_refused_for_the_moment_is_posted_once_all_the_same(room: Room):
    board = await room.game("Ana", "Ben", "Caro")
    room.local.fault(post_here(room), 429)
    await confirm(room, "Ana")
    await room.board(after=board)
    assert ["muscat-4.png", "muscat-6.png"] == room.boards


async def test_a_deleted_board_stands_in_nobodys_way(room: Room):
    board = await room.game("Ana", "Ben", "Caro")
    room.local.discord.remove(board.record)
    await room.person("Ana").slash("muscat place", market="A")
    newer = await room.onlooker.expect("### ")
    assert "starts on 1A" in newer


async def test_a_private_turn_goes_on_after_a_quarter_of_an_hour(room: Room):
    board = await room.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    await ana.tap("Your move")
    await ana.tap(FIRST_MOVE)
    room.local.clock.advance(3600)
    await ana.tap("Confirm")
    await room.board(after=board)
