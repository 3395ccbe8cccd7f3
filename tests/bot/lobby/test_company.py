"""Company at a table: blocks that bring no two together and tell nothing, and tables not everyone may join."""

from __future__ import annotations

import re
from collections.abc import Collection
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.lobby import new_table, substitutes
from bot.features.lobby.inviting import invite_named
from bot.store.blocks import MAX_BLOCKS
from bot.store.matches import Admission, SeatHolder, Status
from bot.tables.table import Table
from tests.bot.desk import NAMES, PUBLIC, Desk
from tests.bot.outcomes import sent
from tests.bot.refusing import CHANNEL, GUEST, HOST, NOON, House, refusal
from tests.engine.toys.sealed import Bid

ANA, BEN, CARO, DAN, EVA, GIL = HOST, GUEST, 72, 73, 75, 76
NOT_POSSIBLE = [["new private", "That’s not possible here."]]
INVITED_ONLY = [["new private", "Only people the host invites can join this table."]]


@pytest.fixture
def home(home: House) -> House:
    home.let_make_events()
    home.add_channel(CHANNEL)
    return home


def holder(user_id: int) -> SeatHolder:
    return SeatHolder(user_id, name=NAMES.get(user_id, "Dan"))


async def lobby(home: House, *people: int, channel_id: int = CHANNEL, game: str = "sealed", **row: Any) -> Table:
    """A table of these people; the first one is its host."""
    return await home.lobby(channel_id, *map(holder, people), game=game, host_id=people[0], **row)


async def begin(home: House, *people: int, game: str, **row: Any) -> Table:
    """A game of these people, with its board posted."""
    return await home.posted(CHANNEL, *map(holder, people), game=game, **row)


async def finish(home: House, table: Table) -> None:
    """Play the only round of a game of Sealed Bids to its end."""
    for coins, user_id in enumerate(table.people):
        await home.services.moves.play(table, user_id, Bid(coins), interaction_id=user_id, version=None)
    assert Status.OVER is table.row.status


async def block(desk: Desk, user_id: int, other: int, **columns: Any) -> str:
    """Block a member by the list of the server. Returns the page."""
    ((_, *lines),) = await desk.tap(user_id, "block:0:0:", str(other), **columns)
    return "\n".join(lines)


either_way = pytest.mark.parametrize("blocker", [ANA, BEN])


async def has_blocked(desk: Desk, blocker: int) -> None:
    """Make `blocker`, Ana or Ben, block the other; nothing that follows depends on which of them."""
    await block(desk, blocker, BEN if blocker == ANA else ANA)


async def join(desk: Desk, table: Table, user_id: int, control: str = "join") -> list[list[str]]:
    """Tap on *Join* at the message of a table, or below an invitation."""
    return await desk.tap(user_id, f"{control}:{table.id}:0:", message=PUBLIC)


async def invite(desk: Desk, *guests: int) -> list[list[str]]:
    """Invite people by a command of Ana."""
    named = {f"who{n or ''}": SimpleNamespace(id=guest, bot=False) for n, guest in zip((0, 2, 3), guests, strict=False)}
    return await desk.command(ANA, invite_named, **named)


async def rematch(desk: Desk, table: Table, user_id: int) -> tuple[str, Table]:
    """Tap on *Rematch*. Returns the way of the answer with those it mentions, and the new table."""
    ((how, *_),) = await desk.tap(user_id, f"rematch:{table.id}:0:", message=PUBLIC)
    return how, await desk.home.services.tables.at(CHANNEL)


# --- blocks ---


@either_way
async def test_a_block_keeps_both_players_from_each_others_tables_and_gives_no_reason(desk: Desk, blocker: int) -> None:
    table = await lobby(desk.home, ANA)
    await has_blocked(desk, blocker)
    for refused in (await join(desk, table, BEN), await desk.command(BEN, substitutes.join)):
        assert NOT_POSSIBLE == refused
    await join(desk, table, CARO)
    assert (ANA, CARO) == table.people


