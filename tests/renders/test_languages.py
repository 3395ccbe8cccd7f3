"""All text for readers is in their language, in the engine and on pictures, with any pictures drawn before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice
from random import Random

import pytest

import renders
from engine.coaching import ideas
from engine.core import State, View
from engine.games import discover
from engine.games.jinns.actions import Keep
from engine.languages import reading
from engine.match import Match
from engine.texts import SEAT_COLORS, Seat
from engine.wording import Voice
from locales import language_of, languages
from locales.pseudo import Pseudo
from renders import lettering, picture, sprites
from renders import story as stories
from tests.renders.positions import draw_plainly
from tests.renders.test_story import MARKS, chapter
from tests.sampling import every
from tests.true_colors import forget_drawings

PSEUDO = Pseudo()
NAMES = ("Ánn", "Bén", "Cárl", "Dórá", "Émíl", "Fínn")
LETTERS = re.compile(r"[^\W\d_]{3,}")
TITLES = sorted((spec.title for spec in discover().values()), key=len, reverse=True)
NOT_TRANSLATED = re.compile("|".join(("`[^`]*`", *Keep, *TITLES)))


def plain(text: str) -> set[str]:
    """The words with an unaccented vowel. Titles of games and typed words are English in every language."""
    words = LETTERS.findall(NOT_TRANSLATED.sub("", text))
    return {word for word in words if re.search("[aeiouAEIOU]", word)}


@pytest.fixture
def not_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are painted but not encoded: that draws no words."""
    monkeypatch.setattr(picture, "png_file", lambda *_: b"")


