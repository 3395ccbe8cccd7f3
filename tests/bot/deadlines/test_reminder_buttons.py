"""The buttons below a reminder: whom they serve, and what they answer if there is nothing to put off or to end."""

from __future__ import annotations

import pytest

from bot.features.deadlines.reminder_buttons import snooze
from bot.store.jobs import NOBODY, JobKind, reminder_job
from bot.tables.preferences import preferences_of
from tests.bot.desk import Desk
from tests.bot.refusing import CHANNEL, GUEST, HOST, HOUR, NOON

NO_GAME = "I can’t find that game here anymore."
SNOOZED = "I’ll remind you again on"


async def test_a_snooze_needs_a_game_of_which_its_user_was_reminded(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await desk.home.posted()
    control = str(snooze.id("hour", HOST))
    await desk.home.store.jobs.drop(JobKind.REMINDER, table.id, HOST)
    job = reminder_job(table.id, HOST, 0, NOON)
    await desk.home.store.jobs.put(job)
    ((_, text),) = await desk.tap(HOST, control)
    assert "No game is waiting for you anymore." in text
    await desk.home.store.jobs.put(job.at(job.due_at, reminded="2026-06-01T12:00:00+00:00"))
    ((_, text),) = await desk.tap(GUEST, control)
    assert f"This reminder is for <@{HOST}>." in text
    monkeypatch.setattr(desk.home.store.jobs, "_mine", "FALSE")
    ((_, text, *_),) = await desk.tap(HOST, control)
    assert SNOOZED in text, "also where the game is one of another process"
    monkeypatch.undo()
    assert NOON + HOUR == (await desk.home.store.reminded.of(HOST)).until
    assert not (await preferences_of(desk.home.store.settings, HOST)).zone_asked, "an hour is one everywhere"
    due = await desk.home.store.jobs.find(JobKind.REMINDER, table.id, HOST)
    assert due is not None
    assert NOON == due.due_at, "its job reads the new time at once"
    questions = [(await desk.tap(HOST, str(snooze.id("evening", HOST))))[0] for _ in range(2)]
    assert [True, False] == [len(lines) > 2 for lines in questions], "the time zone is asked once"
    assert (await preferences_of(desk.home.store.settings, HOST)).zone_asked


async def test_only_players_of_a_sleeping_game_without_a_league_can_end_it(desk: Desk) -> None:
    home = desk.home
    awake, asleep = await home.posted(), await home.posted(CHANNEL + 1)
    league = await home.posted(CHANNEL + 2)
    async with home.services.tables.changing(league) as change:
        change.facts = league.facts.set_host(NOBODY)
    for table in (asleep, league):
        for user_id in (HOST, GUEST):
            await home.store.jobs.drop(JobKind.REMINDER, table.id, user_id)
    texts = []
    for user_id, match_id in ((HOST, 99), (HOST, league.id), (HOST, awake.id), (75, asleep.id)):
        ((how, text, *_),) = await desk.tap(user_id, f"asleep:{match_id}:0:")
        assert "new private" == how
        texts.append(text)
    assert [True, True, False, False] == [NO_GAME in text for text in texts]
    assert "This game is still being played" in texts[2]
    ((how, *_),) = await desk.tap(GUEST, f"asleep:{asleep.id}:0:")
    assert "form" == how
