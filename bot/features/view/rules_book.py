"""The rules of a game as a book: its pages, the sections in force here, and the place of a reader."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from bot.errors import UserError
from bot.features.view.rules_markdown import blocks
from bot.interactions.phone import lines_of
from bot.tables.options import unusual
from bot.tables.table import Table
from engine.core import GameSpec, Setup
from engine.rulebook import Section
from engine.texts import Text, joined, shortened
from engine.values import Value

PAGE, PAGE_LINES = 600, 17
"""Characters and lines of rules in one message: with the menus below, a screen of a phone, and about 120 words."""


class RulesPlace(Value):
    """The place of a reader: a page of a section, and the last search. As text it fits into an id."""

    game: str
    section: str = "1"
    page: int = 0
    words: str = ""

    @classmethod
    def of(cls, text: str) -> Self:
        """The place in an untrusted text."""
        # the words come last: nothing else in it has spaces
        game, section, page, words = (*text.split(" ", 3), "", "", "", "")[:4]
        return cls(game, section or "1", int(page) if page.isdecimal() else 0, words)

    def to(self, section: str, page: int = 0) -> RulesPlace:
        """Another page, of the same section or another one."""
        return RulesPlace(self.game, section, page, self.words)

    def __str__(self) -> str:
        return f"{self.game} {self.section} {self.page} {self.words}".rstrip()


class Book(Value):
    """The rules of a game, as they are played at a table if there is one."""

    spec: GameSpec
    table: Table | None = None

    @property
    def match_id(self) -> int:
        """The match id in the controls of a page, 0 without a match."""
        return self.table.id if self.table else 0

    @property
    def sections(self) -> tuple[Section, ...]:
        """All sections in order; those not in force come last: chapters in the book, parts in their chapter."""
        return tuple(sorted(self.spec.rulebook.translated.sections.values(), key=self._order))

    def _order(self, section: Section) -> list[tuple[bool, int]]:
        """By the chapter, then by the part in it, and so on."""
        parts = section.number.split(".")
        around = (self.spec.rulebook.translated.sections[".".join(parts[: n + 1])] for n in range(len(parts)))
        # as numbers: section 10 comes after section 9
        return [(not self.plays(enclosing), int(part)) for enclosing, part in zip(around, parts, strict=True)]

    @property
    def chapters(self) -> tuple[Section, ...]:
        """The sections that lie in no other one."""
        return tuple(section for section in self.sections if "." not in section.number)

    def within(self, number: str) -> tuple[Section, ...]:
        """A section with all that lie in it; nothing for a number that does not exist."""
        return tuple(section for section in self.sections if f"{section.number}.".startswith(f"{number}."))

    def heading(self) -> Text:
        """The title of the rules, with the unusual options of this table."""
        if self.table is None:
            return Text("Rules of {title}", title=self.spec.name)
        options = unusual(self.spec, self.table.setup)
        how = Text("with {chosen}", chosen=joined(options, " · ")) if options else Text("with the standard options")
        return Text("Rules of {title}, played here {how}", title=self.spec.name, how=how)

    def name(self, section: Section) -> Text:
        """Number and heading of a section, marked if it is not played here."""
        mark = Text("") if self.plays(section) else Text(" (not played here)")
        return Text("{number} {heading}{mark}", number=section.number, heading=section.heading, mark=mark)

    def plays(self, section: Section) -> bool:
        """Whether a section is played here; before the start, with any number of players that may come."""
        if self.table is None:
            return True
        setup = self.table.setup
        setups = [setup] if self.table.match else [Setup(seats, setup.options) for seats in self.spec.seats]
        return any(self.spec.plays(section, setup) for setup in setups)

    def text(self, section: Section) -> str:
        """The text of a section with the options of this table; without a table, with the standard options."""
        return self.spec.rule_text(section, self.table.setup) if self.table else section.text

    def pages(self, number: str, longest: int = PAGE) -> list[str]:
        """A section with its parts, in pages of at most `longest` characters. Raises `UserError` if there is none."""
        sections = self.within(number)
        if not sections:
            missing = "The rules of {title} have no section {number}."
            raise UserError(Text(missing, title=self.spec.name, number=shortened(number)))
        pages = [""]
        for section in sections:
            for piece in self._pieces(section, longest):
                if pages[-1] and not _fits(pages[-1] + piece, longest):
                    pages.append("")
                pages[-1] += f"{piece}\n"
        return pages

    def _pieces(self, section: Section, longest: int) -> Iterator[str]:
        """The blocks that must not be split between pages: the whole section with its heading, if it fits on one."""
        heading, *rest = (f"### {self.name(section)}", *blocks(self.text(section)))
        whole = "\n".join((heading, *rest))
        if _fits(whole, longest):
            yield whole
        else:
            yield "\n".join((heading, rest[0]))
            yield from rest[1:]

    def before(self, place: RulesPlace) -> RulesPlace | None:
        """The previous page; before the first page of a section, the last page of the previous section."""
        if place.page > 0:
            return place.to(place.section, place.page - 1)
        depth = place.section.count(".")
        earlier = self.sections[: self._position(place.section)]
        number = next((s.number for s in reversed(earlier) if s.number.count(".") <= depth), None)
        if number is None:
            return None
        # the pages of a chapter hold its parts as well: the last one of the chapter around this part lies behind it
        return place.to(number, 0 if place.section.startswith(f"{number}.") else len(self.pages(number)) - 1)

    def after(self, place: RulesPlace) -> RulesPlace | None:
        """The next page; after the last page of a section, the first page of the next section."""
        if place.page + 1 < len(self.pages(place.section)):
            return place.to(place.section, place.page + 1)
        behind = self.sections[self._position(place.section) + len(self.within(place.section)) :]
        return place.to(behind[0].number) if behind else None

    def _position(self, number: str) -> int:
        return [section.number for section in self.sections].index(number)


def _fits(words: str, longest: int) -> bool:
    """Whether a message has room for these rules."""
    return len(words) < longest and lines_of(words) <= PAGE_LINES
