"""`/server players`: moderators keep people out of the games of their server, and let them play again."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta

import discord

from bot.dispatcher import Request, anywhere
from bot.errors import UserError
from bot.interactions.controls import ControlId, id_in, name_chosen
from bot.lobby.leaving import leave_lobby, lobbies_of
from bot.moderation.barring_layouts import SPANS, bars_layout, reason_form, span_layout
from bot.moderation.moderators import server_of
from bot.store.bars import MAX_REASON, Bar
from bot.store.jobs import Job
from bot.tables.company import span_of
from bot.tables.moderation_log import line_job
from bot.tables.people import escaped, mention, presentable
from engine.texts import Text

NOT_KNOWN = Text("I do not know this person.")
YOURSELF = Text("You cannot bar yourself.")
NOT_BARRED = Text("This person is no longer barred.")


async def show(request: Request) -> None:
    """The bars of this server, with menus to bar a person and to let one play again."""
    await _show(request, server_of(request))


async def ask_span(request: Request) -> None:
    """A person was chosen: ask for how long."""
    guild, user_id = server_of(request), id_in(request.value)
    if user_id is None:
        raise UserError(NOT_KNOWN)
    if user_id == request.user_id:
        raise UserError(YOURSELF)
    name = presentable(name_chosen(request.response.interaction.data, user_id))
    bars = await request.services.store.bars.among(guild.id, [user_id], request.services.clock.now())
    await request.response.show(span_layout(user_id, name, bars.get(user_id)))


async def ask_reason(request: Request) -> None:
    """The span was chosen: ask for the reason."""
    server_of(request)
    if request.value not in SPANS:
        raise UserError(Text("I no longer know this choice."))
    await request.response.ask(reason_form(ControlId("bar", 0, int(request.value), request.control.text)))


async def bar(request: Request) -> None:
    """The form was sent: the bar applies at once; games that have begun go on."""
    guild, services = server_of(request), request.services
    user_id, name = _person(request.control.text)
    now, reason = services.clock.now(), " ".join(" ".join(request.values).split())[:MAX_REASON]
    until = _end(now, request.control.version)
    async with services.store.transaction():
        await services.store.bars.put(guild.id, user_id, name, reason, now, until)
        await services.store.jobs.extend(*await _log(request, guild, _barred(request, user_id, reason, until)))
    request.response.kept = text = Text("✓ {user} is barred.", user=mention(user_id))
    for table in await lobbies_of(services, user_id):
        if table.row.guild_id == guild.id:
            with suppress(UserError):  # the game has begun meanwhile, and goes on
                await leave_lobby(services, table, user_id)
    await _show(request, guild, text)


async def lift(request: Request) -> None:
    """A barred person was chosen; the row carries the digest, since a forgotten one has no id."""
    guild, services = server_of(request), request.services
    bars = await services.store.bars.in_server(guild.id, services.clock.now())
    lifted = next((one for one in bars if one.digest == request.value), None)
    if lifted is None:
        raise UserError(NOT_BARRED)
    line = Text("{user} lets {other} play again", user=mention(request.user_id), other=mention(lifted.user_id))
    async with services.store.transaction():
        await services.store.bars.drop(guild.id, lifted.digest)
        await services.store.jobs.extend(*await _log(request, guild, line))
    request.response.kept = text = Text("✓ {user} may play again.", user=mention(lifted.user_id))
    await _show(request, guild, text)


def _person(written: str) -> tuple[int, str]:
    """The user and the name that a form carries; both come from outside."""
    number, _, name = written.partition(" ")
    user_id = id_in(number)
    if user_id is None:
        raise UserError(NOT_KNOWN)
    return user_id, presentable(name)


def _end(now: datetime, days: int) -> datetime | None:
    if str(days) not in SPANS:
        raise UserError(Text("I no longer know this choice."))
    return now + timedelta(days=days) if days else None


def _barred(request: Request, user_id: int, reason: str, until: datetime | None) -> Text:
    why = Text(": “{words}”", words=escaped(reason)) if reason else ""
    return Text(
        "{user} barred {other} from games {until}{why}",
        user=mention(request.user_id),
        other=mention(user_id),
        until=span_of(Bar("", user_id, "", until=until)),
        why=why,
    )


async def _log(request: Request, guild: discord.Guild, line: Text) -> list[Job]:
    """The line of the moderators' log, if there is one."""
    guild_settings = await request.services.servers.guild_settings(guild.id)
    now, channel_id = request.services.clock.now(), guild_settings.log
    return [line_job(line, now, by=request.user_id, channel_id=channel_id)] if channel_id else []


async def _show(request: Request, guild: discord.Guild, note: Text | None = None) -> None:
    bars = await request.services.store.bars.in_server(guild.id, request.services.clock.now())
    await request.response.show(bars_layout(bars, note))


TAPS = {
    "bars": anywhere(show),
    "barwhom": anywhere(ask_span),
    "barspan": anywhere(ask_reason),
    "bar": anywhere(bar),
    "liftbar": anywhere(lift),
}
