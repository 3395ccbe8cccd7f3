"""The emojis of the application: small drawings of pieces, which the bot uploads itself.

Discord shows them on buttons, in menus and in sentences. Until Discord has one, messages do without it.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import discord

from bot.clock import Clock, backoff
from bot.errors import DISCORD_ERRORS, place_of, reason
from renders.symbols import Symbol

_log = logging.getLogger(__name__)

MAX_EMOJIS = 2000
"""The most emojis that an application can have."""


class EmojiStore(Protocol):
    """The calls to Discord that emojis need; a `discord.Client` has them."""

    async def fetch_application_emojis(self) -> list[discord.Emoji]:
        """All emojis of the application."""

    async def create_application_emoji(self, *, name: str, image: bytes) -> discord.Emoji:
        """Upload one."""


class Emojis:
    """The emojis that Discord has now, by the names of their symbols."""

    def __init__(self) -> None:
        self._by_name: dict[str, discord.PartialEmoji] = {}

    def of(self, symbol: Symbol | None) -> discord.PartialEmoji | None:
        """The emoji of a symbol; `None` while Discord has none."""
        return self._by_name.get(symbol.emoji_name) if symbol else None

    @property
    def is_empty(self) -> bool:
        """Whether Discord has none of the emojis."""
        return not self._by_name

    def telling_apart(self, symbols: Sequence[Symbol | None]) -> list[discord.PartialEmoji | None]:
        """The emoji for each row of a list; none at all where they are all the same."""
        emojis = [self.of(symbol) for symbol in symbols]
        return emojis if len(set(emojis)) > 1 else [None] * len(emojis)

    async def keep_up_to_date(
        self, store: EmojiStore, symbols: Mapping[str, Symbol], clock: Clock, *, uploads: bool
    ) -> None:
        """Find the emojis of the symbols; with `uploads`, upload those that are missing and delete older versions.

        After a failure this is repeated with growing pauses, unless Discord refuses an emoji.
        """
        for failures in itertools.count():
            try:
                await self._update(store, symbols, uploads=uploads)
                return
            except DISCORD_ERRORS as error:
                # the same drawing would be refused again
                if isinstance(error, discord.HTTPException) and 400 <= error.status < 500:
                    _log.warning("Discord refuses an emoji; messages go without it: %s", reason(error))
                    return
                _log.warning("Discord has no emojis yet; next try in %g s: %s", backoff(failures), reason(error))
            except Exception as error:  # an unreadable answer: the bot works without emojis
                _log.warning("unreadable answer about the emojis; messages go without them: %s", place_of(error))
                return
            await clock.sleep(backoff(failures))

    async def _update(self, store: EmojiStore, symbols: Mapping[str, Symbol], *, uploads: bool) -> None:
        existing = await store.fetch_application_emojis()
        names = {symbol.emoji_name for symbol in symbols.values()}
        self._know(emoji for emoji in existing if emoji.name in names)
        if not uploads:
            return
        outdated = [emoji for emoji in existing if emoji.name not in names and emoji.name[:-7] in symbols]
        missing = [symbol for symbol in symbols.values() if symbol.emoji_name not in self._by_name]
        for symbol in missing[: MAX_EMOJIS - len(existing)]:
            image = await asyncio.to_thread(symbol.png)
            self._know([await store.create_application_emoji(name=symbol.emoji_name, image=image)])
        for emoji in outdated:
            await emoji.delete()
        if missing:
            _log.info("uploaded %d emojis", len(missing))

    def _know(self, emojis: Iterable[discord.Emoji]) -> None:
        self._by_name |= {emoji.name: discord.PartialEmoji(name=emoji.name, id=emoji.id) for emoji in emojis}
