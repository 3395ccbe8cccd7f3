"""Drawing the cave: stakes and their clocks, the thieves turned up last, dice and decks."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.alibaba.state import Cave, Encounter
from engine.texts import Seat, listed
from engine.town.data import Gang
from renders.canvas import Canvas
from renders.games.alibaba.layout import (
    AMOUNT_Y,
    CARDS_TOP,
    COINS_Y,
    NAME_Y,
    RIGHT,
    ROOM,
    card_left,
    card_width,
    deck_center,
)
from renders.games.alibaba.pieces import cave, deck_chip
from renders.house import draw_badge, plate_mark
from renders.lettering import LABEL, NAME, Face, width
from renders.theme import INK
from renders.town.layout import CARD_H, DICE_Y, FOOT_Y, LEFT, MID
from renders.town.pieces import (
    CHIP,
    COUNT,
    LOST,
    NUMBER_FACE,
    ON,
    PURSE,
    STAKE,
    STAKE_SMALL,
    coins,
    die,
    draw_roll,
    money,
    plate,
    sand_plate,
    shorter,
    struck,
    thief,
)
from renders.town.scene import Called
from renders.town.theme import THEME

PLATE_LEFT = 484
MOST_HEAPS = 6
"""More do not fit into the mouth of the cave."""

Heap = tuple[Seat, int, bool]
"""Whose, how much, and whether it is lost."""


def lay_decks(canvas: Canvas) -> None:
    """The cave and its decks, which never move."""
    canvas.put(cave(), 0, 22)
    canvas.put(sand_plate(104, 52), LEFT + 52, FOOT_Y)
    canvas.text(LEFT + 52, FOOT_Y, "Decks", LABEL, THEME.text_on_light, "middle")
    for gang in Gang:
        canvas.put(deck_chip(gang), *deck_center(gang))


def draw_cave(canvas: Canvas, state: Cave, labels: Sequence[str]) -> None:
    """The cave with its stakes, and below it what happens in the street."""
    _draw_stakes(canvas, state)
    if state.encounter:
        _draw_thieves(canvas, state.encounter)
        if state.encounter.number:
            _draw_roll(canvas, state.encounter, labels)
    _draw_decks(canvas, state)


def lost_stakes(state: Cave) -> dict[Seat, int]:
    """Stakes lost to the thieves that still lie in sight, also of who has stolen anew since."""
    return {loss.seat: loss.stake for loss in state.encounter.losses} if state.encounter else {}


def _draw_stakes(canvas: Canvas, state: Cave) -> None:
    heaps = _heaps(state)
    if not heaps:
        canvas.text(MID, 322, "Nobody is in the cave", NAME, THEME.muted, "middle")
    pitch = min(200, ROOM / max(1, len(heaps)))
    widest = max((money(amount) for _, amount, _ in heaps), key=len, default="")
    face = next((face for face in (STAKE, STAKE_SMALL) if width(widest, face) <= pitch - 20), CHIP)
    for k, heap in enumerate(heaps):
        _draw_heap(canvas, state, heap, MID + (k - (len(heaps) - 1) / 2) * pitch, face)


def _heaps(state: Cave) -> list[Heap]:
    """What the picture shows of stakes and losses, by seat; no loss beside a new stake where that is too much."""
    lost = lost_stakes(state)
    heaps = [(seat, amount, True) for seat, amount in lost.items()]
    heaps += [(seat, state.stakes[seat], False) for seat in map(Seat, range(state.seats)) if state.in_cave(seat)]
    if len(heaps) > MOST_HEAPS:
        heaps = [(seat, amount, gone) for seat, amount, gone in heaps if not (gone and state.in_cave(seat))]
    return sorted(heaps, key=lambda heap: (heap[0], not heap[2]))


def _draw_heap(canvas: Canvas, state: Cave, heap: Heap, x: float, face: Face) -> None:
    seat, amount, lost = heap
    text = "lost" if lost else f"in {state.turns_left(seat)}" if state.turns_left(seat) else "now"
    left = x - (54 + width(text, LABEL)) / 2
    draw_badge(canvas, seat, left + 23, NAME_Y)
    canvas.text(left + 54, NAME_Y, text, LABEL, LOST if lost else THEME.muted)
    canvas.put(coins(lost=lost), x, COINS_Y)
    canvas.text(x, AMOUNT_Y, money(amount), face, THEME.muted if lost else PURSE, "middle")


def _draw_thieves(canvas: Canvas, encounter: Encounter) -> None:
    n = len(encounter.thieves)
    w = int(card_width(n)) if n else 0
    claims = list(encounter.claims)
    for k, kind in enumerate(encounter.thieves):
        left = round(card_left(n, k))
        canvas.put(thief(kind, w), left, CARDS_TOP)
        draw_roll(canvas, kind, w, (left, CARDS_TOP), encounter.black, encounter.number)
        canvas.text(left + 12, CARDS_TOP + 30, kind, COUNT, ON[kind.gang])
        if kind in encounter.bearers:
            canvas.put(struck(), left + w / 2, CARDS_TOP + CARD_H + 7)
        if claim := next((claim for claim in claims if claim[1] is kind), None):
            claims.remove(claim)
            canvas.put(plate_mark(w - 2, CARD_H - 2, 12), left + w / 2, CARDS_TOP + CARD_H / 2)
            draw_badge(canvas, claim[0], left + w - 26, CARDS_TOP + CARD_H - 26)


def _draw_roll(canvas: Canvas, encounter: Encounter, labels: Sequence[str]) -> None:
    canvas.put(sand_plate(206, 70), LEFT + 103, DICE_Y)
    canvas.put(die(encounter.black, black=True), LEFT + 38, DICE_Y)
    canvas.put(die(encounter.white, black=False), LEFT + 102, DICE_Y)
    canvas.text(LEFT + 138, DICE_Y, f"= {encounter.number}", NAME, THEME.text_on_light)
    w = RIGHT - PLATE_LEFT
    canvas.put(plate(w, 60), PLATE_LEFT + w / 2, DICE_Y)
    sentence = shorter(verdicts(encounter, labels), LABEL, w - 28)
    canvas.text(PLATE_LEFT + w / 2, DICE_Y, sentence, LABEL, THEME.text_on_light, "middle", room=w - 20)


def verdicts(encounter: Encounter, labels: Sequence[str], called: Called = str) -> tuple[str, ...]:
    """What the roll did when it fell, in a long and in shorter wordings."""
    bearers = encounter.bearers
    if not bearers:
        return (f"No thief here bears {encounter.number}", f"{encounter.number} strikes nobody")
    thieves = listed([called(thief) for thief in bearers])
    strike = f"{thieves} strike{'s' if len(bearers) == 1 else ''}"
    caught = _who([labels[loss.seat] for loss in encounter.losses], "caught")
    safe = _who([labels[seat] for seat in encounter.spared], "safe")
    number = len(encounter.losses)
    many = {0: "nobody is caught", 1: "one is caught"}.get(number, f"{number} are caught")
    both, counted = ", ".join(caught + safe), ", ".join([many] * bool(caught) + safe)
    full = f"{both} with {thieves}" if safe else both
    return (*(f"{strike}: {told}" for told in (full, both, counted, many)), f"{thieves}: {many}", many.capitalize())


def _who(names: Sequence[str], what: str) -> list[str]:
    """`Red and Blue are safe`, or nothing."""
    return [f"{listed(names)} {'is' if len(names) == 1 else 'are'} {what}"] if names else []


def _draw_decks(canvas: Canvas, state: Cave) -> None:
    for gang in Gang:
        x, y = deck_center(gang)
        canvas.text(x - 4, y, str(state.deck(gang)), COUNT, ON[gang], "middle")
        canvas.text(x + 35, y, str(state.discarded(gang)), NUMBER_FACE, INK, "middle")
