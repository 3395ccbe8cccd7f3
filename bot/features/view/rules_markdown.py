"""The Markdown of `rules.md` in the Markdown that a chat shows: no tables, and lines that a phone has room for."""

from __future__ import annotations

from itertools import groupby

CODE_COLUMNS = 42
"""Characters in a line of a code block that a phone shows without breaking it, and a few to spare."""

TEXT_COLUMNS = 45
"""Characters of a line of running text, which is set in narrower letters."""

Rows = list[list[str]]
"""The cells of a table, its headers first."""


def blocks(text: str) -> list[str]:
    """The text in parts that must not be torn apart: lines, and its tables as aligned columns in code blocks.

    A table for which a phone has no room becomes a list.
    """
    parts: list[str] = []
    for is_table, group in groupby(text.splitlines(), key=lambda line: line.startswith("|")):
        lines = list(group)
        parts += _table(table_rows(lines)) if is_table else lines
    return parts


def table_rows(lines: list[str]) -> Rows:
    """The cells of the lines of a table."""
    # without the line of dashes below the headers
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if set(line) - set("|-: ")]


def _table(rows: Rows) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    if max(map(len, lines)) <= CODE_COLUMNS:
        return ["\n".join(("```", *lines, "```"))]
    return [_item(rows[0], row) for row in rows[1:]]


def _item(headers: list[str], cells: list[str]) -> str:
    """A row by its first cell, what a line has no room for below it. A number needs its header, words do not."""
    first, *rest = cells
    lines, length = [f"* **{first}**"], len(first)
    for header, cell in zip(headers[1:], rest, strict=True):
        words = f"{header} {cell}" if cell.isdigit() else cell
        length += len(f" · {words}")
        if length <= TEXT_COLUMNS:
            lines[-1] += f" · {words}"
        else:
            lines.append(f"  * {words}")
            length = len(words)
    return "\n".join(lines)
