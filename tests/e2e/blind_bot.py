"""The bot with the smallest of all pictures, for whole games that do not check them."""

from __future__ import annotations

import renders
from bot.__main__ import main
from engine.core import View
from tests.bot.watch import SMALLEST_PNG


def _draw(view: View, *_people: object) -> renders.Picture:
    return renders.Picture(SMALLEST_PNG, f"{view.game}, ply {view.ply}")


if __name__ == "__main__":
    renders.draw = _draw
    main()
