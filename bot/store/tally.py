"""Ratings, counts and records, computed from the results of rated matches, one match after the other.

Everything here follows from the results (docs/ratings.md): the same matches in the same order give the same numbers,
to the bit. Ratings are those of Plackett and Luce, as `openskill` computes them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import permutations
from math import sqrt

VERSION = 2
"""Of the formula. Change it whenever the same results would give other numbers: all of them are computed anew then."""

ALL_SERVERS = 0
"""In place of a server: all of them together."""

MEAN, SPREAD = 25.0, 25 / 3
"""The rating of a newcomer, as `openskill` counts, and its standard deviation."""

NEWCOMER, SCALE = 1500, 30
"""The same rating as people see it, and its points there for each of `openskill`'s; then ten to one is 400 points."""

PLACEMENT = 5
"""Matches for which a newcomer is being placed: so few say little, and a rating that falls at once says it badly."""

PROVISIONAL = 350
"""A rating whose margin is larger than this is provisional: about 15 games long."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A strength as a normal distribution: its mean and standard deviation, as `openskill` counts."""

    mu: float = MEAN
    sigma: float = SPREAD

    @property
    def points(self) -> int:
        """The rating as people see it; a newcomer has 1,500."""
        return shown(self.mu)

    @property
    def margin(self) -> int:
        """Two standard deviations: the strength lies that near 19 times out of 20."""
        return round(2 * SCALE * self.sigma)

    @property
    def is_provisional(self) -> bool:
        """Whether too few matches say how good somebody is."""
        return self.margin > PROVISIONAL


def shown(mu: float) -> int:
    """A mean as people see it."""
    return round(NEWCOMER + SCALE * (mu - MEAN))


@dataclass(frozen=True, slots=True)
class Credit:
    """Whose the result of a seat is: a user's, a computer's by its id, or nobody's who is rated.

    `company` is the same for seats that win together; `place` is shared by those who are equal. It is `whole` if all
    that was decided in the seat was decided by its owner.
    """

    user_id: int | None = None
    computer: str | None = None
    company: int = 0
    place: int = 1
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Forfeit:
    """That a user gave up the game of a seat; the `place` is behind all who played on."""

    seat: int
    user_id: int | None
    place: int


@dataclass(frozen=True, slots=True)
class Owners:
    """Whose the results of a match are, by seat, and who has forfeited it after how many moves; perhaps it is rated."""

    credits: Sequence[Credit] = ()
    forfeits: Sequence[Forfeit] = ()
    moves: int = 0
    rated: bool = True


NO_OWNERS = Owners(rated=False)


@dataclass(frozen=True, slots=True)
class SeatStory:
    """What stories found for a seat, of one match or added up over several.

    `luck` is how much of the win the draws brought, `lost` how much of it choices cost, and `usually` how much any
    options would have cost; `choices` is how many mattered, `lowest` the lowest chance to win.
    """

    luck: float = 0.0
    lost: float = 0.0
    usually: float = 0.0
    choices: int = 0
    lowest: float = 1.0

    @property
    def accuracy(self) -> int | None:
        """Of the choices that mattered, in a hundred, as `engine.story.telling.Play` has it; nothing without any."""
        return max(0, round(100 * (1 - self.lost / self.usually))) if self.choices and self.usually else None


@dataclass(frozen=True, slots=True)
class RatedSeat:
    """The result of a seat: whose it is, the points, the share of the win, and what its story found, if it was told."""

    credit: Credit
    score: int
    share: float
    story: SeatStory | None = None


