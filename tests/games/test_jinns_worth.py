"""Worth of a set-up of Jinns: strength spread evenly around the lake, told before all pawns are placed."""

from __future__ import annotations

from random import Random
from statistics import mean

import pytest

from engine.games.jinns import GAME
from engine.games.jinns.balance import lopsidedness
from engine.games.jinns.evaluation import EVALUATE
from engine.games.jinns.pattern import placements
from engine.games.jinns.pawns import COLORS, PAWNS_OF, SINGLES, Board, Pile
from engine.games.jinns.state import Jinns
from engine.match import Match
from engine.notation import format_action
from engine.players.hints import hints
from engine.players.search import Effort
from engine.players.search.thinker import Thinker
from engine.texts import Seat
from engine.wording import say
from tests.games.jinns_positions import fresh


def place_pawns(seats: int, strengths: str) -> Jinns:
    state = fresh(seats).play(*(f"place {strength}" for strength in strengths)).state
    assert isinstance(state, Jinns)
    return state


def complete(state: Jinns, rng: Random) -> Board:
    """The board after luck has placed the rest."""
    board = list(state.board)
    leftovers: dict[object, list[Pile]] = {
        color: [SINGLES[PAWNS_OF[color][n]] for n, many in enumerate(state.stock(color)) for _ in range(many)]
        for color in COLORS
    }
    for square in range(state.placed, len(board)):
        pawns = leftovers[placements(state.seats)[square].color]
        board[square] = pawns.pop(rng.randrange(len(pawns)))
    return tuple(board)


@pytest.mark.parametrize(("seats", "strengths"), [(2, "1144233411234"), (3, "114412233413")])
def test_an_unfinished_setup_is_as_lopsided_as_the_mean_of_its_completions(seats: int, strengths: str) -> None:
    state, rng = place_pawns(seats, strengths), Random(1)
    results = [lopsidedness(complete(state, rng), seats) for _ in range(1500)]
    means = [mean(result) for result in zip(*results, strict=True)]
    assert means == pytest.approx(lopsidedness(state.board, seats), rel=0.1)


def test_placing_weak_pawns_first_leaves_a_color_lopsided() -> None:
    """The other block of a color stands on the far side of the lake."""
    weak, even, strong = (EVALUATE(place_pawns(2, strengths))[0] for strengths in ("1122", "1144", "3344"))
    assert weak < even > strong
    assert 0.5 == pytest.approx(EVALUATE(place_pawns(2, ""))[0])


def test_the_evaluation_is_even_while_luck_lays_out_all_pawns() -> None:
    state, rng = GAME.start(GAME.setup(2, {"setup": "random"})), Random(2)
    while len(state.frames) > 1:
        assert (0.5, 0.5) == EVALUATE(state)
        state, _ = state.apply(state.decisions()[0].seat, state.sample(rng))
    assert (0.5, 0.5) != EVALUATE(state)


def test_thinking_players_place_pawns_evenly_on_both_sides() -> None:
    """Weak and strong pawns come to both sides: not the first option that there is."""
    match, rng = Match.begin(GAME, GAME.setup(2), "placing"), Random(1)
    while match.ply < 16:
        seat = match.state.decisions()[0].seat
        match.play(seat, Thinker(seconds=0.03, worlds=1)(match.view(seat), rng))
    assert isinstance(match.state, Jinns)
    blocks = [match.state.board[first : first + 4] for first in range(0, 16, 4)]
    assert [10] * 4 == pytest.approx([sum(pile.top.strength for pile in block) for block in blocks], abs=2)


def test_hints_for_a_placement_differ_and_explain_the_best_one() -> None:
    match = Match.begin(GAME, GAME.setup(2), "placing")
    for strength in "112":
        match.play(Seat(0), match.parse(f"place {strength}"))
    hint_list = hints(match.view(Seat(0)), "seed", Effort(400))
    assert "place 4" == format_action(hint_list[0].option)
    assert hint_list[0].chance > hint_list[-1].chance
    assert hint_list[0].why is not None
    assert "it leaves you with strength spread more evenly around the lake" in say(hint_list[0].why, you=Seat(0))
