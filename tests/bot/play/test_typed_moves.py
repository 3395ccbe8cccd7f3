"""A typed move opens the preview that a tap opens, unless its user wants it played at once."""

from __future__ import annotations

import pytest

from bot.tables import preferences
from playground.player import Player, Seen
from tests.bot.app import App
from tests.e2e.robots import BOARD
from tests.e2e.rooms import Room, start_game


@pytest.fixture
def room(app: App) -> Room:
    return app.room()


async def begin(room: Room, game: str) -> Seen:
    """Ana begins a game with Ben. Returns the board."""
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game=game)
    await ben.tap("Join")
    if game == "jinns":
        await ana.tap("As printed", on=await ana.slash("table options"))
    await start_game(ana, ben)
    return await room.onlooker.expect(BOARD)


@pytest.fixture
async def board(room: Room) -> Seen:
    """The cave: Ana steals, or not, and then walks."""
    return await begin(room, "alibaba")


def written_moves(app: App) -> list[str]:
    """The verbs and first words of what players have done."""
    rows = app.query("SELECT notation FROM entries WHERE seat >= 0 ORDER BY n")
    return [" ".join(notation.split()[:2]) for (notation,) in rows]


async def play_at_once(app: App, person: Player) -> None:
    """Somebody wanted no previews of what they type before there was this version of the bot."""
    await app.close()
    stored = '{"at_once": true, "a habit of another version": 1}'
    await app.change("INSERT INTO settings VALUES ('user', ?, 'preferences', ?)", person.id, stored)
    await app.open()


async def walk(room: Room) -> Seen:
    """Ana types the walk that is suggested first; not every card leaves a choice of routes."""
    ana, typed = room.person("Ana"), {}
    for field in ("card", "route"):
        suggestions = await ana.suggest("alibaba play", field, **typed)
        if suggestions:
            typed[field] = suggestions[0][1]
    assert "card" in typed, "what can come after what is chosen is suggested"
    return await ana.slash("alibaba play", **typed)


async def test_a_typed_move_shows_a_preview_and_only_confirm_plays_it(app: App, room: Room, board: Seen) -> None:
    ana, public = room.person("Ana"), room.public
    answer = await ana.slash("alibaba steal", turns="2")
    assert answer.text.startswith("🔴 You steal")
    assert (True, 1, "Confirm") == (answer.ephemeral, len(answer.images), answer.labels[0])
    assert ([], public) == (written_moves(app), room.public)
    assert "Confirm" not in (await ana.tap("Confirm", on=answer)).labels
    assert ["steal 2"] == written_moves(app)


async def test_a_second_typed_move_continues_the_first_if_it_fits(app: App, room: Room, board: Seen) -> None:
    first = await room.person("Ana").slash("alibaba steal", turns="2")
    second = await walk(room)
    stolen = first.text.partition("\n###")[0]
    assert second.text.startswith((stolen, f"### Play this?\n{stolen}"))
    assert second.text != first.text
    assert [] == written_moves(app)
    await room.person("Ana").tap("Confirm", on=second)
    theft, stroll = written_moves(app)
    assert ("steal 2", "play") == (theft, stroll.split()[0])


async def test_a_second_typed_move_that_does_not_fit_replaces_the_first(app: App, room: Room, board: Seen) -> None:
    ana = room.person("Ana")
    await ana.slash("alibaba steal", turns="2")
    await walk(room)
    reply = await ana.slash("alibaba steal", turns="3")
    assert 1 == reply.text.count("You steal")
    assert reply.text == (await ana.tap("Your move", on=board)).text
    await ana.tap("Confirm", on=reply)
    assert ["steal 3"] == written_moves(app)


@pytest.mark.parametrize(("verb", "typed"), [("steal", {"turns": "99"}), ("claim", {"thief": "nobody"})])
async def test_an_illegal_move_is_refused_and_the_draft_stays(
    app: App, room: Room, board: Seen, verb: str, typed: dict[str, str]
) -> None:
    ana = room.person("Ana")
    page = await ana.slash("alibaba steal", turns="2")
    refused = await ana.slash(f"alibaba {verb}", **typed)
    assert (True, []) == (refused.ephemeral, [label for label in refused.labels if not label.startswith("Rule ")])
    assert page.text == (await ana.tap("Your move", on=board)).text
    await ana.tap("Confirm", on=page)
    assert ["steal 2"] == written_moves(app)


async def test_a_player_who_is_not_due_reads_who_is(app: App, room: Room, board: Seen) -> None:
    assert room.person("Ana").mention in await room.person("Ben").slash("alibaba steal", turns="2")
    assert [] == app.query("SELECT * FROM drafts")


async def test_a_user_with_play_at_once_plays_the_typed_move_and_drops_the_draft(
    app: App, room: Room, board: Seen
) -> None:
    ana = room.person("Ana")
    await ana.slash("alibaba steal", turns="2")
    await play_at_once(app, ana)
    assert "You steal 6,000 for 3 more turns" in await ana.slash("alibaba steal", turns="3")
    assert ["steal 3"] == written_moves(app)
    assert [] == app.query("SELECT * FROM drafts")


async def test_a_move_typed_twice_counts_twice_if_it_can_be_repeated(app: App, room: Room) -> None:
    """A seat of this game places several times in a row."""
    await begin(room, "jinns")
    ana = room.person("Ana")
    await ana.slash("jinns place", strength="1")
    response = await ana.slash("jinns place", strength="1")
    assert [] == written_moves(app)
    await ana.tap("Confirm", on=response)
    assert ["place 1", "place 1"] == written_moves(app)


async def test_a_move_played_at_once_does_not_include_the_draft(app: App, room: Room) -> None:
    await begin(room, "jinns")
    ana = room.person("Ana")
    await ana.slash("jinns place", strength="1")
    await play_at_once(app, ana)
    await ana.slash("jinns place", strength="1")
    assert ["place 1"] == written_moves(app)


def test_a_new_user_sees_a_preview() -> None:
    assert not preferences.Preferences().at_once
