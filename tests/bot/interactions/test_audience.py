"""Visibility of places: for all readers of another channel, and for all members of a server."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import discord
import pytest

from bot.interactions.audience import everyone_sees, readers_see

EVERYONE, ROLE = 1, 2
OPEN, HIDDEN, HALL, VOICE, PUBLIC, PRIVATE, ARCHIVED = range(10, 17)


def channel(number: int, *, shown: bool, kind: type[Any] = discord.TextChannel, **rules: bool) -> Any:
    """A channel that everyone sees or not, with rules for a role."""
    place = Mock(spec=kind, id=number)
    place.guild = SimpleNamespace(default_role=SimpleNamespace(id=EVERYONE))
    place.permissions_for = lambda _: SimpleNamespace(view_channel=shown, connect=rules.get("connect", True))
    place.overwrites = {discord.Object(EVERYONE): _rule(shown)}
    # a rule about something else
    place.overwrites[discord.Object(number + 100)] = _rule(None)
    if "role" in rules:
        place.overwrites[discord.Object(ROLE)] = _rule(rules["role"])
    return place


def _rule(view: bool | None) -> Any:
    return SimpleNamespace(view_channel=view, connect=None)


def thread(number: int, parent: Any, *, private: bool) -> Any:
    place = Mock(spec=discord.Thread, id=number)
    place.parent = parent
    place.is_private = lambda: private
    return place


PLACES = {
    OPEN: channel(OPEN, shown=True),
    HIDDEN: channel(HIDDEN, shown=True, role=False),
    HALL: channel(HALL, shown=True, role=False),
    VOICE: channel(VOICE, shown=True, kind=discord.VoiceChannel, connect=False),
}
PLACES |= {
    PUBLIC: thread(PUBLIC, PLACES[OPEN], private=False),
    PRIVATE: thread(PRIVATE, PLACES[OPEN], private=True),
}
GUILD: Any = SimpleNamespace(get_channel=PLACES.get, get_channel_or_thread=PLACES.get)


@pytest.mark.parametrize(
    ("place", "parent", "readers", "everyone"),
    [
        (OPEN, None, True, True),
        (OPEN, HIDDEN, True, True),
        (HIDDEN, None, True, False),
        (VOICE, None, False, False),
        (PUBLIC, None, True, True),
        (PRIVATE, None, False, False),
        (ARCHIVED, OPEN, True, True),
        (ARCHIVED, HIDDEN, True, False),
        (ARCHIVED, None, False, False),
    ],
)
def test_a_place_is_seen_by_the_readers_of_a_hall_with_the_same_rules_or_if_it_is_open(
    place: int, parent: int | None, readers: bool, everyone: bool
) -> None:
    assert (readers, everyone) == (readers_see(GUILD, HALL, place, parent), everyone_sees(GUILD, place, parent))
    assert everyone == readers_see(GUILD, OPEN, place, parent), "an open channel has readers without the role"
    assert not readers_see(GUILD, 99, place, parent), "nothing is known of the readers of a channel that is gone"
    assert place in (ARCHIVED, PUBLIC, PRIVATE) or readers_see(GUILD, place, place, parent), "its own readers"


def test_the_readers_of_a_voice_channel_see_another_one_with_the_same_rules() -> None:
    first, second = (channel(number, shown=True, kind=discord.VoiceChannel, role=False) for number in (1, 2))
    places = {1: first, 2: second, HALL: PLACES[HALL]}
    guild: Any = SimpleNamespace(get_channel=places.get, get_channel_or_thread=places.get)
    assert [True, True, False] == [readers_see(guild, *pair, None) for pair in ((1, 2), (1, HALL), (HALL, 1))]


@pytest.mark.parametrize(
    ("kind", "everyone", "role", "is_open"),
    [
        (discord.TextChannel, (True, False), (None, None), True),
        (discord.VoiceChannel, (True, True), (None, False), False),
        (discord.VoiceChannel, (True, True), (True, True), True),
        (discord.TextChannel, (True, True), (False, None), False),
    ],
)
def test_a_channel_is_open_if_no_role_is_kept_from_reading_it(
    kind: type[Any], everyone: tuple[Any, Any], role: tuple[Any, Any], is_open: bool
) -> None:
    place = channel(OPEN, shown=True, kind=kind)
    rules = {EVERYONE: everyone, ROLE: role}
    place.overwrites = {
        discord.Object(holder): SimpleNamespace(view_channel=view, connect=connect)
        for holder, (view, connect) in rules.items()
    }
    guild: Any = SimpleNamespace(get_channel_or_thread=lambda _: place)
    assert is_open == everyone_sees(guild, OPEN, None)
