"""Finding words in rules: the sections that speak of them, best first, each with the sentence that does."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from bot.view.rules_markdown import table_rows
from engine.rulebook import Rulebook, Section

LONGEST = 40
"""Most characters of what is searched for: it is carried by the ids of controls."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_MARKS = re.compile(r"^\s*[*-]\s+|[*`]")


@dataclass(frozen=True, slots=True)
class Found:
    """A section that speaks of what was searched for, and its sentence with the words in bold."""

    section: Section
    sentence: str


def plain(words: str) -> str:
    """What is searched for, without capitals, accents and signs."""
    return " ".join(re.findall(r"[^\W_]+", _folded(words)))[:LONGEST].strip()


def find(rulebook: Rulebook, words: str) -> list[Found]:
    """The sections that speak of some of these words: all before some, headings before texts."""
    wanted = plain(words).split()
    ranked = [(_rank(section, wanted), section) for section in rulebook.sections.values()]
    best_first = sorted((pair for pair in ranked if pair[0][0]), key=lambda pair: pair[0], reverse=True)
    return [Found(section, _sentence(section, wanted)) for _, section in best_first]


def _rank(section: Section, wanted: Sequence[str]) -> tuple[int, int]:
    """How many of the words a section has, and how many of them its heading."""
    return _count(f"{section.heading}\n{section.text}", wanted), _count(section.heading, wanted)


def _count(text: str, wanted: Sequence[str]) -> int:
    folded = _folded(text)
    return sum(bool(_beginning(word).search(folded)) for word in wanted)


def _sentence(section: Section, wanted: Sequence[str]) -> str:
    """The sentence of a section that has most of the words, else its first one."""
    best = max(_sentences(section.text), key=lambda sentence: _count(sentence, wanted))
    return _in_bold(best, wanted)


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a text, and the rows of its tables below their headers."""
    for is_table, group in groupby(text.splitlines(), key=lambda line: line.startswith("|")):
        lines = list(group)
        if is_table:
            yield from (" · ".join(row) for row in table_rows(lines)[1:])
        else:
            yield from (
                sentence for line in lines for sentence in _SENTENCE_END.split(_MARKS.sub("", line)) if sentence
            )


def _in_bold(sentence: str, wanted: Sequence[str]) -> str:
    sentence = unicodedata.normalize("NFC", sentence)
    either = "|".join(re.escape(word) for word in sorted(wanted, key=len, reverse=True))
    spans = [match.span() for match in re.finditer(rf"\b(?:{either})\w*", _folded(sentence))]
    for start, end in reversed(spans):
        sentence = f"{sentence[:start]}**{sentence[start:end]}**{sentence[end:]}"
    return sentence


def _beginning(word: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(word)}")


def _folded(text: str) -> str:
    """The text without capitals and accents, letter by letter, so that places in it stay where they are."""
    return "".join(unicodedata.normalize("NFD", sign)[0].lower()[:1] for sign in unicodedata.normalize("NFC", text))
