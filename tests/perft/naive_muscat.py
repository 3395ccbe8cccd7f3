"""Muscat once more, deliberately naive: a list of tokens with the place of each, straight from the rules.

It shares nothing with the engine but the notation. It is slow and only counts; where the two differ, one is wrong.
"""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

KINDS = "PSEF"
LUCK = -1
SEEDS = 2
OPTION_SETS: list[dict[str, Any]] = [
    {},
    {"start_player": 2},
    {"start_placement": "fixed"},
    {"blocked_second": "share"},
    {"exhaustion_end": "no_action"},
    {"exhaustion_end": "at_once"},
    {"cycle_needs_own_token": True},
]

Token = list[Any]
"""Seat, kind and place; a place is a market (`2B`), `street 2`, `palace`, `pile`, `shown`, `hand`, `air` or `out`."""


class Naive:
    """A game, changed by `play`."""

    def __init__(self, seats: int, **options: Any) -> None:
        self.seats = seats
        self.options = {
            "start_player": 0,
            "start_placement": "choose",
            "blocked_second": "jump",
            "exhaustion_end": "place_or_reemploy",
            "cycle_needs_own_token": False,
            **options,
        }
        self.tokens: list[Token] = [[s, k, "pile"] for s in range(seats) for k in KINDS for _ in range(4)]
        self.letters = "ABCDE"[:seats]
        self.turns = 0
        self.last_round = False
        self.over = ""
        self.entered = ""
        order = [(self.options["start_player"] + n) % seats for n in range(seats)]
        self.todo: list[tuple[Any, ...]] = [("start draw", seat) for seat in reversed(order)]
        self.todo += [("face up", seat) for seat in reversed(order)]

    # --- looking ---

    @property
    def player(self) -> int:
        return int(self.options["start_player"] + self.turns) % self.seats

    def at(self, place: str, seat: int | None = None) -> list[Token]:
        return [t for t in self.tokens if t[2] == place and seat in (None, t[0])]

    def kinds(self, place: str, seat: int | None = None) -> list[str]:
        return [kind for _, kind, _ in self.at(place, seat)]

    def fits(self, kind: str, market: str) -> bool:
        there = self.kinds(market)
        return kind not in there and len(there) <= 2

    def level(self, number: int) -> list[str]:
        return [f"{number}{letter}" for letter in self.letters]

    def ranked(self, market: str) -> list[Token]:
        (missing,) = set(KINDS) - set(self.kinds(market))
        clockwise = [KINDS[(KINDS.index(missing) + step) % 4] for step in (1, 2, 3)]
        return sorted(self.at(market), key=lambda token: clockwise.index(token[1]))

    def idle(self, seat: int) -> list[tuple[int, str]]:
        return [(street, kind) for street in (1, 2, 3, 4) for kind in self.kinds(f"street {street}", seat)]

    def room_above(self, token: Token, market: str) -> list[str]:
        for number in range(int(market[0]) + 1, 5):
            room = [other for other in self.level(number) if self.fits(token[1], other)]
            others = [other for other in room if other != self.entered]
            if others:
                return others
            if room and self.options["blocked_second"] == "share":
                return room
        return []

    # --- legal moves ---

    def moves(self) -> tuple[int, list[str]]:
        """The seat that is due (`LUCK` for luck, none when the game is over) and every answer."""
        if self.over:
            return LUCK, []
        if not self.todo:
            return self.player, self.turn_moves()
        what, *details = self.todo[-1]
        if what in ("face up", "start draw", "draw"):
            return LUCK, [f"turn-up {kind}" for kind in sorted(set(self.kinds("pile", details[0])))]
        if what == "start place":
            return details[0], [f"place {m[1]}" for m in self.level(1) if not self.at(m)]
        if what == "place":
            return details[0], self.placings(self.kinds("hand")[0])
        if what == "rise":
            token = self.tokens[details[0]]
            return token[0], [f"rise {market}" for market in self.room_above(token, details[1])]
        if what == "pick":
            return self.player, [f"pick {market}" for market in details]
        return self.player, sorted({f"remove {kind} {street}" for street, kind in self.idle(self.player)})

    def placings(self, kind: str) -> list[str]:
        return [f"place {m[1]}" for m in self.level(1) if self.fits(kind, m)] or ["place street"]

    def turn_moves(self) -> list[str]:
        me, moves = self.player, []
        for kind in self.kinds("shown", me):
            moves += self.placings(kind)
        if self.at("pile", me):
            moves.append("draw")
        moves += self.reemployments(me)
        idle = self.idle(me)
        for number in (1, 2, 3, 4):
            for market in self.level(number):
                moves += self.market_moves(market, idle)
        return sorted(set(moves))

    def reemployments(self, seat: int) -> list[str]:
        idle = self.idle(seat)
        return [f"reemploy {kind} {m}" for street, kind in idle for m in self.level(street) if self.fits(kind, m)]

    def market_moves(self, market: str, idle: list[tuple[int, str]]) -> list[str]:
        me, moves, here = self.player, [], self.at(market)
        mine = [kind for seat, kind, _ in here if seat == me]
        full = len(here) == 3
        if full and (mine or not self.options["cycle_needs_own_token"]):
            moves.append(f"cycle {market}")
        if full and self.ranked(market)[2][0] == me:
            (missing,) = set(KINDS) - set(self.kinds(market))
            moves += [f"transform {market} {street}" for street, kind in idle if kind == missing]
        for other in self.level(int(market[0])) if mine and idle else ():
            if other == market:
                continue
            there = self.kinds(other)
            rivals = [kind for seat, kind, _ in self.at(other) if seat != me]
            if len(there) == 2:
                moves += [f"change {kind} {market} {other}" for kind in mine if kind not in there]
            if full or len(there) == 3:
                moves += [f"expel {kind} {market} {other}" for kind in mine if kind in rivals]
        return moves

    # --- doing it ---

    def after(self, notation: str) -> Naive:
        """A copy in which this has been done."""
        game = copy.copy(self)
        game.tokens = [list(token) for token in self.tokens]
        game.todo = list(self.todo)
        game.play(notation)
        return game

    def play(self, notation: str) -> None:
        verb, *words = notation.split()
        if not self.todo:
            self.take_turn(verb, words)
        else:
            self.answer(self.todo.pop(), words)
        while self.todo and self.todo[-1][0] == "rise" and not self.moves()[1]:
            self.tokens[self.todo.pop()[1]][2] = "palace"
        if not self.todo and not self.over:
            self.end_turn()

    def answer(self, question: tuple[Any, ...], words: list[str]) -> None:
        what, *details = question
        if what in ("face up", "start draw", "draw"):
            self.turn_up(what, details[0], words[0])
        elif what in ("start place", "place"):
            self.move(self.at("hand")[0], words[0])
            self.turns += what == "start place" and bool(self.todo)
        elif what == "rise":
            self.tokens[details[0]][2] = self.entered = words[0]
        elif what == "pick":
            self.run(words[0])
        else:
            self.idler(words[0], words[1])[2] = "out"

    def turn_up(self, what: str, seat: int, kind: str) -> None:
        token = next(t for t in self.at("pile", seat) if t[1] == kind)
        if what == "face up":
            token[2] = "shown"
        elif what == "start draw" and self.options["start_placement"] == "fixed":
            self.move(token, self.letters[self.turns])
            self.turns += bool(self.todo)
        elif what == "draw" and self.placings(kind) == ["place street"]:
            self.move(token, "street")
        else:
            token[2] = "hand"
            self.todo.append(("start place" if what == "start draw" else "place", seat))

    def move(self, token: Token, letter: str) -> None:
        token[2] = "street 1" if letter == "street" else f"1{letter}"

    def idler(self, kind: str, street: str | int) -> Token:
        return next(t for t in self.at(f"street {street}", self.player) if t[1] == kind)

    def take_turn(self, verb: str, words: list[str]) -> None:
        me = self.player
        if verb == "place":
            self.move(self.at("shown", me)[0], words[0])
            if self.at("pile", me):
                self.todo.append(("face up", me))
        elif verb == "draw":
            self.todo.append(("draw", me))
        elif verb == "cycle":
            self.run(words[0])
        elif verb == "reemploy":
            self.idler(words[0], words[1][0])[2] = words[1]
        elif verb == "transform":
            self.transform(*words)
        else:
            self.todo.append(("remove",))
            self.swap(verb, *words)

    def transform(self, market: str, street: str) -> None:
        (missing,) = set(KINDS) - set(self.kinds(market))
        self.ranked(market)[2][2] = "out"
        self.idler(missing, street)[2] = market
        self.run(market)

    def swap(self, verb: str, kind: str, origin: str, target: str) -> None:
        mine = next(t for t in self.at(origin, self.player) if t[1] == kind)
        for rival in [t for t in self.at(target) if t[1] == kind]:
            rival[2] = origin
        mine[2] = target
        full = [market for market in (origin, target) if len(self.at(market)) == 3]
        if verb == "change" or len(full) == 1:
            self.run(target if verb == "change" else full[0])
        else:
            self.todo.append(("pick", origin, target))

    def run(self, market: str) -> None:
        self.entered = ""
        strongest, second, weakest = self.ranked(market)
        weakest[2] = f"street {market[0]}"
        for token in (second, strongest):
            token[2] = "air"
            number = next(n for n, other in enumerate(self.tokens) if other is token)
            self.todo.append(("rise", number, market))

    def end_turn(self) -> None:
        limit = 6 if self.seats == 3 else 8
        self.last_round = self.last_round or len(self.at("palace")) >= limit
        if self.last_round and self.turns % self.seats == self.seats - 1:
            self.over = "palace"
            return
        at_once = self.options["exhaustion_end"] == "at_once" and not all(map(self.can_go_on, range(self.seats)))
        self.turns += 1
        if self.options["exhaustion_end"] == "no_action":
            self.over = "" if self.turn_moves() else "no-action"
        elif at_once or not self.can_go_on(self.player):
            self.over = "exhaustion"

    def can_go_on(self, seat: int) -> bool:
        return bool(self.at("shown", seat) or self.at("pile", seat) or self.reemployments(seat))

    def scores(self) -> tuple[int, ...]:
        """Points of every seat."""
        points: Counter[int] = Counter()
        for seat, _, place in self.tokens:
            if place == "palace":
                points[seat] += 10
            elif place.startswith("street"):
                points[seat] -= int(place[-1])
            elif place[0].isdigit():
                points[seat] += 2 * int(place[0])
        return tuple(points[seat] for seat in range(self.seats))

    def result(self) -> dict[str, object]:
        return {"reason": self.over, "scores": self.scores()}
