"""Describe the position of Muscat: a short text for screen readers, and a long one complete enough to play from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from engine.core import View
from engine.games.muscat.artists import Artist
from engine.games.muscat.city import Market, markets_on
from engine.games.muscat.state import Muscat, Riser
from engine.languages import language
from engine.texts import Seat, Text, listed, term
from engine.wording import Voice, say, verb_words
from renders.games.muscat.board import is_ready, score_text
from renders.games.muscat.layout import ICONS, LEVELS_FROM_TOP, Group
from renders.theme import SEATS
from renders.words import MAX_ALT_CHARS, MAX_CHARS, clip, luck_next, now_sentences, shorten, word


def round_words(view: View[Muscat]) -> Text:
    """State the round: `round 21`, `round 21, the last`, `setting up` or, after the end, `ended in round 21`."""
    n = view.state.round
    if view.outcome:
        return Text("ended in round {n}", n=n)
    if not n:
        return Text("setting up")
    return Text("round {n}, the last", n=n) if view.state.last_round else Text("round {n}", n=n)


def _artists() -> str:
    return "; ".join(f"{artist} {word(artist)}" for artist in ICONS)


# --- Short -----------------------------------------------------------------------------------------------------------


def alt(view: View[Muscat], labels: Sequence[str]) -> str:
    """Alt text of at most 1000 characters. Two letters stand for a seat and its artist: `RP` is Red's piper."""
    state = view.state
    names = [clip(label, 14) for label in labels]
    # Names are cut to leave room for the city.
    parts = [
        str(
            Text(
                "{game}. {fact:^}. {now}", game=term(view.title), fact=round_words(view), now=now_sentences(view, names)
            )
        ),
        *(_short_seat(state, Seat(seat), name) for seat, name in enumerate(names)),
        str(Text("Artists: {artists}.", artists=_artists())),
        _short_palace(state),
        *(_short_level(state, level) for level in LEVELS_FROM_TOP),
        *map(_short_riser, state.rising),
    ]
    return clip(" ".join(parts), MAX_ALT_CHARS)


def _short_seat(state: Muscat, seat: Seat, name: str) -> str:
    faceup, draw = state.faceup(seat), state.drawn
    own = draw is not None and draw.seat == seat
    line = "{seat}: {score}, shows {shown}, pile {pile}."
    if own:
        line = "{seat}: {score}, shows {shown}, drew {drawn}, pile {pile}."
    fields = {
        "seat": f"{SEATS[seat].letter} {name}",
        "score": score_text(state, seat),
        "shown": str(faceup) if faceup else None,
        "drawn": str(draw.artist) if draw else "",
        "pile": state.pile(seat),
    }
    return str(Text(line, **fields))


def _short_palace(state: Muscat) -> str:
    held = f"{state.palace_count}/{state.palace_limit}"
    return str(Text("Palace {held}: {artists}.", held=held, artists=_short(state.palace)))


def _short_riser(riser: Riser) -> str:
    token = _code(riser.seat, riser.artist)
    return str(Text("{artist} rises from {market}, counted there.", artist=token, market=riser.origin))


def _short_level(state: Muscat, level: int) -> str:
    markets = "; ".join(f"{market.letter} {_short_market(state, market)}" for market in markets_on(level, state.seats))
    template = "Level {level}: {markets}. Street {level}: {street}."
    return str(Text(template, level=level, markets=markets, street=_short(state.street(level))))


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
    "{artists}, and round again; each threatens the next. All markets of a level"
    " are equally near. Those on a full market stand from the strongest to the weakest: set in motion, the first two"
    " rise, and the last one falls into the street of that level."
)
"""Rules that a reader needs to play from the text alone."""

SHORT_LEGEND = "Clockwise: {artists}. Each threatens the next. Full markets go from the strongest to the weakest."


def tell(view: View[Muscat], names: Sequence[str]) -> str:
    """Describe everything in rows.

    If that is too long, explanations of options are left out, then artists are abbreviated, and finally names are cut.
    """
    short = [shorten(name, 16) for name in names]
    # Use the fullest version that fits.
    for seat_names, glosses, brief in ((names, True, False), (names, False, False), (names, False, True)):
        text = _describe(view, seat_names, glosses=glosses, short=brief)
        if len(text) <= MAX_CHARS:
            return text
    return clip(_describe(view, short, glosses=False, short=True), MAX_CHARS)


