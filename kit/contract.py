"""The promises of every game, checked on random playouts with every number of seats and every option.

A new game is picked up by itself. A failure names the game, its seats, its option, and the ply.
"""

from __future__ import annotations

import copy
import dataclasses
import inspect
import itertools
import pickle
import re
import string
import typing
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from functools import cache, partial
from random import Random
from typing import Any, TypeVar

import pytest

from engine.core import Action, Decision, Event, Frame, GameSpec, Setup, field_types, required_fields
from engine.errors import IllegalAction, MatchOver, NotDue
from engine.match import Match, UndoKind
from engine.notation import MAX_LENGTH, format_action, parse_action
from engine.texts import CHANCE, SEAT_COLORS, Seat, option_text
from engine.wording import label, say
from kit.playouts import (
    Case,
    Playout,
    Step,
    cases_of,
    every_step,
    in_every_case,
    playouts,
    setups_near_the_default,
    some_steps,
)

T = TypeVar("T")


def names(case: Case) -> tuple[str, ...]:
    return case.spec.seat_names(case.setup)


def questions(case: Case) -> Iterator[tuple[int, Decision]]:
    return ((step.ply, decision) for step in every_step(case) for decision in step.decisions)


def at_seats(case: Case) -> Iterator[tuple[int, Decision]]:
    return ((ply, decision) for ply, decision in questions(case) if decision.seat != CHANCE)


@cache
def different_options(case: Case) -> dict[Action, tuple[int, Seat]]:
    """The options of all decisions, luck included, with the ply and the seat of the first one that has them."""
    first: dict[Action, tuple[int, Seat]] = {}
    for ply, decision in questions(case):
        for action in decision.options:
            first.setdefault(action, (ply, decision.seat))
    return first


# --- Playing ---------------------------------------------------------------------------------------------------------


@in_every_case
def test_a_game_ends_and_has_an_outcome_exactly_when_nothing_is_left_to_decide(case: Case) -> None:
    for playout in playouts(case):
        assert playout.steps[-1].after.outcome() is not None
        assert () == playout.steps[-1].after.decisions()
        for step in playout.steps:
            assert step.before.outcome() is None, step.ply
            assert step.before.decisions(), step.ply


@in_every_case
def test_a_question_is_for_luck_alone_or_for_different_seats_of_the_table(case: Case) -> None:
    for step in every_step(case):
        seats = [decision.seat for decision in step.decisions]
        assert [CHANCE] == seats or (len(set(seats)) == len(seats) and set(seats) <= set(range(case.setup.seats)))


@in_every_case
def test_a_seat_has_between_one_and_a_few_hundred_different_options_of_the_games_own_verbs(case: Case) -> None:
    for ply, decision in at_seats(case):
        assert 1 <= len(decision.options) <= 500, ply
        assert len(set(decision.options)) == len(decision.options), ply
        assert not all(action.talk for action in decision.options), ply
        assert {type(action) for action in decision.options} <= set(case.spec.actions), ply
        assert () == decision.weights, ply
        assert decision.usual is None or decision.usual in decision.options, ply
        assert decision.usual is None or not decision.private, "it would tell that it is possible"


@in_every_case
def test_luck_lists_its_outcomes_with_their_weights_or_leaves_them_to_sampling(case: Case) -> None:
    for step in every_step(case):
        for decision in step.decisions:
            if decision.seat != CHANCE:
                continue
            assert type(step.action) in case.spec.chances, step.ply
            assert len(set(decision.options)) == len(decision.options), step.ply
            assert len(decision.weights) in (0, len(decision.options)), step.ply
            assert all(type(weight) is int and weight > 0 for weight in decision.weights), step.ply
            assert step.before.sample(Random(1)) in decision.options or not decision.options, step.ply
            merged = step.before.merged_chances()
            assert set(merged.options) <= set(decision.options), step.ply
            assert weight_of(merged) == weight_of(decision), step.ply


def weight_of(decision: Decision) -> int:
    return sum(decision.weights) or len(decision.options)


