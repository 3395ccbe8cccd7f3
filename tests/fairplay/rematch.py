"""A rated rematch for which one player is seated by the other, who begins it."""

from __future__ import annotations

from contextlib import suppress

from bot.errors import UserError
from bot.store.matches import SeatHolder, Status
from engine.games import discover
from tests.fairplay.server import CHEAT, Server

VICTIM = CHEAT + 1


async def force_rematch(at: Server, game: str) -> bool:
    """Seat a player without their consent, and begin. Returns whether the game has begun."""
    spec, place = discover()[game], next(at.interactions)
    seats = spec.seats[0]
    others = [SeatHolder(VICTIM), *([SeatHolder(computer="uniform")] * (seats - 2))]
    table = await at.lobbies.open_for(
        spec,
        [SeatHolder(CHEAT, interaction_id=CHEAT), *others],
        guild_id=place,
        channel_id=place,
        options=spec.setup(seats).chosen(),
        host_id=CHEAT,
        ready=[CHEAT],
    )
    with suppress(UserError):
        await at.moves.start(table, next(at.interactions))
    return table.row.status is not Status.LOBBY
