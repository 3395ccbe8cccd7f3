"""The standings of a league as pictures with alt texts: for one user, for everyone, and after each round.

Players that left the server, or want to be left out of tables, have no name there.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ui import LayoutView, TextDisplay

from bot.errors import UserError
from bot.features import groups
from bot.features.contrast import wants_contrast
from bot.features.handlers import Answer, Request, anywhere
from bot.features.leagues import layouts
from bot.features.leagues.layouts import decimals, points_explained, title_of
from bot.features.leagues.season import Season, season_of
from bot.features.leagues.sign_up import GONE_TEXT, league_of, leagues_here
from bot.features.leagues.standings import LeagueStanding, Played
from bot.features.named import suggest_games
from bot.features.services import Services
from bot.interactions.controls import MENU_ROWS, Control, Menu
from bot.interactions.kinds import InVersion
from bot.interactions.parts import Layout, card, layout, picture, row, stamp, words_layout
from bot.interactions.places import require_permissions
from bot.posting import board_layouts
from bot.posting.pictures import Drawn
from bot.store.jobs import NOBODY
from bot.store.leagues import LeagueStatus
from bot.tables.people import escaped, mention
from bot.tables.preferences import preferences_of
from engine.languages import reading
from engine.texts import Text, joined

if TYPE_CHECKING:
    from renders.cards import Card

MAX_LINES = 11
"""Players that fit into a picture; its text has all of them."""

MAX_PICTURES = 10
"""Discord's limit for the gallery of a message."""

MAX_NAMES = 50
"""Players whose names are requested: each takes a request, too long for two hundred."""

PODIUM_SIZE = 3
NOT_BEGUN_TEXT = Text("No games yet: they begin when sign-up ends.")


@groups.league.command("standings", "The standings of a league in this server")
@app_commands.rename(title="game")
@app_commands.describe(title="by default the newest league")
@app_commands.autocomplete(title=suggest_games)
async def show_here(request: Request, title: str = "") -> None:
    """Show the standings of a league in this server."""
    league = (await leagues_here(request, title))[0]
    await _show(request, await season_of(request.services.store, league))


@anywhere(board_layouts.standings, Answer.NEW)
async def show_standings(request: Request, league_id: InVersion[int], mark: str = "") -> None:
    """Show the standings: the button *Standings* below any message of a league."""
    await _show(request, await season_of(request.services.store, await league_of(request, league_id)))


@anywhere("leaguegroup")
async def show_division(request: Request, league_id: InVersion[int]) -> None:
    """Show another group, from the menu."""
    season = await season_of(request.services.store, await league_of(request, league_id))
    await _show(request, season, _division(season, request.value))


def _division(season: Season, text: str) -> int:
    """A group by its untrusted number. Raises `UserError` for an unknown one."""
    if not re.fullmatch(r"[0-9]{1,4}", text) or int(text) not in season.divisions:
        raise UserError(GONE_TEXT)
    return int(text)


async def _show(request: Request, season: Season, division: int | None = None) -> None:
    if not season.league.round:
        raise UserError(NOT_BEGUN_TEXT)
    if division is None:
        division = _own_division(season, request.user_id)
    contrast = await wants_contrast(request.services, request.user_id)
    image, names = await draw_standings(request.services, season, division, contrast=contrast, asked_by=request.user_id)
    league, text = season.league, str(division)
    buttons = (
        share.button(Text("Show to everyone"), league_id=league.id, group=text),
        show_words.button(Text("As text"), league_id=league.id, group=text),
    )
    rows = tuple((str(n), str(_group(n))) for n in season.divisions[:MENU_ROWS])
    menus = [row(Menu(show_division.id(league.id), rows, chosen=text))] if len(rows) > 1 else []
    points = TextDisplay[LayoutView](_how_points_count(season, [division], names))
    items = (picture(image.filename, image.alt), points, *menus, row(*buttons))
    await request.response.show(layout(*items), [image.file()])


@anywhere("leaguewords", Answer.NEW)
async def show_words(request: Request, league_id: InVersion[int], group: str) -> None:
    """Show the standings as text: the button *As text*."""
    season = await season_of(request.services.store, await league_of(request, league_id))
    await _show_words(request, season, _division(season, group))


