"""Leagues: sign-up, rounds in threads, standings, the end, and failures on the way."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.features.lobby.deleted_channels import RECHECK_DELAY
from bot.interactions import members
from bot.store.codec import time_of
from bot.store.leagues import LeagueStatus
from engine.games import discover
from engine.proof import commitment
from playground.faults import Fault
from playground.player import Seen
from tests.bot.app import App
from tests.bot.fake_clock import FakeClock
from tests.bot.forging import forge
from tests.bot.moderating import GAME, bar, choose_setting, moderator, thread_of
from tests.bot.stats.test_stats import leave_out
from tests.bot.timed_app import TimedApp
from tests.rooms import Room, play_move

LONG_AGO = "2026-01-01T00:00:00.000000+00:00"
"""The menu of roles that may set up leagues, on the second page of the settings of a server."""

PEOPLE = ("Ana", "Ben", "Caro", "Dan")


async def set_up(room: Room, *names: str, **typed: Any) -> Seen:
    """A league of a moderator for which some people have signed up. Returns the sign-up."""
    eva = moderator(room)
    await eva.slash("league new", game=GAME, **{"rounds": "1", "seats": "2", **typed})
    sign_up = await room.onlooker.expect(" League")
    for name in names:
        await room.person(name).tap("Join", on=sign_up)
    return sign_up


async def begin(app: App, room: Room, *names: str, **typed: Any) -> None:
    """Set up a league, and begin its first round."""
    sign_up = await set_up(room, *names, **typed)
    await moderator(room).tap("Begin now", on=sign_up)
    await wait_for_boards(app, room, -(-len(names) // int(typed.get("seats", 2))))


async def wait_for_boards(app: App, room: Room, tables: int, number: int = 1) -> None:
    """Wait until all tables of a round have their first boards."""
    for n in range(1, tables + 1):
        await room.onlooker.expect(f"round {number}, table {n}")
        thread = await room.onlooker.until(lambda n=n: _thread(app, f"R{number} T{n}:"), what=f"thread {n}")
        await thread.onlooker.expect("Bid 0 to 3")


def _thread(app: App, part: str) -> Room | None:
    return next(
        (Room(app.local, thread.name) for thread in app.local.discord.world.threads if part in thread.name), None
    )


def threads(app: App, number: int = 1) -> list[Room]:
    """The threads of the tables of a round."""
    world = app.local.discord.world
    rows = app.query("SELECT thread_id FROM league_tables WHERE round = ? AND match_id IS NOT NULL", number)
    return [
        Room(app.local, next(thread.name for thread in world.threads if thread.id == thread_id))
        for (thread_id,) in rows
    ]


async def play(app: App, number: int = 1) -> None:
    """Play all tables of a round: the one with the later name bids more, and wins."""
    for thread in threads(app, number):
        for _ in range(3):
            for coins, name in enumerate(_people(app, thread), start=1):
                await play_move(thread.person(name), "sealed bid", coins=str(coins))


def _people(app: App, thread: Room) -> list[str]:
    sql = """
        SELECT name FROM seat_history JOIN matches ON matches.id = match_id
        WHERE channel_id = ? AND user_id IS NOT NULL AND until IS NULL ORDER BY name
    """
    return [name for (name,) in app.query(sql, app.local.channel(thread.channel).id)]


def groups(app: App, league: int) -> dict[str, int]:
    """The group of everybody in a league, by name."""
    return dict(app.query("SELECT name, division FROM league_players WHERE league_id = ?", league))


def status(app: App) -> list[str]:
    return [value for (value,) in app.query("SELECT status FROM leagues ORDER BY id")]


async def test_every_table_publishes_its_luck_commitment_before_its_seed_can_be_known(app: App) -> None:
    room = app.room()
    await begin(app, room, *PEOPLE)
    for number, secret, thread_id, ids in app.query(
        "SELECT number, league_tables.secret, thread_id, ids FROM league_tables JOIN matches ON matches.id = match_id"
    ):
        digits = commitment(secret)
        reply = await room.onlooker.expect(f"round 1, table {number}")
        assert f"The luck of this game is sealed: ||{digits[:32]}||" in reply
        assert reply.id == thread_id == json.loads(ids)[-1], "the message that shows it is a part of the seed"


async def test_a_sign_up_lists_two_players_though_the_answer_to_the_first_arrives_last(app: App) -> None:
    room = app.room()
    ana, ben = room.people("Ana", "Ben")
    sign_up = await set_up(room)
    late = app.local.fault("POST /interactions/*/callback", hang=True)
    first = asyncio.create_task(ana.tap("Join", on=sign_up))
    await app.local.wait_for_fault(late)
    second = asyncio.create_task(ben.tap("Join", on=sign_up))
    while len(app.query("SELECT * FROM league_players")) < 2:
        await app.breathe()
    for _ in range(3):  # an answer that did not wait would arrive
        await app.breathe()
    app.local.release()
    await asyncio.gather(first, second)
    assert [True, True] == [player.mention in ana.look(sign_up) for player in (ana, ben)]


async def test_only_the_organizer_or_a_moderator_begins_and_ends_a_league(app: App) -> None:
    room = app.room()
    ana, ben, eva = room.person("Ana"), room.person("Ben"), moderator(room)
    app.local.add_role("Referees")
    app.local.give_role("Ana", "Referees")
    await choose_setting(eva, "league_roles", "Referees")
    for host, strangers in ((ana, [ben]), (eva, [ana, ben])):
        await host.slash("league new", game=GAME, seats="2")
        sign_up = await room.onlooker.until(lambda: _sign_up(room), what="the sign-up")
        for person in (ana, ben):
            await person.tap("Join", on=sign_up)
        for stranger in strangers:
            for refused in (await stranger.tap("Begin now", on=sign_up), await stranger.slash("league end")):
                assert f"Only {host.mention}, who set up this league" in (refused or "")
        assert "sign-up" == status(app)[-1]
        await host.tap("Begin now", on=sign_up)
        await room.onlooker.until(lambda: "playing" == status(app)[-1])
        await eva.tap("Call it off", on=await eva.slash("league end"))
        message = await room.onlooker.until(lambda: _end(room), what="the end")
        assert (["Standings"], "called off") == (message.labels, status(app)[-1])
        assert message.text.startswith(f"{eva.mention} called off the ")


def _end(room: Room) -> Seen | None:
    *_, newest = room.onlooker.messages
    return newest if "called off the" in newest else None


def _sign_up(room: Room, title: str = "") -> Seen | None:
    sign_ups = (
        message for message in room.onlooker.messages if "Begin now" in message.labels and f"{title} League" in message
    )
    return next(sign_ups, None)


async def test_the_end_of_a_called_off_league_is_announced_once_despite_an_error(app: App) -> None:
    room = app.room()
    await set_up(room, "Ana", "Ben")
    eva, channel_id = moderator(room), app.local.channel(room.channel).id
    question = await eva.slash("league end")
    app.local.fault(f"POST /channels/{channel_id}/messages", status=503)
    await eva.tap("Call it off", on=question)
    await room.onlooker.until(lambda: ["called off"] == status(app))
    await app.let_pass(20)
    message = await room.onlooker.expect("called off the")
    assert [] == message.labels, "there are no standings yet"
    await room.onlooker.expect("This league was called off.")
    assert 1 == sum("called off the" in seen.text for seen in room.onlooker.messages)


async def test_a_league_with_fewer_than_two_players_is_called_off_at_the_end_of_sign_up(app: App) -> None:
    room = app.room()
    await set_up(room, "Ana")
    await app.change("UPDATE leagues SET closes_at = ?", LONG_AGO)
    await app.change("UPDATE jobs SET due_at = ? WHERE kind = 'league'", LONG_AGO)
    await app.let_pass(5 * 60 + 1)
    await room.onlooker.expect("Fewer than two people signed up")
    assert [] == (await room.onlooker.expect("This league was called off.")).labels, "neither to join nor to leave"


async def test_a_league_whose_players_left_before_round_one_is_called_off_without_tables(app: App) -> None:
    room = app.room()
    sign_up = await set_up(room, "Ana", "Ben")
    app.local.leave("Ben")
    await moderator(room).tap("Begin now", on=sign_up)
    await room.onlooker.expect("Fewer than two people are left")
    await room.onlooker.until(lambda: status(app) == [LeagueStatus.CALLED_OFF], what="the end")
    assert [] == app.query("SELECT * FROM league_tables")


async def test_a_first_board_refused_by_discord_is_posted_later_and_is_not_a_league_failure(
    app: App,
) -> None:
    room = app.room()
    sign_up = await set_up(room, "Ana", "Ben")
    # the message of the table comes before it
    refused = app.local.discord.faults.order(Fault("POST /channels/*/messages", 503, pass_first=1))
    await moderator(room).tap("Begin now", on=sign_up)
    await app.local.wait_for_fault(refused)
    await app.let_pass(20)
    await wait_for_boards(app, room, 1)


async def test_a_sign_up_lost_to_a_crash_is_posted_a_minute_later(app: App) -> None:
    room = app.room()
    lost = await set_up(room)
    await app.let_pass(4)  # until it is noted
    app.local.delete_message(lost)
    await app.change("UPDATE leagues SET message_id = NULL")
    await app.change("UPDATE jobs SET due_at = ?, state = '{}' WHERE kind = 'league'", LONG_AGO)
    await app.let_pass(6 * 60 + 1)
    sign_up = await room.onlooker.expect(" League")
    await room.person("Ana").tap("Join", on=sign_up)
    assert [(sign_up.record.id,)] == app.query("SELECT message_id FROM leagues")
    due = (
        "SELECT count(*) FROM jobs JOIN leagues ON leagues.id = jobs.seat WHERE kind = 'league' AND due_at = closes_at"
    )
    assert [(1,)] == app.query(due), "the sign-up ends as announced"
    assert 1 == sum(" League" in seen.text for seen in room.onlooker.messages)


async def test_a_restart_at_any_step_creates_every_table_once(app: App) -> None:
    room = app.room()
    sign_up = await set_up(room, *PEOPLE)
    await app.close()
    await app.open()
    await moderator(room).tap("Begin now", on=sign_up)
    await app.close()
    await app.open()
    await wait_for_boards(app, room, 2)
    assert [(2, 2)] == app.query("SELECT count(*), count(DISTINCT match_id) FROM league_tables")
    announced = [seen for seen in room.onlooker.messages if "round 1, table" in seen.text]
    assert 2 == len(announced), "each table is announced once"
    await play(app)
    await room.onlooker.expect("The Sealed Bids League is over")


async def test_a_player_who_leaves_does_not_wait_for_the_retry_of_a_failed_job(app: App) -> None:
    room = app.room()
    await begin(app, room, *PEOPLE[:3], seats="3")
    refused = app.local.discord.faults.order(Fault("GET /guilds/*/members/*", 403, 50013))
    # after nine failures in a row, the next pause is an hour
    await app.change("UPDATE jobs SET due_at = ?, state = '{}', attempts = 9 WHERE kind = 'league'", LONG_AGO)
    await app.let_pass(5 * 60 + 1)
    await room.onlooker.until(lambda: refused.struck)
    ana = room.person("Ana")
    await ana.tap("Leave the league", on=await ana.slash("league leave"))
    await threads(app)[0].onlooker.expect("has left the league; a computer takes over")


async def test_a_computer_replaces_a_player_who_leaves_the_server_within_a_day(app: App) -> None:
    room = app.room()
    await begin(app, room, *PEOPLE[:3], seats="3")
    app.local.leave("Ana")
    await app.change("UPDATE jobs SET due_at = ?, state = '{}' WHERE kind = 'league'", LONG_AGO)
    await app.let_pass(5 * 60 + 1)
    (thread,) = threads(app)
    await thread.onlooker.expect("has left the league; a computer takes over")
    assert ["Ben", "Caro"] == _people(app, thread)


async def test_a_late_player_plays_from_the_next_round_on(app: App) -> None:
    room = app.room()
    await begin(app, room, "Ana", "Ben", rounds="2")
    sign_up = await room.onlooker.expect("If you join now, you’ll play from the next round on")
    await room.person("Caro").tap("Join", on=sign_up)
    await play(app)
    await wait_for_boards(app, room, 2, 2)
    assert {"Ana", "Ben", "Caro"} == {name for thread in threads(app, 2) for name in _people(app, thread)}


async def test_a_table_ended_by_a_moderator_counts_half_for_every_player(app: App) -> None:
    room = app.room()
    await begin(app, room, "Ana", "Ben")
    (thread,) = threads(app)
    await moderator(thread).tap("End it", on=await moderator(thread).slash("table end"))
    end = await room.onlooker.expect("The Sealed Bids League is over")
    assert "Ana** & **Ben" in end.text, "both have half a point"


async def test_a_league_that_every_player_left_has_no_winner(app: App) -> None:
    room = app.room()
    await begin(app, room, "Ana", "Ben")
    (thread,) = threads(app)
    for person in thread.people("Ana", "Ben"):
        await person.tap("Resign", on=await person.slash("game leave"))
    end = await room.onlooker.expect("The Sealed Bids League is over")
    assert "Nobody wins: nobody has any points." in end.text
    assert "👑" not in end.text


async def test_a_player_who_left_gets_no_points_from_a_table_ended_afterwards(app: App) -> None:
    room = app.room()
    await begin(app, room, *PEOPLE[:3], seats="3")
    ana = room.person("Ana")
    await ana.tap("Leave the league", on=await ana.slash("league leave"))
    (thread,) = threads(app)
    await thread.onlooker.expect("has left the league; a computer takes over")
    await moderator(thread).tap("End it", on=await moderator(thread).slash("table end"))
    end = await room.onlooker.expect("The Sealed Bids League is over")
    assert "👑 **Ben** & **Caro**" in end.text


async def test_two_lapses_drop_a_player(app: App) -> None:
    room = app.room()
    await begin(app, room, *PEOPLE[:3], seats="3", rounds="2", pace="brisk")
    lapsed = """
        INSERT INTO table_events (match_id, version, at, kind, seat, user_id, words)
        SELECT match_id, 1, ?, 'lapsed', seat, user_id, '' FROM seat_history WHERE user_id = ?
    """
    ana = room.person("Ana").id
    for _ in range(2):
        await app.change(lapsed, LONG_AGO, ana)
    await play(app)
    await wait_for_boards(app, room, 1, 2)
    assert {"Ben", "Caro"} == set(_people(app, threads(app, 2)[0]))
    assert [(ana,)] == app.query("SELECT user_id FROM league_players WHERE dropped = 1")


async def test_a_league_is_called_off_if_its_channel_was_deleted_during_downtime(timed_app: TimedApp) -> None:
    app = timed_app.app
    room = app.room()
    await set_up(room, *PEOPLE)
    await app.close()
    app.local.delete_channel(room.channel)
    await app.open()
    await app.change("UPDATE leagues SET closes_at = ?", LONG_AGO)
    await app.change("UPDATE jobs SET due_at = ? WHERE kind = 'league'", LONG_AGO)
    while not app.query("SELECT 1 FROM jobs WHERE kind = 'league' AND state LIKE '%missing%'"):
        await app.let_pass(2)
    await timed_app.hours(RECHECK_DELAY.total_seconds() / 3600 - 0.1)
    assert ["playing"] == status(app)
    await timed_app.hours(0.2)
    await moderator(room).in_dm().expect("The channel of your **Sealed Bids** league was deleted")
    assert ["called off"] == status(app)


@pytest.mark.parametrize("told", [True, False])
async def test_an_outage_of_the_server_neither_ends_a_league_nor_drops_its_players(
    timed_app: TimedApp, told: bool
) -> None:
    """Discord may answer that the server is unknown before the gateway has told why."""
    app = timed_app.app
    room = app.room()
    await set_up(room, *PEOPLE)
    world = app.local.discord.world
    if told:
        app.local.guilds.fail()
    else:
        world.unavailable.add(world.guild_id)
    await app.change("UPDATE leagues SET closes_at = ?", LONG_AGO)
    await app.change("UPDATE jobs SET due_at = ? WHERE kind = 'league'", LONG_AGO)
    for _ in range(3):
        timed_app.fake_clock.ahead += RECHECK_DELAY
        await app.let_pass(40)
    assert (["sign-up"], 0) == (status(app), app.query("SELECT count(*) FROM league_players WHERE dropped")[0][0])
    app.local.guilds.recover()
    await app.let_pass(40)
    await wait_for_boards(app, room, 2)


async def test_the_best_of_a_group_is_promoted_in_the_next_league_and_the_last_is_demoted(app: App) -> None:
    room, names = app.room(), tuple(f"User {n}" for n in range(8))
    await begin(app, room, *names, groups="4")
    await play(app)
    board = await threads(app, 1)[0].onlooker.expect("wins!")
    assert ("Standings", False) == (board.labels[0], "Rematch" in board.labels)
    end = await room.onlooker.expect("The Sealed Bids League is over")
    (up,) = re.findall(r"⬆ \*\*(.+)\*\* moves up one group", end.text)
    (down,) = re.findall(r"⬇ \*\*(.+)\*\* moves down one group", end.text)
    first = groups(app, 1)
    assert (1, 0) == (first[up], first[down])
    await room.onlooker.until(lambda: ["over"] == status(app))
    await moderator(room).tap("Begin now", on=await set_up(room, *names, groups="4"))
    await room.onlooker.until(lambda: [(1,)] == app.query("SELECT round FROM leagues WHERE id = 2"))
    assert first | {up: 0, down: 1} == groups(app, 2)


async def test_a_hundred_people_get_their_tables(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "MAX_REQUESTS", 1000)  # a second; five would take most of a minute
    room = app.room()
    message = await set_up(room, seats="4")
    users = [room.person(f"User {n}").id for n in range(104)]
    sign_up = "INSERT INTO league_players (league_id, user_id, interaction_id, name) VALUES (1, ?, ?, 'somebody')"
    app.write(sign_up, [(user_id, user_id) for user_id in users])
    before = Counter(app.local.requests)
    await moderator(room).tap("Begin now", on=message)
    await wait_for_boards(app, room, 26)
    requests = Counter(app.local.requests) - before
    assert 26 == requests["GET /channels/{channel_id}"], "each thread is asked for once"
    # who they are, and that each of them comes into a thread; a message, a thread and a board for each table
    assert 2 * 104 + 4 * 26 + 2 == requests.total()
    assert sorted(users) == sorted(user_id for (user_id,) in app.query("SELECT user_id FROM league_seats"))
    (message,) = [seen for seen in room.onlooker.messages if "104 signed up" in seen.text]
    assert "and 84 more" in message.text


async def test_a_missing_thread_permission_is_reported_once_and_the_league_starts_once_granted(
    app: App,
) -> None:
    room = app.room()
    sign_up = await set_up(room, "Ana", "Ben")
    app.local.forbid(room.channel, "CREATE_PUBLIC_THREADS")
    await moderator(room).tap("Begin now", on=sign_up)
    await room.onlooker.expect("I can’t set up the tables of the **Sealed Bids** league here")
    await app.let_pass(60)
    app.local.permit(room.channel, "CREATE_PUBLIC_THREADS")
    await wait_for_boards(app, room, 1)
    assert 1 == sum("I can’t set up the tables" in seen.text for seen in room.onlooker.messages)
    assert 1 == sum("round 1, table" in seen.text for seen in room.onlooker.messages)


async def test_tables_with_outdated_rules_are_called_off_and_the_league_continues(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = app.room()
    await begin(app, room, "Ana", "Ben", rounds="2")
    await app.change("UPDATE leagues SET options = ?", json.dumps({"rounds": 3, "gone": 1}))
    await app.close()
    newer = dataclasses.replace(discover()[GAME], rules_version=2)
    monkeypatch.setitem(discover(), GAME, newer)
    await app.open()
    await app.change("UPDATE jobs SET due_at = ? WHERE kind = 'league'", LONG_AGO)
    await app.let_pass(5 * 60 + 1)
    await wait_for_boards(app, room, 1, 2)
    message = await threads(app)[0].onlooker.expect("This table can’t go on, so it’s called off.")
    assert "it counts as half a win for everyone" in message.text
    await play(app, 2)
    end = await room.onlooker.expect("The Sealed Bids League is over")
    assert "👑 **Ben**" in end.text
    assert [(1,), (2,)] == app.query("SELECT rules_version FROM matches ORDER BY id")
    assert [('{"rounds":3}',)] == app.query("SELECT options FROM leagues"), "without an option that is gone"


async def test_only_roles_chosen_by_moderators_create_leagues(app: App) -> None:
    room = app.room()
    app.local.add_role("Referees")
    app.local.give_role("Ana", "Referees")
    ana, ben = room.people("Ana", "Ben")
    refused = await ana.slash("league new", game=GAME)
    assert refused is not None
    assert "Leagues are set up by moderators." in refused
    await choose_setting(moderator(room), "league_roles", "Referees")
    await ana.slash("league new", game=GAME, rounds="5")
    await room.onlooker.expect(" League")
    refused = await ben.slash("league new", game="toll")
    assert refused is not None
    assert "Leagues are set up by moderators." in refused
    assert ["sign-up"] == status(app)


async def test_leagues_of_two_servers_are_independent(app: App) -> None:
    room = app.room()
    await app.close()
    guild_id = app.local.add_guild(0, 1)
    there = Room(app.local, app.local.add_channel("there", guild=guild_id).name)
    await app.open()
    sign_up = await set_up(room, "Ana", "Ben")
    shown_there = await set_up(there, "Ana", "Caro")
    foreign = {"type": 2, "style": 2, "custom_id": "cv:leagueleave:0:1:", "label": "x"}
    assert "I can’t find that league here anymore" in await forge(app, there.person("Ana"), shown_there, foreign)
    await moderator(room).tap("Begin now", on=sign_up)
    await wait_for_boards(app, room, 1)
    answer = await there.person("Ana").slash("league leave")
    assert answer is not None
    await play(app)
    end = await room.onlooker.expect("The Sealed Bids League is over")
    assert "Caro" not in end.text
    await room.onlooker.until(lambda: ["over", "sign-up"] == status(app))
    ana = there.person("Ana").id
    assert [(1,)] == app.query("SELECT league_id FROM league_players WHERE user_id = ?", ana)


def people_by_table(app: App, number: int) -> set[frozenset[str]]:
    """The people at each table of a round, by name."""
    rows = app.query(
        "SELECT number, name FROM league_seats JOIN league_players USING (league_id, user_id) WHERE round = ?", number
    )
    return {frozenset(name for table, name in rows if table == row) for row, _ in rows}


async def test_two_players_with_a_block_are_seated_apart_every_round(app: App) -> None:
    room = app.room()
    ben = room.person("Ben")
    await ben.choose("Ana", on=await ben.tap("Blocked players", on=await ben.slash("me settings")))
    await begin(app, room, *PEOPLE, rounds="2")
    await play(app)
    await room.onlooker.expect("round 2, table 2")
    for number in (1, 2):
        assert len(people_by_table(app, number)) == 2
        assert frozenset({"Ana", "Ben"}) not in people_by_table(app, number)
    assert all("block" not in text.casefold() for text, _, _ in room.public)


async def test_two_players_with_a_block_never_meet_even_in_a_league_of_two(app: App) -> None:
    room = app.room()
    ben = room.person("Ben")
    await ben.choose("Ana", on=await ben.tap("Blocked players", on=await ben.slash("me settings")))
    await begin(app, room, "Ana", "Ben")
    await room.onlooker.expect("round 1, table 2")
    assert {frozenset({"Ana"}), frozenset({"Ben"})} == people_by_table(app, 1)
    assert all("block" not in text.casefold() for text, _, _ in room.public)


async def test_a_barred_player_cannot_sign_up_and_is_not_paired_while_barred(app: App) -> None:
    room = app.room()
    await begin(app, room, *PEOPLE, rounds="3")
    eva, elsewhere = moderator(room), app.room()
    for name in ("Caro", "Dan", "Finn"):
        await bar(elsewhere, name)
    sign_up = await room.onlooker.expect(" League")
    assert "The moderators have barred you" in await room.person("Finn").tap("Join", on=sign_up)
    await play(app)
    await wait_for_boards(app, room, 1, 2)
    assert {frozenset({"Ana", "Ben"})} == people_by_table(app, 2)
    for name in ("Caro", "Dan"):
        await eva.choose(name, on=await eva.slash("server players"), menu=1)
    await play(app, 2)
    await wait_for_boards(app, room, 2, 3)
    assert set(PEOPLE) == {name for table in people_by_table(app, 3) for name in table}


async def test_a_player_whose_time_lapsed_twice_cannot_sign_up_again(app: App) -> None:
    room = app.room()
    sign_up = await set_up(room, *PEOPLE[:3], seats="3", rounds="2", pace="brisk-firm")
    await moderator(room).tap("Begin now", on=sign_up)
    await wait_for_boards(app, room, 1)
    held = """
        INSERT INTO table_events (match_id, version, at, kind, seat, user_id, words)
        SELECT match_id, 1, ?, 'lapsed', seat, user_id, '' FROM seat_history WHERE user_id = ?
    """
    ana = room.person("Ana")
    for _ in range(2):
        await app.change(held, LONG_AGO, ana.id)
    assert "so you can’t rejoin it" in await ana.tap("Join", on=sign_up)


@pytest.mark.parametrize(("waiting", "pinged"), [(("Gil",), None), (("Dan",), ("Dan",)), (("Gil", "Dan"), ("Dan",))])
async def test_a_free_league_seat_is_offered_only_if_a_waiting_player_could_take_it(
    app: App, waiting: tuple[str, ...], pinged: tuple[str, ...] | None
) -> None:
    """Gil has blocked Ana, who plays where Ben leaves: the offer names him as it names the others, without a ping."""
    room = app.room()
    await begin(app, room, "Ana", "Ben", rounds="2")
    sign_up = await room.onlooker.expect(" League")
    gil, ben = room.people("Gil", "Ben")
    await gil.choose("Ana", on=await gil.tap("Blocked players", on=await gil.slash("me settings")))
    for name in waiting:
        await room.person(name).tap("Join", on=sign_up)
    await ben.tap("Leave the league", on=await ben.tap("Leave", on=sign_up))
    (thread,) = threads(app)
    await thread.onlooker.expect("has left the league")
    soon = time_of(datetime.now(UTC) + timedelta(minutes=5))
    # the job of the league checks again in a day; by then the seat is offered
    while app.query("SELECT 1 FROM jobs WHERE kind = 'league' AND due_at < ?", soon):
        await app.breathe()
    offers = [seen for seen in thread.onlooker.messages if "Who takes over" in seen]
    assert ([] if pinged is None else [pinged]) == [offer.pinged for offer in offers]
    assert all(room.person(name).mention in offer for name in waiting for offer in offers)


async def test_a_free_league_seat_is_for_its_players_without_a_seat_in_this_round(app: App) -> None:
    room = app.room()
    await begin(app, room, *PEOPLE, rounds="2")
    sign_up = await room.onlooker.expect(" League")
    gil = room.person("Gil")
    await gil.tap("Join", on=sign_up)
    offers: list[Seen] = []
    for thread in threads(app):
        leaver = thread.person(_people(app, thread)[0])
        await leaver.tap("Leave the league", on=await leaver.tap("Leave", on=sign_up))
        offers.append(await thread.onlooker.expect("Who takes over"))
    assert [("Gil",), ("Gil",)] == [offer.pinged for offer in offers]
    assert f"<@{gil.id}>" in offers[0], "Discord pings only those who are named"
    (first, second), (rival,) = threads(app), _people(app, threads(app)[1])
    assert "already have or had a seat in this round" in await first.person(rival).tap("Take this seat", on=offers[0])
    assert "Only players of this league" in await first.person("Finn").tap("Take this seat", on=offers[0])
    await first.person("Gil").tap("Take this seat", on=offers[0])
    assert "already have or had a seat in this round" in await second.person("Gil").tap("Take this seat", on=offers[1])
    await gil.tap("Resign", on=await first.person("Gil").slash("game leave"))
    assert "already have or had a seat in this round" in await second.person("Gil").tap("Take this seat", on=offers[1])


async def test_a_player_who_leaves_or_is_forgotten_during_sign_up_disappears_from_its_message(app: App) -> None:
    room = app.room()
    await set_up(room, *PEOPLE[:3])
    assert "out of the league" in await room.person("Ana").slash("league leave")
    await room.onlooker.expect("2 signed up")
    ben = room.person("Ben")
    await ben.tap("Forget me for good", on=await ben.tap("Forget me", on=await ben.slash("me data")))
    await room.onlooker.expect("1 signed up")
    assert 1 == sum("Sign-up ends" in seen.text for seen in room.onlooker.messages)


async def test_forgetting_a_player_does_not_erase_their_league_lapses(app: App) -> None:
    room = app.room()
    sign_up = await set_up(room, *PEOPLE[:3], seats="3", rounds="2", pace="brisk-firm")
    await moderator(room).tap("Begin now", on=sign_up)
    await wait_for_boards(app, room, 1)
    held = """
        INSERT INTO table_events (match_id, version, at, kind, seat, user_id, words)
        SELECT match_id, 1, ?, 'lapsed', seat, user_id, '' FROM seat_history WHERE user_id = ?
    """
    ana = room.person("Ana")
    for _ in range(2):
        await app.change(held, LONG_AGO, ana.id)
    await ana.tap("Forget me for good", on=await ana.tap("Forget me", on=await ana.slash("me data")))
    assert "so you can’t rejoin it" in await ana.tap("Join", on=sign_up)


async def test_table_titles_include_the_number_of_computers(app: App) -> None:
    room = app.room()
    await begin(app, room, *PEOPLE[:3], seats="2")
    names = {thread.name for thread in app.local.discord.world.threads}
    assert [False, True] == sorted(name.endswith(" + 1 computer") for name in names)
    (alone,) = (name for name in names if "computer" in name)
    assert len([person for person in PEOPLE if person in alone]) == 1
    assert "empty seats: " in (await room.onlooker.expect(" League")).text


async def test_a_late_player_begins_in_the_lowest_group(app: App) -> None:
    room, names = app.room(), tuple(f"User {n}" for n in range(8))
    await begin(app, room, *names, groups="4", rounds="2")
    await room.person("Gil").tap("Join", on=await room.onlooker.expect(" League"))
    await room.onlooker.until(lambda: "Gil" in groups(app, 1))
    assert 1 == groups(app, 1)["Gil"] == max(groups(app, 1).values())
    # who opens the standings sees their own group first
    gil, hal = room.people("Gil", "Hal")
    own, foreign = await gil.slash("league standings"), await hal.slash("league standings")
    group_page = await hal.choose("Group B", on=foreign)
    for reader, page, group in ((gil, own, "B"), (hal, foreign, "A"), (hal, group_page, "B")):
        assert page is not None
        assert (["Group A", "Group B"], group) == ([option.label for option in page.menus[0].options], _group_in(page))
        assert f"### Sealed Bids, Group {group} – " in await reader.tap("As text", on=page)


def _group_in(page: Seen) -> str:
    return page.images[0].alt.partition("Group ")[2][0]


async def test_a_league_cannot_be_created_in_a_thread_or_outside_the_game_channels(app: App) -> None:
    room, other = app.room(), app.room()
    app.local.add_role("Referees")
    app.local.give_role("Ana", "Referees")
    await choose_setting(moderator(room), "league_roles", "Referees")
    thread = thread_of(app, room)
    assert "A league needs a channel, not a thread" in await thread.person("Ana").slash("league new", game=GAME)
    await moderator(room).choose(room.channel, on=await moderator(room).slash("server settings"), menu=0)
    assert "games are played in" in await other.person("Ana").slash("league new", game=GAME)
    assert [] == status(app)
    await room.person("Ana").slash("league new", game=GAME, rounds="5")
    assert ["sign-up"] == status(app)


async def test_standings_name_only_members_who_want_to_be_named(app: App, fake_clock: FakeClock) -> None:
    room = app.room()
    await begin(app, room, *PEOPLE)
    await play(app)
    await leave_out(room.person("Ana"))
    ben = app.local.discord.world.users[room.person("Ben").id]
    ben.has_left = True
    fake_clock.ahead += members.CACHE_TIME
    try:
        eva = moderator(room)
        standings = await eva.slash("league standings")
        page = await eva.tap("As text", on=standings)
        for text in (page.text, standings.images[0].alt):
            names = [name for name in (*PEOPLE, "somebody") for _ in range(text.count(name))]
            assert ["Caro", "Dan", "somebody", "somebody"] == names
    finally:
        ben.has_left = False


async def test_the_days_between_two_rounds_are_full_days(timed_app: TimedApp) -> None:
    app = timed_app.app
    room = app.room()
    await begin(app, room, "Ana", "Ben", rounds="2", next="no sooner than a day after the previous one")
    await play(app)
    await room.onlooker.expect("round 1 of 2 is over")
    await timed_app.hours(22)
    assert [(1,)] == app.query("SELECT round FROM leagues")
    await timed_app.hours(3)
    await wait_for_boards(app, room, 1, 2)


async def test_a_league_that_ends_early_gives_the_reason_next_to_its_winner(app: App) -> None:
    room = app.room()
    await begin(app, room, "Ana", "Ben", rounds="2")
    ben = room.person("Ben")
    await ben.tap("Leave the league", on=await ben.slash("league leave"))
    (thread,) = threads(app)
    await thread.onlooker.expect("has left the league")
    for _ in range(3):  # no bid of the computer in Ben's seat beats the highest one
        await play_move(thread.person("Ana"), "sealed bid", coins="3")
    end = await room.onlooker.expect("The Sealed Bids League is over")
    assert ("Fewer than two people are left" in end, "👑 **Ana**" in end) == (True, True)
    assert "Ben" not in end


async def test_a_player_who_left_a_running_league_is_not_named_at_sign_up_and_can_rejoin(app: App) -> None:
    room = app.room()
    await begin(app, room, *PEOPLE[:3], seats="3", rounds="2")
    ana = room.person("Ana")
    await ana.tap("Leave the league", on=await ana.slash("league leave"))
    sign_up = await room.onlooker.expect("2 signed up")
    assert ana.mention not in sign_up
    assert "You’re not in this league" in await ana.tap("Leave", on=sign_up)
    await ana.tap("Join", on=sign_up)
    assert ana.mention in await room.onlooker.expect("3 signed up")
