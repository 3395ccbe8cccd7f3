"""Whole pages about blocks: the listed players, their order, and the fields of controls."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.settings import blocks
from bot.features.settings.blocks import ABOUT, _blocks_layout, _others, _people_layout
from bot.store.blocks import Block
from bot.store.matches import PastHolder
from engine.texts import Seat, Text
from tests.bot.desk import Desk, begin_games_meanwhile
from tests.bot.refusing import GUEST, HOST
from tests.bot.whole import ANA, BEN, CARO, DAN, holder, table_of, whole

BACK = "[Back settingspage playing]"
INTRO = str(ABOUT).splitlines()
MANY = [Block(f"d{n}", n, f"P{n}") for n in range(27)]


@pytest.mark.parametrize("in_server", [False, True])
def test_a_user_sees_whom_they_have_blocked_and_in_a_server_can_block_others(in_server: bool) -> None:
    menu = ["Block a player: block"] * in_server
    assert [*INTRO, "-# You haven’t blocked anyone.", *menu, BACK] == whole(
        _blocks_layout([], 0, None, in_server=in_server)
    )
    blocks = [Block("d0", 0, ""), Block("d1", BEN, "Ben")]
    assert [
        *("done", *INTRO, "-# You have blocked 2 players.", *menu),
        *("Unblock a player: unblock", "  d0 somebody", "  d1 Ben", BACK),
    ] == whole(_blocks_layout(blocks, 0, Text("done"), in_server=in_server))


@pytest.mark.parametrize(
    ("page", "names", "button"),
    [
        (0, range(25), "[More names blocks 1]"),
        (1, (25, 26), "[More names blocks]"),
        (2, range(25), "[More names blocks 1]"),
    ],
)
def test_more_names_than_a_menu_holds_are_on_pages_that_follow_one_another(page: int, names: Any, button: str) -> None:
    lines = whole(_blocks_layout(MANY, page, None, in_server=False))
    assert [
        *(*INTRO, "-# You have blocked 27 players.", "Unblock a player: unblock"),
        *(*(f"  d{n} P{n}" for n in names), button, BACK),
    ] == lines


def test_as_many_names_as_a_menu_holds_are_on_one_page() -> None:
    assert "  d24 P24" == whole(_blocks_layout(MANY[:25], 0, None, in_server=False))[-2]


def test_at_a_table_the_others_can_be_blocked_who_are_or_were_there() -> None:
    former = tuple(PastHolder(Seat(1), holder(user_id), 3) for user_id in (CARO, ANA, 0))
    table = table_of(ANA, BEN, 0, past_holders=former)
    assert {BEN: "Ben", CARO: "Caro"} == _others(table, ANA)
    assert {ANA: "Ana", BEN: "Ben", CARO: "Caro"} == _others(table, DAN)
    _, question, menu, *rows = whole(_people_layout(table, {BEN: "Ben", CARO: ""}))
    assert question.startswith("You won’t be seated together anymore, and they won’t be told.")
    assert ["Choose a player: blocked", "  72 Ben", "  73 somebody"] == [menu, *rows]
    assert 25 == len(whole(_people_layout(table, dict.fromkeys(range(1, 31), "x")))) - 3


async def test_a_block_counts_even_if_a_game_with_both_begins_at_that_moment(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_games_meanwhile(monkeypatch, blocks)
    await desk.home.lobby()
    ((_, done, *_), *_) = await desk.tap(HOST, "blocked:1:0:", str(GUEST))
    assert f"✓ You have blocked <@{GUEST}>. They won’t be told." == done
    assert [GUEST] == [block.user_id for block in await desk.home.store.blocks.of(HOST)]
