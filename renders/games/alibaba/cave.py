"""Draw the cave: stakes with their turns left, the thieves turned up last, dice and decks."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.core import View
from engine.games.alibaba.events import Extended, Stole
from engine.games.alibaba.state import Cave, Encounter
from engine.texts import Seat, Text, joined, number
from engine.town.data import Gang
from engine.values import Value
from renders.canvas import Canvas
from renders.games.alibaba.layout import (
    AMOUNT_Y,
    CARDS_TOP,
    COINS_Y,
    HALL_H,
    HALL_PITCH,
    HALL_ROW,
    HALL_ROWS,
    HEAP_H,
    NAME_Y,
    RIGHT,
    STAKES_W,
    card_left,
    card_width,
    deck_center,
)
from renders.games.alibaba.pieces import cave, deck_chip, hall
from renders.house import draw_badge, plate_mark
from renders.lettering import LABEL, NAME, SCORE, Face, width
from renders.theme import INK
from renders.town.layout import CARD_H, DICE_Y, FOOT_Y, LEFT, MID
from renders.town.pieces import (
    CHIP,
    COUNT,
    LOST_COLOR,
    MONEY,
    NUMBER_FACE,
    PURSE,
    STAKE,
    STAKE_SMALL,
    TEXT_ON,
    coins,
    die,
    draw_roll,
    hit_arrow,
    hourglass,
    line_numbers,
    plate,
    sand_plate,
    thief,
)
from renders.town.scene import ThiefNamer
from renders.town.theme import THEME

PLATE_LEFT = 484
EMPTY_CAVE_TEXT = Text("Nobody is in the cave")
MAX_HEAPS = 6
"""Maximum number of stakes that fit into the mouth of the cave."""


class Heap(Value):
    """A seat's stake in the picture, in the cave or lost."""

    seat: Seat
    amount: int
    lost: bool


def draw_mouth(canvas: Canvas) -> None:
    """Draw the mouth of the cave and the decks, for turns with thieves."""
    canvas.put(cave(), 0, 16)
    _draw_deck_chips(canvas)


def draw_hall_ground(canvas: Canvas) -> None:
    """Draw the open cave and the decks, for turns without thieves."""
    canvas.put(hall(), 0, 6)
    _draw_deck_chips(canvas)


def _draw_deck_chips(canvas: Canvas) -> None:
    canvas.put(sand_plate(104, 52), LEFT + 52, FOOT_Y)
    canvas.text(LEFT + 52, FOOT_Y, str(Text("Decks")), LABEL, THEME.text_on_light, "middle", 100)
    for gang in Gang:
        canvas.put(deck_chip(gang), *deck_center(gang))


def has_no_thieves(state: Cave) -> bool:
    """Whether no thieves lie in front of the cave."""
    return not (state.encounter and state.encounter.thieves)


def draw_cave(canvas: Canvas, view: View[Cave], labels: Sequence[str]) -> None:
    """Draw the cave with its stakes, and the encounter below it."""
    state = view.state
    new_stakes = {event.seat for event in view.events if isinstance(event, Stole | Extended)}
    # The hall would cover the place of the thieves.
    if has_no_thieves(state):
        _draw_hall(canvas, state, new_stakes)
    else:
        _draw_stakes(canvas, state, new_stakes)
    if state.encounter:
        _draw_thieves(canvas, state.encounter)
        if state.encounter.number:
            _draw_roll(canvas, state.encounter, labels)
    _draw_decks(canvas, state)


def lost_stakes(state: Cave) -> dict[Seat, int]:
    """Stakes lost to the thieves on the table, by seat, even if the seat has stolen again since."""
    return {loss.seat: loss.stake for loss in state.encounter.losses} if state.encounter else {}


