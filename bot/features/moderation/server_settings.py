"""`/server settings`: short private pages with the settings of a server."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.features.fields import (
    Channel,
    Channels,
    Choice,
    Notes,
    Page,
    Pick,
    Roles,
    field_items,
    field_named,
    page_named,
    page_rows,
    page_with,
)
from bot.features.groups import server
from bot.features.handlers import Request, anywhere
from bot.features.moderation import default_options, server_games
from bot.features.moderation.doctor import (
    GAME_CHANNEL_TYPES,
    events_problems,
    examine_here,
    examine_server,
    log_problems,
    overview_problems,
)
from bot.features.moderation.moderators import change_settings, server_of
from bot.features.settings.preference_page import LANGUAGES
from bot.interactions.parts import Layout, layout, row
from bot.interactions.places import known_channels
from bot.tables.guild_settings import AT_ONCE, DAY, NEVER, GuildSettings
from bot.tables.paces import pace_rows
from engine.languages import reading
from engine.texts import Text

LOG_CHANNEL_TYPES = (
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
)
"""Channels that can have the moderators' log."""

PLACE_TYPES = (*GAME_CHANNEL_TYPES, discord.ChannelType.category)
"""Channels and categories in which games can be allowed."""

ABOUT = Text(
    "-# Changes apply at once; games under way go on. Anyone with **Manage Server** may start games anywhere, and any "
    "number of them."
)
GONE_NOTE = Text("-# Nothing chosen here exists anymore, so only moderators can start games.")

PLACES = Channels(
    "channels",
    Text(
        "**Where games may be started** – a channel includes its threads, a category its channels. "
        "None chosen: everywhere."
    ),
    Text("Everywhere"),
    PLACE_TYPES,
)

ROLES = Roles(
    "roles",
    Text("**Who may start them** – members with any of these roles; anyone may join. None chosen: everyone."),
    Text("Everyone"),
)

LEAGUE_ROLES = Roles(
    "league_roles",
    Text(
        "**Who may set up leagues** – members with any of these roles, in addition to moderators. None chosen: "
        "moderators only."
    ),
    Text("Moderators only"),
)

MAX_GAMES = Pick.of(
    "most",
    Text("**How many at a time** – tables waiting for players count, too."),
    {0: Text("Any number of games"), 1: Text("1 game at a time")}
    # 25 is the number of a server that has chosen none
    | {most: Text("{most} games at a time", most=most) for most in (3, 5, 10, 25, 50, 100)},
)

MAX_HOSTED_GAMES = Pick.of(
    "hosted",
    Text("**How many at a time for each host** – so that nobody sets up a table in every channel."),
    {0: Text("Any number of games for each host"), 1: Text("1 game for each host")}
    | {most: Text("{most} games for each host", most=most) for most in (2, 3, 5, 10, 25)},
)

PACE = Pick(
    "pace",
    Text("**Pace of new tables** – how long a turn may take; the host of a table can change it there."),
    tuple(Choice(value, value, label, details) for value, label, details in pace_rows()),
)

RATED = Pick.of(
    "rated",
    Text("**Ratings** – whether new tables count in `/stats`; the host of a table can change it there."),
    {True: Text("New tables are rated"), False: Text("New tables aren’t rated")},
)

ARCHIVE = Pick.of(
    "archive",
    Text("**Threads** – when I close the thread of a game; it opens again when somebody writes in it."),
    {
        DAY: Text("A day after the game"),
        AT_ONCE: Text("When the game ends"),
        NEVER: Text("Never"),
    },
)

MENTIONS = Pick.of(
    "calls",
    Text(
        "**Mentions** – how people find out that it’s their turn. Without a ping, reminders come by direct message "
        "or not at all."
    ),
    {True: Text("Mention people"), False: Text("Write names only, without a ping")},
)

LOG_CHANNEL = Channel(
    "log",
    Text("**Moderators’ log** – where I write what moderators and votes have done. None chosen: nowhere."),
    Text("Nowhere"),
    LOG_CHANNEL_TYPES,
)

OVERVIEW_CHANNEL = Channel(
    "overview",
    Text(
        "**Overview** – where I keep one message with the open games and whose turn it is. It lists only games in "
        "channels that everyone who can read it can see. None chosen: nowhere."
    ),
    Text("Nowhere"),
    LOG_CHANNEL_TYPES,
)

EVENTS = Pick.of(
    "events",
    Text(
        "**Events** – whether Discord’s list of events shows tables and leagues that begin at a set time, if all "
        "members can see their channel. That needs the **Create Events** permission. Changes show there within three "
        "minutes."
    ),
    {False: Text("No events"), True: Text("Create events")},
)

LANGUAGE = Pick.of(
    "language",
    Text("**Language** – for boards and everything else that everyone can see."),
    {"": Text("This server’s language on Discord"), **LANGUAGES},
)

