"""Ratings: the games that count, the owner of each result, and the numbers that follow: whole, or computed anew, they
are the same.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import astuple, replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import methodcaller
from random import Random
from typing import Any, cast

import pytest

from bot.store import tally
from bot.store.database import Database
from bot.store.matches import Results, SeatHolder, Status
from bot.store.opening import open_database
from bot.store.ratings import TABLES
from bot.store.store import Store
from bot.store.table_events import TableEventKind
from bot.store.tally import (
    ALL_SERVERS,
    Credit,
    Forfeit,
    Owners,
    RatedMatch,
    RatedSeat,
    Rating,
    Record,
    RecordKind,
    SeatStory,
    Tally,
    computer_ratings,
    forfeit_results,
    rate,
)
from bot.tables import rated as rated_facts
from bot.tables.preferences import Preferences, keep_preferences
from caravanserai.__main__ import main
from engine.core import Outcome
from engine.games import discover
from engine.match import Entry, Match
from engine.players import offered_players
from engine.texts import Seat
from tests.bot.app import App
from tests.bot.forging import forge
from tests.bot.matches import append, change, end_match, open_match
from tests.bot.matches import begin as begin_match
from tests.bot.moderating import GAME, begin, choose_setting, moderator
from tests.rooms import play_move, start_game

SERVER, OTHER_SERVER = 9, 10
AT = datetime(2026, 11, 22, 18, 30, tzinfo=UTC)
ANA, BEN, CARO, DAN = 71, 72, 73, 74
COMPUTER = SeatHolder(computer="fair")


def people(*users: int) -> list[SeatHolder]:
    return [SeatHolder(user, name=str(user)) for user in users]


# --- whose decisions ---


def test_undone_and_automatic_answers_are_not_acts_of_the_seat() -> None:
    spec = discover()["gangs"]
    match = Match.begin(spec, spec.setup(3), "a seed")
    seat = match.state.decisions()[0].seat
    number = match.version
    match.play(seat, match.decision_of(seat).options[0])
    assert number in match.act_versions(seat)
    answered = Match.replay(spec, match.setup, "a seed", match.entries, {number: True})
    assert number not in answered.act_versions(seat)
    match.undo(seat, frozenset(map(Seat, range(3))))
    assert number not in match.act_versions(seat)
    assert () == match.act_versions(Seat(2)) or answered


# --- the numbers ---


def match_of(
    number: int, *seats: tuple[Credit, int, float], guild_id: int = SERVER, game: str = "muscat"
) -> RatedMatch:
    return RatedMatch(number, guild_id, game, number, 30, tuple(RatedSeat(*seat) for seat in seats))


def test_a_newcomer_has_1500_and_is_provisional_until_the_margin_is_small() -> None:
    assert (1500, 500, True) == (Rating().points, Rating().margin, Rating().is_provisional)
    assert not Rating(25, 5).is_provisional


def test_winners_gain_what_losers_lose_and_computers_keep_their_ratings() -> None:
    fair = computer_ratings()["muscat"]["fair"]
    match = match_of(1, (Credit(ANA, None, 0, 1), 5, 1.0), (Credit(None, "fair", 1, 2), 3, 0.0))
    after = rate(match, {ANA: Rating()})
    assert after[ANA].mu > 25
    assert after[ANA].sigma < Rating().sigma
    assert fair == computer_ratings()["muscat"]["fair"]


def test_ratings_do_not_change_without_a_rated_opponent() -> None:
    match = match_of(1, (Credit(ANA, None, 0, 1), 5, 1.0), (Credit(None, "uniform", 1, 2), 3, 0.0))
    assert {ANA: Rating()} == rate(match, {ANA: Rating()})


def test_tied_players_stay_equal_and_partners_change_together() -> None:
    draw = match_of(1, (Credit(ANA, None, 0, 1), 5, 0.5), (Credit(BEN, None, 1, 1), 5, 0.5))
    after = rate(draw, {ANA: Rating(), BEN: Rating()})
    assert after[ANA] == after[BEN]
    team = ((ANA, 0, 1), (BEN, 1, 3), (CARO, 0, 1), (DAN, 1, 3))
    match = match_of(2, *((Credit(user, None, company, place), 1, 0.0) for user, company, place in team))
    after = rate(match, dict.fromkeys((ANA, BEN, CARO, DAN), Rating()))
    assert after[ANA] == after[CARO] != after[BEN] == after[DAN]


@pytest.mark.parametrize("stayed", [(BEN, CARO), (BEN, CARO, DAN)])
def test_giving_up_a_game_that_others_call_off_costs_as_much_as_playing_on_and_coming_last(
    stayed: tuple[int, ...],
) -> None:
    before = dict.fromkeys((ANA, *stayed), Rating())

    def result(*places: int, finished: bool) -> dict[int, Rating]:
        seats = ((Credit(user, None, n, places[n]), 0, 0.0) for n, user in enumerate(stayed))
        last = forfeit_results([Forfeit(0, ANA, len(before))])
        return rate(replace(match_of(1, *seats), forfeits=last, finished=finished), before)

    off = result(*(1 for _ in stayed), finished=False)
    played = result(*range(1, len(before)), finished=True)
    assert astuple(off[ANA]) == pytest.approx(astuple(played[ANA]))
    gains = [off[user].mu - Rating().mu for user in stayed]
    assert gains == pytest.approx([(Rating().mu - off[ANA].mu) / len(stayed)] * len(stayed)), "all of them the same"


def test_a_team_is_placed_by_its_best_seat() -> None:
    team = ((ANA, 0, 1), (BEN, 1, 2), (CARO, 0, 3), (DAN, 1, 2))
    match = match_of(2, *((Credit(user, None, company, place), 1, 0.0) for user, company, place in team))
    after = rate(match, dict.fromkeys((ANA, BEN, CARO, DAN), Rating()))
    assert after[ANA].mu == after[CARO].mu > Rating().mu > after[BEN].mu


def test_partners_do_not_count_as_rivals() -> None:
    team, totals = ((ANA, 0, 1), (BEN, 1, 3), (CARO, 0, 1), (DAN, 1, 3)), Tally()
    totals.count(match_of(1, *((Credit(user, None, company, place), 1, 0.0) for user, company, place in team)))
    met = {(meeting.user_id, meeting.other_id): (meeting.ahead, meeting.behind) for meeting in totals.meetings.values()}
    won = {(winner, loser): (1, 0) for winner in (ANA, CARO) for loser in (BEN, DAN)}
    assert {**won, **{(loser, winner): (0, 1) for winner, loser in won}} == met


def test_a_user_with_two_seats_gets_the_worse_result() -> None:
    seats = ((ANA, 0, 1), (BEN, 1, 2), (ANA, 2, 3))
    match = match_of(1, *((Credit(user, None, company, place), 1, 0.0) for user, company, place in seats))
    assert {ANA: 3, BEN: 2} == {user: seat.credit.place for user, seat in match.people().items()}


def test_a_user_counts_once_per_match_even_with_several_seats() -> None:
    seats = ((ANA, 0, 1), (BEN, 1, 2), (ANA, 2, 3))
    twice = match_of(1, *((Credit(user, None, company, place), 1, 0.0) for user, company, place in seats))
    once = replace(twice, seats=twice.seats[1:])
    newcomers = dict.fromkeys((ANA, BEN), Rating())
    assert rate(once, newcomers) == rate(twice, newcomers)
    given_up = replace(once, seats=twice.seats[:2], forfeits=tally.forfeit_results([Forfeit(2, ANA, 3)]))
    assert 3 == given_up.people()[ANA].credit.place


@pytest.mark.parametrize("kind", RecordKind)
def test_a_record_is_the_highest_figure_or_the_lowest_lead_or_chance_and_ties_stay(kind: RecordKind) -> None:
    low, high, again = (Record(SERVER, "muscat", kind, figure, n) for n, figure in enumerate((3, 5, 5), 1))
    lowest = kind in (RecordKind.CLOSEST, RecordKind.COMEBACK)
    assert (lowest, not lowest, True) == (low.beats(high), high.beats(low), low.beats(None))
    assert (False, True) == (again.beats(high), high.beats(again)), "the earlier match keeps it"


def test_only_the_seat_whose_result_counts_sets_records_of_its_story() -> None:
    story = SeatStory(luck=0.2, lost=0.0, usually=1.0, choices=tally.MIN_CHOICES, lowest=0.01)
    match = match_of(
        1, *((Credit(user, None, n, n + 1), 3 - n, float(not n)) for n, user in enumerate((ANA, BEN, ANA)))
    )
    analyzed = replace(match, seats=tuple(replace(seat, story=story) for seat in match.seats))
    assert [("accurate", BEN), ("accurate", ANA)] == [
        (record.kind, record.user_id) for record in tally.records_of_story(analyzed)
    ]


def test_a_game_is_weighted_by_its_share_of_human_players() -> None:
    people = ((Credit(ANA, None, 0, 1), 5, 1.0), (Credit(BEN, None, 1, 2), 3, 0.0))
    computers = tuple((Credit(None, "fair", seat, 3), 0, 0.0) for seat in (2, 3))
    match, newcomers = match_of(1, *people, *computers), dict.fromkeys((ANA, BEN), Rating())
    half, whole = rate(match, newcomers), rate(match, newcomers, lambda *_: 1.0)
    for user in (ANA, BEN):
        assert half[user].mu - 25 == pytest.approx((whole[user].mu - 25) / 2)
        assert whole[user].sigma < half[user].sigma < Rating().sigma


def test_seats_partly_decided_by_others_set_no_records_and_count_in_no_average() -> None:
    most = SeatStory(luck=0.2, lost=0.0, usually=1.0, choices=tally.MIN_CHOICES, lowest=0.01)
    helped = RatedSeat(Credit(ANA, None, 0, 1, whole=False), 99, 1.0, most)
    alone = RatedSeat(Credit(BEN, None, 1, 2), 3, 0.0, None)
    on = Tally()
    on.count(RatedMatch(1, SERVER, "muscat", 1, 30, (helped, alone)))
    assert (BEN, 3) == (
        on.records[SERVER, "muscat", "points"].user_id,
        on.records[SERVER, "muscat", "points"].figure,
    )
    assert (SERVER, "muscat", "comeback") not in on.records
    assert (0, 0) == (on.standings[SERVER, ANA, "muscat"].points, on.standings[SERVER, ANA, "muscat"].scored)
    off = Tally()
    off.count(RatedMatch(1, SERVER, "muscat", 1, 30, (helped, alone), finished=False))
    assert {"accurate"} >= {kind for _, _, kind in off.records}


def test_wins_streaks_meetings_and_records_are_counted() -> None:
    totals = Tally()
    for number, (own, other) in enumerate(((7, 3), (9, 2), (1, 4), (8, 7)), start=1):
        ahead = own > other
        first = (Credit(ANA, None, 0, 2 - ahead), own, float(ahead))
        second = (Credit(BEN, None, 1, 1 + ahead), other, float(not ahead))
        totals.count(match_of(number, first, second))
    standing = totals.standings[SERVER, ANA, "muscat"]
    assert (4, 3.0, 2.0, 5, 25, 1, 2, 4) == astuple(standing)[5:]
    assert (4, 3, 1) == astuple(totals.meetings[SERVER, ANA, BEN, "muscat"])[4:]
    points, closest = (totals.records[SERVER, "muscat", kind] for kind in (RecordKind.POINTS, RecordKind.CLOSEST))
    assert [(9, 2, ANA), (1, 4, None)] == [
        (record.figure, record.match_id, record.user_id) for record in (points, closest)
    ]


def random_match(random: Random, number: int) -> RatedMatch:
    """A match of people and computers, each in a company of their own; one user may have given it up."""
    size = random.randint(2, 5)
    users = random.sample((ANA, BEN, CARO, DAN), random.randint(1, min(size, 4)))
    owners = random.sample([*users, *[None] * (size - len(users))], size)
    places = random.sample([1, *random.choices(range(1, size + 1), k=size - 1)], size)
    seats = tuple(
        RatedSeat(
            Credit(user, None if user else "fair", seat, place, whole=random.random() < 0.7),
            random.randint(0, 9),
            1 / places.count(1) if place == 1 else 0.0,
        )
        for seat, (user, place) in enumerate(zip(owners, places, strict=True))
    )
    forfeits = [Forfeit(0, random.choice((ANA, BEN, CARO, DAN)), size + 1)] if random.random() < 0.3 else []
    where = (random.choice((SERVER, OTHER_SERVER)), random.choice(("muscat", "jinns")))
    return RatedMatch(number, *where, number, 30, seats, forfeit_results(forfeits))


def worst_of(match: RatedMatch, user: int) -> RatedSeat | None:
    return max((result for result in match.results if result.credit.user_id == user), key=tally._place, default=None)


def second_count(matches: list[RatedMatch], user: int) -> tuple[float, ...]:
    """The counts in a user's standing, apart from the rating, in the order of its fields."""
    mine = [(match, seat) for match in matches if (seat := worst_of(match, user))]
    shares = [seat.share for _, seat in mine]
    runs = [len([*run]) if is_won else 0 for is_won, run in groupby(shares, bool)]
    whole = [seat for _, seat in mine if seat.credit.whole]
    sums = sum(1 / len(match.seats) for match, _ in mine), sum(seat.credit.place for _, seat in mine)
    return (len(mine), sum(shares), *sums, sum(seat.score for seat in whole), runs[-1], max(runs), len(whole))


