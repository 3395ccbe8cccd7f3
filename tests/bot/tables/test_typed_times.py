"""A start time is read as people type it, in their language and time zone; what could mean two times is refused."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.tables.hours import zone_of
from bot.tables.preferences import Preferences
from bot.tables.start_times import read_start, typed_form
from engine.languages import reading
from locales import language_of, languages

BERLIN = Preferences(zone="Europe/Berlin")
NOW = datetime(2026, 11, 27, 18, 30, 20, tzinfo=ZoneInfo("Europe/Berlin"))
"""A Friday."""


def read(typed: str, language: str = "en", preferences: Preferences = BERLIN, now: datetime = NOW) -> str | None:
    """The meaning of typed words, in the time zone of the preferences; `None` if they are refused."""
    with reading(language_of(language)):
        start = read_start(typed, preferences, now)
    return f"{start.astimezone(zone_of(preferences)):%Y-%m-%d %H:%M}" if start else None


@pytest.mark.parametrize(
    ("language", "typed", "start"),
    [
        ("en", "20:00", "2026-11-27 20:00"),
        ("en", "8pm", "2026-11-27 20:00"),
        ("en", "at 8:30 p.m.", "2026-11-27 20:30"),
        ("en", "18:30", "2026-11-28 18:30"),
        ("en", "12 am", "2026-11-28 00:00"),
        ("en", "tomorrow 7:15", "2026-11-28 07:15"),
        ("en", "Sat 20:00", "2026-11-28 20:00"),
        ("en", "Friday at 6 pm", "2026-12-04 18:00"),
        ("en", "friday 9 pm", "2026-11-27 21:00"),
        ("en", "2026-12-24 19:30", "2026-12-24 19:30"),
        ("en", "12/24 7 pm", "2026-12-24 19:00"),
        ("en", "24/12 7 pm", "2026-12-24 19:00"),
        ("en", "in 2 hours", "2026-11-27 20:30"),
        ("en", "in 45 min", "2026-11-27 19:15"),
        ("de", "um 20 Uhr", "2026-11-27 20:00"),
        ("de", "20.30 Uhr", "2026-11-27 20:30"),
        ("de", "Samstag um 20 Uhr 15", "2026-11-28 20:15"),
        ("de", "am So. 20:00", "2026-11-29 20:00"),
        ("de", "20:00 am 24.12.", "2026-12-24 20:00"),
        ("de", "20:00 am 27.11.", "2026-11-27 20:00"),
        ("de", "20:00 am 26.11.", None),
        ("de", "morgen 9:00", "2026-11-28 09:00"),
        ("de", "in 3 Tagen", "2026-11-30 18:30"),
        ("de", "tomorrow 9:00", "2026-11-28 09:00"),
        ("fr", "aujourd'hui 20h", "2026-11-27 20:00"),
        ("fr", "demain à 20h", "2026-11-28 20:00"),
        ("fr", "mar. 20h30", "2026-12-01 20:30"),
        ("fr", "le 5/12 à 20 h", "2026-12-05 20:00"),
        ("fr", "samedi à 20 heures 30", "2026-11-28 20:30"),
        ("es", "mañana a las 20:00", "2026-11-28 20:00"),
        ("es", "sábado 20:00", "2026-11-28 20:00"),
        ("es", "en 2 horas", "2026-11-27 20:30"),
        ("it", "domani alle 20:00", "2026-11-28 20:00"),
        ("it", "lunedi ore 21:00", "2026-11-30 21:00"),
        ("it", "alle 20", "2026-11-27 20:00"),
        ("it", "sab. alle ore 9", "2026-11-28 09:00"),
        ("it", "alle 20 o alle 21", None),
        ("it", "domani alle 20.30", "2026-11-28 20:30"),
        ("it", "tra un'ora", "2026-11-27 19:30"),
        ("en", "tonight at 8", "2026-11-27 20:00"),
        ("en", "tonight at 12", "2026-11-28 00:00"),
        ("en", "tomorrow at noon", "2026-11-28 12:00"),
        ("en", "Saturday evening 8:30", "2026-11-28 20:30"),
        ("en", "the day after tomorrow, 9 in the morning", "2026-11-29 09:00"),
        ("en", "in half an hour", "2026-11-27 19:00"),
        ("en", "this morning at 9", None),
        ("en", "tonight at 3", None),
        ("de", "heute Abend um 8", "2026-11-27 20:00"),
        ("de", "morgen um 9", "2026-11-28 09:00"),
        ("de", "morgen mittags", "2026-11-28 12:00"),
        ("de", "heute Abend um halb neun", "2026-11-27 20:30"),
        ("de", "Samstagabend Viertel nach 8", "2026-11-28 20:15"),
        ("de", "morgen Nachmittag um Viertel vor drei", "2026-11-28 14:45"),
        ("de", "dreiviertel eins", "2026-11-28 12:45"),
        ("de", "diesen Sonnabend gegen 20 Uhr", "2026-11-28 20:00"),
        ("de", "morgen halb 1", "2026-11-28 12:30"),
        ("de", "in zwei Std.", "2026-11-27 20:30"),
        ("de", "in einer Woche", "2026-12-04 18:30"),
        ("en", "tonight at half past eight", "2026-11-27 20:30"),
        ("en", "in two hours", "2026-11-27 20:30"),
        ("fr", "ce soir 20h", "2026-11-27 20:00"),
        ("fr", "ce soir à 8 h", "2026-11-27 20:00"),
        ("fr", "ce soir minuit", "2026-11-28 00:00"),
        ("fr", "minuit", "2026-11-28 00:00"),
        ("fr", "demain à minuit", None),
        ("fr", "midi", "2026-11-28 12:00"),
        ("fr", "samedi à midi et demi", "2026-11-28 12:30"),
        ("fr", "demain 9h30", "2026-11-28 09:30"),
        ("fr", "après-demain, 21 h", "2026-11-29 21:00"),
        ("fr", "demain après-midi à 3 heures et demie", "2026-11-28 15:30"),
        ("fr", "dimanche, 8 h du soir", "2026-11-29 20:00"),
        ("fr", "d’ici une heure", "2026-11-27 19:30"),
        ("fr", "dans une demi-heure", "2026-11-27 19:00"),
        ("es", "a las 20", "2026-11-27 20:00"),
        ("es", "20 hs", "2026-11-27 20:00"),
        ("es", "mañana a las 9", "2026-11-28 09:00"),
        ("es", "mañana por la mañana a las 9", "2026-11-28 09:00"),
        ("es", "esta noche a las 8 y media", "2026-11-27 20:30"),
        ("es", "a las 9 de la mañana", "2026-11-28 09:00"),
        ("es", "a las 12 de la noche", "2026-11-28 00:00"),
        ("es", "9:15 p. m.", "2026-11-27 21:15"),
        ("es", "pasado mañana al mediodía", "2026-11-29 12:00"),
        ("es", "este sábado a la 1", "2026-11-28 01:00"),
        ("es", "dentro de media hora", "2026-11-27 19:00"),
        ("it", "stasera alle 21", "2026-11-27 21:00"),
        ("it", "domani alle 9 e mezza", "2026-11-28 09:30"),
        ("it", "dopodomani a mezzogiorno", "2026-11-29 12:00"),
        ("it", "domattina alle nove e mezza", "2026-11-28 09:30"),
        ("it", "sabato sera verso le 9 meno un quarto", "2026-11-28 20:45"),
        ("it", "stasera, h21", "2026-11-27 21:00"),
        ("it", "alle 21 e 30", "2026-11-27 21:30"),
        ("it", "fra un’ora e mezza", "2026-11-27 20:00"),
        ("it", "fra due giorni", "2026-11-29 18:30"),
        ("en", "Dec 5 at 8pm", "2026-12-05 20:00"),
        ("en", "December 5th, 8:30 pm", "2026-12-05 20:30"),
        ("en", "8 pm on the 5th of December 2026", "2026-12-05 20:00"),
        ("en", "tonight at 1", "2026-11-28 01:00"),
        ("en", "tomorrow night at 9", "2026-11-28 21:00"),
        ("en", "in 1.5 hours", "2026-11-27 20:00"),
        ("de", "am 5. Dezember um 20 Uhr", "2026-12-05 20:00"),
        ("de", "5. Dez. 20:30", "2026-12-05 20:30"),
        ("de", "am 31. Dezember um 20 Uhr", None),
        ("de", "heute Nacht um 1", "2026-11-28 01:00"),
        ("de", "heute Nacht um 10", "2026-11-27 22:00"),
        ("de", "nachts um 3", "2026-11-28 03:00"),
        ("de", "morgen um 20,30 Uhr", "2026-11-28 20:30"),
        ("de", "in 1,5 Stunden", "2026-11-27 20:00"),
        ("fr", "le 5 décembre à 20h", "2026-12-05 20:00"),
        ("fr", "1er déc. 2026 à 9 h", "2026-12-01 09:00"),
        ("fr", "mar. 20 h", "2026-12-01 20:00"),
        ("fr", "cette nuit à 1 h", "2026-11-28 01:00"),
        ("es", "el 5 de diciembre a las 20", "2026-12-05 20:00"),
        ("es", "el 5 de dic. de 2026 a las 9 de la noche", "2026-12-05 21:00"),
        ("es", "esta noche a la 1", "2026-11-28 01:00"),
        ("es", "a la 1 de la madrugada", "2026-11-28 01:00"),
        ("it", "il 5 dicembre alle 21", "2026-12-05 21:00"),
        ("it", "20 dic., ore 9", "2026-12-20 09:00"),
        ("it", "mar alle 20", "2026-12-01 20:00"),
        ("it", "stanotte all’una", "2026-11-28 01:00"),
        ("it", "alle 21,30", "2026-11-27 21:30"),
        ("it", "fra 1,5 ore", "2026-11-27 20:00"),
        ("en", "Saturday, December 5 at 8 pm", "2026-12-05 20:00"),
        ("en", "tomorrow, Saturday, at 8 pm", "2026-11-28 20:00"),
        ("en", "Friday, November 27, 6 pm", None),
        ("de", "Samstag, den 5. Dezember um 20 Uhr", "2026-12-05 20:00"),
        ("de", "Sa., 5.12., 20 Uhr", "2026-12-05 20:00"),
        ("fr", "samedi 5 décembre à 20 h", "2026-12-05 20:00"),
        ("es", "sábado 5 de diciembre a las 20", "2026-12-05 20:00"),
        ("it", "sabato 5 dicembre alle 21", "2026-12-05 21:00"),
        ("en", "Saturday the 5th at 8 pm", "2026-12-05 20:00"),
        ("en", "Saturday 5 pm", "2026-11-28 17:00"),
        ("en", "Saturday 5 in the evening", "2026-11-28 17:00"),
        ("en", "Sunday 5, 8 pm", None),
        ("de", "Samstag, den 5., um 20 Uhr", "2026-12-05 20:00"),
        ("de", "Sa. 5. 20:30", "2026-12-05 20:30"),
        ("de", "Samstag 5 Uhr 30", "2026-11-28 05:30"),
        ("fr", "samedi 5 à 20 h", "2026-12-05 20:00"),
        ("fr", "sam. 5 à 8 h du soir", "2026-12-05 20:00"),
        ("fr", "samedi 5 h 30", "2026-11-28 05:30"),
        ("es", "el sábado 5 a las 20", "2026-12-05 20:00"),
        ("es", "mañana sábado 28 a las 20", "2026-11-28 20:00"),
        ("it", "sabato 5 alle 21", "2026-12-05 21:00"),
        ("it", "sabato 5, ore 21", "2026-12-05 21:00"),
    ],
)
def test_a_start_time_is_the_next_time_matching_the_typed_words(language: str, typed: str, start: str | None) -> None:
    assert start == read(typed, language)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "soon",
        "20",
        "Saturday",
        "25:00",
        "20:75",
        "2026-11-26 20:00",  # past
        "today 18:00",
        "2026-12-28 20:00",  # too far away
        "in 800 hours",
        "in 0 min",
        "2026-02-30 20:00",
        "12/05 20:00",  # the fifth of December, or the twelfth of May?
        "s 20:00",  # Saturday or Sunday?
        "Saturday Sunday 20:00",
        "Sunday 2026-11-28 20:00",
        "Sunday December 5, 20:00",
        "tomorrow 2026-11-29 20:00",
        "Saturday soon 20:00",
        "20:00 or 21:00",
        "in 2 hours or so",
        "2026-12-24 2026-12-25 20:00",
        "9" * 60,
    ],
)
def test_unclear_and_ambiguous_times_are_refused(typed: str) -> None:
    assert read(typed) is None


@pytest.mark.parametrize("language", languages())
def test_a_form_shows_a_start_time_as_its_reader_types_it(language: str) -> None:
    with reading(language_of(language)):
        for typed in ("2026-12-24 19:30", "2026-12-24 00:00", "2026-12-24 12:00"):
            text = typed_form(read_start(typed, BERLIN, NOW), BERLIN)
            assert typed == read(text, language)
            assert (language == "en") == text.endswith(("AM", "PM"))


@pytest.mark.parametrize(("hour", "start"), [(0, "2026-11-27 01:00"), (2, "2026-11-28 01:00")])
def test_the_hours_of_this_night_are_its_next_ones_even_after_midnight(hour: int, start: str) -> None:
    assert start == read("heute Nacht um 1", "de", now=NOW.replace(hour=hour))


def test_at_the_moment_that_is_typed_the_same_hour_of_the_next_night_is_meant() -> None:
    assert "2026-11-28 01:00" == read("heute Nacht um 1", "de", now=NOW.replace(hour=1, minute=0, second=0))


def test_a_wait_ends_at_a_full_minute() -> None:
    start = read_start("in 45 min", BERLIN, NOW.replace(microsecond=5))
    assert NOW.replace(hour=19, minute=15, second=0) == start


def test_a_start_lies_ahead_and_at_most_thirty_days() -> None:
    now = NOW.replace(second=0)
    assert [None, "2026-11-27 18:31"] == [read(typed, now=now) for typed in ("in 0 min", "in 1 min")]
    assert read("2025-01-05 20:00", now=now.replace(month=12, day=20)) is None, "not the day of the next year"
    assert ["2026-12-27 18:30", None] == [read(typed, now=now) for typed in ("in 30 days", "in 721 hours")]


def test_a_typed_time_is_in_the_users_time_zone_even_when_clocks_change() -> None:
    assert "2026-11-27 18:30" == read("18:30", preferences=Preferences())
    # 2:30 comes twice in the night of October 25, and not at all in that of March 29
    october, march = (datetime(2026, month, day, 23, 0, tzinfo=NOW.tzinfo) for month, day in ((10, 24), (3, 28)))
    assert ("2026-10-25 02:30", "2026-03-29 03:30") == (read("2:30", now=october), read("2:30", now=march))
    with reading(language_of("en")):
        assert read_start("2:30", BERLIN, october).utcoffset() is not None
