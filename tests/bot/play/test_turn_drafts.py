"""The draft of a turn: its storage, the answers carried over, and the names of its choices."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.play import choosing, hints, undo_buttons, your_move
from bot.features.play.drafting import TurnDraft
from bot.features.play.why import explained
from bot.features.play.your_move_layouts import chosen_so_far
from bot.store.drafts import Draft
from bot.store.matches import SeatHolder
from engine.core import Action
from engine.games import discover
from engine.match import Match
from engine.players.hints import Hint
from tests.bot.ahead import wandered
from tests.bot.play.test_several import may_hire_three
from tests.bot.walks import set_row, table_of

ANA, BEN = 1, 2


@pytest.fixture(scope="module")
def hiring() -> TurnDraft:
    """A turn in which a player can hire three bandits."""
    spec = discover()["gangs"]
    match = wandered(Match.begin(spec, spec.setup(2), "hiring"), may_hire_three)
    table = table_of(spec, 2, match)
    set_row(table, holders=(SeatHolder(ANA, name="Ana"), SeatHolder(BEN, name="Ben")))
    seat = match.state.decisions()[0].seat
    return TurnDraft(table, match, seat, (), match)


def answers(turn: TurnDraft, *notations: str) -> list[Action]:
    return [turn.match.parse(notation) for notation in notations]


def restored(turn: TurnDraft, *notations: str, version: int | None = None) -> TurnDraft:
    """The turn of its player after a restart, with a stored draft."""
    draft = Draft(turn.version if version is None else version, notations)
    turn.table.facts = replace(turn.table.facts, drafts={turn.seat: draft})
    return TurnDraft.saved(turn.table, (ANA, BEN)[turn.seat])


def test_answers_for_later_draws_are_stored_and_restored(hiring: TurnDraft) -> None:
    turn = hiring.planning(answers(hiring, "take red", "take green", "stop"))
    assert turn.draft is not None
    assert ("take red", "+ take green", "+ stop") == turn.draft.notations
    again = restored(hiring, *turn.draft.notations)
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
    assert () == restored(hiring, notation).chosen


def test_a_draft_of_an_earlier_question_is_left_out(hiring: TurnDraft) -> None:
    assert () == restored(hiring, "take red", version=hiring.version - 1).chosen


@pytest.fixture(scope="module")
def moving() -> TurnDraft:
    """A turn with a chosen option whose label has an arrow."""
    spec = discover()["jinns"]
    match = wandered(Match.begin(spec, spec.setup(2), "moving"), lambda match: "move" in _verbs(match))
    (decision,) = match.state.decisions()
    turn = TurnDraft(table_of(spec, 2, match), match, decision.seat, (), match)
    return turn.with_chosen(decision.options[:1])


def _verbs(match: Match) -> set[str]:
    return {option.verb for decision in match.state.decisions() for option in decision.options}


def about_a_choice(turn: TurnDraft, before: TurnDraft) -> dict[str, str]:
    """The sentences that quote the only choice of a turn."""
    (chosen,) = turn.chosen
    played = turn.match.copy()
    played.play(turn.seat, chosen)
    after = table_of(played.spec, 2, played)
    return {
        "preview": chosen_so_far(turn),
        "confirmation": str(your_move._done(turn)),
        "later": choosing._planned(replace(turn, planned=(chosen,))),
        "hint": hints._line(before, Hint(chosen, 0.45, None)),
        "why": str(explained(turn.table, turn.match, turn.seat, chosen).text),
        "undo": undo_buttons._named(after, played.undo_policy(turn.seat), turn.seat),
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
