"""discord.py's real code in a process of its own, against everything the playground offers."""

from __future__ import annotations

import pytest

from playground.harness import Playground
from playground.options import CannotDo
from playground.player import Player


async def test_board_has_picture_section_menu_and_buttons(ana: Player) -> None:
    board = await ana.slash("trial board")
    assert board is not None
    assert "Ply **1**" in board
    assert board.labels == ["Hand", "Next", "Later", "Quiet", "Form", "Fail"]
    assert len(board.menus[0].options) == 20
    assert [(image.alt, image.size) for image in board.images] == [("An empty board", (360, 480))]
    assert board.images[0].data.startswith(b"\x89PNG")


async def test_every_component_comes_back_with_an_id(ana: Player) -> None:
    board = await ana.slash("trial board")
    assert board is not None
    (box,) = board.components
    ids = [box["id"], *(part["id"] for part in box["components"])]
    assert len(set(ids)) == len(ids)


async def test_command_options_of_several_types(ana: Player) -> None:
    seen = await ana.slash("trial place", market="2B", level=2, guest="Ben")
    assert seen is not None
    assert "Placed at 2B on level 2" in seen
    assert (seen.mentions, seen.pinged) == (("Ben",), ("Ben",))


async def test_suggestions_know_what_else_was_typed(ana: Player) -> None:
    assert await ana.suggest("trial place", "market", "b", level=3) == [("Market 3B", "3B")]


async def test_client_refuses_what_discord_would_not_send(ana: Player) -> None:
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


async def test_choice_by_name_and_silent_message(ana: Player) -> None:
    seen = await ana.slash("trial paint", color="Blue")
    assert seen is not None
    assert (seen.text, seen.silent) == ("Painted b", True)


async def test_button_updates_its_message_and_replaces_the_picture(ana: Player) -> None:
    board = await ana.slash("trial board")
    assert board is not None
    after = await ana.tap("Next", on=board)
    assert after is not None
    assert after.id == board.id
    assert "Ply **2**" in after
    assert len(after.images) == 1
    assert after.images[0].data != board.images[0].data
    assert after.edited


async def test_old_picture_stays_when_an_edit_does_not_speak_of_files(ana: Player) -> None:
    await ana.slash("trial board")
    after = await ana.tap("Later")
    assert after is not None
    assert "Ply **101**" in after
    assert [image.filename for image in after.images] == ["board.png"]


async def test_section_button_answers_in_private(ana: Player, house: Playground) -> None:
    await ana.slash("trial board")
    hand = await ana.tap("Hand")
    assert hand is not None
    assert (hand.text, hand.ephemeral) == ("Your hand at ply 1", True)
    assert all("hand" not in message.text for message in house.player("Ben").messages)


async def test_silent_acknowledgment_gives_nothing(ana: Player) -> None:
    await ana.slash("trial board")
    assert await ana.tap("Quiet", silent=True) is None


async def test_menu_choice_by_label_and_by_value(ana: Player) -> None:
    await ana.slash("trial board")
    for entry in ("2B", "m2B"):
        seen = await ana.choose(entry)
        assert seen is not None
        assert seen.text == "You chose m2B"


async def test_menu_of_people_and_of_several_entries(ana: Player) -> None:
    menus = await ana.slash("trial menus")
    assert menus is not None
    assert "Guests\nChoose *well*\nN: V" in menus
    guest = await ana.choose("Ben", on=menus)
    cards = await ana.choose("Palm", "C", on=menus, menu=1)
    assert guest is not None
    assert cards is not None
    assert (guest.text, cards.text) == ("Guest: Ben", "Cards: C P")
    with pytest.raises(CannotDo, match="Choose 2 to 2"):
        await ana.choose("Palm", on=menus, menu=1)


async def test_menus_of_roles_and_of_channels_offer_what_the_server_has(ana: Player, house: Playground) -> None:
    menus = await ana.slash("trial menus")
    house.add_category("Fun")
    for roles, told in ((["Moderators", "Caravanserai"], "Roles: Caravanserai Moderators"), ([], "Roles: ")):
        assert told.strip() == (await ana.choose(*roles, on=menus, menu=2)).text.strip()
    assert "Place: Fun" in await ana.choose("Fun", on=menus, menu=3)
    conversation = house.discord.world.dm_with(house.discord.world.user_named("Ana"))
    for menu, entry in ((2, "Nobody"), (3, "12"), (3, str(conversation.id))):
        with pytest.raises(CannotDo, match="has no entry"):
            await ana.choose(entry, on=menus, menu=menu)


async def test_form_from_a_button_and_from_a_command(ana: Player) -> None:
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


async def test_deferred_answers(ana: Player) -> None:
    public = await ana.slash("trial think")
    private = await ana.slash("trial think", private=True)
    board = await ana.slash("trial rethink")
    assert public is not None
    assert private is not None
    assert board is not None
    assert (public.text, public.ephemeral) == ("Thought about it", False)
    assert (private.text, private.ephemeral) == ("Thought about it", True)
    assert board.images[0].alt == "An empty board"
    await ana.expect("And again", after=private)


async def test_thread_opens_and_pings(ana: Player) -> None:
    await ana.slash("trial thread", name="game-1")
    inside = ana.in_channel("game-1")
    welcome = await inside.expect("Welcome")
    assert welcome.pinged == ("Ana",)
    assert ana.pings[-1].text == welcome.text
    seen = await inside.slash("trial place", market="1A")
    assert seen is not None
    assert seen.channel == "game-1"


async def test_direct_message_and_its_refusal(ana: Player, house: Playground) -> None:
    await ana.slash("trial dm")
    assert (await ana.in_dm().expect("Psst")).author == "Caravanserai"
    shy = house.player("Nia", ana.channel.name)
    house.close_dms("Nia")
    refused = await shy.slash("trial dm")
    assert refused is not None
    assert refused.text == "Refused: 50007"


async def test_history_and_files_can_be_read_back(ana: Player) -> None:
    await ana.slash("trial board")
    seen = await ana.slash("trial history")
    assert seen is not None
    assert "1 messages, newest file has" in seen
    assert "0 bytes" not in seen


async def test_tap_that_crosses_an_edit_carries_the_old_screen(ana: Player, house: Playground) -> None:
    board = await ana.slash("trial board")
    await ana.tap("Next", on=board)
    again = await ana.tap("Next", on=board)
    assert again is not None
    assert "Ply **2**" in again
