"""Odd payloads: each varies exactly one place, has a text form, and affects events and responses."""

from __future__ import annotations

import json

import aiohttp
import pytest

from playground.clock import Clock
from playground.faults import Faults
from playground.harness import Playground
from playground.oddities import CHANGES, ROOT, Oddity, oddities, places
from playground.plan import Plan, Row

PAYLOAD = {"id": "5", "type": 2, "tags": [{"name": "a", "on": True}, {"name": "b", "on": False}], "owner": None}


def test_each_oddity_changes_only_its_own_field() -> None:
    tried = [oddity for oddity in oddities(PAYLOAD) if oddity.path != ROOT]
    assert {oddity.change for oddity in tried} == set(CHANGES)
    for oddity in tried:
        odd = json.loads(oddity.encode(PAYLOAD))
        assert odd != PAYLOAD
        top = oddity.path.partition(".")[0]
        assert {**odd, top: None} == {**PAYLOAD, top: None}


def test_places_include_all_fields_and_the_first_element_of_each_list() -> None:
    assert [ROOT, "id", "type", "tags", "tags.0", "tags.0.name", "tags.0.on", "owner"] == [
        p for p, _ in places(PAYLOAD)
    ]


@pytest.mark.parametrize("text", ["odd id", "id null", "odd id gone", "odd id torn"])
def test_malformed_oddities_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="odd"):
        Oddity.parse(text)


def test_an_oddity_round_trips_through_a_plan_and_strikes() -> None:
    row = Row("GET /users/@me", str(Oddity("id", "null")), 1, 2)
    (parsed,) = Plan.parse(str(Plan((row,)))).rows
    assert row == parsed
    faults = Faults(Clock())
    ((_, fault),) = Plan((row,)).lay(faults)
    struck = [faults.strike("GET", "/users/@me") for _ in range(4)]
    assert [None, fault, fault, None] == struck
    assert Oddity("id", "null") == fault.oddity


async def test_the_entry_point_command_cannot_be_overwritten() -> None:
    """Discord responds with 400 and code 50240 to a bulk overwrite without it."""
    async with Playground(strict=False) as local, aiohttp.ClientSession() as session:
        launch = local.switch_on_activities()
        url = f"{local.base_url}/api/v10/applications/1/commands"
        headers = {"Authorization": f"Bot {local.discord.token}"}
        async with session.put(url, json=[], headers=headers) as answer:
            assert (400, 50240) == (answer.status, (await answer.json())["code"])
        async with session.put(url, json=[launch], headers=headers) as answer:
            assert 200 == answer.status
