"""Ali Baba once more, deliberately naive: words in lists and dictionaries, straight from the written rules.

It shares nothing with the engine but the notation. It is slow and only counts; where the two differ, one is wrong.
"""

from __future__ import annotations

import copy
from typing import Any

LUCK = -1
SEEDS = 4
CHOSEN: list[dict[str, Any]] = [
    {},
    {"cave_graffiti": True},
    {"multi_deck": "total"},
    {"mode": "gangs"},
    {"mode": "gangs", "second_window": False},
    {"mode": "gangs", "trading": True},
    {"mode": "gangs", "sell_to_bank": True},
]
HANDS = {2: [12] * 2, 3: [8] * 3, 4: [6] * 4, 5: [5, 5, 5, 5, 4], 6: [4] * 6}
TREASURE = [0, 1, 3, 6, 10, 15, 21, 28, 35, 43, 52, 62, 73]
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
VALUE = {"Y": 20, "G": 40, "B": 80, "R": 160}
PRICE = {"Y": [0, 5, 10, 15], "G": [0, 10, 20, 30], "B": [0, 20, 40, 60], "R": [0, 40, 80, 120]}
SEATS = ["red", "blue", "yellow", "green", "purple", "white"]
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


class Naive:
    """A game, changed by `play`. Deals cannot be listed: they are played, but not counted."""

    def __init__(
        self,
        seats: int,
        *,
        mode: str = "cave",
        cave_graffiti: bool = False,
        multi_deck: str = "each",
        second_window: bool = True,
        trading: bool = False,
        sell_to_bank: bool = False,
    ) -> None:
        self.seats, self.mode = seats, mode
        self.graffiti, self.total_deck = cave_graffiti, multi_deck == "total"
        self.second, self.trading, self.selling = second_window, trading, sell_to_bank
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.played: list[int] = []
        self.turn = self.walked = 0
        self.route = "a"
        self.money = [1000 * (seat + 1) if mode == "cave" else 2500 for seat in range(seats)]
        self.stake = [0] * seats
        self.due: list[int | None] = [None] * seats
        self.own: list[list[str]] = [[] for _ in range(seats)]
        self.deck = {color: self.fresh(color) for color in "YGBR"}
        self.bottom: dict[str, list[str]] = {color: [] for color in "YGBR"}
        self.pile: dict[str, list[str]] = {color: [] for color in "YGBR"}
        self.up: list[str] = []
        self.todo: list[str] = []
        self.order: list[int] = []
        self.left = 0
        self.free = False
        self.line = 0
        self.offers = 0
        self.returned = False
        self.deal_: list[str] = []
        self.offer: list[str] = []
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

    def after(self, move: str) -> Naive:
        other = copy.deepcopy(self)
        other.play(move)
        return other

    # --- what may be done ---

    def moves(self) -> tuple[int, list[str]]:
        """Who is asked (`LUCK`, or nobody when the game is over) and every answer; none for a deal."""
        if self.over or self.asks == "deal":
            return LUCK, []
        return getattr(self, f"ask_{self.asks}")()  # type: ignore[no-any-return]

    def ask_stake(self) -> tuple[int, list[str]]:
        rest = 104 - self.walked
        if self.due[self.p] is None:
            return self.p, [f"steal {k}" for k in range(13) if k <= rest]
        still = (self.due[self.p] or 0) - self.turn
        return self.p, [f"extend {k}" for k in range(13) if k == 0 or still + k <= rest]

    def ask_walk(self) -> tuple[int, list[str]]:
        found = []
        for card in sorted(set(self.hands[self.p])):
            target = (self.step + card) % 52
            block = next((block for block in FORKS if target in block), None)
            if block and self.step not in block:
                found += [f"play {card} a", f"play {card} b"]
            else:
                found.append(f"play {card}")
        if self.selling:
            found += [f"sell {kind}" for kind in MARKS if kind in self.own[self.p]]
        return self.p, found

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

    def ask_take(self) -> tuple[int, list[str]]:
        return self.p, [f"take {NAMES[c]}" for c in self.affordable()] + ["stop"]

    def ask_window(self) -> tuple[int, list[str]]:
        q = self.order[0]
        kinds = [kind for kind in MARKS if kind in self.danger(q)]
        found = [f"return {kind}" for kind in kinds] if self.money[q] >= 20 else []
        if self.trading and self.offers < 2 and not self.returned:
            found += [f"offer {kind}" for kind in kinds]
        return q, [*found, "done"]

    def ask_to(self) -> tuple[int, list[str]]:
        return self.order[0], [f"to {SEATS[q]}" for q in range(self.seats) if q != self.order[0]]

    def ask_price(self) -> tuple[int, list[str]]:
        q, other = self.order[0], SEATS.index(self.offer[1])
        prices = [x for x in range(-1000, 1001, 10) if -x <= self.money[q] and x <= self.money[other]]
        return q, [f"price {x}" for x in prices]

    def ask_answer(self) -> tuple[int, list[str]]:
        return SEATS.index(self.offer[1]), ["accept", "decline"]

    def ask_black(self) -> tuple[int, list[str]]:
        return LUCK, [f"black {n}" for n in range(1, 7)]

    def ask_white(self) -> tuple[int, list[str]]:
        return LUCK, [f"white {n}" for n in range(1, 7)]

    # --- doing it ---

    def play(self, move: str) -> None:
        verb, *words = move.split()
        getattr(self, f"do_{verb.replace('-', '_')}")(*words)

    def do_deal(self, cards: str) -> None:
        values = [int(value) for value in cards.split(",")]
        for seat, size in enumerate(HANDS[self.seats]):
            while len(self.hands[seat]) < size:
                self.hands[seat].append(values.pop(0))
        self.played = []
        if self.mode == "gangs":
            self.asks = "walk"
        elif self.walked:
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
        before, start = self.walked, self.step
        self.hands[self.p].remove(int(card))
        self.played.append(int(card))
        self.walked += int(card)
        block = next((block for block in FORKS if self.step in block), ())
        self.route = route or (self.route if start in block else "a")
        if self.mode == "cave" and any(before < mark <= self.walked for mark in (26, 52, 78)):
            self.asks = "deal"
        else:
            self.resolve()

    def resolve(self) -> None:
        space = self.space
        if self.mode == "gangs":
            self.resolve_gangs(space)
        elif space in ("lamp", "alms", "toll", "recruit"):
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
        if self.mode == "gangs":
            self.own[self.p].append(kind)
            self.next_take()
        elif self.todo == ["recruit", kind[0]] or self.todo[:1] == ["recruit"]:
            self.todo = []
            if kind in self.own[self.p]:
                self.pile[kind[0]].append(kind)
            else:
                self.own[self.p].append(kind)
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
        if self.asks == "answer":
            self.next_window()
        else:
            self.order.pop(0)
            self.next_claim()

    def end_turn(self) -> None:
        if self.mode == "gangs":
            self.end_turn_gangs()
            return
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

    # --- gangs ---

    def resolve_gangs(self, space: str) -> None:
        if space == "lamp":
            self.money[self.p] += 100
        if space == "alms":
            self.money[self.p] -= min(100, self.money[self.p])
        if space == "toll":
            self.money = [max(0, m - 10 * len(own)) for m, own in zip(self.money, self.own, strict=True)]
        if space in ("-", "recruit"):
            self.left, self.free = (3, False) if space == "-" else (1, True)
            self.next_take(spent=0)
        elif space in ("start", "lamp", "alms", "toll"):
            self.end_turn()
        else:
            self.line = 0
            self.open_window()

    def affordable(self) -> list[str]:
        quarter = self.step // 13
        return [
            c
            for c in "YGBR"
            if (self.deck[c] or self.bottom[c]) and (self.free or PRICE[c][quarter] <= self.money[self.p])
        ]

    def next_take(self, spent: int = 1) -> None:
        self.left -= spent
        self.asks = "take"
        if not self.left or not self.affordable():
            self.end_turn()

    def do_take(self, name: str) -> None:
        color = name[0].upper()
        if self.mode == "cave":
            if not self.deck[color]:
                self.deck[color], self.pile[color] = sorted(self.pile[color]), []
            self.todo, self.asks = ["recruit"], "recruit_draw"
            self.offer = [color]
            return
        self.money[self.p] -= 0 if self.free else PRICE[color][self.step // 13]
        if self.deck[color]:
            self.todo, self.asks = [color], "draw"
        else:
            self.own[self.p].append(self.bottom[color].pop(0))
            self.next_take()

    def ask_recruit_draw(self) -> tuple[int, list[str]]:
        return LUCK, [f"appear {kind}" for kind in dict.fromkeys(self.deck[self.offer[0]])]

    def do_stop(self) -> None:
        self.end_turn()

    def do_sell(self, kind: str) -> None:
        self.give_back(self.p, kind)
        self.money[self.p] += PRICE[kind[0]][self.step // 13]

    def give_back(self, q: int, kind: str) -> None:
        self.own[q].remove(kind)
        self.bottom[kind[0]].append(kind)

    def danger(self, q: int) -> list[str]:
        def threatened(kind: str) -> bool:
            numbers = range(6 * self.line - 5, 6 * self.line + 1)
            return kind[0] in self.space and (not self.line or any(n in numbers for n in MARKS[kind]))

        return [kind for kind in self.own[q] if threatened(kind)]

    def clockwise(self) -> list[int]:
        return [(self.p + k) % self.seats for k in range(self.seats)]

    def open_window(self) -> None:
        self.order = [-1, *self.clockwise()]
        self.do_done()

    def do_done(self) -> None:
        self.order.pop(0)
        self.offers, self.returned = 0, False
        self.next_window()

    def next_window(self) -> None:
        self.asks = "window"
        while self.order:
            q = self.order[0]
            may_offer = self.trading and self.offers < 2 and not self.returned
            if self.danger(q) and (self.money[q] >= 20 or may_offer):
                return
            self.order.pop(0)
            self.offers, self.returned = 0, False
        self.close_window()

    def close_window(self) -> None:
        if any(self.danger(q) for q in range(self.seats)):
            self.asks = "white" if self.line else "black"
        else:
            if self.line:
                self.raid(0)
            self.end_turn()

    def do_return(self, kind: str) -> None:
        self.give_back(self.order[0], kind)
        self.money[self.order[0]] -= 20
        self.returned = True
        self.next_window()

    def do_offer(self, kind: str) -> None:
        self.offers += 1
        self.offer, self.asks = [kind], "to"

    def do_to(self, name: str) -> None:
        self.offer.append(name)
        self.asks = "price"

    def do_price(self, x: str) -> None:
        self.offer.append(x)
        self.asks = "answer"

    def do_accept(self) -> None:
        kind, name, x = self.offer
        self.own[self.order[0]].remove(kind)
        self.own[SEATS.index(name)].append(kind)
        self.money[self.order[0]] += int(x)
        self.money[SEATS.index(name)] -= int(x)
        self.next_window()

    def do_black(self, pips: str) -> None:
        self.line = int(pips)
        if self.second:
            self.open_window()
        else:
            self.close_window()

    def do_white(self, pips: str) -> None:
        self.raid(6 * self.line - 6 + int(pips))
        self.end_turn()

    def raid(self, number: int) -> None:
        for q in self.clockwise():
            mine = [kind for kind in MARKS for _ in range(self.own[q].count(kind)) if kind[0] in self.space]
            times = {kind: 2 if mine.count(kind) == 4 else 1 for kind in mine}
            caught = [kind for kind in mine if number in MARKS[kind]]
            self.money[q] += sum(VALUE[kind[0]] * times[kind] for kind in mine if number not in MARKS[kind])
            fine = sum(3 * VALUE[kind[0]] * times[kind] for kind in caught)
            self.money[q] -= min(fine, self.money[q])
            for kind in caught:
                self.give_back(q, kind)

    def end_turn_gangs(self) -> None:
        self.turn += 1
        self.asks = "walk"
        if any(self.hands):
            return
        for q, own in enumerate(self.own):
            self.money[q] += sum(VALUE[kind[0]] * (2 if own.count(kind) == 4 else 1) for kind in own)
        self.own = [[] for _ in range(self.seats)]
        self.deck = {color: self.fresh(color) for color in "YGBR"}
        self.bottom = {color: [] for color in "YGBR"}
        self.turn, self.asks = 0, "deal"
        self.over = "laps" if self.walked == 104 else ""

    def result(self) -> dict[str, object]:
        return {"reason": self.over, "scores": tuple(self.money)}
