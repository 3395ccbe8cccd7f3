"""The position in words: a short twin for screen readers and a long one to play from."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import View
from engine.notation import format_action
from engine.texts import Seat
from engine.town.data import CARD_COUNTS, MARKS, Gang, Thief
from engine.town.state import Town
from engine.town.track import Space, landing, routes
from engine.wording import say
from renders.theme import SEATS
from renders.town.board import group_digits, hand_counts, played_counts
from renders.town.scene import Scene, T
from renders.words import clipped, due_sentence, result_sentence


def ahead(state: Town) -> tuple[Space, ...]:
    """The spaces that a card can reach from here."""
    if state.ended:
        return ()
    found = (
        landing(state.space, value, route) for value in CARD_COUNTS for route in (routes(state.step, value) or (None,))
    )
    return tuple(dict.fromkeys(found))


def _now(view: View[Town], names: Sequence[str], longest: int) -> str:
    if view.outcome:
        return result_sentence(view, names)
    prompts = " ".join(clipped(say(d.prompt, names), longest) for d in view.decisions if d.seat >= 0)
    return f"{due_sentence(view, names)} {prompts}".strip()


# --- Short -----------------------------------------------------------------------------------------------------------


def alt(scene: Scene[T], view: View[T], labels: Sequence[str]) -> str:
    """At most 1000 characters; what matters least comes last."""
    state = view.state
    names = [clipped(label, 14) for label in labels]
    parts = [
        f"{scene.title}. {scene.facts(state)[0]}. {_now(view, names, 70)}",
        f"The camel is on {state.space} ({state.space.meaning}).",
        _own_hand(view),
        *(_short_seat(scene, state, Seat(seat), name) for seat, name in enumerate(names)),
        scene.street(state, names),
        scene.decks(state),
        f"Ahead: {', '.join(f'{space} {_short(space)}' for space in ahead(state))}." if ahead(state) else "",
        _played(state),
    ]
    return clipped(" ".join(part for part in parts if part), 1000)


def _short(space: Space) -> str:
    return "".join(gang.letter for gang in space.jewels) or space.meaning


def _short_seat(scene: Scene[T], state: T, seat: Seat, name: str) -> str:
    purse = f"{SEATS[seat].letter} {name}: {state.purses[seat]:,}"
    parts = [purse, _hand_size(state, seat), *scene.at_stake(state, seat), _by_gang(scene.thieves(state, seat))]
    return ", ".join(part for part in parts if part) + "."


def _hand_size(state: Town, seat: Seat) -> str:
    held = len(state.cards.hands[seat])
    return f"{held} card{'' if held == 1 else 's'}"


def _by_gang(thieves: Sequence[Thief]) -> str:
    """`Y1 G34 R113`: the letter of a gang and the digits of the groups."""
    rows = ((gang.letter, group_digits(thieves, gang)) for gang in Gang)
    return " ".join(f"{letter}{digits}" for letter, digits in rows if digits)


def _own_hand(view: View[Town]) -> str:
    if view.viewer is None:
        return ""
    counts = hand_counts(view.state, view.viewer)
    held = [f"{value}×{n}" if n > 1 else str(value) for value, n in sorted(counts.items())]
    return f"Your cards: {', '.join(held) or 'none'}."


def _played(state: Town) -> str:
    counts = played_counts(state)
    return f"Played: {', '.join(f'{value} {counts[value]}/{n}' for value, n in CARD_COUNTS.items())}."


# --- Long ------------------------------------------------------------------------------------------------------------


def tell(scene: Scene[T], view: View[T], labels: Sequence[str]) -> str:
    """Everything in full words, with the marks of the thieves in sight."""
    state = view.state
    names = [clipped(label, 16) for label in labels]
    parts = [
        f"**{scene.title}**, {scene.facts(state)[0].lower()}. {_now(view, names, 200)}",
        clipped(" ".join(say(event, names) for event in view.events), 900),
        f"The camel is on **{state.space}** ({state.space.meaning}).",
        _own_hand(view),
        "\n".join(_long_seat(scene, state, Seat(seat), name) for seat, name in enumerate(names)),
        scene.street(state, names),
        _marks(scene.in_sight(state)),
        scene.decks(state),
        scene.tails(state),
        "Ahead: " + ", ".join(f"{space} {space.meaning}" for space in ahead(state)) if ahead(state) else "",
        _played(state),
        _options(view, names),
    ]
    return clipped("\n".join(part for part in parts if part), 3400)


def _long_seat(scene: Scene[T], state: T, seat: Seat, name: str) -> str:
    parts = [f"**{name}** {state.purses[seat]:,}", _hand_size(state, seat)]
    parts += scene.at_stake(state, seat) or scene.idle
    return ", ".join([*parts, f"{scene.holding} {' '.join(scene.thieves(state, seat)) or 'none'}"])


def _marks(thieves: Sequence[Thief]) -> str:
    rows = (f"{thief}: {' '.join(map(str, MARKS[thief]))}" for thief in dict.fromkeys(thieves))
    return "\n".join(f"Marks of {row}" for row in rows)


def _options(view: View[Town], names: Sequence[str]) -> str:
    own = view.decision_of(view.viewer) or next(iter(view.decisions), None)
    actions = view.offered or (own.options if own else ())
    if len(actions) > 30:
        return f"Options: {format_action(actions[0])} to {format_action(actions[-1])}"
    return f"Options: {', '.join(format_action(action) for action in actions)}" if actions else ""
