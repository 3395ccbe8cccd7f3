"""The world survives a restart, and a broken file does not prevent the next one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from playground.clock import Clock
from playground.notifier import HANG
from playground.permissions import Permission
from playground.snapshot import BrokenSnapshot, Snapshot
from playground.world import Attachment, Channel, ChannelKind, Message, Overwrite, World
from tests.playground.trial_bot import png

OLD, NEW = "http://127.0.0.1:8765", "http://127.0.0.1:8770"


def world_with_history() -> World:
    world = World(Clock())
    table = world.channel_named("caravanserai")
    ana = world.user_named("Ana")
    assert table is not None
    assert ana is not None
    picture = Attachment(world.ids.next(), "a.png", "image/png", png(3, 4, 9), "A board", (3, 4))
    table.messages = [
        Message(world.ids.next(), table.id, ana.id, "hello", reactions={"🐫": [ana.id]}),
        Message(world.ids.next(), table.id, world.bot.id, attachments=[picture], components=[{"type": 10, "id": 1}]),
        Message(world.ids.next(), table.id, world.bot.id, "psst", only_for=ana.id),
    ]
    table.overwrites[world.bot.id] = Overwrite(deny=Permission.ATTACH_FILES)
    world.add_channel(Channel(world.ids.next(), "game", kind=ChannelKind.PUBLIC_THREAD, parent_id=table.id))
    world.dm_with(ana)
    world.commands = [{"name": "go", "type": 1, "id": "5"}]
    return world


async def save(world: World, folder: Path) -> Snapshot:
    snapshot = Snapshot(folder, world, lambda: OLD)
    await snapshot.finish()
    return snapshot


async def test_world_is_restored_without_ephemeral_messages(tmp_path: Path) -> None:
    before = world_with_history()
    await save(before, tmp_path)
    after = World(Clock())
    Snapshot(tmp_path, after, lambda: OLD).restore()
    table = before.channel_named("caravanserai")
    again = after.channel_named("caravanserai")
    assert table is not None
    assert again is not None
    assert again.messages == table.messages[:2]
    assert (after.users, after.commands, after.guild_id) == (before.users, before.commands, before.guild_id)
    assert again.overwrites == table.overwrites
    assert after.channel_named("game") == before.channel_named("game")
    assert after.ids.next() > before.ids.last


async def test_image_urls_are_rewritten_for_another_port(tmp_path: Path) -> None:
    before = world_with_history()
    table = before.channel_named("caravanserai")
    assert table is not None
    table.messages[1].components = [{"type": 11, "media": {"url": f"{OLD}/attachments/1/2/a.png"}}]
    await save(before, tmp_path)
    after = World(Clock())
    Snapshot(tmp_path, after, lambda: NEW).restore()
    again = after.channel_named("caravanserai")
    assert again is not None
    assert again.messages[1].components[0]["media"]["url"] == f"{NEW}/attachments/1/2/a.png"


async def test_unreferenced_images_are_removed(tmp_path: Path) -> None:
    world = world_with_history()
    snapshot = await save(world, tmp_path)
    assert len(list((tmp_path / "images").iterdir())) == 1
    table = world.channel_named("caravanserai")
    assert table is not None
    table.messages.pop(1)
    await snapshot.finish()
    assert list((tmp_path / "images").iterdir()) == []


async def test_changes_are_saved_after_a_short_delay(tmp_path: Path) -> None:
    snapshot = Snapshot(tmp_path, world_with_history(), lambda: OLD, pause=0.01)
    snapshot.note_change()
    snapshot.note_change()
    assert not (tmp_path / "world.json").exists()
    await asyncio.wait_for(snapshot.written.wait(), HANG)
    assert (tmp_path / "world.json").exists()


@pytest.mark.parametrize("content", ["{", "[]", '{"format": 99}', '{"format": 1, "users": []}'])
async def test_broken_snapshot_is_set_aside_and_the_world_starts_fresh(tmp_path: Path, content: str) -> None:
    (tmp_path / "world.json").write_text(content)
    world = World(Clock())
    with pytest.raises(BrokenSnapshot, match="could not be read"):
        Snapshot(tmp_path, world, lambda: OLD).restore()
    assert (tmp_path / "world.broken").read_text() == content
    assert not (tmp_path / "world.json").exists()
    assert world.channel_named("caravanserai") is not None
