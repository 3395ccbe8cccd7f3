"""Discord's events of a server: what begins at a set time where all members see it, each once, as it is now."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from playground.permissions import Permission
from playground.world import ScheduledEvent
from tests.bot.moderating import choose_setting, moderator, open_server_settings
from tests.bot.timed_app import TimedApp
from tests.rooms import Room, tap_more

CHECK = 4 / 60
"""Hours; longer than the time between two checks."""


@pytest.fixture
async def room(timed_app: TimedApp) -> Room:
    """A room of a server that wants events."""
    room = timed_app.app.room()
    await switch(room, "Create events")
    return room


async def switch(room: Room, label: str) -> None:
    await choose_setting(moderator(room), "events", label)


def events(timed_app: TimedApp) -> list[ScheduledEvent]:
    return [*timed_app.app.local.discord.world.events.values()]


def start_of(timed_app: TimedApp) -> float:
    ((start,),) = timed_app.app.query("SELECT starts_at FROM matches ORDER BY id DESC LIMIT 1")
    return datetime.fromisoformat(start).timestamp()


def grant(timed_app: TimedApp, *, events: bool) -> None:
    world = timed_app.app.local.discord.world
    role = world.roles[world.bot_role_id]
    role.permissions = (
        role.permissions | Permission.CREATE_EVENTS if events else role.permissions & ~(Permission.CREATE_EVENTS)
    )
    data: Any = {
        "guild_id": str(world.guild_id),
        "role": timed_app.app.local.discord.payloads.role(role, world.guild_id),
    }
    timed_app.app.local.gateway.dispatch("GUILD_ROLE_UPDATE", data, 1)


async def test_a_table_with_a_start_time_has_an_event_that_follows_its_changes(timed_app: TimedApp, room: Room) -> None:
    ana = room.person("Ana")
    await ana.slash("table new", game="toll", start="in 5 hours")
    await timed_app.hours(CHECK)
    (event,) = events(timed_app)
    link = f"https://discord.com/channels/{event.guild_id}/{room.local.channel(room.channel).id}"
    assert ("Toll", start_of(timed_app), link) == (event.name, event.starts_at, event.location)
    await tap_more(ana, "Start time")
    await ana.submit({"line": "in 9 hours"})
    await timed_app.app.close()
    await timed_app.app.open()
    await timed_app.hours(CHECK)
    assert [(event.id, start_of(timed_app))] == [(event.id, event.starts_at) for event in events(timed_app)]
    await tap_more(ana, "Leave")
    await timed_app.hours(CHECK)
    assert [] == events(timed_app)


async def test_an_event_is_edited_only_for_a_change_and_deleted_when_its_table_starts_early(
    timed_app: TimedApp, room: Room
) -> None:
    edits = timed_app.app.local.fault("PATCH /guilds/*/scheduled-events/*", hang=0.01, times=None)
    ana = room.person("Ana")
    await ana.slash("table new", game="toll", start="in 5 hours")
    for _ in range(3):
        await timed_app.hours(CHECK)
    assert (1, 0) == (len(events(timed_app)), edits.struck)
    await room.person("Ben").tap("Join")
    await ana.tap("Start")
    await timed_app.hours(CHECK)
    assert [] == events(timed_app)


async def test_an_event_that_has_started_is_left_to_end_by_itself(timed_app: TimedApp, room: Room) -> None:
    await room.person("Ana").slash("table new", game="toll", start="in 1 hour")
    await room.person("Ben").tap("Join")
    await timed_app.hours(CHECK)
    await timed_app.hours(1)
    await timed_app.hours(CHECK)
    assert 1 == len(events(timed_app))
    ((value,),) = timed_app.app.query("SELECT value FROM settings WHERE name = 'events'")
    assert "toll" not in value.lower()


async def test_a_league_has_an_event_until_its_first_round_begins(timed_app: TimedApp, room: Room) -> None:
    eva = moderator(room)
    await eva.slash("league new", game="sealed", rounds="1", seats="2")
    await timed_app.hours(CHECK)
    (event,) = events(timed_app)
    assert "Sealed Bids League, round 1" == event.name
    await eva.tap("Call it off", on=await eva.slash("league end"))
    await timed_app.hours(CHECK)
    assert [] == events(timed_app)


async def test_only_tables_that_all_members_can_see_and_join_have_events(timed_app: TimedApp, room: Room) -> None:
    timed_app.app.local.add_role("Guests")
    hidden, invited = timed_app.app.room(), timed_app.app.room()
    hidden.local.forbid(hidden.channel, "VIEW_CHANNEL", role="Guests")
    await hidden.person("Ana").slash("table new", game="toll", start="in 5 hours")
    await invited.person("Ben").slash("table new", game="toll", start="in 5 hours", join="invitation")
    await room.person("Caro").in_dm().slash("table new", game="toll", start="in 5 hours")
    await timed_app.hours(CHECK)
    assert [] == events(timed_app)


@pytest.mark.parametrize("after", [True, False], ids=["it was made", "it was not made"])
async def test_a_lost_response_creates_no_second_event(timed_app: TimedApp, room: Room, after: bool) -> None:
    fault = timed_app.app.local.fault("POST /guilds/*/scheduled-events", status=503, after=after)
    await room.person("Ana").slash("table new", game="toll", start="in 5 hours")
    await timed_app.hours(CHECK)
    assert fault.is_over
    await timed_app.hours(CHECK)
    assert fault.is_over
    await timed_app.app.close()
    await timed_app.app.open()
    await timed_app.app.let_pass(100)
    (event,) = events(timed_app)
    ((value,),) = timed_app.app.query("SELECT value FROM settings WHERE name = 'events'")
    assert str(event.id) in value


async def test_an_event_deleted_by_moderators_is_not_recreated(timed_app: TimedApp, room: Room) -> None:
    ana = room.person("Ana")
    await ana.slash("table new", game="toll", start="in 5 hours")
    await timed_app.hours(CHECK)
    timed_app.app.local.discord.set_events({})
    for start in ("in 6 hours", "in 7 hours"):
        await tap_more(ana, "Start time")
        await ana.submit({"line": start})
        await timed_app.hours(CHECK)
    assert [] == events(timed_app)


async def test_turning_events_off_deletes_all_of_them(timed_app: TimedApp, room: Room) -> None:
    await room.person("Ana").slash("table new", game="toll", start="in 5 hours")
    await timed_app.hours(CHECK)
    assert 1 == len(events(timed_app))
    await switch(room, "No events")
    await timed_app.hours(0.01)
    assert ([], []) == (events(timed_app), timed_app.app.query("SELECT 1 FROM jobs WHERE kind = 'events'"))


async def test_moderators_are_informed_once_why_events_cannot_be_created(timed_app: TimedApp, room: Room) -> None:
    log, eva = timed_app.app.room(), moderator(room)
    await choose_setting(eva, "log", log.channel)
    world = timed_app.app.local.discord.world
    at = timed_app.app.local.clock.now() + timedelta(days=2).total_seconds()
    full = {n: ScheduledEvent(n, world.guild_id, "Party", None, at, at + 60, "here", 1) for n in range(1, 101)}
    timed_app.app.local.discord.set_events(full)
    await room.person("Ana").slash("table new", game="toll", start="in 9 hours")
    for _ in range(3):
        await timed_app.hours(1.1)
    assert 1 == sum("this server has as many as Discord allows" in seen for seen in log.onlooker.messages)
    timed_app.app.local.discord.set_events({})
    await timed_app.hours(1.1)
    assert ["Toll"] == [event.name for event in events(timed_app)]
    timed_app.app.local.discord.set_events(full | {event.id: event for event in events(timed_app)[:1]})
    await timed_app.app.room().person("Ben").slash("table new", game="toll", start="in 9 hours")
    await timed_app.hours(1.1)
    lines = [seen for seen in log.onlooker.messages if "this server has as many as Discord allows" in seen]
    assert 2 == len(lines), "they hear of it again after it worked in between"


async def test_without_the_permission_no_event_is_requested_and_the_settings_explain_it(
    timed_app: TimedApp, room: Room
) -> None:
    grant(timed_app, events=False)
    await room.person("Ana").slash("table new", game="toll", start="in 9 hours")
    await timed_app.hours(CHECK)
    problem = "I can’t create events: in this server I need the **Create Events** permission."
    assert problem in await open_server_settings(moderator(room), "events")
    assert 0 == timed_app.app.local.journal.refusals[403]
    grant(timed_app, events=True)
    await timed_app.hours(CHECK)
    assert 1 == len(events(timed_app))
