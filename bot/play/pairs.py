"""Two questions in one menu: each option together with an answer to the question that follows it at once.

One tap on such a pair leads to what would come of both. People who learn a game answer one question after the other.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.play.drafting import TurnDraft
from bot.play.narrowing import Choice, Step, Words, words_of
from engine.core import Action, Decision
from engine.notation import MAX_LENGTH
from engine.texts import Text

ROWS = 16
"""The most rows of a menu with pairs: more take longer to read than another question."""

FEW = 3
"""So many options may be of several verbs. If there are more, people first choose what to do at all."""

AND = "+"
"""What is between the words of two options: no notation has it."""


@dataclass(frozen=True, slots=True)
class _Row:
    """The turn up to the last option of a row, and that option."""

    turn: TurnDraft
    option: Action


def paired(turn: TurnDraft) -> Step | None:
    """What to choose next together with what to choose then; nothing if that is better asked one after the other."""
    rows = _rows(turn)
    return Step((), "", "", tuple(_choice(turn, row) for row in rows)) if rows else None


def parts_of(words: Words) -> list[Words]:
    """The words of each option that a choice stands for."""
    return [tuple(part.split()) for part in " ".join(words).split(f" {AND} ")]


def taken_back(turn: TurnDraft, *, pairs: bool) -> TurnDraft | None:
    """The turn before its last choice, or, with `pairs`, before both of a pair. What left no choice is none."""
    last, at = None, turn.with_chosen(())
    while len(at.chosen) < len(turn.chosen):
        asked = at.ahead.decision_of(at.seat)
        last = last if asked.forced else at
        ways = [(*row.turn.chosen, row.option) for row in _rows(at)] if pairs else []
        taken = next((way for way in ways if way == turn.chosen[: len(way)]), turn.chosen[: len(at.chosen) + 1])
        at = turn.with_chosen(taken)
    return last


def _rows(turn: TurnDraft) -> list[_Row]:
    """Every option with each answer to what follows it; no rows where nothing follows, or too much."""
    asked = _asked(turn)
    if asked is None or not _is_short(asked):
        return []
    rows: list[_Row] = []
    for option in asked.options:
        then = turn.with_chosen((*turn.chosen, option))
        answers = _asked(then)
        rows += [_Row(then, answer) for answer in answers.options] if answers else [_Row(turn, option)]
        # at once, and not at the end: each further option costs another position
        if len(rows) > ROWS:
            return []
    # an id that carries a pair has room for one notation
    fits = all(len(" ".join(_words(turn, row))) <= MAX_LENGTH for row in rows)
    return rows if fits and len(rows) > len(asked.options) else []


def _asked(turn: TurnDraft) -> Decision | None:
    """What a seat is asked in its own turn, if it has a choice and none that is nearly always taken."""
    asked = turn.decision
    plain = asked and not asked.forced and not asked.usual and not turn.ahead.state.aside(turn.seat)
    return asked if plain else None


def _is_short(asked: Decision) -> bool:
    """Whether the options are alike, or so few that it does not matter."""
    verbs = {option.verb for option in asked.options[:ROWS]}
    return len(asked.options) <= (ROWS if len(verbs) == 1 else FEW)


def _words(turn: TurnDraft, row: _Row) -> Words:
    first = () if row.turn is turn else (*words_of(row.turn.chosen[-1]), AND)
    return (*first, *words_of(row.option))


def _choice(turn: TurnDraft, row: _Row) -> Choice:
    """An option, or two of them; what the first one means shows in the preview, since a row has room for one gloss."""
    voice = row.turn.voice
    label = voice.label(row.option)
    if row.turn is not turn:
        first = turn.voice.label(row.turn.chosen[-1])
        label = voice.say(Text("{first}, then {then}", first=first, then=label))
    return Choice(_words(turn, row), label, True, voice.gloss(row.option))
