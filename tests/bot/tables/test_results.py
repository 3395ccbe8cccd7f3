"""Owners of results, and the value of an unfinished game: every way out of a game, and every two of them.

They gain a player in a lost game no more than their honest twin has, who plays on and comes last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.store.facts import Facts
from bot.store.matches import MatchRow, PastHolder, SeatHolder, Status, Unrating
from bot.store.table_events import TableEvent, TableEventKind
from bot.store.tally import Credit, Forfeit, Owners, RatedMatch, RatedSeat, Rating, Standing, forfeit_results, rate
from bot.tables import rated as rated_facts
from bot.tables import rating_cost
from bot.tables.rated import owned_plies, owners_of, results_if_ended_now, seats_of, why_not_rated
from bot.tables.results import CalledOff, Parting, Sitting, called_off, credits_of, losses_of, owner_of, user_of_result
from bot.tables.table import Table
from engine.games import discover
from engine.match import Match
from engine.players import discover as discover_players
from engine.standing import EVEN_MARGIN, companies_behind, public_shares
from engine.texts import CHANCE, Seat, Text
from tests.bot.walks import set_row
from tests.engine.toys import TOYS

ANA, BEN, CARO, DAN, EVA = 71, 72, 73, 74, 75
COMPUTER, STRONG = SeatHolder(computer="fair"), SeatHolder(computer="strong")
AT = datetime(2026, 11, 22, 18, 30, tzinfo=UTC)
ANAS, BENS, CAROS = Seat(0), Seat(1), Seat(2)


@dataclass
class Log:
    """The parts of a match that results follow from: who acted at which versions, and how it ended, if it did."""

    setup: Any
    outcome: Any = None
    acts: tuple[tuple[int, ...], ...] = ()
    stood_in: frozenset[int] = frozenset()
    version: int = 40

    def act_versions(self, seat: Seat) -> tuple[int, ...]:
        return self.acts[seat]

    def moves_before(self, version: int) -> int:
        return version


@dataclass(frozen=True)
class Outcome:
    returns: tuple[float, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True)
class Game:
    """A game of Ana, Ben and Caro, in which each has acted at every fifth version; seats may change hands."""

    holders: tuple[SeatHolder, ...] = (SeatHolder(ANA), SeatHolder(BEN), SeatHolder(CARO))
    past_holders: tuple[PastHolder, ...] = ()
    events: tuple[TableEvent, ...] = ()
    now: int = 20
    behind: bool = True
    called_off: int | None = None
    is_called_off: bool = False
    stood_in: frozenset[int] = frozenset()

    @property
    def mine(self) -> SeatHolder:
        return self.holders[0]

    @property
    def is_open(self) -> bool:
        return not self.is_called_off

    def later(self) -> Game:
        """The game some moves later."""
        return replace(self, now=self.now + 5)

    def sit(self, holder: SeatHolder, *kinds: TableEventKind, user: int = ANA, seat: Seat = ANAS) -> Game:
        """Ana's seat, or another one, gets another holder, noted as this."""
        earlier = (PastHolder(seat, self.holders[seat], self.now),)
        holders = tuple(holder if n == seat else old for n, old in enumerate(self.holders))
        return replace(self, holders=holders, past_holders=(*self.past_holders, *earlier)).note(*kinds, user=user)

    def note(self, *kinds: TableEventKind, user: int = ANA) -> Game:
        more = (TableEvent(kind, self.now, AT, ANAS, user, behind=self.behind) for kind in kinds)
        return replace(self, events=(*self.events, *more))

    def result(self, *scores: int) -> Owners | None:
        """Owners of the results if the game ends with these points; `None` if it does not count."""
        acts = tuple(tuple(range(seat, 40, 5)) for seat in range(3))
        best = max(scores)
        outcome = Outcome(tuple((score == best) / scores.count(best) for score in scores), scores)
        table = table_of(*self.holders, past_holders=self.past_holders)
        table.facts = replace(table.facts, events=self.events)
        log = cast(Match, Log(table.spec.setup(3), outcome, acts, self.stood_in, self.now))
        if not self.is_called_off:
            return owners_of(table, log)
        behind = {ANAS} if self.behind else set()
        call = called_off(seats_of(table, log), self.called_off, behind, self.now)
        if call is None:
            return None
        merits = [(score if call.by_position else 0,) for score in scores]
        return Owners(*credits_of(1, call.seats, merits, (0, 1, 2)))


def table_of(*holders: SeatHolder, game: str = "jinns", **more: Any) -> Table:
    row = MatchRow(1, 9, 1, ANA, game, 1, {}, "", Status.OVER, None, holders, rated=True)
    return Table(Facts(replace(row, **more)), discover()[game])


