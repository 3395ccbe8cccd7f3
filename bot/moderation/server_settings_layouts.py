"""The page of `/server settings`, and what the doctor has found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.interactions.controls import NO_TABLE, Control, ControlId, Menu, Picker
from bot.interactions.parts import Layout, layout, row
from bot.settings.preference_layouts import LANGUAGES, SettingChoice
from bot.tables.guild_settings import AT_ONCE, DAY, NEVER, GuildSettings
from bot.tables.paces import all_paces, pace_words
from engine.texts import Text, joined

WRITTEN_IN = (
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
    discord.ChannelType.forum,
)
"""What people write in, or open threads in."""

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
PICKED = {
    "channels": Text(
        "**Where games may be started** – a channel includes its threads, a category its channels. "
        "None chosen: everywhere."
    ),
    "roles": Text("**Who may start them** – members with any of these roles; anyone may join. None chosen: everyone."),
    "contrast": Text(
        "**High contrast** – where boards have stronger colors. For private messages, everyone chooses in "
        "`/me settings`."
    ),
    "league_roles": Text(
        "**Who may set up leagues** – members with any of these roles, in addition to moderators. None chosen: "
        "moderators only."
    ),
    "log": Text("**Moderators’ log** – where I write what moderators and votes have done. None chosen: nowhere."),
}
"""What the menus of channels and roles are about."""
CHOICES = {
    "most": SettingChoice(
        Text("**How many at a time** – tables that wait for players count, too."),
        {0: Text("Any number of games"), 1: Text("1 game at a time")}
        # 25 is the number of a server that has chosen none
        | {most: Text("{most} games at a time", most=most) for most in (3, 5, 10, 25, 50, 100)},
    ),
    "hosted": SettingChoice(
        Text("**How many at a time for each host** – so that nobody sets up a table in every channel."),
        {0: Text("Any number of games for each host"), 1: Text("1 game for each host")}
        | {most: Text("{most} games for each host", most=most) for most in (2, 3, 5, 10, 25)},
    ),
    "pace": SettingChoice(
        Text("**Pace of new tables** – how long a turn may take; the host of a table can change it there."),
        {value: pace_words(pace, firm=firm) for value, (pace, firm) in all_paces().items()},
    ),
    "calls": SettingChoice(
        Text(
            "**Mentions** – how people learn that it’s their move. Without a ping, reminders come by direct message "
            "or not at all."
        ),
        {True: Text("Mention people"), False: Text("Write names only, without a ping")},
    ),
    "archive": SettingChoice(
        Text("**Threads** – when I close the thread of a game; it opens again when somebody writes in it."),
        {
            DAY: Text("A day after the game"),
            AT_ONCE: Text("When the game ends"),
            NEVER: Text("Never"),
        },
    ),
    "language": SettingChoice(
        Text("**Language** – of boards and of everything else that all can see."),
        {"": Text("This server’s language on Discord"), **LANGUAGES},
    ),
    "rated": SettingChoice(
        Text("**Ratings** – whether new tables count in `/stats`; the host of a table can change it there."),
        {True: Text("New tables are rated"), False: Text("New tables aren’t rated")},
    ),
}
GONE = Text("-# What was chosen here is gone, so only moderators can start games.")
LOG_TROUBLE = Text("⚠️ I can’t write the moderators’ log:")
LOG_GONE = Text("* The channel is gone.")


def title_of(name: str) -> str:
    """What a setting is called: what is bold in what is said about it."""
    about = PICKED[name] if name in PICKED else CHOICES[name].about
    # taken from there, so that the log and the page cannot differ
    return f"**{str(about).split('**')[1]}**"


def guild_settings_layout(
    guild_settings: GuildSettings, channels: Sequence[int], roles: Sequence[int], *, trouble: bool = False
) -> Layout:
    """A menu for what moderators mostly look for; `channels` and `roles` are those of the chosen ones that still exist.

    `trouble`: there is some on the other page.
    """
    everywhere, more = _places("channels", channels, Text("Everywhere")), Text("More settings")
    everybody = Picker.roles(_id("roles"), roles, str(Text("Everyone")))
    return layout(
        TextDisplay(str(ABOUT)),
        *_asked(PICKED["channels"], everywhere, *_gone(guild_settings.channels, channels)),
        *_asked(PICKED["roles"], everybody, *_gone(guild_settings.roles, roles)),
        *_fixed("most", guild_settings),
        *_fixed("hosted", guild_settings),
        *_fixed("pace", guild_settings),
        *_fixed("calls", guild_settings),
        row(
            Control(ControlId("defaults", NO_TABLE), str(Text("Default options"))),
            Control(ControlId("moreserver", NO_TABLE), str(Text("⚠️ {more}", more=more) if trouble else more)),
            Control(ControlId("checkhere", NO_TABLE), str(Text("Check this channel"))),
            Control(ControlId("checkall", NO_TABLE), str(Text("Check all channels"))),
            Control(ControlId("games", NO_TABLE), str(Text("Games"))),
        ),
    )


# with these, the first page was three screens of a phone long
MORE = ("archive", "contrast", "log", "rated", "league_roles", "language")
"""The settings on the other page."""


def more_settings_layout(
    guild_settings: GuildSettings,
    contrast: Sequence[int],
    log: Sequence[int],
    league_roles: Sequence[int],
    log_trouble: Sequence[Text],
) -> Layout:
    """A menu for each of `MORE`; `contrast`, `log` and `league_roles` are those of the chosen ones that still exist.

    `log_trouble` is why the moderators' log cannot be written.
    """
    return layout(
        TextDisplay(str(Text("### More settings for this server"))),
        *_fixed("archive", guild_settings),
        *_asked(PICKED["contrast"], _places("contrast", contrast, Text("Nowhere"))),
        *_asked(PICKED["log"], Picker.channels(_id("log"), log, str(Text("Nowhere")), LOGGED_IN, 1), *log_trouble),
        *_fixed("rated", guild_settings),
        *_asked(PICKED["league_roles"], Picker.roles(_id("league_roles"), league_roles, str(Text("Moderators only")))),
        *_fixed("language", guild_settings),
        row(Control(ControlId("serversettings", NO_TABLE), str(Text("Back")))),
    )


def _fixed(name: str, guild_settings: GuildSettings) -> tuple[discord.ui.Item[Any], ...]:
    """A menu of the fixed values of a setting, below what it is for."""
    choice = CHOICES[name]
    rows = tuple((row, str(choice.rows[one])) for row, one in choice.values().items())
    return _asked(choice.about, Menu(_id(name), rows, chosen=choice.row_of(getattr(guild_settings, name))))


def _asked(about: Text, menu: Menu | Picker, *trouble: Text) -> tuple[discord.ui.Item[Any], ...]:
    """A menu below what it is for, and what is the matter with what was chosen."""
    return TextDisplay(str(joined([about, *trouble], "\n"))), row(menu)


def _gone(chosen: Sequence[int], known: Sequence[int]) -> list[Text]:
    return [GONE] if chosen and not known else []


def _places(name: str, channels: Sequence[int], none: Text) -> Picker:
    return Picker.channels(_id(name), channels, str(none), PLACES)


def _id(name: str) -> ControlId:
    """Which custom a menu is for."""
    return ControlId("custom", NO_TABLE, text=name)
