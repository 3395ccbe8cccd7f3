"""The short form of the last action, up to 40 characters, over all recorded games."""

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
from tests.sampling import every

MAX_CHARS = 40
DRAWN = {module.name for module in iter_modules(renders.games.__path__)}
"""The games with pictures of their own."""
RECORDED = sorted(path for path in FOLDER.glob("*/*.txt"))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_last_action_visible_to_a_viewer_has_a_short_form(path: Path) -> None:
    """The short form is not empty after the first act of a seat if the board has a plate for it, and never too long."""
    game = Playthrough.read(path.read_text(encoding="utf-8"))
    match = Match(game.spec, game.spec.setup(game.seats, game.options), game.seed)
    voice, acted = Voice(match.names), False
    happened: list[Event] = []
    for number, entry in enumerate(game.entries):
        match._append(entry)
        happened.extend(match._plies[-1].events)
        acted = acted or entry.seat != CHANCE
        has_decision = acted and all(decision.seat != CHANCE for decision in match.state.decisions())
        for viewer in (None, Seat(0), entry.seat) if has_decision and number % every(3) == 0 else ():
            last_action = match.view(viewer).last_action
            visible = [event for event in happened if event.visible_to(viewer) and type(event).brief]
            assert visible or game.spec.slug not in DRAWN, "give an event of the game a `brief`"
            assert (last_action and last_action.event) == (visible[-1] if visible else None)
            assert last_action is None or 0 < len(voice.brief(last_action.event)) <= MAX_CHARS, voice.brief(
                last_action.event
            )


def test_the_short_form_of_a_secret_is_only_for_its_seat() -> None:
    """A Muse laid face down: only her owner learns which one."""
    path = next(path for path in RECORDED if path.parent.name == "muses")
    game = Playthrough.read(path.read_text(encoding="utf-8"))
    match = Match(game.spec, game.spec.setup(game.seats, game.options), game.seed)
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
