"""A new league: its rules as typed or from the form, its sign-up, and the reasons to refuse it, at a desk."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from typing import Any

import discord
import pytest

from bot.features.leagues.layouts import begin_now
from bot.features.leagues.new_league import EVERYONE, new
from bot.features.leagues.showing import show_here
from bot.features.leagues.sign_up import leave_here
from bot.interactions.parts import stamp
from bot.store.leagues import League, LeagueStatus
from tests.bot.desk import Desk
from tests.bot.leagues.test_league_answers import league, message
from tests.bot.outcomes import choose
from tests.bot.refusing import CHANNEL, GUEST, GUILD, HOST, NOON, House

CARO = 72
FORM = "leaguerules:0:0:sealed"
USUAL = ("5", "72", "0", "daily-firm", EVERYONE)
"""The answers of the form as it opens."""


@pytest.fixture
def home(home: House) -> House:
    home.let_make_events()
    home.add_channel(CHANNEL)
    return home


async def create(desk: Desk, title: str = "sealed", **typed: Any) -> list[str]:
    """Set up a league with a command, as a moderator unless told otherwise. Returns the answer."""
    (answer,) = await desk.command(HOST, new, title=title, **{"moderates": True, **typed})
    return answer


async def leagues(desk: Desk) -> list[League]:
    """All leagues of the server, the newest first."""
    return await desk.home.store.leagues.of_server(GUILD)


def rules_of(league: League) -> tuple[Any, ...]:
    rules = league.rounds, league.seats, league.swiss, league.division_size, league.gap
    return *rules, league.pace, league.computer


@pytest.mark.parametrize(
    ("typed", "rules"),
    [
        ({"rounds": 3}, (3, 4, False, 0, 0, "daily-firm", "fair")),
        (
            {"rounds": 2, "seats": 3, "swiss": True, "size": 5, "pace": "brisk", "computer": "strong", "next_round": 7},
            (2, 3, True, 5, 7, "brisk", "strong"),
        ),
    ],
)
async def test_typed_rules_apply_and_the_rest_use_defaults(
    desk: Desk, typed: dict[str, Any], rules: tuple[Any, ...]
) -> None:
    answer = await create(desk, **typed)
    assert [rules] == [rules_of(created) for created in await leagues(desk)], answer


@pytest.mark.parametrize(("typed", "hours"), [({"seats": 2}, 72), ({"sign_up_for": 1}, 1), ({"sign_up_for": 168}, 168)])
async def test_sign_up_lasts_as_long_as_chosen(desk: Desk, typed: dict[str, int], hours: int) -> None:
    answer = await create(desk, **typed)
    (created,) = await leagues(desk)
    end = NOON + timedelta(hours=hours)
    assert (end, True) == (created.closes_at, f"Sign-up ends {stamp(end, 'R')}" in "\n".join(answer)), answer


async def test_a_league_without_typed_rules_opens_a_form_whose_answers_are_its_rules(desk: Desk) -> None:
    assert ["form", "Sealed Bids League", f"cf:{FORM}"] == (await create(desk))[:3]
    ((_, *lines),) = await desk.tap(HOST, FORM, "7", "24", "7", "brisk", "similar", moderates=True)
    for rule in ("7 rounds", "a week after", "Brisk", "similar scores"):
        assert rule in "\n".join(lines)
    (created,) = await leagues(desk)
    assert (7, 4, True, 0, 7, "brisk", "fair") == rules_of(created)
    assert NOON + timedelta(hours=24) == created.closes_at


async def test_the_form_defaults_to_the_usual_league_rules(desk: Desk) -> None:
    await desk.tap(HOST, FORM, *USUAL, moderates=True)
    await create(desk, "toll", rounds=5)
    first, second = (dataclasses.replace(created, seats=4) for created in await leagues(desk))
    assert rules_of(first) == rules_of(second)


async def test_a_form_with_invalid_answers_creates_no_league(desk: Desk) -> None:
    stale = "One of these answers no longer exists. Please set the league up again."
    for answers in ((), USUAL[:1], USUAL[:-1], ("999", *USUAL[1:]), (*USUAL[:3], "never", EVERYONE)):
        assert [["new private", stale]] == await desk.tap(HOST, FORM, *answers, moderates=True), answers
    assert [] == await leagues(desk)


async def test_a_second_league_of_a_game_is_refused_also_by_a_form_that_was_open(desk: Desk) -> None:
    await create(desk, seats=2)
    for refused in (await create(desk), *await desk.tap(HOST, FORM, *USUAL, moderates=True)):
        assert ["new private", "This server already has a Sealed Bids league. See `/league standings`."] == refused
    assert 1 == len(await leagues(desk))


async def test_a_league_cannot_be_created_without_the_permission_to_open_threads(desk: Desk) -> None:
    lacking = discord.Permissions.all()
    lacking.create_public_threads = False
    ((how, *lines),) = await desk.tap(HOST, FORM, *USUAL, moderates=True, app_permissions=lacking)
    assert ("new private", []) == (how, await leagues(desk)), lines


async def test_a_league_uses_the_default_options_of_its_game(desk: Desk) -> None:
    await choose(desk.home, options={"sealed": {"rounds": 1}})
    await create(desk, seats=2)
    assert [{"rounds": 1}] == [created.options for created in await leagues(desk)]


@pytest.mark.parametrize("players", [[], [HOST]])
async def test_a_league_with_fewer_than_two_players_does_not_begin(desk: Desk, players: list[int]) -> None:
    created, store = await league(desk.home), desk.home.store.leagues
    for user_id in {HOST, GUEST} - {*players}:
        await store.delete_player(created.id, user_id)
    refusal = ["new private", "At least two people have to sign up first."]
    assert [refusal] == await desk.tap(HOST, str(begin_now.id(created.id)), message=message(12))
    assert created == await store.find(created.id)


async def test_league_leave_defaults_to_the_newest_league_with_the_player_in_it(desk: Desk) -> None:
    first, store = await league(desk.home), desk.home.store.leagues
    newest = await league(desk.home, game="toll", begun=True)
    await store.drop(newest.id, [GUEST])
    assert [["new private", "You’re out of the league."]] == await desk.command(GUEST, leave_here)
    assert [HOST] == [player.user_id for player in await store.players(first.id)]
    ((_, refusal),) = await desk.command(GUEST, leave_here)
    assert "You’re not in this league" in refusal


async def test_before_its_first_round_a_league_has_no_standings(desk: Desk) -> None:
    created = await league(desk.home)
    assert LeagueStatus.SIGN_UP is created.status
    assert [["new private", "No games yet: they begin when sign-up ends."]] == await desk.command(HOST, show_here)


async def test_forged_league_ids_are_refused(desk: Desk) -> None:
    created = await league(desk.home)
    for kind, text in (("end", ""), ("share", "7"), ("words", "x"), ("join", "")):
        for number in (4711, 10**9, created.id):
            answer = await desk.tap(CARO, f"league{kind}:0:{number}:{text}")
            assert "wrong on my end" not in str(answer)
    assert LeagueStatus.SIGN_UP is (await desk.home.store.leagues.find(created.id) or created).status


async def test_a_league_needs_a_server(desk: Desk) -> None:
    answer = ["new private", "Leagues are for servers: use this in a server channel."]
    assert [answer] == await desk.command(HOST, new, title="muscat", guild_id=None, guild=None)