@pytest.mark.parametrize("seed", range(3))
def test_standings_and_meetings_match_an_independent_count(seed: int) -> None:
    random, totals = Random(seed), Tally()
    matches = [random_match(random, number) for number in range(150)]
    for match in matches:
        totals.count(match)
    assert 4 * 3 * 2 == len(totals.standings), "here, there, and over all servers"
    for (guild_id, user, game), standing in totals.standings.items():
        here = [match for match in matches if match.game == game and guild_id in (match.guild_id, ALL_SERVERS)]
        assert second_count(here, user) == pytest.approx(astuple(standing)[5:])
    for (guild_id, user, other, game), meeting in totals.meetings.items():
        here = [match for match in matches if (match.game, match.guild_id) == (game, guild_id)]
        met = [(own, its) for one in here if (own := worst_of(one, user)) and (its := worst_of(one, other))]
        leads = [its.credit.place - own.credit.place for own, its in met]
        assert (len(met), sum(n > 0 for n in leads), sum(n < 0 for n in leads)) == astuple(meeting)[4:]
    assert 4 * 3 * 2 * 2 == len(totals.meetings), "here and there"


def test_a_shared_win_continues_a_streak_and_tied_players_are_not_behind_each_other() -> None:
    totals = Tally()
    for number, share in enumerate((1.0, 0.5), start=1):
        first, second = (
            (Credit(ANA, None, 0, 1), 5, share),
            (Credit(BEN, None, 1, 2 if share == 1 else 1), 5, 1 - share),
        )
        totals.count(match_of(number, first, second))
    assert [2, 1] == [totals.standings[SERVER, user, "muscat"].run for user in (ANA, BEN)]
    assert (2, 1, 0) == astuple(totals.meetings[SERVER, ANA, BEN, "muscat"])[4:]
    assert (2, 0, 1) == astuple(totals.meetings[SERVER, BEN, ANA, "muscat"])[4:]


