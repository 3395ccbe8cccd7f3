"""Plan your turn: choices made while others are on turn, played later if they still do what the player was shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any

import pytest

from bot.features.play import planning as planning_page
from bot.features.play.choosing import STALE
from bot.features.play.drafting import TurnDraft
from bot.features.play.plan_drafts import PLAN_VERSIONS, PlanDraft
from bot.features.play.planning import _plan_layout, plan_controls, plan_note, save_plan
from bot.features.view.games import show_log
from bot.features.view.my_games import list_mine
from bot.store.drafts import Draft
from bot.store.jobs import JobKind
from bot.store.matches import SeatHolder
from bot.store.planned_turns import PlannedTurn
from bot.tables import asides, planning
from bot.tables.options import starting_options
from bot.tables.planning import PlanCheck, choices_made, planned_turn
from bot.tables.table import Table
from engine.core import State
from engine.games import discover
from engine.languages import reading
from engine.match import Match
from engine.texts import Seat
from locales import language_of
from tests.bot.desk import NAMES, Desk, Screen
from tests.bot.outcomes import sent
from tests.bot.refusing import CHANNEL, GUEST, HOST, House
from tests.bot.walks import set_row, table_of
from tests.bot.whole import whole
from tests.engine.toys.beg import Given
from tests.robots import NEUTRAL_LABELS

# in other games Ana’s first move would make Ben’s plan impossible
pytestmark = pytest.mark.luck("plans")

WHILE = asides.MAX_DELAY + timedelta(minutes=1)
"""The time after which every planned turn is played."""

ANA, BEN, CARO = HOST, GUEST, 72


PLANNABLE = [
    slug
    for slug, spec in discover().items()
    if type(Match.begin(spec, spec.setup(spec.seats[0]), "").state).if_on_turn is not State.if_on_turn
]
"""The games that support positions as if another turn began."""


def test_all_our_games_can_be_planned() -> None:
    assert {"muscat", "jinns", "muses", "alibaba", "gangs"} <= set(PLANNABLE)


async def begin(home: House, *people: int, game: str = "jinns") -> Table:
    """A game of these people, whose first board was posted."""
    await home.begin()
    holders = [SeatHolder(user_id, name=NAMES[user_id]) for user_id in people or (ANA, BEN)]
    return await home.posted(CHANNEL, *holders, game=game, options=starting_options(discover()[game], None))


def notations(table: Table, version: int = 0) -> list[str]:
    """Notations since a version."""
    return [entry.notation for entry in table.require_match().entries[version:]]


async def users_with_plans(home: House) -> list[int]:
    """The users whose planned turns wait to be played."""
    return [job.user_id for job in await home.store.jobs.of_match(JobKind.ANSWER, 1)]


async def your_move(desk: Desk, user_id: int = BEN) -> Screen:
    (screen,) = await desk.tap(user_id, "turn:1:0:")
    return screen


Choose = Callable[[Desk, int, Screen], Awaitable[Screen]]


async def choose_nth(desk: Desk, user_id: int, on: Screen, n: int) -> Screen:
    """Choose one of the options that a message offers in its first menu if `n` is 0, else in its last one."""
    if on.menus:
        menu = -1 if n else 0
        return await desk.choose(user_id, list(on.menus[menu][1])[n], on, menu)
    labels = [label for label in on.labels if label not in NEUTRAL_LABELS]
    return await desk.press(user_id, labels[max(n, -len(labels))], on)


choose_first, choose_second_last, choose_last = (partial(choose_nth, n=n) for n in (0, -2, -1))


async def plan(
    desk: Desk,
    page: Screen | None = None,
    opening: str = "Plan your turn",
    choose: Choose = choose_last,
    user_id: int = BEN,
) -> Screen:
    """Choose the last option of every question, or others, and save the plan. Returns the page of the plan."""
    screen = await desk.press(user_id, opening, page or await your_move(desk, user_id))
    while "Save plan" not in screen.labels:
        screen = await choose(desk, user_id, screen)
    return await desk.press(user_id, "Save plan", screen)


async def plan_alternative(desk: Desk, page: Screen) -> Screen:
    """Choose the second last option of every question as the alternative. Returns the page of the plan."""
    return await plan(desk, page, "Add an alternative", choose_second_last)


async def change_result(home: House, table: Table, *, also_alternative: bool = False) -> None:
    """Let the plan of Ben have been made for another result, as after moves of the others."""

    result: dict[str, Any] = {"sentences": (), **({"alternative_sentences": ()} if also_alternative else {})}
    turns = {number: replace(turn, **result) for number, turn in table.plans[Seat(1)].items()}
    await home.services.moves.save_plan(table, Seat(1), turns)


async def place(desk: Desk, user_id: int = ANA) -> int:
    """Take one's turn with the first option of every question. Returns the version after it."""
    screen = await your_move(desk, user_id)
    while "Confirm" not in screen.labels:
        screen = await choose_first(desk, user_id, screen)
    await desk.press(user_id, "Confirm", screen)
    table = await desk.home.services.tables.at(CHANNEL)
    await desk.home.services.poster.publish(table)
    return table.require_match().version


