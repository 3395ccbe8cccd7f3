"""Forms that outlive restarts, as controls do: an id `cf:kind:match:version:text` says what becomes of what is sent."""

from __future__ import annotations

import re
from typing import Any

from discord.ui import Label, Modal, TextInput

from bot.interactions.controls import FIELDS, ControlId
from engine.texts import Text, shortened

LONGEST_TITLE = 45
"""Characters at Discord, also of a label."""


class Form(Modal):
    """A form with one line to fill in. A longer title is shortened; what is said of the line has 100 characters."""

    def __init__(
        self,
        control: ControlId,
        title: Text | str,
        label: Text | str,
        *,
        most: int,
        hint: Text | str = "",
        about: Text | str = "",
        optional: bool = False,
    ) -> None:
        super().__init__(title=shortened(str(title), LONGEST_TITLE), custom_id=f"cf:{control}", timeout=None)
        line: TextInput[Any] = TextInput(
            custom_id="line", max_length=most, placeholder=str(hint) or None, required=not optional
        )
        self.add_item(Label(text=str(label), description=str(about) or None, component=line))
        self.stop()  # what is sent is found by its id; discord.py need not remember the form


def filled_in(data: Any) -> tuple[ControlId, tuple[str, ...]] | None:
    """The id of a form that was sent and what was filled in, or `None` if it is none of ours."""
    found = re.fullmatch(f"cf:{FIELDS}", str(data["custom_id"]))
    if found is None:
        return None
    # Discord wraps each field in a label (component type 18)
    fields = (part.get("component") or {} for part in data["components"])
    return ControlId.of(found), tuple(str(field["value"]) for field in fields if "value" in field)
