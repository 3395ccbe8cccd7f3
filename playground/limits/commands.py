"""Rules for command registration and autocomplete responses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from playground.limits import table
from playground.limits.measure import check_count, check_length, check_unique
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
    flaws += check_unique(((f"{i}.name", (_kind(c), c.get("name"))) for i, c in enumerate(commands)), "the name")
    for index, command in slash:
        flaws += _name_flaws(str(index), command)
        flaws += _option_list_flaws(str(index), command)
        if _characters(command) > table.COMMAND_CHARACTERS:
            flaws.append(Flaw(str(index), f"{_characters(command)} characters in all names, descriptions and values"))
    return flaws


def autocomplete_flaws(choices: list[Json], option_type: int) -> list[Flaw]:
    """The flaws of an autocomplete response for an option of this type."""
    return [*check_count("data.choices", choices, table.CHOICES), *_choice_flaws("data.choices", choices, option_type)]


def _kind(command: Json) -> int:
    # On Discord, a command without a type is a slash command; 2 and 3 are context menus of users and messages.
    return int(command.get("type") or 1)


def _name_flaws(path: str, thing: Json) -> Iterator[Flaw]:
    for where, name in _in_all_languages(thing, "name"):
        yield from check_length(f"{path}.{where}", name, table.COMMAND_NAME, least=1)
        if name != name.lower() or not all(letter.isalnum() or letter in "-_'" for letter in name):
            yield Flaw(f"{path}.{where}", f"{name!r} must be lower-case letters, digits, - and _")
    for where, description in _in_all_languages(thing, "description"):
        yield from check_length(f"{path}.{where}", description, table.COMMAND_DESCRIPTION, least=1)


def _in_all_languages(thing: Json, what: str) -> Iterator[tuple[str, str]]:
    """A name or description with its translations, each with its path."""
    yield what, thing.get(what) or ""
    yield from ((f"{what}_localizations.{locale}", words) for locale, words in _translations(thing, what).items())


def _translations(thing: Json, what: str) -> dict[str, str]:
    return thing.get(f"{what}_localizations") or {}


def _repeated_names(path: str, things: list[Json]) -> Iterator[Flaw]:
    """Names shared by siblings, in English or in any other language."""
    yield from check_unique(((f"{path}.{i}.name", thing.get("name")) for i, thing in enumerate(things)), "the name")
    for locale in sorted({locale for thing in things for locale in _translations(thing, "name")}):
        names = [_translations(thing, "name").get(locale, thing.get("name")) for thing in things]
        yield from check_unique(((f"{path}.{i}.name", name) for i, name in enumerate(names)), f"the name in {locale}")


def _option_list_flaws(path: str, owner: Json) -> Iterator[Flaw]:
    options: list[Json] = owner.get("options") or []
    yield from check_count(f"{path}.options", options, table.COMMAND_OPTIONS)
    yield from _repeated_names(f"{path}.options", options)
    nested = [option.get("type") in (SUBCOMMAND, GROUP) for option in options]
    if any(nested) and not all(nested):
        yield Flaw(f"{path}.options", "subcommands and plain options cannot be mixed")
    for before, after in pairwise(options):
        if not before.get("required") and after.get("required"):
            yield Flaw(f"{path}.options", f"required option {after.get('name')!r} after an optional one")
    for index, option in enumerate(options):
        yield from _option_flaws(f"{path}.options.{index}", option)


def _option_flaws(path: str, option: Json) -> Iterator[Flaw]:
    yield from _name_flaws(path, option)
    if option.get("type") in (SUBCOMMAND, GROUP):
        yield from _option_list_flaws(path, option)
        return
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        yield Flaw(path, "choices and autocomplete exclude each other")
    yield from check_count(f"{path}.choices", choices, table.CHOICES)
    yield from check_unique(((f"{path}.choices.{i}.name", c.get("name")) for i, c in enumerate(choices)), "the name")
    yield from _choice_flaws(f"{path}.choices", choices, int(option.get("type") or 0))


def _choice_flaws(path: str, choices: list[Json], option_type: int) -> Iterator[Flaw]:
    for index, choice in enumerate(choices):
        value: Any = choice.get("value")
        for where, name in _in_all_languages(choice, "name"):
            yield from check_length(f"{path}.{index}.{where}", name, table.CHOICE_NAME, least=1)
        if isinstance(value, str):
            yield from check_length(f"{path}.{index}.value", value, table.CHOICE_VALUE)
        # In Python, `bool` is a subclass of `int`, but Discord distinguishes them.
        if not isinstance(value, _VALUE_TYPES.get(option_type, (object,))) or isinstance(value, bool):
            yield Flaw(f"{path}.{index}.value", f"{value!r} does not fit the option's type")


def _characters(thing: Json) -> int:
    """Number of characters that count toward the limit: for each name and description, the longest translation."""
    choices_length = sum(_longest(c, "name") + len(str(c.get("value", ""))) for c in thing.get("choices") or ())
    own_length = _longest(thing, "name") + _longest(thing, "description")
    return own_length + choices_length + sum(map(_characters, thing.get("options") or ()))


def _longest(thing: Json, what: str) -> int:
    return max(len(words) for _, words in _in_all_languages(thing, what))
