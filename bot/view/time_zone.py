"""The question for somebody's time zone: asked once, when it matters for the first time."""

from __future__ import annotations

from bot.interactions.controls import NO_TABLE, Control, ControlId
from bot.interactions.parts import PRIMARY
from bot.interactions.responses import Response
from engine.texts import Text, joined

ALONE = "alone"
"""In the id of a control: the answer shows the time zone only, not all settings."""

NO_ZONE = Text("I don’t know your time zone, so I use UTC. You can set it now, or at any time in `/me settings`.")


async def suggest_zone(response: Response, *above: Text) -> None:
    """Say in private, below other words, that their time zone is not known, with the way to set it."""
    # made here and not once: it is in the language of whoever reads it
    label = response.in_words(Text("Set my time zone"))
    control = Control(ControlId("zone", NO_TABLE, text=ALONE), label, PRIMARY)
    await response.say(joined([*above, NO_ZONE], "\n"), control)
