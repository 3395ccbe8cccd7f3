"""The story of a game comes once after its end, whatever happens in between, and can be leafed through."""

from __future__ import annotations

from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import pytest

from bot import worker
from bot.computers import thinkers
from bot.computers.queue import Priority
from bot.posting import stories
from engine.story import telling
from playground.player import Seen
from tests.bot.app import App
from tests.bot.queueing import noted_priorities
from tests.e2e.rooms import Room, play_move, start_game

STORY = "The story of Garden"


class _Never(Executor):
    """Workers that never come to an end."""

    def __init__(self, _number: int) -> None:
        pass

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        return Future()


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """The workers are threads, and think for a moment of the shortest games."""
    monkeypatch.setattr(thinkers, "_processes", ThreadPoolExecutor)
    monkeypatch.setattr(telling, "MIN_CHOICES", 2)
    monkeypatch.setattr(telling, "SECONDS", 0.01)
    monkeypatch.setattr(telling, "CLOSELY", 0.01)


async def open_again(app: App, *, wanted: bool = True) -> None:
    await app.close()
    app.stories = wanted
    await app.open()


async def play(app: App) -> Room:
    """A small garden of Ana and Ben, in which Ben ends with a blunder."""
    room = app.room()
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="garden")
    await ben.tap("Join")
    await ana.choose("size: 5", on=await ana.slash("table options"))
    await start_game(ana, ben)
    for person, bed, crop in ((ana, "a1", "date"), (ben, "a2", "date"), (ana, "a3", "date"), (ben, "a4", "nothing")):
        other = {"neighbor": "🟦 Ben" if person is ana else "🔴 Ana"} if crop == "date" else {}
        await play_move(person, "game move", what=" ".join((bed, f"{crop} tree" if other else crop, *other.values())))
    await room.onlooker.expect("wins!")
    return room


def told(room: Room) -> list[Seen]:
    return [seen for seen in room.onlooker.messages if STORY in seen and not seen.ephemeral]


async def test_the_story_is_told_once_and_leafed_through(app: App) -> None:
    await open_again(app)
    room = await play(app)
    posted = await room.onlooker.expect(STORY)
    assert not posted.ephemeral
    assert posted.images
    assert not posted.pinged, "everyone who played was called to the end already"
    assert "Move 4, 🟦 Ben: “Plant a4 nothing” cost 50% of the winning chances" in posted
    finn = room.person("Finn")
    page = await finn.tap("Look closer", on=posted)
    assert page.ephemeral
    while "How accurately everyone played" not in page:
        assert page.images
        page = await finn.tap("Next", on=page)
    assert "of 2 that mattered" in page
    await open_again(app)
    assert STORY in await finn.slash("game story")
    assert [posted.id] == [seen.id for seen in told(room)]
    assert [] == app.query("SELECT * FROM jobs WHERE kind = 'story'")
    # for `/stats`: as the page says, two choices mattered, and one of them cost half of the win
    found = app.query("SELECT choices, lost, lowest, luck FROM results ORDER BY match_id DESC, seat LIMIT 2")
    assert {2} <= {choices for choices, *_ in found}
    assert max(lost for _, lost, *_ in found) >= 0.5
    assert all(0 <= lowest < 0.6 and -1 <= luck <= 1 for _, _, lowest, luck in found)


async def test_a_story_waits_for_its_turn_behind_all_others(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = noted_priorities(monkeypatch)
    room = await play(app)
    await room.person("Ana").slash("game story")
    assert {Priority.STORY} == set(asked)


async def test_a_kill_while_it_is_thought_over_loses_nothing(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "_processes", _Never)
    monkeypatch.setattr(worker, "GRACE", 0.1)
    await open_again(app)
    room = await play(app)
    assert [] == told(room)
    monkeypatch.setattr(thinkers, "_processes", ThreadPoolExecutor)
    await open_again(app)
    await room.onlooker.expect(STORY)
    assert 1 == len(told(room))


async def test_what_takes_the_workers_too_long_is_thought_over_in_pieces_and_again(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    think, sizes = thinkers.Thinkers.think, list[int]()

    async def too_slow(self: thinkers.Thinkers, call: Any, *given: Any, **how: Any) -> Any:
        sizes.append(len(given[2]))
        if sizes[-1] > 1 or sizes.count(1) < 3:
            raise TimeoutError
        return await think(self, call, *given, **how)

    monkeypatch.setattr(thinkers.Thinkers, "think", too_slow)
    monkeypatch.setattr(telling, "SLICE", 100.0)
    monkeypatch.setattr(stories, "backoff", lambda _: 0.01)
    await open_again(app)
    room = await play(app)
    await room.onlooker.expect(STORY)
    assert 1 == len(told(room))
    assert max(sizes) > 1


async def test_a_story_for_which_the_workers_never_have_time_stays_due(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: Any, **__: Any) -> Any:
        raise TimeoutError

    with monkeypatch.context() as busy:
        busy.setattr(thinkers.Thinkers, "think", never)
        await open_again(app)
        room = await play(app)
        await app.let_pass(120)
        assert [] == told(room)
    await open_again(app)
    await room.onlooker.expect(STORY)


async def test_a_host_of_the_bot_can_do_without(app: App) -> None:
    room = await play(app)
    assert STORY in await room.person("Ana").slash("game story"), "anyone who asks is told all the same"
    await open_again(app)
    await room.person("Ana").slash("game board", **{"as": "text"})
    assert [] == told(room)


async def test_until_the_end_and_of_short_games_nothing_is_told(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    room = app.room()
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="garden")
    assert "not started" in await ana.slash("game story")
    await ben.tap("Join")
    await ana.tap("Start")
    assert "when the game is over" in await ana.slash("game story")
    monkeypatch.setattr(telling, "MIN_CHOICES", 20)
    room = await play(app)
    assert "too short" in await room.person("Ana").slash("game story")
