"""Taps that no client would send: on controls and rows that stand on no message."""

from __future__ import annotations

from typing import Any

from playground.interactions import Cause, Interaction
from playground.player import Player, Seen
from tests.bot.app import App


async def forge(app: App, player: Player, on: Seen, control: dict[str, Any], **values: list[str]) -> Seen:
    """Use a control that stood on no such message. Returns the message that is the answer."""
    interaction = await forge_tap(app, player, on, control, **values)
    (answer,) = [seen for seen in player.messages if seen.record is interaction.answer]
    return answer


async def forge_tap(app: App, player: Player, on: Seen, control: dict[str, Any], **values: list[str]) -> Interaction:
    """Forge a tap, with any answer."""
    row = {"type": 1, "id": 91, "components": [{"id": 90, **control}]}
    data = {"custom_id": control["custom_id"], "component_type": control["type"], "id": 90, **values}
    user = app.local.discord.world.users[player.id]
    interaction = app.local.discord.begin(
        Cause.COMPONENT, user, player.channel, data, label="forges", source=on.record, screen=[*on.components, row]
    )
    await player.until(lambda: interaction.is_answered)
    return interaction


async def forge_row(app: App, player: Player, on: Seen, custom_id: str, *values: str) -> Seen:
    """Choose rows that a menu may not have."""
    return await forge(app, player, on, {"type": 3, "custom_id": custom_id, "options": []}, values=list(values))
