"""Choices in `/me settings`: the stored value of each, the jobs that it makes due, and the page that follows."""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

import pytest

from bot.features.settings import my_data, preference_page
from bot.store.codec import time_of
from bot.store.jobs import Job, JobKind
from bot.store.matches import SeatHolder
from bot.tables.preferences import Preferences, keep_preferences, preferences_of
from tests.bot.desk import Desk
from tests.bot.lobby.test_substitutes import act
from tests.bot.outcomes import sent
from tests.bot.refusing import DAY, GUEST, HOST, HOUR, NOON

TITLE = "### Your settings, in all games and servers"
NO_CHOICE = "That setting no longer exists."
ABOUT_HOURS = "Whole hours, such as 9 PM to 6 AM or 21-6."
ZONE_QUESTION = "I don’t know your time zone"


async def stored_preferences(desk: Desk, user_id: int = HOST) -> dict[str, Any]:
    """The preferences of a user that differ from the usual ones."""
    preferences = asdict(await preferences_of(desk.home.store.settings, user_id))
    return {name: value for name, value in preferences.items() if value != asdict(Preferences())[name]}


def selected_labels(lines: list[str]) -> list[str]:
    return [line.strip().removeprefix("*") for line in lines if line.strip().startswith("*") and "**" not in line]


def page_of(lines: list[str]) -> str:
    """The page that the lines show: the only one whose button is disabled."""
    (page,) = [line for line in lines if line.startswith("(")]
    return page.split()[-1].removesuffix(")")


ALL: dict[str, tuple[str, str, Any]] = {
    "at_once": ("yes", "playing", True),
    "coached": ("yes", "playing", True),
    "interval": ("72", "reminders", 72),
    "direct": ("yes", "reminders", True),
    "quiet": ("23-7", "times", "23-7"),
    "summary": ("instead", "messages", "instead"),
    "next_notice": ("yes", "messages", True),
    "contrast": ("yes", "display", True),
    "unlisted": ("yes", "display", True),
}
"""Preference -> a row of its menu, its page, and the stored value."""


async def test_each_choice_is_stored_and_its_page_shows_it(desk: Desk) -> None:
    await keep_preferences(desk.home.store.settings, HOST, Preferences(zone="Asia/Tokyo"))
    expected: dict[str, Any] = {"zone": "Asia/Tokyo"}
    for name, (row, page, value) in ALL.items():
        ((how, title, *lines),) = await desk.tap(HOST, f"habit:0:0:{name}", row)
        expected[name] = value
        assert ("edit", TITLE, page) == (how, title, page_of(lines)), name
        menu = next(n for n, line in enumerate(lines) if line.endswith(f": habit {name}"))
        assert f"*{row}" == next(line for line in lines[menu:] if line.startswith("  *")).split()[0], name
        assert expected == await stored_preferences(desk), name
    assert {} == await stored_preferences(desk, GUEST)
    ((how, *lines),) = await desk.command(HOST, preference_page.show_preferences)
    assert ("new private", "playing") == (how, page_of(lines))
    for page in ("reminders", "times", "away", "messages", "display", "playing"):
        ((_, *lines),) = await desk.tap(HOST, f"settingspage:0:0:{page}")
        assert page == page_of(lines)


async def test_a_new_language_applies_to_the_page_that_shows_it(desk: Desk) -> None:
    ((_, title, *lines),) = await desk.tap(HOST, "habit:0:0:language", "de")
    assert ("### Deine Einstellungen, für alle Partien und Server", ["no Übliche Farben"]) == (
        title,
        selected_labels(lines)[:1],
    )
    ((_, title, *_),) = await desk.tap(HOST, "habit:0:0:language", "-", locale="fr")
    assert title.startswith("### Tes réglages") or title.startswith("### Vos réglages"), title
    ((_, title, *_),) = await desk.tap(GUEST, "habit:0:0:at_once", "yes")
    assert TITLE == title


