"""The job of a league: it ends sign-up, plans rounds, sets up tables and posts standings.

Each step is stored before the next one, and can be repeated: after a kill the job continues from the store.
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

from bot.errors import DISCORD_ERRORS, GameFault, UserError, reason
from bot.features.leagues import layouts
from bot.features.leagues.layouts import (
    results_control,
    sign_up_layout,
    standings_control,
    table_control,
    table_layout,
    thread_name,
    title_of,
)
from bot.features.leagues.pairing import groups_of, tables_of
from bot.features.leagues.season import Season, final_orders, season_of
from bot.features.leagues.showing import round_layout
from bot.features.leagues.sign_up import refresh_sign_up
from bot.features.lobby.deleted_channels import recheck_later
from bot.features.lobby.ending import go_on_without
from bot.features.lobby.substitutes import put_on_offer
from bot.features.services import Services
from bot.interactions.channels import Compose
from bot.interactions.controls import Control
from bot.interactions.parts import calling, text_layout
from bot.interactions.presence import ServerAway
from bot.interactions.refusals import Verdict, is_final, is_gone, verdict
from bot.store.jobs import NOBODY, Job
from bot.store.leagues import League, LeagueStatus, LeagueTable
from bot.store.matches import SeatHolder, Status
from bot.tables.company import reachable
from bot.tables.faults import guarding
from bot.tables.options import starting_options
from bot.tables.paces import all_paces
from bot.tables.people import mention, presentable
from bot.tables.table import Table
from engine.errors import EngineError
from engine.games import discover
from engine.players import discover as discover_players
from engine.texts import Text

_log = logging.getLogger(__name__)

CHECK_INTERVAL = timedelta(days=1)
"""Between two checks of a round in progress; its last table makes the job due earlier."""

AWAY_INTERVAL = timedelta(hours=1)
"""Between two checks of a league whose server is unavailable."""

MIN_PLAYERS = 2

NONCE_LIFETIME = timedelta(minutes=1)
"""After this time Discord may have forgotten a nonce, and the job searches the channel for the message."""

MAX_NAMED = 20
"""Waiting players that the offer of a seat pings at most."""

OFF, END = "off", "end"
"""Marks of messages that a league posts once; the others are the numbers of its rounds."""

TOO_FEW_TEXT = "Fewer than two people signed up for the **{title}** league, so there’s no league this time."
NO_GAME_TEXT = Text("I no longer have this league’s game, so the league ends here.")
FEW_LEFT_TEXT = Text("Fewer than two people are left, so this league ends here.")
BLOCKED_TEXT = (
    "⚠️ I can’t set up the tables of the **{title}** league here: I need permission to send messages, attach files "
    "and open threads. A moderator can see what’s missing with `/server doctor`. I’ll keep trying; nothing is lost."
)


async def run(services: Services, job: Job) -> Job | None:
    """Do the next step of a league. Raises `DISCORD_ERRORS` if it may succeed later."""
    league = await services.store.leagues.find(job.seat)
    # written by `/league end` in the transaction that ends the league: a kill or an outage cannot lose the message
    if league is not None and job.user_id:
        if job.state.get("channel_gone"):
            await _report_deleted_channel(services, league, job)
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
        return job.at(now + NONCE_LIFETIME, awaited=True)  # `/league new` posts the sign-up
    # no request can succeed without the server; it may become unavailable while this runs
    if services.channels.server(league.guild_id) is None:
        return job.at(now + AWAY_INTERVAL)
    try:
        return await _next_step(services, league, _without_missing(job))
    except DISCORD_ERRORS as error:
        if not is_gone(error):
            await _report_obstacle(services, league, job, error)
            raise
        if not await services.channels.is_deleted(league.guild_id, league.channel_id):
            raise
        if later := recheck_later(job, now):
            return later
        await _end_without_channel(services, league)
        return None


def _without_missing(job: Job) -> Job:
    """The job of a league whose channel exists."""
    return dataclasses.replace(job, state={name: value for name, value in job.state.items() if name != "missing"})


async def _next_step(services: Services, league: League, job: Job) -> Job | None:
    season = await season_of(services.store, league)
    if league.status is LeagueStatus.SIGN_UP and services.clock.now() < league.closes_at:
        # `/league new` has not posted it within `NONCE_LIFETIME`
        await _post_sign_up(services, season)
        return job.at(league.closes_at)
    if league.status is LeagueStatus.SIGN_UP:
        return await _close_sign_up(services, season, job)
    now, last_check = services.clock.now(), job.state.get("looked")
    # without the members intent Discord does not report members that leave, and asking takes a request for each
    if last_check is None or now - datetime.fromisoformat(last_check) >= CHECK_INTERVAL:
        await _drop_absent(services, season)
        await refresh_sign_up(services, league.id)
        # stored before the next step, which may fail: another attempt does not ask for the members again
        return job.at(now, looked=now.isoformat())
    await _replace_dropped(services, season)
    for table in season.current:
        await _set_up(services, season, table)
    # read again: the tables have matches now, and some may be over
    season = await season_of(services.store, league)
    if not season.is_round_over:
        return job.at(now + CHECK_INTERVAL)
    return await _end_round(services, season, job)


# --- sign-up ---


async def _post_sign_up(services: Services, season: Season) -> None:
    """Post the sign-up, or find its message, after a crash before it was posted or recorded."""
    league = season.league
    message = await services.channels.find(league.channel_id, layouts.join.button(Text("Join"), league_id=league.id))
    message_id = (
        message.id if message else await services.channels.send(league.channel_id, partial(sign_up_layout, season))
    )
    await services.store.leagues.change(league.id, message_id=message_id)


async def _close_sign_up(services: Services, season: Season, job: Job) -> Job | None:
    league = season.league
    if len(season.active) < MIN_PLAYERS:
        await _call_off(services, league, Text(TOO_FEW_TEXT, title=title_of(league)))
        return None
    before = await services.store.leagues.before(league) if league.division_size else None
    # a league without groups has no promotion
    last = final_orders(await season_of(services.store, before)) if before else ()
    groups = groups_of([player.user_id for player in season.active], league.division_size, last)
    divisions = {user_id: n for n, group in enumerate(groups) for user_id in group}
    await services.store.leagues.divide(league.id, divisions)
    return await _plan(services, await season_of(services.store, league), job)


async def _call_off(services: Services, league: League, why: Text) -> None:
    """End a league before its first round, and post the reason in its channel."""
    # sent before it is stored: a repetition after a kill is the same message, by its nonce
    await services.channels.send(league.channel_id, partial(text_layout, why, str), nonce=_nonce(league, OFF))
    await services.store.leagues.change(league.id, status=LeagueStatus.CALLED_OFF)
    await refresh_sign_up(services, league.id)


async def _announce_end(services: Services, league: League, user_id: int) -> None:
    """Post in its channel, unless that was deleted, that a user has called the league off."""
    text = Text("{user} called off the **{title}** league.", title=title_of(league), user=mention(user_id))
    # the button by which the message is found again; a league without a round has no standings to open
    off = standings_control(league, OFF)
    buttons = [off] if league.round else []
    try:
        if not buttons or not await _is_posted(services, league, off):
            compose = partial(text_layout, text, str, *buttons)
            await services.channels.send(league.channel_id, compose, nonce=_nonce(league, OFF))
    except discord.HTTPException as error:
        if not is_gone(error) or not await services.channels.is_deleted(league.guild_id, league.channel_id):
            raise
    await refresh_sign_up(services, league.id)


async def end_leagues_in(services: Services, channel_id: int) -> None:
    """End the open leagues of a deleted channel."""
    for league in await services.store.leagues.open_under(channel_id):
        await _end_without_channel(services, league)


async def _end_without_channel(services: Services, league: League) -> None:
    """End a league whose channel was deleted; a job sends its host a message."""
    async with services.store.transaction():
        await services.store.leagues.change(league.id, status=LeagueStatus.CALLED_OFF)
        if league.host_id:
            now = services.clock.now()
            await services.store.leagues.announce_end(league, league.host_id, now, channel_gone=True)


async def _report_deleted_channel(services: Services, league: League, job: Job) -> None:
    text = Text("The channel of your **{title}** league was deleted, so it was called off.", title=title_of(league))
    compose = partial(text_layout, text, str)
    await _message_host(services, league, compose, f"league-{league.id}-gone", attempts=job.attempts)


async def _message_host(services: Services, league: League, compose: Compose, nonce: str, *, attempts: int) -> None:
    """Send the host of a league a message, unless it is refused for good.

    Raises `DISCORD_ERRORS` if it may succeed later.
    """
    if not league.host_id:
        return
    try:
        await services.channels.send_direct(league.host_id, compose, nonce=nonce)
    except DISCORD_ERRORS as error:
        if not is_final(error, attempts):
            raise
        _log.info("league %d: Discord refused a message to its host %d: %s", league.id, league.host_id, reason(error))


async def _report_obstacle(services: Services, league: League, job: Job, error: Exception) -> None:
    """Report once that the bot cannot go on: in the channel, or to the host of the league."""
    if verdict(error) in (Verdict.SOON, Verdict.LATER) or job.state.get("told"):
        return
    compose, nonce = partial(text_layout, Text(BLOCKED_TEXT, title=title_of(league)), str), f"league-{league.id}-stuck"
    try:
        await services.channels.send(league.channel_id, compose, nonce=nonce)
    except DISCORD_ERRORS:
        await _message_host(services, league, compose, nonce, attempts=job.attempts)
    await services.store.jobs.replace(job, job.at(job.due_at, told=True))


# --- a round ---


async def _plan(services: Services, season: Season, job: Job) -> Job | None:
    """Store the tables of the next round; the next run sets them up."""
    season = await _drop_absent(services, season)
    league, now = season.league, services.clock.now()
    users = await _players_not_barred(services, season)
    if league.game not in discover() or len(users) < MIN_PLAYERS:
        await _finish(services, season, FEW_LEFT_TEXT if league.game in discover() else NO_GAME_TEXT)
        return None
    planned, number = list[LeagueTable](), league.round + 1
    for division in season.divisions:
        group = [player.user_id for player in season.active if player.user_id in users and player.division == division]
        # the same tables if this runs again after a kill
        rounds, seed = season.rounds(division), f"{league.id}/{number}/{division}"
        apart = await services.store.blocks.pairs(group)
        pair = partial(tables_of, group, league.seats, rounds, swiss=league.swiss, seed=seed, apart=apart)
        # the search takes a second with two hundred people
        tables = await asyncio.to_thread(pair)
        planned += [
            LeagueTable(number, len(planned) + n, division, secrets.token_hex(32), seats)
            for n, seats in enumerate(tables, start=1)
        ]
    # an update may have changed the rules: this round follows the new ones
    spec = discover()[league.game]
    rules = {"rules_version": spec.rules_version, "options": starting_options(spec, league.options)}
    await services.store.leagues.plan(league.id, planned, now, round=number, status=LeagueStatus.PLAYING, **rules)
    await refresh_sign_up(services, league.id)
    # each round reports obstacles again
    return job.at(now, told=None, looked=now.isoformat())


async def _players_not_barred(services: Services, season: Season) -> frozenset[int]:
    """The players to be paired now, without those that moderators bar at the moment."""
    active, guild_id = {player.user_id for player in season.active}, season.league.guild_id
    return frozenset(active - (await services.store.bars.among(guild_id, active, services.clock.now())).keys())


async def _drop_absent(services: Services, season: Season) -> Season:
    """Drop players that have left the server or were late too often. Returns the new state of the league."""
    guild = services.channels.server(season.league.guild_id)
    if guild is None:
        raise ServerAway(f"server {season.league.guild_id} is away")
    active = {player.user_id for player in season.active}
    # a request for each: without the members intent, Discord sends no list of members
    here = await services.members.names(guild, active, asked_by=NOBODY, anew=True)
    late = {player.user_id for player in season.players if not player.dropped} - active
    await services.store.leagues.drop(season.league.id, (active - here.keys()) | late)
    return await season_of(services.store, season.league)


async def _replace_dropped(services: Services, season: Season) -> None:
    """Let computers take over the seats of players that left the league during a round."""
    dropped = {player.user_id for player in season.players if player.dropped}
    for pairing in season.current:
        table = await services.tables.find(pairing.match_id) if pairing.match_id is not None else None
        if table is None or table.row.status is not Status.RUNNING or table.problem:
            continue
        for user_id in dropped & set(table.people):
            # the match has ended meanwhile, or the code of its game fails
            with suppress(UserError), guarding(table):
                await _replace(services, table, user_id)
            with suppress(UserError), guarding(table):
                await _offer(services, table, await _players_without_seat(services, season, pairing))


async def _replace(services: Services, table: Table, user_id: int) -> None:
    seat = table.seat_of(user_id)
    assert seat is not None, "they are among the people of the table"
    text = Text("{who} has left the league; a computer takes over the seat.", who=table.person(seat))
    await services.seats.resign(table, user_id)
    await services.lobbies.hand_on(table)
    await go_on_without(services, table, text)


async def _players_without_seat(services: Services, season: Season, table: LeagueTable) -> list[int]:
    """The players of a table's group without a seat in its round, since they joined too late for it."""
    group = [player.user_id for player in season.active if player.division == table.division]
    seated = await services.store.leagues.matches_of(season.league.id, table.round, group)
    return [user_id for user_id in group if not seated[user_id]]


