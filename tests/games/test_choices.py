"""Words for the choices of every game: labels, fields, glosses, advice, scores and stories."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from statistics import median

import pytest

from bot.features.play.narrowing import agreeing, step
from engine.coaching import ideas
from engine.core import Action, Decision, Event, GameSpec, State, field_types
from engine.games import discover
from engine.notation import format_action
from engine.texts import CHANCE, Seat
from engine.wording import OPEN, Voice, say
from kit.playouts import Case, Playout, every_step, playouts, some_steps
from tests.engine.playouts import in_every_case
from tests.sampling import every

NAMES = ("Maximiliana1", "Bartholomew2", "Xenophonia 3", "Anna-Luise 4", "Wilhelmina 5", "Scheherazade")
"""The longest names to reckon with."""

CODE = re.compile(r"[_{}`]|\bNone\b|hidden[0-9N]|\bstreet[0-9]")
"""A pattern of text that no player should have to read: notation, and names of fields."""

BARE = re.compile(r"[A-Z]?\d*|[a-z]")
"""Words that are not the name of a value, standing alone."""

LONGEST_LABEL = {"muses": 80}
"""Characters of a label where they are more than 50: a hidden tile is called by the name of its owner."""

POSITIONS = 90 // every(3)
"""Number of checked positions of a case, beside one of each kind of question."""

CROWDED = slice(0, 12, every(3))
"""Of the positions of a case, from the most options to the fewest: those in which every way to an option is tried."""

HOUSE = [discover()[slug] for slug in ("alibaba", "gangs", "jinns", "muscat", "muses")]
"""The games that come with the bot. They have everything that the guide leaves to the author of a game."""

over_all_cases = in_every_case(discover().values())
over_the_house = in_every_case(HOUSE)


@cache
def decisions_of(case: Case) -> tuple[tuple[State, Decision, Voice], ...]:
    """Positions in which a seat is asked, of every kind of question, as it sees them, and how it is spoken to."""
    results = []
    kinds = {type(now.before.frames[-1]): now for now in every_step(case) if now.seat != CHANCE}
    for now in (*kinds.values(), *(now for _, now in some_steps(case, POSITIONS))):
        for decision in (decision for decision in now.decisions if decision.seat == now.seat):
            seen = now.before.observe(now.seat)
            results.append((seen, decision, Voice(NAMES[: case.setup.seats], now.seat, seen)))
    return tuple(results)


def fields_of(action: Action) -> list[str]:
    """The fields of an option that apply."""
    return [name for name in field_types(type(action)) if getattr(action, name) is not None]


@over_all_cases
def test_options_have_distinct_labels_that_fit_on_a_button(case: Case) -> None:
    for _, decision, voice in decisions_of(case):
        labels = [voice.label(action) for action in decision.options]
        assert len(set(labels)) == len(labels), labels
        assert max(map(len, labels)) <= LONGEST_LABEL.get(case.spec.slug, 50)
        assert [] == [label for label in labels if CODE.search(label) or not label[0].isupper() | label[0].isdigit()]


@over_all_cases
def test_the_gloss_of_an_option_has_at_most_80_characters(case: Case) -> None:
    for _, decision, voice in decisions_of(case):
        glosses = [voice.gloss(action) for action in decision.options]
        assert [] == [gloss for gloss in glosses if len(gloss) > 80 or CODE.search(gloss)]


@over_all_cases
def test_the_values_of_a_field_have_distinct_names(case: Case) -> None:
    for _, decision, voice in decisions_of(case):
        names_by_words: dict[tuple[str, ...], str] = {}
        for action in decision.options:
            for name in fields_of(action):
                words = format_action(action).split()[: 2 + list(field_types(type(action))).index(name)]
                names_by_words[(name, *words)] = str(voice.field(action, name))
        assert [] == [name for name in names_by_words.values() if CODE.search(name) or len(name) > 80]
        siblings = Counter((*key[:-1], name) for key, name in names_by_words.items())
        assert 1 == max(siblings.values(), default=1), siblings.most_common(2)


@over_the_house
def test_field_values_are_never_bare_letters_or_numbers(case: Case) -> None:
    for _, decision, voice in decisions_of(case):
        names = {str(voice.field(action, name)) for action in decision.options for name in fields_of(action)}
        assert [] == [name for name in names if BARE.fullmatch(name)]


@over_all_cases
def test_a_partial_choice_names_its_chosen_values(case: Case) -> None:
    for _, decision, voice in decisions_of(case):
        for action in decision.options:
            names = list(field_types(type(action)))
            for count in range(1, len(names)):
                words = voice.beginning(action, count)
                assert all(voice.field(action, name) in words for name in names[:count] if name in fields_of(action))
                assert OPEN in words


@over_the_house
def test_each_question_has_advice_in_complete_sentences(case: Case) -> None:
    for state, _, voice in decisions_of(case):
        lines = [voice.say(idea) for idea in ideas(state)]
        assert 2 <= len(lines) <= 4
        assert all(len(line) > 20 and line.endswith((".", "?")) for line in lines), lines
        assert all(line[0].isupper() or line[0].isdigit() for line in lines), lines


@over_the_house
def test_luck_shows_odds_and_decisions_of_seats_show_advice(case: Case) -> None:
    for now in islice(every_step(case), every(3) // 2, None, every(3)):  # the second step differs from all others
        odds, lines = now.before.observe(None).odds(), now.before.advice()
        assert (odds is None) or (now.seat == CHANCE and not CODE.search(say(odds, NAMES)))
        assert bool(lines) == (now.seat != CHANCE)


@pytest.mark.parametrize("spec", HOUSE, ids=lambda spec: spec.slug)
def test_no_standing_answer_spends_money_unasked_or_tells_that_nobody_was_asked(spec: GameSpec) -> None:
    answers = {aside.key: (aside.decline is not None, aside.first, aside.discreet) for aside in spec.asides}
    assert ASIDES.get(spec.slug, {}) == answers


ASIDES = {
    "alibaba": {"claiming": (True, True, False)},
    "gangs": {"danger": (True, True, False), "offering": (False, False, False), "buying": (True, False, True)},
    "muscat": {"rising": (False, True, False)},
}
"""For each small decision outside a turn: whether a seat may always decline or take the first option, and whether a
person would see from the time of the answer that it was automatic."""


# --- taps ---


@over_all_cases
def test_a_preview_is_reached_within_five_taps(case: Case) -> None:
    """*Your move* included: a verb and three fields, or their parts."""
    positions = sorted(decisions_of(case), key=lambda position: -len(position[1].options))[CROWDED]
    assert [] == [decision.prompt for _, decision, voice in positions if most_taps(decision.options, voice) > 5]


def most_taps(options: tuple[Action, ...], voice: Voice, prefix: tuple[str, ...] = ()) -> int:
    """Taps to the preview of the option that takes most."""
    open_words = [choice.words for choice in step(options, prefix, voice).choices if not choice.complete]
    return 1 + max((most_taps(agreeing(options, words), voice, words) for words in open_words), default=0)


# --- the end ---


@over_the_house
def test_the_outcome_explains_equal_scores_at_every_place(case: Case) -> None:
    companies = case.spec.companies(case.setup)
    for playout in playouts(case):
        outcome = playout.match.outcome
        assert outcome is not None
        results = dict(zip(companies, zip(outcome.returns, outcome.scores, strict=True), strict=True))
        behind = [score for value, score in results.values() if value < max(outcome.returns)]
        tied = [score for _, score in results.values() if score == max(outcome.scores)]
        summary = str(outcome.summary)
        assert (len(tied) > 1) == bool(re.search("Tied on", summary)), outcome
        assert (len(results) - len(behind) > 1) == bool(re.search("share the win|win is shared", summary)), outcome
        assert (len(set(behind)) < len(behind)) == ("share a place" in summary), outcome


@over_the_house
def test_the_parts_of_a_score_add_up_to_the_score(case: Case) -> None:
    for playout in playouts(case):
        outcome = playout.match.outcome
        assert outcome is not None
        for seat, score in enumerate(outcome.scores):
            account = str(playout.match.state.account(Seat(seat)))
            parts = [part.replace(",", "").replace("−", "-") for part in re.findall(r"−?\d[\d,]*", account)]
            assert (score, True) == (sum(map(int, parts)), len(account) <= 90), account
        assert re.fullmatch(r"[A-Z].*\.", str(outcome.summary))


# --- stories ---


def stories(playout: Playout) -> Iterator[str]:
    """Stories beside the boards: each from one question to a person to the next one."""
    events: list[Event] = []
    for now in playout.steps:
        if now.seat != CHANCE and not now.is_automatic:
            yield " ".join(say(event, NAMES) for event in events)
            events.clear()
        events += [event for event in now.events if not event.minor and event.visible_to(None)]
    yield " ".join(say(event, NAMES) for event in events)


@over_all_cases
def test_the_story_of_a_board_is_short(case: Case) -> None:
    texts = [story for playout in playouts(case) for story in stories(playout)]
    assert median(map(len, texts)) <= 350
    assert [] == [story for story in texts if CODE.search(story) or len(story) > 600]


@over_all_cases
def test_every_sentence_begins_with_a_capital(case: Case) -> None:
    you = Seat(case.setup.seats - 1)
    events = {event for now in every_step(case) for event in now.events}
    sentences = {say(event, NAMES, you) for event in events}
    assert [] == [sentence for sentence in sentences if not sentence[0].isupper()]


@over_all_cases
def test_every_sentence_about_a_seat_names_it(case: Case) -> None:
    names = tuple(f"<{seat}>" for seat in range(case.setup.seats))
    for event in {event for now in every_step(case) for event in now.events}:
        seat = getattr(event, "seat", None)
        assert seat is None or seat == CHANCE or f"<{seat}>" in say(event, names), event


# --- presets ---


@pytest.mark.parametrize("spec", HOUSE, ids=lambda spec: spec.slug)
def test_the_first_preset_of_our_games_is_for_beginners(spec: GameSpec) -> None:
    assert "First game" == spec.presets[0].title


@pytest.mark.parametrize("spec", [spec for spec in discover().values() if spec.presets], ids=lambda spec: spec.slug)
def test_presets_differ_and_are_playable(spec: GameSpec) -> None:
    for seats in spec.seats:
        setups = [spec.setup(seats, preset.options) for preset in spec.presets]
        assert len(set(map(str, setups))) == len(spec.presets)
        assert all(spec.start(setup).decisions() for setup in setups)
