"""Seats are distinct by color, shape and letter; artists are distinct by their silhouettes."""

from __future__ import annotations

from itertools import combinations

import pytest
from PIL import Image, ImageChops

from renders.games.muscat.theme import THEME
from renders.sprites import icon, rasterize
from renders.theme import INK, IVORY, SEATS
from renders.tokens import outline
from tests.renders.color_vision import VIEWS, ciede2000, color_distance, contrast

SHARMA = [
    ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
    ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0000),
    ((50, -0.0010, 2.4900), (50, 0.0009, -2.4900), 4.8045),
    ((50, 2.5, 0), (73, 25, -18), 27.1492),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
]
"""Pairs of L*a*b* with their distance, published by Sharma, Wu and Dalal (2005)."""

MIN_DISTANCES = {
    3: (43.8, 34.2, 23.9, 27.6, 12.6),
    4: (37.0, 21.1, 17.3, 26.9, 12.6),
    5: (25.0, 18.4, 16.1, 26.9, 12.6),
    6: (25.0, 18.4, 16.1, 23.3, 12.6),
}
"""Minimum distance of two seats in play for each type of color vision, in the order of VIEWS, by number of seats."""


@pytest.mark.parametrize(("one", "other", "distance"), SHARMA)
def test_the_color_distance_agrees_with_published_pairs(
    one: tuple[float, float, float], other: tuple[float, float, float], distance: float
) -> None:
    assert distance == pytest.approx(ciede2000(one, other), abs=0.0001)
    assert distance == pytest.approx(ciede2000(other, one), abs=0.0001)


@pytest.mark.parametrize("seats", MIN_DISTANCES)
@pytest.mark.parametrize("view", VIEWS)
def test_seat_colors_keep_the_minimum_distance_for_every_kind_of_vision(seats: int, view: str) -> None:
    fills = [style.fill for style in SEATS[:seats]]
    least = min(color_distance(one, other, view) for one, other in combinations(fills, 2))
    assert least >= MIN_DISTANCES[seats][VIEWS.index(view)] - 0.1


def test_text_is_readable_on_every_seat_color() -> None:
    assert min(contrast(style.fill, style.text) for style in SEATS) >= 4.55


@pytest.mark.parametrize("ground", [*THEME.courts, *THEME.fields, *THEME.streets, THEME.palace[3], THEME.panel])
def test_the_rim_stands_out_from_every_ground(ground: str) -> None:
    """The bare fills do not, so one of the rim's two tones must."""
    for view in VIEWS:
        assert max(color_distance(ground, INK, view), color_distance(ground, IVORY, view)) >= 40


def test_every_seat_has_its_own_letter() -> None:
    letters = [style.letter for style in SEATS]
    assert sorted(set(letters)) == sorted(letters)


def coverage(drawing: str, half: int) -> Image.Image:
    return rasterize(drawing, -half, -half, half, half).getchannel("A")


def overlap(one: Image.Image, other: Image.Image) -> float:
    """Intersection over union of two silhouettes."""

    def mass(image: Image.Image) -> int:
        return sum(value * count for value, count in enumerate(image.histogram()))

    return mass(ImageChops.darker(one, other)) / mass(ImageChops.lighter(one, other))


def test_the_seats_have_different_shapes_even_when_small() -> None:
    shapes = [coverage(f'{outline(style.shape, 24)}fill="#000000"/>', 30) for style in SEATS]
    assert max(overlap(one, other) for one, other in combinations(shapes, 2)) < 0.95


def test_the_shapes_of_all_seats_have_about_the_same_area() -> None:
    shapes = [coverage(f'{outline(style.shape, 24)}fill="#000000"/>', 30) for style in SEATS]
    areas = [sum(value * n for value, n in enumerate(shape.histogram())) / 255 for shape in shapes]
    assert max(areas) < 1.3 * min(areas)


def test_the_artists_have_different_silhouettes_even_when_small() -> None:
    names = ("piper", "snake", "elephant", "fire")
    icons = [coverage(icon(name, "#000000", "#000000", 26), 14) for name in names]
    assert max(overlap(one, other) for one, other in combinations(icons, 2)) < 0.75
