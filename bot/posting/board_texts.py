"""Events and next decisions in words for a message. Independent of any game."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial, reduce
from itertools import groupby

from bot.interactions.emojis import piece_placeholder, without_placeholders, without_repetitions
from bot.interactions.parts import stamp
from bot.interactions.phone import CARD_WIDTH, lines_of, text_height
from bot.store.clocks import SeatClock
from bot.store.matches import SeatHolder, Status
from bot.store.shard_range import NO_SERVER
from bot.store.table_events import PRIVATE_KINDS, TableEvent, TableEventKind
from bot.store.tally import PLACEMENT_MATCHES, Change, Record, RecordKind
from bot.tables.people import escaped, mention
from bot.tables.rated import ALONE, why_not_rated
from bot.tables.table import Table
from engine.core import Decision, Event, Outcome, field_types
from engine.texts import CHANCE, Seat, Text, joined, marking
from engine.turns import Turn, turns_of

History = Sequence[tuple[Seat, Sequence[Event]]]

# Discord: a message holds 4,000 characters; the log leaves room for headings and buttons with it
STORY_LENGTH, LOG_LENGTH = 600, 3500
STORY_LINES = 8
"""Lines of a phone for the events in a message without a board."""
DUE_TEXT = 58
"""Pixels of the next decisions and their deadline that leave room for two lines of events below a board."""
LOG_LINES = 20
"""Lines of a page of the log that fit on the screen of a phone, with its heading and buttons."""
MEDALS = ("🥇", "🥈", "🥉")
NO_MEDAL = "◽"


_card_lines, _card_height = partial(lines_of, across=CARD_WIDTH), partial(text_height, across=CARD_WIDTH)


def story(
    table: Table, history: History, you: Seat | None = None, *, pictured: bool = False, most: int = STORY_LINES
) -> str:
    """The summary of the events since the last board: a line for the actions of a seat, `most` lines of a phone.

    The oldest turns are dropped, and sentences from the middle of the last one; *Log* has them all. `you` is the seat
    of the reader, if there is one. Events that a picture shows are told if nothing else has happened, or with
    `pictured`.
    """
    major = [(seat, [event for event in events if pictured or not event.minor]) for seat, events in history]
    return _summary(table, major, you, most) or _summary(table, history, you, most)


def _summary(table: Table, history: History, you: Seat | None, most: int) -> str:
    fresh = [*_drop_repeated_conditions(history)]
    openings = _openings(fresh, _due_seats(table))
    turns = [turn for turn in _mark_as_luck(turns_of(fresh, openings), fresh) if turn.events]
    if not turns or most < 1:
        return ""
    # by identity: a seat may have an equal event
    draws = {id(event) for place in openings for event in fresh[place][1]}
    begins_turn = len(turns) > 1 and all(id(event) in draws for event in turns[-1].events)
    with marking_pieces(table):
        lines = [turn_line(table, _shorten(turn), you) for turn in turns]
        # the next question names the draw
        if begins_turn and _card_lines("\n".join(lines[-2:])) > most:
            del turns[-1], lines[-1]
        last = _fitting_turn(table, _shorten(turns[-1]), you, most)
    recent = [last, *_that_fit(lines[:-1], most - _card_lines(last))]
    before = len(turns) - len(recent)
    # a message without a board has room for this line, too
    most += most >= STORY_LINES
    return "\n".join((*_earlier(table, before, most - sum(map(_card_lines, recent))), *reversed(recent)))


def _earlier(table: Table, turns: int, room: int) -> Iterable[str]:
    """The number of turns that are left out, if there are any and this many lines have room for it."""
    line = table.say(Text("-# … and {turns} earlier {turns:turn|turns} in *Log*", turns=turns))
    if turns and _card_lines(line) <= room:
        yield line


def _fitting_turn(table: Table, turn: Turn, you: Seat | None, most: int) -> str:
    """A turn in `most` lines: without sentences after the first one if need be, or its first event in the short form
    of pictures.
    """
    first, *others = sentences = [table.say(event, you) for event in turn.events]
    ways = [sentences, *([first, "…", *others[n:]] for n in range(1, len(others) + 1))]
    lines = [_as_line(table, turn, way).strip() for way in ways]
    if type(turn.events[0]).brief:
        lines.append(_in_brief(table, turn, you))
    shortest = min(lines, key=_card_lines)
    return next((line for line in lines if _fits(line, most)), without_placeholders(shortest)[:STORY_LENGTH])


def _in_brief(table: Table, turn: Turn, you: Seat | None) -> str:
    """The first event of a turn in the short form of pictures."""
    return f"{table.mark(_subject(turn))} {table.say_briefly(turn.events[0], you)}"


def _fits(line: str, most: int) -> bool:
    return _card_lines(line) <= most and len(without_placeholders(line)) <= STORY_LENGTH


def _drop_repeated_conditions(history: History) -> Iterable[tuple[Seat, list[Event]]]:
    reported: dict[type[Event], Event] = {}
    for seat, events in history:
        fresh = [event for event in events if reported.get(type(event)) != event]
        reported |= {type(event): event for event in fresh if event.lasting}
        yield seat, fresh


def _due_seats(table: Table) -> set[Seat]:
    return {decision.seat for decision in table.match.state.decisions()} if table.match else set()


def _openings(history: History, due: Container[Seat]) -> dict[int, Seat]:
    """The draws that begin the turn of the next seat, by their places in the history, with that seat.

    `due` are the seats that act next after the history.
    """
    openings: dict[int, Seat] = {}
    following: Container[Seat] = due
    for place, (seat, events) in reversed([*enumerate(history)]):
        subjects = {_named_seat(event) for event in events} if seat == CHANCE else set()
        if len(subjects) == 1 and (subject := subjects.pop()) is not None and subject in following:
            openings[place] = subject
        following = (seat,) if seat != CHANCE else following
    return openings


def _mark_as_luck(turns: Iterable[Turn], history: History) -> Iterable[Turn]:
    """The turns, with CHANCE as the seat of those that begin with luck that names no seat.

    Their choice before it has no events here, so the mark of its seat would wrongly stand for the luck.
    """
    # by identity: a seat may have an equal event
    luck = {id(event) for seat, events in history if seat == CHANCE for event in events}
    for turn in turns:
        is_luck = turn.events and id(turn.events[0]) in luck and _named_seat(turn.events[0]) is None
        yield replace(turn, seat=CHANCE) if is_luck else turn


def _named_seat(event: Event) -> Seat | None:
    """The first seat that an event names, the one that it is about."""
    values = (getattr(event, name) for name in field_types(type(event)))
    return next((value for value in values if type(value) is Seat), None)


def _that_fit(lines: Sequence[str], room: int) -> Iterable[str]:
    """The last lines that fit into some lines of a phone, the last one first."""
    for line in reversed(lines):
        room -= _card_lines(line)
        if not _fits(line, room + _card_lines(line)):
            return
        yield line


SMALL_PRINT = "-# "
SENTENCE_END = re.compile(r"(?<=[.!]) (?=[A-ZÀ-Ý])")
"""The space between two sentences of an event."""
RECAP_LINES = 2
"""Maximum lines of a recap: a phone has no room for more below a picture."""


def recap(table: Table, seat: Seat, history: History, answered: History = (), most: int = RECAP_LINES) -> str:
    """Events during the absence of a seat and automatic answers for it, in that order, in a few short lines.

    Of more than `most` lines, events about the seat have priority, then newer ones; each comes with the first event of
    its turn, which is its cause, if both fit. If no event fits as a whole, one is in a short form; empty if none
    of them fits. Sentences are never cut: the picture and the log have all events.
    """
    own = [event for _, events in answered for event in events]
    major = [(who, [event for event in events if not event.minor]) for who, events in history]
    parts = [part for turn in _mark_as_luck(turns_of(major), major) for part in _split(turn, seat, own)]
    places = [(n, m) for n, part in enumerate(parts) for m in range(len(part.events))]

    def matters(place: tuple[int, int]) -> tuple[bool, tuple[int, int]]:
        event = parts[place[0]].events[place[1]]
        values = [getattr(event, name) for name in field_types(type(event))]
        names_seat = any(type(value) is Seat and value == seat for value in values)
        return event in own or names_seat, place

    # by priority: events about the seat, the newest of them first
    ways = sorted(places, key=matters, reverse=True)
    words, selected = "", frozenset[tuple[int, int]]()
    for place in ways:
        cause = (place[0], 0)
        for candidate in (selected | {cause, place}, selected | {place}):
            more = "\n".join(_recap(table, part, seat, own) for part in _only(parts, candidate))
            if lines_of(more) <= most:
                words, selected = more, candidate
                break
        if lines_of(words) >= most:
            break
    alone = (part for place in ways for part in _only(parts, [place]))
    forms = (form for part in alone for form in _short_forms(table, part, seat, own))
    return words or next((form for form in forms if lines_of(form) <= most), "")


def _short_forms(table: Table, part: Turn, seat: Seat, own: Sequence[Event]) -> Iterable[str]:
    """A single event in fewer lines: in small print, in the short form of pictures, and the first of its sentences."""
    event, line = part.events[0], _recap(table, part, seat, own)
    # without its beginning, an automatic answer would read like a choice
    if event in own:
        yield table.say(Text("↪ Answered for you: see *Log*."))
        return
    yield f"{SMALL_PRINT}{without_placeholders(line)}"
    if type(event).brief:
        brief = _in_brief(table, part, seat)
        yield from (brief, f"{SMALL_PRINT}{without_placeholders(brief)}")
    yield SENTENCE_END.split(line, maxsplit=1)[0]


def _only(parts: Sequence[Turn], kept: Container[tuple[int, int]]) -> Iterable[Turn]:
    """The parts with those events that are kept, each by the number of its part and its own."""
    for n, part in enumerate(parts):
        if events := tuple(event for m, event in enumerate(part.events) if (n, m) in kept):
            yield replace(part, events=events)


def _split(turn: Turn, seat: Seat, own: Sequence[Event]) -> Iterable[Turn]:
    """A turn in parts, a line each: automatic answers for a seat, and other events."""
    for answered, events in groupby(turn.events, lambda event: turn.seat == seat and event in own):
        part = replace(turn, events=tuple(events))
        yield part if answered else _shorten(part)


def _recap(table: Table, part: Turn, seat: Seat, own: Sequence[Event]) -> str:
    with marking_pieces(table):
        if part.seat == seat and part.events[0] in own:
            sentences = " ".join(table.say(event, seat) for event in part.events)
            return table.say(Text("↪ Answered for you: {said}", said=sentences))
        return turn_line(table, part, seat)


def log_pages(table: Table, history: History, you: Seat | None = None, around: Sequence[Text] = ()) -> list[str]:
    """All that happened, oldest first, in pages that fit on a phone, with the numbers of the moves. At least one.

    The history is that of the whole match; `around` has events outside of it, which come last.
    """
    lines = []
    for turn in turns_of(history, _openings(history, _due_seats(table))):
        if turn.events:
            line = turn_line(table, turn, you)
            # the setup has the number 0 and is not a move
            lines.append(f"`{moves_of(turn)}` {line}" if turn.moves[1] else line)
    pages, room = [""], LOG_LINES
    for line in (*lines, *map(table.say, around)):
        if pages[-1] and lines_of(line) > room:
            pages.append("")
            room = LOG_LINES
        pages[-1] += f"{line[:LOG_LENGTH]}\n"
        room -= lines_of(line)
    return pages


def moves_of(*turns: Turn) -> str:
    """The numbers of the moves of some turns in a row: `12`, or `12–14`."""
    first, last = max(1, turns[0].moves[0]), turns[-1].moves[1]
    # a draw that begins a turn comes before its first move
    return str(first) if first >= last else f"{first}–{last}"


def _shorten(turn: Turn) -> Turn:
    """The turn with equal events as one."""
    short: list[Event] = []
    for event in turn.events:
        as_one = short[-1].and_then(event) if short else None
        short[-1:] = [as_one] if as_one else [*short[-1:], event]
    return replace(turn, events=tuple(short))


def turn_line(table: Table, turn: Turn, you: Seat | None = None) -> str:
    """The consecutive events of a seat in a line, as the player of `you` reads it. It begins with the mark of the seat
    in its first sentence. The mark of each seat appears only once.
    """
    return _as_line(table, turn, [table.say(event, you) for event in turn.events])


def _as_line(table: Table, turn: Turn, sentences: Sequence[str]) -> str:
    line = without_repetitions(" ".join(sentences))
    for name, mark in zip(table.names, table.marks, strict=True):
        # the first time with its mark, then without: a row of emoji is hard to read
        first, mention, rest = line.partition(name)
        line = first + mention + rest.replace(name, name.removeprefix(f"{mark} "))
    if line.startswith(table.marks):
        return line
    subject = _subject(turn)
    mark = table.mark(subject)
    if subject != CHANCE:
        # the name, not the mark alone: seats may share a mark
        name = table.names[subject]
        line = line.replace(name, name.removeprefix(f"{mark} "))
    return f"{mark} {line}"


def marking_pieces(table: Table) -> AbstractContextManager[None]:
    """Within the block, sentences name pieces with placeholders for their drawings."""
    return marking(lambda value: piece_placeholder(table.row.game, value))


def _subject(turn: Turn) -> Seat:
    """The seat that the first event of a turn is about; if it names none, the seat whose turn it is."""
    named = _named_seat(turn.events[0])
    return turn.seat if named is None else named


def due_text(table: Table, clocks: Sequence[SeatClock] = ()) -> Text:
    """The due seats with their decisions and deadlines, or the end of the match; `clocks` are the clocks to change."""
    match = table.require_match()
    if match.outcome is not None:
        return _end_text(table, match.outcome)
    decisions = match.state.decisions()
    people = [decision for decision in decisions if not table.computer_of(decision.seat)]
    # a computer is about to answer, so people do not wait for it
    if not people:
        return joined([Text("{person} is thinking…", person=table.person(d.seat)) for d in decisions], "\n")
    questions = joined([*_questions(table, people)], "\n")
    running = _running_clocks(table, people, clocks)
    if not running:
        return questions
    spare, turn = _deadline(table, running, spare=True), _deadline(table, running, spare=False)
    # behind the question, which may leave room in its last line
    ways = [
        Text("{questions}\n-# ⏳ {until}", questions=questions, until=spare),
        Text("{questions} ⏳ {until}", questions=questions, until=spare),
        Text("{questions} ⏳ {until}", questions=questions, until=turn),
    ]
    heights = [_card_height(table.say(way)) for way in ways]
    return next((way for way, height in zip(ways, heights, strict=True) if height <= DUE_TEXT), None) or min(
        ways, key=lambda way: heights[ways.index(way)]
    )


def _questions(table: Table, decisions: Iterable[Decision]) -> Iterable[Text]:
    """The questions, each once, with the people it is for."""
    seats: dict[Text, list[Seat]] = {}
    for decision in decisions:
        seats.setdefault(decision.prompt, []).append(decision.seat)
    for prompt, people in seats.items():
        person = table.person(people[0]) if len(people) == 1 else table.persons_on(people)
        yield Text("{person}: {prompt}", person=person, prompt=prompt)


def _running_clocks(table: Table, decisions: Iterable[Decision], clocks: Iterable[SeatClock]) -> list[SeatClock]:
    # the clocks of this board are stored only once Discord has accepted it
    changed = {clock.seat: clock for clock in clocks}
    current = (changed.get(decision.seat) or table.clock_of(decision.seat) for decision in decisions)
    return [clock for clock in current if clock is not None and clock.runs]


def _deadline(table: Table, clocks: Sequence[SeatClock], *, spare: bool) -> Text:
    """The deadlines in a line: one for all, or else each with the mark of its seat; with the time to `spare`, or only
    those of the turn.
    """
    times = [_time_left(clock, spare=spare) for clock in clocks]
    if len(set(times)) > 1:
        marked = zip(clocks, times, strict=True)
        times = [Text("{mark} {until}", mark=table.mark(clock.seat), until=time) for clock, time in marked]
    return joined(list(dict.fromkeys(times)), " · ")


def _time_left(clock: SeatClock, *, spare: bool) -> Text:
    turn = clock.turn_until or clock.until
    if clock.out:
        return Text("the time for this is up")
    if turn == clock.until or not spare:
        return Text("{when}", when=stamp(turn, "R"))
    return Text("{when}, at the latest {later}", when=stamp(turn, "R"), later=stamp(clock.until, "R"))


def _exact_deadlines(table: Table) -> Iterable[Text]:
    """The deadlines of the due players, a line for each, with days and hours."""
    decisions = table.require_match().state.decisions()
    for clock in _running_clocks(table, decisions, ()):
        turn, mark = clock.turn_until or clock.until, table.mark(clock.seat)
        until = Text("-# ⏳ {mark} until {time}, {when}", mark=mark, time=stamp(turn), when=stamp(turn, "R"))
        if turn != clock.until:
            until = Text("{told}; with the time to spare, until {time}", told=until, time=stamp(clock.until))
        yield until


def _end_text(table: Table, outcome: Outcome) -> Text:
    text = Text(
        "## {won}\n{ranking}\n-# {reason}",
        won=won_text(outcome),
        ranking=_ranking(table, outcome),
        reason=outcome.summary,
    )
    return joined([text, *changes_of_hands(table), *stand_in_lines(table), *rated_lines(table)], "\n")


def details_of(table: Table) -> list[Text]:
    """The lines of *More* on a board: while the game runs, all decisions with their deadlines, all players, and whether
    the game is rated.
    """
    if table.row.status is Status.OVER:
        return []
    if table.row.status is not Status.RUNNING:
        return [table.due_sentence()]
    return [due_text(table), *_exact_deadlines(table), *others_text(table), *counts_text(table)]


def counts_text(table: Table) -> list[Text]:
    """Whether the game is rated, in a line; nothing where none ever is: in a direct message, and for one person."""
    why = why_not_rated(table)
    if table.row.guild_id == NO_SERVER or why is ALONE:
        return []
    return [Text("-# Rated") if why is None else Text("-# Not rated")]


def rated_lines(table: Table, *, named: bool = False) -> list[Text]:
    """The rating changes by the game, in a line, and the records that it has set; or that it is not rated.

    Players have their marks, and in a message without a list of players also their names (`named`).
    """
    if why_not_rated(table) is not None:
        return counts_text(table)
    marks = [
        f"{table.mark(_seat_of(table, change.user_id))}{_name(table, change) if named else ''}"
        for change in table.changes
    ]
    ratings = [_change_text(mark, change) for mark, change in zip(marks, table.changes, strict=True)]
    records = [
        Text("-# New record in this server: {record}", record=_record(table, record)) for record in table.records
    ]
    return [*([Text("-# Rating: {told}", told=joined(ratings, " · "))] if ratings else []), *records]


def _name(table: Table, change: Change) -> str:
    """The name of a player or former player, after a space."""
    holders = (*table.row.holders, *(period.holder for period in table.row.past_holders))
    return next(
        (f" {escaped(holder.name)}" for holder in holders if holder.user_id == change.user_id and holder.name), ""
    )


def _change_text(mark: str, change: Change) -> Text:
    """The change of a rating by a game, or the number of a newcomer's placement game."""
    if not change.is_placed:
        return Text("{mark} placement game {n} of {most}", mark=mark, n=change.matches, most=PLACEMENT_MATCHES)
    now, by = change.rating, f"{change.points:+}"
    template = "{mark} {points} ± {margin} ({change})"
    # with the sign for minus, and not with a hyphen
    return Text(template, mark=mark, points=now.points, margin=now.margin, change=by.replace("-", "−"))


