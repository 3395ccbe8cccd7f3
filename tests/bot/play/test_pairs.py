"""Two questions that follow each other at once are answered by one tap where both fit in a menu."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.errors import UserError
from bot.play.drafting import TurnDraft
from bot.play.narrowing import words_of
from bot.play.pairs import AND, FEW, paired, parts_of, taken_back
from bot.play.your_move import _with_options
from engine.core import Action, GameSpec
from engine.games import discover
from engine.match import Match
from engine.notation import MAX_LENGTH
from playground.player import Player, Seen
from tests.bot.ahead import play_ahead
from tests.bot.app import App
from tests.bot.walks import CASES, name_of, table_of, walk
from tests.e2e.robots import BOARD
from tests.e2e.rooms import Room, start_game

every_game = pytest.mark.parametrize(("spec", "seats"), CASES, ids=name_of)


def turns(spec: GameSpec, seats: int) -> Iterator[TurnDraft]:
    """What people see at their first question, and at the one after it."""
    for table in walk(spec, seats, "pairs"):
        match = table.playing()
        for decision in match.state.decisions():
            turn = TurnDraft(table, match, decision.seat, (), match).without_questions()
            yield turn
            if turn.decision is not None and (then := turn.with_chosen((*turn.chosen, turn.decision.options[-1]))):
                yield then


def after(turn: TurnDraft, option: Action) -> list[tuple[Action, ...]]:
    """An option with each answer to what is asked then, or alone."""
    then = turn.with_chosen((*turn.chosen, option))
    asked = then.decision
    if asked is None or asked.forced or asked.usual or then.ahead.state.aside(turn.seat):
        return [(option,)]
    return [(option, answer) for answer in asked.options]


@pytest.mark.parametrize("slug", ["alibaba", "gangs", "muscat"])
def test_where_turns_have_short_questions_in_a_row_there_are_pairs(slug: str) -> None:
    assert any(map(paired, turns(discover()[slug], 3)))


@every_game
def test_a_menu_of_pairs_has_every_way_to_answer_both_questions(spec: GameSpec, seats: int) -> None:
    for turn in turns(spec, seats):
        if (step := paired(turn)) is None:
            continue
        assert turn.decision is not None
        expected = [way for option in turn.decision.options for way in after(turn, option)]
        assert [tuple(map(words_of, way)) for way in expected] == [tuple(parts_of(c.words)) for c in step.choices]
        assert any(len(way) == 2 for way in expected)
        assert all(choice.complete for choice in step.choices)


@every_game
def test_a_menu_of_pairs_is_read_in_one_go_and_its_ids_fit(spec: GameSpec, seats: int) -> None:
    for turn in turns(spec, seats):
        if (step := paired(turn)) is None:
            continue
        labels = [choice.label for choice in step.choices]
        assert max(map(len, labels)) <= 100, "Discord’s limit for a row"
        assert len(set(labels)) == len(labels) <= 16, "more is not read in one go"
        assert max(len(" ".join(choice.words)) for choice in step.choices) <= MAX_LENGTH
        assert turn.decision is not None
        assert len({option.verb for option in turn.decision.options}) == 1 or len(turn.decision.options) <= FEW
        assert turn.ahead.state.aside(turn.seat) is None, "a question outside one's own turn stands alone"


@every_game
def test_no_notation_has_what_is_between_two_of_a_pair(spec: GameSpec, seats: int) -> None:
    for turn in turns(spec, seats):
        assert not any(AND in words_of(option) for option in (turn.decision.options if turn.decision else ()))


@every_game
def test_back_leads_to_the_menu_in_which_the_last_tap_was(spec: GameSpec, seats: int) -> None:
    for turn in turns(spec, seats):
        if not turn.chosen and turn.decision is not None and paired(turn):
            for way in (way for option in turn.decision.options for way in after(turn, option)):
                there = turn.with_chosen(way)
                assert () == taken(there, pairs=True)
                assert way[:-1] == taken(there, pairs=False)


def taken(turn: TurnDraft, *, pairs: bool) -> tuple[Action, ...] | None:
    """What is left when the last choice is taken back."""
    earlier = taken_back(turn, pairs=pairs)
    return None if earlier is None else earlier.chosen


@pytest.mark.parametrize("wrong", ["{first} + {first}", "{first} +", "+ {first}", "+", "", "{first} + stop + stop"])
def test_a_wrong_pair_is_refused(wrong: str) -> None:
    turn = next(turn for turn in turns(discover()["gangs"], 3) if paired(turn))
    step = paired(turn)
    assert step is not None
    first = next(" ".join(first) for first, *others in (parts_of(choice.words) for choice in step.choices) if others)
    with pytest.raises(UserError, match="no longer possible"):
        _with_options(turn, tuple(wrong.format(first=first).split()))


# --- in a channel ---


@pytest.fixture
def room(app: App) -> Room:
    return app.room()


def has_pairs(match: Match) -> bool:
    """Whether a turn begins with a menu of pairs."""
    seats = match.setup.seats
    drafts = (TurnDraft(table_of(match.spec, seats, match), match, d.seat, (), match) for d in match.state.decisions())
    return any(paired(turn) is not None for turn in drafts)


async def arrived(app: App, room: Room) -> tuple[Player, Seen]:
    """A table of the gangs where a menu of pairs is next, and who sees it."""
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="gangs")
    await ben.tap("Join")
    await start_game(ana, ben)
    board = await room.onlooker.expect(BOARD)
    match = await play_ahead(app, has_pairs)
    return (ana, ben)[match.state.decisions()[0].seat], board


def rows(shown: Seen) -> list[str]:
    """The rows of its menu, as notation."""
    return [row.value for menu in shown.menus for row in menu.options]


def written(app: App) -> list[str]:
    """What players have done."""
    return [notation for (notation,) in app.query("SELECT notation FROM entries WHERE seat >= 0 ORDER BY match_id, n")]


async def test_one_tap_answers_both_and_confirm_carries_both_out(app: App, room: Room) -> None:
    person, board = await arrived(app, room)
    shown = await person.tap("Your move", on=board)
    pair = next(row for row in rows(shown) if AND in row.split())
    preview = await person.choose(pair, on=shown)
    assert {"Confirm", "Back"} <= set(preview.labels)
    before = len(written(app))
    await person.tap("Confirm", on=preview)
    assert pair.split(f" {AND} ") == written(app)[before : before + 2]


async def test_back_takes_both_back(app: App, room: Room) -> None:
    person, board = await arrived(app, room)
    shown = await person.tap("Your move", on=board)
    pair = next(row for row in rows(shown) if AND in row.split())
    again = await person.tap("Back", on=await person.choose(pair, on=shown))
    assert rows(shown) == rows(again)
    assert "Confirm" not in again.labels


async def test_who_learns_the_game_answers_one_question_after_the_other(app: App, room: Room) -> None:
    person, board = await arrived(app, room)
    await app.prefer(person.id, coached=True)
    await app.close()
    await app.open()
    shown = await person.tap("Your move", on=board)
    assert all(AND not in row.split() for row in rows(shown))
