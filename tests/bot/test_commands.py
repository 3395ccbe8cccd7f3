"""The commands of every game obey Discord's limits; wrong ones would keep the whole bot from starting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.commands import all_commands
from engine.core import Action, GameSpec, field_types, required_fields
from engine.games import discover
from tests.engine.toys import TOYS

NAME = re.compile(r"[-_a-z0-9]{1,32}")

MOST = 25
"""Discord's limit for the commands of a group, and for the options of a command."""


class Full(Exception):
    """A group has no room for another command."""


def commands_with_room() -> list[app_commands.Group | app_commands.Command[Any, ..., None]]:
    """All commands, each of which finds room in its group; discord.py would not say which one does not."""
    add = app_commands.Group.add_command

    def add_if_there_is_room(group: app_commands.Group, command: Any, /, **more: Any) -> None:
        if len(group.commands) == MOST:
            raise Full(
                f"/{group.name} {command.name} is one command too many: Discord allows {MOST} in a group. Make it an "
                f"option of a command that is there (as `/game undo` has `redo`), or move some into another group."
            )
        add(group, command, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app_commands.Group, "add_command", add_if_there_is_room)
        return all_commands()


TREE = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
GROUPS = [group.to_dict(TREE) for group in commands_with_room()]


def nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("options", ()):
        yield from nodes(child)


def size(node: dict[str, Any]) -> int:
    """Characters that Discord counts: names, descriptions and choices, all the way down."""
    return sum(len(part["name"]) + len(part["description"]) for part in nodes(node))


every_group = pytest.mark.parametrize("group", GROUPS, ids=lambda group: group["name"])
every_spec = pytest.mark.parametrize("spec", discover().values(), ids=lambda spec: spec.slug)


def test_there_is_a_group_for_the_table_and_one_for_every_game():
    assert ["game", "settings", "server", "admin", *discover()] == [group["name"] for group in GROUPS]
    assert len(GROUPS) <= 100


@every_group
def test_names_and_descriptions_fit(group):
    for node in nodes(group):
        assert NAME.fullmatch(node["name"]), node["name"]
        assert 1 <= len(node["description"]) <= 100, node


@every_group
def test_counts_and_size_fit(group):
    assert max(len(node.get("options", ())) for node in nodes(group)) <= MOST
    assert size(group) <= 8000


def test_a_group_that_is_full_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    verbs = tuple(type(f"Verb{n}", (Action,), {"__doc__": "Do it."}) for n in range(MOST + 1))
    monkeypatch.setitem(discover(), "toll", replace(TOYS["toll"], actions=verbs))
    with pytest.raises(Full, match=r"/toll verb25 is one command too many: .+ 25 in a group\. Make it an option of"):
        commands_with_room()
    monkeypatch.setitem(discover(), "toll", replace(TOYS["toll"], actions=verbs[:-1]))
    assert commands_with_room()


@every_group
def test_siblings_have_different_names_and_required_options_come_first(group):
    for node in nodes(group):
        names = [child["name"] for child in node.get("options", ())]
        assert len(names) == len(set(names)), names
        required = [child.get("required", False) for child in node.get("options", ())]
        assert sorted(required, reverse=True) == required, node["name"]


@every_spec
def test_every_verb_is_a_command_with_its_fields_as_suggested_options(spec: GameSpec):
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
