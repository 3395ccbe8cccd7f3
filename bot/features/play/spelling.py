"""Comparison of typed texts without punctuation, case and invisible characters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_SIGNS = re.compile(r"[*_`,;:.!?“”«»„\"()→⇄>]|-(?!\d)|(?<=\S)-")
"""Punctuation, but not a minus sign before a number."""
_DASHES = re.compile("[–—−]")
# characters that `bot.tables.people` adds to names: escapes, a break in mentions, and isolates
_UNSEEN = re.compile("[\\\\\u200b\u2068\u2069]")
# people copy 1,000 from a text; the notation has no separators
_THOUSANDS = re.compile("(?<=\\d)[,’'\u00a0\u202f](?=\\d{3})")


@lru_cache(maxsize=4096)  # the same labels are read for each typed letter
def plain(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, without punctuation."""
    seen = _DASHES.sub("-", _UNSEEN.sub("", text))
    return tuple(_SIGNS.sub(" ", _THOUSANDS.sub("", seen).replace("’", "'")).casefold().split())


def begins(words: Sequence[str], typed: Sequence[str]) -> bool:
    """Whether each typed word begins one of the words."""
    return all(any(word.startswith(typed_word) for word in words) for typed_word in typed)
