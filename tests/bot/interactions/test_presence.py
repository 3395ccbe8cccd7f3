"""Servers that are there, away, or without the bot, by what the gateway says shard by shard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from bot.errors import UserError
from bot.interactions.presence import NOT_A_MEMBER, SERVER_AWAY, KnownServers, Presence
from bot.store.shard_range import AGE_BITS, NO_SERVER, ShardRange

THERE, AWAY, ABSENT = Presence.THERE, Presence.AWAY, Presence.ABSENT
ONE, TWO, OTHER, FOREIGN = (n << AGE_BITS for n in (4, 8, 5, 6))
"""Two servers of shard 0, one of shard 1, and one of shard 2, which belongs to another process."""


@dataclass
class Guild:
    id: int
    unavailable: bool = False


@dataclass
class Gateway:
    """The parts of a client that presence reads: shards 0 and 1 of 4."""

    guilds: list[Guild] = field(default_factory=list)
    shard_count: int = 4

    def get_guild(self, guild_id: int) -> Guild | None:
        return next((guild for guild in self.guilds if guild.id == guild_id), None)

    def keep(self, *guilds: Guild) -> None:
        """Replace the guilds with these ids, or add them."""
        ids = {guild.id for guild in guilds}
        self.guilds = [*(guild for guild in self.guilds if guild.id not in ids), *guilds]


@pytest.fixture
def gateway() -> Gateway:
    return Gateway()


@pytest.fixture
def servers(gateway: Gateway) -> KnownServers:
    return KnownServers(cast(Any, gateway), ShardRange(0, 1, 4))


def presences(known: KnownServers, guild_ids: Sequence[int] = (ONE, TWO, OTHER)) -> list[Presence]:
    return [known.presence(guild_id) for guild_id in guild_ids]


def test_a_server_is_away_until_its_shard_has_listed_it_and_it_has_arrived(
    gateway: Gateway, servers: KnownServers
) -> None:
    assert [AWAY, AWAY, AWAY] == presences(servers)
    gateway.keep(Guild(ONE, unavailable=True))
    servers.note_listed(0)
    assert [AWAY, ABSENT, AWAY] == presences(servers)
    gateway.keep(Guild(ONE))
    servers.note_arrived(ONE)
    servers.note_listed(1)
    assert [THERE, ABSENT, ABSENT] == presences(servers)
    gateway.keep(Guild(ONE, unavailable=True))
    assert [AWAY, ABSENT, ABSENT] == presences(servers), "an outage"


def test_a_new_session_finds_only_the_removed_servers_of_its_own_shard(gateway: Gateway, servers: KnownServers) -> None:
    gateway.keep(Guild(ONE), Guild(TWO), Guild(OTHER))
    for shard_id in (0, 1):
        servers.note_listed(shard_id)
    for guild_id in (ONE, TWO, OTHER):
        servers.note_arrived(guild_id)
    gateway.keep(Guild(ONE, unavailable=True))
    servers.note_listed(0)
    assert [AWAY, ABSENT, THERE] == presences(servers)
    gateway.keep(Guild(ONE), Guild(TWO))
    for guild_id in (ONE, TWO):
        servers.note_arrived(guild_id)
    assert [THERE, THERE, THERE] == presences(servers)
    servers.note_listed(0)
    assert [ABSENT, ABSENT, THERE] == presences(servers), "kept from the lost session, but not named in this one"
    gateway.keep(Guild(ONE, unavailable=True))
    servers.note_listed(0)
    assert [AWAY, ABSENT, THERE] == presences(servers), "added again"


def test_direct_messages_and_servers_of_other_processes_always_count_as_present(servers: KnownServers) -> None:
    assert [THERE, THERE] == presences(servers, (NO_SERVER, FOREIGN))
    assert servers.is_there(FOREIGN)


def test_requiring_a_server_reports_whether_it_is_away_or_without_the_bot(
    gateway: Gateway, servers: KnownServers
) -> None:
    gateway.keep(Guild(ONE, unavailable=True), Guild(OTHER))
    servers.note_listed(0)
    assert (None, OTHER) == (servers.find(ONE), servers.require(OTHER).id)
    for guild_id, reason in ((ONE, SERVER_AWAY), (TWO, NOT_A_MEMBER)):
        with pytest.raises(UserError) as refused:
            servers.require(guild_id)
        assert str(reason) in str(refused.value)
