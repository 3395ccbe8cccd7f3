"""The position in words: a short description for screen readers and a long one to play from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.core import Action, View
from engine.notation import format_action
from engine.texts import Seat, Text, number, term
from engine.town.data import CARD_COUNTS, LAP, MARKS, Gang, Thief
from engine.town.state import Town
from engine.town.track import MAIN, Space, landing, routes
from engine.wording import Voice, say
from renders.theme import SEATS
from renders.town.board import played_counts, with_count
from renders.town.scene import Scene, T
from renders.words import ALT, LONGEST, clipped, either, luck_next, now_sentences, word


def ahead(state: Town) -> tuple[Space, ...]:
    """The spaces that a card can reach from here."""
    if state.ended:
        return ()
    # Where a card ends inside a fork, either route may be taken (rule 2.3).
    found = (
        landing(state.space, value, route) for value in CARD_COUNTS for route in (routes(state.step, value) or (None,))
    )
    return tuple(dict.fromkeys(found))


def _heading(scene: Scene[T], view: View[T], names: Sequence[str], longest: int) -> dict[str, str | Text]:
    return {"game": term(scene.title), "fact": scene.facts(view.state)[0], "now": now_sentences(view, names, longest)}


# --- Short -----------------------------------------------------------------------------------------------------------


def alt(scene: Scene[T], view: View[T], labels: Sequence[str]) -> str:
    """At most 1000 characters; what matters least comes last."""
    state = view.state
    # Names are cut, or six long ones would fill the 1000 characters.
    names = [clipped(label, 14) for label in labels]
    # In the order of importance, since the end is cut off.
    parts = [
        str(Text("{game}. {fact:^}. {now}", **_heading(scene, view, names, 70))),
        str(Text("The camel is on {space}.", space=state.space)),
        _own_hand(view),
        *(_short_seat(scene, state, Seat(seat), name) for seat, name in enumerate(names)),
        scene.street(state, names, str),
        scene.decks(state),
        _ahead(state),
        _played(state),
    ]
    return clipped(" ".join(part for part in parts if part), ALT)


def _ahead(state: Town) -> str:
    spaces = ", ".join(f"{space} {_short(space)}" for space in ahead(state))
    return str(Text("Ahead: {spaces}.", spaces=spaces)) if spaces else ""


def _short(space: Space) -> str:
    return "".join(gang.letter for gang in space.jewels) or str(space.meaning)


def _short_seat(scene: Scene[T], state: T, seat: Seat, name: str) -> str:
    purse = f"{SEATS[seat].letter} {name}: {number(state.purses[seat])}"
    stakes = map(str, scene.at_stake(state, seat))
    # `Y1 G3 R1×2`, as on the cards.
    held = " ".join(with_count(thief, cards) for thief, cards in Counter(scene.thieves(state, seat)).items())
    parts = [purse, _hand_size(state, seat), *stakes, held]
    return ", ".join(part for part in parts if part) + "."


def _hand_size(state: Town, seat: Seat) -> str:
    held = len(state.cards.hands[seat])
    return str(Text("{n} {n:card|cards}", n=held))


def _own_hand(view: View[Town]) -> str:
    if view.viewer is None:
        return ""
    counts = Counter(view.state.cards.hands[view.viewer])
    held = [f"{value}×{n}" if n > 1 else str(value) for value, n in sorted(counts.items())]
    return str(Text("Your cards: {cards}.", cards=", ".join(held) or None))


def _played(state: Town) -> str:
    counts = played_counts(state)
    cards = ", ".join(f"{value} {counts[value]}/{n}" for value, n in CARD_COUNTS.items())
    return str(Text("Played: {cards}.", cards=cards))


# --- Long ------------------------------------------------------------------------------------------------------------

FURTHER = 15
"""Steps ahead that are described."""

# The price of a bandit may be any of 201 amounts (rule 3.8 of the gangs).
MANY = 30
"""Of more options than these only the first and the last one are named."""


def tell(scene: Scene[T], view: View[T], names: Sequence[str]) -> str:
    """Everything in full words, with the numbers of the thieves in sight; options without their glosses where that is
    too much."""
    state, luck = view.state, luck_next(view, names)
    parts = [
        str(Text("**{game}**, {fact}. {now}", **_heading(scene, view, names, 200))),
        clipped(" ".join(say(event, names) for event in view.events if not event.minor), 600),
        f"{luck}." if luck else "",
        str(Text("The camel is on **{space}** ({meaning}).", space=str(state.space), meaning=state.space.meaning)),
        _own_hand(view),
        _ways(state),
        str(Text("Players, clockwise:")),
        *(_long_seat(scene, state, Seat(seat), names) for seat in range(len(names))),
        scene.street(state, names, word),
        *_numbers(scene.in_sight(state)),
        str(Text("Face down:")),
        *(f"- {scene.stock(state, gang)}" for gang in Gang),
        _played_in_full(state),
        *map(str, scene.legend),
    ]
    body = "\n".join(part for part in parts if part)
    full = (f"{body}\n{choices}".strip() for choices in (_choices(view, names, glosses=True), _choices(view, names)))
    return next((text for text in full if len(text) <= LONGEST), clipped(f"{body}\n{_choices(view, names)}", LONGEST))


def _long_seat(scene: Scene[T], state: T, seat: Seat, names: Sequence[str]) -> str:
    parts = [f"- **{names[seat]}** {number(state.purses[seat])}", _hand_size(state, seat)]
    parts += map(str, scene.at_stake(state, seat) or scene.idle)
    until = scene.until(state, seat, names)
    counts = Counter(scene.thieves(state, seat)).items()
    # `green 3, red 1 ×2`.
    held = ", ".join(f"{word(thief)} ×{cards}" if cards > 1 else word(thief) for thief, cards in counts)
    holding = str(scene.holding(held or Text("no thieves\4none")))
    return ", ".join([*parts, *([until] if until else []), holding])


def _numbers(thieves: Sequence[Thief]) -> list[str]:
    """A row for each type."""
    rows = [(thief, ", ".join(map(str, MARKS[thief]))) for thief in dict.fromkeys(thieves)]
    return [str(Text("- {thief} has the numbers {numbers}", thief=thief, numbers=numbers)) for thief, numbers in rows]


def _ways(state: Town) -> str:
    """Where each card leads from here, and what lies behind, as far as the end of the game."""
    if state.ended:
        return ""
    ways = {card: routes(state.step, card) or (None,) for card in CARD_COUNTS}
    reached = {card: either([word(landing(state.space, card, way)) for way in ways[card]]) for card in ways}
    leads = (str(Text("a {card} leads to {spaces}", card=card, spaces=spaces)) for card, spaces in reached.items())
    steps = range(len(CARD_COUNTS) + 1, min(FURTHER, state.left) + 1)
    further = [f"{space} {space.meaning}" for space in (MAIN[(state.step + n) % LAP] for n in steps)]
    behind = f" {Text('Further on: {spaces}.', spaces=', '.join(further))}" if further else ""
    return f"{Text('From here {leads}.', leads=', '.join(leads))}{behind}"


def _played_in_full(state: Town) -> str:
    counts = played_counts(state)
    played = "; ".join(
        str(Text("value {value}: {n} of {all}", value=value, n=counts[value], all=every))
        for value, every in CARD_COUNTS.items()
    )
    return str(Text("Cards played since the last deal: {cards}.", cards=played))


def _choices(view: View[Town], names: Sequence[str], *, glosses: bool = False) -> str:
    """What may be chosen, as the buttons say it, and how it is typed."""
    own = view.decision_of(view.viewer)
    asked = own or next(iter(view.decisions), None)
    actions = view.offered or (asked.options if asked else ())
    voice = Voice(names, state=view.state)
    if len(actions) > MANY:
        first, last = _choice(voice, actions[0]), _choice(voice, actions[-1])
        return str(Text("Choices: {first} to {last}", first=first, last=last))
    rows = [_choice(voice, action, gloss=glosses and own is not None) for action in actions]
    return "\n".join([str(Text("Choices:")), *(f"- {row}" for row in rows)]) if rows else ""


def _choice(voice: Voice, action: Action, *, gloss: bool = False) -> str:
    gloss_text = voice.gloss(action) if gloss else ""
    return f"{voice.label(action)}{f': {gloss_text}' if gloss_text else ''} (`{format_action(action)}`)"
