"""Pictures and descriptions of both games in the town: correct, without leaks, within limits, inside the margin."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, islice
from random import Random
from typing import Any

import pytest

import renders
from engine.core import Event, GameSpec, OptionValue, View
from engine.games.alibaba import GAME as CAVE
from engine.games.alibaba import events as cave
from engine.games.gangs import GAME as GANGS
from engine.games.gangs import events as gangs
from engine.games.gangs.frames.danger import Window
from engine.games.gangs.state import GangsTable
from engine.languages import reading
from engine.match import Match
from engine.texts import Seat, marking
from engine.town.cards import Cards
from engine.town.data import MARKS, WALK, Thief
from engine.town.events import Walked
from engine.town.state import Town
from engine.town.track import landing
from engine.wording import Voice, say
from locales import language_of
from renders.canvas import Canvas
from renders.games.alibaba.layout import HALL_H, HALL_PITCH
from renders.games.alibaba.scene import SCENE as CAVE_SCENE
from renders.games.gangs.scene import SCENE as GANGS_SCENE
from renders.house import plate_mark
from renders.town.board import chips_of, paint
from renders.town.close_up import BOTTOM, TOP, WIDTH, corners, grid_of
from renders.town.description import alt
from renders.town.layout import CARD_H
from renders.town.marks import reachable_landings
from renders.town.pieces import hourglass
from renders.town.scene import Scene
from tests.games.town_positions import at_cave
from tests.renders.positions import WrittenLine, count_mark_pixels, image_of
from tests.renders.town_games import bold_options, first_match, is_crowded, private_view
from tests.sampling import EVERYTHING, every

LONG_NAMES = ("Scheherazade of Baghdad",) * 6


def count_marked(view: View) -> int:
    return count_mark_pixels(image_of(renders.draw(view, CAVE.seat_names(view.setup))))


def test_possible_landings_are_marked_only_in_the_private_picture() -> None:
    match = Match.begin(CAVE, CAVE.setup(3), "marks")
    assert count_marked(match.view(Seat(0))) > 1000, "before stealing, too"
    assert 0 == count_marked(match.view(None)) == count_marked(match.view(Seat(1)))
    match.play(Seat(0), match.decision_of(Seat(0)).options[0])
    assert count_marked(private_view(match)) > 1000


def test_a_chosen_card_marks_only_its_own_landing() -> None:
    match = first_match(4, "cave", lambda m: is_walking(m) and len(reachable_landings(CAVE_SCENE, private_view(m))) > 5)
    (decision,) = match.state.decisions()
    for option in decision.options:
        own = landing(match.state.space, option.card, option.route)  # type: ignore[attr-defined]
        assert (own,) == reachable_landings(CAVE_SCENE, match.view(decision.seat, offered=(option,)))


def is_walking(match: Match) -> bool:
    """Whether the next decision is which card to play, after the stake is made."""
    return match.state.decisions()[0].options[0].verb == "play"


def test_the_short_description_is_enough_to_play_from() -> None:
    match = first_match(6, "cave", is_crowded)
    view = private_view(match)
    state = view.state
    assert isinstance(state, Town)
    alt = renders.draw(view, CAVE.seat_names(view.setup)).alt
    for needed in ("The camel is on", "Your cards:", "Turned up:", "lost", "Decks and discards:", "Ahead:", "Played:"):
        assert needed in alt, needed
    assert all(f"{purse:,}" in alt for purse in state.purses)


def test_cards_of_the_same_value_are_counted_like_everything_else() -> None:
    view = private_view(first_match(2, "cave", is_walking))
    (value, count), *_ = Counter(view.state.cards.hands[view.viewer]).most_common()
    for text in (renders.draw(view, CAVE.seat_names(view.setup)).alt, renders.tell(view, CAVE.seat_names(view.setup))):
        assert re.search(rf"Your cards: [^.]*\b{value} ×{count}", text), text


def test_the_long_description_lists_the_numbers_of_the_visible_thieves() -> None:
    view = private_view(first_match(6, "cave", is_crowded))
    text = renders.tell(view, CAVE.seat_names(view.setup))
    assert "has the numbers" in text
    assert re.search(r"Choices:\n- \w+ thief \d: never catches you again with [\d, and]+ \(`claim \w\d`\)", text)


def test_the_long_description_lists_the_spaces_ahead_up_to_the_end_of_the_game() -> None:
    view = at_cave(walked=WALK - 7, hand=(1,)).match.view(None)
    assert " Further on: 51 yellow, 0 Start." in renders.tell(view, CAVE.seat_names(view.setup))


def test_the_long_description_of_a_preview_gives_the_risk_of_being_caught() -> None:
    t = at_cave(walked=5, hand=(1,), stakes={0: (1_000, 9), 1: (3_000, 9)}, claimed={1: "B1"})
    t.play("extend 0", "play 1")
    preview = t.match.preview(Seat(0), t.match.parse("turn-up 1"))
    text = renders.tell(preview, CAVE.seat_names(preview.setup))
    assert "\nRisk of being caught: 25% for Red; 19% for Blue.\n" in text, "a quarter of the deck is blue 1"


# --- Results of a strike are described as of that moment ---


@dataclass
class Tale:
    """The effects of the last walk, derived from the events alone."""

    thieves: tuple[str, ...] = ()
    number: int = 0
    caught: dict[str, int] = field(default_factory=dict)
    spared: list[str] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)
    alarm: bool = False
    line: str = ""
    gains: dict[str, str] = field(default_factory=dict)

    def after(self, events: Sequence[Event], names: Sequence[str]) -> Tale:
        """The tale after further events; a walk starts a new one."""
        tale = self
        for event in events:
            tale = Tale() if isinstance(event, Walked) else tale
            tale._add(event, names)
        return tale

    def _add(self, event: Event, names: Sequence[str]) -> None:
        match event:
            case cave.TurnedUp(thieves=thieves):
                self.thieves = tuple(map(str, thieves))
            case cave.Rolled(number=number) | gangs.WhiteFell(number=number):
                self.number = number
            case cave.Caught(seat=seat, stake=stake) | cave.CaughtPenniless(seat=seat, stake=stake):
                self.caught[names[seat]] = stake
            case cave.Spared(seat=seat):
                self.spared.append(names[seat])
            case cave.Claimed(seat=seat, thief=thief):
                self.claims.append(f"{names[seat]} has claimed {thief}")
            case gangs.Alarm():
                self.alarm = True
            case gangs.BlackFell(pips=pips, first=first, last=last):
                self.line = f"Line {pips}: {first} to {last}"
            case gangs.Raided(seat=seat, loot=loot):
                self.gains[names[seat]] = f" +{int(loot):,}"
            case gangs.Arrested(seat=seat, paid=paid):
                before = self.gains.get(names[seat], "")
                self.gains[names[seat]] = f"{before} {f'−{int(paid):,}' if paid else 'arrested'}"

    @property
    def strikers(self) -> set[str]:
        """The thieves in the street that bear the number."""
        return {thief for thief in self.thieves if self.number in MARKS[thief]}

    def raid(self, *, over: bool, letters: bool = False) -> str:
        """The state of an alarm, or its results."""
        if not over:
            return self.line or "No die has been rolled yet"
        gains = [f"{name[0] if letters else name}{gain}" for name, gain in self.gains.items()]
        last = f"Number {self.number}" if self.number else self.line.partition(":")[0]
        return f"{last}: {', '.join(gains)}" if gains else "All were returned"


def words_of(text: str) -> set[str]:
    """`Red, Blue and Green` as a set."""
    return set(re.split(r", | and ", text))


VERDICT = re.compile(r"(?:(.+) (is|are) caught)?(?:, )?(?:(.+) (is|are) safe(?: with (.+))?)?")


def check_strike(sentence: str, tale: Tale) -> None:
    """Check that a verdict in any wording agrees with the events."""
    if missed := re.fullmatch(r"No thief here has (\d+)|(\d+) strikes nobody", sentence):
        assert (tale.number, set()) == (int(missed[1] or missed[2]), tale.strikers), sentence
        return
    head, _, verdict = sentence.rpartition(": ")
    assert head.removesuffix(" strike") == head or len(tale.strikers) > 1, sentence
    assert not head or tale.strikers == words_of(re.sub(r" strikes?$", "", head)), sentence
    parts = VERDICT.fullmatch(verdict)
    assert parts, sentence
    check_caught(parts[1], parts[2], tale)
    if parts[3]:
        assert (set(tale.spared), len(tale.spared) > 1) == (words_of(parts[3]), parts[4] == "are"), sentence
        assert parts[5] is None or tale.strikers == words_of(parts[5]), sentence


def check_caught(who: str | None, verb: str | None, tale: Tale) -> None:
    """Check the caught players, given by name, as a number, or not at all."""
    number = {None: 0, "Nobody": 0, "nobody": 0, "One": 1, "one": 1}.get(who, int(who) if str(who).isdigit() else None)
    assert verb == ("are" if len(tale.caught) > 1 else "is") or who is None
    if number is None:
        assert set(tale.caught) == words_of(str(who))
    else:
        assert len(tale.caught) == number


def positions_with_tales(
    spec: GameSpec, seats: int, seed: str, options: dict[str, OptionValue]
) -> Iterator[tuple[Match, View, Tale]]:
    """Every position of a random game as a public view, with the tale of its events."""
    match, rng, tale, heard = Match.begin(spec, spec.setup(seats, options), seed), Random(seed), Tale(), 0
    while match.outcome is None:
        decision = match.state.decisions()[0]
        match.play(
            decision.seat, rng.choice(bold_options(decision.options) if rng.random() < 0.6 else decision.options)
        )
        view = match.view(None, since=heard)
        tale, heard = tale.after(view.events, match.names), match.ply
        yield match, view, tale


GAMES_EACH = 3 if EVERYTHING else 1
"""Games in which descriptions of positions are compared with the events, for each set of options."""


def described_positions(
    spec: GameSpec, seats: int, name: str, options: dict[str, OptionValue]
) -> Iterator[tuple[Match, View, Tale]]:
    """The positions of these games; every other one in a sample."""
    games = (positions_with_tales(spec, seats, f"{name} {number}", options) for number in range(GAMES_EACH))
    return islice(chain.from_iterable(games), 0, None, every(2))


CAVES: list[tuple[int, dict[str, OptionValue]]] = [(2, {}), (6, {"cave_graffiti": True}), (4, {"multi_deck": "total"})]
RAIDS: list[tuple[int, dict[str, OptionValue]]] = [
    (2, {}),
    (3, {"second_window": False}),
    (4, {"trading": True}),
    (6, {"sell_to_bank": True}),
]


def painted_lines(view: View, written_lines: list[WrittenLine]) -> list[str]:
    """The lines on the picture of a view, in writing order."""
    canvas = paint(scene_of(view), view, CAVE.seat_names(view.setup))
    return [line.text for line in written_lines if line.canvas is canvas]


def scene_of(view: View) -> Scene[Any]:
    return CAVE_SCENE if view.game == CAVE.slug else GANGS_SCENE


def in_descriptions(view: View) -> tuple[str, str]:
    names = CAVE.seat_names(view.setup)
    return alt(scene_of(view), view, names), abbreviate(renders.tell(view, names).replace("**", ""))


def abbreviate(text: str) -> str:
    """Abbreviate `red 3` as on the card: `R3`."""
    return re.sub(
        r"\b(yellow|green|blue|red) ([1-4])\b(?!,\d)",
        lambda match: f"{match[1][0].upper()}{match[2]}",
        text,
        flags=re.I,
    )


@pytest.mark.parametrize(("seats", "options"), CAVES, ids=str)
def test_the_descriptions_report_a_strike_correctly(seats: int, options: dict[str, OptionValue]) -> None:
    checked = 0
    for _, view, tale in described_positions(CAVE, seats, "strike", options):
        for text in in_descriptions(view):
            match = re.search(r"Turned up: ([^.]*), number (\d+)\. ([^.]*)\.", text)
            assert bool(match) == bool(tale.number)
            if match:
                checked += 1
                assert (list(tale.thieves), tale.number) == (match[1].split(", "), int(match[2]))
                check_strike(match[3], tale)
                assert all(name in match[3] for name in (*tale.caught, *tale.spared))
            assert tale.claims == re.findall(r"\w+ has claimed \w\d", text)
            check_lost(text, view, tale)
    assert checked > 30


@pytest.mark.parametrize("seats", [2, 6])
def test_the_descriptions_give_the_number_of_turns_a_stake_is_in_danger(seats: int) -> None:
    """Turns are counted as in the events: the current turn, and some more."""
    due: dict[str, int] = {}
    for match, view, _ in positions_with_tales(CAVE, seats, "clocks", {}):
        for event in view.events:
            if isinstance(event, cave.Stole | cave.Extended):
                due[match.names[event.seat]] = match.state.turn + event.turns  # type: ignore[attr-defined]
        for text in in_descriptions(view):
            matches = re.findall(
                r"(\w+):? [\d,]+, \d+ cards?[^.\n]*? in the cave for this turn(?: and (\d+) more)?", text
            )
            turns_left = {name: int(more or 0) for name, more in matches}
            inside = {name for n, name in enumerate(match.names) if match.state.in_cave(Seat(n))}  # type: ignore[attr-defined]
            assert turns_left == {name: due[name] - match.state.turn for name in inside}  # type: ignore[attr-defined]
    assert due


def test_a_strike_counts_many_long_names_and_names_the_spared_players() -> None:
    stakes = dict.fromkeys(range(6), (125_000, 9))
    t = at_cave("appear B1", "roll 1 1", seats=6, walked=5, hand=(1,), stakes=stakes, claimed={3: "B1"})
    view = t.play("extend 0", "play 1", "turn-up 1").match.view(None, since=0)
    text = alt(scene_of(view), view, LONG_NAMES)
    assert "B1 strikes: 5 are caught, Scheherazade… is safe." in text
    assert text.endswith("5 0/1.")
    assert (
        "B1 strikes: Red, Blue, Yellow, Purple and White are caught, Green is safe with B1." in in_descriptions(view)[0]
    )


def test_the_descriptions_have_wording_for_a_single_card_and_an_empty_stake() -> None:
    t = at_cave(stakes={0: (0, 2), 1: (5_000, 0)}, seats=2)
    played_out = Cards(((1,), (2, 3)), t.state.cards.played, t.state.cards.dealt, ())
    t.match.state = replace(t.state, cards=played_out)
    for text in in_descriptions(t.match.view(None, since=0)):
        assert re.search(r"Red:? 1,000, 1 card, an empty stake in the cave for this turn and 2 more[,.]", text)
        assert re.search(r"Blue:? 2,000, 2 cards, 5,000 in the cave for this turn[,.]", text)


def check_lost(text: str, view: View, tale: Tale) -> None:
    """Each name is followed by its losses to the thieves in the street, and other names by none."""
    for name in CAVE.seat_names(view.setup):
        own = re.search(rf"{name}:? [\d,]+, \d+ cards?([^.\n]*)", text)
        assert own
        lost = re.findall(r"lost ([\d,]+|nothing)", own[1])
        stakes = [tale.caught[name]] if name in tale.caught else []
        assert stakes == [0 if amount == "nothing" else int(amount.replace(",", "")) for amount in lost]


@pytest.mark.parametrize("seats", [2, 6])
def test_the_picture_reports_a_strike_correctly(seats: int, written_lines: list[WrittenLine]) -> None:
    checked = 0
    for n, (_, view, tale) in enumerate(positions_with_tales(CAVE, seats, "plates", {})):
        if tale.number and not view.outcome and (n % 3 == 0 or tale.spared):
            lines = painted_lines(view, written_lines)
            plate = Voice(CAVE.seat_names(view.setup)).brief(view.last_action.event)
            prompts = {say(decision.prompt, CAVE.seat_names(view.setup)).rstrip(".") for decision in view.decisions}
            (sentence,) = [
                line
                for line in lines
                if not line.endswith(plate) and re.search(r"strike|caught|here has| safe", line) and line not in prompts
            ]
            check_strike(sentence, tale)
            assert lines.count("lost") == len(tale.caught)
            checked += 1
    assert checked > 5


@pytest.mark.parametrize("seats", [5, 6])
def test_a_loss_is_shown_next_to_a_new_stake_if_both_fit(seats: int, written_lines: list[WrittenLine]) -> None:
    stakes = dict.fromkeys(range(seats), (125_000, 9))
    t = at_cave("appear B1", "roll 1 1", seats=seats, walked=5, hand=(1,), stakes=stakes)
    t.play("extend 0", "play 1", "turn-up 1", *["decline"] * seats, "steal 4")
    canvas = paint(CAVE_SCENE, t.match.view(None, since=0), CAVE.seat_names(t.state.setup))
    clocks = [sprite for sprite, *_ in canvas.layers if sprite is hourglass(32)]
    assert (5, 1) == ([line.text for line in written_lines].count("lost"), len(clocks))


@pytest.mark.parametrize(("seats", "options"), RAIDS, ids=str)
def test_the_descriptions_report_alarms_and_raids_correctly(seats: int, options: dict[str, OptionValue]) -> None:
    checked = 0
    for match, view, tale in described_positions(GANGS, seats, "raid", options):
        for text in in_descriptions(view):
            expected = expected_alarm(match, tale)
            assert expected in text
            assert bool(expected) == bool(re.search(r"(?<!are )in danger:|danger is over", text, re.IGNORECASE))
            checked += bool(expected)
    assert checked > 30


def expected_alarm(match: Match, tale: Tale) -> str:
    """The expected sentence about jewels, derived from the events and from all seats' bandits."""
    if not tale.alarm or match.outcome:
        return ""
    if turn_over(match):
        return f"The danger is over. {tale.raid(over=True)}."
    line = range(*(int(n) for n in tale.line.split()[-3::2])) if tale.line else range(36)
    owned = {str(thief) for seat in range(match.setup.seats) for thief in match.state.bandits[seat]}  # type: ignore[attr-defined]
    gang_letters = {gang[0].upper() for gang in match.state.space.jewels}  # type: ignore[attr-defined]
    count_marked = {thief for thief, marks in MARKS.items() if set(marks) & {*line, line.stop}}
    endangered = sorted((t for t in owned & count_marked if t[0] in gang_letters), key=list(MARKS).index)
    return f"In danger: {', '.join(endangered)}. {tale.raid(over=False)}."


