"""A turn is private until it is confirmed. A control never acts on another position, and every board leads to today."""

from __future__ import annotations

from dataclasses import replace

import pytest

from playground.player import Seen
from playground.reading import buttons_of, menus_of
from tests.e2e.rooms import FIRST_MOVE, SECOND_MOVE, Room, choose_first

STALE = "The game has moved on"


async def test_nothing_public_happens_before_confirm(room: Room):
    await room.game("Ana", "Ben", "Caro")
    ana, before = room.person("Ana"), room.public
    step = await ana.tap("Your move")
    preview = await choose_first(ana, step)
    assert (True, True, "Confirm") == (step.ephemeral, preview.ephemeral, preview.labels[0])
    assert before == room.public
    await ana.tap("Confirm")
    await room.board(after=preview)
    assert before != room.public


async def test_cancel_plays_nothing_at_any_step(room: Room):
    await room.first_turn("Ana", "Ben", "Caro")
    ana, before = room.person("Ana"), room.public
    paths = [[], [SECOND_MOVE], ["Draw a hidden artist"]]
    for path in paths:
        reply = await ana.tap("Your move")
        for label in path:
            reply = await ana.choose(label, on=reply)
        closed = await ana.tap("Cancel", on=reply)
        assert "Nothing" in closed
        assert ["Undo"] == closed.labels, "of her last move, as long as that is possible"
    assert before == room.public


