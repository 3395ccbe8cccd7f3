"""Ali Baba once more: the cave in the naive town, straight from the written rules."""

from __future__ import annotations

from typing import Any

from tests.perft.walled_town import LUCK, MARKS, NAMES, WalledTown

SEEDS = 4
OPTION_SETS: list[dict[str, Any]] = [{}, {"cave_graffiti": True}, {"multi_deck": "total"}]
TREASURE = [0, 1, 3, 6, 10, 15, 21, 28, 35, 43, 52, 62, 73]


class Naive(WalledTown):
    """Stakes in the cave, and thieves in the street."""

    def __init__(self, seats: int, *, cave_graffiti: bool = False, multi_deck: str = "each") -> None:
        WalledTown.__init__(self, seats, [1000 * (seat + 1) for seat in range(seats)])
        self.graffiti, self.total_deck = cave_graffiti, multi_deck == "total"
        self.stake = [0] * seats
        self.due: list[int | None] = [None] * seats
        self.pile: dict[str, list[str]] = {color: [] for color in "YGBR"}
        self.up: list[str] = []
        self.todo: list[str] = []
        self.order: list[int] = []
        self.recruits = ""

    # --- legal moves ---

    def ask_stake(self) -> tuple[int, list[str]]:
        rest = 104 - self.walked
        if self.due[self.p] is None:
            return self.p, [f"steal {k}" for k in range(13) if k <= rest]
        still = (self.due[self.p] or 0) - self.turn
        return self.p, [f"extend {k}" for k in range(13) if k == 0 or still + k <= rest]

    def ask_walk(self) -> tuple[int, list[str]]:
        return self.p, self.walks()

    def ask_turn_up(self) -> tuple[int, list[str]]:
        if self.total_deck and len(self.space) == 2:
            there = [bool(self.deck[c] or self.pile[c]) for c in self.space]
            pairs = [(a, b) for a in range(4) for b in range(4) if 1 <= a + b <= 3]
            return self.p, [f"turn-up {a} {b}" for a, b in pairs if (a and there[0]) or (b and there[1])]
        return self.p, ["turn-up 1", "turn-up 2", "turn-up 3"]

    def ask_draw(self) -> tuple[int, list[str]]:
        return LUCK, [f"appear {kind}" for kind in dict.fromkeys(self.deck[self.todo[0]])]

    def ask_roll(self) -> tuple[int, list[str]]:
        return LUCK, [f"roll {black} {white}" for black in range(1, 7) for white in range(1, 7)]

    def ask_claim(self) -> tuple[int, list[str]]:
        new = [kind for kind in MARKS if kind in self.up and kind not in self.own[self.order[0]]]
        return self.order[0], [f"claim {kind}" for kind in new] + ["decline"]

    def ask_recruit(self) -> tuple[int, list[str]]:
        return self.p, [f"take {NAMES[c]}" for c in "YGBR" if self.deck[c] or self.pile[c]] + ["stop"]

    def ask_recruit_draw(self) -> tuple[int, list[str]]:
        return LUCK, [f"appear {kind}" for kind in dict.fromkeys(self.deck[self.recruits])]

    # --- doing it ---

    def do_deal(self, cards: str) -> None:
        self.fill_hands(cards)
        if self.walked:
            self.resolve()
        else:
            self.asks = "stake"

    def do_steal(self, k: str) -> None:
        if int(k):
            self.stake[self.p], self.due[self.p] = 1000 * TREASURE[int(k)], self.turn + int(k)
        self.asks = "walk"

    def do_extend(self, k: str) -> None:
        self.stake[self.p] += 1000 * TREASURE[int(k)]
        self.due[self.p] = (self.due[self.p] or 0) + int(k)
        self.asks = "walk"

    def do_play(self, card: str, route: str = "") -> None:
        before = self.walked
        self.walk(card, route)
        if any(before < mark <= self.walked for mark in (26, 52, 78)):
            self.asks = "deal"
        else:
            self.resolve()

    def resolve(self) -> None:
        space = self.space
        if space in ("lamp", "alms", "toll", "recruit"):
            self.resolve_writing(space)
        elif space not in ("-", "start") and any(due is not None for due in self.due):
            self.asks = "turn_up"
            if not any(self.deck[c] or self.pile[c] for c in space):
                self.end_turn()
        else:
            self.end_turn()

    def resolve_writing(self, space: str) -> None:
        if self.graffiti and space == "lamp":
            self.money[self.p] += 1000
        if self.graffiti and space == "alms":
            self.money[self.p] -= min(1000, self.money[self.p])
        if self.graffiti and space == "toll":
            self.stake = [max(0, stake - 1000) for stake in self.stake]
        if self.graffiti and space == "recruit" and any(self.deck[c] or self.pile[c] for c in "YGBR"):
            self.asks = "recruit"
        else:
            self.end_turn()

    def do_turn_up(self, first: str, second: str = "") -> None:
        numbers = [int(first), int(second or first)]
        self.todo = [c for c, n in zip(self.space, numbers, strict=False) for _ in range(n)]
        self.next_draw()

    def next_draw(self) -> None:
        while self.todo:
            color = self.todo[0]
            if not self.deck[color]:
                self.deck[color], self.pile[color] = sorted(self.pile[color]), []
            if self.deck[color]:
                self.asks = "draw"
                return
            self.todo = [c for c in self.todo if c != color]
        self.asks = "roll"

    def do_appear(self, kind: str) -> None:
        self.deck[kind[0]].remove(kind)
        if self.recruits:
            self.recruits = ""
            (self.pile[kind[0]] if kind in self.own[self.p] else self.own[self.p]).append(kind)
            self.end_turn()
        else:
            self.up.append(kind)
            self.todo.pop(0)
            self.next_draw()

    def do_roll(self, black: str, white: str) -> None:
        number = 6 * (int(black) - 1) + int(white)
        hits = {kind for kind in self.up if number in MARKS[kind]}
        lost = {}
        for q in range(self.seats):
            if self.due[q] is not None and hits - set(self.own[q]):
                paid = min(1000, self.money[q])
                lost[q] = self.stake[q] + paid
                self.money[q] -= paid
                self.stake[q], self.due[q] = 0, None
        left_of_p = [(self.p + k) % self.seats for k in range(1, self.seats + 1)]
        self.order = sorted(lost, key=lambda q: (-lost[q], left_of_p.index(q)))
        self.next_claim()

    def next_claim(self) -> None:
        self.asks = "claim"
        while self.order and not set(self.up) - set(self.own[self.order[0]]):
            self.order.pop(0)
        if not self.order:
            self.end_turn()

    def do_claim(self, kind: str) -> None:
        self.up.remove(kind)
        self.own[self.order.pop(0)].append(kind)
        self.next_claim()

    def do_decline(self) -> None:
        self.order.pop(0)
        self.next_claim()

    def do_take(self, name: str) -> None:
        color = name[0].upper()
        if not self.deck[color]:
            self.deck[color], self.pile[color] = sorted(self.pile[color]), []
        self.recruits, self.asks = color, "recruit_draw"

    def do_stop(self) -> None:
        self.end_turn()

    def end_turn(self) -> None:
        for kind in self.up:
            self.pile[kind[0]].append(kind)
        self.up = []
        for q in range(self.seats):
            if self.due[q] == self.turn:
                self.money[q] += self.stake[q]
                self.stake[q], self.due[q] = 0, None
        self.turn += 1
        self.over = "home" if self.walked >= 104 else ""
        self.asks = "stake"