@in_every_case
def test_every_option_can_be_applied_and_leaves_the_position_it_came_from_untouched(case: Case) -> None:
    for _, step in some_steps(case, 24):
        image = pickle.dumps(step.before)
        for decision in step.decisions:
            reached = [step.before.apply(decision.seat, action)[0] for action in decision.options]
            for after in Random(step.ply).sample(reached, min(20, len(reached))):
                assert bool(after.decisions()) == (after.outcome() is None), step.ply
        assert image == pickle.dumps(step.before), step.ply
        assert pickle.loads(image) == step.before, step.ply


@in_every_case
def test_a_position_is_a_value(case: Case) -> None:
    """A position is hashable, since nothing in it can change; the same action leads to the same position."""
    for _, step in some_steps(case, 24):
        assert hash(step.after) == hash(pickle.loads(pickle.dumps(step.after))), step.ply
        assert (step.after, step.events) == step.before.apply(step.seat, step.action), step.ply


@in_every_case
def test_positions_actions_events_and_views_can_be_pickled(case: Case) -> None:
    for playout, step in some_steps(case, 4):
        match = playout.at(step.ply)
        for thing in (step, match.view(None, since=0), match.view(step.seat, since=0)):
            assert thing == pickle.loads(pickle.dumps(thing)), step.ply


@in_every_case
def test_winners_share_one_and_every_seat_has_a_score(case: Case) -> None:
    for playout in playouts(case):
        outcome = playout.match.outcome
        assert outcome is not None
        assert case.setup.seats == len(outcome.returns) == len(outcome.scores)
        assert all(0 <= value <= 1 for value in outcome.returns)
        assert 1 == pytest.approx(sum(outcome.returns[seat] for seat in outcome.winners))
        assert isinstance(outcome.reason, StrEnum)
        assert all(type(score) is int for score in outcome.scores)


# --- Questions outside one's own turn --------------------------------------------------------------------------------


def in_turns(playout: Playout) -> Iterator[tuple[Step, Seat | None]]:
    """Steps with the seat on turn, if the question interrupts a turn.

    The seat on turn is the one that last answered the lowest frame for seats on the stack.
    """
    turn: Seat | None = None
    for step in playout.steps:
        luck = set(playout.case.spec.chances)
        lowest = next((frame for frame in step.before.frames if not set(frame.verbs) <= luck), None)
        if lowest is step.before.frames[-1]:
            turn = step.seat
        elif step.seat != CHANCE:
            yield step, turn
            continue
        yield step, None


@in_every_case
def test_exactly_the_seats_asked_outside_their_turn_have_an_aside(case: Case) -> None:
    for playout in playouts(case):
        for step, turn in in_turns(playout):
            seats = {decision.seat for decision in step.decisions} - {CHANCE}
            asides = {seat: aside for seat in seats if (aside := step.before.aside(seat))}
            assert asides.keys() == (set() if turn is None else seats - {turn}), step.ply
            assert set(asides.values()) <= set(case.spec.asides_in(case.setup)), step.ply
            assert asides == {seat: step.before.observe(None).aside(seat) for seat in asides}, step.ply
            for seat, aside in asides.items():
                (decision,) = (decision for decision in step.decisions if decision.seat == seat)
                declined = [option for option in decision.options if type(option) is aside.decline]
                assert len(declined) == (aside.decline is not None), step.ply


def test_every_aside_of_a_game_comes_up(spec: GameSpec) -> None:
    """Each aside comes up with some option, and its key is unique."""
    steps = (step for case in cases_of(spec) for step in every_step(case))
    asides = {step.before.aside(step.seat) for step in steps if step.seat != CHANCE} - {None}
    assert set(spec.asides) == asides
    keys = [aside.key for aside in spec.asides]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch("[a-z]{1,16}", key) for key in keys)


# --- Notation and words ----------------------------------------------------------------------------------------------


@in_every_case
def test_notation_and_action_stand_for_each_other(case: Case) -> None:
    for action, (ply, seat) in different_options(case).items():
        verbs = case.spec.chances if seat == CHANCE else case.spec.actions
        assert action == parse_action(format_action(action), verbs), ply


