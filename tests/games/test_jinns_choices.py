"""Words for the choices and the luck of Jinns: true in random games, and as in these examples."""

from __future__ import annotations

import re

import pytest

from engine.coaching import ideas
from engine.core import OptionValue, State
from engine.games.jinns import GAME
from engine.games.jinns.actions import Choose, Lay, Move, Place, Strength
from engine.games.jinns.pawns import TOWER, Color
from engine.games.jinns.state import Jinns
from engine.texts import CHANCE, Seat
from engine.wording import Voice
from kit.playouts import steps_of
from tests.games.jinns_positions import fresh, set_up, table, yellow_fours

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


def test_the_gloss_of_a_pawn_says_that_it_is_walled_in_by_its_own_color() -> None:
    t = fresh(2).play("place 2")
    assert "reaches nothing at first" == Voice(t.match.names, t.due, t.state).gloss(Place(Strength.ONE))


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


BUILT: list[tuple[dict[int, str], int, str, str]] = [
    ({0: "Y1", 5: "R2 G1", 9: "B1"}, 2, "move 0 1 5", "tower of three: +2 for you, −2 for Blue"),
    ({0: "Y1", 5: "B1 R2 G1", 9: "B1"}, 2, "move 0 1 5", "ends the game: "),
    ({0: "Y1", 5: "B1 R2 G1", 9: "B1", 12: "R1"}, 2, "move 0 1 5", "tower of four: "),
    ({0: "Y1", 5: "R2 G1", 9: "B1"}, 4, "move 0 1 5 leave", "tower of three: +2 for you, −2 for Green"),
    (
        {0: "Y1", 5: "R2 G1", 9: "B1", 12: "G1", 20: "R1"},
        4,
        "move 0 1 5 take3",
        "tower of three: +1 for you, +2 for Red",
    ),
    ({0: "Y1", 5: "B2", 9: "R3", 12: "G1"}, 2, "move 0 1 5", "+1 for you, −2 for Blue"),
    ({0: "Y1", 5: "R2", 9: "B1", 12: "G1"}, 2, "move 0 1 5", "−1 for you"),
]


@pytest.mark.parametrize(("piles", "seats", "move", "gloss"), BUILT)
def test_the_gloss_of_a_move_names_the_tower_that_it_builds(
    piles: dict[int, str], seats: int, move: str, gloss: str
) -> None:
    t = table(piles, seats=seats)
    assert Voice(t.match.names, t.due, t.state).gloss(t.match.parse(move)).startswith(gloss)


def test_the_gloss_of_a_move_says_that_the_position_comes_again() -> None:
    t = table({0: "Y4 B1", 5: "R4"}, turn=1)
    glosses = []
    for move in ("move 0 1 5", "move 5 1 0"):
        glosses.append(Voice(t.match.names, t.due, t.state).gloss(t.match.parse(move)))
        t.play(move)
    assert [False, True] == [gloss.startswith("the same position again: ") for gloss in glosses]
    assert 2 == t.state.times


def test_the_gloss_of_a_move_names_the_mover_first() -> None:
    t = table({0: "B1", 5: "Y2", 9: "R3"}, turn=1)
    assert "+1 for you, −2 for Yellow" == Voice(t.match.names, t.due, t.state).gloss(t.match.parse("move 0 1 5"))


def test_a_pile_is_named_from_its_top_pawn_down_and_a_random_rest_to_the_last_square_of_the_round() -> None:
    t = table({0: "B4 G1 Y2", 4: "R1", 8: "B2", 12: "R3"})
    assert "Y2 on 0, over G1 and B4" == Voice(t.match.names, t.due, t.state).field(
        t.match.parse("move 0 1 8"), "square"
    )
    for seats, label in ((2, "Fill 0 to 3 at random"), (3, "Fill 0 to 5 at random")):
        t = fresh(seats)
        assert label == Voice(t.match.names, t.due, t.state).label(t.match.parse("place rest"))


