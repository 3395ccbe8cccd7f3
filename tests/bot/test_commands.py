"""The commands of every game obey Discord's limits; wrong ones would keep the whole bot from starting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.commands import all_commands
from engine.core import GameSpec, field_types, required_fields
from engine.games import discover

NAME = re.compile(r"[-_a-z0-9]{1,32}")

MAX_OPTIONS = 25
"""Discord's limit for the commands of a group, and for the options of a command."""

MAX_READABLE = {"game": 15, "table": 10, "me": 5}
"""The number of commands that people can read at a glance, by group; Discord allows more."""


TREE = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
GROUPS = [group.to_dict(TREE) for group in all_commands()]


def nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("options", ()):
        yield from nodes(child)


def size(node: dict[str, Any]) -> int:
    """Characters that Discord counts: names, descriptions and choices, all the way down."""
    return sum(len(part["name"]) + len(part["description"]) for part in nodes(node))


every_group = pytest.mark.parametrize("group", GROUPS, ids=lambda group: group["name"])
every_spec = pytest.mark.parametrize("spec", discover().values(), ids=lambda spec: spec.slug)


def test_the_table_and_every_game_have_a_command_group():
    assert ["game", "table", "me", "stats", "league", "server", "admin", *discover()] == [
        group["name"] for group in GROUPS
    ]
    assert len(GROUPS) <= 100


@every_group
def test_names_and_descriptions_are_valid_for_discord(group):
    for node in nodes(group):
        assert NAME.fullmatch(node["name"]), node["name"]
        assert 1 <= len(node["description"]) <= 100, node


@every_group
def test_a_command_group_stays_within_its_limit(group):
    count, name = len(group.get("options", ())), group["name"]
    limit = MAX_READABLE.get(name, MAX_OPTIONS)
    assert count <= limit, (
        f"/{name} has {count} commands; its limit is {limit}. Make the new one an option of another command (as "
        f"`/game undo` has `redo`), or a button where it comes up, or move it into the group of those who need it."
    )


@every_group
def test_the_number_and_size_of_commands_are_within_limits(group):
    assert max(len(node.get("options", ())) for node in nodes(group)) <= MAX_OPTIONS
    assert size(group) <= 8000


@every_group
def test_siblings_have_different_names_and_required_options_come_first(group):
    for node in nodes(group):
        names = [child["name"] for child in node.get("options", ())]
        assert len(names) == len(set(names)), names
        required = [child.get("required", False) for child in node.get("options", ())]
        assert sorted(required, reverse=True) == required, node["name"]


@every_spec
def test_every_verb_is_a_command_with_its_fields_as_autocompleted_options(spec: GameSpec):
    group = next(group for group in GROUPS if group["name"] == spec.slug)
    assert [cls.verb for cls in spec.actions] == [command["name"] for command in group["options"]]
    for cls, command in zip(spec.actions, group["options"], strict=True):
        options = command.get("options", [])
        assert list(field_types(cls)) == [option["name"] for option in options]
        assert all(option["autocomplete"] for option in options)
        assert required_fields(cls) == sum(option["required"] for option in options)


@every_group
def test_descriptions_are_not_cut_off(group):
    assert [] == [node["description"] for node in nodes(group) if len(node["description"]) == 100]


def test_no_context_menu_is_needed():
    assert all(isinstance(command, app_commands.Group | app_commands.Command) for command in all_commands())
