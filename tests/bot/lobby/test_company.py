"""Company at a table: blocks that bring no two together and tell nothing, and tables not everyone may join."""

from __future__ import annotations

import json
import re

import discord
import pytest

from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.desk import Desk
from tests.bot.forging import forge_row
from tests.bot.moderating import begin
from tests.bot.refusing import CHANNEL, NOON
from tests.bot.test_job_results import sent
from tests.e2e.robots import BOARD
from tests.e2e.rooms import Room, play_move, start_game, tap_more

GAME, OPEN = "sealed", "toll"
NOT_POSSIBLE = "That’s not possible here."


@pytest.fixture
def room(app: App) -> Room:
    return app.room()


async def block(person: Player, name: str) -> Seen:
    """Block a member by the list of the server. Returns the page."""
    page = await person.tap("Blocked players", on=await person.slash("me settings"))
    return await person.choose(name, on=page)


def seated_names(app: App, match: int = 1) -> list[str]:
    rows = app.query("SELECT name FROM seat_history WHERE match_id = ? AND until IS NULL ORDER BY seat", match)
    return [name for (name,) in rows]


def refusal(seen: Seen | None) -> str:
    """The text of a private refusal, which must have no controls."""
    assert seen is not None
    assert seen.ephemeral
    assert not seen.labels
    assert not seen.menus
    return seen.text


either_way = pytest.mark.parametrize("blocker", ["Ana", "Ben"])


async def has_blocked(room: Room, blocker: str) -> None:
    """Make `blocker`, Ana or Ben, block the other; nothing that follows depends on which of them."""
    ana, ben = room.people("Ana", "Ben")
    await (block(ana, "Ben") if blocker == "Ana" else block(ben, "Ana"))


# --- blocks ---


@either_way
async def test_a_block_keeps_both_players_from_each_others_tables_and_gives_no_reason(
    app: App, room: Room, blocker: str
) -> None:
    await has_blocked(room, blocker)
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    await ana.slash("table new", game=GAME)
    for refused in (await ben.tap("Join"), await ben.slash("game join")):
        assert NOT_POSSIBLE == refusal(refused)
    await caro.tap("Join")
    assert ["Ana", "Caro"] == seated_names(app)


@either_way
async def test_an_invitation_across_a_block_looks_the_same_and_pings_only_the_other_guests(
    app: App, room: Room, blocker: str
) -> None:
    await has_blocked(room, blocker)
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    await ana.slash("table new", game=GAME)
    answer = await ana.slash("table invite", who="Ben", who2="Caro")
    assert f"Invited: {ben.mention} and {caro.mention}." == refusal(answer)
    calling = await room.onlooker.expect("invites you")
    assert ("Caro",) == calling.pinged
    assert ben.mention in calling
    assert NOT_POSSIBLE == refusal(await ben.tap("Join", on=calling))
    assert "within the last hour" in refusal(await ana.slash("table invite", who="Ben"))


async def test_a_host_cannot_detect_a_block(app: App, room: Room) -> None:
    """Ana and everyone else see no difference between Ben, after his block of her, and Caro."""
    ben, caro = room.people("Ben", "Caro")
    await block(ben, "Ana")
    results = []
    for guest in (ben, caro):
        place = app.room()
        host = place.person("Ana")
        await host.slash("table new", game=GAME, invite=guest.name)
        again = await host.slash("table invite", who=guest.name)
        later = await host.slash("table new", game=GAME)
        everything = [*place.public, again.text, later.text]
        results.append(json.dumps(everything).replace(guest.mention, "guest"))
    assert_same_but_for_luck(*results)
    assert [] == ben.pings
    assert len(caro.pings) == 1


def assert_same_but_for_luck(*shown: str) -> None:
    one, other = (re.sub("[0-9a-f]{12,}", "", text) for text in shown)
    assert one == other


@either_way
async def test_an_invitation_does_not_ping_a_guest_blocked_by_any_player_at_the_table(room: Room, blocker: str) -> None:
    """The host, Caro, has nothing to do with it."""
    await has_blocked(room, blocker)
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    await caro.slash("table new", game=GAME)
    await ana.tap("Join")
    await caro.slash("table invite", who="Ben")
    assert () == (await room.onlooker.expect("invites you")).pinged
    assert NOT_POSSIBLE == refusal(await ben.tap("Join"))


