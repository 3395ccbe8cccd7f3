"""The table of the Muses is data: our own file, and errors about unusable files."""

from __future__ import annotations

from importlib import resources

import pytest

from engine.errors import SetupError
from engine.games.muses import GAME
from engine.games.muses.muse_table import table_of
from engine.games.muses.powers import Borrow, Carry, ChangeDie, CopyDie, SwapDice, SwapPlaces
from engine.games.muses.tiles import MUSES
from engine.match import Match
from engine.wording import say
from tests.games.muses_positions import Table, placed_tiles, position

HOUSE = resources.files("engine.games.muses").joinpath("house_powers.toml").read_text(encoding="utf-8")


def with_power(muse: str, suns: int, *lines: str) -> str:
    """The house table with another power for one Muse."""
    head, _, rest = HOUSE.partition(f"[{muse}]\n")
    following = rest[rest.index("\n[") :] if "\n[" in rest else ""
    return "\n".join((f"{head}[{muse}]", f"suns = {suns}", *lines, following))


def test_the_house_file_matches_the_table_in_the_rules() -> None:
    first = (ChangeDie(False, 1), ChangeDie(False, -1), SwapDice(False), CopyDie(False), ChangeDie(True, -1))
    powers = (*first, Borrow(), SwapPlaces(False), SwapDice(True), Carry())
    house = table_of("house")
    assert ("House powers", (3, 2, 1, 3, 1, 2, 1, 2, 3), powers) == (house.name, house.suns, house.powers[:9])
    assert [None] * 5 == list(house.powers[9:]), "who lies face down has no power"


def test_the_text_of_the_house_file_gives_the_same_table_and_the_same_game() -> None:
    assert table_of("house") == table_of(HOUSE)
    setups = [GAME.setup(3, {"powers": powers}) for powers in ("house", HOUSE)]
    house, own = (Match.begin(GAME, setup, "1") for setup in setups)
    assert house.entries == own.entries


def test_a_table_without_powers_keeps_the_suns() -> None:
    none = table_of("none")
    assert table_of("house").suns == none.suns
    assert [None] * 14 == list(none.powers)
    assert "no power" == say(none.summary(0))


def test_every_power_has_a_short_summary() -> None:
    lines = [say(table_of("house").summary(muse)) for muse in range(9)]
    assert len(set(lines)) == 9
    assert max(map(len, lines)) <= 28
    assert "+1 on a neighbor’s die" == lines[0]


def test_a_custom_power_table_changes_the_game() -> None:
    text = with_power("calliope", 1, 'power = "change_die"', "by = 2", 'whose = "own"')
    game = Table(position({"calliope": "0,0 r1", "clio": "1,1 b1"}, powers=text)).play("step calliope e")
    assert ["power calliope", "done"] == game.options()
    assert "Use Calliope’s power, or not." == say(game.decision.prompt)
    assert "1,0 r4" == placed_tiles(game.play("power calliope").state)["calliope"]
    assert 1 == table_of(text).suns[0]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (('power = "copy_die"', 'whose = "own"'), {"calliope": "0,0 b4"}),
        (('power = "swap_places"', 'whose = "two neighbors"'), {"clio": "0,1 b4", "erato": "1,1 y2"}),
        (('power = "swap_dice"', 'whose = "two neighbors"'), {"clio": "1,1 y2", "erato": "0,1 b4"}),
    ],
)
def test_powers_outside_the_house_table_work(lines: tuple[str, ...], expected: dict[str, str]) -> None:
    text = with_power("calliope", 3, *lines)
    tiles = {"calliope": "0,0 b1", "clio": "1,1 b4", "erato": "0,1 y2"}
    game = Table(position(tiles, powers=text, has_moved="calliope"))
    assert expected.items() <= placed_tiles(game.play(game.options("power")[0]).state).items()


def test_a_borrow_power_cannot_be_borrowed() -> None:
    text = with_power("calliope", 3, 'power = "borrow"')
    tiles = {"calliope": "0,0 r1", "polyhymnia": "1,0 b1", "erato": "0,1 y1"}
    game = Table(position(tiles, powers=text, has_moved="calliope"))
    assert {"erato"} == {option.split()[2].split(",")[0] for option in game.options("power")}