def change_of(user_id: int, owners: Owners | None, *, finished: bool = True) -> float:
    """Change of a user's rating by a match, everybody being a newcomer; 0 where it does not count."""
    if owners is None:
        return 0.0
    seats = tuple(RatedSeat(credit, 0, 0.0) for credit in owners.credits)
    match = RatedMatch(1, 9, "jinns", 1, 40, seats, forfeit_results(owners.forfeits), finished)
    after = rate(match, {user: Rating() for user in match.people()})
    return after[user_id].mu - Rating().mu if user_id in after else 0.0


# --- the ways out ---


def return_ana(game: Game) -> Game:
    return game if game.mine.user_id == ANA else game.sit(SeatHolder(ANA), TableEventKind.RETURNED)


def end_as(user_id: int | None) -> Callable[[Game], Game]:
    return lambda game: replace(game, called_off=user_id, is_called_off=True)


def forget(game: Game) -> Game:
    """Ana's seat is a computer's, and nothing says any more that she sat there."""
    game = game.sit(COMPUTER) if game.mine.user_id == ANA else game
    hidden = [replace(sat, holder=SeatHolder(0)) if sat.holder.user_id == ANA else sat for sat in game.past_holders]
    return replace(game, past_holders=tuple(hidden), events=tuple(replace(event, user_id=0) for event in game.events))


def be_banned(game: Game) -> Game:
    """A stand-in plays two turns of Ana, since she cannot enter the server; then the others vote."""
    for _ in range(2):
        game = replace(game.note(TableEventKind.LATE, TableEventKind.STOOD_IN), stood_in=game.stood_in | {game.now})
        game = game.later()
    return game.sit(COMPUTER, TableEventKind.LATE, TableEventKind.HELD)


def be_dropped_by_the_league(game: Game) -> Game:
    """The league finds out some moves later; another player of it takes the seat."""
    game = game.later().sit(COMPUTER, TableEventKind.ASKED)
    return game.later().sit(SeatHolder(DAN))


def be_a_substitute_and_leave(game: Game) -> Game:
    """Ana gives up her seat, plays on in the one that Caro has left before, and leaves that as well."""
    caros = PastHolder(CAROS, SeatHolder(CARO), 1)
    game = replace(game, past_holders=(caros, *game.past_holders), holders=(*game.holders[:2], COMPUTER))
    game = game.sit(COMPUTER) if game.mine.user_id == ANA else game
    return game.later().sit(SeatHolder(ANA), seat=CAROS).later().later().sit(COMPUTER, seat=CAROS)


WAYS: dict[str, Callable[[Game], Game]] = {
    "plays on": lambda game: game,
    "resigns": lambda game: game.sit(COMPUTER),
    "leaves and returns late": lambda game: return_ana(game.sit(COMPUTER).later().later()),
    "loses the seat to a firm pace": lambda game: game.sit(COMPUTER, TableEventKind.LATE, TableEventKind.LAPSED),
    "is voted off": lambda game: game.sit(COMPUTER, TableEventKind.LATE, TableEventKind.HELD),
    "is voted off for a substitute": lambda game: game.sit(COMPUTER, TableEventKind.INVITED).sit(SeatHolder(DAN)),
    "is replaced by a moderator": lambda game: game.sit(COMPUTER, TableEventKind.REPLACED, user=EVA),
    "is banned": be_banned,
    "is dropped by the league": be_dropped_by_the_league,
    "deletes the account, and is late": lambda game: game.sit(COMPUTER, TableEventKind.LAPSED),
    "ends it as host": end_as(ANA),
    "forgets": forget,
    "lets a friend sit in and leave": lambda game: game.sit(COMPUTER).sit(SeatHolder(DAN)).later().sit(COMPUTER),
    "is a substitute and leaves": be_a_substitute_and_leave,
    "gives the seat to a friend": lambda game: game.sit(COMPUTER).sit(SeatHolder(DAN)),
    "lets a strong computer play": lambda game: game.sit(COMPUTER).later().sit(STRONG, TableEventKind.CAST).later(),
    "takes a hint": lambda game: game.note(TableEventKind.CONCEDED),
    "is ended by another player": end_as(BEN),
    "is ended by a moderator": end_as(EVA),
    "loses the channel": end_as(None),
}

ENDED_BY_OTHERS = frozenset({"is ended by another player", "is ended by a moderator", "loses the channel"})


def twin(*ways: str) -> Game:
    """The game if Ana plays on."""
    if "is a substitute and leaves" not in ways:
        return Game()
    return Game().sit(COMPUTER, user=CARO, seat=CAROS)


def out(first: str, second: str) -> Game:
    """Ana is behind and does two things, each while she still sits there and the game is open."""
    game = WAYS[first](Game()).later()
    sits = game.mine.user_id == ANA
    # a forgotten user is no longer the host; a former player can still be a moderator, or take a free seat
    without_seat = {"forgets", "ends it as host", "is a substitute and leaves"} if first != "forgets" else set[str]()
    may_follow = second in without_seat | ENDED_BY_OTHERS
    return WAYS[second](game) if game.is_open and (sits or may_follow) else game


