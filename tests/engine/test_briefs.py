"""What was done last, told in 40 characters, over all recorded games."""

from __future__ import annotations

from pathlib import Path
from pkgutil import iter_modules

import pytest

import renders.games
from engine.core import Event
from engine.match import Match
from engine.texts import CHANCE, Seat
from engine.wording import Voice
from tests.playthroughs.recorder import FOLDER, Playthrough

LONGEST = 40
DRAWN = {module.name for module in iter_modules(renders.games.__path__)}
"""The games with pictures of their own."""
RECORDED = sorted(path for path in FOLDER.glob("*/*.txt"))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_last_deed_is_always_told_briefly_and_only_to_who_may_know(path: Path) -> None:
    """On a board with a plate for it never empty once somebody has acted; never too long, and no event of others."""
    game = Playthrough.read(path.read_text(encoding="utf-8"))
    match = Match(game.spec, game.spec.setup(game.seats, game.chosen), game.seed)
    voice, acted = Voice(match.names), False
    happened: list[Event] = []
    for entry in game.entries:
        match._append(entry)
        happened.extend(match._plies[-1].events)
        acted = acted or entry.seat != CHANCE
        asked = acted and all(decision.seat != CHANCE for decision in match.state.decisions())
        for viewer in (None, Seat(0), entry.seat) if asked else ():
            last_action = match.view(viewer).last_action
            told = [event for event in happened if event.visible_to(viewer) and type(event).brief]
            assert told or game.spec.slug not in DRAWN, "give an event of the game a `brief`"
            assert (last_action and last_action.event) == (told[-1] if told else None)
            assert last_action is None or 0 < len(voice.brief(last_action.event)) <= LONGEST, voice.brief(
                last_action.event
            )


def test_what_only_one_seat_may_know_is_briefly_told_to_nobody_else() -> None:
    """A Muse laid face down: her owner is told which one, all others only that one was laid."""
    path = next(path for path in RECORDED if path.parent.name == "muses")
    game = Playthrough.read(path.read_text(encoding="utf-8"))
    match = Match(game.spec, game.spec.setup(game.seats, game.chosen), game.seed)
    for entry in game.entries:
        match._append(entry)
        last_actions = [match.view(viewer).last_action for viewer in (entry.seat, None)]
        secret = [
            last_action
            for last_action in last_actions
            if last_action and last_action.event.audience == frozenset({entry.seat})
        ]
        if secret:
            own, public = last_actions
            assert own in secret
            assert public not in secret
            assert public is not None
            assert public.seat == entry.seat
            return
    raise AssertionError("no Muse was laid face down")