@in_every_case
def test_no_option_is_the_beginning_of_another(case: Case) -> None:
    """Options are chosen word by word: each must differ from all others once its last word is chosen."""
    for ply, decision in at_seats(case):
        words = sorted(format_action(action).split(" ") for action in decision.options)
        assert all(longer[: len(word)] != word for word, longer in itertools.pairwise(words)), ply


@in_every_case
def test_the_notation_of_a_seats_action_fits_into_a_component_id(case: Case) -> None:
    for action, (ply, seat) in different_options(case).items():
        assert seat == CHANCE or len(format_action(action)) <= MAX_LENGTH, ply


@in_every_case
def test_the_labels_of_a_decision_fit_on_buttons_and_differ(case: Case) -> None:
    label_of = {action: label(action, names(case)) for action in different_options(case)}
    for ply, decision in at_seats(case):
        labels = [label_of[action] for action in decision.options]
        assert all(1 <= len(text) <= 80 for text in labels), (ply, max(labels, key=len))
        assert len(set(labels)) == len(labels), (ply, sorted(labels))


@in_every_case
def test_suggestions_are_options_and_fit_into_the_buttons(case: Case) -> None:
    for step in every_step(case):
        for decision in step.before.decisions():
            suggested = step.before.observe(decision.seat).suggested()
            assert len(suggested) == len(set(suggested)) <= 10, step.ply
            assert not suggested or set(suggested) <= set(decision.options), step.ply


@in_every_case
def test_a_prompt_is_one_short_text(case: Case) -> None:
    for ply, decision in questions(case):
        assert 1 <= len(say(decision.prompt, names(case))) <= 200, (ply, decision.prompt)


@in_every_case
def test_what_happened_can_be_said(case: Case) -> None:
    for step in every_step(case):
        for event in step.events:
            assert 1 <= len(say(event, names(case))) <= 300, (step.ply, event)
            assert event.audience is None or event.audience <= set(case.viewers), (step.ply, event)


# --- Log and undo ----------------------------------------------------------------------------------------------------


def replay(playout: Playout, ply: int) -> Match:
    """The match at a ply, from the log alone."""
    return Match.replay(playout.case.spec, playout.case.setup, playout.seed, playout.match.entries[:ply])


@in_every_case
def test_the_log_is_the_match_at_every_ply(case: Case) -> None:
    for playout in playouts(case):
        folded = {step.ply: step.before for step in playout.steps} | {len(playout.steps): playout.steps[-1].after}
        assert playout.live == {ply: folded[ply] for ply in playout.live}
        assert playout.match.state == replay(playout, len(playout.steps)).state
        for step in playout.some(1):
            match, again = playout.at(step.ply), replay(playout, step.ply)
            assert step.before == match.state == again.state, step.ply
            assert match.entries == again.entries, step.ply
            assert match.view(None, since=0) == again.view(None, since=0), step.ply


@in_every_case
def test_an_undo_is_a_replayed_entry_that_brings_back_an_earlier_position(case: Case) -> None:
    for playout, step in some_steps(case, 6):
        match = playout.at(step.ply)
        for seat in map(Seat, range(case.setup.seats)):
            policy = match.undo_policy(seat)
            if policy.kind is UndoKind.REFUSED:
                continue
            match.undo(seat, policy.seats)
            assert playout.steps[policy.ply].before == match.state, step.ply
        again = Match.replay(case.spec, case.setup, playout.seed, match.entries)
        assert (match.state, match.ply) == (again.state, again.ply), step.ply


@in_every_case
def test_a_free_undo_takes_back_nothing_but_own_actions(case: Case) -> None:
    for playout, step in some_steps(case, 8):
        policy = playout.at(step.ply).undo_policy(step.seat)
        if policy.kind is UndoKind.FREE:
            since = playout.steps[policy.ply : step.ply]
            assert step.seat == since[0].seat, step.ply
            assert {step.seat} == {other.seat for other in since if not other.is_automatic}, step.ply


@in_every_case
def test_an_undo_goes_back_to_a_choice_and_not_to_an_automatic_answer(case: Case) -> None:
    for playout, step in some_steps(case, 8):
        policy = playout.at(step.ply).undo_policy(step.seat)
        own = [other.ply for other in playout.steps[: step.ply] if other.seat == step.seat and not other.is_automatic]
        assert policy.ply in (-1, *own[-1:]), step.ply


