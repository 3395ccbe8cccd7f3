"""The table of the Muses: how many suns each has and what she can do (rule 6), read from TOML.

The table is data. `house_powers.toml` beside this module is the one of the house and says how to write another.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from engine.errors import SetupError
from engine.games.muses.gifts import Carry, Change, Copy, Gift, Mimic, SwapDice, SwapTiles
from engine.games.muses.tiles import FIRST_HIDDEN, MUSES, Muse
from engine.texts import listed

HOUSE, NONE = "house", "none"
"""The tables that need no file: ours, and the same suns without any power."""

SUNS = (1, 2, 3)
LONGEST_NAME = 40
"""Most characters of the name of a table."""


@dataclass(frozen=True, slots=True)
class MuseTable:
    """Suns and powers by number of the Muse; `None` for a Muse without a power."""

    name: str
    suns: tuple[int, ...]
    gifts: tuple[Gift | None, ...]

    def gift(self, tile: int) -> Gift | None:
        """The power of a tile by its number: none if it lies face down."""
        return self.gifts[tile] if tile < FIRST_HIDDEN else None

    def line(self, muse: int) -> str:
        """The power of a Muse in a short line."""
        gift = self.gifts[muse]
        return gift.line if gift else "no power"


@lru_cache(maxsize=64)
def table_of(powers: str) -> MuseTable:
    """The table for a value of the option `powers`: `house`, `none`, or the text of a file.

    Raises:
        SetupError: the text is no table; the sentence names the Muse and what is wrong.
    """
    if powers in (HOUSE, NONE):
        house = read(resources.files(__package__).joinpath("house_powers.toml").read_text(encoding="utf-8"))
        return house if powers == HOUSE else MuseTable("No powers", house.suns, (None,) * len(MUSES))
    return read(powers)


def table_name(text: str) -> str:
    """The name of the table a text holds. Raises `SetupError` if it is no table."""
    return table_of(text).name


def read(text: str) -> MuseTable:
    """A table from TOML. Raises `SetupError`."""
    told = _parsed(text)
    name = told.pop("name", None)
    if not isinstance(name, str) or not 1 <= len(name.strip()) <= LONGEST_NAME or not name.isprintable():
        raise _wrong(f"A table needs a `name` of 1 to {LONGEST_NAME} characters in its first lines.")
    if strangers := sorted(told.keys() - set(MUSES)):
        raise _wrong(f"There is no Muse “{_short(strangers[0])}”; they are {listed(list(MUSES))}.")
    rows = [_row(muse, told.get(muse)) for muse in MUSES]
    return MuseTable(name.strip(), tuple(suns for suns, _ in rows), tuple(gift for _, gift in rows))


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _wrong(f"This is no TOML: {error}.") from error
    except ValueError:  # Python reads no number of more than 4,300 digits
        raise _wrong("This is no table of Muses: a number in it is far too long.") from None
    except RecursionError:
        raise _wrong("This is no table of Muses: it is nested too deeply.") from None


def _row(muse: Muse, told: object) -> tuple[int, Gift | None]:
    if not isinstance(told, dict):
        raise _wrong(f"The table lacks [{muse}].")
    rest = dict(told)
    suns, power = rest.pop("suns", None), rest.pop("power", None)
    if type(suns) is not int or suns not in SUNS:
        raise _wrong(f"[{muse}] needs suns = 1, 2 or 3, {_instead(suns)}.")
    if not isinstance(power, str) or power not in _POWERS:
        known = ", ".join(f"“{word}”" for word in _POWERS)
        raise _wrong(f"[{muse}] needs a power of {known}, {_instead(power)}.")
    wanted, make = _POWERS[power]
    for name, choices in wanted.items():
        value = rest.get(name)
        if not any(type(value) is type(choice) and value == choice for choice in choices):
            raise _wrong(f"[{muse}] with “{power}” needs {name} = {_listed(choices)}, {_instead(value)}.")
    if strange := sorted(rest.keys() - wanted.keys()):
        raise _wrong(f"[{muse}] with “{power}” has no “{_short(strange[0])}”.")
    return suns, make(rest)


_CHANGES = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)
_ONE_OF = ("neighbor", "own")
_PARTNERS = ("own", "two neighbors")

_POWERS: Mapping[str, tuple[Mapping[str, tuple[Any, ...]], Callable[[dict[str, Any]], Gift | None]]] = {
    "none": ({}, lambda told: None),
    "change_die": ({"by": _CHANGES, "whose": _ONE_OF}, lambda told: Change(told["whose"] == "own", told["by"])),
    "copy_die": ({"whose": _ONE_OF}, lambda told: Copy(told["whose"] == "own")),
    "swap_dice": ({"whose": _PARTNERS}, lambda told: SwapDice(told["whose"] != "own")),
    "swap_places": ({"whose": _PARTNERS}, lambda told: SwapTiles(told["whose"] != "own")),
    "carry": ({}, lambda told: Carry()),
    "borrow": ({}, lambda told: Mimic()),
}
"""Word of a power -> its further values with all they may be, and the gift it stands for."""


def _listed(choices: tuple[Any, ...]) -> str:
    words = [f"“{choice}”" if isinstance(choice, str) else str(choice) for choice in choices]
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _instead(value: object) -> str:
    if value is None:
        return "which is missing"
    if isinstance(value, str):
        return f"not “{_short(value)}”"
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < 10**LONGEST_NAME):
        return f"not {value}"
    return "not what stands there"


def _short(text: str) -> str:
    """In one line, and no longer than the name of a table."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_NAME else f"{line[: LONGEST_NAME - 1]}…"


def _wrong(sentence: str) -> SetupError:
    return SetupError("table", sentence)
