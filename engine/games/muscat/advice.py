"""Advice for beginners: a pair of lines for every question."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from engine.core import Advice, Advised
from engine.games.muscat.actions import Cycle
from engine.games.muscat.artists import ARTISTS, Artist
from engine.games.muscat.board import TRIO, Trio
from engine.games.muscat.city import Market, markets
from engine.games.muscat.state import Muscat
from engine.texts import Seat, Text

Lines = tuple[Text, Text]

_LAST_ROUND = Text("This is the last round: climb once more, and get whom you can out of the streets.")
_TRICK = Text("On a market with three, look for the empty space: the next one clockwise is the strongest.")
_NOBODY_LEFT = Text("You have nobody left to bring in: only the artists in the city can bring you points now.")
_STREETS = Text("Artists in a street cost points. They can go back to work, or pay for a special action.")
_SUPPLY = Text("Bring in your face-up artist beside one that it threatens, or try your luck with a hidden one.")
_LAST_ONE = Text("Bring in the last of your pile beside an artist that it threatens, or use those in the city.")
ALL_ALIKE = Text("Any market will do: those of a level are all alike, and others will join you there.")
FULL = Text("A third artist makes a market full, so that it can be set in motion on any later turn.")

_ONE_OF_TWO = Text("The weakest of three is the one that threatens nobody there: it falls, the others climb.")
_OTHER_STAYS = Text("The other market stays full, and can be set in motion on any later turn.")

_FOR_GOOD = Text("Whoever you name leaves the game for good, and costs you no more points in its street.")
_KEEP_THE_HIGH = Text("Going back to work earns most from high streets: give up one that has no market to return to.")

GIVE_UP: Lines = (_FOR_GOOD, _KEEP_THE_HIGH)
PICK: Lines = (_ONE_OF_TWO, _OTHER_STAYS)


def turn(state: Muscat) -> Advice:
    """Advice for the seat on turn: an opportunity, and the available means."""
    seat = state.turn
    if state.idlers[seat]:
        means = _STREETS
    elif state.pile(seat):
        means = _SUPPLY
    else:
        means = _LAST_ONE if state.shown[seat] else _NOBODY_LEFT
    return *_occasions(state, seat), means


def safe_beside(artist: Artist) -> Text:
    """The artist beside which another one never falls (rule 5.1)."""
    template = "Beside {prey}, whom it threatens, your {artist} is never the weakest of three."
    return Text(template, prey=artist.prey.with_article, artist=artist)


def _occasions(state: Muscat, seat: Seat) -> Iterator[Text | Advised]:
    """The approaching end, markets that lift or threaten artists of the seat, and how to find one."""
    if state.last_round:
        yield _LAST_ROUND
        return
    # A cycle can bring two artists into the palace (rule 5.5).
    if (courtiers := state.palace_count) >= state.palace_limit - 2:
        template = "The palace holds {held} of the {limit} artists that bring the last round: climb now."
        yield Text(template, held=courtiers, limit=state.palace_limit)
        return
    yield from _full_markets(state, seat)
    yield _TRICK


def _full_markets(state: Muscat, seat: Seat) -> Iterator[Text | Advised]:
    """The highest full market that would lift artists of the seat and drop none, and the highest that drops one."""
    # Markets are numbered level by level, so the reverse order starts with the highest.
    city = zip(markets(state.seats), state.board, strict=True)
    full = [(market, trio) for market, code in city if (trio := TRIO[code])][::-1]
    ranks = [(market, trio, rank) for market, trio in full if (rank := _rank(market, trio, seat))]
    lifting = (Advised(rank, Cycle(market)) for market, trio, rank in ranks if trio.weakest.seat != seat)
    throwing = (rank for _, trio, rank in ranks if trio.weakest.seat == seat)
    yield from islice(lifting, 1)
    yield from islice(throwing, 1)


def _rank(market: Market, trio: Trio, seat: Seat) -> Text | None:
    """The rank of an artist of the seat on a full market, with the reason; the weakest if there are several."""
    why = Text("{market} lacks {missing}", market=market, missing=ARTISTS[trio.missing].with_article)
    if trio.weakest.seat == seat:
        return Text("{why}: your {artist} is the weakest and would fall.", why=why, artist=trio.weakest.artist)
    if trio.strongest.seat == seat:
        template = "{why}: your {artist} is the strongest, so set it in motion and climb."
        return Text(template, why=why, artist=trio.strongest.artist)
    if trio.second.seat == seat:
        template = "{why}: your {artist} is the second, so set it in motion and climb."
        return Text(template, why=why, artist=trio.second.artist)
    return None