@pytest.mark.parametrize(("first", "second"), list(product(WAYS, WAYS)))
def test_leaving_a_lost_game_never_gains_more_than_playing_on(first: str, second: str) -> None:
    game, honest = out(first, second), twin(first, second).result(1, 5, 3)
    # even if a computer, or a friend, would have won
    for scores in ((9, 5, 3), (1, 5, 3), (4, 5, 3)):
        owners = game.result(*scores)
        if game == Game(now=game.now):
            continue
        if first in ENDED_BY_OTHERS or (first == "plays on" and second in ENDED_BY_OTHERS):
            assert owners is None, "Ana has done nothing"
            continue
        people = {credit.user_id for credit in (*owners.credits, *owners.forfeits)} if owners else set()
        assert ANA in people or (any(user and user < 0 for user in people)), "nothing is the result of the cheat"
        for user in {ANA} & people:
            assert change_of(user, owners, finished=game.is_open) <= change_of(ANA, honest) + 1e-9
        assert change_of(BEN, owners, finished=game.is_open) > 0, "the winner keeps the win"


@pytest.mark.parametrize("way", list(WAYS))
def test_a_player_who_is_not_behind_can_be_let_go_but_never_leaves_without_a_loss(way: str) -> None:
    owners = WAYS[way](Game(behind=False)).result(5, 9, 3)
    lost = [forfeit.user_id for forfeit in (owners.forfeits if owners else ())]
    let_go = {"is voted off", "is voted off for a substitute", "is replaced by a moderator", "is banned"}
    if way in ENDED_BY_OTHERS | {"ends it as host"}:
        assert owners is None, "it counts for nobody"
    elif way in let_go | {"plays on"}:
        assert [] == lost
    elif way == "forgets":
        assert [user_of_result(1, ANAS, 0)] == lost
    elif way != "takes a hint":
        assert ANA in lost


# --- whose result ---


def test_players_are_placed_by_points_and_ties_share_a_place() -> None:
    owners = Game().result(3, 7, 3)
    assert owners is not None
    assert [(ANA, 2), (BEN, 1), (CARO, 2)] == [(credit.user_id, credit.place) for credit in owners.credits]
    assert () == owners.forfeits


def test_the_first_to_give_up_is_last_and_computers_that_take_over_are_not_ranked() -> None:
    ben_too = PastHolder(BENS, SeatHolder(BEN), 30)
    game = Game(
        holders=(COMPUTER, COMPUTER, SeatHolder(CARO)), past_holders=(PastHolder(ANAS, SeatHolder(ANA), 20), ben_too)
    )
    owners = game.result(9, 7, 3)
    assert owners is not None
    assert (Forfeit(0, ANA, 3), Forfeit(1, BEN, 2)) == owners.forfeits
    assert [None, None, Credit(CARO, None, 2, 1)] == [credit if credit.user_id else None for credit in owners.credits]
    assert change_of(ANA, owners) < change_of(BEN, owners) < change_of(CARO, owners)


def test_a_forfeited_seat_in_which_a_computer_decided_most_is_out_of_the_ranking() -> None:
    anas = Sitting(ANA, None, 1, until=3, parting=Parting.GAVE_UP)
    credits, (forfeit,) = credits_of(
        1, [[anas, Sitting(None, "fair", 5)], [Sitting(BEN, None, 6)]], [(9,), (1,)], (0, 1)
    )
    assert (Credit(None, None, 0, 2, whole=False), Credit(BEN, None, 1, 1)) == credits
    assert Forfeit(0, ANA, 2) == forfeit


def test_a_seat_is_all_its_owners_if_the_one_before_decided_nothing_there() -> None:
    for decisions in (0, 1):
        passed_by = Sitting(CARO, None, decisions, until=decisions, parting=Parting.LET_GO)
        credits, _ = credits_of(1, [[passed_by, Sitting(ANA, None, 5)], [Sitting(BEN, None, 6)]], [(9,), (1,)], (0, 1))
        assert (ANA, decisions == 0) == (credits[0].user_id, credits[0].whole)


def test_a_player_who_returns_before_any_decision_loses_nothing() -> None:
    in_time = replace(Game().sit(COMPUTER), now=20).sit(SeatHolder(ANA), TableEventKind.RETURNED).result(9, 7, 3)
    assert in_time is not None
    assert ((), ANA, 1) == (in_time.forfeits, in_time.credits[0].user_id, in_time.credits[0].place)
    late = replace(Game().sit(COMPUTER), now=21).sit(SeatHolder(ANA), TableEventKind.RETURNED).result(9, 7, 3)
    assert late is not None
    assert (Forfeit(0, ANA, 3),) == late.forfeits