def _record(table: Table, record: Record) -> Text:
    match record.kind:
        case RecordKind.POINTS if record.user_id:
            mark = table.mark(_seat_of(table, record.user_id))
            return Text("{mark} {points} {points:point|points}", mark=mark, points=record.figure)
        case RecordKind.POINTS:
            return Text("{points} {points:point|points}", points=record.figure)
        case RecordKind.CLOSEST:
            return Text("the closest finish, by {points} {points:point|points}", points=record.figure)
        case RecordKind.COMEBACK:
            return Text("a win from a {chance}% chance", chance=record.figure)
        case RecordKind.ACCURATE:
            return Text("an accuracy of {accuracy}", accuracy=record.figure)
    return Text("the longest game, with {moves} {moves:move|moves}", moves=record.figure)


def _seat_of(table: Table, user_id: int) -> Seat:
    """The current seat of a user, or the one they left last."""
    seat = table.seat_of(user_id)
    return table.seats_left_by(user_id)[-1] if seat is None else seat


def won_text(outcome: Outcome) -> Text:
    """The winners."""
    winners = outcome.winners
    if len(winners) == 1:
        return Text("{winner} {winner:wins|win}!", winner=winners[0])
    return Text("{winners} win!", winners=winners)


MAX_HOLDERS = 4
"""Most players of a seat that are listed, the last ones."""


