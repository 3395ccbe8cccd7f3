"""`/server players`: moderators bar people from the games of their server, and lift bars."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.errors import UserError
from bot.features.groups import server
from bot.features.handlers import Request, anywhere
from bot.features.lobby.leaving import leave_lobby, lobbies_of
from bot.features.moderation.games_overview import MAX_CHARS
from bot.features.moderation.moderators import server_of
from bot.features.view.my_games import that_fit
from bot.interactions.controls import MENU_ROWS, ControlId, Menu, UserMenu, chosen_name, id_in
from bot.interactions.forms import Form
from bot.interactions.kinds import InVersion
from bot.interactions.parts import Layout, layout, row
from bot.store.bars import MAX_REASON, Bar
from bot.store.jobs import Job
from bot.tables.company import span_of
from bot.tables.moderation_log import line_job
from bot.tables.people import escaped, mention, presentable
from engine.texts import Text, joined

UNKNOWN_PERSON_TEXT = Text("I don’t know this person.")
OWN_BAR_TEXT = Text("You can’t bar yourself.")
NOT_BARRED_TEXT = Text("This person is no longer barred.")

SPANS = {
    "1": Text("For a day"),
    "3": Text("For 3 days"),
    "7": Text("For a week"),
    "30": Text("For 30 days"),
    "90": Text("For 90 days"),
    "0": Text("Until further notice"),
}
"""Days -> the label of the menu row; 0 for no end."""


@server.command("players", "Bar people from games in this server, or let them play again")
@anywhere("bars")
async def show(request: Request) -> None:
    """Show the bars of this server, with menus to bar a person and to lift a bar."""
    await _show(request, server_of(request))


@anywhere("barwhom")
async def ask_span(request: Request) -> None:
    """Ask how long to bar the person that was chosen."""
    guild, user_id = server_of(request), id_in(request.value)
    if user_id is None:
        raise UserError(UNKNOWN_PERSON_TEXT)
    if user_id == request.user_id:
        raise UserError(OWN_BAR_TEXT)
    name = presentable(chosen_name(request.response.interaction.data, user_id))
    bars = await request.services.store.bars.among(guild.id, [user_id], request.services.clock.now())
    await request.response.show(_span_layout(user_id, name, bars.get(user_id)))


@anywhere("barspan")
async def ask_reason(request: Request, user_id: int, name: str) -> None:
    """Ask for the reason, after the span was chosen."""
    server_of(request)
    if request.value not in SPANS:
        raise UserError(Text("That choice is no longer available."))
    await request.response.ask(_reason_form(bar.id(int(request.value), user_id, name)))


@anywhere("bar")
async def bar(request: Request, days: InVersion[int], user_id: int, name: str) -> None:
    """Bar a person, after the form for the reason. The bar applies at once; games that have begun go on."""
    guild, services = server_of(request), request.services
    now, reason = services.clock.now(), " ".join(" ".join(request.values).split())[:MAX_REASON]
    until = _end(now, days)
    async with services.store.transaction():
        await services.store.bars.put(guild.id, user_id, presentable(name), reason, now, until)
        await services.store.jobs.extend(*await _log(request, guild, _log_line(request, user_id, reason, until)))
    request.response.already_done = text = Text("✓ {user} is barred.", user=mention(user_id))
    for table in await lobbies_of(services, user_id):
        if table.row.guild_id == guild.id:
            with suppress(UserError):  # the game has begun meanwhile; it goes on
                await leave_lobby(services, table, user_id)
    await _show(request, guild, text)


@anywhere("liftbar")
async def lift(request: Request) -> None:
    """Lift the bar of the person that was chosen; rows carry the digest, since a forgotten person has no id."""
    guild, services = server_of(request), request.services
    bars = await services.store.bars.in_server(guild.id, services.clock.now())
    bar = next((bar for bar in bars if bar.digest == request.value), None)
    if bar is None:
        raise UserError(NOT_BARRED_TEXT)
    line = Text("{user} lets {other} play again", user=mention(request.user_id), other=mention(bar.user_id))
    async with services.store.transaction():
        await services.store.bars.drop(guild.id, bar.digest)
        await services.store.jobs.extend(*await _log(request, guild, line))
    request.response.already_done = text = Text("✓ {user} may play again.", user=mention(bar.user_id))
    await _show(request, guild, text)


def _end(now: datetime, days: int) -> datetime | None:
    if str(days) not in SPANS:
        raise UserError(Text("That choice is no longer available."))
    return now + timedelta(days=days) if days else None


def _log_line(request: Request, user_id: int, reason: str, until: datetime | None) -> Text:
    why = Text(": “{words}”", words=escaped(reason)) if reason else ""
    return Text(
        "{user} barred {other} from games {until}{why}",
        user=mention(request.user_id),
        other=mention(user_id),
        until=span_of(Bar("", user_id, "", until=until)),
        why=why,
    )


async def _log(request: Request, guild: discord.Guild, line: Text) -> list[Job]:
    """The job that writes a line to the moderators' log, if the server has one."""
    guild_settings = await request.services.servers.guild_settings(guild.id)
    now, channel_id = request.services.clock.now(), guild_settings.log
    return [line_job(line, now, by=request.user_id, channel_id=channel_id)] if channel_id else []