def test_a_stand_in_turn_counts_as_a_decision_before_the_player_returns() -> None:
    gone, back = Sitting(ANA, None, 3, until=5, parting=Parting.GAVE_UP), Sitting(ANA, None, 3)
    between = [Sitting(DAN, until=8, parting=Parting.LET_GO), Sitting(DAN, None, 0, 1, 8, Parting.LET_GO)]
    assert [0, 1] == [len(losses_of([[gone, other, back]])) for other in between]


def test_players_in_first_place_share_the_win_of_an_unfinished_game() -> None:
    places = (1, 2, 1)
    assert [0.5, 0.0, 0.5] == rated_facts._shared_win([Credit(place=place) for place in places])


@pytest.mark.parametrize(
    ("chances", "wins"), [((0.1, 0.4512, 0.4488), [0, 0.5, 0.5]), ((0.09, 0.458, 0.452), [0, 1, 0])]
)
async def test_chances_are_equal_in_an_unfinished_game_if_they_are_equal_in_whole_percent(
    monkeypatch: pytest.MonkeyPatch, chances: tuple[float, ...], wins: list[float]
) -> None:
    """Ana calls the game off while she is behind."""
    table = table_of(SeatHolder(ANA), SeatHolder(BEN), SeatHolder(CARO))
    table.match = cast(Match, Log(table.spec.setup(3), acts=((), (), ())))
    monkeypatch.setattr(rated_facts, "public_shares", lambda match: chances)
    results = await results_if_ended_now(table, ANA)
    assert results is not None
    assert [(0, share) for share in wins] == [*results.merits]
    assert [ANA] == [forfeit.user_id for forfeit in results.owners.forfeits]
    assert await results_if_ended_now(table, BEN) is None, "the leader does not lose by calling it off"


@pytest.mark.parametrize("by", [BEN, EVA, None])
async def test_chances_rank_nobody_if_a_player_who_is_not_behind_ends_the_game(
    monkeypatch: pytest.MonkeyPatch, by: int | None
) -> None:
    """Ana has given up. Ben leads; he or a moderator ends the game, or its channel is deleted."""
    gone = PastHolder(ANAS, SeatHolder(ANA), 5)
    table = table_of(COMPUTER, SeatHolder(BEN), SeatHolder(CARO), past_holders=(gone,))
    table.match = cast(Match, Log(table.spec.setup(3), acts=((3, 7, 9), (4, 8), (6,))))
    monkeypatch.setattr(rated_facts, "public_shares", lambda match: (0.5, 0.4, 0.1))
    results = await results_if_ended_now(table, by)
    assert results is not None
    assert [(0, 0.0), (0, 0.5), (0, 0.5)] == [*results.merits]
    assert [(None, False), (BEN, False), (CARO, False)] == [
        (credit.user_id, credit.whole) for credit in results.owners.credits
    ]
    assert (Forfeit(0, ANA, 3),) == results.owners.forfeits


async def test_a_substitute_who_has_stayed_shares_the_win_of_a_league_table_that_a_moderator_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gone = (PastHolder(ANAS, SeatHolder(ANA), 8), PastHolder(ANAS, COMPUTER, 9))
    table = table_of(SeatHolder(DAN), SeatHolder(BEN), SeatHolder(CARO), past_holders=gone)
    table.match = cast(Match, Log(table.spec.setup(3), acts=((3, 7), (4, 8), (6,))))
    monkeypatch.setattr(rated_facts, "public_shares", lambda match: (0.5, 0.4, 0.1))
    assert (results := await results_if_ended_now(table, EVA)) is not None
    assert ([ANA], [(0, 0.5)] * 3) == ([lost.user_id for lost in results.owners.forfeits], [*results.merits])


def test_losses_are_ordered_by_time_and_not_by_seat() -> None:
    late, early = (Sitting(user, until=until, parting=Parting.GAVE_UP) for user, until in ((ANA, 9), (BEN, 4)))
    assert [(1, 4), (0, 9)] == [(loss.seat, loss.at) for loss in losses_of([[late], [early]])]


@pytest.mark.parametrize(
    ("sittings", "owner"),
    [
        ([Sitting(ANA, None, 2), Sitting(BEN, None, 3)], BEN),
        ([Sitting(ANA, None, 2), Sitting(BEN, None, 3), Sitting(ANA, None, 2)], ANA),
        ([Sitting(ANA, None, 2), Sitting(BEN, None, 2)], ANA),
        ([Sitting(None, "fair", 2), Sitting(ANA, None, 2)], ANA),
        ([Sitting(ANA, None, 2), Sitting(None, "fair", 2)], ANA),
        ([Sitting(ANA, None, 2), Sitting(None, "fair", 3)], None),
        ([Sitting(ANA, None, 1, stood_in=9), Sitting(BEN, None, 2)], BEN),
        ([Sitting(ANA), Sitting(BEN)], BEN),
        ([Sitting(ANA), Sitting(None, "fair")], ANA),
    ],
)
def test_the_owner_of_a_seat_made_the_most_decisions_and_ties_go_to_users_then_to_the_first(
    sittings: list[Sitting], owner: int | None
) -> None:
    assert owner == owner_of(sittings).user_id


