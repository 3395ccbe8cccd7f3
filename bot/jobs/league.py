"""Job: what is due in a league: its sign-up ends, a table is to be set, a round is over. One for each league."""

from __future__ import annotations

from bot.leagues import rounds
from bot.services import Services
from bot.store.jobs import Job


async def run(services: Services, job: Job) -> Job | None:
    """Go on with it. Raises `TROUBLE` if Discord may take it later."""
    return await rounds.run(services, job)