@anywhere(layouts.show_results, Answer.NEW)
async def show_results(request: Request, league_id: InVersion[int], mark: str = "") -> None:
    """*As text*, below the picture after a round: the group of this user, else the first one."""
    season = await season_of(request.services.store, await league_of(request, league_id))
    await _show_words(request, season, _own_division(season, request.user_id))


async def _show_words(request: Request, season: Season, division: int) -> None:
    names = await names_in(request.services, season, division, asked_by=request.user_id)
    words = _words(season, division, names, plain=False)
    await request.response.show(words_layout(f"{words}\n{_how_points_count(season, [division], names)}"))


def _own_division(season: Season, user_id: int) -> int:
    """The group of a user, else the first one."""
    own = season.player(user_id)
    return own.division if own else 0


@anywhere("leagueshare", Answer.NEW)
async def share(request: Request, league_id: InVersion[int], group: str) -> None:
    """Post the standings in the channel: the button *Show to everyone*."""
    interaction = request.response.interaction
    season = await season_of(request.services.store, await league_of(request, league_id))
    division = _division(season, group)
    require_permissions(interaction)
    with request.services.limits.shares.one(request.user_id):
        servers, channel_id, nonce = request.services.servers, interaction.channel_id or 0, str(interaction.id)
        contrast = await servers.contrast_at(season.league.guild_id, channel_id)
        # in the language of the channel, not of this user
        with reading(await servers.language_at(channel_id)):
            image, names = await draw_standings(
                request.services, season, division, contrast=contrast, asked_by=request.user_id
            )
            points = _how_points_count(season, [division], names)
        compose = partial(_shared_layout, image, points, request.user_id)
        await request.services.channels.send(channel_id, compose, files=[image.file()], nonce=nonce)
        await request.response.show_text(Text("Everyone in this channel can see it now."))


TIES_EXPLAINED = Text("-# Ties on points are broken by head-to-head results, then by the strength of opponents.")
BYES_EXPLAINED = Text(
    "-# A table with only computers counts as the average of your other tables, or as half a point if you have none."
)
"""Places and points that the results do not explain (docs/leagues.md)."""

MAX_TIES = 3
"""Pairs with equal points whose order is explained by name; with more of them, the rule is enough."""


def _how_points_count(season: Season, divisions: Sequence[int], names: Mapping[int, str]) -> str:
    """The scoring of a table, and the tie-breakers that decided between equal points in these groups."""
    has_byes = any(table.is_settled and sum(map(bool, table.planned)) == 1 for table in season.tables)
    byes = [BYES_EXPLAINED] if has_byes else []
    return "\n".join(map(str, (points_explained(season), *byes, *_ties(season, divisions, names))))


def _ties(season: Season, divisions: Sequence[int], names: Mapping[int, str]) -> list[Text]:
    """Why players with equal points have different places."""
    neighbors = [pair for division in divisions for pair in pairwise(season.standings(division))]
    # without points, a place is nothing to explain
    decided = [pair for pair in neighbors if pair[0].points == pair[1].points > 0 and pair[0].place != pair[1].place]
    return [TIES_EXPLAINED] if len(decided) > MAX_TIES else [_tie(*pair, names) for pair in decided]


def _tie(one: LeagueStanding, other: LeagueStanding, names: Mapping[int, str]) -> Text:
    first, second = (escaped(names[each.user_id]) for each in (one, other))
    if one.direct > other.direct:
        text = "-# {first} is ahead of {second}: same points, but better head-to-head results."
        return Text(text, first=first, second=second)
    more, less = decimals(one.opposition), decimals(other.opposition)
    text = "-# {first} is ahead of {second}: same points, but stronger opponents ({more} to {less} points a game)."
    return Text(text, first=first, second=second, more=more, less=less)


def _shared_layout(image: Drawn, points: str, user_id: int) -> Layout:
    by = Text("-# Shown by {user}.", user=mention(user_id))
    lines = TextDisplay[LayoutView](f"{points}\n{by}")
    return layout(card(picture(image.filename, image.alt), lines))


# --- after a round ---


