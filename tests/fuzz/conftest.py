"""The same bot as in `tests/bot`."""

from tests.bot.conftest import blank, folder, inn, wall

__all__ = [
    "blank",
    "folder",
    "inn",
    "wall",
]
