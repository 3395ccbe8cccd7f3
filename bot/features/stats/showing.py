"""Handlers that show pages of `/stats` to a user, or to everyone in the channel; all pages are of one server.

Players that left the server, or want to be left out of rankings, have no name there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.ui import TextDisplay

from bot.errors import UserError
from bot.features.contrast import wants_contrast
from bot.features.dispatcher import channel_of
from bot.features.groups import stats
from bot.features.handlers import Answer, Request, anywhere
from bot.features.named import game_named, suggest_games
from bot.features.stats.pages import MISSING, Page, Row, player_page, records_page, server_page, title_of, versus_page
from bot.interactions.controls import Menu
from bot.interactions.parts import Layout, card, layout, picture, row, words_layout
from bot.interactions.places import require_permissions
from bot.posting.pictures import Drawn
from bot.store.shard_range import NO_SERVER
from bot.tables.people import mention, presentable
from bot.tables.preferences import preferences_of
from engine.games import discover
from engine.languages import reading
from engine.texts import Text, joined

if TYPE_CHECKING:
    from renders.cards import Card

_KEY = re.compile(
    r"(?P<kind>player|versus|server|records)(?P<arguments>(/[a-z_]{1,32}|/[0-9]{1,18}|/[1-8][0-9]{18}){0,2})"
)
"""The key of a page in a button: its kind, and user ids that fit into the database, or a game."""

GONE_TEXT = Text("This page is no longer there.")
HIDDEN_TEXT = Text("There’s nothing to show: they haven’t played here, have left, or want to be left out of rankings.")


@stats.command("player", "How you have played, or how somebody else here has")
@app_commands.describe(who="by default you")
async def show_player(request: Request, who: discord.User | None = None) -> None:
    """Show the results of a player."""
    await show(request, f"player/{who.id if who else request.user_id}")


@stats.command("versus", "How two people have done against each other")
@app_commands.describe(who="against whom", other="the other player, if not you")
async def show_versus(request: Request, who: discord.User, other: discord.User | None = None) -> None:
    """Show the results of two players against each other."""
    await show(request, f"versus/{other.id if other else request.user_id}/{who.id}")


@stats.command("server", "Who plays a game best in this server")
@app_commands.rename(title="game")
@app_commands.describe(title="by default the most played one")
@app_commands.autocomplete(title=suggest_games)
async def show_server(request: Request, title: str = "") -> None:
    """Show the ranking of a game in this server."""
    await show(request, f"server/{game_named(title).slug}" if title else "server")


@stats.command("records", "The records of a game in this server")
@app_commands.rename(title="game")
@app_commands.describe(title="by default the most played one")
@app_commands.autocomplete(title=suggest_games)
async def show_records(request: Request, title: str = "") -> None:
    """Show the records of a game in this server."""
    await show(request, f"records/{game_named(title).slug}" if title else "records")


async def show(request: Request, key: str) -> None:
    """Show a page to this user only."""
    page, names = await _page(request, key, private=True)
    if not page.rows:
        await request.response.show(_empty_layout(page))
        return
    image = await _draw(request, page, names, contrast=await wants_contrast(request.services, request.user_id))
    await request.response.show(_layout(page, image), [image.file()])


@anywhere("stats")
async def show_again(request: Request) -> None:
    """Show the page of another game, from the menu."""
    await show(request, request.value)


@anywhere("statwords", Answer.NEW)
async def show_words(request: Request, key: str) -> None:
    """Show a page as text: the button *As text*."""
    page, _ = await _page(request, key, private=True)
    await request.response.show(words_layout(_words(page)))


@anywhere("statshare", Answer.NEW)
async def share(request: Request, key: str) -> None:
    """Post a page in the channel, without its private parts: the button *Show to everyone*."""
    interaction = request.response.interaction
    require_permissions(interaction)
    with request.services.limits.shares.one(request.user_id):
        # in the colors and language of the channel, not of this user
        servers, channel_id = request.services.servers, channel_of(interaction)
        contrast = await servers.contrast_at(interaction.guild_id or NO_SERVER, channel_id)
        with reading(await servers.language_at(channel_id)):
            page, names = await _page(request, key, private=False)
            image = await _draw(request, page, names, contrast=contrast)
        compose, nonce = partial(_shared_layout, page, image, request.user_id), str(interaction.id)
        await request.services.channels.send(channel_id, compose, files=[image.file()], nonce=nonce)
        await request.response.show_text(Text("Everyone in this channel can see it now."))


async def _draw(request: Request, page: Page, names: Mapping[int, str], *, contrast: bool) -> Drawn:
    """The picture of a page."""
    plain = partial(_plain, names=names)
    # an alt text has no Markdown
    alt = plain(_words(page)).replace("**", "").replace("### ", "").replace("-# ", "")
    return await request.services.pictures.draw_card(partial(_card, page, plain), "stats", alt, contrast=contrast)


def _card(page: Page, plain: Callable[[str], str]) -> Card:
    """The picture of a page, with names in place of mentions."""
    from renders.cards import Card, Line  # loaded with the first picture, to start faster

    # the player of a record goes below it, and only the first columns are readable on a phone
    split = [
        (page_row, [plain(value).partition(" · ") for value in page_row.values[:MAX_COLUMNS]]) for page_row in page.rows
    ]
    lines = [
        Line(
            plain(str(page_row.about)),
            tuple(value for value, *_ in values),
            page_row.share,
            page_row.fair,
            values[-1][-1],
        )
        for page_row, values in split
    ]
    columns = tuple(map(str, page.columns[:MAX_COLUMNS]))
    return Card(plain(str(page.heading)), columns, tuple(lines), page.game, page.course, page.is_ranking)


MAX_COLUMNS = 3
"""Columns that fit into a picture; its text has all of them."""


def _plain(words: str, names: Mapping[int, str]) -> str:
    return _MENTION.sub(lambda match: names.get(int(match[1]), str(Text("somebody"))), words)


_MENTION = re.compile(r"<@(\d+)>")


async def _page(request: Request, key: str, *, private: bool) -> tuple[Page, dict[int, str]]:
    """The page of an untrusted key, and the names of its players.

    The page has only players that are members of the server and want to be listed.
    """
    match = _KEY.fullmatch(key)
    if match is None:
        raise UserError(GONE_TEXT)
    # raises `UserError` in channels that cannot have games
    channel_of(request.response.interaction)
    page = await _read_page(request, match["kind"], match["arguments"].split("/")[1:], private=private)
    user, guild = request.response.interaction.user, request.response.interaction.guild
    mentions = map(int, _MENTION.findall(str(page.heading)))
    users = {
        user_id for user_id in (*(page_row.user_id for page_row in page.rows), *page.partners, *mentions) if user_id
    }
    # the interaction has the name of its user; the other names are requested
    names = {user.id: presentable(user.display_name)}
    if guild is not None:
        names |= await request.services.members.names(guild, users, asked_by=user.id)
    return _without_absent(page, names), names


async def _read_page(request: Request, kind: str, arguments: list[str], *, private: bool) -> Page:
    ratings, guild_id = request.services.store.ratings, request.response.interaction.guild_id or NO_SERVER
    match kind, [int(argument) if argument.isdecimal() else argument for argument in arguments]:
        case "player", [int(user_id)]:
            await _require_listed(request, user_id)
            return await player_page(ratings, guild_id, user_id, own=private and user_id == request.user_id)
        case "versus", [int(user_id), int(other_id)]:
            await _require_listed(request, user_id, other_id)
            return await versus_page(ratings, guild_id, user_id, other_id)
        case "server" | "records", games if len(games) < 2 and all(game in discover() for game in games):
            page = server_page if kind == "server" else records_page
            return await page(ratings, guild_id, "".join(arguments))
    raise UserError(GONE_TEXT)


async def _require_listed(request: Request, *users: int) -> None:
    """Raise `UserError` unless each is the user, or a member of this server that wants to be listed."""
    guild, settings = request.response.interaction.guild, request.services.store.settings
    others = [user_id for user_id in users if user_id != request.user_id]
    unlisted = [user_id for user_id in others if (await preferences_of(settings, user_id)).unlisted]
    members = request.services.members
    here = await members.names(guild, others, asked_by=request.user_id) if guild else {}
    if unlisted or not here.keys() >= set(others):
        raise UserError(HIDDEN_TEXT)


def _without_absent(page: Page, names: Mapping[int, str]) -> Page:
    """The page without former members: rankings leave them out, and records do not name them."""
    rows = tuple(
        _with_player(page_row, names) for page_row in page.rows if not page.is_ranking or page_row.user_id in names
    )
    partners = tuple(user_id for user_id in page.partners if user_id in names)
    mentions = [Text("{user}", user=mention(user_id)) for user_id in partners]
    notes = (*page.notes, Text("Most games with {told}", told=joined(mentions, ", "))) if mentions else page.notes
    return replace(page, rows=rows, notes=notes, partners=partners)


def _with_player(page_row: Row, names: Mapping[int, str]) -> Row:
    """A record with its player; other rows have one already, or none."""
    if page_row.user_id is None or len(page_row.values) > 1:
        return page_row
    who = mention(page_row.user_id) if page_row.user_id in names else str(Text("somebody"))
    return replace(page_row, values=(f"{page_row.values[0]} · {who}",))


def _layout(page: Page, image: Drawn) -> Layout:
    """The page for one user, with controls for other games, its text, and to show it to everyone."""
    buttons = share.button(Text("Show to everyone"), key=page.key), show_words.button(Text("As text"), key=page.key)
    return layout(*_items(page, image), *_other_games(page), row(*buttons))


def _empty_layout(page: Page) -> Layout:
    """A page without rows, which has nothing for a picture or for others."""
    return layout(TextDisplay(_words(page)), *_other_games(page))


def _other_games(page: Page) -> list[discord.ui.ActionRow[Any]]:
    """A menu of the games, if there are several."""
    kind = page.key.partition("/")[0]
    # Discord: a menu has at most 25 rows
    rows = tuple((f"{kind}/{game}", str(title_of(game))) for game in page.games[:25])
    return [row(Menu(show_again.id(), rows, chosen=page.key))] if len(rows) > 1 else []


def _shared_layout(page: Page, image: Drawn, user_id: int) -> Layout:
    by = Text("-# Shown by {user}.", user=mention(user_id))
    return layout(card(*_items(page, image), TextDisplay(str(by))))


def _items(page: Page, image: Drawn) -> list[discord.ui.Item[Any]]:
    """The picture with its notes."""
    notes = "\n".join(f"-# {note}" for note in page.notes)
    below = [TextDisplay[Any](notes)] if notes else []
    return [picture(image.filename, image.alt), *below]


def _words(page: Page) -> str:
    """A page as Markdown: a line for each row, with the column's name before each value."""
    lines = []
    for page_row in page.rows:
        named = zip(page.columns, page_row.values, strict=True)
        values = [f"{column} {value}".strip() for column, value in named if value != MISSING]
        lines.append(f"**{page_row.about}** – {' · '.join(values)}")
    if page.is_ranking:
        lines = [f"{place}. {line}" for place, line in enumerate(lines, start=1)]
    return "\n".join((f"### {page.heading}", *lines, *(f"-# {note}" for note in page.notes)))
