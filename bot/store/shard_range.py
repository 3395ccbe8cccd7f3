"""Which servers a process plays for, where several processes share a database."""

from __future__ import annotations

from dataclasses import dataclass

NO_SERVER = 0
"""The `guild_id` of a match in a direct message."""


AGE_BITS = 22
"""The lower bits of a snowflake; Discord deals servers to shards by those above."""


@dataclass(frozen=True, slots=True)
class ShardRange:
    """The shards of Discord from `first` to `last`, of `count`; direct messages belong to shard 0."""

    first: int = 0
    last: int = 0
    count: int = 1

    def __str__(self) -> str:
        return f"{self.first}-{self.last}/{self.count}"

    @property
    def shards(self) -> range:
        """Their numbers."""
        return range(self.first, self.last + 1)

    @property
    def is_whole(self) -> bool:
        """Whether nobody else plays."""
        return len(self.shards) == self.count

    def has(self, guild_id: int) -> bool:
        """Whether a server, or `NO_SERVER`, is of this share."""
        # Discord's own formula (https://discord.com/developers/docs/events/gateway#sharding)
        return (guild_id >> AGE_BITS) % self.count in self.shards

    def condition(self, guild_id: str) -> str:
        """The same as SQL; `guild_id` is the name of a column."""
        if self.is_whole:
            return "TRUE"
        return f"({guild_id} >> {AGE_BITS}) % {self.count} BETWEEN {self.first} AND {self.last}"


WHOLE = ShardRange()
"""All there is, for a process that is alone."""
