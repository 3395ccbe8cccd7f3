"""Facts of a position that the pictures and descriptions of every game state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

import renders
from engine.core import View
from engine.games import discover
from engine.games.jinns.events import CameAgain
from engine.games.jinns.pawns import COLORS
from engine.match import Match
from engine.notation import format_action
from engine.texts import Seat, Text, number
from engine.town.data import CARD_COUNTS, Gang
from engine.town.track import landing
from engine.town.walk import plays
from engine.wording import say
from renders import plain
from renders.games.alibaba.cave import lost_stakes
from renders.games.alibaba.scene import SCENE as CAVE_SCENE
from renders.games.gangs.scene import SCENE as GANGS_SCENE
from renders.theme import SEATS
from renders.words import word
from tests.engine.toys import TOYS
from tests.renders.positions import WrittenLine, alt_of, play_randomly, views_of
from tests.renders.test_told import EVERY_GAME

Describe = Callable[[View[Any], Sequence[str]], str]

TOLD_ELSEWHERE: dict[str, Callable[[Any], bool]] = {
    "muscat": lambda event: event.minor,
    "alibaba": lambda event: event.minor,
    "gangs": lambda event: event.minor,
    "jinns": lambda event: isinstance(event, CameAgain),
}
"""Events that the rest of a description states anyway."""


def names_of(view: View[Any]) -> tuple[str, ...]:
    return discover()[view.game].seat_names(view.setup)


def positions_with_choices(slug: str) -> Iterator[Match]:
    spec = {**discover(), **TOYS}[slug]
    for match in play_randomly(spec, spec.seats[-1], 3):
        if not match.outcome and len(match.state.decisions()[0].options) > 2:
            yield match


# --- every game ---


@pytest.mark.parametrize("describe", [renders.tell, plain.tell], ids=["own", "plain"])
@EVERY_GAME
def test_a_description_lists_the_choices_that_are_left(slug: str, describe: Describe) -> None:
    match = next(positions_with_choices(slug))
    (decision,) = match.state.decisions()
    first, *_, last = decision.options
    texts = [
        describe(match.view(decision.seat, offered=offered), match.names)
        for offered in (decision.options, (first,), (last,))
    ]
    assert 3 == len(set(texts))
    assert max(texts, key=len) == texts[0]


@pytest.mark.parametrize("describe", [renders.tell, plain.tell], ids=["own", "plain"])
@EVERY_GAME
def test_the_long_description_reports_the_events_since_the_last_move_once(slug: str, describe: Describe) -> None:
    reports = 0
    for view in views_of(discover()[slug], discover()[slug].seats[-1], 4, step=7):
        names, text = names_of(view), describe(view, names_of(view))
        is_elsewhere = TOLD_ELSEWHERE.get(slug, _never) if describe is renders.tell else _never
        events = [say(event, names) for event in view.events if not is_elsewhere(event)]
        if len(" ".join(events)) <= 600:
            assert all(text.count(event) >= events.count(event) for event in events)
            reports += len(events)
        assert text.count("This position has come up") <= 1
    assert reports > 10


def _never(event: Any) -> bool:
    return False


# --- the town ---

TOWNS = [("alibaba", 2), ("alibaba", 6), ("gangs", 2), ("gangs", 5)]
SCENES = {"alibaba": CAVE_SCENE, "gangs": GANGS_SCENE}
TOWN = pytest.mark.parametrize(("slug", "seats"), TOWNS)


def town_views(slug: str, seats: int) -> Iterator[tuple[View[Any], str, str]]:
    """Positions with both descriptions, without Markdown."""
    for view in views_of(discover()[slug], seats, 6, step=7):
        yield view, alt_of(view, names_of(view)), renders.tell(view, names_of(view)).replace("**", "")


@TOWN
def test_the_descriptions_state_what_everyone_owns(slug: str, seats: int) -> None:
    for view, brief, whole in town_views(slug, seats):
        for seat, name in enumerate(names_of(view)):
            hand = len(view.state.cards.hands[seat])
            owns = f"{number(view.state.purses[seat])}, {hand} {'card' if hand == 1 else 'cards'}"
            thieves = Counter(SCENES[slug].thieves(view.state, Seat(seat)))
            (short,) = re.findall(rf"{SEATS[seat].letter} {name}: {owns}([^.]*)\.", brief)
            (line,) = re.findall(rf"^- {name} {owns}(.*)$", whole, re.MULTILINE)
            assert all(f" {kind}{f'×{n}' if n > 1 else ''}" in short for kind, n in thieves.items())
            assert all(f" {word(kind)}{f' ×{n}' if n > 1 else ''}" in line for kind, n in thieves.items())
            assert thieves or line.endswith(" none")


@TOWN
def test_the_descriptions_count_the_cards_that_were_played(slug: str, seats: int) -> None:
    for view, brief, whole in town_views(slug, seats):
        played = Counter(card for own in view.state.cards.played for card in own)
        counts = [(card, played[card], n) for card, n in CARD_COUNTS.items()]
        if not brief.endswith("…"):
            assert f"Played: {', '.join(f'{card} {n}/{most}' for card, n, most in counts)}." in brief
        assert "; ".join(f"value {card}: {n} of {most}" for card, n, most in counts) in whole


@TOWN
def test_the_descriptions_say_where_every_card_leads(slug: str, seats: int) -> None:
    forks = 0
    for view, brief, whole in town_views(slug, seats):
        if view.outcome:
            continue
        walks = plays(tuple(CARD_COUNTS), view.state.step)
        spaces = [(walk.card, landing(view.state.space, walk.card, walk.route)) for walk in walks]
        ahead = {f"{to} {''.join(gang.letter for gang in to.jewels) or to.meaning}" for _, to in spaces}
        assert brief.endswith("…") or ahead == set(re.findall(r"Ahead: (.*?)\.", brief)[0].split(", "))
        ways = {card: [word(to) for value, to in spaces if value == card] for card in CARD_COUNTS}
        assert all(f"a {card} leads to {' or '.join(ends)}" in whole for card, ends in ways.items())
        forks += any(len(ends) > 1 for ends in ways.values())
    assert forks


@TOWN
def test_the_long_description_states_what_is_left_of_every_gang(slug: str, seats: int) -> None:
    for view, _, whole in town_views(slug, seats):
        rows = whole.partition("Face down:\n")[2].splitlines()[: len(Gang)]
        for gang, row in zip(Gang, rows, strict=True):
            size = sum(view.state.decks[gang.place])
            assert re.match(rf"- {size} {word(gang)} cards?\b", row)
            if slug == "alibaba":
                gone = view.state.discarded(gang)
                assert ([str(gone)] if gone else []) == re.findall(r"; (\d+) discarded", row)
            else:
                price = view.state.price(gang)
                assert row.endswith(f"; {price} each in this quarter" if price else "; free in this quarter")
                below = ", ".join(map(word, view.state.tails[gang.place]))
                assert ([below] if below else []) == re.findall(r"; below them (.*);", row)


@TOWN
def test_the_descriptions_say_whose_stake_is_safe_when(slug: str, seats: int) -> None:
    for view, _, whole in town_views(slug, seats):
        inside = {name for seat, name in enumerate(names_of(view)) if slug == "alibaba" and view.state.in_cave(seat)}
        players = whole.partition("Choices:")[0]
        assert inside == set(re.findall(r"^- (\w+) .* safe (?:after|when) ", players, re.MULTILINE))
        without = set(re.findall(r"^- (\w+) .* nothing in the cave,", players, re.MULTILINE))
        losers = {names_of(view)[seat] for seat in lost_stakes(view.state)} if slug == "alibaba" else set()
        assert without == (set(names_of(view)) - inside - losers if slug == "alibaba" else set())


def test_a_long_list_of_choices_names_the_first_and_the_last_one() -> None:
    """A price may be any of 201 amounts."""
    spec = discover()["gangs"]
    match = next(
        match
        for seed in range(20)
        for match in play_randomly(spec, 3, seed, trading=True)
        if not match.outcome and len(match.state.decisions()[0].options) > 30
    )
    (decision,) = match.state.decisions()
    text = renders.tell(match.view(decision.seat), match.names)
    first, last = (f"(`{format_action(decision.options[n])}`)" for n in (0, -1))
    assert re.search(rf"^Choices: .*{re.escape(first)} to .*{re.escape(last)}$", text, re.MULTILINE)


# --- Jinns of the Lake ---

LAKES: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {"colors": "draft"}),
    (3, {"setup": "placement"}),
    (4, {"team_score": True}),
    (4, {"team_score": False}),
]


@pytest.mark.parametrize(("seats", "options"), LAKES, ids=str)
def test_the_panels_and_descriptions_of_the_lake_agree_with_the_position(
    seats: int, options: dict[str, Any], written_lines: list[WrittenLine]
) -> None:
    for view in views_of(discover()["jinns"], seats, 3, step=11, **options):
        state, names = view.state, names_of(view)
        written_lines.clear()
        (canvas,) = renders.paint_all([view], names)
        lines = [line.text for line in written_lines if line.canvas is canvas]
        texts = alt_of(view, names), renders.tell(view, names)
        assert all(f"{_progress(view)}." in text for text in texts)
        unowned = [str(Text("{color:^} is neutral", color=color)) for color in _unowned(state)]
        neutral = unowned if len(unowned) == 1 else []
        assert [neutral] * 2 == [[fact for fact in unowned if f"{fact}." in text] for text in texts]
        assert view.outcome or neutral == [fact for fact in unowned if fact in lines]
        placing = state.is_setting_up and state.placed < len(state.board)
        if not view.outcome:
            captions = [text for text in lines if text.startswith("taken ")]
            assert len(captions) == seats - placing
        for seat in map(Seat, range(seats)):
            assert view.outcome or str(state.score(seat)) in lines
            colors = word(state.colors(seat)) or "no color yet"
            line = next(line for line in texts[1].splitlines() if line.startswith(f"**{names[seat]}**"))
            (short,) = re.findall(rf"(?:^|\. ){names[seat]}((?: \([^)]*\))?)[^.]*: \d+ = ", texts[0])
            assert colors in line
            assert short == ("" if names[seat].lower() == colors else f" ({colors})")
            if state.partner(seat) is not None and state.terms.team_score:
                both = state.score(seat) + state.score(state.partner(seat))
                assert all(f"(together {both})" in text for text in texts)
                assert view.outcome or lines.count(f"+ {names[state.partner(seat)]} = {both}") == 1
            elif state.partner(seat) is not None:
                assert not any(re.search(r"together| = \d+$", text) for text in (*lines, texts[1].partition("\n")[0]))


def _progress(view: View[Any]) -> str:
    if view.outcome:
        return f"{view.state.moves} moves"
    if not view.state.is_setting_up:
        return f"ove {view.state.moves + 1}"
    placed, squares = sum(map(bool, view.state.board)), len(view.state.board)
    return f"lacing {placed + 1} of {squares}" if placed < squares else "hoosing colors"


def _unowned(state: Any) -> list[Any]:
    owners = {color for seat in range(state.seats) for color in state.colors(seat)}
    return [color for color in COLORS if color not in owners]