@either_way
async def test_a_rematch_pings_and_seats_only_players_without_a_block(app: App, room: Room, blocker: str) -> None:
    await begin(room, "Ana", "Ben", "Caro", game=GAME)
    await has_blocked(room, blocker)
    await finish(room)
    reply = await room.person("Ana").tap("Rematch")
    assert ["Caro", "Ana"] == seated_names(app, 2)
    assert ("Caro",) == reply.pinged
    assert NOT_POSSIBLE == refusal(await room.person("Ben").tap("Join"))


async def finish(room: Room) -> None:
    """Play the three rounds of a game of Ana, Ben and Caro to the end."""
    for _ in range(3):
        for coins, name in enumerate(("Ana", "Ben", "Caro")):
            await play_move(room.person(name), "sealed bid", coins=str(coins))
    await room.onlooker.expect("wins!")


@either_way
async def test_a_rematch_by_a_third_player_seats_neither_of_two_with_a_block(
    app: App, room: Room, blocker: str
) -> None:
    await begin(room, "Ana", "Ben", "Caro", game=GAME)
    await has_blocked(room, blocker)
    await finish(room)
    response = await room.person("Caro").tap("Rematch")
    assert (["Caro"], ()) == (seated_names(app, 2), response.pinged)
    await room.person("Ben").tap("Join")
    assert NOT_POSSIBLE == refusal(await room.person("Ana").tap("Join"))


@either_way
async def test_a_block_does_not_stop_a_running_game_and_its_players_can_return(
    app: App, room: Room, blocker: str
) -> None:
    await begin(room, "Ana", "Ben", "Caro", "Gil", game="lay")
    await lay(room, "Ben")
    await has_blocked(room, blocker)
    ben = room.person("Ben")
    await resign(ben)
    assert "now playing" in await ben.slash("game join")
    assert ["Ana", "Ben", "Caro", "Gil"] == seated_names(app)


@either_way
async def test_a_free_seat_never_seats_two_players_with_a_block(app: App, room: Room, blocker: str) -> None:
    await begin(room, "Ana", "Caro", "Dan", "Gil", game="lay")
    await has_blocked(room, blocker)
    await lay(room, "Caro")
    await resign(room.person("Caro"))
    offer = await room.person("Ana").slash("table seats")
    assert NOT_POSSIBLE == refusal(await room.person("Ben").tap("Take this seat", on=offer))
    assert "now playing" in await room.person("Eva").tap("Take this seat", on=offer)


async def lay(room: Room, name: str) -> None:
    (_, card), *_ = await room.person(name).suggest("lay lay", "card")
    await play_move(room.person(name), "lay lay", card=card)


async def resign(person: Player) -> None:
    await person.tap("Resign", on=await person.slash("game leave"))


async def test_blocking_a_player_leaves_only_the_shared_lobby(app: App, room: Room) -> None:
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    elsewhere = app.room()
    await elsewhere.person("Dan").slash("table new", game=GAME)
    await elsewhere.person("Ben").tap("Join")
    await ana.slash("table new", game=GAME)
    await ben.tap("Join")
    await caro.tap("Join")
    people = await tap_more(ben, "Block a player")
    assert ["Ana", "Caro"] == [option.label for option in people.menus[0].options]
    page = await ben.choose("Ana", on=people)
    assert f"You have blocked {ana.mention}" in page
    assert [["Dan", "Ben"], ["Ana", "Caro"]] == [seated_names(app, match) for match in (1, 2)]
    assert [] == ana.pings, "nothing is said of it"


async def test_a_block_made_in_another_process_prevents_the_start(app: App, room: Room) -> None:
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game=OPEN)
    await ben.tap("Join")
    row = (ben.id, "of Ana", ana.id, "Ana", "2026-01-01T00:00:00.000000+00:00")
    await app.change("INSERT INTO blocks (user_id, digest, blocked_id, name, at) VALUES (?, ?, ?, ?, ?)", *row)
    for person in (ana, ben):
        assert NOT_POSSIBLE == refusal(await person.tap("Start"))


async def test_the_log_offers_current_and_former_opponents_to_block(app: App, room: Room) -> None:
    await begin(room, "Ana", "Ben", "Caro", game=OPEN)
    caro, ana = room.people("Caro", "Ana")
    log = await ana.slash("game log")
    await caro.tap("Resign", on=await caro.slash("game leave"))
    people = await ana.tap("Block a player", on=log)
    assert {"Ben", "Caro"} == {option.label for option in people.menus[0].options}
    assert "Caro" in [option.label for option in (await ana.choose("Caro", on=people)).menus[-1].options]
    forged = await forge_row(app, ana, people, people.menus[0].custom_id, str(room.person("Dan").id))
    assert "I don’t know this player" in forged


