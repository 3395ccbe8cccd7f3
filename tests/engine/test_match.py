"""The log, the legality check, the views and the luck of a match."""

from __future__ import annotations

import traceback
from collections.abc import Iterable

import pytest

from engine.core import Action, Decision, OptionValue
from engine.errors import BrokenLog, EngineError, IllegalAction, NotationError, NotDue
from engine.games import discover
from engine.match import Entry, Match, UndoKind
from engine.texts import CHANCE, Seat, Text
from engine.wording import say
from tests.engine.toys import TOYS
from tests.engine.toys.garden import Bed, Crop, Plant, Planted
from tests.engine.toys.lay import Deal, Lay
from tests.engine.toys.sealed import Bid, BidsOpened
from tests.engine.toys.toll import Levy, Travel

RED, BLUE, YELLOW = Seat(0), Seat(1), Seat(2)
SEED = "open sesame"
FIG, NOTHING = Plant(Bed("b", 1), Crop.FIG, BLUE), Plant(Bed("a", 1), Crop.FALLOW, None)


def begin(slug: str, seats: int, **options: OptionValue) -> Match:
    return Match.begin(TOYS[slug], TOYS[slug].setup(seats, options), SEED)


def replay(match: Match, entries: Iterable[Entry]) -> Match:
    return Match.replay(match.spec, match.setup, SEED, entries)


def play(match: Match, *moves: tuple[Seat, Action]) -> Match:
    for seat, action in moves:
        match.play(seat, action)
    return match


def test_a_match_begins_with_its_first_deal_drawn() -> None:
    match = begin("lay", 2)
    (deal,) = match.entries
    assert CHANCE == deal.seat
    assert deal.notation.startswith("deal ")
    assert (RED, BLUE) == match.view(None).due


def test_an_action_and_the_luck_that_follows_are_the_new_entries() -> None:
    match = begin("sealed", 2)
    assert (Entry(RED, "bid 3"),) == match.play(RED, Bid(3))
    assert (Entry(BLUE, "bid 1"), Entry(CHANCE, "open")) == match.play(BLUE, Bid(1))
    assert 3 == match.ply == len(match.entries)


def test_seats_due_at_once_may_answer_in_any_order() -> None:
    match = play(begin("sealed", 3, rounds=1), (YELLOW, Bid(2)), (RED, Bid(3)), (BLUE, Bid(3)))
    assert match.outcome is not None
    assert (YELLOW,) == match.outcome.winners


def test_a_decision_may_be_due_from_a_seat_that_is_not_on_turn() -> None:
    match = play(begin("toll", 3), (RED, Travel()))
    while match.view(None).decisions[0].options != (Levy(True), Levy(False)):
        match.play(match.view(None).due[0], Travel())
    (traveler,) = (entry.seat for entry in match.entries[-2:-1])
    assert (Seat((traveler - 1) % 3),) == match.view(None).due


# --- The gate --------------------------------------------------------------------------------------------------------


def test_an_illegal_action_raises_an_error_with_evidence_and_changes_nothing() -> None:
    match = play(begin("garden", 2), (RED, Plant(Bed("a", 1), Crop.FIG, BLUE)))
    before = (match.state, tuple(match.entries))
    with pytest.raises(IllegalAction) as caught:
        match.play(BLUE, Plant(Bed("a", 1), Crop.DATE, RED))
    error = caught.value
    assert (BLUE, 1, "plant a1 date red", "2") == (error.seat, error.ply, error.notation, error.rule)
    assert "plant a1 date red: There is no free bed a1. (ply 1, rule 2)" == str(error)
    assert before == (match.state, tuple(match.entries))


def test_the_default_refusal_names_the_pending_decision() -> None:
    with pytest.raises(IllegalAction) as caught:
        begin("toll", 2).play(RED, Levy(True))
    assert "“Levy” is not possible now. To decide: Send your camels on." == str(caught.value.text)
    assert "2" == caught.value.rule


def test_no_seat_is_due_if_a_log_ends_before_a_draw() -> None:
    match = play(begin("sealed", 2), (RED, Bid(1)), (BLUE, Bid(2)))
    with pytest.raises(NotDue) as caught:
        replay(match, match.entries[:2]).play(RED, Bid(1))
    assert "It is not Red’s turn; luck must decide." == str(caught.value.text)


def test_players_can_write_neither_luck_nor_undo() -> None:
    match = begin("sealed", 2)
    for notation in ("open", "undo 0", "redo"):
        with pytest.raises(NotationError):
            match.parse(notation)
    assert Bid(3) == match.parse("bid 3")


# --- The log ---------------------------------------------------------------------------------------------------------


