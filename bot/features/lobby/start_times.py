"""The start time of a table: a time at which it starts by itself, as its host types it."""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable
from datetime import datetime, timedelta

from bot.errors import UserError
from bot.features.dispatcher import Candidates, Interaction, suggesting
from bot.features.handlers import Answer, Request, TableRequest, at_table
from bot.features.lobby import lobby_layouts
from bot.features.lobby.table_message import require_host, show_done, update_lobby
from bot.features.time_zone import suggest_zone
from bot.features.view.my_games import link_to
from bot.interactions.calendar_files import CalendarEvent, calendar_answer
from bot.interactions.forms import Form
from bot.interactions.parts import stamp
from bot.interactions.typed import suggestion
from bot.tables.hours import DAY_NAMES, zone_of
from bot.tables.people import mention
from bot.tables.preferences import Preferences, keep_preferences, preferences_of
from bot.tables.start_times import DAY, MAX_AHEAD, WEEK, read_start, typed_form
from bot.tables.table import Table, require_lobby
from engine.texts import Text

MAX_CHARS = 60
"""Characters of a typed start time."""

NO_START = Text("The table has no start time.")

EVENING = 20
"""The hour of the suggested start times."""


@at_table("askstart")
async def ask(request: TableRequest) -> None:
    """*Start time*: open the form for the time."""
    require_host(request)
    require_lobby(request.table)
    preferences = await preferences_of(request.services.store.settings, request.user_id)
    await request.response.ask(_form(request.table, preferences, request.services.clock.now()))


@at_table("startat")
async def submit(request: TableRequest) -> None:
    """Set the start time of the form, or remove it."""
    require_host(request)
    require_lobby(request.table)
    typed, before = request.value.strip(), request.table.row.starts_at
    starts_at = await typed_start(request, typed) if typed else None
    if starts_at != before:
        await request.services.lobbies.set_start(request.table, starts_at)
        await show_done(request, _answer(starts_at), *_updates(request, starts_at))
    else:
        await show_done(request, _answer(starts_at))
    if starts_at:
        await suggest_zone_once(request)


@at_table(lobby_layouts.calendar, Answer.NEW)
async def calendar(request: TableRequest) -> None:
    """*Calendar*: a file with the start time."""
    require_lobby(request.table)
    table, services = request.table, request.services
    if table.row.starts_at is None:
        raise UserError(NO_START)
    # stable, so that a later file replaces this one
    uid = f"{table.id}.{request.response.interaction.application_id}@tables.caravanserai"
    event = CalendarEvent(uid, str(table.spec.name), table.row.starts_at, link_to(table, table.row.lobby_message_id))
    await request.response.show(*calendar_answer(event, services.clock.now()))


def _answer(starts_at: datetime | None) -> Text:
    if starts_at is None:
        return NO_START
    return Text("The game starts on {time}, if enough people are here then.", time=stamp(starts_at, "F"))


def _updates(request: TableRequest, starts_at: datetime | None) -> list[Awaitable[None]]:
    """Show the start time in the lobby, and tell the other players, who sat down for another time."""
    others = set(request.table.people) - {request.user_id}
    return [update_lobby(request.services, request.table), *([_announce(request, starts_at)] if others else [])]


async def _announce(request: TableRequest, starts_at: datetime | None) -> None:
    who, title = mention(request.user_id), request.table.title
    if starts_at:
        time = stamp(starts_at, "F")
        text = Text("{who} has set the start of **{title}** to {time}.", who=who, title=title, time=time)
    else:
        text = Text("{who} has removed the start time of **{title}**.", who=who, title=title)
    await request.services.channels.announce(request.table, text)


async def typed_start(request: Request, typed: str) -> datetime:
    """The start time that a user typed. Raises `UserError` if it is unreadable or too far away."""
    services = request.services
    preferences, now = await preferences_of(services.store.settings, request.user_id), services.clock.now()
    starts_at = read_start(typed, preferences, now)
    if starts_at is None:
        raise UserError(
            Text(
                "I don’t understand this time. Type it as in these examples: {examples}. It must be within the next "
                "{most} days.",
                examples=_examples(preferences, now),
                most=MAX_AHEAD.days,
            )
        )
    return starts_at


async def suggest_zone_once(request: Request) -> None:
    """Ask a user for their time zone after the first time that they typed, unless they were asked before."""
    settings = request.services.store.settings
    preferences = await preferences_of(settings, request.user_id)
    if preferences.may_ask_zone:
        await keep_preferences(settings, request.user_id, dataclasses.replace(preferences, zone_asked=True))
        await suggest_zone(request.response)


@suggesting
async def suggest_start_times(interaction: Interaction, current: str) -> Candidates[str]:
    """The typed start time in full; before anything is typed, the next evenings."""
    services = interaction.client.services
    preferences = await preferences_of(services.store.settings, interaction.user.id)
    now = services.clock.now()
    evenings = [f"{now.astimezone(zone_of(preferences)) + n * DAY:%Y-%m-%d} {EVENING}:00" for n in range(WEEK.days)]
    starts = [read_start(typed, preferences, now) for typed in ([current] if current.strip() else evenings)]
    return (suggestion(_start_words(start, preferences), typed_form(start, preferences)) for start in starts if start)


def _start_words(start: datetime, preferences: Preferences) -> str:
    local = start.astimezone(zone_of(preferences))
    weekday = DAY_NAMES[local.weekday()]
    return str(Text("{weekday}, {day}, {time}", weekday=weekday, day=local.date(), time=local.time()))


def _form(table: Table, preferences: Preferences, now: datetime) -> Form:
    starts_at = table.row.starts_at
    return Form(
        submit.id(table),
        Text("Start time"),
        Text("When does the game start?"),
        most=MAX_CHARS,
        hint=_examples(preferences, now),
        about=Text("In the time zone {zone}. Leave it empty to start the game by hand.", zone=preferences.zone),
        optional=True,
        value=typed_form(starts_at, preferences) if starts_at else "",
    )


def _examples(preferences: Preferences, now: datetime) -> Text:
    day = now.astimezone(zone_of(preferences)).date() + timedelta(days=3)
    return Text("8 PM · tomorrow 8 PM · {date} 7:30 PM", date=f"{day:%Y-%m-%d}")
