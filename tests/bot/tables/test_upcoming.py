"""Predictions of one's next turn: how many turns away, and about when; from the public log, and nothing where it is not
known.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.store.jobs import Job, JobKind
from bot.store.log import Log
from bot.store.matches import SeatHolder, Status
from bot.tables import upcoming
from bot.tables.preferences import Preferences, keep_preferences
from bot.tables.upcoming import MAX_TURNS, NOTICE_DELAY, next_notices, next_turn_text, turn_if_next, turns_before
from engine.games import discover
from engine.match import Match
from engine.texts import Seat
from engine.turns import seats_before, turn_starts
from tests.bot.app import App
from tests.bot.refusing import GUEST, HOST, House
from tests.bot.view.test_my_games import begin, list_games
from tests.bot.walks import set_row
from tests.engine.toys import TOYS

HOUR = timedelta(hours=1)
BEGIN = datetime(2026, 10, 5, 6, tzinfo=UTC)


def play_turns(game: str, seats: int, turns: int) -> Match:
    """A match of random moves with this number of begun turns, or to its end."""
    spec, rng = {**discover(), **TOYS}[game], Random(3)
    match = Match.begin(spec, spec.setup(seats), "seed")
    while match.outcome is None and len(turn_starts(match)) < turns:
        decision = rng.choice(match.state.decisions())
        match.play(decision.seat, rng.choice(decision.options))
    return match


def at_table(match: Match) -> Any:
    row = SimpleNamespace(status=Status.RUNNING, holders=range(match.setup.seats))
    return SimpleNamespace(id=1, match=match, row=row, require_match=lambda: match)


class Times(Log):
    """The times of a log: each turn of a seat takes some hours."""

    def __init__(self, match: Match, hours: Sequence[int]) -> None:
        self.now, self._at = BEGIN, {}
        for version, seat in turn_starts(match):
            self._at[version - 1] = self.began = self.now
            self.now += hours[seat or 0] * HOUR

    async def times(self, match_id: int, numbers: Collection[int]) -> dict[int, datetime]:
        return {n: self._at[n] for n in numbers if self._at[n]}


@pytest.mark.parametrize("game", discover())
def test_seats_take_turns_in_the_predicted_order(game: str) -> None:
    match = play_turns(game, 3, 12)
    order = [seat for _, seat in turn_starts(match)]
    for n in range(1, len(order) - 3):
        expected = [*dict.fromkeys(order[n : n + 3])]
        assert (expected[0], expected[1]) == seats_before(turn_starts(match)[: n + 1], expected[2] or Seat(0), 3)


@pytest.mark.parametrize(
    ("order", "seat", "before"),
    [
        ((0, 1, 2, 3, 0, 1, 3, 0), 3, (0, 1)),  # seat 2 has left the round
        ((0, 1, 2, 3, 0, 1, 3, 0), 2, ()),
        ((0, 1, 2, 1, 0), 2, ()),  # no fixed order
        ((0, None), 1, ()),
        ((0, None, 0), 1, ()),
        ((0,), 0, ()),
        ((), 0, ()),
    ],
)
def test_the_order_is_not_predicted_if_the_last_round_does_not_show_it(
    order: tuple[int | None, ...], seat: int, before: tuple[int, ...]
) -> None:
    starts = [(n, None if seat is None else Seat(seat)) for n, seat in enumerate(order)]
    assert before == seats_before(starts, Seat(seat), 4)


@pytest.mark.parametrize(
    ("hours", "later", "words"),
    [
        ((3, 5, 1), 0, "2 turns until yours, likely this evening"),
        ((3, 5, 1), 200, "2 turns until yours, likely within the hour"),
        ((1, 1, 9), 0, "2 turns until yours, likely later today"),
        ((9, 9, 1), 0, "2 turns until yours, likely tomorrow"),
        ((40, 40, 1), 0, "2 turns until yours, likely in 3 days"),
    ],
)
async def test_the_waiting_time_is_predicted_from_the_pace_of_preceding_seats(
    hours: tuple[int, ...], later: int, words: str
) -> None:
    match = play_turns("muscat", 3, 10)
    assert 0 == turn_starts(match)[-1][1], "the first seat is on turn"
    log = Times(match, hours)
    # the present turn begins at ten in the morning in this zone
    hour = (10 - log.began.hour) % 24
    zone = f"Etc/GMT{-(hour if hour < 13 else hour - 24):+d}"
    text = await next_turn_text(log, at_table(match), Seat(2), Preferences(zone=zone), log.began + later * HOUR)
    assert words == str(text)


async def test_old_slow_turns_do_not_affect_the_predicted_pace() -> None:
    match = play_turns("muscat", 3, 40)
    log, newest = Times(match, (2, 2, 2)), 3 * MAX_TURNS + 1
    assert newest + 10 < len(log._at), "most turns are slow"
    for n, entry in enumerate(sorted(log._at, reverse=True)):
        log._at[entry] -= max(n - newest + 1, 0) * 100 * HOUR
    seat = Seat(((turn_starts(match)[-1][1] or 0) + 1) % 3)
    text = str(await next_turn_text(log, at_table(match), seat, Preferences(), log.began))
    assert text.startswith("You’re next, likely ")
    assert "days" not in text
    for entry in sorted(log._at)[-8:]:  # a log from a file has no times
        log._at[entry], at = cast("datetime", None), log._at[entry]
        assert await next_turn_text(log, at_table(match), seat, Preferences(), log.began)
        log._at[entry] = at


async def test_a_seat_without_finished_turns_shows_no_pace_and_two_player_games_show_no_next_turn() -> None:
    for seats, words in ((3, "You’re next"), (2, "None")):
        match = play_turns("jinns", seats, 3)
        seat = Seat(((turn_starts(match)[-1][1] or 0) + 1) % seats)
        text = await next_turn_text(Times(match, (1,) * seats), at_table(match), seat, Preferences(), BEGIN)
        assert words == str(text)


@pytest.mark.parametrize(
    ("order", "next_seat"),
    [
        ((0,), None),  # the first board has just mentioned all players
        ((0, 1), 2),
        ((0, 1, 2, 0), 1),
        ((0, 1, 2, 0, 1, 0, 1, 0), None),  # two are left, and each of them has just moved
        ((0, 1, 2, 1, 0), None),
    ],
)
def test_a_seat_is_next_if_another_seat_had_the_last_turn(order: tuple[int, ...], next_seat: int | None) -> None:
    for seats, expected in ((3, next_seat), (2, None)):
        turns = tuple(enumerate(seat for seat in order if seat < seats))
        match: Any = SimpleNamespace(setup=SimpleNamespace(seats=seats), seats_on_turn=lambda turns=turns: turns)
        numbers = [turn_if_next(at_table(match), match, Seat(seat)) for seat in range(seats)]
        assert [len(turns) if seat == expected else None for seat in range(seats)] == numbers


async def test_players_whose_turn_is_next_get_a_notice_if_they_want_one(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, table = home.store.settings, await home.match(game="toll")
    match, over = table.require_match(), cast("Match", SimpleNamespace(outcome="over"))
    monkeypatch.setattr(
        upcoming, "turn_if_next", lambda *of: 4 if of in ((table, match, 1), (table, over, 1)) else None
    )
    assert [] == await next_notices(settings, table, match, BEGIN)
    for user_id in (HOST, GUEST):
        await keep_preferences(settings, user_id, Preferences(next_notice=True))
    notice = Job(JobKind.NEXT_NOTICE, BEGIN + NOTICE_DELAY, table.id, GUEST, state={"version": 4, "sent": False})
    assert [notice] == await next_notices(settings, table, match, BEGIN)
    await keep_preferences(settings, GUEST, Preferences())
    assert [] == await next_notices(settings, table, match, BEGIN)
    await keep_preferences(settings, GUEST, Preferences(next_notice=True))
    assert [] == await next_notices(settings, table, over, BEGIN)
    set_row(table, holders=(SeatHolder(computer="uniform"), SeatHolder(GUEST)))
    assert [] == await next_notices(settings, table, match, BEGIN), "nobody else takes long"


def test_a_table_that_cannot_be_played_has_no_next_turn() -> None:
    match = play_turns("muscat", 3, 10)
    seats = turns_before(at_table(match), Seat(2))
    assert 2 == len(seats)
    for change in (
        {"match": None},
        {"row": SimpleNamespace(status=Status.OVER, holders=range(3))},
    ):
        table = at_table(match)
        vars(table).update(change)
        assert () == turns_before(table, Seat(2))


async def test_your_move_and_the_list_of_games_show_the_distance_to_the_next_turn(app: App) -> None:
    room = await begin(app, "muscat", "Ana", "Ben", "Caro")
    _, ben, caro = room.people("Ana", "Ben", "Caro")
    board = room.onlooker.last
    for person, words in ((ben, "You’re next"), (caro, "2 turns until yours")):
        assert words in await person.tap("Your move", on=board)
        assert words in await list_games(person)
    assert "next" not in await list_games(room.person("Ana"))