def turn_over(match: Match) -> bool:
    """Whether the turn is over."""
    return match.outcome is not None or match.state.decisions()[0].options[0].verb in ("play", "sell")


@pytest.mark.parametrize("seats", [2, 6])
def test_the_picture_reports_alarms_and_raids_correctly(seats: int, written_lines: list[WrittenLine]) -> None:
    seen = set()
    for n, (match, view, tale) in enumerate(positions_with_tales(GANGS, seats, "raids", {})):
        if tale.alarm and n % 2 == 0:
            lines = painted_lines(view, written_lines)
            raid = tale.raid(over=turn_over(match), letters=True).replace(", ", " ")  # badges stand for the commas
            assert raid in " ".join(lines)
            seen.add(raid.split()[0])
    assert {"No", "Line", "Number"} <= seen


def rings(canvas: Canvas) -> list[tuple[Any, int, int]]:
    """The closed outlines on a picture."""
    made = [plate_mark(w, h, c) for w, h, c in ((HALL_PITCH - 14, HALL_H, 16), (134, CARD_H - 2, 12))]
    return [put for put in canvas.layers if put[0] in made]


def test_a_new_stake_is_ringed_only_on_the_next_board() -> None:
    match = Match.begin(CAVE, CAVE.setup(3), "ring")
    before = paint(CAVE_SCENE, match.view(None, since=0), CAVE.seat_names(match.setup))
    match.play(Seat(0), match.parse("steal 4"))
    after, later = (
        paint(CAVE_SCENE, match.view(None, since=since), CAVE.seat_names(match.setup)) for since in (0, match.version)
    )
    assert [0, 1, 0] == [len(rings(canvas)) for canvas in (before, after, later)]


