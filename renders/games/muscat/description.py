"""Describe the position of Muscat: a short text for screen readers, and a long one complete enough to play from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import groupby

from engine.core import View
from engine.games.muscat.artists import Artist
from engine.games.muscat.city import Market, markets_on
from engine.games.muscat.state import Muscat, Riser
from engine.languages import language
from engine.texts import Seat, Text, listed
from engine.values import Value
from engine.wording import Voice, say, verb_words
from renders.games.muscat.board import is_ready, score_text
from renders.games.muscat.layout import ICONS, LEVELS_FROM_TOP, Group
from renders.theme import SEATS
from renders.words import (
    MAX_CHARS,
    alt_text,
    clip,
    heading,
    join_with_semicolons,
    long_text,
    luck_next,
    now_sentences,
    shorten,
    with_label,
    word,
)


def round_words(view: View[Muscat]) -> Text:
    """State the round: `round 21`, `round 21, the last`, `setting up` or, after the end, `ended in round 21`."""
    n = view.state.round
    if view.outcome:
        return Text("ended in round {n}", n=n)
    if not n:
        return Text("setting up")
    return Text("round {n}, the last", n=n) if view.state.last_round else Text("round {n}", n=n)


LEGEND = (
    "A market takes one artist of each kind, three at most. Its spaces lie clockwise: {artists}, and around again; "
    "each threatens the next. All markets of a level are equally near. The artists on a full market are listed from "
    "the strongest to the weakest: when it is set in motion, the first two rise, and the last one falls into the "
    "street of that level."
)
"""Rules that a reader needs to play from the text alone."""

SHORT_LEGEND = "Clockwise: {artists}. Each threatens the next. Full markets go from the strongest to the weakest."


class Form(Enum):
    """The extent of a description."""

    ALT = "alt text, in which two letters stand for a seat and its artist"
    LETTERS = "all of the position, with letters for the artists"
    WORDS = "all of the position and its events, in words"


def alt(view: View[Muscat], labels: Sequence[str]) -> str:
    """Alt text of at most 1000 characters. Two letters stand for a seat and its artist: `RP` is Red's piper."""
    # Names are cut to leave room for the city.
    return alt_text(_Describer(view, [clip(label, 14) for label in labels], Form.ALT).rows())


def tell(view: View[Muscat], names: Sequence[str]) -> str:
    """Describe everything in rows.

    If that is too long, explanations of options are left out, then artists are abbreviated, and finally names are cut.
    """
    short = [shorten(name, 16) for name in names]
    # Use the fullest version that fits.
    for form, glosses in ((Form.WORDS, True), (Form.WORDS, False), (Form.LETTERS, False)):
        text = long_text(_Describer(view, names, form, glosses).rows())
        if len(text) <= MAX_CHARS:
            return text
    return clip(long_text(_Describer(view, short, Form.LETTERS).rows()), MAX_CHARS)


