"""What has happened, and who is asked what, in words for a message. Nothing here knows a game."""

from __future__ import annotations

from collections.abc import Sequence

from bot.tables.table import Table, mention
from engine.core import Event, Outcome
from engine.texts import CHANCE, SEAT_COLORS, Seat, Text, joined

History = Sequence[tuple[Seat, Sequence[Event]]]

SEAT_MARKS = dict(zip(SEAT_COLORS, ("🔴", "🟦", "🔶", "🟢", "🟣", "⚪"), strict=True))
"""The colors of the seats, as near as emoji come."""
NO_COLOR = "◽"

STORY_LENGTH, LOG_LENGTH = 900, 3500
MEDALS = ("🥇", "🥈", "🥉")


def story(table: Table, history: History) -> str:
    """What happened since the last board, a line per seat's doings; the oldest lines give way."""
    lines = _lines(table, history)
    kept: list[str] = []
    for line in reversed(lines):
        if sum(map(len, kept)) + len(line) > STORY_LENGTH and kept:
            turns = len(lines) - len(kept)
            kept.append(table.say(Text("-# … and {turns} {turns:turn|turns} before; see `/game log`", turns=turns)))
            break
        kept.append(line[:STORY_LENGTH])
    return "\n".join(reversed(kept))


def log_pages(table: Table, history: History) -> list[str]:
    """All that happened, oldest first, in pages that a message holds. At least one."""
    pages = [""]
    for line in _lines(table, history):
        if pages[-1] and len(pages[-1]) + len(line) >= LOG_LENGTH:
            pages.append("")
        pages[-1] += f"{line[:LOG_LENGTH]}\n"
    return pages


def _lines(table: Table, history: History) -> list[str]:
    """A line per seat's doings; luck stands with whom it befell."""
    doings: list[tuple[Seat, list[str]]] = []
    for seat, events in history:
        if not doings or (seat != CHANCE and seat != doings[-1][0]):
            doings.append((seat, []))
        doings[-1][1].extend(table.say(event) for event in events)
    return [f"{seat_mark(table, seat)} {' '.join(sentences)}" for seat, sentences in doings if sentences]


def seat_mark(table: Table, seat: Seat) -> str:
    """The emoji of a seat’s color; dice for luck."""
    return "🎲" if seat == CHANCE else SEAT_MARKS.get(table.colors[seat], NO_COLOR)


def person(table: Table, seat: Seat) -> Text:
    """A seat with its mark, its name and who plays it."""
    user_id = table.row.chairs[seat].user_id
    holder = mention(user_id) if user_id else Text("(computer)")
    return Text("{mark} **{seat}** {holder}", mark=seat_mark(table, seat), seat=seat, holder=holder)


def due_text(table: Table) -> Text:
    """Who has to decide what, or how the match ended."""
    match = table.playing()
    if match.outcome is not None:
        return _end_text(table, match.outcome)
    asked = match.state.decisions()
    return joined([Text("{person}: {prompt}", person=person(table, d.seat), prompt=d.prompt) for d in asked], "\n")


def _end_text(table: Table, outcome: Outcome) -> Text:
    winners = tuple(Text("{mark} **{seat}**", mark=seat_mark(table, seat), seat=seat) for seat in outcome.winners)
    return Text(
        "## {winners} {winners:wins|win}!\n{ranking}\n-# {reason}",
        winners=winners,
        ranking=_ranking(table, outcome),
        reason=outcome.reason,
    )


def _ranking(table: Table, outcome: Outcome) -> Text:
    """A line for everybody who played, the best first; who is equal shares a place."""
    merits = list(zip(outcome.returns, outcome.scores, strict=True))
    lines = []
    for seat in sorted(map(Seat, range(len(merits))), key=lambda seat: merits[seat], reverse=True):
        better = sum(other > merits[seat] for other in merits)
        medal = MEDALS[better] if better < len(MEDALS) else NO_COLOR
        points = outcome.scores[seat]
        lines.append(Text("{medal} {person} · {points}", medal=medal, person=person(table, seat), points=points))
    return joined(lines, "\n")