async def test_a_choice_makes_the_reminders_of_its_user_due_and_nobody_elses(desk: Desk) -> None:
    home = desk.home
    table = await home.posted(pace="daily")
    clocks = [job.due_at for job in await home.store.jobs.of_match(JobKind.CLOCK, table.id)]
    assert min(clocks) > NOON
    await desk.tap(HOST, "habit:0:0:direct", "yes")
    due = {job.user_id: job.due_at for job in await home.store.jobs.of_match(JobKind.REMINDER, table.id)}
    clocks = [job.due_at for job in await home.store.jobs.of_match(JobKind.CLOCK, table.id)]
    assert ({HOST: NOON, GUEST: NOON + HOUR}, [NOON, NOON]) == (due, clocks)
    assert await home.store.jobs.find(JobKind.DIGEST, 0, HOST) is None
    await desk.tap(HOST, "habit:0:0:summary", "beside")
    digest = Job(JobKind.DIGEST, NOON + 20 * HOUR, user_id=HOST, state={"since": time_of(NOON), "number": 0})
    assert digest == await home.store.jobs.find(*digest.key)
    # one was sent this morning: a change of the zone brings none before tomorrow
    await home.store.jobs.put(digest.at(digest.due_at, since=time_of(NOON - HOUR), number=3))
    await desk.tap(HOST, "inzone:0:0:", "America/Los_Angeles")
    job = await home.store.jobs.find(*digest.key)
    assert job is not None
    eight = NOON + 27 * HOUR  # of the next day, in Los Angeles
    assert (eight, {"since": time_of(NOON - HOUR), "number": 3}) == (job.due_at, job.state)


async def test_the_first_choice_that_needs_a_time_zone_asks_for_it_once(desk: Desk) -> None:
    for name, row, is_asked in (
        ("direct", "yes", False),
        ("quiet", "-", False),
        ("quiet", "23-7", True),
        ("quiet", "22-8", False),
        ("summary", "beside", False),
    ):
        answers = await desk.tap(HOST, f"habit:0:0:{name}", row)
        assert is_asked == any(ZONE_QUESTION in str(answer) for answer in answers), (name, row)
    assert (await stored_preferences(desk))["zone_asked"]
    await desk.tap(GUEST, "inzone:0:0:", "Asia/Tokyo")
    (answer,) = await desk.tap(GUEST, "habit:0:0:summary", "beside")
    assert ZONE_QUESTION not in str(answer)


@pytest.mark.parametrize(
    ("typed", "quiet"),
    [
        ("22-8", "22-8"),
        ("22:00 to 8:00", "22-8"),
        ("22:00 à 08:00", "22-8"),
        ("dalle 22.00 alle 08.00", "22-8"),
        ("22.30-8", ""),
        ("9 – 17", "9-17"),
        ("09-07", "9-7"),
        ("22:30-8", ""),
        ("24-8", ""),
        ("8-8", ""),
        ("night", ""),
        ("2200-800", ""),
        ("10 PM to 8 AM", "22-8"),
        ("10 p. m. a 8 a. m.", "22-8"),
        ("9pm-12am", "21-0"),
        ("10:00 p.m. – 6 a.m.", "22-6"),
        ("9 to 5 PM", ""),
    ],
)
async def test_typed_quiet_hours_are_whole_hours(desk: Desk, typed: str, quiet: str) -> None:
    form = ["form", "Your quiet hours", "cf:quieted:0:0:", "9 PM to 6 AM = ", ABOUT_HOURS]
    assert [form] == await desk.tap(HOST, "habit:0:0:quiet", "other")
    (answer,) = (await desk.tap(HOST, "quieted:0:0:", typed))[:1]
    assert quiet == (await stored_preferences(desk)).get("quiet", "")
    refusal = ["new private", "I don’t understand these hours. Type two whole hours, as in 9 PM to 6 AM."]
    assert ([refusal] if not quiet else []) == ([answer] if answer[0] == "new private" else [])


async def test_a_time_zone_is_typed_chosen_and_shown_to_others(desk: Desk) -> None:
    form = ["form", "Your time zone", "cf:zoned:0:0:", "Berlin = "]
    assert [form] == await desk.tap(HOST, "zone:0:0:")
    assert [["form", "Your time zone", "cf:zoned:0:0:alone", "Berlin = "]] == await desk.tap(HOST, "zone:0:0:alone")
    ((_, *lines),) = await desk.tap(HOST, "zoned:0:0:", "berlin")
    assert "Europe/Berlin, where it is 2 PM now." in lines[1]
    assert {"zone": "Europe/Berlin", "zone_asked": True} == await stored_preferences(desk)
    ((how, line, *buttons),) = await desk.tap(HOST, "zoned:0:0:alone", "tokyo")
    assert ("edit", ["[Change the time zone zone alone]"]) == (how, buttons)
    assert "Asia/Tokyo, where it is 9 PM now." in line
    ((_, *lines),) = await desk.tap(HOST, "zoned:0:0:", "new")
    assert "Which one do you mean?: inzone" in lines
    assert "  America/New_York America/New York" in lines
    assert "Asia/Tokyo" == (await stored_preferences(desk))["zone"]
    refusal = "I couldn’t find a time zone like “Atlantis”. Try the nearest large city."
    assert [["new private", refusal]] == await desk.tap(HOST, "zoned:0:0:", "Atlantis")
    assert [["new private", NO_CHOICE]] == await desk.tap(HOST, "inzone:0:0:", "Mars")
    for field, is_shown in (("shown", True), ("", False)):
        ((_, *lines),) = await desk.tap(HOST, f"localtime:0:0:{field}")
        assert is_shown == (await stored_preferences(desk)).get("zone_shown", False)
        assert ("[Hide my time from others localtime]" in lines) == is_shown