@pytest.mark.parametrize("game", PLANNABLE)
async def test_a_turn_of_each_game_can_be_planned_on_its_own_screens(desk: Desk, game: str) -> None:
    people = (ANA, BEN, CARO)[: max(2, discover()[game].seats[0])]
    table = await begin(desk.home, *people, game=game)
    # a turn that draws something hidden cannot be planned before the draw
    for _ in range(3 * len(people)):
        pages = {user_id: await your_move(desk, user_id) for user_id in people}
        if planners := [user_id for user_id, page in pages.items() if "Plan your turn" in page.labels]:
            assert "Your plan is saved" in (await plan(desk, pages[planners[0]], user_id=planners[0])).text
            assert table.plans
            return
        (due,) = (user_id for user_id, page in pages.items() if "Not your turn yet" not in page.text)
        await place(desk, due)
    pytest.fail("no turn could be planned")


# --- the rules of a plan ---


def states(game: str, seed: int, moves: int = 40) -> list[Match]:
    """The positions of a game played at random."""
    spec, rng = discover()[game], Random(seed)
    match = Match.begin(spec, spec.setup(spec.seats[0]), str(seed))
    positions = [match.copy()]
    while match.outcome is None and len(positions) < moves:
        decision = rng.choice(match.state.decisions())
        match.play(decision.seat, rng.choice(list(decision.options)))
        positions.append(match.copy())
    return positions


@pytest.mark.parametrize("game", PLANNABLE)
def test_a_plan_in_an_unchanged_position_has_its_planned_effect(game: str) -> None:
    checked = 0
    for match in states(game, 3):
        for seat in (Seat(0), Seat(1)):
            begun = match.if_on_turn(seat)
            if begun is None or not planning.begins_turn(match, seat):
                continue
            option = begun.decision_of(seat).options[0]
            turn = planning.planned_turn(seat, [option], begun)
            result = planning.check(match, seat, turn)
            assert (True, (option,)) == (result.holds, result.actions)
            other = PlannedTurn(turn.notations, (*turn.sentences[:-1], "Points: 77"))
            assert not planning.check(match, seat, other).holds
            for main, alternative, expected in (
                (turn, other, (True, False)),
                (other, turn, (True, True)),
                (other, other, (False, False)),
            ):
                result = planning.check_with_alternative(match, seat, main.with_alternative(alternative))
                assert (expected, (option,)) == ((result.holds, result.is_alternative), result.actions)
            gone = PlannedTurn((*turn.notations, "no such verb"), turn.sentences)
            result = planning.check(match, seat, gone)
            assert (False, True, (option,)) == (result.holds, result.impossible, result.actions)
            checked += 1
    assert checked


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", "🔴 Name0’s hidden Muse west · Power: Clio on the Muse you hid"),
        ("it", "la Musa coperta di 🔴 Name0 a ovest · Potere: Clio → la Musa che hai coperto"),
    ],
)
def test_a_plan_that_has_become_impossible_is_named_in_the_words_of_the_reader(code: str, words: str) -> None:
    spec = discover()["muses"]
    match = Match.begin(spec, spec.setup(2), "seed")
    table, seat = table_of(spec, 2, match), Seat(1)
    turn = PlannedTurn(("step hidden0 w", "power clio hidden1"), ())
    set_row(table, holders=tuple(replace(holder, name=f"Name{n}") for n, holder in enumerate(table.row.holders)))
    table.facts = table.facts.set_plan(seat, {planning.choices_made(match, seat): turn})
    with reading(language_of(code)):
        assert f"1. {words}" in whole(_plan_layout(table, seat))