def test_a_substitute_gets_only_results_of_seats_they_mostly_played() -> None:
    early, late = (Game(now=now).sit(COMPUTER).sit(SeatHolder(DAN)).result(9, 7, 3) for now in (10, 30))
    assert early is not None
    assert late is not None
    assert (DAN, 1) == (early.credits[0].user_id, early.credits[0].place)
    assert (Forfeit(0, ANA, 4),) == early.forfeits, "behind the substitute"
    assert late.credits[0].user_id is None
    assert 0 == change_of(DAN, late)


def test_a_substitute_who_leaves_again_has_given_up() -> None:
    game = Game(holders=(COMPUTER, SeatHolder(BEN), SeatHolder(CARO))).sit(SeatHolder(DAN)).later().sit(COMPUTER)
    owners = game.result(9, 7, 3)
    assert owners is not None
    assert [(0, DAN)] == [(forfeit.seat, forfeit.user_id) for forfeit in owners.forfeits]


@pytest.mark.parametrize("kind", [TableEventKind.HELD, TableEventKind.INVITED, TableEventKind.REPLACED])
def test_consent_to_leave_applies_to_one_seat_at_one_time(kind: TableEventKind) -> None:
    game = Game(behind=False).sit(COMPUTER, kind)
    (event,) = game.events
    for other, forfeits in ((event, 0), (replace(event, seat=BENS), 1), (replace(event, version=19), 1)):
        owners = replace(game, events=(other,)).result(9, 7, 3)
        assert owners is not None
        assert forfeits == len(owners.forfeits)


def test_a_player_who_was_let_go_has_given_up_after_returning_and_leaving_again() -> None:
    let_go = Game(behind=False).sit(COMPUTER, TableEventKind.HELD)
    again = let_go.note(TableEventKind.RETURNED).result(9, 7, 3)
    assert again is not None
    assert (Forfeit(0, ANA, 3),) == again.forfeits


def test_a_computers_result_counts_for_the_strength_with_the_most_decisions() -> None:
    easy = Game(holders=(SeatHolder(computer="easy"), SeatHolder(BEN), SeatHolder(CARO)))
    for now, player in ((30, "easy"), (3, "strong")):
        owners = replace(easy, now=now).sit(STRONG, TableEventKind.CAST).result(9, 7, 3)
        assert owners is not None
        assert (player, False) == (owners.credits[0].computer, owners.credits[0].whole)


def test_a_turn_played_by_a_stand_in_is_not_a_decision_of_the_player() -> None:
    owners = Game(stood_in=frozenset({5})).result(9, 7, 3)
    assert owners is not None
    assert [(ANA, False), (BEN, True)] == [(credit.user_id, credit.whole) for credit in owners.credits[:2]]


def test_a_forgotten_player_counts_as_an_opponent_under_a_number_unique_to_the_match() -> None:
    owners = forget(Game()).result(9, 7, 3)
    assert owners is not None
    (lost,) = owners.forfeits
    assert lost.user_id is not None
    assert lost.user_id < 0
    assert change_of(BEN, owners) > 0


@pytest.mark.parametrize("by", [BEN, EVA, None])
def test_a_player_who_gave_up_still_loses_if_others_end_the_game_and_all_others_share_the_first_place(
    by: int | None,
) -> None:
    gave_up = Game().sit(COMPUTER).later()
    owners = end_as(by)(gave_up).result(9, 1, 5)
    assert owners is not None
    assert [(None, 3), (BEN, 1), (CARO, 1)] == [(credit.user_id, credit.place) for credit in owners.credits]
    assert (Forfeit(0, ANA, 3),) == owners.forfeits
    one_left = gave_up.sit(COMPUTER, user=CARO, seat=CAROS).later()
    owners = end_as(by)(one_left).result(9, 1, 5)
    assert owners is not None
    assert [(BEN, 1)] == [(credit.user_id, credit.place) for credit in owners.credits if credit.user_id]
    assert [(ANA, 3), (CARO, 2)] == [(forfeit.user_id, forfeit.place) for forfeit in owners.forfeits]


def test_a_called_off_game_counts_only_if_the_player_behind_ended_it_alone() -> None:
    behind, ahead = Game(), Game(behind=False)
    assert end_as(ANA)(ahead).result(4, 3, 3) is None
    assert end_as(EVA)(behind).result(1, 5, 3) is None, "a moderator who does not play"
    assert end_as(BEN)(behind).result(1, 5, 3) is None, "Ben is not behind"
    owners = end_as(ANA)(behind).result(1, 5, 3)
    assert owners is not None
    assert [(BEN, 1), (CARO, 2)] == [(credit.user_id, credit.place) for credit in owners.credits[1:]]
    assert (Forfeit(0, ANA, 3),) == owners.forfeits


