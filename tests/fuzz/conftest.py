"""The same bot as in `tests/bot`."""

from tests.bot.conftest import app, blank, fake_clock, folder

__all__ = [
    "app",
    "blank",
    "fake_clock",
    "folder",
]