async def test_an_absence_ends_on_the_morning_of_its_last_day(desk: Desk) -> None:
    await desk.tap(HOST, "inzone:0:0:", "Europe/Berlin")
    for days in (1, 3, 7, 14):
        ((_, *lines),) = await desk.tap(HOST, "away:0:0:", str(days))
        back = datetime.fromisoformat((await stored_preferences(desk))["away"])
        assert ("away", NOON.date() + days * DAY) == (page_of(lines), back.date())
        assert 6 == back.hour, "eight in Berlin"
        assert f"<t:{int(back.timestamp())}:f>" in str(lines)
    await desk.tap(HOST, "away:0:0:", "0")
    assert "away" not in await stored_preferences(desk)
    assert [["new private", NO_CHOICE]] == await desk.tap(HOST, "away:0:0:", "2")


ABOUT_DAYS = "### Your days off"


async def test_days_off_are_weekdays_and_single_days_but_never_too_many(desk: Desk) -> None:
    await desk.tap(HOST, "inzone:0:0:", "Europe/Berlin")
    ((_, title, *lines),) = await desk.tap(HOST, "daysoff:0:0:")
    assert (ABOUT_DAYS, "**Specific dates** – none") == (title, lines[-3])
    assert ["[Change the dates askdates]", "[Back settingspage away]"] == lines[-2:]
    ((_, _, *lines),) = await desk.tap(HOST, "weekdays:0:0:", "7", "6")
    assert ("6 7", ["6 Saturday", "7 Sunday"]) == ((await stored_preferences(desk))["off"], selected_labels(lines))
    ((_, _, *lines),) = await desk.tap(HOST, "dates:0:0:", "2026-12-25, 2026-12-24; 2026-05-31, 2026-06-20")
    assert "6 7 2026-06-20 2026-12-24 2026-12-25" == (await stored_preferences(desk))["off"]
    single = [datetime(2026, month, day, 12).timestamp() for month, day in ((6, 20), (12, 24), (12, 25))]
    first, *christmas = (int(at - offset) for at, offset in zip(single, (7200, 3600, 3600), strict=True))
    assert f"**Specific dates** – <t:{first}:D>, <t:{christmas[0]}:D> – <t:{christmas[1]}:D>" == lines[-3]
    hint = "2026-12-24 – 2026-12-26, 2027-01-01"
    form = ["form", "Specific dates off", "cf:dates:0:0:", f"{hint}? = 2026-06-20, 2026-12-24 – 2026-12-25"]
    about = "Year-month-day, separated by commas. These dates replace the earlier ones."
    assert [[*form, about]] == await desk.tap(HOST, "askdates:0:0:")
    refusals = {
        "12/24": "I can’t read these dates. Type them as in " + hint + ": at most 40 days in the next 12 months.",
        "2026-07-01 – 2026-07-15": "More than 14 days off in a row would hold up your games.",
    }
    for typed, refusal in refusals.items():
        assert [["new private", refusal]] == await desk.tap(HOST, "dates:0:0:", typed)
    ((_, refusal),) = await desk.tap(HOST, "weekdays:0:0:", *"1234567")
    assert refusal.startswith("You can’t take every day of the week off.")
    assert [["new private", NO_CHOICE]] == await desk.tap(HOST, "weekdays:0:0:", "8")
    await desk.tap(HOST, "weekdays:0:0:")
    assert "2026-06-20 2026-12-24 2026-12-25" == (await stored_preferences(desk))["off"]
    await desk.tap(HOST, "dates:0:0:", "")
    assert "off" not in await stored_preferences(desk)


BEN = {"resolved": {"users": {str(GUEST): {"id": str(GUEST), "username": "ben", "global_name": "Ben"}}}}


