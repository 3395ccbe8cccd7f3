"""Slash commands: legal suggestions, refusals that teach, and pages with the requested facts."""

from __future__ import annotations

import pytest

from engine.games import discover
from playground.player import Player, Seen
from tests.e2e.rooms import FIRST_MOVE, GAME, Room

SPEC = discover()[GAME]

ILLEGAL = {
    "place": {"market": "street"},
    "draw": {},
    "cycle": {"market": "1A"},
    "reemploy": {"artist": "piper", "market": "1A"},
    "change": {"artist": "piper", "origin": "1A", "target": "1B"},
    "expel": {"artist": "piper", "origin": "1A", "target": "1B"},
    "transform": {"market": "1A", "street": "1"},
    "rise": {"market": "2A"},
    "pick": {"market": "2A"},
    "remove": {"artist": "piper", "street": "1"},
}
"""A move per verb that is not possible where it is tried: a draw before the first turn, all others in it."""

GARBAGE = ["?!", "2Ω", " ", ".", "x" * 200, "two words", "１Ａ", "\u202e1A", "<@1>", "`1A`", "0" * 6000, "-1", "1A\n1B"]


async def log_of(person: Player) -> str:
    reply = await person.slash("game log")
    assert reply is not None
    return reply.text


def check_refusal(answer: Seen | None) -> None:
    """A private sentence, not an excuse."""
    assert answer is not None
    assert answer.ephemeral
    assert answer.text.strip()
    assert "wrong on my end" not in answer
    assert () == answer.pinged


async def test_suggestions_are_the_legal_values(room: Room):
    await room.game("Ana", "Ben", "Caro")
    ana, ben = room.people("Ana", "Ben")
    assert ["A", "B", "C"] == [value for _, value in await ana.suggest("muscat place", "market")]
    assert ["B"] == [value for _, value in await ana.suggest("muscat place", "market", "b")]
    assert [] == await ana.suggest("muscat place", "market", "Z")
    assert [] == await ana.suggest("muscat cycle", "market")
    await ana.slash("muscat place", market="A")
    assert ["B", "C"] == [value for _, value in await ben.suggest("muscat place", "market")]


async def test_users_who_are_not_due_get_no_suggestions(room: Room):
    await room.game("Ana", "Ben", "Caro")
    assert [] == await room.person("Ben").suggest("muscat place", "market")
    assert [] == await room.person("Dan").suggest("muscat place", "market")


async def test_a_channel_without_a_running_game_has_no_suggestions(room: Room):
    assert [] == await room.person("Ana").suggest("muscat place", "market")
    await room.lobby("Ana")
    assert [] == await room.person("Ana").suggest("muscat place", "market")


async def test_every_verb_has_an_illegal_example():
    assert [action.verb for action in SPEC.actions] == list(ILLEGAL)


@pytest.mark.parametrize("verb", ILLEGAL)
async def test_an_illegal_move_names_its_rule_and_changes_nothing(room: Room, verb):
    names = ("Ana", "Ben", "Caro")
    await (room.game(*names) if verb == "draw" else room.first_turn(*names))
    ana, before = room.person("Ana"), room.public
    log = await log_of(ana)
    answer = await ana.slash(f"muscat {verb}", **ILLEGAL[verb])
    check_refusal(answer)
    (label,) = answer.labels
    rule = SPEC.rulebook.sections[label.removeprefix("Rule ").partition(":")[0]]
    assert f"### {rule.number} {rule.heading}" in await ana.tap(label, on=answer)
    assert answer.text == ana.look(answer).text
    assert (before, log) == (room.public, await log_of(ana))


async def test_garbage_in_any_option_is_refused_with_an_explanation(room: Room):
    await room.first_turn("Ana", "Ben", "Caro")
    ana, before = room.person("Ana"), room.public
    log = await log_of(ana)
    for garbage in GARBAGE:
        check_refusal(await ana.slash("muscat place", market=garbage))
    for verb, typed in ILLEGAL.items():
        for field in typed:
            for garbage in GARBAGE[:3]:
                check_refusal(await ana.slash(f"muscat {verb}", **{**typed, field: garbage}))
    assert (before, log) == (room.public, await log_of(ana))


async def test_garbage_in_an_autocompleted_field_yields_no_unrelated_suggestions(room: Room):
    await room.first_turn("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    for garbage in GARBAGE:
        suggestions = await ana.suggest("muscat place", "market", garbage)
        assert all(garbage.strip().casefold() in name.casefold() for name, _ in suggestions)
        assert [] == await ana.suggest("muscat change", "origin", "", artist=garbage)


async def test_case_and_spaces_do_not_matter(room: Room):
    board = await room.game("Ana", "Ben", "Caro")
    await room.person("Ana").slash("muscat place", market=" a ")
    assert "1A" in await room.board(after=board)


@pytest.mark.parametrize(
    "command", ["muscat draw", "game join", "game leave", "table start", "game board", "game replay"]
)
async def test_a_command_in_a_channel_without_a_game_says_how_to_start_one(room: Room, command):
    answer = await room.person("Ana").slash(command)
    check_refusal(answer)
    assert "/table new" in answer
    assert [] == room.public


@pytest.mark.parametrize("command", ["muscat draw", "game board", "game replay", "game log"])
async def test_a_command_before_the_start_explains_that_it_is_too_early(room: Room, command):
    await room.lobby("Ana", "Ben")
    answer = await room.person("Ana").slash(command)
    check_refusal(answer)
    assert "Start" in answer


@pytest.mark.parametrize("command", ["game join", "table start"])
async def test_a_lobby_command_after_the_start_explains_that_it_is_too_late(room: Room, command):
    await room.game("Ana", "Ben", "Caro")
    before = room.public
    answer = await room.person("Ana" if command != "game join" else "Dan").slash(command)
    check_refusal(answer)
    assert "begun" in answer
    assert before == room.public


async def test_the_board_is_shown_in_private_with_a_move_button_for_due_players(room: Room):
    await room.game("Ana", "Ben", "Caro")
    before = room.public
    look = ["Log", "As text", "Replay"]
    for name, labels in (("Ana", ["Your move", *look]), ("Ben", look), ("Dan", [*look, "Follow"])):
        page = await room.person(name).slash("game board")
        assert page.ephemeral
        assert (1080, 1440) == page.images[0].size
        assert room.person("Ana").mention in page
        assert labels == page.labels
    assert before == room.public
    again = await room.person("Ana").slash("game board")
    assert FIRST_MOVE in (await room.person("Ana").tap("Your move", on=again)).labels


async def test_the_position_can_be_read_as_text(room: Room):
    await room.first_turn("Ana", "Ben", "Caro")
    by_command = await room.person("Dan").slash("game board", **{"as": "text"})
    by_button = await room.person("Dan").tap("As text")
    assert by_command.text == by_button.text
    assert by_command.ephemeral
    for word in ("🔴 Ana", "🟦 Ben", "🟨 Caro", "1A", "4C", "Palace"):
        assert word.casefold() in by_command.text.casefold()


async def test_the_hand_of_an_open_game_says_that_nothing_is_hidden(room: Room):
    await room.game("Ana", "Ben", "Caro")
    answer = await room.person("Ana").slash("game hand")
    check_refusal(answer)
    assert "Nothing is hidden" in answer


async def test_games_are_suggested_by_title_with_a_summary(room: Room):
    assert (f"{SPEC.title} – {SPEC.summary}", GAME) in await room.person("Dan").suggest("table new", "game", "mus")
    assert [] == await room.person("Dan").suggest("table new", "game", "chess")