@in_every_case
def test_the_same_luck_comes_after_undo_and_redo(case: Case) -> None:
    for playout, step in some_steps(case, 4):
        match = playout.at(step.ply)
        entries = match.play(step.seat, step.action)
        after, policy = match.state, match.undo_policy(step.seat)
        if policy.kind is UndoKind.REFUSED or policy.ply != step.ply:
            continue
        match.undo(step.seat, policy.seats)
        match.redo(step.seat)
        assert after == match.state, step.ply
        match.undo(step.seat, policy.seats)
        assert entries == match.play(step.seat, step.action), step.ply


# --- Secrets ---------------------------------------------------------------------------------------------------------


@cache
def other_worlds(case: Case, number: int) -> tuple[tuple[Playout, Any, Seat | None, Any], ...]:
    """Steps, viewers, and for each a position that the viewer cannot distinguish from the true one."""
    return tuple(
        (playout, step, viewer, step.before.determinize(viewer, Random(f"{playout.seed} {step.ply}")))
        for playout, step in some_steps(case, number)
        for viewer in case.viewers
    )


def in_world(match: Match, state: Any) -> Match:
    """A copy of the match in another possible position."""
    other = copy.copy(match)
    other.state = state
    return other


@in_every_case
def test_another_possible_position_looks_the_same(case: Case) -> None:
    for _, step, viewer, world in other_worlds(case, 24):
        assert step.before.observe(viewer) == world.observe(viewer), (step.ply, viewer)


@in_every_case
def test_an_observed_position_has_nothing_more_to_hide_from_its_viewer(case: Case) -> None:
    for _, step in some_steps(case, 12):
        for viewer in case.viewers:
            seen = step.before.observe(viewer)
            assert seen == seen.observe(viewer), (step.ply, viewer)


@in_every_case
def test_possible_positions_depend_only_on_the_observed_position(case: Case) -> None:
    """Computer players get only an observed position; hidden information must not have any influence."""
    for playout, step, viewer, world in other_worlds(case, 8):
        for origin in (step.before.observe(viewer), world):
            again = origin.determinize(viewer, Random(f"{playout.seed} {step.ply}"))
            assert world == again, (step.ply, viewer)


@in_every_case
def test_a_seat_has_the_same_options_in_every_position_it_holds_possible(case: Case) -> None:
    for _, step, viewer, world in other_worlds(case, 12):
        here, there = ([d for d in state.decisions() if d.seat == viewer] for state in (step.before, world))
        assert here == there, (step.ply, viewer)


@in_every_case
def test_the_outcomes_and_weights_of_a_draw_are_public(case: Case) -> None:
    """A draw reveals nothing, even if only one outcome is left."""
    for step in every_step(case):
        for decision in step.decisions:
            if decision.seat == CHANCE and decision.weights:
                (seen,) = step.before.observe(None).decisions()
                assert (decision.options, decision.weights) == (seen.options, seen.weights), step.ply


@in_every_case
def test_a_draw_of_the_only_card_left_uncovers_nothing(case: Case) -> None:
    """The card was known to all, so the action before it can be undone as before any other draw."""
    for playout in playouts(case):
        for before, draw in itertools.pairwise(playout.steps):
            (decision, *_) = draw.decisions
            if before.seat == CHANCE or decision.seat != CHANCE or not decision.weights or len(decision.options) > 1:
                continue
            if draw.after.outcome() is None and all(event.audience is None for event in draw.events):
                assert UndoKind.CONSENT is playout.at(draw.ply + 1).undo_policy(before.seat).kind, draw.ply


@in_every_case
def test_an_own_action_uncovers_nothing(case: Case) -> None:
    """Every reveal is an entry by CHANCE (9 in `engine/games/README.md`)."""
    for _, step, viewer, world in other_worlds(case, 12):
        own = [action for d in step.decisions if d.seat == viewer for action in d.options]
        for action in Random(step.ply).sample(own, min(6, len(own))):
            here, there = (state.apply(viewer, action)[0].observe(viewer) for state in (step.before, world))
            assert here == there, (step.ply, viewer, format_action(action))


