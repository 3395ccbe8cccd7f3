"""Undo and redo through the chat: at once, or by the consent of those it concerns, across restarts and races."""

from __future__ import annotations

import asyncio
import re

import pytest

from bot.features.play.move_commands import move
from bot.features.play.undo_buttons import undo_last
from bot.store.matches import SeatHolder
from bot.tables.table import Table
from engine.notation import format_action
from engine.texts import Seat
from tests.bot.desk import NAMES, Desk, Screen
from tests.bot.outcomes import sent
from tests.bot.refusing import CHANNEL, GUEST, HOST, House

ANA, BEN, CARO, DAN, EVA = HOST, GUEST, 72, 73, 75
MOVED_ON = ["new private", "The game has moved on."]
AGREED = "Everyone agrees; it’s taken back."


async def begin(home: House, game: str, *people: int, computers: int = 0) -> Table:
    """A game of these people, whose first board was posted."""
    holders = [SeatHolder(user_id, name=NAMES.get(user_id, "Dan")) for user_id in people]
    return await home.posted(CHANNEL, *holders, *[SeatHolder(computer="uniform")] * computers, game=game)


async def play(desk: Desk, user_id: int, what: str) -> Screen:
    """Type a move, confirm it, and let its board be posted. Returns the private answer."""
    (preview,) = await desk.command(user_id, move, what=what)
    done = await desk.press(user_id, "Confirm", preview)
    await desk.home.services.poster.publish(await desk.home.services.tables.at(CHANNEL))
    return done


async def ask(desk: Desk, user_id: int = ANA) -> int:
    """Ask for consent. Returns the version that the answers are about."""
    (question,) = await desk.command(user_id, undo_last)
    await desk.press(user_id, "Ask them", question)
    return int(question.buttons["Ask them"].split(":")[2])


async def answer(desk: Desk, user_id: int, version: int, control: str = "agree") -> list[str]:
    """Answer a request, as a tap on its public message."""
    return (await desk.tap(user_id, f"{control}:1:{version}:"))[0]


async def public(desk: Desk, words: str) -> list[list[str]]:
    """The messages with these words that were posted or edited since the last look, after those under way."""
    await desk.home.services.poster.publish(await desk.home.services.tables.at(CHANNEL))
    return [message for message in sent(desk.home) if any(words in line for line in message)]


def notations(table: Table) -> list[str]:
    return [entry.notation for entry in table.require_match().entries]


@pytest.fixture
async def muscat(home: House, desk: Desk) -> Table:
    """Ana has placed an artist, and luck has turned up the next one for Ben."""
    table = await begin(home, "muscat", ANA, BEN, CARO)
    await play(desk, ANA, "place A")
    sent(home)
    return table


async def test_a_move_not_followed_by_another_can_be_undone_at_once_and_redone(desk: Desk) -> None:
    table = await begin(desk.home, "sealed", ANA, BEN)
    back = await desk.press(ANA, "Undo", await play(desk, ANA, "bid 3"))
    assert "You took this back:\nBid 3" in back.text
    assert [] == await public(desk, "takes back"), "nobody had seen it"
    assert ["edit", "Redone."] == (await desk.press(ANA, "Redo", back))
    assert ["bid 3", "undo 0", "redo"] == notations(table)
    await play(desk, BEN, "bid 1")
    assert 1 == len(await public(desk, "The bids are 3 and 1."))


async def test_undoing_a_secret_choice_reveals_nothing_about_it(desk: Desk) -> None:
    table = await desk.home.match()
    await desk.home.services.poster.publish(table)
    ((_, *before),) = sent(desk.home)
    await desk.press(ANA, "Undo", await play(desk, ANA, "bid 3"))
    *_, (_, *after) = await public(desk, "[More boardmore")
    boards = [[re.sub(r"boardmore \d+-\w+", "boardmore", line) for line in lines] for lines in (before, after)]
    assert boards[0] == boards[1]


