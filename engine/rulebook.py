"""The rules of a game for readers: `rules.md`, split into the numbered sections that errors and commands cite."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from engine.languages import language

# The title has one #; a heading without a number is part of the surrounding text.
_HEADING = re.compile(r"^#{2,4} (\d+(?:\.\d+)*)\.? +(.+?)(?: +\{(.+)\})?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    """A numbered section: its `number`, such as `4.1`, its heading, and its Markdown text without the heading.

    Each paragraph and list item is one line, since chats display every line break. `only_with` has the conditions under
    which the section applies, including those of the enclosing sections: a heading such as
    `## 6 Trading {seats=4, trading=yes}` names options, or properties of the options class, with their displayed values
    (see `GameSpec.plays`).
    """

    number: str
    heading: str
    text: str
    only_with: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The sections of a `rules.md` by number, in order of appearance."""

    sections: Mapping[str, Section]
    package: str = ""

    @classmethod
    def of(cls, package: str) -> Rulebook:
        """Read the `rules.md` of a game's package; translations are `rules.de.md` and so on."""
        markdown = resources.files(package).joinpath("rules.md").read_text(encoding="utf-8")
        return replace(cls.parse(markdown), package=package)

    @property
    def translated(self) -> Rulebook:
        """This rulebook in the reader's language, or in English without a translation."""
        return _translation(self.package, language().code) or self

    @classmethod
    def parse(cls, markdown: str) -> Rulebook:
        """Split a Markdown text at its numbered headings, dropping everything before the first one.

        >>> book = Rulebook.parse("## 1 Aim\\nArrive first.\\n\\n### 1.1 Ties {seats=2}\\nBoth win.")
        >>> [section.heading for section in book.within("1")]
        ['Aim', 'Ties']
        >>> book.sections["1.1"].only_with
        (('seats', '2'),)
        """
        headings = list(_HEADING.finditer(markdown))
        ends = [match.start() for match in headings[1:]] + [len(markdown)]
        sections: dict[str, Section] = {}
        for match, end in zip(headings, ends, strict=False):
            # A chapter precedes its sections, so it is in `sections` already.
            number, heading, terms = match.groups()
            around = sections.get(number.rpartition(".")[0])
            # As in `trading=yes, seats=4`.
            pairs = [term.partition("=") for term in (terms or "").split(",") if term]
            own = tuple((name.strip(), value.strip()) for name, _, value in pairs)
            only_with = (*(around.only_with if around else ()), *own)
            text = _unwrapped(markdown[match.end() : end].strip())
            sections[number] = Section(number, heading.strip(), text, only_with)
        return cls(sections)

    @property
    def chapters(self) -> tuple[Section, ...]:
        """The top-level sections."""
        return tuple(section for number, section in self.sections.items() if "." not in number)

    def within(self, number: str) -> tuple[Section, ...]:
        """A section and its subsections; empty if the number does not exist."""
        # With the dot, `1` does not match `10`.
        return tuple(s for s in self.sections.values() if f"{s.number}.".startswith(f"{number}."))


@cache
def _translation(package: str, code: str) -> Rulebook | None:
    """The translated rulebook, read on first use; `None` if there is none."""
    file = resources.files(package).joinpath(f"rules.{code}.md") if package else None
    return Rulebook.parse(file.read_text(encoding="utf-8")) if file and file.is_file() else None


_NEW_LINE = re.compile(r"\s*([-*+>|]|\d+\.)\s|\s*\||\s*```|$")


def _unwrapped(markdown: str) -> str:
    """The text with each paragraph and list item on one line; tables and code are unchanged."""
    lines: list[str] = []
    in_code = False
    for line in markdown.splitlines():
        # Append a line to the previous one unless either starts a block of its own.
        closed = not lines or not lines[-1] or lines[-1].lstrip().startswith(("|", "```"))
        starts = in_code or closed or bool(_NEW_LINE.match(line))
        in_code ^= line.lstrip().startswith("```")
        if starts:
            lines.append(line)
        else:
            lines[-1] += f" {line.strip()}"
    return "\n".join(lines)