@either_way
async def test_an_invitation_across_a_block_looks_the_same_and_pings_only_the_other_guests(
    desk: Desk, blocker: int
) -> None:
    table = await lobby(desk.home, ANA)
    await has_blocked(desk, blocker)
    assert [["new private", f"Invited: <@{CARO}> and <@{BEN}>."]] == await invite(desk, BEN, CARO)
    ((head, words, *_),) = sent(desk.home)
    assert f"POST /channels/{CHANNEL}/messages @{CARO}" == head
    assert words == f"<@{CARO}> and <@{BEN}>: <@{ANA}> invites you to a game of **Sealed Bids**."
    assert NOT_POSSIBLE == await join(desk, table, BEN, "accept")
    ((_, answer),) = await invite(desk, BEN)
    assert "within the last hour" in answer


async def test_a_host_cannot_detect_a_block(desk: Desk) -> None:
    """Ana and everyone else see no difference between Ben, after his block of her, and Caro."""
    await block(desk, BEN, ANA)
    screens, mentions = [], []
    for guest in (BEN, CARO):
        named: Any = SimpleNamespace(id=guest, bot=False)
        ((head, *table),) = await desk.command(ANA, new_table.new, title="sealed", invite=named)
        later = [await invite(desk, guest), await desk.command(ANA, new_table.new, title="sealed")]
        everything = [table, later, sent(desk.home)]
        screens.append(re.sub("[0-9a-f]{12,}", "", str(everything)).replace(str(guest), "guest"))
        mentions.append(head)
        await desk.home.services.seats.end(await desk.home.services.tables.at(CHANNEL), at=NOON)
    assert screens[0] == screens[1]
    assert ["new", f"new @{CARO}"] == mentions


@either_way
async def test_an_invitation_does_not_ping_a_guest_blocked_by_any_player_at_the_table(desk: Desk, blocker: int) -> None:
    """The host, Caro, has nothing to do with it."""
    table = await lobby(desk.home, CARO, ANA)
    await has_blocked(desk, blocker)
    await desk.command(CARO, invite_named, who=SimpleNamespace(id=BEN, bot=False))
    ((head, words, *_),) = sent(desk.home)
    assert (f"POST /channels/{CHANNEL}/messages", True) == (head, words.startswith(f"<@{BEN}>: <@{CARO}> invites you"))
    assert NOT_POSSIBLE == await join(desk, table, BEN)


@either_way
@pytest.mark.parametrize(
    ("host", "seated", "ping", "refused"), [(ANA, (CARO, ANA), f" @{CARO}", ()), (CARO, (CARO,), "", (BEN,))]
)
async def test_a_rematch_pings_and_seats_only_players_without_a_block(
    desk: Desk, blocker: int, host: int, seated: Collection[int], ping: str, refused: Collection[int]
) -> None:
    """At a rematch of a third player neither of the two has a seat; the first of them may take one."""
    table = await begin(desk.home, ANA, BEN, CARO, game="sealed", options={"rounds": 1})
    await has_blocked(desk, blocker)
    await finish(desk.home, table)
    how, again = await rematch(desk, table, host)
    assert (seated, f"new{ping}") == (again.people, how)
    for user_id in refused:
        await join(desk, again, user_id)
    assert NOT_POSSIBLE == await join(desk, again, ANA if refused else BEN)


@either_way
async def test_a_block_does_not_stop_a_running_game_and_its_players_can_return(desk: Desk, blocker: int) -> None:
    table = await begin(desk.home, ANA, BEN, CARO, GIL, game="lay")
    await lay(desk.home, table, BEN)
    await has_blocked(desk, blocker)
    await desk.tap(BEN, f"resign:{table.id}:0:")
    ((_, answer, *_),) = await desk.command(BEN, substitutes.join)
    assert "now playing" in answer
    assert (ANA, BEN, CARO, GIL) == table.people


