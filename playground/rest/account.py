"""Routes for login, commands, users and the guild."""

from __future__ import annotations

import json
from functools import lru_cache

from playground import limits
from playground.rest.call import Answer, Call, route
from playground.wire import ENTRY_POINT, ApiError, Flaw, Json, invalid_form, unknown

NEEDS_ENTRY_POINT = 50240
"""Discord's error code for a bulk overwrite that would remove the Entry Point command."""


@route("GET", "/users/@me")
def get_me(call: Call) -> Answer:
    return 200, call.local.payloads.self_user()


# discord.py uses the first of the two.
@route("GET", "/oauth2/applications/@me")
@route("GET", "/applications/@me")
def get_application(call: Call) -> Answer:
    return 200, call.local.payloads.application()


@route("GET", "/gateway")
@route("GET", "/gateway/bot")
def get_gateway(call: Call) -> Answer:
    # Discord allows 1,000 identifies a day, one at a time every 5 s.
    start_limit = {"total": 1000, "remaining": 999, "reset_after": 86_400_000, "max_concurrency": 1}
    return 200, {"url": call.local.gateway_url, "shards": 1, "session_start_limit": start_limit}


@route("GET", "/users/@me/guilds")
def get_guilds(call: Call) -> Answer:
    guilds = [call.local.payloads.guild_rest(guild_id) for guild_id in call.local.world.guild_ids]
    return 200, [
        {
            **{key: guild[key] for key in ("id", "name", "icon", "banner", "features")},
            "owner": False,
            "permissions": str(int(call.local.world.server_permissions(call.bot))),
        }
        for guild in guilds
    ]


@route("POST", "/users/@me/channels")
def open_dm(call: Call) -> Answer:
    # discord.py sends this id as a number, unlike all others.
    user = call.local.world.users.get(int(call.json.get("recipient_id", 0)))
    if user is None:
        raise unknown("User", 10013)
    return 200, call.local.payloads.channel(call.local.world.dm_with(user))


@route("GET", "/users/{user_id}")
def get_user(call: Call) -> Answer:
    return 200, call.local.payloads.user(call.user())


@route("GET", "/guilds/{guild_id}")
def get_guild(call: Call) -> Answer:
    return 200, call.local.payloads.guild_rest(_guild(call))


@route("GET", "/guilds/{guild_id}/channels")
def get_channels(call: Call) -> Answer:
    return 200, [call.local.payloads.channel(channel) for channel in call.local.world.channels_of(_guild(call))]


@route("GET", "/guilds/{guild_id}/threads/active")
def get_active_threads(call: Call) -> Answer:
    threads = [thread for thread in call.local.world.threads_of(_guild(call)) if not thread.archived]
    joined = [thread for thread in threads if call.bot.id in thread.members]
    return 200, {
        "threads": [call.local.payloads.channel(thread) for thread in threads],
        "members": [call.local.payloads.thread_member(thread, call.bot.id) for thread in joined],
        "has_more": False,
    }


@route("GET", "/guilds/{guild_id}/members/{user_id}")
def get_member(call: Call) -> Answer:
    _guild(call)
    user = call.user()
    if user.has_left:
        raise unknown("Member", 10007)
    return 200, call.local.payloads.member(user)


@route("GET", "/guilds/{guild_id}/members/search")
def search_members(call: Call) -> Answer:
    _guild(call)
    query = call.query.get("query", "").casefold()
    matches = [user for user in call.local.world.users.values() if user.name.casefold().startswith(query)]
    return 200, [call.local.payloads.member(user) for user in matches]


@route("GET", "/applications/{application_id}/commands")
def get_commands(call: Call) -> Answer:
    if call.query.get("with_localizations", "").lower() in ("true", "1"):
        return 200, call.local.world.commands
    # On Discord, the list has no translations without this parameter.
    return 200, [
        {key: value for key, value in command.items() if not key.endswith("_localizations")}
        for command in call.local.world.commands
    ]


@route("PUT", "/applications/{application_id}/commands")
def put_commands(call: Call) -> Answer:
    return _register(call, call.local.world.commands, guild=False)


@route("GET", "/applications/{application_id}/guilds/{guild_id}/commands")
def get_guild_commands(call: Call) -> Answer:
    return 200, call.local.world.guild_commands


@route("PUT", "/applications/{application_id}/guilds/{guild_id}/commands")
def put_guild_commands(call: Call) -> Answer:
    _guild(call)
    return _register(call, call.local.world.guild_commands, guild=True)


def _guild(call: Call) -> int:
    """The server in the path, which must be one of the bot's."""
    world = call.local.world
    matches = [guild_id for guild_id in world.guild_ids if call.ids["guild_id"] == str(guild_id)]
    if not matches or matches[0] in world.unavailable:
        raise unknown("Guild", 10004)
    return matches[0]


def _register(call: Call, before: list[Json], *, guild: bool) -> Answer:
    """Bulk overwrite. A command that keeps its name keeps its id."""
    if not isinstance(call.body, list):
        raise ApiError(400, 50035, "Invalid Form Body: a list of commands is expected")
    if flaws := _flaws_of(json.dumps(call.body)):
        raise invalid_form(list(flaws))
    if not _kinds(before) & {ENTRY_POINT} <= _kinds(call.body):
        raise ApiError(400, NEEDS_ENTRY_POINT, "You cannot remove this app's Entry Point command in a bulk update.")
    ids = {(command["name"], command["type"]): command["id"] for command in before}
    commands = [_registered_command(call, command, ids, guild=guild) for command in call.body]
    call.local.set_commands(commands, guild=guild)
    return 200, commands


def _kinds(commands: list[Json]) -> set[int]:
    return {int(command.get("type") or 1) for command in commands}


@lru_cache(maxsize=8)  # tests register the same commands a thousand times
def _flaws_of(commands: str) -> tuple[Flaw, ...]:
    return tuple(limits.command_flaws(json.loads(commands)))


def _registered_command(call: Call, command: Json, ids: dict[tuple[str, int], str], *, guild: bool) -> Json:
    kind = int(command.get("type") or 1)
    permissions = command.get("default_member_permissions")
    return {
        **command,
        # Discord's default is 0, for servers only.
        "integration_types": command.get("integration_types") or [0],
        # Discord keeps the id of a command that keeps its name, so that mentions of it stay valid.
        "id": ids.get((command["name"], kind)) or str(call.local.world.ids.next()),
        "application_id": str(call.bot.id),
        "version": str(call.local.world.ids.next()),
        "type": kind,
        "description": command.get("description") or "",
        "default_member_permissions": None if permissions is None else str(permissions),
        **({"guild_id": str(call.local.world.guild_id)} if guild else {}),
    }
