"""An event that Discord may have made is found by its maker, its place and its time."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.errors import UnreadableAnswer
from bot.interactions.scheduled_events import create_event, delete_event, find_event, is_event_gone
from bot.tables.scheduled_events import TimedEvent
from tests.bot.whole import NOW

BOT = 7
EVENT = TimedEvent("Toll", NOW + timedelta(milliseconds=300), "here")


@pytest.mark.parametrize(
    ("creator", "place", "start", "is_found"),
    [
        (BOT, "here", NOW, True),
        (BOT, "here", NOW + timedelta(milliseconds=900), True),
        (BOT, "here", NOW + timedelta(seconds=1), False),
        (BOT, "there", NOW, False),
        (8, "here", NOW, False),
    ],
)
async def test_an_uncertain_event_is_known_again(creator: int, place: str, start: Any, is_found: bool) -> None:
    events = [SimpleNamespace(id=5, creator_id=creator, location=place, start_time=start)]

    async def run(request: Any, limit: float) -> Any:
        assert {"with_counts": False} == request.keywords
        return events

    guild: Any = SimpleNamespace(_state=SimpleNamespace(self_id=BOT), fetch_scheduled_events=print)
    requests: Any = SimpleNamespace(run=run)
    assert (5 if is_found else None) == await find_event(requests, guild, EVENT)


async def test_an_event_whose_answer_has_nothing_but_its_id_is_made() -> None:
    answers = iter([{"id": "5"}, {"id": "x"}])

    async def run(request: Any, limit: float) -> None:
        raise UnreadableAnswer(200, "odd", next(answers))

    guild: Any = SimpleNamespace(create_scheduled_event=print)
    requests: Any = SimpleNamespace(run=run)
    assert 5 == await create_event(requests, guild, EVENT)
    with pytest.raises(UnreadableAnswer):
        await create_event(requests, guild, EVENT)


@pytest.mark.parametrize(("code", "is_refused"), [(10070, False), (180000, False), (50013, True)])
async def test_an_event_that_is_gone_need_not_be_deleted(code: int, is_refused: bool) -> None:
    answer: Any = SimpleNamespace(status=404, reason="Not Found")

    async def change(request: Any, limit: float) -> None:
        raise discord.HTTPException(answer, {"code": code, "message": ""})

    http = SimpleNamespace(delete_scheduled_event=print)
    guild: Any = SimpleNamespace(id=8, _state=SimpleNamespace(http=http))
    requests: Any = SimpleNamespace(change=change)
    if is_refused:
        with pytest.raises(discord.HTTPException):
            await delete_event(requests, guild, 5)
    else:
        await delete_event(requests, guild, 5)


@pytest.mark.parametrize(("code", "is_gone"), [(10070, True), (180000, True), (50013, False), (0, False)])
def test_an_event_is_gone_when_it_was_deleted_or_is_over(code: int, is_gone: bool) -> None:
    answer: Any = SimpleNamespace(status=404, reason="Not Found")
    assert is_gone == is_event_gone(discord.HTTPException(answer, {"code": code, "message": ""}))
