"""Undo and redo: free, by consent or refused, derived from the log and the events; log entries like any other."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.core import Action, Decision, Event, Frame, GameSpec, Options, Outcome, Setup, State, only
from engine.errors import BrokenLog, UndoRefused
from engine.match import Entry, Match, TookBack, UndoKind, UndoPolicy
from engine.rulebook import Rulebook
from engine.texts import CHANCE, Seat, Text
from tests.engine.toys import TOYS
from tests.engine.toys.garden import Bed, Crop, Plant
from tests.engine.toys.sealed import Bid
from tests.engine.toys.toll import Levy, Travel

RED, BLUE, YELLOW = Seat(0), Seat(1), Seat(2)
FIG = Plant(Bed("a", 1), Crop.FIG, BLUE)
NOTHING = Plant(Bed("b", 1), Crop.FALLOW, None)


def begin(spec: GameSpec, seats: int, **options: int) -> Match:
    return Match.begin(spec, spec.setup(seats, options), "seed")


def test_undo_of_the_last_action_is_free_until_another_seat_acts() -> None:
    match = begin(TOYS["garden"], 3)
    match.play(RED, FIG)
    assert UndoPolicy(UndoKind.FREE, Text("Nobody has acted since."), 0) == match.undo_policy(RED)


def test_undo_of_a_seats_own_secret_is_free() -> None:
    """A card laid face down has private events, but no other seat has learned anything from them."""
    match = begin(TOYS["lay"], 2)
    match.play(RED, match.decision_of(RED).options[0])
    assert UndoKind.FREE is match.undo_policy(RED).kind


def test_an_action_followed_by_other_seats_needs_the_consent_of_all_others() -> None:
    match = begin(TOYS["garden"], 3)
    match.play(RED, FIG)
    match.play(BLUE, NOTHING)
    expected = UndoPolicy(UndoKind.CONSENT, Text("Others have acted since."), 0, frozenset({BLUE, YELLOW}))
    assert expected == match.undo_policy(RED)


def test_an_action_followed_by_luck_needs_consent() -> None:
    match, keeper = at_the_gate()
    levied = match.ply
    match.play(keeper, Levy(True))
    match.play(match.view(None).due[0], Travel())
    expected = UndoPolicy(
        UndoKind.CONSENT, Text("Something has been drawn or rolled since."), levied, frozenset({RED, BLUE}) - {keeper}
    )
    assert expected == match.undo_policy(keeper)


def at_the_gate() -> tuple[Match, Seat]:
    """A match in which only a keeper has a decision; all decisions before it were automatic."""
    match = begin(TOYS["toll"], 2)
    while Levy(True) not in match.decision_of(match.view(None).due[0]).options:
        match.play(match.view(None).due[0], Travel())
    return match, match.view(None).due[0]


def test_automatic_answers_cannot_be_undone() -> None:
    match, _ = at_the_gate()
    for seat in (RED, BLUE):
        assert UndoPolicy(UndoKind.REFUSED, Text("You have nothing to take back.")) == match.undo_policy(seat)


def test_undo_of_a_choice_includes_the_automatic_answers_after_it() -> None:
    match = begin(FORK, 2)
    match.play(RED, Take(True))
    match.play(BLUE, Follow())
    match.play(RED, Follow())
    assert UndoPolicy(UndoKind.FREE, Text("Nobody has acted since."), 0) == match.undo_policy(RED)
    match.undo(RED)
    assert (FORK.start(match.setup), 0) == (match.state, match.ply)


def test_an_action_followed_by_the_opening_of_hidden_bids_cannot_be_taken_back() -> None:
    """The bids are public now, so a seat could bid again with knowledge of the others' bids."""
    match = begin(TOYS["sealed"], 2)
    match.play(RED, Bid(1))
    match.play(BLUE, Bid(2))
    for seat in (RED, BLUE):
        assert UndoPolicy(UndoKind.REFUSED, Text("Something hidden has been seen since.")) == match.undo_policy(seat)


def test_a_forced_draw_in_a_game_without_secrets_reveals_nothing() -> None:
    match = begin(replace(TOYS["sealed"], hands=False), 2)
    match.play(RED, Bid(1))
    match.play(BLUE, Bid(2))
    assert UndoKind.CONSENT is match.undo_policy(BLUE).kind


def test_a_draw_that_one_seat_has_seen_cannot_be_taken_back() -> None:
    """The draw would be repeated, and the seat knows its outcome."""
    match = begin(WELL, 2)
    match.play(RED, Dip(deep=True))
    assert UndoPolicy(UndoKind.REFUSED, Text("Something hidden has been seen since.")) == match.undo_policy(RED)


