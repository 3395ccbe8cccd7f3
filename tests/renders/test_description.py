"""Text descriptions are complete: a reader knows the whole position."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import renders
from engine.core import Action, State, View
from engine.games import discover
from engine.games.muscat.artists import ARTISTS
from engine.games.muscat.board import TRIO
from engine.games.muscat.city import markets, markets_on
from engine.games.muscat.verbs.cycle import Cycle, Fell
from engine.games.muscat.verbs.rise import EnteredPalace, Jumped, Rose
from engine.match import Match
from engine.texts import Seat, number
from engine.wording import Voice
from renders.theme import SEATS
from tests.renders.positions import LABELS, MUSCAT, alt_of, fullest, play_randomly, replay_recorded, views

LONG_NAMES = ("Maximilian the Great", "Anna-Katharina", "Wu", "Bartholomew", "Xenophon of Athens")
Places = dict[str, Counter[str]]
"""Place -> tokens as seat letter and artist letter, with their counts."""


def count_tokens(groups: Any) -> Counter[str]:
    return Counter({f"{SEATS[seat].letter}{artist}": count for seat, artist, count in groups})


def truth(state: Any) -> Places:
    """The contents of all places, from the state."""
    places = {"Palace": count_tokens(state.palace)}
    for level in range(1, 5):
        places[f"Street {level}"] = count_tokens(state.street(level))
        for market in markets_on(level, state.seats):
            holders = zip(state.market(market), ARTISTS, strict=True)
            places[f"{level}{market.letter}"] = count_tokens((s, a, 1) for s, a in holders if s is not None)
    return places


def read_alt(alt: str) -> Places:
    """The contents of all places, parsed from the short description."""
    palace = re.search(r"Palace \d+/\d+: (.*?)\.", alt)
    assert palace
    places = {"Palace": read_tokens(palace[1])}
    for level, row, street in re.findall(r"Level (\d): (.*?)\. Street \d: (.*?)\.", alt):
        places[f"Street {level}"] = read_tokens(street)
        for market in row.split("; "):
            letter, tokens = market.split(" ", 1)
            places[f"{level}{letter}"] = read_tokens(tokens)
    return places


def read_tokens(text: str) -> Counter[str]:
    tokens: Counter[str] = Counter()
    for word in text.replace("–", "").split():
        name, _, count = word.partition("×")
        tokens[name] += int(count or 1)
    return tokens


def read_tale(text: str, labels: tuple[str, ...]) -> Places:
    """The contents of all places, parsed from either form of the long description."""
    plain = re.sub(r"(?s)(\nStreet 1 [^\n]*).*", r"\1", text.replace("**", ""))
    letters = {name: SEATS[seat].letter for seat, name in enumerate(labels)}
    kinds = {artist.label: artist.value for artist in ARTISTS} | {artist.value: artist.value for artist in ARTISTS}
    words = "|".join(re.escape(name) for name in labels)
    pattern = re.compile(rf"({words}) ({'|'.join(kinds)})\b(?: ×(\d))?")

    def tokens(part: str) -> Counter[str]:
        return Counter(
            {letters[name] + kinds[kind]: int(count or 1) for name, kind, count in pattern.findall(part)},
        )

    places = {}
    for empty in re.findall(r"^empty: (.*)$", plain, re.MULTILINE):
        places |= {market: tokens("") for market in empty.split(", ")}
    for head, body in re.findall(r"^(Palace|Street \d|\d\w)(?: \([^)]*\)|, full)?: (.*)$", plain, re.MULTILINE):
        places[head] = tokens(body)
    return places


def read_ranks(text: str) -> dict[str, list[str]]:
    """The artists of full markets from strongest to weakest, parsed from the long description."""
    rows = re.findall(r"^(\d\w), full: (.*)$", text, re.MULTILINE)
    return {market: row.split(" > ") for market, row in rows}


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_short_description_contains_the_whole_position_in_1000_characters(seats: int) -> None:
    for seed in range(2):
        for view in views(seats, seed, step=3):
            alt = alt_of(view, LABELS[:seats])
            assert len(alt) <= 1000
            assert truth(view.state) == read_alt(alt)
            assert_complete(view, alt)


def assert_complete(view: View, alt: str) -> None:
    state = view.state
    for seat in range(state.seats):
        score = score_of(state, seat)
        assert f"{SEATS[seat].letter} {LABELS[seat]}: {score}, shows {state.faceup(seat) or 'none'}" in alt
        assert f"pile {state.pile(seat)}." in alt
    for seat, artist, market in state.rising:
        assert f"{SEATS[seat].letter}{artist} rises from {market.level}{market.letter}, counted there." in alt
    if state.drawn:
        assert f"drew {state.drawn.artist}" in alt
    if view.due:
        assert all(f"{LABELS[seat]} to decide" in alt for seat in view.due)
    else:
        assert view.outcome
        assert "win" in alt
    now = f"{'Ended in round' if view.outcome else 'Round'} {state.round}" if state.round else "Setting up"
    assert now in alt


def score_of(state: Any, seat: int) -> str:
    """A seat's points with risers counted at their origin, and a plus while any riser is on its way."""
    levels = [market.level for owner, _, market in state.rising if owner == seat]
    return str(state.score(seat) + 2 * sum(levels)).replace("-", "−") + "+" * bool(levels)


