"""The prospects of artists: their neighbors on a market, and what a cycle there does to them."""

from __future__ import annotations

from engine.games.muscat.artists import ARTISTS, Artist
from engine.games.muscat.board import HOLDERS, TRIO, Token, Trio
from engine.games.muscat.city import Market
from engine.games.muscat.state import Muscat
from engine.texts import Text

FULL = Text("A third artist makes a market full, so that it can be set in motion on any later turn.")
"""Advice for a seat that chooses a market."""

_NOTHING = Text("")


def safety_advice(artist: Artist) -> Text:
    """Advice on the artist beside which another one never falls (rule 5.1)."""
    template = "Your {artist} threatens {prey}, so it’s never the weakest beside one."
    return Text(template, prey=artist.prey.with_article, artist=artist)


def neighbors_gloss(state: Muscat, market: Market, token: Token) -> Text:
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


def cycle_gloss(trio: Trio, before: Text = _NOTHING, after: Text = _NOTHING) -> Text:
    """The seats whose artists rise and fall in the cycle at once, with a text before and after it."""
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