def changes_of_hands(table: Table) -> list[Text]:
    """The players of each seat that changed hands, a line a seat: `🟦 Ben until move 31, then the computer`."""
    seats = sorted({past.seat for past in table.row.past_holders})
    lines = [(seat, _turns_of(table, seat)) for seat in seats]
    return [
        Text("-# {mark} {told}", mark=table.mark(seat), told=reduce(_then, holders[-MAX_HOLDERS:]))
        for seat, holders in lines
        if len(holders) > 1
    ]


def stand_in_lines(table: Table) -> list[Text]:
    """The numbers of turns that a computer played for late players, a line a player."""
    return [
        Text("-# {mark} a computer played {turns} {turns:turn|turns} for {name}", mark=mark, turns=turns, name=name)
        for mark, turns, name in (
            (table.mark(seat), clock.lost, escaped(table.row.holders[seat].name) or Text("somebody"))
            for seat, clock in sorted(table.clocks.items())
            # only of the current holder: a clock may still belong to a former one
            if clock.lost and clock.user_id == table.row.holders[seat].user_id
        )
    ]


def _then(first: Text, more: Text) -> Text:
    return Text("{told}, then {more}", told=first, more=more)


def _turns_of(table: Table, seat: Seat) -> list[Text]:
    """The players of a seat in order. A player who left and returned before the next turn counts as one."""
    former, current = [past for past in table.row.past_holders if past.seat == seat], table.row.holders[seat]
    successors = [*(past.holder for past in former[1:]), current]
    leavers = [past for past, next_ in zip(former, successors, strict=True) if past.holder.user_id != next_.user_id]
    moves_before = table.viewable_match().moves_before
    turns = [
        Text("{who} until move {moves}", who=_holder(past.holder), moves=moves_before(past.until)) for past in leavers
    ]
    return [*turns, _holder(current)]