@pytest.mark.parametrize("game", PLANNABLE)
def test_the_planning_position_depends_only_on_what_the_seat_can_see(game: str) -> None:
    tried = 0
    for match in states(game, 5):
        for seat in (Seat(0), Seat(1)):
            if match.state.decision_of(seat) is not None or (here := match.if_on_turn(seat)) is None:
                continue
            other = match.copy()
            other.state = match.state.determinize(seat, Random(9))
            there = other.if_on_turn(seat)
            assert there is not None
            options = here.decision_of(seat).options
            assert options
            assert (here.state, options) == (there.state, there.decision_of(seat).options)
            assert planning.planned_turn(seat, options[:1], here) == planning.planned_turn(seat, options[:1], there)
            tried += 1
    assert tried


# --- in the channel ---


async def test_a_planned_turn_is_played_after_a_delay_and_can_be_undone(desk: Desk) -> None:
    home, table = desk.home, await begin(desk.home)
    page = await plan(desk)
    assert ("edit", "### Your plan") == (page[0], page[2])
    assert ({Seat(1): [0]}, []) == (
        {seat: [*turns] for seat, turns in table.plans.items()},
        await users_with_plans(home),
    )
    before = await place(desk)
    assert "Your plan will be played in a few minutes" in (await your_move(desk)).text
    await home.let_pass(WHILE)
    new = table.require_match().entries[before:]
    assert ([1], {}) == ([entry.seat for entry in new], table.plans)
    back = await desk.press(BEN, "Undo", await your_move(desk))
    assert "You took this back" in back.text
    await home.let_pass(WHILE)
    assert before + 2 == table.require_match().version, "it is not played again"


async def test_a_plan_survives_a_restart_and_several_turns(desk: Desk) -> None:
    await begin(desk.home)
    await plan(desk, await plan(desk), "Add a turn")
    before = await place(desk)
    desk = Desk(desk.home.successor())
    await desk.home.begin()
    table = await desk.home.services.tables.at(CHANNEL)
    assert [0, 1] == [*table.plans[Seat(1)]]
    await desk.home.let_pass(WHILE)
    assert ([1], [1]) == ([*table.plans[Seat(1)]], [entry.seat for entry in table.require_match().entries[before:]])
    await desk.press(BEN, "Undo", await your_move(desk))
    assert {} == table.plans, "the next turn was planned for after the one taken back"


async def test_a_plan_with_a_changed_effect_waits_for_its_player(desk: Desk) -> None:
    home, table = desk.home, await begin(desk.home)
    await plan(desk)
    await change_result(home, table)
    before = await place(desk)
    assert [] == await users_with_plans(home)
    await home.let_pass(WHILE)
    assert before == table.require_match().version
    screen = await your_move(desk)
    assert "Your plan would now do something else, so you decide:" in screen.text
    await desk.press(BEN, "Confirm", screen)
    assert (before + 1, {}) == (table.require_match().version, table.plans)