async def _show(request: Request, guild: discord.Guild, note: Text | None = None) -> None:
    bars = await request.services.store.bars.in_server(guild.id, request.services.clock.now())
    await request.response.show(_bars_layout(bars, note))


# --- layouts ---


ABOUT = Text(
    "### People barred from games here\n"
    "Barred people can’t set up or join games in this server or take over a seat, and leagues don’t pair them. If they "
    "try, they’re told until when, and why. Games they’re already playing go on; with `/server games` you can give "
    "their seats to computers."
)


def _bars_layout(bars: Sequence[Bar], note: Text | None) -> Layout:
    """The bars of a server, with menus to bar a person and to lift a bar."""
    lines = [*([note] if note else []), ABOUT, *([] if bars else [Text("-# Nobody is barred.")])]
    # as many as a menu may have, the newest first
    listed = [str(joined([Text("* "), _bar_line(bar)], "")) for bar in bars[:MENU_ROWS]]
    if len(bars) > MENU_ROWS:
        listed.append(str(Text("-# … and {more} more", more=len(bars) - MENU_ROWS)))
    items: list[discord.ui.Item[Any]] = [TextDisplay("\n".join([*map(str, lines), *that_fit(listed, MAX_CHARS)]))]
    items.append(row(UserMenu(ask_span.id(), Text("Bar a person"))))
    if bars:
        rows = tuple((bar.digest, bar.name or str(Text("somebody"))) for bar in bars[:MENU_ROWS])
        items.append(row(Menu(lift.id(), rows, Text("Let a person play again"))))
    return layout(*items)


def _bar_line(bar: Bar) -> Text:
    line = Text("{user}, {until}", user=mention(bar.user_id), until=span_of(bar))
    return Text("{line}: {reason}", line=line, reason=escaped(bar.reason)) if bar.reason else line


def _span_layout(user_id: int, name: str, bar: Bar | None) -> Layout:
    """A menu of spans for a bar; `bar` is the person's present one."""
    lines = [Text("### How long should {user} be barred?", user=mention(user_id))]
    if bar is not None:
        lines.append(Text("They’re barred {until}; what you choose here replaces that.", until=span_of(bar)))
    rows = tuple((days, str(text)) for days, text in SPANS.items())
    menu = Menu(ask_reason.id(user_id, name), rows, Text("Choose how long"))
    return layout(TextDisplay(str(joined(lines, "\n"))), row(menu), row(show.button(Text("Back"))))


def _reason_form(control: ControlId) -> Form:
    """A form for the reason of a bar."""
    return Form(
        control,
        Text("Bar a person"),
        Text("Why?"),
        most=MAX_REASON,
        about=Text("The person sees it when they try to play, and the moderators’ log shows it."),
        optional=True,
    )