@either_way
async def test_a_free_seat_never_seats_two_players_with_a_block(desk: Desk, blocker: int) -> None:
    table = await begin(desk.home, ANA, CARO, DAN, GIL, game="lay")
    await has_blocked(desk, blocker)
    await lay(desk.home, table, CARO)
    await desk.tap(CARO, f"resign:{table.id}:0:")
    await desk.command(ANA, substitutes.offer)
    assert NOT_POSSIBLE == await desk.tap(BEN, f"take:{table.id}:0:1", message=PUBLIC)
    ((_, answer, *_),) = await desk.tap(EVA, f"take:{table.id}:0:1", message=PUBLIC)
    assert "now playing" in answer
    assert (ANA, EVA, DAN, GIL) == table.people


async def lay(home: House, table: Table, user_id: int) -> None:
    """Let a player choose the first of their cards."""
    decision = table.require_match().decision_of(table.require_seat(user_id))
    await home.services.moves.play(table, user_id, decision.options[0], interaction_id=user_id, version=None)


async def test_blocking_a_player_leaves_only_the_shared_lobby(desk: Desk) -> None:
    elsewhere, table = await lobby(desk.home, DAN, BEN, channel_id=3), await lobby(desk.home, ANA, BEN, CARO)
    ((_, *lines),) = await desk.tap(BEN, f"blockhere:{table.id}:0:")
    assert [f"  {ANA} Ana", f"  {CARO} Caro"] == [line for line in lines if line.startswith("  ")]
    ((_, answer, *_),) = await desk.tap(BEN, f"blocked:{table.id}:0:", str(ANA))
    assert f"✓ You have blocked <@{ANA}>. They won’t be told." == answer
    assert [(DAN, BEN), (ANA, CARO)] == [elsewhere.people, table.people]
    assert not any("@" in head for head, *_ in sent(desk.home)), "nothing is said of it"


async def test_a_block_made_in_another_process_prevents_the_start(desk: Desk) -> None:
    table = await lobby(desk.home, ANA, BEN, game="toll")
    await desk.home.store.blocks.add(BEN, ANA, "Ana", NOON)
    for user_id in (ANA, BEN):
        assert NOT_POSSIBLE == await desk.tap(user_id, f"start:{table.id}:0:", message=PUBLIC)
    assert Status.LOBBY is table.row.status


async def test_the_log_offers_current_and_former_opponents_to_block(desk: Desk) -> None:
    table = await begin(desk.home, ANA, BEN, CARO, game="toll")
    await desk.tap(CARO, f"resign:{table.id}:0:")
    ((_, *log),) = await desk.tap(ANA, f"log:{table.id}:0:")
    assert "[Block a player blockhere]" in log
    ((_, *lines),) = await desk.tap(ANA, f"blockhere:{table.id}:0:")
    assert {f"  {BEN} Ben", f"  {CARO} Caro"} == {line for line in lines if line.startswith("  ")}
    await desk.tap(ANA, f"blocked:{table.id}:0:", str(CARO))
    assert [CARO] == [one.user_id for one in await desk.home.store.blocks.of(ANA)]
    assert [["new private", "I don’t know this player."]] == await desk.tap(ANA, f"blocked:{table.id}:0:", str(DAN))


async def test_only_the_blocking_player_can_unblock_and_keeps_all_other_blocks(desk: Desk) -> None:
    table, blocks = await lobby(desk.home, BEN), desk.home.store.blocks
    for other in (BEN, CARO, DAN):
        await block(desk, ANA, other)
    (digest,) = [one.digest for one in await blocks.of(ANA) if one.user_id == BEN]
    assert [["new private", "You haven’t blocked this player."]] == await desk.tap(BEN, "unblock:0:0:", digest)
    assert NOT_POSSIBLE == await join(desk, table, ANA)
    await desk.tap(ANA, "unblock:0:0:", digest)
    assert {CARO, DAN} == {one.user_id for one in await blocks.of(ANA)}
    await join(desk, table, ANA)
    assert (BEN, ANA) == table.people


