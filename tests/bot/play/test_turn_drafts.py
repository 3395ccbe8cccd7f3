"""The draft of a turn: its storage, the answers carried over, and the names of its choices."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.play import choosing, hints, undo_buttons, your_move, your_move_layouts
from bot.features.play.drafting import TurnDraft
from bot.features.play.narrowing import step
from bot.features.play.steps import Choice
from bot.features.play.why import explain
from bot.features.play.your_move_layouts import chosen_so_far, step_layout
from bot.interactions.parts import layout, row
from bot.store.drafts import Draft
from bot.store.matches import SeatHolder
from engine.core import Action
from engine.games import discover
from engine.match import Match
from engine.players.hints import Hint
from engine.texts import Text
from tests.bot.ahead import walk_until
from tests.bot.play.test_several import may_hire_three
from tests.bot.walks import set_row, table_of
from tests.bot.whole import whole

ANA, BEN = 1, 2


@pytest.fixture(scope="module")
def hiring() -> TurnDraft:
    """A turn in which a player can hire three bandits."""
    spec = discover()["gangs"]
    match = walk_until(Match.begin(spec, spec.setup(2), "hiring"), may_hire_three)
    table = table_of(spec, 2, match)
    set_row(table, holders=(SeatHolder(ANA, name="Ana"), SeatHolder(BEN, name="Ben")))
    seat = match.state.decisions()[0].seat
    return TurnDraft(table, match, seat, (), match)


def answers(turn: TurnDraft, *notations: str) -> list[Action]:
    return [turn.match.parse(notation) for notation in notations]


def restore(turn: TurnDraft, *notations: str, version: int | None = None) -> TurnDraft:
    """The turn of its player after a restart, with a stored draft."""
    draft = Draft(turn.version if version is None else version, notations)
    turn.table.facts = replace(turn.table.facts, drafts={turn.seat: draft})
    return TurnDraft.saved(turn.table, (ANA, BEN)[turn.seat])


def test_answers_for_later_draws_are_stored_and_restored(hiring: TurnDraft) -> None:
    turn = hiring.planning(answers(hiring, "take red", "take green", "stop"))
    assert turn.draft is not None
    assert ("take red", "+ take green", "+ stop") == turn.draft.notations
    again = restore(hiring, *turn.draft.notations)
    assert (turn.chosen, turn.planned) == (again.chosen, again.planned)
    for notation in ("take red", "take green"):
        other = turn.with_chosen(answers(hiring, notation)).draft
        assert other is not None
        assert (notation,) == other.notations, "the answers after another choice are not carried over"


def test_equal_choices_in_a_row_are_named_once_with_their_number(hiring: TurnDraft) -> None:
    turn = hiring.planning(answers(hiring, "take red", "take red", "stop"))
    first, last = turn.quotes
    assert first == f"{hiring.voice.label(turn.chosen[0])} ×2"
    assert last == hiring.voice.label(turn.planned[-1])


def test_nothing_after_an_impossible_answer_is_carried_over(hiring: TurnDraft) -> None:
    assert () == hiring.planning(answers(hiring, "price 150", "take red")).chosen


@pytest.mark.parametrize("notation", ["price 150", "take purple", "fly away"])
def test_a_draft_that_the_rules_of_today_do_not_allow_is_left_out(hiring: TurnDraft, notation: str) -> None:
    assert () == restore(hiring, notation).chosen


def test_a_draft_of_an_earlier_question_is_left_out(hiring: TurnDraft) -> None:
    assert () == restore(hiring, "take red", version=hiring.version - 1).chosen


@pytest.fixture(scope="module")
def moving() -> TurnDraft:
    """A turn with a chosen option whose label has an arrow."""
    spec = discover()["jinns"]
    match = walk_until(Match.begin(spec, spec.setup(2), "moving"), lambda match: "move" in _verbs(match))
    (decision,) = match.state.decisions()
    turn = TurnDraft(table_of(spec, 2, match), match, decision.seat, (), match)
    return turn.with_chosen(decision.options[:1])


def _verbs(match: Match) -> set[str]:
    return {option.verb for decision in match.state.decisions() for option in decision.options}


def about_a_choice(turn: TurnDraft, before: TurnDraft) -> dict[str, str]:
    """The sentences that quote the only choice of a turn."""
    (action,) = turn.chosen
    played = turn.match.copy()
    played.play(turn.seat, action)
    after = table_of(played.spec, 2, played)
    return {
        "preview": chosen_so_far(turn),
        "confirmation": str(your_move._done_text(turn)),
        "later": choosing._planned_text(replace(turn, planned=(action,))),
        "hint": hints._line(before, Hint(action, 0.45, None)),
        "why": str(explain(turn.table, turn.match, turn.seat, action).text),
        "undo": undo_buttons._undone_words(after, played.undo_policy(turn.seat), turn.seat),
    }


def test_sentences_quote_choices_in_words_and_only_buttons_have_arrows(moving: TurnDraft) -> None:
    before = moving.with_chosen(())
    assert "→" in before.voice.label(moving.chosen[0])
    quote = before.voice.quote(moving.chosen[0])
    texts = about_a_choice(moving, before)
    assert dict.fromkeys(texts, True) == {about: quote in words for about, words in texts.items()}, texts


@pytest.mark.parametrize(
    ("quotes", "shown"),
    [(("a", "b"), "✓ a · b"), (("a" * 70, "b" * 20), "✓ " + "b" * 20), (("a", "b" * 99), "✓ " + "b" * 99)],
)
def test_the_last_choices_are_quoted_on_two_lines_and_the_last_one_always(quotes: tuple[str, ...], shown: str) -> None:
    turn: Any = SimpleNamespace(quotes=quotes, table=SimpleNamespace(in_message=str))
    assert shown == chosen_so_far(turn)


@pytest.fixture(scope="module")
def stealing() -> TurnDraft:
    """The first turn of a game, whose two questions follow each other without luck."""
    spec = discover()["alibaba"]
    match = Match.begin(spec, spec.setup(2), "stealing")
    table = table_of(spec, 2, match)
    set_row(table, holders=(SeatHolder(ANA, name="Ana"), SeatHolder(computer="fair")))
    seat = match.state.decisions()[0].seat
    return TurnDraft(table, match, seat, (), match)


def test_answers_to_questions_in_a_row_are_all_chosen(stealing: TurnDraft) -> None:
    assert stealing.decision is not None
    first = stealing.decision.options[1]
    second = stealing.with_chosen([first]).ahead.decision_of(stealing.seat).options[0]
    turn = stealing.planning([first, second])
    assert ((first, second), ()) == (turn.chosen, turn.planned)


def test_the_log_has_a_button_beside_a_question_where_one_line_of_a_phone_has_room(
    stealing: TurnDraft, hiring: TurnDraft
) -> None:
    labels = []
    for turn in (stealing, stealing.with_chosen(stealing.match.decision_of(stealing.seat).options[1:2]), hiring):
        decision = turn.ahead.decision_of(turn.seat)
        now = step(decision.options, (), turn.voice)
        for more in (False, True):
            lines = whole(step_layout(turn, decision.prompt, now, None, ("a.png", "a board"), more=more))
            labels.append([line[1:].split()[0] for line in lines if line.startswith("[")])
    first, whole_turn = ["Cancel", "Hint"], ["Confirm", "Back", "Cancel", "Hint"]
    assert [first, ["Cancel", "Log", "Hint"], whole_turn, whole_turn] == labels[:4]
    assert [["Several", "Cancel"]] * 2 == labels[4:]


@pytest.mark.parametrize(
    ("room", "more", "shown"),
    [
        (0, False, "the story the effects ### question"),
        (1, False, "the story ### question -# advice"),
        (3, False, "the story ### question -# advice"),
        (4, False, "the story the effects ### question -# advice"),
        (0, True, "the story the effects ### question"),
        (1, True, "### question -# advice"),
        (2, True, "the effects ### question -# advice"),
    ],
)
def test_advice_takes_the_place_of_what_a_phone_has_no_room_for(
    stealing: TurnDraft, monkeypatch: pytest.MonkeyPatch, room: int, more: bool, shown: str
) -> None:
    monkeypatch.setattr(your_move_layouts, "fresh_advice", lambda *_: Text("Steal."))
    monkeypatch.setattr(your_move_layouts, "lines_left", lambda *_: room)
    decision = stealing.ahead.decision_of(stealing.seat)
    now, board = step(decision.options, (), stealing.voice), ("a.png", "a board")
    after = step_layout(
        stealing, decision.prompt, now, None, board, "the\nstory", "the effects", coached=True, more=more
    )
    question = f"### {stealing.say(decision.prompt)}"
    words = "\n".join(whole(after)).partition("\nPossible moves")[0]
    assert shown.split() == words.replace(question, "### question").replace("💡 Steal.", "advice").split()


def test_a_choice_between_different_pieces_has_the_symbol_of_none(
    stealing: TurnDraft, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(your_move_layouts.renders, "symbol", lambda _game, _state, option: option)
    for options, symbol in (("a", "a"), ("aa", "a"), ("ab", None)):
        choice: Any = SimpleNamespace(options=options)
        assert symbol == your_move_layouts._symbol(stealing, choice)


def test_menus_of_one_question_are_numbered(stealing: TurnDraft) -> None:
    choices = [Choice((f"{n}",), f"Row {n}", complete=True) for n in range(3)]
    for pages, titles in (
        ([choices], ["How many?: pick {} 0"]),
        ([choices[:2], choices[2:]], ["How many? (1 of 2): pick {} 0", "How many? (2 of 2): pick {} 1"]),
    ):
        question: Any = SimpleNamespace(pages=pages, question="How many?")
        lines = whole(layout(*your_move_layouts._menus(stealing, question)))
        assert [title.format(stealing.version) for title in titles] == [line for line in lines if "pick" in line]
        assert [f"  {n} Row {n}" for n in range(3)] == [line for line in lines if line.startswith("  ")]


def test_a_usual_option_that_the_bot_has_chosen_can_be_changed_and_one_that_its_player_has_chosen_confirmed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = discover()["alibaba"]
    match = walk_until(
        Match.begin(spec, spec.setup(2), "usual"), lambda match: any(d.usual for d in match.state.decisions())
    )
    (decision,) = match.state.decisions()
    table = table_of(spec, 2, match)
    begun = TurnDraft(table, match, decision.seat, (), match)
    turn = begun.without_questions()
    assert (decision.usual,) == turn.chosen

    def buttons(turn: TurnDraft) -> list[str]:
        return whole(layout(row(*your_move_layouts._ways_back(turn, None))))

    change, confirm = ["[Extend… step 5]"], ["[Confirm do 5~c4b5af]", "[Back step 5 extend]"]
    assert ([], change) == (your_move_layouts._ways_back(begun, None), buttons(turn))
    table.facts = replace(table.facts, drafts={turn.seat: turn.draft})
    assert confirm == buttons(turn)
    table.facts = replace(table.facts, drafts={})
    monkeypatch.setattr(TurnDraft, "decision", None)
    assert confirm == buttons(turn), "nothing else is asked"
