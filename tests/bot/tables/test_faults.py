"""The code of a package's game does wrong at its table: other tables go on, and its own when the game is repaired.

Each test plays a game from a package beside one of our own toys.
"""

from __future__ import annotations

import importlib
import logging
import re
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import renders
from bot import watchdog
from bot.errors import GameFault, LoopStuck, NonsenseError, UserError
from bot.features.deadlines.timeouts import Timeouts
from bot.store.matches import SeatHolder, Status
from bot.tables import faults, moves
from engine.core import Outcome
from engine.discovery import Source
from engine.games import discover, discover_all
from engine.match import Match
from engine.texts import Text
from playground.player import Player
from tests.bot.app import PATIENCE, App
from tests.bot.moderating import moderator
from tests.bot.moderation.test_server_games import look_after
from tests.bot.refusing import CHANNEL, DAY, GUEST, GUILD, HOST, HOUR, NOON, House
from tests.bot.test_refused_jobs import league as open_league
from tests.robots import BOARD
from tests.rooms import Room, start_game
from tests.sampling import EVERYTHING, every

APOLOGY = "Something went wrong in the code of **Faulty**"
SECRET = "the hand of Ben"


def fail(error: Callable[[], BaseException]) -> Callable[[], Any]:
    def wrong() -> Any:
        raise error()

    return wrong


ERRORS: dict[str, Callable[[], BaseException]] = {
    "an error": lambda: RuntimeError(SECRET),
    "an exit": lambda: SystemExit(SECRET),
    "an error as of a request": lambda: OSError(SECRET),
    "an error that a log can cause": lambda: KeyError(SECRET),
}


class Reason(StrEnum):
    OVER = "over"