@in_every_case
def test_hidden_information_changes_no_byte_of_a_view_or_a_preview(case: Case) -> None:
    for playout, step in some_steps(case, 6):
        match = playout.at(step.ply)
        for viewer in case.viewers:
            other = in_world(match, step.before.determinize(viewer, Random(step.ply)))
            assert repr(match.view(viewer)) == repr(other.view(viewer)), (step.ply, viewer)
            own = [action for d in step.decisions if d.seat == viewer for action in d.options]
            for action in Random(step.ply).sample(own, min(2, len(own))):
                assert viewer is not None
                assert repr(match.preview(viewer, action)) == repr(other.preview(viewer, action)), (step.ply, viewer)


@in_every_case
def test_events_reveal_no_more_of_a_private_choice_than_the_board(case: Case) -> None:
    """Two private options with the same visible result have equal visible events."""
    for _, step in some_steps(case, 12):
        for decision in step.decisions:
            if not decision.private:
                continue
            for viewer in set(case.viewers) - {decision.seat}:
                by_result: dict[Any, list[Event]] = {}
                for action in decision.options:
                    after, events = step.before.apply(decision.seat, action)
                    visible = [event for event in events if event.visible_to(viewer)]
                    assert visible == by_result.setdefault(after.observe(viewer), visible), (step.ply, viewer)


@in_every_case
def test_a_game_without_secrets_shows_everything_to_every_viewer(case: Case) -> None:
    hidden = (
        step.ply for step in every_step(case) for viewer in case.viewers if step.before != step.before.observe(viewer)
    )
    first = next(hidden, None)
    assert case.spec.hands == (first is not None), first


# --- Refusals --------------------------------------------------------------------------------------------------------


def attempts(case: Case, rng: Random) -> Iterator[Action]:
    """Random actions, few of which are legal: from all values in the playouts and some other values."""
    seen: dict[Any, set[Any]] = {int: {0, 99, -1}, str: {"x", "9Z"}, bool: {True, False}}
    seen[Seat] = set(range(len(SEAT_COLORS)))
    for action, (_, seat) in different_options(case).items():
        for name, hint in field_types(type(action)).items() if seat != CHANCE else ():
            seen.setdefault(hint, set()).add(getattr(action, name))
    pools = {hint: sorted((v for v in values if v is not None), key=str) for hint, values in seen.items()}
    while True:
        verb = rng.choice(case.spec.actions)
        hints = list(field_types(verb).values())
        # An optional coordinate is left out if no playout has a value of its type.
        nameless = (n for n, hint in enumerate(hints) if not (pools.get(hint) or issubclass(hint, StrEnum)))
        count = rng.randint(required_fields(verb), next(nameless, len(hints)))
        values = [rng.choice(pools.get(hint) or list(hint)) for hint in hints[:count]]
        yield verb(*values, *[None] * (len(hints) - count))


@in_every_case
def test_an_illegal_action_is_refused_with_a_sentence_and_a_rule_and_changes_nothing(case: Case) -> None:
    rng = Random(case.name)
    tried = attempts(case, rng)
    for playout, step in some_steps(case, 6):
        match = playout.at(step.ply)
        log = tuple(match.entries)
        options = match.decision_of(step.seat).options
        illegal = (action for action in itertools.islice(tried, 100) if action not in options)
        for action in itertools.islice(illegal, 12):
            with pytest.raises(IllegalAction) as caught:
                match.play(step.seat, action)
            sentence = say(caught.value.text, names(case))  # raises for a seat without a name
            assert 10 <= len(sentence) <= 300, (step.ply, caught.value)
            assert caught.value.rule in case.spec.rulebook.sections, (step.ply, caught.value)
            assert (step.before, log, step.ply) == (match.state, tuple(match.entries), match.ply), (
                step.ply,
                caught.value,
            )


@in_every_case
def test_a_refusal_tells_no_secrets(case: Case) -> None:
    tried = attempts(case, Random(case.name))
    for _, step, viewer, world in other_worlds(case, 4):
        options = next((d.options for d in step.decisions if d.seat == viewer), None)
        if viewer is None or options is None:
            continue
        for action in itertools.islice(tried, 8):
            if action not in options:
                here, there = (state.refuse(viewer, action) for state in (step.before, world))
                assert here == there, (step.ply, format_action(action))


