"""Texts about the prospects and risks of bandits, and advice for beginners."""

from __future__ import annotations

from collections.abc import Iterable

from engine.games.gangs.data import ALMS, FINE, LAMP, MAX_HIRES, PRICES, RETURN_FEE, TOLL
from engine.games.gangs.state import GangsTable, group_value
from engine.texts import Seat, Text, joined
from engine.town.data import MARKS, Gang, Graffiti, Thief
from engine.town.thieves import NUMBERS, VALUE, line
from engine.town.track import Space


def bandit_name(thief: Thief) -> Text:
    """The label of a bandit as an option: `Red bandit 3`."""
    return Text("{gang:^} bandit {group}", gang=thief.gang, group=thief.group)


# --- Odds ------------------------------------------------------------------------------------------------------------


def numbers_left(state: GangsTable) -> range:
    """The numbers that are still possible: all 36, or the line of the black die."""
    if state.danger is None or not state.danger.black:
        return NUMBERS
    first, last = line(state.danger.black)
    return range(first, last + 1)


def count_arresting(state: GangsTable, thieves: Iterable[Thief]) -> int:
    """The number of possible numbers that arrest at least one of these bandits."""
    possible = numbers_left(state)
    return len({number for thief in thieves for number in MARKS[thief] if number in possible})


def odds_text(state: GangsTable) -> Text:
    """`Of 36 numbers, 12 arrest bandits of Red, 9 arrest bandits of Blue`."""
    owners = [(seat, count_arresting(state, types)) for seat in state.clockwise if (types := state.in_danger(seat))]
    odds = [Text("{n} {n:arrests|arrest} {seat:@’s|your} bandits", n=n, seat=seat) for seat, n in owners]
    return Text("Of {all} numbers, {told}", all=len(numbers_left(state)), told=joined(odds, ", "))


def purchase_gloss(state: GangsTable, buyer: Seat, thief: Thief) -> Text:
    """The prospects of one more bandit: `12 of 36 numbers cost 480, 24 bring 160`."""
    return _arrest_odds(state, (thief,), state.gain(buyer, thief))


def prospects(state: GangsTable, seat: Seat, thief: Thief) -> Text:
    """The prospects of all cards of a type: `2 of them: 12 of 36 numbers cost 960, 24 bring 320`."""
    bandits = state.bandits[seat]
    cards, either = bandits.count(thief), _arrest_odds(state, (thief,), group_value(bandits, thief))
    return Text("{cards} of them: {either}", cards=cards, either=either) if cards > 1 else either


def _arrest_odds(state: GangsTable, thieves: tuple[Thief, ...], value: int) -> Text:
    bad, numbers = count_arresting(state, thieves), len(numbers_left(state))
    either = "{bad} of {numbers} numbers {bad:costs|cost} {fine}, {rest} {rest:brings|bring} {value}"
    return Text(either, bad=bad, rest=numbers - bad, numbers=numbers, fine=FINE * value, value=value)


def risk_text(state: GangsTable, seat: Seat) -> Text:
    """The risk of all bandits of a seat: `20 of 36 numbers arrest one or more; all together bring 480`.

    Bandits of a single type are all arrested, or none is.
    """
    types, bandits = state.in_danger(seat), state.bandits[seat]
    if len(types) == 1:
        return prospects(state, seat, types[0])
    loot = sum(group_value(bandits, thief) for thief in types)
    risk = "{bad} of {numbers} numbers {bad:arrests|arrest} one or more; all together bring {loot}"
    return Text(risk, bad=count_arresting(state, types), numbers=len(numbers_left(state)), loot=loot)


# --- Spaces ----------------------------------------------------------------------------------------------------------

WRITINGS = {
    Graffiti.LAMP: Text("the lamp gives you {amount}", amount=LAMP),
    Graffiti.ALMS: Text("you give {amount} in alms", amount=ALMS),
    Graffiti.RECRUIT: Text("one free bandit"),
}