async def _offer(services: Services, table: Table, waiting: Sequence[int]) -> None:
    """Offer the seats of computers to waiting players that may join the table."""
    candidates = await reachable(services.store, table, waiting, services.clock.now())
    if not candidates or not table.is_open:
        return

    async def publish(compose: Compose) -> int:
        nonce = f"league-offer-{table.id}"
        return await services.channels.send(table.row.channel_id, compose, mentions=calling(candidates), nonce=nonce)

    # Discord pings only named users; the text also names blocked ones, without a ping
    text = Text("{users}: if you’re waiting for a table, you can play here.", users=_mentions(waiting))
    await put_on_offer(services, table, table.computers, publish, text)


def _mentions(user_ids: Sequence[int]) -> str:
    return ", ".join(map(mention, user_ids[:MAX_NAMED]))


async def _set_up(services: Services, season: Season, table: LeagueTable) -> None:
    """Set up a table of this round as far as it is missing: its message, its thread, its match, and the first board."""
    league = season.league
    if table.is_settled:
        return
    if table.thread_id is None:
        table = dataclasses.replace(table, thread_id=await _announce_table(services, league, table))
        await services.store.leagues.note_table(league.id, table, thread_id=table.thread_id or 0)
    assert table.thread_id is not None, "it was announced"
    existing = await services.tables.find(table.match_id) if table.match_id is not None else None
    match = existing or await _create_match(services, season, table, table.thread_id)
    # the other tables of the round do not wait for one whose game fails
    with suppress(GameFault), guarding(match):
        if match.problem:
            await _give_up(services, match)
        elif match.row.status is Status.LOBBY:
            await _begin(services, match, table.thread_id)