def _holder(holder: SeatHolder) -> Text:
    return (
        Text("the computer")
        if holder.user_id is None
        else Text("{name}", name=escaped(holder.name) or Text("somebody"))
    )


MAX_EVENTS = 8
"""Most events that are listed, the last ones."""


def table_events_of(table: Table, events: Sequence[TableEvent], reader: int) -> list[Text]:
    """The events of a table that a user may know, a line each: `after move 31: Ann called it off`."""
    over = table.row.status is not Status.RUNNING
    visible = [event for event in events if over or event.kind not in PRIVATE_KINDS or event.user_id == reader]
    lines = []
    for event in visible[-MAX_EVENTS:]:
        text, moves = _event_text(table, event), table.viewable_match().moves_before(event.version)
        if event.words and event.kind is not TableEventKind.CAST:
            text = Text("{told}: “{words}”", told=text, words=escaped(event.words))
        when = "-# after move {moves}: {told}" if moves > 0 else "-# before the first move: {told}"
        lines.append(Text(when, moves=moves, told=text))
    return lines


def _event_text(table: Table, event: TableEvent) -> Text:
    user = Text("{user}", user=mention(event.user_id or 0))
    match event.kind:
        case TableEventKind.CLOSED:
            gone = event.user_id is None
            return Text("its channel was deleted") if gone else Text("{user} called the game off", user=user)
        case TableEventKind.UNSTUCK:
            return Text("{user}, a moderator, unstuck the game", user=user)
        case TableEventKind.REPLACED:
            seat = Seat(event.seat or 0)
            template = "{user}, a moderator, gave {mark} {name}’s seat to a computer"
            return Text(template, user=user, mark=table.mark(seat), name=table.seat_names[seat])
        case TableEventKind.ANSWERED:
            return Text("{user} turned on auto-answers", user=user)
        case TableEventKind.ASKED:
            return Text("{user} turned off auto-answers", user=user)
        case TableEventKind.PACED:
            return Text("{user} set the pace", user=user)
        case TableEventKind.LATE:
            return Text("{user}’s time was up", user=user)
        case TableEventKind.WAITED:
            return Text("the table keeps waiting for {user}", user=user)
        case TableEventKind.STOOD_IN:
            return Text("a computer plays this turn for {user}", user=user)
        case TableEventKind.HELD | TableEventKind.LAPSED:
            return Text("a computer takes over {user}’s seat", user=user)
        case TableEventKind.INVITED:
            return Text("a substitute for {user} is invited", user=user)
        case TableEventKind.RETURNED:
            return Text("{user} is back", user=user)
        case TableEventKind.CONCEDED:
            return Text("{user} forfeited the rated result and plays on", user=user)
        case TableEventKind.CAST:
            seat = Seat(event.seat or 0)
            name = table.computer_name(seat, event.words)
            return Text("{user} chose {name} as the computer for {mark}", user=user, name=name, mark=table.mark(seat))