def test_the_closest_finish_is_the_lead_over_the_second() -> None:
    seats = ((Credit(user, None, seat, 1 + seat), score, 0.0) for seat, (user, score) in enumerate(THREE))
    (closest,) = (record for record in tally.records_of(match_of(1, *seats)) if record.kind is RecordKind.CLOSEST)
    assert 1 == closest.figure


THREE = ((ANA, 9), (BEN, 8), (CARO, 2))


def test_forfeits_are_rated_individually_and_the_fair_share_follows_the_number_of_seats() -> None:
    forfeits = forfeit_results([Forfeit(0, ANA, 3), Forfeit(1, BEN, 2)])
    seats = (Credit(None, None, 0, 3, whole=False), Credit(None, None, 1, 3, whole=False), Credit(CARO, None, 2, 1))
    match = replace(match_of(1, *((credit, 0, 0.0) for credit in seats)), forfeits=forfeits)
    after = rate(match, dict.fromkeys((ANA, BEN, CARO), Rating()))
    assert after[ANA].mu < after[BEN].mu < after[CARO].mu
    totals = Tally()
    totals.count(match)
    assert {1 / 3} == {totals.standings[SERVER, user, "muscat"].fair for user in (ANA, BEN, CARO)}


def test_a_match_with_half_weight_changes_mean_and_variance_half_as_much() -> None:
    match = match_of(1, (Credit(ANA, None, 0, 1), 5, 1.0), (Credit(None, "fair", 1, 2), 3, 0.0))
    half, full = (rate(match, {ANA: Rating()}, *weigh)[ANA] for weigh in ((), (lambda *_: 1.0,)))
    assert half.sigma**2 == pytest.approx((Rating().sigma ** 2 + full.sigma**2) / 2)
    assert half.mu == pytest.approx((Rating().mu + full.mu) / 2)


