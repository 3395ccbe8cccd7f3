"""A typed move opens the preview that a tap opens, unless its user wants it played at once."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.play.move_commands import _move_command, _suggester
from bot.tables import preferences
from bot.tables.table import Table
from engine.core import Action
from engine.games import discover
from tests.bot.desk import COMMAND, Desk, Screen
from tests.bot.outcomes import sent
from tests.bot.refusing import GUEST, HOST, House


@pytest.fixture
async def table(home: House) -> Table:
    """The cave: Ana steals, or not, and then walks."""
    return await home.posted(game="alibaba")


def written_moves(table: Table) -> list[str]:
    """The verbs and first words of what players have done."""
    return [" ".join(entry.notation.split()[:2]) for entry in table.require_match().entries if entry.seat >= 0]


def action_class(game: str, verb: str) -> type[Action]:
    return next(cls for cls in discover()[game].actions if cls.verb == verb)


async def type_move(desk: Desk, path: str, user_id: int = HOST, **words: str) -> Screen:
    """Use the command of a verb of a game. Returns the answer."""
    interaction = desk._interaction(user_id, COMMAND, message=None)
    interaction.client.dispatcher = desk.dispatcher
    game, verb = path.split()
    command: Any = _move_command(discover()[game], action_class(game, verb))
    await command.callback(interaction, **words)
    screen: Screen = interaction.response.lines[0]
    return screen


async def your_move(desk: Desk) -> Screen:
    return (await desk.tap(HOST, "turn:1:0:"))[0]


async def play_at_once(desk: Desk) -> None:
    """Ana wanted no previews of what she types before there was this version of the bot."""
    stored = {"at_once": True, "a habit of another version": 1}
    await desk.home.store.settings.put("user", HOST, "preferences", stored)


async def walk(desk: Desk) -> Screen:
    """Ana types the walk that is suggested first; not every card leaves a choice of routes."""
    typed: dict[str, str] = {}
    play = action_class("alibaba", "play")
    for field in ("card", "route"):
        if suggestions := await desk.suggest(HOST, _suggester(play, field), **typed):
            typed[field] = suggestions[0][1]
    assert "card" in typed, "what can come after what is chosen is suggested"
    return await type_move(desk, "alibaba play", **typed)


async def test_a_typed_move_shows_a_preview_and_only_confirm_plays_it(desk: Desk, table: Table) -> None:
    sent(desk.home)
    answer = await type_move(desk, "alibaba steal", turns="2")
    assert answer.text.startswith("🔴 You steal")
    assert ("new private", "Confirm") == (answer[0], answer.labels[0])
    assert ([], []) == (written_moves(table), sent(desk.home))
    assert "Confirm" not in (await desk.press(HOST, "Confirm", answer)).labels
    assert ["steal 2"] == written_moves(table)


async def test_a_second_typed_move_continues_the_first_if_it_fits(desk: Desk, table: Table) -> None:
    first = await type_move(desk, "alibaba steal", turns="2")
    second = await walk(desk)
    stolen = first.text.partition("\n###")[0]
    assert second.text.startswith((stolen, f"### Play this?\n{stolen}"))
    assert second.text != first.text
    assert [] == written_moves(table)
    await desk.press(HOST, "Confirm", second)
    theft, stroll = written_moves(table)
    assert ("steal 2", "play") == (theft, stroll.split()[0])


async def test_a_second_typed_move_that_does_not_fit_replaces_the_first(desk: Desk, table: Table) -> None:
    await type_move(desk, "alibaba steal", turns="2")
    await walk(desk)
    reply = await type_move(desk, "alibaba steal", turns="3")
    assert 1 == reply.text.count("You steal")
    assert reply == await your_move(desk)
    await desk.press(HOST, "Confirm", reply)
    assert ["steal 3"] == written_moves(table)


@pytest.mark.parametrize(("verb", "typed"), [("steal", {"turns": "99"}), ("claim", {"thief": "nobody"})])
async def test_an_illegal_move_is_refused_and_the_draft_stays(
    desk: Desk, table: Table, verb: str, typed: dict[str, str]
) -> None:
    page = await type_move(desk, "alibaba steal", turns="2")
    refused = await type_move(desk, f"alibaba {verb}", **typed)
    assert ("new private", []) == (refused[0], [label for label in refused.labels if not label.startswith("Rule ")])
    assert page == await your_move(desk)
    await desk.press(HOST, "Confirm", page)
    assert ["steal 2"] == written_moves(table)


async def test_a_player_who_is_not_due_reads_who_is(desk: Desk, table: Table) -> None:
    assert f"<@{HOST}>" in (await type_move(desk, "alibaba steal", GUEST, turns="2")).text
    assert {} == table.drafts


async def test_a_user_with_play_at_once_plays_the_typed_move_and_drops_the_draft(desk: Desk, table: Table) -> None:
    await type_move(desk, "alibaba steal", turns="2")
    await play_at_once(desk)
    assert "You steal 6,000 for 3 more turns" in (await type_move(desk, "alibaba steal", turns="3")).text
    assert (["steal 3"], {}) == (written_moves(table), table.drafts)


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_move_typed_twice_counts_twice_and_one_played_at_once_does_not_include_the_draft(
    desk: Desk, at_once: bool
) -> None:
    """A seat of this game places several times in a row."""
    preset = next(preset for preset in discover()["jinns"].presets if preset.title == "As printed")
    table = await desk.home.posted(game="jinns", options=dict(preset.options))
    await type_move(desk, "jinns place", strength="1")
    if at_once:
        await play_at_once(desk)
    response = await type_move(desk, "jinns place", strength="1")
    assert ["place 1"] * at_once == written_moves(table)
    if not at_once:
        await desk.press(HOST, "Confirm", response)
        assert ["place 1", "place 1"] == written_moves(table)


def test_a_new_user_sees_a_preview() -> None:
    assert not preferences.Preferences().at_once
