"""The conditions of rated games, and the facts that determine their results (docs/ratings.md)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from enum import Enum, auto

from bot.errors import GameFault
from bot.store.matches import MatchRow, PastHolder, Results, SeatHolder, Unrating
from bot.store.shard_range import NO_SERVER
from bot.store.table_events import TableEvent, TableEventKind
from bot.store.tally import Credit, Owners
from bot.tables.faults import guarding_match
from bot.tables.results import Merit, Parting, Sitting, Sittings, called_off, credits_of, has_lost
from bot.tables.table import Table
from engine.match import Match
from engine.standing import companies_behind, company_chances, public_shares
from engine.texts import Seat, Text

ALONE = Text("only if at least two people play.")

LET_GO = frozenset({TableEventKind.INVITED, TableEventKind.REPLACED, TableEventKind.HELD})
"""The others, or a moderator, have given a seat to a computer."""

PARTINGS = LET_GO | {TableEventKind.LAPSED, TableEventKind.RETURNED}
"""The events that qualify a parting at the same entry; a player who returned and left again has resigned."""


def why_not_rated(table: Table) -> Text | None:
    """Why the result of a game does not count, or would not if it began now, after a dash; nothing if it does."""
    if table.row.guild_id == NO_SERVER:
        return Text("not in direct messages.")
    if not table.row.rated:
        return Text("no: the host turned it off, or a player took a hint, or took a move back without asking.")
    # those who sat here at the beginning count; the first one who left a seat overwrites all others
    first = {past.seat: past.holder for past in reversed(table.row.past_holders)}
    began = [first.get(Seat(n), holder) for n, holder in enumerate(table.row.holders)]
    is_solitary = len({holder.user_id for holder in began if not holder.computer}) < 2
    return ALONE if is_solitary else None


async def behind_now(table: Table) -> frozenset[Seat]:
    """The seats of a running match whose chance to win is less than an equal one, as far as everyone can know."""
    match, companies = table.require_match(), table.spec.companies(table.setup)
    shares = await _shares(table, match)
    return frozenset() if shares is None else companies_behind(shares, companies)


def owners_of(table: Table, match: Match) -> Owners:
    """The owners of the results of a finished match."""
    assert match.outcome is not None, "the match is over"
    merits = list(zip(match.outcome.returns, match.outcome.scores, strict=True))
    return _owners(table, match, seats_of(table, match), merits)


async def results_if_ended_now(table: Table, user_id: int | None) -> Results | None:
    """The results of a running match if a user calls it off now, or all have left; `None` if it does not count."""
    # also where nothing is rated: a league may count it
    if table.match is None:
        return None
    match, companies = table.match, table.spec.companies(table.setup)
    if (shares := await _shares(table, match)) is None:
        return None
    behind, facts = companies_behind(shares, companies), seats_of(table, match)
    call = called_off(facts, user_id, behind, match.version)
    if call is None:
        return None
    chances = [round(chance, 2) if call.by_position else 0.0 for chance in company_chances(shares, companies)]
    owners = _owners(table, match, call.seats, [(chance,) for chance in chances])
    # an unfinished game has no points
    owners = replace(owners, credits=[replace(credit, whole=False) for credit in owners.credits])
    wins = _shared_win(owners.credits)
    return Results(tuple((0, win) for win in (wins if call.by_position else _level(wins, call.seats))), owners)


async def _shares(table: Table, match: Match) -> tuple[float, ...] | None:
    """The expected share of each seat; `None` if the code of the game fails, so that its players can still leave."""
    try:
        with guarding_match(table.row.game, table.id):
            # a game may take some milliseconds for it
            return await asyncio.to_thread(public_shares, match)
    except GameFault:
        return None


def _shared_win(credits: Sequence[Credit]) -> list[float]:
    first = [credit for credit in credits if credit.place == 1]
    return [1 / len(first) if credit.place == 1 else 0.0 for credit in credits]


def _level(wins: Sequence[float], seats: Sequence[Sittings]) -> list[float]:
    """Give all remaining players an equal share: a league also counts a substitute, the owner of no result."""
    most = max(wins)
    return [win if sittings[-1].user_id is None else most for win, sittings in zip(wins, seats, strict=True)]


def _owners(table: Table, match: Match, seats: Sequence[Sittings], merits: Sequence[Merit]) -> Owners:
    credits, forfeits = credits_of(table.id, seats, merits, table.spec.companies(match.setup))
    rated = why_not_rated(table) is None
    return Owners(credits, forfeits, match.moves_before(match.version), rated)


class RatedStanding(Enum):
    """The state of a running match for a user: not rated, open, behind, or lost already."""

    UNRATED = auto()
    OPEN = auto()
    BEHIND = auto()
    FORFEITED = auto()


async def standing_of(table: Table, user_id: int) -> RatedStanding:
    """The current state of a running match for a user."""
    if why_not_rated(table) is not None:
        return RatedStanding.UNRATED
    if has_lost(seats_of(table, table.require_match()), user_id):
        return RatedStanding.FORFEITED
    return RatedStanding.BEHIND if table.seat_of(user_id) in await behind_now(table) else RatedStanding.OPEN


async def unrating_of(table: Table, user_id: int, at: datetime) -> Unrating | None:
    """The effect of an action that ends the rating of a match; `None` if the match does not count for the player.

    For a player behind, the match counts as lost; it stays rated for the others.
    """
    match await standing_of(table, user_id):
        case RatedStanding.OPEN:
            return Unrating()
        case RatedStanding.BEHIND:
            version, seat = table.require_match().version, table.require_seat(user_id)
            return Unrating(TableEvent(TableEventKind.CONCEDED, version, at, seat, user_id, behind=True))
    return None


def seats_of(table: Table, match: Match) -> tuple[Sittings, ...]:
    """The facts about every seat of a match, as they were when they happened."""
    return tuple(tuple(_sittings(table, match, Seat(n))) for n in range(match.setup.seats))


def _sittings(table: Table, match: Match, seat: Seat) -> Iterator[Sitting]:
    before, since = [past for past in table.row.past_holders if past.seat == seat], 0
    # a single holder has decided everything: no need to look through the log
    acts = match.act_versions(seat) if before or match.stood_in else ()
    for past in [*before, PastHolder(seat, table.row.holders[seat], -1)]:
        until = None if past.until < 0 else past.until
        acted = [version for version in acts if version >= since and (until is None or version < until)]
        stood_in = sum(version in match.stood_in for version in acted)
        sitting = Sitting(past.holder.user_id, past.holder.computer, len(acted) - stood_in, stood_in, until)
        yield _with_events(sitting, past.holder, [event for event in table.facts.events if event.seat == seat], since)
        since = past.until


def _with_events(sitting: Sitting, holder: SeatHolder, events: Sequence[TableEvent], since: int) -> Sitting:
    """A sitting with how it ended, and whether its player gave the game up and stayed."""
    if holder.computer:
        return sitting
    end = sitting.until
    own = (event for event in events if event.user_id == holder.user_id)
    conceded = [event.version for event in own if event.kind is TableEventKind.CONCEDED]
    here = [version for version in conceded if version >= since and (end is None or version <= end)]
    sitting = replace(sitting, conceded=here[0] if here else None)
    if end is None:
        return sitting
    # the last event at the entry of the parting counts
    partings = [event for event in events if event.version == end and event.kind in PARTINGS]
    if partings and partings[-1].kind in LET_GO:
        return replace(sitting, parting=Parting.LET_GO, behind=partings[-1].behind)
    return replace(sitting, parting=Parting.GAVE_UP)


def owned_plies(
    row: MatchRow, match: Match, owners: Sequence[tuple[int | None, str | None]]
) -> tuple[frozenset[int], ...]:
    """By seat, the plies at which the owner of its result sat there, without what a stand-in played.

    All plies of a seat without an owner.
    """
    return tuple(_plies_of_owner(row, match, Seat(seat), owner) for seat, owner in enumerate(owners))


def _plies_of_owner(row: MatchRow, match: Match, seat: Seat, owner: tuple[int | None, str | None]) -> frozenset[int]:
    versions, plies, since = match.versions, set[int](), 0
    before = [past for past in row.past_holders if past.seat == seat]
    for past in [*before, PastHolder(seat, row.holders[seat], match.version)]:
        if owner == (None, None) or _is_owner(past.holder, *owner):
            plies |= {n for n, version in enumerate(versions) if since <= version < past.until}
        since = past.until
    return frozenset(n for n in plies if versions[n] not in match.stood_in)


def _is_owner(holder: SeatHolder, user_id: int | None, computer: str | None) -> bool:
    # a forgotten user has a number instead in results, and none in seats
    forgotten = user_id is not None and user_id < 0
    return (holder.user_id, holder.computer) == (0 if forgotten else user_id, computer)
