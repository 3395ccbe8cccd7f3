"""The stored settings of a server, as its tables read them."""

from __future__ import annotations

from dataclasses import asdict, replace

from bot.store.shard_range import NO_SERVER
from bot.tables.guild_settings import NAME, SCOPE, USUAL, log_channel, settings_from
from tests.bot.refusing import GUILD, House


def test_lists_are_read_as_they_were_stored_and_unknown_settings_are_ignored() -> None:
    lists = {"channels": (1, 2), "roles": (3,), "contrast": (4,), "league_roles": (5, 6)}
    stored = {name: list(values) for name, values in lists.items()}
    assert replace(USUAL, **lists, most=9) == settings_from({**stored, "most": 9, "color": "green"})
    for nothing in (None, {}):
        assert USUAL == settings_from(nothing)
    assert USUAL == settings_from(asdict(USUAL))


async def test_direct_messages_have_no_log(home: House) -> None:
    for guild_id in (GUILD, NO_SERVER):
        await home.store.settings.put(SCOPE, guild_id, NAME, {"log": 55})
    assert [55, 0, 0] == [
        await log_channel(home.store.settings, guild_id) for guild_id in (GUILD, NO_SERVER, GUILD + 1)
    ]
