"""Ratings, counts and records, computed from the results of rated matches, one match after the other.

Everything here follows from the results (docs/ratings.md): the same matches in the same order give the same numbers,
to the bit. Ratings are those of Plackett and Luce, as `openskill` computes them.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import permutations
from math import lcm, sqrt

from engine.values import Value

VERSION = 3
"""The version of the formula. Increase it when the same results give other numbers: the bot then recomputes all."""

ALL_SERVERS = 0
"""The `guild_id` of numbers over all servers."""

MEAN, SPREAD = 25.0, 25 / 3
"""The rating of a newcomer on the scale of `openskill`, and its standard deviation."""

NEWCOMER_POINTS, SCALE = 1500, 30
"""The displayed rating of a newcomer, and points per unit of `openskill`; 400 points are odds of ten to one."""

PLACEMENT_MATCHES = 5
"""Matches before a newcomer's rating is shown: earlier ones say little, and a rating that drops at once discourages."""

PROVISIONAL_MARGIN = 350
"""A rating with a larger margin is provisional, which lasts about 15 games."""


class Rating(Value):
    """A strength as a normal distribution: mean and standard deviation on the scale of `openskill`."""

    mu: float = MEAN
    sigma: float = SPREAD

    @property
    def points(self) -> int:
        """The displayed rating; a newcomer has 1,500."""
        return points_of(self.mu)

    @property
    def margin(self) -> int:
        """Two standard deviations in displayed points, which contain the strength 19 times out of 20."""
        return round(2 * SCALE * self.sigma)

    @property
    def is_provisional(self) -> bool:
        """Whether the rating rests on too few matches."""
        return self.margin > PROVISIONAL_MARGIN


def points_of(mu: float) -> int:
    """The displayed points of a mean."""
    return round(NEWCOMER_POINTS + SCALE * (mu - MEAN))


class Credit(Value):
    """The owner of a seat's result: a user, a computer by its id, or neither for an unrated owner.

    `company` is the same for seats that win together; equal seats share a `place`. `whole`: the owner has made all
    decisions of the seat.
    """

    user_id: int | None = None
    computer: str | None = None
    company: int = 0
    place: int = 1
    whole: bool = True


class Forfeit(Value):
    """A user's forfeit of a seat. Its `place` is behind all players who played on."""

    seat: int
    user_id: int | None
    place: int


class Owners(Value):
    """The owners of a match's results by seat, its forfeits and number of moves, and whether it is rated."""

    credits: Sequence[Credit] = ()
    forfeits: Sequence[Forfeit] = ()
    moves: int = 0
    rated: bool = True


NO_OWNERS = Owners(rated=False)


class SeatStory(Value):
    """The numbers of a seat's story, of one match or added up over several.

    `luck` is the share of the win that draws brought, `lost` the share that choices cost, `usually` the share that
    average options would have cost; `choices` counts the choices that mattered, `lowest` is the lowest chance to win.
    """

    luck: float = 0.0
    lost: float = 0.0
    usually: float = 0.0
    choices: int = 0
    lowest: float = 1.0

    @property
    def accuracy(self) -> int | None:
        """The accuracy of choices that mattered, in percent, as in `engine.story.telling.Play`; `None` without any."""
        return max(0, round(100 * (1 - self.lost / self.usually))) if self.choices and self.usually else None


class RatedSeat(Value):
    """The result of a seat: its owner, points, share of the win, and story, if it was told."""

    credit: Credit
    score: int
    share: float
    story: SeatStory | None = None


def forfeit_results(forfeits: Iterable[Forfeit]) -> tuple[RatedSeat, ...]:
    """Forfeits as results: without points, each in a company of its own."""
    credits = (Credit(forfeit.user_id, None, -1 - n, forfeit.place, whole=False) for n, forfeit in enumerate(forfeits))
    return tuple(RatedSeat(credit, 0, 0.0) for credit in credits)


class RatedMatch(Value):
    """A rated match that is over. `ended` numbers all rated matches in the order of their ends, from 1.

    A called-off match is not `finished`: its position at that time counts, or the losses from before.
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
        """The results of all seats, then those of all forfeits."""
        return (*self.seats, *self.forfeits)

    def won_by(self, seat: RatedSeat) -> float:
        """A result's share of the win. A computer's win in a forfeited seat goes to the next place."""
        # where everyone gave up, the first place is that of a forfeit
        first = [other for other in self.results if other.credit.place == 1]
        if seat.credit.place != 1:
            return 0.0
        return seat.share if any(other.share for other in first) else 1 / len(first)

    def people(self) -> dict[int, RatedSeat]:
        """The results by user; a user with several results has the worst of them."""
        ranked = sorted((seat for seat in self.results if seat.credit.user_id is not None), key=_place)
        # the worst comes last, and a dict keeps the last one (docs/ratings.md, “Whose result it is”, 7)
        return {seat.credit.user_id or 0: seat for seat in ranked}


def _place(seat: RatedSeat) -> int:
    return seat.credit.place


class Standing(Value):
    """A user's rating and counts in a game, within a server or over all servers.

    `wins` adds up shares of wins, `fair` those of an equal player; `places` and `points` are sums, the latter over the
    `scored` matches in which the user made all decisions. `run` is the current number of wins in a row.
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
        """Whether the user has played enough matches to show the rating."""
        return self.matches >= PLACEMENT_MATCHES

    @property
    def rating(self) -> Rating:
        """The rating as a distribution."""
        return Rating(self.mu, self.sigma)

    def after(self, seat: RatedSeat, match: RatedMatch, rating: Rating) -> Standing:
        """The standing after a match in which the user has this seat."""
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


