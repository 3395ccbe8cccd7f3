"""Dance of Muses once more, deliberately naive: a list of tiles with x and y, straight from the rules.

It shares nothing with the engine but the notation. It is slow and only counts; where the two differ, one is wrong.
"""

from __future__ import annotations

import copy
import pickle
from itertools import combinations
from typing import Any

LUCK = -1
SEEDS = 2
OPTION_SETS: list[dict[str, Any]] = [
    {},
    {"hands": 3, "target": 7},
    {"powers": "none", "hands": 1},
    {"neutral_face_4p": "down", "hands": 1},
    {"diagonal_slide": True, "hands": 1},
    {"power_timing": "after", "hands": 1},
]
MUSES = ["calliope", "clio", "erato", "euterpe", "melpomene", "polyhymnia", "terpsichore", "thalia", "urania"]
SUNS = dict(zip(MUSES, [3, 2, 1, 3, 1, 2, 1, 2, 3], strict=True))
STEPS = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
SLIDES = {"ne": (1, -1), "se": (1, 1), "sw": (-1, 1), "nw": (-1, -1)}
COLORS = ["red", "blue", "yellow", "green"]

Tile = dict[str, Any]
"""name (the public one), muse, x, y, die, color."""


def touches(one: Tile, other: Tile) -> bool:
    return one is not other and abs(one["x"] - other["x"]) <= 1 and abs(one["y"] - other["y"]) <= 1


