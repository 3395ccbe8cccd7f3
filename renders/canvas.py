"""What every board is drawn on: a ground, and things put on it."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from renders.lettering import Face, fit, line, width
from renders.palette import BLANK, Palette
from renders.sprites import Sprite
from renders.strips import STRIP, GroundStrip, Layer, Strip
from renders.theme import HEIGHT, IVORY, WIDTH, Color


class Ground:
    """What never changes in a game's pictures, in the colors of their palette: a byte per pixel."""

    def __init__(self, strips: Sequence[GroundStrip], palette: Palette) -> None:
        self.strips, self.palette = strips, palette

    @classmethod
    def of(cls, image: Image.Image, palette: Palette) -> Ground:
        """From a picture of the full size in the colors of the palette."""
        boxes = ((0, top, WIDTH, top + STRIP) for top in range(0, HEIGHT, STRIP))
        return cls([GroundStrip(image.crop(box), palette) for box in boxes], palette)

    def image(self) -> Image.Image:
        """All of it in full color."""
        image = Image.new("RGB", (WIDTH, HEIGHT))
        for number, strip in enumerate(self.strips):
            image.paste(strip.image.convert("RGB"), (0, number * STRIP))
        return image


class RGBGround(Ground):
    """A picture to draw on before there is a palette for it: all it can be used for is `Canvas.flat`."""

    def __init__(self, image: Image.Image) -> None:
        """From an RGB picture of any size."""
        super().__init__((), BLANK)
        self._image = image

    def image(self) -> Image.Image:
        """All of it."""
        # A copy, since `Canvas.flat` pastes on what it gets.
        return self._image.copy()


class Canvas:
    """A picture in the making. Coordinates are px from the top left; later things lie on earlier ones."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.layers: list[Layer] = []

    def put(self, sprite: Sprite, x: float = 0, y: float = 0) -> None:
        """Put a sprite on a point."""
        # On whole pixels, so that a sprite is drawn once for all points it is put on.
        left, top = round(x) + sprite.left, round(y) + sprite.top
        self.layers.append(Layer(sprite, left, top, left + sprite.width, top + sprite.height))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        face: Face,
        color: Color = IVORY,
        align: str = "left",
        room: float = WIDTH,
    ) -> float:
        """Write one line, shortened to `room` px, its capitals centered on `y`. Returns its width in px."""
        short = fit(text, face, room) if room < WIDTH else text
        # A line without letters has no ink to make a sprite of.
        if short:
            self.put(line(short, face, color, align), x, y)
        return width(short, face)

    def flat(self) -> Image.Image:
        """The picture in full color, before it is mapped to the palette."""
        image = self.ground.image()
        for sprite, left, top, *_ in self.layers:
            sprite.paste_on(image, left, top)
        return image

    def strips(self) -> list[Strip]:
        """The picture from top to bottom."""
        found: list[list[Layer]] = [[] for _ in self.ground.strips]
        for sprite, left, top, right, bottom in self.layers:
            # `bottom` is the first row below it: what ends on the edge of a strip is not in the next one.
            for number in range(max(0, top // STRIP), min(len(found) - 1, (bottom - 1) // STRIP) + 1):
                y = number * STRIP
                found[number].append(Layer(sprite, left, top - y, right, bottom - y))
        return [Strip(ground, tuple(layers)) for ground, layers in zip(self.ground.strips, found, strict=True)]

    def flattened(self) -> Ground:
        """A ground on which all of this lies already; strips on which nothing lies are shared with the one below."""
        palette = self.ground.palette
        strips = [GroundStrip(strip.pixels(), palette) if strip.layers else strip.ground for strip in self.strips()]
        return Ground(strips, palette)
