"""Fault plans: generated from a seed, printed, parsed, and carried out."""

from __future__ import annotations

from random import Random

import pytest

from playground.faults import Faults
from playground.harness import Playground
from playground.plan import KINDS, Kind, Plan, Row


@pytest.fixture
def faults() -> Faults:
    return Playground().discord.faults


def test_a_plan_round_trips_through_text_and_depends_on_its_seed():
    plan = Plan.random(Random(7), 40, within=12)
    assert plan == Plan.parse(str(plan)) == Plan.random(Random(7), 40, within=12)
    assert plan != Plan.random(Random(8), 40, within=12)


@pytest.mark.parametrize("line", ["POST /x: 502", "POST /x: plague, 0 pass, 1 time"])
def test_malformed_rows_are_refused(line):
    with pytest.raises(ValueError, match="fault plan"):
        Plan.parse(line)


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_fault_strikes_as_often_as_planned_after_the_passed_requests(faults, name):
    kind: Kind = KINDS[name]
    for route in kind.routes:
        ((_, fault),) = Plan((Row(route, name, pass_first=2, times=1),)).lay(faults)
        method, path = route.replace("*", "1").split(" ")
        met = [faults.strike(method, path, unread=fault.unread) for _ in range(4)]
        assert [None, None, fault, None] == met
        assert 1 == fault.struck