async def test_the_alternative_is_played_if_the_plan_has_changed_and_ends_later_turns(desk: Desk) -> None:
    home, table = desk.home, await begin(desk.home)
    page = await plan_alternative(desk, await plan(desk))
    assert "-# If that isn’t possible: " in page.text
    page = await plan(desk, page, "Add a turn")
    assert ["Add a turn", "Alternative to 1", "Alternative to 2", "Change plan", "Delete plan"] == page.labels
    turn = table.plans[Seat(1)][0]
    assert turn.alternative is not None
    assert turn.notations != turn.alternative.notations
    await change_result(home, table)
    before = await place(desk)
    assert "so its alternative will be played in a few minutes" in (await your_move(desk)).text
    await home.let_pass(WHILE)
    assert [*turn.alternative.notations] == notations(table, before)
    assert {} == table.plans, "the second turn was planned for after the first one"
    assert "You took this back" in (await desk.press(BEN, "Undo", await your_move(desk))).text


async def test_a_valid_plan_is_played_without_its_alternative(desk: Desk) -> None:
    table = await begin(desk.home)
    await plan_alternative(desk, await plan(desk))
    turn = table.plans[Seat(1)][0]
    before = await place(desk)
    await desk.home.let_pass(WHILE)
    assert ([*turn.notations], {}) == (notations(table, before), table.plans)


async def test_a_plan_waits_for_its_player_if_the_effect_of_its_alternative_changed_too(desk: Desk) -> None:
    home, table = desk.home, await begin(desk.home)
    await plan_alternative(desk, await plan(desk))
    turn = table.plans[Seat(1)][0]
    await change_result(home, table, also_alternative=True)
    before = await place(desk)
    await home.let_pass(WHILE)
    assert (before, []) == (table.require_match().version, await users_with_plans(home))
    screen = await your_move(desk)
    assert "Your plan would now do something else, so you decide:" in screen.text
    await desk.press(BEN, "Confirm", screen)
    assert [*turn.notations] == notations(table, before)


async def test_an_alternative_must_differ_from_its_turn_and_is_deleted_with_it(desk: Desk) -> None:
    table = await begin(desk.home)
    page = await plan(desk)
    assert "Your plan already has the same choices." in (await plan(desk, page, "Add an alternative")).text
    page = await plan_alternative(desk, page)
    screen = await desk.press(BEN, "Change the alternative", page)
    await desk.press(BEN, "Delete plan", page)
    assert "Your plan has changed in the meantime." in (await choose_last(desk, BEN, screen)).text
    page = await plan(desk)
    assert "-# If that isn’t possible: " not in page.text
    assert 1 == len(table.plans[Seat(1)])


async def test_canceling_or_deleting_ends_a_plan(desk: Desk) -> None:
    home, table = desk.home, await begin(desk.home)
    assert "Your plan is deleted" in (await desk.press(BEN, "Delete plan", await plan(desk))).text
    assert {} == table.plans
    await plan(desk)
    before = await place(desk)
    await desk.press(BEN, "Cancel", await your_move(desk))
    await home.let_pass(WHILE)
    assert (before, {}, []) == (table.require_match().version, table.plans, await users_with_plans(home))


async def test_leaving_the_seat_deletes_a_plan(desk: Desk) -> None:
    table = await begin(desk.home, ANA, BEN, CARO)
    await plan(desk)
    assert table.plans
    await desk.tap(BEN, f"resign:{table.id}:0:")
    assert {} == table.plans


@pytest.mark.parametrize("is_changed", [False, True])
async def test_a_plan_is_invisible_to_other_players(desk: Desk, is_changed: bool) -> None:
    """Another player sees the same with a plan as without one, until it, or its alternative, is played as late as a
    player could.
    """
    home, table = desk.home, await begin(desk.home)

    async def seen() -> list[object]:
        private = [await desk.command(ANA, command) for command in (show_log, list_mine)]
        return [[*home.network.bodies], *private]

    before = await seen()
    await plan_alternative(desk, await plan(desk))
    assert before == await seen()
    if is_changed:
        await change_result(home, table)
    await place(desk)
    after = await seen()
    (job,) = await home.store.jobs.of_match(JobKind.ANSWER, table.id)
    assert asides.MIN_DELAY <= job.due_at - home.time.now <= asides.MAX_DELAY
    await home.let_pass(asides.MIN_DELAY - timedelta(seconds=10))
    assert after == await seen()
    sent(home)
    await home.let_pass(WHILE)
    assert any("🟦 Ben moves" in line for message in sent(home) for line in message)


