"""Jobs of servers: the moderators’ log, the overview and events, each with its whole message."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any

import discord
import pytest

from bot.interactions.parts import stamp
from bot.store.codec import time_of
from bot.store.jobs import NO_MATCH, Job, JobKind
from bot.tables.overviews import overview_job, overview_of
from bot.tables.scheduled_events import events_job, events_of
from engine.texts import Text, from_json, to_json
from tests.bot.outcomes import CLOSED_DOOR, LINK, MESSAGE_GONE, MINUTE, OUTAGE, SECOND, choose, due_time, run, sent
from tests.bot.refusing import CHANNEL, DAY, GUILD, HOST, HOUR, NOON, House, refusal


async def test_the_moderators_log_has_its_lines_in_order_and_each_at_most_once(home: House) -> None:
    lines = [[0, "n1", "first"], [9, "n2", to_json(Text("second {n}", n=2))], [9, "n3", "third"]]
    job = Job(JobKind.MODERATION_LOG, NOON, guild_id=GUILD, state={"lines": lines})
    home.time.now += HOUR
    rest = job.at(NOON + HOUR, lines=lines[1:])
    assert rest == await run(home, job)
    assert [] == sent(home)
    await choose(home, log=CHANNEL)
    assert rest == await run(home, job)
    assert [["POST /channels/2/messages", "first"]] == sent(home)
    assert job.at(NOON + HOUR, lines=lines[2:]) == await run(home, rest)
    assert "n2" == home.network.bodies[-1][1]["nonce"]
    assert [["POST /channels/9/messages", "second 2"]] == sent(home)
    assert rest == await run(home, job, CLOSED_DOOR)
    with pytest.raises(discord.DiscordServerError):
        await run(home, job, OUTAGE)
    assert await run(home, job.at(NOON, lines=lines[2:])) is None


OVERVIEW = overview_job(GUILD, NOON)
NO_GAMES = ["### Games in this server", "No game is open at the moment. `/table new` sets up a table."]


def last_change(moment: datetime) -> str:
    return f"-# Changes show here within three minutes. Last change: {stamp(moment, 'R')}"


async def test_the_overview_is_edited_for_a_change_and_once_an_hour_and_follows_its_channel(home: House) -> None:
    assert await run(home, OVERVIEW) is None
    home.add_channel(CHANNEL)
    home.let_make_events()
    await choose(home, overview=CHANNEL)
    first = await run(home, OVERVIEW)
    assert first is not None
    assert [["POST /channels/2/messages", *NO_GAMES, last_change(NOON), "[My games mygames 1]"]] == sent(home)
    assert (NOON + 3 * MINUTE, time_of(NOON)) == (due_time(first), first.state["looked"])
    home.time.now += HOUR - SECOND
    assert first.at(NOON + HOUR - SECOND + 3 * MINUTE) == await run(home, first)
    assert [] == sent(home)
    home.time.now += SECOND
    refreshed = await run(home, first)
    assert [["PATCH /channels/2/messages/555", *NO_GAMES, last_change(NOON), "[My games mygames 1]"]] == sent(home)
    assert refreshed is not None
    assert first.state["changed"] == refreshed.state["changed"] == time_of(NOON)
    await home.posted()
    later = await run(home, first)
    assert later is not None
    line = f"**[Sealed Bids]({LINK}/555)** in <#2>: waiting for <@70>, <@71> · <t:1420070400:R>"
    assert [
        ["PATCH /channels/2/messages/555", NO_GAMES[0], line, last_change(home.time.now), "[My games mygames 1]"]
    ] == sent(home)
    assert later.state["shown"] != first.state["shown"]
    home.network.spared = "POST"
    await run(home, first, MESSAGE_GONE)
    assert [
        "POST /channels/2/messages",
        *NO_GAMES[:1],
        line,
        last_change(home.time.now),
        "[My games mygames 2]",
    ] == sent(home)[-1]
    home.network.spared = ""
    home.add_channel(9)
    await choose(home, overview=9)
    await run(home, first)
    deleted, posted = sent(home)
    assert (["DELETE /channels/2/messages/555"], "POST /channels/9/messages") == (deleted, posted[0])
    await choose(home, overview=0)
    assert await run(home, first) is None
    assert [["DELETE /channels/9/messages/555"]] == sent(home)
    assert await run(home, first) is None
    assert [] == sent(home)


async def test_the_overview_waits_for_those_who_have_not_decided_since_the_board(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.add_channel(CHANNEL)
    home.let_make_events()
    await choose(home, overview=CHANNEL)
    table = await home.posted()
    await home.services.moves.play(table, HOST, table.require_match().parse("bid 1"), interaction_id=1, version=None)

    async def waits_for() -> str:
        await run(home, OVERVIEW)
        (line,) = [line for line in sent(home)[-1] if "waiting for" in line]
        return line.partition("waiting for ")[2].partition(" · ")[0]

    assert "<@71>" == await waits_for()

    async def find(_: int) -> None:
        """The table is gone."""

    monkeypatch.setattr(home.services.tables, "find", find)
    assert "<@70>, <@71>" == await waits_for()


async def test_the_overview_names_a_game_in_an_archived_thread_that_the_bot_has_opened(home: House) -> None:
    """The bot does not know archived threads; its own are public, and others may be private."""
    home.add_channel(CHANNEL)
    home.let_make_events()
    await choose(home, overview=CHANNEL)
    own = await home.posted(77, own_thread=True, parent_id=CHANNEL)
    other = await home.posted(78, parent_id=CHANNEL)
    await run(home, OVERVIEW)
    message = str(sent(home)[-1])
    assert (True, False) == tuple(f"<#{table.row.channel_id}>" in message for table in (own, other)), message


async def test_an_overview_that_discord_refuses_is_tried_again_with_the_next_change_or_hour(
    home: House, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "bot")
    home.add_channel(CHANNEL)
    await choose(home, overview=CHANNEL)
    with pytest.raises(discord.DiscordServerError):
        await run(home, OVERVIEW, OUTAGE)
    refused = await run(home, OVERVIEW, CLOSED_DOOR)
    assert refused is not None
    assert ["the overview of server 7 is not shown: "] == [message[:39] for message in caplog.messages]
    assert (NOON + 3 * MINUTE, time_of(NOON)) == (due_time(refused), refused.state["looked"])
    assert (await overview_of(home.store.settings, GUILD)).message_id is None
    await choose(home, overview=9)
    assert OVERVIEW.at(NOON + 3 * MINUTE) == await run(home, OVERVIEW), "a channel that is gone"


EVENTS = events_job(GUILD, NOON)
MADE, READ_EVENTS = "POST /guilds/7/scheduled-events", "GET /guilds/7/scheduled-events"


async def test_events_follow_the_tables_with_a_start_time_and_no_event_is_made_twice(home: House) -> None:
    home.add_channel(CHANNEL)
    home.let_make_events()
    await choose(home, events=True)
    again = EVENTS.at(NOON + 3 * MINUTE)
    table = await home.lobby(starts_at=NOON + 9 * DAY)
    assert again == await run(home, EVENTS)
    ((address, made),) = home.network.bodies
    place = {"entity_metadata": {"location": LINK}, "description": f"Take a seat here: {LINK}"}
    times = {"scheduled_start_time": "2026-06-10T12:00:00+00:00", "scheduled_end_time": "2026-06-10T13:00:00+00:00"}
    assert (MADE, {"name": "Sealed Bids", "entity_type": 3, "privacy_level": 2} | times | place) == (address, made)
    assert again == await run(home, EVENTS)
    assert [] == sent(home)
    await home.services.lobbies.set_start(table, NOON + 8 * DAY)
    assert again == await run(home, EVENTS)
    ((address, change),) = home.network.bodies
    times = {"scheduled_start_time": "2026-06-09T12:00:00+00:00", "scheduled_end_time": "2026-06-09T13:00:00+00:00"}
    assert ("PATCH /guilds/7/scheduled-events/9", {"name": "Sealed Bids"} | times | place) == (address, change)
    await choose(home, events=False)
    assert await run(home, EVENTS) is None
    assert [["DELETE /guilds/7/scheduled-events/9"]] == sent(home)
    assert {} == (await events_of(home.store.settings, GUILD)).by_key


def server_event(creator: int, at: str = "2026-06-10T12:00:00+00:00", location: str = LINK) -> dict[str, Any]:
    """Discord's description of an event, made by the bot (1) or another user."""
    times = {"scheduled_start_time": at, "scheduled_end_time": at}
    kind = {"entity_type": 3, "privacy_level": 2, "status": 1, "entity_metadata": {"location": location}}
    return {"id": "12", "guild_id": str(GUILD), "name": "", "creator_id": str(creator)} | times | kind


