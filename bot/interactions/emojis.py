"""The emojis of the application: small drawings of pieces, which the bot uploads itself.

Discord shows them on buttons, in menus and in sentences. Sentences name a drawing by a placeholder, `<:muscat_fire:0>`,
which `layout` replaces. Until Discord has an emoji, messages do without it.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, Protocol

import discord

import renders
from bot.clock import Clock, backoff
from bot.errors import DISCORD_ERRORS, GameFault, outline, place_of, reason
from bot.tables.faults import guarding_match
from bot.tables.people import SEAT_MARKS
from engine.core import GameSpec
from renders.symbols import Symbol

_log = logging.getLogger(__name__)

MAX_EMOJIS = 2000
"""The most emojis that an application can have."""


_PLACEHOLDER = re.compile(r" <:(\w+):0>|<:(\w+):0> ")
"""A placeholder with the space that goes with it."""


def piece_placeholder(game: str, value: Any) -> str:
    """The placeholder for the emoji of a piece in a sentence, after a space; "" for a value without a drawing."""
    with suppress(GameFault), guarding_match(game):
        if symbol := renders.piece(game, value):
            return f" <:{symbol.name}:0>"
    return ""


def game_emblem(game: str) -> Symbol | None:
    """The emblem of a game, if it has one."""
    with suppress(GameFault), guarding_match(game):
        return renders.emblem(game)
    return None


def title_with_emblem(spec: GameSpec) -> str:
    """The name of a game with a placeholder for its drawing, for a message."""
    emblem = game_emblem(spec.slug)
    return f"<:{emblem.name}:0> {spec.name}" if emblem else str(spec.name)


def without_placeholders(words: str, instead: str = "") -> str:
    """Words without drawings, or with `instead` for each."""
    return _PLACEHOLDER.sub(instead, words)


def without_repetitions(line: str) -> str:
    """A line in which each drawing stands only once, where it is named first."""
    seen = set[str]()

    def first(match: re.Match[str]) -> str:
        is_first = match[0] not in seen
        seen.add(match[0])
        return match[0] if is_first else ""

    return _PLACEHOLDER.sub(first, line)


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
        self._symbols: Mapping[str, Symbol] = {}

    def of(self, symbol: Symbol | None) -> discord.PartialEmoji | None:
        """The emoji of a symbol; `None` while Discord has none."""
        return self._by_name.get(symbol.emoji_name) if symbol else None

    @property
    def is_empty(self) -> bool:
        """Whether Discord has none of the emojis."""
        return not self._by_name

    def of_games(self, games: Iterable[str]) -> list[discord.PartialEmoji | None]:
        """The emblem of each game in a list."""
        return [self.of(game_emblem(game)) for game in games]

    def insert_emojis(self, words: str) -> str:
        """Words of a message with emojis for the placeholders and for the marks of seats."""
        words = _PLACEHOLDER.sub(self._emoji_for, words)
        for color, mark in SEAT_MARKS.items():
            if emoji := self.of(self._symbols.get(f"seat_{color.lower()}")):
                words = words.replace(mark, str(emoji))
        return words

    def _emoji_for(self, match: re.Match[str]) -> str:
        name = match[1] or match[2]
        emoji = self.of(self._symbols.get(name))
        return match[0].replace(f"<:{name}:0>", str(emoji)) if emoji else ""

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
            # an unreadable answer, with any error: the bot works without emojis
            except Exception as error:
                _log.warning("unreadable answer about the emojis; messages go without them: %s", place_of(error))
                _log.debug("it failed here: %s", outline(error))
                return
            await clock.sleep(backoff(failures))

    async def _update(self, store: EmojiStore, symbols: Mapping[str, Symbol], *, uploads: bool) -> None:
        existing = await store.fetch_application_emojis()
        names = {symbol.emoji_name for symbol in symbols.values()}
        self.add((emoji for emoji in existing if emoji.name in names), symbols)
        if not uploads:
            return
        outdated = [emoji for emoji in existing if emoji.name not in names and emoji.name[:-7] in symbols]
        missing = [symbol for symbol in symbols.values() if symbol.emoji_name not in self._by_name]
        for symbol in missing[: MAX_EMOJIS - len(existing)]:
            image = await asyncio.to_thread(symbol.png)
            self.add([await store.create_application_emoji(name=symbol.emoji_name, image=image)], symbols)
        for emoji in outdated:
            await emoji.delete()
        if missing:
            _log.info("uploaded %d emojis", len(missing))

    def add(self, emojis: Iterable[discord.Emoji | discord.PartialEmoji], symbols: Mapping[str, Symbol]) -> None:
        """Note emojis that Discord has for some of the symbols."""
        self._symbols = symbols
        self._by_name |= {emoji.name: discord.PartialEmoji(name=emoji.name, id=emoji.id) for emoji in emojis}


NO_EMOJIS = Emojis()
"""The emojis of an application without uploads."""

_current: ContextVar[Emojis] = ContextVar("emojis", default=NO_EMOJIS)


def current_emojis() -> Emojis:
    """The emojis of the bot that runs this task."""
    return _current.get()


def use_emojis(emojis: Emojis) -> None:
    """Show these emojis in the messages of this task, and of the tasks that it starts from now on."""
    _current.set(emojis)
