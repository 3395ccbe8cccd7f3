"""Undo and redo through the chat: at once, or by the consent of those it concerns, across restarts and races."""

from __future__ import annotations

import asyncio
import re

from playground.player import Player, Seen
from tests.bot.app import App
from tests.e2e.rooms import Room, start_game

MOVED_ON = "The game has moved on"


async def begin(app: App, game: str, *names: str, computers: int = 0) -> tuple[Room, list[Player], Seen]:
    room = app.room()
    people = room.people(*names)
    await people[0].slash("table new", game=game)
    for person in people[1:]:
        await person.tap("Join")
    for _ in range(computers):
        await people[0].tap("Add computer")
    await start_game(*people)
    return room, people, await room.onlooker.expect("### ")


async def move(person: Player, path: str, **typed: str) -> Seen:
    """Type a move and confirm it. Returns the private answer."""
    preview = await person.slash(path, **typed)
    return await person.tap("Confirm", on=preview)


async def undo_request(room: Room, person: Player) -> Seen:
    """Ask for consent. Returns the public question."""
    await person.tap("Ask them", on=await person.slash("game undo"))
    return await room.onlooker.expect("would like to take this back")


async def muscat(app: App) -> tuple[Room, list[Player], Seen]:
    """Ana has placed an artist, and luck has turned up the next one for Ben."""
    room, people, board = await begin(app, "muscat", "Ana", "Ben", "Caro")
    await move(people[0], "muscat place", market="A")
    return room, people, await room.onlooker.expect("### ", after=board)


async def test_a_move_not_followed_by_another_can_be_undone_at_once_and_redone(app: App) -> None:
    room, (ana, ben), board = await begin(app, "sealed", "Ana", "Ben")
    done = await move(ana, "sealed bid", coins="3")
    back = await ana.tap("Undo", on=done)
    assert "You took this back:\nBid 3" in back
    board = await room.onlooker.expect("### ", after=board)
    assert "takes back" not in board.text, "nobody had seen it"
    again = await ana.tap("Redo", on=back)
    assert "Redone" in again
    entries = [notation for (notation,) in app.query("SELECT notation FROM entries ORDER BY n")]
    assert ["bid 3", "undo 0", "redo"] == entries
    await move(ben, "sealed bid", coins="1")
    assert "3 and 1" in await room.onlooker.expect("The bids are")


async def test_undoing_a_secret_choice_reveals_nothing_about_it(app: App) -> None:
    room, (ana, _), board = await begin(app, "sealed", "Ana", "Ben")
    await ana.tap("Undo", on=await move(ana, "sealed bid", coins="3"))
    message = await room.onlooker.expect("### ", after=board)
    without_times = [re.sub(r"<t:\d+", "<t", seen.text) for seen in (board, message)]  # the time for it begins anew
    assert without_times[0].removesuffix("\n-# Rated") == without_times[1], "only the first board says what counts"


async def test_undo_is_offered_as_long_as_it_is_possible(app: App) -> None:
    room, (ana, ben), board = await begin(app, "garden", "Ana", "Ben")
    await move(ana, "game move", what="plant a1 date tree 🟦 Ben")
    early = await ana.tap("Your move", on=board)
    assert "Not your turn yet" in early
    assert ["Undo"] == early.labels
    board = await room.onlooker.expect("plants a1")
    assert "Undo" not in (await ben.tap("Your move", on=board)).labels, "Ben has nothing to take back"
    await move(ben, "game move", what="plant a2 date tree 🔴 Ana")
    question = await ana.tap("Your move", on=await room.onlooker.expect("plants a2"))
    assert "Undo" in question.labels
    preview = await ana.slash("game move", what="plant a3 date tree 🟦 Ben")
    assert ["Confirm", "Back", "Cancel"] == preview.labels, "choices that are not confirmed are taken back by these"
    canceled = await ana.tap("Cancel", on=preview)
    assert ["Undo"] == canceled.labels
    assert "would have to agree" in await ana.tap("Undo", on=canceled)


async def test_a_move_that_revealed_something_hidden_cannot_be_undone_and_the_reason_is_shown(app: App) -> None:
    _, (ana, ben), _ = await begin(app, "sealed", "Ana", "Ben")
    await move(ana, "sealed bid", coins="3")
    done = await move(ben, "sealed bid", coins="1")
    assert "Undo" not in done.labels
    for person in (ana, ben):
        assert "Something hidden has been seen since." in await person.slash("game undo")


async def test_a_move_is_undone_when_all_affected_players_agree(app: App) -> None:
    room, (ana, ben, caro), board = await muscat(app)
    question = await undo_request(room, ana)
    assert all(person.mention in question for person in (ben, caro))
    assert question.id in [seen.id for seen in ben.pings]
    assert question.id not in [seen.id for seen in ana.pings]
    assert caro.mention in await ben.tap("Agree", on=question)
    assert "it’s taken back" in await caro.tap("Agree", on=question)
    back = await room.onlooker.expect("takes back a move", after=board)
    assert ana.mention in back.text
    assert [] == room.onlooker.look(question).labels


