"""Some of the simulated seasons of leagues; `make soak` plays two hundred. The judge would see what goes wrong."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest

from bot import worker
from bot.features.leagues import pairing, rounds, season, showing
from bot.features.leagues.pairing import tables_of
from bot.features.leagues.season import Season
from bot.features.leagues.standings import Played
from bot.store.jobs import Job, JobKind, Key
from bot.store.ratings import Ratings
from bot.store.tally import Tally
from bot.tables import seats
from tests.crowd.discord import Sent
from tests.crowd.leagues import Server, play_seasons
from tests.crowd.people import Person
from tests.crowd.promises import Breach


@pytest.fixture(autouse=True)
def _own_nap(toys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulation changes the nap of the worker."""
    monkeypatch.setattr(worker, "MAX_SLEEP", worker.MAX_SLEEP)


async def test_leagues_keep_their_promises_through_kills_leavers_and_late_players() -> None:
    counts = await play_seasons("test/12", 2) + await play_seasons("test/17", 2)
    assert counts["seasons"] == 4, counts
    assert counts["kills"] > 3, counts
    assert counts["left the league"] > 0, counts
    assert counts["seats lost by the pace"] > 0, counts
    assert counts["tables ended by a moderator"] > 0, counts
    assert counts["checked: promotions follow the standings"] > 0, counts


async def broken_promise(first: int = 8, **more: float) -> str:
    """The first one in some seasons, beginning with a short one: not in every one of them is everything possible."""
    for number in range(first, first + 20):
        try:
            await play_seasons(f"test/{number}", 1, **more)
        except Breach as breach:
            return str(breach)
    return ""


async def test_the_judge_detects_a_player_without_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "tables_of", lambda users, *rest, **more: tables_of(users[:-1], *rest, **more))
    assert "have no table" in await broken_promise()


async def test_the_judge_detects_needless_repeated_meetings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "tables_of", lambda users, seats, _, **more: tables_of(users, seats, [], **more))
    assert "would avoid it" in await broken_promise()


async def test_the_judge_detects_an_unfair_second_bye(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "byes_so_far", lambda _: Counter())
    assert "who have had more of them" in await broken_promise(first=2)


async def test_the_judge_detects_seats_for_outsiders_and_double_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    async def claim(*_: object) -> None:
        """Let everyone have the seat."""

    async def everyone(_: object, of: Season, __: object) -> list[int]:
        return [player.user_id for player in of.active]

    def leave_soon(self: Server, person: Person) -> None:
        person.leaves = self.time.now + timedelta(days=2)

    monkeypatch.setattr(seats, "claim_league_seat", claim)
    monkeypatch.setattr(rounds, "_players_without_seat", everyone)
    monkeypatch.setattr(Server, "_burden", leave_soon)
    broken = await broken_promise(first=10)
    assert "are no players of group" in broken or "have more than one seat" in broken


async def test_the_judge_detects_winners_without_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "_is_won", lambda _: False)
    assert "groups with points" in await broken_promise()


async def test_the_judge_detects_wrong_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    async def forgetful(*_: object) -> Tally:
        return Tally()

    monkeypatch.setattr(Ratings, "_tally_for", forgetful)
    assert "ratings follow from the results" in await broken_promise()


async def test_the_judge_detects_an_undone_job(monkeypatch: pytest.MonkeyPatch) -> None:
    find = worker.Worker._find

    async def lazy(self: worker.Worker, key: Key) -> Job | None:
        return None if key[0] is JobKind.LEAGUE else await find(self, key)

    monkeypatch.setattr(worker.Worker, "_find", lazy)
    assert "due, and not done: [('league'" in await broken_promise()


async def test_the_judge_detects_wrong_standings(monkeypatch: pytest.MonkeyPatch) -> None:
    points = Played.points
    monkeypatch.setattr(Played, "points", lambda self: {who: won / 2 for who, won in points(self).items()})
    assert "read a second time" in await broken_promise(first=5)


async def test_the_judge_detects_that_a_leaver_has_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(season, "_losses", lambda *_: ())
    assert "read a second time" in await broken_promise(first=5)


async def test_the_judge_detects_a_repeated_announcement(monkeypatch: pytest.MonkeyPatch) -> None:
    async def is_not_there(*_: object) -> bool:
        return False

    def die_at_first(self: Server, sent: Sent) -> None:
        """Kill the bot after the first attempt of each announcement."""
        if self.bot and sent.nonce.startswith("league-") and sent.nonce not in announced:
            self.bot.process.has_ended = True
            announced.add(sent.nonce)

    announced = set[str]()
    monkeypatch.setattr(rounds, "_is_posted", is_not_there)
    monkeypatch.setattr("tests.crowd.discord.REMEMBERED", timedelta())
    monkeypatch.setattr(Server, "delivered", die_at_first)
    assert "announced more than once" in await broken_promise()