def test_players_who_all_leave_are_placed_in_reverse_order_of_leaving() -> None:
    nobody = (COMPUTER, COMPUTER, COMPUTER)
    earlier = tuple(PastHolder(Seat(n), SeatHolder(user), 20 + n) for n, user in enumerate((ANA, BEN, CARO)))
    owners = Game(holders=nobody, past_holders=earlier, is_called_off=True).result(9, 7, 3)
    assert owners is not None
    assert [(ANA, 3), (BEN, 2), (CARO, 1)] == [(forfeit.user_id, forfeit.place) for forfeit in owners.forfeits]
    event = TableEvent(TableEventKind.REPLACED, 20, AT, ANAS, EVA)
    let_go = Game(holders=nobody, past_holders=earlier[:1], events=(event,), is_called_off=True)
    assert let_go.result(9, 7, 3) is None


def test_partners_of_players_who_leave_get_the_place_they_played_for() -> None:
    table = table_of(COMPUTER, *map(SeatHolder, (BEN, CARO, DAN)), options={"partners": "yes", "team_score": True})
    set_row(table, past_holders=(PastHolder(ANAS, SeatHolder(ANA), 5),))
    log = Log(table.setup, Outcome((0.5, 0, 0.5, 0), (9, 3, 9, 3)), ((1,), (2,), (3,), (4,)))
    owners = owners_of(table, cast(Match, log))
    assert (Forfeit(0, ANA, 4),) == owners.forfeits
    assert [2, 1, 2] == [credit.place for credit in owners.credits[1:]]
    assert owners.credits[1].company == owners.credits[3].company != owners.credits[2].company


def test_a_result_has_the_number_of_moves_without_what_was_taken_back() -> None:
    spec = discover()["jinns"]
    match = Match.begin(spec, spec.setup(2), "")
    (first,) = match.state.decisions()
    match.play(first.seat, first.options[0])
    match.undo(first.seat, frozenset({Seat(0), Seat(1)}))
    while decisions := match.state.decisions():
        match.play(decisions[0].seat, decisions[0].options[0])
    moves = sum(match.entries[version].seat != CHANCE for version in match.versions)
    assert moves == owners_of(table_of(SeatHolder(ANA), SeatHolder(BEN)), match).moves < match.version - 1


def test_a_loss_is_recorded_once_per_seat() -> None:
    game = Game().sit(COMPUTER).later().sit(SeatHolder(ANA), TableEventKind.RETURNED).later().sit(COMPUTER)
    table = table_of(*game.holders, past_holders=game.past_holders)
    table.facts = replace(table.facts, events=game.events)
    log = Log(table.spec.setup(3), None, tuple(tuple(range(40)) for _ in range(3)))
    assert [20] == [loss.at for loss in losses_of(seats_of(table, cast(Match, log)))]


def test_a_computers_win_is_not_a_win_of_the_player_who_left() -> None:
    lost = forfeit_results([Forfeit(0, ANA, 2)])
    computers, bens = (
        RatedSeat(Credit(None, None, 0, 2, whole=False), 9, 1.0),
        RatedSeat(Credit(BEN, None, 1, 1), 3, 0.0),
    )
    match = RatedMatch(1, 9, "jinns", 1, 40, (computers, bens), lost)
    anas = Standing(9, ANA, "jinns").after(lost[0], match, Rating())
    assert (0.0, 2, 0, 0) == (anas.wins, anas.places, anas.points, anas.scored)
    after = Standing(9, BEN, "jinns").after(bens, match, Rating())
    assert (1.0, 1, 3, 1) == (after.wins, after.longest_run, after.points, after.scored), "Ben has won"


def test_the_story_of_a_seat_covers_only_decisions_of_its_owner() -> None:
    match = cast(Match, SimpleNamespace(versions=(0, 1, 2, 3, 6, 7, 8), version=9, stood_in={1}))
    table = table_of(COMPUTER, SeatHolder(BEN), past_holders=(PastHolder(ANAS, SeatHolder(ANA), 3),))
    everything, without_stand_in = frozenset(range(7)), frozenset({0, 2, 3, 4, 5, 6})
    for owner, plies in (((ANA, None), {0, 2}), ((None, "fair"), {3, 4, 5, 6}), ((None, None), without_stand_in)):
        assert (plies, without_stand_in) == owned_plies(table.row, match, [owner, (BEN, None)])
    forgotten = replace(table.row, past_holders=(PastHolder(ANAS, SeatHolder(0), 3),))
    assert {0, 2} == owned_plies(forgotten, match, [(-7, None), (BEN, None)])[0] < everything


