"""Describe the position: a short text for screen readers, and a long one complete enough to play from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.core import Action, View
from engine.notation import shown_action
from engine.texts import Seat, Text, number
from engine.town.data import CARD_COUNTS, LAP, MARKS, Gang, Thief
from engine.town.state import Town
from engine.town.track import MAIN, Space, landing, routes
from engine.wording import Voice, say
from renders.theme import SEATS
from renders.town.board import played_counts, with_count
from renders.town.scene import Scene, T
from renders.words import (
    MAX_CHARS,
    alt_text,
    alternatives,
    clip,
    heading,
    join_with_semicolons,
    long_text,
    luck_next,
    now_sentences,
    with_label,
    word,
)


def reachable_spaces(state: Town) -> tuple[Space, ...]:
    """The spaces that a single card can reach."""
    if state.ended:
        return ()
    # If a card ends inside a fork, either route may be taken (rule 2.3).
    spaces = (
        landing(state.space, value, route) for value in CARD_COUNTS for route in (routes(state.step, value) or (None,))
    )
    return tuple(dict.fromkeys(spaces))


MAX_STEPS_AHEAD = 15
"""Number of steps ahead that are described."""

# A bandit's price may be any of 201 amounts (rule 3.8 of the gangs).
MAX_LISTED_OPTIONS = 30
"""Maximum number of options listed in full; of more, only the first and the last one appear."""


def alt(scene: Scene[T], view: View[T], labels: Sequence[str]) -> str:
    """Alt text of at most 1000 characters, most important facts first."""
    state = view.state
    # Names are cut, since six long ones would fill the 1000 characters.
    names = [clip(label, 14) for label in labels]
    rows = (
        heading(view, scene.facts(state)[0], now_sentences(view, names, 70), brief=True),
        str(Text("The camel is on {space}.", space=state.space)),
        _own_hand(view),
        *(_seat(scene, state, Seat(seat), names, brief=True) for seat in range(len(names))),
        scene.street(state, names, str),
        scene.decks(state),
        _spaces_ahead(state),
        _played_cards(state, brief=True),
    )
    return alt_text(rows)


def tell(scene: Scene[T], view: View[T], names: Sequence[str]) -> str:
    """Describe everything in full words, with the numbers of the visible thieves.

    Explanations of options are left out if they make the text too long.
    """
    state, luck = view.state, luck_next(view, names)
    rows = (
        heading(view, scene.facts(state)[0], now_sentences(view, names, 200), brief=False),
        clip(" ".join(say(event, names) for event in view.events if not event.minor), 600),
        f"{luck}." if luck else "",
        str(Text("The camel is on **{space}** ({meaning}).", space=str(state.space), meaning=state.space.meaning)),
        _own_hand(view),
        _routes_text(state),
        str(Text("Players, clockwise:")),
        *(_seat(scene, state, Seat(seat), names, brief=False) for seat in range(len(names))),
        scene.street(state, names, word),
        *_numbers(scene.in_sight(state)),
        str(Text("Face down:")),
        *(f"- {scene.stock(state, gang)}" for gang in Gang),
        _played_cards(state, brief=False),
        *map(str, scene.legend),
    )
    body = long_text(rows)
    full = (f"{body}\n{choices}".strip() for choices in (_choices(view, names, glosses=True), _choices(view, names)))
    return next((text for text in full if len(text) <= MAX_CHARS), clip(f"{body}\n{_choices(view, names)}", MAX_CHARS))


def _seat(scene: Scene[T], state: T, seat: Seat, names: Sequence[str], *, brief: bool) -> str:
    purse = number(state.purses[seat])
    owned = with_label(f"{SEATS[seat].letter} {names[seat]}", purse) if brief else f"- **{names[seat]}** {purse}"
    counts = Counter(scene.thieves(state, seat)).items()
    stakes = scene.at_stake(state, seat)
    size = len(state.cards.hands[seat])
    parts = [owned, str(Text("{n} {n:card|cards}", n=size))]
    if brief:
        # `Y1 G3 R1×2`, as on the cards.
        cards_held = " ".join(with_count(thief, cards) for thief, cards in counts)
        return f"{', '.join(filter(None, (*parts, *map(str, stakes), cards_held)))}."
    # `green 3, red 1 ×2`.
    cards_held = ", ".join(f"{word(thief)} ×{cards}" if cards > 1 else word(thief) for thief, cards in counts)
    holdings = str(scene.holdings(cards_held or Text("no thieves\4none")))
    until = scene.safe_until(state, seat, names)
    return ", ".join(filter(None, (*parts, *map(str, stakes or scene.no_stake), until, holdings)))


def _spaces_ahead(state: Town) -> str:
    spaces = ", ".join(f"{space} {_short(space)}" for space in reachable_spaces(state))
    return str(Text("Ahead: {spaces}.", spaces=spaces)) if spaces else ""


def _short(space: Space) -> str:
    return "".join(gang.letter for gang in space.jewels) or str(space.meaning)


def _own_hand(view: View[Town]) -> str:
    if view.viewer is None:
        return ""
    counts = Counter(view.state.cards.hands[view.viewer])
    cards_held = [f"{value} ×{n}" if n > 1 else str(value) for value, n in sorted(counts.items())]
    return str(Text("Your cards: {cards}.", cards=", ".join(cards_held) or Text("no cards\4none")))


def _played_cards(state: Town, *, brief: bool) -> str:
    counts = played_counts(state)
    if brief:
        cards = ", ".join(f"{value} {counts[value]}/{n}" for value, n in CARD_COUNTS.items())
        return str(Text("Played: {cards}.", cards=cards))
    template = "value {value}: {n} of {all}"
    played = (Text(template, value=value, n=counts[value], all=every) for value, every in CARD_COUNTS.items())
    return str(Text("Cards played since the last deal: {cards}.", cards=join_with_semicolons(map(str, played))))


def _numbers(thieves: Sequence[Thief]) -> list[str]:
    """One line per type with its numbers."""
    rows = [(thief, ", ".join(map(str, MARKS[thief]))) for thief in dict.fromkeys(thieves)]
    return [str(Text("- {thief} has the numbers {numbers}", thief=thief, numbers=numbers)) for thief, numbers in rows]


def _routes_text(state: Town) -> str:
    """List where each card leads from here, and the spaces beyond, up to the end of the game."""
    if state.ended:
        return ""
    ways = {card: routes(state.step, card) or (None,) for card in CARD_COUNTS}
    reached = {card: alternatives([word(landing(state.space, card, way)) for way in ways[card]]) for card in ways}
    leads = (str(Text("a {card} leads to {spaces}", card=card, spaces=spaces)) for card, spaces in reached.items())
    steps = range(len(CARD_COUNTS) + 1, min(MAX_STEPS_AHEAD, state.steps_left) + 1)
    further = [f"{space} {space.meaning}" for space in (MAIN[(state.step + n) % LAP] for n in steps)]
    behind = f" {Text('Further on: {spaces}.', spaces=', '.join(further))}" if further else ""
    return f"{Text('From here {leads}.', leads=', '.join(leads))}{behind}"


def _choices(view: View[Town], names: Sequence[str], *, glosses: bool = False) -> str:
    """List the options as they appear on the buttons, with their notation."""
    own = view.decision_of(view.viewer)
    decision = own or next(iter(view.decisions), None)
    actions = view.offered or (decision.options if decision else ())
    voice = Voice(names, state=view.state)
    if len(actions) > MAX_LISTED_OPTIONS:
        first, last = _choice(voice, actions[0]), _choice(voice, actions[-1])
        return str(Text("Choices: {first} to {last}", first=first, last=last))
    rows = [_choice(voice, action, gloss=glosses and own is not None) for action in actions]
    return "\n".join([str(Text("Choices:")), *(f"- {row}" for row in rows)]) if rows else ""


def _choice(voice: Voice, action: Action, *, gloss: bool = False) -> str:
    gloss_text = voice.gloss(action) if gloss else ""
    return f"{with_label(voice.label(action), gloss_text)} (`{shown_action(action)}`)"
