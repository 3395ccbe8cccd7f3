"""What has happened, and who is asked what, in words for a message. Nothing here knows a game."""

from __future__ import annotations

from collections.abc import Sequence

from bot.tables.table import Table
from engine.core import Event, Outcome
from engine.texts import CHANCE, SEAT_COLORS, Seat, listed
from engine.wording import say

History = Sequence[tuple[Seat, Sequence[Event]]]

SEAT_MARKS = dict(zip(SEAT_COLORS, ("🔴", "🟦", "🔶", "🟢", "🟣", "⚪"), strict=True))
"""The colors of the seats, as near as emoji come."""
NO_COLOR = "◽"

STORY_LENGTH, LOG_LENGTH = 900, 3500
MEDALS = ("🥇", "🥈", "🥉")


def story(history: History, names: Sequence[str]) -> str:
    """What happened since the last board, a line per seat's doings; the oldest lines give way."""
    lines = _lines(history, names)
    kept: list[str] = []
    for line in reversed(lines):
        if sum(map(len, kept)) + len(line) > STORY_LENGTH and kept:
            kept.append(f"-# … and {len(lines) - len(kept)} turns before; see `/game log`")
            break
        kept.append(line[:STORY_LENGTH])
    return "\n".join(reversed(kept))


def log_pages(history: History, names: Sequence[str]) -> list[str]:
    """All that happened, oldest first, in pages that a message holds. At least one."""
    pages = [""]
    for line in _lines(history, names):
        if pages[-1] and len(pages[-1]) + len(line) >= LOG_LENGTH:
            pages.append("")
        pages[-1] += f"{line[:LOG_LENGTH]}\n"
    return pages


def _lines(history: History, names: Sequence[str]) -> list[str]:
    """A line per seat's doings; luck stands with whom it befell."""
    doings: list[tuple[Seat, list[str]]] = []
    for seat, events in history:
        if not doings or (seat != CHANCE and seat != doings[-1][0]):
            doings.append((seat, []))
        doings[-1][1].extend(say(event, names) for event in events)
    return [f"{seat_mark(seat, names)} {' '.join(sentences)}" for seat, sentences in doings if sentences]


def seat_mark(seat: Seat, names: Sequence[str]) -> str:
    """The emoji of the color that a seat is named after, such as `Red` or `Red 2`; dice for luck."""
    return "🎲" if seat == CHANCE else SEAT_MARKS.get(names[seat].partition(" ")[0], NO_COLOR)


def person(table: Table, seat: Seat) -> str:
    """A seat with its mark, its name and who plays it."""
    chair = table.row.chairs[seat]
    mark = seat_mark(seat, table.names)
    return f"{mark} **{table.names[seat]}** {f'<@{chair.user_id}>' if chair.user_id else '(computer)'}"


def due_text(table: Table) -> str:
    """Who has to decide what, or how the match ended."""
    match = table.playing()
    if (outcome := match.outcome) is None:
        return "\n".join(f"{person(table, d.seat)}: {say(d.prompt, table.names)}" for d in match.state.decisions())
    winners = listed([f"{seat_mark(s, table.names)} **{table.names[s]}**" for s in outcome.winners])
    verb = "win" if len(outcome.winners) > 1 else "wins"
    return f"## {winners} {verb}!\n{_ranking(table, outcome)}\n-# {getattr(outcome.reason, 'label', outcome.reason)}"


def _ranking(table: Table, outcome: Outcome) -> str:
    """A line for everybody who played, the best first; who is equal shares a place."""
    merits = list(zip(outcome.returns, outcome.scores, strict=True))
    lines = []
    for seat in sorted(range(len(merits)), key=lambda seat: merits[seat], reverse=True):
        better = sum(other > merits[seat] for other in merits)
        medal = MEDALS[better] if better < len(MEDALS) else NO_COLOR
        lines.append(f"{medal} {person(table, Seat(seat))} · {outcome.scores[seat]}")
    return "\n".join(lines)