def stop_gloss(state: GangsTable, space: Space) -> Text:
    """The consequence of stopping on a space."""
    if not space.step:
        bandits = state.bandits[state.on_turn]
        value = sum(group_value(bandits, thief) for thief in dict.fromkeys(bandits))
        if not value:
            return Text("the lap ends, and you have no bandits")
        return Text("the lap ends, and your bandits bring {value}", value=value)
    if space.jewels:
        return _danger_gloss(state, space.jewels)
    if space.empty:
        prices = [PRICES[gang][space.quarter] for gang in Gang]
        if not any(prices):
            return Text("up to {most} free bandits", most=MAX_HIRES)
        return Text("up to {most} bandits, {low} to {high} each", most=MAX_HIRES, low=prices[0], high=prices[-1])
    if space.graffiti is Graffiti.TOLL:
        toll = TOLL * len(state.bandits[state.on_turn])
        if not toll:
            return Text("everyone pays {each} for each bandit; you have none", each=TOLL)
        return Text("everyone pays {each} for each bandit; you pay {toll}", each=TOLL, toll=toll)
    return WRITINGS[Graffiti(space.graffiti or "")]


def _danger_gloss(state: GangsTable, gangs: tuple[Gang, ...]) -> Text:
    threatened = [sum(thief.gang in gangs for thief in bandits) for bandits in state.bandits]
    own = threatened[state.on_turn]
    others = sum(threatened) - own
    if own and others:
        return Text("in danger: {own} of your bandits, {others} of the others’", own=own, others=others)
    if own:
        return Text("{own} of your bandits in danger, none of the others’", own=own)
    if others:
        return Text("{others} of the others’ bandits in danger, none of yours", others=others)
    return Text("no bandit is in danger there")


# --- Advice for beginners --------------------------------------------------------------------------------------------

HIRE_EARLY = Text("In the first 12 steps of a lap bandits are free: that is the time to hire, red ones above all.")
OWNING = Text("Each bandit brings its value after a raid and after the lap; an arrest costs three times that.")
VALUES_ADVICE = Text("Each brings its value after a raid and at the end of the lap: yellow ones 20, red ones 160.")
FREE_HERE = Text("Bandits are free here. Red is worth most, but 12 of 36 numbers arrest it; yellow, only 4.")
BEFORE_DICE = Text("Two dice follow. You may wait for the first one, and then return those it still threatens.")
BEFORE_DICE_ONCE = Text("Two dice follow, and this is your only chance: those who stay face both of them.")
AFTER_BLACK = Text("The line is known and one die is left: those still listed have a mark among its six numbers.")
RETURNING = Text("Returning one costs {fee} and the bandit; an arrest costs three times its value.", fee=RETURN_FEE)
WHY_OFFER = Text("Players with fewer bandits in danger, or three of this type, may take a risk you would not.")
WHOM_TO_OFFER = Text("Four of a type count double. The other player must be able to pay what you ask.")
NOTHING_CHANGES = Text("nothing changes")
ANOTHER_PRICE = Text("no, but you name a lower price, which is not binding")


def hire_advice(state: GangsTable, free: bool) -> Text:
    """Advice on whether to hire at the present price."""
    price = state.price(Gang.RED)
    if free or not price:
        return FREE_HERE
    dear = "A red one costs {price} here and brings 160 after the lap, unless one of its 12 numbers comes up."
    return Text(dear, price=price)


def price_advice(thief: Thief) -> tuple[Text, ...]:
    """The value of a bandit to its owner, and the fine."""
    value, marks = VALUE[thief], len(MARKS[thief])
    first = Text("A {gang} bandit brings {value} if it gets away now.", gang=thief.gang, value=value)
    then = "If arrested, it costs {fine} and is gone; it has {marks} of the 36 numbers."
    return first, Text(then, fine=FINE * value, marks=marks)
