"""The standings of a league as pictures with their words: to one person, to everyone, and after each round.

Nobody reads the name of a person who has left the server, or who wants to be left out of tables: they are somebody.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ui import Container, TextDisplay

from bot import groups
from bot.errors import UserError
from bot.handlers import Answer, Request, anywhere
from bot.interactions.controls import MENU_ROWS, Control, Menu
from bot.interactions.kinds import InVersion
from bot.interactions.parts import GOLD, Layout, layout, picture, row, words_layout
from bot.interactions.places import require_permissions
from bot.leagues import layouts
from bot.leagues.layouts import title_of
from bot.leagues.season import Season, season_of
from bot.leagues.sign_up import GONE, league_of, leagues_here
from bot.leagues.standings import LeagueStanding
from bot.posting.pictures import Drawn
from bot.services import Services
from bot.store.jobs import NOBODY
from bot.store.leagues import LeagueStatus
from bot.tables.people import escaped, mention
from bot.tables.preferences import preferences_of
from bot.view.contrast import wants_contrast
from bot.view.named import suggest_games
from engine.languages import language, reading
from engine.texts import Text

if TYPE_CHECKING:
    from renders.cards import Card

MOST = 11
"""People that a picture has room for; the words have all of them."""

MOST_PICTURES = 10
"""Of one message: Discord shows no more in a gallery."""

NAMED = 50
"""Most people whose names are asked for: Discord is asked for each, which would take long for two hundred."""

WINNERS = 3
NOT_BEGUN = Text("No games yet: sign-up has to end first.")


@groups.league.command("standings", "The standings of a league in this server")
@app_commands.rename(title="game")
@app_commands.describe(title="by default the newest league")
@app_commands.autocomplete(title=suggest_games)
async def show_here(request: Request, title: str = "") -> None:
    """`/league standings`."""
    league = (await leagues_here(request, title))[0]
    await _show(request, await season_of(request.services.store, league))


@anywhere(layouts.show_standings, Answer.NEW)
async def show_standings(request: Request, league_id: InVersion[int], mark: str = "") -> None:
    """*Standings*, below anything of a league."""
    await _show(request, await season_of(request.services.store, await league_of(request, league_id)))


@anywhere("leaguegroup")
async def show_division(request: Request, league_id: InVersion[int]) -> None:
    """Another group was chosen."""
    season = await season_of(request.services.store, await league_of(request, league_id))
    await _show(request, season, _division(season, request.value))


def _division(season: Season, text: str) -> int:
    """A group by its number, which comes from outside."""
    if not re.fullmatch(r"[0-9]{1,4}", text) or int(text) not in season.divisions:
        raise UserError(GONE)
    return int(text)


async def _show(request: Request, season: Season, division: int | None = None) -> None:
    if not season.league.round:
        raise UserError(NOT_BEGUN)
    own = season.player(request.user_id)
    shown = division if division is not None else own.division if own else 0
    contrast = await wants_contrast(request.services, request.user_id)
    drawn, _ = await drawn_standings(request.services, season, shown, contrast=contrast, asked_by=request.user_id)
    league, text = season.league, str(shown)
    ways = (
        share.button(Text("Show to everyone"), league_id=league.id, group=text),
        show_words.button(Text("As text"), league_id=league.id, group=text),
    )
    rows = tuple((str(n), str(_group(n))) for n in season.divisions[:MENU_ROWS])
    menus = [row(Menu(show_division.id(league.id), rows, chosen=text))] if len(rows) > 1 else []
    await request.response.show(layout(picture(drawn.filename, drawn.alt), *menus, row(*ways)), [drawn.file()])


@anywhere("leaguewords", Answer.NEW)
async def show_words(request: Request, league_id: InVersion[int], group: str) -> None:
    """*As text*."""
    season = await season_of(request.services.store, await league_of(request, league_id))
    division = _division(season, group)
    names = await names_in(request.services, season, division, asked_by=request.user_id)
    await request.response.show(words_layout(_words(season, division, names, plain=False)))


@anywhere("leagueshare", Answer.NEW)
async def share(request: Request, league_id: InVersion[int], group: str) -> None:
    """*Show everyone*: the same in the channel."""
    interaction = request.response.interaction
    season = await season_of(request.services.store, await league_of(request, league_id))
    division = _division(season, group)
    require_permissions(interaction)
    with request.services.limits.shares.one(request.user_id):
        servers, channel_id, nonce = request.services.servers, interaction.channel_id or 0, str(interaction.id)
        contrast = await servers.contrast_at(season.league.guild_id, channel_id)
        # everybody reads it, so not in the language of this user
        with reading(await servers.language_at(channel_id)):
            drawn, _ = await drawn_standings(
                request.services, season, division, contrast=contrast, asked_by=request.user_id
            )
        compose = partial(_shared_layout, drawn, request.user_id)
        await request.services.channels.send(channel_id, compose, files=[drawn.file()], nonce=nonce)
        await request.response.show_text(Text("Everyone in this channel can see it now."))


def _shared_layout(drawn: Drawn, user_id: int) -> Layout:
    by = Text("-# Shown by {user}.", user=mention(user_id))
    return layout(Container(picture(drawn.filename, drawn.alt), TextDisplay(str(by)), accent_color=GOLD))


# --- after a round ---


async def round_layout(
    services: Services, season: Season, control: Control, *, final: bool, why: Text | None = None
) -> tuple[Layout, list[discord.File]]:
    """What is posted after a round, or at the end: a picture for each group, as many as a message holds.

    `why` is said of an end that comes early.
    """
    league = season.league
    contrast = await services.servers.contrast_at(league.guild_id, league.channel_id)
    shown = [await drawn_standings(services, season, n, contrast=contrast) for n in season.divisions[:MOST_PICTURES]]
    told = Text(
        "**{title}**: round {round} of {rounds} is over.",
        title=title_of(league),
        round=league.round,
        rounds=league.rounds,
    )
    if final:
        told = ended_text(season, [names for _, names in shown], why)
    # Discord: 1,024 characters for the description of a picture
    gallery = discord.ui.MediaGallery[discord.ui.LayoutView](
        *(discord.MediaGalleryItem(f"attachment://{one.filename}", description=one.alt[:1024]) for one, _ in shown)
    )
    container = Container(TextDisplay(str(told)), gallery, row(control), accent_color=GOLD)
    return layout(container), [one.file() for one, _ in shown]


def ended_text(season: Season, names: Sequence[Mapping[int, str]], why: Text | None) -> Text:
    """Who has won, in each group; with several groups, who goes up and down in the next season."""
    lines = [
        str(Text("### The {title} League is over", title=title_of(season.league))),
        *([str(why)] if why else []),
    ]
    # only the groups that have a picture have names here
    for division, called in zip(season.divisions, names, strict=False):
        order = season.standings(division)
        winners = " & ".join(_bold(called[one.user_id]) for one in order if one.place == 1)
        group = f"{_group(division)}: " if len(season.divisions) > 1 else ""
        won = Text("{group}👑 {winners}", group=group, winners=winners)
        nobody = NO_POINTS if any(one.tables for one in order) else NOBODY_WON
        lines.append(str(won if _is_won(order) else Text("{group}{nobody}", group=group, nobody=nobody)))
        # as `pairing.groups_of` moves them: one who is alone in a group stays
        if division > season.divisions[0] and len(order) > 1:
            lines.append(str(Text("-# ⬆ {name} moves up one group next season.", name=_bold(called[order[0].user_id]))))
        if division < season.divisions[-1] and len(order) > 1:
            lines.append(str(Text("-# ⬇ {name} moves down one group.", name=_bold(called[order[-1].user_id]))))
    return Text("{lines}", lines="\n".join(lines))


NOBODY_WON = Text("Nobody wins: no game was finished.")


NO_POINTS = Text("Nobody wins: nobody has any points.")


def _is_won(order: Sequence[LeagueStanding]) -> bool:
    """Whether a player has points: without any, the first place is not worth a crown."""
    return any(one.points for one in order)


def _bold(name: str) -> str:
    return f"**{escaped(name)}**"


def _group(division: int) -> Text:
    return Text("Group {letter}", letter=chr(ord("A") + division) if division < 26 else division + 1)


# --- the picture ---


async def drawn_standings(
    services: Services, season: Season, division: int, *, contrast: bool, asked_by: int = NOBODY
) -> tuple[Drawn, dict[int, str]]:
    """The picture of a group, and what its people are called."""
    names = await names_in(services, season, division, asked_by=asked_by)
    alt = _words(season, division, names, plain=True)
    card = partial(_card, season, division, names)
    return await services.pictures.draw_card(card, f"league-{division + 1}", alt, contrast=contrast), names


async def names_in(services: Services, season: Season, division: int, *, asked_by: int) -> dict[int, str]:
    """The names of the people of a group, for one user. Raises `TROUBLE` if their membership is not known."""
    users = [player.user_id for player in season.players if player.division == division]
    guild, settings = services.channels.server(season.league.guild_id), services.store.settings
    listed = {user_id for user_id in users if not (await preferences_of(settings, user_id)).unlisted}
    # computed here, beside the event loop, and known from then on: two hundred players take some hundredths of a second
    order = await asyncio.to_thread(season.standings, division)
    # the best of them: names are for the picture, which has no room for more
    first = [one.user_id for one in order if one.user_id in listed][:NAMED]
    names = await services.members.names(guild, first, asked_by=asked_by) if guild else {}
    somebody = str(Text("somebody"))
    return {user_id: names.get(user_id) or somebody for user_id in users}


def _heading(season: Season, division: int) -> str:
    group = Text(", {group}", group=_group(division)) if len(season.divisions) > 1 else ""
    return str(Text("{title}{group}", title=title_of(season.league), group=group))


def points_words(one: LeagueStanding) -> str:
    """Points with as many decimals as they need, two at most."""
    return language().decimals(f"{float(one.points):.2f}".rstrip("0").rstrip("."))


ESCAPED_DOT = "\\."


def _plural_count(points: Fraction) -> int:
    """A whole number with the plural form of points, of which there may be a half: “0.5 points”, “1,5 point”."""
    return int(points) if points.denominator == 1 or points > 2 else 0


def _card(season: Season, division: int, names: Mapping[int, str]) -> Card:
    from renders.cards import Card, Line  # the first picture can load it

    order = season.standings(division)
    over = season.league.status is LeagueStatus.OVER
    won = [one for one in order[:WINNERS] if one.points] if over else []
    podium = tuple((one.place, names[one.user_id], points_words(one)) for one in won)
    lines = tuple(Line(names[one.user_id], (points_words(one), str(one.tables)), place=one.place) for one in order)
    # the podium is as high as five lines
    room = MOST - 5 if podium else MOST
    columns = (str(Text("points")), str(Text("tables")))
    return Card(_heading(season, division), columns, lines[:room], numbered=True, podium=podium)


def _words(season: Season, division: int, names: Mapping[int, str], *, plain: bool) -> str:
    """The standings of a group in words, `plain` for the description of a picture, else with Markdown."""
    league = season.league
    lines = [f"{_heading(season, division)} – round {league.round} of {league.rounds}"]
    lines = lines if plain else [f"### {lines[0]}"]
    for one in season.standings(division):
        name = names[one.user_id] if plain else _bold(names[one.user_id])
        result = Text(
            "{points} {count:point|points}, {tables} {tables:table|tables}",
            points=points_words(one),
            count=_plural_count(one.points),
            tables=one.tables,
        )
        # escaped, since Discord numbers the lines of a list anew, and several players may share a place
        lines.append(f"{one.place}{'.' if plain else ESCAPED_DOT} {name} – {result}")
    return "\n".join(lines)
