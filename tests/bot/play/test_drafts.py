"""A whole turn is private until it is confirmed, and then written at once."""

from __future__ import annotations

import pytest

from engine.notation import format_action
from playground.player import Player, Seen
from tests.bot.ahead import play_ahead
from tests.bot.app import App
from tests.e2e.robots import BOARD
from tests.e2e.rooms import Room, choose_first, start_game


@pytest.fixture
def room(app: App) -> Room:
    return app.room()


@pytest.fixture
async def board(room: Room) -> Seen:
    """Ana begins a game of the cave with Ben: she steals, or not, and then walks."""
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="alibaba")
    await ben.tap("Join")
    await start_game(ana, ben)
    return await room.onlooker.expect(BOARD)


def notations(app: App) -> list[str]:
    """Notations of the moves in the newest match."""
    newest = "SELECT notation FROM entries WHERE seat >= 0 AND match_id = (SELECT max(id) FROM matches) ORDER BY n"
    return [notation for (notation,) in app.query(newest)]


def offers(step: Seen) -> dict[str, str]:
    """Options in menus or on buttons: notation -> label."""
    buttons = {
        button.custom_id.rsplit(":", 1)[-1]: button.label for button in step.buttons if ":try:" in button.custom_id
    }
    return buttons | {row.value: row.label for menu in step.menus for row in menu.options}


async def choose(person: Player, on: Seen, option: str = "") -> Seen:
    """The preview after choosing an option, by default the first one."""
    option = option or next(iter(offers(on)))
    if on.menus:
        return await person.choose(option, on=on)
    return await person.tap(offers(on)[option], on=on)


def consequences(shown: Seen) -> str:
    """The consequences that a preview describes, above or below its question."""
    return "\n".join(line for line in shown.text.splitlines() if not line.startswith("###"))


async def stolen(ana: Player, board: Seen) -> Seen:
    """The preview of a theft that is not confirmed."""
    answer = await choose(ana, await ana.tap("Your move", on=board), "steal 2")
    assert "🔴 You steal 3,000 for 2 more turns." == consequences(answer)
    assert {"Confirm", "Back"} <= set(answer.labels)
    assert all(notation.startswith("play ") for notation in offers(answer)), "the next question is there at once"
    return answer


async def walk_after(ana: Player, theft: Seen) -> Seen:
    """The preview of a theft and the walk after it."""
    reply = await choose(ana, theft)
    assert consequences(reply).startswith(consequences(theft))
    assert reply.text != theft.text
    return reply


async def test_a_turn_of_several_choices_is_saved_at_once(app: App, room: Room, board: Seen) -> None:
    ana = room.person("Ana")
    screen = await walk_after(ana, await stolen(ana, board))
    assert [] == notations(app)
    await ana.tap("Confirm", on=screen)
    assert ["steal 2", "play"] == [" ".join(n.split()[: 2 - n.startswith("play")]) for n in notations(app)][:2]
    assert [] == app.query("SELECT * FROM drafts WHERE match_id = (SELECT max(id) FROM matches)")


async def test_back_drops_the_last_choice_and_keeps_the_previous_one(app: App, room: Room, board: Seen) -> None:
    ana = room.person("Ana")
    theft = await stolen(ana, board)
    step = await ana.tap("Back", on=await walk_after(ana, theft))
    assert (theft.text, offers(theft)) == (step.text, offers(step))
    first = await ana.tap("Back", on=step)
    assert "steal 3" in offers(first)
    assert "Confirm" not in first.labels
    await ana.tap("Confirm", on=await choose(ana, first, "steal 3"))
    assert ["steal 3"] == notations(app)


async def test_a_draft_survives_a_restart_and_a_change_of_device(app: App, room: Room, board: Seen) -> None:
    ana = room.person("Ana")
    lost = await walk_after(ana, await stolen(ana, board))
    await ana.dismiss(lost)
    await app.close()
    await app.open()
    again = await ana.tap("Your move", on=board)
    assert lost.text == again.text
    assert lost.labels == again.labels
    await ana.tap("Confirm", on=again)
    assert "steal 2" == notations(app)[0]


async def test_cancel_discards_the_draft(app: App, room: Room, board: Seen) -> None:
    ana = room.person("Ana")
    old = await walk_after(ana, await stolen(ana, board))
    seen = await ana.tap("Your move", on=board)
    assert "Nothing has changed" in (await ana.tap("Cancel", on=seen)).text
    again = await ana.tap("Your move", on=board)
    assert "steal 2" in offers(again)
    assert "✓" not in again.text
    assert "The game has moved on" in (await ana.tap("Confirm", on=old)).text
    assert [] == notations(app)


async def test_an_older_preview_confirms_what_it_shows(app: App, room: Room, board: Seen) -> None:
    """Two messages of one turn: the one that shows the theft only confirms the theft only."""
    ana = room.person("Ana")
    first = await stolen(ana, board)
    await choose(ana, await ana.tap("Your move", on=board))
    await ana.tap("Confirm", on=first)
    assert ["steal 2"] == notations(app)


