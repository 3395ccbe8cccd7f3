"""The picture of Ali Baba and its text twins: blessed pictures, nothing leaks, nothing is too long, all inside."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from random import Random

import pytest
from PIL import Image, ImageChops, ImageStat

import renders
from engine import Match, Seat, View
from engine.games.alibaba import GAME, AliBaba, Cave, GangsTable
from engine.games.alibaba.track import all_spaces
from renders.games.alibaba import paint
from renders.games.alibaba.ground import ground
from renders.games.alibaba.layout import center, figure, panel_box
from renders.games.alibaba.marks import reachable
from renders.games.alibaba.pieces import LAND
from renders.sprites import rgb
from renders.theme import SAFE, SEATS, TURQUOISE
from tests.renders.positions import GOLDEN

LONG = ("Scheherazade of Baghdad",) * 6


def played(seats: int, seed: str, mode: str = "cave") -> Iterator[Match]:
    """A random game in which nobody is shy: stakes are high, and bandits are risked."""
    match, rng = Match.begin(GAME, GAME.setup(seats, {"mode": mode}), seed), Random(seed)
    yield match
    while decisions := match.state.decisions():
        options = decisions[0].options
        bold = [a for a in options if a.verb not in ("return", "stop", "decline")]
        if options[0].verb == "steal":
            bold = list(options[3:])
        match.play(decisions[0].seat, rng.choice(bold or options))
        yield match


def private(match: Match) -> View:
    """The position as the seat that is due sees it, with its options marked."""
    decision = match.state.decisions()[0]
    return match.view(decision.seat, offered=decision.options)


def first(seats: int, mode: str, wanted: object) -> Match:
    """The first position of seeded games that is wanted."""
    for seed in range(40):
        for match in played(seats, f"{mode} {seed}", mode):
            if match.outcome is None and wanted(match):  # type: ignore[operator]
                return match
    raise AssertionError("no such position")


def crowded(match: Match) -> bool:
    """Six thieves lie there, somebody claims, most of the others are in the cave or were caught."""
    state = match.state
    assert isinstance(state, Cave)
    met = state.encounter
    if not met or len(met.types) < 6 or state.decisions()[0].options[-1].verb != "decline":
        return False
    return len(met.losses) + sum(due is not None for due in state.dues) >= 5


def endangered(match: Match) -> bool:
    """More than four types are in danger, and the line is known."""
    state = match.state
    assert isinstance(state, GangsTable)
    return bool(state.danger and state.danger.black and len(state.danger.types) > 5)


def ended(seats: int, mode: str) -> Match:
    *_, last = played(seats, "the end", mode)
    return last


def posted(name: str) -> View:
    """The views of the golden pictures."""
    match name:
        case "start":
            return private(Match.begin(GAME, GAME.setup(3), "start"))
        case "middle":
            return private(first(6, "cave", crowded))
        case "gangs":
            return private(first(6, "gangs", endangered))
        case "fork":
            return private(first(4, "cave", lambda m: len(reachable(private(m))) > 5))
    return ended(2, "cave").view(None)


@pytest.mark.parametrize("name", ["start", "middle", "gangs", "fork", "end"])
def test_the_picture_is_the_blessed_one(name: str, bless: bool) -> None:
    view, path = posted(name), GOLDEN.with_name("alibaba") / f"{name}.png"
    now = renders.png(renders.draw(view, GAME.seat_names(view.setup)))
    if bless:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(now)
    with Image.open(path) as blessed, Image.open(io.BytesIO(now)) as drawn:
        apart = ImageChops.difference(blessed.convert("RGB"), drawn.convert("RGB")).convert("L")
    assert sum(apart.histogram()[6:]) < 100, f"{path} looks different now; bless it if it is right"


@pytest.mark.parametrize("name", ["start", "middle", "gangs"])
def test_the_palette_is_true_and_the_file_small(name: str) -> None:
    view = posted(name)
    names = GAME.seat_names(view.setup)
    data = renders.png(renders.draw(view, names))
    flat = paint(view, names).flat()
    drawn = Image.open(io.BytesIO(data)).convert("RGB")
    apart = ImageChops.difference(flat, drawn)
    noise = sum(ImageStat.Stat(apart).sum2) / (3 * flat.width * flat.height)
    worst = ImageChops.lighter(ImageChops.lighter(apart.getchannel(0), apart.getchannel(1)), apart.getchannel(2))
    assert 10 * math.log10(255**2 / noise) >= 40
    assert sum(worst.histogram()[17:]) <= 0.005 * flat.width * flat.height
    assert len(data) <= 250_000


def test_flat_colors_are_exact() -> None:
    """White is not among them: it may come out as the house's ivory, three steps away."""
    for color in (
        *(style.fill for style in SEATS[:5]),
        TURQUOISE,
        LAND.paving,
        LAND.sand,
        LAND.town,
        LAND.cave,
        LAND.panel,
    ):
        block = ground("cave").palette.indexed(Image.new("RGB", (1, 1), color))
        assert rgb(color) == block.convert("RGB").getpixel((0, 0)), color


