"""Messages about a player's time: the warning, and the vote of the other players."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from discord.ui import TextDisplay

from bot.features.deadlines.votes import Tally, choices, firm_verdict, is_firm, tally
from bot.features.deadlines.waiting import waiting_at
from bot.features.view.my_games import link_to
from bot.interactions.kinds import InVersion, declare_at_table
from bot.interactions.parts import PLAIN, PRIMARY, Layout, card, layout, row, stamp
from bot.store.clocks import SeatClock, Verdict
from bot.tables.paces import pace_of
from bot.tables.people import mention
from bot.tables.rating_cost import replacement_warning
from bot.tables.table import Table
from engine.texts import Seat, Text, joined

LABELS = {
    Verdict.WAIT: Text("Keep waiting"),
    Verdict.PLAY: Text("Let a computer play this turn"),
    Verdict.HOLD: Text("Let a computer take over"),
    Verdict.INVITE: Text("Invite a substitute"),
}

CONSEQUENCES = {
    Verdict.PLAY: Text("the next turn is theirs again"),
    Verdict.HOLD: Text("until they’re back"),
    Verdict.INVITE: Text("a computer takes over until somebody else does"),
}
"""The consequence of each choice except to wait."""


@declare_at_table("vote")
def vote(number: InVersion[int], seat: Seat, choice: str) -> None:
    """Vote about a late player. The `number` of the vote makes buttons of earlier votes do nothing."""


@declare_at_table("back")
def come_back() -> None:
    """The button *I’m back*."""


def warning_layout(table: Table, clock: SeatClock, cost: Text | None, *, direct: bool) -> Layout:
    """The warning that a player's time is nearly up, with the consequence and its cost, if there is one.

    `direct`: addressed to the player alone.
    """
    waiting = waiting_at(table, clock.user_id)
    assert waiting is not None, "the player has a decision"
    up = stamp(clock.until, "R")
    heading = Text("⏳ {who}, your deadline for this turn: {when}.", who=mention(clock.user_id), when=up)
    lines = [
        table.say(Text("⏳ Your deadline for this turn: {when}.", when=up) if direct else heading),
        waiting.question(direct=direct),
        *([table.say(Text("⚠️ {cost}", cost=cost))] if cost else []),
        table.say(Text("-# {then} [Go to board]({link})", then=_consequence(table, clock), link=waiting.link)),
    ]
    return layout(TextDisplay("\n".join(lines)))


def _consequence(table: Table, clock: SeatClock) -> Text:
    """The consequence for a player who lets their time run out."""
    if not is_firm(table):
        return Text("After that, the others decide whether to keep waiting.")
    if firm_verdict(clock) is Verdict.HOLD:
        return Text("After that, a computer takes over your seat, since this would be your third late turn in a row.")
    return Text("After that, a computer plays this turn.")


def late_layout(table: Table, clock: SeatClock) -> Layout:
    """The message that a player's time is up: with the vote of the others, or with its result."""
    if not clock.verdict:
        return _vote_layout(table, clock)
    result: TextDisplay[Any] = TextDisplay(table.say(_result_text(table, clock)))
    if clock.verdict not in (Verdict.HOLD, Verdict.INVITE):
        return layout(card(result))
    back = come_back.button(table, Text("I’m back"), PRIMARY)
    return layout(card(result, row(back)))


def vote_reminder_layout(table: Table, clock: SeatClock, user_ids: Iterable[int]) -> Layout:
    """The reminder of a vote to its missing voters."""
    text = Text(
        "⏳ {voters}, you haven’t voted yet: what should happen to {who}’s turn?\n"
        "-# **{title}** · {end} [Go to vote]({link})",
        voters=tuple(map(mention, user_ids)),
        who=mention(clock.user_id),
        title=table.title,
        end=_end_line(clock, tally(table, clock)),
        link=link_to(table, clock.message_id),
    )
    return layout(TextDisplay(table.say(text)))


