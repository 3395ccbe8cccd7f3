"""`/game move`: every move in the words of the buttons, or of the text of the board."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest

from bot.posting.pictures import describe
from bot.store.rows import Chair
from bot.turn.drafting import Turn
from bot.turn.words import move_said
from engine.core import Action, GameSpec
from engine.notation import format_action
from engine.wording import Voice
from tests.bot.reading import phrases
from tests.bot.walks import CASES, name_of, walk

EVERY = 9
"""So many moves lie between two positions that are looked at."""

every_case = pytest.mark.parametrize(("spec", "seats"), CASES, ids=name_of)


def turns(spec: GameSpec, seats: int) -> Iterator[Turn]:
    """The turns of a random game, some of them."""
    chairs = tuple(Chair(user_id=seat + 1, name=f"Wolfeschlegelstein {seat}") for seat in range(seats))
    for number, table in enumerate(walk(spec, seats, f"{spec.slug} {seats}")):
        table.row = dataclasses.replace(table.row, chairs=chairs)
        if number % EVERY == 0 and table.match.outcome is None:
            seat = table.match.state.decisions()[0].seat
            yield Turn(table, table.match, seat, (), table.match)


def understood(turn: Turn, said: str) -> Action:
    """What somebody means."""
    return move_said([turn], said).chosen[-1]


@every_case
def test_every_option_is_understood_by_what_any_button_or_text_calls_it_and_as_it_is_written(
    spec: GameSpec, seats: int
) -> None:
    for turn in turns(spec, seats):
        table, seen = turn.table, turn.voice.state
        voices = turn.voice, Voice(table.names, turn.seat, seen), Voice(table.names, None, seen)
        for option in turn.decision.options[:40]:
            for said in (format_action(option), *(voice.label(option) for voice in voices)):
                assert option == understood(turn, said), said
            assert option == understood(turn, voices[0].label(option).upper())


@every_case
def test_the_text_of_the_board_lists_every_option_so_that_it_is_understood(spec: GameSpec, seats: int) -> None:
    for turn in turns(spec, seats):
        options, text = turn.decision.options, describe(turn.match.view(turn.seat), turn.table.names)
        assert len(text) < 3500
        assert sorted(map(format_action, options)) == sorted(
            format_action(understood(turn, phrase)) for phrase in phrases(text)
        ), text
