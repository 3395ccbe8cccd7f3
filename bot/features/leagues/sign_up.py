"""Handlers to join, leave, begin and call off a league."""

from __future__ import annotations

from functools import partial

from discord import app_commands

from bot.errors import UserError
from bot.features.dispatcher import channel_of
from bot.features.groups import league
from bot.features.handlers import Answer, Request, anywhere
from bot.features.leagues import layouts
from bot.features.leagues.layouts import sign_up_layout, title_of
from bot.features.leagues.season import Season, season_of
from bot.features.named import game_named, suggest_games
from bot.features.services import Services
from bot.interactions.calendar_files import CalendarEvent, calendar_answer
from bot.interactions.kinds import InVersion
from bot.interactions.places import is_moderator
from bot.interactions.responses import together
from bot.store.leagues import MAX_TIMES_HELD, League, LeaguePlayer, LeagueStatus
from bot.store.shard_range import NO_SERVER
from bot.tables.company import require_not_barred
from bot.tables.people import mention, presentable
from bot.tables.rating_cost import forfeit_warning, with_warning
from bot.tables.table import Table
from engine.texts import Text

NO_LEAGUE_TEXT = Text("There’s no league in this server at the moment. A moderator can set one up with `/league new`.")
GONE_TEXT = Text("I can’t find that league here anymore.")
NOT_IN_TEXT = Text("You’re not in this league. To join, tap **Join** under its sign-up message.")
TOO_OFTEN_LATE_TEXT = "Computers had to take over your seat {most} times in this league, so you can’t rejoin it."


# --- the buttons of the sign-up ---


@anywhere(layouts.calendar, Answer.NEW)
async def calendar(request: Request, league_id: InVersion[int]) -> None:
    """*Calendar*: a file with the beginning of the first round."""
    league, interaction = await league_of(request, league_id), request.response.interaction
    if league.status is not LeagueStatus.SIGN_UP:
        raise UserError(Text("Sign-up for this league is over."))
    title = str(Text("{title} League, round {round}", title=title_of(league), round=1))
    # stable, so that a later file replaces this one
    uid = f"{league.id}.{interaction.application_id}@leagues.caravanserai"
    link = f"https://discord.com/channels/{league.guild_id}/{league.channel_id}"
    event = CalendarEvent(uid, title, league.closes_at, f"{link}/{league.message_id}" if league.message_id else link)
    await request.response.show(*calendar_answer(event, request.services.clock.now()))


async def league_of(request: Request, league_id: int) -> League:
    """The league of an untrusted control id. Raises `UserError` for one of another server."""
    league = await request.services.store.leagues.find(league_id)
    if league is None or league.guild_id != request.response.interaction.guild_id:
        raise UserError(GONE_TEXT)
    return league


def _require_open(league: League) -> None:
    if not league.is_open:
        over = league.status is LeagueStatus.OVER
        raise UserError(Text("This league is over.") if over else Text("This league was called off."))


def _require_in_charge(request: Request, league: League) -> None:
    if request.user_id != league.host_id and not is_moderator(request.response.interaction):
        host = mention(league.host_id)
        raise UserError(Text("Only {host}, who set up this league, or a moderator can do that.", host=host))


@anywhere(layouts.join, Answer.IN_PLACE)
async def join(request: Request, league_id: InVersion[int]) -> None:
    """Join a league."""
    league, services, user = await league_of(request, league_id), request.services, request.response.interaction.user
    _require_open(league)
    if not league.takes_more:
        raise UserError(Text("The last round of this league has begun, so nobody can join anymore."))
    await require_not_barred(services.store, league.guild_id, user.id, services.clock.now())
    season = await season_of(services.store, league)
    # read here: after *Forget me* the user is not among the players of the season
    if (await services.store.leagues.times_held(league.id, [user.id])).get(user.id, 0) >= MAX_TIMES_HELD:
        raise UserError(Text(TOO_OFTEN_LATE_TEXT, most=MAX_TIMES_HELD))
    # a late player starts in the lowest group
    last = max(season.divisions, default=0)
    player = LeaguePlayer(user.id, request.response.interaction.id, presentable(user.display_name), last)
    await services.store.leagues.sign_up(league.id, player)
    request.response.already_done = Text("You’re in.")
    await _refresh(request, league, request.response.already_done)


@anywhere(layouts.leave, Answer.IN_PLACE, confirmed="leaguegone")
async def leave(request: Request, league_id: InVersion[int]) -> None:
    """Leave a league: at once before the first round, later after confirmation. The league's job frees the seat."""
    league, services = await league_of(request, league_id), request.services
    await _require_in(request, league)
    # before the first round the standings have no place for them
    if league.status is LeagueStatus.SIGN_UP and not request.is_confirmed:
        await services.store.leagues.delete_player(league.id, request.user_id)
        request.response.already_done = Text("You’re out of the league.")
        await _refresh(request, league, request.response.already_done)
        return
    await request.confirm(partial(_question_of_leaving, request, league), Text("Leave the league"))
    async with services.store.transaction():
        await services.store.leagues.drop(league.id, [request.user_id])
        # due now: the next check of the round may be a day away
        job = await services.store.leagues.make_due(league, services.clock.now())
    services.worker.retry_for_user(job)
    request.response.already_done = Text("You’ve left the league. Thanks for playing.")
    await together(request.response.show_text(request.response.already_done), refresh_sign_up(services, league.id))