async def test_undo_is_offered_as_long_as_it_is_possible(desk: Desk) -> None:
    await begin(desk.home, "garden", ANA, BEN)

    async def your_move(user_id: int) -> Screen:
        return (await desk.tap(user_id, "turn:1:0:"))[0]

    await play(desk, ANA, "plant a1 date tree 🟦 Ben")
    early = await your_move(ANA)
    assert ("Not your turn yet" in early.text, early.labels) == (True, ["Undo"])
    assert "Undo" not in (await your_move(BEN)).labels, "Ben has nothing to take back"
    await play(desk, BEN, "plant a2 date tree 🔴 Ana")
    assert "Undo" in (await your_move(ANA)).labels
    (preview,) = await desk.command(ANA, move, what="plant a3 date tree 🟦 Ben")
    assert ["Confirm", "Back", "Cancel"] == preview.labels, "choices that are not confirmed are taken back by these"
    canceled = await desk.press(ANA, "Cancel", preview)
    assert ["Undo"] == canceled.labels
    assert "would have to agree" in (await desk.press(ANA, "Undo", canceled)).text


async def test_a_move_that_revealed_something_hidden_cannot_be_undone_and_the_reason_is_shown(desk: Desk) -> None:
    await begin(desk.home, "sealed", ANA, BEN)
    await play(desk, ANA, "bid 3")
    assert "Undo" not in (await play(desk, BEN, "bid 1")).labels
    for user_id in (ANA, BEN):
        ((_, reason),) = await desk.command(user_id, undo_last)
        assert "Something hidden has been seen since." in reason


async def test_a_move_is_undone_when_all_affected_players_agree(desk: Desk, muscat: Table) -> None:
    version = await ask(desk)
    ((head, *lines),) = await public(desk, "would like to take this back")
    assert f"POST /channels/{CHANNEL}/messages @{BEN} @{CARO}" == head
    assert any(f"<@{BEN}>" in line and f"<@{CARO}>: do you agree?" in line for line in lines)
    assert f"<@{CARO}>" in " ".join(await answer(desk, BEN, version))
    assert AGREED in await answer(desk, CARO, version)
    requests = await public(desk, "")
    ((_, notice, *_),) = [lines for lines in requests if any("takes back a move" in line for line in lines)]
    (edit,) = [lines for lines in requests if AGREED in lines]
    assert (f"PATCH /channels/{CHANNEL}/messages/555", 2) == (edit[0], len(edit)), "without buttons"
    assert notice.endswith("takes back a move.")
    assert 4 == len(muscat.require_match().effective)


async def test_one_refusal_ends_an_undo_request(desk: Desk, muscat: Table) -> None:
    version = await ask(desk)
    await answer(desk, BEN, version)
    await answer(desk, CARO, version, "disagree")
    assert 1 == len(await public(desk, "🟨 Caro would rather play on, so nothing is taken back."))
    assert MOVED_ON == await answer(desk, BEN, version)
    assert not any(notation.startswith("undo") for notation in notations(muscat))


async def test_a_withdrawn_undo_request_can_be_repeated_and_the_new_one_is_public(desk: Desk, muscat: Table) -> None:
    version = await ask(desk)
    await answer(desk, ANA, version, "disagree")
    assert 1 == len(await public(desk, "The undo request was withdrawn."))
    assert MOVED_ON == await answer(desk, BEN, version)
    version = await ask(desk)
    assert 1 == len(await public(desk, "would like to take this back"))
    await answer(desk, BEN, version)
    assert AGREED in await answer(desk, CARO, version)


async def test_only_the_affected_players_can_agree_to_an_undo_or_refuse_it(desk: Desk, muscat: Table) -> None:
    version = await ask(desk)
    for user_id, control in ((ANA, "agree"), (EVA, "agree"), (EVA, "disagree")):
        assert "were asked" in (await answer(desk, user_id, version, control))[1]
    await answer(desk, BEN, version)
    assert AGREED in await answer(desk, CARO, version)


