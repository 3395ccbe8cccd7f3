"""Shard ranges: which servers belong to which process, where several processes share a database."""

from __future__ import annotations

from engine.values import Value

NO_SERVER = 0
"""The `guild_id` of a match in a direct message."""


AGE_BITS = 22
"""The lower bits of a snowflake; Discord assigns servers to shards by the bits above."""


class ShardRange(Value):
    """The gateway shards from `first` to `last`, of `count`. Direct messages belong to shard 0."""

    first: int = 0
    last: int = 0
    count: int = 1

    def __str__(self) -> str:
        return f"{self.first}-{self.last}/{self.count}"

    @property
    def shards(self) -> range:
        """The numbers of the shards."""
        return range(self.first, self.last + 1)

    @property
    def is_whole(self) -> bool:
        """Whether one process has all shards."""
        return len(self.shards) == self.count

    def has(self, guild_id: int) -> bool:
        """Whether a server, or `NO_SERVER`, belongs to these shards."""
        # Discord's own formula (https://discord.com/developers/docs/events/gateway#sharding)
        return (guild_id >> AGE_BITS) % self.count in self.shards

    def condition(self, guild_id: str) -> str:
        """`has` as an SQL condition; `guild_id` is the name of a column."""
        if self.is_whole:
            return "TRUE"
        return f"({guild_id} >> {AGE_BITS}) % {self.count} BETWEEN {self.first} AND {self.last}"


WHOLE = ShardRange()
"""All shards, for a single process."""
