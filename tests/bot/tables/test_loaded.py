"""State of a match in memory only: the boards of which it is unknown whether Discord has them."""

from __future__ import annotations

import pytest

from bot.errors import UserError
from bot.store.matches import SeatHolder, Status
from bot.tables.table import Table
from tests.bot.whole import ANA, BEN, NOW, table_of


def table_with_boards(*marks: str) -> Table:
    """A table whose boards with these marks came to wait one after the other, each with an uncertain delivery."""
    table = table_of(ANA, BEN, runs=True)
    for mark in marks:
        table.change_to(table.facts.expect_board(mark, NOW), None)
        table.may_be_posted(mark)
    return table


def test_the_oldest_board_in_doubt_is_the_one_to_look_for() -> None:
    table = table_with_boards("1-a", "2-b", "3-c")
    assert ("3-c", True, "1-a") == (table.waiting, table.in_doubt, table.superseded)


def test_a_newer_board_is_not_in_doubt_before_it_is_sent() -> None:
    table = table_with_boards("1-a")
    table.change_to(table.facts.expect_board("2-b", NOW), None)
    assert (False, "1-a") == (table.in_doubt, table.superseded)


def test_a_change_without_a_board_keeps_the_doubt() -> None:
    table = table_with_boards("1-a")
    table.change_to(table.facts.set_lobby_message(9), None)
    assert (True, None) == (table.in_doubt, table.superseded)


def test_a_board_that_no_longer_waits_may_have_been_posted_as_well() -> None:
    table = table_with_boards("1-a")
    table.may_be_posted("0-z")
    assert (True, "0-z") == (table.in_doubt, table.superseded)


@pytest.mark.parametrize(
    ("status", "problem"),
    [
        (Status.LOBBY, "The game hasn’t started yet. Tap **Start** when everyone is here."),
        (Status.CLOSED, "This game was called off."),
    ],
)
def test_a_game_that_never_began_says_why_there_is_nothing_to_see(status: Status, problem: str) -> None:
    with pytest.raises(UserError) as refused:
        table_of(ANA, BEN, status=status).viewable_match()
    assert problem == str(refused.value.text)


def test_a_game_that_was_called_off_can_be_looked_at_but_not_played() -> None:
    table = table_of(ANA, BEN, runs=True, status=Status.ENDED)
    assert table.match is table.viewable_match()
    assert "This game was called off." == str(table.due_sentence())
    with pytest.raises(UserError, match="called off"):
        table.require_match()


def test_names_from_buttons_are_escaped_in_a_message() -> None:
    table = table_of(ANA, BEN, runs=True, holders=(SeatHolder(ANA, name="*Ana*"), SeatHolder(BEN, name="Ben")))
    assert "🔴 \\*Ana\\* asks 🟦 Ben" == table.in_message("🔴 *Ana* asks 🟦 Ben")


def test_a_lobby_is_set_up_for_as_many_people_as_the_game_allows() -> None:
    tables = [table_of(*people) for people in ((), (ANA, BEN), (ANA, BEN, 0), (ANA, BEN, 0, 0))]
    assert [2, 2, 3, 3] == [table.expected_seats for table in tables]
