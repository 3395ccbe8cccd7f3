"""All plays of a roll: by the package, and by OpenSpiel's backgammon.

`python examples/nard/tests/plays.py` counts those of OpenSpiel anew for `plays.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from caravanserai_nard import GAME
from caravanserai_nard.board import CHECKERS, Dice, Side
from caravanserai_nard.frames import Moving
from caravanserai_nard.state import Nard

from engine.texts import Seat

RED = Seat(0)

Sides = tuple[Side, Side]
"""The checkers of the player on turn, and of the rival, each by its own count."""


class Roll(NamedTuple):
    """A position with a roll, higher die first."""

    sides: Sides
    dice: Dice

    def state(self, seat: Seat) -> Nard:
        """The position of the package, with this seat on turn."""
        sides = self.sides if seat == 0 else self.sides[::-1]
        dice = self.dice if len(set(self.dice)) > 1 else 2 * self.dice
        start = GAME.start(GAME.setup(2))
        return replace(start, frames=(Moving(),), sides=sides, turn=seat, roll=self.dice, dice=dice)


def plays(roll: Roll, seat: Seat = RED) -> set[Sides]:
    """The positions that all legal plays of a roll lead to; the position itself if there is none."""
    first = roll.state(seat)
    ends, seen, open_states = set[Sides](), {first}, [first]
    while open_states:
        state = open_states.pop()
        for action in state.decisions()[0].options:
            after, _ = state.apply(seat, action)
            if after.frames and after.turn == seat:
                open_states += {after} - seen
                seen.add(after)
            else:
                ends.add(after.sides if seat == 0 else after.sides[::-1])
    return ends or {roll.sides}


# --- Stored counts ---------------------------------------------------------------------------------------------------

STORED = Path(__file__).with_name("plays.txt")
HEAD = """\
# Rolls in random games: the checkers of the player on turn and of the rival (borne off, points 1 to 24 by their own
# count, bar), the dice, and the number of positions that legal plays lead to, as counted by OpenSpiel 2.0.2.
"""


def stored_counts() -> Iterator[tuple[Roll, int]]:
    """The rolls of `plays.txt` with their counts."""
    for line in STORED.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            own, rival, dice, count = (tuple(map(int, part.split())) for part in line.split("|"))
            yield Roll((own, rival), dice), count[0]


def main() -> None:
    """Store every fourth roll of a few games."""
    rolls = (pair for seed in range(8) for pair in islice(spiel_rolls(seed), 0, None, 4))
    rows = (
        " | ".join(" ".join(map(str, part)) for part in (*roll.sides, roll.dice, (len(ends),))) for roll, ends in rolls
    )
    STORED.write_text("\n".join([HEAD, *rows, ""]), encoding="utf-8")


# --- OpenSpiel -------------------------------------------------------------------------------------------------------


def spiel_rolls(seed: int) -> Iterator[tuple[Roll, set[Sides]]]:
    """The rolls of a random game of OpenSpiel, each with the positions that its plays lead to there."""
    import pyspiel

    rng, dice = Random(seed), (0, 0)
    state = pyspiel.load_game("backgammon(scoring_type=full_scoring)").new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            action = rng.choice([action for action, _ in state.chance_outcomes()])
            high, low = re.findall(r"roll: (\d)(\d)", state.action_to_string(-1, action))[0]
            dice = max(int(high), int(low)), min(int(high), int(low))
            state.apply_action(action)
            if not state.is_terminal():
                yield Roll(_sides(state, state.current_player()), dice), _spiel_plays(state, dice)
        else:
            state.apply_action(rng.choice(state.legal_actions()))


def _spiel_plays(state: Any, dice: Dice) -> set[Sides]:
    """OpenSpiel plays a double as two turns; of those plays, only the ones with the most moves are legal (rule 4.4)."""
    player = state.current_player()
    ends: dict[Sides, int] = {}
    for moves, after in _turns(state, player):
        extra = dice[0] == dice[1] and not after.is_terminal() and after.current_player() == player
        for more, end in _turns(after, player) if extra else [(0, after)]:
            sides = _sides(end, player)
            ends[sides] = max(ends.get(sides, 0), moves + more)
    most = max(ends.values())
    return {sides for sides, moves in ends.items() if moves == most}


def _turns(state: Any, player: int) -> Iterator[tuple[int, Any]]:
    for action in state.legal_actions():
        words = state.action_to_string(player, action)
        yield _moves_in(words), state.child(action)


def _moves_in(words: str) -> int:
    """The number of dice in `6/3/2`, `6/5(2)`, `Pass`."""
    number = 0
    for part in words.partition(" - ")[2].split(" "):
        times = int(match[1]) if (match := re.search(r"\((\d)\)", part)) else 1
        number += part.count("/") * times
    return number


def _sides(state: Any, player: int) -> Sides:
    return _side(state, player), _side(state, 1 - player)


def _side(state: Any, player: int) -> Side:
    """OpenSpiel numbers the points from 0; X, its player 0, moves upwards."""
    points = [state.board(player, point) for point in range(24)]
    counted = points[::-1] if player == 0 else points
    off = int(re.findall(rf"{'XO'[player]}: (\d+)", str(state))[0])
    return (off, *counted, CHECKERS - off - sum(counted))


if __name__ == "__main__":
    main()
