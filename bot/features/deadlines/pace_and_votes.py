"""Handlers for time: the host sets the pace, and the other players vote about a late player."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.errors import DISCORD_ERRORS, UserError
from bot.features import groups
from bot.features.deadlines import pace_and_vote_layouts
from bot.features.deadlines.pace_and_vote_layouts import late_layout
from bot.features.deadlines.time_limits import MAX_PAUSE, ZERO, bank_left
from bot.features.deadlines.timeouts import Timeouts
from bot.features.deadlines.votes import choices
from bot.features.fields import Choice, Pick, field_items
from bot.features.handlers import Answer, TableRequest, at_table
from bot.features.lobby import more, substitutes
from bot.features.lobby.table_message import require_host, update_lobby
from bot.interactions.kinds import InVersion
from bot.interactions.parts import Layout, layout, stamp
from bot.interactions.responses import together
from bot.store.clocks import SeatClock, Verdict
from bot.store.matches import Status
from bot.store.shard_range import NO_SERVER
from bot.tables.paces import HOUR, all_paces, pace_of, pace_rows, pace_words
from bot.tables.people import mention
from bot.tables.table import Table, require_open
from engine.texts import Seat, Text

MOVED_ON_TEXT = Text("The game has moved on: there’s nothing left to decide.")


@groups.table.command("pace", "See how much time everyone has for a turn; the host can change it")
@at_table(more.show_pace)
async def show_pace(request: TableRequest) -> None:
    """Show the pace of this table, with a menu for the host."""
    require_open(request.table)
    now = request.services.clock.now()
    await request.response.show(pace_layout(request.table, now, may_choose=request.is_in_charge))


@at_table("pace")
async def choose_pace(request: TableRequest) -> None:
    """Set the pace that the host chose, in the lobby or while the game runs."""
    require_host(request)
    require_open(request.table)
    choice = _pace_field(request.table).choice_of(request.value)
    if choice is None:
        raise UserError(Text("That pace no longer exists."))
    pace, firm = choice.value
    if request.table.row.status is Status.LOBBY:
        await request.services.lobbies.keep(request.table, pace=pace, firm=firm, ready=None)
        await together(show_pace(request), update_lobby(request.services, request.table))
    else:
        await _change(request, pace, firm=firm)


async def _change(request: TableRequest, pace: str, *, firm: bool) -> None:
    table = request.table
    table.require_match()
    if (table.row.pace, table.row.firm) == (pace, firm):
        await show_pace(request)
        return
    await Timeouts(request.services).set_pace(table, pace, firm=firm, user_id=request.user_id)
    words = pace_words(pace, firm=firm)
    request.response.already_done = Text("The pace is set.")
    text = Text("⏳ {who} has changed the pace. {words}.", who=mention(request.user_id), words=words)
    await together(show_pace(request), request.services.channels.announce(table, text))


# the answer to a vote is the updated message of the vote
@at_table(pace_and_vote_layouts.vote, Answer.IN_PLACE)
async def vote(request: TableRequest, number: InVersion[int], seat: Seat, choice: str) -> None:
    """Cast the user's vote about a player whose time is up."""
    table, timeouts = request.table, Timeouts(request.services)
    # held to the end, or the check of this clock could carry out the same verdict at the same time
    async with table.pacing:
        clock = _clock_of_vote(table, number, seat, choice)
        if clock is None:
            raise UserError(MOVED_ON_TEXT)
        voter = table.require_seat(request.user_id)
        if voter == clock.seat:
            raise UserError(Text("This is about you, so the others decide. Your move ends the vote."))
        clock = await timeouts.vote(table, clock, request.user_id, Verdict(choice))
        # not recorded: the player has acted meanwhile, and the message of the vote ends with the next board
        if not clock.verdict and clock.votes.get(request.user_id) != choice:
            raise UserError(MOVED_ON_TEXT)
        if not clock.verdict:
            await request.response.show(late_layout(table, clock))
            return
        request.response.already_done = Text("It’s decided.")
        answer = request.response.show(late_layout(table, clock))
        await together(answer, _carry_out(timeouts, table, clock))


async def _carry_out(timeouts: Timeouts, table: Table, clock: SeatClock) -> None:
    """Carry out a verdict that its message already shows; if Discord refuses the rest, a job tries again."""
    with suppress(*DISCORD_ERRORS):
        await timeouts.carry_out(table, clock, shown=True)


def _clock_of_vote(table: Table, number: int, seat: Seat, choice: str) -> SeatClock | None:
    """The clock of a vote, if the vote is still open. All parameters are checked, since ids can be forged."""
    clock = table.clocks.get(seat)
    if clock is None or clock.out is None or clock.verdict or clock.number != number:
        return None
    return clock if choice in [verdict.value for verdict in choices(table)] else None


@at_table(pace_and_vote_layouts.come_back)
async def come_back(request: TableRequest) -> None:
    """Give the user their seat back."""
    await substitutes.come_back(request)


# --- layouts ---


def pace_layout(table: Table, now: datetime, *, may_choose: bool) -> Layout:
    """The pace of a table, the time that each player has to spare, and for the host a menu."""
    lines = [
        Text("### The pace of {title}", title=table.title),
        Text("{pace}.", pace=pace_words(table.row.pace, firm=table.row.firm)),
    ]
    if pace_of(table.row) is not None:
        lines += [_bank(table, seat, now) for seat in (table.users if table.match else ())]
        lines.append(
            Text(
                "-# Quiet hours and days away, from `/me settings`, stop your clock, for up to {days} days a turn. "
                "Each turn that you finish in time adds a little to your time to spare.",
                days=MAX_PAUSE.days,
            )
        )
    items: list[discord.ui.Item[Any]] = [TextDisplay("\n".join(map(table.say, lines)))]
    chosen = {"pace": (table.row.pace, table.row.firm)}
    menu = field_items((_pace_field(table),), lambda _: choose_pace.id(table), chosen)
    return layout(*items, *(menu if may_choose else ()))


def _pace_field(table: Table) -> Pick:
    """The paces for a table: in direct messages only those without a vote of other players."""
    about = Text(
        "**Pace** – how long a turn may take. Players who take longer are warned before anything happens, and can "
        "get their seat back at any time with `/game join`."
    )
    paces = all_paces()
    choices = (Choice(row, paces[row], label, details) for row, label, details in pace_rows())
    return Pick("pace", about, tuple(choice for choice in choices if _is_possible(table, *choice.value)))


def _is_possible(table: Table, pace: str, firm: bool) -> bool:
    return firm or not pace or table.row.guild_id != NO_SERVER


def _bank(table: Table, seat: Seat, now: datetime) -> Text:
    """The bank of a seat, and its end if it runs."""
    pace, clock = pace_of(table.row), table.clocks.get(seat)
    assert pace is not None, "the table has a pace"
    if clock is not None and clock.user_id != table.row.holders[seat].user_id:
        clock = None
    bank = bank_left(clock, now) if clock is not None else pace.bank
    text = Text("{seat}: {hours} {hours:hour|hours} to spare", seat=seat, hours=bank // HOUR)
    if clock is None or not clock.runs or bank in (clock.bank, ZERO):
        return text
    return Text("{told}, now running until {time}", told=text, time=stamp(clock.until))
