"""Random games in the town, and selected positions from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from engine.core import Action, View
from engine.games.alibaba import GAME as CAVE
from engine.games.alibaba.state import Cave
from engine.games.gangs import GAME as GANGS
from engine.games.gangs.state import GangsTable
from engine.match import Match

GAMES = {"cave": CAVE, "gangs": GANGS}


def play_boldly(seats: int, seed: str, game: str = "cave") -> Iterator[Match]:
    """Play a random game with high stakes and endangered bandits. Yields the match after each action."""
    match, rng = Match.begin(GAMES[game], GAMES[game].setup(seats), seed), Random(seed)
    yield match
    while decisions := match.state.decisions():
        match.play(decisions[0].seat, rng.choice(bold_options(decisions[0].options)))
        yield match


def bold_options(options: Sequence[Action]) -> Sequence[Action]:
    """The options of a bold player, who stakes much and does not return, stop or decline."""
    if options[0].verb == "steal":
        return options[3:] or options
    return [option for option in options if option.verb not in ("return", "stop", "decline")] or options


def private_view(match: Match) -> View:
    """The view of the seat that is due, with its options marked."""
    decision = match.state.decisions()[0]
    return match.view(decision.seat, offered=decision.options)


def first_match(seats: int, game: str, fits: Callable[[Match], bool]) -> Match:
    """The first position of seeded games that fulfills a condition."""
    for seed in range(40):
        for match in play_boldly(seats, f"{game} {seed}", game):
            if match.outcome is None and fits(match):
                return match
    raise AssertionError("no such position")


def is_crowded(match: Match) -> bool:
    """Whether six thieves lie there, a seat may claim one, and most others are in the cave or were caught."""
    state = match.state
    assert isinstance(state, Cave)
    encounter = state.encounter
    if not encounter or len(encounter.thieves) < 6 or state.decisions()[0].options[-1].verb != "decline":
        return False
    return len(encounter.losses) + sum(last is not None for last in state.safe_after) >= 5


def is_endangered(match: Match) -> bool:
    """Whether more than four types are in danger and the line is known."""
    state = match.state
    assert isinstance(state, GangsTable)
    return bool(state.danger and state.danger.black and len(state.danger.types) > 5)


def ended_match(seats: int, game: str) -> Match:
    *_, last = play_boldly(seats, "the end", game)
    return last
