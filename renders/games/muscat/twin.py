"""The position of Muscat in words: a short twin for screen readers and a long one to play from."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import View
from engine.games.muscat.artists import Artist
from engine.games.muscat.city import Market, markets_on
from engine.games.muscat.state import Muscat, Riser
from engine.notation import format_action
from engine.texts import Seat, listed
from engine.wording import say
from renders.games.muscat.board import is_ready, score_text
from renders.games.muscat.layout import FROM_THE_TOP, ICONS, Group
from renders.theme import SEATS
from renders.words import clipped, due_sentence, result_sentence

ARTISTS = "; ".join(f"{artist} {artist.label}" for artist in ICONS)


def round_words(view: View[Muscat]) -> str:
    """`Round 21`, `Round 21, the last`, `Setting up` or, after the end, `Ended in round 21`."""
    n = view.state.round
    if view.outcome:
        return f"Ended in round {n}"
    return f"Round {n}{', the last' if view.state.last_round else ''}" if n else "Setting up"


# --- Short -----------------------------------------------------------------------------------------------------------


def alt(view: View[Muscat], labels: Sequence[str]) -> str:
    """At most 1000 characters: two letters are a seat and its artist, `RP` the piper of Red."""
    state = view.state
    names = [clipped(label, 14) for label in labels]
    parts = [
        f"Muscat. {round_words(view)}. {_now(view, names)}",
        *(_short_seat(state, Seat(seat), name) for seat, name in enumerate(names)),
        f"Artists: {ARTISTS}.",
        f"Palace {state.palace_count}/{state.palace_limit}: {_short(state.palace)}.",
        *(_short_level(state, level) for level in FROM_THE_TOP),
        *(f"{_code(riser.seat, riser.artist)} rises from {riser.origin}, counted there." for riser in state.rising),
    ]
    return clipped(" ".join(parts), 1000)


def _now(view: View[Muscat], names: Sequence[str]) -> str:
    if view.outcome:
        return result_sentence(view, names)
    prompts = " ".join(clipped(say(d.prompt, names), 90) for d in view.decisions if d.seat >= 0)
    return f"{due_sentence(view, names)} {prompts}".strip()


def _short_seat(state: Muscat, seat: Seat, name: str) -> str:
    shown = state.faceup(seat) or "none"
    drawn = f", drew {state.drawn.artist}" if state.drawn and state.drawn.seat == seat else ""
    return f"{SEATS[seat].letter} {name}: {score_text(state, seat)}, shows {shown}{drawn}, pile {state.pile(seat)}."


def _short_level(state: Muscat, level: int) -> str:
    markets = (f"{market.letter} {_short_market(state, market)}" for market in markets_on(level, state.seats))
    return f"Level {level}: {'; '.join(markets)}. Street {level}: {_short(state.street(level))}."


def _short_market(state: Muscat, market: Market) -> str:
    holders = zip(ICONS, state.market(market), strict=True)
    return " ".join(_code(seat, artist) for artist, seat in holders if seat is not None) or "–"


def _short(groups: Sequence[Group]) -> str:
    return " ".join(_code(seat, artist) + (f"×{n}" if n > 1 else "") for seat, artist, n in groups) or "–"


def _code(seat: Seat, artist: Artist) -> str:
    return f"{SEATS[seat].letter}{artist}"


# --- Long ------------------------------------------------------------------------------------------------------------


def tell(view: View[Muscat], labels: Sequence[str]) -> str:
    """Everything in full words, or with letters for the artists where that would be too long."""
    names = [clipped(label, 16) for label in labels]
    full = _told(view, names, short=False)
    return full if len(full) <= 3400 else clipped(_told(view, names, short=True), 3400)


def _told(view: View[Muscat], names: Sequence[str], *, short: bool) -> str:
    teller = _Teller(view.state, names, short)
    happened = " ".join(say(event, names) for event in view.events)
    parts = [
        f"**Muscat**, {round_words(view)[0].lower()}{round_words(view)[1:]}. {_now(view, names)}",
        clipped(happened, 700),
        f"({ARTISTS})" if short else "",
        "\n".join(teller.seat(Seat(seat)) for seat in range(view.state.seats)),
        teller.palace(),
        *(teller.level(level) for level in FROM_THE_TOP),
        " ".join(map(teller.riser, view.state.rising)),
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
        drawn = f", has drawn {state.drawn.artist.label}" if state.drawn and state.drawn.seat == seat else ""
        points = f"**{self.names[seat]}** {score_text(state, seat)} points"
        return f"{points}, shows {shown.label if shown else 'nobody'}{drawn}, pile {state.pile(seat)}"

    def riser(self, riser: Riser) -> str:
        return f"{self.token(riser.seat, riser.artist)} rises from {riser.origin}, and counts there until it arrives."

    def palace(self) -> str:
        state = self.state
        return f"**Palace** (+10, {state.palace_count} of {state.palace_limit}): {self.group(state.palace)}"

    def level(self, level: int) -> str:
        markets = "; ".join(map(self.market, markets_on(level, self.state.seats)))
        street = self.group(self.state.street(level))
        return f"**Level {level}** (+{2 * level}): {markets}\n**Street {level}** (−{level}): {street}"

    def market(self, market: Market) -> str:
        holders = zip(ICONS, self.state.market(market), strict=True)
        told = ", ".join(self.token(seat, artist) for artist, seat in holders if seat is not None)
        ready = " (cycle ready)" if is_ready(self.state, market) else ""
        return f"{market} {told or 'empty'}{ready}"

    def group(self, groups: Sequence[Group]) -> str:
        return listed([self.token(*group) for group in groups]) or "nobody"


def _options(view: View[Muscat]) -> str:
    """What is still open of a turn that is being built, else all that can be done now, whoever looks on."""
    actions = view.offered or tuple(action for decision in view.decisions for action in decision.options)
    return f"Options: {', '.join(format_action(action) for action in actions)}" if actions else ""