def first_cards(match: Match) -> list[tuple[Seat, Action]]:
    return [(d.seat, d.options[0]) for d in match.state.decisions()]


def test_a_replay_draws_nothing_itself() -> None:
    assert 0 == replay(begin("lay", 2), []).ply


@pytest.mark.parametrize(
    ("entries", "ply"),
    [
        ([Entry(RED, "fly 3")], 0),
        ([Entry(RED, "bid x")], 0),
        ([Entry(RED, "open")], 0),
        ([Entry(CHANCE, "open")], 0),
        ([Entry(CHANCE, "bid 1")], 0),
        ([Entry(RED, "bid 4")], 0),
        ([Entry(RED, "bid 1"), Entry(RED, "bid 1")], 1),
        ([Entry(RED, "bid 1"), Entry(RED, "undo 1")], 1),
        ([Entry(RED, "bid 1"), Entry(RED, "undo -1")], 1),
        ([Entry(RED, "bid 1"), Entry(BLUE, "undo 0")], 1),
        ([Entry(RED, "bid 1"), Entry(BLUE, "bid 2"), Entry(CHANCE, "open"), Entry(RED, "bid 0")], 3),
    ],
)
def test_an_invalid_log_is_broken_at_its_first_wrong_entry(entries: list[Entry], ply: int) -> None:
    with pytest.raises(BrokenLog) as caught:
        replay(begin("sealed", 2, rounds=1), entries)
    assert ply == caught.value.ply


def test_an_unlisted_draw_that_the_game_refuses_breaks_the_log() -> None:
    with pytest.raises(BrokenLog):
        replay(begin("lay", 2), [Entry(CHANCE, "turn-up")])


# --- Luck ------------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_draws_and_another_seed_different_ones() -> None:
    spec, setup = TOYS["lay"], TOYS["lay"].setup(4)
    deals = [Match.begin(spec, setup, seed).entries for seed in ("a", "a", "b")]
    assert deals[0] == deals[1] != deals[2]


def test_later_draws_differ_from_the_first_one() -> None:
    match = begin("lay", 4)
    while match.outcome is None:
        match.play(*first_cards(match)[0])
    deals = [entry.notation for entry in match.entries if entry.notation.startswith(Deal.verb)]
    assert 2 == len(set(deals))


def test_the_seed_is_in_nothing_that_can_be_shown() -> None:
    match = begin("toll", 2)
    visible = [match, match.view(None), match.view(RED), match.preview(RED, Travel()), match.play(RED, Travel())]
    assert [] == [thing for thing in visible if SEED in repr(thing) or SEED in str(thing)]


def test_the_seed_is_in_no_error() -> None:
    match = begin("toll", 2)
    attempts = [
        lambda: match.play(RED, Levy(True)),
        lambda: match.play(BLUE, Travel()),
        lambda: match.undo(RED),
        lambda: match.parse("fly"),
        lambda: replay(match, [Entry(RED, "fly")]),
    ]
    for attempt in attempts:
        with pytest.raises(EngineError) as caught:
            attempt()
        assert SEED not in "".join(traceback.format_exception(caught.value)) + repr(vars(caught.value))


# --- What a decision depends on -------------------------------------------------------------------------------------


def test_a_hidden_answer_of_another_seat_does_not_change_a_decision() -> None:
    match = play(begin("sealed", 3), (RED, Bid(3)))
    assert (1, 0, 0) == (match.version, match.decision_version(BLUE), match.decision_version(YELLOW))
    match.play(YELLOW, Bid(1))
    assert 0 == match.decision_version(BLUE)


def test_a_decision_is_new_once_its_seat_has_learned_something() -> None:
    match = begin("lay", 2)
    before = match.decision_version(BLUE)
    match.play(*first_cards(match)[0])
    assert (before + 1, match.version) == (match.decision_version(BLUE), match.decision_version(BLUE))


def test_a_new_round_with_the_same_options_is_a_new_decision() -> None:
    match = play(begin("sealed", 2), (RED, Bid(3)), (BLUE, Bid(1)))
    assert 3 == match.version == match.decision_version(RED) == match.decision_version(BLUE)


def test_a_decision_is_new_after_an_undo() -> None:
    match = play(begin("sealed", 2), (RED, Bid(3)))
    match.undo(RED)
    assert 2 == match.version == match.decision_version(RED) == match.decision_version(BLUE)
    match.play(RED, Bid(1))
    assert 2 == match.decision_version(BLUE)


# --- Views -----------------------------------------------------------------------------------------------------------


def test_private_options_are_seen_by_their_seat_only() -> None:
    match = begin("lay", 2)
    for viewer in (None, RED, BLUE):
        seen = {d.seat: bool(d.options) for d in match.view(viewer).decisions}
        assert {RED: viewer == RED, BLUE: viewer == BLUE} == seen


