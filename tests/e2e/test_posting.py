"""Every board is posted exactly once, calls those newly due and no others, and survives Discord's bad moments."""

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


async def test_the_first_board_calls_everybody_and_the_others_those_newly_due(room: Room):
    board = await room.game("Ana", "Ben", "Caro")
    assert ("Ana", "Ben", "Caro") == board.pinged
    await confirm(room, "Ana")
    board = await room.board(after=board)
    assert ("Ben",) == board.pinged
    assert ("Ben",) == board.mentions


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


async def test_a_board_whose_receipt_is_lost_is_not_posted_again(room: Room):
    board = await room.game("Ana", "Ben", "Caro")
    room.local.fault(post_here(room), 502, after=True)
    await confirm(room, "Ana")
    await room.board(after=board)
    await room.person("Ben").slash("muscat place", market="B")
    await room.onlooker.expect("Choose one action")
    assert ["muscat-4.png", "muscat-6.png", "muscat-9.png"] == room.boards


async def test_the_mover_is_told_when_the_channel_is_closed_and_the_move_is_kept(room: Room):
    await room.game("Ana", "Ben", "Caro")
    ana, ben = room.people("Ana", "Ben")
    room.local.forbid(room.channel, "SEND_MESSAGES")
    await confirm(room, "Ana")
    message = await ana.expect("Your move is saved")
    assert message.ephemeral
    assert ["muscat-4.png"] == room.boards
    assert ben.mention in await ben.slash("game board")
    room.local.permit(room.channel, "SEND_MESSAGES")
    board = await room.onlooker.expect("starts on 1A")
    assert (ben.name,) == board.pinged


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