async def test_one_refusal_ends_an_undo_request(app: App) -> None:
    room, (ana, ben, caro), board = await muscat(app)
    question = await undo_request(room, ana)
    await ben.tap("Agree", on=question)
    await caro.tap("No", on=question)
    assert "would rather play on" in (await ana.until(lambda: room.onlooker.look(question))).text
    assert MOVED_ON in await ben.tap("Agree", on=question)
    assert board.id == room.onlooker.last.id or "takes back" not in room.onlooker.last.text


async def test_the_requester_can_withdraw_an_undo_request(app: App) -> None:
    room, (ana, ben, _), _ = await muscat(app)
    question = await undo_request(room, ana)
    await ana.tap("No", on=question)
    assert "withdrawn" in room.onlooker.look(question).text
    assert MOVED_ON in await ben.tap("Agree", on=question)


async def test_a_withdrawn_undo_request_can_be_repeated_and_the_new_one_is_public(app: App) -> None:
    room, (ana, ben, caro), _ = await muscat(app)
    await ana.tap("No", on=await undo_request(room, ana))
    again = await undo_request(room, ana)
    await ben.tap("Agree", on=again)
    assert "it’s taken back" in await caro.tap("Agree", on=again)


async def test_only_the_affected_players_can_agree_to_an_undo_or_refuse_it(app: App) -> None:
    room, (ana, ben, caro), _ = await muscat(app)
    eva, question = room.person("Eva"), await undo_request(room, ana)
    for person, label in ((ana, "Agree"), (eva, "Agree"), (eva, "No")):
        assert "were asked" in await person.tap(label, on=question)
    await ben.tap("Agree", on=question)
    assert "it’s taken back" in await caro.tap("Agree", on=question)


async def test_an_undo_request_expires_with_the_next_move(app: App) -> None:
    room, (ana, ben, caro), board = await muscat(app)
    question = await undo_request(room, ana)
    await caro.tap("Agree", on=question)
    await move(ben, "muscat place", market="B")
    await room.onlooker.expect("### ", after=board)
    await ana.until(lambda: MOVED_ON in room.onlooker.look(question).text)
    assert MOVED_ON in await caro.tap_id(question.button("Agree").custom_id, on=question)
    assert [] == app.query("SELECT * FROM undo_requests")


async def test_an_undo_request_survives_a_restart(app: App) -> None:
    room, (ana, ben, caro), board = await muscat(app)
    question = await undo_request(room, ana)
    await ben.tap("Agree", on=question)
    await app.close()
    await app.open()
    assert "it’s taken back" in await caro.tap("Agree", on=question)
    await room.onlooker.expect("takes back a move", after=board)


async def test_the_last_two_players_can_agree_at_the_same_moment(app: App) -> None:
    room, (ana, ben, caro), _ = await muscat(app)
    question = await undo_request(room, ana)
    await asyncio.gather(ben.tap("Agree", on=question), caro.tap("Agree", on=question))
    await room.onlooker.expect("takes back a move")
    assert [("undo 4",)] == app.query("SELECT notation FROM entries WHERE notation LIKE 'undo%'")


async def test_a_move_racing_an_undo_request_wins_or_is_undone_with_it(app: App) -> None:
    _, (ana, ben, _), _ = await muscat(app)
    preview, answer = await ben.slash("muscat place", market="B"), await ana.slash("game undo")
    await asyncio.gather(ben.tap("Confirm", on=preview), ana.tap("Ask them", on=answer))
    undone = [notation for (notation,) in app.query("SELECT notation FROM entries") if notation.startswith("undo")]
    assert [] == undone
    assert "place B" in [notation for (notation,) in app.query("SELECT notation FROM entries")]


async def test_an_undo_makes_open_drafts_and_controls_stale(app: App) -> None:
    room, (ana, ben, caro), board = await muscat(app)
    preview = await ben.slash("muscat place", market="B")
    question = await undo_request(room, ana)
    await ben.tap("Agree", on=question)
    await caro.tap("Agree", on=question)
    await room.onlooker.expect("takes back a move", after=board)
    assert "Not your turn" in await ben.tap("Confirm", on=preview)
    assert "✓" in await move(ana, "muscat place", market="C")


async def test_computers_agree_to_an_undo(app: App) -> None:
    room, (ana,), board = await begin(app, "muscat", "Ana", computers=2)
    while ana.mention not in board.text:
        board = await room.onlooker.expect("### ", after=board)
    done = await move(ana, "muscat place", market="A")
    await room.onlooker.expect("### ", after=board)
    assert "You took this back" in await ana.tap("Undo", on=done)


async def test_an_undo_request_reveals_nothing_hidden(app: App) -> None:
    """Ana has laid a hidden card, and Ben one after that: Ben is asked, and does not learn which."""
    room, (ana, ben, *_), _ = await begin(app, "lay", "Ana", "Ben", "Caro", "Dan")
    (_, hers), *_ = await ana.suggest("lay lay", "card")
    (_, his), *_ = await ben.suggest("lay lay", "card")
    await move(ana, "lay lay", card=hers)
    await move(ben, "lay lay", card=his)
    question = await undo_request(room, ana)
    results = [word.strip(".,") for seen in (question, *room.onlooker.messages) for word in seen.text.split()]
    assert ben.mention in question
    assert {hers, his}.isdisjoint(results)
