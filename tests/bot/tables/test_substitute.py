"""A seat of a computer is offered, taken over, or taken back by its former player."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import discord

from bot.features.lobby import substitutes
from bot.features.lobby.substitutes import _seat_label
from bot.features.view import games
from bot.store.matches import SeatHolder
from bot.store.shard_range import NO_SERVER
from bot.tables.seats import holds_secrets
from bot.tables.table import Table
from engine.core import Action
from engine.match import Match
from engine.texts import Seat
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.desk import NAMES, PUBLIC, Desk
from tests.bot.outcomes import sent
from tests.bot.refusing import CHANNEL, GUEST, HOST
from tests.bot.watch import Watch, marks_of
from tests.engine.toys import TOYS
from tests.engine.toys.sealed import Bid
from tests.robots import BOARD
from tests.rooms import Room, choose_first, play_move, start_game

TAKE = "Take this seat"
CARO, EVA, DAN, FAY = 72, 75, 98, 99
COMPUTER = SeatHolder(computer="uniform")
PLAYING_BLUE = "### You’re now playing 🟦 Blue"
KNOWS_ANOTHER = "You’ve seen another seat’s secrets, so you can’t take this one."
NOTICES, OFFER = f"POST /channels/{CHANNEL}/messages", f"PATCH /channels/{CHANNEL}/messages/88"
"""The requests that post something in the channel, and change the message of an offer."""


async def begin(desk: Desk, *people: int, game: str = "lay", computers: int = 0) -> Table:
    """A game of some people whose board was posted."""
    holders = [SeatHolder(user_id, name=NAMES[user_id], interaction_id=1) for user_id in people]
    table = await desk.home.lobby(CHANNEL, *holders, *[COMPUTER] * computers, game=game, ready=[*people])
    await desk.home.services.moves.start(table, 4711)
    await desk.home.services.poster.post(table)
    sent(desk.home)
    return table


async def play(desk: Desk, table: Table, user_id: int, action: Action | None = None) -> None:
    """Play an action, or the first option."""
    match = table.require_match()
    chosen = action or match.decision_of(table.require_seat(user_id)).options[0]
    await desk.home.services.moves.play(table, user_id, chosen, interaction_id=match.version, version=None)


async def resign(desk: Desk, user_id: int, table: Table) -> str:
    """Leave a game. Returns the answer."""
    ((_, answer),) = await desk.tap(user_id, f"resign:{table.id}:0:")
    return answer


async def offer(desk: Desk, user_id: int = HOST, **columns: Any) -> list[str]:
    """Offer seats. Returns the answer."""
    (answer,) = await desk.command(user_id, substitutes.offer, **columns)
    return answer


async def take(desk: Desk, user_id: int, table: Table, seat: int = 1) -> list[str]:
    """Take a seat. Returns the lines of the answer."""
    (answer, *_) = await desk.tap(user_id, f"take:{table.id}:0:{seat}", message=PUBLIC)
    return answer


async def come_back(desk: Desk, user_id: int) -> str:
    (answer, *_) = await desk.command(user_id, substitutes.join)
    return "\n".join(answer)


async def offer_seat(desk: Desk) -> Table:
    """Let Ben lay a card and leave the game of Ana, Caro and Eva, and Ana offer that seat."""
    table = await begin(desk, HOST, GUEST, CARO, EVA)
    await play(desk, table, GUEST)
    await resign(desk, GUEST, table)
    await offer(desk)
    return table


def holders_of(table: Table, seat: int) -> list[int | None]:
    """Return all users of a seat, beginning with the first."""
    before = [sat.holder.user_id for sat in table.row.past_holders if sat.seat == seat]
    return [*before, table.row.holders[seat].user_id]


async def test_an_offered_seat_is_announced_and_can_be_taken(desk: Desk) -> None:
    table = await begin(desk, HOST, GUEST, CARO, EVA)
    await play(desk, table, GUEST)
    await resign(desk, GUEST, table)
    notice = f"🟦 <@{GUEST}> has left the game; a computer takes over the seat."
    assert [NOTICES, notice, "-# `/table seats` offers it to somebody else."] in sent(desk.home), "without a ping"
    how, _, line, *_ = await offer(desk)
    assert ("new", "🟦 Tumbleweed, a computer, plays in place of Ben.") == (how, line)
    answer = await take(desk, DAN, table)
    assert ["new private", PLAYING_BLUE] == answer[:2]
    assert any("You have laid" in line for line in answer), "what has happened is told"
    assert ["a.png"] == [file.filename for file in desk.files]
    requests = sent(desk.home)
    assert [NOTICES, f"🟦 <@{DAN}> takes over from the computer."] in requests
    assert [OFFER, "-# This offer is over: the seat is taken."] in requests
    assert [GUEST, DAN] == holders_of(table, 1)
    assert "You hold" in str(await desk.command(DAN, games.show_log))


async def test_only_one_of_two_simultaneous_taps_gets_the_seat(desk: Desk) -> None:
    table = await offer_seat(desk)
    answers = await asyncio.gather(*(take(desk, user_id, table) for user_id in (DAN, FAY)))
    texts = ["\n".join(answer) for answer in answers]
    assert 1 == sum(PLAYING_BLUE in text for text in texts)
    assert 1 == sum("already has this seat" in text for text in texts)
    assert 2 == len(holders_of(table, 1))


async def test_only_one_of_a_new_and_a_returning_player_gets_the_seat(desk: Desk) -> None:
    table = await offer_seat(desk)
    answers = await asyncio.gather(take(desk, DAN, table), come_back(desk, GUEST))
    assert 1 == sum(PLAYING_BLUE in "\n".join(answer) for answer in answers)
    assert 2 == len(holders_of(table, 1))


async def test_a_player_who_left_may_return_without_an_offer(desk: Desk) -> None:
    table = await begin(desk, HOST, GUEST)
    await play(desk, table, GUEST)
    assert "`/game join`" in await resign(desk, GUEST, table)
    back = await come_back(desk, GUEST)
    assert PLAYING_BLUE in back
    assert "You have laid" not in back, "only what has happened since is told"
    assert [NOTICES, f"🟦 <@{GUEST}> is back and takes over from the computer."] in sent(desk.home)
    assert "You’re already in this game." in await come_back(desk, GUEST)
    assert "none of its seats was yours." in await come_back(desk, DAN)


async def test_a_player_who_left_learns_that_their_seat_is_taken(desk: Desk) -> None:
    table = await offer_seat(desk)
    await take(desk, DAN, table)
    assert "🟦 Dan already has this seat." in await come_back(desk, GUEST)


async def test_a_player_who_left_returns_to_their_seat_with_the_button(desk: Desk) -> None:
    table = await offer_seat(desk)
    assert PLAYING_BLUE in await take(desk, GUEST, table)
    assert "is back" in str(sent(desk.home))


async def test_a_user_who_knows_the_secrets_of_one_seat_cannot_play_another(desk: Desk) -> None:
    table = await offer_seat(desk)
    await resign(desk, CARO, table)
    assert KNOWS_ANOTHER in await take(desk, CARO, table)
    assert "now playing 🟨" in await come_back(desk, CARO)


async def test_seeing_one_hand_bars_a_user_from_other_hands(desk: Desk) -> None:
    table = await begin(desk, HOST, GUEST, computers=2)
    await offer(desk)
    assert "You hold" in str(await take(desk, DAN, table, 2))
    await resign(desk, DAN, table)
    assert DAN not in holders_of(table, 2), "nothing was played"
    assert KNOWS_ANOTHER in await take(desk, DAN, table, 3)
    await offer(desk)
    assert "now playing 🟨" in str(await take(desk, DAN, table, 2)), "the same seat"


async def test_a_forgotten_user_is_still_barred_from_other_hands(desk: Desk) -> None:
    table = await begin(desk, HOST, GUEST, computers=2)
    await offer(desk)
    await take(desk, DAN, table, 3)
    await resign(desk, DAN, table)
    for user_id in (DAN, GUEST):  # Ben has played all the time
        await desk.tap(user_id, "forgetme:0:0:")
    assert {HOST} == {*table.people}
    await offer(desk)
    for user_id in (DAN, GUEST):
        assert KNOWS_ANOTHER in await take(desk, user_id, table, 2)
        assert str(user_id) not in [knower for _, knower in table.facts.known_seats]
    assert "now playing 🟨" in str(await take(desk, FAY, table, 2))


async def test_ending_a_game_clears_its_known_seats(desk: Desk) -> None:
    """The record of users who knew a seat goes with the game."""
    table = await begin(desk, HOST, GUEST, computers=2)
    await offer(desk)
    await take(desk, DAN, table, 2)
    await resign(desk, DAN, table)
    assert [Seat(2)] == [seat for seat, _ in table.facts.known_seats]
    await desk.tap(HOST, f"end:{table.id}:0:")
    assert [] == [*table.facts.known_seats]


async def test_a_game_that_ends_by_its_rules_clears_its_known_seats(desk: Desk) -> None:
    table = await begin(desk, HOST, GUEST, game="sealed")
    await play(desk, table, GUEST, Bid(1))
    await resign(desk, GUEST, table)
    assert [Seat(1)] == [seat for seat, _ in table.facts.known_seats]
    for _ in range(3):
        await play(desk, table, HOST, Bid(3))
    assert (False, frozenset()) == (table.is_open, frozenset(table.facts.known_seats))


async def test_a_user_may_try_several_seats_of_a_game_without_secrets(desk: Desk) -> None:
    table = await begin(desk, HOST, game="muscat", computers=2)
    await offer(desk)
    await take(desk, DAN, table, 1)
    await resign(desk, DAN, table)
    assert "now playing" in str(await take(desk, DAN, table, 2))
    assert [] == [*table.facts.known_seats]


def test_a_seat_has_no_secrets_before_the_deal() -> None:
    spec = TOYS["lay"]
    assert not holds_secrets(Match(spec, spec.setup(2), "seed"), Seat(1))
    assert holds_secrets(Match.begin(spec, spec.setup(2), "seed"), Seat(1))


async def test_only_the_host_a_moderator_or_the_former_player_may_offer_a_seat(desk: Desk) -> None:
    table = await begin(desk, HOST, GUEST, CARO, computers=1)
    for user_id in (GUEST, CARO, DAN):
        assert "Only the host" in str(await offer(desk, user_id))
    await resign(desk, GUEST, table)
    assert f"[{TAKE} take 1]" == (await offer(desk, GUEST))[-1]
    assert {Seat(1)} == table.offer.seats
    manages = discord.Permissions(manage_messages=True)
    for user_id, permissions in ((HOST, discord.Permissions.none()), (FAY, manages)):
        answer = await offer(desk, user_id, permissions=permissions)
        assert ["[Take 🟦 Tumbleweed’s seat take 1]", "[Take 🟢 Tumbleweed’s seat take 3]"] == answer[-2:]
    assert {Seat(1), Seat(3)} == table.offer.seats


async def test_seats_cannot_be_offered_without_a_computer(desk: Desk) -> None:
    await begin(desk, HOST, GUEST)
    assert "There is no computer here whose seat you could take." in await offer(desk)


async def test_the_remaining_seats_of_an_offer_stay_available(desk: Desk) -> None:
    table = await begin(desk, HOST, GUEST, computers=2)
    await offer(desk)
    await take(desk, DAN, table, 2)
    ((*_, button),) = [lines for lines in sent(desk.home) if lines[0] == OFFER]
    assert f"[{TAKE} take 3]" == button
    await take(desk, FAY, table, 3)
    over = [OFFER, "-# This offer is over: the seat is taken."]
    assert [over] == [lines for lines in sent(desk.home) if lines[0] == OFFER]
    assert frozenset() == table.offer.seats


async def test_an_old_offer_is_void_after_the_seat_is_vacated_again(desk: Desk) -> None:
    table = await offer_seat(desk)
    await take(desk, DAN, table)
    await resign(desk, DAN, table)
    assert "This seat is no longer available." in await take(desk, FAY, table)


async def test_seats_of_a_finished_game_cannot_be_taken(desk: Desk) -> None:
    table = await offer_seat(desk)
    await desk.tap(HOST, f"end:{table.id}:0:")
    before = holders_of(table, 1)
    assert "This game was called off." in await take(desk, DAN, table)
    assert "There’s no game" in await come_back(desk, GUEST)
    assert before == holders_of(table, 1)


async def test_a_game_that_ends_during_a_takeover_ends_for_the_new_player_too(desk: Desk) -> None:
    """Whether the last bid or the newcomer was first: a game that is over accepts no player."""
    table = await begin(desk, HOST, GUEST, game="sealed")
    await play(desk, table, GUEST, Bid(1))
    await resign(desk, GUEST, table)
    await offer(desk)
    for _ in range(2):
        await play(desk, table, HOST, Bid(3))
    answer, _ = await asyncio.gather(take(desk, DAN, table), play(desk, table, HOST, Bid(3)))
    await desk.home.services.poster.publish(table)
    (end,) = [lines for lines in sent(desk.home) if "wins!" in str(lines)]
    seated = DAN in holders_of(table, 1)
    assert (PLAYING_BLUE in answer, f"<@{DAN}>" in str(end)) == (seated, seated)
    assert seated or "This game is over." in answer
    assert "This game is over." in await take(desk, FAY, table) or seated


async def test_seats_cannot_be_offered_in_a_direct_message(desk: Desk) -> None:
    await desk.home.match(CHANNEL, SeatHolder(HOST, name="Ana"), COMPUTER, guild_id=NO_SERVER)
    assert "Nobody else can see this channel" in str(await offer(desk))


async def test_a_follower_who_takes_a_seat_stops_following(desk: Desk) -> None:
    table = await offer_seat(desk)
    await desk.tap(DAN, f"follow:{table.id}:0:", message=PUBLIC)
    assert {DAN} == {*table.followers}
    await take(desk, DAN, table)
    assert set() == {*table.followers}
    assert "[Follow" not in str(await desk.command(DAN, games.show))


async def test_log_and_end_card_show_when_players_changed(desk: Desk) -> None:
    table = await begin(desk, HOST, GUEST, game="sealed")
    await play(desk, table, HOST, Bid(3))
    await play(desk, table, GUEST, Bid(1))
    await resign(desk, GUEST, table)
    await play(desk, table, HOST, Bid(3))
    await offer(desk)
    await take(desk, DAN, table)
    await play(desk, table, HOST, Bid(3))
    line = "🟦 Ben until move 2, then the computer until move 5, then Dan"
    assert line in str(await desk.command(HOST, games.show_log, over=True))
    await desk.home.services.poster.publish(table)
    (end,) = [lines for lines in sent(desk.home) if "wins!" in str(lines)]
    assert [f"-# {line}"] == [part for part in end if "Ben until move" in part]


async def test_an_immediate_return_is_not_logged_as_a_change_of_player(desk: Desk) -> None:
    table = await begin(desk, HOST, GUEST, game="jinns")
    (decision, *_) = table.require_match().state.decisions()
    waiting = GUEST if decision.seat == table.seat_of(HOST) else HOST
    await resign(desk, waiting, table)
    await come_back(desk, waiting)
    assert "until move" not in str(await desk.command(waiting, games.show_log))


def test_an_offer_names_the_last_person_who_sat_in_the_seat() -> None:
    holders = [(1, "Ana"), (1, "Ben"), (1, ""), (0, "Caro")]
    former = [SimpleNamespace(seat=seat, holder=SeatHolder(name=name)) for seat, name in holders]
    table: Any = SimpleNamespace(row=SimpleNamespace(past_holders=former))
    assert "in place of Ben" in str(_seat_label(table, Seat(1)))
    assert "is a computer" in str(_seat_label(table, Seat(2)))


# --- with a whole bot ---


async def begin_with_a_whole_bot(app: App, game: str, *names: str, computers: int = 0) -> Room:
    room = app.room()
    host, *others = room.people(*names)
    await host.slash("table new", game=game)
    for person in others:
        await person.tap("Join")
    for _ in range(computers):
        await host.tap("Add computer")
    await start_game(host, *others)
    await room.onlooker.expect(BOARD)
    return room


async def leave(person: Player) -> None:
    await person.tap("Resign", on=await person.slash("game leave"))


async def test_the_newest_board_shows_the_current_player_of_a_seat(app: App) -> None:
    """Ana stays due, so the bot neither posts a new board nor pings her again."""
    room = await begin_with_a_whole_bot(app, "muscat", "Ana", "Ben", "Caro")
    (ana, ben, dan), first = room.people("Ana", "Ben", "Dan"), room.onlooker.last
    await leave(ben)
    message = await room.onlooker.until(lambda: redrawn(room, first), what="the board to be drawn again")
    await dan.tap(TAKE, on=await ana.slash("table seats"))
    posted = await room.onlooker.until(lambda: redrawn(room, message), what="the board to be drawn again")
    assert (message.labels, first.text.replace(ben.mention, dan.mention)) == (posted.labels, posted.text)
    assert [first.id] == [seen.id for seen in room.onlooker.messages if seen.images]
    await play_move(ana, "muscat place", market="A")
    board = await room.board(after=first)
    assert ("Dan",) == board.pinged


def redrawn(room: Room, board: Seen) -> Seen | None:
    """A board whose picture is another one now."""
    now = room.onlooker.look(board)
    return now if now.images[0].data != board.images[0].data else None


async def test_a_new_player_of_a_seat_gets_its_secrets(app: App, watch: Watch) -> None:
    room = await begin_with_a_whole_bot(app, "lay", "Ana", "Ben", computers=2)
    board, (ben, dan) = room.onlooker.last, room.people("Ben", "Dan")
    step = await ben.tap("Your move", on=board)
    assert {"1"} == marks_of(step)
    await leave(ben)
    assert {"nobody"} == marks_of(await ben.slash("game board"))
    response = await dan.tap(TAKE, on=await ben.slash("table seats"))
    assert {"1"} == marks_of(response)
    for way in ("game board", "game log", "game hand"):
        assert {"1"} == marks_of(await dan.slash(way)), way
    for way in ("game board", "game log"):
        assert {"nobody"} == marks_of(await ben.slash(way)), way
    for answer in (await ben.slash("game hand"), await choose_first(ben, step)):
        assert set() == marks_of(answer)
        assert "You’re not playing in this game" in answer
    for sight in watch.sights:
        assert len(sight.seen_by) == 1 or sight.made_for <= {"nobody"}, sight
    assert [] == watch.overtold


async def test_an_offer_survives_a_restart(app: App) -> None:
    room = await begin_with_a_whole_bot(app, "lay", "Ana", "Ben")
    await leave(room.person("Ben"))
    offer = await room.person("Ana").slash("table seats")
    await app.close()
    await app.open()
    assert "You’re now playing 🟦 Blue" in await room.person("Dan").tap(TAKE, on=offer)
    await app.close()
    await app.open()
    assert "You hold" in await room.person("Dan").slash("game log")
    await room.onlooker.until(lambda: [] == room.onlooker.look(offer).labels, what="the offer to lose its button")
