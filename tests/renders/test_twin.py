"""The text twins are complete: whoever reads them knows the whole position."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

import renders
from engine import Seat, View, format_action
from engine.games.muscat import ARTISTS
from renders.theme import SEATS
from tests.renders.positions import LABELS, fullest, recorded, views

LONG = ("Maximilian the Great", "Anna-Katharina", "Wu", "Bartholomew", "Xenophon of Athens")
Places = dict[str, Counter[str]]
"""Place -> tokens as seat letter and artist letter, counted."""


def counted(groups: Any) -> Counter[str]:
    return Counter({f"{SEATS[seat].letter}{artist}": count for seat, artist, count in groups})


def truth(state: Any) -> Places:
    """What stands where, from the state."""
    places = {"Palace": counted(state.palace)}
    for level in range(1, 5):
        places[f"Street {level}"] = counted(state.street(level))
        for index in range(state.seats):
            holders = zip(state.market(level, index), ARTISTS, strict=True)
            places[f"{level}{'ABCDE'[index]}"] = counted((s, a, 1) for s, a in holders if s is not None)
    return places


def read_alt(alt: str) -> Places:
    """What stands where, read from the short twin."""
    palace = re.search(r"Palace \d+/\d+: (.*?)\.", alt)
    assert palace
    places = {"Palace": read_tokens(palace[1])}
    for level, markets, street in re.findall(r"Level (\d): (.*?)\. Street \d: (.*?)\.", alt):
        places[f"Street {level}"] = read_tokens(street)
        for market in markets.split("; "):
            letter, tokens = market.split(" ", 1)
            places[f"{level}{letter}"] = read_tokens(tokens)
    return places


def read_tokens(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for word in text.replace("–", "").split():
        name, _, count = word.partition("×")
        found[name] += int(count or 1)
    return found


def read_tale(text: str, labels: tuple[str, ...]) -> Places:
    """What stands where, read from the long twin in either of its forms."""
    plain = text.replace("**", "")
    letters = {name: SEATS[seat].letter for seat, name in enumerate(labels)}
    kinds = {artist.label: artist.value for artist in ARTISTS} | {artist.value: artist.value for artist in ARTISTS}
    words = "|".join(re.escape(name) for name in labels)
    pattern = re.compile(rf"({words}) ({'|'.join(kinds)})\b(?: ×(\d))?")

    def tokens(part: str) -> Counter[str]:
        return Counter(
            {letters[name] + kinds[kind]: int(count or 1) for name, kind, count in pattern.findall(part)},
        )

    places = {}
    for head, body in re.findall(r"^(Palace|Street \d|Level \d) \([^)]*\): (.*)$", plain, re.MULTILINE):
        if not head.startswith("Level"):
            places[head] = tokens(body)
            continue
        for market in body.split("; "):
            places[market[:2]] = tokens(market)
    return places


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_short_twin_holds_the_whole_position_in_1000_characters(seats: int) -> None:
    for seed in range(2):
        for view in views(seats, seed, step=3):
            alt = renders.draw(view, LABELS[:seats]).alt
            assert len(alt) <= 1000
            assert truth(view.state) == read_alt(alt)
            assert_complete(view, alt)


def assert_complete(view: View, alt: str) -> None:
    state = view.state
    for seat in range(state.seats):
        score = str(state.score(seat)).replace("-", "−")
        assert f"{SEATS[seat].letter} {LABELS[seat]}: {score}, shows {state.faceup(seat) or 'none'}" in alt
        assert f"pile {state.pile(seat)}." in alt
    for seat, artist, level, index in state.rising:
        assert f"{SEATS[seat].letter}{artist} rises from {level}{'ABCDE'[index]}" in alt
    if state.drawn:
        assert f"drew {state.drawn[1]}" in alt
    if view.due:
        assert all(f"{LABELS[seat]} to decide" in alt for seat in view.due)
    else:
        assert view.outcome
        assert "win" in alt
    assert "Setting up" in alt or f"ound{'s' if view.outcome else ''} {state.round}" in alt or "rounds" in alt


def test_the_short_twin_of_a_board_fuller_than_any_is_still_complete() -> None:
    view = fullest()
    alt = renders.draw(view, LONG).alt
    assert len(alt) <= 1000
    assert truth(view.state) == read_alt(alt)
    assert alt.endswith("PE rises from 3E.")


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_long_twin_holds_the_whole_position_and_the_options(seats: int) -> None:
    for view in views(seats, 5, step=4):
        text = renders.tell(view, LABELS[:seats])
        assert len(text) < 3500
        assert truth(view.state) == read_tale(text, LABELS[:seats])
        assert all(format_action(action) in text for decision in view.decisions for action in decision.options)


def options_in(text: str) -> list[str]:
    """The notations after `Options:`, which ends the long twin."""
    return [notation for line in re.findall(r"^Options: (.*)$", text, re.MULTILINE) for notation in line.split(", ")]


def test_everybody_reads_the_options_of_who_is_due() -> None:
    match = recorded("middle")
    (decision,) = match.state.decisions()
    options = [format_action(action) for action in decision.options]
    assert len(options) > 1
    for viewer in (None, *map(Seat, range(5))):
        assert options == options_in(renders.tell(match.view(viewer), LABELS))


def test_while_a_turn_is_built_only_what_is_still_open_is_told() -> None:
    match = recorded("middle")
    (decision,) = match.state.decisions()
    view = match.view(decision.seat, offered=decision.options[1:3])
    assert [format_action(action) for action in decision.options[1:3]] == options_in(renders.tell(view, LABELS))


def test_when_the_game_is_over_no_options_are_told() -> None:
    assert "Options" not in renders.tell(recorded("end").view(None), LABELS[:3])


def test_the_long_twin_of_a_board_fuller_than_any_is_still_complete() -> None:
    view = fullest()
    names = tuple(name if len(name) <= 16 else name[:15].rsplit(" ", 1)[0] + "…" for name in LONG)
    text = renders.tell(view, LONG)
    assert len(text) < 3500
    assert truth(view.state) == read_tale(text, names)
    assert text.endswith("cycle 4E")