# --- at a desk ---


BELOW_PLAN = (
    "-# Nobody else can see your plan. Once it’s your turn, it is played within a few minutes, like a move of yours, "
    "and never in your quiet hours. If it would do anything other than what you were shown, its alternative is "
    "played; without one, it waits for you instead."
)
CHANGE_OR_DELETE = ["[Change plan planturn 0]", "[Delete plan dropplan]"]


def plan_ahead(table: Table, seat: Seat, turns: int) -> list[str]:
    """Plan turns in a row with the last option of each question. Returns the choices of each turn."""
    choices = []
    for number in range(turns):
        draft = PlanDraft.begin(table, seat, number)
        while (decision := draft.decision) is not None:
            draft = draft.with_chosen((*draft.chosen, decision.options[-1]))
        added = {choices_made(draft.match, seat): planned_turn(seat, draft.chosen, draft.match)}
        table.facts = table.facts.set_plan(seat, {**table.plans.get(seat, {}), **added})
        choices.append(" · ".join(draft.quotes))
    return choices


@pytest.mark.parametrize("turns", [1, 2, 3])
async def test_at_most_three_turns_in_a_row_can_be_planned_each_with_an_alternative(desk: Desk, turns: int) -> None:
    table = await desk.home.match(game="gangs")
    seat = next(seat for seat in table.users if table.require_match().state.decision_of(seat) is None)
    choices = plan_ahead(table, seat, turns)
    assert ["Your plan"] == [control.item.label for control in plan_controls(table, seat)]
    add = [f"[Add a turn planturn {turns}]"] if turns < 3 else []

    def others(label: str) -> list[str]:
        several = [f"[Alternative to {n + 1} planother {n}]" for n in range(turns)]
        return [f"[{label} planother 0]"] if turns == 1 else several

    ((_, *lines),) = await desk.tap(table.users[seat], "plan:1:0:")
    numbered = [f"{n}. {words}" for n, words in enumerate(choices, 1)]
    below = [BELOW_PLAN, *add]
    assert ["### Your plan", *numbered, *below, *others("Add an alternative"), *CHANGE_OR_DELETE] == lines
    plan = {act: turn.with_alternative(turn) for act, turn in table.plans[seat].items()}
    table.facts = table.facts.set_plan(seat, plan)
    ((_, *lines),) = await desk.tap(table.users[seat], "plan:1:0:")
    both = [
        line
        for number, words in zip(numbered, choices, strict=True)
        for line in (number, f"-# If that isn’t possible: {words}")
    ]
    assert ["### Your plan", *both, *below, *others("Change the alternative"), *CHANGE_OR_DELETE] == lines
    ((*_, last),) = await desk.tap(table.users[seat], "planturn:1:0:9")
    assert f"[Cancel close {(min(turns, 2) + 1) * PLAN_VERSIONS + table.require_match().version}]" == last
    assert [["edit", "Your plan is deleted.", "[Plan your turn plan]"]] == await desk.tap(
        table.users[seat], "dropplan:1:0:"
    )


async def test_choices_that_another_version_stored_for_a_plan_do_not_count(desk: Desk) -> None:
    table = await desk.home.match(game="gangs")
    seat = next(seat for seat in table.users if table.require_match().state.decision_of(seat) is None)
    begun = PlanDraft.restore(table, seat, 0)
    table.facts = replace(table.facts, drafts={seat: Draft(begun.version, ("play 9",))})
    assert begun.chosen == PlanDraft.restore(table, seat, 0).chosen


async def test_after_a_turn_that_has_become_impossible_nothing_can_be_planned(desk: Desk) -> None:
    table = await desk.home.match(game="gangs")
    seat = next(seat for seat in table.users if table.require_match().state.decision_of(seat) is None)
    plan_ahead(table, seat, 2)
    plan = table.plans[seat]
    table.facts = table.facts.set_plan(seat, {**plan, min(plan): PlannedTurn(("play 9",), ())})
    ((_, *lines),) = await desk.tap(table.users[seat], "plan:1:0:")
    assert [BELOW_PLAN, "[Alternative to 1 planother 0]", *CHANGE_OR_DELETE] == lines[-4:]