async def test_players_cannot_block_themselves_or_more_than_a_hundred_players(desk: Desk) -> None:
    assert "You can’t block yourself." == await block(desk, ANA, ANA)
    for number in range(MAX_BLOCKS):
        await desk.home.store.blocks.add(ANA, 10_000 + number, "", NOON)
    full = "You have blocked 100 players, which is the limit. Unblock one of them first."
    assert full == await block(desk, ANA, BEN)
    digests = [one.digest for one in await desk.home.store.blocks.of(ANA)]
    ((_, *lines),) = await desk.tap(ANA, "unblock:0:0:", digests[0])
    assert "-# You have blocked 99 players." in lines
    for _ in range(2):  # blocked again, Ben takes no more room
        assert "They won’t be told" in await block(desk, ANA, BEN)


async def test_blocks_are_shown_and_removed_in_a_direct_message(desk: Desk) -> None:
    await block(desk, ANA, BEN)
    (digest,) = [one.digest for one in await desk.home.store.blocks.of(ANA)]
    direct: dict[str, Any] = {"guild_id": None, "guild": None}
    ((_, *lines),) = await desk.tap(ANA, "blocks:0:0:", **direct)
    assert ["Unblock a player: unblock", f"  {digest} somebody"] == lines[-3:-1]
    assert "Block a player: block" not in lines
    ((_, *lines),) = await desk.tap(ANA, "unblock:0:0:", digest, **direct)
    assert "-# You haven’t blocked anyone." in lines


# --- on request, by invitation ---


async def test_at_an_on_request_table_the_host_accepts_or_declines(desk: Desk) -> None:
    home = desk.home
    table = await lobby(home, ANA, admits=Admission.REQUEST)
    await join(desk, table, BEN)
    ((_, answer),) = await desk.command(BEN, substitutes.join)
    assert "The host, " in answer, "it is asked already"
    for user_id in (BEN, CARO):
        for control in ("letin", "decline"):
            ((_, answer),) = await desk.tap(user_id, f"{control}:{table.id}:0:{BEN}", message=PUBLIC)
            assert "Only the host" in answer
    assert (ANA,) == table.people
    ask = {
        person: (request.interaction_id, request.message_id) for person, request in table.facts.join_requests.items()
    }
    answered = [["new private", "This request has already been answered."]]
    await desk.tap(ANA, f"letin:{table.id}:0:{BEN}", message=PUBLIC)
    assert answered == await desk.tap(ANA, f"letin:{table.id}:0:{BEN}", message=PUBLIC)
    await join(desk, table, CARO)
    await desk.tap(ANA, f"decline:{table.id}:0:{CARO}", message=PUBLIC)
    assert [["new private", "The host hasn’t let you in."]] == await join(desk, table, CARO)
    assert answered == await desk.tap(ANA, f"letin:{table.id}:0:{CARO}", message=PUBLIC)
    assert (ANA, BEN) == table.people
    assert ask[BEN][0] == table.row.holders[1].interaction_id > 0, "a part of the proof of the luck"
    for user_id in table.people:
        await home.services.lobbies.note_ready(table, user_id, asked=False)
    await home.services.moves.start(table, 4711)
    assert {} == table.facts.join_requests


