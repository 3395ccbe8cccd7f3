"""A discord.py bot in a separate process against everything the playground offers."""

from __future__ import annotations

import tempfile
from itertools import repeat
from pathlib import Path

import pytest

from playground.harness import Playground
from playground.options import CannotDo
from playground.player import Player
from playground.wire import TOKEN


async def test_a_command_accepts_options_of_several_types(ana: Player) -> None:
    seen = await ana.slash("trial place", market="2B", level=2, guest="Ben")
    assert seen is not None
    assert "Placed at 2B on level 2" in seen
    assert (seen.mentions, seen.pinged) == (("Ben",), ("Ben",))


async def test_client_refuses_commands_that_discord_would_not_send(ana: Player) -> None:
    with pytest.raises(CannotDo, match="still needs: market"):
        await ana.slash("trial place")
    with pytest.raises(CannotDo, match="1 to 4"):
        await ana.slash("trial place", market="2B", level=9)
    with pytest.raises(CannotDo, match="no option speed"):
        await ana.slash("trial place", market="2B", speed=9)
    with pytest.raises(CannotDo, match="choose one of Red, Blue"):
        await ana.slash("trial paint", color="Green")
    with pytest.raises(CannotDo, match="The commands are: /trial"):
        await ana.slash("nothing")


async def test_menus_of_roles_and_channels_offer_only_those_of_the_server(ana: Player, timed_app: Playground) -> None:
    menus = await ana.slash("trial menus")
    timed_app.add_category("Fun")
    for roles, text in ((["Moderators", "Caravanserai"], "Roles: Caravanserai Moderators"), ([], "Roles: ")):
        assert text.strip() == (await ana.choose(*roles, on=menus, menu=2)).text.strip()
    assert "Place: Fun" in await ana.choose("Fun", on=menus, menu=3)
    conversation = timed_app.discord.world.dm_with(timed_app.discord.world.user_named("Ana"))
    for menu, entry in ((2, "Nobody"), (3, "12"), (3, str(conversation.id))):
        with pytest.raises(CannotDo, match="has no entry"):
            await ana.choose(entry, on=menus, menu=menu)


async def test_a_form_opens_from_a_button_and_from_a_command(ana: Player) -> None:
    await ana.slash("trial board")
    assert await ana.tap("Form") is None
    assert ana.modal is not None
    assert ana.modal["title"] == "Give up three cards"
    seen = await ana.submit({"Reason": "too many", "Color": "Blue"})
    assert seen is not None
    assert seen.text == "Form: too many / b"
    assert await ana.slash("trial form") is None
    with pytest.raises(CannotDo, match="Reason: please fill this in"):
        await ana.submit({"Color": "Red"})


async def test_thread_opens_and_pings_the_user(ana: Player) -> None:
    await ana.slash("trial thread", name="game-1")
    inside = ana.in_channel("game-1")
    welcome = await inside.expect("Welcome")
    assert welcome.pinged == ("Ana",)
    assert ana.pings[-1].text == welcome.text
    seen = await inside.slash("trial place", market="1A")
    assert seen is not None
    assert seen.channel == "game-1"


async def test_direct_message_arrives_or_is_refused(ana: Player, timed_app: Playground) -> None:
    await ana.slash("trial dm")
    assert (await ana.in_dm().expect("Psst")).author == "Caravanserai"
    shy = timed_app.player("Nia", ana.channel.name)
    timed_app.close_dms("Nia")
    refused = await shy.slash("trial dm")
    assert refused is not None
    assert refused.text == "Refused: 50007"


async def test_history_and_files_can_be_read_back(ana: Player) -> None:
    await ana.slash("trial board")
    seen = await ana.slash("trial history")
    assert seen is not None
    assert "1 messages, newest file has" in seen
    assert "0 bytes" not in seen


async def test_tap_during_an_edit_carries_the_old_message(ana: Player, timed_app: Playground) -> None:
    board = await ana.slash("trial board")
    await ana.tap("Next", on=board)
    again = await ana.tap("Next", on=board)
    assert again is not None
    assert "Ply **2**" in again


async def test_the_bot_starts_even_if_its_temporary_folder_contains_part_of_the_token(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A bot does not start with part of its token in an address, even if a random folder name contains it."""
    chance = TOKEN.removeprefix("playground-")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(tempfile, "_get_candidate_names", lambda: repeat(chance))
    async with Playground() as local:
        await local.start_bot()
