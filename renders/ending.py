"""The end of a match, to be shown around: places, crown, final scores and how they came about, and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core import Outcome, State, View
from engine.texts import Seat, number
from engine.wording import say
from renders.canvas import Canvas
from renders.house import draw_badge, draw_panel
from renders.lettering import FINAL, LABEL, PLACE, SMALL, WINNER, width, wrap
from renders.persons import draw_person, length_of
from renders.sprites import Sprite, cached, sprite
from renders.theme import GOLD, INK, IVORY, Theme

LINE, FOOT = 31, 14
"""Height of a line of words, and of what is left free below the last row."""
INDENT = 168
ABOVE = 46
"""Free around the reason: the first crown rises into it."""
BADGE_R = 32
GAP = 18
"""Between what a seat is called and who plays it."""

Names = tuple[Sequence[str], Sequence[str]]
"""What the seats are called, and who plays them."""


@dataclass(frozen=True, slots=True)
class Head:
    """The first lines of a row: their height, and from its top the middles of badge, seat and person, in px."""

    height: int
    middle: int
    seat: int
    person: int


BESIDE, BELOW = Head(86, 40, 40, 40), Head(90, 42, 22, 57)
"""A person beside the seat, or below it where the names take too much room for one line."""


@dataclass(frozen=True, slots=True)
class Rank:
    """A row: the number of the place, the badge, whose it is, and the final score with how it came about.

    Team mates who wear the same badge share a row.
    """

    place: int
    badge: int | None
    seats: tuple[Seat, ...]
    score: int
    account: str


def places(view: View[State], outcome: Outcome, labels: Sequence[str], badges: Sequence[int | None]) -> list[Rank]:
    """The best first; who is equal shares a place."""
    merits = list(zip(outcome.returns, outcome.scores, strict=True))
    found: dict[object, Rank] = {}
    # Team mates wear the same badge; a seat without one is on its own.
    companies: list[object] = [(seat,) if badge is None else badge for seat, badge in enumerate(badges)]
    # Sorting in reverse keeps equals in the order of their seats.
    for seat in sorted(map(Seat, range(len(merits))), key=lambda seat: merits[seat], reverse=True):
        mates = found.get(companies[seat])
        # Counted by companies: team mates who are ahead are one place.
        better = {companies[other] for other in range(len(merits)) if merits[other] > merits[seat]}
        account = view.state.account(seat)
        account_text = say(account, labels) if account else ""
        seats = (*(mates.seats if mates else ()), seat)
        # A key that is known keeps its place, so mates join the row of the best of them.
        found[companies[seat]] = Rank(1 + len(better), badges[seat], seats, outcome.scores[seat], account_text)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Card:
    """Where a game has room for it: left and right edge, and its lower edge, in px."""

    left: int
    right: int
    bottom: int


def draw_ending(
    canvas: Canvas,
    view: View[State],
    names: Names,
    badges: Sequence[int | None],
    card: Card,
    theme: Theme,
) -> None:
    """The card over the last position. Nothing before."""
    if view.outcome is None:
        return
    labels, _ = names
    rows = places(view, view.outcome, labels, badges)
    reason = wrap(str(view.outcome.told), LABEL, card.right - card.left - 60)
    accounts = [wrap(row.account, SMALL, card.right - card.left - INDENT - 24) for row in rows]
    # All rows get the same head, or their scores would not line up.
    head = BESIDE if all(_fits_beside(row, names, card) for row in rows) else BELOW
    pitch = head.height + LINE * max(map(len, accounts))
    # From the lower edge up: the card grows with its text.
    top = card.bottom - FOOT - pitch * len(rows) - LINE * len(reason) - ABOVE
    draw_panel(canvas, (card.left, top, card.right, card.bottom), theme, golden=True)
    for n, words in enumerate(reason):
        canvas.text((card.left + card.right) / 2, top + 36 + LINE * n, words, LABEL, GOLD, "middle")
    for n, (row, lines) in enumerate(zip(rows, accounts, strict=True)):
        y = top + ABOVE + LINE * len(reason) + pitch * n
        _draw_row(canvas, row, names, card, y, head, theme)
        for k, words in enumerate(lines):
            canvas.text(card.left + INDENT, y + head.height + LINE * k, words, SMALL, theme.muted)


def _draw_row(canvas: Canvas, row: Rank, names: Names, card: Card, top: float, head: Head, theme: Theme) -> None:
    middle = top + head.middle
    canvas.text(card.left + 44, middle, str(row.place), PLACE, IVORY if row.place == 1 else theme.muted, "middle")
    if row.badge is not None:
        draw_badge(canvas, row.badge, card.left + 112, middle, BADGE_R)
    if row.place == 1:
        canvas.put(crown(), card.left + 112, middle - BADGE_R - 4)
    canvas.text(card.right - 24, middle, number(row.score), FINAL, align="right")
    left, room = card.left + INDENT, _room(row, card)
    taken = canvas.text(left, top + head.seat, _called(row, names), WINNER, room=room) + GAP
    aside = taken if head is BESIDE else 0
    draw_person(canvas, left + aside, top + head.person, _played_by(row, names), room - aside, theme.muted)


def _fits_beside(row: Rank, names: Names, card: Card) -> bool:
    """Whether the whole names of its people have room beside what the seat is called."""
    person = length_of(_played_by(row, names))
    return not person or width(_called(row, names), WINNER) + GAP + person <= _room(row, card)


def _room(row: Rank, card: Card) -> float:
    """What names have between the badge and the score."""
    return card.right - card.left - INDENT - 48 - width(number(row.score), FINAL)


def _called(row: Rank, names: Names) -> str:
    return " & ".join(names[0][seat] for seat in row.seats)


def _played_by(row: Rank, names: Names) -> str:
    return " & ".join(names[1][seat] for seat in row.seats if names[1] and names[1][seat])


@cached
def crown() -> Sprite:
    """On the badge of the winner, drawn around the middle of its foot."""
    path = "M-26 6L-30 -20L-14 -8L0 -28L14 -8L30 -20L26 6Z"
    pearls = "".join(f'<circle cx="{x}" cy="{y}" r="4" fill="{IVORY}"/>' for x, y in ((-30, -21), (0, -29), (30, -21)))
    body = f'<path d="{path}" fill="{GOLD}" stroke="{INK}" stroke-width="4" stroke-linejoin="round"/>{pearls}'
    return sprite(body, -38, -36, 38, 12)
