"""The moderators' log: whole lines, and which events have one."""

from __future__ import annotations

import secrets
from dataclasses import replace

import pytest

from bot.store.jobs import Job, JobKind
from bot.store.table_events import TableEvent, TableEventKind
from bot.tables.moderation_log import line_job, luck_job, moderation_lines
from engine.proof import commitment
from engine.texts import Seat, Text, from_json, to_json
from tests.bot.whole import ANA, BEN, CARO, NOW, table_of

DIGITS = "0123456789abcdef0123"
NONCE = f"log-{DIGITS[:16]}"
"""Discord takes up to 25 characters."""
A, B, C = (f"<@{user_id}>" for user_id in (ANA, BEN, CARO))
LINES = {
    TableEventKind.CLOSED: f"{C} ended it: “\\*No\\* time”",
    TableEventKind.UNSTUCK: f"{C} unstuck it",
    TableEventKind.REPLACED: f"{C} gave {B}’s seat to a computer",
    TableEventKind.HELD: f"a computer takes over {C}’s seat: by a vote of the others",
    TableEventKind.INVITED: f"a computer takes over {C}’s seat: by a vote of the others",
    TableEventKind.LAPSED: f"a computer takes over {C}’s seat: too many late turns",
}
"""Lines of the log about Ben's seat that name Caro, by event."""


@pytest.fixture(autouse=True)
def nonce(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "token_hex", lambda length: DIGITS[: 2 * length])


def line(*jobs: Job) -> str:
    """The words of the only line of a job about match 1, which Discord posts once."""
    (job,) = jobs
    ((channel_id, number, text),) = job.state["lines"]
    assert (JobKind.MODERATION_LOG, NOW, 1, 0, NONCE) == (
        job.kind,
        job.due_at,
        job.match_id,
        channel_id,
        number,
    )
    return str(from_json(text))


def test_the_log_names_the_game_its_channel_and_the_people_of_an_event() -> None:
    table = table_of(ANA, BEN, runs=True)
    events = [TableEvent(kind, 3, NOW, Seat(1), CARO, "*No* time") for kind in TableEventKind]
    jobs = {event.kind: moderation_lines(table, event) for event in events}
    logged = {kind: of_kind for kind, of_kind in jobs.items() if of_kind}
    assert {kind: f"**Toll**, <#9>: {words}" for kind, words in LINES.items()} == {
        kind: line(*of_kind) for kind, of_kind in logged.items()
    }
    assert {CARO} == {job.user_id for of_kind in logged.values() for job in of_kind}
    assert [job for of_kind in logged.values() for job in of_kind] == moderation_lines(table, *events)


def test_an_end_by_the_host_or_by_nobody_is_not_logged() -> None:
    table, closed = table_of(ANA, BEN, runs=True), TableEvent(TableEventKind.CLOSED, 3, NOW)
    assert [] == moderation_lines(table, closed, replace(closed, user_id=ANA))
    assert f"**Toll**, <#9>: {B} ended it" == line(*moderation_lines(table, replace(closed, user_id=BEN)))


def test_the_seat_of_a_forgotten_player_has_no_name() -> None:
    table = table_of(ANA, 0, runs=True)
    (job,) = moderation_lines(table, TableEvent(TableEventKind.REPLACED, 3, NOW, Seat(1)))
    assert ("**Toll**, <#9>: somebody gave somebody’s seat to a computer", 0) == (line(job), job.user_id)


def test_the_log_has_the_whole_commitment_of_a_table() -> None:
    table = table_of(ANA, BEN)
    job = luck_job(table.spec, "secret", NOW, match_id=1, channel_id=5)
    assert (f"**Toll**, <#5>: luck sealed: `{commitment('secret')}`", 0) == (line(job), job.user_id)


def test_a_line_that_is_not_about_a_match_has_a_channel_of_its_own() -> None:
    lines = [[5, NONCE, to_json(Text("Hello."))]]
    assert Job(JobKind.MODERATION_LOG, NOW, user_id=BEN, state={"lines": lines}) == line_job(
        Text("Hello."), NOW, by=BEN, channel_id=5
    )
