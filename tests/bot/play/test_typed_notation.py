"""Typed moves: read with any capitals and spaces, and completed word by word."""

from __future__ import annotations

import re
from dataclasses import fields
from itertools import islice
from random import Random

import pytest

from bot.features.play.narrowing import _values_of, notation_word
from bot.features.play.typed_notation import option_written, possible_moves, read_typed, typed_option, usage, verb_of
from engine.core import Action, field_types
from engine.errors import NotationError
from engine.games import discover
from engine.games.jinns.actions import Keep
from engine.games.jinns.refusals import HALVES, THREE
from engine.games.jinns.words import KEEPS
from engine.games.muses.actions import Target
from engine.games.muses.tiles import Tile
from engine.languages import reading
from engine.match import Match
from engine.notation import format_action, is_value, shown_action, shown_word, value_word
from engine.texts import Seat, Text, term
from locales import language_of, languages
from tests.bot.walks import CASES, walk

MUSCAT = discover()["muscat"]


class Pair(Action):
    """A choice of two numbers in an order that matters."""

    numbers: tuple[int, ...]


def test_a_command_with_other_values_is_not_the_only_option() -> None:
    options = [Pair((1, 2))]
    written = [option_written(options, format_action(Pair(numbers))) for numbers in ((1, 2), (2, 1), (1, 3))]
    assert [options[0], options[0], None] == written


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
        ("muses", "place clio p13 down", "place clio o13 down"),
        ("muses", "place clio O13 down", "place clio o13 down"),
        ("muses", "place clio I1 down", "place clio i1 down"),
        ("muses", "place clio zz1 down", "place clio z1 down"),
        ("muses", "power clio erato, P14", "power clio erato,o14"),
        ("muses", "place clio M27 down", None),
        ("gangs", "Yes", "accept"),
        ("gangs", "Return red 2", "return R2"),
        ("muscat", "Set 2b in motion", "cycle 2B"),
        ("alibaba", "Turn up 2", "turn-up 2"),
        ("gangs", "to BLUE", "to blue"),
    ],
)
def test_case_and_spaces_do_not_matter(game, typed, notation):
    verbs = discover()[game].actions
    if notation is None:
        with pytest.raises(NotationError):
            read_typed(typed, verbs)
    else:
        assert notation == format_action(read_typed(typed, verbs))


def test_every_move_of_every_game_parses_to_itself():
    for spec, seats in CASES:
        for table in islice(walk(spec, seats, "typed"), 0, None, 7):
            for decision in (decision for decision in table.match.state.decisions() if decision.seat >= 0):
                for option in decision.options[:40]:
                    assert option == read_typed(shown_action(option), spec.actions)
                    assert option == read_typed(shown_action(option).upper(), spec.actions, decision.options)


def test_the_longest_matching_verb_wins():
    class Shorter(MUSCAT.actions[0]):
        pass

    Shorter.verb = "pla"
    assert "place" == verb_of("place A", (Shorter, *MUSCAT.actions))[0].verb
    assert "pla" == verb_of("plaA", (Shorter, *MUSCAT.actions))[0].verb


def test_usage_names_the_fields():
    assert "change artist origin target" == usage(next(cls for cls in MUSCAT.actions if cls.verb == "change"))


def muses(seats: int = 3) -> tuple[Match, Seat, list[Action]]:
    """A match of the Muses with a power for two targets: the position, the seat that is due, and its options."""
    spec = discover()["muses"]
    for n in range(200):
        match = Match.begin(spec, spec.setup(seats), f"{n}")
        rng = Random(n)
        while match.outcome is None:
            (decision,) = match.state.decisions()
            if results := [option for option in decision.options if "," in format_action(option)]:
                return match, decision.seat, results
            match.play(decision.seat, rng.choice(decision.options))
    raise AssertionError("no power has two targets")


def test_two_targets_may_be_typed_in_either_order():
    match, seat, options = muses()
    option = next(option for option in options if isinstance(option.on.words[-1], Tile))
    verb, muse, on = shown_action(option).split(" ")
    other_way = f"{verb} {muse} {','.join(reversed(on.split(',')))}"
    assert option == read_typed(other_way, match.spec.actions, match.decision_of(seat).options)
    assert option == typed_option(match.decision_of(seat).options, other_way.split(" "))


def test_reordered_words_that_match_two_options_match_neither():
    options = [Pair((1, 2, 3)), Pair((2, 1, 3))]
    assert Pair((2, 1, 3)) == typed_option(options, ["pair", "2,1,3"])
    assert typed_option(options, ["pair", "3,2,1"]) is None


