"""The drawings of pieces are emojis of the application: uploaded by the bot, and never in the way."""

from __future__ import annotations

import asyncio
import io
import re
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from discord import PartialEmoji
from discord.ui import TextDisplay
from PIL import Image

import renders
from bot.clock import Clock
from bot.interactions import emojis as emojis_module
from bot.interactions.emojis import Emojis, use_emojis
from bot.interactions.parts import layout
from bot.posting.board_texts import story
from bot.tables.people import SEAT_MARKS
from engine.core import GameSpec
from engine.games import discover
from playground import components
from playground.player import Seen
from playground.world import Emoji
from renders.symbols import Symbol
from tests.bot.ahead import newest
from tests.bot.app import App
from tests.bot.refusing import refusal
from tests.bot.walks import CASES, name_of, walk
from tests.robots import BOARD
from tests.rooms import start_game

SYMBOLS = renders.symbols(discover())


def emoji_ids(app: App) -> dict[str, int]:
    """The emojis of the application: name -> id."""
    return {emoji.name: emoji.id for emoji in app.local.discord.world.emojis.values()}


async def start_with_emojis(app: App) -> None:
    """Restart the bot as operators run it, and wait until it has uploaded everything."""
    await app.close()
    app.emojis = True
    await app.open()
    await app.local.discord.notifier.until(lambda: len(emoji_ids(app)) >= len(SYMBOLS) or None, 20)


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


async def test_the_bot_uploads_each_emoji_once_and_replaces_outdated_ones(app: App) -> None:
    name = next(iter(SYMBOLS))
    app.local.discord.world.emojis = {
        1: Emoji(1, f"{name}_0123ab", b"old"),
        2: Emoji(2, "somebody_elses", b"theirs"),
    }
    await start_with_emojis(app)
    expected = {symbol.emoji_name for symbol in SYMBOLS.values()}
    await app.local.discord.notifier.until(lambda: 1 not in app.local.discord.world.emojis or None, 20)
    assert expected | {"somebody_elses"} == emoji_ids(app).keys()
    before = emoji_ids(app)
    await app.close()
    await app.open()
    await app.breathe()
    assert before == emoji_ids(app)


async def test_a_list_shows_the_pieces_named_in_its_rows(app: App) -> None:
    await start_with_emojis(app)
    step = await first_question(app, "muses")
    assert len(emojis_of(step)) > 1
    assert emojis_of(step) <= {symbol.emoji_name for symbol in SYMBOLS.values() if symbol.name.startswith("muses")}


async def test_without_emojis_questions_have_plain_names(app: App) -> None:
    step = await first_question(app, "muses")
    assert set() == emojis_of(step)
    assert step.menus


async def test_a_refused_emoji_upload_blocks_no_command(app: App) -> None:
    app.local.discord.world.emojis = {n: Emoji(n, f"full_{n}", b"full") for n in range(2000)}
    await app.close()
    app.emojis = True
    await app.open()
    assert set() == emojis_of(await first_question(app, "muses"))


def text_of(seen: Seen) -> str:
    """All text of a message."""
    return "\n".join(str(part["content"]) for _, part in components.walk(seen.components) if "content" in part)


async def lobby_and_first_board(app: App) -> tuple[str, str]:
    """The texts of a lobby of Muscat, and of its first board, which names an artist."""
    people = (room := app.room()).people("Ana", "Ben", "Cleo")
    lobby = await people[0].slash("table new", game="muscat")
    for person in people[1:]:
        await person.tap("Join")
    await start_game(*people)
    return text_of(lobby), text_of(await room.onlooker.expect(BOARD))


async def test_sentences_show_games_pieces_and_seats_as_emojis(app: App) -> None:
    await start_with_emojis(app)
    lobby, board = await lobby_and_first_board(app)
    emojis = {name: f"<:{name}:{number}>" for name, number in emoji_ids(app).items()}
    game = emojis[SYMBOLS["game_muscat"].emoji_name]
    assert lobby.startswith(f"## {game} Muscat\n")
    assert emojis[SYMBOLS["seat_red"].emoji_name] in board
    assert any(emojis[name] in board for name in emojis if name.startswith("muscat_"))


@pytest.mark.parametrize(("spec", "seats"), CASES, ids=name_of)
def test_each_line_of_a_board_shows_a_piece_only_at_its_first_mention(spec: GameSpec, seats: int) -> None:
    drawings = 0
    for table in walk(spec, seats, "emojis"):
        match = table.require_match()
        for line in story(table, match.history(None, since=max(0, match.version - 4))).splitlines():
            names = re.findall(r"<:\w+:0>", line)
            assert len(names) == len(set(names)), line
            drawings += len(names)
    own = [name for name in renders.symbols([spec.slug]) if not name.startswith(("seat_", "game_"))]
    assert drawings or not own


async def test_without_emojis_sentences_have_plain_names_and_squares(app: App) -> None:
    lobby, board = await lobby_and_first_board(app)
    assert lobby.startswith("## Muscat\n")
    assert SEAT_MARKS["Red"] in board
    assert "<:" not in lobby + board


def test_a_text_without_room_for_emojis_stays_plain() -> None:
    emojis = Emojis()
    emojis.add([PartialEmoji(name=symbol.emoji_name, id=1) for symbol in SYMBOLS.values()], SYMBOLS)

    def written(words: str) -> str:
        message = layout(TextDisplay(words))
        return "".join(part.content for part in message.walk_children() if isinstance(part, TextDisplay))

    async def both() -> tuple[str, str]:
        use_emojis(emojis)
        return written("🟦 <:game_muscat:0> Muscat"), written("🟦 Muscat <:game_muscat:0>" + " " * 3980)

    short, long = asyncio.run(both())
    assert "<:seat_blue" in short
    assert "<:game_muscat" in short
    assert long == "🟦 Muscat" + " " * 3980


