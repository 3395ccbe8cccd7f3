"""The drawings of pieces are emojis of the application: uploaded by the bot, and never in the way."""

from __future__ import annotations

import io

import pytest
from PIL import Image

import renders
from engine.games import discover
from playground.player import Seen
from playground.world import Emoji
from tests.bot.ahead import newest
from tests.bot.app import App
from tests.e2e.robots import BOARD
from tests.e2e.rooms import start_game

SYMBOLS = renders.symbols(discover())


def uploaded(app: App) -> dict[str, int]:
    """The emojis of the application: name -> id."""
    return {emoji.name: emoji.id for emoji in app.local.discord.world.emojis.values()}


async def start_with_emojis(app: App) -> None:
    """Restart the bot as operators run it, and wait until it has uploaded everything."""
    await app.close()
    app.emojis = True
    await app.open()
    await app.local.discord.notifier.until(lambda: len(uploaded(app)) >= len(SYMBOLS) or None, 20)


async def first_question(app: App, game: str) -> Seen:
    """A game of Ana and Ben, and what Ana or Ben is asked first."""
    people = (room := app.room()).people("Ana", "Ben")
    await people[0].slash("table new", game=game)
    await people[1].tap("Join")
    await start_game(*people)
    board = await room.onlooker.expect(BOARD)
    match, _ = newest(app)
    due = people[match.state.decisions()[0].seat]
    return await due.tap("Your move", on=board)


def emojis_of(step: Seen) -> set[str]:
    """The names of the emojis on its controls."""
    rows = [part for row in step.components for part in row.get("components", ())]
    options = [option for part in rows for option in part.get("options", ())]
    return {emoji["name"] for part in (*rows, *options) if (emoji := part.get("emoji"))}


async def test_the_bot_uploads_each_drawing_once_and_replaces_an_older_one(app: App) -> None:
    name = next(iter(SYMBOLS))
    app.local.discord.world.emojis = {
        1: Emoji(1, f"{name}_0123ab", b"old"),
        2: Emoji(2, "somebody_elses", b"theirs"),
    }
    await start_with_emojis(app)
    expected = {symbol.emoji_name for symbol in SYMBOLS.values()}
    await app.local.discord.notifier.until(lambda: 1 not in app.local.discord.world.emojis or None, 20)
    assert expected | {"somebody_elses"} == uploaded(app).keys()
    before = uploaded(app)
    await app.close()
    await app.open()
    await app.breathe()
    assert before == uploaded(app)


async def test_a_list_shows_the_pieces_that_its_rows_are_about(app: App) -> None:
    await start_with_emojis(app)
    step = await first_question(app, "muses")
    assert len(emojis_of(step)) > 1
    assert emojis_of(step) <= {symbol.emoji_name for symbol in SYMBOLS.values() if symbol.name.startswith("muses")}


async def test_without_emojis_the_same_question_has_plain_names(app: App) -> None:
    step = await first_question(app, "muses")
    assert set() == emojis_of(step)
    assert step.menus


async def test_a_refusal_is_not_in_the_way(app: App) -> None:
    app.local.discord.world.emojis = {n: Emoji(n, f"full_{n}", b"full") for n in range(2000)}
    await app.close()
    app.emojis = True
    await app.open()
    assert set() == emojis_of(await first_question(app, "muses"))


@pytest.mark.parametrize("name", SYMBOLS)
def test_a_drawing_is_a_small_square_and_its_name_is_one_for_discord(name: str) -> None:
    symbol = SYMBOLS[name]
    assert (128, 128) == Image.open(io.BytesIO(symbol.png())).size
    assert len(symbol.png()) < 256 * 1024
    assert len(symbol.emoji_name) <= 32
    assert symbol.emoji_name.isidentifier()
