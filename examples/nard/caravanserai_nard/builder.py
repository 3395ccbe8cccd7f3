"""The changes of a position in Nard, in the terms of its rules."""

from __future__ import annotations

from caravanserai_nard.board import (
    BAR,
    CHECKERS,
    HOME,
    OFF,
    PLACES,
    START,
    Step,
    counted_by,
    legal_steps,
    mirrored,
    moved,
)
from caravanserai_nard.events import (
    Blocked,
    Crawford,
    GameBegan,
    Hop,
    Played,
    Rolled,
    RolledDouble,
    Started,
    Way,
    Won,
)
from caravanserai_nard.state import Nard, Result
from engine.builder import Builder
from engine.texts import Seat


class NardBuilder(Builder[Nard]):
    """A position while a ply changes it."""

    def __init__(self, before: Nard) -> None:
        super().__init__(before)
        self.sides = list(before.sides)
        self.turn = before.turn
        self.roll = before.roll
        self.dice = before.dice
        self.stake = before.stake
        self.owner = before.owner
        self.results = before.results
        self.crawford = before.crawford

    def position(self) -> Nard:
        # Not `replace`, which takes longer: this is a hot spot of searches.
        return Nard(
            frames=tuple(self.frames),
            terms=self.before.terms,
            sides=(self.sides[0], self.sides[1]),
            turn=self.turn,
            roll=self.roll,
            dice=self.dice,
            stake=self.stake,
            owner=self.owner,
            results=self.results,
            crawford=self.crawford,
        )

    # --- A turn ---

    def start(self, red: int, blue: int) -> None:
        """Let the player with the higher die begin with both (rule 3.1)."""
        self.turn = Seat(red < blue)
        self.roll = self.dice = max(red, blue), min(red, blue)
        self.tell(Started(self.turn, *self.roll))

    def throw(self, high: int, low: int) -> None:
        """Roll for the seat on turn; a double is played four times (rule 4.2)."""
        self.roll = high, low
        self.dice = self.roll if high != low else 2 * self.roll
        self.tell(Rolled(self.turn, high, low) if high != low else RolledDouble(self.turn, high))

    def play(self, step: Step) -> None:
        """Move a checker by a die, and hit a blot (rules 4 and 5)."""
        seat, rival = self.turn, 1 - self.turn
        there = mirrored(step.target)
        hits = step.target != OFF and self.sides[rival][there] == 1
        self.sides[seat] = moved(self.sides[seat], step.origin, step.target)
        if hits:
            self.sides[rival] = moved(self.sides[rival], there, BAR)
        dice = list(self.dice)
        dice.remove(step.die)
        self.dice = tuple(dice)
        origin, target = (PLACES[counted_by(seat, place)] for place in (step.origin, step.target))
        self.tell(Played(seat, (Hop(origin, target, hits),)))

    def can_play(self) -> bool:
        """Whether the seat on turn can use a die, which is reported if it cannot (rule 4.6)."""
        if not self.dice:
            return False
        position = self.position()
        if legal_steps(self.sides[self.turn], position.blocked(self.turn), self.dice):
            return True
        self.tell(Blocked(self.turn, tuple(dict.fromkeys(self.dice))))
        return False

    def pass_turn(self) -> None:
        """Give the turn to the other seat."""
        self.turn, self.roll, self.dice = Seat(1 - self.turn), (), ()

    # --- The end of a game ---

    def has_won(self) -> bool:
        """Whether the seat on turn has borne off all checkers."""
        return self.sides[self.turn][OFF] == CHECKERS

    def way(self) -> Way:
        """How the seat on turn wins the game (rule 7.1)."""
        lost = self.sides[1 - self.turn]
        if lost[OFF]:
            return Way.SINGLE
        return Way.BACKGAMMON if any(lost[BAR - HOME :]) else Way.GAMMON

    def win(self, seat: Seat, way: Way) -> bool:
        """End the game. Returns whether the match goes on with another one (rule 7.3)."""
        points = self.stake * way.factor
        self.tell(Won(seat, way, points))
        self.results = (*self.results, Result(seat, points, way))
        self.frames.clear()
        return self.position().points(seat) < self.before.terms.goal

    def next_game(self) -> None:
        """Set up the next game of the match (rules 2.2 and 8.5)."""
        self.sides = [START, START]
        self.roll, self.dice, self.stake, self.owner = (), (), 1, None
        after, goal = self.position(), self.before.terms.goal
        points = after.points(Seat(0)), after.points(Seat(1))
        number = len(self.results) + 1
        self.tell(GameBegan(number, *points))
        # The first game with a player one point from the goal; only one game is (rule 8.5).
        if self.before.terms.cube and not self.crawford and goal - 1 in points:
            self.crawford = number
            self.tell(Crawford(Seat(points.index(goal - 1))))
