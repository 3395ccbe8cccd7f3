"""Somebody who tries everything once: all commands, then a control of each kind, and notes every word they read."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.features.settings.preference_page import show_page
from playground.components import SELECTS, Kind, walk
from playground.options import CannotDo
from playground.player import ExpectationFailed, Player
from playground.seen import Seen
from playground.wire import Json

WORDS = ("content", "label", "placeholder", "description", "title")
"""Keys of components that contain words for people."""


@dataclass(slots=True)
class Crawler:
    """`words` has the texts, each with the way to it; controls of the kinds in `excluded` are not tapped."""

    person: Player
    excluded: frozenset[str] = frozenset()
    words: dict[str, str] = field(default_factory=dict)
    _tried: set[str] = field(default_factory=set)

    async def use(self, path: str, **typed: Any) -> None:
        """Use a command, then one control of each kind that it leads to."""
        pages = deque([await self._answer(f"/{path}", self.person.slash(path, **typed))])
        while pages:
            seen, how = pages.popleft()
            if seen is not None:
                pages += [await self._tap(seen, part, how) for part in _controls(seen) if self._is_new(part)]

    def _is_new(self, part: Json) -> bool:
        kind = kind_of(part)
        new = kind not in self._tried and self.excluded.isdisjoint(kind.split("/")) and not part.get("disabled")
        if new:
            self._tried.add(kind)
        return new

    async def _tap(self, seen: Seen, part: Json, how: str) -> tuple[Seen | None, str]:
        how = f"{how} > {kind_of(part)}"
        if part["type"] == Kind.BUTTON:
            return await self._answer(how, self.person.tap_id(part["custom_id"], on=seen))
        number = [menu.custom_id for menu in seen.menus].index(part["custom_id"])
        rows = [option.value for option in seen.menus[number].options] or [self.person.name]
        return await self._answer(how, self.person.choose(rows[-1], on=seen, menu=number))

    async def _answer(self, how: str, act: Any) -> tuple[Seen | None, str]:
        try:
            seen = await act
        except (CannotDo, ExpectationFailed, ValueError):
            return None, how
        if self.person.modal is not None:
            self._read(read_form(self.person.modal), how)
            fields = [part["custom_id"] for _, part in walk(self.person.modal["components"]) if part["type"] == 4]
            return await self._answer(f"{how} > form", self.person.submit(dict.fromkeys(fields, "qqq")))
        if seen is not None:
            self._read(read_message(seen), how)
        return seen, how

    def _read(self, words: Iterator[str], how: str) -> None:
        for word in words:
            self.words.setdefault(word, how)


def kind_of(part: Json) -> str:
    """The kind of a control; for menus of settings and for buttons to pages, also their subject."""
    _, kind, _, _, text = part["custom_id"].split(":", 4)
    return f"{kind}/{text}" if part["type"] in SELECTS or kind == show_page.name else kind


def _controls(seen: Seen) -> Iterator[Json]:
    yield from (part for _, part in walk(seen.components) if str(part.get("custom_id", "")).startswith("c"))


def read_message(seen: Seen) -> Iterator[str]:
    """All words of a message: of its parts, and of those who cannot see its pictures."""
    for _, part in walk(seen.components):
        yield from _words_of(part)
    yield from (image.alt for image in seen.images if image.alt)


def read_form(form: Json) -> Iterator[str]:
    """All words of a form."""
    yield form["title"]
    for _, part in walk(form["components"]):
        yield from _words_of(part)


def _words_of(part: Mapping[str, Any]) -> Iterator[str]:
    yield from (str(part[name]) for name in WORDS if part.get(name))
    for option in part.get("options") or ():
        yield from _words_of(option)
