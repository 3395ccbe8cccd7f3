"""The story of a match that is over, page by page, for one person."""

from __future__ import annotations

from bot.errors import Declined
from bot.habits.contrast import draw_for, wants_contrast
from bot.reception import Handler, Visit
from bot.store.matches import Status
from bot.stories.layouts import accuracy_layout, pages_of, story_layout, turning_layout
from engine.story.chapter import chapter_of
from engine.story.telling import Story, worth_telling
from engine.texts import Text

NOT_OVER = Text("The story is told when the game is over; until then it would give things away.")
TOO_SHORT = Text("This game was too short to have a story.")
CALLED_OFF = Text("This game was called off, so it has no story.")


async def show_story(visit: Visit) -> None:
    """The page that was asked for, else the first one."""
    table, asked = visit.table, visit.control.text
    if table.row.status is Status.ENDED:
        raise Declined(CALLED_OFF)
    match = table.shown()
    if match.outcome is None:
        raise Declined(NOT_OVER)
    if not worth_telling(match):
        raise Declined(TOO_SHORT)
    story = await visit.court.stories.of(table.id, match)
    page = min(int(asked), pages_of(story) - 1) if asked.isdecimal() else 0
    if page == 0:
        await _show_whole(visit, story)
    elif page <= len(story.turnings):
        await _show_turning(visit, story, page)
    else:
        await visit.answer.show(accuracy_layout(table, story))


async def _show_whole(visit: Visit, story: Story) -> None:
    table, match = visit.table, visit.table.shown()
    chapter = chapter_of(match, story, match.names)
    people, contrast = (table.seat_names, table.portrayed), await wants_contrast(visit.court, visit.user_id)
    drawn = await visit.court.pictures.draw_story(match.view(None), chapter, *people, contrast=contrast)
    await visit.answer.show(story_layout(table, story, (drawn.filename, drawn.alt), posted=False), [drawn.file()])


async def _show_turning(visit: Visit, story: Story, number: int) -> None:
    """The board as whoever chose saw it, with what was better marked: after the end it is no secret any more."""
    table, match, turning = visit.table, visit.table.shown(), story.turnings[number - 1]
    view = match.view_at(turning.ply, turning.seat, offered=(match.parse(turning.better),))
    drawn = await draw_for(visit.court, visit.user_id, table, view)
    await visit.answer.show(turning_layout(table, story, number, (drawn.filename, drawn.alt)), [drawn.file()])


HANDLERS: dict[str, Handler] = {"story": show_story}
"""What the controls of this room do that leaf in a story."""
