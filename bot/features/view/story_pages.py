"""The story of a match that is over, page by page, for one person; and for everyone, if one of them wants that."""

from __future__ import annotations

import asyncio
from functools import partial

from bot.errors import UserError
from bot.features.contrast import draw_for, wants_contrast
from bot.features.groups import game
from bot.features.handlers import TableRequest, at_table
from bot.features.services import Services
from bot.interactions.controls import Control
from bot.interactions.places import require_permissions
from bot.posting import board_layouts, story_layouts
from bot.posting.pictures import Drawn
from bot.posting.story_layouts import accuracy_layout, shared_layout, story_layout, turning_layout
from bot.store.matches import Status
from bot.tables.people import mention
from bot.tables.table import Table
from engine.languages import reading
from engine.story.chapter import chapter_of
from engine.story.telling import Story, Turning, has_story
from engine.texts import Seat, Text


@game.command("story", "See how a finished game went: who was ahead, and what turned it", also_over=True)
@at_table(board_layouts.story)
async def show_story(request: TableRequest, page: int = 0) -> None:
    """A page of the story."""
    story = await story_of(request)
    if page == 0:
        image = await _draw(request, story, contrast=await wants_contrast(request.services, request.user_id))
        own = await own_mistakes(request, story)
        await request.response.show(
            story_layout(request.table, story, (image.filename, image.alt), own), [image.file()]
        )
    elif page <= len(story.turnings):
        await _show_turning(request, story, page)
    else:
        await request.response.show(accuracy_layout(request.table, story))


@at_table(story_layouts.share_story)
async def share_story(request: TableRequest) -> None:
    """*Show to everyone*: the story in the channel."""
    require_permissions(request.response.interaction)
    table, services, nonce = request.table, request.services, str(request.response.interaction.id)
    with services.limits.shares.one(request.user_id), reading(await services.servers.language_of(table)):
        story = await story_of(request)
        image = await _draw(request, story, contrast=await services.servers.in_contrast(table))
        attachment, following = (image.filename, image.alt), await _following(services, table)
        compose = partial(shared_layout, table, story, attachment, mention(request.user_id), following)
        await services.channels.send(table.row.channel_id, compose, files=[image.file()], nonce=nonce)
        await request.response.show_text(Text("Everyone in this channel can see it now."))


async def _following(services: Services, table: Table) -> list[Control]:
    """The button that leads on from a finished game, while its channel plays nothing else."""
    newest = await services.tables.shown_at(table.row.channel_id)
    if newest.id != table.id:
        return []
    return [board_layouts.next_control(table, await services.store.leagues.league_of(table.id) or 0)]


async def story_of(request: TableRequest) -> Story:
    """The story of the table's match. Raises `UserError` where there is none."""
    table = request.table
    if table.row.status is Status.ENDED:
        raise UserError(Text("This game was called off, so it has no story."))
    match = table.viewable_match()
    if match.outcome is None:
        raise UserError(Text("The story comes when the game is over; until then it would give things away."))
    # it plays the match once more, which takes some 40 ms
    if not await asyncio.to_thread(has_story, match):
        raise UserError(Text("This game was too short to have a story."))
    return await request.services.stories.of(table.id, match)


async def own_mistakes(request: TableRequest, story: Story) -> tuple[Turning, ...]:
    """The costliest choices of this user, the costliest first."""
    owners = await request.services.store.ratings.owners(request.table.id)
    own = (Seat(seat) for seat, (user_id, _) in enumerate(owners) if user_id == request.user_id)
    return tuple(mistake for seat in own for mistake in story.mistakes_of(seat))


async def _draw(request: TableRequest, story: Story, *, contrast: bool) -> Drawn:
    table, match = request.table, request.table.viewable_match()
    chapter = await asyncio.to_thread(chapter_of, match, story, match.names)
    people = (table.seat_names, table.names_with_portraits)
    return await request.services.pictures.draw_story(match.view(None), chapter, *people, contrast=contrast)


async def _show_turning(request: TableRequest, story: Story, number: int) -> None:
    """The board as the player saw it, with the better choice marked: after the end it is no longer a secret."""
    table, match, turning = request.table, request.table.viewable_match(), story.turnings[number - 1]
    view = match.view_at(turning.ply, turning.seat, offered=(match.parse(turning.better),))
    image = await draw_for(request.services, request.user_id, table, view)
    own = await own_mistakes(request, story)
    attachment = (image.filename, image.alt)
    await request.response.show(turning_layout(table, story, number, attachment, own), [image.file()])
