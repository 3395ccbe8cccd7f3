"""Refusals in channels: requests that are tried again, and channels that count as deleted."""

from __future__ import annotations

import io
from types import SimpleNamespace

import discord
import pytest

from bot.interactions.parts import words_layout
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.shard_range import NO_SERVER
from tests.bot.posting.test_poster import refusal
from tests.bot.refusing import CHANNEL, GUILD, House


@pytest.mark.parametrize("has_file", [False, True])
async def test_an_edit_with_a_picture_is_not_repeated_in_an_archived_thread(home: House, has_file: bool) -> None:
    home.network.fault, home.network.spared = (lambda: refusal(400, 50083)), "GET"
    file = discord.File(io.BytesIO(b"x"), "a.png") if has_file else None
    with pytest.raises(discord.HTTPException):
        await home.services.channels.edit(CHANNEL, 5, lambda: words_layout("x"), file)
    assert has_file == ([] == home.network.accepted), "a thread is looked at before it is opened again"


@pytest.mark.parametrize(
    ("code", "guild_id", "deleted"), [(10003, NO_SERVER, True), (10003, GUILD, True), (50001, GUILD, False)]
)
async def test_a_channel_is_deleted_if_neither_it_nor_its_server_is_to_be_seen_with_it(
    home: House, code: int, guild_id: int, deleted: bool
) -> None:
    home.network.fault, home.network.spared = (lambda: refusal(404, code)), "GET /guilds"
    assert deleted == await home.services.channels.is_deleted(guild_id, CHANNEL)


async def test_a_message_without_mentions_goes_out_while_the_settings_cannot_be_read(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unavailable(*_: object) -> bool:
        raise DatabaseUnavailable(FailureKind.GONE, "no file")

    monkeypatch.setattr(home.services.servers, "may_call", unavailable)
    await home.services.channels.send(CHANNEL, lambda: words_layout("x"))
    assert ["POST /channels/{channel_id}/messages"] == home.network.accepted
    mentions = discord.AllowedMentions(users=[discord.Object(71)])
    with pytest.raises(DatabaseUnavailable):
        await home.services.channels.send(CHANNEL, lambda: words_layout("x"), mentions=mentions)


@pytest.mark.parametrize(("archived", "locked", "edits"), [(True, False, 1), (True, True, 0), (False, False, 0)])
async def test_only_an_archived_thread_that_is_not_locked_is_reopened(
    home: House, monkeypatch: pytest.MonkeyPatch, archived: bool, locked: bool, edits: int
) -> None:
    edited: list[dict[str, object]] = []

    async def edit(**fields: object) -> None:
        edited.append(fields)

    async def found(_: int) -> object:
        return SimpleNamespace(archived=archived, locked=locked, owner_id=0, edit=edit)

    monkeypatch.setattr(home.services.channels, "_thread", found)
    await home.services.channels.reopen(CHANNEL)
    assert [False] * edits == [fields["archived"] for fields in edited]
