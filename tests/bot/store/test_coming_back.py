"""The bot leaves and comes back: everything is where it was, and unfinished work is finished."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.store import jobs
from bot.store.codec import time_of
from bot.store.reminded import LONG_AGO
from playground.player import Seen
from tests.bot.app import App
from tests.robots import BOARD
from tests.rooms import Room, choose_first, play_move, start_game

pytestmark = pytest.mark.usefixtures("watch")

POST = "POST /channels/*/messages"
EDIT = "PATCH /channels/*/messages/*"


async def lay(room: Room) -> Seen:
    """A game in which all are due at once."""
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="lay")
    await ben.tap("Join")
    await start_game(ana, ben)
    return await room.onlooker.expect(BOARD)


async def lay_a_card(room: Room, name: str) -> None:
    person = room.person(name)
    (_, card), *_ = await person.suggest("lay lay", "card")
    await play_move(person, "lay lay", card=card)


async def restart(app: App) -> None:
    await app.close()
    await app.open()


async def test_old_buttons_work_after_a_restart_and_the_game_goes_on(app: App) -> None:
    room = app.room()
    board = await lay(room)
    await restart(app)
    step = await room.person("Ana").tap("Your move", on=board)
    preview = await choose_first(room.person("Ana"), step)
    await restart(app)
    assert "✓" in await room.person("Ana").tap("Confirm", on=preview)
    await room.board(after=board)


async def test_a_confirmation_redelivered_after_a_restart_acts_once(app: App) -> None:
    room = app.room()
    board = await lay(room)
    await lay_a_card(room, "Ana")
    await room.board(after=board)
    before = app.query("SELECT * FROM entries")
    await restart(app)
    app.local.discord.deliver(app.local.last_interaction)
    await app.let_pass(20)
    assert before == app.query("SELECT * FROM entries")


async def test_a_pending_board_is_posted_immediately_after_a_restart(app: App) -> None:
    room = app.room()
    board = await lay(room)
    app.local.fault(POST, 503, times=None)
    await lay_a_card(room, "Ana")
    await app.let_pass(700)  # by now it is tried every ten minutes only
    app.local.lift(POST)
    await restart(app)
    await room.board(after=board)


async def test_a_computer_resumes_its_turn_after_a_restart(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "POST_DELAY", timedelta(seconds=1))
    room = app.room()
    board = await lay(room)
    await app.close()
    await app.change("UPDATE seat_history SET user_id = NULL, computer = 'uniform', name = '' WHERE seat = 1")
    waits = f"SELECT 'computer', max(id), 0, -1, guild_id, '{time_of(LONG_AGO)}', 0, '{{}}' FROM matches"
    await app.change(f"INSERT INTO jobs {waits}")  # as `hand_over` does
    await app.open()
    assert "🟦 Tumbleweed has laid a card" in await room.board(after=board)