async def _announce_table(services: Services, league: League, table: LeagueTable) -> int:
    """Post or find the message of a table in the league's channel. Returns its id, also the id of its thread."""
    control, now = table_control(league, table), services.clock.now()
    # until then its nonce is enough, which saves a request for each table
    if league.begun_at is None or now - league.begun_at > NONCE_LIFETIME:
        message = await services.channels.find(league.channel_id, control)
        if message is not None:
            return message.id
    # Discord: a nonce has at most 25 characters
    nonce = f"lt-{league.id}-{table.round}-{table.number}"
    return await services.channels.send(league.channel_id, partial(table_layout, league, table), nonce=nonce)


async def _create_match(services: Services, season: Season, table: LeagueTable, message_id: int) -> Table:
    """Open the thread of a table, unless it exists, and create its match there."""
    league, players = season.league, {player.user_id: player for player in season.players}
    people = [players[user_id] for user_id in table.planned if user_id in players]
    name = thread_name(league, table, [player.name for player in people])
    thread_id = await services.channels.open_thread(league.guild_id, league.channel_id, message_id, name)
    await services.channels.add_members(thread_id, *(player.user_id for player in people))
    holders = [_holder(season, user_id) for user_id in table.planned]
    guild_settings, (pace, firm) = await services.servers.guild_settings(league.guild_id), all_paces()[league.pace]
    # one transaction: a kill in between would leave a match that its league does not know
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
            # players are ready by their sign-up
            ready=[holder.user_id for holder in holders if holder.user_id],
        )
        await services.store.leagues.note_table(league.id, table, match_id=match.id)
    return match


