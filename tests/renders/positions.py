"""Positions to draw: seeded games, recorded games, and one that is fuller than any possible game."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

from PIL import Image

from engine.core import Decision, Event, GameSpec, OptionValue, Setup, View
from engine.games import discover
from engine.games.muscat.artists import ARTISTS
from engine.games.muscat.board import TOKENS, Token
from engine.games.muscat.city import Market, markets
from engine.games.muscat.state import Muscat, Riser
from engine.games.muscat.verbs.cycle import Cycle
from engine.games.muscat.verbs.rise import Rose
from engine.match import Entry, Match
from engine.texts import Seat, Text
from renders import plain
from renders.canvas import Canvas
from renders.picture import Picture, picture_of
from renders.sprites import rgb
from renders.strips import Layer
from renders.theme import SAFE, TURQUOISE

MUSCAT = discover()["muscat"]
LABELS = ("Red", "Blue", "Yellow", "Green", "Purple")
GOLDEN = Path(__file__).parent / "golden" / "muscat"


Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class WrittenLine:
    """A line of text: its size in px, the y it was written at, and its layer on the canvas, if it has any ink."""

    text: str
    size: int
    y: float
    canvas: Canvas
    layer: Layer | None

    @property
    def box(self) -> Box:
        """Left, top, right and bottom."""
        assert self.layer is not None
        return self.layer[1:]


def is_inside_margin(box: tuple[float, float, float, float]) -> bool:
    """Whether a box lies within the safe margin of a picture."""
    return SAFE[0] <= box[0] and SAFE[1] <= box[1] and box[2] <= SAFE[2] and box[3] <= SAFE[3]


def boxes_touch(one: Box, other: Box) -> bool:
    """Whether two boxes share any pixel."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def count_mark_pixels(image: Image.Image) -> int:
    """Number of pixels in the mark color."""
    colors = image.convert("RGB").getcolors(1 << 20) or []
    return sum(count for count, color in colors if color == rgb(TURQUOISE))


def play_randomly(spec: GameSpec, seats: int, seed: int, **options: OptionValue) -> Iterator[Match]:
    """Play a random game. Yields the match before the first action and after each one, up to the end."""
    match, rng = Match.begin(spec, spec.setup(seats, options), str(seed)), Random(seed)
    yield match
    while match.outcome is None:
        decision = rng.choice(match.state.decisions())
        match.play(decision.seat, rng.choice(decision.options))
        yield match


def views(seats: int, seed: int, step: int = 1) -> Iterator[View[Any]]:
    """Positions of a random game of Muscat."""
    return views_of(MUSCAT, seats, seed, step)


def views_of(spec: GameSpec, seats: int, seed: int, step: int = 1, **options: OptionValue) -> Iterator[View[Any]]:
    """Every `step`-th position of a random game, alternating between the public and the due seat's view."""
    for n, match in enumerate(play_randomly(spec, seats, seed, **options)):
        if n % step == 0 or match.outcome:
            due = next((d for d in match.state.decisions()), None)
            private = due is not None and n // step % 2
            yield match.view(due.seat, offered=due.options) if due and private else match.view(None)


def replay_recorded(name: str) -> Match:
    """Replay `golden/muscat/<name>.log`: a line with seats and seed, then one entry per line."""
    head, *lines = (GOLDEN / f"{name}.log").read_text(encoding="utf-8").splitlines()
    seats, seed = head.split()
    entries = (line.split(" ", 1) for line in lines)
    log = [Entry(Seat(int(seat)), notation) for seat, notation in entries]
    return Match.replay(MUSCAT, MUSCAT.setup(int(seats)), seed, log)


LAST = Seat(4)


def image_of(picture: Picture) -> Image.Image:
    """Decode a picture's file, in palette colors."""
    image = Image.open(io.BytesIO(picture.png))
    image.load()
    return image


def alt_of(view: View[Any], labels: Sequence[str]) -> str:
    """The short description of a view, without its picture."""
    return str(import_module(f"renders.games.{view.game}").alt(view, labels))


def draw_plainly(view: View[Any], labels: Sequence[str], persons: Sequence[str] = ()) -> Picture:
    """Draw a view with the plain picture, regardless of the game's own."""
    return picture_of(plain.paint(view, labels, persons), plain.alt(view, labels))


@dataclass(frozen=True)
class Fullest:
    """All eighty tokens are out: three on each market, the others in streets and palace, with few equal ones."""

    seats: int = 5
    turn: Seat = LAST
    round: int = 21
    last_round: bool = True
    palace_limit: int = 8
    drawn: Token = TOKENS[LAST][2]

    def market(self, market: Market) -> tuple[Seat | None, ...]:
        first = market.level + market.place
        return tuple(None if n == first % 4 else Seat((first + n) % 5) for n in range(4))

    def street(self, level: int) -> tuple[tuple[Any, Any, int], ...]:
        return tuple((Seat((level + n) % 5), artist, 1 + n % 2) for n, artist in enumerate(ARTISTS))[: 3 + level % 2]

    @property
    def palace(self) -> tuple[tuple[Any, Any, int], ...]:
        return tuple((Seat(s), ARTISTS[(s + k) % 4], 2) for s in range(5) for k in range(2))

    @property
    def palace_count(self) -> int:
        return sum(count for *_, count in self.palace)

    @property
    def rising(self) -> tuple[Riser, ...]:
        return tuple(Riser(Seat(seat), artist, Market(3, "E")) for seat, artist in ((0, ARTISTS[1]), (4, ARTISTS[2])))

    def faceup(self, seat: int) -> Any:
        return ARTISTS[seat % 4]

    def pile(self, seat: int) -> int:
        return 14

    def score(self, seat: int) -> int:
        return -100 - seat

    def tally(self, seat: int) -> int:
        return self.score(seat) + self.rising_points(seat)

    def rising_points(self, seat: int) -> int:
        return 6 if seat in (0, 4) else 0

    def named(self, action: Any, field: str = "") -> None:
        """Default wording."""

    def gloss(self, action: Any) -> Text:
        return Text("Bartholomew and Xenophon rise, the elephant trainer of Maximilian falls")


def fullest() -> View[Muscat]:
    """A view of `Fullest` with a long prompt, many events and many options."""
    prompt = "Choose the market on level 4 that your elephant trainer enters, or else explain yourself at length."
    decision = Decision(Seat(4), Text(prompt), tuple(map(Cycle, markets(5))) * 2)
    events: tuple[Event, ...] = (Rose(Seat(4), ARTISTS[2], Market(1, "A"), Market(2, "A")),) * 12
    setup, state = Setup(5, SimpleNamespace()), cast("Muscat", Fullest())
    return View("muscat", "Muscat", LABELS, setup, Seat(4), 200, state, (decision,), events, None)
