"""Options of new tables of a server, by the choice of its moderators."""

from __future__ import annotations

import dataclasses
import json

import pytest

from bot.errors import UserError
from bot.features.lobby.options_page import fixed_choice
from bot.tables.options import starting_options
from engine.games import discover
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.forging import forge, forge_row
from tests.bot.moderating import begin, moderator, open_server_settings
from tests.robots import BOARD
from tests.rooms import Room, play_move

FIRST_MARKETS = "First markets: fixed"


async def page_of(room: Room, title: str) -> tuple[Player, Seen]:
    """The page for a game. Returns it with the moderator who looks at it."""
    eva = moderator(room)
    games = await eva.tap("Default options", on=await open_server_settings(eva, "pace"))
    return eva, await eva.choose(title, on=games)


async def new_table(room: Room, game: str = "muscat", name: str = "Ana", **more: str) -> Seen:
    return await room.person(name).slash("table new", game=game, **more)


def chosen(page: Seen) -> list[str]:
    return [option.label for menu in page.menus[1:] for option in menu.options if option.chosen]


def options_of(app: App) -> dict[str, object]:
    """Options of the last match."""
    return json.loads(app.query("SELECT options FROM matches ORDER BY id DESC LIMIT 1")[0][0])


async def test_a_new_table_uses_the_default_options_and_its_host_can_change_them(app: App) -> None:
    room = app.room()
    eva, page = await page_of(room, "Muscat")
    third = await eva.tap("Options 3", on=page)
    assert "Yes" == chosen(third)[0], "as in a first game, unless somebody changes it"
    page = await eva.tap("Options 2", on=third)
    page = await eva.choose(FIRST_MARKETS, on=page, menu=1)
    assert FIRST_MARKETS in chosen(page)
    _, other = await page_of(room, "Sealed Bids")
    other = await eva.choose("rounds: 1", on=other, menu=1)
    assert FIRST_MARKETS in chosen(await eva.tap("Options 2", on=await eva.choose("Muscat", on=other))), (
        "each game has its own"
    )
    lobby = await new_table(room)
    assert FIRST_MARKETS in lobby
    ana = room.person("Ana")
    await ana.choose("First markets: choose", on=await ana.tap("Options 2", on=await ana.slash("table options")))
    assert "choose" == options_of(app)["start_placement"]
    assert FIRST_MARKETS in await new_table(app.room(), name="Ben"), "the next table begins with it again"
    assert FIRST_MARKETS not in await new_table(app.room(), "jinns", "Caro"), "another game does not"


async def test_a_table_in_its_own_thread_uses_the_default_options_even_after_a_restart(app: App) -> None:
    room = app.room()
    eva, page = await page_of(room, "Muscat")
    await eva.tap("Tournament", on=page)
    await app.close()
    await app.open()
    await new_table(room, where="in its own thread")
    assert "Tournament" in await Room(app.local, "Muscat with Ana").onlooker.expect("## Muscat")
    assert {"start_placement": "fixed"} == options_of(app)


async def test_a_first_game_and_direct_messages_use_the_standard_options(app: App) -> None:
    room = app.room()
    eva, page = await page_of(room, "Muscat")
    await eva.tap("Tournament", on=page)
    usual = {"cycle_needs_own_token": True}
    await room.person("Ana").in_dm().slash("table new", game="muscat")
    assert usual == options_of(app)
    await room.person("Ben").slash("game learn", game="muscat")
    await room.onlooker.expect(BOARD)
    assert usual == options_of(app)


async def test_a_rematch_uses_the_options_of_the_previous_game(app: App) -> None:
    room = app.room()
    eva, page = await page_of(room, "Sealed Bids")
    page = await eva.choose("rounds: 1", on=page, menu=1)
    await begin(room, "Ana", "Ben")
    await eva.tap("Reset to standard", on=page)
    for person in room.people("Ana", "Ben"):
        await play_move(person, "sealed bid", coins="3")
    await room.person("Ana").tap("Rematch", on=await room.onlooker.expect("win"))
    assert {"rounds": 1} == options_of(app)