@in_every_case
def test_the_error_for_a_seat_that_is_not_due_names_the_due_seats(case: Case) -> None:
    for playout, step in some_steps(case, 4):
        match = playout.at(step.ply)
        due = tuple(decision.seat for decision in step.decisions)
        for seat in set(map(Seat, range(case.setup.seats))) - set(due):
            with pytest.raises(NotDue) as caught:
                match.play(seat, step.action)
            assert due == caught.value.due, step.ply
            sentence = say(caught.value.text, names(case))
            assert all(names(case)[other] in sentence for other in due), step.ply


@in_every_case
def test_a_seat_cannot_play_after_the_end(case: Case) -> None:
    for playout in playouts(case):
        (*_, last) = (step for step in playout.steps if step.seat != CHANCE)
        for seat in range(case.setup.seats):
            with pytest.raises(MatchOver):
                playout.match.play(Seat(seat), last.action)


# --- What Discord and the rulebook allow -----------------------------------------------------------------------------


def defined_by(spec: GameSpec, base: type[T]) -> list[type[T]]:
    """The subclasses of a base class that a game's modules, or modules shared by games, define."""
    children: list[type[T]] = base.__subclasses__()
    grandchildren = [cls for child in children for cls in defined_by(spec, child)]
    return [cls for cls in children if _belongs(spec, cls.__module__.split("."))] + grandchildren


def frames_of(spec: GameSpec) -> list[type[Frame[Any, Any]]]:
    return defined_by(spec, Frame)  # type: ignore[type-abstract]


def _belongs(spec: GameSpec, module: list[str]) -> bool:
    shared = module[0] == "engine" and len(module) > 2 and module[1] != "games"
    return shared or _is_own(spec, module)


def is_own(spec: GameSpec, cls: type) -> bool:
    """Whether a class is from the modules of a game, and not from those that games share."""
    return _is_own(spec, cls.__module__.split("."))


def _is_own(spec: GameSpec, module: list[str]) -> bool:
    home = spec.start.__module__.split(".")[0]
    return spec.slug in module if home in ("engine", "tests") else module[0] == home


def test_a_verb_is_a_command_with_a_description(spec: GameSpec) -> None:
    assert len(spec.actions) <= 20
    for verb in spec.actions:
        assert re.fullmatch(r"[-a-z]{1,32}", verb.verb), verb
        description = (inspect.getdoc(verb) or "").partition("\n")[0]
        assert 1 <= len(description) <= 100, verb
        assert not description.startswith(f"{verb.__name__}("), f"{verb} has no docstring of its own"


def test_a_field_is_an_option_of_its_command(spec: GameSpec) -> None:
    for verb in spec.actions:
        fields = dataclasses.fields(verb)
        assert len(fields) <= 25
        for field in fields:
            assert re.fullmatch(r"[-_a-z0-9]{1,32}", field.name), (verb, field.name)
            assert 1 <= len(field.metadata["description"]) <= 100, (verb, field.name)


def test_a_field_has_a_type_that_can_be_written(spec: GameSpec) -> None:
    for verb in spec.actions:
        for name, hint in field_types(verb).items():
            assert hint in (int, str, bool, Seat) or issubclass(hint, StrEnum) or hasattr(hint, "parse"), (verb, name)


def test_fields_that_may_not_apply_stand_at_the_end(spec: GameSpec) -> None:
    for verb in (*spec.actions, *spec.chances):
        optional = [type(None) in typing.get_args(hint) for hint in typing.get_type_hints(verb).values()]
        assert sorted(optional[-len(dataclasses.fields(verb)) :]) == optional[-len(dataclasses.fields(verb)) :], verb


