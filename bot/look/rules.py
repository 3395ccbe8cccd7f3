"""The rules of a game as messages: a section at a time, in the Markdown that a chat shows."""

from __future__ import annotations

from itertools import groupby

from bot.errors import Declined
from engine.core import GameSpec
from engine.texts import Text

PAGE = 3800
"""Characters of rules in one message."""

PHONE = 42
"""Characters in a line of a code block that a phone shows without breaking it, and a few to spare."""

Rows = list[list[str]]
"""The cells of a table, its headers first."""


def rules_text(spec: GameSpec, section: str | None) -> Text:
    """A section of the rules with what lies below it, or the game in short and a table of contents."""
    if section is None:
        return _in_short(spec)
    found = [s for s in spec.rulebook.sections.values() if s.number == section or s.number.startswith(f"{section}.")]
    if not found:
        raise Declined(Text("The rules of {title} have no section {section}.", title=spec.title, section=section))
    rules = ""
    for part in found:
        page = f"### {part.number} {part.heading}\n{chat_markdown(part.text)}\n"
        if rules and len(rules) + len(page) > PAGE:
            return Text("{rules}\n-# It goes on with `/game rules section:{number}`", rules=rules, number=part.number)
        rules += page
    return Text("{rules}", rules=rules)


def _in_short(spec: GameSpec) -> Text:
    first, *rest = spec.rulebook.sections.values()
    return Text(
        "## {title}: {heading}\n{rules}\n\n-# More with `/game rules section:` – {contents}",
        title=spec.title,
        heading=first.heading,
        rules=chat_markdown(first.text),
        contents=" · ".join(f"{s.number} {s.heading}" for s in rest if "." not in s.number),
    )


def chat_markdown(text: str) -> str:
    """The text with its tables as aligned columns in code blocks, or as lists where a phone would cut them off."""
    parts: list[str] = []
    for is_table, group in groupby(text.splitlines(), key=lambda line: line.startswith("|")):
        lines = list(group)
        parts += _table([_cells(line) for line in lines if set(line) - set("|-: ")]) if is_table else lines
    return "\n".join(parts)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def _table(rows: Rows) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return ["```", *lines, "```"] if max(map(len, lines)) <= PHONE else _items(*rows)


def _items(headers: list[str], *rows: list[str]) -> list[str]:
    """A row by its first cell; a number needs its header, words speak for themselves."""
    items = []
    for first, *rest in rows:
        told = [f"{head} {cell}" if cell.isdigit() else cell for head, cell in zip(headers[1:], rest, strict=True)]
        items.append(f"* {' · '.join((f'**{first}**', *told))}")
    return items
