"""Pictures for one person, in high contrast if they want that."""

from __future__ import annotations

from bot.features.services import Services
from bot.posting.pictures import Drawn
from bot.tables.preferences import preferences_of
from bot.tables.table import Table
from engine.core import State, View


async def draw_for(services: Services, user_id: int, table: Table, view: View[State]) -> Drawn:
    """A picture that only one user sees, in the colors they want."""
    contrast = await wants_contrast(services, user_id)
    return await services.pictures.draw_at(table, view, contrast=contrast)


async def wants_contrast(services: Services, user_id: int) -> bool:
    """Whether a user wants high contrast."""
    return (await preferences_of(services.store.settings, user_id)).contrast
