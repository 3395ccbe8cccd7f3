"""Acts that take long, or fail at first: told to the right person only, and done in the end."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Awaitable, Callable

import pytest

import renders
from bot.interactions import responses
from bot.tables.people import SEAT_MARKS
from playground.interactions import PATIENCE
from playground.journal import Timing
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.watch import Watch, marks_of
from tests.robots import BOARD
from tests.rooms import Room, choose_first, play_move, start_game

POST = "POST /channels/*/messages"
EDIT = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"
LOOKS: dict[str, Callable[[Player, Seen], Awaitable[Seen | None]]] = {
    "/game board": lambda person, board: person.slash("game board"),
    "/game hand": lambda person, board: person.slash("game hand"),
    "My hand": lambda person, board: person.tap("My hand", on=board),
    "Your move": lambda person, board: person.tap("Your move", on=board),
}


class SlowArtist:
    """Draws nothing before it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked = asyncio.Event()
        self._may = threading.Event()
        loop, draw = asyncio.get_running_loop(), renders.draw

        def draw_slowly(*what: object) -> renders.Picture:
            loop.call_soon_threadsafe(self.asked.set)
            self._may.wait(10)
            return draw(*what)

        monkeypatch.setattr(renders, "draw", draw_slowly)

    def go_on(self) -> None:
        """Draw all pending pictures, and from now on at once."""
        self._may.set()


async def let_pass_meanwhile(app: App, seconds: float) -> None:
    """Let time pass while a picture is drawn: without a push, the clocks would wait for its thread."""
    app.skip(seconds)
    await app.breathe()


async def lay(room: Room) -> Seen:
    """A game of hidden hands in which all are due; what they may choose from is private."""
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="lay")
    await ben.tap("Join")
    await start_game(ana, ben)
    return await room.onlooker.expect(BOARD)


@pytest.mark.parametrize("look", LOOKS)
async def test_a_late_answer_is_deferred_and_stays_private(
    app: App, watch: Watch, monkeypatch: pytest.MonkeyPatch, look: str
) -> None:
    room = app.room()
    board = await lay(room)
    artist, before = SlowArtist(monkeypatch), room.public
    ana = room.person("Ana")
    looking = asyncio.create_task(LOOKS[look](ana, board))
    await asyncio.wait_for(artist.asked.wait(), 5)
    await let_pass_meanwhile(app, 2)
    await ana.until(lambda: all(timing.acknowledged for timing in app.local.timings), what="a sign that she is heard")
    assert before == room.public
    artist.go_on()
    screen = await looking
    assert (True, {"0"}) == (screen.ephemeral, marks_of(screen))
    assert before == room.public


