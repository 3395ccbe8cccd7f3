"""Stats cards: their height fits the content, the file is small, and text is readable on a phone."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from PIL import Image

from renders import cards, sprites
from renders.cards import PLOT, Card, Line, draw
from renders.house import frame
from renders.sprites import Sprite, rasterize
from renders.strips import STRIP_HEIGHT
from renders.theme import GOLD, HEIGHT, HOUSE, WIDTH, Box
from tests.renders.positions import WrittenLine, image_of

COLUMNS = ("rating", "games", "won")
FULL = Card(
    "Somebody with a very long name against somebody with another very long name",
    COLUMNS,
    tuple(Line("Ali Baba’s Gangs and more", ("12,540 ± 484?", "12,345", "100%"), 1.0, 0.25) for _ in range(5)),
    "Ali Baba’s Gangs and more",
    tuple((1500 + 40 * (n % 7), 484 - 6 * n) for n in range(60)),
)
TABLE = Card("Here", COLUMNS, tuple(Line("山田太郎", ("1,540 ± 60", "42", "42%")) for _ in range(10)), numbered=True)


@pytest.mark.parametrize("card", [FULL, TABLE, replace(FULL, course=((1500, 484),)), replace(TABLE, lines=())])
def test_every_card_can_be_drawn_within_the_size_limits(card: Card) -> None:
    picture = draw(card, "words")
    width, height = image_of(picture).size
    assert WIDTH == width
    assert height <= 1440
    assert len(picture.png) < 250_000
    assert "words" == picture.alt


def test_the_frame_of_a_card_is_drawn_in_seamless_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = []

    def counted(body: str, *box: int) -> Image.Image:
        cut.append(box[3] - box[1])
        return rasterize(body, *box)

    monkeypatch.setattr(sprites, "rasterize", counted)
    for height in range(4 * STRIP_HEIGHT, HEIGHT + 1, STRIP_HEIGHT):
        whole = rasterize(frame(HOUSE.page, height), 0, 0, WIDTH, height)
        assert whole.tobytes() == cards._frame.__wrapped__(height).picture.tobytes()
    assert max(cut) == sprites.BAND_HEIGHT < HEIGHT // 4


def test_the_height_of_a_card_grows_with_its_rows() -> None:
    heights = [image_of(draw(replace(TABLE, lines=TABLE.lines[:n]), "")).height for n in (1, 5, 10)]
    assert heights[0] < heights[1] < heights[2]


def test_all_text_stays_inside_the_card_without_overlap(written_lines: list[WrittenLine]) -> None:
    draw(FULL, "")
    # only of the card: the first one of a process draws parts of its frame, too
    boxes = [line.box for line in written_lines if line.layer and line.canvas is written_lines[-1].canvas]
    assert len(boxes) > 20
    assert all(32 <= box[0] and box[2] <= 1048 for box in boxes)
    assert [] == [(a, b) for a, b in combinations(boxes, 2) if _overlap(a, b)]


def _overlap(one: Box, other: Box) -> bool:
    across, down = ((max(one[n], other[n]), min(one[n + 2], other[n + 2])) for n in (0, 1))
    return across[0] < across[1] and down[0] < down[1]


def test_the_filled_part_of_a_bar_grows_with_its_share() -> None:
    gold = tuple(bytes.fromhex(GOLD[1:]))
    filled = []
    for share in (0.0, 0.5, 1.0):
        card = Card("Here", ("games",), (Line("Toll", ("8",), share),))
        image = image_of(draw(card, "")).convert("RGB").crop((0, 180, WIDTH, 400))
        filled.append({color: n for n, color in image.getcolors(1 << 20) or []}.get(gold, 0))
    assert filled[0] < filled[1] < filled[2]


def test_the_line_of_a_rising_rating_leads_upward() -> None:
    gold = tuple(bytes.fromhex(GOLD[1:]))
    ends = []
    for course in (((1500, 90), (1700, 90)), ((1700, 90), (1500, 90))):
        image = image_of(draw(replace(TABLE, lines=TABLE.lines[:1], game="Toll", course=course), "")).convert("RGB")
        x = PLOT[2] - 4
        ends.append(min(y for y in range(PLOT[1], PLOT[3]) if image.getpixel((x, y)) == gold))
    assert ends[0] < ends[1] - 50


def test_players_who_share_a_place_have_podium_steps_of_equal_height(monkeypatch: pytest.MonkeyPatch) -> None:
    heights, step = list[int](), cards._step

    def noting(height: int) -> Sprite:
        heights.append(height)
        return step(height)

    monkeypatch.setattr(cards, "_step", noting)
    lines = tuple(Line(name, ("1", "2"), place=place) for place, name in ((1, "Ana"), (1, "Ben"), (3, "Caro")))
    podium = tuple((line.place, line.about, "1") for line in lines)
    draw(Card("A league", ("points", "tables"), lines, numbered=True, podium=podium), "a league")
    assert heights[0] == heights[1] > heights[2]
