"""What somebody types as a move: read whatever its capitals and spaces, and completed word by word."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from random import Random

import pytest

from bot.play.typed_notation import continuations, read_typed, typed_option, usage, verb_of
from engine.core import Action
from engine.errors import NotationError
from engine.games import discover
from engine.games.muses.tiles import Tile
from engine.match import Match
from engine.notation import format_action
from engine.texts import Seat
from tests.bot.walks import CASES, walk

MUSCAT = discover()["muscat"]


@dataclass(frozen=True, slots=True)
class Pair(Action):
    """Two numbers in an order that matters."""

    numbers: tuple[int, ...]


@pytest.mark.parametrize(
    ("game", "typed", "notation"),
    [
        ("muscat", "place A", "place A"),
        ("muscat", "  PLACE   a ", "place A"),
        ("muscat", "placeA", "place A"),
        ("muscat", "/muscat place A", None),
        ("muscat", "/place A", "place A"),
        ("muscat", "draw", "draw"),
        ("muscat", "change Elephant Trainer 1a 1b", "change E 1A 1B"),
        ("muscat", "change e 1 A 1 B", "change E 1A 1B"),
        ("muscat", "change e 1a", None),
        ("muscat", "draw A", None),
        ("muscat", "fly A", None),
        ("muscat", "", None),
        ("muscat", "?" * 6000, None),
        ("muscat", "change " + "a " * 3000, None),
        ("jinns", "move 3 1 5", "move 3 1 5"),
        ("jinns", "place REST", "place rest"),
        ("muses", "step Clio E", "step clio e"),
        ("muses", "place clio M13 Down", "place clio m13 down"),
        ("alibaba", "Turn up 2", "turn-up 2"),
        ("gangs", "to BLUE", "to blue"),
    ],
)
def test_capitals_and_spaces_do_not_matter(game, typed, notation):
    verbs = discover()[game].actions
    if notation is None:
        with pytest.raises(NotationError):
            read_typed(typed, verbs)
    else:
        assert notation == format_action(read_typed(typed, verbs))


def test_every_move_of_every_game_is_read_as_what_it_is():
    for spec, seats in CASES:
        for table in islice(walk(spec, seats, "typed"), 0, None, 7):
            for decision in (one for one in table.match.state.decisions() if one.seat >= 0):
                for option in decision.options[:40]:
                    assert option == read_typed(format_action(option), spec.actions)
                    assert option == read_typed(format_action(option).upper(), spec.actions, decision.options)


def test_the_longest_verb_counts():
    class Shorter(MUSCAT.actions[0]):
        pass

    Shorter.verb = "pla"
    assert "place" == verb_of("place A", (Shorter, *MUSCAT.actions))[0].verb
    assert "pla" == verb_of("plaA", (Shorter, *MUSCAT.actions))[0].verb


def test_usage_names_the_fields():
    assert "change artist origin target" == usage(next(cls for cls in MUSCAT.actions if cls.verb == "change"))


def muses(seats: int = 3) -> tuple[Match, Seat, list[Action]]:
    """A match of the Muses with a power for two targets: the position, who is due, and their options."""
    spec = discover()["muses"]
    for n in range(200):
        match = Match.begin(spec, spec.setup(seats), f"{n}")
        rng = Random(n)
        while match.outcome is None:
            (decision,) = match.state.decisions()
            if found := [option for option in decision.options if "," in format_action(option)]:
                return match, decision.seat, found
            match.play(decision.seat, rng.choice(decision.options))
    raise AssertionError("no power has two targets")


def test_two_targets_may_be_typed_in_either_order():
    match, seat, options = muses()
    option = next(option for option in options if isinstance(option.on.words[-1], Tile))
    verb, muse, on = format_action(option).split(" ")
    other_way = f"{verb} {muse} {','.join(reversed(on.split(',')))}"
    assert option == read_typed(other_way, match.spec.actions, match.decision_of(seat).options)
    assert option == typed_option(match.decision_of(seat).options, other_way.split(" "))


def test_what_could_mean_two_options_in_another_order_is_none_of_them():
    options = [Pair((1, 2, 3)), Pair((2, 1, 3))]
    assert Pair((2, 1, 3)) == typed_option(options, ["pair", "2,1,3"])
    assert typed_option(options, ["pair", "3,2,1"]) is None


# --- what could be typed next ---


def test_words_of_a_seat_are_offered_where_there_is_that_seat():
    spec = discover()["muses"]
    for seats in spec.seats:
        offered_there = continuations("step hidden", spec.actions, (), seats)
        assert [f"step hidden{seat}" for seat in range(seats)] == [row for row in offered_there if row[-1].isdigit()]


def offered(text: str) -> list[str]:
    match = Match.begin(MUSCAT, MUSCAT.setup(3), "seed")
    return continuations(text, MUSCAT.actions, match.decision_of(Seat(0)).options, 3)


def test_verbs_come_first():
    assert [cls.verb for cls in MUSCAT.actions] == offered("")
    assert ["place", "pick"] == offered("P")
    assert ["reemploy", "rise", "remove"] == offered("r")
    assert [] == offered("x")


@pytest.mark.parametrize("typed", ["place", "place ", "PLACE "])
def test_then_come_the_values_of_the_first_field(typed):
    assert ["place A", "place B", "place C", "place D", "place E", "place street"] == offered(typed)


def test_a_value_that_is_begun_is_completed():
    assert ["place street"] == offered("place st")
    assert ["change E"] == offered("change e")
    assert ["change P"] == offered("change")[:1]
    assert ["place B"] == offered("place b")
    assert [] == offered("draw ")
    assert [] == offered("place A B")
