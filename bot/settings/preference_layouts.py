"""The page of `/me settings`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.interactions.controls import MENU_ROWS, NO_TABLE, Control, ControlId, Menu
from bot.interactions.forms import Form
from bot.interactions.parts import Layout, layout, row, stamp
from bot.tables.hours import away_until, zone_of
from bot.tables.preferences import BESIDE, INSTEAD, Preferences, quiet_hours
from bot.view.time_zone import ALONE
from engine.texts import Text
from locales import languages, own_name

ZONE_LENGTH = 40
"""Most characters of what is typed; the longest name of a time zone has 32."""


@dataclass(frozen=True, slots=True)
class SettingChoice:
    """A preference in words: what it is about, and its values."""

    about: Text
    rows: Mapping[Any, Text]

    def row_of(self, value: Any) -> str | None:
        """The row of a value in the menu; nothing for one that is not offered."""
        return written(value) if value in self.rows else None

    def values(self) -> dict[str, Any]:
        """The row in the menu -> the value."""
        return {written(value): value for value in self.rows}


def written(value: Any) -> str:
    """A value as the row of a menu, which must not be empty."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) or "-"


LANGUAGES = {code: Text("{language}", language=own_name(code)) for code in languages()}
"""The languages that somebody can choose, each by its own name."""

CHOICES = {
    "at_once": SettingChoice(
        Text("**Typed moves** – with a preview you see the result before they count."),
        {False: Text("Preview first"), True: Text("Play them at once")},
    ),
    "coached": SettingChoice(
        Text("**Advice for beginners** – two lines under each question: what matters and what the answers mean."),
        {False: Text("No advice"), True: Text("Advice under each question")},
    ),
    "interval": SettingChoice(
        Text("**Reminders** – how long a game has to wait before I remind you, and how often I do so."),
        {
            0: Text("Never remind me"),
            4: Text("Every 4 hours"),
            12: Text("Every 12 hours"),
            24: Text("Every day"),
            72: Text("Every 3 days"),
        },
    ),
    "direct": SettingChoice(
        Text("**Where I remind you** – if you do not accept direct messages from me, I use the channel."),
        {False: Text("In the channel of the game"), True: Text("In a direct message")},
    ),
    "quiet": SettingChoice(
        Text(
            "**Quiet hours** – no reminders; they come afterwards. At a table with a pace, your clock stops in quiet "
            "hours and while you’re away, for up to 7 days a turn."
        ),
        {
            "": Text("None"),
            "22-8": Text("From 10 PM to 8 AM"),
            "23-7": Text("From 11 PM to 7 AM"),
            "0-9": Text("From midnight to 9 AM"),
        },
    ),
    "summary": SettingChoice(
        Text("**Every morning** – one direct message with all your games, if one is waiting for you or has ended."),
        {
            "": Text("No message in the morning"),
            BESIDE: Text("A message in addition to reminders"),
            INSTEAD: Text("A message instead of reminders"),
        },
    ),
    "contrast": SettingChoice(
        Text(
            "**Colors** – of pictures that only you see, and of boards in direct messages. In a server, "
            "moderators choose them with `/server settings`."
        ),
        {False: Text("Standard colors"), True: Text("High contrast")},
    ),
    "unlisted": SettingChoice(
        Text("**Rankings** – whether others in a server see your results there with `/stats`."),
        {False: Text("Show me in rankings"), True: Text("Leave me out of rankings")},
    ),
    "language": SettingChoice(
        Text(
            "**Language** – of what only you see, and of direct messages. What everyone sees is in the language of "
            "the server."
        ),
        {"": Text("Same as my Discord"), **LANGUAGES},
    ),
}

AWAY = {
    0: Text("I’m here"),
    1: Text("Away until tomorrow morning"),
    3: Text("Away for 3 days"),
    7: Text("Away for a week"),
    14: Text("Away for two weeks"),
}
"""Days -> what is said of them."""


