"""Drawing the cave: stakes and their clocks, the thieves turned up last, dice and decks."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Seat
from engine.games.alibaba import Cave, Encounter, Gang
from engine.games.alibaba.events import named
from engine.games.alibaba.thieves import BEARERS, gang_of, members
from renders.canvas import Canvas
from renders.games.alibaba.board import money
from renders.games.alibaba.layout import (
    CARD_H,
    CARDS_TOP,
    CAVE_AMOUNT_Y,
    CAVE_COINS_Y,
    CAVE_NAME_Y,
    CAVE_ROOM,
    DICE_Y,
    LEFT,
    MID,
    RIGHT,
    card_left,
    card_width,
    deck_center,
)
from renders.games.alibaba.pieces import (
    COUNT,
    LAND,
    LOST,
    NUMBER_FACE,
    ON,
    PURSE,
    STAKE,
    STAKE_SMALL,
    coins,
    die,
    draw_roll,
    plate,
    sand_plate,
    shorter,
    strike_out,
    struck,
    thief,
)
from renders.house import draw_badge
from renders.lettering import LABEL, NAME, Face, width
from renders.theme import INK

PLATE_LEFT = 484


def draw_cave(canvas: Canvas, state: Cave, labels: Sequence[str]) -> None:
    """The cave with its stakes, and below it what happens in the street."""
    _draw_stakes(canvas, state)
    if state.encounter:
        _draw_thieves(canvas, state.encounter)
        if state.encounter.number:
            _draw_roll(canvas, state, state.encounter, labels)
    _draw_decks(canvas, state)


def lost_stakes(state: Cave) -> dict[Seat, int]:
    """Stakes lost to the thieves that still lie in sight, of those who have no new one."""
    losses = state.encounter.losses if state.encounter else ()
    return {loss.seat: loss.stake for loss in losses if not state.in_cave(loss.seat)}


def _draw_stakes(canvas: Canvas, state: Cave) -> None:
    lost = lost_stakes(state)
    seats = [Seat(n) for n in range(state.seats) if state.in_cave(Seat(n)) or n in lost]
    if not seats:
        canvas.text(MID, 300, "Nobody is in the cave", NAME, LAND.muted, "middle")
    pitch = min(200, CAVE_ROOM / max(1, len(seats)))
    for k, seat in enumerate(seats):
        x = MID + (k - (len(seats) - 1) / 2) * pitch
        _draw_stake(canvas, state, seat, lost.get(seat), x, STAKE_SMALL if len(seats) > 5 else STAKE)


def _draw_stake(canvas: Canvas, state: Cave, seat: Seat, lost: int | None, x: float, face: Face) -> None:
    text = "lost" if lost is not None else f"in {state.turns_left(seat)}" if state.turns_left(seat) else "now"
    left = x - (54 + width(text, LABEL)) / 2
    draw_badge(canvas, seat, left + 23, CAVE_NAME_Y)
    canvas.text(left + 54, CAVE_NAME_Y, text, LABEL, LAND.muted if lost is None else LOST)
    amount = money(state.stakes[seat] if lost is None else lost)
    canvas.put(coins(lost=lost is not None), x, CAVE_COINS_Y)
    canvas.text(x, CAVE_AMOUNT_Y, amount, face, PURSE if lost is None else LAND.muted, "middle")
    if lost is not None:
        canvas.put(strike_out(round(width(amount, face)) + 6), x, CAVE_AMOUNT_Y)


def _draw_thieves(canvas: Canvas, met: Encounter) -> None:
    n = len(met.thieves)
    w = int(card_width(n)) if n else 0
    struck_types = BEARERS[met.number] if met.number else 0
    claims = list(met.claims)
    for k, (kind, number) in enumerate(zip(met.thieves, met.types, strict=True)):
        left = round(card_left(n, k))
        canvas.put(thief(kind, w), left, CARDS_TOP)
        draw_roll(canvas, kind, w, (left, CARDS_TOP), met.black, met.number)
        canvas.text(left + 12, CARDS_TOP + 30, kind, COUNT, ON[gang_of(kind)])
        if struck_types >> number & 1:
            canvas.put(struck(), left + w / 2, CARDS_TOP + CARD_H + 7)
        if claim := next((claim for claim in claims if claim[1] == number), None):
            claims.remove(claim)
            draw_badge(canvas, claim[0], left + w - 26, CARDS_TOP + CARD_H - 26)


def _draw_roll(canvas: Canvas, state: Cave, met: Encounter, labels: Sequence[str]) -> None:
    canvas.put(sand_plate(206, 70), LEFT + 103, DICE_Y)
    canvas.put(die(met.black, black=True), LEFT + 38, DICE_Y)
    canvas.put(die(met.white, black=False), LEFT + 102, DICE_Y)
    canvas.text(LEFT + 138, DICE_Y, f"= {met.number}", NAME, LAND.text_on_light)
    w = RIGHT - PLATE_LEFT
    canvas.put(plate(w, 60), PLATE_LEFT + w / 2, DICE_Y)
    sentence = shorter(verdicts(state, met, labels), LABEL, w - 28)
    canvas.text(PLATE_LEFT + w / 2, DICE_Y, sentence, LABEL, LAND.text_on_light, "middle", room=w - 20)


def verdicts(state: Cave, met: Encounter, labels: Sequence[str]) -> tuple[str, ...]:
    """What the roll did, in a long and in shorter wordings."""
    striking = BEARERS[met.number] & sum(1 << n for n in set(met.types))
    if not striking:
        return (f"No thief here bears {met.number}", f"{met.number} strikes nobody")
    thieves = named(members(striking))
    strike = f"{thieves} strike{'' if striking & (striking - 1) else 's'}"
    caught = {loss.seat for loss in met.losses}
    safe = [labels[n] for n in range(state.seats) if state.in_cave(Seat(n)) and n not in caught]
    many = {0: "nobody is caught", 1: "one is caught"}.get(len(caught), f"{len(caught)} are caught")
    if len(safe) == 1:
        return (f"{strike}. {safe[0]} is safe: has {thieves}", f"{strike}. {safe[0]} is safe", f"{strike}: {many}")
    return (f"{strike}: {many}", f"{thieves}: {many}", many.capitalize())


def _draw_decks(canvas: Canvas, state: Cave) -> None:
    for gang in Gang:
        x, y = deck_center(gang)
        canvas.text(x - 4, y, str(state.deck(gang)), COUNT, ON[gang], "middle")
        canvas.text(x + 35, y, str(state.discarded(gang)), NUMBER_FACE, INK, "middle")
