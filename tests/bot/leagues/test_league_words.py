"""The words of the end of a league."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.errors import UserError
from bot.features.leagues.layouts import (
    MAX_NAMED,
    OF_TEAMS_TEXT,
    OF_TWO_TEXT,
    points_explained,
    results_control,
    sign_up_layout,
    table_layout,
    thread_name,
)
from bot.features.leagues.new_league import EVERYONE, _questions, _rules_form, _seats
from bot.features.leagues.season import Season
from bot.features.leagues.showing import (
    BYES_EXPLAINED,
    TIES_EXPLAINED,
    _card,
    _division,
    _group,
    _how_points_count,
    _result,
    _ties,
    _words,
    ended_text,
    names_in,
    round_layout,
)
from bot.features.leagues.standings import LeagueStanding, Played
from bot.interactions import phone
from bot.posting.pictures import Drawn
from bot.store.leagues import League, LeaguePlayer, LeagueStatus, LeagueTable
from bot.store.matches import Status
from bot.store.tally import Forfeit
from bot.tables.paces import all_paces, pace_words
from engine.games import discover
from engine.languages import reading
from engine.texts import Text
from locales import language_of

AT = datetime(2026, 11, 22, tzinfo=UTC)
ANA, BEN = 1, 2
NAMES = [{ANA: "Ana", BEN: "Ben"}]


def season(*tables: LeagueTable) -> Season:
    """A league of one round that is over."""
    about = {"host_id": 9, "game": "muscat", "rules_version": 1, "options": {}, "seats": 2, "swiss": False, "rounds": 1}
    more = {"gap": 0, "division_size": 0, "pace": "daily", "computer": "fair", "closes_at": AT, "round": 1}
    league = League(1, 7, 100, **about, **more, status=LeagueStatus.OVER)
    return Season(league, (LeaguePlayer(ANA, 1, "Ana"), LeaguePlayer(BEN, 2, "Ben")), tables, {})


def test_a_league_without_points_has_no_winner() -> None:
    given_up = LeagueTable(1, 1, 0, "x", (ANA, None), None, 1, Status.OVER, (ANA, None), ((0.0, 1), (1.0, 2)))
    lost = dataclasses.replace(given_up, forfeits=(Forfeit(0, ANA, 2),))
    assert "Nobody wins: nobody has any points." in str(ended_text(season(lost), NAMES, None))
    assert "👑" not in str(ended_text(season(lost), NAMES, None))
    assert "👑 **Ana**" in str(ended_text(season(given_up), NAMES, None)), "a bye that was played"


def test_a_player_without_points_is_not_on_the_podium() -> None:
    lost = LeagueTable(1, 1, 0, "x", (ANA, BEN), None, 1, Status.OVER, (ANA, BEN), ((0.0, 1), (1.0, 2)))
    assert [(1, "Ben", "1")] == [*_card(season(lost), 0, NAMES[0]).podium]
    assert () == _card(season(), 0, NAMES[0]).podium
    playing = dataclasses.replace(season(lost).league, status=LeagueStatus.PLAYING)
    assert () == _card(dataclasses.replace(season(lost), league=playing), 0, NAMES[0]).podium, "before the end"


def test_what_decides_between_equal_points_is_named_if_it_has_decided() -> None:
    first = LeagueTable(1, 1, 0, "x", (1, 2), None, 1, Status.OVER, (1, 2), ((1.0, 1), (0.0, 1)))
    second = LeagueTable(1, 2, 0, "x", (2, 3), None, 2, Status.OVER, (2, 3), ((1.0, 1), (0.0, 1)))
    tied = LeagueTable(1, 1, 0, "x", (1, 2), None, 1, Status.OVER, (1, 2), ((0.5, 1), (0.5, 1)))
    players = tuple(LeaguePlayer(n, n, "x") for n in (1, 2, 3))
    decided = dataclasses.replace(season(first, second), players=players)
    assert [(1, 1), (2, 1), (3, 0)] == [(standing.place, standing.points) for standing in decided.standings(0)]
    names = {1: "Ana", 2: "Ben", 3: "Caro"}
    direct = "-# Ana is ahead of Ben: same points, but better head-to-head results."
    assert f"{OF_TWO_TEXT}\n{direct}" == _how_points_count(decided, [0], names)
    for undecided in (season(first), season(tied)):
        assert str(OF_TWO_TEXT) == _how_points_count(undecided, [0], names)


def test_equal_points_are_explained_by_the_strength_of_opponents_and_by_the_rule_if_there_are_many() -> None:
    ana = LeagueStanding(ANA, 1, Fraction(1), 2, Fraction(3, 4), Fraction())
    ben = dataclasses.replace(ana, user_id=BEN, place=2, opposition=Fraction(1, 2))
    both = cast(Season, SimpleNamespace(standings=lambda _: [ana, ben]))
    text = "-# Ana is ahead of Ben: same points, but stronger opponents (0.75 to 0.5 points a game)."
    assert [text] == [str(line) for line in _ties(both, [0], NAMES[0])]
    assert [text] * 3 == [str(line) for line in _ties(both, [0, 1, 2], NAMES[0])]
    assert [TIES_EXPLAINED] == _ties(both, [0, 1, 2, 3], NAMES[0])


def test_a_table_with_only_computers_is_explained_once_it_counts() -> None:
    bye = LeagueTable(1, 1, 0, "x", (1, None), None, 1, Status.OVER, (1, None), ((1.0, 1), (0.0, 1)))
    assert f"{OF_TWO_TEXT}\n{BYES_EXPLAINED}" == _how_points_count(season(bye), [0], NAMES[0])
    planned = dataclasses.replace(bye, status=Status.RUNNING)
    assert str(OF_TWO_TEXT) == _how_points_count(season(planned), [0], NAMES[0]), "nobody has its points yet"


def test_points_are_explained_by_the_places_of_a_table_except_for_teams() -> None:
    def explained(**rules: Any) -> str:
        return str(points_explained(Season(dataclasses.replace(season().league, **rules), (), (), {})))

    assert ": 1 · 0.67 · 0.33 · 0 with 4 people, 1 · 0.5 · 0 with 3. Ties split" in explained(seats=4)
    assert ": 1 · 0.5 · 0 with 3 people, 1 · 0 with 2. Ties" in explained(seats=3)
    assert str(OF_TEAMS_TEXT) == explained(game="muses", seats=4), "two teams of two"
    assert str(OF_TWO_TEXT) == explained(game="muses", seats=2)
    with reading(language_of("de")):
        assert "1 · 0,67 · 0,33 · 0" in explained(seats=4)


def test_text_standings_have_shared_places_and_correct_plurals() -> None:
    ties = [LeagueTable(1, n, 0, "x", SEATS[n], None, n, Status.OVER, SEATS[n], ((0.5, 1), (0.5, 1))) for n in (1, 2)]
    players = tuple(LeaguePlayer(n, n, "x") for n in range(1, 7))
    won = LeagueTable(1, 3, 0, "x", (5, 6), None, 3, Status.OVER, (5, 6), ((1.0, 1), (0.0, 1)))
    league, names = dataclasses.replace(season(*ties, won), players=players), dict.fromkeys(range(1, 7), "x")
    plain = _words(league, 0, names, plain=True).split("\n")[1:]
    lines = ["1. x – 1 point, 1 game", *["2. x – 0.5 points, 1 game"] * 4, "6. x – 0 points, 1 game"]
    assert lines == plain
    # Discord would number a list anew, from 1 to 6
    markdown = _words(league, 0, names, plain=False).split("\n")[1:]
    assert [line.replace(".", "\\.", 1).replace("x", "**x**") for line in lines] == markdown
    with reading(language_of("fr")):
        french = _words(league, 0, names, plain=True)
    assert french.startswith("Muscat – classement final\n")
    assert "1 point," in french
    assert "0,5 point," in french


@pytest.mark.parametrize(("status", "lines"), [(LeagueStatus.PLAYING, 11), (LeagueStatus.OVER, 6)])
def test_a_podium_replaces_five_lines(status: LeagueStatus, lines: int) -> None:
    won = LeagueTable(1, 1, 0, "x", (ANA, BEN), None, 1, Status.OVER, (ANA, BEN), ((0.0, 1), (1.0, 2)))
    players = tuple(LeaguePlayer(n, n, "x") for n in range(1, 20))
    league = dataclasses.replace(season(won).league, status=status)
    card = _card(dataclasses.replace(season(won), league=league, players=players), 0, dict.fromkeys(range(1, 20), "x"))
    assert lines == len(card.lines)


@pytest.mark.parametrize(
    ("status", "table", "words"),
    [
        (LeagueStatus.PLAYING, Status.RUNNING, "round 1 of 2 in progress"),
        (LeagueStatus.PLAYING, Status.OVER, "after round 1 of 2"),
        (LeagueStatus.OVER, Status.OVER, "final standings"),
    ],
)
def test_standings_say_how_much_of_the_league_they_contain(status: LeagueStatus, table: Status, words: str) -> None:
    played = LeagueTable(1, 1, 0, "x", (ANA, BEN), None, 1, table, (ANA, BEN), ((1.0, 1), (0.0, 2)))
    league = dataclasses.replace(season().league, status=status, rounds=2)
    current = dataclasses.replace(season(played), league=league)
    assert words == _card(current, 0, NAMES[0]).caption
    assert words in _words(current, 0, NAMES[0], plain=True)


def test_a_podium_has_three_players() -> None:
    users, names = (1, 2, 3, 4, 5), {n: f"{n}" for n in range(1, 6)}
    won = LeagueTable(1, 1, 0, "x", users, None, 1, Status.OVER, users, tuple((1.0 - n / 5, 9 - n) for n in users))
    of_five = dataclasses.replace(season(won), players=tuple(LeaguePlayer(n, n, "x") for n in users))
    assert 3 == len(_card(of_five, 0, names).podium)


@pytest.mark.parametrize(("ties", "points"), [(1, "0,5 point"), (3, "1,5 point"), (4, "2 points"), (5, "2,5 points")])
def test_fractional_points_use_the_plural_of_the_language(ties: int, points: str) -> None:
    of_two = [((0.5, 1), (0.5, 1), n) for n in range(1, ties + 1)]
    tables = [LeagueTable(1, n, 0, "x", SEATS[1], None, n, Status.OVER, SEATS[1], (one, two)) for one, two, n in of_two]
    with reading(language_of("fr")):
        assert f"Ana – {points}, " in _words(season(*tables), 0, NAMES[0], plain=True)


SEATS = {1: (1, 2), 2: (3, 4)}


def test_a_player_alone_in_a_group_stays_in_it() -> None:
    players = [LeaguePlayer(ANA, 1, "Ana"), LeaguePlayer(BEN, 2, "Ben", 1)]
    alone = dataclasses.replace(season(), players=tuple(players))
    names = [{ANA: "Ana"}, {BEN: "Ben"}]
    assert " group" not in str(ended_text(alone, names, None)).replace("Group", "")
    pairs = [*players, LeaguePlayer(3, 3, "Caro"), LeaguePlayer(4, 4, "Dan", 1)]
    names = [{ANA: "Ana", 3: "Caro"}, {BEN: "Ben", 4: "Dan"}]
    moves = str(ended_text(dataclasses.replace(alone, players=tuple(pairs)), names, None))
    assert ("**Ben** moves up", "**Caro** moves down") == tuple(name for name in MOVES if name in moves)


MOVES = ("**Ana** moves up", "**Ben** moves up", "**Caro** moves down", "**Dan** moves down")


def test_a_sign_up_names_the_first_players_and_counts_the_others() -> None:
    players = tuple(LeaguePlayer(n, n, "x") for n in range(1, MAX_NAMED + 6))
    layout = sign_up_layout(dataclasses.replace(season(), players=players))
    (words,) = (item.content for item in layout.walk_children() if isinstance(item, discord.ui.TextDisplay))
    assert f"**{MAX_NAMED + 5} signed up**" in words
    assert f"<@{MAX_NAMED}> and 5 more" in words
    assert "more" not in _words_of(dataclasses.replace(season(), players=players[:MAX_NAMED]))


STATES = [
    (
        LeagueStatus.SIGN_UP,
        0,
        ["Join", "Leave", "Begin now", "Calendar"],
        "Sign-up ends <t:1795305600:R>. Then I set up the tables.",
    ),
    (
        LeagueStatus.PLAYING,
        1,
        ["Join", "Leave", "Standings"],
        "Round 1 of 2 is in progress. If you join now, you’ll play from the next round on.",
    ),
    (LeagueStatus.PLAYING, 2, ["Standings"], "The last round is in progress."),
    (LeagueStatus.OVER, 2, ["Standings"], "This league is over."),
    (LeagueStatus.OVER, 1, ["Standings"], "This league is over."),
    (LeagueStatus.CALLED_OFF, 1, ["Standings"], "This league was called off."),
    (LeagueStatus.CALLED_OFF, 0, [], "This league was called off."),
]


@pytest.mark.parametrize(("status", "number", "labels", "state"), STATES)
def test_a_sign_up_shows_the_progress_of_its_league_and_the_buttons_available(
    status: LeagueStatus, number: int, labels: list[str], state: str
) -> None:
    league = dataclasses.replace(season().league, status=status, round=number, rounds=2)
    page = dataclasses.replace(season(), league=league)
    assert labels == [*_labels_in(sign_up_layout(page).to_components())]
    assert state == _words_of(page).splitlines()[-1]


@pytest.mark.parametrize(
    ("values", "about"),
    [
        ({}, "1 round at tables of 2."),
        ({"rounds": 2}, "2 rounds at tables of 2. A round begins as soon as all tables are finished."),
        (
            {"rounds": 5, "seats": 4, "swiss": True, "gap": 1},
            "5 rounds at tables of 4; people with similar scores play each other. A round begins no sooner than a day "
            "after the previous one.",
        ),
        (
            {"division_size": 8, "gap": 7, "rounds": 3},
            "3 rounds at tables of 2; groups of about 8. A round begins no sooner than a week after the previous one.",
        ),
        (
            {"gap": 3, "rounds": 2, "pace": "brisk-firm"},
            "2 rounds at tables of 2. A round begins 3 days after the previous one.",
        ),
    ],
)
def test_a_sign_up_describes_its_league(values: dict[str, Any], about: str) -> None:
    page = dataclasses.replace(season(), league=dataclasses.replace(season().league, **values))
    heading, *lines = _words_of(page).splitlines()
    assert "### Muscat League" == heading
    assert about == lines[0]
    pace, is_firm = all_paces()[page.league.pace]
    assert lines[1].endswith(f" {pace_words(pace, firm=is_firm)} · empty seats: a computer (Merchant)")


def test_a_sign_up_names_the_options_that_are_not_usual() -> None:
    options = {"start_placement": "fixed", "start_player": 1, "tie_counts_streets": False}
    league = dataclasses.replace(season().league, seats=4, options=options)
    lines = _words_of(dataclasses.replace(season(), league=league)).splitlines()
    pace, is_firm = all_paces()[league.pace]
    options_line = "First player: Blue · First markets: fixed · Streets count in a tie: no"
    assert f"-# {options_line} · {pace_words(pace, firm=is_firm)} · empty seats: a computer (Merchant)" == lines[2]
    first_game = dataclasses.replace(league, options=dict(discover()["muscat"].presets[0].options))
    preset = _words_of(dataclasses.replace(season(), league=first_game)).splitlines()[2]
    assert preset.startswith("-# First game: only markets with an artist of yours can be set in motion · ")


def _labels_in(components: list[Any]) -> Iterator[str]:
    for component in components:
        if component["type"] == discord.ComponentType.button.value:
            yield component["label"]
        yield from _labels_in(component.get("components", []))


def _words_of(shown: Season) -> str:
    items = sign_up_layout(shown).walk_children()
    return "".join(item.content for item in items if isinstance(item, discord.ui.TextDisplay))


def test_late_players_are_paired_until_computers_have_taken_over_twice() -> None:
    late = dataclasses.replace(season(), held={ANA: 1, BEN: 2})
    assert [ANA] == [player.user_id for player in late.active]


def test_a_table_has_as_close_to_four_seats_as_the_game_allows() -> None:
    seats = {slug: _seats(spec, {}) for slug, spec in discover().items()}
    assert {slug: min(spec.seats, key=lambda n: abs(n - 4)) for slug, spec in discover().items()} == seats
    assert 4 in seats.values()


def test_the_form_of_a_new_league_asks_for_its_rules_and_begins_with_the_usual_ones() -> None:
    questions = [
        (question.label, [label for _, label, _ in question.answers], question.chosen) for question in _questions()
    ]
    turns = ("3 days", "24 hours", "4 hours")
    paces = [f"{turn}, then a {then}" for turn in turns for then in ("vote", "computer")]
    assert [
        ("How many games does everyone play?", ["1", "3", "5", "7", "10"], "5"),
        ("How long can people sign up?", ["1 hour", "1 day", "3 days", "1 week"], "72"),
        (
            "When does the next round begin?",
            [
                "Once all tables are finished",
                "A day after the previous one",
                "A week after the previous one",
            ],
            "0",
        ),
        ("How long can a turn take?", paces, "daily-firm"),
        ("Who plays whom?", ["Everyone plays everyone", "People with similar scores"], "everyone"),
    ] == questions
    details = {question.label: [detail for *_, detail in question.answers if detail] for question in _questions()}
    beginnings = ["As soon as all tables are finished", "No sooner than a day", "No sooner than a week"]
    labels = [detail.partition(" after the")[0] for detail in details["When does the next round begin?"]]
    assert beginnings == labels, "the whole words below the short ones"
    assert len(paces) == len(details["How long can a turn take?"])
    assert ["People with similar scores play each other"] == details["Who plays whom?"]


def test_the_groups_of_a_league_have_letters_as_long_as_the_alphabet_lasts() -> None:
    assert ["Group A", "Group Z", "Group 27"] == [str(_group(n)) for n in (0, 25, 26)]


MENU = 46
"""Pixels of a menu in a form."""


@pytest.mark.parametrize("code", ["en", "de", "es", "fr", "it"])
def test_the_form_of_a_new_league_fits_on_a_phone(code: str) -> None:
    """The form has menus, since radio buttons for all answers would take two screens."""
    with reading(language_of(code)):
        labels = [label for question in _questions() for _, label, _ in question.answers]
        assert [] == [label for label in labels if len(label) > phone.FORM_MENU_LINE]
    fields = [label.component for label in _rules_form(discover()["muscat"]).children]
    assert {discord.ui.Select} == {type(field) for field in fields}
    assert phone.FORM + len(fields) * (phone.QUESTION + MENU) <= phone.FORM_HEIGHT
    assert ["5", "72", "0", "daily-firm", EVERYONE] == [
        option.value for field in fields for option in field.options if option.default
    ]


@pytest.mark.parametrize(
    ("planned", "names", "seats", "people"),
    [
        ((ANA, BEN), ["Ana", "Ben"], "<@1>, <@2>", "Ana, Ben"),
        ((BEN, None), ["Ben"], "<@2> + 1 computer", "Ben + 1 computer"),
        ((None, ANA, 0), ["", "Ana"], "<@1> + 2 computers", "Ana + 2 computers"),
        ((ANA, None), ["x" * 200], "<@1> + 1 computer", f"{'x' * 73} + 1 computer"),
    ],
)
def test_a_table_says_who_plays_there(
    planned: tuple[int | None, ...], names: list[str], seats: str, people: str
) -> None:
    table, league = LeagueTable(2, 3, 0, "x", planned), season().league
    items = table_layout(league, table).walk_children()
    text, luck = "".join(item.content for item in items if isinstance(item, discord.ui.TextDisplay)).split("\n")
    assert f"**Muscat, round 2, table 3**: {seats}" == text
    assert "The luck of this game is sealed" in luck
    assert f"Muscat R2 T3: {people}" == thread_name(league, table, names)
    assert len(thread_name(league, table, names)) <= 100


def test_the_end_of_a_league_names_winners_and_those_who_move_by_group_and_why_it_came_early() -> None:
    seats = {0: (1, 2), 1: (3, 4), 2: (5, 6)}
    tables = [
        LeagueTable(1, 1 + n, n, "x", two, None, n, Status.OVER, two, ((0.5, 1), (0.5, 1)) if n == 1 else (WON, LOST))
        for n, two in seats.items()
    ]
    players = tuple(LeaguePlayer(user_id, user_id, "x", n) for n, users in seats.items() for user_id in users)
    names = [{user_id: f"*{user_id}" for user_id in users} for users in seats.values()]
    text = ended_text(dataclasses.replace(season(*tables), players=players), names, Text("Too few are left."))
    assert [
        "### The Muscat League is over",
        "Too few are left.",
        r"Group A: 👑 **\*1**",
        r"-# ⬇ **\*2** moves down one group.",
        r"Group B: 👑 **\*3** & **\*4**",
        r"-# ⬆ **\*3** moves up one group next season.",
        r"-# ⬇ **\*4** moves down one group.",
        r"Group C: 👑 **\*5**",
        r"-# ⬆ **\*5** moves up one group next season.",
    ] == str(text).split("\n")


WON, LOST = (1.0, 2), (0.0, 1)


def test_the_picture_of_standings_has_the_group_its_players_and_their_points() -> None:
    won = LeagueTable(1, 1, 0, "x", (ANA, BEN), None, 1, Status.OVER, (ANA, BEN), (LOST, WON))
    card = _card(season(won), 0, NAMES[0])
    assert ("Muscat", ("points", "games"), "final standings") == (card.title, card.columns, card.caption)
    assert [("Ben", ("1", "1"), 1), ("Ana", ("0", "1"), 2)] == [
        (line.about, line.values, line.place) for line in card.lines
    ]
    two = dataclasses.replace(season(won), players=(*season().players, LeaguePlayer(3, 3, "Caro", 26)))
    assert ["Muscat, Group A", "Muscat, Group 27"] == [_card(two, n, {ANA: "", BEN: "", 3: ""}).title for n in (0, 26)]
    assert "### Muscat, Group A – final standings" == _words(two, 0, NAMES[0], plain=False).split("\n")[0]


@pytest.mark.parametrize("text", ["2", "10", "x", "", "-1", "0 ", "٠", "00000"])
def test_a_group_that_a_league_does_not_have_is_no_longer_there(text: str) -> None:
    groups = dataclasses.replace(season(), players=(LeaguePlayer(ANA, 1, "Ana"), LeaguePlayer(BEN, 2, "Ben", 1)))
    assert [0, 1] == [_division(groups, number) for number in ("0", "1")]
    with pytest.raises(UserError, match="I can’t find that league here anymore"):
        _division(groups, text)


# --- with the names of players ---

GUILD = object()


def services_of(requests: list[Any], unlisted: int = 0, guild: object = GUILD) -> Any:
    """The services that standings need: one user is not a member, and one does not want to be named."""

    async def names(of_guild: object, user_ids: Any, *, asked_by: int) -> dict[int, str]:
        requests.append((of_guild is GUILD, [*user_ids], asked_by))
        return {user_id: f"P{user_id}" for user_id in user_ids if user_id != ABSENT}

    async def value(scope: object, user_id: int, name: object) -> Any:
        return {"unlisted": True} if user_id == unlisted else None

    async def contrast_at(guild_id: int, channel_id: int) -> bool:
        return (guild_id, channel_id) == (7, 100)

    async def draw_card(card: Any, name: str, alt: str, *, contrast: bool) -> Drawn:
        return Drawn(b"x", f"{name}-{contrast}.png", alt + "." * 1100)

    return SimpleNamespace(
        channels=SimpleNamespace(server=lambda guild_id: guild if guild_id == 7 else None),
        store=SimpleNamespace(settings=SimpleNamespace(get=value)),
        members=SimpleNamespace(names=names),
        servers=SimpleNamespace(contrast_at=contrast_at),
        pictures=SimpleNamespace(draw_card=draw_card),
    )


ABSENT, UNLISTED = 3, 4


@pytest.mark.parametrize(("guild", "somebody"), [(GUILD, {ABSENT, UNLISTED}), (None, {*range(1, 61)})])
async def test_the_best_players_are_named_if_they_are_members_and_want_it(guild: object, somebody: set[int]) -> None:
    """2 has won against 1, the others have not played, and 99 plays in another group."""
    lost = LeagueTable(1, 1, 0, "x", (1, 2), None, 1, Status.OVER, (1, 2), (LOST, WON))
    players = (*(LeaguePlayer(n, n, "x") for n in range(1, 61)), LeaguePlayer(99, 99, "x", 1))
    requests = list[Any]()
    services = services_of(requests, UNLISTED, guild)
    names = await names_in(services, dataclasses.replace(season(lost), players=players), 0, asked_by=BEN)
    best = [user_id for user_id in (2, 1, *range(3, 52)) if user_id != UNLISTED]
    assert ([(True, best, BEN)] if guild else []) == requests
    member_names = {user_id: f"P{user_id}" for user_id in best if user_id not in somebody} if guild else {}
    assert {user_id: member_names.get(user_id, "somebody") for user_id in range(1, 61)} == names


async def test_after_a_round_there_are_a_picture_for_each_group_and_a_button_and_ten_pictures_at_most() -> None:
    players = tuple(LeaguePlayer(10 + n, n, "x", n) for n in range(12))
    groups, control = dataclasses.replace(season(), players=players), results_control(season().league, "1")
    message, files = await round_layout(services_of([]), groups, control, final=False)
    names = [f"league-{n}-True.png" for n in range(1, 11)]
    assert names == [file.filename for file in files]
    (gallery,) = (item for item in message.walk_children() if isinstance(item, discord.ui.MediaGallery))
    assert [f"attachment://{name}" for name in names] == [item.media.url for item in gallery.items]
    assert all(
        f"Muscat, Group {letter}" in (item.description or "")
        for letter, item in zip("ABCDEFGHIJ", gallery.items, strict=True)
    )
    assert {1024} == {len(item.description or "") for item in gallery.items}
    texts = [item.content for item in message.walk_children() if isinstance(item, discord.ui.TextDisplay)]
    assert ["**Muscat**: round 1 of 1 is over.", str(OF_TWO_TEXT)] == texts
    assert ["As text"] == [*_labels_in(message.to_components())]
    message, _ = await round_layout(services_of([]), groups, control, final=True, why=Text("No one is left."))
    heading, *_ = (item.content for item in message.walk_children() if isinstance(item, discord.ui.TextDisplay))
    assert [
        "### The Muscat League is over",
        "No one is left.",
        "Group A: Nobody wins: no game was finished.",
    ] == heading.split("\n")[:3]
    assert 12 == len(heading.split("\n")), "groups without a picture are not named"


def test_the_result_of_a_table_has_the_best_player_first_and_only_names_that_are_known() -> None:
    played = Played((1, 2, 3, 4), (3, 1, 2, 4))
    assert "\\*Ben\\* 1 · Caro 0.67 · Ana 0.33" == _result(played, {1: "Ana", 2: "*Ben*", 3: "Caro"})


async def test_after_a_round_its_results_are_listed_and_when_the_next_one_begins() -> None:
    won = LeagueTable(1, 1, 0, "x", (ANA, BEN), None, 1, Status.OVER, (ANA, BEN), (LOST, WON))
    bye = LeagueTable(1, 2, 0, "x", (3, None), None, 2, Status.OVER, (3, None), (WON, LOST))
    league = dataclasses.replace(season().league, gap=7, begun_at=AT, status=LeagueStatus.PLAYING, rounds=2)
    players = (*season().players, LeaguePlayer(3, 3, "Caro"))

    async def heading(services: Any, *tables: LeagueTable) -> list[str]:
        now = Season(league, players, tables, {})
        message, _ = await round_layout(services, now, results_control(league, "1"), final=False)
        return next(i.content for i in message.walk_children() if isinstance(i, discord.ui.TextDisplay)).split("\n")

    services = services_of([])
    services.clock = SimpleNamespace(now=lambda: AT + timedelta(days=2))
    over, begins = "**Muscat**: round 1 of 2 is over.", "Round 2 begins <t:1795910400:R>."
    listed = ["-# Round 1, table 1: P2 1 · P1 0", "-# Round 1, table 2: somebody, with computers only"]
    assert [over, *listed, begins] == await heading(services, won, bye)
    many = [dataclasses.replace(won, number=n) for n in range(1, 10)]
    assert [over, begins] == await heading(services, *many), "too many for a message"
    services.clock = SimpleNamespace(now=lambda: AT + timedelta(days=8))
    assert [over, *listed] == await heading(services, won, bye), "it begins at once"