async def round_layout(
    services: Services, season: Season, control: Control, *, final: bool, why: Text | None = None
) -> tuple[Layout, list[discord.File]]:
    """The message after a round, or at the end: a picture for each group, up to `MAX_PICTURES`.

    `why` is the reason of an early end.
    """
    league = season.league
    contrast = await services.servers.contrast_at(league.guild_id, league.channel_id)
    images = [await draw_standings(services, season, n, contrast=contrast) for n in season.divisions[:MAX_PICTURES]]
    text = Text(
        "**{title}**: round {round} of {rounds} is over.",
        title=title_of(league),
        round=league.round,
        rounds=league.rounds,
    )
    if final:
        text = ended_text(season, [names for _, names in images], why)
    names = {user_id: name for _, of_group in images for user_id, name in of_group.items()}
    text = joined([text, *_results(season, names), *([] if final else _next_round(season, services))], "\n")
    # Discord: 1,024 characters for the description of a picture
    gallery = discord.ui.MediaGallery[discord.ui.LayoutView](
        *(
            discord.MediaGalleryItem(f"attachment://{image.filename}", description=image.alt[:1024])
            for image, _ in images
        )
    )
    points = TextDisplay[LayoutView](_how_points_count(season, season.divisions[:MAX_PICTURES], names))
    container = card(TextDisplay(str(text)), gallery, points, row(control))
    return layout(container), [image.file() for image, _ in images]


MAX_RESULTS = 8
"""Tables whose results are listed after a round; with more of them, only the standings are shown."""


def _results(season: Season, names: Mapping[int, str]) -> list[Text]:
    """The points at each table of the newest round, a line a table."""
    tables = season.current
    if len(tables) > MAX_RESULTS:
        return []
    lines = [_result(season.result_of(table), names) for table in tables]
    return [
        Text("-# Round {n}, table {number}: {result}", n=table.round, number=table.number, result=line)
        for table, line in zip(tables, lines, strict=True)
        if line
    ]


def _result(table: Played, names: Mapping[int, str]) -> str:
    """The players of a table with their points, best first."""
    points = sorted(table.points().items(), key=lambda pair: pair[1], reverse=True)
    named = [f"{escaped(names[user_id])} {decimals(share)}" for user_id, share in points if user_id in names]
    byes = [
        Text("{name}, with computers only", name=escaped(names[user_id])) for user_id in table.byes if user_id in names
    ]
    return " · ".join([*named, *map(str, byes)])


def _next_round(season: Season, services: Services) -> list[Text]:
    """When the next round begins, unless that is at once."""
    league = season.league
    if not league.gap or league.begun_at is None:
        return []
    due = league.begun_at + timedelta(days=league.gap)
    when = Text("Round {n} begins {when}.", n=league.round + 1, when=stamp(due, "R"))
    return [when] if due > services.clock.now() else []


def ended_text(season: Season, names: Sequence[Mapping[int, str]], why: Text | None) -> Text:
    """The winners of each group; with several groups, also promotion and relegation in the next season."""
    lines = [
        str(Text("### The {title} League is over", title=title_of(season.league))),
        *([str(why)] if why else []),
    ]
    # only groups with a picture have names here
    for division, group_names in zip(season.divisions, names, strict=False):
        order = season.standings(division)
        winners = " & ".join(_bold(group_names[standing.user_id]) for standing in order if standing.place == 1)
        group = f"{_group(division)}: " if len(season.divisions) > 1 else ""
        won = Text("{group}👑 {winners}", group=group, winners=winners)
        nobody = NO_POINTS_TEXT if any(standing.tables for standing in order) else NO_WINNER_TEXT
        lines.append(str(won if _is_won(order) else Text("{group}{nobody}", group=group, nobody=nobody)))
        # as in `pairing.groups_of`: a player alone in a group stays there
        if division > season.divisions[0] and len(order) > 1:
            lines.append(
                str(Text("-# ⬆ {name} moves up one group next season.", name=_bold(group_names[order[0].user_id])))
            )
        if division < season.divisions[-1] and len(order) > 1:
            lines.append(str(Text("-# ⬇ {name} moves down one group.", name=_bold(group_names[order[-1].user_id]))))
    return Text("{lines}", lines="\n".join(lines))


NO_WINNER_TEXT = Text("Nobody wins: no game was finished.")


NO_POINTS_TEXT = Text("Nobody wins: nobody has any points.")


