"""The question for a user's time zone, asked once, when it first matters."""

from __future__ import annotations

from bot.interactions.kinds import declare_anywhere
from bot.interactions.parts import PRIMARY
from bot.interactions.responses import Response
from engine.texts import Text, joined

ALONE = "alone"
"""In the id of a control: the answer shows the time zone only, not all settings."""

NO_ZONE = Text("I don’t know your time zone, so I use UTC. You can set it now, or at any time in `/me settings`.")


@declare_anywhere("zone")
def set_zone(shown: str = "") -> None:
    """A form for the time zone. The answer shows the time zone only, or all settings."""


async def suggest_zone(response: Response, *above: Text) -> None:
    """Say in private, below other words, that their time zone is not known, with the way to set it."""
    # not a constant: it depends on the language of the user
    label = response.localize(Text("Set my time zone"))
    await response.say(joined([*above, NO_ZONE], "\n"), set_zone.button(label, PRIMARY, shown=ALONE))