@pytest.fixture
def drawn_lines(not_encoded: None, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All lines drawn without the cache during the test."""
    lines: list[str] = []
    ink = lettering.ink

    def noting(text: str, face: lettering.Face) -> lettering.Mask:
        lines.append(text)
        return ink(text, face)

    monkeypatch.setattr(lettering, "ink", noting)
    return lines


def begin_match(slug: str, seats: int) -> Match:
    spec = discover()[slug]
    return Match.begin(spec, spec.setup(seats), "languages")


def positions_of(match: Match) -> Iterator[Match]:
    """All positions of a random match, up to its end."""
    rng = Random(1)
    yield match
    while match.outcome is None:
        decision = match.state.decisions()[0]
        match.play(decision.seat, rng.choice(decision.options))
        yield match


def engine_texts(view: View[State], you: Seat | None) -> Iterator[str]:
    """The engine's texts about a position."""
    voice = Voice(NAMES, you, view.state)
    for decision in view.decisions:
        yield voice.say(decision.prompt)
        for option in decision.options[:: 1 + len(decision.options) // 10]:
            yield from (voice.label(option), voice.gloss(option))
    for event in view.events:
        yield from (voice.say(event), voice.brief(event))
    yield from map(voice.say, ideas(view.state))


DRAWN_GAMES = [slug for slug in discover() if find_spec(f"renders.games.{slug}")]
"""Games with pictures of their own; a new game may exist in English only."""

DRAW_INTERVAL = every(29)
"""Every how many positions one is drawn: most words recur in the next picture."""

CASES = [(slug, seats) for slug in DRAWN_GAMES for seats in {discover()[slug].seats[0], discover()[slug].seats[-1]}]


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_no_text_of_a_game_stays_english_in_another_language(slug: str, seats: int, drawn_lines: list[str]) -> None:
    match, names, english_words = begin_match(slug, seats), NAMES[:seats], set[str]()
    # Fill the caches, so that only translated words are drawn again.
    renders.draw(match.view(None), names)
    draw_plainly(match.view(None), names)
    sprites._sprite_of.cache_clear()
    drawn_lines.clear()
    with reading(PSEUDO):
        for number, position in enumerate(positions_of(match)):
            # Alternate viewers, also for the positions that are drawn.
            you = (None, Seat(0))[number % 2]
            view = position.view(you)
            english_words |= {word for text in engine_texts(view, you) for word in plain(text)}
            if number % DRAW_INTERVAL == 0 or match.outcome:
                described = renders.draw(view, names).alt, renders.tell(view, names), draw_plainly(view, names).alt
                english_words |= {word for text in described for word in plain(text)}
            if number == 11 and (own := position.state.decisions()[0]).seat >= 0:
                renders.draw(position.preview(own.seat, own.options[0]), names)
    assert set() == english_words
    assert set() == {word for text in drawn_lines for word in plain(text)}


UNSPACED_SIGN = re.compile(r"[^\s|][:;!?](?=[\s*]|$)")
"""A double sign without the space that French has before it."""


@pytest.mark.parametrize("slug", DRAWN_GAMES)
def test_double_signs_have_their_french_spaces_in_texts_of_boards(not_encoded: None, slug: str) -> None:
    seats, unspaced = discover()[slug].seats[0], set[str]()
    with reading(language_of("fr")):
        for number, position in enumerate(positions_of(begin_match(slug, seats))):
            if number % DRAW_INTERVAL == 0 or position.outcome:
                view = position.view((None, Seat(0))[number % 2])
                texts = renders.draw(view, NAMES[:seats]).alt, renders.tell(view, NAMES[:seats])
                texts += (draw_plainly(view, NAMES[:seats]).alt,)
                unspaced |= {
                    text[max(0, m.start() - 30) : m.end()] for text in texts for m in UNSPACED_SIGN.finditer(text)
                }
    assert set() == unspaced


def test_no_text_of_a_story_stays_english_in_another_language(drawn_lines: list[str]) -> None:
    *_, match = positions_of(begin_match("gangs", 6))
    view, story = match.view(None), chapter(0, *(replace(mark, words="Ón") for mark in MARKS))
    stories.draw(view, story, NAMES)
    sprites._sprite_of.cache_clear()
    drawn_lines.clear()
    with reading(PSEUDO):
        alt = stories.draw(view, story, NAMES).alt
    assert set() == {word for text in (alt, *drawn_lines) for word in plain(text)}


@pytest.mark.parametrize("slug", DRAWN_GAMES)
def test_no_picture_reuses_cached_text_of_another_language(slug: str) -> None:
    spec = discover()[slug]
    match, names = begin_match(slug, spec.seats[0]), NAMES[: spec.seats[0]]
    view = next(islice(positions_of(match), 30, None)).view(Seat(0))

    def drawn() -> bytes:
        return renders.draw(view, names).png

    english = drawn()
    with reading(PSEUDO):
        other = drawn()
    assert english == drawn() != other
    forget_drawings()
    with reading(PSEUDO):
        assert other == drawn()
    assert english == drawn()


@pytest.mark.parametrize("slug", DRAWN_GAMES)
def test_seats_are_named_in_the_language_of_the_reader(slug: str) -> None:
    spec = discover()[slug]
    for seats in spec.seats:
        setup = spec.setup(seats)
        with reading(PSEUDO):
            assert set() == {word for name in spec.seat_names(setup) for word in plain(name)}
            assert {"", *SEAT_COLORS} >= set(spec.seat_colors(setup)), "no color but one of the house"


@pytest.mark.parametrize("slug", DRAWN_GAMES)
def test_the_text_of_a_picture_is_never_cut_in_any_language(
    not_encoded: None, slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People's names may be cut, since their length is not ours to choose."""
    cut, shorten = set[str](), lettering.shorten

    def noting(text: str, room: float, measure: Callable[[str], float]) -> str:
        fitting = shorten(text, room, measure)
        if fitting != text:
            cut.add(text)
        return fitting

    monkeypatch.setattr(lettering, "shorten", noting)
    for match, views in (some_views(slug, seats) for seats in {discover()[slug].seats[0], discover()[slug].seats[-1]}):
        for code in languages():
            with reading(language_of(code)):
                for view in views:
                    renders.draw(view, match.names, NAMES[: len(match.names)])
    assert set() == cut


def some_views(slug: str, seats: int) -> tuple[Match, list[View[State]]]:
    """A random game's public views at intervals and at its end."""
    rng, match, views = Random(slug), begin_match(slug, seats), list[View[State]]()
    while match.outcome is None:
        decision = rng.choice(match.state.decisions())
        match.play(decision.seat, rng.choice(list(decision.options)))
        if match.version % every(47) == 0 or match.outcome:
            views.append(match.view(None))
    return match, views