async def _question_of_leaving(request: Request, league: League) -> Text:
    table = await _current_table(request, league)
    if table is None:
        template = "Leave the {title} league? You won’t be paired anymore. You keep the points you have."
        return Text(template, title=title_of(league))
    question = Text(
        "Leave the {title} league? A computer takes over your seat in the current round. You won’t be paired anymore. "
        "You keep the points you have.",
        title=title_of(league),
    )
    return with_warning(question, await forfeit_warning(request.services.store, table, request.user_id))


async def _current_table(request: Request, league: League) -> Table | None:
    """The table of the current round where the user plays, if there is one."""
    season = await season_of(request.services.store, league)
    for table in season.current:
        if request.user_id in table.holders and not table.is_settled and table.match_id is not None:
            return await request.services.tables.find(table.match_id)
    return None


async def _require_in(request: Request, league: League) -> None:
    _require_open(league)
    season = await season_of(request.services.store, league)
    player = season.player(request.user_id)
    if player is None or player.dropped:
        raise UserError(NOT_IN_TEXT)


@anywhere(layouts.begin_now, Answer.IN_PLACE)
async def begin_now(request: Request, league_id: InVersion[int]) -> None:
    """End the sign-up at once."""
    league, services = await league_of(request, league_id), request.services
    _require_in_charge(request, league)
    _require_open(league)
    if league.status is not LeagueStatus.SIGN_UP:
        raise UserError(Text("The league has already begun."))
    if len((await season_of(services.store, league)).active) < 2:
        raise UserError(Text("At least two people have to sign up first."))
    async with services.store.transaction():
        await services.store.leagues.change(league.id, closes_at=services.clock.now())
        job = await services.store.leagues.make_due(league, services.clock.now())
    services.worker.retry_for_user(job)
    request.response.already_done = Text("Sign-up is over; I’m setting up the tables now.")
    # the sign-up stays as it is: the job updates it once the round is planned
    await request.response.say(request.response.already_done)


async def _refresh(request: Request, league: League, summary: Text) -> None:
    """Update the sign-up: in place if its button was tapped, else together with the answer `summary`."""
    message = request.response.interaction.message
    if message is not None and league.message_id in (None, message.id):
        async with request.services.channels.editing(message.id):
            await request.response.show(sign_up_layout(await _season_now(request.services, league)))
        return
    await together(request.response.say(summary), refresh_sign_up(request.services, league.id))


async def refresh_sign_up(services: Services, league_id: int) -> None:
    """Update the message of the sign-up, if it still exists."""
    league = await services.store.leagues.find(league_id)
    if league is None or league.message_id is None:
        return
    async with services.channels.editing(league.message_id):
        compose = partial(sign_up_layout, await _season_now(services, league))
        await services.channels.refresh(league.channel_id, league.message_id, compose)


async def _season_now(services: Services, league: League) -> Season:
    """The season of a league, which is read again: others may have changed it."""
    return await season_of(services.store, await services.store.leagues.find(league.id) or league)


# --- the commands ---


async def leagues_here(request: Request, title: str) -> list[League]:
    """The leagues of this server, or only those of the game `title`, open ones first. Raises `UserError` for none."""
    slug = game_named(title).slug if title else ""
    channel_of(request.response.interaction)
    leagues = await request.services.store.leagues.of_server(request.response.interaction.guild_id or NO_SERVER)
    matches = [league for league in leagues if not slug or league.game == slug]
    if not matches:
        raise UserError(NO_LEAGUE_TEXT)
    # the store returns the newest first, and the sort is stable
    return sorted(matches, key=lambda league: not league.is_open)


@league.command("leave", "Leave a league that you are in")
@app_commands.rename(title="game")
@app_commands.describe(title="by default the newest league that you are in")
@app_commands.autocomplete(title=suggest_games)
async def leave_here(request: Request, title: str = "") -> None:
    """Leave the newest league in which the user plays."""
    for own in await leagues_here(request, title):
        player = (await season_of(request.services.store, own)).player(request.user_id)
        if own.is_open and player is not None and not player.dropped:
            await leave(request, own.id)
            return
    raise UserError(NOT_IN_TEXT)


@league.command("end", "Call off a league (its host or a moderator)")
@app_commands.rename(title="game")
@app_commands.describe(title="by default the newest league")
@app_commands.autocomplete(title=suggest_games)
async def end_here(request: Request, title: str = "") -> None:
    """Call off a league of this server."""
    await end(request, (await leagues_here(request, title))[0].id)


@anywhere("leagueend", confirmed="leagueend")
async def end(request: Request, league_id: InVersion[int]) -> None:
    """Call off a league, after confirmation."""
    league, services = await league_of(request, league_id), request.services
    _require_in_charge(request, league)
    _require_open(league)
    question = Text(
        "Call off the {title} league? Games in progress can still be finished, but there will be no winner.",
        title=title_of(league),
    )
    await request.confirm(question, Text("Call it off"))
    async with services.store.transaction():
        await services.store.leagues.change(league.id, status=LeagueStatus.CALLED_OFF)
        await services.store.leagues.announce_end(league, request.user_id, services.clock.now())
    request.response.already_done = Text("The league is called off.")
    await request.response.show_text(request.response.already_done)