def forfeited(forfeits: Iterable[Forfeit]) -> tuple[RatedSeat, ...]:
    """Forfeits as results: without points, each in a company of its own."""
    credits = (Credit(one.user_id, None, -1 - n, one.place, whole=False) for n, one in enumerate(forfeits))
    return tuple(RatedSeat(credit, 0, 0.0) for credit in credits)


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A rated match that is over: the `ended`-th of all, with so many moves.

    One that was called off is not `finished`: it counts as it stood.
    """

    id: int
    guild_id: int
    game: str
    ended: int
    moves: int
    seats: tuple[RatedSeat, ...]
    forfeits: tuple[RatedSeat, ...] = ()
    finished: bool = True

    @property
    def results(self) -> tuple[RatedSeat, ...]:
        """Those of all seats, and then all forfeits."""
        return (*self.seats, *self.forfeits)

    def won_by(self, seat: RatedSeat) -> float:
        """The share of the win that a result has; what a computer won in a forfeited seat goes to the next."""
        # where everyone gave up, the first place is that of a forfeit
        first = [other for other in self.results if other.credit.place == 1]
        if seat.credit.place != 1:
            return 0.0
        return seat.share if any(other.share for other in first) else 1 / len(first)

    def people(self) -> dict[int, RatedSeat]:
        """The results by user; a user with several results has the worst of them."""
        ranked = sorted((seat for seat in self.results if seat.credit.user_id is not None), key=_place)
        # the worst comes last, and in a dict the last one stays (docs/ratings.md, “Whose result it is”, 4)
        return {seat.credit.user_id or 0: seat for seat in ranked}


def _place(seat: RatedSeat) -> int:
    return seat.credit.place


@dataclass(frozen=True, slots=True)
class Standing:
    """What somebody has reached in a game within a server, or over all of them.

    `wins` are shares of wins, `fair` is how many an equal player would have had; `places` and `points` are sums, the
    latter over the `scored` matches that they decided alone. `run` is how many they have just won in a row.
    """

    guild_id: int
    user_id: int
    game: str
    mu: float = MEAN
    sigma: float = SPREAD
    matches: int = 0
    wins: float = 0.0
    fair: float = 0.0
    places: int = 0
    points: int = 0
    run: int = 0
    longest_run: int = 0
    scored: int = 0

    @property
    def is_placed(self) -> bool:
        """Whether enough matches say how good they are."""
        return self.matches >= PLACEMENT

    @property
    def rating(self) -> Rating:
        """The rating."""
        return Rating(self.mu, self.sigma)

    def after(self, seat: RatedSeat, match: RatedMatch, rating: Rating) -> Standing:
        """The standing after a match in which a seat is theirs."""
        won = match.won_by(seat)
        run = self.run + 1 if won else 0
        return replace(
            self,
            mu=rating.mu,
            sigma=rating.sigma,
            matches=self.matches + 1,
            wins=self.wins + won,
            fair=self.fair + 1 / len(match.seats),
            places=self.places + seat.credit.place,
            points=self.points + seat.score * seat.credit.whole,
            run=run,
            longest_run=max(run, self.longest_run),
            scored=self.scored + seat.credit.whole,
        )


@dataclass(frozen=True, slots=True)
class Change:
    """The rating of somebody after a match, and its mean before."""

    guild_id: int
    user_id: int
    game: str
    ended: int
    match_id: int
    mu_before: float
    mu: float
    sigma: float
    matches: int = 0
    """How many matches they have played with this one."""

    @property
    def is_placed(self) -> bool:
        """Whether enough matches say how good they are."""
        return self.matches >= PLACEMENT

    @property
    def rating(self) -> Rating:
        """The rating after the match."""
        return Rating(self.mu, self.sigma)

    @property
    def points(self) -> int:
        """By how many points it has changed, as people see it."""
        return shown(self.mu) - shown(self.mu_before)


@dataclass(frozen=True, slots=True)
class Meeting:
    """How often a user played against another one in a server, and how often they were ahead and behind."""

    guild_id: int
    user_id: int
    other_id: int
    game: str
    matches: int = 0
    ahead: int = 0
    behind: int = 0


class RecordKind(StrEnum):
    """What can be a record: the most points, the smallest lead of a winner, the most moves; and of what stories find,
    the lowest chance from which somebody won, and the highest accuracy, both in a hundred.
    """

    POINTS = "points"
    CLOSEST = "closest"
    LONGEST = "longest"
    COMEBACK = "comeback"
    ACCURATE = "accurate"


LOWEST_IS_BEST = (RecordKind.CLOSEST, RecordKind.COMEBACK)

MANY_CHOICES = 8
"""So many choices have to matter before accuracy can be a record."""


@dataclass(frozen=True, slots=True)
class Record:
    """The extreme of a game in a server, in which match it was reached, and by whom if it is somebody's."""

    guild_id: int
    game: str
    kind: str
    figure: int
    match_id: int
    user_id: int | None = None

    def beats(self, other: Record | None) -> bool:
        """Whether it takes the place of another one. Of equal ones the match that was set up first keeps it."""
        if other is None:
            return True
        # not in the order in which they come: a story may be told long after its match
        sign = 1 if self.kind in LOWEST_IS_BEST else -1
        return (sign * self.figure, self.match_id) < (sign * other.figure, other.match_id)


