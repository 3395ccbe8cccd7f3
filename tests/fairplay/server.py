"""A server without Discord on which one player of each match cheats, and its twin on which all are honest.

Both twins have the same seed, and everyone else decides in the same way. The cheat does one or two things in turn as
soon as their seat is behind; between them, some moves are played.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count, product
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

from bot.clock import Clock
from bot.errors import UserError
from bot.features.deadlines.time_limits import full_clock
from bot.features.deadlines.timeouts import Timeouts
from bot.features.services import Services
from bot.store.clocks import Verdict
from bot.store.matches import SeatHolder, Status
from bot.store.opening import open_database
from bot.store.store import Store
from bot.tables import moves
from bot.tables.lobbies import Lobbies
from bot.tables.moves import Moves
from bot.tables.paces import PACES
from bot.tables.rated import behind_now
from bot.tables.seats import Seats
from bot.tables.table import Table
from bot.tables.tables import Tables
from bot.tables.undoing import Undoing
from engine.errors import EngineError
from engine.games import discover
from engine.texts import Seat, Text
from tests.bot.autojump import queries_on_event_loop

CHEAT, FRIEND, MODERATOR = 101, 150, 160
COMPUTER, STRONGER = "uniform", "greedy"
REST = 3
"""Moves of others that are played between two things that a cheat does."""

GAMES = ("jinns", "gangs", "muscat", "muses", "alibaba")


@dataclass
class Server:
    """The services of the bot that know no Discord."""

    store: Store
    clock: Clock = field(default_factory=Clock)
    interactions: Any = field(default_factory=lambda: count(1000))

    def __post_init__(self) -> None:
        self.tables = Tables(self.store)
        self.lobbies = Lobbies(self.store, self.tables, self.clock)
        self.moves = Moves(self.store, self.tables, self.clock)
        self.seats = Seats(self.store, self.tables, self.clock, COMPUTER)
        self.undoing = Undoing(self.tables, self.moves, self.clock)
        # those that a decision about a late player needs
        services = {"store": self.store, "tables": self.tables, "clock": self.clock, "seats": self.seats}
        self.timeouts = Timeouts(cast(Services, SimpleNamespace(**services)))

    async def open(self, rng: Random) -> Table:
        """A rated match of the cheat against one to three others, some of them computers."""
        spec = discover()[rng.choice(GAMES)]
        seats = rng.choice([n for n in spec.seats if n < 5])
        others = [SeatHolder(CHEAT + n, interaction_id=CHEAT + n) for n in range(1, rng.randint(2, seats))]
        computers = [SeatHolder(computer=COMPUTER)] * (seats - 1 - len(others))
        place, secret = next(self.interactions), f"{rng.getrandbits(256):064x}"
        table = await self.lobbies.open_for(
            spec,
            rng.sample([SeatHolder(CHEAT, interaction_id=CHEAT), *others, *computers], seats),
            guild_id=place,
            channel_id=place,
            options=spec.setup(seats).chosen(),
            secret=secret,
            host_id=CHEAT,
            ready=[CHEAT, *(other.user_id for other in others)],
        )
        await self.moves.start(table, 1)
        return table

    async def result(self, table: Table, steps: Sequence[str]) -> Played:
        """Result of a match, after these steps of its cheat."""
        matches = await self.store.ratings._matches("id = ? AND ended IS NOT NULL ORDER BY seat", table.id)
        places = {user: seat.credit.place for match in matches for user, seat in match.people().items()}
        sql = "SELECT user_id, mu - mu_before AS change FROM rating_history WHERE match_id = ? AND guild_id <> 0"
        rows = await self.store.ratings._database.fetch(sql, table.id)
        return Played({row["user_id"]: row["change"] for row in rows}, places, tuple(steps))


@asynccontextmanager
async def server(folder: Path) -> AsyncIterator[Server]:
    """A new server with its database. Computers choose the same in the same position, in both twins."""
    same = SimpleNamespace(token_hex=lambda _: "the same")
    with patch.object(moves, "secrets", same), queries_on_event_loop():
        async with open_database(f"sqlite:///{folder}/fairplay.db") as database:
            yield Server(Store(database))


# --- what a cheat does ---


async def resign(at: Server, table: Table) -> None:
    await at.seats.resign(table, CHEAT)
    await at.lobbies.hand_on(table)


async def come_back(at: Server, table: Table) -> None:
    former = table.seats_left_by(CHEAT)
    await at.seats.take_over(table, former[-1] if former else Seat(-1), SeatHolder(CHEAT))


async def _decided(at: Server, table: Table, verdict: Verdict, *, firm: bool) -> None:
    seat = table.require_seat(CHEAT)
    clock = full_clock(table.id, seat, CHEAT, at.clock.now(), PACES["daily"])
    async with at.tables.changing(table) as change:
        change.facts = table.facts.set_pace("daily", firm=firm).with_clocks([clock])
    await at.timeouts.decide(table, clock, clock, verdict)
    table.clocks.clear()
    await at.lobbies.hand_on(table)


async def lose_to_a_firm_pace(at: Server, table: Table) -> None:
    await _decided(at, table, Verdict.HOLD, firm=True)


async def be_voted_off(at: Server, table: Table) -> None:
    await _decided(at, table, Verdict.HOLD, firm=False)


async def be_replaced_by_a_friend(at: Server, table: Table) -> None:
    seat = table.require_seat(CHEAT)
    await _decided(at, table, Verdict.INVITE, firm=False)
    await at.seats.offer(table, {seat})
    await at.seats.take_over(table, seat, SeatHolder(FRIEND))


async def be_replaced_by_a_moderator(at: Server, table: Table) -> None:
    await at.seats.replace(table, CHEAT, by=MODERATOR, at=at.clock.now())
    await at.lobbies.hand_on(table)


async def end(at: Server, table: Table) -> None:
    """End the game as its host, or as one of the moderators; a forgotten user is neither."""
    if table.seat_of(CHEAT) is None and not table.seats_left_by(CHEAT):
        raise UserError(Text("Only the host can do that."))
    await at.seats.end(table, by=CHEAT, at=at.clock.now())


async def be_ended_by_another(at: Server, table: Table) -> None:
    """A moderator or a player in front ends the game, or its channel is deleted."""
    behind = await behind_now(table)
    others = [user for seat, user in table.users.items() if user != CHEAT and seat not in behind]
    by = Random(table.require_match().ply).choice([*others, MODERATOR, None])
    await at.seats.end(table, by=by, at=at.clock.now())


async def be_a_substitute_and_leave(at: Server, table: Table) -> None:
    """Leave, play on in the seat of another computer for some moves, and leave that as well."""
    if table.seat_of(CHEAT) is not None:
        await resign(at, table)
    free = table.computers - {*table.seats_left_by(CHEAT)}
    # refused where the cheat has seen the secrets of the own seat
    with suppress(UserError, EngineError):
        await at.seats.offer(table, free)
        await at.seats.take_over(table, min(free), SeatHolder(CHEAT))
        await _resume(at, table)
        for _ in range(REST):
            if table.row.status is Status.RUNNING:
                await _move(at, table, "substitute")
        await resign(at, table)


async def forget(at: Server, table: Table) -> None:
    names = await at.store.user_data.names(CHEAT)
    if table.seat_of(CHEAT) is not None:
        await resign(at, table)
    await at.store.user_data.forget(CHEAT, names)
    await at.tables.read_anew([table.id])


async def take_a_hint(at: Server, table: Table) -> None:
    table.require_seat(CHEAT)
    await at.seats.stop_rating(table, CHEAT)


async def undo(at: Server, table: Table) -> None:
    await at.undoing.undo(table, CHEAT, interaction_id=next(at.interactions))


async def let_a_stronger_computer_play(at: Server, table: Table) -> None:
    """Leave, and let it play in the own seat."""
    seat = table.require_seat(CHEAT)
    await resign(at, table)
    await at.seats.cast(table, seat, STRONGER, by=CHEAT)


async def soften_the_pace(at: Server, table: Table) -> None:
    async with at.tables.changing(table) as change:
        change.facts = table.facts.set_pace("relaxed", firm=False)


Step = Callable[[Server, Table], Awaitable[None]]

STEPS: Mapping[str, Step] = {
    step.__name__.replace("_", " "): step
    for step in (
        resign,
        come_back,
        lose_to_a_firm_pace,
        be_voted_off,
        be_replaced_by_a_friend,
        be_replaced_by_a_moderator,
        end,
        be_ended_by_another,
        be_a_substitute_and_leave,
        forget,
        take_a_hint,
        undo,
        let_a_stronger_computer_play,
        soften_the_pace,
    )
}

HARMLESS = frozenset({"undo", "soften the pace"})
"""Steps that lose nothing by themselves."""

CHEATS: Sequence[tuple[str, str]] = [pair for pair in product(STEPS, STEPS) if pair[0] != "come back"]


# --- matches ---


@dataclass(frozen=True)
class Played:
    """The result of a match: the change of each rating, the place of each person, and the steps of the cheat that were
    possible.
    """

    changes: Mapping[int, float]
    places: Mapping[int, int]
    steps: tuple[str, ...] = ()

    @property
    def is_void(self) -> bool:
        """Whether others ended the match before the cheat had done anything that loses it."""
        *before, last = ["", *self.steps]
        return last == "be ended by another" and HARMLESS.issuperset(before[1:])

    @property
    def beaten(self) -> float:
        """Number of people behind the cheat, equals counting half."""
        own = self.places[CHEAT]
        others = [place for user, place in self.places.items() if user != CHEAT]
        return sum(1.0 if place > own else 0.5 * (place == own) for place in others)


async def play(at: Server, seed: str, steps: Sequence[str] = ()) -> Played:
    """A match to its end. Without `steps` its cheat is honest."""
    rng = Random(seed)
    table, done, pending, rest = await at.open(rng), list[str](), list(steps), 0
    while table.row.status is Status.RUNNING:
        rest -= 1
        if pending and rest <= 0 and (CHEAT not in table.people or await _is_behind(table)):
            step = pending.pop(0)
            with suppress(UserError, EngineError):
                await STEPS[step](at, table)
                done.append(step)
            rest = REST
            await _resume(at, table)
            continue
        await _move(at, table, seed)
    return await at.result(table, done)


async def _is_behind(table: Table) -> bool:
    seat, match = table.seat_of(CHEAT), table.require_match()
    # the first moves say nothing yet
    return match.version > 12 and seat is not None and seat in await behind_now(table)


async def _resume(at: Server, table: Table) -> None:
    if table.row.status is Status.RUNNING:
        await at.moves.resume(table)


async def _move(at: Server, table: Table, seed: str) -> None:
    """The first due person decides, by the seed and the ply alone."""
    match = table.require_match()
    decision = next(decision for decision in match.state.decisions() if decision.seat in table.users)
    option = Random(f"{seed}/{match.ply}/{decision.seat}").choice(decision.options)
    user_id = table.users[decision.seat]
    await at.moves.play(table, user_id, option, interaction_id=next(at.interactions), version=None)


@dataclass(frozen=True)
class Pair:
    """A match with a cheat, and its honest twin."""

    seed: str
    cheat: Played
    honest: Played

    @property
    def gains(self) -> bool:
        """Whether the cheat has beaten more people than the twin, or has no result where the twin has lost.

        By places: what being last costs in rating depends on how the others end. A forgotten user has no rating.
        """
        if "forget" in self.cheat.steps or not self.cheat.steps or self.cheat.is_void:
            return False
        if CHEAT not in self.cheat.places:
            return self.honest.changes.get(CHEAT, 0.0) < 0
        return self.cheat.beaten > self.honest.beaten

    @property
    def keeps_the_winner(self) -> bool:
        """Whether some other player has gained wherever one has in the honest twin, and the match was played."""
        return self.cheat.is_void or self._others_gain(self.cheat) or not self._others_gain(self.honest)

    def _others_gain(self, played: Played) -> bool:
        return any(change > 0 for user, change in played.changes.items() if user != CHEAT)


async def pairs(at: Server, numbers: Iterable[int], seed: int) -> AsyncIterator[Pair]:
    """Matches with these numbers, the cheats of which are of every kind, each with its twin."""
    cheats = Random(0).sample(CHEATS, len(CHEATS))
    for number in numbers:
        name, steps = f"{seed}/{number}", cheats[number % len(cheats)]
        yield Pair(name, await play(at, name, steps), await play(at, name))