@pytest.mark.parametrize(
    ("listed", "is_made"),
    [
        (server_event(1), False),
        (server_event(5), True),
        (server_event(1, at="2026-06-10T13:00:00+00:00"), True),
        (server_event(1, location=f"{LINK}9"), True),
    ],
)
async def test_an_event_of_unknown_delivery_is_searched_before_it_is_made_again(
    home: House, listed: dict[str, Any], is_made: bool
) -> None:
    home.add_channel(CHANNEL)
    home.let_make_events()
    await choose(home, events=True)
    await home.lobby(starts_at=NOON + 9 * DAY)
    with pytest.raises(discord.DiscordServerError):
        await run(home, EVENTS, OUTAGE)
    home.network.answers["GET /guilds/{guild_id}/scheduled-events"] = [listed]
    assert EVENTS.at(NOON + 3 * MINUTE) == await run(home, EVENTS)
    assert [[READ_EVENTS], *([[MADE]] if is_made else [])] == [lines[:1] for lines in sent(home)]
    (stored_event,) = (await events_of(home.store.settings, GUILD)).by_key.values()
    assert (9 if is_made else 12) == stored_event.event_id


async def test_an_event_that_moderators_delete_or_that_has_begun_is_left_alone(home: House) -> None:
    home.add_channel(CHANNEL)
    home.let_make_events()
    await choose(home, events=True)
    table = await home.lobby(starts_at=NOON + 9 * DAY)
    await run(home, EVENTS)
    await home.services.lobbies.set_start(table, NOON + 8 * DAY)
    with pytest.raises(discord.DiscordServerError):
        await run(home, EVENTS, OUTAGE)
    assert EVENTS.at(NOON + 3 * MINUTE) == await run(home, EVENTS, lambda: refusal(404, 10070))
    await home.services.lobbies.set_start(table, NOON + 7 * DAY)
    assert EVENTS.at(NOON + 3 * MINUTE) == await run(home, EVENTS)
    await choose(home, events=False)
    assert await run(home, EVENTS) is None
    assert [] == sent(home)
    await choose(home, events=True)
    await run(home, EVENTS)
    assert [MADE] == sent(home)[0][:1]
    home.time.now = NOON + 8 * DAY
    assert EVENTS.at(home.time.now + 3 * MINUTE) == await run(home, EVENTS)
    assert ([], {}) == (sent(home), (await events_of(home.store.settings, GUILD)).by_key)


