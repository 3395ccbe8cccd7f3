"""Advice for a player who learns a game: one idea at a time, each once in a match, none that leads astray."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from engine.core import Action, Advised, GameSpec, State
from engine.match import Match
from engine.texts import Seat, Text

BEST = 3
"""Advice names an option only if at most one option in three is better."""


def ideas(state: State) -> tuple[Text, ...]:
    """All advice on the question asked now, including advice for options that may be bad."""
    return tuple(advice.text if isinstance(advice, Advised) else advice for advice in state.advice())


def fresh_advice(match: Match, seat: Seat) -> Text | None:
    """The first new idea on the pending question of a seat. Earlier ideas of the match follow from its log."""
    known_ideas = set[str]()
    for ply, entry in enumerate(match.effective):
        if entry.seat == seat and (idea := _idea_at(match, ply, seat, known_ideas)):
            known_ideas.add(idea.template)
    return _idea(match.spec, match.state, seat, known_ideas)


def _idea_at(match: Match, ply: int, seat: Seat, known_ideas: Collection[str]) -> Text | None:
    state, action = match.choice_at(ply)
    decision = state.decision_of(seat)
    # A question with one option, or a usual answer, may not have been shown.
    if decision is None or decision.automatic or action == decision.usual:
        return None
    return _idea(match.spec, state, seat, known_ideas)


def _idea(spec: GameSpec, state: State, seat: Seat, known_ideas: Collection[str]) -> Text | None:
    seen = state.observe(seat)
    for advice in seen.advice():
        idea, option = advice if isinstance(advice, Advised) else (advice, None)
        if idea.template not in known_ideas and (option is None or _is_good(spec, seen, seat, option)):
            return idea
    return None


def _is_good(spec: GameSpec, seen: State, seat: Seat, option: Action) -> bool:
    """Whether an option is among the best, as the searches judge the positions after it."""
    decision = seen.decision_of(seat)
    if decision is None or option not in decision.options:
        return False
    if spec.evaluate is None:
        return True
    # The advice names what everybody can see, so any position that may be will do.
    full = seen.determinize(seat, Random(0))
    shares = {other: _share(spec, full, seat, other) for other in decision.options}
    return sum(share > shares[option] for share in shares.values()) <= len(shares) / BEST


def _share(spec: GameSpec, full: State, seat: Seat, option: Action) -> float:
    after, _ = full.apply(seat, option)
    outcome = after.outcome()
    assert spec.evaluate is not None, "asked before"
    return outcome.returns[seat] if outcome else spec.evaluate(after)[seat]