def _holder(season: Season, user_id: int | None) -> SeatHolder:
    """The holder of a seat: a player by their sign-up, or a computer, also in place of a forgotten player."""
    player = season.player(user_id) if user_id is not None else None
    if player is None:
        exists = season.league.computer in discover_players()
        return SeatHolder(computer=season.league.computer if exists else "fair")
    # in the proof, the sign-up replaces the tap to join a table (docs/luck.md)
    return SeatHolder(user_id=player.user_id, name=presentable(player.name), interaction_id=player.interaction_id)


async def _begin(services: Services, match: Table, thread_id: int) -> None:
    """Deal and post the first board; a match that cannot begin is called off, so that the round goes on."""
    try:
        # the thread replaces the interaction that starts a game (docs/luck.md)
        with guarding(match):
            await services.moves.start(match, thread_id)
    except (UserError, EngineError) as error:
        _log.warning("match %d of a league cannot begin: %s", match.id, error)
        await _give_up(services, match)
    else:
        with suppress(UserError):  # it was logged, and is retried
            await services.poster.deliver(match)


async def _give_up(services: Services, match: Table) -> None:
    """Call off a match that cannot go on: each of its players gets half a win."""
    with suppress(UserError):  # the match has ended meanwhile
        await services.seats.end(match, at=services.clock.now())
        text = Text("This table can’t go on, so it’s called off. In the league, it counts as half a win for everyone.")
        await services.channels.announce(match, text)


