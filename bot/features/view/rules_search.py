"""Finding words in rules: the sections that speak of them, best first, and what the best one says."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby
from math import ceil

from bot.features.view.rules_book import Book
from bot.features.view.rules_markdown import TEXT_COLUMNS, blocks, table_rows
from bot.interactions.typed import fold
from engine.rulebook import Section

MAX_SEARCH_CHARS = 40
"""Maximum characters of a search: the ids of controls contain it."""

EXCERPT_LINES = 10
"""Lines of a phone that a search shows of the best section."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_SIGNS = re.compile(r"\*(?! )|(?<=\S)\*|`")
"""Marks within a line: bold, italics and code, but not the `* ` of a list."""


def plain(words: str) -> str:
    """The search words without capitals, accents and punctuation."""
    return " ".join(re.findall(r"[^\W_]+", fold(words)))[:MAX_SEARCH_CHARS].strip()


def find(book: Book, words: str) -> list[Section]:
    """The sections with some of these words: first those in force here, then those with more of the words.

    Ties are broken by matches in headings, then by whole words before beginnings of words.
    """
    terms = plain(words).split()
    ranked = [(_rank(book, section, terms), section) for section in book.sections]
    # the second part of a rank counts the words that were found: without any, a section is left out
    best_first = sorted((pair for pair in ranked if pair[0][1]), key=lambda pair: pair[0], reverse=True)
    return [section for _, section in best_first]


def _rank(book: Book, section: Section, terms: Sequence[str]) -> tuple[int, ...]:
    """Whether a section is played here; how many of the words it has, its heading has, and both have as whole words."""
    heading, whole = section.heading, f"{section.heading}\n{book.text(section)}"
    counts = _count(whole, terms), _count(heading, terms)
    return book.plays(section), *counts, _count(heading, terms, r"\b"), _count(whole, terms, r"\b")


def _count(text: str, terms: Sequence[str], end: str = "") -> int:
    """The number of terms that begin a word of the text; `end` is a pattern that must follow them."""
    plainly = fold(text)
    return sum(bool(re.search(rf"\b{re.escape(word)}{end}", plainly)) for word in terms)


def excerpt(text: str, words: str) -> str:
    """The text of a section from where it has most of the words, which are bold; all of it if there is room."""
    terms = plain(words).split()
    parts = [block for block in blocks(text) if block.strip()]
    counts = [_count(part, terms) for part in parts]
    first = 0 if sum(map(_height, parts)) <= EXCERPT_LINES else counts.index(max(counts))
    lines = accumulate(map(_height, parts[first:]))
    passage = [part for part, height in zip(parts[first:], lines, strict=True) if height <= EXCERPT_LINES]
    if not passage:
        # of a part that is too long: the sentence with most of the words, else the first one
        passage = [max(_sentences(text), key=lambda sentence: _count(sentence, terms))]
    return "\n".join(_in_bold(part, terms) for part in passage)


def _height(part: str) -> int:
    """The lines of a phone that a part takes, about."""
    return sum(ceil(len(line) / TEXT_COLUMNS) for line in part.splitlines())


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a text, and the rows of its tables below their headers."""
    for is_table, group in groupby(text.splitlines(), key=lambda line: line.startswith("|")):
        lines = list(group)
        if is_table:
            yield from (" · ".join(row) for row in table_rows(lines)[1:])
        else:
            yield from (sentence for line in lines for sentence in _SENTENCE_END.split(line) if sentence)


def _in_bold(part: str, wanted: Sequence[str]) -> str:
    """A part with the words in bold and nothing else; a code block stays as it is, since nothing is bold there."""
    if part.startswith("```"):
        return part
    either = "|".join(map(re.escape, wanted))
    # composed as in `fold`: both must have each letter at the same place
    text = _SIGNS.sub("", unicodedata.normalize("NFC", part))
    spans = [match.span() for match in re.finditer(rf"\b(?:{either})\w*", fold(text))]
    # from the end, so that the places before stay where they are
    for start, end in reversed(spans):
        text = f"{text[:start]}**{text[start:end]}**{text[end:]}"
    return text