async def test_a_draft_is_dropped_with_a_message_when_its_player_learns_something(app: App, room: Room) -> None:
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="lay")
    await ben.tap("Join")
    await start_game(ana, ben)
    board = await room.onlooker.expect(BOARD)
    step = await ana.tap("Your move", on=board)
    preview = await choose_first(ana, step)
    assert "Confirm" in preview.labels
    bens = await ben.tap("Your move", on=board)
    await ben.tap("Confirm", on=await choose_first(ben, bens))
    newer = await room.board(after=board)
    page = await ana.tap("Your move", on=newer)
    assert "so your unconfirmed choices were dropped" in page.text
    assert "so your unconfirmed choices were dropped" not in (await ana.tap("Your move", on=newer)).text
    assert 1 == len(notations(app))


async def test_leaving_a_game_deletes_the_draft(app: App, room: Room, board: Seen) -> None:
    ana = room.person("Ana")
    await walk_after(ana, await stolen(ana, board))
    await ana.tap("Resign", on=await ana.slash("game leave"))
    await room.board(after=board)
    assert [] == app.query("SELECT * FROM drafts WHERE match_id = (SELECT max(id) FROM matches)")


async def test_two_taps_on_one_confirm_save_the_turn_once(app: App, room: Room, board: Seen) -> None:
    ana = room.person("Ana")
    screen = await walk_after(ana, await stolen(ana, board))
    await ana.tap("Confirm", on=screen, silent=True)
    await ana.tap("Confirm", on=screen)
    assert 2 == len([n for n in notations(app) if n.startswith(("steal", "play"))])


async def test_a_private_board_stays_when_the_turn_begins(room: Room, board: Seen) -> None:
    ana = room.person("Ana")
    looked = await ana.slash("game board")
    step = await ana.tap("Your move", on=looked)
    assert step.id != looked.id
    assert looked.text == ana.look(looked).text


async def test_the_next_step_repeats_the_result_of_the_confirmed_choice(room: Room, board: Seen) -> None:
    ana = room.person("Ana")
    theft = await stolen(ana, board)
    response = await ana.tap("Confirm", on=theft)
    assert consequences(theft) == consequences(response)
    assert response.images
    assert "Confirm" not in response.labels


async def test_the_usual_option_is_preselected_and_a_button_leads_back_to_its_question(
    app: App, room: Room, board: Seen
) -> None:
    match = await play_ahead(app, lambda match: any(d.usual for d in match.state.decisions()))
    (decision,) = match.state.decisions()
    person = room.people("Ana", "Ben")[decision.seat]
    screen = await person.tap("Your move", on=board)
    assert {"play"} == {notation.split()[0] for notation in offers(screen)}, "what follows is asked"
    assert "-# ✓ Leave it as it is" in screen.text
    assert "Confirm" not in screen.labels, "nothing was chosen by anybody"
    assert [] == app.query("SELECT * FROM drafts")
    question = await person.tap("Extend…", on=screen)
    assert len(decision.options) == len(offers(question))
    assert "✓" not in question.text
    preview = await choose(person, question, "extend 0")
    assert {"Confirm", "Back"} <= set(preview.labels), "now somebody has chosen it"
    question = await person.tap("Back", on=preview)
    extended = await choose(person, question, "extend 2")
    assert {"play"} == {notation.split()[0] for notation in offers(extended)}
    assert {"Confirm", "Back"} <= set(extended.labels)
    await person.tap("Confirm", on=extended)
    assert "extend 2" == notations(app)[-1]


async def test_the_usual_option_is_saved_with_the_following_choice(app: App, room: Room, board: Seen) -> None:
    match = await play_ahead(app, lambda match: any(d.usual for d in match.state.decisions()))
    person = room.people("Ana", "Ben")[match.state.decisions()[0].seat]
    before = len(notations(app))
    screen = await choose(person, await person.tap("Your move", on=board))
    await person.tap("Confirm", on=screen)
    assert ["extend", "play"] == [notation.split()[0] for notation in notations(app)[before : before + 2]]


async def test_a_forced_choice_is_shown_for_confirmation_at_once(app: App, room: Room) -> None:
    """The last card of a hand, which only its owner knows."""
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="gangs")
    await ben.tap("Join")
    await start_game(ana, ben)
    board = await room.onlooker.expect(BOARD)
    match = await play_ahead(app, lambda match: any(d.forced and d.private for d in match.state.decisions()))
    (decision,) = match.state.decisions()
    person = (ana, ben)[decision.seat]
    screen = await person.tap("Your move", on=board)
    assert "Confirm" in screen.labels
    assert "Back" not in screen.labels
    assert [] == app.query("SELECT * FROM drafts"), "nobody has chosen anything"
    before = len(notations(app))
    await person.tap("Confirm", on=screen)
    assert format_action(decision.options[0]) == notations(app)[before]