@pytest.mark.parametrize("name", SYMBOLS)
def test_an_emoji_is_a_small_square_with_a_name_valid_for_discord(name: str) -> None:
    symbol = SYMBOLS[name]
    assert (128, 128) == Image.open(io.BytesIO(symbol.png())).size
    assert len(symbol.png()) < 256 * 1024
    assert len(symbol.emoji_name) <= 32
    assert symbol.emoji_name.isidentifier()


class Application:
    """The emojis of an application, without a connection."""

    def __init__(self, *names: str) -> None:
        self.names = [*names]

    async def fetch_application_emojis(self) -> list[Any]:
        return [
            SimpleNamespace(name=name, id=n, delete=partial(self._delete, name)) for n, name in enumerate(self.names)
        ]

    async def create_application_emoji(self, *, name: str, image: bytes) -> Any:
        self.names.append(name)
        return SimpleNamespace(name=name, id=len(self.names))

    async def _delete(self, name: str) -> None:
        self.names.remove(name)


DRAWINGS: Any = {
    name: SimpleNamespace(name=name, emoji_name=f"{name}_aaaaaa", png=lambda: b"") for name in ("camel", "well", "tent")
}
NAMES = [drawing.emoji_name for drawing in DRAWINGS.values()]


def test_a_changed_drawing_has_a_new_name() -> None:
    first, second = (Symbol("camel", drawing).emoji_name for drawing in ("<path/>", "<rect/>"))
    assert first != second
    assert {"camel"} == {name.rpartition("_")[0] for name in (first, second)}


@pytest.mark.parametrize(
    ("uploads", "most", "names"),
    [
        (False, 9, ["camel_000000", "theirs", "well_aaaaaa"]),
        (True, 9, ["theirs", "well_aaaaaa", "camel_aaaaaa", "tent_aaaaaa"]),
        (True, 4, ["theirs", "well_aaaaaa", "camel_aaaaaa"]),
    ],
)
async def test_one_process_uploads_what_is_missing_as_far_as_there_is_room(
    monkeypatch: pytest.MonkeyPatch, uploads: bool, most: int, names: list[str]
) -> None:
    monkeypatch.setattr(emojis_module, "MAX_EMOJIS", most)
    application, emojis = Application("camel_000000", "theirs", "well_aaaaaa"), Emojis()
    await emojis.keep_up_to_date(application, DRAWINGS, Clock(), uploads=uploads)
    assert names == application.names
    assert {name for name in names if name in NAMES} == {
        drawing.emoji_name for drawing in DRAWINGS.values() if emojis.of(drawing)
    }


async def test_a_list_has_emojis_only_if_they_tell_its_rows_apart() -> None:
    emojis = Emojis()
    await emojis.keep_up_to_date(Application(*NAMES), DRAWINGS, Clock(), uploads=False)
    camel, well, _ = DRAWINGS.values()
    assert [None, None] == emojis.telling_apart([camel, camel])
    assert [True, True] == [emoji is not None for emoji in emojis.telling_apart([camel, well])]
    assert [True, False] == [emoji is not None for emoji in emojis.telling_apart([camel, None])]


@pytest.mark.parametrize(
    ("errors", "pauses", "lines"),
    [
        ([refusal(400, 50035)], [], ["Discord refuses an emoji; messages go without it: 400 Bad Request"]),
        ([refusal(499, 1)], [], ["Discord refuses an emoji; messages go without it: 499"]),
        ([KeyError("id")], [], ["unreadable answer about the emojis; messages go without them: KeyError"]),
        (
            [refusal(503), TimeoutError(), refusal(500), None],
            [5, 10, 20],
            [
                "Discord has no emojis yet; next try in 5 s: 503 Service Unavailable",
                "Discord has no emojis yet; next try in 10 s: no answer",
                "Discord has no emojis yet; next try in 20 s: 500 Internal Server Error",
                "uploaded 3 emojis",
            ],
        ),
    ],
)
async def test_emojis_are_tried_again_after_an_outage_but_not_after_a_refusal(
    caplog: pytest.LogCaptureFixture, errors: list[Exception | None], pauses: list[float], lines: list[str]
) -> None:
    caplog.set_level("INFO", "bot")
    application, sleeps, remaining = Application(), list[float](), [*errors]
    fetch: Any = application.fetch_application_emojis

    async def fail() -> Any:
        if error := remaining.pop(0):
            raise error
        return await fetch()

    async def sleep(seconds: float) -> None:
        sleeps.append(seconds)

    store: Any = SimpleNamespace(
        fetch_application_emojis=fail, create_application_emoji=application.create_application_emoji
    )
    clock: Any = SimpleNamespace(sleep=sleep)
    emojis = Emojis()
    await emojis.keep_up_to_date(store, DRAWINGS, clock, uploads=True)
    assert (pauses, []) == (sleeps, remaining)
    # a bot of another test may still log its end or start
    logged = [record.getMessage() for record in caplog.records if record.name == "bot.interactions.emojis"]
    assert [line[: len(start)] for line, start in zip(logged, lines, strict=True)] == lines
    assert emojis.is_empty == (errors[-1] is not None)
    caplog.clear()
    remaining.append(None)
    await Emojis().keep_up_to_date(store, DRAWINGS, clock, uploads=errors[-1] is None)
    assert [] == caplog.messages, "nothing is missing, or to be uploaded"
