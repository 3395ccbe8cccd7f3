"""The table: one row a figure, with its promise and a verdict of one word."""

from __future__ import annotations

from engine.values import Value
from tests.bench.measure import Spread, short

HEADINGS = ("promise", "what", "figure", "anchor", "ratio", "must", "verdict")


class Goal(Value):
    """The limit of a value; `at_most` unless more is better."""

    must: float
    at_most: bool = True

    def verdict(self, value: float) -> str:
        """`ok` or `MISSED`."""
        return "ok" if (value <= self.must if self.at_most else value >= self.must) else "MISSED"

    def __str__(self) -> str:
        """The limit as it stands in the table."""
        return f"{'≤' if self.at_most else '≥'} {self.must:g}"


class Row(Value):
    """A line of the table."""

    promise: str
    what: str
    figure: str = ""
    anchor: str = ""
    ratio: str = ""
    must: str = ""
    verdict: str = ""

    def cells(self) -> tuple[str, ...]:
        return tuple(getattr(self, name) for name in HEADINGS)


def judged_row(promise: str, what: str, goal: Goal, ratio: Spread, *, figure: str = "", anchor: str = "") -> Row:
    """A row that compares the median with a promise. Without a figure, the promise is about the value itself."""
    cells = (figure, str(ratio)) if figure else (str(ratio), "")
    return Row(promise, what, cells[0], anchor, cells[1], str(goal), goal.verdict(ratio.mid))


def noted_row(what: str, figure: str, *, anchor: str = "", ratio: Spread | None = None, promise: str = "") -> Row:
    """A row of interest without a limit."""
    return Row(promise, what, figure, anchor, "" if ratio is None else str(ratio))


def ms(spread: Spread) -> str:
    """Seconds as milliseconds."""
    return f"{spread.scaled(1000)} ms"


def per_second(spread: Spread) -> str:
    """Seconds per unit as units per second."""
    return f"{short(1 / spread.mid)}/s"


def table(rows: list[Row]) -> str:
    """Markdown that is also aligned for a terminal."""
    lines = [HEADINGS, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    texts = [_line(line, widths) for line in lines]
    return "\n".join([texts[0], _line(["-" * width for width in widths], widths), *texts[1:]])


def _line(cells: tuple[str, ...] | list[str], widths: list[int]) -> str:
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"