def test_a_seat_that_has_not_acted_has_nothing_to_take_back() -> None:
    match = begin(TOYS["garden"], 2)
    match.play(RED, FIG)
    assert UndoPolicy(UndoKind.REFUSED, Text("You have nothing to take back.")) == match.undo_policy(BLUE)


def test_a_refused_undo_says_why_and_changes_nothing() -> None:
    match = begin(TOYS["garden"], 2)
    with pytest.raises(UndoRefused) as caught:
        match.undo(RED)
    assert ("undo-refused", "You have nothing to take back.") == (caught.value.code, str(caught.value.text))
    assert [] == match.entries


def test_nothing_can_be_taken_back_after_the_end() -> None:
    match = begin(TOYS["sealed"], 2, rounds=1)
    match.play(RED, Bid(1))
    match.play(BLUE, Bid(2))
    with pytest.raises(UndoRefused, match=r"^The game is over\.$"):
        match.undo(RED)


def test_missing_consents_are_named_and_change_nothing() -> None:
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


# --- Redo ------------------------------------------------------------------------------------------------------------


def test_redo_restores_an_undone_action_until_a_seat_acts() -> None:
    match = begin(TOYS["garden"], 2)
    match.play(RED, FIG)
    after = match.state
    match.undo(RED)
    assert (True, False) == (match.may_redo(RED), match.may_redo(BLUE))
    assert (Entry(RED, "redo"),) == match.redo(RED)
    assert (after, 1, 3) == (match.state, match.ply, match.version)
    match.undo(RED)
    match.play(RED, NOTHING)
    assert not match.may_redo(RED)


def test_redo_moves_forward_step_by_step_with_the_same_luck() -> None:
    match, keeper = at_the_gate()
    gate = match.state
    match.play(keeper, Levy(True))
    match.play(match.view(None).due[0], Travel())
    played, history = match.state, match.history(None, since=0)
    match.undo(keeper, frozenset({RED, BLUE}))
    assert gate == match.state
    match.redo(keeper)
    assert (played, history) == (match.state, match.history(None, since=0))
    again = Match.replay(match.spec, match.setup, "seed", match.entries)
    assert (played, match.entries, match.ply) == (again.state, again.entries, again.ply)


def test_a_redo_of_nothing_is_refused_and_changes_nothing() -> None:
    match = begin(TOYS["garden"], 2)
    match.play(RED, FIG)
    match.undo(RED)
    for seat, ready in ((BLUE, match), (RED, begin(TOYS["garden"], 2))):
        before = tuple(ready.entries)
        with pytest.raises(UndoRefused, match=r"^You have nothing to redo\.$"):
            ready.redo(seat)
        assert before == tuple(ready.entries)


@pytest.mark.parametrize("entries", [["redo"], ["plant a1 fig blue", "redo"]])
def test_an_impossible_redo_breaks_the_log(entries: list[str]) -> None:
    match = begin(TOYS["garden"], 2)
    match.play(RED, FIG)
    log = [Entry(RED, match.entries[0].notation if "plant" in notation else notation) for notation in entries]
    with pytest.raises(BrokenLog):
        Match.replay(match.spec, match.setup, "seed", log)


# --- The history -----------------------------------------------------------------------------------------------------


def test_the_history_reports_an_undo_of_a_move_seen_before() -> None:
    match = begin(TOYS["garden"], 2)
    match.play(RED, FIG)
    seen = match.version
    match.undo(RED)
    assert ((RED, (TookBack(RED),)),) == match.history(None, since=seen)
    match.play(RED, NOTHING)
    assert [TookBack(RED), *match.view(None, since=0).events] == [
        event for _, events in match.history(None, since=seen) for event in events
    ]


def test_the_history_does_not_report_an_undo_of_an_unseen_move() -> None:
    match = begin(TOYS["garden"], 2)
    seen = match.version
    match.play(RED, FIG)
    match.undo(RED)
    assert () == match.history(None, since=seen)
    match.play(RED, NOTHING)
    assert match.history(None, since=seen) == match.history(None)


def test_after_two_undos_the_history_names_the_last_seat() -> None:
    match = begin(TOYS["garden"], 2)
    match.play(RED, FIG)
    match.play(BLUE, NOTHING)
    seen = match.version
    match.undo(BLUE)
    match.undo(RED)
    assert ((RED, (TookBack(RED),)),) == match.history(None, since=seen)


