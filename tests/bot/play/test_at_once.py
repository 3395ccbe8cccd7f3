"""Several people decide at the same time and unseen, without disturbing each other."""

from __future__ import annotations

import pytest

from engine.core import Event, only
from engine.texts import Seat
from playground.player import Player, Seen
from tests.bot.app import App
from tests.engine.toys.sealed import Auction, Bid, Bidding
from tests.robots import BOARD
from tests.rooms import Room, play_move, start_game

STALE = "The game has moved on"


@pytest.fixture
def room(app: App) -> Room:
    return app.room()


@pytest.fixture
async def table(app: App, room: Room) -> Seen:
    """A round of sealed bids has begun; returns the board."""
    ana, *others = room.people("Ana", "Ben", "Eva")
    await ana.slash("table new", game="sealed")
    for person in others:
        await person.tap("Join")
    await start_game(ana, *others)
    return await room.onlooker.expect(BOARD)


async def preview(person: Player, bid: str, board: Seen) -> Seen:
    """An open preview of a bid."""
    answer = await person.tap(bid, on=await person.tap("Your move", on=board))
    assert "Confirm" in answer.labels
    return answer


async def still_due(room: Room, board: Seen, *names: str) -> None:
    """The board names exactly these people as due, without a ping."""
    onlooker, people = room.onlooker, {name: room.person(name) for name in ("Ana", "Ben", "Eva")}

    def says() -> bool:
        now = onlooker.look(board)
        assert now is not None
        due, _, _ = now.text.partition("Also at the table")
        return {name for name, person in people.items() if person.mention in due} == set(names)

    await onlooker.until(says, what=f"the board to say that {names} are due")


async def test_a_hidden_answer_leaves_the_open_menus_of_others_valid(room: Room, table: Seen) -> None:
    ana, ben, eva = room.people("Ana", "Ben", "Eva")
    anas, evas = await preview(ana, "Bid 2", table), await eva.tap("Your move", on=table)
    await ben.tap("Confirm", on=await preview(ben, "Bid 3", table))
    done = await ana.tap("Confirm", on=anas)
    assert STALE not in done.text
    assert "✓" in done.text
    evas_preview = await eva.tap("Bid 1", on=evas)
    assert STALE not in evas_preview.text
    await eva.tap("Confirm", on=evas_preview)
    board = await room.board(after=table)
    assert "The bids are 2, 3 and 1." in board.text


async def test_no_board_is_posted_until_the_last_player_has_answered(room: Room, table: Seen) -> None:
    ana, ben, eva = room.people("Ana", "Ben", "Eva")
    await still_due(room, table, "Ana", "Ben", "Eva")
    await play_move(ben, "sealed bid", coins="3")
    await still_due(room, table, "Ana", "Eva")
    done = await play_move(ana, "sealed bid", coins="2")
    assert eva.mention in done.text
    assert ben.mention not in done.text
    await still_due(room, table, "Eva")
    assert [table.id] == [seen.id for seen in room.onlooker.messages if seen.images]
    assert table.labels == room.onlooker.look(table).labels
    await play_move(eva, "sealed bid", coins="0")
    board = await room.board(after=table)
    assert {"Ana", "Ben", "Eva"} == set(board.pinged)


async def test_a_menu_from_the_previous_round_is_stale(room: Room, table: Seen) -> None:
    ana, ben, eva = room.people("Ana", "Ben", "Eva")
    old = await preview(ana, "Bid 2", table)
    for person, coins in ((ana, "1"), (ben, "2"), (eva, "3")):
        await play_move(person, "sealed bid", coins=coins)
    await room.board(after=table)
    assert STALE in (await ana.tap("Confirm", on=old)).text


async def test_a_player_cannot_answer_twice_in_the_same_round(room: Room, table: Seen) -> None:
    ana, ben = room.people("Ana", "Ben")
    second = await preview(ana, "Bid 2", table)
    await play_move(ana, "sealed bid", coins="1")
    assert ben.mention in (await ana.tap("Confirm", on=second)).text
    await still_due(room, table, "Ben", "Eva")


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (404, 10008)])
async def test_a_board_that_cannot_be_edited_or_was_deleted_blocks_no_player(
    app: App, room: Room, table: Seen, status: int, code: int
) -> None:
    ana, ben, eva = room.people("Ana", "Ben", "Eva")
    fault = app.local.fault("PATCH /channels/*/messages/*", status, code=code)
    await play_move(ben, "sealed bid", coins="3")
    await app.local.wait_for_fault(fault)
    await play_move(ana, "sealed bid", coins="2")
    await still_due(room, table, "Eva")
    await play_move(eva, "sealed bid", coins="0")
    assert "The bids are 2, 3 and 0." in (await room.board(after=table)).text


class Sealed(Event):
    """A bidder hears of the own bid."""

    template = "Your bid of {coins} is sealed."

    coins: int


async def test_a_private_event_posts_no_board(room: Room, table: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    resolve = Bidding.resolve

    def told(frame: Bidding, state: Auction, seat: Seat, action: Bid) -> tuple[Auction, tuple[Event, ...]]:
        after, events = resolve(frame, state, seat, action)
        return after, (Sealed(action.coins, audience=only(seat)), *events)

    monkeypatch.setattr(Bidding, "resolve", told)
    ana, ben = room.people("Ana", "Ben")
    for person, coins in ((ana, "1"), (ben, "2")):
        assert room.person("Eva").mention in await play_move(person, "sealed bid", coins=coins)
    await still_due(room, table, "Eva")
    assert [table.id] == [seen.id for seen in room.onlooker.messages if seen.images]