class Change(Value):
    """The change of a user's rating by a match."""

    guild_id: int
    user_id: int
    game: str
    ended: int
    match_id: int
    mu_before: float
    mu: float
    sigma: float
    matches: int = 0
    """The number of the user's matches, including this one."""

    @property
    def is_placed(self) -> bool:
        """Whether the user has played enough matches to show the rating."""
        return self.matches >= PLACEMENT_MATCHES

    @property
    def rating(self) -> Rating:
        """The rating after the match."""
        return Rating(self.mu, self.sigma)

    @property
    def points(self) -> int:
        """The change in displayed points."""
        return points_of(self.mu) - points_of(self.mu_before)


class Meeting(Value):
    """A user's matches against another one in a server, with how often the user was ahead and behind."""

    guild_id: int
    user_id: int
    other_id: int
    game: str
    matches: int = 0
    ahead: int = 0
    behind: int = 0


class RecordKind(StrEnum):
    """The kind of a record: most points, smallest lead of a winner, most moves; and from stories, in percent, the
    lowest chance from which a player won, and the highest accuracy.
    """

    POINTS = "points"
    CLOSEST = "closest"
    LONGEST = "longest"
    COMEBACK = "comeback"
    ACCURATE = "accurate"


LOWEST_IS_BEST = (RecordKind.CLOSEST, RecordKind.COMEBACK)

MIN_CHOICES = 8
"""Choices that must have mattered before accuracy can be a record."""


class Record(Value):
    """A record of a game in a server, with its match and, unless the whole match has set it, its user."""

    guild_id: int
    game: str
    kind: str
    figure: int
    match_id: int
    user_id: int | None = None

    def beats(self, other: Record | None) -> bool:
        """Whether it replaces another record. Of equal ones, the earlier match keeps the record."""
        if other is None:
            return True
        # earlier by id, not by arrival: a story may be told long after its match
        sign = 1 if self.kind in LOWEST_IS_BEST else -1
        return (sign * self.figure, self.match_id) < (sign * other.figure, other.match_id)


@dataclass(slots=True)
class Tally:
    """All computed rows by their keys, or at least those that `count` needs for its match."""

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

    def note_records(self, candidates: Iterable[Record]) -> None:
        """Store the candidates that beat the current records."""
        for record in candidates:
            key = (record.guild_id, record.game, record.kind)
            if record.beats(self.records.get(key)):
                self.records[key] = record

    def _rate(self, match: RatedMatch, guild_id: int) -> None:
        people = match.people()
        before = {
            user: self.standings.get((guild_id, user, match.game), Standing(guild_id, user, match.game))
            for user in people
        }
        ratings = rate(match, {user: standing.rating for user, standing in before.items()})
        for user, seat in people.items():
            after = before[user].after(seat, match, ratings[user])
            self.standings[guild_id, user, match.game] = after
            mu = before[user].mu
            numbers = (mu, after.mu, after.sigma, after.matches)
            self.changes.append(Change(guild_id, user, match.game, match.ended, match.id, *numbers))

    def _meet(self, match: RatedMatch) -> None:
        for (user, own), (other, others) in permutations(match.people().items(), 2):
            # partners win and lose together: neither is ahead
            if own.credit.company == others.credit.company:
                continue
            key = (match.guild_id, user, other, match.game)
            before, lead = self.meetings.get(key, Meeting(*key)), others.credit.place - own.credit.place
            ahead, behind = before.ahead + (lead > 0), before.behind + (lead < 0)
            self.meetings[key] = replace(before, matches=before.matches + 1, ahead=ahead, behind=behind)