async def test_a_block_leaves_tables_with_that_player_and_ends_with_a_tap(desk: Desk) -> None:
    home = desk.home
    lobby = await home.lobby()
    other = await home.lobby(9, SeatHolder(HOST, name="Ana"))
    assert [["new private", "You can’t block yourself."]] == await desk.tap(HOST, "block:0:0:", str(HOST))
    assert [["new private", "I don’t know this player."]] == await desk.tap(HOST, "block:0:0:", "x")
    ((how, note, *lines),) = await desk.tap(HOST, "block:0:0:", str(GUEST), data=BEN)
    assert ("edit", f"✓ You have blocked <@{GUEST}>. They won’t be told.") == (how, note)
    assert ["Unblock a player: unblock", "Ben"] == [lines[-3], lines[-2].split()[-1]]
    assert "-# You have blocked 1 player." in lines
    assert ((GUEST,), (HOST,)) == (lobby.people, other.people), "the host has left"
    ((_, *page),) = await desk.tap(HOST, "blocks:0:0:")
    assert lines == page
    digest = lines[-2].split()[0]
    assert [["new private", "You haven’t blocked this player."]] == await desk.tap(HOST, "unblock:0:0:", "x")
    assert [["new private", "You haven’t blocked this player."]] == await desk.tap(GUEST, "unblock:0:0:", digest)
    ((_, note, *lines),) = await desk.tap(HOST, "unblock:0:0:", digest)
    assert ("✓ You have unblocked this player.", "-# You haven’t blocked anyone.") == (note, lines[-3])
    assert "Block a player: block" == lines[-2]


async def test_people_of_a_table_can_be_blocked_there(desk: Desk) -> None:
    table, alone = await desk.home.posted(), await desk.home.lobby(9, SeatHolder(HOST, name="Ana"))
    ((how, title, _, *lines),) = await desk.tap(HOST, f"blockhere:{table.id}:0:")
    assert ("edit", "### Who do you want to block?") == (how, title)
    assert ["Choose a player: blocked", f"  {GUEST} Ben"] == lines
    assert [["new private", "I don’t know this player."]] == await desk.tap(HOST, f"blocked:{table.id}:0:", "99")
    ((_, note, *_),) = await desk.tap(HOST, f"blocked:{table.id}:0:", str(GUEST))
    assert f"✓ You have blocked <@{GUEST}>. They won’t be told." == note
    nobody = [["new private", "Nobody else is or was at this table."]]
    assert nobody == await desk.tap(HOST, f"blockhere:{alone.id}:0:", channel_id=9)


async def test_my_data_is_a_file_and_forgetting_asks_first(desk: Desk) -> None:
    home = desk.home
    ((how, title, *lines),) = await desk.command(HOST, my_data.show)
    assert ("new private", "### Your data") == (how, title)
    assert ["[As a file myfile]", "[Forget me forget]"] == lines[-2:]
    await desk.tap(HOST, "habit:0:0:coached", "yes")
    ((_, line),) = await desk.tap(HOST, "myfile:0:0:")
    assert "Everything I store about you:" == line
    (file,) = desk.files
    content = file.fp.read().decode()
    assert ("my-data.json", True) == (file.filename, f'"user_id": {HOST}' in content and '"coached": true' in content)
    table, lobby = await home.posted(), await home.lobby(9)
    ((_, question, *lines),) = await desk.tap(HOST, "forget:0:0:")
    assert ("Forget you? This cannot be undone.", ["[Forget me for good forgetme]", "[Cancel mydata]"]) == (
        question,
        lines[-2:],
    )
    assert [HOST, GUEST] == sorted(table.people)
    home.network.bodies.clear()
    gone = "Everything about you is deleted. From now on, you’re a new player to me."
    assert [["edit", gone]] == await desk.tap(HOST, "forgetme:0:0:")
    assert {} == await stored_preferences(desk)
    assert ((GUEST,), (GUEST,)) == (table.people, lobby.people)
    lines = [line for _, *message in sent(home) for line in message]
    assert "Somebody has left the game; a computer takes over the seat." in lines
    assert "Ana" not in str(lines)


async def test_a_last_board_is_posted_before_the_name_on_it_is_forgotten(desk: Desk) -> None:
    home = desk.home
    table = await home.match()
    while table.is_open:
        for user_id in table.people:
            await act(home, table, user_id)
    assert table.waiting is not None
    await desk.tap(HOST, "forgetme:0:0:")
    assert table.waiting is None
    assert table.board is not None
    assert "Ana" not in str(table.board)


def test_the_file_of_a_user_is_readable_and_compressed_only_if_it_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"matches": [{"name": "Žofie"}, {"at": NOON}], "none": []}
    name, content = my_data._file(HOST, rows)
    assert "my-data.json" == name
    assert {"user_id": HOST, **rows, "matches": [{"name": "Žofie"}, {"at": NOON.isoformat()}]} == json.loads(content)
    assert '\n  "name": "Žofie"\n' in content.decode()
    monkeypatch.setattr(my_data, "MAX_BYTES", len(content))
    assert (name, content) == my_data._file(HOST, rows)
    monkeypatch.setattr(my_data, "MAX_BYTES", len(content) - 1)
    packed, data = my_data._file(HOST, rows)
    assert ("my-data.json.gz", content) == (packed, gzip.decompress(data))
