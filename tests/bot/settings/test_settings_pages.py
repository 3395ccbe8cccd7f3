"""Whole pages of settings: rows with their values, the chosen ones, and the fields of buttons."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from bot.features.fields import Pick, page_with
from bot.features.lobby.options_page import _option_field
from bot.features.moderation import server_settings
from bot.features.moderation.server_settings import settings_layout
from bot.features.settings.preference_page import PAGES, preferences_layout
from bot.interactions.phone import MENU_LINE
from bot.tables.guild_settings import GuildSettings
from bot.tables.preferences import Preferences
from engine.games import discover
from engine.languages import reading
from engine.texts import Text
from locales import language_of
from tests.bot.whole import HOUR, NOW, whole

LANGUAGES = ["en English", "de Deutsch", "es Español", "fr Français", "it Italiano"]
ROWS = {
    "at_once": ["*no Preview first", "yes Play them at once"],
    "coached": ["*no No advice", "yes Advice under questions"],
    "interval": ["0 Never remind me", "4 Every 4 hours", "12 Every 12 hours", "*24 Every day", "72 Every 3 days"],
    "direct": ["*no In the channel of the game", "yes In a direct message"],
    "summary": [
        "*- No message in the morning",
        "beside A message in addition to reminders",
        "instead A message instead of reminders",
    ],
    "next_notice": ["*no No message before my turn", "yes A silent message before my turn"],
    "quiet": [
        *("*- None", "22-8 From 10 PM to 8 AM", "23-7 From 11 PM to 7 AM", "0-9 From midnight to 9 AM"),
        "other Other hours…",
    ],
    "contrast": ["*no Standard colors", "yes High contrast"],
    "language": ["*- Same as my Discord", *LANGUAGES],
    "unlisted": ["*no Show me in rankings", "yes Leave me out of rankings"],
}
AWAY_ROWS = ["1 Away until tomorrow morning", "3 Away for 3 days", "7 Away for a week", "14 Away for two weeks"]


def menus(lines: list[str]) -> dict[str, list[str]]:
    """The rows of each menu of a page."""
    rows_by_menu: dict[str, list[str]] = {}
    for line in lines:
        if ": habit " in line or ": custom " in line or line.endswith(": away"):
            rows = rows_by_menu[line.split()[-1]] = []
        elif line.startswith("  "):
            rows.append(line[2:])
    return rows_by_menu


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_of_preferences_says_what_each_choice_means(page: Any) -> None:
    lines = whole(preferences_layout(Preferences(), NOW, page))
    away = {"away": ["*0 I’m here", *AWAY_ROWS]} if page.name == "away" else {}
    assert {field.name: ROWS[field.name] for field in page.fields} | away == menus(lines)
    buttons = [f"{page.label} settingspage {page.name}" for page in PAGES]
    pages = zip(PAGES, buttons, strict=True)
    assert [f"({button})" if other is page else f"[{button}]" for other, button in pages] == lines[-6:]
    assert ("[Blocked players blocks]" in lines) == (page.name == "playing")


@pytest.mark.parametrize(
    ("preferences", "zone", "quiet", "away", "shown"),
    [
        (
            Preferences(),
            "**Your time zone** – UTC, where it is 8 AM now. Quiet hours and mornings depend on it.",
            "*- None",
            "**Away** – no reminders until you’re back; it ends automatically, in the morning. Others at your tables "
            "see the date.",
            "[Show others my time localtime shown]",
        ),
        (
            Preferences(zone="Asia/Tokyo", zone_shown=True, quiet="21-6", away=(NOW + 30 * HOUR).isoformat()),
            "**Your time zone** – Asia/Tokyo, where it is 5 PM now. Quiet hours and mornings depend on it. When it’s "
            "your turn, the other players see your local time.",
            "*21-6 From 9 PM to 6 AM",
            "**Away** – no reminders until <t:1800108000:f>; it ends automatically. Others at your tables see the "
            "date.",
            "[Hide my time from others localtime]",
        ),
        (
            Preferences(zone_shown=True, away=(NOW - HOUR).isoformat()),
            "**Your time zone** – UTC, where it is 8 AM now. Quiet hours and mornings depend on it.",
            "*- None",
            "**Away** – no reminders until you’re back; it ends automatically, in the morning. Others at your tables "
            "see the date.",
            "[Hide my time from others localtime]",
        ),
    ],
)
def test_two_pages_show_the_zone_and_the_hours_and_days_without_reminders(
    preferences: Preferences, zone: str, quiet: str, away: str, shown: str
) -> None:
    page, absence = (next(page for page in PAGES if page.name == name) for name in ("times", "away"))
    lines = whole(preferences_layout(preferences, NOW, page))
    assert [zone, "[Change the time zone zone]", shown] == lines[1:4]
    away_lines = whole(preferences_layout(preferences, NOW, absence))
    rows = menus([*lines, *away_lines])
    assert [quiet] == [row for row in rows["quiet"] if row.startswith("*")]
    assert (["*0 I’m here"] if "you’re back" in away else []) == [row for row in rows["away"] if row.startswith("*")]
    assert away in away_lines
    assert "[Days off daysoff]" == away_lines[-7]
    several = whole(preferences_layout(preferences, NOW, page, ["America/New_York", "Asia/Tokyo"]))
    choice = ["Which one do you mean?: inzone", "  America/New_York America/New York", "  Asia/Tokyo Asia/Tokyo"]
    assert [zone, *choice, "[Change the time zone zone]"] == several[1:6]


SERVER_ROWS = {
    "most": [
        *("0 Any number of games", "1 1 game at a time", "3 3 games at a time", "5 5 games at a time"),
        *("10 10 games at a time", "*25 25 games at a time", "50 50 games at a time", "100 100 games at a time"),
    ],
    "hosted": [
        *("0 Any number of games for each host", "1 1 game for each host", "2 2 games for each host"),
        *("3 3 games for each host", "*5 5 games for each host", "10 10 games for each host"),
        "25 25 games for each host",
    ],
    "calls": ["*yes Mention people", "no Write names only, without a ping"],
    "archive": ["*day A day after the game", "at once When the game ends", "never Never"],
    "rated": ["*yes New tables are rated", "no New tables aren’t rated"],
    "language": ["*- This server’s language on Discord", *LANGUAGES],
    "events": ["*no No events", "yes Create events"],
}


VOTE, COMPUTER = "after that, the others decide", "after that, a computer plays"
PACES = [
    "none No time limit",
    f"relaxed 3 days, then a vote – Relaxed: 3 days per turn plus 3 to spare; {VOTE}",
    f"relaxed-firm 3 days, then a computer – Relaxed: 3 days per turn plus 3 to spare; {COMPUTER}",
    f"*daily 24 hours, then a vote – Daily: 24 hours per turn plus 2 days to spare; {VOTE}",
    f"daily-firm 24 hours, then a computer – Daily: 24 hours per turn plus 2 days to spare; {COMPUTER}",
    f"brisk 4 hours, then a vote – Brisk: 4 hours per turn plus 12 to spare; {VOTE}",
    f"brisk-firm 4 hours, then a computer – Brisk: 4 hours per turn plus 12 to spare; {COMPUTER}",
]
"""The labels are short enough for a phone, which cuts the rows of a menu."""


@pytest.mark.parametrize("code", ["en", "de", "es", "fr", "it"])
def test_no_choice_of_a_setting_is_cut_on_a_phone(code: str) -> None:
    fields = [field for page in (*PAGES, *server_settings.PAGES) for field in page.fields if isinstance(field, Pick)]
    with reading(language_of(code)):
        fields += [
            _option_field(spec, option, option.default, ())
            for spec in discover().values()
            for option in dataclasses.fields(spec.options)
        ]
        labels = [str(choice.label) for field in fields for choice in field.choices]
    assert [] == [label for label in labels if len(label) > MENU_LINE]


def test_the_settings_of_a_server_say_what_each_choice_means() -> None:
    nothing = dict.fromkeys(("channels", "roles", "contrast", "log", "league_roles", "overview"), ())
    pages = [whole(settings_layout(GuildSettings(), page, nothing, {})) for page in server_settings.PAGES]
    rows = menus([line for page in pages for line in page])
    assert SERVER_ROWS == {name: rows[name] for name in SERVER_ROWS}
    assert PACES == rows["pace"]
    pickers = ["Everywhere: custom channels", "Everyone: custom roles", "Moderators only: custom league_roles"]
    pickers += ["Nowhere: custom log", "Nowhere: custom overview", "Nowhere: custom contrast"]
    assert pickers == [line for page in pages for line in page if ": custom " in line and not line.startswith(":")]
    tools = [[line for line in page[:-6] if line.startswith("[")] for page in pages]
    checks = ["[Check this channel checkhere]", "[Check all channels checkall]"]
    assert [[], ["[Games games 0]"], ["[Default options defaults]"], checks, [], []] == tools


@pytest.mark.parametrize("name", ["channels", "roles"])
def test_a_choice_of_which_nothing_is_left_keeps_everyone_else_from_starting_games(name: str) -> None:
    existing: dict[str, Any] = dict.fromkeys(("channels", "roles", "contrast", "log", "league_roles", "overview"), ())
    settings = GuildSettings(**{name: (5,)})
    note = "-# Nothing chosen here exists anymore, so only moderators can start games."
    page = whole(settings_layout(settings, server_settings.PAGES[0], existing, {}))
    assert 1 == page.count(note)
    assert f"custom {name}" in page[page.index(note) + 1]
    assert note not in whole(settings_layout(settings, server_settings.PAGES[0], existing | {name: (5,)}, {}))


@pytest.mark.parametrize("name", ["log", "overview", "events"])
def test_a_problem_is_below_its_setting_and_the_first_page_points_there(name: str) -> None:
    existing: dict[str, Any] = dict.fromkeys(("channels", "roles", "contrast", "log", "league_roles", "overview"), ())
    problems = {name: [Text("It is hidden.")]}
    target, first = page_with(server_settings.PAGES, name), server_settings.PAGES[0]
    button = f"[⚠️ {target.label} serversettings {target.name}]"
    assert button in whole(settings_layout(GuildSettings(), first, existing, problems))
    page = whole(settings_layout(GuildSettings(), target, existing, problems))
    assert f"custom {name}" in page[page.index("It is hidden.") + 1]
