"""People are called by the names they have in their server, of any characters."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from random import Random

import pytest

from bot.tables.people import MAX_NAME_COLUMNS, computer_name, escaped, names_of_seats, presentable
from engine.core import GameSpec
from engine.games import discover
from engine.players import offered_players
from engine.texts import Seat
from playground.player import Seen
from tests.bot.app import App, NoCrashes
from tests.robots import BOARD, Robot, Tapper, due_robots, is_over
from tests.rooms import Room, play_move, start_game

NAMES = {
    "plain": ("Ann", "Ann"),
    "right to left": ("שלום", "\u2068שלום\u2069"),
    "both ways": ("Ann عمر", "\u2068Ann عمر\u2069"),
    "emoji only": ("🐪🐫", "🐪🐫"),
    "wide": ("漢" * 32, "漢" * 9 + "…"),
    "long": ("x" * 32, "x" * 19 + "…"),
    "markup": ("**_~|", "**_~|"),
    "code": ("`x` ||y||", "`x` ||y||"),
    "a heading": ("# -# > x", "# -# > x"),
    "everybody": ("@everyone", "@everyone"),
    "everybody here": ("@\u200bhere", "@here"),
    "a user": ("<@123>", "<@123>"),
    "a role": ("<@&123>", "<@&123>"),
    "a link": ("[x](https://x.y)", "[x](https://x.y)"),
    "an address": ("https://x.y", "https://x.y"),
    "a time": ("<t:0:R>", "<t:0:R>"),
    "a field": ("{seat}", "{seat}"),
    "backslashes": ("\\\\*", "\\\\*"),
    "two lines": ("a\r\n\n# b", "a # b"),
    "zero width": ("\u200b\u200dA\u2060\ufeffnn\u00ad", "Ann"),
    "controls": ("A\x00\x07n\x1bn", "Ann"),
    "turned": ("\u202eeve\u2066", "eve"),
    "zalgo": ("Z" + "\u0351\u0300\u0310" * 10 + "a", "Z\u0351\u0300a"),
    "accents alone": ("\u0301\ufe0f\u034f", ""),
    "blank letters": ("\u3164\u2800\u115f", ""),
    "spaces": (" \u3000\u00a0 ", ""),
    "empty": ("", ""),
}
"""Display names of users, and each as it stands on a button."""

MARKUP = set("\\*_~|`>#[]()<:-@")
ESCAPED = re.compile(r"\\(.)|@\u200b")

every_name = pytest.mark.parametrize(("name", "shown"), NAMES.values(), ids=NAMES)


@every_name
def test_a_shown_name_is_one_short_line_of_visible_characters(name: str, shown: str) -> None:
    assert shown == presentable(name)
    assert shown in (presentable(shown), f"\u2068{presentable(shown)}\u2069"), "it stays as it is"
    assert sum(2 if unicodedata.east_asian_width(sign) == "W" else 1 for sign in shown) <= MAX_NAME_COLUMNS + 2


@every_name
def test_a_name_in_a_message_is_never_markup(name: str, shown: str) -> None:
    words = escaped(shown)
    assert set() == set(ESCAPED.sub("", words)) & MARKUP
    assert shown == ESCAPED.sub(lambda found: found[1] or "@", words), "it reads as it is"


def test_a_seat_is_named_by_its_mark_and_its_player() -> None:
    assert ("🔴 Ann", "🟦 Ann", "◽ West") == names_of_seats(("Ann", "Ann", ""), ("Red", "Blue", "West"), "🔴🟦◽")


def test_players_with_the_same_mark_and_name_are_distinguished_by_their_seat_names() -> None:
    names = names_of_seats(
        ("Ann", "Ben", "Ann", "Ben", ""), ("Red 1", "Blue 1", "Red 2", "Blue 2", "Red 3"), "🔴🟦🔴🟨🔴"
    )
    assert ("🔴 Ann (Red 1)", "🟦 Ben", "🔴 Ann (Red 2)", "🟨 Ben", "🔴 Red 3") == names


async def seat(room: Room, game: str, *names: str) -> tuple[dict[int, Robot], Seen]:
    """A game of people with these names, each a robot. Returns them and the first board."""
    host, *others = room.people(*names)
    await host.slash("table new", game=game)
    for person in others:
        await person.tap("Join")
    await start_game(host, *others)
    rng, patient = Random(game), NoCrashes(room.local)
    robots = {person.id: Tapper(person, rng, patient) for person in (host, *others)}
    return robots, await room.onlooker.expect(BOARD)


NONBLANK_NAMES = [name for name, _ in NAMES.values() if name.strip()]


@pytest.mark.parametrize(
    ("names", "game"),
    [(NONBLANK_NAMES[n : n + 2], ("garden", "toll")[n // 2 % 2]) for n in range(0, len(NONBLANK_NAMES), 2)],
    ids=ascii,
)
async def test_a_game_works_with_any_names_and_only_due_players_are_pinged_after_the_first_board(
    app: App, names: list[str], game: str
) -> None:
    """Neighbors stand on the buttons in the garden, and in the story on the road."""
    room = app.room()
    robots, board = await seat(room, game, *names, *["Ben"] * (2 - len(names)))
    assert {robot.player.name for robot in robots.values()} == set(board.pinged), "the first board calls all"
    for turn in range(4):
        if is_over(board):
            break
        assert not turn or {robot.player.name for robot in due_robots(board, robots)} >= set(board.pinged)
        mover = due_robots(board, robots)[0]
        await mover.take_turn(board)
        board = await room.onlooker.expect(BOARD, after=board)
        assert game == "toll" or escaped(presentable(mover.player.name)) in board.text
    ways: list[tuple[str, dict[str, str]]] = [("log", {}), ("board", {}), ("board", {"as": "text"})]
    looks = [await robot.player.slash(f"game {what}", **how) for robot in robots.values() for what, how in ways]
    assert all(look.ephemeral and () == look.pinged for look in looks)
    assert {()} == {seen.pinged for seen in room.onlooker.messages if not seen.images}


async def test_a_name_from_a_button_is_escaped_in_the_confirmation(app: App) -> None:
    room = app.room()
    room.let_boards_be_posted()
    await seat(room, "garden", "Ana", "**_~|")
    planted, ana = {"bed": "a1", "crop": "date", "neighbor": "blue"}, room.person("Ana")
    assert "✓ Plant a1 date tree 🟦 \\*\\*\\_\\~\\|" in await play_move(ana, "garden plant", **planted)


async def test_a_changed_name_is_shown_from_the_next_interaction(app: App) -> None:
    room = app.room()
    _, board = await seat(room, "lay", "Ana", "Ben")
    app.local.discord.world.user_named("Ana").name = "*Ana*, Queen"
    ana = room.person("*Ana*, Queen")
    (_, card), *_ = await ana.suggest("lay lay", "card")
    await play_move(ana, "lay lay", card=card)
    assert "🔴 \\*Ana\\*, Queen has laid a card." in await room.onlooker.expect(BOARD, after=board)
    assert [("*Ana*, Queen",), ("Ben",)] == app.query("SELECT name FROM seat_history ORDER BY seat")


NAMING = [spec for spec in discover().values() if spec.computers]
"""The games with names for computers, which are optional."""


@pytest.mark.parametrize("spec", NAMING, ids=lambda spec: spec.slug)
def test_every_computer_has_a_unique_name_even_at_a_full_table(spec: GameSpec) -> None:
    """Marks of the seats tell computers apart in a game without names for them."""
    if not spec.computers:
        return
    seats = [Seat(seat) for seat in range(spec.seats[-1])]
    names = [computer_name(kind, spec, seat) for kind in offered_players() for seat in seats]
    assert len(names) == len(set(names))


def test_computers_without_names_in_a_game_are_called_by_their_kind() -> None:
    nameless = replace(discover()["muscat"], computers={})
    assert ["Mine", "Mine"] == [computer_name("mine", nameless, Seat(seat)) for seat in (0, 1)]
