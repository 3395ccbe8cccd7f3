"""*Show to everyone* at a desk: what all see is in the language and the colors of the channel, not of who shows it."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

import renders
from bot.features.view import games, replays
from bot.interactions import places
from bot.posting import animations as animations_module
from bot.posting.animations import which_moves
from bot.posting.pictures import MAX_BYTES, Animation, _animating
from bot.tables.guild_settings import GuildSettings
from bot.tables.preferences import Preferences, keep_preferences
from engine.languages import language
from engine.texts import Seat
from engine.turns import Turn
from renders import animation as animation_module
from tests.bot.desk import Desk
from tests.bot.outcomes import sent
from tests.bot.posting.test_posted_boards import bid
from tests.bot.refusing import CHANNEL, GUEST, GUILD, HOST, House


@pytest.fixture
async def animations(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """The language and the contrast of each animation, in a game of two moves."""
    made: list[tuple[str, bool]] = []

    async def animation(*_: Any, contrast: bool, **__: Any) -> Animation:
        made.append((language().code, contrast))
        return Animation(b"", "a.gif", "a board", 2, 2)

    monkeypatch.setattr(desk.home.services.pictures, "animation", animation)
    table = await desk.home.posted()
    for user_id in (HOST, GUEST):
        await bid(desk.home, table, user_id, 1)
    sent(desk.home)
    return made


@pytest.mark.parametrize("contrast", [(), (CHANNEL,)])
async def test_a_replay_for_everyone_is_made_for_the_channel(
    desk: Desk, animations: list[tuple[str, bool]], contrast: tuple[int, ...]
) -> None:
    settings = GuildSettings(contrast=contrast, language="fr")
    await desk.home.services.servers.keep(GUILD, settings)
    await keep_preferences(desk.home.store.settings, HOST, Preferences(contrast=not contrast))
    for number, control in ((4710, "replay:1:0:all"), (4711, "share:1:0:all")):
        await desk.tap(HOST, control, locale="de", id=number)
    assert [("de", not contrast), ("fr", bool(contrast))] == animations
    nonces = [body["nonce"] for _, body in desk.home.network.bodies]
    assert ["4711"] == nonces, "delivered once more, the tap sends nothing new"
    assert [1] == [len(body["attachments"]) for _, body in desk.home.network.bodies]
    ((head, title, *_),) = sent(desk.home)
    assert ("POST /channels/2/messages", True) == (head, "Sealed Bids" in title)


@pytest.mark.parametrize("control", ["share:1:0:all", "sharestory:1:0:"])
async def test_pictures_are_shown_only_where_the_bot_may_write(
    control: str, desk: Desk, animations: list[tuple[str, bool]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        places,
        "findings_at",
        lambda *_: places.findings_without_cause([places.needs(places.Doing.GAME, thread=False)[1]]),
    )
    ((_, line, *_),) = await desk.tap(HOST, control)
    assert (f"**I can’t run a game in <#{CHANNEL}> yet.** What is missing:", [], []) == (
        line,
        animations,
        sent(desk.home),
    )


@pytest.mark.parametrize(
    ("typed", "moves", "large"),
    [
        ({"first": 1, "last": 2}, "Moves 1–2 of 3", True),
        ({"first": 2}, "Moves 2–3 of 3", True),
        ({"last": 1}, "Move 1 of 3", True),
        ({"span": "all"}, "Moves 1–3 of 3", False),
    ],
)
async def test_a_replay_of_some_moves_needs_one_number_only(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, typed: dict[str, object], moves: str, large: bool
) -> None:
    await three_moves(desk.home)
    sizes: list[tuple[bool, int]] = []

    async def animation(views: Any, *_: Any, large: bool, **__: Any) -> Animation:
        sizes.append((large, len(views())))
        return Animation(b"", "a.gif", "a board", 2, 2)

    monkeypatch.setattr(desk.home.services.pictures, "animation", animation)
    monkeypatch.setattr(animations_module, "MAX_LARGE_TURNS", 2)
    ((_, _, heading, *_),) = await desk.command(HOST, replays.show_moves, **typed)
    number = 4 if not large else 3 if heading.startswith("Moves") else 2
    assert (moves, [(large, number)]) == (heading, sizes), "with the position before them"


async def three_moves(home: House) -> None:
    """A garden in which three beds are planted."""
    table = await home.match(game="garden")
    for user_id in (HOST, GUEST, HOST):
        option = table.require_match().decision_of(table.require_seat(user_id)).options[0]
        number = 50 + table.require_match().version
        await home.services.moves.play(table, user_id, option, interaction_id=number, version=None)


async def test_positions_are_those_of_onlookers_in_words_to_their_reader(desk: Desk) -> None:
    await three_moves(desk.home)
    pictures: Any = desk.home.services.pictures
    pictures.drawings.clear()
    first = ["(First frame 0)", "(Back frame 1 0)", "[Forward frame 2 1]", "[Last frame 3 3]", "[Replay replay]"]
    last = ["[First frame 0]", "[Back frame 1 2]", "(Forward frame 2 4)", "(Last frame 3 3)", "[Replay replay]"]
    for user_id, name in ((HOST, "You"), (GUEST, "Ana")):
        assert [["edit", "**How it began**", *first]] == await desk.tap(user_id, "frame:1:0:0")
        for number in (3, 9):
            lines = ["**Move 3 of 3**", f"🔴 {name} plants a3 with date tree.", *last]
            assert [["edit", *lines]] == await desk.tap(user_id, f"frame:1:0:{number}")
    seen = [(view.viewer, view.ply, len(view.events)) for view, _ in pictures.drawings]
    assert [(None, 0, 0), (None, 3, 1), (None, 3, 1)] * 2 == seen


async def test_nothing_is_hidden_in_a_game_without_hands(desk: Desk) -> None:
    await desk.home.posted(game="garden")
    nothing = "Nothing is hidden in Garden: everyone sees the same board."
    assert [["new private", nothing]] == await desk.command(HOST, games.show_hand)


@pytest.mark.parametrize(("large", "scale"), [(True, animation_module.FULL), (False, animation_module.HALF)])
def test_an_animation_is_drawn_in_the_size_and_colors_that_were_asked_for(
    monkeypatch: pytest.MonkeyPatch, large: bool, scale: float
) -> None:
    drawings: list[tuple[Any, ...]] = []

    def animated(*seen: Any, **how: Any) -> list[tuple[bytes, int]]:
        drawings.append((*seen, how))
        return [(b"", 1)]

    monkeypatch.setattr(animation_module, "animate", animated)
    for contrast in (False, True):
        assert [None] == list(_animating(lambda: [], ["Red"], ["Ana"], large=large, contrast=contrast))
    usual = {"scale": scale, "most": MAX_BYTES}
    assert [([], ["Red"], ["Ana"], {**usual, "contrast": contrast}) for contrast in (False, True)] == drawings


def test_an_animation_is_named_by_its_first_and_last_position_and_described_by_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def draw(view: Any, names: Sequence[str], persons: Sequence[str]) -> Any:
        return SimpleNamespace(alt=f"{view.ply} {names} {persons}")

    monkeypatch.setattr(animation_module, "animate", lambda *_, **__: [(b"", 1), (b"GIF", 2)])
    monkeypatch.setattr(renders, "draw", draw)
    seen: Any = [SimpleNamespace(game=game, ply=ply) for game, ply in (("old", 3), ("toll", 4), ("toll", 7))]
    made = list(_animating(lambda: seen, ["Red"], ["Ana"], large=True, contrast=False))
    assert [None, Animation(b"GIF", "toll-3-7.gif", "7 ['Red'] ['Ana']", 2, 3)] == made[:2]


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ([(1, 1)], "Move 1 of 9"),
        ([(1, 2)], "Moves 1–2 of 9"),
        ([(0, 0), (1, 1)], "Move 1 of 9"),
        ([(0, 0), (1, 2), (3, 4)], "Moves 1–4 of 9"),
        ([(4, 5), (6, 6)], "Moves 4–6 of 9"),
    ],
)
def test_a_replay_has_the_numbers_of_its_moves_without_the_setup(moves: list[tuple[int, int]], words: str) -> None:
    turns = [Turn(Seat(0), 0, 0, numbers, ()) for numbers in moves]
    assert words == str(which_moves(turns, Turn(Seat(1), 0, 0, (8, 9), ())))
