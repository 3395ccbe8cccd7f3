"""The board as the answer to the person who moved: Discord counts no such request, and has no nonce for it either."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from bot.features.play.drafting import TurnDraft
from bot.features.play.your_move import _is_open
from bot.interactions import responses
from bot.store import jobs
from bot.store.boards import Board
from engine.core import Action
from engine.games import discover
from engine.match import Match
from playground.plan import ANSWER, POST
from playground.player import Seen
from tests.bot.ahead import walk_until
from tests.bot.app import App
from tests.bot.walks import table_of
from tests.robots import BOARD
from tests.rooms import Room, choose_first, start_game

pytestmark = pytest.mark.usefixtures("no_previews")

TYPED = {"POST /interactions/{interaction_id}/{interaction_token}/callback": 1}
TAPPED = {**TYPED, "POST /channels/{channel_id}/messages": 1}

LOST: dict[str, dict[str, Any]] = {
    "too late": {"status": 404, "code": 10062},
    "the token is dead": {"status": 401, "code": 50027},
    "refused": {"status": 403},
    "cut": {"cut": True},
    "done, and cut": {"cut": True, "after": True},
    "a server failed": {"status": 502},
    "done, and a server failed": {"status": 502, "after": True},
    "slow": {"hang": 2.0},
    **{f"done, and {way}": {"broken": way} for way in ("torn JSON", "without fields", "as text", "bad status")},
}


@pytest.fixture
def room(app: App) -> Room:
    return app.room()


async def move(room: Room) -> Seen:
    """Ana types the first move. Returns what she sees first."""
    return await room.person("Ana").slash("muscat place", market="A")


async def test_the_answer_to_a_typed_move_is_its_board(app: App, room: Room):
    board = await room.game("Ana", "Ben", "Caro")
    before = Counter(app.local.requests)
    screen = await move(room)
    assert (False, ("Ben",)) == (screen.ephemeral, screen.pinged)
    assert screen.id == (await room.board(after=board)).id
    assert TYPED == Counter(app.local.requests) - before


async def test_the_board_of_a_tapped_move_is_a_separate_message(app: App, room: Room):
    """Discord would show a board after a private answer to others as a reply to something that they cannot see."""
    board = await room.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    step = await ana.tap("Your move")
    preview = await choose_first(ana, step)
    before = Counter(app.local.requests)
    done = await ana.tap("Confirm", on=preview)
    assert done.ephemeral
    assert ("Ben",) == (await room.board(after=board)).pinged
    assert TAPPED == Counter(app.local.requests) - before


@pytest.mark.parametrize("fault", LOST.values(), ids=LOST)
async def test_the_board_is_posted_exactly_once_even_if_the_answer_fails(
    app: App, room: Room, monkeypatch: pytest.MonkeyPatch, fault: dict[str, Any]
) -> None:
    monkeypatch.setattr(responses, "BOARD_TIMEOUT", 0.5)
    monkeypatch.setattr(responses, "ANSWER_TIMEOUT", 0.5)
    monkeypatch.setattr(jobs, "POST_DELAY", timedelta(seconds=1))
    app.local.allow(r"no answer within|left unanswered")
    board = await room.game("Ana", "Ben", "Caro")
    lost = app.local.fault(ANSWER, **fault)
    await room.person("Ana").slash("muscat place", market="A", silent=True)
    await app.local.wait_for_fault(lost)
    board = await room.board(after=board)
    app.local.clock.advance(3.0)
    await room.person("Ben").slash("muscat place", market="B")
    await room.board(after=board)
    assert ["muscat-4.png", "muscat-6.png", "muscat-9.png"] == room.boards


@pytest.mark.parametrize("permission", ["READ_MESSAGE_HISTORY", "ATTACH_FILES", "SEND_MESSAGES"])
async def test_a_board_is_not_the_answer_if_the_bot_cannot_write_or_read_there(
    app: App, room: Room, permission: str
) -> None:
    await room.game("Ana", "Ben", "Caro")
    app.local.forbid(room.channel, permission)
    refusal = app.local.fault(POST, 403, code=50013)
    screen = await move(room)
    await app.local.wait_for_fault(refusal)
    assert (True, 1) == (screen.ephemeral, len(room.boards))
    app.local.permit(room.channel, permission)


@pytest.mark.parametrize(
    ("game", "path", "typed"),
    [
        ("jinns", "jinns place", {"strength": "1"}),
        ("lay", "lay lay", {"card": ""}),
        ("sealed", "sealed bid", {"coins": "3"}),
    ],
)
async def test_a_board_does_not_answer_a_command_with_hidden_values(
    app: App, room: Room, game: str, path: str, typed: dict[str, str]
) -> None:
    """Discord shows everyone the command above a public answer."""
    people = room.people("Ana", "Ben")
    await people[0].slash("table new", game=game)
    await people[1].tap("Join")
    await start_game(*people)
    await room.onlooker.expect(BOARD)
    ((field, value),) = typed.items()
    for person in people if game != "jinns" else people[:1]:
        words = value or (await person.suggest(path, field, **{}))[0][1]
        assert (await person.slash(path, **{field: words})).ephemeral
    assert not any(
        path in str(message.cause) for message in app.local.channel(room.channel).messages if not message.only_for
    )


def tells_more(match: Match) -> Action | None:
    """A step, if there is one now, after which its player is told more than others: a new hand is dealt."""
    (decision,) = match.state.decisions()
    for option in decision.options:
        then = match.copy()
        then.play(decision.seat, option)
        own, others = (then.history(who, since=match.version) for who in (decision.seat, None))
        if own != others and not decision.private:
            return option
    return None


def test_the_answer_to_a_typed_move_is_private_if_other_players_learn_less() -> None:
    spec = discover()["muses"]
    match = Match.begin(spec, spec.setup(2, {"powers": "none", "hands": 3}), "told")
    match = walk_until(match, lambda match: tells_more(match) is not None)
    (decision,), telling = match.state.decisions(), tells_more(match)
    for action in (telling, next(option for option in decision.options if option != telling)):
        table = table_of(spec, 2, match)
        table.facts = table.facts.set_board(Board(match.version, 1, {}))
        turn = TurnDraft.of(table, table.row.holders[decision.seat].user_id or 0, [action])
        table.match = match.copy()
        table.match.play(decision.seat, action)
        assert (action is not telling) == _is_open(turn)
        table.facts = table.facts.set_board(Board(match.version - 2, 1, {}))
        assert not _is_open(turn), "another player has moved since the last board"


async def test_the_board_of_a_typed_move_undoes_it_and_a_second_tap_undoes_nothing_more(app: App, room: Room) -> None:
    ana = room.person("Ana")
    await ana.slash("table new", game="jinns")
    await ana.tap("As printed", on=await ana.slash("table options"))
    await ana.tap("Add computer")
    await ana.tap("Start")
    board = await room.board()
    for _ in range(2):
        await ana.slash("jinns place", strength="rest")
        board = await room.board(after=board)
    more = await ana.tap("More", on=board)
    assert "took this back" in await ana.tap("Undo", on=more)
    before = app.query("SELECT count(*) FROM entries")
    assert "has moved on" in await ana.tap("Undo", on=more)
    assert before == app.query("SELECT count(*) FROM entries")