def previews_of_cycles(seats: int) -> Iterator[tuple[Any, View]]:
    """Positions of a game in which a cycle can run, each with a preview of that."""
    for match in play_randomly(MUSCAT, seats, 5):
        for decision in match.state.decisions():
            for cycle in [action for action in decision.options if isinstance(action, Cycle)][:1]:
                yield match.state, match.preview(decision.seat, cycle)


def described_points(view: View) -> list[str]:
    """The points of every seat in the long description."""
    text = renders.tell(view, LABELS[: view.setup.seats])
    return re.findall(r"^\*\*\w+\*\*(?: \(you\))?: score (−?\d+\+?),", text, re.MULTILINE)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_preview_of_a_cycle_does_not_show_pending_points_as_lost(seats: int) -> None:
    """A riser counts at its origin, with a plus for its future points; the weakest artist has really lost."""
    waited = 0
    for before, preview in previews_of_cycles(seats):
        points = [before.score(seat) for seat in range(seats)]
        for event in preview.events:
            if isinstance(event, EnteredPalace):
                points[event.seat] += 10 - 2 * event.origin.level
            elif isinstance(event, Rose | Jumped):  # Without a choice, the artist moves at once.
                points[event.seat] += 2 * (event.market.level - event.origin.level)
            elif isinstance(event, Fell):
                points[event.seat] -= 3 * event.street
        rising = {owner for owner, *_ in preview.state.rising}
        waited += len(rising)
        words = [f"{number(count)}{'+' * (seat in rising)}" for seat, count in enumerate(points)]
        assert words == described_points(preview)
    assert waited > 20


def test_the_short_description_of_the_fullest_possible_board_is_complete() -> None:
    view = fullest()
    alt = alt_of(view, LONG_NAMES)
    assert len(alt) <= 1000
    assert truth(view.state) == read_alt(alt)
    assert alt.endswith("PE rises from 3E, counted there.")


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_long_description_contains_the_whole_position_and_the_options(seats: int) -> None:
    for view in views(seats, 5, step=4):
        text = renders.tell(view, LABELS[:seats])
        assert len(text) < 3500
        assert truth(view.state) == read_tale(text, LABELS[:seats])
        voice = Voice(LABELS[:seats], state=view.state)
        assert all(voice.label(action) in text for decision in view.decisions for action in decision.options)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_long_description_ranks_the_artists_of_a_full_market(seats: int) -> None:
    full = 0
    for view in views(seats, 4, step=4):
        ranks = read_ranks(renders.tell(view, LABELS[:seats]))
        for market, code in zip(markets(seats), view.state.board, strict=True):
            trio = TRIO[code]
            ranked = [trio.strongest, trio.second, trio.weakest] if trio else []
            expected = [f"{LABELS[token.seat]} {token.artist.label}" for token in ranked]
            assert expected == ranks.get(str(market), [])
            full += bool(expected)
    assert full > 20


def last_rows(text: str) -> list[str]:
    """The rows after the city's last one: risers, and options by verb."""
    return text.split("\nStreet 1 ")[1].splitlines()[1:]


def rows_of(state: State, options: Sequence[Action]) -> list[str]:
    """The options as in the long description: a row each, with button text and explanation."""
    voice = Voice(LABELS, state=state)
    return [f"- {voice.label(action)}: {voice.gloss(action)}" for action in options]


def test_every_viewer_reads_the_options_of_the_player_to_decide() -> None:
    match = replay_recorded("middle")
    (decision,) = match.state.decisions()
    assert len(decision.options) > 1
    for viewer in (None, *map(Seat, range(5))):
        riser, header, verb, *rows = last_rows(renders.tell(match.view(viewer), LABELS))
        assert riser.startswith("Yellow piper rises")
        assert header == "**Options**"
        assert verb == "-# **Rise**: Choose the market your rising artist enters."
        assert rows_of(match.state, decision.options) == rows


def test_a_preview_before_a_chance_event_shows_the_odds() -> None:
    """The next artist is turned up after the face-up one is placed."""
    match = Match.begin(MUSCAT, MUSCAT.setup(3, {"start_placement": "fixed"}), "odds")
    (decision,) = match.state.decisions()
    view = match.preview(decision.seat, decision.options[0])
    assert view.luck_next
    assert "Red’s 14 hidden artists: " in renders.tell(view, LABELS[:3])
    assert "Luck decides next." in alt_of(view, LABELS[:3])


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_long_description_stays_short_with_long_names(seats: int) -> None:
    """Explanations fit in nearly always, and full words for the artists always."""
    names = ("Maximiliana1", "Bartholomew2", "Xenophonia 3", "Anna-Luise 4", "Wilhelmina 5")[:seats]
    explained = []
    for view in views(seats, 6, step=3):
        text = renders.tell(view, names)
        assert len(text) <= 3400
        assert not text.endswith("…")
        assert "P piper" not in text
        explained.append(": Bring your new artist to a market" in text or "**Place**" not in text)
    assert sum(explained) > 0.6 * len(explained)


@pytest.mark.parametrize("slug", discover())
def test_the_description_of_the_end_gives_the_reason_and_the_tie_break(slug: str) -> None:
    spec = discover()[slug]
    for seed in range(3):
        *_, match = play_randomly(spec, spec.seats[0], seed)
        assert match.outcome is not None
        alt = renders.draw(match.view(None), spec.seat_names(match.setup)).alt
        assert str(match.outcome.summary) in alt
        result = zip(spec.seat_names(match.setup), map(number, match.outcome.scores), strict=True)
        assert ", ".join(map(" ".join, result)) in alt