def may_return(match: Match) -> bool:
    """Whether a bandit can be returned while few types are in danger."""
    state = match.state
    assert isinstance(state, GangsTable)
    few = state.danger is not None and len(state.danger.types) <= 4
    return few and any(option.verb == "return" for option in state.decisions()[0].options)


def test_a_returned_bandit_is_ringed() -> None:
    match = first_match(2, "gangs", may_return)
    (decision, *_), since = match.state.decisions(), match.version
    match.play(decision.seat, next(option for option in decision.options if option.verb == "return"))
    seen, unseen = (
        paint(GANGS_SCENE, match.view(None, since=version), CAVE.seat_names(match.setup))
        for version in (since, match.version)
    )
    assert (1, 0) == (len(rings(seen)), len(rings(unseen)))


# --- What people own -------------------------------------------------------------------------------------------------


def texts_of(thieves: Sequence[Thief], room: int, rows: int) -> list[str]:
    return [chip.text for chip, *_ in chips_of(thieves, 0, room, rows)]


def test_each_owned_type_has_its_own_chip() -> None:
    thieves = (Thief.B1, Thief.B1, Thief.B1, Thief.B2, Thief.R4)
    assert ["R4", "B1×3", "B2"] == texts_of(thieves, 282, 1)


# --- the close-up ---

