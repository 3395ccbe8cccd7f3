"""A whole turn is private until it is confirmed, and then written at once."""

from __future__ import annotations

import pytest

from bot.features.view.games import show
from bot.tables.table import Table
from engine.notation import format_action
from tests.bot.ahead import go_ahead
from tests.bot.desk import Desk, Screen
from tests.bot.outcomes import sent
from tests.bot.refusing import GUEST, HOST, House


@pytest.fixture
async def table(home: House) -> Table:
    """Ana begins a game of the cave with Ben: she steals, or not, and then walks."""
    return await home.posted(game="alibaba")


def notations(table: Table) -> list[str]:
    """Notations of the moves of people."""
    return [entry.notation for entry in table.require_match().entries if entry.seat >= 0]


def offers(step: Screen) -> dict[str, str]:
    """Options in menus or on buttons: notation -> label."""
    buttons = {
        control.split(":", 3)[-1]: label for label, control in step.buttons.items() if control.startswith("try:")
    }
    return buttons | {value: label for _, rows in step.menus for value, label in rows.items()}


async def your_move(desk: Desk, user_id: int = HOST) -> Screen:
    (screen,) = await desk.tap(user_id, "turn:1:0:")
    return screen


async def choose(desk: Desk, on: Screen, option: str = "", user_id: int = HOST) -> Screen:
    """The preview after choosing an option, by default the first one."""
    option = option or next(iter(offers(on)))
    if on.menus:
        return await desk.choose(user_id, option, on)
    return await desk.press(user_id, offers(on)[option], on)


def consequences(shown: Screen) -> str:
    """The consequences that a preview describes, above or below its question."""
    return "\n".join(line for line in shown.text.splitlines() if not line.startswith("###"))


async def stolen(desk: Desk) -> Screen:
    """The preview of a theft that is not confirmed."""
    answer = await choose(desk, await your_move(desk), "steal 2")
    assert "🔴 You steal 3,000 for 2 more turns." == consequences(answer)
    assert {"Confirm", "Back"} <= set(answer.labels)
    assert all(notation.startswith("play ") for notation in offers(answer)), "the next question is there at once"
    return answer


async def walk_after(desk: Desk, theft: Screen) -> Screen:
    """The preview of a theft and the walk after it."""
    reply = await choose(desk, theft)
    assert consequences(reply).startswith(consequences(theft))
    assert reply.text != theft.text
    return reply


async def test_a_turn_of_several_choices_is_saved_at_once(desk: Desk, table: Table) -> None:
    desk.home.network.bodies.clear()
    screen = await walk_after(desk, await stolen(desk))
    assert ([], []) == (notations(table), sent(desk.home))
    await desk.press(HOST, "Confirm", screen)
    assert ["steal 2", "play"] == [" ".join(n.split()[: 2 - n.startswith("play")]) for n in notations(table)][:2]
    assert {} == table.drafts


async def test_back_drops_the_last_choice_and_keeps_the_previous_one(desk: Desk, table: Table) -> None:
    theft = await stolen(desk)
    step = await desk.press(HOST, "Back", await walk_after(desk, theft))
    assert (theft.text, offers(theft)) == (step.text, offers(step))
    first = await desk.press(HOST, "Back", step)
    assert "steal 3" in offers(first)
    assert "Confirm" not in first.labels
    await desk.press(HOST, "Confirm", await choose(desk, first, "steal 3"))
    assert ["steal 3"] == notations(table)


async def test_a_draft_survives_a_restart_and_a_change_of_device(desk: Desk, table: Table) -> None:
    lost = await walk_after(desk, await stolen(desk))
    desk = Desk(desk.home.successor())
    again = await your_move(desk)
    assert lost[1:] == again[1:]
    await desk.press(HOST, "Confirm", again)
    after = await desk.home.services.tables.find(table.id)
    assert after is not None
    assert "steal 2" == notations(after)[0]


async def test_cancel_discards_the_draft(desk: Desk, table: Table) -> None:
    old = await walk_after(desk, await stolen(desk))
    assert "Nothing has changed" in (await desk.press(HOST, "Cancel", await your_move(desk))).text
    again = await your_move(desk)
    assert "steal 2" in offers(again)
    assert "✓" not in again.text
    assert "The game has moved on" in (await desk.press(HOST, "Confirm", old)).text
    assert [] == notations(table)


