"""The tables that a league sets up, the messages that it finds again after a crash, and the end of a round."""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable, Collection
from contextlib import nullcontext
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.errors import UserError
from bot.features.leagues import rounds
from bot.features.leagues.season import Season, season_of
from bot.interactions.presence import ServerAway
from bot.interactions.refusals import MAX_ATTEMPTS
from bot.store.jobs import Job, JobKind
from bot.store.leagues import MAX_TIMES_HELD, LeaguePlayer, LeagueStatus
from bot.store.matches import SeatHolder, Status
from bot.tables.guild_settings import GuildSettings
from engine.errors import SetupError
from engine.texts import Text
from tests.bot.leagues.test_league_answers import league
from tests.bot.outcomes import sent
from tests.bot.refusing import CHANNEL, DAY, GUEST, GUILD, HOST, HOUR, NOON, House, refusal

MESSAGE = 500
JOB = Job(JobKind.LEAGUE, NOON, seat=3)


async def stored_season(home: House, **values: Any) -> Season:
    created = await league(home, **values)
    return await season_of(home.store, created)


@pytest.mark.parametrize(
    ("computer", "known", "pace", "firm"),
    [("uniform", "uniform", "brisk-firm", True), ("gone", "fair", "brisk", False)],
)
async def test_a_table_of_a_league_has_its_plan_its_rules_and_the_ratings_of_the_server(
    home: House, monkeypatch: pytest.MonkeyPatch, computer: str, known: str, pace: str, firm: bool
) -> None:
    added = list[int]()

    async def add_members(thread_id: int, *user_ids: int) -> None:
        added.extend((thread_id, *user_ids))

    async def open_thread(guild_id: int, channel_id: int, message_id: int, name: str) -> int:
        assert (GUILD, CHANNEL, True) == (guild_id, channel_id, "Ana" in name)
        return message_id

    monkeypatch.setattr(home.services.channels, "add_members", add_members)
    monkeypatch.setattr(home.services.channels, "open_thread", open_thread)
    await home.services.servers.keep(GUILD, GuildSettings(rated=False))
    season = await stored_season(home, begun=True, options={"rounds": 1}, pace=pace, computer=computer)
    table = dataclasses.replace(season.tables[0], secret="a secret", planned=(GUEST, HOST, 99, None))
    match = await rounds._create_match(home.services, season, table, MESSAGE)
    row = match.row
    assert (GUILD, MESSAGE, CHANNEL, True) == (row.guild_id, row.channel_id, row.parent_id, row.own_thread)
    assert ({"rounds": 1}, "brisk", firm, False) == (row.options, row.pace, row.firm, row.rated)
    assert ("a secret", 0, {HOST, GUEST}) == (row.secret, row.host_id, {*(row.ready or ())})
    players = SeatHolder(GUEST, name="Ana", interaction_id=6), SeatHolder(HOST, name="Ana", interaction_id=5)
    assert (*players, *[SeatHolder(computer=known)] * 2) == row.holders, "a forgotten player is a computer, too"
    assert [MESSAGE, GUEST, HOST] == added
    (stored, _) = (await season_of(home.store, season.league)).tables
    assert match.id == stored.match_id


async def post_standings(home: House, season: Season) -> None:
    await rounds._post_standings(home.services, season, "1")


async def announce_end(home: House, season: Season) -> None:
    await rounds._announce_end(home.services, season.league, HOST)


async def announce_table(home: House, season: Season) -> None:
    assert MESSAGE == await rounds._announce_table(home.services, season.league, season.tables[0])


async def post_sign_up(home: House, season: Season) -> None:
    await rounds._post_sign_up(home.services, season)
    stored = await home.store.leagues.find(season.league.id)
    assert stored is not None
    assert MESSAGE == stored.message_id


Step = Callable[[House, Season], Awaitable[None]]


