"""The lobby shows the table as it will be: who plays each seat, and the name of each that is still free."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from importlib import resources

import pytest

from bot.features.lobby.lobby_layouts import lobby_layout
from engine.core import GameSpec
from engine.games import discover
from playground.components import walk as walk_components
from tests.bot.app import App
from tests.bot.walks import name_of, table_of
from tests.engine.toys import TOYS
from tests.robots import BOARD

HOUSE_POWERS = resources.files("engine.games.muses").joinpath("house_powers.toml").read_text(encoding="utf-8")

pytestmark = pytest.mark.usefixtures("watch")

every_game = pytest.mark.parametrize("spec", discover().values(), ids=name_of)


def empty_seats(spec: GameSpec) -> list[str]:
    """Mark and name of every seat that must be taken but the first."""
    table = table_of(spec, spec.seats[0])
    return [f"{mark} {name}" for mark, name in zip(table.marks, table.seat_names, strict=True)][1:]


@every_game
async def test_a_taken_seat_has_its_color_and_the_name_of_its_player(app: App, spec: GameSpec) -> None:
    for seats in spec.seats:
        ana = app.room().person("Ana")
        reply = await ana.slash("table new", game=spec.slug)
        for _ in range(seats - 1):
            reply = await ana.tap("Add computer")
        mark, *marks = table_of(spec, seats).marks
        results = [line for line in reply.text.splitlines() if ana.mention in line or "Tumbleweed" in line]
        assert f"{mark} {ana.mention} · host" == results[0]
        assert [f"**{other} Tumbleweed" for other in marks] == [line[:14] for line in results[1:]]
        assert seats == len(set(results)), "no two are called alike"


@every_game
async def test_an_open_required_seat_is_listed_by_name(app: App, spec: GameSpec) -> None:
    response = await app.room().person("Ana").slash("table new", game=spec.slug)
    waiting = [line for line in response.text.splitlines() if line.endswith(": free")]
    assert [f"{seat}: free" for seat in empty_seats(spec)] == waiting
    assert f"{spec.seats[0] - 1} more needed" in response


@pytest.mark.parametrize(
    ("seats", "taken", "told"),
    [
        ((1,), 1, "1 player. Start when everyone is here."),
        ((2,), 1, "2 players. 1 more needed."),
        ((2, 3, 4), 2, "2 to 4 players. Start when everyone is here."),
        ((2, 4), 3, "2 or 4 players. 1 more needed."),
    ],
)
def test_the_lobby_shows_the_player_count_and_how_many_are_missing(
    seats: tuple[int, ...], taken: int, told: str
) -> None:
    layout = lobby_layout(table_of(replace(TOYS["toll"], seats=seats), taken))
    texts = [part["content"] for _, part in walk_components(layout.to_components()) if "content" in part]
    assert f"-# {told}" == texts[0].splitlines()[-1]


@pytest.mark.parametrize(("becomes", "problem"), [("spoilt = ", "can’t be used"), (None, "it’s gone")])
async def test_an_offered_file_is_read_again_when_chosen(app: App, becomes: str | None, problem: str) -> None:
    box = app.folder / "muses" / "box.toml"
    box.parent.mkdir()
    box.write_text(HOUSE_POWERS.replace("House powers", "From my box"))
    ana = app.room().person("Ana")
    await ana.slash("table new", game="muses")
    offered = await ana.slash("table options")
    if becomes is None:
        box.unlink()
    else:
        box.write_text(becomes)
    answer = await ana.choose("Powers: From my box", on=offered)
    assert answer.ephemeral
    assert "box.toml can’t be used" in answer
    assert problem in answer
    assert (becomes is None) == ("it’s gone" in answer), "else it says what is wrong with it"
    assert "box" not in app.query("SELECT options FROM matches")[0][0]


async def test_a_chosen_file_can_disappear_and_a_broken_file_is_refused_with_its_problem(app: App) -> None:
    """The text of the file is stored with the match."""
    box = app.folder / "muses" / "box.toml"
    box.parent.mkdir()
    box.write_text(HOUSE_POWERS.replace("House powers", "From my box"))
    (box.parent / "spoilt.toml").write_text(HOUSE_POWERS.replace("suns = 3", "suns = 4", 1))
    ana = app.room().person("Ana")
    await ana.slash("table new", game="muses")
    await ana.tap("Add computer")
    offered = await ana.slash("table options")
    assert "spoilt.toml can’t be used: [calliope] needs suns = 1, 2 or 3, not 4." in offered
    await ana.choose("Powers: From my box", on=offered)
    box.unlink()
    await ana.tap("Start")
    await ana.expect(BOARD)
    assert "From my box" in await ana.slash("game board", **{"as": "text"})


async def test_options_can_name_the_last_seat_of_a_full_table(app: App) -> None:
    """Muscat lets the host choose who begins; a seat that is not taken cannot."""
    ana = app.room().person("Ana")
    await ana.slash("table new", game="muscat")
    for _ in range(4):
        await ana.tap("Add computer")
    screen = await ana.slash("table options")
    number = next(n for n, menu in enumerate(screen.menus) if "First player" in menu.options[0].label)
    last = screen.menus[number].options[-1].label
    chosen = await ana.choose(last, on=screen, menu=number)
    assert [last] == [option.label for option in chosen.menus[number].options if option.chosen]


async def test_a_lobby_has_four_buttons_and_more_opens_the_allowed_rest_in_private(app: App) -> None:
    room = app.room()
    ana, ben, dan = room.people("Ana", "Ben", "Dan")
    await ana.slash("table new", game="muscat")
    await ben.tap("Join")
    lobby = await ana.tap("Add computer")
    assert ["Join", "Start", "Add computer", "More"] == lobby.labels
    pages = {person: await person.tap("More") for person in (ana, ben, dan)}
    own = ["Rules", "Luck", "Shuffle seats", "Leave", "Block a player"]
    assert [*own, "Invite", "Pace", "Options", "Start time", "Computers", "Remove", "Close the table"] == pages[
        ana
    ].labels
    assert [own, ["Rules", "Luck", "Block a player"]] == [pages[person].labels for person in (ben, dan)]
    assert all(page.ephemeral for page in pages.values())
    assert "Close this table for everyone?" in await ana.tap("Close the table", on=pages[ana])


async def test_the_lobby_shows_both_of_two_changes_however_late_the_answer_to_the_first_arrives(app: App) -> None:
    room = app.room()
    ana, ben = room.people("Ana", "Ben")
    lobby = await ana.slash("table new", game="toll")
    late = app.local.fault("POST /interactions/*/callback", hang=True)
    joining = asyncio.create_task(ben.tap("Join", on=lobby))
    await app.local.wait_for_fault(late)
    adding = asyncio.create_task(ana.tap("Add computer", on=lobby))
    while app.query("SELECT count(*) FROM seat_history") != [(3,)]:
        await app.breathe()
    for _ in range(3):  # an answer that did not wait would arrive
        await app.breathe()
    app.local.release()
    await asyncio.gather(joining, adding)
    assert (True, True) == (ben.mention in ana.look(lobby), "Tumbleweed" in ana.look(lobby))