def test_public_options_are_visible_to_every_viewer() -> None:
    match = begin("sealed", 2)
    assert match.state.decisions() == match.view(None).decisions == match.view(BLUE).decisions


def test_a_preview_shows_the_result_before_luck_and_changes_nothing() -> None:
    match = begin("toll", 2)
    before = (match.state, tuple(match.entries))
    view = match.preview(RED, Travel())
    assert (1, RED, (), True) == (view.ply, view.viewer, view.due, view.luck_next)
    assert before == (match.state, tuple(match.entries))


def test_the_outcomes_of_luck_are_in_no_view() -> None:
    (luck,) = begin("toll", 2).preview(RED, Travel()).decisions
    assert (CHANCE, Text("The camels walk."), (), ()) == (luck.seat, luck.prompt, luck.options, luck.weights)


def test_a_preview_by_the_last_bidder_does_not_open_the_bids() -> None:
    match = play(begin("sealed", 2), (RED, Bid(3)))
    view = match.preview(BLUE, Bid(1))
    assert (-1, 1) == view.state.frames[-1].bids
    assert () == view.events


def test_a_view_has_the_events_since_the_last_action_of_a_seat() -> None:
    match = play(begin("garden", 2), (RED, FIG), (BLUE, NOTHING))
    assert (Planted(BLUE, Bed("a", 1), Crop.FALLOW),) == match.view(None).events


def test_a_view_has_the_events_since_a_given_version() -> None:
    match = play(begin("garden", 2), (RED, FIG), (BLUE, NOTHING))
    assert (Planted(RED, Bed("b", 1), Crop.FIG), Planted(BLUE, Bed("a", 1), Crop.FALLOW)) == match.view(
        None, since=0
    ).events
    assert () == match.view(None, since=2).events


def test_the_history_has_the_acting_seats_and_the_events_visible_to_the_viewer() -> None:
    match = play(begin("sealed", 2), (RED, Bid(3)), (BLUE, Bid(1)))
    history = ((RED, ()), (BLUE, ()), (CHANCE, (BidsOpened((3, 1)),)))
    assert history == match.history(None)
    assert history[1:] == match.history(None, since=1)
    deal = begin("lay", 2)
    assert [0, 1] == [len(deal.history(viewer)[0][1]) for viewer in (None, RED)]


def test_each_viewer_reads_only_its_half_of_a_secret() -> None:
    match = begin("lay", 2)
    card = first_cards(match)[0][1]
    assert isinstance(card, Lay)
    match.play(RED, card)
    sentences = {viewer: [say(e, match.names) for e in match.view(viewer).events] for viewer in (None, RED, BLUE)}
    assert {
        None: ["Red has laid a card."],
        RED: [f"You have laid {card.card}."],
        BLUE: ["Red has laid a card."],
    } == sentences


def test_a_view_has_the_decision_of_its_viewer_and_the_offered_options() -> None:
    match = begin("sealed", 2)
    view = match.view(RED, offered=(Bid(2),))
    assert match.decision_of(RED) == view.decision_of(RED)
    assert view.decision_of(None) is None
    assert (Bid(2),) == view.offered


def test_a_view_counts_what_seats_gained_but_not_the_layout_by_luck() -> None:
    match = begin_game("jinns", setup="random")
    assert any(map(match.state.tally, (RED, BLUE)))
    assert (0, 0) == match.view(None, since=0).gains
    before = [match.state.tally(seat) for seat in (RED, BLUE)]
    match.play(RED, match.state.decisions()[0].options[0])
    gains = tuple(match.state.tally(seat) - tally for seat, tally in zip((RED, BLUE), before, strict=True))
    assert gains == match.view(None, since=0).gains == match.view(BLUE).gains
    assert any(gains)


def test_the_last_action_comes_with_the_earlier_ones_of_the_same_seat() -> None:
    match = begin_game("alibaba")
    while match.version < 12:
        match.play(seat := match.state.decisions()[0].seat, match.state.decisions()[0].options[-1])
    last = match.view(None, since=0).last_action
    assert last is not None
    assert last.seat == seat
    earlier = [getattr(event, "seat", None) for event in last.earlier]
    assert {seat} == {*earlier}
    assert {RED, BLUE} <= {getattr(event, "seat", None) for _, events in match.history(None) for event in events}


def test_a_revealed_piece_is_no_draw() -> None:
    match = begin_game("muses", hands=1)
    while match.outcome is None:
        match.play(match.state.decisions()[0].seat, match.state.decisions()[0].options[0])
    assert "turn-up" in [entry.notation for entry in match.effective]
    assert ["deal", "first"] == [draw.notation.split()[0] for draw in match.draws()]


