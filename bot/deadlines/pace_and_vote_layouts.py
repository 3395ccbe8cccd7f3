"""What is said of somebody's time: a warning to themselves, the vote of the others, and the page of the pace."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from discord.ui import Container, TextDisplay

from bot.deadlines.votes import Tally, choices, tally
from bot.deadlines.waiting import waiting_at
from bot.interactions.kinds import InVersion, declare_at_table
from bot.interactions.parts import GOLD, PLAIN, PRIMARY, Layout, layout, row, stamp
from bot.store.clocks import SeatClock, Verdict
from bot.tables.paces import pace_of
from bot.tables.people import mention
from bot.tables.table import Table
from bot.view.my_games import link_to
from engine.texts import Seat, Text, joined

LABELS = {
    Verdict.WAIT: Text("Keep waiting"),
    Verdict.PLAY: Text("Let a computer play this turn"),
    Verdict.HOLD: Text("Let a computer hold the seat"),
    Verdict.INVITE: Text("Invite a substitute"),
}

CHOSEN = {
    Verdict.PLAY: Text("the next turn is theirs again"),
    Verdict.HOLD: Text("until they are back"),
    Verdict.INVITE: Text("a computer holds the seat until somebody takes it"),
}
"""What comes of each choice but to wait."""


@declare_at_table("vote")
def vote(number: InVersion[int], seat: Seat, choice: str) -> None:
    """A voice in the vote about a late player. By its number, a button of an earlier vote does nothing."""


@declare_at_table("back")
def come_back() -> None:
    """*I’m back*."""


def warning_layout(table: Table, clock: SeatClock, *, direct: bool) -> Layout:
    """Tells somebody that their time is nearly up and what will happen then; in a direct message it speaks to them."""
    waiting = waiting_at(table, clock.user_id)
    assert waiting is not None, "something is asked of them"
    up = stamp(clock.until, "R")
    heading = Text("⏳ {who}, your time for this turn runs out {when}.", who=mention(clock.user_id), when=up)
    if table.row.firm:
        then = Text("After that a computer plays this turn.")
    else:
        then = Text("After that the others decide whether to keep waiting.")
    lines = [
        Text("⏳ Your time for this turn runs out {when}.", when=up) if direct else heading,
        Text("**{title}**: {question}", title=table.title, question=waiting.asked if direct else waiting.question),
        Text("-# {then} [Go to board]({link})", then=then, link=waiting.link),
    ]
    return layout(TextDisplay("\n".join(map(table.say, lines))))


def late_layout(table: Table, clock: SeatClock) -> Layout:
    """Tells everybody that somebody's time is up: the vote of the others, or what has been decided."""
    if not clock.verdict:
        return _vote_layout(table, clock)
    words: TextDisplay[Any] = TextDisplay(table.say(_decided(table, clock)))
    if clock.verdict not in (Verdict.HOLD, Verdict.INVITE):
        return layout(Container(words, accent_color=GOLD))
    back = come_back.button(table, Text("I’m back"), PRIMARY)
    return layout(Container(words, row(back), accent_color=GOLD))


def vote_reminder_layout(table: Table, clock: SeatClock, user_ids: Iterable[int]) -> Layout:
    """Calls those who have not voted yet."""
    text = Text(
        "⏳ {voters}, you have not voted yet: what should happen to {who}’s turn?\n"
        "-# **{title}** · {end} [Go to vote]({link})",
        voters=tuple(map(mention, user_ids)),
        who=mention(clock.user_id),
        title=table.title,
        end=_end(clock, tally(table, clock)),
        link=link_to(table, clock.message_id),
    )
    return layout(TextDisplay(table.say(text)))


def _vote_layout(table: Table, clock: SeatClock) -> Layout:
    who, stand = mention(clock.user_id), tally(table, clock)
    lines = [
        Text("⏳ **{title}**: {who}’s time for this turn is up. What should happen?", title=table.title, who=who),
        *(_line(table, choice, stand) for choice in choices(table)),
        Text("-# {deciding} A move by {who} ends the vote.", deciding=_deciding(table, clock, stand), who=who),
        Text("-# {end}", end=_end(clock, stand)),
    ]
    buttons = [
        vote.button(table, LABELS[choice], PLAIN, clock.number, clock.seat, choice.value) for choice in choices(table)
    ]
    return layout(Container(TextDisplay("\n".join(map(table.say, lines))), row(*buttons), accent_color=GOLD))


def _deciding(table: Table, clock: SeatClock, stand: Tally) -> Text:
    """Who decides, and how many of them have to agree."""
    others = table.persons_on(seat for seat in table.users if seat != clock.seat)
    if stand.open:
        template = "{others} {others:decides|decide}: {enough} {enough:vote is|votes are} enough."
    else:
        template = "Everyone has voted; {enough} {enough:vote is|votes are} enough if somebody changes their mind."
    return Text(template, others=others, enough=stand.enough)


def _end(clock: SeatClock, stand: Tally) -> Text:
    """When a vote ends, and what happens then by the votes so far."""
    when = stamp(clock.vote_ends, "R") if clock.vote_ends else ""
    if stand.leading:
        return Text("The vote ends {when}; **{label}** leads.", when=when, label=LABELS[stand.leading])
    if stand.votes:
        return Text("The vote ends {when}; if it is still tied, a computer plays this turn.", when=when)
    return Text("The vote ends {when}; if nobody votes, a computer plays this turn.", when=when)


def _line(table: Table, choice: Verdict, stand: Tally) -> Text:
    """A choice with what comes of it, and who is for it."""
    pace = pace_of(table.row)
    more = Text("{time} more for this turn", time=pace.turn if pace else "")
    line = Text("• **{label}** – {chosen}", label=LABELS[choice], chosen=CHOSEN.get(choice, more))
    people = tuple(seat for seat, vote in sorted(stand.votes.items()) if vote is choice)
    return Text("{line}: {people}", line=line, people=people) if people else line


def _decided(table: Table, clock: SeatClock) -> Text:
    who = mention(clock.user_id)
    match clock.verdict:
        case Verdict.WAIT:
            pace = pace_of(table.row)
            time = pace.turn if pace else ""
            return Text("⏳ The table keeps waiting for {who}: {time} more for this turn.", who=who, time=time)
        case Verdict.PLAY:
            text = Text("⏳ {who}’s time was up: a computer plays this turn. The seat stays theirs.", who=who)
            return joined([text, *_undecided(table, clock)], "\n")
        case Verdict.HOLD | Verdict.INVITE:
            return Text(
                "⏳ {who}’s time was up: a computer holds the seat.\n-# {who}, you can have it back at any "
                "time{unless}.",
                who=who,
                unless=Text(", unless somebody has taken it") if clock.verdict is Verdict.INVITE else "",
            )
        case _:
            return Text(
                "⏳ {title} has moved on: there’s nothing left to decide about {who}.", title=table.title, who=who
            )


def _undecided(table: Table, clock: SeatClock) -> list[Text]:
    """Why a computer plays though no majority wanted it, if there was a vote."""
    stand = tally(table, clock)
    if clock.vote_ends is None or stand.leading:
        return []
    return [Text("-# The vote was a tie.") if stand.votes else Text("-# Nobody voted in time.")]