async def test_reset_to_standard_clears_the_default_options(app: App) -> None:
    room = app.room()
    eva, page = await page_of(room, "Muscat")
    before = chosen(await eva.tap("Options 3", on=page))
    page = await eva.tap("As printed", on=page)
    assert before != chosen(await eva.tap("Options 3", on=page))
    page = await eva.tap("Reset to standard", on=page)
    assert before == chosen(await eva.tap("Options 3", on=page))
    await new_table(room)
    assert {"cycle_needs_own_token": True} == options_of(app)
    assert "### Games in this server" in await eva.tap("Back", on=page)


async def test_a_default_that_would_keep_some_tables_from_starting_is_refused(app: App) -> None:
    room = app.room()
    eva, page = await page_of(room, "Muscat")
    answer = await eva.choose(page.menus[1].options[3].label, on=page, menu=1)
    assert "cannot begin: the players are" in answer
    await new_table(room)
    assert {"cycle_needs_own_token": True} == options_of(app)


async def test_only_moderators_change_default_options_and_only_to_valid_values(app: App) -> None:
    room = app.room()
    eva, page = await page_of(room, "Muscat")
    for name, values in (("muscat fly", ["0"]), ("muscat start_placement", ["7"]), ("chess setup", ["0"]), ("", ["0"])):
        reply = await forge_row(app, eva, page, f"cm:default:0:0:{name}", *values)
        assert (True, False) == (reply.ephemeral, "wrong on my end" in reply), name
    for kind in ("defaultset:0:7:muscat", "defaultset:0:0:chess", "asusual:0:0:chess"):
        reply = await forge(app, eva, page, {"type": 2, "style": 2, "label": "x", "custom_id": f"cv:{kind}"})
        assert (True, False) == (reply.ephemeral, "wrong on my end" in reply), kind
    ana = room.person("Ana")
    response = await ana.slash("me settings")
    for custom_id in ("cm:defaultsof:0:0:", "cm:default:0:0:muscat start_placement"):
        assert "**Manage Server**" in await forge_row(app, ana, response, custom_id, "1")
    for kind in ("defaults:0:0:", "defaultset:0:2:muscat", "asusual:0:0:muscat", "serversettings:0:0:"):
        control = {"type": 2, "style": 2, "label": "x", "custom_id": f"cv:{kind}"}
        assert "**Manage Server**" in await forge(app, ana, response, control)
    assert [] == app.query("SELECT 1 FROM settings WHERE scope = 'server'")


async def test_unknown_stored_options_are_ignored(app: App) -> None:
    room = app.room()
    stored = {"options": {"muscat": {"fly": True, "start_placement": "fixed"}, "chess": {"x": 1}}}
    server = app.local.discord.world.guild_id
    await app.change("INSERT INTO settings VALUES ('server', ?, 'settings', ?)", server, json.dumps(stored))
    eva, page = await page_of(room, "Muscat")
    assert FIRST_MARKETS in chosen(await eva.tap("Options 2", on=page))
    await new_table(room)
    assert {"start_placement": "fixed"} == options_of(app)


@pytest.mark.parametrize(
    ("game", "stored", "expected"),
    [
        ("muscat", None, {"cycle_needs_own_token": True}),
        ("muscat", {}, {}),
        ("muscat", {"start_placement": "thrown", "tie_counts_streets": 1}, {}),
        ("jinns", {"colors": "draft", "setup": "placement"}, {"setup": "random", "partners": "no"}),
        ("muses", {"target": None, "hands": 3}, {"target": None, "hands": 3}),
    ],
)
def test_invalid_stored_options_fall_back_to_the_standard(game: str, stored: object, expected: object) -> None:
    assert expected == starting_options(discover()[game], stored)


def test_a_row_beyond_the_choices_of_an_option_is_refused() -> None:
    option, *_ = dataclasses.fields(discover()["muscat"].options)
    choices = option.metadata["choices"]
    assert list(choices) == [fixed_choice(option, str(number)) for number in range(len(choices))]
    for row in (str(len(choices)), "-1", "²", ""):
        with pytest.raises(UserError):
            fixed_choice(option, row)
