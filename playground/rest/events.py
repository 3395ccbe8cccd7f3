"""The scheduled events of a server: listed, created, edited and deleted. Only events at an external place."""

from __future__ import annotations

from datetime import UTC, datetime

from playground.permissions import Permission
from playground.rest.call import MISSING_PERMISSIONS, Answer, Call, route
from playground.wire import ApiError, Flaw, Json, invalid_form, unknown
from playground.world import ScheduledEvent

MAX_EVENTS = 100
"""Discord's limit of events of a server that are scheduled or active."""

TOO_MANY_EVENTS, FINISHED = 30038, 180000
EXTERNAL, GUILD_ONLY = 3, 2
SCHEDULED, ACTIVE, COMPLETED, CANCELED = 1, 2, 3, 4
NEXT_STATUS = {SCHEDULED: (ACTIVE, CANCELED), ACTIVE: (COMPLETED,)}
TEMPLATE = "/guilds/{guild_id}/scheduled-events"


@route("GET", TEMPLATE)
def get_events(call: Call) -> Answer:
    guild_id = _guild(call)
    events = [event for event in call.local.world.events.values() if event.guild_id == guild_id]
    return 200, [_payload(call, event) for event in events if _status(call, event) in NEXT_STATUS]


@route("POST", TEMPLATE)
def create_event(call: Call) -> Answer:
    guild_id, world = _guild(call), call.local.world
    if not world.server_permissions(call.bot) & Permission.CREATE_EVENTS:
        raise ApiError(403, MISSING_PERMISSIONS, "Missing Permissions")
    events = [event for event in world.events.values() if event.guild_id == guild_id]
    open_events = [event for event in events if _status(call, event) < COMPLETED]
    if len(open_events) >= MAX_EVENTS:
        raise ApiError(400, TOO_MANY_EVENTS, f"Maximum number of guild scheduled events reached ({MAX_EVENTS})")
    event = ScheduledEvent(world.ids.next(), guild_id, "", None, 0.0, 0.0, "", SCHEDULED)
    _fill(call, event, call.json)
    call.local.set_events({**world.events, event.id: event})
    return 200, _payload(call, event)


@route("GET", TEMPLATE + "/{guild_scheduled_event_id}")
def get_event(call: Call) -> Answer:
    return 200, _payload(call, _event(call))


@route("PATCH", TEMPLATE + "/{guild_scheduled_event_id}")
def edit_event(call: Call) -> Answer:
    event = _own_event(call)
    if _status(call, event) not in NEXT_STATUS:
        raise ApiError(400, FINISHED, "Cannot update a finished event")
    _fill(call, event, {**_fields(event), **call.json})
    call.local.set_events(call.local.world.events)
    return 200, _payload(call, event)


@route("DELETE", TEMPLATE + "/{guild_scheduled_event_id}")
def delete_event(call: Call) -> Answer:
    event = _own_event(call)
    call.local.set_events({key: event_id for key, event_id in call.local.world.events.items() if key != event.id})
    return 204, None


def _guild(call: Call) -> int:
    guild_id, world = call.number("guild_id"), call.local.world
    if guild_id not in world.guild_ids or guild_id in world.unavailable:
        raise unknown("Guild", 10004)
    return guild_id


def _event(call: Call) -> ScheduledEvent:
    guild_id = _guild(call)
    event = call.local.world.events.get(call.number("guild_scheduled_event_id"))
    if event is None or event.guild_id != guild_id:
        raise unknown("Guild Scheduled Event", 10070)
    return event


def _own_event(call: Call) -> ScheduledEvent:
    """The event in the path, which the bot has created. Discord requires the permission for changes, too."""
    event = _event(call)
    if not call.local.world.server_permissions(call.bot) & Permission.CREATE_EVENTS:
        raise ApiError(403, MISSING_PERMISSIONS, "Missing Permissions")
    return event


def _fill(call: Call, event: ScheduledEvent, body: Json) -> None:
    """Set the fields of an event from a request. Raises ApiError if Discord would refuse one."""
    name, location = str(body.get("name") or ""), str((body.get("entity_metadata") or {}).get("location") or "")
    starts_at, ends_at = _moment(body, "scheduled_start_time"), _moment(body, "scheduled_end_time")
    status = int(body.get("status") or event.status)
    flaws = [
        *([] if 1 <= len(name) <= 100 else [Flaw("name", "Must be between 1 and 100 in length.")]),
        *([] if 1 <= len(location) <= 100 else [Flaw("entity_metadata.location", "Must be between 1 and 100.")]),
        *([] if starts_at < ends_at else [Flaw("scheduled_end_time", "Must be after the start.")]),
        *([] if body.get("entity_type") == EXTERNAL else [Flaw("entity_type", "Only external events are known here.")]),
        *([] if body.get("privacy_level") == GUILD_ONLY else [Flaw("privacy_level", "Must be 2.")]),
    ]
    if starts_at != event.starts_at and starts_at <= call.local.world.clock.now():
        flaws.append(Flaw("scheduled_start_time", "Cannot schedule event in the past."))
    if status not in (event.status, *NEXT_STATUS.get(event.status, ())):
        flaws.append(Flaw("status", "Invalid status transition."))
    if flaws:
        raise invalid_form(flaws)
    event.name, event.location, event.description = name, location, body.get("description")
    event.starts_at, event.ends_at, event.status = starts_at, ends_at, status


def _moment(body: Json, name: str) -> float:
    try:
        return datetime.fromisoformat(str(body.get(name))).timestamp()
    except ValueError:
        raise invalid_form([Flaw(name, "This field is required.")]) from None


def _status(call: Call, event: ScheduledEvent) -> int:
    """The status of an event now: an external one begins and ends by itself."""
    now = call.local.world.clock.now()
    if event.status == SCHEDULED and event.starts_at <= now:
        return COMPLETED if event.ends_at <= now else ACTIVE
    return event.status


def _fields(event: ScheduledEvent) -> Json:
    return {
        "name": event.name,
        "description": event.description,
        "scheduled_start_time": _text(event.starts_at),
        "scheduled_end_time": _text(event.ends_at),
        "privacy_level": GUILD_ONLY,
        "entity_type": EXTERNAL,
        "entity_metadata": {"location": event.location},
    }


def _payload(call: Call, event: ScheduledEvent) -> Json:
    creator = call.bot
    return {
        **_fields(event),
        "id": str(event.id),
        "guild_id": str(event.guild_id),
        "channel_id": None,
        "creator_id": str(creator.id),
        "creator": call.local.payloads.user(creator),
        "image": None,
        "status": _status(call, event),
        "entity_id": None,
        "recurrence_rule": None,
        "user_count": 0,
        "user_rsvp": None,
        "guild_scheduled_event_exceptions": [],
    }


def _text(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat()
