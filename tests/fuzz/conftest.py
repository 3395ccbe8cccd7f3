"""The bot of `tests/bot`."""

from tests.bot.conftest import app, blank, fake_clock, folder, luck, moves_group_once, registration, toys

__all__ = [
    "app",
    "blank",
    "fake_clock",
    "folder",
    "luck",
    "moves_group_once",
    "registration",
    "toys",
]
