"""A match turn by turn, and as it stood at any time before."""

from __future__ import annotations

from random import Random

import pytest

from engine.core import Event, GameSpec
from engine.games import discover
from engine.match import Match
from engine.texts import CHANCE, Seat
from engine.turns import Turn, round_of, scenes_of, turns_of
from tests.engine.toys import TOYS
from tests.engine.toys.garden import Bed, Crop, Plant

RED, BLUE, YELLOW = Seat(0), Seat(1), Seat(2)


class Said(Event):
    template = "Something is said."


SAID = (Said(),)


def play_randomly(spec: GameSpec, most: int = 60) -> Match:
    match, rng = Match.begin(spec, spec.setup(spec.seats[0]), "seed"), Random("hands")
    while match.outcome is None and match.ply < most:
        decision = rng.choice(match.state.decisions())
        match.play(decision.seat, rng.choice(decision.options))
    return match


@pytest.mark.parametrize("spec", (discover() | TOYS).values(), ids=lambda spec: spec.slug)
def test_a_match_can_be_viewed_as_of_every_ply(spec: GameSpec) -> None:
    match = play_randomly(spec)
    assert all(
        match.until(ply).view(None) == Match.replay(spec, match.setup, "seed", match.entries[:ply]).view(None)
        for ply in range(0, match.ply + 1, 7)
    )
    assert match.until(match.ply).view(None) == match.view(None)


def test_turns_leave_out_undone_moves() -> None:
    spec = TOYS["garden"]
    match = Match.begin(spec, spec.setup(2), "seed")
    fallow, fig = Plant(Bed("a", 1), Crop.FALLOW, None), Plant(Bed("a", 1), Crop.FIG, BLUE)
    match.play(RED, fallow)
    match.undo(RED)
    match.play(RED, fig)
    again = match.until(1)
    assert match.state == again.state
    assert (1, 1) == (again.version, again.ply)
    assert match.view(None, since=0) == again.view(None, since=0)


def test_draws_do_not_count_as_moves_and_belong_to_the_turn_before_them() -> None:
    history = [(CHANCE, SAID), (CHANCE, ()), (RED, SAID), (CHANCE, SAID), (RED, ()), (BLUE, SAID), (YELLOW, ())]
    expected = [
        Turn(CHANCE, 0, 2, (0, 0), SAID),
        Turn(RED, 2, 5, (1, 2), SAID * 2),
        Turn(BLUE, 5, 6, (3, 3), SAID),
        Turn(YELLOW, 6, 7, (4, 4), ()),
    ]
    assert expected == turns_of(history)


def test_a_draw_that_begins_a_turn_has_the_number_of_its_first_move() -> None:
    history = [(RED, ()), (CHANCE, SAID), (BLUE, SAID), (CHANCE, SAID)]
    begun, waiting = Turn(BLUE, 1, 3, (2, 2), SAID * 2), Turn(RED, 3, 4, (3, 2), SAID)
    assert [Turn(RED, 0, 1, (1, 1), ()), begun, waiting] == turns_of(history, {1: BLUE, 3: RED})


def test_a_turn_without_public_events_joins_the_next_scene() -> None:
    """Sealed bids are told once they are opened."""
    match = play_randomly(TOYS["sealed"])
    opening, *scenes = scenes_of(match)
    assert Turn(CHANCE, 0, 0, (0, 0), ()) == opening
    silent = [turn for turn in turns_of(match.history(None)) if not turn.events]
    assert silent
    assert not {turn.first for turn in silent} & {scene.first for scene in scenes}
    assert match.ply == scenes[-1].end


@pytest.mark.parametrize(
    ("seats", "first"),
    [
        ((RED, BLUE, YELLOW, RED, BLUE, YELLOW), 4),
        ((RED, BLUE, YELLOW, RED, BLUE, RED, YELLOW), 5),
        ((RED, BLUE), 1),
        ((YELLOW, *(RED, BLUE) * 20), 33),
    ],
    ids=["in turn", "somebody in between", "a first one that is not over", "one is out"],
)
def test_the_last_round_is_the_shortest_span_with_a_turn_of_every_seat(seats: tuple[Seat, ...], first: int) -> None:
    assert first == round_of(scenes_by(seats), 3)


def scenes_by(seats: tuple[Seat, ...]) -> list[Turn]:
    """The start of a match, and a turn of each of these seats."""
    return [Turn(CHANCE, 0, 0, (0, 0), ()), *(Turn(seat, n, n + 1, (n, n), SAID) for n, seat in enumerate(seats))]
