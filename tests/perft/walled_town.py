"""The walled town once more, deliberately naive: words in lists and dictionaries, straight from the written rules.

It is what the second readings of both its games begin with. They share nothing with the engine but the notation; they
are slow and only count. Where the two differ, one is wrong.
"""

from __future__ import annotations

import pickle
from typing import Self

LUCK = -1
HANDS = {2: [12] * 2, 3: [8] * 3, 4: [6] * 4, 5: [5, 5, 5, 5, 4], 6: [4] * 6}
QUARTERS = """
start - Y G - lamp B - R - YB alms GR
- Y B recruit - G R - YB toll G - R
- B Y - R G lamp - GR B - Y alms
- R G - recruit B - Y G toll BR - Y
"""
BOARD = QUARTERS.split()
SIDE = {8: "-", 9: "R", 10: "-", 29: "G", 30: "-", 31: "Y", 44: "-", 45: "R", 46: "lamp"}
FORKS = [(8, 9, 10), (29, 30, 31), (44, 45, 46)]
NAMES = {"Y": "yellow", "G": "green", "B": "blue", "R": "red"}
TABLE = """
Y1 17 20 31 36
Y2 7 12 22 35
Y3 4 6 9 29
Y4 2 13 27 28
G1 2 19 20 24 28 29
G2 4 5 6 25 27 31
G3 9 11 13 14 18 22
G4 8 12 15 33 34 35
B1 1 3 20 28 29 30 31 32 33
B2 2 5 6 7 9 10 13 16 35
B3 4 14 17 18 21 24 25 26 27
B4 8 11 12 15 19 22 23 34 36
R1 1 2 4 5 13 16 25 26 27 29 33 35
R2 8 11 15 18 19 21 22 24 25 27 28 30
R3 3 6 7 8 9 10 14 16 17 18 31 35
R4 2 5 10 12 20 21 23 24 31 32 34 36
"""
MARKS = {line.split()[0]: [int(word) for word in line.split()[1:]] for line in TABLE.strip().splitlines()}


class WalledTown:
    """A game, changed by `play`. Deals cannot be listed: they are played, but not counted."""

    def __init__(self, seats: int, money: list[int]) -> None:
        self.seats, self.money = seats, money
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.played: list[int] = []
        self.turn = self.walked = 0
        self.route = "a"
        self.own: list[list[str]] = [[] for _ in range(seats)]
        self.deck = {color: self.fresh(color) for color in "YGBR"}
        self.over = ""
        self.asks = "deal"

    def fresh(self, color: str) -> list[str]:
        return [f"{color}{group}" for group in "1234" for _ in range(4)]

    @property
    def p(self) -> int:
        return self.turn % self.seats

    @property
    def step(self) -> int:
        return self.walked % 52

    @property
    def space(self) -> str:
        return SIDE[self.step] if self.route == "b" else BOARD[self.step]

    def after(self, move: str) -> Self:
        other = pickle.loads(pickle.dumps(self))
        other.play(move)
        return other

    def moves(self) -> tuple[int, list[str]]:
        """The seat that is due (`LUCK` for luck, none when the game is over) and every answer; none for a deal."""
        if self.over or self.asks == "deal":
            return LUCK, []
        return getattr(self, f"ask_{self.asks}")()  # type: ignore[no-any-return]

    def walks(self) -> list[str]:
        results = []
        for card in sorted(set(self.hands[self.p])):
            target = (self.step + card) % 52
            block = next((block for block in FORKS if target in block), None)
            if block and self.step not in block:
                results += [f"play {card} a", f"play {card} b"]
            else:
                results.append(f"play {card}")
        return results

    def play(self, move: str) -> None:
        verb, *words = move.split()
        getattr(self, f"do_{verb.replace('-', '_')}")(*words)

    def fill_hands(self, cards: str) -> None:
        values = [int(value) for value in cards.split(",")]
        for seat, size in enumerate(HANDS[self.seats]):
            while len(self.hands[seat]) < size:
                self.hands[seat].append(values.pop(0))
        self.played = []

    def walk(self, card: str, route: str) -> None:
        start = self.step
        self.hands[self.p].remove(int(card))
        self.played.append(int(card))
        self.walked += int(card)
        block = next((block for block in FORKS if self.step in block), ())
        self.route = route or (self.route if start in block else "a")

    def result(self) -> dict[str, object]:
        return {"reason": self.over, "scores": tuple(self.money)}