def _heaps(state: Cave) -> list[Heap]:
    """Stakes and losses to draw, sorted by seat. If there are too many, seats with a new stake show only that."""
    # Losses are shown until the camel moves on, so that everyone sees the result of the roll.
    heaps = [Heap(seat, amount, lost=True) for seat, amount in lost_stakes(state).items()]
    inside = [seat for seat in map(Seat, range(state.seats)) if state.in_cave(seat)]
    heaps += [Heap(seat, state.stakes[seat], lost=False) for seat in inside]
    # A seat may have lost a stake and stolen again in its next turn.
    if len(heaps) > MAX_HEAPS:
        heaps = [heap for heap in heaps if not (heap.lost and state.in_cave(heap.seat))]
    return sorted(heaps, key=lambda heap: (heap.seat, not heap.lost))


# --- Stakes in the mouth of the cave, and in the open hall -----------------------------------------------------------


def _draw_stakes(canvas: Canvas, state: Cave, new_stakes: Collection[Seat]) -> None:
    heaps = _heaps(state)
    if not heaps:
        canvas.text(MID, 316, str(EMPTY_CAVE_TEXT), NAME, THEME.muted, "middle")
    # Four or more stakes move closer together.
    pitch = min(200, STAKES_W / max(1, len(heaps)))
    face = _face(heaps, (STAKE, STAKE_SMALL), pitch - 20)
    for k, heap in enumerate(heaps):
        x = MID + (k - (len(heaps) - 1) / 2) * pitch
        if heap.seat in new_stakes and not heap.lost:
            canvas.put(plate_mark(round(pitch) - 14, HEAP_H, 14), x, AMOUNT_Y - 9)
        _draw_owner(canvas, state, heap, x, NAME_Y)
        canvas.put(coins(lost=heap.lost), x, COINS_Y)
        canvas.text(x, AMOUNT_Y, number(heap.amount), face, THEME.muted if heap.lost else PURSE, "middle")


def _draw_hall(canvas: Canvas, state: Cave, new_stakes: Collection[Seat]) -> None:
    heaps = _heaps(state)
    if not heaps:
        canvas.text(MID, 452, str(EMPTY_CAVE_TEXT), NAME, THEME.muted, "middle")
        return
    face = _face(heaps, (SCORE, MONEY), HALL_PITCH - 24)
    rows = [heaps[k : k + HALL_ROW] for k in range(0, len(heaps), HALL_ROW)]
    for y, row in zip(HALL_ROWS[len(rows)], rows, strict=True):
        for k, heap in enumerate(row):
            x = MID + (k - (len(row) - 1) / 2) * HALL_PITCH
            if heap.seat in new_stakes:
                canvas.put(plate_mark(HALL_PITCH - 14, HALL_H, 16), x, y + 2)
            _draw_owner(canvas, state, heap, x, y - 36)
            canvas.text(x, y + 10, number(heap.amount), face, PURSE, "middle")
            canvas.put(coins(lost=False, size=1.4), x, y + 48)


def _face(heaps: Sequence[Heap], faces: Sequence[Face], room: float) -> Face:
    """The largest face in which every amount fits."""
    widest = max((number(heap.amount) for heap in heaps), key=len, default="")
    return next((face for face in faces if width(widest, face) <= room), CHIP)


def _draw_owner(canvas: Canvas, state: Cave, heap: Heap, x: float, y: float) -> None:
    """Draw the owner's badge and the number of turns until the stake is safe."""
    turns = state.turns_left(heap.seat)
    # With 0 turns left, the stake is safe at the end of this turn (rule 3.2).
    text = str(Text("lost")) if heap.lost else str(turns) if turns else str(Text("now"))
    glass = 34 if turns and not heap.lost else 0
    x0 = x - (54 + glass + width(text, LABEL)) / 2
    draw_badge(canvas, heap.seat, x0 + 23, y)
    if glass:
        canvas.put(hourglass(32), x0 + 67, y)
    canvas.text(x0 + 54 + glass, y, text, LABEL, LOST_COLOR if heap.lost else THEME.muted)


# --- Thieves and dice ------------------------------------------------------------------------------------------------


