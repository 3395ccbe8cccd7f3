"""Leagues: sign-up, rounds in threads, standings and the end; and what may go wrong on the way."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from typing import Any

import pytest

from engine.games import discover
from playground.faults import Fault
from playground.player import Seen
from tests.bot.forging import forge
from tests.bot.inn import Inn
from tests.bot.keeping import GAME, keeper, more_settings
from tests.e2e.rooms import Room, play_move

LONG_AGO = "2026-01-01T00:00:00.000000+00:00"
LEAGUE_ROLES = 4
"""The menu of those who may set up leagues, on the second page of the settings of a server."""

PEOPLE = ("Ana", "Ben", "Caro", "Dan")


async def set_up(room: Room, *names: str, **typed: Any) -> Seen:
    """A league of a moderator for which some people have signed up. Returns the sign-up."""
    eva = keeper(room)
    await eva.slash("league new", game=GAME, **{"rounds": "1", "seats": "2", **typed})
    shown = await room.onlooker.expect("League of")
    for name in names:
        await room.person(name).tap("Join", on=shown)
    return shown


async def begin(inn: Inn, room: Room, *names: str, **typed: Any) -> None:
    """The same, with its first round begun."""
    shown = await set_up(room, *names, **typed)
    await keeper(room).tap("Begin now", on=shown)
    await begun(inn, room, -(-len(names) // int(typed.get("seats", 2))))


async def begun(inn: Inn, room: Room, tables: int, number: int = 1) -> None:
    """Wait until all tables of a round have their first boards."""
    for n in range(1, tables + 1):
        await room.onlooker.expect(f"round {number}, table {n}")
        thread = await room.onlooker.until(lambda n=n: _thread(inn, f"R{number} T{n}:"), what=f"thread {n}")
        await thread.onlooker.expect("Bid 0 to 3")


def _thread(inn: Inn, part: str) -> Room | None:
    return next((Room(inn.local, one.name) for one in inn.local.discord.world.threads if part in one.name), None)


def threads(inn: Inn, number: int = 1) -> list[Room]:
    """The threads of the tables of a round."""
    world = inn.local.discord.world
    rows = inn.query("SELECT thread_id FROM league_tables WHERE round = ? AND match_id IS NOT NULL", number)
    return [Room(inn.local, next(one.name for one in world.threads if one.id == thread_id)) for (thread_id,) in rows]


async def play(inn: Inn, number: int = 1) -> None:
    """Play all tables of a round: the one with the later name bids more, and wins."""
    for thread in threads(inn, number):
        for _ in range(3):
            for coins, name in enumerate(_people(inn, thread), start=1):
                await play_move(thread.person(name), "sealed bid", coins=str(coins))


def _people(inn: Inn, thread: Room) -> list[str]:
    sql = """
        SELECT name FROM seat_history JOIN matches ON matches.id = match_id
        WHERE channel_id = ? AND user_id IS NOT NULL AND until IS NULL ORDER BY name
    """
    return [name for (name,) in inn.query(sql, inn.local.channel(thread.channel).id)]


def groups(inn: Inn, league: int) -> dict[str, int]:
    """The group of everybody in a league, by name."""
    return dict(inn.query("SELECT name, division FROM league_players WHERE league_id = ?", league))


def status(inn: Inn) -> list[str]:
    return [one for (one,) in inn.query("SELECT status FROM leagues ORDER BY id")]


async def test_a_league_goes_from_sign_up_to_its_winners(inn: Inn) -> None:
    room = inn.room()
    await begin(inn, room, *PEOPLE, rounds="2")
    assert 2 == len(threads(inn))
    await play(inn)
    await room.onlooker.expect("round 1 of 2 is over")
    await room.onlooker.expect("round 2, table 2")
    await begun(inn, room, 2, 2)
    await play(inn, 2)
    end = await room.onlooker.expect("The league of Sealed Bids is over")
    assert "👑" in end
    await room.onlooker.expect("This league is over")  # the sign-up, edited once that is noted
    assert ["over"] == status(inn)


async def test_nobody_else_begins_or_ends_a_league(inn: Inn) -> None:
    room = inn.room()
    shown = await set_up(room, "Ana", "Ben")
    refused = await room.person("Ana").tap("Begin now", on=shown)
    assert refused is not None
    assert "Only" in refused
    assert "Only" in (await room.person("Ana").slash("league end") or "")
    assert ["sign-up"] == status(inn)


async def test_it_is_said_once_that_a_league_was_called_off_even_if_that_does_not_work_at_once(inn: Inn) -> None:
    room = inn.room()
    await set_up(room, "Ana", "Ben")
    eva, channel_id = keeper(room), inn.local.channel(room.channel).id
    asked = await eva.slash("league end")
    inn.local.fault(f"POST /channels/{channel_id}/messages", status=503)
    await eva.tap("Call it off", on=asked)
    await room.onlooker.until(lambda: ["called off"] == status(inn))
    await inn.let_pass(20)
    await room.onlooker.expect("was called off by")
    await room.onlooker.expect("This league was called off.")
    assert 1 == sum("was called off by" in seen.text for seen in room.onlooker.messages)


@pytest.mark.parametrize("names", [(), ("Ana",)])
async def test_a_league_that_nobody_wants_does_not_begin(inn: Inn, names: tuple[str, ...]) -> None:
    room = inn.room()
    shown = await set_up(room, *names)
    answer = await keeper(room).tap("Begin now", on=shown)
    assert answer is not None
    assert "At least two people" in answer
    await inn.change("UPDATE leagues SET closes_at = ?", LONG_AGO)
    await inn.change("UPDATE jobs SET due_at = ? WHERE kind = 'league'", LONG_AGO)
    await inn.let_pass(5 * 60 + 1)
    await room.onlooker.expect("Fewer than two people signed up")


async def test_a_second_league_of_a_game_is_refused(inn: Inn) -> None:
    room = inn.room()
    await set_up(room)
    refused = await keeper(room).slash("league new", game=GAME)
    assert refused is not None
    assert "has a league of Sealed Bids already" in refused


async def test_a_first_board_that_discord_does_not_take_at_once_comes_later_and_is_no_fault_of_the_league(
    inn: Inn,
) -> None:
    room = inn.room()
    shown = await set_up(room, "Ana", "Ben")
    # the message of the table comes before it
    refused = inn.local.discord.faults.order(Fault("POST /channels/*/messages", 503, pass_first=1))
    await keeper(room).tap("Begin now", on=shown)
    await inn.local.struck(refused)
    await inn.let_pass(20)
    await begun(inn, room, 1)


async def test_a_sign_up_that_a_crash_has_kept_from_being_posted_is_posted_a_minute_later(inn: Inn) -> None:
    room = inn.room()
    lost = await set_up(room)
    await inn.let_pass(4)  # until it is noted
    inn.local.delete_message(lost)
    await inn.change("UPDATE leagues SET message_id = NULL")
    await inn.change("UPDATE jobs SET due_at = ?, state = '{}' WHERE kind = 'league'", LONG_AGO)
    await inn.let_pass(6 * 60 + 1)
    shown = await room.onlooker.expect("League of")
    await room.person("Ana").tap("Join", on=shown)
    assert [(shown.record.id,)] == inn.query("SELECT message_id FROM leagues")
    assert 1 == sum("League of" in seen.text for seen in room.onlooker.messages)


async def test_a_restart_at_any_step_makes_every_table_once(inn: Inn) -> None:
    room = inn.room()
    shown = await set_up(room, *PEOPLE)
    await inn.close()
    await inn.open()
    await keeper(room).tap("Begin now", on=shown)
    await inn.close()
    await inn.open()
    await begun(inn, room, 2)
    assert [(2, 2)] == inn.query("SELECT count(*), count(DISTINCT match_id) FROM league_tables")
    announced = [seen for seen in room.onlooker.messages if "round 1, table" in seen.text]
    assert 2 == len(announced), "each table is announced once"
    await play(inn)
    await room.onlooker.expect("The league of Sealed Bids is over")


async def test_a_computer_plays_for_those_who_leave_in_the_middle_of_a_round(inn: Inn) -> None:
    room = inn.room()
    await begin(inn, room, *PEOPLE[:3], seats="3", rounds="2")
    ana = room.person("Ana")
    asked = await ana.slash("league leave")
    assert asked is not None
    assert "gives you no points" in asked
    await ana.tap("Leave the league", on=asked)
    (thread,) = threads(inn)
    await thread.onlooker.expect("has left the league; a computer takes over")
    for _ in range(3):
        for coins, name in ((1, "Ben"), (3, "Caro")):
            await play_move(thread.person(name), "sealed bid", coins=str(coins))
    await room.onlooker.expect("round 1 of 2 is over")
    await begun(inn, room, 1, 2)
    assert ["Ben", "Caro"] == _people(inn, threads(inn, 2)[0]), "who has left is not paired again"


async def test_a_computer_plays_within_a_day_for_those_who_leave_the_server(inn: Inn) -> None:
    room = inn.room()
    await begin(inn, room, *PEOPLE[:3], seats="3")
    inn.local.leave("Ana")
    await inn.change("UPDATE jobs SET due_at = ?, state = '{}' WHERE kind = 'league'", LONG_AGO)
    await inn.let_pass(5 * 60 + 1)
    (thread,) = threads(inn)
    await thread.onlooker.expect("has left the league; a computer takes over")
    assert ["Ben", "Caro"] == _people(inn, thread)


async def test_whoever_comes_late_plays_from_the_next_round_on(inn: Inn) -> None:
    room = inn.room()
    await begin(inn, room, "Ana", "Ben", rounds="2")
    shown = await room.onlooker.expect("If you join now, you play from the next round on")
    await room.person("Caro").tap("Join", on=shown)
    await play(inn)
    await begun(inn, room, 2, 2)
    assert {"Ana", "Ben", "Caro"} == {name for thread in threads(inn, 2) for name in _people(inn, thread)}


async def test_a_table_that_a_moderator_ends_counts_half_for_everyone(inn: Inn) -> None:
    room = inn.room()
    await begin(inn, room, "Ana", "Ben")
    (thread,) = threads(inn)
    await keeper(thread).tap("End it", on=await keeper(thread).slash("table end"))
    end = await room.onlooker.expect("The league of Sealed Bids is over")
    assert "Ana** & **Ben" in end.text, "both have half a point"


async def test_where_everybody_left_nobody_has_won(inn: Inn) -> None:
    room = inn.room()
    await begin(inn, room, "Ana", "Ben")
    (thread,) = threads(inn)
    for person in thread.people("Ana", "Ben"):
        await person.tap("Resign", on=await person.slash("game leave"))
    end = await room.onlooker.expect("The league of Sealed Bids is over")
    assert "Nobody has won: no game was played to its end." in end.text
    assert "👑" not in end.text


async def test_whoever_has_left_gets_nothing_from_a_table_that_is_ended_afterwards(inn: Inn) -> None:
    room = inn.room()
    await begin(inn, room, *PEOPLE[:3], seats="3")
    ana = room.person("Ana")
    await ana.tap("Leave the league", on=await ana.slash("league leave"))
    (thread,) = threads(inn)
    await thread.onlooker.expect("has left the league; a computer takes over")
    await keeper(thread).tap("End it", on=await keeper(thread).slash("table end"))
    end = await room.onlooker.expect("The league of Sealed Bids is over")
    assert "👑 **Ben** & **Caro**" in end.text


@pytest.mark.parametrize(("pace", "paired"), [("brisk-firm", {"Ben", "Caro"}), ("brisk", {"Ana", "Ben", "Caro"})])
async def test_whoever_the_pace_has_barred_twice_is_dropped_and_not_whom_the_others_have(
    inn: Inn, pace: str, paired: set[str]
) -> None:
    room = inn.room()
    await begin(inn, room, *PEOPLE[:3], seats="3", rounds="2", pace=pace)
    barred = """
        INSERT INTO table_events (match_id, version, at, kind, seat, user_id, words)
        SELECT match_id, 1, ?, 'held', seat, user_id, '' FROM seat_history WHERE user_id = ?
    """
    for _ in range(2):
        await inn.change(barred, LONG_AGO, room.person("Ana").id)
    await play(inn)
    await begun(inn, room, 1, 2)
    assert paired == set(_people(inn, threads(inn, 2)[0]))


async def test_a_league_is_called_off_as_soon_as_its_channel_is_deleted(inn: Inn) -> None:
    room = inn.room()
    await set_up(room, *PEOPLE)
    inn.local.delete_channel(room.channel)
    await keeper(room).in_dm().expect("The channel of your league of **Sealed Bids** was deleted")
    assert ["called off"] == status(inn)


async def test_a_league_is_called_off_whose_channel_was_deleted_while_the_bot_was_away(inn: Inn) -> None:
    room = inn.room()
    await set_up(room, *PEOPLE)
    await inn.close()
    inn.local.delete_channel(room.channel)
    await inn.open()
    await inn.change("UPDATE leagues SET closes_at = ?", LONG_AGO)
    await inn.change("UPDATE jobs SET due_at = ? WHERE kind = 'league'", LONG_AGO)
    await inn.let_pass(5 * 60 + 1)
    await keeper(room).in_dm().expect("The channel of your league of **Sealed Bids** was deleted")
    assert ["called off"] == status(inn)


async def test_the_best_of_a_group_plays_one_higher_in_the_next_league_and_the_last_one_lower(inn: Inn) -> None:
    room, names = inn.room(), tuple(f"User {n}" for n in range(8))
    await begin(inn, room, *names, groups="4")
    await play(inn)
    end = await room.onlooker.expect("The league of Sealed Bids is over")
    (up,) = re.findall(r"⬆ \*\*(.+)\*\* plays one group higher", end.text)
    (down,) = re.findall(r"⬇ \*\*(.+)\*\* plays one group lower", end.text)
    first = groups(inn, 1)
    assert (1, 0) == (first[up], first[down])
    await room.onlooker.until(lambda: ["over"] == status(inn))
    await keeper(room).tap("Begin now", on=await set_up(room, *names, groups="4"))
    await room.onlooker.until(lambda: [(1,)] == inn.query("SELECT round FROM leagues WHERE id = 2"))
    assert first | {up: 0, down: 1} == groups(inn, 2)


async def test_two_hundred_people_get_their_tables(inn: Inn) -> None:
    room = inn.room()
    shown = await set_up(room, seats="4")
    users = [room.person(f"User {n}").id for n in range(200)]
    sign_up = "INSERT INTO league_players (league_id, user_id, interaction_id, name) VALUES (1, ?, ?, 'somebody')"
    inn.write(sign_up, [(user_id, user_id) for user_id in users])
    before = Counter(inn.local.requests)
    await keeper(room).tap("Begin now", on=shown)
    await begun(inn, room, 50)
    asked = Counter(inn.local.requests) - before
    assert 50 == asked["GET /channels/{channel_id}"], "each thread is asked for once"
    # who they are, and that each of them comes into a thread; a message, a thread and a board for each table
    assert 2 * 200 + 4 * 50 + 2 == asked.total()
    assert sorted(users) == sorted(user_id for (user_id,) in inn.query("SELECT user_id FROM league_seats"))
    (found,) = [seen for seen in room.onlooker.messages if "200 signed up" in seen.text]
    assert "and 180 more" in found.text


async def test_without_the_permission_to_open_threads_it_says_so_once_and_goes_on_as_soon_as_it_has_it(
    inn: Inn,
) -> None:
    room = inn.room()
    shown = await set_up(room, "Ana", "Ben")
    inn.local.forbid(room.channel, "CREATE_PUBLIC_THREADS")
    await keeper(room).tap("Begin now", on=shown)
    await room.onlooker.expect("I cannot set the tables of the league of **Sealed Bids** here")
    await inn.let_pass(60)
    inn.local.permit(room.channel, "CREATE_PUBLIC_THREADS")
    await begun(inn, room, 1)
    assert 1 == sum("I cannot set the tables" in seen.text for seen in room.onlooker.messages)
    assert 1 == sum("round 1, table" in seen.text for seen in room.onlooker.messages)


async def test_a_league_is_not_set_up_where_no_threads_can_be_opened(inn: Inn) -> None:
    room = inn.room()
    inn.local.forbid(room.channel, "CREATE_PUBLIC_THREADS")
    refused = await keeper(room).slash("league new", game=GAME)
    assert refused is not None
    assert refused.ephemeral
    assert [] == status(inn)


async def test_tables_of_other_rules_are_called_off_and_the_league_goes_on_by_the_new_ones(
    inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = inn.room()
    await begin(inn, room, "Ana", "Ben", rounds="2")
    await inn.close()
    newer = dataclasses.replace(discover()[GAME], rules_version=2)
    monkeypatch.setitem(discover(), GAME, newer)
    await inn.open()
    await inn.change("UPDATE jobs SET due_at = ? WHERE kind = 'league'", LONG_AGO)
    await inn.let_pass(5 * 60 + 1)
    await begun(inn, room, 1, 2)
    told = await threads(inn)[0].onlooker.expect("This table cannot go on, so it is called off.")
    assert "it counts as half a win for everyone" in told.text
    await play(inn, 2)
    end = await room.onlooker.expect("The league of Sealed Bids is over")
    assert "👑 **Ben**" in end.text
    assert [(1,), (2,)] == inn.query("SELECT rules_version FROM matches ORDER BY id")


async def test_leagues_are_set_up_by_the_roles_that_moderators_choose(inn: Inn) -> None:
    room = inn.room()
    inn.local.add_role("Referees")
    inn.local.give_role("Ana", "Referees")
    ana, ben = room.people("Ana", "Ben")
    refused = await ana.slash("league new", game=GAME)
    assert refused is not None
    assert "Leagues are set up by moderators." in refused
    page = await more_settings(keeper(room))
    await keeper(room).choose("Referees", on=page, menu=LEAGUE_ROLES)
    await ana.slash("league new", game=GAME)
    await room.onlooker.expect("League of")
    refused = await ben.slash("league new", game="toll")
    assert refused is not None
    assert "Leagues are set up by moderators." in refused
    assert ["sign-up"] == status(inn)


async def test_leagues_of_two_servers_know_nothing_of_each_other(inn: Inn) -> None:
    room = inn.room()
    await inn.close()
    guild_id = inn.local.found_guild(0, 1)
    there = Room(inn.local, inn.local.add_channel("there", guild=guild_id).name)
    await inn.open()
    shown = await set_up(room, "Ana", "Ben")
    shown_there = await set_up(there, "Ana", "Caro")
    foreign = {"type": 2, "style": 2, "custom_id": "cv:leagueleave:0:1:", "label": "x"}
    assert "I no longer know this league here" in await forge(inn, there.person("Ana"), shown_there, foreign)
    await keeper(room).tap("Begin now", on=shown)
    await begun(inn, room, 1)
    left = await there.person("Ana").slash("league leave")
    assert left is not None
    await play(inn)
    end = await room.onlooker.expect("The league of Sealed Bids is over")
    assert "Caro" not in end.text
    await room.onlooker.until(lambda: ["over", "sign-up"] == status(inn))
    ana = there.person("Ana").id
    assert [(1,)] == inn.query("SELECT league_id FROM league_players WHERE user_id = ?", ana)


async def test_ids_of_leagues_come_from_outside(inn: Inn) -> None:
    room = inn.room()
    shown = await set_up(room)
    ana = room.person("Ana")
    for kind, text in (("leagueend", ""), ("leagueshare", "7"), ("leaguewords", "x"), ("leaguejoin", "")):
        for league in (4711, 10**9, 1):
            control = {"type": 2, "style": 2, "custom_id": f"cv:{kind}:0:{league}:{text}", "label": "x"}
            assert "wrong on my side" not in await forge(inn, ana, shown, control)
    assert ["sign-up"] == status(inn)
