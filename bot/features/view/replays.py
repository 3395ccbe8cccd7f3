"""Replays of a game, animated or position by position, always from the view of onlookers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ui import TextDisplay

from bot.errors import UserError
from bot.features.contrast import draw_for, wants_contrast
from bot.features.dispatcher import Candidates, Interaction, suggesting
from bot.features.groups import game
from bot.features.handlers import Answer, TableRequest, at_table
from bot.features.named import table_here
from bot.interactions.controls import Control
from bot.interactions.kinds import InVersion
from bot.interactions.parts import Layout, card, layout, picture, row
from bot.interactions.places import require_permissions
from bot.posting import animations, board_layouts
from bot.posting.animations import animate, animation_items, step_by_step, view_of, which_moves
from bot.posting.board_texts import moves_of, turn_line
from bot.posting.pictures import Animation
from bot.tables.people import mention
from bot.tables.table import Table
from engine.languages import reading
from engine.texts import Seat, Text
from engine.turns import Turn, round_of, scenes_of
from engine.wording import say

_MOVES = re.compile(r"(\d{1,9})-(\d{1,9})")


ALL, ROUND = "all", "round"
"""The whole game, and the turns since everybody had one: what controls carry; `12-16` are moves by their numbers."""

MAX_MOVES = 999_999
"""More than any game has."""


@at_table(board_layouts.replay)
async def show_replay(request: TableRequest, span: str = "") -> None:
    """An animation for this user only; `span` is `ALL`, `ROUND`, or the numbers of moves, `12-16`.

    By default it is the whole of a game that is over, or the last round.
    """
    table, services = request.table, request.services
    # animations of all tables are made one after the other: a user may not block the others
    with services.limits.replays.one(request.user_id):
        scenes = _scenes(table)
        scene_range = _scene_range(table, scenes, span)
        contrast = await wants_contrast(services, request.user_id)
        animation = await animate(services.pictures, table, scenes, scene_range, contrast=contrast)
        await request.response.show(_replay_layout(table, animation, scenes, scene_range), [animation.file()])


@at_table("film", Answer.NEW)
async def show_beside(request: TableRequest) -> None:
    """*Replay*, under a private board: it leaves that board where it is."""
    await show_replay(request)


@suggesting
async def _suggest_moves(interaction: Interaction, current: str) -> Candidates[int]:
    table = await table_here(interaction)
    return candidates(table, current) if table else ()


@game.command("replay", "Replay what has happened, as an animation or step by step", also_over=True)
@app_commands.rename(first="from", last="to")
@app_commands.describe(
    span="by default the last round, or all of a finished game",
    first="the number of the first move",
    last="the number of the last move",
)
@app_commands.choices(span=[Choice(name="the last round", value=ROUND), Choice(name="the whole game", value=ALL)])
@app_commands.autocomplete(first=_suggest_moves, last=_suggest_moves)
async def show_moves(
    request: TableRequest,
    span: str = "",
    first: app_commands.Range[int, 1, MAX_MOVES] | None = None,
    last: app_commands.Range[int, 1, MAX_MOVES] | None = None,
) -> None:
    """`/game replay`: a span, or the moves between two numbers."""
    await show_replay(request, f"{first or 1}-{last or MAX_MOVES}" if first or last else span)


@at_table("share")
async def share(request: TableRequest, span: str) -> None:
    """*Show to all*: the same in the channel."""
    require_permissions(request.response.interaction)
    table, services, nonce = request.table, request.services, str(request.response.interaction.id)
    everybody = await services.servers.language_of(table)
    # what all see is in their language, the words on the picture too
    with services.limits.shares.one(request.user_id), reading(everybody):
        scenes = _scenes(table)
        scene_range = _scene_range(table, scenes, span)
        contrast = await services.servers.in_contrast(table)
        animation = await animate(services.pictures, table, scenes, scene_range, contrast=contrast)
        compose = partial(_shared_layout, table, animation, scenes, scene_range, mention(request.user_id))
        await services.channels.send(table.row.channel_id, compose, files=[animation.file()], nonce=nonce)
        await request.response.show_text(Text("Everyone in this channel can see it now."))


@at_table(animations.frame)
async def show_frame(request: TableRequest, number: int = 0, way: InVersion[int] = 0) -> None:
    """A single position, by its number, and what led to it."""
    table = request.table
    scenes = _scenes(table)
    # moves may have been taken back since the button was made
    number = min(number, len(scenes) - 1)
    view = view_of(table.viewable_match(), scenes[number])
    image = await draw_for(request.services, request.user_id, table, view)
    layout = _frame_layout(table, scenes, number, (image.filename, image.alt), table.seat_of(request.user_id))
    await request.response.show(layout, [image.file()])


def _scenes(table: Table) -> list[Turn]:
    """The beginning and all turns so far. Raises `UserError` if there is none."""
    scenes = scenes_of(table.viewable_match())
    if len(scenes) == 1:
        raise UserError(Text("Nobody has moved yet, so there’s nothing to replay."))
    return scenes


def _scene_range(table: Table, scenes: Sequence[Turn], span: str) -> tuple[int, int]:
    """The numbers of the first and the last scene of a span; spans come from outside, and moves are taken back."""
    last = len(scenes) - 1
    if numbers := _MOVES.fullmatch(span):
        first, end = sorted(_scene_with(scenes, int(move)) for move in numbers.groups())
        return first, end
    if span == ALL or (span != ROUND and table.viewable_match().outcome):
        return 1, last
    return round_of(scenes, table.setup.seats), last


def _scene_with(scenes: Sequence[Turn], move: int) -> int:
    """The index of the scene with a move, or of the last scene if there are fewer moves."""
    return next((n for n, scene in enumerate(scenes) if n and move <= scene.moves[1]), len(scenes) - 1)


def candidates(table: Table, current: str) -> Candidates[int]:
    """The turns from the newest on; `None` for one without these words or without a move of this number."""
    query = current.casefold()
    # without the opening
    for scene in scenes_of(table.viewable_match())[:0:-1]:
        if current.isdecimal() and not _has(scene, current):
            yield None
            continue
        words = f"{moves_of(scene)} · {_scene_words(table, scene)}"
        fits = current.isdecimal() or query in words.casefold()
        yield Choice(name=words[:100], value=scene.moves[1]) if fits else None


def _has(scene: Turn, digits: str) -> bool:
    return any(str(move).startswith(digits) for move in range(scene.moves[0], scene.moves[1] + 1))


def _scene_words(table: Table, scene: Turn) -> str:
    return " ".join(say(event, table.plain_names) for event in scene.events)


# --- layouts ---


def _replay_layout(table: Table, animation: Animation, scenes: Sequence[Turn], chosen: tuple[int, int]) -> Layout:
    """A moving picture for one person, with ways to others, to its single positions, and to show it around."""
    first, last = (scenes[number] for number in chosen)
    # by the numbers of moves, which do not change while the game goes on
    span = f"{first.moves[1]}-{last.moves[1]}"
    ways = [
        show_replay.button(table, Text("Last round"), span=ROUND),
        show_replay.button(table, Text("Whole game"), span=ALL),
        step_by_step(table, chosen[0]),
        share.button(table, Text("Show to everyone"), span=span),
    ]
    return layout(*_animation_items(table, animation, scenes, chosen), row(*ways))


def _shared_layout(
    table: Table, animation: Animation, scenes: Sequence[Turn], chosen: tuple[int, int], user: str
) -> Layout:
    """The animation for everyone, with the user who shared it."""
    by = table.say(Text("-# Shown by {user}.", user=user))
    items = (*_animation_items(table, animation, scenes, chosen), TextDisplay(by), row(step_by_step(table, chosen[0])))
    return layout(card(*items))


def _animation_items(
    table: Table, animation: Animation, scenes: Sequence[Turn], chosen: tuple[int, int]
) -> list[discord.ui.Item[Any]]:
    first, last = chosen
    title = Text("Replay of {title}", title=table.title)
    return animation_items(table, animation, title, scenes[first : last + 1], scenes[-1])


def _frame_layout(
    table: Table, scenes: Sequence[Turn], number: int, shown: tuple[str, str], you: Seat | None
) -> Layout:
    """A single position with what led to it, and ways to the others."""
    scene, last = scenes[number], len(scenes) - 1
    which = which_moves([scene], scenes[-1]) if number else Text("How it began")
    words = [f"**{table.say(which)}**", *([turn_line(table, scene, you)] if scene.events else [])]
    targets = ((Text("First"), 0), (Text("Back"), number - 1), (Text("Forward"), number + 1), (Text("Last"), last))
    ways = [
        Control(show_frame.id(table, max(0, to), way), label, disabled=to in (number, -1, last + 1))
        for way, (label, to) in enumerate(targets)
    ]
    # the fifth button of the row, which is full now
    back = show_replay.button(table, Text("Replay"))
    return layout(picture(*shown), TextDisplay("\n".join(words)), row(*ways, back))
