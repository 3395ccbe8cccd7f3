"""The same bot as in `tests/bot`."""

from tests.bot.conftest import blank, folder, inn, nobody_is_asked

__all__ = ["blank", "folder", "inn", "nobody_is_asked"]
