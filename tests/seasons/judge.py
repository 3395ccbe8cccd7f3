"""The promises of leagues, judged at their end by rows of the database and the delivered messages.

It asks nothing of the code that pairs people and counts points.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from types import MappingProxyType
from typing import Any

from engine.games import discover
from tests.seasons.discord import GuildDiscord
from tests.seasons.reading import Reading, Result, reading
from tests.torture.records import Look, misrated, read

SETTLED = ("over", "ended", "closed")
MOST_BARRED = 2
"""A player whom a firm pace has barred this often is not paired any more."""

STEPS = 20_000
"""Maximum steps of a search for tables without a repeated meeting."""

LONGEST = 1024
"""Characters that Discord takes for the description of a picture."""

LINE = re.compile(r"^(\d+)\. .+ – ([\d.]+) points?, (\d+) tables?$")


@dataclass(frozen=True)
class Noticed:
    """The players that had to be paired in a round, and those that must not be; the others are unknown."""

    must: frozenset[int]
    never: frozenset[int]


@dataclass(frozen=True)
class Planned:
    """A table of a round: its planned players, and its result."""

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
class Judge:
    """Judges the leagues of one server."""

    look: Look
    post: GuildDiscord
    require: Callable[[bool, str], None]
    counts: Counter[str] = field(default_factory=Counter)

    def judge(self, league_id: int, noticed: dict[int, Noticed]) -> None:
        """Require everything that was promised of a league that is over."""
        self._require_ended(self._league(league_id), self._by_round(self._tables(league_id)), noticed)
        self.look_at(league_id, noticed)

    def look_at(self, league_id: int, noticed: Mapping[int, Noticed] = MappingProxyType({})) -> None:
        """Require what must be true of a league at any time."""
        league, tables = self._league(league_id), self._tables(league_id)
        by_round = self._by_round(tables)
        for number, planned in by_round.items():
            self._require_fair(league, planned, noticed.get(number))
        self._require_no_meeting_twice(league, by_round)
        self._require_byes_spread(league, by_round)
        self._require_one_seat_a_round(league, by_round)
        self._require_announced_once(league, by_round)
        self._require_results(tables)
        self._require_shown(league, self.readings(league_id))
        self.counts["tables judged"] += len(tables)
        self.counts["rounds judged"] += len(by_round)

    def barred(self, league_id: int) -> Counter[int]:
        """How often a firm pace has barred a player in a league."""
        rows = self.look.ask(
            """
            SELECT e.user_id FROM table_events e JOIN league_tables t ON t.match_id = e.match_id
            WHERE league_id = ? AND e.kind = 'lapsed'
            """,
            league_id,
        )
        return Counter(user_id for (user_id,) in rows)

    def readings(self, league_id: int) -> dict[int, Reading]:
        """The standings of every group, read a second time."""
        league, tables = self._league(league_id), self._tables(league_id)
        divisions = dict(self.look.ask("SELECT user_id, division FROM league_players WHERE league_id = ?", league_id))
        return {
            division: reading(
                [user_id for user_id, of in divisions.items() if of == division],
                [
                    _result(league, table, tables, divisions)
                    for table in tables
                    if table.division == division and table.status in SETTLED
                ],
            )
            for division in sorted(set(divisions.values()))
        }

    def require_promotion(self, before: int, after: int) -> None:
        """Those who play again have moved as the order of the league before says. Both have groups."""
        orders = {n: [user_id for user_id, _ in one.places] for n, one in self.readings(before).items()}
        rows = self.look.ask("SELECT user_id, division, interaction_id FROM league_players WHERE league_id = ?", after)
        now = {user_id: division for user_id, division, _ in rows}
        begun = self._first_round(after)
        members = {user_id for order in orders.values() for user_id in order}
        for upper, lower in zip(orders, [*orders][1:], strict=False):
            if len(orders[upper]) < 2 or len(orders[lower]) < 2:
                continue
            stay_up, stay_down = orders[upper][:-1], orders[lower][1:]
            up, down = orders[lower][0], orders[upper][-1]
            pairs = [*((a, b) for a in [*stay_up, up] for b in [*stay_down, down])]
            for a, b in pairs:
                if a in begun and b in begun:
                    evidence = f"league {after}: user {a} plays in group {now[a]}, user {b} in {now[b]}; {orders}"
                    self.require(now[a] <= now[b], f"promotion: {evidence}")
        for new in begun - members:
            lowest = all(now[new] >= now[old] for old in begun & members)
            self.require(lowest, f"league {after}: user {new} is new and does not begin in the lowest group")
        self.counts["promotions judged"] += 1

    # --- inside ---

    def _by_round(self, tables: Iterable[Planned]) -> dict[int, list[Planned]]:
        by_round: dict[int, list[Planned]] = defaultdict(list)
        for table in tables:
            by_round[table.round].append(table)
        return by_round

    def _known(self, league_id: int) -> set[int]:
        sql = "SELECT user_id FROM league_players WHERE league_id = ?"
        return {user_id for (user_id,) in self.look.ask(sql, league_id)}

    def _first_round(self, league_id: int) -> set[int]:
        sql = "SELECT user_id FROM league_seats WHERE league_id = ? AND round = 1 AND user_id IS NOT NULL"
        return {user_id for (user_id,) in self.look.ask(sql, league_id)}

    def _league(self, league_id: int) -> dict[str, Any]:
        names = "id", "game", "seats", "rounds", "round", "status", "options", "division_size"
        (row,) = self.look.ask(f"SELECT {', '.join(names)} FROM leagues WHERE id = ?", league_id)
        return dict(zip(names, row, strict=True))

    def _tables(self, league_id: int) -> list[Planned]:
        sql = """
            SELECT t.round, t.number, t.division, t.thread_id, t.match_id, m.status
            FROM league_tables t LEFT JOIN matches m ON m.id = t.match_id WHERE league_id = ? ORDER BY 1, 2
        """
        sat = "SELECT user_id FROM league_seats WHERE league_id = ? AND round = ? AND number = ? ORDER BY seat"
        held = "SELECT user_id FROM seat_history WHERE match_id = ? AND until IS NULL ORDER BY seat"
        won = "SELECT share, score FROM results WHERE match_id = ? ORDER BY seat"
        lost = "SELECT seat, user_id, place FROM forfeits WHERE match_id = ?"
        ever = "SELECT DISTINCT user_id FROM seat_history WHERE match_id = ? AND user_id IS NOT NULL"
        return [
            Planned(
                *row,
                tuple(user_id for (user_id,) in self.look.ask(sat, league_id, row[0], row[1])),
                tuple(user_id for (user_id,) in self.look.ask(held, row[4])),
                tuple((share, score) for share, score in self.look.ask(won, row[4])),
                tuple((seat, user_id, place) for seat, user_id, place in self.look.ask(lost, row[4])),
                frozenset(user_id for (user_id,) in self.look.ask(ever, row[4])),
            )
            for row in self.look.ask(sql, league_id)
        ]

    def _require_ended(
        self, league: dict[str, Any], by_round: dict[int, list[Planned]], noticed: dict[int, Noticed]
    ) -> None:
        if league["status"] == "over":
            self.require(bool(by_round), "a league without a round came to its end")
            must_leave = noticed.get(league["round"] + 1, Noticed(frozenset(), frozenset())).must
            early = league["round"] < league["rounds"]
            self.require(
                not early or len(must_leave) < 2, f"league {league['id']} ended early, with {sorted(must_leave)} left"
            )
            played = [table for planned in by_round.values() for table in planned]
            open_tables = [table for table in played if table.status not in SETTLED]
            self.require(not open_tables, f"league {league['id']} is over before its tables: {open_tables}")
        else:
            self.require(league["status"] == "called off", f"league {league['id']} is {league['status']}")

    def _require_fair(self, league: dict[str, Any], planned: Sequence[Planned], noticed: Noticed | None) -> None:
        """Each player has one table in a round and one seat there, and computers are spread evenly."""
        where = f"league {league['id']}, round {planned[0].round}"
        seated = Counter(user_id for table in planned for user_id in table.people)
        twice = [user_id for user_id, times in seated.items() if times > 1]
        self.require(not twice, f"{where}: {twice} sit twice")
        if noticed is not None:
            idle = noticed.must - seated.keys()
            self.require(not idle, f"{where}: {sorted(idle)} have no table")
            wrong = noticed.never & seated.keys()
            self.require(not wrong, f"{where}: {sorted(wrong)} play and do not take part")
        sizes: dict[int, list[int]] = defaultdict(list)
        for table in planned:
            self.require(len(table.seats) == league["seats"], f"{where}: {table.seats}")
            sizes[table.division].append(len(table.people))
        for of_group in sizes.values():
            fewest = -(-sum(of_group) // league["seats"])
            self.require(len(of_group) == fewest, f"{where}: {sum(of_group)} people at {len(of_group)} tables")
            self.require(max(of_group) - min(of_group) <= 1, f"{where}: tables of {of_group} people")

    def _require_byes_spread(self, league: dict[str, Any], by_round: dict[int, list[Planned]]) -> None:
        """Of two players, the one with fewer tables with the most computers so far has the next one."""
        had: Counter[int] = Counter()
        for number in sorted(by_round):
            for division in {table.division for table in by_round[number]}:
                tables = [table.people for table in by_round[number] if table.division == division]
                resting = {user_id for people in tables if len(people) < max(map(len, tables)) for user_id in people}
                others = {user_id for people in tables for user_id in people} - resting
                again = [(a, b) for a in resting for b in others if had[a] > had[b]]
                where = f"league {league['id']}, round {number}: the tables with most computers"
                self.require(not again, f"{where} went to the first of {again}, who have had more of them")
                had.update(resting)
                self.counts["tables with most computers judged"] += len(resting)

    def _require_one_seat_a_round(self, league: dict[str, Any], by_round: dict[int, list[Planned]]) -> None:
        """Every player has one seat in a round; a seat that becomes free is for players of the group without any."""
        rows = self.look.ask("SELECT user_id, division FROM league_players WHERE league_id = ?", league["id"])
        groups = dict(rows)
        for number, tables in by_round.items():
            where = f"league {league['id']}, round {number}"
            seats = Counter(user_id for table in tables for user_id in {*table.people, *table.sat})
            several = sorted(user_id for user_id, times in seats.items() if times > 1)
            self.require(not several, f"{where}: {several} have more than one seat")
            for table in tables:
                foreign = sorted(user_id for user_id in table.sat if groups.get(user_id) != table.division)
                self.require(not foreign, f"{where}: {foreign} are no players of group {table.division}")
                self.counts["seats that were taken over"] += len(table.sat.difference(table.people))

    def _require_no_meeting_twice(self, league: dict[str, Any], by_round: dict[int, list[Planned]]) -> None:
        met: set[frozenset[int]] = set()
        had: Counter[int] = Counter()
        for number in sorted(by_round):
            for division in {table.division for table in by_round[number]}:
                tables = [table for table in by_round[number] if table.division == division]
                again = [pair for table in tables for pair in _pairs(table.people) if pair in met]
                if again:
                    people = [user_id for table in tables for user_id in table.people]
                    pairing = without_meeting_again(people, [len(table.people) for table in tables], met, had)
                    what = f"league {league['id']}, round {number}: {[sorted(pair) for pair in again]} meet again"
                    self.require(pairing is None, f"{what}, and {pairing} would avoid it")
                    self.counts["rounds in which people had to meet again"] += 1
            league_facts = self._known(league["id"])
            for table in by_round[number]:
                sizes = [len(one.people) for one in by_round[number] if one.division == table.division]
                had.update(table.people if len(table.people) < max(sizes) else ())
                met |= {*_pairs(table.people), *_pairs(league_facts.intersection(table.holders))}

    def _require_announced_once(self, league: dict[str, Any], by_round: dict[int, list[Planned]]) -> None:
        n, over = league["id"], league["status"] == "over"
        sent = Counter(one.nonce for _, one in self.post.standing if one.nonce.startswith((f"lt-{n}-", f"league-{n}-")))
        # by which it would be found again
        unmarked = {one.nonce for _, one in self.post.standing if not one.controls}
        several = {nonce: times for nonce, times in sent.items() if times > 1 and nonce not in unmarked}
        self.require(not several, f"announced more than once: {several}")
        expected = {f"league-{n}-end"} if over else {f"league-{n}-off"} if league["status"] == "called off" else set()
        expected |= {f"league-{n}-{number}" for number in by_round if number < league["round"]}
        set_up = [table for planned in by_round.values() for table in planned if table.match_id]
        expected |= {f"lt-{n}-{table.round}-{table.number}" for table in set_up}
        missing = expected - sent.keys()
        self.require(not missing, f"never announced: {sorted(missing)}")
        by_nonce = {one.nonce: (message_id, one) for message_id, one in self.post.standing}
        for table in set_up:
            message_id, one = by_nonce[f"lt-{n}-{table.round}-{table.number}"]
            self.require(message_id == table.thread_id, f"{table} does not begin at its message {message_id}")
            named = {int(user_id) for user_id in re.findall(r"<@(\d+)>", one.words)}
            self.require(named == set(table.people), f"{table} was announced as {one.words}")
            self.require(message_id in self.post.opened, f"{table} has no thread")

    def _require_results(self, tables: Iterable[Planned]) -> None:
        """What stands as the result of a table is what its log says."""
        records = {record.id: record for record in read(self.look)}
        for table in tables:
            if table.status != "over" or table.match_id is None:
                continue
            outcome = records[table.match_id].replayed().outcome
            self.require(outcome is not None, f"{table} is over, and its log goes on")
            if outcome is not None:
                played = tuple(zip(outcome.returns, outcome.scores, strict=True))
                self.require(played == table.merits, f"{table}: {played}")

    def _require_shown(self, league: dict[str, Any], found: dict[int, Reading]) -> None:
        """The last pictures show what a second reading computes."""
        nonce = f"league-{league['id']}-end"
        last = next((one for _, one in reversed(self.post.standing) if one.nonce == nonce), None)
        if last is None or league["status"] != "over":
            return
        for picture, one in zip(last.pictures, found.values(), strict=False):
            lines = picture.split("\n")[1:]
            complete = len(picture) < LONGEST
            printed = [parts.groups() for line in lines if (parts := LINE.match(line))]
            expected = [
                (str(place), f"{float(one.points[user_id]):.2f}".rstrip("0").rstrip("."), str(one.tables[user_id]))
                for user_id, place in one.places
            ]
            most = len(expected) if complete else len(lines) - 1
            self.require(printed[:most] == expected[:most], f"{nonce} shows {printed}, read: {expected}")
        crowns = sum(any(one.points.values()) for one in [*found.values()][: len(last.pictures)])
        self.require(last.words.count("👑") == crowns, f"{nonce} has {last.words}, with {crowns} groups with points")

    def require_ratings(self) -> None:
        """All ratings follow from the results, to the bit."""
        wrong = misrated(self.look)
        self.require(not wrong, f"ratings that do not follow from the results: {wrong[:3]}")


def _pairs(people: Collection[int]) -> list[frozenset[int]]:
    return [frozenset(pair) for pair in combinations(people, 2)]


def _result(league: dict[str, Any], table: Planned, tables: Sequence[Planned], known: Collection[int]) -> Result:
    """The owner of each seat's result: the planned player, if they stayed, or the substitute.

    An abandoned seat is worth less than any other, and the less the earlier, unless a substitute has it.
    """
    busy = {user_id for one in tables if one.round == table.round for user_id in one.people}
    whose = tuple(
        held if held is not None and (held == seat or (held in known and held not in busy)) else None
        for seat, held in zip(table.seats, table.holders, strict=True)
    )
    people = tuple(seat is not None or held is not None for seat, held in zip(table.seats, table.holders, strict=True))
    if not table.merits:
        return Result(whose, people=people)
    merits, lost = list(table.merits), set[int]()
    for seat, user_id, place in table.forfeits:
        if table.holders[seat] is None or table.holders[seat] == user_id:
            merits[seat] = (-1.0, -place)
            lost.add(seat)
    spec = discover()[league["game"]]
    companies = spec.companies(spec.setup(league["seats"], json.loads(league["options"])))
    return Result(whose, tuple(merits), tuple(companies), people, frozenset(lost))


def without_meeting_again(
    people: Sequence[int],
    sizes: Sequence[int],
    met: Collection[frozenset[int]],
    had: Mapping[int, int] = MappingProxyType({}),
) -> list[list[int]] | None:
    """Tables of these sizes without repeated meetings; `None` if a search of some length finds none.

    The smaller tables are for those who `had` the fewest of them so far.
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
        # the next table of this size begins with the player who has the fewest strangers left
        for chosen in ordered[:1] if not table and len(set(open_sizes)) == 1 else ordered:
            seating = seat(left - {chosen}, (*table, chosen), open_sizes)
            if seating is not None:
                return seating
        return None

    return seat(frozenset(people), (), tuple(sorted(sizes)))