@pytest.mark.parametrize("is_found", [True, False])
@pytest.mark.parametrize(
    ("step", "begun", "later", "looks"),
    [
        (post_standings, True, 0 * HOUR, True),
        (announce_end, True, 0 * HOUR, True),
        # without a round its message has no button, and the nonce must do
        (announce_end, False, 0 * HOUR, False),
        (announce_table, True, timedelta(minutes=1), False),
        (announce_table, True, timedelta(minutes=1.1), True),
        (post_sign_up, False, 0 * HOUR, True),
    ],
)
async def test_a_message_of_a_league_that_its_channel_has_already_is_not_posted_again(
    home: House,
    monkeypatch: pytest.MonkeyPatch,
    step: Step,
    begun: bool,
    later: timedelta,
    looks: bool,
    is_found: bool,
) -> None:
    sent = list[int]()

    async def find(channel_id: int, _: Any) -> Any:
        assert (CHANNEL, True) == (channel_id, looks)
        return SimpleNamespace(id=MESSAGE) if is_found else None

    async def send(channel_id: int, *_: Any, **__: Any) -> int:
        sent.append(channel_id)
        return MESSAGE

    monkeypatch.setattr(home.services.channels, "find", find)
    monkeypatch.setattr(home.services.channels, "send", send)
    season = await stored_season(home, begun=begun)
    home.time.now += later
    await step(home, season)
    assert ([] if is_found and looks else [CHANNEL]) == sent


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The steps of a league that a test lets it take."""
    done = list[str]()

    def stub(name: str, result: Any) -> None:
        async def step(services: Any, *arguments: Any) -> Any:
            done.append(" ".join([name, *(argument for argument in arguments if isinstance(argument, str))]))
            return result(*arguments)

        monkeypatch.setattr(rounds, name, step)

    for name in ("_post_standings", "_finish", "refresh_sign_up", "_replace_dropped", "_set_up", "_close_sign_up"):
        stub(name, lambda *_: None)
    stub("_drop_absent", lambda season: season)
    for name in ("_plan", "_end_round"):
        stub(name, lambda season, job: job)
    return done


@pytest.mark.parametrize(
    ("league", "later", "done", "due"),
    [
        ({"round": 3}, 0 * HOUR, ["_finish"], None),
        ({"round": 2, "shown": 2, "gap": 7}, 6 * DAY, [], NOON + 7 * DAY),
        ({"gap": 7}, 6 * DAY, ["_post_standings 1"], NOON + 7 * DAY),
        ({"gap": 7}, 7 * DAY, ["_post_standings 1", "_plan"], NOON),
        ({"gap": 7, "shown": 1}, 6 * DAY, [], NOON + 7 * DAY),
        ({"shown": 1}, HOUR, ["_plan"], NOON),
    ],
)
async def test_a_finished_round_is_shown_once_and_the_next_one_comes_after_its_gap(
    home: House, steps: list[str], league: dict[str, Any], later: timedelta, done: list[str], due: datetime | None
) -> None:
    season = await stored_season(home, begun=True)
    season = dataclasses.replace(season, league=dataclasses.replace(season.league, **league))
    home.time.now += later
    job = await _end_round(home.services, season, JOB)
    assert (done, due) == (steps, job and job.due_at)
    stored = await home.store.leagues.find(season.league.id)
    assert stored is not None
    assert int("_post_standings 1" in done) == stored.shown


_end_round = rounds._end_round
"""The real function, not the stub of it."""


@pytest.mark.parametrize(
    ("looked", "is_settled", "done", "due", "state"),
    [
        (None, True, ["_drop_absent", "refresh_sign_up"], 0 * HOUR, True),
        (DAY, True, ["_drop_absent", "refresh_sign_up"], 0 * HOUR, True),
        (23 * HOUR, True, ["_replace_dropped", "_set_up", "_set_up", "_end_round"], 0 * HOUR, False),
        (23 * HOUR, False, ["_replace_dropped", "_set_up", "_set_up"], DAY, False),
    ],
)
async def test_a_round_looks_for_absent_players_once_a_day_and_ends_with_its_last_table(
    home: House,
    steps: list[str],
    looked: timedelta | None,
    is_settled: bool,
    done: list[str],
    due: timedelta,
    state: bool,
) -> None:
    season = await stored_season(home, begun=True)
    for table in season.tables:
        match = await home.posted(CHANNEL + table.number)
        await home.store.leagues.note_table(season.league.id, table, match_id=match.id)
        if is_settled or table.number == 1:
            await home.services.seats.end(match, at=NOON)
    job = JOB if looked is None else JOB.at(NOON, looked=(NOON - looked).isoformat())
    after = await rounds._next_step(home.services, season.league, job)
    assert after is not None
    assert (done, NOON + due) == (steps, after.due_at)
    assert state == (after.state.get("looked") == NOON.isoformat())


async def test_a_sign_up_that_was_not_posted_is_posted_before_its_end(home: House, steps: list[str]) -> None:
    season = await stored_season(home)
    home.time.now = season.league.closes_at - HOUR
    after = await rounds._next_step(home.services, season.league, JOB)
    assert after is not None
    assert ([], season.league.closes_at) == (steps, after.due_at)
    assert ["POST /channels/{channel_id}/messages"] == home.network.accepted[-1:]
    home.time.now = season.league.closes_at
    await rounds._next_step(home.services, season.league, JOB)
    assert ["_close_sign_up"] == steps


@pytest.mark.parametrize(
    ("code", "is_deleted", "is_done"), [(10003, True, True), (10003, False, False), (50013, True, False)]
)
async def test_the_end_of_a_league_needs_no_message_in_a_deleted_channel(
    home: House, monkeypatch: pytest.MonkeyPatch, code: int, is_deleted: bool, is_done: bool
) -> None:
    async def send(*_: Any, **__: Any) -> int:
        raise refusal(404 if code == 10003 else 403, code)

    async def looked_up(guild_id: int, channel_id: int) -> bool:
        assert (GUILD, CHANNEL) == (guild_id, channel_id)
        return is_deleted

    monkeypatch.setattr(home.services.channels, "send", send)
    monkeypatch.setattr(home.services.channels, "is_deleted", looked_up)
    season = await stored_season(home)
    with nullcontext() if is_done else pytest.raises(discord.HTTPException):
        await rounds._announce_end(home.services, season.league, HOST)


async def test_players_who_left_the_server_or_were_late_too_often_drop_out(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = list[Any]()

    async def names(guild: Any, user_ids: Collection[int], *, asked_by: int, anew: bool) -> dict[int, str]:
        requests.append(({*user_ids}, asked_by, anew))
        return {HOST: "Ana"}

    monkeypatch.setattr(home.services.members, "names", names)
    season = await stored_season(home, begun=True)
    await home.store.leagues.sign_up(season.league.id, LeaguePlayer(72, 7, "Caro"))
    season = dataclasses.replace(await season_of(home.store, season.league), held={GUEST: MAX_TIMES_HELD})
    after = await rounds._drop_absent(home.services, season)
    assert [({HOST, 72}, 0, True)] == requests
    assert {HOST: False, GUEST: True, 72: True} == {player.user_id: player.dropped for player in after.players}
    monkeypatch.setattr(home.services.channels, "server", lambda _: None)
    with pytest.raises(ServerAway):
        await rounds._drop_absent(home.services, season)


@pytest.mark.parametrize(
    ("begun", "status", "posts"),
    [(True, LeagueStatus.OVER, ["over end why"]), (False, LeagueStatus.CALLED_OFF, [])],
)
async def test_a_league_that_ends_is_over_after_a_round_and_otherwise_called_off(
    home: House, monkeypatch: pytest.MonkeyPatch, begun: bool, status: LeagueStatus, posts: list[str]
) -> None:
    standings = list[str]()

    async def post_end(_: Any, season: Season, mark: str, why: Text) -> None:
        standings.append(f"{season.league.status} {mark} {why}")

    monkeypatch.setattr(rounds, "_post_standings", post_end)
    season = await stored_season(home, begun=begun)
    await rounds._finish(home.services, season, Text("why"))
    stored = await home.store.leagues.find(season.league.id)
    assert stored is not None
    assert (status, season.league.round, posts) == (stored.status, stored.shown, standings)
    reasons = [body["nonce"] for _, body in home.network.bodies if "why" in str(body)]
    assert ([] if begun else [f"league-{season.league.id}-off"]) == reasons


async def test_a_table_that_cannot_be_read_is_called_off_and_its_channel_is_told(home: House) -> None:
    season, match = await stored_season(home, begun=True), await home.posted(MESSAGE)
    match.problem = Text("Its record is damaged.")
    home.network.bodies.clear()
    table = dataclasses.replace(season.tables[0], thread_id=MESSAGE, match_id=match.id)
    await rounds._set_up(home.services, season, table)
    assert Status.ENDED is match.row.status
    assert [True] == ["This table can’t go on" in str(body) for _, body in home.network.bodies]


@pytest.mark.parametrize("error", [UserError(Text("no")), SetupError("seats", Text("no"))])
async def test_a_table_that_cannot_begin_is_called_off_so_that_the_round_goes_on(
    home: House, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async def start(*_: Any) -> None:
        raise error

    monkeypatch.setattr(home.services.moves, "start", start)
    match = await home.lobby()
    await rounds._begin(home.services, match, MESSAGE)
    assert not match.is_open


def test_an_offer_names_at_most_so_many_players() -> None:
    assert [f"<@{n + 1}>" for n in range(rounds.MAX_NAMED)] == rounds._mentions(range(1, 99)).split(", ")


LAST_ORDERS = (72, 73), (HOST, GUEST)
"""The final standings of the two groups of an earlier league."""


@pytest.mark.parametrize(
    ("size", "last", "first_group"),
    [(0, LAST_ORDERS, {HOST, GUEST, 72, 73}), (2, LAST_ORDERS, {72, HOST}), (2, None, None)],
)
async def test_the_groups_of_a_league_are_stored_before_its_first_round_is_planned(
    home: House, monkeypatch: pytest.MonkeyPatch, size: int, last: object, first_group: set[int] | None
) -> None:
    season = await stored_season(home, division_size=size)

    async def before(_: object) -> object:
        return last and season.league

    monkeypatch.setattr(home.store.leagues, "before", before)
    monkeypatch.setattr(rounds, "final_orders", lambda _: last)
    for user_id in (72, 73):
        await home.store.leagues.sign_up(season.league.id, LeaguePlayer(user_id, 9, "Caro", 7))
    planned = list[Season]()

    async def plan(_: Any, season: Season, job: Job) -> Job:
        planned.append(season)
        return job

    monkeypatch.setattr(rounds, "_plan", plan)
    season = await season_of(home.store, season.league)
    assert await rounds._close_sign_up(home.services, season, JOB) is JOB
    divisions = {player.user_id: player.division for player in planned[0].active}
    assert ([0, 0, 1, 1] if size else [0] * 4) == sorted(divisions.values())
    assert first_group in (None, {user_id for user_id, division in divisions.items() if not division})


@pytest.mark.parametrize("host_id", [HOST, 0])
async def test_a_league_whose_channel_was_deleted_is_called_off_and_its_host_is_told(home: House, host_id: int) -> None:
    created, other = await league(home, host_id=host_id), await league(home, channel_id=99, game="toll")
    await rounds.end_leagues_in(home.services, CHANNEL)
    stored = [await home.store.leagues.find(league.id) for league in (created, other)]
    assert [LeagueStatus.CALLED_OFF, LeagueStatus.SIGN_UP] == [league.status for league in stored if league]
    job = JOB.at(NOON, channel_gone=True)
    job = dataclasses.replace(job, seat=created.id, user_id=HOST, guild_id=GUILD)
    assert (job if host_id else None) == await home.store.jobs.find(*job.key)
    home.network.bodies.clear()
    assert await rounds.run(home.services, job) is None
    text = "The channel of your **Sealed Bids** league was deleted, so it was called off."
    direct = [[f"POST /users/@me/channels to {HOST}"], ["POST /direct/messages", text]] if host_id else []
    assert direct == sent(home)
    home.network.fault = lambda: refusal(400, 99999)
    with pytest.raises(discord.HTTPException) if host_id else nullcontext():
        await rounds.run(home.services, job)
    assert await rounds.run(home.services, dataclasses.replace(job, attempts=MAX_ATTEMPTS)) is None


async def test_computers_take_over_the_seats_of_those_who_left_and_waiting_players_may_have_them(home: House) -> None:
    season = await stored_season(home, begun=True)
    matches = [await home.posted(CHANNEL + n) for n in (1, 2, 3)]
    for table, match in zip(season.tables, matches, strict=False):
        await home.store.leagues.note_table(season.league.id, table, match_id=match.id)
    await home.services.seats.end(matches[1], at=NOON)
    for user_id in (72, 73):
        await home.store.leagues.sign_up(season.league.id, LeaguePlayer(user_id, 9, "Caro"))
    await home.store.leagues.sign_up(season.league.id, LeaguePlayer(74, 9, "Dan", 1))  # of the other group
    await home.store.leagues.drop(season.league.id, [GUEST, 72])
    home.network.bodies.clear()
    await rounds._replace_dropped(home.services, await season_of(home.store, season.league))
    farewell = "🟦 <@71> has left the league; a computer takes over the seat."
    assert [(HOST,), (HOST, GUEST), (HOST, GUEST)] == [match.people for match in matches]
    notice, (head, *board), offer = sent(home)
    back = "-# `/table seats` offers it to somebody else."
    assert ["POST /channels/3/messages", farewell, back] == notice
    assert ("POST /channels/3/messages", "[Your move turn]") == (head, board[1])
    waits = ["-# For players of this league who don’t have a table this round."]
    waits += ["<@73>: if you’re waiting for a table, you can play here.", "[Take this seat take 1]"]
    title = ["**Who takes over in Sealed Bids?**", "🟦 Tumbleweed is a computer."]
    assert ["POST /channels/3/messages @73", *title, *waits] == offer


async def test_a_match_of_a_league_begins_once_and_posts_its_first_board(home: House) -> None:
    season, match = await stored_season(home, begun=True), await home.lobby(MESSAGE, ready=[HOST, GUEST])
    table = dataclasses.replace(season.tables[0], thread_id=MESSAGE, match_id=match.id)
    home.network.bodies.clear()
    for posts in ([f"POST /channels/{MESSAGE}/messages @{HOST} @{GUEST}"], []):
        await rounds._set_up(home.services, season, table)
        assert (Status.RUNNING, posts) == (match.row.status, [head for head, *_ in sent(home)])


@pytest.mark.parametrize(
    ("game", "barred", "why"),
    [("sealed", [], None), ("sealed", [GUEST], rounds.FEW_LEFT_TEXT), ("gone", [], rounds.NO_GAME_TEXT)],
)
async def test_a_round_is_planned_for_at_least_two_players_of_a_game_that_exists(
    home: House, monkeypatch: pytest.MonkeyPatch, game: str, barred: list[int], why: Text | None
) -> None:
    async def drop(_: Any, season: Season) -> Season:
        return season

    reasons = list[Text]()

    async def finish(_: Any, __: Season, reason: Text) -> None:
        reasons.append(reason)

    monkeypatch.setattr(rounds, "_drop_absent", drop)
    monkeypatch.setattr(rounds, "_finish", finish)
    season = await stored_season(home, game=game)
    for user_id in barred:
        await home.store.bars.put(GUILD, user_id, "Ben", "", NOON, None)
    job = await rounds._plan(home.services, season, JOB.at(NOON, told=True))
    stored = await home.store.leagues.find(season.league.id)
    assert stored is not None
    if why:
        assert (None, [why], 0) == (job, reasons, stored.round)
        return
    assert (JOB.at(NOON, told=None, looked=NOON.isoformat()), []) == (job, reasons)
    assert (LeagueStatus.PLAYING, 1, NOON) == (stored.status, stored.round, stored.begun_at)
    tables = [
        (table.round, table.number, table.division, {*table.planned})
        for table in (await season_of(home.store, stored)).tables
    ]
    assert [(1, 1, 0, {HOST, None}), (1, 2, 1, {GUEST, None})] == tables


async def test_the_standings_after_a_round_have_a_picture_for_each_group_and_a_nonce(home: House) -> None:
    season = await stored_season(home, begun=True)
    await rounds._post_standings(home.services, season, "1")
    (body,) = [body for address, body in home.network.bodies if address == f"POST /channels/{CHANNEL}/messages"]
    assert ["league-1.png", "league-2.png"] == [file["filename"] for file in body["attachments"]]
    assert (f"league-{season.league.id}-1", True) == (body["nonce"], body["enforce_nonce"])


@pytest.mark.parametrize("is_closed", [False, True])
async def test_an_obstacle_of_a_league_is_reported_once_in_its_channel_or_to_its_host(
    home: House, monkeypatch: pytest.MonkeyPatch, is_closed: bool
) -> None:
    async def stop(*_: Any) -> None:
        raise refusal(403, 50013)

    send = home.services.channels.send

    async def send_elsewhere(channel_id: int, *content: Any, **options: Any) -> int:
        if channel_id == CHANNEL:
            raise refusal(403, 50013)
        return await send(channel_id, *content, **options)

    season = await stored_season(home, begun=True)
    job = Job(JobKind.LEAGUE, NOON, seat=season.league.id, guild_id=GUILD)
    await home.store.jobs.put(job)
    monkeypatch.setattr(rounds, "_next_step", stop)
    if is_closed:
        monkeypatch.setattr(home.services.channels, "send", send_elsewhere)
    home.network.bodies.clear()
    text = str(Text(rounds.BLOCKED_TEXT, title="Sealed Bids"))
    direct = [[f"POST /users/@me/channels to {HOST}"], ["POST /direct/messages", text]]
    for messages in (direct if is_closed else [["POST /channels/2/messages", text]], []):
        with pytest.raises(discord.Forbidden):
            await rounds.run(home.services, job)
        nonces = [body["nonce"] for _, body in home.network.bodies if "nonce" in body]
        assert [f"league-{season.league.id}-stuck"] * bool(messages) == nonces
        assert messages == sent(home)
        stored = await home.store.jobs.find(*job.key)
        assert stored is not None
        assert stored.state["told"]
        job = stored


async def test_a_league_says_who_called_it_off_or_that_too_few_signed_up(home: House) -> None:
    begun, small = await stored_season(home, begun=True), await stored_season(home, game="toll", channel_id=9)
    for season, address, text in (
        (begun, "POST /channels/2/messages", f"<@{HOST}> called off the **Sealed Bids** league."),
        (small, "POST /channels/9/messages", f"<@{HOST}> called off the **Toll** league."),
    ):
        home.network.bodies.clear()
        await rounds._announce_end(home.services, season.league, HOST)
        (head, *lines) = sent(home)[-1]
        button = [f"[Standings {lines[-1].partition(' ')[2]}"] if season is begun else []
        assert (address, [text, *button]) == (head, lines)
    await home.store.leagues.delete_player(small.league.id, GUEST)
    assert await rounds._close_sign_up(home.services, await season_of(home.store, small.league), JOB) is None
    few = "Fewer than two people signed up for the **Toll** league, so there’s no league this time."
    assert [["POST /channels/9/messages", few]] == sent(home)
    stored = await home.store.leagues.find(small.league.id)
    assert stored is not None
    assert LeagueStatus.CALLED_OFF is stored.status
