"""Positions of Muscat, written down as on paper, and a match played from one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine.core import Action, OptionValue
from engine.games.muscat import GAME, city
from engine.games.muscat.artists import ARTISTS, Artist
from engine.games.muscat.board import TOKENS, Counts, Idler, Token, token_of
from engine.games.muscat.city import Market
from engine.games.muscat.events import EndReason
from engine.games.muscat.state import Muscat
from engine.games.muscat.turn import Turn
from engine.texts import Seat
from tests.games import tables

KINDS = "PSEF"

at = Market.parse


def position(
    *,
    seats: int = 3,
    turn: int = 0,
    round: int = 1,
    markets: Mapping[str, str] | None = None,
    streets: Mapping[int, str] | None = None,
    palace: str = "",
    faceup: Mapping[int, str] | None = None,
    piles: Mapping[int, str] | None = None,
    last_round: bool = False,
    **options: OptionValue,
) -> Muscat:
    """The start of a turn.

    Args:
        seats: number of players.
        turn: how many turns of the round are over; with the default start player the seat on turn.
        round: 1, 2, ...
        markets: `{"1A": "S0 E1 F2"}`, an artist and its seat for each token.
        streets: `{1: "P0 P0"}`.
        palace: `"P0 E2"`.
        faceup: `{0: "S", 1: ""}`; the first kind that a seat has left, unless said otherwise.
        piles: `{0: "PSE", 1: ""}`; all the tokens that a seat has left, unless said otherwise.
        last_round: whether the last round has begun.
        options: of the host.
    """
    board = [0] * (4 * seats)
    results = [Counter(dict.fromkeys(range(4), 4)) for _ in range(seats)]
    for market, text in (markets or {}).items():
        for token in _tokens(text, results):
            board[city.markets(seats).index(Market.parse(market))] += token.weight
    idlers: list[list[Idler]] = [[] for _ in range(seats)]
    for street, text in (streets or {}).items():
        for token in _tokens(text, results):
            idlers[token.seat].append(Idler(street, token.field))
    courtiers = [0] * (4 * seats)
    for token in _tokens(palace, results):
        courtiers[token.number] += 1
    piles_shown = [_shown(seat, (faceup or {}).get(seat), results[seat]) for seat in range(seats)]
    return Muscat(
        frames=(Turn(),),
        setup=GAME.setup(seats, options),
        clock=round * seats + turn,
        last_round=last_round,
        board=tuple(board),
        idlers=tuple(tuple(sorted(mine)) for mine in idlers),
        courtiers=tuple(courtiers),
        shown_tokens=tuple(piles_shown),
        piles=tuple(_pile((piles or {}).get(seat), results[seat]) for seat in range(seats)),
        ended=None,
    )


def _tokens(text: str, left: list[Counter[int]]) -> list[Token]:
    tokens = [token_of(Seat(int(seat)), Artist(artist)) for artist, seat in text.split()]
    for token in tokens:
        left[token.seat][token.field] -= 1
    return tokens


def _shown(seat: int, artist: str | None, left: Counter[int]) -> Token | None:
    if artist == "":
        return None
    field = min(field for field in left if left[field] > 0) if artist is None else KINDS.index(artist)
    left[field] -= 1
    return TOKENS[seat][field]


def _pile(text: str | None, left: Counter[int]) -> Counts:
    counts = left if text is None else Counter(map(KINDS.index, text))
    return counts[0], counts[1], counts[2], counts[3]


class Table(tables.Table[Muscat]):
    """Luck comes as told, or else the first thing that it can bring."""

    def __init__(self, state: Muscat, luck: str = "") -> None:
        super().__init__(GAME, state.setup, state, [f"turn-up {artist}" for artist in luck])

    def by_luck(self) -> Action:
        return self.decision.options[0]


def table(luck: str = "", **told: Any) -> Table:
    """A table at a `position`."""
    return Table(position(**told), luck)


def on_market(state: Muscat, market: str) -> str:
    """The artists on a market, as `position` takes them: `S0 E1`."""
    holders = state.market(Market.parse(market))
    return " ".join(f"{artist}{seat}" for artist, seat in zip(ARTISTS, holders, strict=True) if seat is not None)


def in_street(state: Muscat, level: int) -> str:
    """The artists in a street, as `position` takes them."""
    return " ".join(f"{artist}{seat}" for seat, artist, count in state.street(level) for _ in range(count))


def in_palace(state: Muscat) -> str:
    """The artists in the palace, as `position` takes them."""
    return " ".join(f"{artist}{seat}" for seat, artist, count in state.palace for _ in range(count))


def over(state: Muscat) -> EndReason | None:
    """Why the game is over, `None` while it goes on."""
    outcome = state.outcome()
    assert (outcome is None) == bool(state.decisions())
    return EndReason(outcome.reason) if outcome else None
