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
from bot.jobs import retire
from bot.posting.board_layouts import Body, board_layout
from bot.store.jobs import Job, JobKind
from bot.store.matches import SeatHolder, Status
from bot.tables.paces import PACES
from bot.tables.table import Table
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


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("changes", "labels"),
    [
        ({"due": (0,)}, ["Your move", "My hand", "More"]),
        ({}, ["Rematch", "More"]),
        ({"has_story": True}, ["Rematch", "Story", "More"]),
        ({"has_story": True, "league": 3}, ["Standings", "Story", "More"]),
    ],
    ids=["turn", "end", "end with a story", "end in a league"],
)
def test_the_buttons_of_a_board_take_one_line_of_a_phone(
    language: str, changes: dict[str, Any], labels: list[str]
) -> None:
    table = table_of(discover()["gangs"], 2)
    set_row(table, holders=(PERSON, COMPUTER))
    body = replace(Body("heading", "", "alt", "story", (), "due"), **changes)
    with reading(language_of(language)):
        container = board_layout(table, body, controls=True).to_components()[0]
    (row,) = (part for part in container["components"] if part["type"] == 1)
    names = [button["label"] for button in row["components"]]
    assert BUTTON == height_of([row]), names
    assert len(labels) == len(names)
    if language == "en":
        assert labels == names


def test_a_board_that_an_older_version_posted_can_still_be_read() -> None:
    body = Body("heading", "", "alt", "story", (0,), "due")
    assert body == Body.of({**body.stored(), "undo": 7, "teaser": "-# 📖 A story", "due": [0]})