def test_accuracy_is_never_negative() -> None:
    assert (0, 50, None) == tuple(SeatStory(0.0, lost, 1.0, n).accuracy for lost, n in ((3.0, 1), (0.5, 1), (0.5, 0)))


def test_story_records_do_not_depend_on_the_order_of_arrival() -> None:
    early, late = (
        SeatStory(luck=0.2, lost=0.1, usually=1.0, choices=tally.MIN_CHOICES, lowest=0.12),
        SeatStory(luck=-0.2, lost=0.4, usually=1.0, choices=tally.MIN_CHOICES, lowest=0.04),
    )
    won, lost = (Credit(ANA, None, 0, 1), 5, 1.0), (Credit(BEN, None, 1, 2), 3, 0.0)
    matches = [
        replace(
            match, seats=tuple(replace(seat, story=story) for seat, story in zip(match.seats, stories, strict=True))
        )
        for match, stories in ((match_of(1, won, lost), (early, late)), (match_of(2, won, lost), (early, early)))
    ]
    for order in (matches, matches[::-1]):
        counts = Tally()
        for match in order:
            counts.count(match)
        comeback, accurate = (
            counts.records[SERVER, "muscat", kind] for kind in (RecordKind.COMEBACK, RecordKind.ACCURATE)
        )
        # the loser had the lower chance, and the same figures came in match 2
        assert [(12, 1, ANA), (90, 1, ANA)] == [
            (record.figure, record.match_id, record.user_id) for record in (comeback, accurate)
        ]
    few = replace(late, lost=0.0, choices=tally.MIN_CHOICES - 1)
    brief = replace(matches[0], seats=tuple(replace(seat, story=few) for seat in matches[0].seats))
    assert [RecordKind.COMEBACK] == [record.kind for record in tally.records_of_story(brief)]


def test_a_match_without_points_sets_no_points_record_and_only_winners_have_comebacks() -> None:
    story = SeatStory(luck=0.2, lost=0.1, usually=1.0, choices=1, lowest=0.12)
    # a computer has won in the seat of the last player
    seats = (RatedSeat(Credit(ANA, None, 0, 2), 0, 1.0, story), RatedSeat(Credit(BEN, None, 1, 1), 0, 0.0, story))
    match = RatedMatch(1, SERVER, "muscat", 1, 30, seats)
    assert [RecordKind.LONGEST] == [record.kind for record in tally.records_of(match)]
    assert [] == [record.kind for record in tally.records_of_story(match)]


async def test_the_story_of_an_unrated_match_sets_no_record(database: Database) -> None:
    store, rng, number, unrated = Store(database), Random(13), 0, list[int]()
    sql = "SELECT DISTINCT match_id FROM results JOIN matches ON id = match_id WHERE ended IS NULL"
    while not unrated:
        number += 1
        await play(store, rng, number, [101, 102, 103, 104])
        unrated = await database.fetch_column(sql)
    before = await computed(database)
    for match_id in unrated:
        await database.execute("UPDATE results SET user_id = 101 + seat WHERE match_id = ?", match_id)
        seats = await database.fetch("SELECT seat FROM results WHERE match_id = ?", match_id)
        await store.ratings.note_story(match_id, [SeatStory(0, 0, 1, 99, 0) for _ in seats])
    assert before == await computed(database)


