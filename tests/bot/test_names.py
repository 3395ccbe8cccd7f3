"""Whatever is refused, a seat is called as its table calls it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.tables.table import Table
from engine.core import Setup
from engine.games import discover
from engine.texts import Seat, Text
from playground.player import Player, Seen
from tests.bot.inn import Inn
from tests.bot.walks import table_of
from tests.engine.toys import TOYS

SOMETHING = {
    "toll": ("travel", {}),
    "muses": ("place", {"muse": "clio", "cell": "m13", "face": "up"}),
    "jinns": ("choose", {"color": "R"}),
}
"""Something to type in each game, and with what."""


def winds(_: Setup) -> tuple[str, ...]:
    return ("North", "South")


@pytest.fixture
def _windy(inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    """Toll with names of its own."""
    monkeypatch.setitem(discover(), "toll", replace(TOYS["toll"], seat_names=winds))


async def begin(inn: Inn, slug: str, computers: int = 0, **options: str) -> tuple[tuple[Player, Player], Seen]:
    """A game of Ana and Ben, with computers after them. Returns who is due and who is not, and the board."""
    room = inn.room()
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("game new", game=slug)
    await ben.tap("Join")
    for _ in range(computers):
        await ana.tap("Add computer")
    for name, value in options.items():
        shown, chosen = await ana.tap("Options"), f"{name}: {value}"
        menu = next(n for n, menu in enumerate(shown.menus) if chosen in [option.label for option in menu.options])
        await ana.choose(chosen, on=shown, menu=menu)
    await ana.tap("Start")
    board = await room.onlooker.expect("### ")
    return (ana, ben) if f"{ana.mention}: " in board.text else (ben, ana), board


@pytest.mark.usefixtures("watch", "_windy")
@pytest.mark.parametrize(
    ("slug", "computers", "options", "names"),
    [
        ("toll", 0, {}, ("North", "South")),
        ("muses", 2, {}, ("Red 1", "Blue 1")),
        ("jinns", 0, {"colors": "draft"}, ("North", "South")),
    ],
)
async def test_who_is_not_due_is_told_so_by_name(
    inn: Inn, slug: str, computers: int, options: dict[str, str], names: tuple[str, str]
) -> None:
    (due, other), board = await begin(inn, slug, computers, **options)
    first, second = names if due.name == "Ana" else reversed(names)
    verb, words = SOMETHING[slug]
    told = await other.slash(f"{slug} {verb}", **words)
    assert f"It is not {second}’s turn; {first} must decide." == told.text
    told = await other.tap("Your move", on=board)
    assert f"Not your turn yet, {second}. {first} ({due.mention}) is due." == told.text


def test_a_seat_of_an_unknown_game_has_its_color() -> None:
    lost = Table(table_of(TOYS["toll"], 2).row, None, problem=Text("It is gone."))
    assert "Blue sat here." == lost.say(Text("{seat} sat here.", seat=Seat(1)))