def test_after_two_undos_of_simultaneous_choices_the_history_names_the_last_seat() -> None:
    match = begin(TOYS["sealed"], 3)
    match.play(BLUE, Bid(1))
    seen = match.version
    match.undo(BLUE)
    match.play(RED, Bid(2))
    match.undo(RED)
    assert ((RED, (TookBack(RED),)),) == match.history(None, since=seen)


def test_the_events_an_undo_would_take_back_are_available() -> None:
    match = begin(TOYS["garden"], 2)
    match.play(RED, FIG)
    match.play(BLUE, NOTHING)
    events = match.events_from(match.undo_policy(BLUE).ply, RED)
    assert match.history(RED)[1:] == events


def test_repeated_undo_takes_back_all_actions_of_a_seat() -> None:
    match = begin(TOYS["garden"], 2)
    start = match.state
    match.play(RED, FIG)
    match.play(BLUE, NOTHING)
    match.play(RED, Plant(Bed("c", 1), Crop.DATE, BLUE))
    match.undo(RED)
    assert UndoKind.CONSENT is match.undo_policy(RED).kind
    match.undo(RED, frozenset({BLUE}))
    assert (start, UndoKind.REFUSED) == (match.state, match.undo_policy(RED).kind)


def test_an_interrupting_seat_takes_back_only_its_own_answer() -> None:
    match, keeper = at_the_gate()
    gate = (match.state, match.ply)
    match.play(keeper, Levy(True))
    assert UndoKind.FREE is match.undo_policy(keeper).kind
    match.undo(keeper)
    assert gate == (match.state, match.ply)


# --- A game with draws that one seat sees ----------------------------------------------------------------------------


class Dip(Action):
    """Dip into the well."""

    deep: bool


class Rise(Action):
    """Rise from the well: a `coin`, by luck."""

    coin: int


class Found(Event):
    template = "You find {coin}."

    coin: int


class Asking(Frame["Well", Dip]):
    def decisions(self, state: Well) -> tuple[Decision, ...]:
        return (Decision(RED, Text("Dip."), (Dip(False), Dip(True))),)

    def resolve(self, state: Well, seat: Seat, action: Dip) -> tuple[Well, tuple[Event, ...]]:
        return replace(state, frames=(Rising(),)), ()


class Rising(Frame["Well", Rise]):
    def decisions(self, state: Well) -> tuple[Decision, ...]:
        return (Decision(CHANCE, Text("A coin rises."), (Rise(1), Rise(2))),)

    def resolve(self, state: Well, seat: Seat, action: Rise) -> tuple[Well, tuple[Event, ...]]:
        return replace(state, frames=(Asking(),)), (Found(action.coin, audience=only(RED)),)


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


# --- A game with automatic answers -----------------------------------------------------------------------------------


class Take(Action):
    """Take a way."""

    go_left: bool


class Follow(Action):
    """Follow, the only option."""


class Fork(Frame["Ways", Take]):
    def decisions(self, state: Ways) -> tuple[Decision, ...]:
        return (Decision(RED, Text("Left or right?"), (Take(True), Take(False))),)

    def resolve(self, state: Ways, seat: Seat, action: Take) -> tuple[Ways, tuple[Event, ...]]:
        return Ways((Fork(), Following(RED), Following(BLUE))), ()


class Following(Frame["Ways", Follow]):
    seat: Seat

    def decisions(self, state: Ways) -> tuple[Decision, ...]:
        return (Decision(self.seat, Text("Follow."), (Follow(),)),)

    def resolve(self, state: Ways, seat: Seat, action: Follow) -> tuple[Ways, tuple[Event, ...]]:
        return Ways(state.frames[:-1]), ()


class Ways(State):
    def outcome(self) -> Outcome | None:
        return None

    def observe(self, viewer: Seat | None) -> Ways:
        return self

    def determinize(self, viewer: Seat | None, rng: Random) -> Ways:
        return self


FORK = replace(WELL, slug="fork", actions=(Take, Follow), chances=(), start=lambda _: Ways((Fork(),)))


def test_the_version_grows_even_when_the_ply_repeats() -> None:
    """After an undo, another position can have the same ply; controls are distinguished by the version."""
    match = begin(TOYS["garden"], 2)
    match.play(RED, FIG)
    before = match.ply, match.version
    match.undo(RED)
    match.play(RED, NOTHING)
    assert (before[0], before[1] + 2) == (match.ply, match.version)
