"""Boards on the screen of a phone: picture, events, next decisions and buttons, in all languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.interactions.phone import BOARD_GAP, BOARD_TEXT, CARD_WIDTH, text_height
from bot.posting.board_layouts import room_for_events
from bot.posting.board_texts import due_text, story
from bot.store.matches import SeatHolder
from bot.tables.table import Table
from engine.core import GameSpec
from engine.games import discover
from engine.languages import reading
from locales import language_of, languages
from tests.bot.walks import set_row, walk

NAMES = ("Ana", "Abdalla", "Caro", "Aladdin", "Dunyazade", "Eva")


def height_of_words(table: Table, since: int) -> int:
    """The pixels between the picture and the buttons of a board with the events since a version."""
    due = table.say(due_text(table))
    events = story(table, table.require_match().history(None, since=since), most=room_for_events(due))
    return text_height(due, CARD_WIDTH) + (BOARD_GAP + text_height(events, CARD_WIDTH) if events else 0)


def heights_of_boards(spec: GameSpec, seats: int, seed: str) -> Iterator[tuple[str, int, int]]:
    """Of a random game with a board whenever other seats are due: language, version and the pixels of words."""
    since, last_due = 0, None
    for table in walk(spec, seats, seed):
        match = table.require_match()
        due = {decision.seat for decision in match.state.decisions()}
        if match.outcome is not None or due == last_due:
            continue
        set_row(table, holders=tuple(SeatHolder(n, name=name) for n, name in enumerate(NAMES[:seats], 1)))
        for code in languages():
            with reading(language_of(code)):
                yield code, match.version, height_of_words(table, since)
        since, last_due = match.version, due


@pytest.mark.parametrize("spec", discover().values(), ids=lambda spec: spec.slug)
def test_the_words_of_a_board_fit_on_a_phone_below_its_picture(spec: GameSpec) -> None:
    boards = [board for seats in {spec.seats[0], spec.seats[-1]} for board in heights_of_boards(spec, seats, "a")]
    assert [] == [board for board in boards if board[-1] > BOARD_TEXT]
