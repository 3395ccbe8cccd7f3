"""How hard a picture is compressed changes its size and nothing else."""

from __future__ import annotations

import io
from random import Random

from PIL import Image

from renders.canvas import Canvas, Ground
from renders.palette import Palette
from renders.picture import picture_of


def test_less_effort_gives_a_larger_file_of_the_same_picture() -> None:
    image = Image.new("RGB", (1080, 1440), "#102040")
    rng = Random(1)
    for _ in range(3000):
        image.paste("#E8B24A", (x := rng.randrange(1000), y := rng.randrange(1400), x + 9, y + 7))
    palette = Palette([(16, 32, 64), (232, 178, 74)])
    quick, thorough = (picture_of(Canvas(Ground(image, palette, effort)), "").png for effort in (1, 9))
    assert len(quick) > len(thorough)
    assert Image.open(io.BytesIO(quick)).tobytes() == Image.open(io.BytesIO(thorough)).tobytes()