async def test_only_the_blocking_player_can_unblock(app: App, room: Room) -> None:
    ana, ben = room.people("Ana", "Ben")
    page = await block(ana, "Ben")
    unblock = page.menus[-1]
    assert "You haven’t blocked" in await forge_row(app, ben, page, unblock.custom_id, unblock.options[0].value)
    await ben.slash("table new", game=GAME)
    assert NOT_POSSIBLE == refusal(await ana.tap("Join"))
    screen = await ana.choose("Ben", on=page, menu=1)
    assert "You haven’t blocked anyone" in screen
    await ana.tap("Join")
    assert ["Ben", "Ana"] == seated_names(app)


async def test_unblocking_a_player_keeps_all_other_blocks(app: App, room: Room) -> None:
    ana, *others = room.people("Ana", "Ben", "Caro", "Dan")
    for other in others:
        page = await block(ana, other.name)
    page = await ana.choose("Caro", on=page, menu=1)
    assert ["Ben", "Dan"] == sorted(option.label for option in page.menus[-1].options)
    assert ["Ben", "Dan"] == [name for (name,) in app.query("SELECT name FROM blocks ORDER BY name")]


async def test_players_cannot_block_themselves_or_more_than_a_hundred_players(app: App, room: Room) -> None:
    ana = room.person("Ana")
    assert "You can’t block yourself" in await block(ana, "Ana")
    rows = [(ana.id, f"{n}", 10_000 + n, f"P{n:02}", "2026-01-01T00:00:00.000000+00:00") for n in range(100)]
    app.write("INSERT INTO blocks (user_id, digest, blocked_id, name, at) VALUES (?, ?, ?, ?, ?)", rows)
    assert "You have blocked 100 players, which is the limit" in await block(ana, "Ben")
    page = await ana.tap("Blocked players", on=await ana.slash("me settings"))
    names = set()
    for _ in range(4):
        names |= {option.label for option in page.menus[-1].options}
        page = await ana.tap("More names", on=page)
    assert names == {f"P{n:02}" for n in range(100)}
    page = await ana.choose(page.menus[-1].options[0].label, on=page, menu=1)
    assert "You have blocked 99 players" in page
    for _ in range(2):  # blocked again, Ben takes no more room
        assert "They won’t be told" in await block(ana, "Ben")


async def test_blocks_are_shown_and_removed_in_a_direct_message(app: App, room: Room) -> None:
    ana = room.person("Ana")
    await block(ana, "Ben")
    direct = ana.in_dm()
    page = await direct.tap("Blocked players", on=await direct.slash("me settings"))
    (menu,) = page.menus
    assert ["Ben"] == [option.label for option in menu.options]
    assert "You haven’t blocked anyone" in await direct.choose("Ben", on=page)


# --- on request, by invitation ---


async def restricted_table(room: Room, how: str) -> Player:
    """A table of Ana's that not everyone may join."""
    ana = room.person("Ana")
    await ana.slash("table new", game=GAME, join=how)
    return ana


async def test_at_an_on_request_table_the_host_accepts_or_declines(app: App, room: Room) -> None:
    ana = await restricted_table(room, "On request")
    ben, caro = room.people("Ben", "Caro")
    assert "On request: the host lets people in." in room.onlooker.last
    assert "You’ve asked for a seat" in refusal(await ben.tap("Ask to join"))
    message = await room.onlooker.expect("is asking to join")
    assert ("Ana",) == message.pinged
    assert "The host, " in refusal(await ben.slash("game join"))
    for person in (ben, caro):
        assert "Only the host" in refusal(await person.tap("Let in", on=message))
        assert "Only the host" in refusal(await person.tap("Decline", on=message))
    assert ["Ana"] == seated_names(app)
    await ana.tap("Let in", on=message)
    assert ["Ana", "Ben"] == seated_names(app)
    await room.onlooker.until(lambda: "is at the table now" in room.onlooker.look(message), what="the answer")
    assert "This request has already been answered" in refusal(await ana.tap("Let in", on=message))
    await caro.tap("Ask to join")
    second = await room.onlooker.expect("is asking to join")
    await ana.tap("Decline", on=second)
    await room.onlooker.until(lambda: "has answered <@" in room.onlooker.look(second), what="the answer")
    assert "The host hasn’t let you in" in refusal(await caro.tap("Ask to join"))
    assert "This request has already been answered" in refusal(await ana.tap("Let in", on=second))
    assert ["Ana", "Ben"] == seated_names(app)
    await start_game(ana, ben)
    await room.onlooker.expect(BOARD)
    assert [] == app.query("SELECT * FROM join_requests")
    taps = "SELECT interaction_id FROM seat_history ORDER BY seat"
    assert all(interaction for (interaction,) in app.query(taps)), "a part of the proof of the luck"


