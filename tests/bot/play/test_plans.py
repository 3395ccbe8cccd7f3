"""Plan your turn: choices made while others are on turn, played later if they still do what the player was shown."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from bot.features.play import planning as planning_page
from bot.features.play.choosing import STALE
from bot.features.play.drafting import TurnDraft
from bot.features.play.plan_drafts import PLAN_VERSIONS, PlanDraft
from bot.features.play.planning import _plan_layout, plan_controls, plan_note, save_plan
from bot.store.codec import time_at
from bot.store.jobs import JobKind
from bot.store.planned_turns import PlannedTurn
from bot.tables import asides, planning
from bot.tables.planning import PlanCheck, choices_made, planned_turn
from bot.tables.table import Table
from engine.core import State
from engine.games import discover
from engine.languages import reading
from engine.match import Match
from engine.texts import Seat
from locales import language_of
from playground.player import Player, Seen
from tests.bot.desk import Desk
from tests.bot.refusing import House
from tests.bot.timed_app import TimedApp
from tests.bot.walks import set_row, table_of
from tests.bot.whole import whole
from tests.e2e.rooms import NEUTRAL_LABELS, choose_first, start_game
from tests.engine.toys.beg import Given

WHILE = asides.MAX_DELAY / timedelta(hours=1) + 0.01
"""Hours after which every planned turn is played."""


PLANNABLE = [
    slug
    for slug, spec in discover().items()
    if type(Match.begin(spec, spec.setup(spec.seats[0]), "").state).if_on_turn is not State.if_on_turn
]
"""The games that support positions as if another turn began."""


def test_all_our_games_can_be_planned() -> None:
    assert {"muscat", "jinns", "muses", "alibaba", "gangs"} <= set(PLANNABLE)


def entries(timed_app: TimedApp) -> list[tuple[int, str]]:
    return timed_app.app.query("SELECT seat, notation FROM entries ORDER BY n")


def plans(timed_app: TimedApp) -> list[Any]:
    return timed_app.app.query("SELECT seat, acts, notations FROM planned_turns ORDER BY acts")


def users_with_plans(timed_app: TimedApp) -> list[Any]:
    return timed_app.app.query("SELECT user_id FROM jobs WHERE kind = ?", JobKind.ANSWER)


async def begin(timed_app: TimedApp, *names: str) -> list[Player]:
    _, people = await timed_app.begin(*names, game="jinns")
    return people


async def choose_last(person: Player, on: Seen) -> Seen:
    """Choose the last option that a message offers, which the first options of the others leave possible."""
    if on.menus:
        return await person.choose(on.menus[-1].options[-1].value, on=on, menu=len(on.menus) - 1)
    return await person.tap([label for label in on.labels if label not in NEUTRAL_LABELS][-1], on=on)


Choose = Callable[[Player, Seen], Awaitable[Seen]]


async def plan(
    person: Player, page: Seen | None = None, opening: str = "Plan your turn", choose: Choose = choose_last
) -> Seen:
    """Choose the last option of every question, or others, and save the plan. Returns the page of the plan."""
    screen = await person.tap(opening, on=page or await person.tap("Your move"))
    while "Save plan" not in screen.labels:
        screen = await choose(person, screen)
    return await person.tap("Save plan", on=screen)


async def plan_alternative(person: Player, page: Seen, opening: str = "Add an alternative") -> Seen:
    """Choose the second last option of every question as the alternative. Returns the page of the plan."""

    async def choose(person: Player, on: Seen) -> Seen:
        if on.menus:
            return await person.choose(on.menus[-1].options[-2].value, on=on, menu=len(on.menus) - 1)
        return await person.tap([label for label in on.labels if label not in NEUTRAL_LABELS][-2:][0], on=on)

    return await plan(person, page, opening, choose)


async def change_stored(timed_app: TimedApp, *columns: str) -> None:
    """Let the stored plans have been made for another result, as after moves of the others."""
    await timed_app.app.close()
    for column in columns:
        await timed_app.app.change(f"UPDATE planned_turns SET {column} = '[]'")
    await timed_app.app.open()


async def place(person: Player) -> None:
    """Take one's turn with the first option of every question."""
    await finish(person, await person.tap("Your move"))


async def finish(person: Player, screen: Seen) -> None:
    """Choose the first option of every question from a screen on, and confirm."""
    while "Confirm" not in screen.labels:
        screen = await choose_first(person, screen)
    await person.tap("Confirm", on=screen)


