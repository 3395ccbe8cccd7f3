"""Warnings and verdicts of late players, at a bot without a gateway."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.deadlines.timeouts import MAX_STRIKES, Timeouts
from bot.store.clocks import Verdict
from bot.tables.preferences import keep_preferences, preferences_of
from bot.tables.table import Table
from engine.texts import Seat
from tests.bot.refusing import CHANNEL, GUEST, HOST, HOUR, House
from tests.engine.toys.sealed import Bid

CONVERSATION = 900
LATE = Seat(0)


async def waiting_for_host(home: House, **row: Any) -> Table:
    """A game at a brisk pace in which the guest has bid: 4 hours for the turn of the host, and 12 to spare."""
    await home.begin()
    table = await home.posted(pace="brisk", **row)
    await home.services.moves.play(table, GUEST, Bid(1), interaction_id=1, version=None)
    return table


def messages(home: House, start: str) -> list[tuple[int, list[int]]]:
    """The messages that begin with some text: the channel, and whom each mentions. Forgets all of them."""
    posts = [(address, body) for address, body in home.network.bodies if address.startswith("POST /channels/")]
    home.network.bodies.clear()
    texts = [(int(address.split("/")[2]), body, body["components"][0].get("content", "")) for address, body in posts]
    return [
        (channel, [*map(int, body["allowed_mentions"].get("users", []))])
        for channel, body, text in texts
        if start in text
    ]


def refused() -> Exception:
    answer: Any = SimpleNamespace(status=403, reason="Forbidden")
    return discord.Forbidden(answer, {"code": 50007, "message": "Cannot send messages to this user"})


@pytest.mark.parametrize(
    ("direct", "is_closed", "start", "place"),
    [
        (False, False, "⏳ <@70>, your time", (CHANNEL, [HOST])),
        (True, False, "⏳ Your time", (CONVERSATION, [])),
        (True, True, "⏳ <@70>, your time", (CHANNEL, [HOST])),
    ],
)
async def test_a_warning_goes_where_the_player_wants_it_or_else_to_the_channel_with_a_mention(
    home: House, direct: bool, is_closed: bool, start: str, place: tuple[int, list[int]]
) -> None:
    preferences = await preferences_of(home.store.settings, HOST)
    await keep_preferences(home.store.settings, HOST, replace(preferences, direct=direct, interval=0))
    table = await waiting_for_host(home)
    if is_closed:
        home.network.fault, home.network.spared = refused, ("POST /channels", "GET", "PATCH", "DELETE")
    await home.let_pass(14.9 * HOUR)
    assert [] == messages(home, "time for this turn")
    await home.let_pass(0.2 * HOUR)
    assert [place] == messages(home, start)
    assert table.clocks[LATE].warned is not None


async def test_a_firm_pace_plays_late_turns_and_counts_them_until_the_seat_is_lost(home: House) -> None:
    table = await waiting_for_host(home, firm=True)
    counts = []
    for turn in range(MAX_STRIKES):
        await home.let_pass((16.1 if not turn else 4.1) * HOUR)
        clock = table.clocks[LATE]
        counts.append((clock.strikes, clock.lost, HOST in table.people))
        if HOST in table.people and table.is_open:
            await home.services.moves.play(table, GUEST, Bid(1), interaction_id=2 + turn, version=None)
    assert [(1, 1, True), (2, 2, True), (2, 2, False)] == counts
    events = [(str(event.kind), event.user_id) for event in table.facts.events]
    late = [("late", HOST), ("stood in", HOST)]
    assert [*late, *late, ("late", HOST), ("lapsed", HOST)] == events


async def test_time_stops_while_a_warning_reaches_its_player_nowhere(home: House) -> None:
    table = await waiting_for_host(home)
    home.network.fault = refused
    await home.let_pass(30 * HOUR)
    clock = table.clocks[LATE]
    assert (None, None, True) == (clock.warned, clock.out, clock.barred)
    home.network.fault = None
    await home.let_pass(1.1 * HOUR)
    assert (True, None) == (table.clocks[LATE].warned is not None, table.clocks[LATE].out)


async def test_a_seat_that_the_others_give_to_a_computer_has_not_lapsed(home: House) -> None:
    table, timeouts = await waiting_for_host(home), Timeouts(home.services)
    await home.let_pass(16.1 * HOUR)
    clock = table.clocks[LATE]
    assert (Verdict.NONE, True) == (clock.verdict, clock.vote_ends is not None), "the guest decides"
    assert [(CHANNEL, [GUEST])] == messages(home, "")[-1:]
    async with table.pacing:
        await timeouts.vote(table, clock, GUEST, Verdict.HOLD)
    assert ["late", "held"] == [str(event.kind) for event in table.facts.events]
    assert [GUEST] == [*table.people]