async def test_a_match_sets_only_records_that_existed_before(database: Database) -> None:
    store, rng = Store(database), Random(11)
    number = 0
    while (
        len(open_matches := await store.ratings._database.fetch("SELECT id FROM matches WHERE ended IS NOT NULL")) < 1
    ):
        number += 1
        await play(store, rng, number, [101, 102, 103, 104])
    first = open_matches[0]["id"]
    assert () == await store.ratings.set_by(first)
    while number < 40:
        number += 1
        await play(store, rng, number, [101, 102, 103, 104])
    kinds = [record.kind for match_id in range(1, 41) for record in await store.ratings.set_by(match_id)]
    assert {RecordKind.POINTS, RecordKind.LONGEST} <= set(kinds)
    assert len(kinds) == len(await store.ratings._database.fetch("SELECT * FROM records"))


async def test_the_first_game_of_a_kind_sets_no_record_even_after_other_kinds(database: Database) -> None:
    store, firsts = Store(database), list[bool]()
    for number, game in enumerate(("muscat", "jinns", "jinns"), start=1):
        match_id = await open_match(store, *people(ANA, BEN), guild_id=SERVER, channel_id=number, game=game, at=AT)
        owners = Owners((Credit(ANA, None, 0, 1), Credit(BEN, None, 1, 2)), moves=number)
        outcome = Outcome((1.0, 0.0), (number, 0), cast(Any, TableEventKind.CLOSED))
        await change(store, match_id, end_match(outcome, AT, owners))
        firsts.append(bool(await store.ratings.set_by(match_id)))
    assert [False, False, True] == firsts


async def test_stories_are_added_up_for_the_users_who_hold_the_results(database: Database) -> None:
    store, rng = Store(database), Random(12)
    for number in range(1, 21):
        await play(store, rng, number, [101, 102, 103, 104])
        if number % 2:
            await tell(store, rng, number)
    sql = "SELECT * FROM results JOIN matches ON id = match_id WHERE user_id = 101 AND guild_id = ? AND ended > 0"
    rows = [row for row in await database.fetch(sql, SERVER) if row["luck"] is not None]
    stories = await store.ratings.stories(SERVER, 101)
    assert {row["game"] for row in rows} == stories.keys()
    assert sum(row["luck"] for row in rows) == pytest.approx(sum(story.luck for story in stories.values()))
    assert sum(row["choices"] for row in rows) == sum(story.choices for story in stories.values()) > 0


def test_ratings_recover_the_order_of_strengths() -> None:
    """Twenty players of known strength, each in 60 games of two to four."""
    rng, totals, number = Random(5), Tally(), 0
    strength = {user: rng.gauss(0, 1) for user in range(1, 21)}
    for _ in range(60):
        users = rng.sample(sorted(strength), len(strength))
        while users:
            size = 4 if len(users) != 6 else 3
            number += 1
            played = {user: strength[user] + rng.gauss(0, 1) for user in users[:size]}
            del users[:size]
            order = sorted(played, key=lambda user: played[user], reverse=True)
            seats = [(Credit(u, None, n, order.index(u) + 1), 1, float(u == order[0])) for n, u in enumerate(played)]
            totals.count(match_of(number, *seats))
    by_rating = sorted(strength, key=lambda user: totals.standings[SERVER, user, "muscat"].mu)
    by_strength = sorted(strength, key=lambda user: strength[user])
    squares = sum((by_rating.index(user) - by_strength.index(user)) ** 2 for user in strength)
    count = len(strength)
    assert 1 - 6 * squares / (count * (count**2 - 1)) >= 0.9
    assert all(not totals.standings[SERVER, user, "muscat"].rating.is_provisional for user in strength)


def test_every_computer_that_users_can_choose_has_a_rating() -> None:
    assert {game: set(offered_players()) for game in discover()} == {
        game: set(players) for game, players in computer_ratings().items() if game in discover()
    }
    # as measured: `fair` is the anchor of all ratings
    assert [(1500, 60)] * len(discover()) == [
        (computer_ratings()[game]["fair"].points, computer_ratings()[game]["fair"].margin) for game in discover()
    ]


# --- kept up, and computed anew ---


@pytest.fixture(params=["sqlite", "postgresql"])
async def database(request: pytest.FixtureRequest, tmp_path: Any) -> AsyncIterator[Database]:
    if request.param == "sqlite":
        address = f"sqlite:///{tmp_path}/games.db"
    else:
        address = await request.getfixturevalue("server").database()
    async with open_database(address) as database:
        yield database


