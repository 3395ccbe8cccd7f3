"""The help text of a game: `rules.md`, cut into numbered sections that errors and commands can name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

_HEADING = re.compile(r"^#{2,4} (\d+(?:\.\d+)*)\.? +(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    """A numbered section: `number` such as `4.1`, its heading, and its Markdown text without the heading."""

    number: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The sections of a `rules.md` by number, in order of appearance."""

    sections: Mapping[str, Section]

    @classmethod
    def of(cls, package: str) -> Rulebook:
        """Read `rules.md` beside the modules of a game's package."""
        return cls.parse(resources.files(package).joinpath("rules.md").read_text(encoding="utf-8"))

    @classmethod
    def parse(cls, markdown: str) -> Rulebook:
        """Cut a Markdown text at its numbered headings; what stands before the first one is left out."""
        found = list(_HEADING.finditer(markdown))
        ends = [match.start() for match in found[1:]] + [len(markdown)]
        return cls(
            {
                match[1]: Section(match[1], match[2].strip(), markdown[match.end() : end].strip())
                for match, end in zip(found, ends, strict=False)
            }
        )
