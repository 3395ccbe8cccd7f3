"""The rules of a game for readers: `rules.md`, split into the numbered sections that errors and commands cite."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib import resources

from engine.languages import language
from engine.values import Value

# The title has one #; a heading without a number is part of the surrounding text.
_HEADING = re.compile(r"^#{2,4} (\d+(?:\.\d+)*)\.? +(.+?)(?: +\{(.+)\})?$", re.MULTILINE)

# `{trading=yes: Offer a card. | Keep your cards.}`, with the spaces around it.
_SWITCH = re.compile(r"( ?)\{([^{}]*)\}( ?)")
_CASE = re.compile(r"\s*(\w+=[^,:|]+(?:, *\w+=[^,:|]+)*):(.*)", re.DOTALL)

Terms = tuple[tuple[str, str], ...]
"""Names of options, or of properties of the options, or `seats`, each with the value that it must have."""


class Section(Value):
    """A numbered section: its `number`, such as `4.1`, its heading, and its Markdown text without the heading.

    Each paragraph and list item is one line, since chats display every line break. `only_with` has the conditions under
    which the section applies, including those of the enclosing sections: a heading such as
    `## 6 Trading {seats=4, trading=yes}` names options, or properties of the options class, with their displayed values
    (see `GameSpec.plays`).

    `text` is the text with the standard options. `template` is the text as written, if some of its words depend on
    options: `{trading=yes: Offer a card. | Keep your cards.}` has words for a value, and after the last `|` those for
    all other values.
    """

    number: str
    heading: str
    text: str
    only_with: Terms = ()
    template: str = ""

    def read(self, holds: Callable[[Terms], bool]) -> str:
        """The text for options of which `holds` knows whether they have the values of some terms.

        >>> book = Rulebook.parse("## 1 Turn\\nPlay a card. {hands=1: Draw one. | hands=2: Draw two.} Pass on.")
        >>> book.sections["1"].read(lambda terms: terms == (("hands", "2"),))
        'Play a card. Draw two. Pass on.'
        >>> book.sections["1"].text
        'Play a card. Pass on.'
        """
        return _with_cases(self.template, holds) if self.template else self.text


class Rulebook(Value):
    """The sections of a `rules.md` by number, in order of appearance.

    >>> rulebook = Rulebook.parse("# Race\\n\\n## 1 Aim\\nArrive first.\\n\\n## 2 Turn\\nTake one point, or roll.")
    >>> [f"{section.number} {section.heading}: {section.text}" for section in rulebook.chapters]
    ['1 Aim: Arrive first.', '2 Turn: Take one point, or roll.']
    """

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
            only_with = (*(around.only_with if around else ()), *_terms(terms or ""))
            written = _unwrap(markdown[match.end() : end].strip())
            text = _with_cases(written, lambda _: False)
            template = written if _SWITCH.search(written) else ""
            sections[number] = Section(number, heading.strip(), text, only_with, template)
        return cls(sections)

    @property
    def chapters(self) -> tuple[Section, ...]:
        """The top-level sections."""
        return tuple(section for number, section in self.sections.items() if "." not in number)

    def within(self, number: str) -> tuple[Section, ...]:
        """A section and its subsections; empty if the number does not exist."""
        # With the dot, `1` does not match `10`.
        return tuple(s for s in self.sections.values() if f"{s.number}.".startswith(f"{number}."))


def _terms(words: str) -> Terms:
    """The terms in words such as `trading=yes, seats=4`."""
    pairs = (term.partition("=") for term in words.split(",") if term)
    return tuple((name.strip(), value.strip()) for name, _, value in pairs)


def _with_cases(template: str, holds: Callable[[Terms], bool]) -> str:
    """The template with the words of the first case that holds for each of its switches."""

    def chosen(switch: re.Match[str]) -> str:
        before, cases, after = switch.groups()
        words = _words_of_case(cases, holds)
        # Without words, one space is enough between those around them.
        return f"{before}{words}{after}" if words else before and after

    filled = _SWITCH.sub(chosen, template)
    # A list item or paragraph that is only for other options leaves nothing behind.
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"^\* *(\n|$)", "", filled, flags=re.MULTILINE)).strip()


def _words_of_case(cases: str, holds: Callable[[Terms], bool]) -> str:
    for case in cases.split("|"):
        condition = _CASE.fullmatch(case)
        if condition is None or holds(_terms(condition.group(1))):
            return (condition.group(2) if condition else case).strip(" ")
    return ""


@cache
def _translation(package: str, code: str) -> Rulebook | None:
    """The translated rulebook, read on first use; `None` if there is none."""
    file = resources.files(package).joinpath(f"rules.{code}.md") if package else None
    return Rulebook.parse(file.read_text(encoding="utf-8")) if file and file.is_file() else None


_NEW_LINE = re.compile(r"\s*([-*+>|]|\d+\.)\s|\s*\||\s*```|$")


def _unwrap(markdown: str) -> str:
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