@dataclass(slots=True)
class Tally:
    """All that is computed, by the first fields of each row; at least what `count` needs for its match."""

    standings: dict[tuple[int, int, str], Standing] = field(default_factory=dict)
    meetings: dict[tuple[int, int, int, str], Meeting] = field(default_factory=dict)
    records: dict[tuple[int, str, str], Record] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)

    def count(self, match: RatedMatch) -> None:
        """Count one more match."""
        for guild_id in (match.guild_id, ALL_SERVERS):
            self._rate(match, guild_id)
        self._meet(match)
        self.note_records((*records_of(match), *records_of_story(match)))

    def note_records(self, found: Iterable[Record]) -> None:
        """Keep those that are records."""
        for record in found:
            key = (record.guild_id, record.game, record.kind)
            if record.beats(self.records.get(key)):
                self.records[key] = record

    def _rate(self, match: RatedMatch, guild_id: int) -> None:
        people = match.people()
        before = {
            user: self.standings.get((guild_id, user, match.game), Standing(guild_id, user, match.game))
            for user in people
        }
        ratings = rated(match, {user: standing.rating for user, standing in before.items()})
        for user, seat in people.items():
            after = before[user].after(seat, match, ratings[user])
            self.standings[guild_id, user, match.game] = after
            mu = before[user].mu
            rated_as = (mu, after.mu, after.sigma, after.matches)
            self.changes.append(Change(guild_id, user, match.game, match.ended, match.id, *rated_as))

    def _meet(self, match: RatedMatch) -> None:
        for (user, own), (other, others) in permutations(match.people().items(), 2):
            # partners win and lose together: neither is ahead
            if own.credit.company == others.credit.company:
                continue
            key = (match.guild_id, user, other, match.game)
            known, lead = self.meetings.get(key, Meeting(*key)), others.credit.place - own.credit.place
            ahead, behind = known.ahead + (lead > 0), known.behind + (lead < 0)
            self.meetings[key] = replace(known, matches=known.matches + 1, ahead=ahead, behind=behind)


def records_of(match: RatedMatch) -> Iterator[Record]:
    """What in a match may be a record: points, if there are any, for a player who decided all in their seat."""
    if not match.finished:
        return
    people, place = match.people(), (match.guild_id, match.game)
    yield Record(*place, RecordKind.LONGEST, match.moves, match.id)
    if not any(seat.score for seat in match.seats):
        return
    if alone := [user for user, seat in people.items() if seat.credit.whole]:
        user = max(alone, key=lambda user: people[user].score)
        yield Record(*place, RecordKind.POINTS, people[user].score, match.id, user)
    # by company: partners have no lead over each other
    companies = {seat.credit.company: seat.score for seat in match.seats}
    first, *others = sorted(companies.values(), reverse=True)
    if others:
        yield Record(*place, RecordKind.CLOSEST, first - others[0], match.id)


