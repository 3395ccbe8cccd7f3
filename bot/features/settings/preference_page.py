"""`/me settings`: a private page with the preferences of a user."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from collections.abc import Sequence
from datetime import datetime, time
from functools import partial
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.errors import UserError
from bot.features.fields import (
    NO_SUCH_TEXT,
    OTHER,
    Choice,
    Page,
    Pick,
    Typed,
    choices_of,
    field_items,
    field_named,
    page_named,
    page_rows,
    page_with,
)
from bot.features.groups import me
from bot.features.handlers import Request, anywhere
from bot.features.settings import blocks, days_off_page
from bot.features.settings.preference_changes import change
from bot.features.time_zone import ALONE, set_zone
from bot.interactions.controls import MENU_ROWS, Control, Menu
from bot.interactions.forms import Form
from bot.interactions.parts import Layout, layout, row, stamp
from bot.tables.hours import all_zones, away_until, find_zones, hour_of_day, morning, zone_of
from bot.tables.preferences import BESIDE, INSTEAD, UNKNOWN_ZONE, Preferences, preferences_of, quiet_hours
from engine.texts import Text, shortened
from locales import OwnName, languages

MAX_TYPED = 40
"""Characters that a form accepts; the longest name of a time zone has 32."""

_HOUR = re.compile(r"(\d+)(?:\s*([ap])\.?\s?m\b)?")

LANGUAGES = {code: OwnName(code) for code in languages()}
"""The languages of the bot, each by its own name."""


def _own_hours(quiet: str) -> Text | None:
    hours = quiet_hours(quiet)
    return Text("From {begins} to {over}", begins=time(hours[0]), over=time(hours[1])) if hours else None


QUIET = Typed(
    "quiet",
    Text(
        "**Quiet hours** – no reminders; they come afterward. At a table with a pace, your clock stops in quiet hours "
        "and while you’re away, for up to 7 days a turn."
    ),
    choices_of(
        {
            "": Text("None"),
            "22-8": Text("From 10 PM to 8 AM"),
            "23-7": Text("From 11 PM to 7 AM"),
            "0-9": Text("From midnight to 9 AM"),
        }
    ),
    other=Text("Other hours…"),
    own=_own_hours,
)

TYPED_MOVES = Pick.of(
    "at_once",
    Text("**Typed moves** – with a preview, you see what they do before they count."),
    {False: Text("Preview first"), True: Text("Play them at once")},
)

ADVICE = Pick.of(
    "coached",
    Text("**Advice for beginners** – two lines on what matters and what the answers mean, each idea once a game."),
    {False: Text("No advice"), True: Text("Advice under questions")},
)

REMINDERS = Pick.of(
    "interval",
    Text("**Reminders** – how long a game has to wait before I remind you, and how often I do so."),
    {
        0: Text("Never remind me"),
        4: Text("Every 4 hours"),
        12: Text("Every 12 hours"),
        24: Text("Every day"),
        72: Text("Every 3 days"),
    },
)

WHERE = Pick.of(
    "direct",
    Text("**Where I remind you** – if you don’t accept direct messages from me, I use the channel."),
    {False: Text("In the channel of the game"), True: Text("In a direct message")},
)

MORNINGS = Pick.of(
    "summary",
    Text("**Every morning** – one direct message with all your games, if one is waiting for you or has ended."),
    {
        "": Text("No message in the morning"),
        BESIDE: Text("A message in addition to reminders"),
        INSTEAD: Text("A message instead of reminders"),
    },
)

NEXT_NOTICE = Pick.of(
    "next_notice",
    Text(
        "**You’re next** – a silent direct message when the turn before yours begins, in games of three or more "
        "players, at most once a round."
    ),
    {False: Text("No message before my turn"), True: Text("A silent message before my turn")},
)

COLORS = Pick.of(
    "contrast",
    Text(
        "**Colors** – for pictures that only you see, and for boards in direct messages. In a server, "
        "moderators choose them with `/server settings`."
    ),
    {False: Text("Standard colors"), True: Text("High contrast")},
)

LANGUAGE = Pick.of(
    "language",
    Text(
        "**Language** – for what only you see, and for direct messages. What everyone sees is in the language of "
        "the server."
    ),
    {"": Text("Same as my Discord"), **LANGUAGES},
)

RANKINGS = Pick.of(
    "unlisted",
    Text("**Rankings** – whether others in a server see your results there with `/stats`."),
    {False: Text("Show me in rankings"), True: Text("Leave me out of rankings")},
)

ZONE = "**Your time zone** – {zone}, where it is {time} now. Quiet hours and mornings depend on it."
SHOWN_ZONE = (
    "**Your time zone** – {zone}, where it is {time} now. Quiet hours and mornings depend on it. When it’s your turn, "
    "the other players see your local time."
)

TIMES = Page("times", Text("Times"), (QUIET,))
"""The page that also has the time zone."""

AWAY = Page("away", Text("Away"), ())
"""The page with the absence and the days off."""

PAGES = (
    Page("playing", Text("Playing"), (TYPED_MOVES, ADVICE)),
    Page("reminders", Text("Reminders"), (REMINDERS, WHERE)),
    TIMES,
    AWAY,
    Page("messages", Text("Messages"), (MORNINGS, NEXT_NOTICE)),
    Page("display", Text("Display"), (COLORS, LANGUAGE, RANKINGS)),
)
"""The pages of the settings."""

FIELDS = tuple(field for page in PAGES for field in page.fields)
"""The preferences of all pages."""

PAGE_BY_NAME = {"zone": TIMES, "zone_shown": TIMES, "away": AWAY}
"""The pages of preferences that are not fields of a page."""

SHOWN = "shown"
"""In the id of the button that shows the local time."""

ABSENCES = {
    0: Text("I’m here"),
    1: Text("Away until tomorrow morning"),
    3: Text("Away for 3 days"),
    7: Text("Away for a week"),
    14: Text("Away for two weeks"),
}
"""Days -> the label of the menu row."""


@me.command("settings", "How you like to play, in all servers")
async def show_preferences(request: Request) -> None:
    """Show the first page of the user's preferences."""
    await _show(request, await _preferences(request), PAGES[0])