async def test_an_overview_of_unknown_delivery_is_searched_before_it_is_posted_again(
    home: House, caplog: pytest.LogCaptureFixture
) -> None:
    home.add_channel(CHANNEL)
    home.let_make_events()
    await choose(home, overview=CHANNEL)
    with pytest.raises(discord.DiscordServerError):
        await run(home, OVERVIEW, OUTAGE)
    await run(home, OVERVIEW)
    search, (head, *_) = sent(home)
    assert (["GET /channels/2/messages"], "POST /channels/2/messages") == (search, head)
    home.network.spared = "POST"
    with pytest.raises(discord.DiscordServerError):
        await run(home, OVERVIEW, OUTAGE)
    assert [] == sent(home), "an outage is no reason for a second message"
    home.network.spared = ""
    await run(home, OVERVIEW)
    assert ["PATCH /channels/2/messages/555"] == sent(home)[0][:1]
    await choose(home, overview=0)
    with pytest.raises(discord.DiscordServerError):
        await run(home, OVERVIEW, OUTAGE)
    assert 555 == (await overview_of(home.store.settings, GUILD)).message_id
    caplog.set_level("INFO", "bot")
    assert await run(home, OVERVIEW, CLOSED_DOOR) is None
    assert ["an overview stays in channel 2"] == [message.partition(":")[0] for message in caplog.messages]
    assert (await overview_of(home.store.settings, GUILD)).message_id is None


async def test_moderators_hear_once_why_there_are_no_events_until_there_are_some(home: House) -> None:
    home.add_channel(CHANNEL)
    home.let_make_events()
    guild = home.services.channels.server(GUILD)
    assert guild is not None
    guild.owner_id = HOST
    again, later = EVENTS.at(NOON + 3 * MINUTE), EVENTS.at(NOON + HOUR)
    await choose(home, events=True)
    assert again == await run(home, EVENTS)
    assert "" == (await events_of(home.store.settings, GUILD)).refusal, "nothing begins at a time"
    await choose(home, log=CHANNEL)
    await home.lobby(starts_at=NOON + 9 * DAY)
    for _ in range(2):
        assert again == await run(home, EVENTS)
    assert [] == sent(home)
    guild.owner_id, home.network.spared = 1, READ_EVENTS
    too_many = partial(refusal, 400, 30038)
    for fault in (too_many, too_many, CLOSED_DOOR):
        assert later == await run(home, EVENTS, fault)
    with pytest.raises(discord.DiscordServerError):
        await run(home, EVENTS, OUTAGE)
    assert again == await run(home, EVENTS)
    await home.lobby(9, starts_at=NOON + 9 * DAY)
    home.add_channel(9)
    assert later == await run(home, EVENTS, CLOSED_DOOR)
    log = await home.store.jobs.find(JobKind.MODERATION_LOG, NO_MATCH)
    assert log is not None
    lines = [(channel_id, str(from_json(line))) for channel_id, _, line in log.state["lines"]]
    missing = "I can’t create events: that needs the **Create Events** permission."
    many = "I can’t make more events: this server has as many as Discord allows."
    assert [(CHANNEL, words) for words in (missing, many, missing, missing)] == lines
    await home.store.jobs.drop(*log.key)
    await choose(home, log=0)
    assert later == await run(home, EVENTS, too_many)
    assert await home.store.jobs.find(JobKind.MODERATION_LOG, NO_MATCH) is None, "no log"
    await choose(home, events=False)
    assert await run(home, EVENTS, CLOSED_DOOR) is None


@pytest.mark.parametrize("job", [EVENTS, OVERVIEW])
async def test_a_server_without_the_bot_is_looked_at_again_later(home: House, job: Job) -> None:
    await choose(home, events=True, overview=CHANNEL)
    home.services.channels._client._connection._remove_guild(home.services.channels.server(GUILD))  # type: ignore[attr-defined]
    assert (job.at(NOON + 3 * MINUTE), []) == (await run(home, job), sent(home))
