"""Seeing again what has happened: as a moving picture, or position by position. All of it as onlookers have seen it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from discord.app_commands import Choice

from bot.dispatcher import Answer, Candidates, TableRequest, at_table
from bot.errors import UserError
from bot.interactions.places import require_permissions
from bot.posting.animations import animated, view_of
from bot.posting.board_texts import moves_of
from bot.tables.people import mention
from bot.tables.table import Table
from bot.view.contrast import draw_for, wants_contrast
from bot.view.game_layouts import ALL, ROUND, frame_layout, replay_layout, shared_layout
from engine.languages import reading
from engine.texts import Text
from engine.turns import Turn, round_of, scenes_of
from engine.wording import say

_MOVES = re.compile(r"(\d{1,9})-(\d{1,9})")


async def show_replay(request: TableRequest, span: str | None = None) -> None:
    """A moving picture for this user only; `span` is `ALL`, `ROUND`, or the numbers of moves, `12-16`.

    By default it is the one that a control carries, else the whole of a game that is over, or the last round.
    """
    table, services = request.table, request.services
    # animations of all tables are made one after the other: nobody may hold up the rest
    with services.limits.replays.one(request.user_id):
        scenes = _scenes(table)
        chosen = _chosen(table, scenes, request.control.text if span is None else span)
        contrast = await wants_contrast(services, request.user_id)
        animation = await animated(services.pictures, table, scenes, chosen, contrast=contrast)
        await request.response.show(replay_layout(table, animation, scenes, chosen), [animation.file()])


async def share(request: TableRequest) -> None:
    """*Show to all*: the same in the channel."""
    require_permissions(request.response.interaction)
    table, services, nonce = request.table, request.services, str(request.response.interaction.id)
    everybody = await services.servers.language_of(table)
    # what all see is in their language, the words on the picture too
    with services.limits.shares.one(request.user_id), reading(everybody):
        scenes = _scenes(table)
        chosen = _chosen(table, scenes, request.control.text)
        contrast = await services.servers.in_contrast(table)
        animation = await animated(services.pictures, table, scenes, chosen, contrast=contrast)
        compose = partial(shared_layout, table, animation, scenes, chosen, mention(request.user_id))
        await services.channels.send(table.row.channel_id, compose, files=[animation.file()], nonce=nonce)
        await request.response.show_text(Text("Everyone in this channel can see it now."))


async def show_frame(request: TableRequest) -> None:
    """A single position, by its number, and what led to it."""
    table, asked = request.table, request.control.text
    scenes = _scenes(table)
    # moves may have been taken back since the button was made
    number = min(int(asked), len(scenes) - 1) if asked.isdecimal() else 0
    view = view_of(table.shown(), scenes[number])
    drawn = await draw_for(request.services, request.user_id, table, view)
    layout = frame_layout(table, scenes, number, (drawn.filename, drawn.alt), table.seat_of(request.user_id))
    await request.response.show(layout, [drawn.file()])


def _scenes(table: Table) -> list[Turn]:
    """The beginning and all turns so far. Raises `UserError` if there is none."""
    scenes = scenes_of(table.shown())
    if len(scenes) == 1:
        raise UserError(Text("Nobody has moved yet, so there’s nothing to replay."))
    return scenes


def _chosen(table: Table, scenes: Sequence[Turn], span: str) -> tuple[int, int]:
    """The numbers of the first and the last scene of a span; spans come from outside, and moves are taken back."""
    last = len(scenes) - 1
    if found := _MOVES.fullmatch(span):
        first, end = sorted(_scene_with(scenes, int(move)) for move in found.groups())
        return first, end
    if span == ALL or (span != ROUND and table.shown().outcome):
        return 1, last
    return round_of(scenes, table.setup.seats), last


def _scene_with(scenes: Sequence[Turn], move: int) -> int:
    """The number of the scene that shows a move; of the last one, if there are not so many."""
    return next((n for n, scene in enumerate(scenes) if n and move <= scene.moves[1]), len(scenes) - 1)


def candidates(table: Table, current: str) -> Candidates[int]:
    """The turns from the newest on; `None` for one without these words or without a move of this number."""
    wanted = current.casefold()
    # without the opening
    for scene in scenes_of(table.shown())[:0:-1]:
        if current.isdecimal() and not _has(scene, current):
            yield None
            continue
        words = f"{moves_of(scene)} · {_in_words(table, scene)}"
        fits = current.isdecimal() or wanted in words.casefold()
        yield Choice(name=words[:100], value=scene.moves[1]) if fits else None


def _has(scene: Turn, digits: str) -> bool:
    return any(str(move).startswith(digits) for move in range(scene.moves[0], scene.moves[1] + 1))


def _in_words(table: Table, scene: Turn) -> str:
    return " ".join(say(event, table.plain_names) for event in scene.events)


TAPS = {
    "replay": at_table(show_replay),
    "film": at_table(show_replay, Answer.NEW),
    "frame": at_table(show_frame),
    "share": at_table(share),
}
"""A replay that is asked for beside a board leaves that board where it is."""