# --- how a game stands ---


@pytest.mark.parametrize("spec", list(discover().values()), ids=lambda spec: spec.slug)
def test_no_player_is_behind_at_the_start_and_only_public_information_decides(spec: Any) -> None:
    for seats in spec.seats:
        setup = spec.setup(seats)
        for number in range(5):
            match = Match.begin(spec, setup, f"start {number}")
            shares = public_shares(match)
            assert sum(shares) == pytest.approx(1)
            assert frozenset() == companies_behind(shares, spec.companies(setup))
            assert shares == public_shares(match)


@pytest.mark.parametrize("spec", list(TOYS.values()), ids=lambda spec: spec.slug)
def test_in_a_game_without_an_evaluation_the_leaders_share_the_win(spec: Any) -> None:
    assert spec.evaluate is None
    match = Match.begin(spec, spec.setup(spec.seats[-1]), "start")
    assert public_shares(match) == pytest.approx([1 / spec.seats[-1]] * spec.seats[-1])


@pytest.mark.parametrize("spec", list(discover().values()), ids=lambda spec: spec.slug)
def test_winners_are_rarely_behind_shortly_before_the_end(spec: Any) -> None:
    setup, wrong, games = spec.setup(spec.seats[0]), 0, 2
    player = discover_players()["greedy"]
    for number in range(games):
        match, rng = Match.begin(spec, setup, f"standing {number}"), Random(number)
        while decisions := match.state.decisions():
            match.play(decisions[0].seat, player.choose(match.view(decisions[0].seat), rng))
        late = match.until(int(0.9 * match.ply))
        assert match.outcome is not None
        behind = companies_behind(public_shares(late), spec.companies(setup))
        wrong += bool(behind & {*match.outcome.winners})
    assert wrong <= games / 2


def test_chances_within_a_margin_count_as_equal() -> None:
    even, less = (1 - EVEN_MARGIN) / 2 + 1e-9, (1 - EVEN_MARGIN) / 2 - 1e-9
    assert frozenset() == companies_behind((even, 1 - even), (0, 1))
    assert frozenset({Seat(0)}) == companies_behind((less, 1 - less), (0, 1))
    assert frozenset() == companies_behind((0.1, 0.2, 0.4, 0.3), (0, 1, 0, 1)), "partners have one chance"
    assert frozenset(map(Seat, (0, 2))) == companies_behind((0.1, 0.3, 0.3, 0.3), (0, 1, 0, 1)), (
        "and are behind together"
    )


async def test_a_player_who_leaves_is_rated_as_last_behind_the_places_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rating_cost, "public_shares", lambda _: (0.5, 0.3, 0.2))
    table = table_of(SeatHolder(ANA), SeatHolder(BEN), COMPUTER, status=Status.RUNNING)
    table.match = Match.begin(table.spec, table.spec.setup(3), "")
    seats = (Credit(None, None, 0, 1), Credit(BEN, None, 1, 1), Credit(None, "fair", 2, 2))
    last = forfeit_results([Forfeit(0, ANA, 3)])
    assert (RatedSeat(Credit(ANA, None, -1, 3, whole=False), 0, 0.0),) == last
    expected = RatedMatch(1, 9, "jinns", 0, 0, tuple(RatedSeat(seat, 0, 0.0) for seat in seats), last)
    assert expected == await rating_cost._if_forfeited(table, ANAS)


def test_a_question_has_a_warning_only_if_there_is_one() -> None:
    question = Text("Leave?")
    assert ["Leave?", "Leave?\n⚠️ It costs."] == [
        str(rating_cost.with_warning(question, warning)) for warning in (None, Text("It costs."))
    ]


async def test_a_match_that_does_not_count_has_no_standing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def behind(_: Table) -> frozenset[Seat]:
        return frozenset({ANAS})

    monkeypatch.setattr(rated_facts, "behind_now", behind)
    people = (SeatHolder(ANA), SeatHolder(BEN))
    for rated, standings in ((True, ["BEHIND", "OPEN"]), (False, ["UNRATED", "UNRATED"])):
        table = table_of(*people, status=Status.RUNNING, rated=rated)
        table.match = Match.begin(table.spec, table.spec.setup(2), "")
        assert standings == [(await rated_facts.standing_of(table, user_id)).name for user_id in (ANA, BEN)]
        changes = [await rated_facts.unrating_of(table, user_id, AT) for user_id in (ANA, BEN)]
        version = table.match.version
        conceded = TableEvent(TableEventKind.CONCEDED, version, AT, ANAS, ANA, behind=True)
        assert ([Unrating(conceded), Unrating()] if rated else [None, None]) == changes


# --- which games ---