@pytest.mark.parametrize(
    ("game", "typed", "notation"),
    [
        ("muscat", "In Gang setzen 2B", "cycle 2B"),
        ("muscat", "cycle 2B", "cycle 2B"),
        ("muscat", "change Feuerschlucker 1a 1b", "change F 1A 1B"),
        ("muscat", "Setzen A", "place A"),
        ("muses", "Legen Klio M13 offen", "place clio m13 up"),
        ("gangs", "Ja", "accept"),
        ("gangs", "to blau", "to blue"),
        ("jinns", "Setzen Rest", "place rest"),
        ("muscat", "Setzen Straße", "place street"),
        ("muses", "Schritt Klio Norden", "step clio n"),
    ],
)
def test_moves_are_parsed_in_the_language_of_the_reader(game, typed, notation):
    with reading(language_of("de")):
        assert notation == format_action(read_typed(typed, discover()[game].actions))


QUOTED = re.compile("[“„«]\\s?([^”“»]+?)\\s?[”“»]")


def quoted_words(text: Text) -> list[str]:
    """The words that a sentence quotes in the language of the reader."""
    return QUOTED.findall(str(text))


every_language = pytest.mark.parametrize("code", ["en", *languages()])


@every_language
def test_the_words_that_the_description_of_a_field_quotes_are_values_of_it(code: str) -> None:
    with reading(language_of(code)):
        for cls in {cls for spec in discover().values() for cls in spec.actions}:
            for field, hint in zip(fields(cls), field_types(cls).values(), strict=True):
                for words in quoted_words(term(field.metadata["description"])):
                    assert is_value(hint, notation_word(words, hint)), (cls, words)


@every_language
def test_the_choices_about_a_tower_are_read_as_buttons_and_refusals_call_them(code: str) -> None:
    verbs = discover()["jinns"].actions
    with reading(language_of(code)):
        calls = {keep: [str(text)] for keep, text in KEEPS.items()}
        for pair, refusal in (((Keep.HIGH, Keep.LOW), HALVES), ((Keep.LEAVE, Keep.TAKE3), THREE)):
            for keep, words in zip(pair, quoted_words(refusal), strict=True):
                calls[keep].append(words)
        for keep, ways in calls.items():
            for way in ways:
                assert f"move 8 1 12 {keep}" == format_action(read_typed(f"move 8 1 12 {way}", verbs)), way


@every_language
def test_verbs_and_values_are_shown_in_words_that_are_read_back(code: str) -> None:
    with reading(language_of(code)):
        for spec in discover().values():
            for cls in spec.actions:
                assert cls is verb_of(usage(cls), spec.actions)[0]
                for hint in field_types(cls).values():
                    for value in _values_of(hint):
                        assert value_word(hint, value) == notation_word(shown_word(hint, value), hint), (cls, value)


def test_a_move_is_shown_and_read_in_the_words_of_the_reader():
    jinns, gangs = discover()["jinns"].actions, discover()["gangs"].actions
    for code, words in (("en", "move 8 1 12 upper"), ("fr", "Déplacer 8 1 12 haut"), ("de", "Ziehen 8 1 12 obere")):
        with reading(language_of(code)):
            for typed in (words, "move 8 1 12 high"):
                assert words == shown_action(read_typed(typed, jinns))
    with reading(language_of("fr")):
        assert "Déplacer case nombre arrivée tour" == usage(jinns[-1])
        assert "Rendre bandit" == usage(next(cls for cls in gangs if cls.verb == "return"))
        assert "Prendre jaune" == shown_action(read_typed("take yellow", gangs))


@every_language
def test_the_target_of_a_power_is_read_as_it_is_shown(code: str) -> None:
    for target in map(Target.parse, ("clio", "thalia,n14", "polyhymnia,erato,clio")):
        with reading(language_of(code)):
            assert target == Target.read(target.shown) == Target.read(target.shown.upper())


def test_words_of_several_values_are_none_of_them():
    assert "the" == notation_word("the", Keep)
    assert "take3" == notation_word("the tower take", Keep)


# --- what could be typed next ---


def test_words_for_a_seat_are_offered_only_if_the_seat_exists():
    spec = discover()["muses"]
    for seats in spec.seats:
        rows = [format_action(move) for move in possible_moves(spec.actions, (), seats)]
        assert [f"step hidden{seat} n" for seat in range(seats)] == [
            row for row in rows if re.fullmatch(r"step hidden\d n", row)
        ]


def test_every_suggested_move_is_complete_and_parses_to_itself():
    for spec, seats in CASES:
        table = next(walk(spec, seats, "suggested"))
        options = [option for decision in table.match.state.decisions() for option in decision.options]
        moves = list(possible_moves(spec.actions, options, seats))
        assert moves
        for move in moves[::7]:
            assert move == read_typed(shown_action(move), spec.actions)
