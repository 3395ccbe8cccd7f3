"""The question for somebody's time zone: asked once, when it matters for the first time."""

from __future__ import annotations

from bot.interactions.controls import NO_TABLE, Control, ControlId
from bot.interactions.parts import PRIMARY
from engine.texts import Text

ALONE = "alone"
"""In the id of a control: the answer shows the time zone only, not all settings."""

NO_ZONE = Text("I do not know your time zone, so I use UTC. You can set it now, or at any time in `/me settings`.")
SET_ZONE = Control(ControlId("zone", NO_TABLE, text=ALONE), str(Text("Set my time zone")), PRIMARY)