async def computed(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    rows = {table: await database.fetch(f"SELECT * FROM {table}") for table in (*TABLES, "rating_state")}
    return {table: sorted(map(tuple, entries), key=repr) for table, entries in rows.items()}


async def play(store: Store, rng: Random, number: int, users: list[int]) -> None:
    """A match with two to four people, perhaps with a computer, a leaving player, or without a rating."""
    guild_id, game = rng.choice((SERVER, OTHER_SERVER)), rng.choice(("muscat", "jinns"))
    who: list[int | None] = [*rng.sample(users, rng.randint(2, 4))]
    holders = [SeatHolder(user) for user in who]
    match_id = await open_match(store, *holders, guild_id=guild_id, channel_id=number, game=game, at=AT)
    at, scores = AT + timedelta(hours=number), [rng.randint(0, 9) for _ in who]
    await begin_match(store, match_id, at=at)
    if rng.random() < 0.1:
        await change(store, match_id, methodcaller("close", Status.ENDED, at))
        return
    if rng.random() < 0.1:
        credits = tuple(Credit(user, None, seat, 1, whole=False) for seat, user in enumerate(who) if seat)
        owners = Owners((Credit(whole=False), *credits), [Forfeit(0, who[0], len(who))], 3)
        merits = tuple((0, 1 / len(credits) if seat else 0.0) for seat in range(len(who)))
        await change(store, match_id, methodcaller("close", Status.ENDED, at, Results(merits, owners)))
        return
    if rng.random() < 0.2:
        who[-1] = None
    credits = [
        Credit(user, None if user else "fair", seat, 1 + sum(score > scores[seat] for score in scores))
        for seat, user in enumerate(who)
    ]
    forfeits = list[Forfeit]()
    if rng.random() < 0.2:
        forfeits = [Forfeit(0, who[0], len(who))]
        credits[0] = Credit(None, None, 0, len(who), whole=False)
    returns = tuple((score == max(scores)) / scores.count(max(scores)) for score in scores)
    outcome = Outcome(returns, tuple(scores), cast(Any, TableEventKind.CLOSED))
    entries = [Entry(Seat(0), "draw"), Entry(Seat(0), "undo 0")]
    owners = Owners(credits, forfeits, rng.randint(1, 99), rated=rng.random() > 0.1)
    await append(store, match_id, 0, entries, at=at, how=end_match(outcome, at, owners))


def story_of_seat(rng: Random) -> SeatStory:
    return SeatStory(rng.uniform(-1, 1), rng.random(), 1 + rng.random(), rng.randint(4, 12), rng.random())


async def tell(store: Store, rng: Random, number: int) -> None:
    """Store the story of a match, perhaps twice."""
    seats = await store.ratings._database.fetch("SELECT seat FROM results WHERE match_id = ?", number)
    # a match has one story, whenever it comes
    own = Random(number)
    story = [story_of_seat(own) for _ in seats]
    for _ in range(rng.choice((1, 1, 2))):
        await store.ratings.note_story(number, story)


async def test_recomputed_ratings_are_bit_identical(database: Database) -> None:
    store, rng, users = Store(database), Random(7), list(range(900_100, 900_120))
    for number in range(1, 61):
        await play(store, rng, number, users)
        # some stories come at once, others after later matches, some never
        if number % 3 == 0:
            await tell(store, rng, rng.randint(1, number))
        if number % 12 == 0:
            gone = users.pop(rng.randrange(len(users)))
            await store.user_data.forget(gone, await store.user_data.names(gone))
            assert not [row for table in (await computed(database)).values() for row in table if gone in row]
    before = await computed(database)
    assert min(map(len, before.values())) > 0
    counted = await store.ratings.compute()
    assert counted == before["rating_state"][0][-1] > 40
    assert before == await computed(database)


async def test_a_new_formula_recomputes_all_ratings(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    store, rng, users = Store(database), Random(8), [101, 102, 103, 104]
    for number in range(1, 11):
        await play(store, rng, number, users)
    before = await computed(database)
    await database.execute("UPDATE rating_state SET version = 0")
    await database.execute("UPDATE ratings SET mu = 99")
    await database.execute("UPDATE ratings SET user_id = 999 WHERE user_id = 101")
    await database.execute("DELETE FROM rating_history")
    await store.ratings.bring_up_to_date()
    assert before == await computed(database)
    await database.execute("UPDATE rating_state SET version = 0")
    await database.execute("UPDATE ratings SET mu = 99")
    for number in range(11, 14):
        await play(store, rng, number, users)
    mixed = await computed(database)
    await store.ratings.compute()
    assert mixed == await computed(database)


async def test_other_users_find_only_listed_users(database: Database) -> None:
    store, rng, users = Store(database), Random(10), [101, 102, 103, 104]
    for number in range(1, 41):
        await play(store, rng, number, users)
    ratings = store.ratings
    games = await ratings.games(SERVER)
    assert {"muscat", "jinns"} == set(games)

    async def found() -> set[int | None]:
        """All users in pages that others see."""
        tables = [await ratings.table(SERVER, game, 1, 10) for game in games]
        runs = [await ratings.longest_run(SERVER, game) for game in games]
        changes = [await ratings.changes(number) for number in range(1, 41)]
        records = [await ratings.records(SERVER, game) for game in games]
        met = await ratings.meetings(SERVER, 101)
        people = {row.user_id for group in (*tables, *changes, *records, filter(None, runs)) for row in group}
        return people | {row.other_id for row in met}

    assert {101, 102, 103, 104} == await found() - {None}
    before = await ratings.table(SERVER, games[0], 1, 10)
    assert before == sorted(before, key=lambda row: row.mu - 2 * row.sigma, reverse=True)
    await keep_preferences(store.settings, 102, Preferences(unlisted=True))
    await keep_preferences(store.settings, 103, Preferences(contrast=True))
    assert {101, 103, 104} == await found() - {None}
    assert await ratings.standings(SERVER, 102), "they find themselves"
    history = await ratings.history(SERVER, 102, games[0], 5)
    assert [standing.ended for standing in history] == sorted(standing.ended for standing in history)


async def test_results_across_all_servers_are_only_for_the_user_themselves(database: Database) -> None:
    store, rng = Store(database), Random(9)
    for number in range(1, 21):
        await play(store, rng, number, [101, 102, 103, 104])
    everywhere = await store.ratings.standings(ALL_SERVERS, 101)
    here, there = [await store.ratings.standings(guild_id, 101) for guild_id in (SERVER, OTHER_SERVER)]
    assert sum(standing.matches for standing in everywhere) == sum(standing.matches for standing in (*here, *there)) > 0


def test_the_command_recomputes_ratings(tmp_path: Any, capsys: Any) -> None:
    main(["rate", f"sqlite:///{tmp_path}/games.db"])
    assert "recomputed, from 0 rated games" in capsys.readouterr().out


# --- in the chat ---


async def test_a_game_between_users_is_rated_as_its_lobby_announces(app: App) -> None:
    room = app.room()
    ana = room.person("Ana")
    await ana.slash("table new", game=GAME)
    assert "**Counts in `/stats`** – only if at least two people play." in await ana.tap("More")
    await room.person("Ben").tap("Join")
    assert "**Counts in `/stats`** – yes." in await ana.tap("More")
    await start_game(ana, room.person("Ben"))
    for _ in range(3):
        for name in ("Ana", "Ben"):
            await play_move(room.person(name), "sealed bid", coins="1" if name == "Ana" else "2")
    await room.onlooker.expect("## ")
    ids = [room.person(name).id for name in ("Ana", "Ben")]
    assert [(ids[0], 2), (ids[1], 1)] == app.query("SELECT user_id, place FROM results ORDER BY seat")
    ratings = dict(app.query("SELECT user_id, mu FROM ratings WHERE guild_id <> 0"))
    assert ratings[ids[1]] > 25 > ratings[ids[0]]


async def test_the_host_can_turn_rating_off(app: App) -> None:
    room = app.room()
    ana = room.person("Ana")
    await ana.slash("table new", game=GAME)
    page = await ana.slash("table options")
    assert "✓ Rated" in page.labels
    page = await ana.tap("✓ Rated", on=page)
    assert "Rated" in page.labels
    assert "**Rated** – no: the host turned it off" in page
    await room.onlooker.expect("· Not rated")
    await room.person("Ben").tap("Join")
    await start_game(ana, room.person("Ben"))
    for _ in range(3):
        for name in ("Ana", "Ben"):
            await play_move(room.person(name), "sealed bid", coins="1")
    await room.onlooker.expect("## ")
    assert [] == app.query("SELECT * FROM ratings")


async def test_moderators_choose_whether_new_tables_are_rated(app: App) -> None:
    room = app.room()
    eva, ana = moderator(room), room.person("Ana")
    await choose_setting(eva, "rated", "New tables aren’t rated")
    assert "· Not rated" in await ana.slash("table new", game=GAME)


async def test_only_the_host_can_turn_rating_off(app: App) -> None:
    room = app.room()
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game=GAME)
    await ben.tap("Join")
    (match_id,) = app.query("SELECT id FROM matches")[0]
    button = {"type": 2, "style": 2, "label": "Rated", "custom_id": f"cv:rated:{match_id}:0:"}
    assert "Only the host" in await forge(app, ben, room.onlooker.last, button)


async def test_a_solo_game_against_computers_is_not_rated(app: App) -> None:
    room = app.room()
    ana = room.person("Ana")
    await ana.slash("table new", game=GAME)
    await ana.tap("Add computer")
    await start_game(ana)
    for _ in range(3):
        await play_move(ana, "sealed bid", coins="1")
    await room.onlooker.expect("## ")
    assert [] == app.query("SELECT * FROM ratings")


async def test_a_player_who_resigns_for_good_is_last(app: App) -> None:
    room = app.room()
    await begin(room, "Ana", "Ben")
    for name, coins in (("Ana", "1"), ("Ben", "2")):
        await play_move(room.person(name), "sealed bid", coins=coins)
    ben = room.person("Ben")
    await ben.tap("Resign", on=await ben.slash("game leave"))
    for _ in range(2):
        await play_move(room.person("Ana"), "sealed bid", coins="1")
    await room.onlooker.expect("## ")
    assert [(room.person("Ana").id, 1), (None, 2)] == app.query("SELECT user_id, place FROM results ORDER BY seat")
    assert [(ben.id, 2)] == app.query("SELECT user_id, place FROM forfeits")


async def test_a_start_with_a_new_formula_recomputes_all_ratings(app: App) -> None:
    room = app.room()
    await begin(room, "Ana", "Ben")
    for _ in range(3):
        for name, coins in (("Ana", "1"), ("Ben", "2")):
            await play_move(room.person(name), "sealed bid", coins=coins)
    await room.onlooker.expect("## ")
    before = app.query("SELECT * FROM ratings ORDER BY guild_id, user_id")
    await app.close()
    await app.change("UPDATE rating_state SET version = 0")
    await app.change("UPDATE ratings SET mu = 99")
    await app.open()
    await room.person("Ana").slash("stats player")
    assert before == app.query("SELECT * FROM ratings ORDER BY guild_id, user_id")


async def test_players_are_warned_of_the_cost_of_ending_a_rated_game_and_the_cost_is_announced(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = app.room()
    await begin(room, "Ana", "Ben")
    ana, ben = room.people("Ana", "Ben")
    warning = "⚠️ This game is rated: you’d finish last."
    assert warning in await ana.slash("game leave")
    assert "it won’t count" in await ana.slash("table end"), "Ana is not behind"
    monkeypatch.setattr(rated_facts, "companies_behind", lambda *_: frozenset({Seat(0)}))
    question = await ana.slash("table end")
    assert f"{warning} For the others, it counts as it stands." in question
    await ana.tap("End it", on=question)
    message = await room.onlooker.expect("was called off by")
    ratings = " · ".join(f"{name} placement game 1 of {tally.PLACEMENT_MATCHES}" for name in ("🟦 Ben", "🔴 Ana"))
    assert [
        f"**Sealed Bids** was called off by {ana.mention}.",
        "-# It was called off by a player who was behind, so it counts as it stood.",
        f"-# Rating: {ratings}",
    ] == message.text.splitlines()
    assert [(ana.id, 2)] == app.query("SELECT user_id, place FROM forfeits")
    assert [(ben.id, 1)] == app.query("SELECT user_id, place FROM results WHERE user_id IS NOT NULL")


async def test_a_player_who_has_resigned_still_loses_if_another_one_ends_the_game_and_all_are_told(app: App) -> None:
    room = app.room()
    await begin(room, "Ana", "Ben", "Caro")
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    for person in (ana, ben, caro):
        await play_move(person, "sealed bid", coins="1")
    await ben.tap("Resign", on=await ben.slash("game leave"))
    question = await ana.slash("table end")
    assert "⚠️ This game is rated: those who gave up lose it, and all others share first place." in question
    await ana.tap("End it", on=question)
    message = await room.onlooker.expect("was called off by")
    assert "-# Those who gave up lose it; all others share first place." == message.text.splitlines()[1]
    assert [(ben.id, 3)] == app.query("SELECT user_id, place FROM forfeits")
    firsts = app.query("SELECT user_id, place, whole FROM results WHERE user_id IS NOT NULL ORDER BY seat")
    assert [(ana.id, 1, 0), (caro.id, 1, 0)] == firsts


async def test_a_player_who_has_lost_already_is_told_that_the_game_counts_for_the_others_if_they_end_it(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = app.room()
    await begin(room, "Ana", "Ben")
    ana = room.person("Ana")
    monkeypatch.setattr(rated_facts, "has_lost", lambda *_: True)
    warning = "⚠️ This game is rated: you have already lost it. For the others, it counts as it stands."
    assert warning in await ana.slash("table end")


async def test_a_user_who_deletes_their_data_midgame_loses_and_the_winner_keeps_the_win(app: App) -> None:
    room = app.room()
    await begin(room, "Ana", "Ben")
    ana, ben = room.people("Ana", "Ben")
    await play_move(ana, "sealed bid", coins="1")
    question = await ana.tap("Forget me", on=await ana.slash("me data"))
    assert "you lose those that are rated" in question
    await ana.tap("Forget me for good", on=question)
    for _ in range(3):
        await play_move(ben, "sealed bid", coins="1")
    await room.onlooker.expect("## ")
    ((user_id, place),) = app.query("SELECT user_id, place FROM forfeits")
    assert user_id < 0
    assert place == 2
    ((change,),) = app.query("SELECT mu - mu_before FROM rating_history WHERE guild_id <> 0")
    assert change > 0


def test_if_every_player_gave_up_the_last_to_leave_wins() -> None:
    forfeits = forfeit_results([Forfeit(0, 7, 2), Forfeit(1, 8, 1)])
    seats = tuple(RatedSeat(Credit(computer="fair", place=3), 0, 0.0) for _ in range(2))
    match = RatedMatch(1, 1, "muscat", 1, 40, seats, forfeits, finished=False)
    assert (*seats, *forfeits) == match.results
    assert [0.0, 1.0] == [match.won_by(seat) for seat in forfeits]
    together = forfeit_results([Forfeit(0, 7, 1), Forfeit(1, 8, 1)])
    assert [0.5, 0.5] == [replace(match, forfeits=together).won_by(seat) for seat in together]