async def test_an_older_preview_confirms_what_it_shows(desk: Desk, table: Table) -> None:
    """Two messages of one turn: the one that shows the theft only confirms the theft only."""
    first = await stolen(desk)
    await choose(desk, await your_move(desk))
    await desk.press(HOST, "Confirm", first)
    assert ["steal 2"] == notations(table)


async def test_a_draft_is_dropped_with_a_message_when_its_player_learns_something(desk: Desk) -> None:
    table, dropped = await desk.home.posted(game="lay"), "so your unconfirmed choices were dropped"
    assert "Confirm" in (await choose(desk, await your_move(desk))).labels
    preview = await choose(desk, await your_move(desk, GUEST), user_id=GUEST)
    await desk.press(GUEST, "Confirm", preview)
    assert [True, False] == [dropped in (await your_move(desk)).text for _ in range(2)]
    assert 1 == len(notations(table))


async def test_leaving_a_game_deletes_the_draft(desk: Desk, table: Table) -> None:
    await walk_after(desk, await stolen(desk))
    assert table.drafts
    await desk.tap(HOST, f"resign:{table.id}:0:")
    assert {} == table.drafts


async def test_two_taps_on_one_confirm_save_the_turn_once(desk: Desk, table: Table) -> None:
    screen = await walk_after(desk, await stolen(desk))
    for _ in range(2):
        await desk.press(HOST, "Confirm", screen)
    assert 2 == len([n for n in notations(table) if n.startswith(("steal", "play"))])


async def test_a_private_board_stays_when_the_turn_begins(desk: Desk, table: Table) -> None:
    (looked,) = await desk.command(HOST, show)
    assert "new private" == (await desk.press(HOST, "Your move", looked))[0]


async def test_the_next_step_repeats_the_result_of_the_confirmed_choice(desk: Desk, table: Table) -> None:
    theft = await stolen(desk)
    response = await desk.press(HOST, "Confirm", theft)
    assert consequences(theft) == consequences(response)
    assert ["a.png"] == [file.filename for file in desk.files]
    assert "Confirm" not in response.labels


async def test_the_usual_option_is_preselected_and_a_button_leads_back_to_its_question(
    desk: Desk, table: Table
) -> None:
    await go_ahead(desk.home, table, lambda match: any(d.usual for d in match.state.decisions()))
    (decision,) = table.require_match().state.decisions()
    user_id = table.users[decision.seat]
    screen = await your_move(desk, user_id)
    assert {"play"} == {notation.split()[0] for notation in offers(screen)}, "what follows is asked"
    assert "-# ✓ Leave it as it is" in screen.text
    assert "Confirm" not in screen.labels, "nothing was chosen by anybody"
    assert {} == table.drafts
    question = await desk.press(user_id, "Extend…", screen)
    assert len(decision.options) == len(offers(question))
    assert "✓" not in question.text
    preview = await choose(desk, question, "extend 0", user_id)
    assert {"Confirm", "Back"} <= set(preview.labels), "now somebody has chosen it"
    question = await desk.press(user_id, "Back", preview)
    extended = await choose(desk, question, "extend 2", user_id)
    assert {"play"} == {notation.split()[0] for notation in offers(extended)}
    assert {"Confirm", "Back"} <= set(extended.labels)
    await desk.press(user_id, "Confirm", extended)
    assert "extend 2" == notations(table)[-1]


async def test_the_usual_option_is_saved_with_the_following_choice(desk: Desk, table: Table) -> None:
    await go_ahead(desk.home, table, lambda match: any(d.usual for d in match.state.decisions()))
    user_id, before = table.users[table.require_match().state.decisions()[0].seat], len(notations(table))
    screen = await choose(desk, await your_move(desk, user_id), user_id=user_id)
    await desk.press(user_id, "Confirm", screen)
    assert ["extend", "play"] == [notation.split()[0] for notation in notations(table)[before : before + 2]]


async def test_a_forced_choice_is_shown_for_confirmation_at_once(desk: Desk) -> None:
    """The last card of a hand, which only its owner knows."""
    table = await desk.home.posted(game="gangs")
    await go_ahead(desk.home, table, lambda match: any(d.forced and d.private for d in match.state.decisions()))
    (decision,) = table.require_match().state.decisions()
    user_id, before = table.users[decision.seat], len(notations(table))
    screen = await your_move(desk, user_id)
    assert ("Confirm" in screen.labels, "Back" in screen.labels) == (True, False)
    assert {} == table.drafts, "nobody has chosen anything"
    await desk.press(user_id, "Confirm", screen)
    assert format_action(decision.options[0]) == notations(table)[before]
