"""How many taps a move takes after *Your move*, counted over the recorded games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import pytest

from bot.play.narrowing import step, words_of
from engine.core import Action
from engine.games import discover
from engine.texts import CHANCE, Seat
from engine.wording import Voice
from tests.playthroughs.recorder import FOLDER, Playthrough

MOST = 3
MEDIAN = 2
TURN_MEDIAN = 3
"""The taps of a whole turn, Confirm included; a game that needs more has a file `taps` beside its recorded games."""

RECORDED = [slug for slug in discover() if any((FOLDER / slug).glob("*.txt"))]


@dataclass
class Turn:
    """What a seat decides without luck or anybody else in between: the taps that each decision takes."""

    seat: Seat
    decisions: list[int]

    @property
    def taps(self) -> int:
        """Go on before every decision but the first, and Confirm in the end."""
        return sum(self.decisions) + len(self.decisions)


def taps_to(options: Sequence[Action], action: Action) -> int:
    words, taps = words_of(action), 0
    prefix: tuple[str, ...] = ()
    while True:
        taps += 1
        choices = step(options, prefix, Voice()).choices
        chosen = next(choice for choice in choices if words[: len(choice.words)] == choice.words)
        if chosen.complete:
            return taps
        prefix = chosen.words


def turns(slug: str) -> Iterator[Turn]:
    for record in sorted((FOLDER / slug).glob("*.txt")):
        turn: Turn | None = None
        for before, seat, action, _, _ in Playthrough.read(record.read_text(encoding="utf-8")).steps():
            decision = next(decision for decision in before.decisions() if decision.seat == seat)
            if decision.automatic:
                continue
            if turn is not None and seat != turn.seat:
                yield turn
                turn = None
            if seat != CHANCE:
                turn = turn or Turn(seat, [])
                turn.decisions.append(taps_to(decision.options, action))
        if turn is not None:
            yield turn


def most_of_a_turn(slug: str) -> int:
    own = FOLDER / slug / "taps"
    return int(own.read_text(encoding="utf-8")) if own.exists() else TURN_MEDIAN


@pytest.mark.parametrize("slug", RECORDED)
def test_a_move_takes_few_taps(slug: str) -> None:
    played = list(turns(slug))
    decisions = [taps for turn in played for taps in turn.decisions]
    assert max(decisions) <= MOST
    assert median(decisions) <= MEDIAN
    told = f"let a turn ask less, or write into {FOLDER / slug / 'taps'} how many taps are right for it"
    assert median(turn.taps for turn in played) <= most_of_a_turn(slug), told
