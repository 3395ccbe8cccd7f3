"""The position of Muscat in words: a short twin for screen readers and a long one to play from."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import View
from engine.games.muscat.artists import Artist
from engine.games.muscat.state import Muscat
from engine.notation import format_action
from engine.texts import Seat, listed
from engine.wording import say
from renders.games.muscat.board import is_ready, score_text
from renders.games.muscat.layout import ICONS, LEVELS, MARKETS, Group
from renders.theme import SEATS
from renders.words import clipped, due_sentence, result_sentence

ARTISTS = "; ".join(f"{artist} {artist.label}" for artist in ICONS)


def round_words(view: View) -> str:
    """`Round 21`, `Round 21, the last`, `Setting up` or, after the end, `Ended in round 21`."""
    n = view.state.round
    if view.outcome:
        return f"Ended in round {n}"
    return f"Round {n}{', the last' if view.state.last_round else ''}" if n else "Setting up"


# --- Short -----------------------------------------------------------------------------------------------------------


def alt(view: View, labels: Sequence[str]) -> str:
    """At most 1000 characters: two letters are a seat and its artist, `RP` the piper of Red."""
    state = view.state
    names = [clipped(label, 14) for label in labels]
    parts = [
        f"Muscat. {round_words(view)}. {_now(view, names)}",
        *(_short_seat(state, Seat(seat), name) for seat, name in enumerate(names)),
        f"Artists: {ARTISTS}.",
        f"Palace {state.palace_count}/{state.palace_limit}: {_short(state.palace)}.",
        *(_short_level(state, level) for level in LEVELS),
        *(
            f"{_code(owner, artist)} rises from {left}{MARKETS[i]}, counted there."
            for owner, artist, left, i in state.rising
        ),
    ]
    return clipped(" ".join(parts), 1000)


def _now(view: View, names: Sequence[str]) -> str:
    if view.outcome:
        return result_sentence(view, names)
    prompts = " ".join(clipped(d.prompt, 90) for d in view.decisions if d.seat >= 0)
    return f"{due_sentence(view, names)} {prompts}".strip()


def _short_seat(state: Muscat, seat: Seat, name: str) -> str:
    shown = state.faceup(seat) or "none"
    drawn = f", drew {state.drawn[1]}" if state.drawn and state.drawn[0] == seat else ""
    return f"{SEATS[seat].letter} {name}: {score_text(state, seat)}, shows {shown}{drawn}, pile {state.pile(seat)}."


def _short_level(state: Muscat, level: int) -> str:
    markets = (f"{MARKETS[i]} {_short_market(state, level, i)}" for i in range(state.seats))
    return f"Level {level}: {'; '.join(markets)}. Street {level}: {_short(state.street(level))}."


def _short_market(state: Muscat, level: int, index: int) -> str:
    holders = zip(ICONS, state.market(level, index), strict=True)
    return " ".join(_code(seat, artist) for artist, seat in holders if seat is not None) or "–"


def _short(groups: Sequence[Group]) -> str:
    return " ".join(_code(seat, artist) + (f"×{n}" if n > 1 else "") for seat, artist, n in groups) or "–"


def _code(seat: Seat, artist: Artist) -> str:
    return f"{SEATS[seat].letter}{artist}"


# --- Long ------------------------------------------------------------------------------------------------------------


def tell(view: View, labels: Sequence[str]) -> str:
    """Everything in full words, or with letters for the artists where that would be too long."""
    names = [clipped(label, 16) for label in labels]
    full = _told(view, names, short=False)
    return full if len(full) <= 3400 else clipped(_told(view, names, short=True), 3400)


def _told(view: View, names: Sequence[str], *, short: bool) -> str:
    teller = _Teller(view.state, names, short)
    happened = " ".join(say(event, names) for event in view.events)
    parts = [
        f"**Muscat**, {round_words(view)[0].lower()}{round_words(view)[1:]}. {_now(view, names)}",
        clipped(happened, 700),
        f"({ARTISTS})" if short else "",
        "\n".join(teller.seat(Seat(seat)) for seat in range(view.state.seats)),
        teller.palace(),
        *(teller.level(level) for level in LEVELS),
        " ".join(teller.riser(o, a, f"{left}{MARKETS[i]}") for o, a, left, i in view.state.rising),
        _options(view),
    ]
    return "\n".join(part for part in parts if part)


class _Teller:
    """Words for one position: with the artists' names, or with their letters if `short`."""

    def __init__(self, state: Muscat, names: Sequence[str], short: bool) -> None:
        self.state, self.names, self.short = state, names, short

    def token(self, seat: Seat, artist: Artist, count: int = 1) -> str:
        kind = str(artist) if self.short else artist.label
        return f"{self.names[seat]} {kind}{f' ×{count}' if count > 1 else ''}"

    def seat(self, seat: Seat) -> str:
        state = self.state
        shown = state.faceup(seat)
        drawn = f", has drawn {state.drawn[1].label}" if state.drawn and state.drawn[0] == seat else ""
        points = f"**{self.names[seat]}** {score_text(state, seat)} points"
        return f"{points}, shows {shown.label if shown else 'nobody'}{drawn}, pile {state.pile(seat)}"

    def riser(self, seat: Seat, artist: Artist, market: str) -> str:
        return f"{self.token(seat, artist)} rises from {market}, and counts there until it arrives."

    def palace(self) -> str:
        state = self.state
        return f"**Palace** (+10, {state.palace_count} of {state.palace_limit}): {self.group(state.palace)}"

    def level(self, level: int) -> str:
        markets = "; ".join(self.market(level, index) for index in range(self.state.seats))
        street = self.group(self.state.street(level))
        return f"**Level {level}** (+{2 * level}): {markets}\n**Street {level}** (−{level}): {street}"

    def market(self, level: int, index: int) -> str:
        holders = zip(ICONS, self.state.market(level, index), strict=True)
        told = ", ".join(self.token(seat, artist) for artist, seat in holders if seat is not None)
        ready = " (cycle ready)" if is_ready(self.state, level, index) else ""
        return f"{level}{MARKETS[index]} {told or 'empty'}{ready}"

    def group(self, groups: Sequence[Group]) -> str:
        return listed([self.token(*group) for group in groups]) or "nobody"


def _options(view: View) -> str:
    """What is still open of a turn that is being built, else all that can be done now, whoever looks on."""
    actions = view.offered or tuple(action for decision in view.decisions for action in decision.options)
    return f"Options: {', '.join(format_action(action) for action in actions)}" if actions else ""