def others_text(table: Table) -> list[Text]:
    """Calls those who play and are not due, so that they hear that the game has begun."""
    due = {decision.seat for decision in table.require_match().state.decisions()}
    others = [seat for seat in table.users if seat not in due]
    return [Text("-# Also at the table: {people}", people=table.persons_on(others))] if others else []


def followers_text(table: Table) -> Text:
    """Mentions the followers of a match that is over."""
    # sorted, since a set has no order
    people = [Text("{user}", user=mention(user_id)) for user_id in sorted(table.followers)]
    return Text("-# Followers: {people}", people=joined(people))


MAX_PREDICTIONS = 3
"""The number of right predictions that the end of a match names."""


def predictions_text(table: Table) -> list[Text]:
    """The names of followers who predicted the winner of a match that is over, the earliest first, without mentions."""
    # those that remain are right (`Facts.end`)
    right = sorted(table.predictions.values(), key=lambda prediction: (prediction.version, prediction.at))
    moves_before = table.viewable_match().moves_before
    names = [
        Text("{name} (before move {move})", name=escaped(prediction.name), move=moves_before(prediction.version) + 1)
        for prediction in right[:MAX_PREDICTIONS]
    ]
    return [Text("-# 🔮 Saw it coming: {people}", people=joined(names, ", "))] if names else []


def _ranking(table: Table, outcome: Outcome) -> Text:
    """A line for each seat, best first, with the parts of its points; equal seats share a place, and teams have one."""
    merits = list(zip(outcome.returns, outcome.scores, strict=True))
    companies = table.spec.companies(table.setup)
    lines = []
    for seat in sorted(map(Seat, range(len(merits))), key=lambda seat: merits[seat], reverse=True):
        better = len({company for company, other in zip(companies, merits, strict=True) if other > merits[seat]})
        medal = MEDALS[better] if better < len(MEDALS) else NO_MEDAL
        line = Text("{medal} {person} · {points}", medal=medal, person=table.person(seat), points=outcome.scores[seat])
        account = table.require_match().state.account(seat)
        lines.append(Text("{line}: {account}", line=line, account=account) if account else line)
    return joined(lines, "\n")
