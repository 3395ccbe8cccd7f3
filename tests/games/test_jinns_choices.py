"""What a player of Jinns is told of the choices and of luck: true in random games, and as in these examples."""

from __future__ import annotations

import re

import pytest

from engine.core import field_types
from engine.games.jinns import GAME
from engine.games.jinns.actions import Choose, Lay, Move, Place, Strength
from engine.games.jinns.events import EndReason
from engine.games.jinns.state import Jinns
from engine.texts import CHANCE, Seat
from engine.wording import OPEN, Voice
from tests.engine.playouts import steps_of
from tests.games.jinns_positions import Table, fresh, set_up, table

NAMES = ("Maximilianxa", "Bartholomewx", "Annakatharin", "Xenophonathx")


def labels(t: Table) -> list[str]:
    return [Voice(t.match.names, t.due, t.state).label(option) for option in t.decision.options]


def test_a_move_names_the_pawns_that_go_and_the_piles_at_both_ends() -> None:
    t = table({0: "B4 G1 Y3", 5: "B2", 9: "G3", 12: "B1 R2"})
    voice, move = Voice(t.match.names, t.due, t.state), t.decision.options[0]
    fields = [voice.field(move, name) for name in field_types(Move) if name != "keep"]
    assert ["Y3 on 0, over G1 and B4", "Top 1: Y3", "R2 on 12, over B1"] == fields
    assert "Y3 on 0 → R2 on 12" == voice.label(move)
    assert f"Y3 on 0, over G1 and B4: {OPEN} → {OPEN} {OPEN}" == voice.beginning(move, 1)


def test_what_becomes_of_a_tower_is_named() -> None:
    assert [
        "Y1 on 0 → G1 on 5, leave tower",
        "Y1 on 0 → G1 on 5, take tower",
        "Y1 and B4 on 0 → G1 on 5, keep upper two",
        "Y1 and B4 on 0 → G1 on 5, keep lower two",
    ] == labels(table({0: "B4 Y1", 5: "R2 G1"}, seats=4))


def test_a_pawn_is_placed_by_its_name_and_luck_by_the_squares_it_fills() -> None:
    assert ["Y1 on 1", "Y2 on 1", "Y3 on 1", "Y4 on 1", "Fill 1 to 5 at random"] == labels(fresh(3).play("place 1"))


# --- what options lead to ---


def test_the_gloss_of_a_move_tells_every_change_of_points_and_the_end() -> None:
    for step in (step for step in steps_of(GAME) if isinstance(step.action, Move)):
        assert isinstance(step.before, Jinns)
        assert isinstance(step.after, Jinns)
        gloss = Voice(NAMES, step.seat, step.before).gloss(step.action)
        for seat in map(Seat, range(step.before.seats)):
            points = step.after.score(seat) - step.before.score(seat)
            name = "you" if seat == step.seat else NAMES[seat]
            told = f"{'+' if points > 0 else '−'}{abs(points)} for {name}"
            assert (told in gloss) if points else (f"for {name}" not in gloss)
        assert ("ends the game" in gloss) == (step.after.ended is not None) or gloss.count(" for ") > 3


def test_the_gloss_of_a_pawn_names_the_squares_that_its_first_move_reaches() -> None:
    """Whatever stands there when all 32 are placed."""
    for seats in GAME.seats:
        t = fresh(seats)
        while t.options("place"):
            option = t.decision.options[0]
            assert isinstance(option, Place)
            assert option.strength is not Strength.REST
            reached = re.findall(r"\w+ on (\d+)", Voice(t.match.names, t.due, t.state).gloss(option))
            assert set(map(int, reached)) == first_goals(seats, t.state.placed, int(option.strength))
            t.play(t.options()[0])


def first_goals(seats: int, square: int, strength: int) -> set[int]:
    """Where a pawn of this strength can go from a square of the full ring, by the moves of its owner."""
    full = set_up(seats).state
    color = full.board[square].top.color
    piles = {n: str(pile) for n, pile in enumerate(full.board)} | {square: f"{color}{strength}"}
    t = table(piles, seats=seats, turn=full.owner(color) or 0)
    return set(t.goals(square))


def test_a_color_is_offered_with_its_first_moves_and_its_fours() -> None:
    t = set_up(3, colors="draft", stop=32)
    while t.due == CHANCE:
        t.play(t.options()[0])
    gloss = Voice(t.match.names, t.due, t.state).gloss(Choose(t.state.board[0].top.color))
    moves, *fours = map(int, re.findall(r"\d+", gloss))
    assert ["Y4", "Y4"] == [str(t.state.board[square]) for square in fours]
    t.play("choose R", "choose B", "choose Y")
    yellow = [text for text in t.options("move") if t.state.board[int(text.split()[1])].top.color == "Y"]
    assert moves == len(yellow)


# --- coaching and odds ---


@pytest.mark.parametrize(
    ("piles", "line"),
    [
        ({0: "B4 Y1", 5: "R2 G1", 9: "B2"}, "You can complete a tower of four now, from 0 to 5:"),
        ({0: "B4 R1 G1", 5: "B2", 9: "R3", 12: "G2"}, "The tower of three on 0 lacks only yellow"),
        ({0: "Y1", 5: "B2"}, "Whoever completes a tower of four takes it"),
        ({0: "Y1", 5: "B2", 9: "B3"}, "Only 3 piles are left: tops of strength 3 and 4 are stuck"),
        ({0: "Y1", 5: "B2", 9: "B3", 12: "B1", 14: "G1"}, "The top number says how many piles you go"),
    ],
)
def test_advice_goes_by_the_position(piles: dict[int, str], line: str) -> None:
    assert any(str(text).startswith(line) for text in table(piles).state.advice())


def test_odds_are_those_of_the_draw() -> None:
    for step in (step for step in steps_of(GAME) if step.seat == CHANCE):
        (decision,) = step.decisions
        odds = str(step.before.odds())
        assert str(sum(decision.weights)) in odds or sum(decision.weights) == 1
        for count, pawn in re.findall(r"(\d) × (\w\d)", odds):
            lays = [option for option in decision.options if isinstance(option, Lay) and str(option.pawn) == pawn]
            assert int(count) == decision.weights[decision.options.index(lays[0])]


def test_the_odds_of_a_round_that_luck_fills_name_the_pawns_that_are_left() -> None:
    t = fresh().play("place 2", "place rest")
    assert "Of 7 yellow pawns left: 2 × Y1, 1 × Y2, 2 × Y3 and 2 × Y4" == str(t.state.odds())


@pytest.mark.parametrize("reason", EndReason)
def test_a_reason_is_a_whole_sentence(reason: EndReason) -> None:
    assert re.fullmatch(r"[A-Z].*\.", reason.label)
