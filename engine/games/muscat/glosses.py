"""Glosses of options in Muscat: the artists that rise and fall, the price, and the gain."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core import Action
from engine.games.muscat.actions import Change, Cycle, Draw, Expel, Pick, Place, Reemploy, Remove, Rise, Transform
from engine.games.muscat.artists import ARTISTS, FIELD, Artist
from engine.games.muscat.board import HOLDERS, TOKENS, TRIO, Counts, Idler, Token, Trio, token_of
from engine.games.muscat.city import LEVELS, Market
from engine.games.muscat.names import newcomer
from engine.games.muscat.state import LEVEL_POINTS, Muscat
from engine.texts import Text

_NOTHING = Text("")
_STRANDED = Text("no market on level 1 has room for it; there it costs a point")


def gloss(state: Muscat, action: Action) -> Text | None:
    """The meaning of an option in this position; see `Frame.gloss`."""
    match action:
        case Draw():
            return Text("one of {left}", left=kinds(state.piles[state.turn]))
        case Place(start):
            return _beside(state, start.market, newcomer(state)) if start.market else _STRANDED
        case Rise(market):
            riser = state.rising[0]
            return _beside(state, market, token_of(riser.seat, riser.artist))
        case Reemploy(artist, market):
            # From -1 to +2 for each level (rule 7).
            gain = (LEVEL_POINTS + 1) * market.level
            beside = _beside(state, market, token_of(state.turn, artist))
            return Text("gains {gain} points; {beside}", gain=gain, beside=beside)
        case Remove(_, street):
            return Text("saves {street} {street:point|points}", street=street)
    return _motion(state, action)


def kinds(counts: Counts) -> tuple[Text, ...]:
    """The number of artists of each kind, without kinds that have none."""
    return tuple(artist.counted(count) for artist, count in zip(ARTISTS, counts, strict=True) if count)


# --- neighbors ---


def _beside(state: Muscat, market: Market, token: Token) -> Text:
    """The neighbors of a token on a market; if it is the third one, the effect of a later cycle."""
    code = state.code(market)
    if trio := TRIO[code + token.weight]:
        return _prospect(trio)
    # At most one artist is there; with two, the newcomer would be the third.
    for seat, artist in zip(HOLDERS[code], ARTISTS, strict=True):
        if seat is not None:
            return Text("beside {seat:@’s|your} {artist}", seat=seat, artist=artist)
    return Text("nobody is there yet")


def _prospect(trio: Trio) -> Text:
    one, other, last = trio.strongest.seat, trio.second.seat, trio.weakest.seat
    # A sentence for each case, so that each seat is named only once.
    if one == other == last:
        return Text("in motion: {one} would rise twice and fall", one=one)
    if one == other:
        return Text("in motion: {one} would rise twice, {last} fall", one=one, last=last)
    if last in (one, other):
        rest = one if last == other else other
        return Text("in motion: {last} would rise and fall, {rest} rise", last=last, rest=rest)
    return Text("in motion: {one} and {other} would rise, {last} fall", one=one, other=other, last=last)


# --- cycles ---


def _motion(state: Muscat, action: Action) -> Text | None:
    match action:
        case Cycle(market):
            return _cycle(market, _trio(state, market))
        case Pick(market):
            # After an expulsion, whose price is paid after the cycle (rule 4.7).
            return _paid(state, [(market, _trio(state, market))])
        case Change(artist, _, target):
            trio = TRIO[state.code(target) + token_of(state.turn, artist).weight]
            assert trio is not None, "a change of place makes three"
            return _paid(state, [(target, trio)])
        case Expel(artist, origin, target):
            return _paid(state, _swapped(state, artist, origin, target))
        case Transform(market):
            return _transformed(state, market)
    return None


def _cycle(market: Market, trio: Trio) -> Text:
    """The seats whose artists rise, and the artist that falls."""
    fall = Text(", {last:@’s|your} {artist} falls", last=trio.weakest.seat, artist=trio.weakest.artist)
    top, one, other = market.level == LEVELS[-1], trio.strongest.seat, trio.second.seat
    if one == other:
        template = "the palace twice for {one}{fall}" if top else "{one} {one:rises|rise} twice{fall}"
        return Text(template, one=one, fall=fall)
    template = "palace for {one} and {other}{fall}" if top else "{one} and {other} rise{fall}"
    return Text(template, one=one, other=other, fall=fall)


def _transformed(state: Muscat, market: Market) -> Text:
    before = _trio(state, market)
    newcomer = TOKENS[before.weakest.seat][before.missing]
    trio = TRIO[state.code(market) - before.weakest.weight + newcomer.weight]
    assert trio is not None, "a transformation leaves three artists"
    return _order(trio, Text("costs the {artist}; ", artist=before.weakest.artist), _NOTHING)


def _order(trio: Trio, before: Text, after: Text) -> Text:
    """The seats whose artists rise and fall, with a text before and after it."""
    one, other, last = trio.strongest.seat, trio.second.seat, trio.weakest.seat
    if one == other == last:
        template = "{before}{one} {one:rises twice and falls|rise twice and fall}{after}"
        return Text(template, before=before, one=one, after=after)
    if one == other:
        template = "{before}{one} {one:rises|rise} twice, {last} {last:falls|fall}{after}"
        return Text(template, before=before, one=one, last=last, after=after)
    if last in (one, other):
        template = "{before}{last} {last:rises and falls|rise and fall}, {rest} {rest:rises|rise}{after}"
        return Text(template, before=before, last=last, rest=one if last == other else other, after=after)
    template = "{before}{one} and {other} rise, {last} {last:falls|fall}{after}"
    return Text(template, before=before, one=one, other=other, last=last, after=after)


# --- actions that cost an artist in a street ---

Motion = tuple[Market, Trio]
"""A full market, and its artists."""


def _swapped(state: Muscat, artist: Artist, origin: Market, target: Market) -> list[Motion]:
    """The full markets of an expulsion after the swap."""
    here, there = state.code(origin), state.code(target)
    rival = HOLDERS[there][FIELD[artist]]
    assert rival is not None, "an expulsion needs a rival"
    # Both artists are of one kind, so the swap adds the same number to one code that it subtracts from the other.
    more = token_of(rival, artist).weight - token_of(state.turn, artist).weight
    swapped = (origin, TRIO[here + more]), (target, TRIO[there - more])
    return [(market, trio) for market, trio in swapped if trio]


def _paid(state: Muscat, motions: list[Motion]) -> Text:
    """The effect of the cycle, or that the seat must pick a market, and the price."""
    price = _price(state, motions)
    if len(motions) == 1:
        trio = motions[0][1]
        return _order(trio, _NOTHING, price)
    return Text("both are full: {seat:@ picks|you pick} one next{price}", seat=state.turn, price=price)


def _price(state: Muscat, motions: Iterable[Motion]) -> Text:
    """The artist to give up, from those in a street, including one dropped by the cycle (rule 4.7)."""
    seat = state.turn
    fallen = {Idler(market.level, trio.weakest.field) for market, trio in motions if trio.weakest.seat == seat}
    # A set, since equal artists are interchangeable (rule 2.1).
    payers = fallen | set(state.idlers[seat])
    if len(payers) == 1:
        return Text("; price: {artist}", artist=ARTISTS[payers.pop().field])
    return Text("; {seat:@ gives|you give} one up next", seat=seat)


def _trio(state: Muscat, market: Market) -> Trio:
    trio = TRIO[state.code(market)]
    assert trio is not None, "the market holds three artists"
    return trio