async def test_back_leads_to_the_previous_step(room: Room):
    await room.first_turn("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    first = await ana.tap("Your move")
    preview = await ana.choose(SECOND_MOVE, on=first)
    back = await ana.tap("Back", on=preview)
    assert [label for label in first.labels if label != "Log"] == back.labels
    assert first.text.endswith(f"\n{back.text}"), "what has happened since is told once"
    assert "Back" not in back.labels
    page = await ana.choose("Draw a hidden artist", on=back)
    assert back.labels == (await ana.tap("Back", on=page)).labels


async def test_the_preview_picture_differs_from_the_board(room: Room):
    board = await room.first_turn("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    await ana.tap("Your move")
    preview = await ana.choose(SECOND_MOVE)
    assert board.images[0].data != preview.images[0].data
    assert board.images[0].alt != preview.images[0].alt
    assert (1080, 1440) == preview.images[0].size
    assert "🔴 Your" in preview
    assert "1A" in preview


async def test_the_preview_says_when_luck_comes_next(room: Room):
    await room.first_turn("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    await ana.tap("Your move")
    preview = await ana.choose("Draw a hidden artist")
    assert "After **Confirm**: Your hidden artist is turned up, and you choose its market on level 1" in preview
    assert "4 pipers" in preview
    assert "Luck decides next" in preview.images[0].alt


async def test_a_player_with_a_follow_up_decision_continues_in_the_same_private_message(room: Room):
    board = await room.first_turn("Ana", "Ben", "Caro")
    ana, before = room.person("Ana"), room.public
    step = await ana.tap("Your move")
    await ana.choose("Draw a hidden artist")
    response = await ana.tap("Confirm")
    assert step.id == response.id
    assert "You draw a hidden artist" in response
    assert response.menus
    assert before == room.public, "a half-finished turn is not posted"
    await choose_first(ana, response)
    await ana.tap("Confirm")
    await room.board(after=board)


async def stale_preview(room: Room) -> Seen:
    """A preview of Ana's whose position is gone: she has played by a command in the meantime."""
    board = await room.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    await ana.tap("Your move")
    preview = await ana.tap(FIRST_MOVE)
    await ana.slash("muscat place", market="B")
    await room.board(after=board)
    return preview


async def test_a_stale_confirm_plays_nothing_and_names_the_due_player(room: Room):
    preview = await stale_preview(room)
    before = room.public
    answer = await room.person("Ana").tap("Confirm", on=preview)
    assert "Not your turn" in answer
    assert room.person("Ben").mention in answer
    assert before == room.public


async def test_a_stale_confirm_of_a_player_due_again_shows_the_current_position(room: Room):
    board = await room.game("Ana", "Ben", "Caro")
    ana, ben = room.people("Ana", "Ben")
    await ana.tap("Your move")
    preview = await ana.tap(FIRST_MOVE)
    await ana.slash("muscat place", market="C")
    board = await room.board(after=board)
    await ben.slash("muscat place", market="B")
    await room.board(after=board)
    before = room.public
    answer = await ana.tap("Confirm", on=preview)
    assert STALE in answer
    assert "Choose one action" in answer
    assert {SECOND_MOVE, "Draw a hidden artist"} <= {row.label for row in answer.menus[0].options}
    assert before == room.public


@pytest.mark.parametrize("kind", ["step", "try", "do"])
async def test_a_button_of_an_earlier_position_never_acts(room: Room, kind):
    board = await room.first_turn("Ana", "Ben", "Caro")
    before = room.public
    answer = await room.person("Ana").tap("forged", on=with_control(board, kind, "place A", ply=4))
    assert STALE in answer
    assert before == room.public


async def test_a_confirm_delivered_twice_acts_once(room: Room):
    board = await room.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    await ana.tap("Your move")
    await ana.tap(FIRST_MOVE)
    await ana.tap("Confirm")
    board = await room.board(after=board)
    before = room.public
    await room.repeat()
    assert [text for text, *_ in before] == [text for text, *_ in room.public]
    assert board.id == (await room.board()).id


async def test_a_move_by_command_delivered_twice_acts_once(room: Room):
    """Drawing could be carried out twice: the second time the market would be asked for by luck again."""
    await room.first_turn("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    await ana.slash("muscat draw")
    before = (await ana.slash("game log")).text
    draw = next(t.interaction_id for t in reversed(room.local.timings) if t.label == "/muscat draw")
    again = room.local.discord.interactions.by_id(draw)
    await room.repeat(again)
    assert before == (await ana.slash("game log")).text


async def test_a_player_out_of_turn_learns_whose_turn_it_is(room: Room):
    await room.game("Ana", "Ben", "Caro")
    for answer in (
        await room.person("Ben").tap("Your move"),
        await room.person("Ben").slash("muscat place", market="A"),
    ):
        assert answer.ephemeral
        assert [] == answer.labels
        assert room.person("Ana").mention in answer
        assert () == answer.pinged


@pytest.mark.parametrize(
    "custom_id", ["nonsense", "cv:", "cv:turn", "", f"cv:turn:{2**63}:0:", f"cv:step:1:{2**63}:place"]
)
async def test_a_foreign_control_is_answered(room: Room, custom_id):
    board = await room.game("Ana", "Ben", "Caro")
    before = room.public
    answer = await room.person("Ana").tap_id(custom_id, on=board)
    assert answer.ephemeral
    assert "no longer works" in answer
    assert before == room.public


@pytest.mark.parametrize("match_id", [987654, 10**17])
async def test_a_control_of_a_missing_game_is_answered(room: Room, match_id):
    board = await room.game("Ana", "Ben", "Caro")
    answer = await room.person("Ana").tap("forged", on=with_control(board, "turn", match_id=match_id))
    assert answer.ephemeral
    assert "find that game here anymore" in answer


async def test_a_control_of_an_unknown_kind_is_answered(room: Room):
    board = await room.game("Ana", "Ben", "Caro")
    answer = await room.person("Ana").tap("forged", on=with_control(board, "fly"))
    assert answer.ephemeral
    assert "no longer works" in answer


async def test_lobbies_and_announcements_ping_no_user(room: Room):
    await room.game("Ana", "Ben", "Caro")
    await room.person("Ben").slash("game leave")
    await room.person("Ben").tap("Resign")
    await room.onlooker.expect("a computer takes over")
    assert [()] == list({seen.pinged for seen in room.onlooker.messages if not seen.images})


async def test_every_board_opens_the_current_turn_and_none_is_edited_for_the_next_one(room: Room):
    await room.first_turn("Ana", "Ben", "Caro")
    first, second, newest = (seen for seen in room.onlooker.messages if seen.images)
    for board in (first, second, newest):
        assert "Choose one action" in await room.person("Ana").tap("Your move", on=board)
        assert "Not your turn yet" in await room.person("Caro").tap("Your move", on=board)
        assert not board.edited


async def test_a_deleted_board_does_not_block_the_game(room: Room):
    board = await room.game("Ana", "Ben", "Caro")
    room.local.discord.remove(board.record)
    await room.person("Ana").slash("muscat place", market="A")
    newer = await room.onlooker.expect("### ")
    assert "starts on 1A" in newer


async def test_a_private_turn_can_be_confirmed_after_the_interaction_token_expires(room: Room):
    board = await room.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    await ana.tap("Your move")
    await ana.tap(FIRST_MOVE)
    room.local.clock.advance(3600)
    await ana.tap("Confirm")
    await room.board(after=board)


def with_control(
    board: Seen, kind: str, text: str = "", *, ply: int | None = None, match_id: int | None = None
) -> Seen:
    """A board of the same look with one more control, by default of the position it shows."""
    prefix = "cm" if kind == "pick" else "cv"
    match_id = match_id or int(board.button("Your move").custom_id.split(":")[2])
    ply = ply or int(board.images[0].filename.removesuffix(".png").rpartition("-")[2])
    control = {"id": 90, "custom_id": f"{prefix}:{kind}:{match_id}:{ply}:{text}"}
    if kind == "pick":
        control |= {"type": 3, "options": [{"label": "place A", "value": "place A"}]}
    else:
        control |= {"type": 2, "style": 1, "label": "forged"}
    components = [*board.components, {"type": 1, "id": 91, "components": [control]}]
    return replace(board, components=components, buttons=buttons_of(components), menus=menus_of(components))