def test_an_option_of_the_host_has_a_description_and_a_few_choices(spec: GameSpec) -> None:
    fields = dataclasses.fields(spec.options)
    assert len(fields) <= 20
    for field in fields:
        choices = field.metadata["choices"]
        assert re.fullmatch(r"[-_a-z0-9]{1,32}", field.name), field.name
        assert 1 <= len(field.metadata["description"]) <= 100, field.name
        assert 2 <= len(choices) <= 25, field.name
        assert field.default in choices, field.name
        assert len({option_text(choice) for choice in choices}) == len(choices), field.name


def test_templates_name_fields_of_theirs_and_those_of_events_fields_that_always_apply(spec: GameSpec) -> None:
    classes: list[type[Event] | type[Action]] = [*defined_by(spec, Event), *defined_by(spec, Action)]
    for cls in classes:
        template = cls.template if issubclass(cls, Event) else cls.label
        hints = typing.get_type_hints(cls)
        for _, field, _, _ in string.Formatter().parse(template):
            if field is not None:
                assert field in field_types(cls), (cls, field)
                assert issubclass(cls, Action) or type(None) not in typing.get_args(hints[field]), (cls, field)
    assert all(cls.template for cls in defined_by(spec, Event))


def test_every_question_is_answered_by_verbs_of_its_game(spec: GameSpec) -> None:
    verbs = {*spec.actions, *spec.chances}
    frames = [frame for frame in frames_of(spec) if not inspect.isabstract(frame)]
    own = [frame for frame in frames if is_own(spec, frame) or verbs.intersection(frame.verbs)]
    assert verbs == {verb for frame in own for verb in frame.verbs}
    assert [] == [frame for frame in own if not frame.verbs]


def test_the_rulebook_has_a_text_in_every_section_and_every_section_a_question_points_to(spec: GameSpec) -> None:
    assert spec.rulebook.sections
    assert [] == [section.number for section in spec.rulebook.sections.values() if not section.text]
    assert {frame.rule for frame in frames_of(spec)} <= set(spec.rulebook.sections)


def test_the_conditions_of_a_section_can_be_true_and_false(spec: GameSpec) -> None:
    for section in spec.rulebook.sections.values():
        played = {spec.plays(section, setup) for setup in setups_near_the_default(spec)}
        assert played == ({True, False} if section.only_with else {True}), section.number


Read = dict[str, tuple[bool, str]]
"""Whether each section of the rules is played, and what it says."""


def read_rules(spec: GameSpec, setup: Setup) -> Read:
    return {
        section.number: (spec.plays(section, setup), spec.rule_text(section, setup))
        for section in spec.rulebook.sections.values()
    }


def setups_with(spec: GameSpec, name: str, value: Any) -> list[Setup]:
    """Setups with an option at a value, with any other option beside it."""
    setups = setups_near_the_default(spec)
    return [replace(setup, options=replace(setup.options, **{name: value})) for setup in setups]


def test_the_rules_tell_any_two_values_of_an_option_apart(spec: GameSpec) -> None:
    read = cache(partial(read_rules, spec))
    for field in dataclasses.fields(spec.options):
        rules = {value: [*map(read, setups_with(spec, field.name, value))] for value in field.metadata["choices"]}
        alike = [(one, other) for one, other in itertools.combinations(rules, 2) if rules[one] == rules[other]]
        assert [] == alike, f"no section tells these values of {field.name} apart"


def test_without_a_table_the_rules_are_those_of_the_standard_options(spec: GameSpec) -> None:
    standard = spec.setup(spec.seats[0])
    assert {} == {
        section.number: section.text
        for section in spec.rulebook.sections.values()
        if spec.rule_text(section, standard) != section.text
    }


@in_every_case
def test_a_hypothetical_turn_asks_one_seat_and_reveals_no_secrets(case: Case) -> None:
    tried = attempts(case, Random(case.name))
    for _, step, viewer, world in other_worlds(case, 4):
        if viewer is None or viewer in {decision.seat for decision in step.decisions}:
            continue
        here, there = (state.observe(viewer).if_on_turn(viewer) for state in (step.before, world))
        assert here == there, step.ply
        if here is not None:
            (decision,) = here.decisions()
            assert decision.seat == viewer, step.ply
            for action in itertools.islice((action for action in tried if action not in decision.options), 8):
                assert here.refuse(viewer, action).rule in case.spec.rulebook.sections, step.ply
