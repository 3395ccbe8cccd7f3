"""How people word a start in their language, in the English words that `bot.tables.start_times` reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, partial

from engine.languages import ENGLISH, language

OVERMORROW = "overmorrow"

PARTS = {"morning": range(1, 12), "afternoon": range(12, 22), "evening": range(17, 25)}
"""The hours of each part of a day. It chooses between the two hours of *8*, so each is shorter than half a day."""

# without accents and capitals; a longer phrase goes before its own words
_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "tonight": "today evening",
        "this evening": "today evening",
        "this afternoon": "today afternoon",
        "this morning": "today morning",
        "in the evening": "evening",
        "in the afternoon": "afternoon",
        "in the morning": "morning",
        "at night": "evening",
        "midnight": "24:00",
        "the day after tomorrow": OVERMORROW,
        "day after tomorrow": OVERMORROW,
        "noon": "12:00",
        "midday": "12:00",
        "an hour": "1 hour",
        "half an hour": "30 min",
    },
    "de": {
        "heute abend": "today evening",
        "heute nachmittag": "today afternoon",
        "heute morgen": "today morning",
        "heute fruh": "today morning",
        "heute mittag": "today 12:00",
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
        "ubermorgen": OVERMORROW,
        "einer stunde": "1 stunde",
        "einer halben stunde": "30 min",
    },
    "fr": {
        "ce soir": "today evening",
        "cet apres-midi": "today afternoon",
        "cet aprem": "today afternoon",
        "ce matin": "today morning",
        "ce midi": "today 12:00",
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
        "apres-demain": OVERMORROW,
        "et demi": "30",
        "et demie": "30",
        "et quart": "15",
        "une heure": "1 heure",
        "une demi-heure": "30 min",
        "d'ici": "in",
    },
    "es": {
        "esta noche": "today evening",
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
        "a la noche": "evening",
        "a la tarde": "afternoon",
        "a la manana": "morning",
        "noche": "evening",
        "tarde": "afternoon",
        "mediodia": "12:00",
        "al mediodia": "12:00",
        "12 del mediodia": "12:00",
        "medianoche": "24:00",
        "pasado manana": OVERMORROW,
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
        "questa mattina": "today morning",
        "sera": "evening",
        "di sera": "evening",
        "pomeriggio": "afternoon",
        "del pomeriggio": "afternoon",
        "mattina": "morning",
        "di mattina": "morning",
        "del mattino": "morning",
        "mezzogiorno": "12:00",
        "mezzanotte": "24:00",
        "dopodomani": OVERMORROW,
        "e mezza": ":30",
        "e mezzo": ":30",
        "e un quarto": ":15",
        "un'ora": "1 ora",
        "mezz'ora": "30 min",
    },
}


def in_english(words: str) -> str:
    """Typed words without accents and capitals, with the phrases of the reader’s language in English words."""
    for code in (language().code, ENGLISH.code):
        if code in _WORDS:
            words = _pattern(code).sub(partial(_phrase_in_english, code), words)
    # Spanish *8 y media*
    return words.replace(" :", ":")


def _phrase_in_english(code: str, phrase: re.Match[str]) -> str:
    return _WORDS[code][phrase[0]]


@cache
def _pattern(code: str) -> re.Pattern[str]:
    longest_first = sorted(_WORDS[code], key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b")
