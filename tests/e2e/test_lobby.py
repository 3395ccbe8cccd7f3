"""Lobbies before the game: seats, options, and obstacles to a start."""

from __future__ import annotations

import pytest

from playground.player import Seen
from playground.world import Channel, ChannelKind
from tests.e2e.rooms import GAME, TITLE, Room, tap_more


def lobby_of(room: Room) -> Seen:
    return next(seen for seen in room.onlooker.messages if seen.text.startswith(f"## {TITLE}"))


def seats(room: Room) -> list[str]:
    """The lines of the lobby that name who sits where."""
    return [line for line in lobby_of(room).text.splitlines() if "<@" in line or "Tumbleweed" in line]


async def test_a_new_table_seats_its_host_and_pings_no_user(room: Room):
    message = await room.lobby("Ana")
    assert 1 == len(seats(room))
    assert room.person("Ana").mention in seats(room)[0]
    assert "2 more needed" in message
    assert () == message.pinged
    assert "Start" not in message.labels


async def test_players_are_seated_in_the_order_they_join(room: Room):
    await room.lobby("Ana", "Ben", "Caro")
    assert [person.mention in line for person, line in zip(room.people("Ana", "Ben", "Caro"), seats(room), strict=True)]
    assert "Start" in lobby_of(room).labels


async def test_a_player_cannot_join_twice(room: Room):
    await room.lobby("Ana", "Ben")
    for answer in (await room.person("Ben").tap("Join"), await room.person("Ben").slash("game join")):
        assert "already at this table" in answer
        assert answer.ephemeral
    assert 2 == len(seats(room))


async def test_a_full_table_accepts_no_player(room: Room):
    before = await room.lobby("Ana", "Ben")
    for _ in range(3):
        await room.person("Ana").tap("Add computer")
    assert {"Join", "Add computer"}.isdisjoint(lobby_of(room).labels)
    for answer in (
        await room.person("Caro").tap("Join", on=before),
        await room.person("Caro").slash("game join"),
        await room.person("Ana").tap("Add computer", on=before),
    ):
        assert "full" in answer
        assert answer.ephemeral
    assert 5 == len(seats(room))


async def test_a_join_delivered_twice_seats_the_player_once(room: Room):
    await room.lobby("Ana", "Ben")
    before = room.public
    await room.repeat()
    assert before == room.public


async def test_a_host_who_leaves_hands_over_the_table(room: Room):
    await room.lobby("Ana", "Ben", "Caro")
    await tap_more(room.person("Ana"), "Leave")
    await room.onlooker.until(lambda: len(seats(room)) == 2)
    assert [person.mention in line for person, line in zip(room.people("Ben", "Caro"), seats(room), strict=True)]
    assert "Only the host" in await room.person("Caro").slash("table options")
    assert (await room.person("Ben").slash("table options")).menus


async def test_the_last_player_to_leave_frees_the_channel(room: Room):
    await room.lobby("Ana", computers=1)
    await tap_more(room.person("Ana"), "Leave")
    await room.onlooker.expect("free again")
    assert [] == lobby_of(room).labels
    assert "2 more needed" in await room.person("Ben").slash("table new", game=GAME)


async def test_the_host_removes_the_chosen_player(room: Room):
    await room.lobby("Ana", "Ben", "Caro")
    screen = await tap_more(room.person("Ana"), "Remove")
    await room.person("Ana").tap(screen.labels[1], on=screen)
    await room.onlooker.until(lambda: len(seats(room)) == 2)
    assert not any(room.person("Ben").mention in line for line in seats(room))


async def test_an_outdated_list_never_removes_another_player(room: Room):
    await room.lobby("Ana", "Ben", "Caro")
    screen = await tap_more(room.person("Ana"), "Remove")
    await room.person("Ben").slash("game leave")
    answer = await room.person("Ana").tap(screen.labels[1], on=screen)
    assert "Done" not in answer
    assert "You’ve left" in await room.person("Caro").slash("game leave"), "she was still at the table"


def start_player(shown: Seen) -> tuple[int, list[str]]:
    """The number and the labels of the menu that asks who begins."""
    menus = [[option.label for option in menu.options] for menu in shown.menus]
    return next((number, labels) for number, labels in enumerate(menus) if "First player" in labels[0])


