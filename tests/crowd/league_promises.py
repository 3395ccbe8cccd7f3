"""Promises about leagues, checked by rows of the database and delivered messages alone.

Nothing here uses the bot's code for pairing and points.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product
from types import MappingProxyType
from typing import Any

from bot.features.leagues.season import Season
from engine.games import discover
from tests.crowd.discord import FakeDiscord
from tests.crowd.rows import Look, read
from tests.crowd.standings import Reading, Result, compute_standings

SETTLED = ("over", "ended", "closed")
MOST_BARRED = 2
"""A player barred this often by a firm pace is no longer paired."""

STEPS = 20_000
"""Maximum steps of a search for tables without a repeated meeting."""

MAX_ALT_CHARS = 1024
"""The maximum length of an alt text on Discord."""

LINE = re.compile(r"^(\d+)\. .+ – ([\d.]+) points?, (\d+) games?$")


@dataclass(frozen=True)
class Noticed:
    """The players who must and who must not be paired in a round; for others, either is right."""

    must: frozenset[int]
    never: frozenset[int]


@dataclass(frozen=True)
class Planned:
    """A table of a round: its planned players and its result."""

    round: int
    number: int
    division: int
    thread_id: int | None
    match_id: int | None
    status: str | None
    seats: tuple[int | None, ...]
    holders: tuple[int | None, ...]
    merits: tuple[tuple[float, int], ...]
    forfeits: tuple[tuple[int, int, int], ...]

    sat: frozenset[int]
    """The present and former holders of the seats."""

    @property
    def people(self) -> list[int]:
        return [user_id for user_id in self.seats if user_id is not None]


@dataclass
class LeagueRecord:
    """A league as its rows and messages show it; `noticed` has the known players of each round."""

    look: Look
    post: FakeDiscord
    id: int
    noticed: Mapping[int, Noticed] = field(default_factory=dict)

    @cached_property
    def row(self) -> dict[str, Any]:
        names = "id", "game", "seats", "rounds", "round", "status", "options", "division_size"
        (row,) = self.look.ask(f"SELECT {', '.join(names)} FROM leagues WHERE id = ?", self.id)
        return dict(zip(names, row, strict=True))

    @cached_property
    def tables(self) -> list[Planned]:
        sql = """
            SELECT t.round, t.number, t.division, t.thread_id, t.match_id, m.status
            FROM league_tables t LEFT JOIN matches m ON m.id = t.match_id WHERE league_id = ? ORDER BY 1, 2
        """
        sat = "SELECT user_id FROM league_seats WHERE league_id = ? AND round = ? AND number = ? ORDER BY seat"
        held = "SELECT user_id FROM seat_history WHERE match_id = ? AND until IS NULL ORDER BY seat"
        won = "SELECT share, score FROM results WHERE match_id = ? ORDER BY seat"
        lost = "SELECT seat, user_id, place FROM forfeits WHERE match_id = ? ORDER BY number"
        ever = "SELECT DISTINCT user_id FROM seat_history WHERE match_id = ? AND user_id IS NOT NULL"
        return [
            Planned(
                *row,
                tuple(user_id for (user_id,) in self.look.ask(sat, self.id, row[0], row[1])),
                tuple(user_id for (user_id,) in self.look.ask(held, row[4])),
                tuple((share, score) for share, score in self.look.ask(won, row[4])),
                tuple((seat, user_id, place) for seat, user_id, place in self.look.ask(lost, row[4])),
                frozenset(user_id for (user_id,) in self.look.ask(ever, row[4])),
            )
            for row in self.look.ask(sql, self.id)
        ]

    @cached_property
    def by_round(self) -> dict[int, list[Planned]]:
        by_round: dict[int, list[Planned]] = defaultdict(list)
        for table in self.tables:
            by_round[table.round].append(table)
        return by_round

    @cached_property
    def divisions(self) -> dict[int, int]:
        """User -> group."""
        return dict(self.look.ask("SELECT user_id, division FROM league_players WHERE league_id = ?", self.id))

    @property
    def groups(self) -> Iterator[tuple[int, int, list[Planned]]]:
        """Groups of all rounds with their tables, as (round, division, tables), in order of rounds."""
        for number in sorted(self.by_round):
            for division in {table.division for table in self.by_round[number]}:
                yield number, division, [table for table in self.by_round[number] if table.division == division]

    def barred(self) -> Counter[int]:
        """Number of times that a firm pace has barred each player, by user id."""
        rows = self.look.ask(
            """
            SELECT e.user_id FROM table_events e JOIN league_tables t ON t.match_id = e.match_id
            WHERE league_id = ? AND e.kind = 'lapsed'
            """,
            self.id,
        )
        return Counter(user_id for (user_id,) in rows)

    def first_round(self) -> set[int]:
        """The players of the first round."""
        sql = "SELECT user_id FROM league_seats WHERE league_id = ? AND round = 1 AND user_id IS NOT NULL"
        return {user_id for (user_id,) in self.look.ask(sql, self.id)}

    @cached_property
    def readings(self) -> dict[int, Reading]:
        """The standings of each group, computed a second time."""
        return {
            division: compute_standings(
                [user_id for user_id, of in self.divisions.items() if of == division],
                [
                    _result(self.row, table, self.tables, self.divisions)
                    for table in self.tables
                    if table.division == division and table.status in SETTLED
                ],
            )
            for division in sorted(set(self.divisions.values()))
        }


def a_league_ends_after_all_its_tables(league: LeagueRecord) -> Iterator[str]:
    row = league.row
    if row["status"] != "over":
        if row["status"] != "called off":
            yield f"league {league.id} is {row['status']}"
        return
    if not league.by_round:
        yield f"league {league.id} has no round"
    active = league.noticed.get(row["round"] + 1, Noticed(frozenset(), frozenset())).must
    if row["round"] < row["rounds"] and len(active) >= 2:
        yield f"league {league.id} ended early, with {sorted(active)} still active"
    if open_tables := [table for table in league.tables if table.status not in SETTLED]:
        yield f"league {league.id} is over before its tables: {open_tables}"


def all_players_of_a_round_have_one_table(league: LeagueRecord) -> Iterator[str]:
    for number, planned in league.by_round.items():
        where = f"league {league.id}, round {number}"
        seated = Counter(user_id for table in planned for user_id in table.people)
        if twice := [user_id for user_id, times in seated.items() if times > 1]:
            yield f"{where}: {twice} sit twice"
        certain = league.noticed.get(number, Noticed(frozenset(), frozenset()))
        if idle := certain.must - seated.keys():
            yield f"{where}: {sorted(idle)} have no table"
        if wrong := certain.never & seated.keys():
            yield f"{where}: {sorted(wrong)} play and do not take part"


def computers_are_spread_evenly(league: LeagueRecord) -> Iterator[str]:
    for number, division, tables in league.groups:
        where = f"league {league.id}, round {number}, group {division}"
        sizes = [len(table.people) for table in tables]
        if wrong := [table.seats for table in tables if len(table.seats) != league.row["seats"]]:
            yield f"{where}: seats {wrong}"
        if len(sizes) != -(-sum(sizes) // league.row["seats"]):
            yield f"{where}: {sum(sizes)} people at {len(sizes)} tables"
        if max(sizes) - min(sizes) > 1:
            yield f"{where}: tables of {sizes} people"


def byes_go_around(league: LeagueRecord) -> Iterator[str]:
    """A bye, a table with an extra computer, goes to the players with the fewest so far."""
    had: Counter[int] = Counter()
    for number, _, planned in league.groups:
        tables = [table.people for table in planned]
        resting = {user_id for people in tables if len(people) < max(map(len, tables)) for user_id in people}
        others = {user_id for people in tables for user_id in people} - resting
        if again := [(a, b) for a in resting for b in others if had[a] > had[b]]:
            yield f"league {league.id}, round {number}: a bye for the first of {again}, who have had more of them"
        had.update(resting)


def free_seats_go_to_players_of_the_group_without_a_seat(league: LeagueRecord) -> Iterator[str]:
    for number, tables in league.by_round.items():
        where = f"league {league.id}, round {number}"
        seats = Counter(user_id for table in tables for user_id in {*table.people, *table.sat})
        if several := sorted(user_id for user_id, times in seats.items() if times > 1):
            yield f"{where}: {several} have more than one seat"
        for table in tables:
            others = [user_id for user_id in table.sat if league.divisions.get(user_id) != table.division]
            if others:
                yield f"{where}: {sorted(others)} are no players of group {table.division}"


def players_meet_again_only_if_they_must(league: LeagueRecord) -> Iterator[str]:
    met: set[frozenset[int]] = set()
    had: Counter[int] = Counter()
    for number in sorted(league.by_round):
        groups = [tables for of, _, tables in league.groups if of == number]
        for tables in groups:
            again = [sorted(pair) for table in tables for pair in _pairs(table.people) if pair in met]
            people = [user_id for table in tables for user_id in table.people]
            sizes = [len(table.people) for table in tables]
            pairing = without_meeting_again(people, sizes, met, had) if again else None
            if pairing is not None:
                yield f"league {league.id}, round {number}: {again} meet again, and {pairing} would avoid it"
        for tables in groups:
            largest = max(len(table.people) for table in tables)
            for table in tables:
                had.update(table.people if len(table.people) < largest else ())
                met |= {*_pairs(table.people), *_pairs(league.divisions.keys() & set(table.holders) - {None})}


def league_messages_come_once(league: LeagueRecord) -> Iterator[str]:
    n, messages = league.id, [message for _, message in league.post.standing]
    sent = Counter(message.nonce for message in messages if message.nonce.startswith((f"lt-{n}-", f"league-{n}-")))
    # a message without controls cannot be found again
    unmarked = {message.nonce for message in messages if not message.controls}
    if several := {nonce: times for nonce, times in sent.items() if times > 1 and nonce not in unmarked}:
        yield f"announced more than once: {several}"
    ends = {"over": {f"league-{n}-end"}, "called off": {f"league-{n}-off"}}
    expected = ends.get(league.row["status"], set())
    expected |= {f"league-{n}-{number}" for number in league.by_round if number < league.row["round"]}
    expected |= {f"lt-{n}-{table.round}-{table.number}" for table in league.tables if table.match_id}
    if missing := expected - sent.keys():
        yield f"never announced: {sorted(missing)}"


def tables_begin_at_their_messages(league: LeagueRecord) -> Iterator[str]:
    by_nonce = {message.nonce: (message_id, message) for message_id, message in league.post.standing}
    for table in league.tables:
        nonce = f"lt-{league.id}-{table.round}-{table.number}"
        if not table.match_id or nonce not in by_nonce:
            continue
        message_id, message = by_nonce[nonce]
        if message_id != table.thread_id:
            yield f"{table} does not begin at its message {message_id}"
        if {int(user_id) for user_id in re.findall(r"<@(\d+)>", message.words)} != set(table.people):
            yield f"{table} was announced as {message.words}"
        if message_id not in league.post.opened:
            yield f"{table} has no thread"


def results_are_those_of_the_logs(league: LeagueRecord) -> Iterator[str]:
    records = {record.id: record for record in read(league.look)}
    for table in league.tables:
        if table.status != "over" or table.match_id is None:
            continue
        outcome = records[table.match_id].replayed().outcome
        if outcome is None:
            yield f"{table} is over, and its log goes on"
        elif (played := tuple(zip(outcome.returns, outcome.scores, strict=True))) != table.merits:
            yield f"{table}: {played}"


def the_last_pictures_show_the_standings(league: LeagueRecord) -> Iterator[str]:
    nonce, readings = f"league-{league.id}-end", [*league.readings.values()]
    last = next((message for _, message in reversed(league.post.standing) if message.nonce == nonce), None)
    if last is None or league.row["status"] != "over":
        return
    for picture, reading in zip(last.pictures, readings, strict=False):
        lines = picture.split("\n")[1:]
        printed = [parts.groups() for line in lines if (parts := LINE.match(line))]
        expected = [
            (str(place), f"{float(reading.points[user_id]):.2f}".rstrip("0").rstrip("."), str(reading.tables[user_id]))
            for user_id, place in reading.places
        ]
        number = len(expected) if len(picture) < MAX_ALT_CHARS else len(lines) - 1
        if printed[:number] != expected[:number]:
            yield f"{nonce} shows {printed}, read: {expected}"
    crowns = sum(any(reading.points.values()) for reading in readings[: len(last.pictures)])
    if last.words.count("👑") != crowns:
        yield f"{nonce} has {last.words}, with {crowns} groups with points"


AT_ANY_TIME = (
    all_players_of_a_round_have_one_table,
    computers_are_spread_evenly,
    players_meet_again_only_if_they_must,
    byes_go_around,
    free_seats_go_to_players_of_the_group_without_a_seat,
    league_messages_come_once,
    tables_begin_at_their_messages,
    results_are_those_of_the_logs,
    the_last_pictures_show_the_standings,
)
AT_THE_END = (a_league_ends_after_all_its_tables, *AT_ANY_TIME)


def promotions_follow_the_standings(before: LeagueRecord, after: LeagueRecord) -> Iterator[str]:
    """The groups of returning players follow the standings of the previous league. Both leagues have groups."""
    orders = {n: [user_id for user_id, _ in reading.places] for n, reading in before.readings.items()}
    active, members = after.first_round(), {user_id for order in orders.values() for user_id in order}
    for upper, lower in zip(orders, [*orders][1:], strict=False):
        if len(orders[upper]) < 2 or len(orders[lower]) < 2:
            continue
        above = [*orders[upper][:-1], orders[lower][0]]
        below = [*orders[lower][1:], orders[upper][-1]]
        for a, b in product(above, below):
            if {a, b} <= active and after.divisions[a] > after.divisions[b]:
                groups = f"user {a} plays in group {after.divisions[a]}, user {b} in {after.divisions[b]}"
                yield f"league {after.id}: {groups}; {orders}"
    for new in active - members:
        if any(after.divisions[new] < after.divisions[old] for old in active & members):
            yield f"league {after.id}: user {new} is new and does not begin in the lowest group"


def standings_are_those_of_a_second_reading(league: LeagueRecord, season: Season) -> Iterator[str]:
    for division, second in league.readings.items():
        first = [
            (standing.user_id, standing.place, standing.points, standing.tables)
            for standing in season.standings(division)
        ]
        expected = [
            (user_id, place, second.points[user_id], second.tables[user_id]) for user_id, place in second.places
        ]
        if sorted(first) != sorted(expected):
            yield f"league {league.id}, group {division}: {first}, read a second time: {expected}"


def _pairs(people: Collection[int]) -> list[frozenset[int]]:
    return [frozenset(pair) for pair in combinations(people, 2)]


def _result(league: dict[str, Any], table: Planned, tables: Sequence[Planned], known: Collection[int]) -> Result:
    """The result of a table. A seat belongs to its planned player, if they stayed, or to the substitute.

    Who abandons a seat has lost, and ranks below all others, the earlier the lower; the seat ranks there, too, unless a
    substitute has it.
    """
    busy = {user_id for other in tables if other.round == table.round for user_id in other.people}
    entitled = [{seat, *(set(known) - busy)} - {None, 0} for seat in table.seats]
    whose = tuple(held if held in of else None for of, held in zip(entitled, table.holders, strict=True))
    people = tuple(seat is not None or held is not None for seat, held in zip(table.seats, table.holders, strict=True))
    lost = {user_id: (seat, (-1.0, -place)) for seat, user_id, place in table.forfeits if user_id in entitled[seat]}
    if not table.merits:
        return Result(whose, people=people, lost=lost)
    merits = list(table.merits)
    for seat, user_id, place in table.forfeits:
        if table.holders[seat] is None or table.holders[seat] == user_id:
            merits[seat] = (-1.0, -place)
    spec = discover()[league["game"]]
    companies = spec.companies(spec.setup(league["seats"], json.loads(league["options"])))
    return Result(whose, tuple(merits), tuple(companies), people, lost)


def without_meeting_again(
    people: Sequence[int],
    sizes: Sequence[int],
    met: Collection[frozenset[int]],
    had: Mapping[int, int] = MappingProxyType({}),
) -> list[list[int]] | None:
    """Tables of these sizes without repeated meetings; `None` if a search of some length finds none.

    The smaller tables are for players who `had` the fewest of them so far.
    """
    resting = sum(size for size in sizes if size < max(sizes))
    limit = max(sorted(had.get(a, 0) for a in people)[:resting], default=-1)
    small = frozenset(a for a in people if had.get(a, 0) <= limit)
    full = frozenset(a for a in people if had.get(a, 0) >= limit)
    strangers = {a: {b for b in people if b != a and frozenset((a, b)) not in met} for a in people}
    steps = iter(range(STEPS))

    def seat(left: frozenset[int], table: tuple[int, ...], open_sizes: tuple[int, ...]) -> list[list[int]] | None:
        if next(steps, None) is None:
            return None
        if not open_sizes:
            return []
        if len(table) == open_sizes[0]:
            rest = seat(left, (), open_sizes[1:])
            return None if rest is None else [[*table], *rest]
        fit = left & (full if open_sizes[0] == max(sizes) else small)
        fit = frozenset.intersection(fit, *(strangers[a] for a in table))
        ordered = sorted(fit, key=lambda a: (len(strangers[a] & left), a))
        # the next table of this size begins with the player with the fewest strangers
        for player in ordered[:1] if not table and len(set(open_sizes)) == 1 else ordered:
            seating = seat(left - {player}, (*table, player), open_sizes)
            if seating is not None:
                return seating
        return None

    return seat(frozenset(people), (), tuple(sorted(sizes)))
