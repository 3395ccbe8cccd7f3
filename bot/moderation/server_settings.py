"""`/server settings`: two private pages that explain themselves."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import discord
from discord.ui import TextDisplay

from bot.fields import Channel, Channels, Field, Notes, Pick, Roles, field_items, field_named
from bot.groups import server
from bot.handlers import Request, anywhere
from bot.interactions.parts import Layout, layout, row
from bot.interactions.places import known_channels
from bot.moderation import default_options, server_games
from bot.moderation.doctor import WRITTEN_IN, examine_here, examine_server, log_trouble
from bot.moderation.moderators import change_settings, server_of
from bot.settings.preference_page import LANGUAGES
from bot.tables.guild_settings import AT_ONCE, DAY, NEVER, GuildSettings
from bot.tables.paces import all_paces, pace_words
from engine.languages import reading
from engine.texts import Text

LOGGED_IN = (
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
)
"""Where the moderators' log can be."""

PLACES = (*WRITTEN_IN, discord.ChannelType.category)
"""What games can be allowed in."""

ABOUT = Text(
    "### Games in this server\nChanges apply at once; games under way go on. Anyone with **Manage Server** may "
    "start games anywhere, and any number of them."
)
GONE = Text("-# What was chosen here is gone, so only moderators can start games.")

FIELDS: tuple[Field, ...] = (
    Channels(
        "channels",
        Text(
            "**Where games may be started** – a channel includes its threads, a category its channels. "
            "None chosen: everywhere."
        ),
        Text("Everywhere"),
        PLACES,
    ),
    Roles(
        "roles",
        Text("**Who may start them** – members with any of these roles; anyone may join. None chosen: everyone."),
        Text("Everyone"),
    ),
    Pick.of(
        "most",
        Text("**How many at a time** – tables that wait for players count, too."),
        {0: Text("Any number of games"), 1: Text("1 game at a time")}
        # 25 is the number of a server that has chosen none
        | {most: Text("{most} games at a time", most=most) for most in (3, 5, 10, 25, 50, 100)},
    ),
    Pick.of(
        "hosted",
        Text("**How many at a time for each host** – so that nobody sets up a table in every channel."),
        {0: Text("Any number of games for each host"), 1: Text("1 game for each host")}
        | {most: Text("{most} games for each host", most=most) for most in (2, 3, 5, 10, 25)},
    ),
    Pick.of(
        "pace",
        Text("**Pace of new tables** – how long a turn may take; the host of a table can change it there."),
        {value: pace_words(pace, firm=firm) for value, (pace, firm) in all_paces().items()},
    ),
    Pick.of(
        "calls",
        Text(
            "**Mentions** – how people learn that it’s their move. Without a ping, reminders come by direct message "
            "or not at all."
        ),
        {True: Text("Mention people"), False: Text("Write names only, without a ping")},
    ),
)
"""What moderators mostly look for."""

# with these, the first page was three screens of a phone long
MORE: tuple[Field, ...] = (
    Pick.of(
        "archive",
        Text("**Threads** – when I close the thread of a game; it opens again when somebody writes in it."),
        {
            DAY: Text("A day after the game"),
            AT_ONCE: Text("When the game ends"),
            NEVER: Text("Never"),
        },
    ),
    Channels(
        "contrast",
        Text(
            "**High contrast** – where boards have stronger colors. For private messages, everyone chooses in "
            "`/me settings`."
        ),
        Text("Nowhere"),
        PLACES,
    ),
    Channel(
        "log",
        Text("**Moderators’ log** – where I write what moderators and votes have done. None chosen: nowhere."),
        Text("Nowhere"),
        LOGGED_IN,
    ),
    Pick.of(
        "rated",
        Text("**Ratings** – whether new tables count in `/stats`; the host of a table can change it there."),
        {True: Text("New tables are rated"), False: Text("New tables aren’t rated")},
    ),
    Roles(
        "league_roles",
        Text(
            "**Who may set up leagues** – members with any of these roles, in addition to moderators. None chosen: "
            "moderators only."
        ),
        Text("Moderators only"),
    ),
    Pick.of(
        "language",
        Text("**Language** – of boards and of everything else that all can see."),
        {"": Text("This server’s language on Discord"), **LANGUAGES},
    ),
)
"""The settings on the other page."""


@server.command("settings", "Where games may be played, who may start them, how many at a time")
@anywhere(default_options.show_settings)
async def show_guild_settings(request: Request) -> None:
    """The settings of this server, with a menu for each."""
    await _show(request, FIELDS)


@anywhere("moreserver")
async def show_more_settings(request: Request) -> None:
    """*More settings*."""
    await _show(request, MORE)


@anywhere("custom")
async def change_guild_setting(request: Request, name: str) -> None:
    """A value was chosen for the setting of this name."""
    # asked at every tap: the page stays, the permission may not
    guild, setting = server_of(request), field_named((*FIELDS, *MORE), name)
    before = await request.services.servers.guild_settings(guild.id)
    changed = dataclasses.replace(before, **{name: setting.read(request)})
    with reading(await request.services.servers.language_in(guild.id)):  # of the log, which others read
        title = setting.title
    await change_settings(request, before, changed, title)
    await _show(request, MORE if setting in MORE else FIELDS)


async def _show(request: Request, page: Sequence[Field]) -> None:
    guild = server_of(request)
    guild_settings = await request.services.servers.guild_settings(guild.id)
    trouble = log_trouble(guild, guild_settings)
    await request.response.show(settings_layout(guild_settings, page, _known(guild, guild_settings), trouble))


def _known(guild: discord.Guild, guild_settings: GuildSettings) -> dict[str, list[int]]:
    """The chosen channels and roles that still exist, by the name of the setting."""
    chosen = {
        "channels": guild_settings.channels,
        "contrast": guild_settings.contrast,
        "log": (guild_settings.log,),
    }
    roles = {"roles": guild_settings.roles, "league_roles": guild_settings.league_roles}
    existing = {name: [channel.id for channel in known_channels(guild, ids)] for name, ids in chosen.items()}
    return existing | {name: [role_id for role_id in ids if guild.get_role(role_id)] for name, ids in roles.items()}


# --- layouts ---


def settings_layout(
    guild_settings: GuildSettings, page: Sequence[Field], known: Mapping[str, Sequence[int]], trouble: Sequence[Text]
) -> Layout:
    """A page of settings: a menu for each of them.

    `known` are the chosen channels and roles that still exist; `trouble` is why the moderators' log cannot be written.
    """
    values = {**dataclasses.asdict(guild_settings), **known}
    notes: Notes = {"log": trouble} | {
        name: [GONE] for name in ("channels", "roles") if getattr(guild_settings, name) and not known[name]
    }
    items = field_items(page, change_guild_setting.id, values, notes)
    if page is MORE:
        heading = Text("### More settings for this server")
        return layout(TextDisplay(str(heading)), *items, row(show_guild_settings.button(Text("Back"))))
    more = Text("More settings")
    ways = (
        default_options.show_games.button(Text("Default options")),
        # the log is on the other page, where moderators would not look for the trouble
        show_more_settings.button(Text("⚠️ {more}", more=more) if trouble else more),
        examine_here.button(Text("Check this channel")),
        examine_server.button(Text("Check all channels")),
        server_games.list_games.button(Text("Games")),
    )
    return layout(TextDisplay(str(ABOUT)), *items, row(*ways))