def records_of_story(match: RatedMatch) -> Iterator[Record]:
    """What the story of a match has that may be a record; nothing before it was told."""
    place = (match.guild_id, match.game)
    people = match.people()
    # by seats, not by ids: people who are forgotten get other ids
    for seat in match.seats:
        user, story = seat.credit.user_id, seat.story
        # of several seats, only the one whose result they have (docs/ratings.md, “Whose result it is”, 4)
        if story is None or people.get(user or 0) is not seat:
            continue
        if seat.credit.place == 1 and seat.share and seat.credit.whole:
            yield Record(*place, RecordKind.COMEBACK, round(100 * story.lowest), match.id, user)
        if story.choices >= MANY_CHOICES and story.accuracy is not None:
            yield Record(*place, RecordKind.ACCURATE, story.accuracy, match.id, user)


def people_share(people: int, computers: int) -> float:
    """How much a match counts: as much of it as people play. `python -m tests.fairplay` compares it with other ways."""
    return people / (people + computers)


def rated(
    match: RatedMatch, before: Mapping[int, Rating], weigh: Callable[[int, int], float] = people_share
) -> dict[int, Rating]:
    """The ratings of the people of a match after it, by those before. Without opponents they stay as they were.

    `weigh` says how much it counts, from 0 to 1, by the number of people and of computers.
    """
    people, fixed = match.people(), computer_ratings().get(match.game, {})
    sides: dict[int, list[RatedSeat]] = {}
    # by seats, not by ids: the sums of `openskill` depend on the order, and people who are forgotten get other ids
    for seat in match.results:
        if people.get(seat.credit.user_id or 0) is seat or seat.credit.computer in fixed:
            sides.setdefault(seat.credit.company, []).append(seat)
    # `openskill` refuses fewer than two teams
    if len(sides) < 2:
        return dict(before)
    ordered = [sides[company] for company in sorted(sides)]
    teams = [[_before(seat, before, fixed) for seat in side] for side in ordered]
    after = _plackett_luce(teams, [min(map(_place, side)) for side in ordered])
    new = {
        seat.credit.user_id: rating
        for side, ratings in zip(ordered, after, strict=True)
        for seat, rating in zip(side, ratings, strict=True)
        if seat.credit.user_id is not None
    }
    part = weigh(len(new), sum(map(len, ordered)) - len(new))
    return new if part == 1 else {user: _partly(before[user], rating, part) for user, rating in new.items()}


def _partly(before: Rating, after: Rating, part: float) -> Rating:
    """A rating that a match has changed by a part of what it would have."""
    variance = before.sigma**2 + part * (after.sigma**2 - before.sigma**2)
    return Rating(before.mu + part * (after.mu - before.mu), sqrt(variance))


def _before(seat: RatedSeat, people: Mapping[int, Rating], computers: Mapping[str, Rating]) -> Rating:
    if seat.credit.user_id is not None:
        return people[seat.credit.user_id]
    return computers[seat.credit.computer or ""]


def _plackett_luce(teams: Sequence[Sequence[Rating]], places: Sequence[int]) -> list[list[Rating]]:
    from openskill.models import PlackettLuce  # 35 ms, which no start has to wait for

    model = PlackettLuce()
    asked = [[model.create_rating([one.mu, one.sigma]) for one in team] for team in teams]
    return [[Rating(one.mu, one.sigma) for one in team] for team in model.rate(asked, ranks=list(places))]


@cache
def computer_ratings() -> Mapping[str, Mapping[str, Rating]]:
    """The fixed ratings of computer players, by game and id. One that is not there is not counted as an opponent."""
    stored = tomllib.loads((files("bot.store") / "computer_ratings.toml").read_text("utf-8"))
    return {
        game: {
            player: Rating(MEAN + (points - NEWCOMER) / SCALE, margin / (2 * SCALE))
            for player, (points, margin) in players.items()
        }
        for game, players in stored.items()
    }
