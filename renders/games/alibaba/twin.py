"""The position in words: a short twin for screen readers and a long one to play from."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Seat, View, format_action, listed, say
from engine.games.alibaba import AliBaba, Cave, Gang, GangsTable, Thief
from engine.games.alibaba.data import CARD_COUNTS, MARKS, WALK
from engine.games.alibaba.events import money
from engine.games.alibaba.thieves import THIEVES, gang_of
from engine.games.alibaba.track import Space, landing, routes
from renders.games.alibaba.board import hand_counts, played_counts, thieves_of
from renders.games.alibaba.cave import lost_stakes, verdicts
from renders.games.alibaba.gangs import verdict
from renders.theme import SEATS
from renders.words import clipped, due_sentence, result_sentence

LONGEST_VERDICT = 100
"""Where names make it longer, those caught are counted: what they lost stands behind each name."""


def ahead(state: AliBaba) -> tuple[Space, ...]:
    """The spaces that a card can reach from here."""
    if state.ended:
        return ()
    found = (
        landing(state.step, state.side, value, route)
        for value in CARD_COUNTS
        for route in (routes(state.step, value) or (None,))
    )
    return tuple(dict.fromkeys(found))


def _where(state: AliBaba) -> str:
    if isinstance(state, Cave):
        return f"Walked {state.total} of {WALK}"
    assert isinstance(state, GangsTable), "there are two modes"
    return f"Lap {state.lap}, step {state.step}"


def _now(view: View, names: Sequence[str], longest: int) -> str:
    if view.outcome:
        return result_sentence(view, names)
    prompts = " ".join(clipped(d.prompt, longest) for d in view.decisions if d.seat >= 0)
    return f"{due_sentence(view, names)} {prompts}".strip()


# --- Short -----------------------------------------------------------------------------------------------------------


def alt(view: View, labels: Sequence[str]) -> str:
    """At most 1000 characters; what matters least comes last."""
    state = view.state
    names = [clipped(label, 14) for label in labels]
    parts = [
        f"Ali Baba. {_where(state)}. {_now(view, names, 70)}",
        f"The camel is on {state.space.name} ({state.space.meaning}).",
        _own_hand(view),
        *(_short_seat(state, Seat(seat), name) for seat, name in enumerate(names)),
        _street(state, names),
        _decks(state),
        f"Ahead: {', '.join(f'{space.name} {_short(space)}' for space in ahead(state))}." if ahead(state) else "",
        _played(state),
    ]
    return clipped(" ".join(part for part in parts if part), 1000)


def _short(space: Space) -> str:
    return "".join(gang[0].upper() for gang in space.jewels) or space.meaning


def _short_seat(state: AliBaba, seat: Seat, name: str) -> str:
    parts = [f"{SEATS[seat].letter} {name}: {state.purses[seat]:,}", _hand_size(state, seat)]
    if isinstance(state, Cave):
        parts += _stake(state, seat)
    if thieves := thieves_of(state, seat):
        parts.append(_by_gang(thieves))
    return ", ".join(parts) + "."


def _hand_size(state: AliBaba, seat: Seat) -> str:
    held = len(state.cards.hands[seat])
    return f"{held} card{'' if held == 1 else 's'}"


def _stake(state: Cave, seat: Seat) -> list[str]:
    lost, left = lost_stakes(state), state.turns_left(seat)
    parts = [f"lost {money(lost[seat])}"] if seat in lost else []
    if state.in_cave(seat):
        stake = f"{state.stakes[seat]:,}" if state.stakes[seat] else "an empty stake"
        parts.append(f"{stake} in the cave for this turn{f' and {left} more' if left else ''}")
    return parts


def _by_gang(thieves: Sequence[Thief]) -> str:
    """`Y1 G34 R113`: the letter of a gang and the digits of the groups."""
    rows = ((gang[0].upper(), "".join(t[1] for t in thieves if gang_of(t) is gang)) for gang in Gang)
    return " ".join(f"{letter}{digits}" for letter, digits in rows if digits)


def _own_hand(view: View) -> str:
    if view.viewer is None:
        return ""
    counts = hand_counts(view.state, view.viewer)
    held = [f"{value}×{n}" if n > 1 else str(value) for value, n in sorted(counts.items())]
    return f"Your cards: {', '.join(held) or 'none'}."


def _played(state: AliBaba) -> str:
    counts = played_counts(state)
    return f"Played: {', '.join(f'{value} {counts[value]}/{n}' for value, n in CARD_COUNTS.items())}."


def _street(state: AliBaba, names: Sequence[str]) -> str:
    if isinstance(state, Cave):
        met = state.encounter
        if not met or not met.types:
            return ""
        claims = "".join(f" {names[seat]} has claimed {THIEVES[number]}." for seat, number in met.claims)
        told = next(told for told in verdicts(met, names) if len(told) <= LONGEST_VERDICT)
        roll = f", number {met.number}. {told}." if met.number else "."
        return f"Turned up: {', '.join(met.thieves)}{roll}{claims}"
    assert isinstance(state, GangsTable), "there are two modes"
    danger = state.danger
    if not danger:
        return ""
    if danger.over:
        return f"The danger is over. {verdict(danger)}."
    types = " ".join(THIEVES[n] for n in state.endangered)
    return f"In danger: {types or 'nobody any more'}. {verdict(danger)}."


def _decks(state: AliBaba) -> str:
    if isinstance(state, Cave):
        decks = (f"{gang} {state.deck(gang)} and {state.discarded(gang)}" for gang in Gang)
        return f"Decks and discards: {', '.join(decks)}."
    assert isinstance(state, GangsTable), "there are two modes"
    return "Price and stack: " + ", ".join(f"{gang} {state.price(gang)}, {state.stack(gang)}" for gang in Gang) + "."


# --- Long ------------------------------------------------------------------------------------------------------------


def tell(view: View, labels: Sequence[str]) -> str:
    """Everything in full words, with the marks of the thieves in sight."""
    state = view.state
    names = [clipped(label, 16) for label in labels]
    parts = [
        f"**Ali Baba**, {_where(state).lower()}. {_now(view, names, 200)}",
        clipped(" ".join(say(event, names) for event in view.events), 900),
        f"The camel is on **{state.space.name}** ({state.space.meaning}).",
        _own_hand(view),
        "\n".join(_long_seat(state, Seat(seat), name) for seat, name in enumerate(names)),
        _street(state, names),
        _marks(state),
        _decks(state),
        _tails(state),
        "Ahead: " + ", ".join(f"{space.name} {space.meaning}" for space in ahead(state)) if ahead(state) else "",
        _played(state),
        _options(view, names),
    ]
    return clipped("\n".join(part for part in parts if part), 3400)


def _long_seat(state: AliBaba, seat: Seat, name: str) -> str:
    parts = [f"**{name}** {state.purses[seat]:,}", _hand_size(state, seat)]
    if isinstance(state, Cave):
        parts += _stake(state, seat) or ["nothing in the cave"]
    thieves = thieves_of(state, seat)
    word = "claimed" if isinstance(state, Cave) else "bandits"
    return ", ".join([*parts, f"{word} {' '.join(thieves) or 'none'}"])


def _marks(state: AliBaba) -> str:
    if isinstance(state, Cave):
        types = state.encounter.types if state.encounter else ()
    else:
        assert isinstance(state, GangsTable), "there are two modes"
        types = state.endangered
    rows = (f"{THIEVES[n]}: {' '.join(map(str, MARKS[THIEVES[n]]))}" for n in dict.fromkeys(types))
    return "\n".join(f"Marks of {row}" for row in rows)


def _tails(state: AliBaba) -> str:
    if not isinstance(state, GangsTable):
        return ""
    rows = [
        f"{gang} {' '.join(THIEVES[n] for n in stack.tail)}"
        for gang, stack in zip(Gang, state.stacks, strict=True)
        if stack.tail
    ]
    return f"At the bottom of the stacks: {listed(rows)}." if rows else ""


def _options(view: View, names: Sequence[str]) -> str:
    own = view.decision_of(view.viewer) or next(iter(view.decisions), None)
    actions = view.offered or (own.options if own else ())
    if len(actions) > 30:
        return f"Options: {format_action(actions[0])} to {format_action(actions[-1])}"
    return f"Options: {', '.join(format_action(action) for action in actions)}" if actions else ""
