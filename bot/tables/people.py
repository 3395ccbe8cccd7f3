"""Names of people in their server, made fit for a line of text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from engine.core import GameSpec
from engine.players import discover
from engine.texts import SEAT_COLORS, Seat, Text, term

MAX_NAME_COLUMNS = 20
"""Columns of a name; the letters of some scripts take two."""

MAX_MARKS = 2
"""Most accents on one letter; some people pile up dozens."""

SEAT_MARKS = dict(zip(SEAT_COLORS, ("🔴", "🟦", "🟨", "🟢", "🟣", "⚪"), strict=True))
"""The colors of the seats, as near as emoji come."""

NO_COLOR, LUCK = "◽", "🎲"

_MARKUP = re.compile(r"([\\*_~|`>#\[\]()<:-])")
"""The characters that Discord may interpret as markup."""
_MENTION = re.compile(r"@(?=\S)")
_TO_THE_LEFT = {"R", "AL", "AN"}
"""Directions of Hebrew letters, Arabic letters and Arabic digits in Unicode."""


def mention(user_id: int) -> str:
    """The mention of a user; a word in place of a forgotten one."""
    return f"<@{user_id}>" if user_id else str(Text("somebody"))


@lru_cache(maxsize=512)
def presentable(name: str) -> str:
    """A name as plain text: in one line, without invisible signs, cut; nothing if nothing of it can be seen."""
    # NFC first: it merges letters with their accents, which then do not count as piled up
    line = " ".join("".join(_visible(unicodedata.normalize("NFC", name))).split())
    if all(unicodedata.category(sign).startswith(("M", "Z")) for sign in line):
        return ""  # accents without a letter
    short = _cut(line)
    turned = any(unicodedata.bidirectional(sign) in _TO_THE_LEFT for sign in short)
    # isolated: right-to-left letters would reorder the words around the name
    return f"\u2068{short}\u2069" if turned else short


def _visible(name: str) -> Iterator[str]:
    piled = 0
    for sign in name:
        kind = unicodedata.category(sign)
        piled = piled + 1 if kind.startswith("M") else 0
        if sign.isspace() or sign in _BLANK:
            yield " "
        # category C has control and invisible characters, but Cn has characters newer than Python's Unicode tables
        elif piled <= MAX_MARKS and (not kind.startswith("C") or kind == "Cn"):
            yield sign


_BLANK = frozenset("\u2800\u3164\u115f\u1160\uffa0")
"""Invisible characters with the category of letters."""


def _cut(line: str) -> str:
    columns = 0
    for n, sign in enumerate(line):
        # wide and full-width letters take two columns, accents none
        is_wide = unicodedata.east_asian_width(sign) in ("W", "F")
        columns += 2 if is_wide else not unicodedata.category(sign).startswith("M")
        if columns > MAX_NAME_COLUMNS:
            # one character fewer than fits: the ellipsis takes a column
            return f"{line[: n - 1].rstrip()}…"
    return line


@lru_cache(maxsize=512)
def escaped(name: str) -> str:
    """A name for a message, escaped so that it contains no markup, links or mentions."""
    # a zero-width space: a backslash does not stop Discord from reading @everyone
    return _MENTION.sub("@\u200b", _MARKUP.sub(r"\\\1", name))


@lru_cache(maxsize=256)
def names_of_seats(persons: tuple[str, ...], seats: tuple[str, ...], marks: tuple[str, ...]) -> tuple[str, ...]:
    """The name of each seat: `🔴 Ann`. The seat's name replaces a missing one, and follows an ambiguous one."""
    names = [f"{mark} {person or seat}" for person, seat, mark in zip(persons, seats, marks, strict=True)]
    return tuple(
        # two people may have the same name in a server
        f"{name} ({seat})" if names.count(name) > 1 and seat not in name else name
        for name, seat in zip(names, seats, strict=True)
    )


def computer_name(player: str, spec: GameSpec, seat: Seat) -> str:
    """The name of a computer player on a seat: always the same one, no matter who else plays.

    In a game without names for them, it is the title of the player: the marks of the seats tell them apart.
    """
    names, players = spec.computers.get(player, ()), discover()
    if seat < len(names):
        return names[seat]
    return str(term(players[player].title)) if player in players else player.capitalize()