def _draw_thieves(canvas: Canvas, encounter: Encounter) -> None:
    # There are none before the first is turned up, or if deck and discards are empty (rule 3.5).
    n = len(encounter.thieves)
    w = int(card_width(n)) if n else 0
    claims = list(encounter.claims)
    if n:
        canvas.put(line_numbers(), round(card_left(n, 0)), CARDS_TOP)
    for k, kind in enumerate(encounter.thieves):
        x0 = round(card_left(n, k))
        canvas.put(thief(kind, w), x0, CARDS_TOP)
        draw_roll(canvas, kind, w, (x0, CARDS_TOP), encounter.black, encounter.number)
        canvas.text(x0 + 12, CARDS_TOP + 24, kind, COUNT, TEXT_ON[kind.gang])
        if kind in encounter.bearers:
            canvas.put(hit_arrow(), x0 + w / 2, CARDS_TOP + CARD_H + 7)
        # Each claim marks a different one of equal thieves.
        if claim := next((claim for claim in claims if claim[1] is kind), None):
            claims.remove(claim)
            canvas.put(plate_mark(w - 2, CARD_H - 2, 12), x0 + w / 2, CARDS_TOP + CARD_H / 2)
            draw_badge(canvas, claim[0], x0 + w - 26, CARDS_TOP + CARD_H - 26)


def _draw_roll(canvas: Canvas, encounter: Encounter, labels: Sequence[str]) -> None:
    canvas.put(sand_plate(206, 70), LEFT + 103, DICE_Y)
    canvas.put(die(encounter.black, black=True), LEFT + 38, DICE_Y)
    canvas.put(die(encounter.white, black=False), LEFT + 102, DICE_Y)
    canvas.text(LEFT + 138, DICE_Y, f"= {encounter.number}", NAME, THEME.text_on_light)
    w = RIGHT - PLATE_LEFT
    canvas.put(plate(w, 60), PLATE_LEFT + w / 2, DICE_Y)
    wordings = verdicts(encounter, labels)
    sentence = next((words for words in wordings if width(words, LABEL) <= w - 28), wordings[-1])
    canvas.text(PLATE_LEFT + w / 2, DICE_Y, sentence, LABEL, THEME.text_on_light, "middle", room=w - 20)


def verdicts(encounter: Encounter, labels: Sequence[str], name_of: ThiefNamer = str) -> tuple[str, ...]:
    """Results of the roll, from the longest to the shortest wording."""
    bearers = encounter.bearers
    if not bearers:
        number = encounter.number
        return str(Text("No thief here has {number}", number=number)), str(Text("{n} strikes nobody", n=number))
    thieves, n = tuple(map(name_of, bearers)), len(encounter.losses)
    losers = tuple(labels[loss.seat] for loss in encounter.losses)
    spared = tuple(labels[seat] for seat in encounter.spared)
    many = Text("{n:one is|@ are} caught", n=n) if n else Text("nobody is caught")
    caught = [Text("{names} {names:is|are} caught", names=losers)] if losers else []
    safe = [Text("{names} {names:is|are} safe", names=spared)] if spared else []
    safe_with = [Text("{names} {names:is|are} safe with {thieves}", names=spared, thieves=thieves)] if spared else []
    outcomes = (caught + safe_with, caught + safe, [many] * bool(caught) + safe, [many])
    strike = "{thieves} {thieves:strikes|strike}: {told}"
    return (
        *(str(Text(strike, thieves=thieves, told=joined(parts, ", "))) for parts in outcomes),
        str(Text("{thieves}: {many}", thieves=thieves, many=many)),
        str(Text("{many:^}", many=many)),
    )


def _draw_decks(canvas: Canvas, state: Cave) -> None:
    for gang in Gang:
        x, y = deck_center(gang)
        canvas.text(x - 4, y, str(state.deck(gang)), COUNT, TEXT_ON[gang], "middle")
        canvas.text(x + 35, y, str(state.discarded(gang)), NUMBER_FACE, INK, "middle")
