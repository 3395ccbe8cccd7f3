"""The cost of leaving a game that counts, for the question or the warning before it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.errors import GameFault
from bot.store.store import Store
from bot.store.tally import (
    PLACEMENT_MATCHES,
    Credit,
    Forfeit,
    RatedMatch,
    RatedSeat,
    Rating,
    forfeit_results,
    points_of,
    rate,
)
from bot.tables.faults import guarding_match
from bot.tables.people import mention
from bot.tables.rated import RatedStanding, seats_of, standing_of, why_not_rated
from bot.tables.results import losses_of
from bot.tables.table import Table
from engine.standing import company_chances, public_shares
from engine.texts import Seat, Text, joined

LAST = Text("This game is rated: you’d finish last.")
NO_POINTS = Text("You’d get no points for this game in the league.")


async def forfeit_warning(store: Store, table: Table, user_id: int, *, public: bool = False) -> Text | None:
    """A warning of what leaving now costs: last place in a rated game, points in a league. `None` without a cost.

    It has the approximate number of rating points, unless it is `public`: players may hide their ratings.
    """
    seat = table.seat_of(user_id)
    if seat is None:
        return None
    costs = [] if why_not_rated(table) else [LAST if public else await _rating_warning(store, table, seat, user_id)]
    costs += [NO_POINTS] if table.is_of_league else []
    return joined(costs, " ") if costs else None


def replacement_warning(table: Table, user_id: int) -> Text | None:
    """A warning of what a player loses whose seat others give to a computer; `None` where nothing counts."""
    if not table.is_of_league and why_not_rated(table) is not None:
        return None
    who = mention(user_id)
    return Text("If a computer takes over while {who} is behind, the game counts as lost for them.", who=who)


async def _rating_warning(store: Store, table: Table, seat: Seat, user_id: int) -> Text:
    people = [*table.people]
    standings = await store.ratings.ratings_in(table.row.guild_id, table.row.game, people)
    before = {user: standings[user].rating if user in standings else Rating() for user in people}
    if user_id not in standings or standings[user_id].matches < PLACEMENT_MATCHES:
        return LAST
    try:
        with guarding_match(table.row.game, table.id):
            after = rate(await _if_forfeited(table, seat), before)[user_id]
    except GameFault:
        return LAST
    cost = points_of(before[user_id].mu) - points_of(after.mu)
    return Text("This game is rated: you’d finish last and lose about {cost} points.", cost=_about(cost))


async def end_warning(store: Store, table: Table, user_id: int) -> Text | None:
    """A warning that says what counts if a user calls a rated game off now; `None` without one."""
    match await standing_of(table, user_id):
        case RatedStanding.UNRATED:
            return None
        case RatedStanding.BEHIND:
            cost = await forfeit_warning(store, table, user_id)
            return Text("{cost} For the others, it counts as it stands.", cost=cost)
        case RatedStanding.FORFEITED:
            lost = Text("This game is rated: you have already lost it.")
            return Text("{cost} For the others, it counts as it stands.", cost=lost)
    if losses_of(seats_of(table, table.require_match())):
        return Text("This game is rated: those who gave up lose it, and all others share first place.")
    return Text("This game is rated, but if you end it now, it won’t count.")


def with_warning(question: Text, warning: Text | None) -> Text:
    """A question with what its yes costs, if anything."""
    return question if warning is None else Text("{question}\n⚠️ {warning}", question=question, warning=warning)


def _about(cost: int) -> int:
    """Rounded to tens: the others may still change places."""
    return max(10, round(cost, -1))


async def _if_forfeited(table: Table, seat: Seat) -> RatedMatch:
    """The match as it stands, but with the player of a seat last of all."""
    companies = table.spec.companies(table.setup)
    shares = await asyncio.to_thread(public_shares, table.require_match())
    chances = company_chances(shares, companies)
    rivals = [chance for n, chance in enumerate(chances) if n != seat]
    seats = [
        Credit(holder.user_id, holder.computer, companies[n], 1 + sum(other > chances[n] for other in rivals))
        for n, holder in enumerate(table.row.holders)
    ]
    seats[seat] = replace(seats[seat], user_id=None)
    last = forfeit_results([Forfeit(seat, table.row.holders[seat].user_id, len(seats))])
    row = table.row
    return RatedMatch(row.id, row.guild_id, row.game, 0, 0, tuple(RatedSeat(seat, 0, 0.0) for seat in seats), last)