def _describe(view: View[Muscat], names: Sequence[str], *, glosses: bool, short: bool) -> str:
    describer = _Describer(view.state, view.viewer, names, short)
    events = " ".join(say(event, names) for event in view.events if not event.minor)
    legend = str(Text(SHORT_LEGEND, artists=_artists()) if short else Text(LEGEND, artists=", ".join(map(word, ICONS))))
    parts = [
        str(
            Text(
                "**{game}**, {fact}. {now}",
                game=term(view.title),
                fact=round_words(view),
                now=now_sentences(view, names),
            )
        ),
        "" if short else clip(events, 700),
        luck_next(view, names),
        *(describer.seat(Seat(seat)) for seat in range(view.state.seats)),
        legend,
        describer.palace(),
        *(describer.level(level) for level in LEVELS_FROM_TOP),
        *map(describer.riser, view.state.rising),
        _options(view, names, glosses=glosses),
    ]
    return "\n".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class _Describer:
    """Words for one position, with the artists' names, or with their letters if `short`."""

    state: Muscat
    viewer: Seat | None
    names: Sequence[str]
    short: bool

    def token(self, seat: Seat, artist: Artist, count: int = 1) -> str:
        kind = str(artist) if self.short else word(artist)
        token = str(Text("{owner} {artist}", owner=self.names[seat], artist=kind))
        return f"{token} ×{count}" if count > 1 else token

    def seat(self, seat: Seat) -> str:
        state = self.state
        faceup, draw = state.faceup(seat), state.drawn
        own = draw is not None and draw.seat == seat
        line = "{seat}: {score} points, face up: {shown}, pile: {pile} hidden"
        if own:
            line = "{seat}: {score} points, face up: {shown}, drawn: {drawn}, pile: {pile} hidden"
        name = f"**{self.names[seat]}**"
        fields = {
            "seat": Text("{name} (you)", name=name) if seat == self.viewer else name,
            "score": score_text(state, seat),
            "shown": faceup or Text("nobody"),
            "drawn": draw.artist if draw else "",
            "pile": state.pile(seat),
        }
        return str(Text(line, **fields))

    def riser(self, riser: Riser) -> str:
        token = self.token(riser.seat, riser.artist)
        template = "{artist} rises from {market}, and counts there until it arrives."
        return str(Text(template, artist=token, market=riser.origin))

    def palace(self) -> str:
        state = self.state
        held = "**Palace** (+10 each; {held} so far, {limit} trigger the last round): {artists}"
        artists = self.group(state.palace)
        return str(Text(held, held=state.palace_count, limit=state.palace_limit, artists=artists))

    def level(self, level: int) -> str:
        """One row for each occupied market, one for all empty ones, and one for the street."""
        on_level = markets_on(level, self.state.seats)
        empty = [
            str(market) for market in on_level if not any(holder is not None for holder in self.state.market(market))
        ]
        rows = [self.market(market) for market in on_level if str(market) not in empty]
        if empty:
            rows.append(str(Text("empty: {markets}", markets=", ".join(empty))))
        here = self.group(self.state.street(level))
        street = str(Text("Street {level} (−{level} each): {artists}", level=level, artists=here))
        head = str(Text("**Level {level}** (+{points} each)", level=level, points=2 * level))
        return "\n".join((head, *rows, street))

    def market(self, market: Market) -> str:
        """List the artists of a market; those of a full market from strongest to weakest."""
        holders = zip(ICONS, self.state.market(market), strict=True)
        artists_here = [self.token(seat, artist) for artist, seat in holders if seat is not None]
        if not is_ready(self.state, market):
            return f"{market}: {', '.join(artists_here)}"
        # Clockwise from the empty field, they go from strongest to weakest (rule 5.1).
        first = self.state.market(market).index(None)
        artists = " > ".join(artists_here[first:] + artists_here[:first])
        return str(Text("{market}, full: {artists}", market=market, artists=artists))

    def group(self, groups: Sequence[Group]) -> str:
        return listed([self.token(*group) for group in groups]) or str(Text("nobody"))


def _options(view: View[Muscat], names: Sequence[str], *, glosses: bool) -> str:
    """List the remaining options of an unfinished turn, or else everyone's options."""
    actions = view.offered or tuple(action for decision in view.decisions for action in decision.options)
    voice = Voice(names, state=view.state)
    rows = [str(Text("**Options**"))] if actions else []
    for kind, group in groupby(actions, key=lambda action: type(action)):
        if not glosses:
            rows.append(f"**{verb_words(kind.verb)}**: {'; '.join(map(voice.label, group))}")
            continue
        # In Discord's Markdown, `-#` marks small print. The docstring of an action is a sentence for players
        # (`locales`).
        rows.append(f"-# **{verb_words(kind.verb)}**: {language().translated((kind.__doc__ or '').splitlines()[0])}")
        rows += (f"- {': '.join(filter(None, (voice.label(action), voice.gloss(action))))}" for action in group)
    return "\n".join(rows)
