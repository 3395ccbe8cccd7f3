"""The story of a match that is over, page by page, for one person."""

from __future__ import annotations

import asyncio

from bot.errors import UserError
from bot.groups import game
from bot.handlers import TableRequest, at_table
from bot.posting import story_layouts
from bot.posting.story_layouts import accuracy_layout, pages_of, story_layout, turning_layout
from bot.store.matches import Status
from bot.view.contrast import draw_for, wants_contrast
from engine.story.chapter import chapter_of
from engine.story.telling import Story, worth_telling
from engine.texts import Text


@game.command("story", "See how a finished game went: who was ahead, and what turned it", also_over=True)
@at_table(story_layouts.show_story)
async def show_story(request: TableRequest, page: int = 0) -> None:
    """A page of the story."""
    table = request.table
    if table.row.status is Status.ENDED:
        raise UserError(Text("This game was called off, so it has no story."))
    match = table.shown()
    if match.outcome is None:
        raise UserError(Text("The story comes when the game is over; until then it would give things away."))
    # it plays the match once more, which takes some 40 ms
    if not await asyncio.to_thread(worth_telling, match):
        raise UserError(Text("This game was too short to have a story."))
    story = await request.services.stories.of(table.id, match)
    page = min(page, pages_of(story) - 1)
    if page == 0:
        await _show_whole(request, story)
    elif page <= len(story.turnings):
        await _show_turning(request, story, page)
    else:
        await request.response.show(accuracy_layout(table, story))


async def _show_whole(request: TableRequest, story: Story) -> None:
    table, match = request.table, request.table.shown()
    chapter = await asyncio.to_thread(chapter_of, match, story, match.names)
    people, contrast = (table.seat_names, table.portrayed), await wants_contrast(request.services, request.user_id)
    drawn = await request.services.pictures.draw_story(match.view(None), chapter, *people, contrast=contrast)
    await request.response.show(story_layout(table, story, (drawn.filename, drawn.alt), posted=False), [drawn.file()])


async def _show_turning(request: TableRequest, story: Story, number: int) -> None:
    """The board as the player who chose saw it, with what was better marked: after the end it is no longer a secret."""
    table, match, turning = request.table, request.table.shown(), story.turnings[number - 1]
    view = match.view_at(turning.ply, turning.seat, offered=(match.parse(turning.better),))
    drawn = await draw_for(request.services, request.user_id, table, view)
    await request.response.show(turning_layout(table, story, number, (drawn.filename, drawn.alt)), [drawn.file()])
