"""How people word a start in their language, in the English words that `bot.tables.start_times` reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, partial

from engine.languages import ENGLISH, language

DAY_AFTER_TOMORROW = "overmorrow"

PARTS = {
    "morning": range(1, 12),
    "afternoon": range(12, 22),
    "evening": range(17, 25),
    "latehours": range(17, 27),
    "overnight": range(21, 30),
}
"""The hours of each part of a day; those of the next day are above 24. A part chooses between the two hours of *8*, so
none is longer than half a day. English and Spanish have one word for the evening and the night.
"""

_NUMBERS = {
    "en": "one two three four five six seven eight nine ten eleven twelve",
    "de": "eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
    "fr": "- deux trois quatre cinq six sept huit neuf dix onze douze",
    "es": "- dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "it": "- due tre quattro cinque sei sette otto nove dieci undici dodici",
}
"""The words from one to twelve, without accents; `-` where *one* is an article too."""

_MONTHS = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar marz april mai juni juli august september oktober november dezember",
    "fr": "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
}
"""The names of the months, without accents."""

MIN_MONTH_LETTERS = 3
"""The shortest abbreviation of a month."""

_WEEKDAYS: Mapping[str, set[str]] = {code: {"mar"} for code in ("fr", "es", "it")}
"""Abbreviations of months that mean a weekday to readers of a language: *mar. 20 h* is on Tuesday."""

_HOURS = [(hour, hour - 1 or 12) for hour in range(1, 13)]
"""Each hour, and the one before."""

_GERMAN_DAYS = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")
_GERMAN_PARTS = {"abend": "evening", "nachmittag": "afternoon", "vormittag": "morning", "mittag": "12:00"}

# without accents and capitals; a longer phrase goes before its own words
_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "tonight": "today latehours",
        "night": "evening",
        "this evening": "today evening",
        "this afternoon": "today afternoon",
        "this morning": "today morning",
        "in the evening": "evening",
        "in the afternoon": "afternoon",
        "in the morning": "morning",
        "at night": "evening",
        "midnight": "24:00",
        "the day after tomorrow": DAY_AFTER_TOMORROW,
        "day after tomorrow": DAY_AFTER_TOMORROW,
        "noon": "12:00",
        "midday": "12:00",
        "an hour": "1 hour",
        "half an hour": "30 min",
        "a day": "1 day",
        "a week": "7 days",
        **{f"half past {hour}": f"{hour}:30" for hour, _ in _HOURS},
        **{f"quarter past {hour}": f"{hour}:15" for hour, _ in _HOURS},
        **{f"quarter to {hour}": f"{before}:45" for hour, before in _HOURS},
    },
    "de": {
        "heute abend": "today evening",
        "heute nachmittag": "today afternoon",
        "heute morgen": "today morning",
        "heute fruh": "today morning",
        "heute mittag": "today 12:00",
        "heute nacht": "today overnight",
        "in der nacht": "overnight",
        "nachts": "overnight",
        "morgen fruh": "tomorrow morning",
        "am abend": "evening",
        "am nachmittag": "afternoon",
        "am morgen": "morning",
        "abend": "evening",
        "abends": "evening",
        "nachmittag": "afternoon",
        "nachmittags": "afternoon",
        "vormittag": "morning",
        "vormittags": "morning",
        "morgens": "morning",
        "fruh": "morning",
        "mittag": "12:00",
        "mittags": "12:00",
        "mitternacht": "24:00",
        "ubermorgen": DAY_AFTER_TOMORROW,
        "einer stunde": "1 stunde",
        "einer halben stunde": "30 min",
        "einer viertelstunde": "15 min",
        "anderthalb stunden": "90 min",
        "eineinhalb stunden": "90 min",
        "einem tag": "1 tag",
        "einer woche": "7 tag",
        "gegen": "um",
        "ab": "um",
        "diesen": "",
        "kommenden": "",
        "sonnabend": "samstag",
        "janner": "januar",
        **{f"{day}{part}": f"{day} {_GERMAN_PARTS[part]}" for day in _GERMAN_DAYS for part in _GERMAN_PARTS},
        **{f"halb {hour}": f"{before}:30" for hour, before in _HOURS},
        **{f"viertel nach {hour}": f"{hour}:15" for hour, _ in _HOURS},
        **{f"viertel vor {hour}": f"{before}:45" for hour, before in _HOURS},
        # in the south and the east
        **{f"viertel {hour}": f"{before}:15" for hour, before in _HOURS},
        **{f"dreiviertel {hour}": f"{before}:45" for hour, before in _HOURS},
    },
    "fr": {
        "ce soir": "today evening",
        "cet apres-midi": "today afternoon",
        "cet aprem": "today afternoon",
        "ce matin": "today morning",
        "ce midi": "today 12:00",
        "cette nuit": "today overnight",
        "soir": "evening",
        "du soir": "evening",
        "apres-midi": "afternoon",
        "de l'apres-midi": "afternoon",
        "matin": "morning",
        "du matin": "morning",
        "midi": "12:00",
        "midi et demi": "12:30",
        "midi et demie": "12:30",
        "minuit": "24:00",
        "apres-demain": DAY_AFTER_TOMORROW,
        "et demi": "30",
        "et demie": "30",
        "et quart": "15",
        "une heure": "1 heure",
        "une demi-heure": "30 min",
        "d'ici": "in",
    },
    "es": {
        "esta noche": "today latehours",
        "esta tarde": "today afternoon",
        "esta manana": "today morning",
        "por la noche": "evening",
        "por la tarde": "afternoon",
        "por la manana": "morning",
        "en la noche": "evening",
        "en la tarde": "afternoon",
        "en la manana": "morning",
        "de la noche": "evening",
        "de la tarde": "afternoon",
        "de la manana": "morning",
        "de la madrugada": "morning",
        "a la noche": "evening",
        "a la tarde": "afternoon",
        "a la manana": "morning",
        "primero": "1",
        "noche": "evening",
        "tarde": "afternoon",
        "mediodia": "12:00",
        "al mediodia": "12:00",
        "12 del mediodia": "12:00",
        "medianoche": "24:00",
        "pasado manana": DAY_AFTER_TOMORROW,
        "y media": ":30",
        "y cuarto": ":15",
        "una hora": "1 hora",
        "media hora": "30 min",
        "dentro de": "in",
    },
    "it": {
        "stasera": "today evening",
        "questa sera": "today evening",
        "questo pomeriggio": "today afternoon",
        "oggi pomeriggio": "today afternoon",
        "stamattina": "today morning",
        "stanotte": "today overnight",
        "questa notte": "today overnight",
        "di notte": "overnight",
        "questa mattina": "today morning",
        "sera": "evening",
        "di sera": "evening",
        "pomeriggio": "afternoon",
        "del pomeriggio": "afternoon",
        "mattina": "morning",
        "di mattina": "morning",
        "del mattino": "morning",
        "domattina": "tomorrow morning",
        "in mattinata": "morning",
        "mezzogiorno": "12:00",
        "mezzogiorno e mezzo": "12:30",
        "mezzogiorno e mezza": "12:30",
        "mezzanotte": "24:00",
        "dopodomani": DAY_AFTER_TOMORROW,
        "e mezza": ":30",
        "e mezzo": ":30",
        "e un quarto": ":15",
        "e 15": ":15",
        "e 30": ":30",
        "e 45": ":45",
        "all'una": "alle 1",
        "all'1": "alle 1",
        "un'ora": "1 ora",
        "mezz'ora": "30 min",
        "un'ora e mezza": "90 min",
        "un quarto d'ora": "15 min",
        "un giorno": "1 giorno",
        "una settimana": "7 giorni",
        "verso le": "alle",
        "per le": "alle",
        "dalle": "alle",
        **{f"{hour} meno un quarto": f"{before}:45" for hour, before in _HOURS},
    },
}


def in_english(words: str) -> str:
    """Typed words without accents and capitals, with the phrases of the reader’s language in English words.

    Dates with the name of a month become `24.12.` or `24.12.2026`.
    """
    for code in (language().code, ENGLISH.code):
        if code in _WORDS:
            words = " ".join(_in_digits(word, code) for word in words.split())
            words = _pattern(code).sub(partial(_phrase_in_english, code), words)
            words = _date_pattern(code, language().code).sub(partial(_date_in_digits, code), words)
    # Spanish *8 y media*; a phrase without meaning leaves two spaces
    return " ".join(words.replace(" :", ":").split())


def _in_digits(word: str, code: str) -> str:
    numbers = _NUMBERS[code].split()
    return str(numbers.index(word) + 1) if word in numbers else word


def _phrase_in_english(code: str, phrase: re.Match[str]) -> str:
    return _WORDS[code][phrase[0]]


@cache
def _pattern(code: str) -> re.Pattern[str]:
    # longer words before their beginnings
    words = sorted(_WORDS[code], reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b")


def _date_in_digits(code: str, date: re.Match[str]) -> str:
    day, year = date["day"] or date["day_after"], date["year"] or ""
    return f"{day}.{_months(code)[date['month'] or date['month_before']]}.{year}"


@cache
def _date_pattern(code: str, reader: str) -> re.Pattern[str]:
    """A date with the name of a month: *5. Dez*, *5 de diciembre de 2026*, *December 5th*."""
    months = "|".join(_months(code).keys() - _WEEKDAYS.get(reader, set()))
    return re.compile(
        rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.?o|\.)?\s(?:of\s|de\s)?(?P<month>{months})\b\.?"
        rf"|(?P<month_before>{months})\.?\s(?P<day_after>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d))"
        r"(?:\s(?:de\s)?(?P<year>\d{4})\b)?"
    )


@cache
def _months(code: str) -> Mapping[str, int]:
    """The names of the months and their clear abbreviations, with their numbers."""
    names = _MONTHS[code].split()
    starts = {name[:length] for name in names for length in range(MIN_MONTH_LETTERS, len(name) + 1)}
    months = {start: [n for n, name in enumerate(names, 1) if name.startswith(start)] for start in starts}
    return {start: numbers[0] for start, numbers in months.items() if len(numbers) == 1}