def records_of(match: RatedMatch) -> Iterator[Record]:
    """The possible records of a match; points only if the game has any, and for players who made all decisions."""
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
    """The possible records of a match's story; empty before the story was told."""
    place = (match.guild_id, match.game)
    people = match.people()
    # by seats, not by ids: forgotten users get other ids
    for seat in match.seats:
        user, story = seat.credit.user_id, seat.story
        # of a user's several seats, only the one whose result counts (docs/ratings.md, “Whose result it is”, 7)
        if story is None or people.get(user or 0) is not seat:
            continue
        if seat.credit.place == 1 and seat.share and seat.credit.whole:
            yield Record(*place, RecordKind.COMEBACK, round(100 * story.lowest), match.id, user)
        if story.choices >= MIN_CHOICES and story.accuracy is not None:
            yield Record(*place, RecordKind.ACCURATE, story.accuracy, match.id, user)


def people_share(people: int, computers: int) -> float:
    """The weight of a match: the share of people among its players. `python -m tests.fairplay` tests alternatives."""
    return people / (people + computers)


def rate(
    match: RatedMatch, before: Mapping[int, Rating], weigh: Callable[[int, int], float] = people_share
) -> dict[int, Rating]:
    """The ratings of a match's users after it, from those before. Without opponents, they do not change.

    `weigh` gives the weight of the match, from 0 to 1, from the numbers of people and computers.
    """
    people, fixed = match.people(), computer_ratings().get(match.game, {})
    sides: dict[int, list[RatedSeat]] = {}
    # by seats, not by ids: the sums of `openskill` depend on the order, and forgotten users get other ids
    for seat in match.results:
        if people.get(seat.credit.user_id or 0) is seat or seat.credit.computer in fixed:
            sides.setdefault(seat.credit.company, []).append(seat)
    # `openskill` refuses fewer than two teams
    if len(sides) < 2:
        return dict(before)
    ordered = [sides[company] for company in sorted(sides)]
    teams = [[_before(seat, before, fixed) for seat in side] for side in ordered]
    places = [min(map(_place, side)) for side in ordered]
    after = _mean([_plackett_luce(teams, order) for order in ([places] if match.finished else _orders(places))])
    new = {
        seat.credit.user_id: rating
        for side, ratings in zip(ordered, after, strict=True)
        for seat, rating in zip(side, ratings, strict=True)
        if seat.credit.user_id is not None
    }
    part = weigh(len(new), sum(map(len, ordered)) - len(new))
    return new if part == 1 else {user: _partly(before[user], rating, part) for user, rating in new.items()}


def _partly(before: Rating, after: Rating, part: float) -> Rating:
    """A rating between those before and after a match, at a part from 0 to 1 of the way."""
    variance = before.sigma**2 + part * (after.sigma**2 - before.sigma**2)
    return Rating(before.mu + part * (after.mu - before.mu), sqrt(variance))


def _orders(places: Sequence[int]) -> list[list[int]]:
    """Orders without equal places, in which each of several equals is first, second and so on equally often.

    In a called-off match, the equals are not compared. The model would take their tie for half a result, so that a
    player who gave the match up before would lose less than by playing on.
    """
    sizes = Counter(places)
    numbers = [places[:n].count(place) for n, place in enumerate(places)]
    return [
        [place + (number + turn) % sizes[place] for place, number in zip(places, numbers, strict=True)]
        for turn in range(lcm(*sizes.values()))
    ]


def _mean(ways: Sequence[list[list[Rating]]]) -> list[list[Rating]]:
    """The means of the ratings after several orders."""
    if len(ways) == 1:
        return ways[0]
    return [[_mean_of(ratings) for ratings in zip(*sides, strict=True)] for sides in zip(*ways, strict=True)]


def _mean_of(ratings: Collection[Rating]) -> Rating:
    count = len(ratings)
    variance = sum(rating.sigma**2 for rating in ratings) / count
    return Rating(sum(rating.mu for rating in ratings) / count, sqrt(variance))


def _before(seat: RatedSeat, people: Mapping[int, Rating], computers: Mapping[str, Rating]) -> Rating:
    if seat.credit.user_id is not None:
        return people[seat.credit.user_id]
    return computers[seat.credit.computer or ""]


def _plackett_luce(teams: Sequence[Sequence[Rating]], places: Sequence[int]) -> list[list[Rating]]:
    from openskill.models import PlackettLuce  # takes 35 ms, so not at the start

    model = PlackettLuce()
    before = [[model.create_rating([rating.mu, rating.sigma]) for rating in team] for team in teams]
    return [[Rating(rating.mu, rating.sigma) for rating in team] for team in model.rate(before, ranks=list(places))]


@cache
def computer_ratings() -> Mapping[str, Mapping[str, Rating]]:
    """The fixed ratings of computer players, by game and id. Others do not count as opponents."""
    stored = tomllib.loads((files("bot.store") / "computer_ratings.toml").read_text("utf-8"))
    return {
        game: {
            player: Rating(MEAN + (points - NEWCOMER_POINTS) / SCALE, margin / (2 * SCALE))
            for player, (points, margin) in players.items()
        }
        for game, players in stored.items()
    }
