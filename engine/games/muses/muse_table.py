"""Tables of the Muses: the suns and the power of each (rule 6), read from TOML.

`house_powers.toml` in this package is the default table and explains the format.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

from engine.errors import SetupError
from engine.games.muses.powers import Borrow, Carry, ChangeDie, CopyDie, MusePower, SwapDice, SwapPlaces
from engine.games.muses.tiles import FIRST_HIDDEN, MUSES, TILES, Muse
from engine.texts import Text, joined, shortened
from engine.values import Value

HOUSE, NONE = "house", "none"
"""The built-in tables: the default one, and the one with the same suns and no powers."""

SUNS = (1, 2, 3)
MAX_NAME = 40
"""Maximum length of the name of a table."""
MAX_PROBLEM = 200
"""Maximum length of the message of the TOML parser, which may quote a key."""


class MuseTable(Value):
    """`suns` by number of the Muse, `powers` by number of the tile; `None` without a power or face down."""

    name: str
    suns: tuple[int, ...]
    powers: tuple[MusePower | None, ...]

    @property
    def has_powers(self) -> bool:
        """Whether any Muse has a power."""
        return any(self.powers)

    def summary(self, muse: int) -> Text:
        """A short description of the power of a Muse."""
        power = self.powers[muse]
        return power.summary if power else _NO_POWER


_NO_POWER = Text("no power")
_FACE_DOWN = (None,) * (len(TILES) - FIRST_HIDDEN)


@lru_cache(maxsize=64)  # reads a file, and is called for every position
def table_of(powers: str) -> MuseTable:
    """The table for a value of the option `powers`: `house`, `none`, or the text of a file.

    Raises:
        SetupError: the text is not a valid table; the sentence names the Muse and the problem.
    """
    if powers in (HOUSE, NONE):
        # Parsed like the file of a host, for which it is an example.
        house = parse_table(_read_house_table())
        return house if powers == HOUSE else MuseTable("No powers", house.suns, (None,) * len(TILES))
    return parse_table(powers)


def table_name(text: str) -> str:
    """The name of the table in a text. Raises `SetupError` if it is not a valid table."""
    return table_of(text).name


def canonical_table(powers: str) -> str:
    """A canonical text for all values of the option `powers` with equal suns and powers, ignoring names and comments.

    Raises:
        SetupError: the text is not a valid table.
    """
    table_of(powers)
    parsed = _parse_toml(_read_house_table() if powers in (HOUSE, NONE) else powers)
    rows = {str(muse): parsed[muse] for muse in MUSES}
    if powers == NONE:
        rows = {muse: {"suns": row["suns"], "power": "none"} for muse, row in rows.items()}
    return json.dumps(rows, sort_keys=True)


def _read_house_table() -> str:
    return resources.files(__package__).joinpath("house_powers.toml").read_text(encoding="utf-8")


def parse_table(text: str) -> MuseTable:
    """Parse a table from TOML. Raises `SetupError`."""
    table = _parse_toml(text)
    name = table.pop("name", None)
    # It appears in messages and pictures, so it must be one line without control characters.
    if not isinstance(name, str) or not 1 <= len(name.strip()) <= MAX_NAME or not name.isprintable():
        raise _table_error("A table needs a `name` of 1 to {most} characters in its first lines.", most=MAX_NAME)
    if strangers := sorted(table.keys() - set(MUSES)):
        names = tuple(map(str, MUSES))
        raise _table_error(
            "There is no Muse “{stranger}”; they are {known}.", stranger=_excerpt(strangers[0]), known=names
        )
    rows = [_row(muse, table.get(muse)) for muse in MUSES]
    return MuseTable(name.strip(), tuple(suns for suns, _ in rows), (*(power for _, power in rows), *_FACE_DOWN))


def _parse_toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    # Before ValueError, its base class.
    except tomllib.TOMLDecodeError as error:
        raise _table_error("This is not TOML: {error}.", error=shortened(str(error), MAX_PROBLEM)) from error
    except ValueError:  # Python does not parse numbers of more than 4,300 digits
        raise _table_error("This is not a table of Muses: a number in it is far too long.") from None
    except RecursionError:
        raise _table_error("This is not a table of Muses: it is nested too deeply.") from None


def _row(muse: Muse, values: object) -> tuple[int, MusePower | None]:
    heading = str(muse)
    if not isinstance(values, dict):
        raise _table_error("The table lacks [{heading}].", heading=heading)
    rest = dict(values)
    suns, word = rest.pop("suns", None), rest.pop("power", None)
    # Not `isinstance`: in Python, a TOML `true` is an int, too.
    if type(suns) is not int or suns not in SUNS:
        raise _table_error("[{heading}] needs suns = 1, 2 or 3, {instead}.", heading=heading, instead=_not_value(suns))
    if not isinstance(word, str) or word not in _POWERS:
        words = joined([_quote(power) for power in _POWERS], ", ")
        text = "[{heading}] needs a power of {known}, {instead}."
        raise _table_error(text, heading=heading, known=words, instead=_not_value(word))
    return suns, _power(heading, word, rest)


def _power(heading: str, word: str, values: dict[str, Any]) -> MusePower | None:
    """The power with this name and these parameters."""
    parameters, make = _POWERS[word]
    for name, choices in parameters.items():
        value = values.get(name)
        # `true` equals 1 in Python, but it is not a valid number.
        if not any(type(value) is type(choice) and value == choice for choice in choices):
            *others, last = map(_quote, choices)
            either = Text("{others} or {last}", others=joined(others, ", "), last=last)
            text = "[{heading}] with “{power}” needs {name} = {choices}, {instead}."
            raise _table_error(text, heading=heading, power=word, name=name, choices=either, instead=_not_value(value))
    if strange := sorted(values.keys() - parameters.keys()):
        text = "[{heading}] with “{power}” has no “{strange}”."
        raise _table_error(text, heading=heading, power=word, strange=_excerpt(strange[0]))
    return make(values)


# A die shows 1 to 6, so it cannot change by more.
_CHANGES = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)
_ONE_OF = ("neighbor", "own")
_PARTNERS = ("own", "two neighbors")

_POWERS: Mapping[str, tuple[Mapping[str, tuple[Any, ...]], Callable[[dict[str, Any]], MusePower | None]]] = {
    "none": ({}, lambda values: None),
    "change_die": (
        {"by": _CHANGES, "whose": _ONE_OF},
        lambda values: ChangeDie(values["whose"] == "own", values["by"]),
    ),
    "copy_die": ({"whose": _ONE_OF}, lambda values: CopyDie(values["whose"] == "own")),
    "swap_dice": ({"whose": _PARTNERS}, lambda values: SwapDice(values["whose"] != "own")),
    "swap_places": ({"whose": _PARTNERS}, lambda values: SwapPlaces(values["whose"] != "own")),
    "carry": ({}, lambda values: Carry()),
    "borrow": ({}, lambda values: Borrow()),
}
"""Name of a power -> its parameters with their possible values, and the function that creates it."""


def _quote(value: str | int) -> Text:
    """A value as written in a file: a number with a plain minus sign."""
    return Text("“{value}”" if isinstance(value, str) else "{value}", value=str(value))


def _not_value(value: object) -> Text:
    """The invalid value as a phrase."""
    if value is None:
        return Text("which is missing")
    if isinstance(value, str):
        return Text("not “{value}”", value=_excerpt(value))
    # Python refuses to format an integer of thousands of digits.
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < 10**MAX_NAME):
        return Text("not {value}", value=str(value))
    return Text("not what is there now")


def _excerpt(text: str) -> str:
    """A text on one line, truncated to the length of a name."""
    return shortened(" ".join(text.split()), MAX_NAME)


def _table_error(template: str, **fields: object) -> SetupError:
    return SetupError("table", Text(template, **fields))
