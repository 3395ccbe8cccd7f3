"""*Show to everyone* at a desk: what all see is in the language and the colors of the channel, not of who shows it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.view import games, replays
from bot.interactions import places
from bot.posting.pictures import MOST_BYTES, Animation, _animating
from bot.tables.guild_settings import GuildSettings
from bot.tables.preferences import Preferences, keep_preferences
from engine.languages import language
from renders import animation as animation_module
from tests.bot.desk import Desk
from tests.bot.posting.test_posted_boards import bid
from tests.bot.refusing import CHANNEL, GUEST, GUILD, HOST
from tests.bot.test_job_results import sent


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
    for control in ("replay:1:0:all", "share:1:0:all"):
        await desk.tap(HOST, control, locale="de")
    assert [("de", not contrast), ("fr", bool(contrast))] == animations
    ((head, title, *_),) = sent(desk.home)
    assert ("POST /channels/2/messages", True) == (head, "Sealed Bids" in title)


@pytest.mark.parametrize("control", ["share:1:0:all", "sharestory:1:0:"])
async def test_pictures_are_shown_only_where_the_bot_may_write(
    control: str, desk: Desk, animations: list[tuple[str, bool]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        places, "findings_at", lambda *_: places.unexplained([places.needs(places.Doing.GAME, thread=False)[1]])
    )
    ((_, line, *_),) = await desk.tap(HOST, control)
    assert (f"**I can’t run a game in <#{CHANNEL}> yet.** What is missing:", [], []) == (
        line,
        animations,
        sent(desk.home),
    )


@pytest.mark.parametrize(
    ("typed", "moves"),
    [
        ({"first": 1, "last": 2}, "Moves 1–2 of 3"),
        ({"first": 2}, "Moves 2–3 of 3"),
        ({"last": 1}, "Move 1 of 3"),
        ({"span": "all"}, "Moves 1–3 of 3"),
    ],
)
async def test_a_replay_of_some_moves_needs_one_number_only(
    desk: Desk, animations: list[tuple[str, bool]], typed: dict[str, object], moves: str
) -> None:
    home = desk.home
    await home.services.seats.end(await home.services.tables.at(CHANNEL), by=HOST, at=home.clock.now())
    table = await home.match(game="garden")
    for user_id in (HOST, GUEST, HOST):
        option = table.playing().decision_of(table.seated(user_id)).options[0]
        number = 50 + table.playing().version
        await home.services.moves.play(table, user_id, option, interaction_id=number, version=None)
    ((_, _, heading, *_),) = await desk.command(HOST, replays.show_moves, **typed)
    assert (moves, 1) == (heading, len(animations))


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

    monkeypatch.setattr(animation_module, "animated", animated)
    for contrast in (False, True):
        assert [None] == list(_animating(lambda: [], ["Red"], ["Ana"], large=large, contrast=contrast))
    usual = {"scale": scale, "most": MOST_BYTES}
    assert [([], ["Red"], ["Ana"], {**usual, "contrast": contrast}) for contrast in (False, True)] == drawings
