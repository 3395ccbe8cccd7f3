"""Ali Baba's Gangs once more: bandits in the naive town, straight from the written rules."""

from __future__ import annotations

from typing import Any

from tests.perft.walled_town import LUCK, MARKS, NAMES, WalledTown

SEEDS = 4
OPTION_SETS: list[dict[str, Any]] = [{}, {"second_window": False}, {"trading": True}, {"sell_to_bank": True}]
VALUE = {"Y": 20, "G": 40, "B": 80, "R": 160}
PRICE = {"Y": [0, 5, 10, 15], "G": [0, 10, 20, 30], "B": [0, 20, 40, 60], "R": [0, 40, 80, 120]}
SEATS = ["red", "blue", "yellow", "green", "purple", "white"]


class Naive(WalledTown):
    """Bandits to hire, to bring back, and to lose."""

    def __init__(
        self, seats: int, *, second_window: bool = True, trading: bool = False, sell_to_bank: bool = False
    ) -> None:
        WalledTown.__init__(self, seats, [2500] * seats)
        self.second, self.trading, self.selling = second_window, trading, sell_to_bank
        self.bottom: dict[str, list[str]] = {color: [] for color in "YGBR"}
        self.drawn = ""
        self.order: list[int] = []
        self.left = 0
        self.free = False
        self.line = 0
        self.offers = 0
        self.returned = False
        self.offer: list[str] = []

    # --- legal moves ---

    def ask_walk(self) -> tuple[int, list[str]]:
        kinds = [kind for kind in MARKS if self.selling and kind in self.own[self.p]]
        return self.p, self.walks() + [f"sell {kind}" for kind in kinds]

    def ask_draw(self) -> tuple[int, list[str]]:
        return LUCK, [f"appear {kind}" for kind in dict.fromkeys(self.deck[self.drawn])]

    def ask_take(self) -> tuple[int, list[str]]:
        return self.p, [f"take {NAMES[c]}" for c in self.affordable()] + ["stop"]

    def ask_window(self) -> tuple[int, list[str]]:
        q = self.order[0]
        kinds = [kind for kind in MARKS if kind in self.danger(q)]
        results = [f"return {kind}" for kind in kinds] if self.money[q] >= 20 else []
        if self.trading and self.offers < 2 and not self.returned:
            results += [f"offer {kind}" for kind in kinds]
        return q, [*results, "done"]

    def ask_to(self) -> tuple[int, list[str]]:
        return self.order[0], [f"to {SEATS[q]}" for q in range(self.seats) if q != self.order[0]]

    def ask_price(self) -> tuple[int, list[str]]:
        q, other = self.order[0], SEATS.index(self.offer[1])
        prices = [x for x in range(-1000, 1001, 10) if -x <= self.money[q] and x <= self.money[other]]
        return q, [f"price {x}" for x in prices]

    def ask_answer(self) -> tuple[int, list[str]]:
        may_counter = self.offers < 2 and self.lower()
        return SEATS.index(self.offer[1]), ["accept", "decline"] + ["counteroffer"] * bool(may_counter)

    def lower(self) -> list[int]:
        return [x for x in range(-1000, int(self.offer[2]), 10) if -x <= self.money[self.order[0]]]

    def ask_counter(self) -> tuple[int, list[str]]:
        return SEATS.index(self.offer[1]), [f"price {x}" for x in self.lower()]

    def ask_black(self) -> tuple[int, list[str]]:
        return LUCK, [f"black {n}" for n in range(1, 7)]

    def ask_white(self) -> tuple[int, list[str]]:
        return LUCK, [f"white {n}" for n in range(1, 7)]

    # --- doing it ---

    def do_deal(self, cards: str) -> None:
        self.fill_hands(cards)
        self.asks = "walk"

    def do_play(self, card: str, route: str = "") -> None:
        self.walk(card, route)
        self.resolve(self.space)

    def resolve(self, space: str) -> None:
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
        self.money[self.p] -= 0 if self.free else PRICE[color][self.step // 13]
        if self.deck[color]:
            self.drawn, self.asks = color, "draw"
        else:
            self.own[self.p].append(self.bottom[color].pop(0))
            self.next_take()

    def do_appear(self, kind: str) -> None:
        self.deck[kind[0]].remove(kind)
        self.own[self.p].append(kind)
        self.next_take()

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
        if self.asks == "counter":
            self.next_window()
        else:
            self.offer.append(x)
            self.asks = "answer"

    def do_counteroffer(self) -> None:
        self.asks = "counter"

    def do_decline(self) -> None:
        self.next_window()

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

    def end_turn(self) -> None:
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
