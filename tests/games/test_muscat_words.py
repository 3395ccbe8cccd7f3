"""Every event of Muscat in words, for the others and for the seat it is about."""

from __future__ import annotations

import inspect
import sys

import pytest

from engine.core import Event, field_types
from engine.games.muscat.artists import Artist
from engine.games.muscat.events import EndReason, Exhausted, PileRanOut, Stuck
from engine.games.muscat.verbs.change import Moved
from engine.games.muscat.verbs.cycle import CycleRan, Fell
from engine.games.muscat.verbs.draw import BroughtIn, Drew
from engine.games.muscat.verbs.expel import Expelled
from engine.games.muscat.verbs.place import Placed, Stranded
from engine.games.muscat.verbs.reemploy import Reemployed
from engine.games.muscat.verbs.remove import Removed
from engine.games.muscat.verbs.rise import BothEnteredPalace, BothRose, EnteredPalace, Jumped, JumpedIntoPalace, Rose
from engine.games.muscat.verbs.transform import Transformed
from engine.games.muscat.verbs.turn_up import TurnedUp
from engine.texts import Seat
from engine.wording import say
from tests.games.muscat_positions import at

RED, BLUE = Seat(0), Seat(1)
PIPER, SNAKE = Artist.PIPER, Artist.SNAKE_CHARMER
A, B, C = at("1A"), at("1B"), at("2C")

OF_RED = [
    (TurnedUp(RED, PIPER), "Face up for Red: piper.", "Face up for you: piper."),
    (Drew(RED, SNAKE), "Red draws a hidden artist: snake charmer.", "You draw a hidden artist: snake charmer."),
    (Placed(RED, PIPER, A), "Red’s piper starts on 1A.", "Your piper starts on 1A."),
    (
        Stranded(RED, PIPER),
        "No market has room: Red’s piper ends up in street 1.",
        "No market has room: your piper ends up in street 1.",
    ),
    (
        CycleRan(RED, A, BLUE, PIPER, RED, SNAKE),
        "Red sets 1A in motion: their own snake charmer and Blue’s piper rise.",
        "You set 1A in motion: your snake charmer and Blue’s piper rise.",
    ),
    (
        CycleRan(RED, A, RED, PIPER, RED, SNAKE),
        "Red sets 1A in motion: their own piper and snake charmer rise.",
        "You set 1A in motion: your piper and snake charmer rise.",
    ),
    (
        CycleRan(RED, A, BLUE, PIPER, BLUE, SNAKE),
        "Red sets 1A in motion: Blue’s piper and snake charmer rise.",
        "You set 1A in motion: Blue’s piper and snake charmer rise.",
    ),
    (Rose(RED, PIPER, A, C), "Red’s piper climbs to 2C.", "Your piper climbs to 2C."),
    (Jumped(RED, PIPER, A, C), "Red’s piper makes a career jump to 2C.", "Your piper makes a career jump to 2C."),
    (EnteredPalace(RED, PIPER, at("4A")), "Red’s piper enters the palace.", "Your piper enters the palace."),
    (
        JumpedIntoPalace(RED, PIPER, C),
        "Red’s piper makes a career jump into the palace.",
        "Your piper makes a career jump into the palace.",
    ),
    (
        BothRose(RED, PIPER, B, SNAKE, C),
        "Red’s piper climbs to 1B, the snake charmer to 2C.",
        "Your piper climbs to 1B, the snake charmer to 2C.",
    ),
    (
        BothEnteredPalace(RED, PIPER, SNAKE),
        "Red’s piper and snake charmer enter the palace.",
        "Your piper and snake charmer enter the palace.",
    ),
    (
        BroughtIn(RED, PIPER, A),
        "Red draws a hidden artist: piper, who starts on 1A.",
        "You draw a hidden artist: piper, who starts on 1A.",
    ),
    (Fell(RED, PIPER, C, 2), "Red’s piper falls to street 2.", "Your piper falls to street 2."),
    (Reemployed(RED, PIPER, C), "Red’s piper finds work again on 2C.", "Your piper finds work again on 2C."),
    (Moved(RED, PIPER, A, B), "Red’s piper moves from 1A to 1B.", "Your piper moves from 1A to 1B."),
    (
        Expelled(RED, BLUE, PIPER, A, B),
        "Red’s piper drives Blue’s from 1B to 1A.",
        "Your piper drives Blue’s from 1B to 1A.",
    ),
    (
        Expelled(BLUE, RED, PIPER, A, B),
        "Blue’s piper drives Red’s from 1B to 1A.",
        "Blue’s piper drives yours from 1B to 1A.",
    ),
    (
        Transformed(RED, PIPER, SNAKE, C, 4),
        "On 2C Red’s snake charmer makes way for the piper from street 4.",
        "On 2C your snake charmer makes way for the piper from street 4.",
    ),
    (Removed(RED, PIPER, 3), "Red gives up the piper in street 3.", "You give up the piper in street 3."),
    (
        PileRanOut(RED),
        "Red’s pile is used up. A player with no artist to bring in or reemploy ends the game.",
        "Your pile is used up. A player with no artist to bring in or reemploy ends the game.",
    ),
    (
        Exhausted(EndReason.EXHAUSTION, RED),
        "The game is over: Red has nobody left to bring in or to send back to work.",
        "The game is over: you have nobody left to bring in or to send back to work.",
    ),
    (
        Stuck(EndReason.NO_ACTION, RED),
        "The game is over: Red can do nothing at all.",
        "The game is over: you can do nothing at all.",
    ),
]