@anywhere(days_off_page.show_settings)
async def show_page(request: Request, page: str) -> None:
    """A button to another page of the settings."""
    await _show(request, await _preferences(request), page_named(PAGES, page))


@anywhere("habit")
async def change_preference(request: Request, name: str) -> None:
    """Store the value that was chosen for a preference."""
    preference = field_named(FIELDS, name)
    if isinstance(preference, Typed) and request.value == OTHER:
        await request.response.ask(_quiet_form())
    else:
        await _change(request, name, preference.read(request))


@anywhere("quieted")
async def submit_quiet_hours(request: Request) -> None:
    """Store quiet hours from the form, such as `22-8`, `22:00 to 8:00` or `10 PM – 8 AM`."""
    quiet = _typed_hours(request.value)
    if quiet_hours(quiet) is None:
        raise UserError(Text("I don’t understand these hours. Type two whole hours, as in 9 PM to 6 AM."))
    await _change(request, "quiet", quiet)


def _typed_hours(typed: str) -> str:
    """Typed hours as they are stored, such as `22-8`; other words give hours that are refused."""
    # other minutes stay: as a third number they are refused, so that 22:30 does not become 22
    hours = _HOUR.findall(re.sub(r"[:.]00\b", "", typed).casefold())
    # *9 to 5 PM* does not say in which half of the day 9 is
    if len({bool(half) for _, half in hours}) != 1:
        return ""
    return "-".join(str(hour_of_day(int(hour), half)) for hour, half in hours)


@anywhere("away")
async def change_away(request: Request) -> None:
    """Store the number of days that was chosen."""
    days = _away_field(None).read(request)
    back = morning(await _preferences(request), request.services.clock.now(), days)
    await _change(request, "away", back.isoformat() if days else "")


@anywhere(set_zone)
async def ask_zone(request: Request, shown: str = "") -> None:
    """Open the form for the time zone."""
    await request.response.ask(_zone_form(shown))


@anywhere("zoned")
async def submit_zone(request: Request, shown: str = "") -> None:
    """Store the time zone from the form, or show the zones that match."""
    # in a thread: the first search reads the names of all time zones from disk
    zones = await asyncio.to_thread(find_zones, request.value)
    if not zones:
        typed = shortened(request.value)
        raise UserError(Text("I couldn’t find a time zone like “{typed}”. Try the nearest large city.", typed=typed))
    if len(zones) == 1:
        await _change(request, "zone", zones[0], shown)
    else:
        await _show(request, await _preferences(request), TIMES, zones, shown)


@anywhere("inzone")
async def choose_zone(request: Request, shown: str = "") -> None:
    """Store the time zone that was chosen from the menu."""
    if request.value not in await asyncio.to_thread(all_zones):
        raise UserError(NO_SUCH_TEXT)
    await _change(request, "zone", request.value, shown)


