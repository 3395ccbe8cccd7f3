"""The rules of a game as messages: a section at a time, in the Markdown that a chat shows."""

from __future__ import annotations

from itertools import groupby

from bot.errors import Sorry
from engine import GameSpec

PAGE = 3800
"""Characters of rules in one message."""


def rules_text(spec: GameSpec, section: str | None) -> str:
    """A section of the rules with what lies below it, or the first section and a table of contents."""
    sections = spec.rulebook.sections
    if section is None:
        first, *rest = sections.values()
        contents = " · ".join(f"{s.number} {s.heading}" for s in rest if "." not in s.number)
        more = f"-# More with `/game rules section:` – {contents}"
        return f"## {spec.title}: {first.heading}\n{chat_markdown(first.text)}\n\n{more}"
    found = [s for s in sections.values() if s.number == section or s.number.startswith(f"{section}.")]
    if not found:
        raise Sorry(f"The rules of {spec.title} have no section {section}.")
    text = ""
    for part in found:
        page = f"### {part.number} {part.heading}\n{chat_markdown(part.text)}\n"
        if text and len(text) + len(page) > PAGE:
            return f"{text}\n-# It goes on with `/game rules section:{part.number}`"
        text += page
    return text


def chat_markdown(text: str) -> str:
    """The text with its tables as aligned columns in code blocks; a chat shows no tables."""
    parts: list[str] = []
    for is_table, group in groupby(text.splitlines(), key=lambda line: line.startswith("|")):
        lines = list(group)
        parts += ["```", *_aligned([line.strip("|").split("|") for line in lines]), "```"] if is_table else lines
    return "\n".join(parts)


def _aligned(rows: list[list[str]]) -> list[str]:
    rows = [[cell.strip() for cell in row] for row in rows if not all(set(cell) <= set(" -:") for cell in row)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