PLACES = (
    *("decisions", "resolve", "outcome", "observe", "tally", "gloss", "prompt", "event"),
    *("seat_names", "seat_colors", "paint", "alt", "tell"),
)
GOES_ON = {"seat_names", "paint", "alt"}
"""Places of faults where the bot has a substitute for what the game returns."""


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of a game from a package, which does nothing wrong so far."""
    monkeypatch.syspath_prepend(Path(__file__).parent.parent / "packages")
    module = importlib.import_module("faulty")
    monkeypatch.setitem(discover(), "faulty", module.GAME)
    monkeypatch.setitem(discover_all().sources, "faulty", Source("faulty", "faulty", "caravanserai-faulty 1.0"))
    monkeypatch.setattr(faults, "_logged", set())
    module.wrongs.clear()
    yield module
    module.wrongs.clear()


async def begin(app: App, game: str, *names: str) -> Room:
    room = app.room()
    host, *others = room.people(*names)
    await host.slash("table new", game=game)
    for person in others:
        await person.tap("Join")
    await start_game(host, *others)
    await room.onlooker.expect(BOARD)
    return room


async def play(person: Player, what: str) -> str:
    answer = await person.slash("game move", what=what)
    if answer is not None and "Confirm" in answer.labels:
        answer = await person.tap("Confirm", on=answer)
    return answer.text if answer else ""


async def texts_at(room: Room) -> list[str]:
    """Answers to the players of a faulty game."""
    cleo, ana = room.people("Cleo", "Ana")
    answers = [await cleo.slash("game board"), await cleo.slash("game log"), await ana.slash("me games")]
    answers += [
        await ana.tap("More"),
        await ana.slash("game board", **{"as": "text"}),
        await cleo.slash("game why", move="Take 1"),
    ]
    return [*(answer.text for answer in answers if answer), await play(cleo, "Take 1"), await play(ana, "Take 1")]


def log_lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize(
    ("place", "error"),
    [(place, name) for n, place in enumerate(PLACES) for m, name in enumerate(ERRORS) if (n + m) % every(4) == 0],
)
async def test_an_error_in_a_game_affects_only_its_own_table(
    app: App, faulty: Any, caplog: Any, place: str, error: str
) -> None:
    app.local.allow("the code of the game faulty failed")
    ours, theirs = await begin(app, "sealed", "Ana", "Ben"), await begin(app, "faulty", "Cleo", "Ana")
    faulty.wrongs[place] = fail(ERRORS[error])
    texts = await texts_at(theirs)
    assert (place in GOES_ON) != any(APOLOGY in text for text in texts)
    assert not any("on my end" in text for text in texts)
    assert any("Sealed Bids" in text for text in texts), "a list of all games has those of others"
    lines = log_lines(caplog)
    assert lines
    assert all(line.startswith("the code of the game faulty failed at match 2: ") for line in lines)
    assert len(lines) == len({*lines}) < 8, "each once"
    assert SECRET not in "".join(map(caplog.handler.format, caplog.records))
    assert "✓" in await play(ours.person("Ana"), "Bid 1")
    faulty.wrongs.clear()
    for person in theirs.people("Cleo", "Ana") * 3:
        await play(person, "Take 1")
    await theirs.onlooker.expect("Done.")


NONSENSE: dict[str, tuple[str, Callable[[], Any], str]] = {
    "no decisions": ("decisions", lambda: None, "returns no decisions"),
    "an empty list of decisions": ("decisions", lambda: (), "returns no decisions"),
    "decisions that are none": ("decisions", lambda: ("Take 1",), "is not a decision with a text"),
    "a prompt that is no text": ("prompt", lambda: None, "is not a decision with a text"),
    "an outcome that is none": ("outcome", lambda: "over", "is not an outcome"),
    "scores of nobody": ("outcome", lambda: Outcome((1.0, 0.0), (2,), Reason.OVER), "one score for each seat"),
    "a score without end": ("outcome", lambda: Outcome((1.0, 0.0), (2**90, 0), Reason.OVER), "integer of up to 32"),
    "a score that is a text": ("outcome", lambda: Outcome((1.0, 0.0), ("2", 0), Reason.OVER), "integer of up to 32"),
    "a share that is no number": ("outcome", lambda: Outcome((float("nan"), 0.0), (2, 0), Reason.OVER), "from 0 to 1"),
    "too few names": ("seat_names", lambda: ("North",), "one name for each seat"),
}
ONE_OF_EACH_PLACE = list({place: what for what, (place, *_) in NONSENSE.items()}.values())


def test_a_game_of_our_own_is_not_checked_for_nonsense_at_each_move() -> None:
    match: Any = SimpleNamespace(spec=discover()["muscat"])
    faults.require_sense(match)


@pytest.mark.parametrize("what", [what for what in NONSENSE if what != "too few names"])
def test_nonsense_is_not_stored(faulty: Any, what: str) -> None:
    place, value, reason = NONSENSE[what]
    match = Match.begin(faulty.GAME, faulty.GAME.setup(2), "")
    faults.require_sense(match)
    faulty.wrongs[place] = value
    with pytest.raises(NonsenseError, match=re.escape(reason)):
        faults.require_sense(match)


@pytest.mark.parametrize(
    "what", NONSENSE if EVERYTHING else {place: what for what, (place, *_) in NONSENSE.items()}.values()
)
async def test_nonsense_from_a_game_affects_only_its_own_table(app: App, faulty: Any, caplog: Any, what: str) -> None:
    place, value, _ = NONSENSE[what]
    app.local.allow("the code of the game faulty failed")
    ours, theirs = await begin(app, "sealed", "Ana", "Ben"), await begin(app, "faulty", "Cleo", "Ana")
    faulty.wrongs[place] = value
    texts = await texts_at(theirs)
    assert not any("on my end" in text or "database" in text for text in texts)
    assert any("Sealed Bids" in text for text in texts)
    assert bool(log_lines(caplog)) == (what != "an empty list of decisions"), "it looks like the end of the game"
    assert "✓" in await play(ours.person("Ana"), "Bid 1")
    faulty.wrongs.clear()
    assert [("running",)] == app.query("SELECT status FROM matches WHERE game = 'faulty'")
    for person in theirs.people("Cleo", "Ana") * 3:
        await play(person, "Take 1")
    await theirs.onlooker.expect("Done.")


SAFE = "Something went wrong in the code of **Faulty**, which is not a part of me. The game is safe."


@pytest.mark.parametrize(
    ("place", "value", "cause"),
    [
        ("decisions", fail(lambda: RuntimeError(SECRET)), "RuntimeError at faulty.py:"),
        ("decisions", lambda: None, "decisions() returns no decisions, and the game is not over"),
    ],
)
def test_a_fault_is_logged_once_for_each_match_and_its_apology_has_a_number_to_report(
    faulty: Any, caplog: pytest.LogCaptureFixture, place: str, value: Callable[[], Any], cause: str
) -> None:
    match = Match.begin(faulty.GAME, faulty.GAME.setup(2), "")
    faulty.wrongs[place] = value
    texts = []
    for match_id in (0, 7000, 8, 7000):
        with pytest.raises(GameFault) as fault, faults.guarding_match("faulty", match_id):
            faults.require_sense(match)
        texts.append(str(fault.value.text))
        assert not fault.value.held_up_others
    numbers = ["", *(f"\n-# Report this number if it happens again: {n}" for n in (7000, 8, 7000))]
    assert [SAFE + number for number in numbers] == texts
    expected = [
        f"the code of the game faulty failed{where}: {cause}" for where in ("", " at match 7000", " at match 8")
    ]
    assert expected == [line[: len(start)] for line, start in zip(log_lines(caplog), expected, strict=True)]


def test_errors_with_a_meaning_and_of_our_own_games_stay_what_they_are(faulty: Any) -> None:
    for game, error in (("faulty", UserError(Text("No."))), ("sealed", RuntimeError("a bug")), ("", RuntimeError(""))):
        with pytest.raises(type(error)) as raised, faults.guarding_match(game, 7):
            raise error
        assert error is raised.value
    with pytest.raises(GameFault), faults.guarding_match("faulty", 7):
        raise RuntimeError("nonsense from the game")
    with pytest.raises(GameFault, match="unknown"), faults.guarding_match():
        raise LoopStuck


def loop() -> None:
    """An endless loop, as a game may have it; it ends with the test."""
    while sys.modules["faulty"].wrongs:
        time.sleep(0)


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "CHECK_INTERVAL", 0.05)
    monkeypatch.setattr(watchdog, "LOOP_LIMIT", 0.3)
    monkeypatch.setattr(watchdog, "THREAD_LIMIT", 0.3)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("place", ["decisions", "resolve", "observe", "outcome"][:: every(2)])
async def test_an_endless_loop_is_stopped_and_its_table_stays_stopped_until_reloaded(
    app: App, faulty: Any, caplog: Any, place: str
) -> None:
    app.local.allow("the code of the game faulty failed")
    ours, theirs = await begin(app, "sealed", "Ana", "Ben"), await begin(app, "faulty", "Cleo", "Ana")
    faulty.wrongs[place] = loop
    cleo = theirs.person("Cleo")
    answer = await play(cleo, "Take 1")
    # a job may have met the loop before
    assert APOLOGY in answer or "stuck in an endless loop" in answer
    (line,) = log_lines(caplog)
    assert "LoopStuck at" in line
    assert "✓" in await play(ours.person("Ana"), "Bid 1")
    assert "stuck in an endless loop" in (await cleo.slash("game board")).text
    assert "Sealed Bids" in (await theirs.person("Ana").slash("me games")).text
    faulty.wrongs.clear()
    await app.close()
    await app.open()
    for person in theirs.people("Cleo", "Ana") * 3:
        await play(person, "Take 1")
    await theirs.onlooker.expect("Done.")


@pytest.mark.usefixtures("_impatient")
async def test_a_moderator_resumes_a_table_after_an_endless_loop(app: App, faulty: Any) -> None:
    app.local.allow("the code of the game faulty failed")
    theirs = await begin(app, "faulty", "Cleo", "Ana")
    faulty.wrongs["decisions"] = loop
    await play(theirs.person("Cleo"), "Take 1")
    page = await look_after(theirs, "Faulty")
    assert "stuck in an endless loop" in page
    faulty.wrongs.clear()
    assert "Reloaded" in await moderator(theirs).tap("Unstick", on=page)
    for person in theirs.people("Cleo", "Ana") * 3:
        await play(person, "Take 1")
    await theirs.onlooker.expect("Done.")


@pytest.mark.usefixtures("_impatient")
async def test_an_endless_loop_in_a_picture_frees_its_thread(app: App, faulty: Any) -> None:
    app.local.allow("the code of the game faulty failed")
    theirs = await begin(app, "faulty", "Cleo", "Ana")
    faulty.wrongs["paint"] = loop
    for person in theirs.people("Cleo", "Ana"):
        assert APOLOGY not in await play(person, "Take 1")
    ours = await begin(app, "sealed", "Ana", "Ben")
    assert ours.onlooker.last.images


async def test_a_table_whose_evaluation_fails_can_be_ended(app: App, faulty: Any) -> None:
    app.local.allow("the code of the game faulty failed")
    theirs = await begin(app, "faulty", "Cleo", "Ana")
    for place in ("evaluate", "decisions", "seat_names", "observe"):
        faulty.wrongs[place] = fail(lambda: RuntimeError(SECRET))
    cleo = theirs.person("Cleo")
    await cleo.tap("End it", on=await cleo.slash("table end"))
    assert [("ended",)] == app.query("SELECT status FROM matches")


# --- jobs, and what covers several tables ---


@pytest.fixture
def home(faulty: Any, home: House) -> House:
    return home


def let_fail(faulty: Any, home: House, *places: str) -> list[datetime]:
    """Let the game fail there from now on. Returns the times at which it does."""
    times: list[datetime] = []

    def wrong() -> None:
        times.append(home.time.now)
        raise SystemExit(SECRET)

    faulty.wrongs.update(dict.fromkeys(places, wrong))
    return times


@pytest.mark.parametrize("place", ["prompt", "decisions", "outcome", "observe"])
async def test_the_board_of_a_failing_game_pauses_and_is_posted_after_the_repair(
    home: House, faulty: Any, place: str
) -> None:
    theirs, ours = await home.match(game="faulty"), await home.match(CHANNEL + 1)
    times = let_fail(faulty, home, place)
    with pytest.raises(GameFault):
        await home.services.poster.deliver(theirs)
    await home.begin()
    await home.let_pass(DAY)
    assert (None, True) == (ours.waiting, theirs.waiting is not None)
    moments = sorted({*times})
    assert 5 < len(moments) < 40
    assert len([at for at in moments if at > NOON + 2 * HOUR]) <= 24, "once an hour"
    faulty.wrongs.clear()
    await home.let_pass(HOUR)
    assert theirs.waiting is None


async def test_a_reminder_names_a_failing_game_along_with_others(home: House, faulty: Any) -> None:
    for n, game in enumerate(("faulty", "sealed")):
        await home.posted(CHANNEL + n, game=game)
    times = let_fail(faulty, home, "prompt", "decisions")
    home.time.now += DAY
    await home.begin()
    await home.let_pass(HOUR)
    assert times
    assert 2 == home.network.accepted.count("POST /channels/{channel_id}/messages"), "one for each player"


async def test_a_failing_game_does_not_stop_clocks_and_jobs_after_a_downtime(home: House, faulty: Any) -> None:
    """Gaps are taken out of all clocks before any job runs."""
    theirs = await home.posted(game="faulty", pace="brisk", firm=False)
    times = let_fail(faulty, home, "decisions")
    await Timeouts(home.services).skip_gap(theirs.id, NOON)
    assert times


async def test_jobs_of_a_removed_game_wait_until_it_is_back(
    home: House, faulty: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = await home.match(CHANNEL, SeatHolder(HOST, name="Ana"), SeatHolder(GUEST, name="Ben"), game="faulty")
    with monkeypatch.context() as patch:
        patch.delitem(discover(), "faulty")
        await home.services.tables.refresh(theirs)
        assert "no longer have the game" in str(theirs.problem)
        await home.begin()
        await home.let_pass(DAY)
    await home.services.tables.refresh(theirs)
    await home.let_pass(2 * HOUR)
    assert (None, None) == (theirs.problem, theirs.waiting)
    assert "POST /channels/{channel_id}/messages" in home.network.accepted


async def test_a_stored_match_whose_replay_fails_has_a_problem(home: House, faulty: Any) -> None:
    theirs = await home.posted(game="faulty")
    let_fail(faulty, home, "start")
    await home.services.tables.refresh(theirs)
    assert "The code of this game has failed. It can’t continue" in str(theirs.problem)
    faulty.wrongs.clear()
    await home.services.tables.refresh(theirs)
    assert theirs.problem is None


async def test_an_error_in_a_built_in_game_is_still_a_bug(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await home.posted()
    with pytest.raises(RuntimeError, match=SECRET), faults.guarding(table):
        raise RuntimeError(SECRET)


async def test_a_game_without_working_commands_or_picture_does_not_prevent_the_bot_from_starting(
    app: App, faulty: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.local.allow("the code of the game faulty failed")
    monkeypatch.setitem(discover(), "faulty", replace(faulty.GAME, picture="faulty_but_missing", actions=(None,)))
    ours = await begin(app, "sealed", "Ana", "Ben")
    app.emojis = True
    await app.close()
    renders._artist.cache_clear()
    await app.open()
    assert "✓" in await play(ours.person("Ana"), "Bid 1")
    await app.local.discord.notifier.until(lambda: bool(app.local.discord.world.emojis) or app.ended, PATIENCE)
    assert not app.ended


@pytest.mark.parametrize("place", ["decisions", "prompt", "seat_names", "observe", "evaluate"])
async def test_a_failing_game_does_not_block_moderators_or_users_who_delete_their_data(
    app: App, faulty: Any, place: str
) -> None:
    app.local.allow("the code of the game faulty failed")
    ours, theirs = await begin(app, "sealed", "Ana", "Ben"), await begin(app, "faulty", "Cleo", "Ana")
    faulty.wrongs[place] = fail(lambda: RuntimeError(SECRET))
    games = await moderator(ours).slash("server games")
    assert {"Faulty", "Sealed"} == {option.label.removeprefix("⚠️ ")[:6] for option in games.menus[0].options}
    cleo = theirs.person("Cleo")
    sure = await cleo.tap("Forget me", on=await cleo.slash("me data"))
    assert "Everything about you is deleted" in await cleo.tap("Forget me for good", on=sure)
    assert [] == app.query("SELECT * FROM seat_history WHERE user_id = ?", cleo.id)


async def test_a_league_round_continues_without_tables_that_cannot_begin(
    home: House, faulty: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def open_thread(_guild_id: int, _channel_id: int, message_id: int, _name: str) -> int:
        return message_id

    monkeypatch.setattr(home.services.channels, "open_thread", open_thread)
    await open_league(home, "faulty")
    let_fail(faulty, home, "start")
    await home.begin()
    await home.let_pass(DAY)
    (league,) = await home.store.leagues.of_server(GUILD)
    assert 1 == league.round
    tables = [table for match_id in range(1, 5) if (table := await home.services.tables.find(match_id))]
    assert [Status.CLOSED] * 4 == [table.row.status for table in tables]


async def test_computers_decide_even_if_the_evaluation_fails(home: House, faulty: Any) -> None:
    theirs = await home.posted(game="faulty")
    times = let_fail(faulty, home, "evaluate")
    decision = theirs.require_match().state.decisions()[0]
    for player in ("greedy", "easy"):
        assert await moves._choose_action(player, theirs.require_match(), decision.seat) in decision.options
    assert times


async def test_a_computer_pauses_while_its_game_fails(home: House, faulty: Any) -> None:
    people = SeatHolder(computer="fair"), SeatHolder(HOST, name="Ana")
    theirs = await home.match(CHANNEL, *people, game="faulty")

    async def choose(_: str, view: Any, **__: Any) -> Any:
        return theirs.require_match().decision_of(view.viewer).options[0]

    thinkers: Any = home.services.thinkers
    thinkers.choose = choose
    times = let_fail(faulty, home, "resolve")
    await home.begin()
    await home.let_pass(DAY)
    assert (0, True) == (theirs.require_match().version, 5 < len({*times}) < 40)
    faulty.wrongs.clear()
    await home.let_pass(HOUR)
    assert 1 == theirs.require_match().version
