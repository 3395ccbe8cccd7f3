"""Showing pages of `/stats`: to the person who asks, and to everyone if they want that. It is of this server only.

Nobody sees what somebody wants to be left out of, nor the name of a person who has left the server.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.ui import Container, TextDisplay

from bot.dispatcher import channel_of
from bot.errors import UserError
from bot.groups import stats
from bot.handlers import Answer, Request, anywhere
from bot.interactions.controls import Menu
from bot.interactions.parts import GOLD, Layout, layout, picture, row, words_layout
from bot.interactions.places import require_permissions
from bot.posting.pictures import Drawn
from bot.stats.pages import Page, Row, player_page, records_page, server_page, title_of, versus_page
from bot.store.shard_range import NO_SERVER
from bot.tables.people import mention, presentable
from bot.tables.preferences import preferences_of
from bot.view.contrast import wants_contrast
from bot.view.named import game_named, suggest_games
from engine.games import discover
from engine.languages import reading
from engine.texts import Text, joined

if TYPE_CHECKING:
    from renders.cards import Card

_KEY = re.compile(r"(?P<kind>player|versus|server|records)(?P<given>(/[a-z_]{1,32}|/[0-9]{1,18}|/[1-8][0-9]{18}){0,2})")
"""What a button carries: the kind of the page, and users by ids that a database can hold, or a game."""

GONE = Text("This page is no longer there.")
HIDDEN = Text("There is nothing to show: they have not played here, have left, or want to be left out of rankings.")


@stats.command("player", "How you have played, or somebody else here")
@app_commands.describe(who="by default yourself")
async def show_player(request: Request, who: discord.User | None = None) -> None:
    """`/stats player`."""
    await show(request, f"player/{who.id if who else request.user_id}")


@stats.command("versus", "How two people have done against each other")
@app_commands.describe(who="against whom", other="the other player, if not you")
async def show_versus(request: Request, who: discord.User, other: discord.User | None = None) -> None:
    """`/stats versus`."""
    await show(request, f"versus/{other.id if other else request.user_id}/{who.id}")


@stats.command("server", "Who plays a game best in this server")
@app_commands.rename(title="game")
@app_commands.describe(title="by default the most played one")
@app_commands.autocomplete(title=suggest_games)
async def show_server(request: Request, title: str = "") -> None:
    """`/stats server`."""
    await show(request, f"server/{game_named(title).slug}" if title else "server")


@stats.command("records", "The records of a game in this server")
@app_commands.rename(title="game")
@app_commands.describe(title="by default the most played one")
@app_commands.autocomplete(title=suggest_games)
async def show_records(request: Request, title: str = "") -> None:
    """`/stats records`."""
    await show(request, f"records/{game_named(title).slug}" if title else "records")


async def show(request: Request, key: str) -> None:
    """Show a page to this user only."""
    page, names = await _page(request, key, private=True)
    drawn = await _drawn(request, page, names, contrast=await wants_contrast(request.services, request.user_id))
    await request.response.show(_layout(page, drawn), [drawn.file()])


@anywhere("stats")
async def show_again(request: Request) -> None:
    """The page of another game was chosen."""
    await show(request, request.value)


@anywhere("statwords", Answer.NEW)
async def show_words(request: Request, key: str) -> None:
    """*As text*: the page in words."""
    page, _ = await _page(request, key, private=True)
    await request.response.show(words_layout(_words(page)))


@anywhere("statshare", Answer.NEW)
async def share(request: Request, key: str) -> None:
    """*Show everyone*: the same in the channel, without what is for its user alone."""
    interaction = request.response.interaction
    require_permissions(interaction)
    with request.services.limits.shares.one(request.user_id):
        # everyone in the channel reads it, not only the person who shows it
        servers, channel_id = request.services.servers, channel_of(interaction)
        contrast = await servers.contrast_at(interaction.guild_id or NO_SERVER, channel_id)
        with reading(await servers.language_at(channel_id)):
            page, names = await _page(request, key, private=False)
            drawn = await _drawn(request, page, names, contrast=contrast)
        compose, nonce = partial(_shared_layout, page, drawn, request.user_id), str(interaction.id)
        await request.services.channels.send(channel_id, compose, files=[drawn.file()], nonce=nonce)
        await request.response.show_text(Text("Everyone in this channel can see it now."))


async def _drawn(request: Request, page: Page, names: Mapping[int, str], *, contrast: bool) -> Drawn:
    """The picture of a page."""
    plain = partial(_plain, names=names)
    # an alt text has no Markdown
    alt = plain(_words(page)).replace("**", "").replace("### ", "").replace("-# ", "")
    return await request.services.pictures.draw_card(partial(_card, page, plain), "stats", alt, contrast=contrast)


def _card(page: Page, plain: Callable[[str], str]) -> Card:
    """What is drawn of a page, with names in place of mentions."""
    from renders.cards import Card, Line  # the first picture can load it

    # the name of whose a record is stands below it, and the first columns are all that can be read on a phone
    split = [(one, [plain(value).partition(" · ") for value in one.values[:SHOWN]]) for one in page.rows]
    lines = [
        Line(plain(str(one.about)), tuple(value for value, *_ in values), one.share, one.fair, values[-1][-1])
        for one, values in split
    ]
    columns = tuple(map(str, page.columns[:SHOWN]))
    return Card(plain(str(page.heading)), columns, tuple(lines), page.game, page.course, page.is_ranking)


SHOWN = 3
"""Columns that a picture has room for; the words have all of them."""


def _plain(words: str, names: Mapping[int, str]) -> str:
    return _MENTION.sub(lambda found: names.get(int(found[1]), str(Text("somebody"))), words)


_MENTION = re.compile(r"<@(\d+)>")


async def _page(request: Request, key: str, *, private: bool) -> tuple[Page, dict[int, str]]:
    """The page of a key, which comes from outside, with those people only who are here and want to be shown, and what
    they are called.
    """
    found = _KEY.fullmatch(key)
    if found is None:
        raise UserError(GONE)
    # raises `UserError` where there can be no games
    channel_of(request.response.interaction)
    page = await _found(request, found["kind"], found["given"].split("/")[1:], private=private)
    user, guild = request.response.interaction.user, request.response.interaction.guild
    named = map(int, _MENTION.findall(str(page.heading)))
    users = {user_id for user_id in (*(one.user_id for one in page.rows), *page.partners, *named) if user_id}
    # Discord sends the name of the user with their interaction; the others are asked for
    names = {user.id: presentable(user.display_name)}
    if guild is not None:
        names |= await request.services.members.names(guild, users, asked_by=user.id)
    return _named(page, names), names


async def _found(request: Request, kind: str, given: list[str], *, private: bool) -> Page:
    ratings, guild_id = request.services.store.ratings, request.response.interaction.guild_id or NO_SERVER
    match kind, [int(one) if one.isdecimal() else one for one in given]:
        case "player", [int(user_id)]:
            await _require_shown(request, user_id)
            return await player_page(ratings, guild_id, user_id, own=private and user_id == request.user_id)
        case "versus", [int(user_id), int(other_id)]:
            await _require_shown(request, user_id, other_id)
            return await versus_page(ratings, guild_id, user_id, other_id)
        case "server" | "records", games if len(games) < 2 and all(game in discover() for game in games):
            page = server_page if kind == "server" else records_page
            return await page(ratings, guild_id, "".join(given))
    raise UserError(GONE)


async def _require_shown(request: Request, *users: int) -> None:
    """Raise `UserError` unless all these are the user, or members of this server who want to be shown."""
    guild, settings = request.response.interaction.guild, request.services.store.settings
    others = [user_id for user_id in users if user_id != request.user_id]
    unlisted = [user_id for user_id in others if (await preferences_of(settings, user_id)).unlisted]
    members = request.services.members
    here = await members.names(guild, others, asked_by=request.user_id) if guild else {}
    if unlisted or not here.keys() >= set(others):
        raise UserError(HIDDEN)


def _named(page: Page, names: Mapping[int, str]) -> Page:
    """The page without people who have left: not in tables of people, and as somebody where a record is theirs."""
    rows = tuple(_credited(one, names) for one in page.rows if not page.is_ranking or one.user_id in names)
    partners = tuple(user_id for user_id in page.partners if user_id in names)
    told = [Text("{user}", user=mention(user_id)) for user_id in partners]
    notes = (*page.notes, Text("Most games with {told}", told=joined(told, ", "))) if told else page.notes
    return replace(page, rows=rows, notes=notes, partners=partners)


def _credited(one: Row, names: Mapping[int, str]) -> Row:
    """A record says whose it is; the line of a table names its person already."""
    if one.user_id is None or len(one.values) > 1:
        return one
    who = mention(one.user_id) if one.user_id in names else str(Text("somebody"))
    return replace(one, values=(f"{one.values[0]} · {who}",))


def _layout(page: Page, drawn: Drawn) -> Layout:
    """The page for one person, with ways to other games, to its words, and to everyone."""
    ways = share.button(Text("Show to everyone"), key=page.key), show_words.button(Text("As text"), key=page.key)
    kind = page.key.partition("/")[0]
    # Discord: a menu has at most 25 rows
    rows = tuple((f"{kind}/{game}", str(title_of(game))) for game in page.games[:25])
    menus = [row(Menu(show_again.id(), rows, chosen=page.key))] if len(rows) > 1 else []
    return layout(*_items(page, drawn), *menus, row(*ways))


def _shared_layout(page: Page, drawn: Drawn, user_id: int) -> Layout:
    by = Text("-# Shown by {user}.", user=mention(user_id))
    return layout(Container(*_items(page, drawn), TextDisplay(str(by)), accent_color=GOLD))


def _items(page: Page, drawn: Drawn) -> list[discord.ui.Item[Any]]:
    """The picture, and what is to be said of it."""
    notes = "\n".join(f"-# {note}" for note in page.notes)
    below = [TextDisplay[Any](notes)] if notes else []
    return [picture(drawn.filename, drawn.alt), *below]


def _words(page: Page) -> str:
    """A page as a message: a line for each row, with its values after what they are."""
    lines = []
    for one in page.rows:
        values = [f"{column} {value}".strip() for column, value in zip(page.columns, one.values, strict=True)]
        lines.append(f"**{one.about}** – {' · '.join(values)}")
    if page.is_ranking:
        lines = [f"{place}. {line}" for place, line in enumerate(lines, start=1)]
    return "\n".join((f"### {page.heading}", *lines, *(f"-# {note}" for note in page.notes)))
