"""Story screens: every page fits on a phone, in every language, with choices of any name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.features.play.narrowing import step
from bot.features.play.retries import Comparison, Retry, comparison_layout, question_layout
from bot.features.play.steps import words_of
from bot.interactions.controls import Control, ControlId
from bot.posting.story_layouts import fitting, story_layout, turning_layout
from bot.store.matches import SeatHolder
from bot.tables.table import Table
from engine.core import GameSpec
from engine.languages import reading
from engine.match import Match
from engine.notation import format_action
from engine.story.telling import Play, Story, Turning
from engine.texts import CHANCE
from engine.wording import Voice
from locales import language_of, languages
from playground.wire import Json
from tests.bot.walks import CASES, name_of, set_row, walk
from tests.playthroughs.taps import SCREEN, height_of

PICTURE = ("story.png", "A story")
NAMES = ("Veronica", "Salvatore", "Giovanna")
COMMAND = 22
"""Pixels of the line above the answer to a command, which stays above the pages that replace it."""
EVERY = 5
"""Step between the checked choices."""


def turnings(match: Match) -> Iterator[Turning]:
    """Choices of a match as mistakes, with the other option of the longest name as the better one."""
    for ply, (seat, _) in enumerate(match.history(None)):
        if seat == CHANCE or ply % EVERY:
            continue
        state, played = match.choice_at(ply)
        voice, decision = Voice(match.names, seat, state.observe(seat)), state.decision_of(seat)
        assert decision is not None
        others = [option for option in decision.options if option != played]
        if others:
            yield Turning(ply, seat, 0.12, format_action(max(others, key=lambda action: len(voice.quote(action)))))


def pages(table: Table) -> Iterator[list[Json]]:
    """The first page with a lesson, and the page of a turning point that its player can try again."""
    plays = tuple(Play(8, 2, 0.4, 0.4) for _ in range(table.match.setup.seats))
    for turning in turnings(table.match):
        course = tuple(((n % 7) / 10,) * len(plays) for n in range(table.match.version + 1))
        story = Story(course, (turning,), plays, None)
        yield story_layout(table, story, PICTURE, (turning,)).to_components()
        yield story_layout(table, story, PICTURE).to_components()
        yield turning_layout(table, story, 1, PICTURE, (turning,)).to_components()
        yield from retries(table, turning)


def retries(table: Table, turning: Turning) -> Iterator[list[Json]]:
    """The questions of *Try it yourself* down to the option of the longest name, and the chances of its answers."""
    retry, best = Retry.of(table, turning.ply), table.match.parse(turning.better)
    options, words = retry.decision.options, words_of(best)
    for count in range(len(words)):
        now = step(options, words[:count], retry.voice)
        yield question_layout(retry, now, words[:count], PICTURE).to_components()
    for answer in {retry.played, best, options[0]}:
        comparison = Comparison(answer, best, dict.fromkeys((answer, retry.played, best), 0.44))
        yield comparison_layout(retry, comparison, PICTURE, turning).to_components()


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(("spec", "seats"), CASES[::2], ids=name_of)
def test_a_page_of_a_story_fits_on_a_phone(spec: GameSpec, seats: int, language: str) -> None:
    *_, table = walk(spec, seats, "story")
    set_row(table, holders=tuple(SeatHolder(user_id=n, name=name) for n, name in enumerate(NAMES[:seats], 1)))
    with reading(language_of(language)):
        tallest = max(pages(table), key=height_of)
    assert height_of(tallest) + COMMAND <= SCREEN, tallest


def test_a_story_can_be_shown_to_everyone_from_the_pages_of_its_turns_that_have_room_for_it() -> None:
    spec, seats = CASES[0]
    *_, table = walk(spec, seats, "story")
    labels = set[tuple[str, ...]]()
    for turning in turnings(table.match):
        story = Story((), (turning,), tuple(Play(8, 2, 0.4, 0.4) for _ in range(seats)), None)
        for own in ((), (turning,)):
            *_, buttons = turning_layout(table, story, 1, PICTURE, own).to_components()
            labels.add(tuple(button["label"] for button in buttons["components"]))
    pages, try_again, share = ("Previous", "Next"), ("Try it yourself",), ("Show to everyone",)
    assert {(*pages, *share), (*pages, *try_again), (*pages, *try_again, *share)} == labels


def test_a_page_has_the_lines_that_a_phone_has_room_for_beside_its_buttons() -> None:
    wide = [Control(ControlId("share", 1, number), "A label that fills the line of a phone") for number in range(2)]
    for ways, lines in ((wide[:1], "abcde"), (wide, "abc")):
        assert "\n".join(lines) == fitting(ways, *"abcdefgh")