@pytest.mark.parametrize("game", PLANNABLE)
async def test_a_turn_of_each_game_can_be_planned_on_its_own_screens(timed_app: TimedApp, game: str) -> None:
    room = timed_app.app.room()
    people = room.people("Ana", "Ben", "Caro")[: max(2, discover()[game].seats[0])]
    await people[0].slash("table new", game=game)
    for person in people[1:]:
        await person.tap("Join")
    await start_game(*people)
    # a turn that draws something hidden cannot be planned before the draw
    for _ in range(3 * len(people)):
        board = await room.onlooker.expect("### ")
        pages = [await person.tap("Your move", on=board) for person in people]
        if planners := [pair for pair in zip(people, pages, strict=True) if "Plan your turn" in pair[1].labels]:
            assert "Your plan is saved" in await plan(*planners[0])
            assert plans(timed_app)
            return
        (due,) = (pair for pair in zip(people, pages, strict=True) if "Not your turn yet" not in pair[1].text)
        await finish(*due)
        await room.onlooker.expect("### ", after=board)
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


async def test_a_planned_turn_is_played_after_a_delay_and_can_be_undone(timed_app: TimedApp) -> None:
    ana, ben = await begin(timed_app, "Ana", "Ben")
    page = await plan(ben)
    assert page.ephemeral
    assert "Your plan" in page
    ((seat, acts, _),) = plans(timed_app)
    assert (1, 0) == (seat, acts)
    assert [] == users_with_plans(timed_app)
    await place(ana)
    before = len(entries(timed_app))
    assert "Your plan will be played in a few minutes" in await ben.tap("Your move")
    await timed_app.hours(WHILE)
    new = entries(timed_app)[before:]
    assert [1] == [seat for seat, _ in new]
    assert [] == plans(timed_app)
    back = await ben.tap("Undo", on=await ben.tap("Your move"))
    assert "You took this back" in back
    await timed_app.hours(WHILE)
    assert before + 2 == len(entries(timed_app)), "it is not played again"


@pytest.mark.luck("a restart")
async def test_a_plan_survives_a_restart_and_several_turns(timed_app: TimedApp) -> None:
    ana, ben = await begin(timed_app, "Ana", "Ben")
    page = await plan(ben)
    page = await plan(ben, page, "Add a turn")
    assert [0, 1] == [acts for _, acts, _ in plans(timed_app)]
    await place(ana)
    await timed_app.app.close()
    await timed_app.app.open()
    await timed_app.hours(WHILE)
    assert [1] == [acts for _, acts, _ in plans(timed_app)]
    assert 1 == sum(seat == 1 for seat, _ in entries(timed_app))
    await ben.tap("Undo", on=await ben.tap("Your move"))
    assert [] == plans(timed_app), "the next turn was planned for after the one taken back"


async def test_a_plan_with_a_changed_effect_waits_for_its_player(timed_app: TimedApp) -> None:
    ana, ben = await begin(timed_app, "Ana", "Ben")
    await plan(ben)
    timed_app.app.write("UPDATE planned_turns SET sentences = '[]' WHERE seat = ?", [(1,)])
    await timed_app.app.close()
    await timed_app.app.open()
    await place(ana)
    before = entries(timed_app)
    assert [] == users_with_plans(timed_app)
    await timed_app.hours(WHILE)
    assert before == entries(timed_app)
    screen = await ben.tap("Your move")
    assert "Your plan would now do something else, so you decide:" in screen
    await ben.tap("Confirm", on=screen)
    assert (1, []) == (len(entries(timed_app)) - len(before), plans(timed_app))


async def test_the_alternative_is_played_if_the_plan_has_changed_and_ends_later_turns(
    timed_app: TimedApp,
) -> None:
    ana, ben = await begin(timed_app, "Ana", "Ben")
    page = await plan_alternative(ben, await plan(ben))
    assert "-# If that isn’t possible: " in page
    page = await plan(ben, page, "Add a turn")
    assert ["Add a turn", "Alternative to 1", "Alternative to 2", "Change plan", "Delete plan"] == page.labels
    ((main, alternative),) = timed_app.app.query(
        "SELECT notations, alternative_notations FROM planned_turns WHERE acts = 0"
    )
    assert main != alternative
    await change_stored(timed_app, "sentences")
    await place(ana)
    before = len(entries(timed_app))
    screen = await ben.tap("Your move")
    assert "so its alternative will be played in a few minutes" in screen
    await timed_app.hours(WHILE)
    assert json.loads(alternative) == [notation for _, notation in entries(timed_app)[before:]]
    assert [] == plans(timed_app), "the second turn was planned for after the first one"
    assert "You took this back" in await ben.tap("Undo", on=await ben.tap("Your move"))


async def test_a_valid_plan_is_played_without_its_alternative(timed_app: TimedApp) -> None:
    ana, ben = await begin(timed_app, "Ana", "Ben")
    await plan_alternative(ben, await plan(ben))
    ((main,),) = timed_app.app.query("SELECT notations FROM planned_turns")
    await place(ana)
    before = len(entries(timed_app))
    await timed_app.hours(WHILE)
    assert json.loads(main) == [notation for _, notation in entries(timed_app)[before:]]
    assert [] == plans(timed_app)


