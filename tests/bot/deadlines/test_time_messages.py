"""Whole messages about a player’s time: names, consequences, deadlines, and the fields of buttons."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.deadlines.pace_and_vote_layouts import late_layout, vote_reminder_layout, warning_layout
from bot.features.deadlines.pace_and_votes import pace_layout
from bot.features.deadlines.sending import MAX_NAMED_GAMES, reminder_layout
from bot.features.deadlines.time_limits import begin_turn, full_clock
from bot.features.deadlines.votes import tally
from bot.features.deadlines.waiting import Waiting, waiting_at
from bot.store.boards import Board
from bot.store.clocks import IDLE, SeatClock, Verdict
from bot.store.jobs import NOBODY
from bot.store.matches import Status
from bot.store.shard_range import NO_SERVER
from bot.tables.paces import PACES
from bot.tables.preferences import Preferences
from bot.tables.table import Table
from engine.core import Decision
from engine.texts import Seat, Text
from tests.bot.whole import ANA, BEN, CARO, DAN, HOUR, NOW, table_of, whole

DAILY = PACES["daily"]
BOARD = Board(3, 99, {})


def clock(seat: int, user_id: int, hours: float, **changes: Any) -> SeatClock:
    """A clock that has run for some hours."""
    fresh = full_clock(1, Seat(seat), user_id, NOW, DAILY)
    return replace(begin_turn(fresh, 3, Preferences(), NOW - hours * HOUR), **changes)


def paced_table(*user_ids: int, clocks: tuple[SeatClock, ...] = (), **columns: Any) -> Table:
    """A running game with a daily pace in which Ana decides."""
    facts = {"board": BOARD, "clocks": {clock.seat: clock for clock in clocks}}
    table = table_of(*user_ids, runs=True, facts=facts, **{"pace": "daily", **columns})
    question = Decision(Seat(0), Text("{seat} {seat:chooses|choose} a road.", seat=Seat(0)), ())
    state = SimpleNamespace(decisions=lambda: (question,))
    table.match = SimpleNamespace(state=state, setup=table.setup, version=3, outcome=None, decision_version=lambda _: 3)
    return table


def at(hours: float, style: str) -> str:
    return f"<t:{int((NOW + hours * HOUR).timestamp())}:{style}>"


@pytest.mark.parametrize(
    ("seat_clock", "line"),
    [
        (None, "48 hours to spare"),
        (clock(0, ANA, 0), "48 hours to spare"),
        (clock(0, ANA, 24), "48 hours to spare"),
        (clock(0, ANA, 34.5), f"37 hours to spare, now running until {at(37.5, 'f')}"),
        (clock(0, ANA, 71.5), f"0 hours to spare, now running until {at(0.5, 'f')}"),
        (clock(0, ANA, 73), "0 hours to spare"),
        (clock(0, ANA, 34.5, version=IDLE), "48 hours to spare"),
        (clock(0, ANA, 0, version=IDLE, bank=37.5 * HOUR), "37 hours to spare"),
        (clock(0, DAN, 34.5), "48 hours to spare"),  # the player before
    ],
)
def test_the_page_of_a_pace_says_how_much_time_each_player_has_to_spare(
    seat_clock: SeatClock | None, line: str
) -> None:
    table = paced_table(ANA, 0, BEN, clocks=(seat_clock,) if seat_clock else ())
    assert [
        "### The pace of Toll",
        "Daily: 24 hours per turn plus 2 days to spare; after that, the others decide.",
        f"🔴 Ana: {line}",
        "🟨 Ben: 48 hours to spare",
        "-# Quiet hours and days away, from `/me settings`, stop your clock, for up to 7 days a turn. Each turn that "
        "you finish in time adds a little to your time to spare.",
    ] == whole(pace_layout(table, NOW, may_choose=False))


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"pace": ""}, ["No time limit."]),
        ({"pace": "daily", "firm": True}, ["Daily: 24 hours per turn plus 2 days to spare; after that, a computer"]),
    ],
)
def test_before_the_game_the_page_has_the_pace_alone_and_for_the_host_a_menu(
    columns: dict[str, Any], words: list[str]
) -> None:
    table = table_of(ANA, BEN, **columns)
    lines = whole(pace_layout(table, NOW, may_choose=False))
    assert lines[0] == "### The pace of Toll"
    assert [line[: len(words[0])] for line in lines[1:2]] == words
    assert ["-# Quiet"] * (columns["pace"] != "") == [line[:8] for line in lines[2:]]
    menu = whole(pace_layout(table, NOW, may_choose=True))[len(lines) :]
    assert [menu[0][:10], menu[1]] == ["**Pace** –"[:10], ": pace"]
    row = {"": "none", "daily": "daily-firm"}[columns["pace"]]
    assert [f"  *{row} "] == [line[: len(row) + 4] for line in menu if line.startswith("  *")]
    assert len(menu) == 9


def test_in_direct_messages_no_pace_has_a_vote_of_other_players() -> None:
    lines = whole(pace_layout(table_of(ANA, 0, guild_id=NO_SERVER), NOW, may_choose=True))
    rows = [line.strip(" *").split()[0] for line in lines if line.startswith("  ")]
    assert ["none", "relaxed-firm", "daily-firm", "brisk-firm"] == rows


@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize("firm", [False, True])
def test_a_warning_says_what_waits_until_when_and_what_happens_then(direct: bool, firm: bool) -> None:
    table = paced_table(ANA, BEN, CARO, firm=firm)
    then = "a computer plays this turn" if firm else "the others decide whether to keep waiting"
    assert [
        f"⏳ {'Your' if direct else '<@71>, your'} deadline for this turn: {at(6, 'R')}.",
        f"**Toll**: {'You choose' if direct else '🔴 Ana chooses'} a road.",
        f"-# After that, {then}. [Go to board](https://discord.com/channels/8/9/99)",
    ] == whole(warning_layout(table, clock(0, ANA, 66), None, direct=direct))


@pytest.mark.parametrize(("strikes", "loses_seat"), [(1, False), (2, True)])
def test_the_warning_before_the_third_late_turn_of_a_firm_pace_says_that_the_seat_is_lost_and_the_cost(
    strikes: int, loses_seat: bool
) -> None:
    late, cost = clock(0, ANA, 66, strikes=strikes), Text("It costs you something.") if loses_seat else None
    *_, last = lines = whole(warning_layout(paced_table(ANA, BEN, CARO, firm=True), late, cost, direct=True))
    takes_over = "a computer takes over your seat, since this would be your third late turn in a row."
    assert last.startswith(f"-# After that, {takes_over if loses_seat else 'a computer plays this turn.'} [Go")
    assert loses_seat == ("⚠️ It costs you something." in lines)


OUT = {"out": NOW, "vote_ends": NOW + 12 * HOUR, "reminds_at": NOW + 6 * HOUR, "message_id": 55, "number": 4}
OTHERS = "🟦 <@72> and 🟨 <@73> decide: 2 votes are enough."
LOSES = "-# ⚠️ If a computer takes over while <@71> is behind, the game counts as lost for them."
NONE_YET = f"-# End of the vote: {at(12, 'R')}; if nobody votes, a computer plays this turn."


@pytest.mark.parametrize(
    ("votes", "voters", "deciding", "end"),
    [
        ({}, {}, OTHERS, NONE_YET),
        (
            {BEN: "hold"},
            {"hold": "🟦 Ben"},
            OTHERS,
            f"-# End of the vote: {at(12, 'R')}; **Let a computer take over** leads.",
        ),
        (
            {CARO: "wait", BEN: "play"},
            {"wait": "🟨 Caro", "play": "🟦 Ben"},
            "Everyone has voted. You can still change your vote: 2 votes are enough.",
            f"-# End of the vote: {at(12, 'R')}; if it is still tied, a computer plays this turn.",
        ),
        ({DAN: "hold", ANA: "wait"}, {}, OTHERS, NONE_YET),  # the previous player, and the late one
    ],
)
def test_a_vote_says_what_each_choice_means_who_chose_it_and_how_it_ends(
    votes: dict[int, str], voters: dict[str, str], deciding: str, end: str
) -> None:
    table, late = paced_table(ANA, BEN, CARO), clock(0, ANA, 72, **OUT, votes=votes)
    choices = {
        "wait": "• **Keep waiting** – 24 hours more for this turn",
        "play": "• **Let a computer play this turn** – the next turn is theirs again",
        "hold": "• **Let a computer take over** – until they’re back",
        "invite": "• **Invite a substitute** – a computer takes over until somebody else does",
    }
    assert [
        "⏳ **Toll**: <@71>’s time for this turn is up. What should happen?",
        *(line + (f": {voters[choice]}" if choice in voters else "") for choice, line in choices.items()),
        LOSES,
        f"-# {deciding} A move by <@71> ends the vote.",
        end,
        "[Keep waiting vote 4 0 wait]",
        "[Let a computer play this turn vote 4 0 play]",
        "[Let a computer take over vote 4 0 hold]",
        "[Invite a substitute vote 4 0 invite]",
    ] == whole(late_layout(table, late))


@pytest.mark.parametrize(
    ("columns", "counts"),
    [
        ({}, True),
        ({"rated": False}, False),
        ({"rated": False, "host_id": NOBODY}, True),
        ({"guild_id": NO_SERVER}, False),
    ],
)
def test_a_vote_says_what_a_player_behind_loses_in_games_that_count(columns: dict[str, Any], counts: bool) -> None:
    table, late = paced_table(ANA, BEN, CARO, **columns), clock(0, ANA, 72, **OUT)
    assert counts == (LOSES in whole(late_layout(table, late)))


PLAYS = "⏳ <@71>’s time was up: a computer plays this turn. The seat stays theirs."
HOLDS = "⏳ <@71>’s time was up: a computer takes over the seat."


@pytest.mark.parametrize(
    ("verdict", "votes", "lines"),
    [
        (Verdict.WAIT, {BEN: "wait"}, ["⏳ The table keeps waiting for <@71>: 24 hours more for this turn."]),
        (Verdict.PLAY, {}, [PLAYS, "-# Nobody voted in time."]),
        (Verdict.PLAY, {BEN: "hold", CARO: "wait"}, [PLAYS, "-# The vote was a tie."]),
        (Verdict.PLAY, {BEN: "play"}, [PLAYS]),
        (Verdict.HOLD, {}, [HOLDS, "-# <@71>, you can have it back at any time.", "[I’m back back]"]),
        (
            Verdict.INVITE,
            {},
            [HOLDS, "-# <@71>, you can have it back at any time, unless somebody has taken it.", "[I’m back back]"],
        ),
        (Verdict.ENDED, {}, ["⏳ Toll has moved on: there’s nothing left to decide about <@71>."]),
    ],
)
def test_the_result_of_a_vote_says_what_happens_and_how_the_seat_comes_back(
    verdict: Verdict, votes: dict[int, str], lines: list[str]
) -> None:
    late = clock(0, ANA, 72, **OUT, votes=votes, verdict=verdict)
    assert lines == whole(late_layout(paced_table(ANA, BEN, CARO), late))


def test_a_firm_pace_has_no_vote_and_speaks_of_none() -> None:
    late = clock(0, ANA, 72, out=NOW, verdict=Verdict.PLAY)
    assert [PLAYS] == whole(late_layout(paced_table(ANA, BEN, CARO, firm=True), late))


def test_a_reminder_of_a_vote_names_those_without_a_vote_and_leads_to_it() -> None:
    late = clock(0, ANA, 72, **OUT)
    assert [
        "⏳ <@72> and <@73>, you haven’t voted yet: what should happen to <@71>’s turn?",
        f"-# **Toll** · {NONE_YET[3:]} [Go to vote](https://discord.com/channels/8/9/55)",
    ] == whole(vote_reminder_layout(paced_table(ANA, BEN, CARO), late, [BEN, CARO]))


@pytest.mark.parametrize(
    ("votes", "others", "enough", "verdict", "leading"),
    [
        ({}, {}, 2, None, None),
        ({BEN: "hold"}, {}, 2, None, Verdict.HOLD),
        ({BEN: "hold", CARO: "hold"}, {}, 2, Verdict.HOLD, Verdict.HOLD),
        ({BEN: "hold", CARO: "wait"}, {}, 2, None, None),
        ({BEN: "hold"}, {"out": NOW}, 1, Verdict.HOLD, Verdict.HOLD),
        ({BEN: "hold"}, {"strikes": 1}, 1, Verdict.HOLD, Verdict.HOLD),
        ({BEN: "hold"}, {"user_id": DAN, "strikes": 1}, 2, None, Verdict.HOLD),
        ({BEN: "hold", CARO: "wait"}, {"out": NOW}, 2, None, None),
    ],
)
def test_a_majority_is_of_those_who_have_voted_or_are_in_time(
    votes: dict[int, str], others: dict[str, Any], enough: int, verdict: Verdict | None, leading: Verdict | None
) -> None:
    """The voters are Ben and Caro; `others` is the state of Caro’s clock."""
    late = clock(0, ANA, 72, **OUT, votes=votes)
    count = tally(paced_table(ANA, BEN, CARO, clocks=(late, replace(clock(2, CARO, 1), **others))), late)
    assert (enough, verdict, leading) == (count.enough, count.verdict, count.leading)
    assert tuple(Seat(n) for n, user_id in ((1, BEN), (2, CARO)) if user_id not in votes) == count.open


def test_in_a_direct_message_nobody_can_be_invited() -> None:
    page = whole(late_layout(paced_table(ANA, BEN, guild_id=NO_SERVER), clock(0, ANA, 72, **OUT)))
    assert ["0 wait]", "0 play]", "0 hold]"] == [line.partition(" vote 4 ")[2] for line in page if line[0] == "["]


def ana_decides(n: int, **changes: Any) -> Waiting:
    """The decision of Ana in a game in channel n."""
    table = paced_table(ANA, BEN, CARO, id=n, channel_id=n)
    return replace(waiting_at(table, ANA), **changes)


SNOOZES = ["[Snooze 1 h snooze hour 71]", "[This evening snooze evening 71]", "[Tomorrow snooze tomorrow 71]"]
LAST = "-# This is my last reminder about this game. Reminders start again after the next move."


def reminder_lines(n: int, *, direct: bool) -> list[str]:
    return [
        f"**Toll**: {'You choose' if direct else '🔴 Ana chooses'} a road.",
        f"-# asked <t:1800000000:R> · [Go to board](https://discord.com/channels/8/{n}/99)",
    ]


@pytest.mark.parametrize("direct", [False, True])
def test_a_reminder_lists_what_waits_since_when_and_can_be_put_off(direct: bool) -> None:
    lines_of_one, dues = (
        whole(reminder_layout(ANA, [(ana_decides(9), NOW)], direct=direct)),
        [(ana_decides(9), NOW), (ana_decides(10), NOW)],
    )
    heading = "⏰ A game is waiting for you." if direct else "⏰ <@71>, a game is waiting for you."
    assert [heading, *reminder_lines(9, direct=direct), *SNOOZES] == lines_of_one
    heading = "⏰ Games are waiting for you." if direct else "⏰ <@71>, games are waiting for you."
    lines = whole(reminder_layout(ANA, dues, direct=direct))
    assert [heading, *reminder_lines(9, direct=direct), *reminder_lines(10, direct=direct), *SNOOZES] == lines


def test_a_last_reminder_says_so_and_offers_to_end_the_game() -> None:
    last, heading = ana_decides(9, is_last=True), "⏰ <@71>, a game is waiting for you."
    lines = [heading, *reminder_lines(9, direct=False), LAST, "[End Toll asleep]"]
    assert lines == whole(reminder_layout(ANA, [(last, NOW)], direct=False))
    both = whole(reminder_layout(ANA, [(last, NOW), (ana_decides(10), NOW)], direct=False))
    assert [*SNOOZES, "[End Toll asleep]"] == both[-4:]
    assert 1 == both.count(LAST)
    many = whole(reminder_layout(ANA, [(last, NOW)] * (MAX_NAMED_GAMES + 1), direct=False))
    assert [MAX_NAMED_GAMES] * 2 == [sum(text in line for line in many) for text in ("[End Toll", "Go to board")]


@pytest.mark.parametrize(("games", "more"), [(8, []), (9, ["-# … and 1 more"]), (11, ["-# … and 3 more"])])
def test_a_reminder_names_eight_games_and_counts_the_others(games: int, more: list[str]) -> None:
    lines = whole(reminder_layout(ANA, [(ana_decides(n), NOW) for n in range(games)], direct=False))
    assert (8, more) == (sum("**Toll**" in line for line in lines), lines[17:-3])


@pytest.mark.parametrize(
    ("columns", "seat_clock", "user_id", "expected"),
    [
        ({}, None, ANA, (False, True)),
        ({}, clock(0, ANA, 1), ANA, (False, True)),
        ({}, clock(0, ANA, 72, out=NOW), ANA, (True, True)),
        ({}, clock(0, ANA, 72, out=NOW, verdict=Verdict.PLAY), ANA, (False, True)),
        ({}, clock(0, DAN, 72, out=NOW), ANA, (False, True)),
        ({"pace": ""}, None, ANA, (False, False)),
        ({}, None, BEN, None),
        ({}, None, DAN, None),
        ({"status": Status.ENDED}, None, ANA, None),
    ],
)
def test_a_decision_waits_for_its_player_and_is_told_from_a_vote_about_them(
    columns: dict[str, Any], seat_clock: SeatClock | None, user_id: int, expected: tuple[bool, bool] | None
) -> None:
    """Whether a vote about it goes on, and whether a clock runs for it."""
    decision = waiting_at(paced_table(ANA, BEN, CARO, clocks=(seat_clock,) if seat_clock else (), **columns), user_id)
    assert expected == (None if decision is None else (decision.in_vote, decision.is_timed))
