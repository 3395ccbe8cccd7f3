"""Jinns of the Lake once more, deliberately naive: lists of words on squares, walked over step by step.

It shares nothing with the engine but the notation. It is slow and only counts; where the two differ, one is wrong.
"""

from __future__ import annotations

import pickle
from typing import Any

LUCK = -1
SEEDS = 3
OPTION_SETS: list[dict[str, Any]] = [
    {},
    {"edition": "later"},
    {"edition": "later", "setup": "placement", "partners": "yes", "neutral_tower": "mover"},
    {"setup": "random"},
    {"partners": "no"},
    {"neutral_tower": "zero"},
    {"colors": "draft"},
    {"repetition_limit": 2},
    {"team_score": True},
]

PATTERN = {
    2: ["A Y"] * 4 + ["B B"] * 4 + ["A R"] * 4 + ["B G"] * 4,
    3: ["A Y"] * 4 + ["A G"] * 2 + ["B B"] * 4 + ["B G"] * 2 + ["C R"] * 4 + ["C G"] * 2,
    4: ["A Y"] * 4 + ["B B"] * 4 + ["C R"] * 4 + ["D G"] * 4,
}
PATTERN[2] = PATTERN[2] * 2
PATTERN[4] = PATTERN[4] * 2
PATTERN[3] = PATTERN[3] + ["A Y"] * 4 + ["A G"] * 2 + ["B B"] * 4 + ["C R"] * 4