async def test_an_undo_request_expires_with_the_next_move(desk: Desk, muscat: Table) -> None:
    version = await ask(desk)
    await answer(desk, CARO, version)
    sent(desk.home)
    await play(desk, BEN, "place B")
    assert [f"PATCH /channels/{CHANNEL}/messages/555"] == [head for head, *_ in await public(desk, MOVED_ON[1][:-1])]
    assert (MOVED_ON, None) == (await answer(desk, CARO, version), muscat.undo_request)


async def test_an_undo_request_survives_a_restart(desk: Desk, muscat: Table) -> None:
    version = await ask(desk)
    await answer(desk, BEN, version)
    desk = Desk(desk.home.successor())
    assert AGREED in await answer(desk, CARO, version)
    assert 1 == len(await public(desk, "takes back a move"))


async def test_the_last_two_players_can_agree_at_the_same_moment(desk: Desk, muscat: Table) -> None:
    version = await ask(desk)
    await asyncio.gather(answer(desk, BEN, version), answer(desk, CARO, version))
    assert ["undo 4"] == [notation for notation in notations(muscat) if notation.startswith("undo")]


async def test_a_move_racing_an_undo_request_wins_or_is_undone_with_it(desk: Desk, muscat: Table) -> None:
    (preview,) = await desk.command(BEN, move, what="place B")
    (question,) = await desk.command(ANA, undo_last)
    await asyncio.gather(desk.press(BEN, "Confirm", preview), desk.press(ANA, "Ask them", question))
    written = notations(muscat)
    assert ("place B" in written, any(notation.startswith("undo") for notation in written)) == (True, False)


async def test_an_undo_makes_open_drafts_and_controls_stale(desk: Desk, muscat: Table) -> None:
    (preview,) = await desk.command(BEN, move, what="place B")
    version = await ask(desk)
    for user_id in (BEN, CARO):
        await answer(desk, user_id, version)
    assert "Not your turn" in (await desk.press(BEN, "Confirm", preview))[1]
    assert "✓" in (await play(desk, ANA, "place C")).text


async def test_computers_agree_to_an_undo(desk: Desk) -> None:
    table = await begin(desk.home, "muscat", ANA, computers=2)
    done = await play(desk, ANA, "place A")
    assert "You took this back" in (await desk.press(ANA, "Undo", done)).text
    assert "undo" in notations(table)[-1]


async def test_an_undo_request_reveals_nothing_hidden(desk: Desk) -> None:
    """Ana has laid a hidden card, and Ben one after that: Ben is asked, and does not learn which."""
    table = await begin(desk.home, "lay", ANA, BEN, CARO, DAN)
    hers, his = (format_action(table.require_match().decision_of(Seat(seat)).options[0]) for seat in (0, 1))
    await play(desk, ANA, hers)
    await play(desk, BEN, his)
    sent(desk.home)
    others, reason = f"🟦 <@{BEN}>, 🟨 <@{CARO}> and 🟢 <@{DAN}>", "Others have acted since."
    (question,) = await desk.command(ANA, undo_last)
    assert [
        *("new private", f"{reason} To take this back, {others} would have to agree:"),
        *(hers.capitalize(), f"🔴 You have laid {hers.split()[-1]}.", "🟦 Ben has laid a card."),
        *("[Ask them ask 3]", "[Cancel close]"),
    ] == question
    await desk.press(ANA, "Ask them", question)
    messages = await public(desk, "")
    assert [
        *(f"POST /channels/{CHANNEL}/messages @{BEN} @{CARO} @{DAN}", "### 🔴 Ana would like to take this back"),
        *("🔴 Ana has laid a card.", "🟦 Ben has laid a card.", f"{others}: do you agree?", f"-# {reason}"),
        *("[Agree agree 3]", "[No disagree 3]"),
    ] in messages
    words = {word.strip(".,") for message in messages for line in message for word in line.split()}
    assert {hers.split()[-1], his.split()[-1]}.isdisjoint(words)