async def test_a_plan_waits_for_its_player_if_the_effect_of_its_alternative_changed_too(
    timed_app: TimedApp,
) -> None:
    ana, ben = await begin(timed_app, "Ana", "Ben")
    await plan_alternative(ben, await plan(ben))
    ((main,),) = timed_app.app.query("SELECT notations FROM planned_turns")
    await change_stored(timed_app, "sentences", "alternative_sentences")
    await place(ana)
    before = entries(timed_app)
    await timed_app.hours(WHILE)
    assert (before, []) == (entries(timed_app), users_with_plans(timed_app))
    screen = await ben.tap("Your move")
    assert "Your plan would now do something else, so you decide:" in screen
    await ben.tap("Confirm", on=screen)
    assert json.loads(main) == [notation for _, notation in entries(timed_app)[len(before) :]]


async def test_an_alternative_must_differ_from_its_turn_and_is_deleted_with_it(timed_app: TimedApp) -> None:
    _, ben = await begin(timed_app, "Ana", "Ben")
    page = await plan(ben)
    assert "Your plan already has the same choices." in await plan(ben, page, "Add an alternative")
    page = await plan_alternative(ben, page)
    assert "Change the alternative" in page.labels
    screen = await ben.tap("Change the alternative", on=page)
    await ben.tap("Delete plan", on=page)
    stale = await choose_last(ben, screen)
    assert "Your plan has changed in the meantime." in stale
    page = await plan(ben)
    assert "-# If that isn’t possible: " not in page
    assert [] == plans(timed_app)[1:]


async def test_canceling_or_deleting_ends_a_plan(timed_app: TimedApp) -> None:
    ana, ben = await begin(timed_app, "Ana", "Ben")
    assert "Your plan is deleted" in await ben.tap("Delete plan", on=await plan(ben))
    assert [] == plans(timed_app)
    await plan(ben)
    await place(ana)
    before = entries(timed_app)
    await ben.tap("Cancel", on=await ben.tap("Your move"))
    await timed_app.hours(WHILE)
    assert (before, [], []) == (entries(timed_app), plans(timed_app), users_with_plans(timed_app)[1:])


async def test_leaving_the_seat_deletes_a_plan(timed_app: TimedApp) -> None:
    _, ben, _ = await begin(timed_app, "Ana", "Ben", "Caro")
    await plan(ben)
    await ben.tap("Resign", on=await ben.slash("game leave"))
    assert [] == plans(timed_app)


@pytest.mark.parametrize("is_changed", [False, True])
async def test_a_plan_is_invisible_to_other_players(timed_app: TimedApp, is_changed: bool) -> None:
    """Another player sees the same with a plan as without one, until it, or its alternative, is played as late as a
    player could.
    """
    room, (ana, ben) = await timed_app.begin("Ana", "Ben", game="jinns")

    async def seen() -> list[object]:
        private = [await ana.slash(command) for command in ("game log", "me games")]
        return [room.public, *(message and (message.text, message.labels) for message in private)]

    before = await seen()
    await plan_alternative(ben, await plan(ben))
    assert before == await seen()
    if is_changed:
        timed_app.app.write("UPDATE planned_turns SET sentences = '[]' WHERE seat = ?", [(1,)])
        await timed_app.app.close()
        await timed_app.app.open()
    board = room.onlooker.last
    await place(ana)
    await room.onlooker.expect("### ", after=board)
    after = await seen()
    now = timed_app.fake_clock.now
    ((due,),) = timed_app.app.query("SELECT due_at FROM jobs WHERE kind = ?", JobKind.ANSWER)
    assert asides.MIN_DELAY - timedelta(seconds=5) <= time_at(due) - now <= asides.MAX_DELAY
    await timed_app.hours((asides.MIN_DELAY - timedelta(seconds=10)) / timedelta(hours=1))
    assert after == await seen()
    await timed_app.hours(WHILE)
    assert "🟦 Ben moves" in (await room.onlooker.expect("Ben moves", after=board)).text


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
    of_turn = TurnDraft(table, table.playing(), seat, (), table.playing()).stamp
    ((how, stale, *_),) = await desk.tap(user_id, str(save_plan.id(table, of_turn)))
    assert ("edit", str(STALE), turns) == (how, stale, [table.plans[seat][n] for n in sorted(table.plans[seat])])
    due = next(other_user for other_seat, other_user in table.users.items() if other_seat != seat)
    on_turn = [["new private", "It’s your turn now. Tap **Your move**."]]
    for control in ("plan:1:0:", "planturn:1:0:0", "planother:1:0:0"):
        assert on_turn == await desk.tap(due, control)