async def test_who_is_let_in_belongs_to_the_thread_of_the_table(room: Room) -> None:
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game=GAME, join="On request", where="thread")
    inside = Room(room.local, "Sealed Bids with Ana")
    await inside.onlooker.expect("On request: the host lets people in.")
    await inside.person("Ben").tap("Ask to join")
    thread = room.local.channel(inside.channel)
    assert ben.id not in thread.members
    await inside.person("Ana").tap("Let in", on=await inside.onlooker.expect("is asking to join"))
    await inside.onlooker.until(lambda: ben.id in thread.members, what="Ben to belong to it")


@either_way
async def test_a_request_to_join_across_a_block_looks_normal_and_cannot_be_accepted(
    app: App, room: Room, blocker: str
) -> None:
    await has_blocked(room, blocker)
    ana = await restricted_table(room, "On request")
    assert "You’ve asked for a seat" in refusal(await room.person("Ben").tap("Ask to join"))
    posted = await room.onlooker.expect("is asking to join")
    assert ((), ["Let in", "Decline"]) == (posted.pinged, posted.labels)
    assert NOT_POSSIBLE == refusal(await ana.tap("Let in", on=posted))
    assert ["Ana"] == seated_names(app)


async def test_an_invite_only_table_seats_guests_until_they_are_removed(app: App, room: Room) -> None:
    ana = await restricted_table(room, "By invitation")
    ben, caro = room.people("Ben", "Caro")
    assert "By invitation: the host invites people." in room.onlooker.last
    assert "Only people the host invites" in refusal(await ben.tap("Join"))
    await ana.slash("table invite", who="Ben")
    await ben.tap("Join")
    await caro.slash("game join")
    assert ["Ana", "Ben"] == seated_names(app)
    await ana.tap("🟦 Ben", on=await tap_more(ana, "Remove"))
    assert "Only people the host invites" in refusal(await ben.slash("game join"))


async def test_only_the_host_chooses_who_can_join(app: App, room: Room) -> None:
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game=GAME)
    await ben.tap("Join")
    page = await tap_more(ana, "Invite")
    screen = await ana.choose("By invitation", on=page, menu=1)
    assert "By invitation" in [option.label for option in screen.menus[1].options if option.chosen]
    menu = page.menus[1].custom_id
    assert "Only the host" in await forge_row(app, ben, page, menu, "anyone")
    assert "That choice is no longer available" in await forge_row(app, ana, page, menu, "nobody")
    assert "Only people the host invites" in refusal(await room.person("Caro").slash("game join"))
    assert [("invitation",)] == app.query("SELECT admits FROM matches")


async def test_a_rematch_stays_invite_only_and_its_players_can_return(app: App, room: Room) -> None:
    ana = await restricted_table(room, "By invitation")
    await ana.slash("table invite", who="Ben", who2="Caro")
    people = room.people("Ben", "Caro")
    for person in people:
        await person.slash("game join")
    await start_game(ana, *people)
    await room.onlooker.expect(BOARD)
    await finish(room)
    await people[0].tap("Rematch")
    await tap_more(people[1], "Leave")
    assert "Only people the host invites" in refusal(await room.person("Dan").slash("game join"))
    await people[1].slash("game join")
    assert "Caro" in seated_names(app, 2)


async def test_a_request_refused_by_discord_can_be_repeated(app: App, room: Room) -> None:
    await restricted_table(room, "On request")
    ben = room.person("Ben")
    app.local.fault("POST /channels/*/messages", 403, code=50013)
    assert "Nobody was asked" in refusal(await ben.tap("Ask to join"))
    assert "You’ve asked for a seat" in refusal(await ben.tap("Ask to join"))


async def test_a_moderator_who_invites_pings_nobody_across_a_block_of_their_own(desk: Desk) -> None:
    moderator, blocked, other = 75, 72, 73
    table = await desk.home.lobby()
    await desk.home.store.blocks.add(blocked, moderator, "Eva", NOON)
    may = discord.Permissions(manage_messages=True)
    await desk.tap(moderator, f"guests:{table.id}:0:", str(blocked), str(other), permissions=may)
    assert f"POST /channels/{CHANNEL}/messages @{other}" == sent(desk.home)[0][0]
    assert {blocked, other} == set(table.invited), "both are named"