def _is_won(order: Sequence[LeagueStanding]) -> bool:
    """Whether a player has points: a first place without any gets no crown."""
    return any(standing.points for standing in order)


def _bold(name: str) -> str:
    return f"**{escaped(name)}**"


def _group(division: int) -> Text:
    return Text("Group {letter}", letter=chr(ord("A") + division) if division < 26 else division + 1)


# --- the picture ---


async def draw_standings(
    services: Services, season: Season, division: int, *, contrast: bool, asked_by: int = NOBODY
) -> tuple[Drawn, dict[int, str]]:
    """The picture of a group, and the names of its players by user id."""
    names = await names_in(services, season, division, asked_by=asked_by)
    alt = _words(season, division, names, plain=True)
    card = partial(_card, season, division, names)
    return await services.pictures.draw_card(card, f"league-{division + 1}", alt, contrast=contrast), names


async def names_in(services: Services, season: Season, division: int, *, asked_by: int) -> dict[int, str]:
    """The names of the players of a group, for one user. Raises `DISCORD_ERRORS` if their membership is unknown."""
    users = [player.user_id for player in season.players if player.division == division]
    guild, settings = services.channels.server(season.league.guild_id), services.store.settings
    listed = {user_id for user_id in users if not (await preferences_of(settings, user_id)).unlisted}
    # in a thread, and cached from then on: two hundred players take some hundredths of a second
    order = await asyncio.to_thread(season.standings, division)
    # only the best: the picture shows no more names
    first = [standing.user_id for standing in order if standing.user_id in listed][:MAX_NAMES]
    names = await services.members.names(guild, first, asked_by=asked_by) if guild else {}
    somebody = str(Text("somebody"))
    return {user_id: names.get(user_id) or somebody for user_id in users}


def _heading(season: Season, division: int) -> str:
    group = Text(", {group}", group=_group(division)) if len(season.divisions) > 1 else ""
    return str(Text("{title}{group}", title=title_of(season.league), group=group))


def _progress(season: Season) -> Text:
    """How much of the league the standings contain."""
    league = season.league
    if league.status is LeagueStatus.OVER:
        return Text("final standings")
    template = "after round {n} of {rounds}" if season.is_round_over else "round {n} of {rounds} in progress"
    return Text(template, n=league.round, rounds=league.rounds)


ESCAPED_DOT = "\\."


def _plural_count(points: Fraction) -> int:
    """An integer with the same plural form as fractional points: “0.5 points”, “1,5 point”."""
    return int(points) if points.denominator == 1 or points > 2 else 0


def _card(season: Season, division: int, names: Mapping[int, str]) -> Card:
    from renders.cards import Card, Line  # loaded with the first picture, to start faster

    order = season.standings(division)
    over = season.league.status is LeagueStatus.OVER
    won = [standing for standing in order[:PODIUM_SIZE] if standing.points] if over else []
    podium = tuple((standing.place, names[standing.user_id], decimals(standing.points)) for standing in won)
    lines = tuple(
        Line(names[standing.user_id], (decimals(standing.points), str(standing.tables)), place=standing.place)
        for standing in order
    )
    # the podium takes the height of five lines
    room = MAX_LINES - 5 if podium else MAX_LINES
    columns = (str(Text("points")), str(Text("games")))
    title, caption = _heading(season, division), str(_progress(season))
    return Card(title, columns, lines[:room], numbered=True, podium=podium, caption=caption)


def _words(season: Season, division: int, names: Mapping[int, str], *, plain: bool) -> str:
    """The standings of a group as text: `plain` for the description of a picture, else in Markdown."""
    title = str(Text("{heading} – {progress}", heading=_heading(season, division), progress=_progress(season)))
    lines = [title if plain else f"### {title}"]
    for standing in season.standings(division):
        name = names[standing.user_id] if plain else _bold(names[standing.user_id])
        result = Text(
            "{points} {count:point|points}, {games} {games:game|games}",
            points=decimals(standing.points),
            count=_plural_count(standing.points),
            games=standing.tables,
        )
        # escaped, since Discord renumbers list items, and players may share a place
        lines.append(f"{standing.place}{'.' if plain else ESCAPED_DOT} {name} – {result}")
    return "\n".join(lines)
