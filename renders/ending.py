"""The result card over a finished board: ranking, final scores with their breakdown, and the reason for the end."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import Outcome, State, View
from engine.texts import Seat, number
from engine.values import Value
from engine.wording import say
from renders.canvas import Canvas
from renders.house import draw_badge, draw_panel
from renders.lettering import FINAL, LABEL, PLACE, SMALL, WINNER, width, wrap, wrap_evenly
from renders.persons import draw_person, length_of
from renders.sprites import Sprite, cached, sprite
from renders.theme import GOLD, INK, IVORY, Theme

LINE_H, FOOT_H = 31, 14
"""Height of a text line, and the space below the last row."""
MIN_TOP = 150
"""Highest top edge of a card, below the header with the last action."""
INDENT = 168
REASON_H = 46
"""Space around the reason; the first crown reaches into it."""
CROWN_H = 14
"""Additional space below a reason that ends above the first crown."""
CROWN_X1 = 156
"""Distance from the left edge of the card to the right side of a crown, with a margin."""
BADGE_R = 32
GAP = 18
"""Gap between a seat's label and its player's name."""

Names = tuple[Sequence[str], Sequence[str]]
"""Labels of the seats, and names of their players."""


class Head(Value):
    """The first lines of a row: height, and offsets of badge, label and player from its top, in px."""

    height: int
    middle: int
    seat: int
    person: int


BESIDE, BELOW = Head(86, 40, 40, 40), Head(90, 42, 22, 57)
"""Player's name beside the seat's label, or below it if the two do not fit on one line."""


COMMA_RISE = 8
"""The rise of a score with a comma, in px: a comma would touch the text below."""


class Rank(Value):
    """A row of the ranking: place, badge, seats, and final score with its breakdown.

    Teammates with the same badge share a row.
    """

    place: int
    badge: int | None
    seats: tuple[Seat, ...]
    score: int
    account: str


def places(view: View[State], outcome: Outcome, labels: Sequence[str], badges: Sequence[int | None]) -> list[Rank]:
    """Rank the seats, best first. Equal seats share a place."""
    merits = list(zip(outcome.returns, outcome.scores, strict=True))
    ranks: dict[object, Rank] = {}
    # Teammates wear the same badge; a seat without one is on its own.
    companies: list[object] = [(seat,) if badge is None else badge for seat, badge in enumerate(badges)]
    # A reverse sort keeps equal seats in seat order.
    for seat in sorted(map(Seat, range(len(merits))), key=lambda seat: merits[seat], reverse=True):
        mates = ranks.get(companies[seat])
        # Count companies rather than seats: teammates ahead of a seat take up one place.
        better = {companies[other] for other in range(len(merits)) if merits[other] > merits[seat]}
        account = view.state.account(seat)
        account_text = say(account, labels) if account else ""
        seats = (*(mates.seats if mates else ()), seat)
        # Reassigning an existing key keeps its position, so teammates join the row of the best of them.
        ranks[companies[seat]] = Rank(1 + len(better), badges[seat], seats, outcome.scores[seat], account_text)
    return list(ranks.values())


class Card(Value):
    """Place of the card in a game's pictures: left edge `x0`, right edge `x1` and bottom edge `y1`, in px."""

    x0: int
    x1: int
    y1: int


def draw_ending(
    canvas: Canvas,
    view: View[State],
    names: Names,
    badges: Sequence[int | None],
    card: Card,
    theme: Theme,
) -> None:
    """Draw the card over a finished board; do nothing before the end."""
    if view.outcome is None:
        return
    labels, _ = names
    rows = places(view, view.outcome, labels, badges)
    reason = wrap_evenly(str(view.outcome.summary), LABEL, card.x1 - card.x0 - 60)
    reason_h = REASON_H + LINE_H * len(reason) + CROWN_H * _is_above_crown(reason[-1], card)
    accounts = [wrap(row.account, SMALL, card.x1 - card.x0 - INDENT - 24) for row in rows]
    # All rows use the same layout, so that their scores line up.
    head = BESIDE if all(_fits_beside(row, names, card) for row in rows) else BELOW
    pitch = head.height + LINE_H * max(map(len, accounts))
    # The card grows upward with its text. At the header it stops and extends below `card.y1` instead.
    height = FOOT_H + pitch * len(rows) + reason_h
    top = max(card.y1 - height, MIN_TOP)
    draw_panel(canvas, (card.x0, top, card.x1, top + height), theme, golden=True)
    for n, words in enumerate(reason):
        canvas.text((card.x0 + card.x1) / 2, top + 36 + LINE_H * n, words, LABEL, GOLD, "middle")
    for n, (row, lines) in enumerate(zip(rows, accounts, strict=True)):
        y = top + reason_h + pitch * n
        _draw_row(canvas, row, names, card, y, head, theme)
        for k, words in enumerate(lines):
            canvas.text(card.x0 + INDENT, y + head.height + LINE_H * k, words, SMALL, theme.muted)


def _is_above_crown(words: str, card: Card) -> bool:
    """Whether a centered line begins above the first crown."""
    return (card.x1 - card.x0 - width(words, LABEL)) / 2 < CROWN_X1


def _draw_row(canvas: Canvas, row: Rank, names: Names, card: Card, top: float, head: Head, theme: Theme) -> None:
    middle = top + head.middle
    canvas.text(card.x0 + 44, middle, str(row.place), PLACE, IVORY if row.place == 1 else theme.muted, "middle")
    if row.badge is not None:
        draw_badge(canvas, row.badge, card.x0 + 112, middle, BADGE_R)
    if row.place == 1:
        canvas.put(crown(), card.x0 + 112, middle - BADGE_R - 4)
    score = number(row.score)
    canvas.text(card.x1 - 24, middle - COMMA_RISE * ("," in score), score, FINAL, align="right")
    x, room = card.x0 + INDENT, _room(row, card)
    label_w = canvas.text(x, top + head.seat, _label(row, names), WINNER, room=room) + GAP
    aside = label_w if head is BESIDE else 0
    draw_person(canvas, x + aside, top + head.person, _player_names(row, names), room - aside, theme.muted)


def _fits_beside(row: Rank, names: Names, card: Card) -> bool:
    """Whether the players' full names fit beside the seat's label."""
    person = length_of(_player_names(row, names))
    return not person or width(_label(row, names), WINNER) + GAP + person <= _room(row, card)


def _room(row: Rank, card: Card) -> float:
    """Width available for names between the badge and the score."""
    return card.x1 - card.x0 - INDENT - 48 - width(number(row.score), FINAL)


def _label(row: Rank, names: Names) -> str:
    return " & ".join(names[0][seat] for seat in row.seats)


def _player_names(row: Rank, names: Names) -> str:
    return " & ".join(names[1][seat] for seat in row.seats if names[1] and names[1][seat])


@cached
def crown() -> Sprite:
    """The winner's crown. Its origin is the middle of its lower edge."""
    path = "M-26 6L-30 -20L-14 -8L0 -28L14 -8L30 -20L26 6Z"
    pearls = "".join(f'<circle cx="{x}" cy="{y}" r="4" fill="{IVORY}"/>' for x, y in ((-30, -21), (0, -29), (30, -21)))
    body = f'<path d="{path}" fill="{GOLD}" stroke="{INK}" stroke-width="4" stroke-linejoin="round"/>{pearls}'
    return sprite(body, -38, -36, 38, 12)