MODES = pytest.mark.parametrize("mode", ["cave", "gangs"])
SEATS_OF = pytest.mark.parametrize("seats", GAME.seats)


@SEATS_OF
@MODES
def test_every_position_can_be_drawn_and_told_within_the_limits(seats: int, mode: str) -> None:
    for n, match in enumerate(played(seats, "limits", mode)):
        views = [match.view(None, since=0)] + ([private(match)] if match.outcome is None else [])
        for view in views[n % 2 :]:
            assert 0 < len(renders.tell(view, LONG[:seats])) < 3500
            if n % 7 == 0:
                picture = renders.draw(view, LONG[:seats])
                assert 0 < len(picture.alt) <= 1000
                assert len(picture.png) <= 250_000


@pytest.mark.parametrize(("seats", "mode"), [(2, "cave"), (3, "cave"), (6, "cave"), (4, "gangs")])
def test_what_is_hidden_changes_no_byte_of_a_picture_or_a_word(seats: int, mode: str) -> None:
    names = GAME.seat_names(GAME.setup(seats))
    for n, match in enumerate(played(seats, "leaks", mode)):
        if n % 23 or match.outcome:
            continue
        true = match.state
        for viewer in (None, *map(Seat, range(seats))):
            seen = match.view(viewer)
            match.state = true.determinize(viewer, Random(n))
            other = match.view(viewer)
            match.state = true
            assert renders.png(renders.draw(seen, names)) == renders.png(renders.draw(other, names))
            assert renders.tell(seen, names) == renders.tell(other, names)


def turquoise(view: View) -> int:
    image = renders.draw(view, GAME.seat_names(view.setup)).image.convert("RGB")
    return sum(count for count, color in image.getcolors(256) or [] if color == rgb(TURQUOISE))


def test_where_the_figure_may_land_is_marked_in_the_private_picture_only() -> None:
    match = Match.begin(GAME, GAME.setup(3), "marks")
    assert turquoise(match.view(Seat(0))) > 1000, "before stealing, too"
    assert 0 == turquoise(match.view(None)) == turquoise(match.view(Seat(1)))
    match.play(Seat(0), match.decision_of(Seat(0)).options[0])
    assert turquoise(private(match)) > 1000


def test_a_chosen_card_leaves_its_own_landings_only() -> None:
    match = first(4, "cave", lambda m: len(reachable(private(m))) > 5)
    decision = match.state.decisions()[0]
    one = match.view(decision.seat, offered=decision.options[:1])
    if decision.options[0].verb == "play":
        assert 1 == len(reachable(one))
    assert len(reachable(private(match))) > 5


def test_the_figure_and_the_panels_keep_apart_and_inside() -> None:
    boxes = [panel_box(seats, seat) for seats in GAME.seats for seat in range(seats)]
    for space in all_spaces():
        x, y = figure(space)
        assert SAFE[0] <= x - 36
        assert x + 36 <= SAFE[2]
        for left, top, right, bottom in boxes:
            beside = x + 34 <= left or x - 34 >= right or y + 34 <= top or y - 34 >= bottom - 16
            assert beside, (space.name, (left, top, right, bottom))


def test_every_space_lies_inside_and_apart_from_the_others() -> None:
    places = [center(space) for space in all_spaces()]
    for n, (x, y) in enumerate(places):
        assert SAFE[0] <= x - 40 < x + 40 <= SAFE[2]
        assert SAFE[1] <= y - 38 < y + 38 <= SAFE[3]
        assert all(abs(x - a) >= 80 or abs(y - b) >= 76 for a, b in places[:n])


def test_the_short_twin_is_enough_to_play_from() -> None:
    match = first(6, "cave", crowded)
    view = private(match)
    state = view.state
    assert isinstance(state, AliBaba)
    alt = renders.draw(view, GAME.seat_names(view.setup)).alt
    for needed in ("The camel is on", "Your cards:", "Turned up:", "lost", "Decks and discards:", "Ahead:", "Played:"):
        assert needed in alt, needed
    assert all(f"{purse:,}" in alt for purse in state.purses)


def test_the_long_twin_names_the_marks_of_the_thieves_in_sight() -> None:
    view = private(first(6, "cave", crowded))
    told = renders.tell(view, GAME.seat_names(view.setup))
    assert "Marks of" in told
    assert "Options: claim" in told