def one_group(tiles: list[Tile]) -> bool:
    others = {(tile["x"], tile["y"]) for tile in tiles}
    group = [others.pop()]
    for x, y in group:
        near = others & {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        group += near
        others -= near
    return not others


def name_of(x: int, y: int) -> str:
    return f"{'abcdefghijklmnopqrstuvwxyz'[x + 12]}{y + 13}"


class Naive:
    """A game, changed by `play`."""

    def __init__(self, seats: int, **options: Any) -> None:
        self.seats = seats
        self.options = {
            "powers": "house",
            "hands": 2,
            "target": None,
            "neutral_face_4p": "up",
            "diagonal_slide": False,
            "power_timing": "either",
            **options,
        }
        self.companies = 3 if seats == 3 else 2
        self.points = [0] * self.companies
        self.bonus = [0] * self.companies
        self.hand_number = 1
        self.first: int | None = None
        self.over = ""
        self.new_hand()

    def new_hand(self) -> None:
        self.tiles: list[Tile] = []
        self.hands: list[list[str]] = [[] for _ in range(self.seats)]
        self.hid = [False] * self.seats
        self.phase = "deal"
        self.turn = 0
        self.dance_turns = 0
        self.start_turn()

    def start_turn(self) -> None:
        self.acting = ""
        self.used = self.moved = False

    # --- looking ---

    def tile(self, name: str) -> Tile:
        return next(tile for tile in self.tiles if tile["name"] == name)

    def with_tiles_to_move(self) -> Naive:
        """A copy for trying out what only tiles and dice feel."""
        game = copy.copy(self)
        game.tiles = [dict(tile) for tile in self.tiles]
        return game

    def empty(self, x: int, y: int) -> bool:
        return not any((tile["x"], tile["y"]) == (x, y) for tile in self.tiles)

    def moves(self) -> tuple[int, list[str]]:
        """The seat to act and notations of its options; luck's deals are too many to list."""
        if self.over or self.phase == "deal":
            return LUCK, []
        if self.phase == "roll":
            return LUCK, [f"first {COLORS[seat]}" for seat in range(self.seats)]
        if self.phase == "reveal":
            return LUCK, ["turn-up"]
        if self.phase == "place":
            return self.turn, self.placings()
        return self.turn, self.dance_moves()

    def placings(self) -> list[str]:
        hand, moves_found = self.hands[self.turn], []
        for x in range(-9, 10):
            for y in range(-9, 10):
                here = {"x": x, "y": y}
                beside = any(touches(here, tile) for tile in self.tiles) if self.tiles else (x, y) == (0, 0)
                if not beside or not self.empty(x, y):
                    continue
                for muse in hand:
                    if self.hid[self.turn] or len(hand) > 1:
                        moves_found.append(f"place {muse} {name_of(x, y)} up")
                    if not self.hid[self.turn]:
                        moves_found.append(f"place {muse} {name_of(x, y)} down")
        return moves_found

    def dance_moves(self) -> list[str]:
        if self.moved:
            return [*self.powers(self.tile(self.acting)), "done"]
        names = [self.acting] if self.acting else [tile["name"] for tile in self.tiles]
        results = [f"step {name} {way}" for name in names for way in self.ways(name)]
        if not self.used and self.options["power_timing"] == "either":
            for tile in self.tiles:
                results += [text for text in self.powers(tile) if self.may_come_first(text)]
        return results

    def ways(self, name: str) -> list[str]:
        directions = {**STEPS, **SLIDES} if self.options["diagonal_slide"] else STEPS
        return [way for way in directions if self.can_move(name, way)]

    def can_move(self, name: str, way: str) -> bool:
        if way in SLIDES:
            tile, (dx, dy) = self.tile(name), SLIDES[way]
            if not self.empty(tile["x"] + dx, tile["y"] + dy):
                return False
            if not self.empty(tile["x"] + dx, tile["y"]) and not self.empty(tile["x"], tile["y"] + dy):
                return False
        after = self.with_tiles_to_move()
        after.shift(name, way)
        return one_group(after.tiles)

    def may_come_first(self, text: str) -> bool:
        name = text.split()[1]
        after = self.with_tiles_to_move()
        after.grant(text)
        if any(tile["die"] == 6 for tile in after.tiles):
            return bool(self.ways(name))
        return bool(after.ways(name))

    def powers(self, tile: Tile) -> list[str]:
        if self.options["powers"] == "none" or tile["name"].startswith("hidden"):
            return []
        name = tile["name"]
        if name != "polyhymnia":
            return [f"power {name} {on}".strip() for on in self.aims(tile, name)]
        moves = []
        for other in self.near(tile):
            if not other["name"].startswith("hidden"):
                lent = other["name"]
                moves += [f"power {name} {lent},{on}".rstrip(",") for on in self.aims(tile, lent)]
        return moves

    def near(self, tile: Tile) -> list[Tile]:
        return [other for other in self.tiles if touches(tile, other)]

    def aims(self, tile: Tile, muse: str) -> list[str]:
        near = self.near(tile)
        if muse == "clio":
            return [other["name"] for other in near if other["die"] >= 2]
        if muse == "euterpe":
            return [other["name"] for other in near if other["die"] != tile["die"]]
        if muse == "melpomene":
            return [""] if tile["die"] >= 2 else []
        if muse == "thalia":
            pairs = combinations(sorted(near, key=lambda other: _rank(other["name"])), 2)
            return [f"{one['name']},{other['name']}" for one, other in pairs]
        if muse == "urania":
            return self.lifts(tile)
        return [other["name"] for other in near]

    def lifts(self, urania: Tile) -> list[str]:
        moves_found = []
        for other in self.near(urania):
            for dx, dy in [*STEPS.values(), *SLIDES.values()]:
                x, y = urania["x"] + dx, urania["y"] + dy
                if self.empty(x, y):
                    after = self.with_tiles_to_move()
                    after.tile(other["name"]).update(x=x, y=y)
                    if one_group(after.tiles):
                        moves_found.append(f"{other['name']},{name_of(x, y)}")
        return moves_found

    # --- playing ---

    def after(self, notation: str) -> Naive:
        game = pickle.loads(pickle.dumps(self))
        game.play(notation)
        return game

    def play(self, notation: str) -> None:
        verb, *words = notation.split()
        if verb == "deal":
            self.deal(words[0].split(","))
        elif verb == "first":
            self.first = self.turn = COLORS.index(words[0])
            self.phase = "place"
        elif verb == "place":
            self.place(*words)
        elif verb == "turn-up":
            self.reveal()
        else:
            self.dance(verb, words, notation)

    def deal(self, muses: list[str]) -> None:
        size = {2: 4, 3: 3, 4: 2}[self.seats]
        for seat in range(self.seats):
            self.hands[seat] = muses[seat * size : (seat + 1) * size]
        for muse in muses[size * self.seats :]:
            down = self.seats == 2 or self.options["neutral_face_4p"] == "down"
            self.lay("hiddenN" if down else muse, muse, 0, 0, "neutral")
        self.phase = "roll" if self.first is None else "place"
        self.turn = self.first or 0

    def lay(self, name: str, muse: str, x: int, y: int, color: Any) -> None:
        self.tiles.append({"name": name, "muse": muse, "x": x, "y": y, "die": 1, "color": color})

    def place(self, muse: str, cell: str, face: str) -> None:
        x, y = "abcdefghijklmnopqrstuvwxyz".index(cell[0]) - 12, int(cell[1:]) - 13
        self.hands[self.turn].remove(muse)
        self.lay(f"hidden{self.turn}" if face == "down" else muse, muse, x, y, self.turn % self.companies)
        self.hid[self.turn] |= face == "down"
        self.turn = (self.turn + 1) % self.seats
        if not any(self.hands):
            self.phase = "dance"
            self.turn = self.first or 0

    def dance(self, verb: str, words: list[str], notation: str) -> None:
        if verb != "done":
            self.acting = words[0]
        if verb == "step":
            self.shift(*words)
            for tile in self.pushed:
                tile["die"] += 1
            self.moved = True
        elif verb == "power":
            self.grant(notation)
            self.used = True
        if any(tile["die"] == 6 for tile in self.tiles):
            self.phase = "reveal"
        elif verb == "done" or (self.moved and (self.used or not self.powers(self.tile(self.acting)))):
            self.dance_turns += 1
            self.turn = (self.turn + 1) % self.seats
            self.start_turn()
            if self.dance_turns == 200:
                self.phase = "reveal"

    def shift(self, name: str, way: str) -> None:
        dx, dy = {**STEPS, **SLIDES}[way]
        tile = self.tile(name)
        self.pushed = [tile]
        x, y = tile["x"] + dx, tile["y"] + dy
        while not self.empty(x, y):
            self.pushed.append(next(t for t in self.tiles if (t["x"], t["y"]) == (x, y)))
            x, y = x + dx, y + dy
        for tile in self.pushed:
            tile["x"] += dx
            tile["y"] += dy

    def grant(self, notation: str) -> None:
        _, name, *rest = notation.split()
        words = rest[0].split(",") if rest else []
        me, muse = self.tile(name), name
        if name == "polyhymnia":
            muse = words.pop(0)
        targets = [self.tile(word) for word in words if any(t["name"] == word for t in self.tiles)]
        if muse == "calliope":
            targets[0]["die"] += 1
        elif muse == "clio":
            targets[0]["die"] -= 1
        elif muse == "melpomene":
            me["die"] -= 1
        elif muse == "euterpe":
            targets[0]["die"] = me["die"]
        elif muse == "erato":
            self.swap(me, targets[0], "die", "color")
        elif muse == "thalia":
            self.swap(targets[0], targets[1], "die", "color")
        elif muse == "terpsichore":
            self.swap(me, targets[0], "x", "y")
        else:
            column, row = words[1][0], int(words[1][1:])
            targets[0].update(x="abcdefghijklmnopqrstuvwxyz".index(column) - 12, y=row - 13)

    def swap(self, one: Tile, other: Tile, *what: str) -> None:
        for key in what:
            one[key], other[key] = other[key], one[key]

    def reveal(self) -> None:
        for tile in self.tiles:
            if tile["die"] == SUNS[tile["muse"]]:
                tile["die"] = 6
        dice = [sorted((t["die"] for t in self.tiles if t["color"] == c), reverse=True) for c in range(self.companies)]
        self.sums = [sum(values) for values in dice]
        size = 2 if self.options["hands"] > 1 and self.hand_number == self.options["hands"] and sum(self.bonus) else 1
        for rank in range(len(dice[0])):
            best = max(values[rank] for values in dice)
            holders = [c for c in range(self.companies) if dice[c][rank] == best]
            if len(holders) == 1:
                self.points[holders[0]] += 1 + size
                self.bonus[holders[0]] += size
                size = 0
        if self.hand_number == self.options["hands"]:
            self.over = "hands"
        elif self.options["target"] and max(self.points) >= self.options["target"]:
            self.over = "target"
        else:
            self.hand_number += 1
            self.first = ((self.first or 0) + 1) % self.seats
            self.new_hand()

    def scores(self) -> tuple[int, ...]:
        """Points of every seat's company."""
        return tuple(self.points[seat % self.companies] for seat in range(self.seats))

    def winners(self) -> tuple[int, ...]:
        """The seats that share the win."""
        keys = list(zip(self.points, self.bonus, self.sums, strict=True))
        return tuple(seat for seat in range(self.seats) if keys[seat % self.companies] == max(keys))

    def result(self) -> dict[str, object]:
        return {"reason": self.over, "scores": self.scores(), "winners": self.winners()}


def _rank(name: str) -> int:
    return [*MUSES, "hidden0", "hidden1", "hidden2", "hidden3", "hiddenN"].index(name)
