"""The drawing surface of every board: a prerendered ground with sprites on top."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from renders.lettering import Face, fit, line, width
from renders.palette import BLANK, Palette
from renders.sprites import Sprite
from renders.strips import STRIP_HEIGHT, GroundStrip, Layer, Strip
from renders.theme import HEIGHT, IVORY, WIDTH, Color


class Ground:
    """The unchanging background of a game's pictures, as palette indices (one byte per pixel)."""

    def __init__(self, strips: Sequence[GroundStrip], palette: Palette) -> None:
        self.strips, self.palette = strips, palette

    @classmethod
    def of(cls, image: Image.Image, palette: Palette) -> Ground:
        """Cut a full-size picture, already in palette colors, into strips."""
        boxes = ((0, top, WIDTH, top + STRIP_HEIGHT) for top in range(0, HEIGHT, STRIP_HEIGHT))
        return cls([GroundStrip(image.crop(box), palette) for box in boxes], palette)

    def image(self) -> Image.Image:
        """The whole ground in RGB."""
        image = Image.new("RGB", (WIDTH, HEIGHT))
        for number, strip in enumerate(self.strips):
            image.paste(strip.image.convert("RGB"), (0, number * STRIP_HEIGHT))
        return image


class RGBGround(Ground):
    """An RGB picture to draw on before its palette exists. Supports only `Canvas.to_rgb`."""

    def __init__(self, image: Image.Image) -> None:
        """Wrap an RGB picture of any size."""
        super().__init__((), BLANK)
        self._image = image

    def image(self) -> Image.Image:
        """A copy of the picture."""
        # `Canvas.to_rgb` pastes onto the result, so it must not get the original.
        return self._image.copy()


class Canvas:
    """A picture under construction. Coordinates are px from the top left; later sprites cover earlier ones."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        """The background."""
        self.layers: list[Layer] = []

    def put(self, sprite: Sprite, x: float = 0, y: float = 0) -> None:
        """Place a sprite's origin at a point."""
        # Rounding to whole pixels lets one cached sprite serve every point.
        x0, y0 = round(x) + sprite.dx, round(y) + sprite.dy
        self.layers.append(Layer(sprite, x0, y0, x0 + sprite.width, y0 + sprite.height))

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
        """Write one line, shortened to `room` px, with its capitals centered on `y`. Returns its width in px."""
        short = fit(text, face, room) if room < WIDTH else text
        # An empty line has no ink for a sprite.
        if short:
            self.put(line(short, face, color, align), x, y)
        return width(short, face)

    def to_rgb(self) -> Image.Image:
        """The picture in RGB, before it is mapped to the palette."""
        image = self.ground.image()
        for sprite, x0, y0, *_ in self.layers:
            sprite.paste_on(image, x0, y0)
        return image

    def strips(self) -> list[Strip]:
        """Split the picture into strips, from top to bottom."""
        layers: list[list[Layer]] = [[] for _ in self.ground.strips]
        for sprite, x0, y0, x1, y1 in self.layers:
            # `bottom` is exclusive: a layer that ends on a strip's edge is not in the next strip.
            for number in range(max(0, y0 // STRIP_HEIGHT), min(len(layers) - 1, (y1 - 1) // STRIP_HEIGHT) + 1):
                y = number * STRIP_HEIGHT
                layers[number].append(Layer(sprite, x0, y0 - y, x1, y1 - y))
        return [Strip(ground, tuple(own)) for ground, own in zip(self.ground.strips, layers, strict=True)]

    def flatten(self) -> Ground:
        """Merge all layers into a new ground. Strips without layers are shared with the old ground."""
        palette = self.ground.palette
        strips = [GroundStrip(strip.pixels(), palette) if strip.layers else strip.ground for strip in self.strips()]
        return Ground(strips, palette)