def _vote_layout(table: Table, clock: SeatClock) -> Layout:
    who, votes = mention(clock.user_id), tally(table, clock)
    lines = [
        Text("⏳ **{title}**: {who}’s time for this turn is up. What should happen?", title=table.title, who=who),
        *(_choice_line(table, choice, votes) for choice in choices(table)),
        *_cost_lines(table, clock),
        Text("-# {deciding} A move by {who} ends the vote.", deciding=_voters_line(table, clock, votes), who=who),
        Text("-# {end}", end=_end_line(clock, votes)),
    ]
    buttons = [
        vote.button(table, LABELS[choice], PLAIN, clock.number, clock.seat, choice.value) for choice in choices(table)
    ]
    return layout(card(TextDisplay("\n".join(map(table.say, lines))), row(*buttons)))


def _cost_lines(table: Table, clock: SeatClock) -> list[Text]:
    """The cost for the late player if a computer takes over, if there is one."""
    cost = replacement_warning(table, clock.user_id)
    return [Text("-# ⚠️ {cost}", cost=cost)] if cost else []


def _voters_line(table: Table, clock: SeatClock, votes: Tally) -> Text:
    """The voters, and how many of them have to agree."""
    others = table.persons_on(seat for seat in table.users if seat != clock.seat)
    if votes.open:
        template = "{others} {others:decides|decide}: {enough} {enough:vote is|votes are} enough."
    else:
        template = "Everyone has voted. You can still change your vote: {enough} {enough:vote is|votes are} enough."
    return Text(template, others=others, enough=votes.enough)


def _end_line(clock: SeatClock, votes: Tally) -> Text:
    """The end of a vote, and its result by the votes so far."""
    when = stamp(clock.vote_ends, "R") if clock.vote_ends else ""
    if votes.leading:
        return Text("End of the vote: {when}; **{label}** leads.", when=when, label=LABELS[votes.leading])
    if votes.votes:
        return Text("End of the vote: {when}; if it is still tied, a computer plays this turn.", when=when)
    return Text("End of the vote: {when}; if nobody votes, a computer plays this turn.", when=when)


def _choice_line(table: Table, choice: Verdict, votes: Tally) -> Text:
    """A choice with its consequence and its voters."""
    pace = pace_of(table.row)
    more = Text("{time} more for this turn", time=pace.turn if pace else "")
    line = Text("• **{label}** – {chosen}", label=LABELS[choice], chosen=CONSEQUENCES.get(choice, more))
    people = tuple(seat for seat, vote in sorted(votes.votes.items()) if vote is choice)
    return Text("{line}: {people}", line=line, people=people) if people else line


def _result_text(table: Table, clock: SeatClock) -> Text:
    who = mention(clock.user_id)
    match clock.verdict:
        case Verdict.WAIT:
            pace = pace_of(table.row)
            time = pace.turn if pace else ""
            return Text("⏳ The table keeps waiting for {who}: {time} more for this turn.", who=who, time=time)
        case Verdict.PLAY:
            text = Text("⏳ {who}’s time was up: a computer plays this turn. The seat stays theirs.", who=who)
            return joined([text, *_no_majority(table, clock)], "\n")
        case Verdict.HOLD | Verdict.INVITE:
            return Text(
                "⏳ {who}’s time was up: a computer takes over the seat.\n-# {who}, you can have it back at "
                "any time{unless}.",
                who=who,
                unless=Text(", unless somebody has taken it") if clock.verdict is Verdict.INVITE else "",
            )
        case _:
            return Text(
                "⏳ {title} has moved on: there’s nothing left to decide about {who}.", title=table.title, who=who
            )


def _no_majority(table: Table, clock: SeatClock) -> list[Text]:
    """Why a computer plays without a majority for it, if there was a vote."""
    votes = tally(table, clock)
    if clock.vote_ends is None or votes.leading:
        return []
    return [Text("-# The vote was a tie.") if votes.votes else Text("-# Nobody voted in time.")]
