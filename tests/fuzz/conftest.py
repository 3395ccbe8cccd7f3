"""The bot of `tests/bot`."""

from tests.bot.conftest import app, blank, fake_clock, folder, registration

__all__ = [
    "app",
    "blank",
    "fake_clock",
    "folder",
    "registration",
]