async def test_a_late_answer_dismissed_meanwhile_is_not_a_failure(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    room = app.room()
    await lay(room)
    artist, ana, seen = SlowArtist(monkeypatch), room.person("Ana"), len(room.person("Ana").messages)
    looking = asyncio.create_task(ana.slash("game hand", silent=True))
    await asyncio.wait_for(artist.asked.wait(), 5)
    await let_pass_meanwhile(app, 2)
    await looking
    await ana.dismiss(ana.last)
    edits = app.local.requests[EDIT]
    artist.go_on()
    while app.local.requests[EDIT] == edits:
        await let_pass_meanwhile(app, 1)
    await let_pass_meanwhile(app, 2)
    assert seen == len(ana.messages)


@pytest.mark.usefixtures("no_previews")
async def test_a_board_too_late_for_an_answer_is_posted_in_the_channel(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = app.room()
    board, ana = await room.game("Ana", "Ben", "Caro"), room.person("Ana")
    artist = SlowArtist(monkeypatch)
    typing = asyncio.create_task(ana.slash("muscat place", market="A"))
    await asyncio.wait_for(artist.asked.wait(), 5)
    await let_pass_meanwhile(app, 2)
    await ana.until(lambda: all(timing.acknowledged for timing in app.local.timings), what="a sign that she is heard")
    artist.go_on()
    answer_text = await typing
    assert (True, True) == (answer_text.ephemeral, "The board is in the channel." in answer_text)
    assert ("Ben",) == (await room.board(after=board)).pinged


@pytest.mark.usefixtures("no_previews")
async def test_a_move_made_while_a_board_is_being_drawn_does_not_mix_into_it(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next player, who knows that it is their turn, moves before the board of the turn before is there."""
    room = app.room()
    await room.game("Ana", "Ben", "Caro")
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    artist = SlowArtist(monkeypatch)
    first = asyncio.create_task(ana.slash("muscat place", market="A"))
    await asyncio.wait_for(artist.asked.wait(), 5)
    second = asyncio.create_task(ben.slash("muscat place", market="B"))
    while await ben.suggest("muscat place", "market"):
        """Only due players get suggestions."""
    artist.go_on()
    await asyncio.gather(first, second)
    await caro.expect("Choose one action")
    boards = [seen for seen in room.onlooker.messages if seen.images and seen.labels]
    assert [decider_in_words(board.text) for board in boards] == [decider_in_picture(board) for board in boards]
    assert len(room.boards) == len(set(room.boards))


def decider_in_picture(board: Seen) -> str:
    match = re.search(r"(\w+) to decide", board.images[0].alt or "")
    assert match is not None, board.images[0].alt
    return match[1]


def decider_in_words(text: str) -> str:
    match = re.search(r"^(\S+) <@\d+>: ", text, re.MULTILINE)
    assert match is not None, text
    return next(color for color, square in SEAT_MARKS.items() if square == match[1])


async def test_a_private_turn_can_be_confirmed_after_its_interaction_has_expired(app: App) -> None:
    board = await lay(app.room())
    ana = app.local.player("Ana", board.channel)
    preview = await choose_first(ana, await ana.tap("Your move", on=board))
    app.local.clock.advance(3600)
    assert "✓" in await ana.tap("Confirm", on=preview)


def test_slow_work_is_deferred_long_before_discord_gives_up() -> None:
    assert responses.DEFERRAL_DELAY <= PATIENCE / 2


@pytest.mark.parametrize("permission", ["VIEW_CHANNEL", "ATTACH_FILES"])
async def test_a_board_is_posted_as_soon_as_the_permission_is_back(app: App, watch: Watch, permission: str) -> None:
    room = app.room()
    board = await lay(room)
    app.local.forbid(room.channel, permission)
    ana = room.person("Ana")
    (_, card), *_ = await ana.suggest("lay lay", "card")
    await play_move(ana, "lay lay", card=card)
    await ana.expect("I can’t post the board")
    await app.let_pass(700)  # by now it is tried every ten minutes only
    app.local.permit(room.channel, permission)
    await let_pass_meanwhile(app, 1)
    await room.board(after=board)
    assert 2 == len(room.boards)


@pytest.mark.queries_in_thread
async def test_actions_delayed_by_a_locked_database_complete_and_answer_the_right_users(app: App) -> None:
    new, joined, added = app.room(), app.room(), app.room()
    for room in (joined, added):
        await room.person("Ana").slash("table new", game="lay")
    busy = await app.lock()
    acts = (
        new.person("Ana").slash("table new", game="lay"),
        joined.person("Ben").slash("game join"),
        added.person("Ana").tap("Add computer"),
    )
    doing = [asyncio.create_task(act) for act in acts]
    await new.onlooker.until(lambda: len(acknowledgements(app)) == 2 + len(acts), what="a sign that all are heard")
    assert [0, 1, 1] == [len(room.public) for room in (new, joined, added)]
    busy.close()
    set_up, answer_text, _ = await asyncio.gather(*doing)
    assert (True, "Your table is ready.") == (set_up.ephemeral, set_up.text)
    assert (True, True) == (answer_text.ephemeral, "You’re in" in answer_text)
    for room, seated in ((new, "<@"), (joined, joined.person("Ben").mention), (added, "Tumbleweed")):
        await room.onlooker.expect(seated)
        assert 1 == len(room.public)


def acknowledgements(app: App) -> list[Timing]:
    return [timing for timing in app.local.timings if timing.acknowledged]