@pytest.mark.parametrize(
    ("seats", "options", "gloss", "line"),
    [
        (2, {}, "4 first moves", "See where its fours stand and how many first moves"),
        (3, {}, "4 first moves", "See where its fours stand. The color left over is neutral"),
        (4, {}, "up to 4 first moves", "See where its fours stand and how many first moves"),
        (4, {"partners": "no"}, "4 first moves", "See where its fours stand and how many first moves"),
    ],
)
def test_a_color_to_choose_is_told_for_the_table(seats: int, options: dict[str, str], gloss: str, line: str) -> None:
    t = set_up(seats, stop=32, colors="draft", **options)
    assert Voice(t.match.names, t.due, t.state).gloss(Choose(Color.YELLOW)).startswith(gloss)
    assert str(ideas(t.state)[1]).startswith(line)


def test_advice_mentions_a_random_rest_only_where_there_is_one() -> None:
    assert ["at random" in str(ideas(t.state)[1]) for t in (fresh(3), yellow_fours("3 3"))] == [True, False]


def test_a_question_mentions_neutral_piles_only_if_there_are_any() -> None:
    prompts = [str(table({0: "Y1", 5: "B2", 9: "B3"}, seats=seats).decision.prompt) for seats in (2, 3, 4)]
    assert [False, True, False] == ["neutral" in prompt for prompt in prompts]


SUMMARIES: list[tuple[int, dict[str, OptionValue], str]] = [
    (2, {}, "place two"),
    (3, {"setup": "random"}, "neutral"),
    (4, {"colors": "draft"}, "choose share"),
    (4, {"team_score": True}, "place share together"),
    (4, {"team_score": True, "partners": "no"}, "place"),
]
TOLD = {
    "place": "First you place",
    "choose": "First you choose",
    "two": "two colors",
    "neutral": "neutral piles",
    "share": "share it with your partner",
    "together": "Partners add up",
}


@pytest.mark.parametrize(("seats", "options", "told"), SUMMARIES)
def test_the_summary_tells_what_the_seats_and_options_make_of_the_game(
    seats: int, options: dict[str, OptionValue], told: str
) -> None:
    lines = GAME.short_in(GAME.setup(seats, options)) or pytest.fail("no summary")
    text = f"{lines.turn} {lines.end}"
    assert told.split() == [word for word, phrase in TOLD.items() if phrase in text]


@pytest.mark.parametrize(
    ("options", "account"),
    [({}, "0 taken + 3 on the lake"), ({"team_score": True}, "0 taken + 3 on the lake + 2 from Yellow")],
)
def test_an_account_has_the_points_of_a_partner_only_if_they_add_up(options: dict[str, bool], account: str) -> None:
    assert account == str(table({0: "Y3", 5: "R2"}, seats=4, **options).state.account(Seat(0)))


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


def test_the_tower_that_advice_names_gains_most_over_every_rival() -> None:
    advised = 0
    for step in (step for step in steps_of(GAME) if isinstance(step.action, Move)):
        texts = [re.match(r"You can complete .* from (\d+) to (\d+):", str(idea)) for idea in ideas(step.before)]
        leads = {move: lead_of(step.before, move) for move in towers_of(step.before)}
        best = [(str(move.square), str(move.to)) for move in leads if leads[move] == max(leads.values()) > 0]
        assert [text.groups() in best for text in texts if text] == [True] * bool(best)
        advised += len(best)
    assert advised


def towers_of(state: State) -> list[Move]:
    assert isinstance(state, Jinns)
    moves = [move for move in state.decisions()[0].options if isinstance(move, Move)]
    return [move for move in moves if state.board[move.to].height + move.take == TOWER]


def lead_of(state: State, move: Move) -> int:
    """The points that the mover gains more than each rival, and not only because the rivals lose some."""
    assert isinstance(state, Jinns)
    after = state.apply(state.turn, move)[0]
    own, *others = (
        after.tally(seat) - state.tally(seat) for seat in (state.turn, *{*map(Seat, range(state.seats))} - {state.turn})
    )
    return min(own, own - max(others))


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