@anywhere("localtime")
async def show_local_time(request: Request, shown: str = "") -> None:
    """Let the other players of a game see the user's local time, or, with an empty `shown`, no longer."""
    await _change(request, "zone_shown", bool(shown))


async def _change(request: Request, name: str, value: Any, shown: str = "") -> None:
    """Store a preference and show its page."""
    page = PAGE_BY_NAME.get(name) or page_with(PAGES, name)
    await change(request, name, value, partial(_show, request, page=page, shown=shown))


async def _preferences(request: Request) -> Preferences:
    return await preferences_of(request.services.store.settings, request.user_id)


async def _show(
    request: Request, preferences: Preferences, page: Page, zones: Sequence[str] = (), shown: str = ""
) -> None:
    now = request.services.clock.now()
    await request.response.show(
        layout(*_zone_items(preferences, now, zones, ALONE))
        if shown == ALONE
        else preferences_layout(preferences, now, page, zones)
    )


# --- layouts ---


def preferences_layout(preferences: Preferences, now: datetime, page: Page, zones: Sequence[str] = ()) -> Layout:
    """A page with a menu for each preference; `zones` are the time zones that match the form, to choose from."""
    heading = TextDisplay[Any](str(Text("### Your settings, in all games and servers")))
    items = [
        *(_zone_items(preferences, now, zones) if page is TIMES else []),
        *field_items(page.fields, change_preference.id, dataclasses.asdict(preferences)),
        *(_away_items(preferences, now) if page is AWAY else []),
        *([row(blocks.show.button(Text("Blocked players")))] if page is PAGES[0] else []),
    ]
    return layout(heading, *items, *page_rows(PAGES, page, show_page.id))


def _quiet_form() -> Form:
    """A form for quiet hours."""
    return Form(
        submit_quiet_hours.id(),
        Text("Your quiet hours"),
        Text("Start and end"),
        most=MAX_TYPED,
        hint=Text("9 PM to 6 AM"),
        about=Text("Whole hours, such as 9 PM to 6 AM or 21-6."),
    )


def _zone_items(
    preferences: Preferences, now: datetime, zones: Sequence[str], shown: str = ""
) -> list[discord.ui.Item[Any]]:
    about = SHOWN_ZONE if preferences.zone_shown and preferences.zone != UNKNOWN_ZONE else ZONE
    text = Text(about, zone=preferences.zone, time=now.astimezone(zone_of(preferences)).time())
    buttons = [set_zone.button(Text("Change the time zone"), shown=shown)]
    if shown != ALONE:
        buttons.append(_local_time_control(preferences))
    if not zones:
        return [TextDisplay(str(text)), row(*buttons)]
    rows = tuple((zone, zone.replace("_", " ")) for zone in zones[:MENU_ROWS])
    menu = Menu(choose_zone.id(shown), rows, Text("Which one do you mean?"))
    return [TextDisplay(str(text)), row(menu), row(*buttons)]


def _local_time_control(preferences: Preferences) -> Control:
    if preferences.zone_shown:
        return show_local_time.button(Text("Hide my time from others"))
    return show_local_time.button(Text("Show others my time"), shown=SHOWN)


def _zone_form(shown: str) -> Form:
    """A form for a time zone; with `shown` as `ALONE`, the answer shows the zone only, else all settings."""
    return Form(
        submit_zone.id(shown),
        Text("Your time zone"),
        Text("A large city in your time zone"),
        most=MAX_TYPED,
        hint=Text("Berlin"),
    )


def _away_items(preferences: Preferences, now: datetime) -> list[discord.ui.Item[Any]]:
    back = away_until(preferences, now)
    # the menu has no row for the remaining days, so it shows its placeholder
    days = None if back else 0
    menu = field_items((_away_field(back),), lambda _: change_away.id(), {"away": days})
    return [*menu, row(days_off_page.show.button(Text("Days off")))]


def _away_field(back: datetime | None) -> Pick:
    about = Text(
        "**Away** – no reminders until you’re back; it ends automatically, in the morning. Others at your tables see "
        "the date."
    )
    if back is not None:
        about = Text(
            "**Away** – no reminders until {time}; it ends automatically. Others at your tables see the date.",
            time=stamp(back),
        )
    choices = tuple(Choice(str(days), days, label) for days, label in ABSENCES.items())
    return Pick("away", about, choices, Text("You’re away"))