CONTRAST = Channels(
    "contrast",
    Text(
        "**High contrast** – where boards have stronger colors. For private messages, everyone chooses for "
        "themselves in `/me settings`."
    ),
    Text("Nowhere"),
    PLACE_TYPES,
)

LIMITS = Page("limits", Text("Limits"), (MAX_GAMES, MAX_HOSTED_GAMES))
TABLES = Page("tables", Text("Tables"), (PACE, RATED, ARCHIVE))
MESSAGES = Page("messages", Text("Messages"), (MENTIONS, LOG_CHANNEL))

PAGES = (
    Page("places", Text("Access"), (PLACES, ROLES, LEAGUE_ROLES)),
    LIMITS,
    TABLES,
    MESSAGES,
    Page("notices", Text("Notices"), (OVERVIEW_CHANNEL, EVENTS)),
    Page("display", Text("Display"), (LANGUAGE, CONTRAST)),
)
"""The pages of the settings."""

FIELDS = tuple(field for page in PAGES for field in page.fields)
"""The settings of all pages."""


@server.command("settings", "Where games may be played, who may start them, how many at a time")
async def show_guild_settings(request: Request) -> None:
    """Show the first page of this server's settings."""
    await _show(request, PAGES[0])


@anywhere(default_options.show_settings)
async def show_page(request: Request, page: str = "") -> None:
    """A button to a page of the settings."""
    await _show(request, page_named(PAGES, page))


@anywhere("moreserver")
async def show_more_settings(request: Request) -> None:
    """The button *More settings* of old messages, from when the settings had two pages."""
    await _show(request, TABLES)


@anywhere("custom")
async def change_guild_setting(request: Request, name: str) -> None:
    """Store the value that was chosen for a setting."""
    # checked at each tap: the user may have lost the permission since the page was shown
    guild, setting = server_of(request), field_named(FIELDS, name)
    before = await request.services.servers.guild_settings(guild.id)
    changed = dataclasses.replace(before, **{name: setting.read(request)})
    with reading(await request.services.servers.language_in(guild.id)):  # of the log, which others read
        title = setting.title
    await change_settings(request, before, changed, title)
    await _show(request, page_with(PAGES, name))


async def _show(request: Request, page: Page) -> None:
    guild = server_of(request)
    guild_settings = await request.services.servers.guild_settings(guild.id)
    problems = {
        "log": log_problems(guild, guild_settings),
        "overview": overview_problems(guild, guild_settings),
        "events": events_problems(guild, guild_settings),
    }
    await request.response.show(settings_layout(guild_settings, page, _existing(guild, guild_settings), problems))


def _existing(guild: discord.Guild, guild_settings: GuildSettings) -> dict[str, list[int]]:
    """The chosen channels and roles that still exist, by the name of the setting."""
    channel_ids = {
        "channels": guild_settings.channels,
        "contrast": guild_settings.contrast,
        "log": (guild_settings.log,),
        "overview": (guild_settings.overview,),
    }
    roles = {"roles": guild_settings.roles, "league_roles": guild_settings.league_roles}
    existing = {name: [channel.id for channel in known_channels(guild, ids)] for name, ids in channel_ids.items()}
    return existing | {name: [role_id for role_id in ids if guild.get_role(role_id)] for name, ids in roles.items()}


# --- layouts ---


def settings_layout(
    guild_settings: GuildSettings,
    page: Page,
    existing: Mapping[str, Sequence[int]],
    problems: Notes,
) -> Layout:
    """A page of settings: a menu for each of them.

    `existing` has the chosen channels and roles that still exist, `problems` the problems of some settings,
    by the name of the setting.
    """
    values = {**dataclasses.asdict(guild_settings), **existing}
    notes: Notes = {**problems} | {
        name: [GONE_NOTE] for name in ("channels", "roles") if getattr(guild_settings, name) and not existing[name]
    }
    # settings on other pages may have problems, so the buttons to them need a hint
    faulty = [name for name, lines in problems.items() if lines]
    return layout(
        TextDisplay(str(Text("### Games in this server: {page}", page=page.label))),
        *field_items(page.fields, change_guild_setting.id, values, notes),
        *_more_items(page),
        *page_rows(PAGES, page, show_page.id, faulty),
    )


def _more_items(page: Page) -> list[discord.ui.Item[Any]]:
    """The text and the buttons of a page beside its settings."""
    if page is LIMITS:
        return [TextDisplay(str(ABOUT)), row(server_games.list_games.button(Text("Games")))]
    if page is TABLES:
        return [row(default_options.show_games.button(Text("Default options")))]
    if page is MESSAGES:
        return [row(examine_here.button(Text("Check this channel")), examine_server.button(Text("Check all channels")))]
    return []
