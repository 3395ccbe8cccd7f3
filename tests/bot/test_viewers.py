"""Viewers of pictures: in games with secrets, played by taps and by typing, public messages were made for no seat, and
private ones for the seat of their reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from engine.core import GameSpec
from engine.games import discover
from playground.player import Player, Seen
from tests.bot.app import App, NoCrashes
from tests.bot.walks import name_of
from tests.bot.watch import NOBODY, Watch, marks, marks_of
from tests.robots import BOARD, Robot, Tapper, Typist, due_robots, is_over
from tests.rooms import Room, start_game, tap_more
from tests.sampling import EVERYTHING, every

SECRETIVE = [spec for spec in discover().values() if spec.hands]
GAMES = [(spec, choice) for n, spec in enumerate(SECRETIVE) for choice in (0, 1) if (n + choice) % every(2) == 0]
"""Games with a number, 0 or 1, of the choice of every option: the defaults, or the second one of each where they go
together.
"""

EVERY = 14
"""The number of boards until everybody looks at everything again."""

MAX_BOARDS = 400 if EVERYTHING else 15
"""Boards after which a game is left as it stands."""

MAX_TAPS = 5
"""Taps that lead from the board to a preview."""


async def set_table(room: Room, spec: GameSpec, choice: int) -> None:
    """Start a game of two people and at least one computer, the more the later the choice."""
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game=spec.slug)
    await ben.tap("Join")
    for _ in range(spec.seats[min(choice + 1, len(spec.seats) - 1)] - 2):
        await ana.tap("Add computer")
    page = await ana.slash("table options")
    for number, menu in enumerate(page.menus):
        await ana.choose(menu.options[choice].value, on=page, menu=number)
    await start_game(ana, ben)


async def look_at_everything(person: Player, board: Seen, seat: str) -> None:
    """Private pictures and texts were made for the seat of this person, or for no seat."""
    log = await person.slash("game log")
    for message in (
        log,
        await person.tap("Previous", on=log) if "Previous" in log.labels else log,
        await person.slash("game board"),
        await person.slash("game board", **{"as": "text"}),
        await tap_more(person, "As text", board),
    ):
        assert (True, {seat}) == (message.ephemeral, marks_of(message)), message
    animation = await person.slash("game replay")
    for message in (animation, await person.tap("Step by step", on=animation)) if animation.images else ():
        assert (True, {NOBODY}) == (message.ephemeral, marks_of(message)), message
    for message in (await person.slash("game hand"), await person.tap("My hand", on=board)):
        assert (True, {seat} - {NOBODY}) == (message.ephemeral, marks_of(message)), message


async def play(room: Room, robots: Mapping[int, Robot], seats: Mapping[str, str], rng: Random) -> None:
    """Play a game; people and an onlooker look around meanwhile."""
    board, number = await room.onlooker.expect(BOARD), 0
    while not is_over(board) and number < MAX_BOARDS:
        assert {NOBODY} == marks_of(board), board
        assert marks(board.text) <= {NOBODY}, "what happened is told to nobody in particular"
        if number % EVERY == 0:
            for name, seat in seats.items():
                await look_at_everything(room.person(name), board, seat)
        await rng.choice(due_robots(board, robots)).take_turn(board)
        board, number = await room.onlooker.expect(BOARD, after=board), number + 1


@pytest.mark.parametrize(("spec", "choice"), GAMES, ids=name_of)
async def test_viewers_see_only_what_was_made_for_them(app: App, watch: Watch, spec: GameSpec, choice: int) -> None:
    room, rng, patient = app.room(), Random(f"{spec.slug} {choice}"), NoCrashes(app.local)
    await set_table(room, spec, choice)
    ana, ben = room.people("Ana", "Ben")
    robots = {ana.id: Tapper(ana, rng, patient), ben.id: Typist(ben, rng, patient, app.local, spec.slug)}
    await play(room, robots, {"Ana": "0", "Ben": "1", "Dan": NOBODY}, rng)
    assert all(robot.acts for robot in robots.values())
    assert max(robot.longest for robot in robots.values()) <= MAX_TAPS, "promise 10"
    seats = {ana.id: "0", ben.id: "1"}
    for sight in watch.sights:
        owner = NOBODY if len(sight.seen_by) > 1 else seats.get(*sight.seen_by, NOBODY)
        assert sight.made_for <= {owner, NOBODY}, sight  # a replay is that of onlookers
    assert [] == watch.overtold
    check_computers(app, watch)


def check_computers(app: App, watch: Watch) -> None:
    """Check that computers are asked as who they are, with a luck that is not that of the match."""
    assert watch.thoughts
    assert {0, 1}.isdisjoint(thought.view.viewer for thought in watch.thoughts)
    (seed,) = app.seeds()
    lucks = [hash(thought.luck) for thought in watch.thoughts]
    assert len(set(lucks)) == len(lucks)
    telling = [seed, *(f"{seed}/{ply}" for ply in range(1000))]
    assert set(lucks).isdisjoint(hash(Random(text).getstate()) for text in telling)
