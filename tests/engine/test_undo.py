"""Undo: free, by consent or refused, derived from the log and the events; an entry of the log like any other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import pytest

from engine.core import Action, Decision, Event, Frame, GameSpec, Options, Outcome, Setup, State, only
from engine.errors import UndoRefused
from engine.match import Entry, Match, UndoKind, UndoPolicy
from engine.rulebook import Rulebook
from engine.texts import CHANCE, Seat, Text
from tests.engine.toys import TOYS
from tests.engine.toys.garden import Bed, Crop, Plant
from tests.engine.toys.sealed import Bid
from tests.engine.toys.toll import Levy, Travel

RED, BLUE, YELLOW = Seat(0), Seat(1), Seat(2)
FIG = Plant(Bed("a", 1), Crop.FIG, BLUE)
NOTHING = Plant(Bed("b", 1), Crop.FALLOW, None)


def begin(spec: GameSpec, seats: int, **chosen: int) -> Match:
    return Match.begin(spec, spec.setup(seats, chosen), "seed")


def test_the_own_last_action_is_free_while_nobody_acted_since() -> None:
    match = begin(TOYS["garden"], 3)
    match.play(RED, FIG)
    assert UndoPolicy(UndoKind.FREE, Text("Nobody has acted since."), 0) == match.undo_policy(RED)


def test_a_secret_of_ones_own_is_free_to_take_back() -> None:
    """A card laid face down travels in private events, but nobody has learned anything by it."""
    match = begin(TOYS["lay"], 2)
    match.play(RED, match.decision_of(RED).options[0])
    assert UndoKind.FREE is match.undo_policy(RED).kind


def test_an_action_that_others_have_followed_needs_the_consent_of_all_others() -> None:
    match = begin(TOYS["garden"], 3)
    match.play(RED, FIG)
    match.play(BLUE, NOTHING)
    expected = UndoPolicy(UndoKind.CONSENT, Text("Others have acted since."), 0, frozenset({BLUE, YELLOW}))
    assert expected == match.undo_policy(RED)


def test_an_action_that_luck_has_followed_needs_consent() -> None:
    match = begin(TOYS["toll"], 2)
    match.play(RED, Travel())
    expected = UndoPolicy(UndoKind.CONSENT, Text("Luck has been drawn since."), 0, frozenset({BLUE}))
    assert expected == match.undo_policy(RED)


def test_an_action_after_which_hidden_bids_were_opened_cannot_be_taken_back() -> None:
    """The bids were opened to everybody; to bid again would be to bid knowing them."""
    match = begin(TOYS["sealed"], 2)
    match.play(RED, Bid(1))
    match.play(BLUE, Bid(2))
    for seat in (RED, BLUE):
        assert UndoPolicy(UndoKind.REFUSED, Text("Something hidden has been seen since.")) == match.undo_policy(seat)


def test_a_forced_draw_in_a_game_without_secrets_uncovers_nothing() -> None:
    match = begin(replace(TOYS["sealed"], hands=False), 2)
    match.play(RED, Bid(1))
    match.play(BLUE, Bid(2))
    assert UndoKind.CONSENT is match.undo_policy(BLUE).kind


def test_a_draw_that_one_seat_has_seen_cannot_be_taken_back() -> None:
    """The same card would come again, and its owner knows it."""
    match = begin(WELL, 2)
    match.play(RED, Dip())
    assert UndoPolicy(UndoKind.REFUSED, Text("Something hidden has been seen since.")) == match.undo_policy(RED)


def test_who_has_not_acted_has_nothing_to_take_back() -> None:
    match = begin(TOYS["garden"], 2)
    match.play(RED, FIG)
    assert UndoPolicy(UndoKind.REFUSED, Text("There is nothing of yours to take back.")) == match.undo_policy(BLUE)


def test_a_refused_undo_says_why_and_changes_nothing() -> None:
    match = begin(TOYS["garden"], 2)
    with pytest.raises(UndoRefused) as caught:
        match.undo(RED)
    assert ("undo-refused", "There is nothing of yours to take back.") == (caught.value.code, str(caught.value.text))
    assert [] == match.entries


def test_nothing_can_be_taken_back_after_the_end() -> None:
    match = begin(TOYS["sealed"], 2, rounds=1)
    match.play(RED, Bid(1))
    match.play(BLUE, Bid(2))
    with pytest.raises(UndoRefused, match=r"^The match is over\.$"):
        match.undo(RED)


def test_missing_consents_are_named_and_nothing_changes() -> None:
    match = begin(TOYS["garden"], 3)
    match.play(RED, FIG)
    match.play(BLUE, NOTHING)
    before = (match.state, tuple(match.entries))
    with pytest.raises(UndoRefused) as caught:
        match.undo(RED, frozenset({BLUE}))
    assert ("undo-consent", "Others have acted since. Yellow would have to agree.") == (
        caught.value.code,
        str(caught.value.text),
    )
    assert before == (match.state, tuple(match.entries))


def test_with_all_consents_the_position_before_the_action_is_back() -> None:
    match = begin(TOYS["garden"], 3)
    match.play(RED, NOTHING)
    before = match.state
    match.play(BLUE, Plant(Bed("c", 1), Crop.DATE, RED))
    match.play(YELLOW, FIG)
    assert (Entry(BLUE, "undo 1"),) == match.undo(BLUE, frozenset({RED, YELLOW}))
    assert (before, 1) == (match.state, match.ply)


def test_an_undo_stays_in_the_log_and_is_replayed() -> None:
    match = begin(TOYS["toll"], 2)
    match.play(RED, Travel())
    match.undo(RED, frozenset({BLUE}))
    match.play(RED, Travel())
    assert ["travel", "undo 0", "travel"] == [e.notation for e in match.entries if e.seat != CHANCE]
    again = Match.replay(match.spec, match.setup, "seed", match.entries)
    assert (match.state, match.ply, match.entries) == (again.state, again.ply, again.entries)
    assert match.view(None, since=0) == again.view(None, since=0)


def test_action_by_action_everything_of_ones_own_can_be_taken_back() -> None:
    match = begin(TOYS["garden"], 2)
    start = match.state
    match.play(RED, FIG)
    match.play(BLUE, NOTHING)
    match.play(RED, Plant(Bed("c", 1), Crop.DATE, BLUE))
    match.undo(RED)
    assert UndoKind.CONSENT is match.undo_policy(RED).kind
    match.undo(RED, frozenset({BLUE}))
    assert (start, UndoKind.REFUSED) == (match.state, match.undo_policy(RED).kind)


def test_an_interrupting_seat_takes_back_its_own_answer_only() -> None:
    match = begin(TOYS["toll"], 2)
    while Levy(True) not in match.decision_of(match.view(None).due[0]).options:
        match.play(match.view(None).due[0], Travel())
    (keeper,) = match.view(None).due
    at_the_gate = (match.state, match.ply)
    match.play(keeper, Levy(True))
    assert UndoKind.FREE is match.undo_policy(keeper).kind
    match.undo(keeper)
    assert at_the_gate == (match.state, match.ply)


# --- A game with draws that one seat sees ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dip(Action):
    """Dip into the well."""


@dataclass(frozen=True, slots=True)
class Rise(Action):
    """Something rises from the well."""

    coin: int


@dataclass(frozen=True, slots=True)
class Found(Event):
    template = "You find {coin}."

    coin: int


@dataclass(frozen=True, slots=True)
class Asking(Frame["Well", Dip]):
    def decisions(self, state: Well) -> tuple[Decision, ...]:
        return (Decision(RED, Text("Dip."), (Dip(),)),)

    def resolve(self, state: Well, seat: Seat, action: Dip) -> tuple[Well, tuple[Event, ...]]:
        return replace(state, frames=(Rising(),)), ()


@dataclass(frozen=True, slots=True)
class Rising(Frame["Well", Rise]):
    def decisions(self, state: Well) -> tuple[Decision, ...]:
        return (Decision(CHANCE, Text("A coin rises."), (Rise(1), Rise(2))),)

    def resolve(self, state: Well, seat: Seat, action: Rise) -> tuple[Well, tuple[Event, ...]]:
        return replace(state, frames=(Asking(),)), (Found(action.coin, audience=only(RED)),)


@dataclass(frozen=True, slots=True)
class Well(State):
    def outcome(self) -> Outcome | None:
        return None

    def observe(self, viewer: Seat | None) -> Well:
        return self

    def determinize(self, viewer: Seat | None, rng: Random) -> Well:
        return self


def start(setup: Setup) -> Well:
    return Well((Asking(),))


WELL = GameSpec(
    slug="well",
    title="Well",
    summary="Dip.",
    seats=(2,),
    options=Options,
    actions=(Dip,),
    chances=(Rise,),
    rules_version=1,
    rulebook=Rulebook.parse("## 1 Aim\nDip."),
    start=start,
)


def test_the_version_grows_where_the_ply_comes_back() -> None:
    """After an undo another position stands at the same ply; only the version tells its controls apart."""
    match = begin(TOYS["garden"], 2)
    match.play(RED, FIG)
    before = match.ply, match.version
    match.undo(RED)
    match.play(RED, NOTHING)
    assert (before[0], before[1] + 2) == (match.ply, match.version)


def test_a_copy_is_played_on_without_the_original() -> None:
    match = begin(TOYS["garden"], 2)
    match.play(RED, FIG)
    twin = match.copy()
    twin.play(BLUE, NOTHING)
    assert (1, 2) == (match.version, twin.version)
    assert (BLUE,) == match.view(None).due
    twin.undo(BLUE)
    assert match.state == twin.state
