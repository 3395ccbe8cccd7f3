"""The boards of a game one after the other, as Discord gets them: whole messages, mentions, and reminders."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.errors import UserError
from bot.interactions.parts import Layout
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.jobs import JobKind
from bot.store.matches import SeatHolder
from bot.tables.moves import NextStep
from bot.tables.table import Table
from engine.texts import Seat
from tests.bot.outcomes import choose, sent
from tests.bot.refusing import CHANNEL, GUEST, GUILD, HOST, House, refusal

FOLLOWER = 72
CALLS_BOTH = f"@{HOST} @{GUEST}"
ANA_IS_ASKED, BEN_IS_ASKED = "🔴 <@70>: Bid 0 to 3 coins.", "🟦 <@71>: Bid 0 to 3 coins."
BOTH_ARE_ASKED = "🔴 <@70> and 🟦 <@71>: Bid 0 to 3 coins."


async def bid(home: House, table: Table, user_id: int, coins: int) -> NextStep | None:
    """Let a user move, and let the boards of that be posted or edited."""
    match, seat = table.require_match(), table.require_seat(user_id)
    action = next(option for option in match.decision_of(seat).options if getattr(option, "coins", None) == coins)
    step = await home.services.moves.play(table, user_id, action, interaction_id=match.version, version=None)
    await home.services.poster.publish(table)
    await finish_posting(home)
    return step


def controls(mark: str) -> list[str]:
    return ["[Your move turn]", "[My hand hand]", f"[More boardmore {mark}]"]


def mark_of(table: Table) -> str:
    assert table.board is not None
    return str(table.board.body["mark"])


async def called_users(home: House, table: Table) -> dict[int, int]:
    """The users with a reminder, each with the version of the question that it is about."""
    jobs = await home.store.jobs.of_match(JobKind.REMINDER, table.id)
    return {job.user_id: job.state["version"] for job in jobs}


async def test_each_board_tells_what_happened_since_the_last_one_and_calls_those_newly_asked(home: House) -> None:
    table = await home.match()
    async with home.services.tables.changing(table) as change:
        change.facts = replace(table.facts, followers=frozenset({FOLLOWER}))
    await home.services.poster.post(table)
    first = [f"POST /channels/2/messages {CALLS_BOTH}", BOTH_ARE_ASKED]
    assert [[*first, *controls(mark_of(table))]] == sent(home)
    assert {HOST: 0, GUEST: 0} == await called_users(home, table)
    await bid(home, table, HOST, 3)
    others = "-# Also at the table: 🔴 <@70>"
    edited = ["PATCH /channels/2/messages/555", BEN_IS_ASKED, others]
    assert [[*edited, *controls(mark_of(table))]] == sent(home), "a secret bid is no news, so there is no new board"
    await bid(home, table, GUEST, 1)
    body = home.network.bodies[-1][1]
    assert "'description': 'a board'" in str(body["components"]), "for screen readers"
    assert ["a.png"] == [file["filename"] for file in body["attachments"]]
    ((head, story, *lines),) = sent(home)
    assert f"POST /channels/2/messages {CALLS_BOTH}" == head
    assert "The bids are 3 and 1" in story
    assert [BOTH_ARE_ASKED, *controls(mark_of(table))] == lines
    assert {HOST: 3, GUEST: 3} == await called_users(home, table)
    for coins in (2, 1):
        await bid(home, table, HOST, coins)
        await bid(home, table, GUEST, 0)
    *_, (head, *lines) = sent(home)
    assert f"POST /channels/2/messages {CALLS_BOTH} @{FOLLOWER}" == head
    pictures: Any = home.services.pictures
    drawings = [(view.viewer, view.ply, len(view.events), contrast) for view, contrast in pictures.drawings]
    assert {(None, False)} == {(viewer, contrast) for viewer, _, _, contrast in drawings}
    assert [(0, 0), (3, 1), (6, 1), (9, 1)] == [(ply, events) for _, ply, events, _ in drawings]
    assert "## 🔴 Ana wins!" == lines[0]
    ways = ["[Rematch rematch]", f"[More boardmore {mark_of(table)}]"]
    assert [f"-# Followers: <@{FOLLOWER}>", *ways] == lines[-3:]
    assert {} == await called_users(home, table)


@pytest.mark.parametrize("calls", [True, False])
async def test_a_board_mentions_people_without_a_ping_where_moderators_want_none(home: House, calls: bool) -> None:
    await choose(home, calls=calls)
    table = await home.match()
    answers: list[Any] = []

    async def answer(layout: Any, mentions: Any, files: Any) -> int:
        answers.append(([user.id for user in mentions.users or ()], [file.filename for file in files]))
        return 77

    await home.services.poster.post(table, answer)
    assert ([([HOST, GUEST] if calls else [], ["a.png"])], []) == (answers, sent(home))
    assert table.board is not None
    assert 77 == table.board.message_id
    await bid(home, table, HOST, 1)
    await bid(home, table, GUEST, 2)
    assert f"POST /channels/2/messages{f' {CALLS_BOTH}' if calls else ''}" == sent(home)[-1][0]


async def test_an_answer_that_came_too_late_is_followed_by_a_message(home: House) -> None:
    table = await home.match()

    async def too_late(*_: Any) -> None:
        return None

    await home.services.poster.post(table, too_late)
    assert f"POST /channels/2/messages {CALLS_BOTH}" == sent(home)[0][0]

    async def refused(*_: Any) -> int:
        raise refusal(404, 10062)

    await bid(home, table, HOST, 1)
    await home.services.moves.play(
        table, GUEST, table.require_match().decision_of(Seat(1)).options[0], interaction_id=6, version=None
    )
    home.network.bodies.clear()
    await home.services.poster.post(table, refused)
    search, (head, *_) = sent(home)
    assert (["GET /channels/2/messages"], f"POST /channels/2/messages {CALLS_BOTH}") == (search, head)

    async def unknown(*_: Any) -> int:
        raise TimeoutError

    await bid(home, table, HOST, 1)
    await home.services.moves.play(
        table, GUEST, table.require_match().decision_of(Seat(1)).options[0], interaction_id=8, version=None
    )
    home.network.bodies.clear()
    with pytest.raises(UserError):
        await home.services.poster.deliver(table, unknown)
    assert ([], True) == (sent(home), table.waiting is not None)


NOT_NOW = (
    "But Discord is not accepting the board at the moment. I’ll keep trying; `/game board` shows you the position."
)
CLOSED_TEXT = (
    "But I can’t post the board here: I need to see the channel, send messages and attach files. It will follow when "
    "I can; `/game board` shows you the position."
)
GONE_TEXT = (
    "But Discord says that this channel is gone. I’ll check again in a few hours: if it’s there, the board will "
    "follow; if it was deleted, the game ends and all players get a message from me."
)
OUTAGE_TEXT = (
    "But Discord has an outage in this server at the moment. Nothing is lost: the board will follow when it’s over."
)
DATABASE = "The board will follow as soon as my database works again; `/game board` shows you the position."


async def excuse(home: House, table: Table) -> str:
    with pytest.raises(UserError) as refused:
        await home.services.poster.deliver(table)
    assert table.waiting is not None
    return str(refused.value.text)


async def test_the_player_reads_why_the_board_is_missing(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await home.match()
    home.add_channel(CHANNEL)
    home.let_make_events()
    guild = home.services.channels.server(GUILD)
    assert guild is not None
    faults = [(refusal(503), NOT_NOW), (TimeoutError(), NOT_NOW), (refusal(400, 99999), NOT_NOW)]
    for error, text in (*faults, (refusal(404, 10003), GONE_TEXT), (refusal(403, 50013), CLOSED_TEXT)):
        home.network.fault = lambda error=error: error  # type: ignore[misc]
        assert text == await excuse(home, table), error
        assert error is home.services.poster.last_error(table.id)
    guild.owner_id = HOST
    missing = (await excuse(home, table)).splitlines()
    assert ("But I can’t post the board in <#2>. What is missing:", 6) == (missing[0], len(missing))
    assert "* **Send Messages**, to post boards and mention people: none of my roles has it." == missing[1]
    assert "The board will follow when I can; `/game board` shows you the position." == missing[-1]
    guild.unavailable = True
    assert OUTAGE_TEXT == await excuse(home, table)
    guild.unavailable, home.network.fault = False, None

    async def broken(*_: Any, **__: Any) -> None:
        raise DatabaseUnavailable(FailureKind.FULL, "full")

    monkeypatch.setattr(home.services.poster, "_note_posted", broken)
    assert DATABASE == await excuse(home, table)
    monkeypatch.undo()
    await home.services.poster.deliver(table)
    assert home.services.poster.last_error(table.id) is None


async def test_a_change_of_people_redraws_the_newest_board_in_place(home: House) -> None:
    table = await home.posted()
    await home.services.seats.resign(table, GUEST)
    assert table.board is not None
    table.facts = table.facts.set_board(replace(table.board, body={**table.board.body, "alt": "the board before"}))
    home.network.bodies.clear()
    home.services.poster.show_people(table)
    await finish_posting(home)
    ((_, body),) = home.network.bodies
    assert [{"id": 0, "filename": "a.png", "description": "a board"}] == body["attachments"]
    assert [["PATCH /channels/2/messages/555", ANA_IS_ASKED, *controls(mark_of(table))]] == sent(home)
    assert table.board is not None
    assert (ANA_IS_ASKED, "a board") == (table.board.body["due_text"], table.board.body["alt"])
    async with home.services.tables.changing(table) as change:
        change.facts = table.facts.set_board(None)
    home.services.poster.show_people(table)
    await finish_posting(home)
    assert [] == sent(home)


async def test_the_due_players_are_not_updated_on_a_board_that_a_newer_one_is_to_follow(home: House) -> None:
    table, poster = await home.posted(), home.services.poster
    sent(home)
    for waiting in (False, True):
        if waiting:
            table.facts = table.facts.expect_board("9-abcd", home.clock.now())
        poster.update_due(table)
        await finish_posting(home)
        poster.show_people(table)
        await finish_posting(home)
        edits = [] if waiting else ["PATCH /channels/2/messages/555"] * 2
        assert edits == [head for head, *_ in sent(home)]


async def finish_posting(home: House) -> None:
    """Wait for the work of the poster in the background."""
    while under_way := home.services.poster._under_way:
        # not `await` of a task: one that is done would not let the loop go on, which takes it from the set
        await asyncio.wait(under_way)


async def test_the_button_of_a_story_stays_on_its_board_when_that_is_drawn_again(home: House) -> None:
    table, poster = await home.match(), home.services.poster
    for _ in range(3):
        await bid(home, table, HOST, 1)
        await bid(home, table, GUEST, 0)
    sent(home)
    await poster.show_story(table)
    poster.show_people(table)
    await finish_posting(home)
    assert [True, True] == ["[Story story 0]" in lines for lines in sent(home)]


async def test_a_board_without_a_picture_gets_none_when_a_seat_changes_hands(home: House) -> None:
    table, poster = await home.posted(), home.services.poster
    assert table.board is not None
    table.facts = table.facts.set_board(replace(table.board, body={**table.board.body, "filename": ""}))
    pictures: Any = home.services.pictures
    pictures.drawings.clear()
    poster.show_people(table)
    await finish_posting(home)
    assert ([], "") == (pictures.drawings, table.board.body["filename"])


async def test_a_board_that_may_exist_is_looked_for_and_not_sent_as_an_answer(home: House) -> None:
    table, answers = await home.match(), []

    async def way(layout: Layout, *_: Any) -> int:
        answers.append(layout)
        return 99

    table.in_doubt = True
    await home.services.poster.post(table, way)
    requests = ["GET /channels/{channel_id}/messages", "POST /channels/{channel_id}/messages"]
    assert (requests, []) == (home.network.accepted, answers)


async def test_the_picture_of_a_board_shows_everything_since_the_board_before_it(home: House) -> None:
    people = [SeatHolder(user_id, name=f"{user_id}") for user_id in (HOST, GUEST, FOLLOWER)]
    table = await home.posted(CHANNEL, *people, game="muscat", ready=[HOST, GUEST, FOLLOWER])
    version = table.require_match().version
    for number in range(2):
        (decision,) = table.require_match().state.decisions()
        user_id, action = table.users[decision.seat], decision.options[0]
        await home.services.moves.play(table, user_id, action, interaction_id=number, version=None)
    await home.services.poster.post(table)
    pictures: Any = home.services.pictures
    view, _ = pictures.drawings[-1]
    assert (
        table.require_match().view(None, since=version).events == view.events != table.require_match().view(None).events
    )
