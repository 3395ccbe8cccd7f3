"""The time zone is asked for once, in private, when it matters for the first time."""

from __future__ import annotations

import pytest

from playground.player import Player, Seen
from tests.bot.habits import choose_preference, open_settings
from tests.bot.timed_app import TimedApp

UNKNOWN = "I don’t know your time zone"
QUIET_MENU, SUMMARY_MENU, AWAY_MENU = "quiet", "summary", "away"
"""Preferences."""
"""Menus of the page of the settings."""


def zone_questions(person: Player) -> list[Seen]:
    """The questions for the time zone that a person sees."""
    return [seen for seen in person.messages if UNKNOWN in seen]


async def choose(person: Player, label: str, field: str) -> None:
    """Change a preference; the bot has answered in full once it answers the next command."""
    await choose_preference(person, field, label)
    await person.slash("me settings")


@pytest.mark.parametrize(
    ("label", "field"),
    [
        ("From 10 PM to 8 AM", QUIET_MENU),
        ("A message in addition to reminders", SUMMARY_MENU),
        ("Away for 3 days", AWAY_MENU),
    ],
)
async def test_only_the_first_setting_that_needs_a_time_zone_asks_for_it(
    timed_app: TimedApp, label: str, field: str
) -> None:
    room = timed_app.app.room()
    ana = room.person("Ana")
    await choose(ana, "Every 12 hours", "interval")
    assert [] == zone_questions(ana)
    await choose(ana, label, field)
    question = await ana.expect(UNKNOWN)
    assert ["Set my time zone"] == question.labels
    assert [] == zone_questions(room.onlooker)
    await timed_app.app.close()
    await timed_app.app.open()
    for other, at in (("From 11 PM to 7 AM", QUIET_MENU), ("A message instead of reminders", SUMMARY_MENU)):
        await choose(ana, other, at)
    assert 1 == len(zone_questions(ana))


async def test_typed_quiet_hours_ask_for_the_time_zone_too(timed_app: TimedApp) -> None:
    ana = timed_app.app.room().person("Ana")
    await choose_preference(ana, QUIET_MENU, "Other hours…")
    await ana.submit({"line": "21-6"})
    assert ["Set my time zone"] == (await ana.expect(UNKNOWN)).labels


async def test_the_time_zone_question_is_in_the_language_of_the_user(timed_app: TimedApp) -> None:
    ana = timed_app.app.room().person("Ana")
    await timed_app.app.prefer(ana.id, language="de")
    await choose_preference(ana, QUIET_MENU, "Von 22 bis 8 Uhr")
    question = await ana.expect("Ich kenne deine Zeitzone nicht")
    assert ["Zeitzone einstellen"] == question.labels


async def test_the_answer_to_the_time_zone_question_shows_the_time_zone_alone(timed_app: TimedApp) -> None:
    ana = timed_app.app.room().person("Ana")
    await choose(ana, "From 10 PM to 8 AM", QUIET_MENU)
    question = await ana.expect(UNKNOWN)
    await ana.tap("Set my time zone", on=question)
    several = await ana.submit({"line": "argentina"})
    assert 1 == len(several.menus)
    page = await ana.choose("America/Argentina/Salta", on=several)
    assert "America/Argentina/Salta, where it is" in page
    await ana.tap("Change the time zone", on=page)
    answer = await ana.submit({"line": "Wien"})
    assert (question.id, ()) == (answer.id, answer.menus)
    assert "Europe/Vienna, where it is" in answer
    assert "Europe/Vienna, where it is" in await open_settings(ana, "zone")


async def test_a_user_who_set_a_time_zone_or_turned_a_setting_off_is_not_asked(timed_app: TimedApp) -> None:
    ana, ben = timed_app.app.room().people("Ana", "Ben")
    await ana.tap("Change the time zone", on=await open_settings(ana, "zone"))
    await ana.submit({"line": "UTC"})
    await choose(ana, "From 10 PM to 8 AM", QUIET_MENU)
    await choose(ben, "None", QUIET_MENU)
    await choose(ben, "I’m here", AWAY_MENU)
    assert ([], []) == (zone_questions(ana), zone_questions(ben))


async def test_a_snooze_until_evening_or_morning_asks_for_the_time_zone_once_in_private(timed_app: TimedApp) -> None:
    room, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    await timed_app.hours(24.1)
    (seen,) = [seen for seen in ana.pings if "is waiting for you" in seen.text]
    assert UNKNOWN not in await ana.tap("Snooze 1 h", on=seen)
    question = await ana.tap("Tomorrow", on=seen)
    assert "I’ll remind you again on <t:" in question
    assert UNKNOWN in question
    assert UNKNOWN not in await ana.tap("This evening", on=seen)
    await choose(ana, "From 10 PM to 8 AM", QUIET_MENU)
    assert ([question.id], []) == ([seen.id for seen in zone_questions(ana)], zone_questions(room.onlooker))
    await ana.tap("Set my time zone", on=question)
    assert "Asia/Tokyo, where it is" in await ana.submit({"line": "Tokio"})