class Naive:
    """A game, changed by `play`."""

    def __init__(
        self,
        seats: int,
        *,
        edition: str = "early",
        setup: str = "",
        partners: str = "",
        neutral_tower: str = "",
        colors: str = "fixed",
        repetition_limit: int = 3,
        team_score: bool = False,
    ) -> None:
        self.seats = seats
        later = edition == "later"
        self.random = (setup or ("random" if later or colors == "draft" else "placement")) == "random"
        self.partners = seats == 4 and (partners or ("no" if later else "yes")) == "yes"
        self.green_counts = (neutral_tower or ("zero" if later else "mover")) == "mover"
        self.limit = repetition_limit
        self.team_score = team_score
        self.ring: list[list[str]] = [[] for _ in range(32)]
        self.won: list[list[list[str]]] = [[] for _ in range(seats)]
        self.owner: dict[str, int] = {}
        if colors == "fixed":
            owners = {2: "YB RG", 3: "YBR", 4: "YBRG"}[seats].split()
            self.owner = {color: seat for letters in owners for seat, color in enumerate(letters)}
        self.to_choose = [] if colors == "fixed" else list(range(seats)) * (2 if seats == 2 else 1)
        self.filling = 0
        self.player = LUCK if self.random else 0
        self.past: list[str] = []
        self.over = ""

    # --- looking ---

    @property
    def next_square(self) -> int:
        return next((square for square, pile in enumerate(self.ring) if not pile), 32)

    def stock(self, color: str) -> list[str]:
        out = [pawn for pile in self.ring for pawn in pile]
        return [f"{color}{n}" for n in "1234" for copy in range(out.count(f"{color}{n}"), 2)]

    def mine(self, pawn: str, seat: int) -> bool:
        return self.owner.get(pawn[0], seat) == seat

    def partner(self, seat: int) -> int:
        return (seat + 2) % 4

    # --- legal moves ---

    def moves(self) -> tuple[int, list[str]]:
        """The seat that is due (`LUCK` for luck, none when the game is over) and every answer."""
        if self.over:
            return LUCK, []
        if self.placing:
            return self.placings()
        if self.to_choose:
            return self.to_choose[-1], [f"choose {color}" for color in "YBRG" if color not in self.owner]
        return self.player, self.turn_moves(self.player)

    @property
    def placing(self) -> bool:
        return self.next_square < 32 and not self.past

    def placings(self) -> tuple[int, list[str]]:
        square = self.next_square
        if self.random:
            return LUCK, sorted({f"lay {pawn}" for color in "YBRG" for pawn in self.stock(color)})
        letter, color = PATTERN[self.seats][square].split()
        strengths = sorted({pawn[1] for pawn in self.stock(color)})
        if self.filling:
            return LUCK, [f"lay {color}{n}" for n in strengths]
        rest = [PATTERN[self.seats][n][2] for n in range(square, self.block_end(square))]
        free = len(rest) > 1 and any(len(set(self.stock(color))) > 1 for color in rest)
        return "ABCD".index(letter), [f"place {n}" for n in strengths] + ["place rest"] * free

    def turn_moves(self, seat: int) -> list[str]:
        results = set()
        for square, pile in enumerate(self.ring):
            if pile and self.mine(pile[-1], seat):
                for goal in [self.walk(square, 1), self.walk(square, -1)]:
                    if goal is not None:
                        for take in range(1, len(pile) + 1):
                            results |= self.landings(seat, square, take, goal)
        return sorted(results)

    def walk(self, square: int, direction: int) -> int | None:
        """Step by step; back at the start means too far."""
        here, steps = square, int(self.ring[square][-1][1])
        while steps:
            here = (here + direction) % 32
            if here == square:
                return None
            if self.ring[here]:
                steps -= 1
        return here

    def landings(self, seat: int, square: int, take: int, goal: int) -> set[str]:
        moving, below = self.ring[square][-take:], self.ring[goal]
        if {pawn[0] for pawn in moving} & {pawn[0] for pawn in below}:
            return set()
        move = f"move {square} {take} {goal}"
        if not self.partners:
            return {move}
        if self.mine(below[-1], self.partner(seat)):
            return set()
        storeys = len(moving) + len(below)
        return {f"{move} {word}".strip() for word in {4: ["high", "low"], 3: ["leave", "take3"]}.get(storeys, [""])}

    # --- doing it ---

    def after(self, notation: str) -> Naive:
        """A copy in which this has been done."""
        game = pickle.loads(pickle.dumps(self))
        game.play(notation)
        return game

    def play(self, notation: str) -> None:
        verb, *words = notation.split()
        if notation == "place rest":
            self.filling = self.block_end(self.next_square)
        elif verb in ("place", "lay"):
            self.place(words[0])
        elif verb == "choose":
            self.owner[words[0]] = self.to_choose.pop()
            if not self.to_choose:
                self.next_player(0)
        else:
            self.move(*words)

    def block(self, square: int) -> str:
        return PATTERN[self.seats][square][0] if square < 32 else ""

    def block_end(self, square: int) -> int:
        return next(n for n in range(square, 33) if self.block(n) != self.block(square))

    def place(self, pawn: str) -> None:
        square = self.next_square
        color = "" if len(pawn) == 2 else PATTERN[self.seats][square][2]
        self.ring[square] = [color + pawn]
        if self.filling == square + 1:
            self.filling = 0
        if square == 31 and not self.to_choose:
            self.next_player(0)

    def move(self, square: Any, take: Any, goal: Any, word: str = "") -> None:
        square, take, goal, seat = int(square), int(take), int(goal), self.player
        moving = self.ring[square][-take:]
        del self.ring[square][-take:]
        tower = self.ring[goal] = self.ring[goal] + moving
        if len(tower) == 4 and not self.partners:
            self.won[seat].append(tower)
        if word in ("high", "take3", "low"):
            halves = [tower[-2:], tower[:-2]]
            self.won[seat].append(halves[word == "low"])
            self.won[self.partner(seat)].append(halves[word != "low"])
        if len(tower) == 4 or word == "take3":
            self.ring[goal] = []
        self.next_player((seat + 1) % self.seats)

    def next_player(self, first: int) -> None:
        for n in range(self.seats):
            self.player = (first + n) % self.seats
            if self.turn_moves(self.player):
                break
        else:
            self.past.append("")
            self.over = "no-moves"
            return
        self.past.append(f"{self.player} {self.ring}")
        if self.past.count(self.past[-1]) == self.limit:
            self.over = "repetition"

    def scores(self) -> tuple[int, ...]:
        points = [0] * self.seats
        for pile in filter(None, self.ring):
            if pile[-1][0] in self.owner:
                points[self.owner[pile[-1][0]]] += len(pile) * int(pile[-1][1])
        for seat, piles in enumerate(self.won):
            for pile in piles:
                if pile[-1][0] in self.owner or self.green_counts:
                    points[seat] += len(pile) * int(pile[-1][1])
        if self.partners and self.team_score:
            points = [own + points[self.partner(seat)] for seat, own in enumerate(points)]
        return tuple(points)

    def result(self) -> dict[str, object]:
        return {"reason": self.over, "scores": self.scores()}