PHONE = 340 / 1080
"""Pixels of a phone for one of the picture."""


@pytest.mark.parametrize("count", range(1, 9))
def test_a_close_up_fits_all_types_that_can_be_in_danger(count: int) -> None:
    places, (_, scale) = corners(tuple(Thief)[:count]), grid_of(count)
    w, h = WIDTH * scale, CARD_H * scale
    assert all(TOP - 1 <= y <= BOTTOM + 1 - h and 230 <= x <= 850 - w for x, y in places.values())
    apart = (abs(x - other_x) >= w or abs(y - other_y) >= h for (x, y), (other_x, other_y) in pairs_of(places))
    assert all(apart)
    if count <= 4:
        assert 28 * scale * PHONE >= 13, "the smallest digits can be read on a phone"


def pairs_of(places: dict[Thief, tuple[float, float]]) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    return combinations(places.values(), 2)


def in_danger(match: Match) -> bool:
    """Whether a seat may return one of several types."""
    return (
        not match.outcome and isinstance(match.state.frames[-1], Window) and len(match.state.decisions()[0].options) > 2
    )


def test_only_the_player_choosing_about_bandits_sees_a_close_up_of_their_own() -> None:
    match = first_match(3, "gangs", in_danger)
    (decision,) = match.state.decisions()
    view = match.view(decision.seat, offered=decision.options)
    screen = GANGS_SCENE.close_up(view)
    assert screen is not None
    assert match.state.in_danger(decision.seat) == screen.thieves
    others = [match.view(seat) for seat in (None, *map(Seat, range(3))) if seat != decision.seat]
    assert [None] * 3 == [GANGS_SCENE.close_up(other) for other in others]
    labels = GANGS.seat_names(view.setup)
    usual = renders.draw(match.view(decision.seat), labels)
    assert usual.png != renders.draw(view, labels).png, "while they choose"
    assert usual.alt == renders.draw(view, labels).alt, "the description is complete either way"


def test_a_bandit_keeps_its_article_beside_its_drawing() -> None:
    hired = gangs.HiredFree(Seat(0), gangs.group_cards((Thief.R1, Thief.B2, Thief.B2)))
    with reading(language_of("it")), marking(lambda value: " ♪" if renders.piece("gangs", value) else ""):
        assert "Ingaggi gratis il rosso 1 ♪ e 2 × blu 2 ♪." == say(hired, you=Seat(0))
