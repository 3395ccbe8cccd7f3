"""Labels, pictures, descriptions and translations, over whole random games."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import caravanserai_nard
import pytest
from caravanserai_nard import GAME
from caravanserai_nard.board import BAR, OFF
from caravanserai_nard.state import Nard

import locales
import renders
from engine.core import View
from engine.languages import CONTEXT, reading
from engine.match import Match
from engine.texts import CHANCE, Seat
from engine.wording import Voice, say, verb_words

SETUPS = ({}, {"match": 3}, {"match": 5, "cube": True})
CODES = ("de", "fr")
NAMES = ("Red", "Blue")


@cache
def views() -> tuple[View[Nard], ...]:
    """Views of the seat that is due, and of the public at the end, in a game of each setup."""
    return tuple(view for number, options in enumerate(SETUPS) for view in _views(number, options))


def _views(number: int, options: dict[str, int | bool]) -> Iterator[View[Nard]]:
    rng, match = Random(number), Match.begin(GAME, GAME.setup(2, options), str(number))
    while decisions := match.state.decisions():
        (decision,) = decisions
        if decision.seat != CHANCE:
            yield match.view(decision.seat, since=max(0, match.ply - 8))
        match.play(decision.seat, rng.choice([option for option in decision.options if option.verb != "drop"]))
    yield match.view(None, since=match.ply - 4)


@pytest.mark.parametrize("code", ["en", *CODES])
def test_labels_glosses_and_prompts_are_short_and_labels_differ(code: str) -> None:
    with reading(locales.language_of(code)):
        for view in views()[::3]:
            voice = Voice(NAMES, view.viewer, view.state)
            for decision in view.decisions:
                labels = [voice.label(option) for option in decision.options]
                assert len(set(labels)) == len(labels)
                assert max(map(len, labels)) <= 40, labels
                assert max(len(voice.gloss(option)) for option in decision.options) <= 80
                assert len(say(decision.prompt, NAMES)) <= 60, decision.prompt
            assert all(say(line, NAMES) for line in view.state.advice())


def test_the_description_tells_the_whole_position() -> None:
    for view in views()[::20]:
        description, state = renders.tell(view, NAMES), view.state
        assert len(description) <= 3500
        assert len(renders.draw(view, NAMES).alt) <= 1000
        for seat, name in enumerate(NAMES):
            (line,) = (line for line in description.splitlines() if line.startswith(f"**{name}**"))
            checkers = {int(point): int(n) for n, point in re.findall(r"(\d+) on (\d+)", line)}
            bar = re.search(r"(\d+) on the bar", line)
            here = {n: state.checkers(Seat(seat), n) for n in range(1, BAR) if state.checkers(Seat(seat), n)}
            assert here == checkers
            assert state.side(Seat(seat))[BAR] == (int(bar[1]) if bar else 0)
            assert f"{state.side(Seat(seat))[OFF]} of 15 borne off" in line
        for decision in view.decisions:
            assert all(Voice(NAMES, state=state).label(option) in description for option in decision.options)


def test_pictures_are_small_and_differ_with_every_checker() -> None:
    pictures = {}
    for view in views()[::25]:
        picture = renders.draw(view, NAMES, ("Ana", "Ben"))
        png = renders.png(picture)
        assert len(png) <= 250_000
        assert renders.png(renders.draw(view, NAMES, ("Ana", "Ben"))) == png, "the same twice"
        pictures[png] = view.state.sides
    assert len(pictures) == len(set(pictures.values()))


# --- Translations ----------------------------------------------------------------------------------------------------


def texts() -> set[str]:
    """All texts of the package that players read: those in its code, and the names in its `GAME`."""
    from locales.extracting import Module, module, templates

    words_found = {"bar", "off", GAME.title, GAME.summary, *(preset.title for preset in GAME.presets)}
    for option in dataclasses.fields(GAME.options):
        words_found |= {option.metadata["title"] or option.name, option.metadata["description"]}
    for verb in GAME.actions:
        words_found |= {verb_words(verb.verb, verb.sense), (verb.__doc__ or "").partition("\n")[0]}
        words_found |= {field.metadata["description"] for field in dataclasses.fields(verb)}
    read: Module
    for path in Path(caravanserai_nard.__file__).parent.rglob("*.py"):
        read = module(path)
        words_found |= {words for call in read.calls["Text"] for words, _ in templates(call.args[0], read)}
        values = (value for name in ("template", "brief", "label") for value in read.assigned.get(name, ()))
        words_found |= {value.value for value in values if hasattr(value, "value") and isinstance(value.value, str)}
    return {words.rpartition(CONTEXT)[2] for words in words_found if re.search("[a-z]", re.sub(r"\{\w+\}", "", words))}


@pytest.mark.parametrize("code", CODES)
def test_every_text_is_translated(code: str) -> None:
    language = locales.language_of(code)
    same_word = {"Nard", "**{game}**, {fact}. {now}"}
    assert set() == {words for words in texts() - same_word if language.translate(words) == words}


def test_the_reader_is_the_subject_of_french_sentences_as_tu() -> None:
    """*Toi*, the French for *you*, cannot be a subject: *Tu joues*, not *Toi joues*."""
    with reading(locales.language_of("fr")):
        lines = {Voice(NAMES, view.viewer).say(event) for view in views() for event in view.events}
    assert {"Tu"} == {line.split()[0] for line in lines} & {"Tu", "Toi"}


@pytest.mark.parametrize("code", CODES)
def test_the_rules_have_the_same_sections_in_every_language(code: str) -> None:
    with reading(locales.language_of(code)):
        translated = GAME.rulebook.translated.sections
    sections = GAME.rulebook.sections
    assert translated is not sections
    assert {number: section.only_with for number, section in sections.items()} == {
        number: section.only_with for number, section in translated.items()
    }
    assert all(section.text for section in translated.values())
