"""Rights to set up a league, its number of seats, and the answers of its sign-up and of its pages."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.leagues import rounds
from bot.features.leagues.layouts import begin_now, calendar, join, leave, show_results
from bot.features.leagues.new_league import _questions, new
from bot.features.leagues.season import season_of
from bot.features.leagues.showing import share
from bot.features.leagues.sign_up import _season_now, end_here, leave_here
from bot.interactions.refusals import Verdict
from bot.posting.board_layouts import standings
from bot.posting.pictures import Drawn
from bot.store.jobs import NOBODY, JobKind
from bot.store.leagues import MAX_TIMES_HELD, League, LeaguePlayer, LeagueStatus, LeagueTable
from bot.store.matches import SeatHolder
from bot.tables.guild_settings import GuildSettings
from bot.tables.preferences import Preferences, keep_preferences
from engine.games import discover
from tests.bot.desk import Desk
from tests.bot.refusing import CHANNEL, DAY, GUEST, GUILD, HOST, NOON, House
from tests.bot.whole import whole


async def league(home: House, *, begun: bool = False, **values: Any) -> League:
    """A league of two groups: the host alone in the first one, the guest in the second."""
    about = {"guild_id": GUILD, "channel_id": CHANNEL, "host_id": HOST, "game": "sealed", "rules_version": 1}
    rules = {"options": {}, "seats": 2, "rounds": 3, "swiss": False, "gap": 0, "division_size": 0}
    more = {"pace": "daily-firm", "computer": "fair", "closes_at": NOON + DAY}
    leagues = home.store.leagues
    created = await leagues.create(NOON, **{**about, **rules, **more, **values})
    for n, user_id in enumerate((HOST, GUEST)):
        await leagues.sign_up(created.id, LeaguePlayer(user_id, 5 + n, "Ana", n))
    if begun:
        tables = [LeagueTable(1, 1, 0, "x", (HOST, None)), LeagueTable(1, 2, 1, "x", (GUEST, None))]
        await leagues.plan(created.id, tables, NOON, round=1, status=LeagueStatus.PLAYING)
    return (await leagues.find(created.id)) or created


async def set_up(desk: Desk, title: str = "muscat", **typed: Any) -> tuple[list[str], list[int]]:
    """Set up a league as a moderator. Returns the answer, and the seats of the leagues of the server."""
    desk.home.let_make_events()
    desk.home.add_channel(CHANNEL)
    (answer,) = await desk.command(HOST, new, title=title, moderates=True, **typed)
    return answer, [league.seats for league in await desk.home.store.leagues.of_server(GUILD)]


async def test_a_barred_moderator_cannot_set_up_a_league(desk: Desk) -> None:
    await desk.home.store.bars.put(GUILD, HOST, "Ana", "", NOON, None)
    answer, leagues = await set_up(desk, rounds=2)
    assert ([], True) == (leagues, "The moderators have barred you" in answer[1])


@pytest.mark.parametrize("moderates", [True, False])
async def test_who_may_no_longer_set_up_a_league_cannot_do_it_by_the_form_either(desk: Desk, moderates: bool) -> None:
    desk.home.let_make_events()
    desk.home.add_channel(CHANNEL)
    rows = ("3", "72", "0", "daily-firm", "everyone")
    (answer,) = await desk.tap(HOST, "leaguerules:0:0:muscat", *rows, moderates=moderates)
    assert moderates == bool(await desk.home.store.leagues.of_server(GUILD)), answer


@pytest.mark.parametrize("need", ["send_messages", "create_public_threads"])
async def test_a_league_needs_a_channel_with_games_and_their_threads(desk: Desk, need: str) -> None:
    lacking = discord.Permissions.all()
    setattr(lacking, need, False)
    answer, leagues = await set_up(desk, app_permissions=lacking)
    assert ([], True) == (leagues, "What is missing:" in answer[1]), answer


async def test_a_league_has_only_seats_that_its_game_allows(desk: Desk) -> None:
    answer, leagues = await set_up(desk, seats=6)
    assert ([], True) == (leagues, "Muscat is for 3 to 5 players, not for 6." in answer[1]), answer


async def test_a_league_has_by_default_the_number_of_seats_next_to_four_that_the_first_preset_allows(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = discover()["muscat"]
    preset = dataclasses.replace(spec.presets[0], options={"start_player": 4})
    monkeypatch.setitem(discover(), "muscat", dataclasses.replace(spec, presets=(preset,)))
    answer, leagues = await set_up(desk, rounds=2)
    assert [5] == leagues, answer


async def test_who_was_late_too_often_cannot_join_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    created = await league(desk.home)

    async def times_held(league_id: int, users: Any) -> dict[int, int]:
        return {72: MAX_TIMES_HELD} if (league_id, users) == (created.id, [72]) else {}

    monkeypatch.setattr(desk.home.store.leagues, "times_held", times_held)
    often = f"Computers had to take over your seat {MAX_TIMES_HELD} times in this league, so you can’t rejoin it."
    assert [["new private", often]] == await desk.tap(72, str(join.id(created.id)))
    await desk.tap(75, str(join.id(created.id)))
    assert {HOST, GUEST, 75} == {player.user_id for player in await desk.home.store.leagues.players(created.id)}


async def test_leaving_a_league_that_is_over_says_that_one_is_in_none(desk: Desk) -> None:
    over = await league(desk.home, begun=True)
    await desk.home.store.leagues.change(over.id, status=LeagueStatus.OVER)
    (answer,) = await desk.command(HOST, leave_here)
    assert "You’re not in this league." in answer[1]
    (answer,) = await desk.command(HOST, leave_here, is_guild_integration=lambda: False)
    assert answer[1].startswith("I’m not in this server: ")


async def test_joining_below_another_message_than_the_sign_up_leaves_that_message_as_it_is(desk: Desk) -> None:
    created = await league(desk.home)
    await desk.home.store.leagues.change(created.id, message_id=12)
    control = str(join.id(created.id))
    await desk.home.store.leagues.change(created.id, message_id=None)
    ((how, *_),) = await desk.tap(HOST, control, message=message(12))
    assert "edit" == how, "its message is not noted yet"
    await desk.home.store.leagues.change(created.id, message_id=12)
    assert 12 == (await _season_now(desk.home.services, created)).league.message_id, "it is read again"
    (answer,) = await desk.tap(72, control, message=message(12))
    assert "edit" == answer[0]
    (answer,) = await desk.tap(75, control, message=message(13))
    assert ["new private", "You’re in."] == answer
    assert {HOST, GUEST, 72, 75} == {player.user_id for player in await desk.home.store.leagues.players(created.id)}


def message(message_id: int) -> Any:
    """A public message of the bot."""
    return SimpleNamespace(id=message_id, flags=SimpleNamespace(ephemeral=False))


async def test_the_results_of_a_round_as_text_are_those_of_the_group_of_the_reader(desk: Desk) -> None:
    created = await league(desk.home, begun=True)
    headings = [(await desk.tap(user_id, str(show_results.id(created.id, "1"))))[0][1] for user_id in (HOST, GUEST, 75)]
    assert ["Group A", "Group B", "Group A"] == [heading.rpartition(", ")[2].partition(" –")[0] for heading in headings]


async def test_standings_are_shown_to_everyone_in_the_language_of_the_server_once_at_a_time_where_the_bot_may_post(
    desk: Desk,
) -> None:
    home, control = desk.home, str(share.id((await league(desk.home, begun=True)).id, "1"))
    home.let_make_events()
    home.add_channel(CHANNEL)
    await home.services.servers.keep(GUILD, GuildSettings(language="de"))
    forbidden = await desk.tap(HOST, control, app_permissions=discord.Permissions(view_channel=True))
    with home.services.limits.shares.one(HOST):
        busy = await desk.tap(HOST, control)
    assert ["new private"] * 2 == [answer[0][0] for answer in (forbidden, busy)]
    assert [] == picture_texts(home)
    *_, done = await desk.tap(HOST, control)
    assert "Everyone in this channel can see it now." == done[1]
    (alt,) = picture_texts(home)
    assert alt.startswith("Sealed Bids, Gruppe B – Runde 1 von 3 läuft\n"), alt
    points = "-# Ein Sieg bringt 1 Punkt, ein Gleichstand einen halben. Computer zählen nicht."
    lines = [whole(body["components"]) for address, body in home.network.bodies if address.startswith("POST")]
    assert [[points, f"-# Gezeigt von <@{HOST}>."]] == lines
    assert [1] == [len(body["attachments"]) for address, body in home.network.bodies if address.startswith("POST")]


async def test_the_names_of_a_group_are_requested_for_its_reader_also_those_of_players_who_dropped_out(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, created = desk.home, await league(desk.home, begun=True)
    await home.store.leagues.drop(created.id, [GUEST])
    requested = list[tuple[list[int], int]]()

    async def names(guild: Any, user_ids: list[int], *, asked_by: int) -> dict[int, str]:
        requested.append(([*user_ids], asked_by))
        return dict.fromkeys(user_ids, "Benjamin")

    monkeypatch.setattr(home.services.members, "names", names)
    home.let_make_events()
    home.add_channel(CHANNEL)
    ((_, _, words, *_),) = await desk.tap(GUEST, str(show_results.id(created.id, "1")))
    assert "1\\. **Benjamin** – 0 points, 0 games" == words
    for control in (standings.id(created.id), share.id(created.id, "1")):
        await desk.tap(GUEST, str(control))
    assert [([GUEST], GUEST)] * 3 == requested


async def test_standings_have_the_contrast_of_their_reader_or_of_their_channel(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, created = desk.home, await league(desk.home, begun=True)
    draw, contrasts = home.services.pictures.draw_card, list[bool]()

    async def draw_card(*card: Any, contrast: bool) -> Any:
        contrasts.append(contrast)
        return await draw(*card, contrast=contrast)

    monkeypatch.setattr(home.services.pictures, "draw_card", draw_card)
    home.let_make_events()
    home.add_channel(CHANNEL)
    await home.services.servers.keep(GUILD, GuildSettings(contrast=(CHANNEL,)))
    await keep_preferences(home.store.settings, GUEST, Preferences(contrast=True))
    for user_id in (HOST, GUEST):
        await desk.tap(user_id, str(standings.id(created.id)))
    assert [False, True] == contrasts
    contrasts.clear()
    await desk.tap(HOST, str(share.id(created.id, "1")))
    await rounds._post_standings(home.services, await season_of(home.store, created), "1")
    assert [True] * 3 == contrasts, "one that is shown, and both groups after a round"


@pytest.mark.parametrize("kind", ["join", "leave", "begin", "end", "calendar", "table", "result"])
async def test_a_league_is_not_known_in_another_server(desk: Desk, kind: str) -> None:
    created = await league(desk.home)
    (answer,) = await desk.tap(HOST, f"league{kind}:0:{created.id}:", guild_id=GUILD + 1)
    assert "I can’t find that league here anymore." in answer[-1]


def picture_texts(home: House) -> list[str]:
    """The descriptions of the pictures in the channel."""
    bodies = [body for address, body in home.network.bodies if address == f"POST /channels/{CHANNEL}/messages"]
    return [body["components"][0]["components"][0]["items"][0]["description"] for body in bodies]


@pytest.mark.parametrize(
    ("begun", "control"),
    [
        (False, lambda league: str(begin_now.id(league.id))),
        (True, lambda league: f"leaguegone:0:{league.id}:"),
        (False, lambda league: "forgetme:0:0:"),
    ],
)
async def test_a_league_whose_job_pauses_goes_on_once_a_user_begins_or_leaves_it(
    desk: Desk, begun: bool, control: Callable[[League], str]
) -> None:
    home, created = desk.home, await league(desk.home, begun=begun)
    job, tireless = await home.store.leagues.make_due(created, NOON), home.services.worker
    tireless._pauses.begin(job.key, job.key, GUILD, Verdict.PERMISSIONS, attempts=9, now=NOON)
    assert tireless._pauses.next_end(NOON) == NOON + timedelta(hours=1)
    await desk.tap(HOST, control(created))
    assert tireless._pauses.next_end(NOON) == NOON + timedelta(seconds=0.5)


async def test_a_repeated_offer_to_players_without_a_table_is_one_message(home: House) -> None:
    table = await home.posted(CHANNEL, SeatHolder(HOST, name="Ana"), SeatHolder(computer="uniform"))
    home.network.bodies.clear()
    for _ in range(2):
        await rounds._offer(home.services, table, [GUEST])
    offers = [body for _, body in home.network.bodies if "waiting for a table" in str(body)]
    assert [(f"league-offer-{table.id}", True)] * 2 == [(body["nonce"], body["enforce_nonce"]) for body in offers]
    home.network.bodies.clear()
    await rounds._offer(home.services, table, [])
    await home.services.seats.end(table, at=NOON)
    await rounds._offer(home.services, table, [GUEST])
    assert [] == home.network.bodies, "nobody waits, or nothing is left to join"


async def test_standings_offer_all_groups_and_are_those_of_the_chosen_one(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def draw_card(*_: Any, **__: Any) -> Drawn:
        return Drawn(b"", "a.png", "standings")

    # drawing takes long on a busy machine, and an answer that takes long is deferred
    monkeypatch.setattr(desk.home.services.pictures, "draw_card", draw_card)
    control = str(standings.id((await league(desk.home, begun=True)).id))
    points = "-# A win is worth 1 point, a tie half a point. Computers don’t count."
    for how, group, answer in (
        ("new private", 1, await desk.tap(GUEST, control)),
        ("edit", 0, await desk.tap(GUEST, "leaguegroup:0:1:", "0")),
    ):
        rows = [f"  {'*' if n == group else ''}{n} Group {letter}" for n, letter in enumerate("AB")]
        ways = [f"[Show to everyone leagueshare 1 {group}]", f"[As text leaguewords 1 {group}]"]
        assert [[how, points, ": leaguegroup 1", *rows, *ways]] == answer


LEAVING = "Leave the Sealed Bids league? You won’t be paired anymore. You keep the points you have."


@pytest.mark.parametrize("begun", [False, True])
async def test_leaving_takes_a_question_once_the_league_has_begun_and_keeps_the_results(
    desk: Desk, begun: bool
) -> None:
    created, store = await league(desk.home, begun=begun), desk.home.store
    await store.leagues.change(created.id, message_id=12)

    async def players() -> list[tuple[int, bool]]:
        return [(player.user_id, player.dropped) for player in await store.leagues.players(created.id)]

    answer = await desk.tap(GUEST, str(leave.id(created.id)), message=message(13))
    if not begun:
        assert ([["new private", "You’re out of the league."]], [(HOST, False)]) == (answer, await players())
        return
    question = ["new private", LEAVING, f"[Leave the league leaguegone {created.id}]"]
    assert ([question], [(HOST, False), (GUEST, False)]) == (answer, await players())
    answer = await desk.tap(GUEST, f"leaguegone:0:{created.id}:")
    assert [["edit", "You’ve left the league. Thanks for playing."]] == answer
    assert [(HOST, False), (GUEST, True)] == await players()
    assert ["PATCH /channels/2/messages/12"] == [address for address, _ in desk.home.network.bodies], "its sign-up"


@pytest.mark.parametrize("rated", [False, True])
async def test_the_question_before_leaving_says_what_the_table_of_the_current_round_costs(
    desk: Desk, rated: bool
) -> None:
    created = await league(desk.home, begun=True)
    people = (SeatHolder(GUEST, name="Ben"), SeatHolder(HOST, name="Ana"))
    table = await desk.home.posted(CHANNEL, *people, host_id=NOBODY, rated=rated)
    (_, mine) = (await season_of(desk.home.store, created)).current
    await desk.home.store.leagues.note_table(created.id, mine, match_id=table.id)
    ((_, question, cost, _),) = await desk.tap(GUEST, str(leave.id(created.id)), message=message(13))
    takes_over = "A computer takes over your seat in the current round. You won’t be paired anymore."
    assert f"Leave the Sealed Bids league? {takes_over} You keep the points you have." == question
    last = "This game is rated: you’d finish last. " * rated
    assert f"⚠️ {last}You’d get no points for this game in the league." == cost
    await desk.home.services.seats.resign(table, GUEST)
    ((_, question, *_),) = await desk.tap(GUEST, str(leave.id(created.id)), message=message(13))
    assert LEAVING == question, "the seat is a computer's already"


async def test_the_form_sets_up_a_league_by_all_of_its_rows(desk: Desk) -> None:
    desk.home.let_make_events()
    desk.home.add_channel(CHANNEL)
    rows = [[value for value, *_ in question.answers][-1] for question in _questions()]
    ((how, *_),) = await desk.tap(HOST, "leaguerules:0:0:muscat", *rows, moderates=True)
    (created,) = await desk.home.store.leagues.of_server(GUILD)
    assert ("new", int(rows[0]), int(rows[2]), rows[3]) == (how, created.rounds, created.gap, created.pace)
    assert (NOON + timedelta(hours=int(rows[1])), True) == (created.closes_at, created.swiss)
    assert (HOST, CHANNEL, "muscat", "fair", 88) == (
        created.host_id,
        created.channel_id,
        created.game,
        created.computer,
        created.message_id,
    )
    stale = "One of these answers no longer exists. Please set the league up again."
    for typed in (rows[:-1], ["2", *rows[1:]]):
        assert [["new private", stale]] == await desk.tap(HOST, "leaguerules:0:0:toll", *typed, moderates=True)


async def test_nobody_joins_once_the_last_round_has_begun(desk: Desk) -> None:
    created = await league(desk.home, begun=True, rounds=1)
    last = "The last round of this league has begun, so nobody can join anymore."
    assert [["new private", last]] == await desk.tap(72, str(join.id(created.id)), message=message(12))
    assert [HOST, GUEST] == [player.user_id for player in await desk.home.store.leagues.players(created.id)]


async def test_a_league_is_called_off_by_its_host_after_a_question(desk: Desk) -> None:
    created = await league(desk.home, begun=True)
    only = f"Only <@{HOST}>, who set up this league, or a moderator can do that."
    assert [["new private", only]] == await desk.command(GUEST, end_here)
    question = "Call off the Sealed Bids league? Games in progress can still be finished, but there will be no winner."
    confirmation = ["new private", question, f"[Call it off leagueend {created.id}]"]
    assert [confirmation] == await desk.command(HOST, end_here)
    control = f"leagueend:0:{created.id}:"
    assert [["edit", "The league is called off."]] == await desk.tap(HOST, control)
    stored = await desk.home.store.leagues.find(created.id)
    assert stored is not None
    assert LeagueStatus.CALLED_OFF is stored.status
    job = await desk.home.store.jobs.find(JobKind.LEAGUE, 0, HOST, created.id)
    assert job is not None
    assert (HOST, NOON, {}) == (job.user_id, job.due_at, job.state)
    assert [["new private", "This league was called off."]] == await desk.tap(HOST, control)


async def test_a_command_is_about_the_league_of_the_typed_game_or_the_newest_open_one(desk: Desk) -> None:
    first = await league(desk.home)
    newest = await league(desk.home, game="toll", channel_id=9)
    refused = f"Only <@{HOST}>, who set up this league, or a moderator can do that."
    assert [["new private", refused]] == await desk.command(99, end_here)
    for typed, title in (({"title": "sealed"}, "Sealed Bids"), ({}, "Toll"), ({"moderates": True}, "Toll")):
        ((_, question, *_),) = await desk.command(99 if "moderates" in typed else HOST, end_here, **typed)
        assert question.startswith(f"Call off the {title} league?")
    await desk.home.store.leagues.change(newest.id, status=LeagueStatus.OVER)
    ((_, question, *_),) = await desk.command(HOST, end_here)
    assert question.startswith("Call off the Sealed Bids league?"), "an open one comes first"
    assert [["new private", "This league is over."]] == await desk.command(HOST, end_here, title="toll")
    none = "There’s no league in this server at the moment. A moderator can set one up with `/league new`."
    assert [["new private", none]] == await desk.command(HOST, end_here, title="muscat")
    await desk.home.store.leagues.change(first.id, message_id=12)
    ((how, *_),) = await desk.tap(GUEST, str(calendar.id(first.id)), message=message(12))
    (file,) = desk.files
    event = file.fp.read().decode().splitlines()
    assert ("new private", True) == (how, "SUMMARY:Sealed Bids League\\, round 1" in event), event
    assert f"UID:{first.id}.1@leagues.caravanserai" in event
    assert f"DTSTART:{NOON + DAY:%Y%m%dT%H%M%SZ}" in event
    assert f"/{GUILD}/{CHANNEL}/12" in "".join(event).replace(" ", ""), "a link to the sign-up"
    over = [["new private", "Sign-up for this league is over."]]
    assert over == await desk.tap(GUEST, str(calendar.id(newest.id)), message=message(12))
