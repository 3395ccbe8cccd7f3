"""Evaluation of Nard: the race, exposed blots, points and primes, and the score of the match."""

from __future__ import annotations

from functools import cache, lru_cache
from math import exp

from caravanserai_nard.board import BAR, HOME, OFF, START, Side, back, pips
from caravanserai_nard.frames import Answering
from caravanserai_nard.state import MAX_STAKE, Nard
from engine.evaluation import Evaluation, Shares
from engine.texts import Seat, Text

NAMES = (
    "points",  # in the match (7.3)
    "pips",  # pips moved so far; negative after hits (2.4)
    "race",  # pips moved once no checker can be hit
    "off",  # checkers borne off (6)
    "bar",  # checkers on the bar (5.2) ...
    "closed",  # ... times the points that the rival holds at home
    "loss",  # pips that the next roll of the rival is expected to cost (5.1)
    "shots",  # the chance that it hits
    "home",  # points held at home (4.3)
    "held",  # points held elsewhere
    "anchor",  # whether a point is held in the home of the rival
    "prime",  # longest row of held points in front of a rival's checker
    "trapped",  # rival's checkers behind such a row
    "back",  # checkers in the home of the rival
    "heavy",  # checkers beyond the third on a point, and deep at home during contact
    "next",  # whether the seat moves next
)

PIPS = pips(START)
"""The pips to go at the beginning of a game."""

_SHOTS = (0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3)
"""How many of 36 rolls hit a blot by its distance (5.1)."""

Row = tuple[float, ...]


def progress(state: Nard) -> float:
    """The elapsed part of the game, by the pips of the leader."""
    return max(0.0, 1 - min(pips(side) for side in state.sides) / PIPS)


def features(state: Nard) -> list[Row]:
    """The features of both seats, in the order of `NAMES`."""
    first, second = state.sides
    mover = mover_of(state)
    points = [state.points(Seat(seat)) for seat in range(2)] if state.results else (0, 0)
    return [
        (points[seat], *_features(own, other, seat == mover), float(seat == mover))
        for seat, (own, other) in enumerate(((first, second), (second, first)))
    ]


def mover_of(state: Nard) -> Seat | None:
    """The seat that moves next; `None` before the first roll of a game."""
    return state.turn if state.roll or state.sides != (START, START) else None


COVERED = 0.4
"""The part of the exposure of blots that counts for a player who moves before the rival can hit them."""


@lru_cache(maxsize=1 << 12)
def _features(side: Side, rival: Side, moves: bool) -> Row:
    """The features of one side between `points` and `next`."""
    moved, rear, bar = PIPS - pips(side), back(side), side[BAR]
    home = sum([checkers > 1 for checkers in side[1 : HOME + 1]])
    if rear + back(rival) <= BAR:
        return (moved, moved, side[OFF], *(0.0,) * 11)
    exposed = COVERED if moves else 1.0
    loss, shots = (value * exposed for value in _exposure(side, rival))
    held = sum([checkers > 1 for checkers in side[HOME + 1 : BAR - HOME]])
    anchor = float(any(checkers > 1 for checkers in side[BAR - HOME : BAR]))
    prime, trapped = _prime(side, BAR - back(rival), rival)
    closed = bar * sum([checkers > 1 for checkers in rival[1 : HOME + 1]])
    heavy = sum([checkers - 3 for checkers in side[1:BAR] if checkers > 3]) + side[1] + side[2] / 2
    return (
        moved,
        0.0,
        side[OFF],
        bar,
        closed,
        loss,
        shots,
        home,
        held,
        anchor,
        prime,
        trapped,
        sum(side[BAR - HOME : BAR]),
        heavy,
    )


def _exposure(side: Side, rival: Side) -> tuple[float, float]:
    """The expected loss of pips by hits in the next roll of the rival, and the chance of any hit."""
    froms = [BAR - place for place in range(1, BAR + 1) if rival[place]]
    loss, safe = 0.0, 1.0
    for place in range(1, BAR):
        if side[place] != 1:
            continue
        chance = 1.0
        for other in froms:
            distance = place - other
            if 0 < distance <= 12:
                chance *= 1 - _SHOTS[distance] / 36
        # The rival first has to enter its own checkers.
        hit = (1 - chance) / (1 + rival[BAR])
        loss += hit * (BAR - place)
        safe *= 1 - hit
    return loss, 1 - safe


