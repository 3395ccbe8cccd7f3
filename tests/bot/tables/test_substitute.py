"""A seat of a computer is offered, taken over, or taken back by its former player."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from bot.features.lobby.substitutes import _seat_label
from bot.store.matches import SeatHolder
from bot.tables.seats import holds_secrets
from engine.match import Match
from engine.texts import Seat
from playground.permissions import Permission
from playground.player import Player, Seen
from playground.world import Overwrite
from tests.bot.app import App
from tests.bot.watch import Watch, marks_of
from tests.e2e.robots import BOARD
from tests.e2e.rooms import Room, choose_first, play_move, start_game
from tests.engine.toys import TOYS

TAKE = "Take this seat"


async def begin(app: App, game: str, *names: str, computers: int = 0) -> Room:
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


async def resign(person: Player) -> Seen:
    return await person.tap("Resign", on=await person.slash("game leave"))


async def offer_seat(app: App) -> tuple[Room, Seen]:
    """Let Ben lay a card and leave the game of Ana, Caro and Gil, and Ana offer that seat."""
    room = await begin(app, "lay", "Ana", "Ben", "Caro", "Gil")
    await lay(room, "Ben")
    await resign(room.person("Ben"))
    notice = f"🟦 {room.person('Ben').mention} has left the game; a computer takes over the seat."
    message = await room.onlooker.expect(f"{notice}\n-# `/table seats` offers it to somebody else.")
    assert () == message.pinged
    return room, await room.person("Ana").slash("table seats")


async def lay(room: Room, name: str) -> Seen:
    (_, card), *_ = await room.person(name).suggest("lay lay", "card")
    return await play_move(room.person(name), "lay lay", card=card)


def seat_history(app: App, seat: int) -> list[int | None]:
    return [user for (user,) in app.query("SELECT user_id FROM seat_history WHERE seat = ? ORDER BY since", seat)]


async def test_an_offered_seat_is_announced_and_can_be_taken(app: App) -> None:
    room, offer = await offer_seat(app)
    dan = room.person("Dan")
    assert not offer.ephemeral
    assert "🟦 Tumbleweed, a computer, plays in place of Ben." in offer
    reply = await dan.tap(TAKE, on=offer)
    assert reply.ephemeral
    assert "### You’re now playing 🟦 Blue" in reply
    assert "🔴 Ana" in reply or "You have laid" in reply, "what has happened is told"
    assert reply.images
    await room.onlooker.expect(f"{dan.mention} takes over from the computer.")
    await room.onlooker.until(lambda: [] == room.onlooker.look(offer).labels, what="the offer to lose its button")
    assert [room.person("Ben").id, dan.id] == seat_history(app, 1)
    assert "You hold" in await dan.slash("game log")


async def test_the_newest_board_shows_the_current_player_of_a_seat(app: App) -> None:
    """Ana stays due, so the bot neither posts a new board nor pings her again."""
    room = await begin(app, "muscat", "Ana", "Ben", "Caro")
    (ana, ben, dan), first = room.people("Ana", "Ben", "Dan"), room.onlooker.last
    await resign(ben)
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


async def test_only_one_of_two_simultaneous_taps_gets_the_seat(app: App) -> None:
    room, offer = await offer_seat(app)
    answers = await asyncio.gather(*(room.person(name).tap(TAKE, on=offer) for name in ("Dan", "Eva")))
    ordered = sorted(answer.text for answer in answers)
    assert 1 == sum("You’re now playing 🟦 Blue" in text for text in ordered)
    assert 1 == sum("already has this seat" in text for text in ordered)
    assert 2 == len(seat_history(app, 1))


async def test_only_one_of_a_new_and_a_returning_player_gets_the_seat(app: App) -> None:
    room, offer = await offer_seat(app)
    dan, ben = room.people("Dan", "Ben")
    answers = await asyncio.gather(dan.tap(TAKE, on=offer), ben.slash("game join"))
    assert 1 == sum("You’re now playing 🟦 Blue" in answer.text for answer in answers)
    assert 2 == len(seat_history(app, 1))


async def test_a_player_who_left_may_return_without_an_offer(app: App) -> None:
    room = await begin(app, "lay", "Ana", "Ben")
    ben = room.person("Ben")
    await lay(room, "Ben")
    assert "`/game join`" in await resign(ben)
    back = await ben.slash("game join")
    assert "### You’re now playing 🟦 Blue" in back
    assert "You have laid" not in back, "only what has happened since is told"
    await room.onlooker.expect("is back and takes over")
    assert "You’re already in this game." in await ben.slash("game join")
    assert "none of its seats was yours." in await room.person("Dan").slash("game join")


async def test_a_player_who_left_learns_that_their_seat_is_taken(app: App) -> None:
    room, offer = await offer_seat(app)
    ben = room.person("Ben")
    await room.person("Dan").tap(TAKE, on=offer)
    assert "🟦 Dan already has this seat." in await ben.slash("game join")


async def test_a_player_who_left_returns_to_their_seat_with_the_button(app: App) -> None:
    room, offer = await offer_seat(app)
    assert "You’re now playing 🟦 Blue" in await room.person("Ben").tap(TAKE, on=offer)
    await room.onlooker.expect("is back")


async def test_a_new_player_of_a_seat_gets_its_secrets(app: App, watch: Watch) -> None:
    room = await begin(app, "lay", "Ana", "Ben", computers=2)
    board, (ben, dan) = room.onlooker.last, room.people("Ben", "Dan")
    step = await ben.tap("Your move", on=board)
    assert {"1"} == marks_of(step)
    await resign(ben)
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


async def test_a_user_who_knows_the_secrets_of_one_seat_cannot_play_another(app: App) -> None:
    room, offer = await offer_seat(app)
    await resign(room.person("Caro"))
    assert "seen another seat’s secrets" in await room.person("Caro").tap(TAKE, on=offer)
    assert "now playing 🟨" in await room.person("Caro").slash("game join")


async def take_and_leave(room: Room, name: str, seat: str, offer: Seen) -> Seen:
    """Somebody takes a seat and leaves it before anything was played. Returns what they were shown."""
    person = room.person(name)
    screen = await person.tap(f"Take {seat}’s seat", on=offer)
    await resign(person)
    return screen


async def test_seeing_one_hand_bars_a_user_from_other_hands(app: App) -> None:
    room = await begin(app, "lay", "Ana", "Ben", computers=2)
    ana, dan = room.people("Ana", "Dan")
    offer = await ana.slash("table seats")
    assert "You hold" in await take_and_leave(room, "Dan", "🟨 Tumbleweed", offer)
    assert dan.id not in seat_history(app, 2), "nothing was played"
    assert "seen another seat’s secrets" in await dan.tap("Take 🟢 Tumbleweed’s seat", on=offer)
    again = await ana.slash("table seats")
    assert "now playing 🟨" in await dan.tap("Take 🟨 Tumbleweed’s seat", on=again), "the same seat"


async def test_a_forgotten_user_is_still_barred_from_other_hands(app: App) -> None:
    room = await begin(app, "lay", "Ana", "Ben", computers=2)
    ana, ben, dan = room.people("Ana", "Ben", "Dan")
    offer = await ana.slash("table seats")
    await take_and_leave(room, "Dan", "🟢 Tumbleweed", offer)
    for person in (dan, ben):  # Ben has played all the time
        page = await person.slash("me data")
        await person.tap("Forget me for good", on=await person.tap("Forget me", on=page))
    offer = await ana.slash("table seats")
    free_seat = next(label for label in offer.labels if "🟨" in label)
    for person in (dan, ben):
        assert "seen another seat’s secrets" in await person.tap(free_seat, on=offer)
        assert str(person.id) not in str(app.query("SELECT * FROM known_seats"))
    assert "now playing 🟨" in await room.person("Eva").tap(free_seat, on=offer)


async def test_ending_a_game_clears_its_known_seats(app: App) -> None:
    """The record of users who knew a seat goes with the game."""
    room = await begin(app, "lay", "Ana", "Ben", computers=2)
    ana = room.person("Ana")
    await take_and_leave(room, "Dan", "🟨 Tumbleweed", await ana.slash("table seats"))
    assert [(1, 2)] == app.query("SELECT match_id, seat FROM known_seats")
    await ana.tap("End it", on=await ana.slash("table end"))
    assert [] == app.query("SELECT * FROM known_seats")


async def test_a_game_that_ends_by_its_rules_clears_its_known_seats(app: App) -> None:
    room = await begin(app, "sealed", "Ana", "Ben")
    ana, ben = room.people("Ana", "Ben")
    await play_move(ben, "sealed bid", coins="1")
    await resign(ben)
    assert [(1,)] == app.query("SELECT seat FROM known_seats")
    for _ in range(3):
        await play_move(ana, "sealed bid", coins="3")
    await room.onlooker.expect("wins!")
    assert [] == app.query("SELECT * FROM known_seats")


async def test_a_user_may_try_several_seats_of_a_game_without_secrets(app: App) -> None:
    room = await begin(app, "muscat", "Ana", computers=2)
    offer = await room.person("Ana").slash("table seats")
    first, second = (label.removeprefix("Take ").removesuffix("’s seat") for label in offer.labels)
    await take_and_leave(room, "Dan", first, offer)
    assert "now playing" in await room.person("Dan").tap(f"Take {second}’s seat", on=offer)
    assert [] == app.query("SELECT * FROM known_seats")


def test_a_seat_has_no_secrets_before_the_deal() -> None:
    spec = TOYS["lay"]
    assert not holds_secrets(Match(spec, spec.setup(2), "seed"), Seat(1))
    assert holds_secrets(Match.begin(spec, spec.setup(2), "seed"), Seat(1))


async def test_only_the_host_a_moderator_or_the_former_player_may_offer_a_seat(app: App) -> None:
    room = await begin(app, "lay", "Ana", "Ben", "Caro", computers=1)
    ana, ben, caro, dan, eva = room.people("Ana", "Ben", "Caro", "Dan", "Eva")
    app.local.channel(room.channel).overwrites[eva.id] = Overwrite(allow=Permission.MANAGE_MESSAGES)
    for person in (ben, caro, dan):
        assert "Only the host" in await person.slash("table seats")
    await resign(ben)
    assert [TAKE] == (await ben.slash("table seats")).labels
    assert [(1,)] == app.query("SELECT seat FROM offers")
    for person in (ana, eva):
        offer = await person.slash("table seats")
        assert ["Take 🟦 Tumbleweed’s seat", "Take 🟢 Tumbleweed’s seat"] == offer.labels
    assert [(1,), (3,)] == app.query("SELECT seat FROM offers ORDER BY seat")


async def test_seats_cannot_be_offered_without_a_computer(app: App) -> None:
    room = await begin(app, "lay", "Ana", "Ben")
    assert "There is no computer here" in await room.person("Ana").slash("table seats")
    lobby = app.room()
    await lobby.person("Ana").slash("table new", game="lay")
    assert "hasn’t started" in await lobby.person("Ana").slash("table seats")


async def test_the_remaining_seats_of_an_offer_stay_available(app: App) -> None:
    room = await begin(app, "lay", "Ana", "Ben", computers=2)
    offer = await room.person("Ana").slash("table seats")
    await room.person("Dan").tap("Take 🟨 Tumbleweed’s seat", on=offer)
    await room.onlooker.until(lambda: [TAKE] == room.onlooker.look(offer).labels, what="one seat to be left")
    await room.person("Eva").tap(TAKE, on=room.onlooker.look(offer))
    await room.onlooker.until(lambda: [] == room.onlooker.look(offer).labels, what="no seat to be left")
    assert "-# This offer is over: the seat is taken." == room.onlooker.look(offer).text
    assert [] == app.query("SELECT * FROM offers")


async def test_a_second_offer_replaces_the_first(app: App) -> None:
    room, offer = await offer_seat(app)
    await room.person("Ana").slash("table seats")
    again = await room.onlooker.expect("Who takes over", after=offer)
    await room.onlooker.until(lambda: [] == room.onlooker.look(offer).labels, what="the first offer to fade")
    assert "-# There’s a newer offer further down." == room.onlooker.look(offer).text
    assert "now playing" in await room.person("Dan").tap(TAKE, on=again)


async def test_an_old_offer_is_void_after_the_seat_is_vacated_again(app: App) -> None:
    room, offer = await offer_seat(app)
    await room.person("Dan").tap(TAKE, on=offer)
    await resign(room.person("Dan"))
    assert "no longer available" in await room.person("Eva").tap(TAKE, on=offer)


async def test_an_offer_survives_a_restart(app: App) -> None:
    room, offer = await offer_seat(app)
    await app.close()
    await app.open()
    assert "You’re now playing 🟦 Blue" in await room.person("Dan").tap(TAKE, on=offer)
    await app.close()
    await app.open()
    assert "You hold" in await room.person("Dan").slash("game log")
    await room.onlooker.until(lambda: [] == room.onlooker.look(offer).labels, what="the offer to lose its button")


async def test_seats_of_a_finished_game_cannot_be_taken(app: App) -> None:
    room, offer = await offer_seat(app)
    ana = room.person("Ana")
    await ana.tap("End it", on=await ana.slash("table end"))
    before = app.query("SELECT * FROM seat_history")
    assert "called off" in await room.person("Dan").tap(TAKE, on=offer)
    assert "There’s no game" in await room.person("Ben").slash("game join")
    assert before == app.query("SELECT * FROM seat_history")


async def test_a_game_that_ends_during_a_takeover_ends_for_the_new_player_too(app: App) -> None:
    """Whether the last bid or the newcomer was first: a game that is over accepts no player."""
    room = await begin(app, "sealed", "Ana", "Ben")
    (ana, ben, dan), first = room.people("Ana", "Ben", "Dan"), room.onlooker.last
    await play_move(ben, "sealed bid", coins="1")
    await resign(ben)
    offer = await ana.slash("table seats")
    for _ in range(2):
        await play_move(ana, "sealed bid", coins="3")
    answer, _ = await asyncio.gather(dan.tap(TAKE, on=offer), play_move(ana, "sealed bid", coins="3"))
    end = await room.onlooker.expect("wins!", after=first)
    seated = dan.id in seat_history(app, 1)
    assert ("You’re now playing 🟦 Blue" in answer, dan.mention in end.text) == (seated, seated)
    assert seated or "This game is over." in answer
    assert "This game is over." in await room.person("Eva").tap(TAKE, on=offer) or seated


async def test_seats_cannot_be_offered_in_a_direct_message(app: App) -> None:
    ana = app.room().person("Ana").in_dm()
    await ana.slash("game learn", game="muscat")
    await ana.expect(BOARD)
    assert "Nobody else can see this channel" in await ana.slash("table seats")


async def test_a_follower_who_takes_a_seat_stops_following(app: App) -> None:
    room, offer = await offer_seat(app)
    dan = room.person("Dan")
    await dan.tap("Follow", on=await dan.slash("game board"))
    await dan.tap(TAKE, on=offer)
    assert [] == app.query("SELECT * FROM followers")
    assert "Follow" not in (await dan.slash("game board")).labels


async def test_log_and_end_card_show_when_players_changed(app: App) -> None:
    room = app.room()
    ana, ben, dan = room.people("Ana", "Ben", "Dan")
    await ana.slash("table new", game="sealed")
    await ben.tap("Join")
    await start_game(ana, ben)
    for round in range(3):
        if round == 1:
            await resign(ben)
        if round == 2:
            await dan.tap(TAKE, on=await ana.slash("table seats"))
        for person in (ana, ben):
            if app.query("SELECT 1 FROM seat_history WHERE until IS NULL AND user_id = ?", person.id):
                await play_move(person, "sealed bid", coins="3" if person is ana else "1")
    line = "🟦 Ben until move 2, then the computer until move 5, then Dan"
    log = await ana.slash("game log")
    assert line in log
    await dan.slash("sealed bid", coins="1")
    end = await room.onlooker.expect("wins!")
    assert f"-# {line}" in end
    assert 1 == end.text.count("Ben until move")


async def test_an_immediate_return_is_not_logged_as_a_change_of_player(app: App) -> None:
    room = await begin(app, "jinns", "Ana", "Ben")
    ana, ben = room.people("Ana", "Ben")
    waiting = ben if ana.mention in room.onlooker.last.text else ana
    await resign(waiting)
    await waiting.slash("game join")
    assert "until move" not in await waiting.slash("game log")


def test_an_offer_names_the_last_person_who_sat_in_the_seat() -> None:
    holders = [(1, "Ana"), (1, "Ben"), (1, ""), (0, "Caro")]
    before = [SimpleNamespace(seat=seat, holder=SeatHolder(name=name)) for seat, name in holders]
    table: Any = SimpleNamespace(row=SimpleNamespace(before=before))
    assert "in place of Ben" in str(_seat_label(table, Seat(1)))
    assert "is a computer" in str(_seat_label(table, Seat(2)))
