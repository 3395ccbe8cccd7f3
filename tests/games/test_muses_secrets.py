"""Hidden information (rule 11): nothing that a viewer gets changes by one byte with what is hidden from him."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

import renders
from engine.core import OptionValue
from engine.games.muses import GAME
from engine.games.muses.state import Muses
from engine.games.muses.tiles import MUSES
from engine.match import Match
from engine.notation import format_action
from engine.texts import Seat
from engine.wording import Voice, say
from tests.games.muses_positions import dealt, position, table

ALL = "calliope,clio,erato,euterpe,melpomene,polyhymnia,terpsichore,thalia,urania"
CASES: list[tuple[int, dict[str, OptionValue]]] = [(2, {}), (3, {}), (4, {}), (4, {"neutral_face_4p": "down"})]
each_case = pytest.mark.parametrize(("seats", "chosen"), CASES, ids=["2", "3", "4", "4 neutral down"])


@cache
def stages(seats: int, neutral: str) -> tuple[Match, ...]:
    """Matches as they stand at some plies of two random games: layout, dance, and with a power half used."""
    chosen: dict[str, OptionValue] = {"neutral_face_4p": neutral}
    found = []
    for seed in range(2):
        match, rng = Match.begin(GAME, GAME.setup(seats, chosen), str(seed)), Random(seed)
        while match.outcome is None:
            if match.ply % 7 == seed:
                found.append(copy.copy(match))
                found[-1].entries, found[-1]._plies = list(match.entries), list(match._plies)
            decision = match.state.decisions()[0]
            match.play(decision.seat, rng.choice(decision.options))
    return tuple(found)


def in_other_worlds(seats: int, chosen: dict[str, OptionValue]) -> Iterator[tuple[Match, Match, Seat | None]]:
    """A match, the same match but for what a viewer cannot know, and the viewer."""
    for match in stages(seats, str(chosen.get("neutral_face_4p", "up"))):
        for viewer in (None, *map(Seat, range(seats))):
            other = copy.copy(match)
            other.state = match.state.determinize(viewer, Random(match.ply))
            yield match, other, viewer


@each_case
def test_pictures_and_words_are_the_same_byte_by_byte(seats: int, chosen: dict[str, OptionValue]) -> None:
    seen = 0
    for match, other, viewer in in_other_worlds(seats, chosen):
        seen += match.state != other.state
        here, there = (_shown(m, viewer) for m in (match, other))
        assert here == there, (match.ply, viewer)
    assert seen > 20, "the worlds differ"


def _shown(match: Match, viewer: Seat | None) -> tuple[Any, ...]:
    """All that the outside makes for a viewer: picture, alt text, long text, log, options with labels and glosses."""
    own = next((d for d in match.state.decisions() if d.seat == viewer), None)
    options = own.options if own else ()
    view = match.view(viewer, offered=options)
    picture = renders.draw(view, match.names)
    log = [say(event, match.names) for _, events in match.history(viewer) for event in events]
    voice = Voice(match.names, viewer, match.state.observe(viewer or Seat(0)))
    said = [(format_action(a), voice.label(a), voice.gloss(a)) for a in options[:40]]
    return picture.png, picture.alt, renders.tell(view, match.names), log, said, repr(view)


@each_case
def test_previews_are_the_same_byte_by_byte(seats: int, chosen: dict[str, OptionValue]) -> None:
    for match, other, viewer in in_other_worlds(seats, chosen):
        own = next((d for d in match.state.decisions() if d.seat == viewer), None)
        if viewer is None or own is None:
            continue
        for action in Random(match.ply).sample(own.options, min(2, len(own.options))):
            views = [m.preview(viewer, action) for m in (match, other)]
            assert repr(views[0]) == repr(views[1]), (match.ply, viewer)
            drawn = [renders.draw(view, match.names) for view in views]
            assert drawn[0].png == drawn[1].png, (match.ply, viewer)


def test_hands_are_known_to_their_owner_alone() -> None:
    state = dealt(2, f"deal {ALL}").state
    for viewer in (None, Seat(0), Seat(1)):
        held = [state.observe(viewer).held(Seat(seat)) for seat in range(2)]
        assert [seat == viewer for seat in range(2)] == [None not in hand for hand in held]


def test_a_hand_shows_how_many_it_holds() -> None:
    state = dealt(3, f"deal {ALL}").state
    assert [3, 3, 3] == [len(hand) for hand in state.observe(None).hands]


@pytest.mark.parametrize(("seats", "neutral", "unknown"), [(2, "up", 2), (3, "up", 2), (4, "up", 3), (4, "down", 4)])
def test_each_player_faces_two_three_or_four_unknown_tiles(seats: int, neutral: str, unknown: int) -> None:
    match = next(m for m in stages(seats, neutral) if not m.state.placing)  # type: ignore[attr-defined]
    for seat in map(Seat, range(seats)):
        seen = match.state.observe(seat)
        assert isinstance(seen, Muses)
        assert unknown == sum(seen.muse(tile) is None for tile in seen.floor.tiles)


def test_what_is_possible_are_exactly_the_muses_not_seen() -> None:
    tiles = {"hidden0=clio": "0,0 r1", "hidden1=erato": "1,0 b1", "hiddenN=thalia": "1,1 n1"}
    others = [muse for muse in MUSES if muse not in ("clio", "erato", "thalia")]
    state = position(tiles | {muse: f"{n},2 r1" for n, muse in enumerate(others)}, seats=2)
    worlds = {state.determinize(Seat(0), Random(seed)).secrets for seed in range(40)}
    assert {(1, 2, None, None, 7), (1, 7, None, None, 2)} == worlds


def test_a_power_never_tells_who_lies_face_down() -> None:
    """The options are the same whoever lies there."""
    hidden = ("hidden1=thalia", "hidden1=erato", "hidden1=euterpe")
    rest = {"polyhymnia": "0,0 r1", "clio": "1,0 b2", "urania": "0,1 y1"}
    found = {tuple(table({**rest, name: "1,1 b3"}).options()) for name in hidden}
    assert 1 == len(found)


def test_nobody_undoes_what_has_been_turned_up() -> None:
    match, rng = Match.begin(GAME, GAME.setup(2), "3"), Random(3)
    seat = Seat(0)
    while match.state.hand == 1:  # type: ignore[attr-defined]
        seat = match.state.decisions()[0].seat
        match.play(seat, rng.choice(match.state.decisions()[0].options))
    assert "refused" == match.undo_policy(seat).kind