async def test_who_is_let_in_belongs_to_the_thread_of_the_table(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    members: list[tuple[int, ...]] = []

    async def add_members(*members_of_thread: int) -> None:
        members.append(members_of_thread)

    monkeypatch.setattr(desk.home.services.channels, "add_members", add_members)
    table = await lobby(desk.home, ANA, admits=Admission.REQUEST, own_thread=True)
    await join(desk, table, BEN)
    assert [] == members
    await desk.tap(ANA, f"letin:{table.id}:0:{BEN}", message=PUBLIC)
    assert [(CHANNEL, BEN)] == members


@either_way
async def test_a_request_to_join_across_a_block_looks_normal_and_cannot_be_accepted(desk: Desk, blocker: int) -> None:
    table = await lobby(desk.home, ANA, admits=Admission.REQUEST)
    await has_blocked(desk, blocker)
    ((how, answer),) = await join(desk, table, BEN)
    assert ("new private", True) == (how, answer.startswith("You’ve asked for a seat."))
    ((head, _, *ways),) = sent(desk.home)
    assert (f"POST /channels/{CHANNEL}/messages", ["[Let in letin 71]", "[Decline decline 71]"]) == (head, ways)
    assert NOT_POSSIBLE == await desk.tap(ANA, f"letin:{table.id}:0:{BEN}", message=PUBLIC)
    assert (ANA,) == table.people


async def test_an_invite_only_table_seats_guests_until_they_are_removed(desk: Desk) -> None:
    table = await lobby(desk.home, ANA, admits=Admission.INVITATION)
    assert INVITED_ONLY == await join(desk, table, BEN)
    await invite(desk, BEN)
    await join(desk, table, BEN)
    assert INVITED_ONLY == await desk.command(CARO, substitutes.join)
    assert (ANA, BEN) == table.people
    await desk.tap(ANA, f"unseat:{table.id}:1:{BEN}")
    assert INVITED_ONLY == await desk.command(BEN, substitutes.join)


async def test_a_guest_removed_from_a_table_on_request_must_ask(desk: Desk) -> None:
    table = await lobby(desk.home, ANA, admits=Admission.REQUEST)
    await invite(desk, BEN)
    await join(desk, table, BEN)
    assert (ANA, BEN) == table.people
    await desk.tap(ANA, f"unseat:{table.id}:1:{BEN}")
    ((_, answer),) = await join(desk, table, BEN)
    assert answer.startswith("You’ve asked for a seat.")
    assert (ANA,) == table.people


async def test_only_the_host_chooses_who_can_join(desk: Desk) -> None:
    table = await lobby(desk.home, ANA, BEN)
    ((_, *lines),) = await desk.tap(ANA, f"admits:{table.id}:0:", "invitation")
    assert ["  *invitation By invitation"] == [line for line in lines if line.startswith("  *")]
    for user_id, value, words in ((BEN, "anyone", "Only the host"), (ANA, "nobody", "no longer available")):
        ((_, answer),) = await desk.tap(user_id, f"admits:{table.id}:0:", value)
        assert words in answer
    assert INVITED_ONLY == await desk.command(CARO, substitutes.join)
    assert Admission.INVITATION is table.row.admits


async def test_a_rematch_stays_invite_only_and_its_players_can_return(desk: Desk) -> None:
    columns = {"admits": Admission.INVITATION, "options": {"rounds": 1}}
    table = await begin(desk.home, ANA, BEN, CARO, game="sealed", **columns)
    await finish(desk.home, table)
    _, again = await rematch(desk, table, BEN)
    await desk.tap(CARO, f"leave:{again.id}:0:", message=PUBLIC)
    assert INVITED_ONLY == await desk.command(DAN, substitutes.join)
    await desk.command(CARO, substitutes.join)
    assert {ANA, BEN, CARO} == {*again.people}


async def test_a_request_refused_by_discord_can_be_repeated(desk: Desk) -> None:
    table = await lobby(desk.home, ANA, admits=Admission.REQUEST)
    desk.home.network.fault = lambda: refusal(403, 50013)
    ((_, answer),) = await join(desk, table, BEN)
    assert answer.endswith("Nobody was asked.")
    desk.home.network.fault = None
    ((_, answer),) = await join(desk, table, BEN)
    assert "You’ll see the host’s answer here" in answer


async def test_a_moderator_who_invites_pings_nobody_across_a_block_of_their_own(desk: Desk) -> None:
    moderator, blocked, other = 75, 72, 73
    table = await desk.home.lobby()
    await desk.home.store.blocks.add(blocked, moderator, "Eva", NOON)
    may = discord.Permissions(manage_messages=True)
    await desk.tap(moderator, f"guests:{table.id}:0:", str(blocked), str(other), permissions=may)
    assert f"POST /channels/{CHANNEL}/messages @{other}" == sent(desk.home)[0][0]
    assert {blocked, other} == set(table.invited), "both are named"
