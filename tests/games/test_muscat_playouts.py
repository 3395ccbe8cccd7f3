"""Invariants of every position in random games of Muscat."""

from __future__ import annotations

from collections import Counter

from engine.games.muscat import GAME
from engine.games.muscat.city import LEVELS, markets
from engine.games.muscat.state import Muscat
from engine.games.muscat.verbs.remove import Removed
from engine.games.muscat.verbs.transform import Transformed
from engine.texts import Seat
from kit.playouts import Case, every_step, playouts, steps_of
from tests.engine.playouts import in_every_case

over_all_cases = in_every_case([GAME])


def tokens_in_sight(state: Muscat) -> Counter[int]:
    """Tokens of each seat wherever they can be, but out of the game."""
    counts: Counter[int] = Counter()
    for market in markets(state.seats):
        counts.update(seat for seat in state.market(market) if seat is not None)
    for level in LEVELS:
        for seat, _, count in state.street(level):
            counts[seat] += count
    for seat, _, count in state.palace:
        counts[seat] += count
    counts.update(seat for seat, *_ in state.rising)
    counts.update([state.drawn.seat] if state.drawn else [])
    for seat in map(Seat, range(state.seats)):
        counts[seat] += state.pile(seat) + (state.faceup(seat) is not None)
    return counts


@over_all_cases
def test_each_color_always_has_16_tokens(case: Case) -> None:
    for playout in playouts(case):
        gone: Counter[int] = Counter()
        for step in playout.steps:
            assert isinstance(step.after, Muscat)
            gone.update(event.seat for event in step.events if isinstance(event, Removed | Transformed))
            assert dict.fromkeys(range(case.setup.seats), 16) == dict(tokens_in_sight(step.after) + gone)


@over_all_cases
def test_a_market_never_has_more_than_three_artists(case: Case) -> None:
    for step in every_step(case):
        assert isinstance(step.after, Muscat)
        assert all(None in step.after.market(market) for market in markets(case.setup.seats))


def test_a_game_ends_within_142_turns_per_player() -> None:
    assert max(step.before.round for step in steps_of(GAME)) < 142  # type: ignore[attr-defined]
