"""The text of a board, read without knowing the game: the possible moves, as phrases.

The possible moves stand below a line *Options* or *Choices*: a line behind a dash is a phrase, other lines are phrases
with semicolons between them, perhaps behind a verb in bold. Where commas part a phrase in pieces of as many words, all
begin with the same words, which are said once: `Clio north to m12, east to n13`. Small print has no phrases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_HEADER = re.compile(r"^\**(?:Options|Choices)\**:?\**$", re.MULTILINE)
_VERB = re.compile(r"^\*\*[^*]+\*\*: ")


def phrases(text: str) -> list[str]:
    """All that can be done."""
    *_, rows = _HEADER.split(text, 1)
    return [phrase for line in rows.splitlines() for phrase in _in_line(line)]


def _in_line(line: str) -> Iterator[str]:
    if line.startswith("- "):
        yield line.removeprefix("- ")
    elif line and not line.startswith("-# "):
        for part in _VERB.sub("", line).split("; "):
            yield from _in_full(part)


def _in_full(part: str) -> list[str]:
    first, *others = part.split(", ")
    lengths = {len(other.split()) for other in others}
    common = first.split()[: -max(lengths, default=0)]
    if len(lengths) != 1 or not common:
        return [part]
    return [first, *(" ".join((*common, other)) for other in others)]