def _prime(side: Side, rival_rear: int, rival: Side) -> tuple[float, float]:
    """The length of the longest row of held points (a gap counts half), and the number of checkers behind it."""
    best, start, run = 0, 0, 0
    for place in range(1, BAR):
        run = run + 1 if side[place] > 1 else 0
        if run > best and place - run >= rival_rear:
            best, start = run, place - run
    if best < 3:
        return float(best), 0.0
    # By the count of `side`, a checker of the rival on its place `n` is on `BAR - n`, and one on its bar on 0.
    behind = sum(rival[BAR - start :])
    return float(best), float(behind * (best - 2))


# --- Matches ---------------------------------------------------------------------------------------------------------

GAMMONS = 0.2
"""The part of won games that are gammons, which count twice (7.2)."""

OWNING = 0.12
"""What the cube is worth to its owner, as a part of the logit of winning the game."""


@cache
def match_chance(own: int, rival: int) -> float:
    """The chance of a player who needs `own` more points to win the match against one who needs `rival`."""
    if own <= 0 or rival <= 0:
        return float(own <= 0)
    chances = (1 - GAMMONS, 1), (GAMMONS, 2)
    return sum(
        part * (match_chance(own - points, rival) + match_chance(own, rival - points)) / 2 for part, points in chances
    )


class MatchEvaluation(Evaluation):
    """The chances of winning the match: those of winning the game, by features, and what its points are worth then."""

    def __call__(self, state: Nard) -> Shares:
        """The expected share of the win for each seat."""
        if state.terms.single and not state.terms.cube:
            return super().__call__(state)
        first, second = self.logits(state)
        share = _share(state, first - second)
        return share, 1 - share


def _share(state: Nard, lead: float) -> float:
    """The share of seat 0, given the logit of winning the game."""
    if not isinstance(state.frames[-1], Answering):
        return _at_stake(state, lead, state.stake, state.owner)
    doubler = state.turn
    if_taken = _at_stake(state, lead, 2 * state.stake, Seat(1 - doubler))
    if_dropped = _after(state, doubler, state.stake)
    # The other player chooses the better answer.
    return min(if_taken, if_dropped) if doubler == 0 else max(if_taken, if_dropped)


def _at_stake(state: Nard, lead: float, stake: int, owner: Seat | None) -> float:
    """The share of seat 0 if the game is played to its end for a stake."""
    if owner is not None and state.cube_in_play and stake < MAX_STAKE:
        lead += -OWNING if owner else OWNING
    wins = 1 / (1 + exp(-lead))
    return sum(
        chance * part * _after(state, Seat(seat), stake * factor)
        for seat, chance in enumerate((wins, 1 - wins))
        for part, factor in ((1 - GAMMONS, 1), (GAMMONS, 2))
    )


def _after(state: Nard, winner: Seat, points: int) -> float:
    """The chance of seat 0 to win the match if a seat wins the current game for these points."""
    needs = [state.terms.goal - state.points(Seat(seat)) for seat in range(2)]
    needs[winner] -= points
    return match_chance(*needs)


PHRASES = {
    "pips": (Text("fewer pips to go"), Text("more pips to go")),
    "off": (Text("more checkers borne off"), Text("fewer checkers borne off")),
    "bar": (Text("more checkers on the bar"), Text("fewer checkers on the bar")),
    "loss": (Text("more pips to lose by hits"), Text("fewer pips to lose by hits")),
    "shots": (Text("checkers that are easier to hit"), Text("checkers that are harder to hit")),
    "home": (Text("more points held at home"), Text("fewer points held at home")),
    "held": (Text("more points held on the way"), Text("fewer points held on the way")),
    "anchor": (Text("a point held in the rival’s home"), Text("no point held in the rival’s home")),
    "prime": (Text("a longer row of points"), Text("a shorter row of points")),
    "trapped": (Text("more rival checkers shut in"), Text("fewer rival checkers shut in")),
    "back": (Text("more checkers far back"), Text("fewer checkers far back")),
    "heavy": (Text("more checkers heaped up"), Text("fewer checkers heaped up")),
}
"""Feature -> the phrases for more and for less of it."""


EVALUATE = MatchEvaluation(__package__, NAMES, features, progress, phrases=PHRASES, counted=("pips",))