def preferences_layout(preferences: Preferences, now: datetime, found: Sequence[str] = ()) -> Layout:
    """A menu for every preference; the value it has is chosen in it. `found` are the time zones that may be meant."""
    items: list[discord.ui.Item[Any]] = [TextDisplay(str(Text("### Your settings, in all games and servers")))]
    # text, row and menu: each takes three of the 40 components that Discord allows in a message
    for name, choice in CHOICES.items():
        rows = tuple((row, str(choice.rows[value])) for row, value in choice.values().items())
        chosen = choice.row_of(getattr(preferences, name))
        # hours are typed as well, so that these may be none of the fixed ones
        if name == "quiet":
            rows, chosen = (*rows, *_other_hours(preferences.quiet)), written(preferences.quiet)
        items += [
            TextDisplay(str(choice.about)),
            row(Menu(ControlId("habit", NO_TABLE, text=name), rows, chosen=chosen)),
        ]
    blocks = row(Control(ControlId("blocks", NO_TABLE), str(Text("Blocked players"))))
    return layout(*items, *_zone(preferences, now, found), *_away(preferences, now), blocks)


OTHER = "other"
"""The row of the menu of quiet hours for those that are typed."""


def _other_hours(quiet: str) -> list[tuple[str, str]]:
    """Rows for hours that were typed before, and for typing some."""
    hours = quiet_hours(quiet) if quiet not in CHOICES["quiet"].rows else None
    own = [(quiet, str(Text("From {begins}:00 to {over}:00", begins=hours[0], over=hours[1])))] if hours else []
    return [*own, (OTHER, str(Text("Other hours…")))]


def quiet_form() -> Form:
    """Asks for quiet hours."""
    return Form(
        ControlId("quieted", NO_TABLE),
        str(Text("Your quiet hours")),
        str(Text("From which hour to which")),
        most=ZONE_LENGTH,
        hint="21-6",
        said=str(Text("Whole hours, 0 to 23 (18 is 6 PM).")),
    )


def zone_layout(preferences: Preferences, now: datetime, found: Sequence[str] = ()) -> Layout:
    """The time zone alone, for somebody who was asked for it."""
    return layout(*_zone(preferences, now, found, ALONE))


def _zone(preferences: Preferences, now: datetime, found: Sequence[str], shown: str = "") -> list[discord.ui.Item[Any]]:
    text = Text(
        "**Your time zone** – {zone}, where it is {time} now. Quiet hours and mornings depend on it.",
        zone=preferences.zone,
        time=f"{now.astimezone(zone_of(preferences)):%H:%M}",
    )
    change = Control(ControlId("zone", NO_TABLE, text=shown), str(Text("Change the time zone")))
    if not found:
        return [TextDisplay(str(text)), row(change)]
    rows = tuple((zone, zone.replace("_", " ")) for zone in found[:MENU_ROWS])
    menu = Menu(ControlId("inzone", NO_TABLE, text=shown), rows, str(Text("Which one do you mean?")))
    return [TextDisplay(str(text)), row(menu), row(change)]


def zone_form(shown: str) -> Form:
    """Asks for a time zone; `shown` is what the answer shows, `ALONE` or all settings."""
    return Form(
        ControlId("zoned", NO_TABLE, text=shown),
        str(Text("Your time zone")),
        str(Text("A large city in your time zone")),
        most=ZONE_LENGTH,
        hint=str(Text("Berlin")),
    )


def _away(preferences: Preferences, now: datetime) -> list[discord.ui.Item[Any]]:
    back = away_until(preferences, now)
    about = Text("**Away** – no reminders until you’re back; it ends automatically, in the morning.")
    if back is not None:
        about = Text("**Away** – no reminders until {time}; it ends automatically.", time=stamp(back))
    rows = tuple((str(days), str(text)) for days, text in AWAY.items())
    # how many days are left is no row of the menu: its placeholder says it then
    chosen = None if back else "0"
    menu = Menu(ControlId("away", NO_TABLE), rows, str(Text("You’re away")), chosen=chosen)
    return [TextDisplay(str(about)), row(menu)]
