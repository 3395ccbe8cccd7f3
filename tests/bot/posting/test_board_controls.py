"""The controls below a board: the prominent one, and their removal from a game that is called off."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from discord import ButtonStyle

from bot.features.deadlines.time_limits import full_clock
from bot.interactions.parts import PLAIN, PRIMARY
from bot.interactions.phone import BUTTON as BUTTON_WIDTH
from bot.interactions.phone import width_of
from bot.jobs import retire
from bot.posting.board_layouts import Body, board_layout
from bot.store.jobs import Job, JobKind
from bot.store.matches import SeatHolder, Status
from bot.tables.paces import PACES
from bot.tables.table import Table
from engine.core import GameSpec
from engine.games import discover
from engine.languages import reading
from engine.texts import Seat
from locales import language_of, languages
from tests.bot.walks import set_row, table_of
from tests.engine.toys import TOYS
from tests.playthroughs.taps import BUTTON, height_of

PERSON, COMPUTER = SeatHolder(1, name="Ann"), SeatHolder(computer="easy")


def main_button(table: Table, due: tuple[int, ...], **more: int) -> tuple[str, int]:
    """Label and style of the first button below a board."""
    body = Body("heading", "", "alt", "story", due, "due", **more)
    container = board_layout(table, body, controls=True).to_components()[0]
    first = next(part for part in container["components"] if part["type"] == 1)["components"][0]
    return first["label"], first["style"]


@pytest.mark.parametrize(
    ("due", "style"), [((0,), PRIMARY), ((1,), PLAIN), ((0, 1), PRIMARY)], ids=["person", "computer", "both"]
)
def test_your_move_is_prominent_only_while_a_person_is_due(due: tuple[int, ...], style: ButtonStyle) -> None:
    table = table_of(TOYS["toll"], 2)
    set_row(table, holders=(PERSON, COMPUTER))
    assert ("Your move", style.value) == main_button(table, due)


def test_a_finished_game_of_a_league_offers_the_standings_and_no_rematch() -> None:
    table = table_of(TOYS["toll"], 2)
    assert ("Rematch", PRIMARY.value) == main_button(table, ())
    assert ("Standings", PRIMARY.value) == main_button(table, (), league=3)


def test_your_move_is_plain_while_a_computer_plays_the_turn_of_a_person() -> None:
    table = table_of(TOYS["toll"], 2)
    clock = full_clock(table.id, Seat(0), 1, datetime.now(UTC), PACES["daily"])
    table.facts = table.facts.with_clocks([replace(clock, stand_in="easy")])
    assert ("Your move", PLAIN.value) == main_button(table, (0,))
    assert ("Your move", PRIMARY.value) == main_button(table, (1,))


async def test_controls_are_removed_even_if_the_job_runs_before_the_closed_table_is_reloaded() -> None:
    table, retired = table_of(TOYS["toll"], 2), list[Table]()

    async def found(_: int) -> Table:
        return table

    async def take_controls(table: Table, *, attempts: int) -> None:
        retired.append(table)

    services: Any = SimpleNamespace(
        tables=SimpleNamespace(find=found), poster=SimpleNamespace(take_controls=take_controls)
    )
    async with table.lock:
        job = asyncio.create_task(retire.run(services, Job(JobKind.RETIRE, datetime.now(UTC), table.id)))
        await asyncio.sleep(0)
        set_row(table, status=Status.CLOSED)
    await job
    assert [table] == retired


def rows_of_buttons(language: str, spec: GameSpec | None = None, **changes: Any) -> list[Any]:
    """The rows of buttons below a board, by default of a game with hands."""
    table = table_of(spec or discover()["gangs"], 2)
    set_row(table, holders=(PERSON, COMPUTER))
    with reading(language_of(language)):
        body = replace(Body("heading", "", "alt", "story", (), "due"), **changes)
        container = board_layout(table, body, controls=True).to_components()[0]
    return [part for part in container["components"] if part["type"] == 1]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("changes", "sizes"),
    [
        ({}, [3, 2]),
        ({"teaser": "-# 📖 A story"}, [3, 3]),
        ({"due": (0,)}, [3, 2]),
        ({"due": (0,), "undo": 3}, [3, 3]),
    ],
    ids=["end", "end with a story", "turn", "turn with undo"],
)
def test_no_button_below_a_board_is_alone_in_a_row(language: str, changes: dict[str, Any], sizes: list[int]) -> None:
    assert sizes == [len(row["components"]) for row in rows_of_buttons(language, **changes)]


def test_four_buttons_below_a_board_are_a_row() -> None:
    assert [4] == [len(row["components"]) for row in rows_of_buttons("en", TOYS["toll"], due=(0,))]


def test_the_buttons_below_the_board_of_a_finished_game_take_two_lines_of_a_phone() -> None:
    lines = sum(height_of([row]) for row in rows_of_buttons("en", teaser="-# 📖 A story"))
    assert 2 * BUTTON == lines


CARD_LINE = 385
"""Pixels of a line of buttons in a card, by the estimate of `width_of`, whose letters are a tenth wider."""


@pytest.mark.parametrize("language", languages())
def test_the_buttons_of_a_board_take_one_line_of_a_phone(language: str) -> None:
    table = table_of(TOYS["toll"], 2)
    body = Body("heading", "", "alt", "story", (0,), "due")
    with reading(language_of(language)):
        container = board_layout(table, body, controls=True).to_components()[0]
    (line,) = (part["components"] for part in container["components"] if part["type"] == 1)
    labels = [button["label"] for button in line]
    assert sum(BUTTON_WIDTH + width_of(label) for label in labels) <= CARD_LINE, labels