def test_a_game_between_two_people_in_a_server_is_rated() -> None:
    two = (SeatHolder(ANA), SeatHolder(BEN))
    assert why_not_rated(table_of(*two)) is None
    assert why_not_rated(table_of(*two, COMPUTER)) is None
    assert "direct messages" in str(why_not_rated(table_of(*two, guild_id=0)))
    assert "the host turned it off" in str(why_not_rated(table_of(*two, rated=False)))
    assert "at least two people" in str(why_not_rated(table_of(SeatHolder(ANA), COMPUTER)))


def test_the_players_at_the_start_decide_whether_a_game_is_rated() -> None:
    earlier = PastHolder(Seat(1), SeatHolder(BEN), 5)
    assert why_not_rated(table_of(SeatHolder(ANA), COMPUTER, past_holders=(earlier,))) is None
    came = (PastHolder(Seat(1), COMPUTER, 5),)
    assert why_not_rated(table_of(SeatHolder(ANA), SeatHolder(BEN), past_holders=came)) is not None
    again = (earlier, PastHolder(Seat(1), COMPUTER, 7), PastHolder(Seat(1), SeatHolder(CARO), 9))
    assert why_not_rated(table_of(SeatHolder(ANA), COMPUTER, past_holders=again)) is None
    late = (came[0], PastHolder(Seat(1), SeatHolder(CARO), 9))
    assert why_not_rated(table_of(SeatHolder(ANA), SeatHolder(BEN), past_holders=late)) is not None


def test_each_forgotten_result_is_an_opponent_of_its_own() -> None:
    numbers = {user_of_result(match_id, Seat(seat), 0) for match_id in (1, 2) for seat in range(6)}
    assert 12 == len(numbers)
    assert max(number or 0 for number in numbers) < 0
    assert [ANA, None, -702] == [user_of_result(7, BENS, user_id) for user_id in (ANA, None, 0)]
    given_up = [(Sitting(0, until=5, parting=Parting.GAVE_UP), Sitting(None, "fair", 3)), (Sitting(BEN),)]
    assert (Forfeit(0, -701, 2),) == credits_of(7, given_up, [(1,), (2,)], (0, 1))[1]


def test_a_computer_is_ranked_in_the_seat_that_it_has_had_from_the_start() -> None:
    given_up = (Sitting(ANA, until=5, parting=Parting.GAVE_UP), Sitting(None, "fair", 3))
    credits, forfeits = credits_of(
        7, [given_up, (Sitting(None, "fair", 3),), (Sitting(BEN),)], [(3,), (2,), (1,)], (0, 1, 2)
    )
    assert (
        Credit(None, None, 0, 3, whole=False),
        Credit(None, "fair", 1, 1),
        Credit(BEN, None, 2, 2),
    ) == credits
    assert (Forfeit(0, ANA, 3),) == forfeits


def conceded_at(version: int, user_id: int = ANA) -> TableEvent:
    return TableEvent(TableEventKind.CONCEDED, version, AT, ANAS, user_id, behind=True)


@pytest.mark.parametrize(
    ("since", "until", "version"), [(0, None, 3), (4, None, 5), (4, 8, 5), (6, 8, None), (6, 9, 9), (10, None, None)]
)
def test_a_game_is_given_up_at_the_first_such_event_while_its_player_sits_there(
    since: int, until: int | None, version: int | None
) -> None:
    events = [conceded_at(1, BEN), *map(conceded_at, (3, 5, 9))]
    sitting = rated_facts._with_events(Sitting(ANA, until=until), SeatHolder(ANA), events, since)
    assert version == sitting.conceded


def test_a_game_that_is_called_off_is_given_up_as_it_stands() -> None:
    earlier, bens = Sitting(CARO, until=3), (Sitting(BEN),)
    conceded = ((earlier, Sitting(ANA, conceded=7)), bens)
    assert CalledOff(conceded, by_position=True) == called_off([(earlier, Sitting(ANA)), bens], ANA, {ANAS}, 7)


def test_the_position_ranks_the_others_if_a_player_who_has_lost_before_calls_the_game_off() -> None:
    lost = (Sitting(ANA, until=3, parting=Parting.GAVE_UP), Sitting(None, "fair", 1, until=6), Sitting(ANA))
    seats = (lost, (Sitting(BEN),), (Sitting(CARO),))
    assert CalledOff(seats, by_position=True) == called_off(seats, ANA, (), 7)
    assert CalledOff(seats, by_position=False) == called_off(seats, BEN, (), 7)


def test_a_loss_stays_if_others_call_the_game_off_and_the_position_ranks_nobody() -> None:
    seats = ((Sitting(0, until=3, parting=Parting.GAVE_UP), Sitting(None, "fair")), (Sitting(BEN),))
    for user_id in (None, 0, EVA, BEN):
        assert CalledOff(seats, by_position=False) == called_off(seats, user_id, {ANAS}, 7)
        assert called_off(seats[1:], user_id, (), 7) is None