@pytest.mark.parametrize(
    ("checked", "note"),
    [
        (
            PlanCheck((), holds=True, is_alternative=True),
            "Your plan would do something else now, so its alternative will be played in a few minutes, or now if you "
            "confirm it.",
        ),
        (PlanCheck((), holds=True), "Your plan will be played in a few minutes, or now if you confirm it."),
        (PlanCheck((), impossible=True), "Your plan isn’t possible anymore, so you decide."),
        (PlanCheck(()), "Your plan would no longer do everything you were shown, so you decide."),
        (
            PlanCheck((), new_event=Given(Seat(0), 3)),
            "Your plan would now do something else, so you decide: You give 3 away.",
        ),
    ],
)
async def test_a_player_on_turn_reads_what_becomes_of_their_plan(
    home: House, monkeypatch: pytest.MonkeyPatch, checked: Any, note: str
) -> None:
    table, turn = await home.match(), PlannedTurn(("bid 1",), ())
    assert "" == plan_note(table, Seat(0))
    monkeypatch.setattr(planning_page, "due_turn", lambda *_: turn)
    monkeypatch.setattr(planning_page, "check_with_alternative", lambda *_: checked)
    assert f"-# {note}" == plan_note(table, Seat(0))


def alternative(table: Table, seat: Seat, choice: int) -> PlanDraft:
    """The alternative of the first planned turn with this option of each question, as the unsaved choices."""
    draft = PlanDraft.begin(table, seat, 0, is_alternative=True)
    while (decision := draft.decision) is not None:
        draft = draft.with_chosen((*draft.chosen, decision.options[choice]))
    assert draft.draft is not None
    table.facts = replace(table.facts, drafts={seat: draft.draft})
    return draft


async def test_an_alternative_is_saved_beside_its_turn_if_it_differs(desk: Desk) -> None:
    table = await desk.home.match(game="gangs")
    seat = next(seat for seat in table.users if table.require_match().state.decision_of(seat) is None)
    user_id, (main, _) = table.users[seat], plan_ahead(table, seat, 2)
    same = alternative(table, seat, -1)
    ((how, note, question, *_),) = await desk.tap(user_id, str(save_plan.id(table, same.stamp)))
    differs = "-# Your plan already has the same choices. For an alternative, choose something different."
    assert ("edit", differs, "### Play a movement card.", {}) == (how, note, question, table.drafts)
    other = alternative(table, seat, 0)
    assert ((), other.chosen) == (
        PlanDraft.restore(table, seat, 0).chosen,
        PlanDraft.restore(table, seat, 0, is_alternative=True).chosen,
    ), "the choices of an alternative are not those of its turn"
    ((how, saved, heading, first, second, *_),) = await desk.tap(user_id, str(save_plan.id(table, other.stamp)))
    quotes = " · ".join(other.quotes)
    assert ("edit", "✓ Your plan is saved.", "### Your plan") == (how, saved, heading)
    assert (f"1. {main}", f"-# If that isn’t possible: {quotes}") == (first, second)
    turns = [table.plans[seat][number] for number in sorted(table.plans[seat])]
    assert [True, False] == [turn.alternative is not None for turn in turns]
    of_turn = TurnDraft(table, table.require_match(), seat, (), table.require_match()).stamp
    ((how, stale, *_),) = await desk.tap(user_id, str(save_plan.id(table, of_turn)))
    assert ("edit", str(STALE), turns) == (how, stale, [table.plans[seat][n] for n in sorted(table.plans[seat])])
    due = next(other_user for other_seat, other_user in table.users.items() if other_seat != seat)
    on_turn = [["new private", "It’s your turn now. Tap **Your move**."]]
    for control in ("plan:1:0:", "planturn:1:0:0", "planother:1:0:0"):
        assert on_turn == await desk.tap(due, control)
