"""Whole texts of boards: decisions with their deadlines, table events, and the end of a game."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.deadlines.time_limits import begin_turn, full_clock
from bot.posting.board_layouts import Body, board_layout
from bot.posting.board_texts import (
    changes_of_hands,
    counts_text,
    due_text,
    followers_text,
    others_text,
    predictions_text,
    rated_lines,
    stand_in_lines,
    table_events_of,
    won_text,
)
from bot.store.clocks import IDLE, SeatClock
from bot.store.matches import PastHolder, Status
from bot.store.predictions import Prediction
from bot.store.shard_range import NO_SERVER
from bot.store.table_events import TableEvent, TableEventKind
from bot.store.tally import Change, RecordKind
from bot.tables.paces import PACES
from bot.tables.people import escaped
from bot.tables.preferences import Preferences
from bot.tables.table import Table
from engine.core import Decision
from engine.languages import reading
from engine.texts import Seat, Text, format_text
from locales import language_of
from playground.components import Kind, walk
from tests.bot.whole import ANA, BEN, CARO, DAN, HOUR, NOW, holder, table_of, whole


def with_match(table: Table, *due: int, outcome: Any = None, accounts: dict[int, Text] | None = None) -> Table:
    """A table whose match asks these seats, or is over; the n-th entry is the n-th move."""
    question = Text("{seat} {seat:chooses|choose} a road.", seat=Seat(0))
    state = SimpleNamespace(
        decisions=lambda: tuple(Decision(Seat(seat), question, ()) for seat in due),
        account=lambda seat: (accounts or {}).get(seat),
    )
    table.match = SimpleNamespace(
        state=state, setup=table.setup, version=9, outcome=outcome, moves_before=lambda version: version - 1
    )
    return table


def clock(hours: float, **changes: Any) -> SeatClock:
    fresh = full_clock(1, Seat(0), ANA, NOW, PACES["daily"])
    return replace(begin_turn(fresh, 3, Preferences(), NOW - hours * HOUR), **changes)


def at(hours: float, style: str = "f") -> str:
    return f"<t:{int((NOW + hours * HOUR).timestamp())}:{style}>"


ASKED = "🔴 <@71>: 🔴 Ana chooses a road."


@pytest.mark.parametrize(
    ("seat_clock", "deadline"),
    [
        (None, ""),
        (clock(1), f"\n-# ⏳ {at(23, 'R')}, at the latest {at(71, 'R')}"),
        (clock(1, bank=0 * HOUR, until=NOW + 23 * HOUR), f"\n-# ⏳ {at(23, 'R')}"),
        (clock(1, turn_until=None), f"\n-# ⏳ {at(71, 'R')}"),
        (clock(72, out=NOW), "\n-# ⏳ the time for this is up"),
        (clock(1, version=IDLE), ""),
        (clock(1, user_id=DAN), ""),  # the player before
    ],
)
def test_a_board_says_who_is_asked_and_until_when(seat_clock: SeatClock | None, deadline: str) -> None:
    clocks = {Seat(0): seat_clock} if seat_clock else {}
    table = with_match(table_of(ANA, 0, BEN, runs=True, facts={"clocks": clocks}), 0, 1)
    assert ASKED + deadline == table.say(due_text(table)), "nobody waits for the computer"


def test_a_board_has_the_clocks_that_it_starts() -> None:
    table = with_match(table_of(ANA, BEN, runs=True, facts={"clocks": {Seat(0): clock(1)}}), 0)
    assert f"⏳ {at(24, 'R')}" in table.say(due_text(table, [clock(0)]))
    assert "⏳" not in table.say(due_text(table, [clock(0, version=IDLE)])), "it stops the clock"


def test_a_first_board_names_those_who_are_not_asked() -> None:
    table = with_match(table_of(ANA, 0, BEN, runs=True), 0)
    assert ["-# Also at the table: 🟨 <@72>"] == [*map(table.say, others_text(table))]
    assert [] == others_text(with_match(table, 0, 2))


BODY = Body("Toll", "a.png", "a picture", "It happened.", (0,), "Ana chooses.", mark="m1")
YOUR_MOVE, REMATCH, MORE = "[Your move turn]", "[Rematch rematch]", "[More boardmore m1]"
HAPPENED, CHOOSES = "It happened.", "Ana chooses."
NO_PICTURE = "-# Discord didn’t accept the picture. `/game board` shows it."


@pytest.mark.parametrize(
    ("game", "body", "words", "asked", "controls"),
    [
        ("toll", {}, [HAPPENED], [CHOOSES], [YOUR_MOVE, MORE]),
        ("lay", {"story": ""}, [], [CHOOSES], [YOUR_MOVE, "[My hand hand]", MORE]),
        ("toll", {"due": (), "filename": ""}, ["### Toll", NO_PICTURE, HAPPENED], [CHOOSES], [REMATCH, MORE]),
        (
            "toll",
            {"due": (), "has_story": True},
            [HAPPENED],
            [CHOOSES],
            [REMATCH, "[Story story 0]", MORE],
        ),
    ],
)
def test_a_board_has_the_controls_of_its_position(
    game: str, body: dict[str, Any], words: list[str], asked: list[str], controls: list[str]
) -> None:
    table, content = table_of(ANA, 0, game=game, runs=True), replace(BODY, **body)
    assert [*words, *asked, *controls] == whole(board_layout(table, content, controls=True))
    assert words == whole(board_layout(table, content, controls=False))


def test_your_move_is_colored_only_while_a_person_is_asked() -> None:
    table = table_of(ANA, 0, runs=True)
    pages = [board_layout(table, replace(BODY, due=due), controls=True) for due in ((0,), (1,), (1, 0))]
    buttons = [next(part for _, part in walk(page.to_components()) if part["type"] == Kind.BUTTON) for page in pages]
    assert [1, 2, 1] == [button["style"] for button in buttons]


KINDS = {
    TableEventKind.CLOSED: "<@71> called the game off: “\\*late\\*”",
    TableEventKind.UNSTUCK: "<@71>, a moderator, unstuck the game",
    TableEventKind.REPLACED: "<@71>, a moderator, gave 🟦 Blue’s seat to a computer",
    TableEventKind.ANSWERED: "<@71> turned on auto-answers",
    TableEventKind.ASKED: "<@71> turned off auto-answers",
    TableEventKind.PACED: "<@71> set the pace",
    TableEventKind.LATE: "<@71>’s time was up",
    TableEventKind.WAITED: "the table keeps waiting for <@71>",
    TableEventKind.STOOD_IN: "a computer plays this turn for <@71>",
    TableEventKind.HELD: "a computer takes over <@71>’s seat",
    TableEventKind.LAPSED: "a computer takes over <@71>’s seat",
    TableEventKind.INVITED: "a substitute for <@71> is invited",
    TableEventKind.RETURNED: "<@71> is back",
    TableEventKind.CONCEDED: "<@71> forfeited the rated result and plays on",
    TableEventKind.CAST: "<@71> chose Merchant as the computer for 🟦",
}


def event(kind: TableEventKind, version: int = 5, user_id: int | None = ANA) -> TableEvent:
    words = {TableEventKind.CLOSED: "*late*", TableEventKind.CAST: "fair"}.get(kind, "")
    return TableEvent(kind, version, NOW, Seat(1), user_id, words)


@pytest.mark.parametrize("kind", TableEventKind)
def test_the_log_says_after_which_move_what_happened_around_the_game(kind: TableEventKind) -> None:
    table = with_match(table_of(ANA, BEN, runs=True), 0)
    (line,) = table_events_of(table, [event(kind)], ANA)
    assert f"-# after move 4: {KINDS[kind]}" == table.say(line)
    (first,) = table_events_of(table, [event(kind, 1)], ANA)
    assert f"-# before the first move: {KINDS[kind]}" == table.say(first)


def test_the_log_tells_of_auto_answers_when_the_game_is_over_and_of_the_last_events_alone() -> None:
    running, over = with_match(table_of(ANA, BEN, runs=True), 0), with_match(table_of(ANA, BEN, status=Status.ENDED), 0)
    events = [event(TableEventKind.ANSWERED), event(TableEventKind.ASKED), event(TableEventKind.PACED)]
    readers = (running, ANA), (running, BEN), (over, BEN)
    assert [3, 1, 3] == [len(table_events_of(table, events, reader)) for table, reader in readers]
    many = table_events_of(running, [event(TableEventKind.PACED, version) for version in range(1, 12)], BEN)
    assert [f"-# after move {n}: <@71> set the pace" for n in range(3, 11)] == [*map(running.say, many)]
    (deleted,) = table_events_of(over, [replace(event(TableEventKind.CLOSED, user_id=None), words="")], ANA)
    assert "-# after move 4: its channel was deleted" == over.say(deleted)


def past(seat: int, user_id: int, until: int, **columns: Any) -> PastHolder:
    return PastHolder(Seat(seat), holder(user_id, **columns), until)


@pytest.mark.parametrize(
    ("before", "lines"),
    [
        ((), []),
        ((past(1, CARO, 4),), ["-# 🟦 Caro until move 3, then Ben"]),
        ((past(1, BEN, 4), past(1, 0, 6)), ["-# 🟦 Ben until move 3, then the computer until move 5, then Ben"]),
        ((past(1, BEN, 4),), []),  # gone and back at once
        (
            (past(2, DAN, 7), past(1, CARO, 4, name="")),
            ["-# 🟦 somebody until move 3, then Ben", "-# 🟨 Dan until move 6, then the computer"],
        ),
        (
            (past(1, CARO, 2), past(1, DAN, 3), past(1, ANA, 4), past(1, 0, 5)),
            ["-# 🟦 Dan until move 2, then Ana until move 3, then the computer until move 4, then Ben"],
        ),
    ],
)
def test_the_log_says_who_played_a_seat_until_when(before: tuple[PastHolder, ...], lines: list[str]) -> None:
    table = with_match(table_of(ANA, BEN, 0, runs=True, past_holders=before), 0)
    assert lines == [*map(table.say, changes_of_hands(table))]


def test_the_log_says_for_whom_a_computer_played_turns() -> None:
    clocks = {
        Seat(0): clock(0, lost=2),
        Seat(1): clock(0, seat=Seat(1), user_id=BEN, lost=0),
        Seat(2): clock(0, seat=Seat(2), user_id=DAN, lost=3),
    }
    table = with_match(table_of(ANA, BEN, CARO, runs=True, facts={"clocks": clocks}), 0)
    assert ["-# 🔴 a computer played 2 turns for Ana"] == [*map(table.say, stand_in_lines(table))]


@pytest.mark.parametrize(
    ("columns", "people", "line"),
    [
        ({}, (ANA, BEN), ["-# Rated"]),
        ({"rated": False}, (ANA, BEN), ["-# Not rated"]),
        ({}, (ANA, 0), []),
        ({"guild_id": NO_SERVER}, (ANA, BEN), []),
    ],
)
def test_a_board_says_whether_the_game_counts(
    columns: dict[str, Any], people: tuple[int, ...], line: list[str]
) -> None:
    assert line == [*map(str, counts_text(table_of(*people, runs=True, **columns)))]


def rated_player(user_id: int, points: int, *, is_placed: bool = True) -> Change:
    rating = SimpleNamespace(points=1500, margin=80)
    return SimpleNamespace(user_id=user_id, rating=rating, points=points, matches=3, is_placed=is_placed)


def test_a_rating_has_the_mark_of_the_seat_that_its_player_left_last() -> None:
    before = past(1, BEN, 4), past(2, BEN, 6)
    table = with_match(table_of(ANA, 0, CARO, runs=True, past_holders=before), 0)
    table.changes = (rated_player(BEN, -7),)
    assert ["-# Rating: 🟨 1,500 ± 80 (−7)"] == [*map(table.say, rated_lines(table))]


@pytest.mark.parametrize(("names", "named"), [(("", "Ben"), " Ben"), (("", ""), "")])
def test_a_rating_without_a_list_of_players_has_the_name_of_its_player(names: tuple[str, str], named: str) -> None:
    before = tuple(past(seat, BEN, 4 + seat, name=name) for seat, name in enumerate(names, 1))
    table = with_match(table_of(ANA, 0, CARO, runs=True, past_holders=before), 0)
    table.changes = (rated_player(BEN, -7),)
    assert [f"-# Rating: 🟨{named} 1,500 ± 80 (−7)"] == [*map(table.say, rated_lines(table, named=True))]


def test_the_end_says_what_the_game_did_to_ratings_and_which_records_it_set() -> None:
    table = with_match(table_of(ANA, 0, CARO, runs=True, past_holders=(past(1, BEN, 4),)), 0)
    table.changes = (rated_player(ANA, 12), rated_player(BEN, -7), rated_player(CARO, 1, is_placed=False))
    table.records = tuple(
        SimpleNamespace(kind=kind, user_id=user_id, figure=figure)
        for kind, user_id, figure in (
            (RecordKind.POINTS, CARO, 40),
            (RecordKind.POINTS, 0, 1),
            (RecordKind.CLOSEST, 0, 2),
            (RecordKind.COMEBACK, ANA, 5),
            (RecordKind.ACCURATE, ANA, 97),
            (RecordKind.LONGEST, 0, 120),
        )
    )
    record = "-# New record in this server: "
    assert [
        "-# Rating: 🔴 1,500 ± 80 (+12) · 🟦 1,500 ± 80 (−7) · 🟨 placement game 3 of 5",
        f"{record}🟨 40 points",
        f"{record}1 point",
        f"{record}the closest finish, by 2 points",
        f"{record}a win from a 5% chance",
        f"{record}an accuracy of 97",
        f"{record}the longest game, with 120 moves",
    ] == [*map(table.say, rated_lines(table))]
    named = "-# Rating: 🔴 Ana 1,500 ± 80 (+12) · 🟦 Ben 1,500 ± 80 (−7) · 🟨 Caro placement game 3 of 5"
    assert named == table.say(rated_lines(table, named=True)[0]), "for a message without the final board"


def test_the_end_ranks_the_seats_and_equal_ones_share_a_place() -> None:
    outcome = SimpleNamespace(
        returns=(0.0, 1.0, 0.0), scores=(5, 4, 5), winners=(Seat(1),), summary=Text("The road is over.")
    )
    facts = {"clocks": {Seat(0): clock(0, lost=1)}}
    players = table_of(ANA, BEN, 0, rated=False, runs=True, past_holders=(past(2, CARO, 4),), facts=facts)
    table = with_match(players, outcome=outcome, accounts={1: Text("all of it")})
    assert [
        "## 🟦 Ben wins!",
        "🥇 🟦 <@72> · 4: all of it",
        "🥈 🔴 <@71> · 5",
        "🥈 **🟨 Tumbleweed** · 5",
        "-# The road is over.",
        "-# 🟨 Caro until move 3, then the computer",
        "-# 🔴 a computer played 1 turn for Ana",
        "-# Not rated",
    ] == table.say(due_text(table)).splitlines()
    shared = SimpleNamespace(**{**vars(outcome), "winners": (Seat(0), Seat(2))})
    assert "## 🔴 Ana and 🟨 Tumbleweed win!" == table.say(due_text(with_match(table, outcome=shared))).splitlines()[0]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", ["You win!", "Ben wins!", "You and Caro win!"]),
        ("de", ["Du hast gewonnen!", "Ben gewinnt!", "Sieg für dich und Caro!"]),
        ("es", ["¡Has ganado!", "¡Gana Ben!", "¡Victoria compartida entre tú y Caro!"]),
        ("fr", ["Tu as gagné\u202f!", "Victoire pour Ben\u202f!", "Victoire pour toi et Caro\u202f!"]),
        ("it", ["Hai vinto!", "Vince Ben!", "Vittoria per te e Caro!"]),
    ],
)
def test_the_winners_are_named_in_good_grammar_even_if_the_reader_is_among_them(code: str, words: list[str]) -> None:
    def won(*winners: Seat) -> str:
        outcome: Any = SimpleNamespace(winners=winners)
        with reading(language_of(code)):
            return format_text(won_text(outcome), ("Ana", "Ben", "Caro"), Seat(0))

    assert words == [won(Seat(0)), won(Seat(1)), won(Seat(0), Seat(2))]


def test_the_end_calls_the_followers_and_names_the_first_who_saw_it_coming() -> None:
    predictions = {
        n: Prediction(Seat(1), version, NOW + hours * HOUR, f"**P{n}**")
        for n, version, hours in ((1, 6, 0), (2, 4, 2), (3, 4, 1), (4, 8, 0))
    }
    facts = {"followers": frozenset({DAN, CARO}), "predictions": predictions}
    table = with_match(table_of(ANA, BEN, runs=True, facts=facts), 0)
    assert "-# Followers: <@73> <@74>" == table.say(followers_text(table))
    people = ", ".join(f"{escaped(f'**P{n}**')} (before move {move})" for n, move in ((3, 4), (2, 4), (1, 6)))
    assert [f"-# 🔮 Saw it coming: {people}"] == [*map(table.say, predictions_text(table))], "without Markdown"
    assert [] == predictions_text(with_match(table_of(ANA, runs=False)))