async def test_a_chosen_option_is_kept_shown_and_used(room: Room):
    await room.lobby("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    reply = await ana.slash("table options")
    number, options = start_player(reply)
    page = await ana.choose(options[1], on=reply, menu=number)
    assert [options[1]] == [option.label for option in page.menus[number].options if option.chosen]
    await room.onlooker.until(lambda: options[1] in lobby_of(room).text)
    await ana.tap("Start")
    assert room.person("Ben").mention in await room.board()


async def test_incompatible_options_are_refused_with_an_explanation(room: Room):
    await room.lobby("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    response = await ana.slash("table options")
    number, options = start_player(response)
    answer = await ana.choose(options[-1], on=response, menu=number)
    assert answer.ephemeral
    assert "cannot begin" in answer
    assert options[-1] not in lobby_of(room).text


async def test_a_start_with_too_few_players_is_refused_with_an_explanation(room: Room):
    before = await room.lobby("Ana", "Ben", "Caro")
    await room.person("Caro").slash("game leave")
    await room.onlooker.until(lambda: len(seats(room)) == 2)
    assert "Start" not in lobby_of(room).labels
    for answer in (await room.person("Ana").tap("Start", on=before), await room.person("Ana").slash("table start")):
        assert answer.ephemeral
        assert "3 to 5 players" in answer
    assert 2 == len(seats(room))
    assert [] == room.boards


async def test_a_start_delivered_twice_begins_one_game(room: Room):
    await room.game("Ana", "Ben", "Caro")
    await room.repeat()
    assert ["muscat-4.png"] == room.boards


async def test_the_lobby_buttons_explain_that_the_game_has_begun(room: Room):
    lobby = await room.lobby("Ana", "Ben", "Caro")
    await room.person("Ana").tap("Start")
    await room.board()
    before = room.public
    for name, label in (("Dan", "Join"), ("Ben", "More"), ("Ana", "Add computer"), ("Ana", "Start")):
        answer = await room.person(name).tap(label, on=lobby)
        assert answer.ephemeral
        assert "begun" in answer
    assert before == room.public


async def test_an_unknown_game_is_refused_with_a_list_of_existing_ones(room: Room):
    answer = await room.person("Ana").slash("table new", game="chess")
    assert answer.ephemeral
    assert TITLE in answer
    assert [] == room.public


def open_thread(room: Room) -> Room:
    parent = room.local.channel(room.channel)
    world = room.local.discord.world
    name = f"{room.channel}-thread"
    thread = Channel(world.ids.next(), name, kind=ChannelKind.PUBLIC_THREAD, parent_id=parent.id, owner_id=world.bot.id)
    room.local.discord.open_channel(thread)
    return Room(room.local, name)


async def test_a_direct_message_explains_how_to_invite_the_bot_and_shows_the_rules(room: Room):
    ana = room.person("Ana").in_dm()
    for command in ("game join", "game board", "muscat draw"):
        assert "There’s no game" in await ana.slash(command)
    assert "invite me to a server" in await ana.slash("table new", game=GAME)
    await ana.slash("game leave")
    page = await ana.slash("game rules", game=GAME)
    assert "Rules of Muscat" in page
    assert "### 2 The city" in await ana.choose("2 The city", on=page)
    assert [] == await ana.suggest("muscat place", "market")


PERMISSION_LABELS = {
    "VIEW_CHANNEL": "View Channel",
    "SEND_MESSAGES": "Send Messages",
    "ATTACH_FILES": "Attach Files",
}


@pytest.mark.parametrize("permission", PERMISSION_LABELS)
async def test_a_missing_permission_is_named_before_a_table_is_set_up(room: Room, permission):
    room.local.forbid(room.channel, permission)
    answer = await room.person("Ana").slash("table new", game=GAME)
    assert answer.ephemeral
    assert PERMISSION_LABELS[permission] in answer
    assert [] == room.public
    room.local.permit(room.channel, permission)
    assert "2 more needed" in await room.person("Ana").slash("table new", game=GAME)


@pytest.mark.parametrize("permission", PERMISSION_LABELS)
async def test_a_permission_lost_before_the_start_is_named_and_nothing_changes(room: Room, permission):
    await room.lobby("Ana", "Ben", "Caro")
    before = room.public
    room.local.forbid(room.channel, permission)
    answer = await room.person("Ana").tap("Start")
    assert answer.ephemeral
    assert PERMISSION_LABELS[permission] in answer
    assert before == room.public
    room.local.permit(room.channel, permission)
    await room.person("Ana").tap("Start")
    await room.board()


async def test_a_thread_requires_the_permission_to_write_in_threads(room: Room):
    thread = open_thread(room)
    room.local.forbid(room.channel, "SEND_MESSAGES_IN_THREADS")
    assert "Send Messages in Threads" in await thread.person("Ana").slash("table new", game=GAME)
    room.local.permit(room.channel, "SEND_MESSAGES_IN_THREADS")
    room.local.forbid(room.channel, "SEND_MESSAGES")
    assert "2 more needed" in await thread.person("Ana").slash("table new", game=GAME)


async def test_the_host_calls_a_game_off_after_confirming(room: Room):
    board = await room.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    question = await ana.slash("table end")
    assert question.ephemeral
    before = room.public
    await ana.tap("Cancel", on=question)
    assert before == room.public
    await ana.slash("table end")
    await ana.tap("End it")
    await room.onlooker.expect("called off by")
    await room.onlooker.until(lambda: not room.onlooker.look(board).labels)
    assert "called off" in await room.person("Ben").tap("Your move", on=board)
    assert "2 more needed" in await room.person("Ben").slash("table new", game=GAME)


async def test_a_repeated_end_request_announces_the_end_once(room: Room):
    await room.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    question = await ana.slash("table end")
    await ana.tap("End it", on=question)
    await room.onlooker.expect("called off by")
    assert "called off" in await ana.tap("End it", on=question)
    assert 1 == sum("called off by" in seen for seen in room.onlooker.messages)


async def test_a_host_who_resigns_hands_over_the_table(room: Room):
    await room.game("Ana", "Ben", "Caro")
    await room.person("Ana").slash("game leave")
    await room.person("Ana").tap("Resign")
    await room.onlooker.expect("a computer takes over")
    assert "Only the host" in await room.person("Caro").slash("table end")
    assert (await room.person("Ben").slash("table end")).labels


async def test_a_table_is_closed_when_its_last_player_resigns(room: Room):
    board = await room.game("Ana", computers=2)
    await room.person("Ana").slash("game leave")
    await room.person("Ana").tap("Resign")
    await room.onlooker.expect("it is closed")
    await room.onlooker.until(lambda: not room.onlooker.look(board).labels)
    assert "2 more needed" in await room.person("Ana").slash("table new", game=GAME)
