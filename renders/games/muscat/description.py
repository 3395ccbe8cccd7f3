"""The position of Muscat in words: a short description for screen readers and a long one to play from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from engine.core import View
from engine.games.muscat.artists import Artist
from engine.games.muscat.city import Market, markets_on
from engine.games.muscat.state import Muscat, Riser
from engine.texts import Seat, listed
from engine.wording import Voice, say, verb_words
from renders.games.muscat.board import is_ready, score_text
from renders.games.muscat.layout import FROM_THE_TOP, ICONS, Group
from renders.theme import SEATS
from renders.words import ALT, LONGEST, clipped, now_sentences, shortened

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
    # Names are cut to leave room for the city.
    parts = [
        f"Muscat. {round_words(view)}. {now_sentences(view, names)}",
        *(_short_seat(state, Seat(seat), name) for seat, name in enumerate(names)),
        f"Artists: {ARTISTS}.",
        f"Palace {state.palace_count}/{state.palace_limit}: {_short(state.palace)}.",
        *(_short_level(state, level) for level in FROM_THE_TOP),
        *(f"{_code(riser.seat, riser.artist)} rises from {riser.origin}, counted there." for riser in state.rising),
    ]
    return clipped(" ".join(parts), ALT)


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

LEGEND = (
    "A market takes one artist of each kind, three at most. Its fields lie clockwise: "
    f"{', '.join(artist.label for artist in ICONS)}, and round again; each threatens the next. All markets of a level"
    " are equally near. Those on a full market stand from the strongest to the weakest: set in motion, the first two"
    " rise, and the last one falls into the street of that level."
)
"""What somebody has to know who reads nothing else."""

SHORT_LEGEND = f"Clockwise: {ARTISTS}. Each threatens the next. Full markets go from the strongest to the weakest."


def tell(view: View[Muscat], names: Sequence[str]) -> str:
    """Everything in rows; where that is too long, without what options lead to, then with letters for artists, and at
    last with short names.
    """
    short = [shortened(name, 16) for name in names]
    # The fullest account that fits.
    for called, glosses, brief in ((names, True, False), (names, False, False), (names, False, True)):
        told = _told(view, called, glosses=glosses, short=brief)
        if len(told) <= LONGEST:
            return told
    return clipped(_told(view, short, glosses=False, short=True), LONGEST)


def _told(view: View[Muscat], names: Sequence[str], *, glosses: bool, short: bool) -> str:
    teller = _Teller(view, names, short)
    happened = " ".join(say(event, names) for event in view.events if not event.minor)
    parts = [
        f"**Muscat**, {round_words(view)[0].lower()}{round_words(view)[1:]}. {now_sentences(view, names)}",
        "" if short else clipped(happened, 700),
        _odds(view, names),
        *(teller.seat(Seat(seat)) for seat in range(view.state.seats)),
        SHORT_LEGEND if short else LEGEND,
        teller.palace(),
        *(teller.level(level) for level in FROM_THE_TOP),
        *map(teller.riser, view.state.rising),
        _options(view, names, glosses=glosses),
    ]
    return "\n".join(part for part in parts if part)


class _Teller:
    """Words for one position: with the artists' names, or with their letters if `short`."""

    def __init__(self, view: View[Muscat], names: Sequence[str], short: bool) -> None:
        self.state, self.viewer, self.names, self.short = view.state, view.viewer, names, short

    def token(self, seat: Seat, artist: Artist, count: int = 1) -> str:
        kind = str(artist) if self.short else artist.label
        return f"{self.names[seat]} {kind}{f' ×{count}' if count > 1 else ''}"

    def seat(self, seat: Seat) -> str:
        state = self.state
        shown, drawn = state.faceup(seat), state.drawn
        you = " (you)" if seat == self.viewer else ""
        points = f"**{self.names[seat]}**{you}: {score_text(state, seat)} points"
        brought = f", drawn: {drawn.artist.label}" if drawn and drawn.seat == seat else ""
        return f"{points}, face up: {shown.label if shown else 'nobody'}{brought}, pile: {state.pile(seat)} hidden"

    def riser(self, riser: Riser) -> str:
        return f"{self.token(riser.seat, riser.artist)} rises from {riser.origin}, and counts there until it arrives."

    def palace(self) -> str:
        state = self.state
        held = f"{state.palace_count} so far, {state.palace_limit} bring the last round"
        return f"**Palace** (+10 each; {held}): {self.group(state.palace)}"

    def level(self, level: int) -> str:
        """A row for each market with somebody on it, one for all empty ones, and the street."""
        on_level = markets_on(level, self.state.seats)
        empty = [
            str(market) for market in on_level if not any(holder is not None for holder in self.state.market(market))
        ]
        rows = [self.market(market) for market in on_level if str(market) not in empty]
        if empty:
            rows.append(f"empty: {', '.join(empty)}")
        street = f"Street {level} (−{level} each): {self.group(self.state.street(level))}"
        return "\n".join((f"**Level {level}** (+{2 * level} each)", *rows, street))

    def market(self, market: Market) -> str:
        """Who is there; of three, from the strongest to the weakest."""
        holders = zip(ICONS, self.state.market(market), strict=True)
        told = [self.token(seat, artist) for artist, seat in holders if seat is not None]
        if not is_ready(self.state, market):
            return f"{market}: {', '.join(told)}"
        # Clockwise from the empty field they go from the strongest to the weakest (rule 5.1).
        first = self.state.market(market).index(None)
        return f"{market}, full: {' > '.join(told[first:] + told[:first])}"

    def group(self, groups: Sequence[Group]) -> str:
        return listed([self.token(*group) for group in groups]) or "nobody"


def _odds(view: View[Muscat], names: Sequence[str]) -> str:
    """Whom luck may turn up, in a preview."""
    odds = view.state.odds() if view.luck_next else None
    return say(odds, names) if odds else ""


def _options(view: View[Muscat], names: Sequence[str], *, glosses: bool) -> str:
    """What is still open of a turn that is being built, else all that can be done now, for any viewer."""
    actions = view.offered or tuple(action for decision in view.decisions for action in decision.options)
    voice = Voice(names, state=view.state)
    rows = ["**Options**"] if actions else []
    for kind, found in groupby(actions, key=lambda action: type(action)):
        if not glosses:
            rows.append(f"**{verb_words(kind.verb)}**: {'; '.join(map(voice.label, found))}")
            continue
        # Discord: `-#` makes a line of small print.
        rows.append(f"-# **{verb_words(kind.verb)}**: {(kind.__doc__ or '').splitlines()[0]}")
        rows += (f"- {': '.join(filter(None, (voice.label(action), voice.gloss(action))))}" for action in found)
    return "\n".join(rows)
