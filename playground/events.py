"""Payloads of the larger gateway events."""

from __future__ import annotations

from collections.abc import Iterator

from playground.gateway import Intent, Session
from playground.interactions import Cause, Interaction
from playground.options import OptionType
from playground.payloads import UPLOAD_LIMIT, Payloads
from playground.permissions import Permission
from playground.wire import Json
from playground.world import World

BY_INSTALL = Permission.EMBED_LINKS | Permission.ATTACH_FILES
"""Permissions of an app installed by a user, in responses where the bot is not a member."""


def greeting(world: World, payloads: Payloads, session: Session, resume_url: str) -> list[tuple[str, Json]]:
    """READY with the guilds of the session's shard as unavailable, then a GUILD_CREATE for each."""
    ours = [guild_id for guild_id in world.guild_ids if session.serves(guild_id)]
    ready = {
        "v": 10,
        "user": payloads.self_user(),
        # As on Discord; discord.py is ready after their GUILD_CREATE events.
        "guilds": [{"id": str(guild_id), "unavailable": True} for guild_id in ours],
        "session_id": session.id,
        # our address, or the bot would connect to the real Discord when it resumes
        "resume_gateway_url": resume_url,
        "shard": list(session.shard),
        "application": {"id": str(world.bot.id), "flags": 0},
        "private_channels": [],
        "relationships": [],
        "user_settings": {},
        "_trace": [],
    }
    if not session.wants(Intent.GUILDS):
        return [("READY", ready)]
    # Without the intent, Discord sends the bot itself as the only member.
    members = list(world.users.values()) if session.wants(Intent.GUILD_MEMBERS) else [world.bot]
    sent = [guild_id for guild_id in ours if guild_id not in world.unavailable | world.withheld]
    return [("READY", ready), *(("GUILD_CREATE", payloads.guild(guild_id, members=members)) for guild_id in sent)]


def members_chunk(world: World, payloads: Payloads, request: Json) -> Json:
    """GUILD_MEMBERS_CHUNK for op 8, by ids or by a name prefix."""
    requested = request.get("user_ids")
    ids = {str(requested)} if isinstance(requested, str | int) else set(map(str, requested or ()))
    query = str(request.get("query") or "").casefold()
    users = list(world.users.values())
    matches = [u for u in users if (str(u.id) in ids if ids else u.name.casefold().startswith(query))]
    chunk: Json = {
        "guild_id": str(world.guild_id),
        "members": [payloads.member(user) for user in matches],
        "chunk_index": 0,
        "chunk_count": 1,
        "not_found": sorted(ids - {str(user.id) for user in matches}),
    }
    return {**chunk, **({"nonce": request["nonce"]} if "nonce" in request else {})}


def interaction_create(world: World, payloads: Payloads, interaction: Interaction, data: Json) -> Json:
    """INTERACTION_CREATE with every field, since a missing one would crash discord.py."""
    channel, user = interaction.channel, interaction.user
    # The authorizing owner: 0 for the server or, where the server has not installed the app, 1 for the person.
    owners = {"0": "0" if channel.is_dm else str(world.guild_of(channel))}
    if channel.outside:
        owners = {"1": str(user.id)}
    event: Json = {
        "id": str(interaction.id),
        "application_id": str(world.bot.id),
        "type": int(interaction.cause),
        "token": interaction.token,
        "version": 1,
        "data": data,
        "channel_id": str(channel.id),
        "channel": payloads.interaction_channel(channel, user),
        "app_permissions": str(int(BY_INSTALL if channel.outside else world.permissions(world.bot, channel))),
        "locale": user.locale,
        "entitlements": [],
        "attachment_size_limit": UPLOAD_LIMIT,
        "authorizing_integration_owners": owners,
        # 0 is a server, 1 a direct conversation with the bot, 2 a channel between people.
        "context": 1 if channel.is_dm else 0,
    }
    if channel.is_dm:
        event["user"] = payloads.user(user)
    else:
        permissions = str(int(world.permissions(user, channel)))
        event["guild_id"] = str(world.guild_of(channel))
        event["guild"] = {"id": event["guild_id"], "locale": world.locale, "features": []}
        event["guild_locale"] = world.locale
        event["member"] = {**payloads.member(user), "permissions": permissions}
    if interaction.source is not None:
        event["message"] = payloads.message(interaction.source)
    return event


def _names(node: Json) -> Iterator[str]:
    """The names of a command and its subcommands, without the options."""
    yield node["name"]
    for inner in node.get("options") or ():
        if inner["type"] in (OptionType.SUBCOMMAND, OptionType.GROUP):
            yield from _names(inner)


def interaction_metadata(payloads: Payloads, interaction: Interaction) -> Json:
    """The `interaction_metadata` of a message that responds to an interaction."""
    metadata: Json = {
        "id": str(interaction.id),
        "type": int(interaction.cause),
        "user": payloads.user(interaction.user),
        "authorizing_integration_owners": interaction.event["authorizing_integration_owners"],
    }
    if interaction.cause is Cause.COMMAND:
        metadata["name"] = " ".join(_names(interaction.event["data"]))
    if interaction.source is not None and interaction.cause is Cause.COMPONENT:
        metadata["interacted_message_id"] = str(interaction.source.id)
    if interaction.cause is Cause.MODAL:
        metadata["triggering_interaction_metadata"] = {**metadata, "type": int(Cause.COMMAND)}
    return metadata
