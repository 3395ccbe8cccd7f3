"""What a position of the cave is worth: money that is safe, and stakes by how likely they come home."""

from __future__ import annotations

from collections.abc import Iterable
from math import exp
from typing import NamedTuple

from engine.evaluation import Evaluation
from engine.games.alibaba.frames.danger import Announce, Draw
from engine.games.alibaba.frames.walk import Redeal, Walk
from engine.games.alibaba.state import Cave
from engine.texts import Text
from engine.town.data import GROUPS, MARKS, WALK, Gang, Thief
from engine.town.thieves import GANGS, NUMBERS, THIEVES

NAMES = (
    "purse",  # in thousands (4)
    "stake",  # in thousands, whatever becomes of it (3.3)
    "expected",  # the stake, by how likely it comes home if thieves are careless ...
    "expected_at_worst",  # ... and if they are keen: twice as dangerous
    "turns",  # dozens of turns that the stake is still in danger
    "room",  # dozens of turns for further stakes, once it is home
    "claimed",  # share of all marks that cannot catch the seat any more (3.6)
    "soon",  # who is free to steal, by how soon its turn comes
)
THOUSAND, DOZEN = 1_000, 12

STEPS_A_TURN = WALK / 48
"""How far the camel goes in a turn, on average."""

CATCHES_A_TURN = 0.15
"""How likely somebody without a claim is caught in any turn to come, if nobody takes pains."""

_MASKS = {thief: sum(1 << number for number in MARKS[thief]) for thief in THIEVES}
"""Type -> the numbers it bears: bit n for number n."""

_SHARES = {thief: len(MARKS[thief]) / sum(map(len, MARKS.values())) for thief in THIEVES}
"""Type -> its share of all marks."""

_CATCH = {gang: next(len(MARKS[thief]) for thief in THIEVES if thief.gang is gang) / len(NUMBERS) for gang in GANGS}
"""Gang -> how likely one of its thieves catches somebody who has claimed none."""

_FEW, _MANY = 1, 3
"""How many thieves are called for by somebody with a stake in the cave, and by somebody without (rule 3.5)."""


def progress(state: Cave) -> float:
    """By the steps of the camel."""
    return min(1.0, state.walked / WALK)


def features(state: Cave) -> list[tuple[float, ...]]:
    """A row for each seat."""
    to_come, danger = max(0, state.left) / STEPS_A_TURN, _danger(state)
    return [_row(state, seat, to_come, danger) for seat in range(state.setup.seats)]


def _row(state: Cave, seat: int, to_come: float, danger: Danger) -> tuple[float, ...]:
    purse, claimed, last = state.purses[seat] / THOUSAND, state.claimed[seat], state.safe_after[seat]
    immune = sum([_SHARES[thief] for thief in claimed])
    if last is None:
        wait = (seat - state.turn) % state.setup.seats / state.setup.seats
        return purse, 0, 0, 0, 0, to_come / DOZEN, immune, 1 - wait
    stake, turns = state.stakes[seat] / THOUSAND, last - state.turn
    home = stake * _in_time(to_come, turns) * _spared(claimed, danger)
    later = CATCHES_A_TURN * (1 - immune) * (turns + danger.before_landing)
    room = max(0.0, to_come - turns) / DOZEN
    return purse, stake, home * exp(-later), home * exp(-2 * later), turns / DOZEN, room, immune, 0


def _in_time(turns_to_come: float, turns: int) -> float:
    """How likely the camel is not home before a stake is safe."""
    spare = (turns_to_come - turns) / (0.5 + 0.1 * turns_to_come)
    return 1 / (1 + exp(-2 * spare)) if spare < 10 else 1.0


# --- The danger at work ----------------------------------------------------------------------------------------------


class Danger(NamedTuple):
    """Numbers that thieves lying here bear, gangs of which more are due, and whether the camel has still to move on."""

    numbers: int
    due: tuple[Gang, ...]
    before_landing: bool


def _danger(state: Cave) -> Danger:
    encounter, frame = state.encounter, state.frames[-1]
    if encounter and not encounter.over and not encounter.black:
        due = (frame.gang, *frame.then) if isinstance(frame, Draw) else ()
        return Danger(_numbers(encounter.thieves), due, before_landing=False)
    if isinstance(frame, Announce):
        each = _FEW if state.in_cave(state.on_turn) else _MANY
        return Danger(0, state.space.jewels * each, before_landing=False)
    return Danger(0, (), before_landing=len(state.frames) == 1 or isinstance(frame, Walk | Redeal))


def _numbers(thieves: Iterable[Thief]) -> int:
    numbers = 0
    for thief in thieves:
        numbers |= _MASKS[thief]
    return numbers


def _spared(claimed: tuple[Thief, ...], danger: Danger) -> float:
    """How likely a seat is not caught by thieves that lie here, nor by those that are due."""
    if not danger.numbers and not danger.due:
        return 1.0
    spared = 1 - (danger.numbers & ~_numbers(claimed)).bit_count() / len(NUMBERS)
    for gang in danger.due:
        feared = 1 - sum([thief.gang is gang for thief in claimed]) / len(GROUPS)
        spared *= 1 - feared * _CATCH[gang]
    return spared


SAID = {
    "purse": (Text("a fuller purse"), Text("an emptier purse")),
    "stake": (Text("more at stake in the cave"), Text("less at stake in the cave")),
    "expected": (Text("more to expect from the cave"), Text("less to expect from the cave")),
    "expected_at_worst": (
        Text("more to save from keen thieves"),
        Text("less to save from keen thieves"),
    ),
    "turns": (Text("a stake that is in danger for longer"), Text("a stake that is out of danger sooner")),
    "room": (Text("more time for further stakes"), Text("less time for further stakes")),
    "claimed": (Text("more thieves that cannot catch"), Text("fewer thieves that cannot catch")),
}
"""What somebody is left with who has more of a feature, and who has less of it."""


EVALUATE = Evaluation(__package__, NAMES, features, progress, said=SAID, counted=("purse", "expected_at_worst"))
