"""Random walks through every game of the house, position by position, with the table a bot would keep for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from bot.features.play.narrowing import step
from bot.features.play.steps import Step
from bot.store.facts import Facts
from bot.store.matches import MatchRow, SeatHolder, Status
from bot.tables.table import Table
from engine.core import Action, Decision, GameSpec
from engine.games import discover
from engine.match import Match
from engine.wording import Voice

MATCH_ID = 10**7
"""A bot has to have kept very many games for its ids to be longer."""

CASES = [(spec, seats) for spec in discover().values() for seats in (spec.seats[0], spec.seats[-1])]
"""Every game with the fewest and with the most people that there can be."""


def name_of(case: object) -> str:
    return case.slug if isinstance(case, GameSpec) else str(case)


def table_of(spec: GameSpec, seats: int, match: Match | None = None) -> Table:
    """A table of people with the longest ids and names there are."""
    row = MatchRow(
        id=MATCH_ID,
        guild_id=2**63,
        channel_id=2**63,
        host_id=2**63,
        game=spec.slug,
        rules_version=spec.rules_version,
        options={},
        seed="seed",
        status=Status.RUNNING if match else Status.LOBBY,
        lobby_message_id=None,
        holders=tuple(SeatHolder(user_id=2**63 + seat, name=f"{'_' * 19}{seat}") for seat in range(seats)),
    )
    return Table(Facts(row), spec, match)


def set_row(table: Table, **columns: Any) -> None:
    """Change columns of the match of a table, or who sits there."""
    table.facts = replace(table.facts, row=replace(table.row, **columns))


def walk(spec: GameSpec, seats: int, seed: str) -> Iterator[Table]:
    """The table at every position of one random game, the end included; always the same object."""
    rng = Random(seed)
    match = Match.begin(spec, spec.setup(seats), seed)
    table = table_of(spec, seats, match)
    yield table
    while decisions := match.state.decisions():
        decision = rng.choice(decisions)
        match.play(decision.seat, rng.choice(decision.options))
        yield table


def steps(decision: Decision, voice: Voice) -> Iterator[Step]:
    """Every step that can be reached in a decision."""
    options: tuple[Action, ...] = decision.options
    waiting = [step(options, (), voice)]
    while waiting:
        here = waiting.pop()
        yield here
        waiting += [step(options, choice.words, voice) for choice in here.choices if not choice.complete]
