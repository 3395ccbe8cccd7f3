"""Rules for command registration and autocomplete answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from playground.limits import table
from playground.limits.measure import counted, longer, repeated
from playground.wire import Flaw, Json

SUBCOMMAND, GROUP = 1, 2
_VALUE_TYPES: dict[int, tuple[type, ...]] = {3: (str,), 4: (int,), 10: (int, float)}


def command_flaws(commands: list[Json]) -> list[Flaw]:
    """The flaws of a bulk registration."""
    slash = [(index, command) for index, command in enumerate(commands) if _kind(command) == 1]
    menus = [command for command in commands if _kind(command) in (2, 3)]
    flaws: list[Flaw] = []
    if len(slash) > table.COMMANDS:
        flaws.append(Flaw("", f"at most {table.COMMANDS} commands, there are {len(slash)}"))
    for kind in (2, 3):
        if sum(_kind(menu) == kind for menu in menus) > table.CONTEXT_MENUS:
            flaws.append(Flaw("", f"at most {table.CONTEXT_MENUS} context menus of type {kind}"))
    flaws += repeated(((f"{i}.name", (_kind(c), c.get("name"))) for i, c in enumerate(commands)), "the name")
    for index, command in slash:
        flaws += _named_flaws(str(index), command)
        flaws += _option_list_flaws(str(index), command)
        if _characters(command) > table.COMMAND_CHARACTERS:
            flaws.append(Flaw(str(index), f"{_characters(command)} characters in all names, descriptions and values"))
    return flaws


def autocomplete_flaws(choices: list[Json], option_type: int) -> list[Flaw]:
    """The flaws of an autocomplete answer for an option of that type."""
    return [*counted("data.choices", choices, table.CHOICES), *_choice_flaws("data.choices", choices, option_type)]


def _kind(command: Json) -> int:
    return int(command.get("type") or 1)


def _named_flaws(path: str, thing: Json) -> Iterator[Flaw]:
    name = thing.get("name") or ""
    yield from longer(f"{path}.name", name, table.COMMAND_NAME, least=1)
    if name != name.lower() or not all(letter.isalnum() or letter in "-_'" for letter in name):
        yield Flaw(f"{path}.name", f"{name!r} must be lower-case letters, digits, - and _")
    yield from longer(f"{path}.description", thing.get("description") or "", table.COMMAND_DESCRIPTION, least=1)


def _option_list_flaws(path: str, owner: Json) -> Iterator[Flaw]:
    options: list[Json] = owner.get("options") or []
    yield from counted(f"{path}.options", options, table.COMMAND_OPTIONS)
    yield from repeated(((f"{path}.options.{i}.name", o.get("name")) for i, o in enumerate(options)), "the name")
    nested = [option.get("type") in (SUBCOMMAND, GROUP) for option in options]
    if any(nested) and not all(nested):
        yield Flaw(f"{path}.options", "subcommands and plain options cannot stand side by side")
    for before, after in pairwise(options):
        if not before.get("required") and after.get("required"):
            yield Flaw(f"{path}.options", f"required option {after.get('name')!r} after an optional one")
    for index, option in enumerate(options):
        yield from _option_flaws(f"{path}.options.{index}", option)


def _option_flaws(path: str, option: Json) -> Iterator[Flaw]:
    yield from _named_flaws(path, option)
    if option.get("type") in (SUBCOMMAND, GROUP):
        yield from _option_list_flaws(path, option)
        return
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        yield Flaw(path, "choices and autocomplete exclude each other")
    yield from counted(f"{path}.choices", choices, table.CHOICES)
    yield from repeated(((f"{path}.choices.{i}.name", c.get("name")) for i, c in enumerate(choices)), "the name")
    yield from _choice_flaws(f"{path}.choices", choices, int(option.get("type") or 0))


def _choice_flaws(path: str, choices: list[Json], option_type: int) -> Iterator[Flaw]:
    for index, choice in enumerate(choices):
        value: Any = choice.get("value")
        yield from longer(f"{path}.{index}.name", choice.get("name") or "", table.CHOICE_NAME, least=1)
        if isinstance(value, str):
            yield from longer(f"{path}.{index}.value", value, table.CHOICE_VALUE)
        # in Python a `bool` is an `int`, but not for Discord
        if not isinstance(value, _VALUE_TYPES.get(option_type, (object,))) or isinstance(value, bool):
            yield Flaw(f"{path}.{index}.value", f"{value!r} does not fit the option's type")


def _characters(thing: Json) -> int:
    own = len(thing.get("name") or "") + len(thing.get("description") or "")
    chosen = sum(len(c.get("name") or "") + len(str(c.get("value", ""))) for c in thing.get("choices") or ())
    return own + chosen + sum(map(_characters, thing.get("options") or ()))
