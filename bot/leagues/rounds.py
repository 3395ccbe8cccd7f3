"""What the bot does for a league by itself: it ends sign-up, plans rounds, sets tables and posts standings.

Every step is written before the next one is taken, and each can be repeated: after a kill the job goes on where the
store says that it was.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

import discord

from bot.errors import TROUBLE, UserError, reason
from bot.interactions.channels import Compose
from bot.interactions.parts import calling, text_layout
from bot.interactions.refusals import Verdict, is_final, is_gone, verdict
from bot.leagues import layouts
from bot.leagues.layouts import (
    sign_up_layout,
    standings_control,
    table_control,
    table_layout,
    thread_name,
    title_of,
)
from bot.leagues.pairing import groups_of, tables_of
from bot.leagues.season import Season, final_orders, season_of
from bot.leagues.showing import round_layout
from bot.leagues.sign_up import refresh_sign_up
from bot.lobby.deleted_channels import ask_again
from bot.lobby.ending import go_on_without
from bot.lobby.substitutes import put_on_offer
from bot.services import Services
from bot.store.jobs import NOBODY, Job
from bot.store.leagues import League, LeagueStatus, LeagueTable
from bot.store.matches import SeatHolder, Status
from bot.tables.company import reachable
from bot.tables.options import starting_options
from bot.tables.paces import all_paces
from bot.tables.people import mention, presentable
from bot.tables.presence import ServerAway
from bot.tables.table import Table
from engine.errors import EngineError
from engine.games import discover
from engine.players import discover as discover_players
from engine.texts import Text

_log = logging.getLogger(__name__)

LOOK = timedelta(days=1)
"""Until the next look at a round that is played; its last table makes the job due before."""

AWAY = timedelta(hours=1)
"""The same for a server that the bot does not see."""

LEAST = 2
"""People that a league needs."""

IN_DOUBT = timedelta(minutes=1)
"""After so long, Discord may have forgotten a nonce, and a message is looked for."""

MAX_NAMED = 20
"""Most waiting players who are pinged by the offer of a seat."""

OFF, END = "off", "end"
"""What is said of a league once, beside the numbers of its rounds."""

TOO_FEW = "Fewer than two people signed up for the **{title}** league, so there is none this time."
NO_GAME = Text("I no longer have this league’s game, so the league ends here.")
FEW_LEFT = Text("Fewer than two people are left, so this league ends here.")
BLOCKED = (
    "⚠️ I cannot set up the tables of the **{title}** league here: I need to send messages, attach files and open "
    "threads. A moderator can see what is missing with `/server doctor`. I’ll keep trying on my own; nothing is lost."
)


async def run(services: Services, job: Job) -> Job | None:
    """Do what is due in a league. Raises `TROUBLE` if Discord may take it later."""
    league = await services.store.leagues.find(job.seat)
    # written by `/league end` in the transaction that ends it: a kill or an outage cannot swallow the message
    if league is not None and job.user_id:
        if job.state.get("channel_gone"):
            await _tell_channel_gone(services, league, job)
        else:
            await _announce_end(services, league, job.user_id)
        return None
    if league is None or not league.is_open:
        return None
    now = services.clock.now()
    waits = league.status is LeagueStatus.SIGN_UP and now < league.closes_at
    if waits and league.message_id is not None:
        if job.state.get("refresh"):
            await refresh_sign_up(services, league.id)
        return job.at(league.closes_at, refresh=None)
    if waits and not job.state.get("awaited"):
        return job.at(now + IN_DOUBT, awaited=True)  # who sets it up posts the sign-up
    # without its server, nothing can be said or asked; it may go away while this runs
    if services.channels.server(league.guild_id) is None:
        return job.at(now + AWAY)
    try:
        return await _go_on(services, league, _without_missing(job))
    except TROUBLE as error:
        if not is_gone(error):
            await _tell_blocked(services, league, job, error)
            raise
        if not await services.channels.is_deleted(league.guild_id, league.channel_id):
            raise
        if later := ask_again(job, now):
            return later
        await _channel_gone(services, league)
        return None


def _without_missing(job: Job) -> Job:
    """The job of a league whose channel is there."""
    return dataclasses.replace(job, state={name: value for name, value in job.state.items() if name != "missing"})


async def _go_on(services: Services, league: League, job: Job) -> Job | None:
    season = await season_of(services.store, league)
    if league.status is LeagueStatus.SIGN_UP and services.clock.now() < league.closes_at:
        # who set the league up has not posted it: the minute of `IN_DOUBT` is over
        await _post_sign_up(services, season)
        return job.at(league.closes_at)
    if league.status is LeagueStatus.SIGN_UP:
        return await _close_sign_up(services, season, job)
    now, looked = services.clock.now(), job.state.get("looked")
    # Discord does not tell who has left a server without the members intent, and asking takes a request for each
    if looked is None or now - datetime.fromisoformat(looked) >= LOOK:
        await _without_absent(services, season)
        await refresh_sign_up(services, league.id)
        # written before the next step, which may fail: another attempt at that asks for no members again
        return job.at(now, looked=now.isoformat())
    await _replace_those_who_left(services, season)
    for table in season.current:
        await _set_up(services, season, table)
    # read again: the tables have matches now, and some may be over
    season = await season_of(services.store, league)
    if not all(table.is_settled for table in season.current):
        return job.at(now + LOOK)
    return await _end_round(services, season, job)


# --- sign-up ---


async def _post_sign_up(services: Services, season: Season) -> None:
    """Post the sign-up that a crash has kept from being posted, or from being noted."""
    league = season.league
    posted = await services.channels.find(league.channel_id, layouts.join.button(Text("Join"), league_id=league.id))
    message_id = (
        posted.id if posted else await services.channels.send(league.channel_id, partial(sign_up_layout, season))
    )
    await services.store.leagues.change(league.id, message_id=message_id)


async def _close_sign_up(services: Services, season: Season, job: Job) -> Job | None:
    league = season.league
    if league.game not in discover():
        await _call_off(services, league, NO_GAME)
        return None
    if len(season.active) < LEAST:
        await _call_off(services, league, Text(TOO_FEW, title=title_of(league)))
        return None
    before = await services.store.leagues.before(league) if league.division_size else None
    # without groups nobody moves up or down
    last = final_orders(await season_of(services.store, before)) if before else ()
    groups = groups_of([player.user_id for player in season.active], league.division_size, last)
    divisions = {user_id: n for n, group in enumerate(groups) for user_id in group}
    await services.store.leagues.divide(league.id, divisions)
    return await _plan(services, await season_of(services.store, league), job)


async def _call_off(services: Services, league: League, told: Text) -> None:
    """End a league that has not begun, and say why in its channel."""
    # before it is noted: after a kill in between it is sent again, and the nonce makes one message of both
    await services.channels.send(league.channel_id, partial(text_layout, told, str), nonce=_nonce(league, OFF))
    await services.store.leagues.change(league.id, status=LeagueStatus.CALLED_OFF)
    await refresh_sign_up(services, league.id)


async def _announce_end(services: Services, league: League, user_id: int) -> None:
    """Somebody has called it off, which is said in its channel if that is still there."""
    told = Text("{user} called off the **{title}** league.", title=title_of(league), user=mention(user_id))
    # by this button the message is found again; before the first round there are no standings to open
    ways = [standings_control(league, OFF)] if league.round else []
    try:
        if not ways or not await _is_said(services, league, OFF):
            compose = partial(text_layout, told, str, *ways)
            await services.channels.send(league.channel_id, compose, nonce=_nonce(league, OFF))
    except discord.HTTPException as error:
        if not is_gone(error) or not await services.channels.is_deleted(league.guild_id, league.channel_id):
            raise
    await refresh_sign_up(services, league.id)


async def channel_deleted(services: Services, channel_id: int) -> None:
    """A channel was deleted: the leagues that were held there are over."""
    for league in await services.store.leagues.open_under(channel_id):
        await _channel_gone(services, league)


async def _channel_gone(services: Services, league: League) -> None:
    """The channel was deleted: the league is over, and a job sends its host a message."""
    async with services.store.transaction():
        await services.store.leagues.change(league.id, status=LeagueStatus.CALLED_OFF)
        if league.host_id:
            now = services.clock.now()
            await services.store.leagues.announce_end(league, league.host_id, now, channel_gone=True)


async def _tell_channel_gone(services: Services, league: League, job: Job) -> None:
    text = Text("The channel of your **{title}** league was deleted, so it was called off.", title=title_of(league))
    compose = partial(text_layout, text, str)
    await _tell_host(services, league, compose, f"league-{league.id}-gone", attempts=job.attempts)


async def _tell_host(services: Services, league: League, compose: Compose, nonce: str, *, attempts: int) -> None:
    """Send the host of a league a message, unless they never accept one. Raises `TROUBLE` otherwise."""
    if not league.host_id:
        return
    try:
        await services.channels.send_direct(league.host_id, compose, nonce=nonce)
    except TROUBLE as error:
        if not is_final(error, attempts):
            raise
        _log.info("user %d does not hear of league %d: %s", league.host_id, league.id, reason(error))


async def _tell_blocked(services: Services, league: League, job: Job, error: Exception) -> None:
    """Say once that something is in the way: in the channel, or to who set the league up."""
    if verdict(error) in (Verdict.SOON, Verdict.LATER) or job.state.get("told"):
        return
    compose, nonce = partial(text_layout, Text(BLOCKED, title=title_of(league)), str), f"league-{league.id}-stuck"
    try:
        await services.channels.send(league.channel_id, compose, nonce=nonce)
    except TROUBLE:
        await _tell_host(services, league, compose, nonce, attempts=job.attempts)
    await services.store.jobs.replace(job, job.at(job.due_at, told=True))


# --- a round ---


async def _plan(services: Services, season: Season, job: Job) -> Job | None:
    """Write who plays with whom in the next round; the tables are set by the next run."""
    season = await _without_absent(services, season)
    league, now = season.league, services.clock.now()
    users = await _not_barred(services, season)
    if league.game not in discover() or len(users) < LEAST:
        await _finish(services, season, FEW_LEFT if league.game in discover() else NO_GAME)
        return None
    planned, number = list[LeagueTable](), league.round + 1
    for division in season.divisions:
        group = [player.user_id for player in season.active if player.user_id in users and player.division == division]
        # the same tables if a kill makes this run again
        rounds, seed = season.rounds(division), f"{league.id}/{number}/{division}"
        apart = await services.store.blocks.pairs(group)
        pair = partial(tables_of, group, league.seats, rounds, swiss=league.swiss, seed=seed, apart=apart)
        # the search takes a second with two hundred people
        tables = await asyncio.to_thread(pair)
        planned += [
            LeagueTable(number, len(planned) + n, division, secrets.token_hex(32), seats)
            for n, seats in enumerate(tables, start=1)
        ]
    # an update may have brought other rules: this round is played by them
    spec = discover()[league.game]
    rules = {"rules_version": spec.rules_version, "options": starting_options(spec, league.options)}
    await services.store.leagues.plan(league.id, planned, now, round=number, status=LeagueStatus.PLAYING, **rules)
    await refresh_sign_up(services, league.id)
    # what is in the way is said anew in each round
    return job.at(now, told=None, looked=now.isoformat())


async def _not_barred(services: Services, season: Season) -> frozenset[int]:
    """The users of a league that are paired now: a bar keeps its user out of rounds as long as it applies."""
    active, guild_id = {player.user_id for player in season.active}, season.league.guild_id
    return frozenset(active - (await services.store.bars.among(guild_id, active, services.clock.now())).keys())


async def _without_absent(services: Services, season: Season) -> Season:
    """Drop those who have left the server, and those who were late too often."""
    guild = services.channels.server(season.league.guild_id)
    if guild is None:
        raise ServerAway(f"server {season.league.guild_id} is away")
    active = {player.user_id for player in season.active}
    # asked for each: without the members intent, Discord sends no list of members
    here = await services.members.names(guild, active, asked_by=NOBODY, anew=True)
    late = {player.user_id for player in season.players if not player.dropped} - active
    await services.store.leagues.drop(season.league.id, (active - here.keys()) | late)
    return await season_of(services.store, season.league)


async def _replace_those_who_left(services: Services, season: Season) -> None:
    """Let computers play on for those who have left the league in the midst of a round."""
    gone = {player.user_id for player in season.players if player.dropped}
    for one in season.current:
        table = await services.tables.find(one.match_id) if one.match_id is not None else None
        if table is None or table.row.status is not Status.RUNNING or table.problem:
            continue
        for user_id in gone & set(table.people):
            seat = table.seat_of(user_id)
            assert seat is not None, "they are among the people of the table"
            told = Text("{who} has left the league; a computer takes over the seat.", who=table.person(seat))
            with suppress(UserError):  # it was settled meanwhile
                await services.seats.resign(table, user_id)
                await services.lobbies.hand_on(table)
                await go_on_without(services, table, told)
            with suppress(UserError):  # the same
                await _offer(services, table, await _waiting(services, season, one))


async def _waiting(services: Services, season: Season, table: LeagueTable) -> list[int]:
    """The players of the group of a table who have had no seat in its round: they joined too late for it."""
    group = [player.user_id for player in season.active if player.division == table.division]
    seated = await services.store.leagues.seated(season.league.id, table.round, group)
    return [user_id for user_id in group if not seated[user_id]]


async def _offer(services: Services, table: Table, waiting: Sequence[int]) -> None:
    """Offer the seats of computers to the users that wait and could sit there."""
    pinged = await reachable(services.store, table, waiting, services.clock.now())
    if not pinged or not table.is_open:
        return

    async def publish(compose: Compose) -> int:
        nonce = f"league-offer-{table.id}"
        return await services.channels.send(table.row.channel_id, compose, mentions=calling(pinged), nonce=nonce)

    # all of them are named, and blocked ones not pinged; without their names, Discord would ping none
    named = Text("{users}: you are waiting for a table, so you can play here.", users=_mentions(waiting))
    await put_on_offer(services, table, table.computers, publish, named)


def _mentions(user_ids: Sequence[int]) -> str:
    return ", ".join(map(mention, user_ids[:MAX_NAMED]))


async def _set_up(services: Services, season: Season, table: LeagueTable) -> None:
    """Set a table of this round, if it is not: its message, its thread, its match, and the beginning of that."""
    league = season.league
    if table.is_settled:
        return
    if table.thread_id is None:
        table = dataclasses.replace(table, thread_id=await _announced(services, league, table))
        await services.store.leagues.note_table(league.id, table, thread_id=table.thread_id or 0)
    assert table.thread_id is not None, "it was announced"
    known = await services.tables.find(table.match_id) if table.match_id is not None else None
    match = known or await _match_of(services, season, table, table.thread_id)
    if match.problem:
        await _give_up(services, match)
    elif match.row.status is Status.LOBBY:
        await _begin(services, match, table.thread_id)


async def _announced(services: Services, league: League, table: LeagueTable) -> int:
    """The message of a table in the channel of the league. Returns its id, which Discord gives to its thread, too."""
    control, now = table_control(league, table), services.clock.now()
    # before, its nonce is enough, and no table costs a request more
    if league.begun_at is None or now - league.begun_at > IN_DOUBT:
        found = await services.channels.find(league.channel_id, control)
        if found is not None:
            return found.id
    # Discord: a nonce has at most 25 characters
    nonce = f"lt-{league.id}-{table.round}-{table.number}"
    return await services.channels.send(league.channel_id, partial(table_layout, league, table), nonce=nonce)


async def _match_of(services: Services, season: Season, table: LeagueTable, message_id: int) -> Table:
    """The match of a table, set in its thread. Both are opened anew only if they are not there."""
    league, known = season.league, {player.user_id: player for player in season.players}
    people = [known[user_id] for user_id in table.planned if user_id in known]
    name = thread_name(league, table, [player.name for player in people])
    thread_id = await services.channels.open_thread(league.guild_id, league.channel_id, message_id, name)
    await services.channels.bring_into(thread_id, *(player.user_id for player in people))
    holders = [_holder(season, user_id) for user_id in table.planned]
    guild_settings, (pace, firm) = await services.servers.guild_settings(league.guild_id), all_paces()[league.pace]
    # together: a kill in between would leave a match in the thread that its league does not know
    async with services.store.transaction():
        match = await services.lobbies.open_for(
            discover()[league.game],
            holders,
            guild_id=league.guild_id,
            channel_id=thread_id,
            options=league.options,
            secret=table.secret,
            parent_id=league.channel_id,
            own_thread=True,
            pace=pace,
            firm=firm,
            rated=guild_settings.rated,
            # whoever signs up is ready
            ready=[holder.user_id for holder in holders if holder.user_id],
        )
        await services.store.leagues.note_table(league.id, table, match_id=match.id)
    return match


def _holder(season: Season, user_id: int | None) -> SeatHolder:
    """Who sits down: somebody by their sign-up, or a computer, also for somebody who was forgotten meanwhile."""
    player = season.player(user_id) if user_id is not None else None
    if player is None:
        known = season.league.computer in discover_players()
        return SeatHolder(computer=season.league.computer if known else "fair")
    # nobody sits down by a tap: their sign-up stands for it in the proof (docs/luck.md)
    return SeatHolder(user_id=player.user_id, name=presentable(player.name), interaction_id=player.interaction_id)


async def _begin(services: Services, match: Table, thread_id: int) -> None:
    """Deal and post the first board; a table that cannot begin does not keep the others waiting."""
    try:
        # the thread takes the place of the interaction that starts a game (docs/luck.md)
        await services.moves.start(match, thread_id)
    except (UserError, EngineError) as error:
        _log.warning("match %d of a league cannot begin: %s", match.id, error)
        await _give_up(services, match)
    else:
        with suppress(UserError):  # it was logged, and is tried again
            await services.poster.deliver(match)


async def _give_up(services: Services, match: Table) -> None:
    """Call a match off that cannot go on: everybody there gets half a win."""
    with suppress(UserError):  # somebody was faster
        await services.seats.end(match, at=services.clock.now())
        told = Text("This table can’t go on, so it’s called off. In the league it counts as half a win for everyone.")
        await services.channels.announce(match, told)


async def _end_round(services: Services, season: Season, job: Job) -> Job | None:
    """All tables are over: show how it stands, once, and begin the next round when it is time."""
    league, now = season.league, services.clock.now()
    assert league.begun_at is not None, "a round has begun"
    if league.round >= league.rounds:
        await _finish(services, season, None)
        return None
    if league.shown < league.round:
        await _show_round(services, season, str(league.round))
        await services.store.leagues.change(league.id, shown=league.round)
        season = await season_of(services.store, dataclasses.replace(league, shown=league.round))
    due = league.begun_at + timedelta(days=league.gap)
    return job.at(due) if now < due else await _plan(services, season, job)


async def _show_round(services: Services, season: Season, what: str, why: Text | None = None) -> None:
    """Post how it stands after a round, or at the `END`, once."""
    league = season.league
    if await _is_said(services, league, what):
        return
    control = standings_control(league, what)
    layout, files = await round_layout(services, season, control, final=what == END, why=why)
    # worded and drawn above, in the language of the server, as all of this job
    await services.channels.send(league.channel_id, lambda: layout, files=files, nonce=_nonce(league, what))


async def _is_said(services: Services, league: League, what: str) -> bool:
    """Whether something stands in the channel of a league: after a crash, Discord may have forgotten the nonce."""
    return await services.channels.find(league.channel_id, standings_control(league, what)) is not None


def _nonce(league: League, what: str) -> str:
    return f"league-{league.id}-{what}"


async def _finish(services: Services, season: Season, why: Text | None) -> None:
    """The end: who has won, or that nobody has."""
    league = season.league
    if not league.round:
        await _call_off(services, league, why or Text(TOO_FEW, title=title_of(league)))
        return
    # posted as over, so that it names the winners, and noted only then
    over = dataclasses.replace(season, league=dataclasses.replace(league, status=LeagueStatus.OVER))
    await _show_round(services, over, END, why)
    await services.store.leagues.change(league.id, status=LeagueStatus.OVER, shown=league.round)
    await refresh_sign_up(services, league.id)