class _Describer(Value):
    """Words for one position. `glosses` explains the options."""

    view: View[Muscat]
    names: Sequence[str]
    form: Form
    glosses: bool = False

    def rows(self) -> Iterator[str]:
        """All rows, from the most important one to the options."""
        view, state, brief = self.view, self.view.state, self.form is Form.ALT
        yield heading(view, round_words(view), now_sentences(view, self.names), brief=brief)
        if self.form is Form.WORDS:
            yield clip(" ".join(say(event, self.names) for event in view.events if not event.minor), 700)
        if not brief:
            yield luck_next(view, self.names)
        yield from (self.seat(Seat(seat)) for seat in range(state.seats))
        yield self.legend()
        yield self.palace()
        yield from map(self.short_level if brief else self.level, LEVELS_FROM_TOP)
        yield from map(self.riser, state.rising)
        if not brief:
            yield _options(view, self.names, glosses=self.glosses)

    def legend(self) -> str:
        if self.form is Form.WORDS:
            return str(Text(LEGEND, artists=", ".join(map(word, ICONS))))
        artists = join_with_semicolons(f"{artist} {word(artist)}" for artist in ICONS)
        return str(Text("Artists: {artists}." if self.form is Form.ALT else SHORT_LEGEND, artists=artists))

    def token(self, seat: Seat, artist: Artist, count: int = 1) -> str:
        """An artist: `RP`, `Ann P` or `Ann’s piper`, with the count if there are several."""
        if self.form is Form.ALT:
            code = f"{SEATS[seat].letter}{artist}"
            return f"{code}×{count}" if count > 1 else code
        kind = str(artist) if self.form is Form.LETTERS else word(artist)
        token = str(Text("{owner} {artist}", owner=self.names[seat], artist=kind))
        return f"{token} ×{count}" if count > 1 else token

    def group(self, groups: Sequence[Group]) -> str:
        tokens = [self.token(*group) for group in groups]
        if self.form is Form.ALT:
            return " ".join(tokens) or "–"
        return listed(tokens) or str(Text("nobody"))

    def seat(self, seat: Seat) -> str:
        state, name = self.view.state, self.names[seat]
        faceup, draw = state.faceup(seat), state.drawn
        own = draw is not None and draw.seat == seat
        if self.form is Form.ALT:
            line = "{seat}: {score}, shows {shown}, pile {pile}."
            if own:
                line = "{seat}: {score}, shows {shown}, drew {drawn}, pile {pile}."
            letters = {
                "seat": f"{SEATS[seat].letter} {name}",
                "shown": str(faceup) if faceup else None,
                "drawn": str(draw.artist) if draw else "",
            }
            return str(Text(line, **letters, score=score_text(state, seat), pile=state.pile(seat)))
        line = "{seat}: score {score}, face up: {shown}, pile: {pile} hidden"
        if own:
            line = "{seat}: score {score}, face up: {shown}, drawn: {drawn}, pile: {pile} hidden"
        fields = {
            "seat": Text("{name} (you)", name=f"**{name}**") if seat == self.view.viewer else f"**{name}**",
            "shown": faceup or Text("nobody"),
            "drawn": draw.artist if draw else "",
        }
        return str(Text(line, **fields, score=score_text(state, seat), pile=state.pile(seat)))

    def riser(self, riser: Riser) -> str:
        template = "{artist} rises from {market}, and counts there until it arrives."
        if self.form is Form.ALT:
            template = "{artist} rises from {market}, counted there."
        return str(Text(template, artist=self.token(riser.seat, riser.artist), market=riser.origin))

    def palace(self) -> str:
        state = self.view.state
        held, limit, artists = state.palace_count, state.palace_limit, self.group(state.palace)
        if self.form is Form.ALT:
            return str(Text("Palace {held}: {artists}.", held=f"{held}/{limit}", artists=artists))
        line = "**Palace** (+10 each; {held} so far, {limit} trigger the last round): {artists}"
        return str(Text(line, held=held, limit=limit, artists=artists))

    def short_level(self, level: int) -> str:
        """The artists on a level as letters, and those in its street."""
        state = self.view.state
        on_level = markets_on(level, state.seats)
        markets = join_with_semicolons(
            f"{market.letter} {' '.join(self.artists_on(market)) or '–'}" for market in on_level
        )
        template = "Level {level}: {markets}. Street {level}: {street}."
        return str(Text(template, level=level, markets=markets, street=self.group(state.street(level))))

    def level(self, level: int) -> str:
        """One row for each occupied market, one for all empty ones, and one for the street."""
        state = self.view.state
        on_level = markets_on(level, state.seats)
        empty = [str(market) for market in on_level if not any(holder is not None for holder in state.market(market))]
        rows = [self.market(market) for market in on_level if str(market) not in empty]
        if empty:
            rows.append(str(Text("empty: {markets}", markets=", ".join(empty))))
        here = self.group(state.street(level))
        street = str(Text("Street {level} (−{level} each): {artists}", level=level, artists=here))
        head = str(Text("**Level {level}** (+{points} each)", level=level, points=2 * level))
        return "\n".join((head, *rows, street))

    def artists_on(self, market: Market) -> list[str]:
        holders = zip(ICONS, self.view.state.market(market), strict=True)
        return [self.token(seat, artist) for artist, seat in holders if seat is not None]

    def market(self, market: Market) -> str:
        """List the artists of a market; those of a full market from strongest to weakest."""
        artists = self.artists_on(market)
        if not is_ready(self.view.state, market):
            return with_label(str(market), ", ".join(artists))
        # Clockwise from the empty field, they go from strongest to weakest (rule 5.1).
        first = self.view.state.market(market).index(None)
        return str(
            Text("{market}, full: {artists}", market=market, artists=" > ".join(artists[first:] + artists[:first]))
        )


def _options(view: View[Muscat], names: Sequence[str], *, glosses: bool) -> str:
    """List the remaining options of an unfinished turn, or else everyone's options."""
    actions = view.offered or tuple(action for decision in view.decisions for action in decision.options)
    voice = Voice(names, state=view.state)
    rows = [str(Text("**Options**"))] if actions else []
    for kind, group in groupby(actions, key=lambda action: type(action)):
        if not glosses:
            rows.append(with_label(f"**{verb_words(kind.verb)}**", join_with_semicolons(map(voice.label, group))))
            continue
        # In Discord's Markdown, `-#` marks small print. The docstring of an action is a sentence for players
        # (`locales`).
        rows.append(
            "-# "
            + with_label(f"**{verb_words(kind.verb)}**", language().translate((kind.__doc__ or "").splitlines()[0]))
        )
        rows += (f"- {with_label(voice.label(action), voice.gloss(action))}" for action in group)
    return "\n".join(rows)