def test_a_match_stores_its_power_table_as_text() -> None:
    text = with_power("urania", 1, 'power = "none"')
    setup = GAME.setup(2, {"powers": text})
    assert setup == GAME.setup(2, setup.chosen())
    assert text == setup.chosen()["powers"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("nonsense", "This is not TOML: Expected '=' after a key in a key/value pair (at end of document)."),
        (HOUSE.replace('name = "House powers"', ""), "A table needs a `name` of 1 to 40 characters"),
        (HOUSE.replace('House powers"', "x" * 41 + '"'), "A table needs a `name` of 1 to 40 characters"),
        (HOUSE.replace("[clio]", "[klio]"), "There is no Muse “klio”; they are calliope, clio"),
        (with_power("clio", 4, 'power = "carry"'), "[clio] needs suns = 1, 2 or 3, not 4."),
        (HOUSE.replace("suns = 2", "suns = true", 1), "[clio] needs suns = 1, 2 or 3, not True."),
        (HOUSE.replace("suns = 2", "", 1), "[clio] needs suns = 1, 2 or 3, which is missing."),
        (with_power("clio", 1, 'power = "fly"'), "[clio] needs a power of “none”, “change_die”"),
        (with_power("clio", 1, "power = 3"), "not 3."),
        (with_power("clio", 1, 'power = "change_die"', "by = 9", 'whose = "own"'), "needs by = -5, -4"),
        (
            with_power("clio", 1, 'power = "change_die"', "by = 1"),
            "whose = “neighbor” or “own”, which is missing.",
        ),
        (with_power("clio", 1, 'power = "swap_dice"', 'whose = "all"'), "“own” or “two neighbors”, not “all”."),
        (with_power("clio", 1, 'power = "carry"', "by = 1"), "[clio] with “carry” has no “by”."),
        ("x = " + "[" * 9000, "This is not a table of Muses: it is nested too deeply."),
        ("x = " + "{a=" * 5000, "This is not a table of Muses: it is nested too deeply."),
        (HOUSE.replace("suns = 2", "suns = " + "1" * 5000, 1), "a number in it is far too long."),
        (HOUSE.replace("suns = 2", "suns = " + "1" * 4000, 1), "[clio] needs suns = 1, 2 or 3, not what is there now."),
        (HOUSE.replace("suns = 2", "suns = 0x" + "f" * 5000, 1), "3, not what is there now."),
        (HOUSE.replace("suns = 2", "suns" + ".a" * 3000 + " = 1", 1), "3, not what is there now."),
        (HOUSE.replace("suns = 2", "suns = [1]", 1), "3, not what is there now."),
        (HOUSE.replace("suns = 2", "suns = 1e999", 1), "3, not inf."),
        (f'["{"a" * 9000}"]\n{HOUSE}', "A table needs a `name`"),
        (f'{HOUSE}\n["klio\\n{"a" * 9000}"]\n', f"There is no Muse “klio {'a' * 34}…”; they are"),
        (with_power("clio", 1, f'power = "{"z" * 9000}"'), f"not “{'z' * 39}…”."),
        (with_power("clio", 1, 'power = "carry"', f"{'k' * 9000} = 1"), f"has no “{'k' * 39}…”."),
        (HOUSE[: HOUSE.index("[urania]")], "The table lacks [urania]."),
        (HOUSE[: HOUSE.index("[urania]")].replace("name =", "urania = 3\nname ="), "The table lacks [urania]."),
    ],
)
def test_an_invalid_power_table_is_refused_with_the_reason(text: str, sentence: str) -> None:
    with pytest.raises(SetupError) as caught:
        GAME.setup(3, {"powers": text})
    assert sentence in str(caught.value.text)
    assert len(str(caught.value.text)) <= 300


def test_a_power_table_needs_every_muse() -> None:
    for muse in MUSES:
        with pytest.raises(SetupError):
            table_of(HOUSE.replace(f"[{muse}]", ""))
