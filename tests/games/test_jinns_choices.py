"""Words for the choices and the luck of Jinns: true in random games, and as in these examples."""

from __future__ import annotations

import re

import pytest

from engine.coaching import ideas
from engine.games.jinns import GAME
from engine.games.jinns.actions import Choose, Lay, Move, Place, Strength
from engine.games.jinns.state import Jinns
from engine.texts import CHANCE, Seat
from engine.wording import Voice
from kit.playouts import steps_of
from tests.games.jinns_positions import fresh, set_up, table

NAMES = ("Maximilianxa", "Bartholomewx", "Annakatharin", "Xenophonathx")


# --- what options lead to ---


def test_the_gloss_of_a_move_names_every_change_of_points_and_the_end_of_the_game() -> None:
    for step in (step for step in steps_of(GAME) if isinstance(step.action, Move)):
        assert isinstance(step.before, Jinns)
        assert isinstance(step.after, Jinns)
        gloss = Voice(NAMES, step.seat, step.before).gloss(step.action)
        for seat in map(Seat, range(step.before.seats)):
            points = step.after.score(seat) - step.before.score(seat)
            name = "you" if seat == step.seat else NAMES[seat]
            sentence = f"{'+' if points > 0 else '−'}{abs(points)} for {name}"
            assert (sentence in gloss) if points else (f"for {name}" not in gloss)
        assert ("ends the game" in gloss) == (step.after.ended is not None) or gloss.count(" for ") > 3


def test_the_gloss_of_a_pawn_names_the_squares_that_its_first_move_reaches() -> None:
    """A position with all 32 pawns placed."""
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
    """Squares that a pawn of this strength can reach from a square of the full ring, by the moves of its owner."""
    full = set_up(seats).state
    color = full.board[square].top.color
    piles = {n: str(pile) for n, pile in enumerate(full.board)} | {square: f"{color}{strength}"}
    t = table(piles, seats=seats, turn=full.owner(color) or 0)
    return set(t.goals(square))


def test_the_gloss_of_a_color_names_its_first_moves_and_its_fours() -> None:
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
        ({0: "Y1", 5: "B2", 9: "B3"}, "Only 3 piles are left: top pawns of 3 and 4 are stuck"),
        ({0: "Y1", 5: "B2", 9: "B3", 12: "B1", 14: "G1"}, "The top number says how many piles you go"),
    ],
)
def test_advice_depends_on_the_position(piles: dict[int, str], line: str) -> None:
    assert any(str(text).startswith(line) for text in ideas(table(piles).state))


def test_a_tower_that_costs_points_is_never_advised() -> None:
    """Three under a 4 count 12 for their owner; with a 1 on top, the tower counts 4."""
    t = table({0: "R1", 5: "B2 G1 Y4", 9: "B3", 12: "G1"})
    assert str(t.state.gloss(t.match.parse("move 0 1 5"))).startswith("tower of four: −9 for ")
    assert not [str(idea) for idea in ideas(t.state) if str(idea).startswith("You can complete")]


def test_the_odds_match_the_weights_of_the_draw() -> None:
    for step in (step for step in steps_of(GAME) if step.seat == CHANCE):
        (decision,) = step.decisions
        odds = str(step.before.odds())
        assert str(sum(decision.weights)) in odds or sum(decision.weights) == 1
        for pawn, count in re.findall(r"(\w\d) ×(\d)", odds):
            lays = [option for option in decision.options if isinstance(option, Lay) and str(option.pawn) == pawn]
            assert int(count) == decision.weights[decision.options.index(lays[0])]
