"""Seats go by the mark of their color and the name of their player; the reader of a private message is “you”."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.store.facts import Facts
from bot.store.matches import SeatHolder
from bot.tables.table import Table
from engine.core import Setup
from engine.games import discover
from engine.languages import reading
from engine.match import Match
from engine.texts import CHANCE, Seat, Text
from locales import language_of
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.walks import set_row, table_of
from tests.engine.toys import TOYS
from tests.robots import BOARD
from tests.rooms import play_move, start_game

SOMETHING = {
    "toll": ("travel", {}),
    "muses": ("place", {"muse": "clio", "cell": "m13", "face": "up"}),
    "jinns": ("choose", {"color": "R"}),
}
"""A command to type in each game, with its values."""


def winds(setup: Setup) -> tuple[str, ...]:
    return ("North", "South", "West")[: setup.seats]


def no_colors(setup: Setup) -> tuple[str, ...]:
    return ("",) * setup.seats


@pytest.fixture
def _windy(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Toll with names of its own for the seats, and no colors."""
    monkeypatch.setitem(discover(), "toll", replace(TOYS["toll"], seat_names=winds, seat_colors=no_colors))


async def begin(app: App, slug: str, computers: int = 0, **options: str) -> tuple[tuple[Player, Player], Seen]:
    """A game of Ana and Ben, with computers after them. Returns the person due, the other one, and the board."""
    room = app.room()
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game=slug)
    await ben.tap("Join")
    for _ in range(computers):
        await ana.tap("Add computer")
    for name, value in options.items():
        answer, label = await ana.tap("Options 3", on=await ana.slash("table options")), f"{name}: {value}"
        menu = next(n for n, menu in enumerate(answer.menus) if label in [option.label for option in menu.options])
        await ana.choose(label, on=answer, menu=menu)
    await start_game(ana, ben)
    board = await room.onlooker.expect(BOARD)
    return (ana, ben) if f"{ana.mention}: " in board.text else (ben, ana), board


@pytest.mark.usefixtures("watch", "_windy")
@pytest.mark.parametrize(
    ("slug", "computers", "options", "marks"),
    [
        ("toll", 0, {}, "◽◽"),
        ("muses", 2, {}, "🔴🟦"),
        ("jinns", 0, {"Choice of colors": "draft"}, "◽◽"),
    ],
)
async def test_a_player_out_of_turn_learns_whose_turn_it_is(
    app: App, slug: str, computers: int, options: dict[str, str], marks: str
) -> None:
    (due, other), board = await begin(app, slug, computers, **options)
    mark = marks[due.name == "Ben"]
    refusal = f"Not your turn yet. It’s {mark} {due.mention}’s turn."
    verb, words = SOMETHING[slug]
    assert refusal == (await other.slash(f"{slug} {verb}", **words)).text
    assert refusal == (await other.tap("Your move", on=board)).text.partition("\n")[0], "then when their turn comes"


@pytest.mark.usefixtures("_windy")
async def test_a_player_reads_you_where_others_read_the_players_name(app: App) -> None:
    (owner, traveler), _ = await begin(app, "toll")
    onlooker = app.local.player("Finn", "room-1")
    assert (await owner.slash("game leave")).text.startswith("Leave this game? ")
    await play_move(owner, "toll levy", pay="yes")
    assert f"◽ {owner.name} takes a coin from ◽ {traveler.name}." in await onlooker.slash("game log")
    assert f"◽ You take a coin from ◽ {traveler.name}." in await owner.slash("game log")
    assert f"◽ {owner.name} takes a coin from you." in await traveler.slash("game log")


@pytest.mark.usefixtures("_windy")
async def test_computers_with_the_same_name_are_distinguished_by_their_seats(app: App) -> None:
    ana = app.room().person("Ana")
    await ana.slash("table new", game="toll")
    await ana.tap("Add computer")
    lobby = await ana.tap("Add computer")
    assert ["**◽ Tumbleweed (South)**", "**◽ Tumbleweed (West)**"] == [
        line.replace("\\", "") for line in lobby.text.splitlines() if "Tumbleweed" in line
    ]


def test_a_table_names_its_seats_by_current_player_in_each_readers_language() -> None:
    spec, nameless = discover()["muscat"], SeatHolder(3)
    table = Table(table_of(spec, 3).facts, spec, Match.begin(spec, spec.setup(3), "a seed"))
    set_row(table, holders=(*table.row.holders[:2], nameless))
    for code, free in (("en", "Yellow"), ("de", "Gelb"), ("fr", "Jaune"), ("en", "Yellow")):
        with reading(language_of(code)):
            assert f"🟨 {free}" == table.names[2] == table.plain_names[2]
    for name in ("Ana", "Ben"):
        set_row(table, holders=(SeatHolder(1, name=name), *table.row.holders[1:]))
        assert f"🔴 {name}" == table.names[0] == table.plain_names[0]


def test_luck_has_a_mark_of_its_own() -> None:
    table = table_of(TOYS["toll"], 2)
    assert ["🎲", "🔴", "🟦"] == [table.mark(seat) for seat in (CHANCE, Seat(0), Seat(1))]


def test_a_forgotten_player_is_somebody_with_the_color_of_their_seat() -> None:
    table = table_of(TOYS["toll"], 2)
    set_row(table, holders=(SeatHolder(0, name="somebody"), SeatHolder(computer="fair")))
    assert ["🔴 somebody", f"**{table.names[1]}**"] == list(map(table.say, table.persons_on((Seat(0), Seat(1)))))


def test_a_computer_keeps_its_name_when_other_players_change() -> None:
    """No matter who sits on the other seats, and what they are called, a computer has the name of its seat."""
    gangs = discover()["gangs"]
    table, names = table_of(gangs, 3), gangs.computers["fair"]
    ana, ben, computer = SeatHolder(1, name="Ana"), SeatHolder(2, name=names[2]), SeatHolder(computer="fair")
    for before in ((ana, ben), (ana, computer), (computer, computer), (ana, SeatHolder(computer="strong"))):
        now = Table(Facts(replace(table.row, holders=(*before, computer))), gangs)
        assert names[2] == now.persons[2]
        assert f"🟨 {names[2]}" == now.plain_names[2]


def test_a_seat_of_an_unknown_game_has_its_color() -> None:
    lost = Table(table_of(TOYS["toll"], 2).facts, None, problem=Text("It is gone."))
    assert "Blue sat here." == lost.say(Text("{seat} sat here.", seat=Seat(1)))


def test_words_before_a_mention_follow_the_sound_of_its_name() -> None:
    table = table_of(discover()["jinns"], 2)
    set_row(table, holders=(SeatHolder(user_id=71, name="Ana"), SeatHolder(user_id=72, name="Inés")))
    both = Text("{people}", people=table.persons_on((Seat(0), Seat(1))))
    with reading(language_of("es")):
        assert table.say(both).endswith(" e 🟦 <@72>")
        set_row(table, holders=(SeatHolder(user_id=71, name="Ana"), SeatHolder(user_id=72, name="Ben")))
        assert table.say(both).endswith(" y 🟦 <@72>")