def test_nobody_is_on_turn_while_several_seats_are_due_and_all_of_them_are_named() -> None:
    match = begin("sealed", 3)
    due = [decision.seat for decision in match.state.decisions()]
    assert (3, None) == (len(due), match.seats_on_turn()[-1][1])
    match.play(RED, match.state.decisions()[0].options[0])
    with pytest.raises(NotDue) as caught:
        match.play(RED, match.state.decisions()[0].options[0])
    assert "It is not Red’s turn; Blue and Yellow must decide." == say(caught.value.text)


def begin_game(slug: str, **options: OptionValue) -> Match:
    spec = discover()[slug]
    return Match.begin(spec, spec.setup(2, options), "a view")


def test_after_the_end_a_view_has_the_outcome_and_no_due_seats() -> None:
    view = play(begin("sealed", 2, rounds=1), (RED, Bid(1)), (BLUE, Bid(2))).view(None)
    assert () == view.due == view.decisions
    assert view.outcome is not None
    assert (BLUE,) == view.outcome.winners


# --- Ahead -----------------------------------------------------------------------------------------------------------


def test_several_actions_of_a_seat_are_previewed_one_after_the_other() -> None:
    match = begin("lay", 2)
    card, *_ = match.decision_of(RED).options
    assert match.state == match.ahead(RED, ()).state
    ahead = match.ahead(RED, (card,))
    assert (match.ply + 1, match.ply + 1) == (ahead.ply, match.preview(RED, card).ply)
    with pytest.raises(NotDue):
        match.preview(RED, card, card)


def test_several_actions_are_played_completely_or_not_at_all() -> None:
    match = begin("sealed", 2)
    with pytest.raises(NotDue):
        match.play(RED, Bid(3), Bid(1))
    assert ([], begin("sealed", 2).state) == (match.entries, match.state)


def test_only_a_public_decision_with_one_option_is_automatic() -> None:
    match = begin("garden", 2)
    (due,) = match.state.decisions()
    short = Decision(due.seat, due.prompt, due.options[:1])
    assert (True, False) == (short.automatic, due.automatic)
    assert not Decision(due.seat, due.prompt, due.options[:1], private=True).automatic
    assert not Decision(CHANCE, due.prompt, due.options[:1]).automatic


def test_the_last_act_of_a_seat_is_its_last_choice_undo_or_redo() -> None:
    match = play(begin("garden", 2), (RED, FIG))
    assert (1, 0) == (match.last_act_version(RED), match.last_act_version(BLUE))
    match.undo(RED)
    assert (2, 0) == (match.last_act_version(RED), match.last_act_version(BLUE))
    match.redo(RED)
    assert (3, 0) == (match.last_act_version(RED), match.last_act_version(BLUE))


def test_luck_is_never_drawn_ahead() -> None:
    match = begin("toll", 2)
    ahead = match.ahead(RED, (Travel(),))
    assert [CHANCE] == [decision.seat for decision in ahead.state.decisions()]
    assert 0 == match.ply


# --- Standing answers ------------------------------------------------------------------------------------------------


def asked_aside(game: str) -> tuple[Match, Seat]:
    """A match in which a seat has a decision outside its turn."""
    match = begin(game, 2)
    while match.state.aside(seat := match.state.decisions()[0].seat) is None:
        match.play(seat, match.decision_of(seat).options[0])
    return match, seat


def test_a_choice_is_open_if_the_question_and_the_answer_are_public() -> None:
    cases = (asked_aside("toll"), asked_aside("beg"), (begin("sealed", 2), RED))
    assert [True, False, False] == [match.is_open(seat) for match, seat in cases]


@pytest.mark.parametrize("at_once", [True, False])
def test_an_immediate_standing_answer_is_not_a_choice_but_a_delayed_one_is(at_once: bool) -> None:
    """Neither is an act of the person in the seat, and both are reported to them."""
    match, seat = asked_aside("beg")
    other, since, last_act = Seat(1 - seat), match.version, match.last_act_version(seat)
    deny = match.decision_of(seat).options[-1]
    match.answer(seat, deny, at_once=at_once)
    assert last_act == match.last_act_version(seat)
    assert (UndoKind.FREE if at_once else UndoKind.CONSENT) is match.undo_policy(other).kind
    ((who, events),) = match.standing_answers(seat, since=since)
    assert (seat, "You have nothing to give.") == (who, say(events[0], you=seat))
    again = Match.replay(match.spec, match.setup, SEED, match.entries, match.answered)
    assert (match.undo_policy(other), last_act) == (again.undo_policy(other), again.last_act_version(seat))
    match.undo(other, frozenset({seat}))
    assert () == match.standing_answers(seat, since=since)