async def _end_round(services: Services, season: Season, job: Job) -> Job | None:
    """Post the standings of a finished round, once, and plan the next round when it is time."""
    league, now = season.league, services.clock.now()
    assert league.begun_at is not None, "a round has begun"
    if league.round >= league.rounds:
        await _finish(services, season, None)
        return None
    if league.shown < league.round:
        await _post_standings(services, season, str(league.round))
        await services.store.leagues.change(league.id, shown=league.round)
    due = league.begun_at + timedelta(days=league.gap)
    return job.at(due) if now < due else await _plan(services, season, job)


async def _post_standings(services: Services, season: Season, mark: str, why: Text | None = None) -> None:
    """Post the standings after a round, or at the `END`, once."""
    league = season.league
    control = results_control(league, mark)
    if await _is_posted(services, league, control):
        return
    layout, files = await round_layout(services, season, control, final=mark == END, why=why)
    # composed above, in the language of the server, like all messages of this job
    await services.channels.send(league.channel_id, lambda: layout, files=files, nonce=_nonce(league, mark))


async def _is_posted(services: Services, league: League, control: Control) -> bool:
    """Whether the message with a control is in the channel: after a crash, Discord may have forgotten its nonce."""
    return await services.channels.find(league.channel_id, control) is not None


def _nonce(league: League, mark: str) -> str:
    return f"league-{league.id}-{mark}"


async def _finish(services: Services, season: Season, why: Text | None) -> None:
    """End a league, and post its winners, or the reason of an early end."""
    league = season.league
    if why is not None and not league.round:
        await _call_off(services, league, why)
        return
    # posted with the status `OVER`, so that it names the winners, and stored afterwards
    over = dataclasses.replace(season, league=dataclasses.replace(league, status=LeagueStatus.OVER))
    await _post_standings(services, over, END, why)
    await services.store.leagues.change(league.id, status=LeagueStatus.OVER, shown=league.round)
    await refresh_sign_up(services, league.id)