@pytest.mark.parametrize(("event", "told", "told_to_red"), OF_RED, ids=lambda item: type(item).__name__)
def test_an_event_reads_well_for_its_own_seat_and_for_other_readers(event: Event, told: str, told_to_red: str) -> None:
    assert told == say(event) == say(event, you=Seat(2))
    assert told_to_red == say(event, you=RED)


ROSE, ENTERED = Rose(RED, PIPER, A, B), EnteredPalace(RED, PIPER, at("4A"))
MERGED = [
    (ROSE, Rose(RED, SNAKE, A, C), BothRose(RED, PIPER, B, SNAKE, C)),
    (ROSE, Rose(BLUE, SNAKE, A, C), None),
    (ROSE, Jumped(RED, SNAKE, A, C), None),
    (ENTERED, EnteredPalace(RED, SNAKE, at("4A")), BothEnteredPalace(RED, PIPER, SNAKE)),
    (ENTERED, EnteredPalace(BLUE, SNAKE, at("4A")), None),
    (JumpedIntoPalace(RED, PIPER, A), JumpedIntoPalace(RED, SNAKE, A), None),
    (ENTERED, JumpedIntoPalace(RED, SNAKE, A), None),
    (Drew(RED, PIPER), Placed(RED, PIPER, A), BroughtIn(RED, PIPER, A)),
    (Drew(RED, PIPER), Placed(BLUE, PIPER, A), None),
    (Drew(RED, PIPER), Stranded(RED, PIPER), None),
]


@pytest.mark.parametrize(("event", "after", "merged"), MERGED)
def test_both_risers_of_a_seat_and_a_draw_with_its_market_take_one_sentence(
    event: Event, after: Event, merged: Event | None
) -> None:
    assert merged == event.and_then(after)


def test_every_event_about_a_seat_has_an_example() -> None:
    modules = [module for name, module in sys.modules.items() if name.startswith("engine.games.muscat")]
    classes = {cls for module in modules for _, cls in inspect.getmembers(module, inspect.isclass)}
    events = {cls for cls in classes if issubclass(cls, Event) and cls is not Event}
    assert {cls for cls in events if Seat in field_types(cls).values()} == {type(event) for event, _, _ in OF_RED}
