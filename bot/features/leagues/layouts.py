"""Messages of leagues in their channel: the sign-up, and the tables of a round."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import discord
from discord.ui import TextDisplay

from bot.features.leagues.season import Season
from bot.interactions.controls import Control
from bot.interactions.kinds import InVersion, declare_anywhere
from bot.interactions.parts import SUCCESS, Layout, card, layout, row, sealed_luck, stamp
from bot.posting.board_layouts import standings_button
from bot.store.leagues import League, LeagueStatus, LeagueTable
from bot.tables.options import preset_of, starting_options, unusual
from bot.tables.paces import all_paces, pace_words
from bot.tables.people import mention
from engine.core import Setup
from engine.errors import SetupError
from engine.games import discover
from engine.languages import language
from engine.players import discover as discover_players
from engine.texts import Text, joined, term

MAX_NAMED = 20
"""Players that the sign-up names at most."""

MAX_THREAD_NAME = 100
"""Discord's limit."""

PAUSES = {
    0: Text("as soon as all tables are finished"),
    1: Text("no sooner than a day after the previous one"),
    7: Text("no sooner than a week after the previous one"),
}
"""Days between the beginnings of two rounds -> when a round begins, in words."""


def title_of(league: League) -> Text:
    """The name of its game, also of one that is no longer installed."""
    return discover()[league.game].name if league.game in discover() else term(league.game)


@declare_anywhere("leaguejoin")
def join(league_id: InVersion[int]) -> None:
    """The button *Join*."""


@declare_anywhere("leagueleave")
def leave(league_id: InVersion[int]) -> None:
    """The button *Leave*."""


@declare_anywhere("leaguebegin")
def begin_now(league_id: InVersion[int]) -> None:
    """The button *Begin now*, which ends the sign-up."""


@declare_anywhere("leaguecalendar")
def calendar(league_id: InVersion[int]) -> None:
    """*Calendar*: a file with the time at which the sign-up ends, for the user's own calendar."""


@declare_anywhere("leagueresult")
def show_results(league_id: InVersion[int], mark: str = "") -> None:
    """*As text*, below the picture of the standings; by the mark, the bot finds the message again."""


OF_TWO_TEXT = Text("-# A win is worth 1 point, a tie half a point. Computers don’t count.")
OF_TEAMS_TEXT = Text(
    "-# Each table is worth up to 1 point: the share of the other people you beat, with ties counting half. "
    "Computers don’t count."
)


def points_explained(season: Season) -> Text:
    """How a table is scored (docs/leagues.md)."""
    seats = season.league.seats
    if len(set(season.companies)) < len(season.companies):
        return OF_TEAMS_TEXT
    if seats == 2:
        return OF_TWO_TEXT
    text = (
        "-# Points by place, not counting computers: {points} with {size} people, {fewer} with {less}. "
        "Ties split the points."
    )
    return Text(text, points=_by_place(seats), size=seats, fewer=_by_place(seats - 1), less=seats - 1)


def _by_place(people: int) -> str:
    """1 · 0.67 · 0.33 · 0, the points at a table with this number of people, at least two."""
    return " · ".join(decimals(Fraction(people - place, people - 1)) for place in range(1, people + 1))


def decimals(points: Fraction) -> str:
    """Points with up to two decimals, in the language of the reader."""
    return language().decimals(f"{float(points):.2f}".rstrip("0").rstrip("."))


def sign_up_layout(season: Season) -> Layout:
    """The message with the buttons to join and leave, as long as a round is to come."""
    league = season.league
    buttons = [join.button(Text("Join"), SUCCESS, league.id), leave.button(Text("Leave"), league_id=league.id)]
    if league.status is LeagueStatus.SIGN_UP:
        buttons.append(begin_now.button(Text("Begin now"), league_id=league.id))
        buttons.append(calendar.button(Text("Calendar"), league_id=league.id))
    else:
        buttons.append(standings_control(league))
    if not league.takes_more:
        # only *Standings* is left; a league called off before its first round has none
        buttons = buttons[-1:] if league.round else []
    about = TextDisplay[discord.ui.LayoutView](str(joined(_about(season), "\n")))
    return layout(card(about, *([row(*buttons)] if buttons else [])))


def _rounds(league: League) -> Text:
    rounds = Text(
        "{rounds} {rounds:round|rounds} at tables of {seats}{swiss}{groups}.",
        rounds=league.rounds,
        seats=league.seats,
        swiss=Text("; people with similar scores play each other") if league.swiss else "",
        groups=Text("; groups of about {size}", size=league.division_size) if league.division_size else "",
    )
    if league.rounds == 1:
        return rounds
    pauses = PAUSES.get(league.gap, Text("{gap} days after the previous one", gap=league.gap))
    return joined([rounds, Text("A round begins {pauses}.", pauses=pauses)], " ")


def _about(season: Season) -> list[Text]:
    league = season.league
    pace, firm = all_paces()[league.pace]
    usual = [*_options(league), pace_words(pace, firm=firm), _computer(league)]
    return [
        Text("### {title} League", title=title_of(league)),
        _rounds(league),
        Text("-# {options}", options=joined(usual, " · ")),
        points_explained(season),
        _people(season),
        Text("{state}", state=_state(league)),
    ]


def _computer(league: League) -> Text:
    """The computer player of empty seats."""
    player = discover_players().get(league.computer)
    return Text("empty seats: a computer ({computer})", computer=term(player.title if player else league.computer))


def _options(league: League) -> tuple[Text, ...]:
    """A preset, or the options that differ from the defaults."""
    spec = discover().get(league.game)
    if spec is None:
        return ()
    if preset := preset_of(spec, league.options):
        return (preset.about,)
    try:
        return unusual(spec, spec.setup(league.seats, league.options))
    # an update of the game may have changed its options; the next round uses those that still exist
    except SetupError:
        return unusual(spec, Setup(league.seats, spec.options(**starting_options(spec))))


def _people(season: Season) -> Text:
    people = season.active
    if not people:
        return Text("Nobody has signed up yet.")
    named = tuple(mention(player.user_id) for player in people[:MAX_NAMED])
    more = Text(" and {more} more", more=len(people) - MAX_NAMED) if len(people) > MAX_NAMED else ""
    return Text("**{n} signed up**: {named}{more}", n=len(people), named=", ".join(named), more=more)


def _state(league: League) -> Text:
    match league.status:
        case LeagueStatus.SIGN_UP:
            return Text("Sign-up ends {when}. Then I set up the tables.", when=stamp(league.closes_at, "R"))
        case LeagueStatus.PLAYING if league.takes_more:
            n, rounds = league.round, league.rounds
            return Text(
                "Round {n} of {rounds} is in progress. If you join now, you’ll play from the next round on.",
                n=n,
                rounds=rounds,
            )
        case LeagueStatus.PLAYING:
            return Text("The last round is in progress.")
        case LeagueStatus.OVER:
            return Text("This league is over.")
    return Text("This league was called off.")


def table_layout(league: League, table: LeagueTable) -> Layout:
    """The message at which the thread of a table begins: its players, and the commitment to its seed."""
    people = [mention(user_id) for user_id in table.planned if user_id]
    text = Text(
        "**{title}, round {round}, table {number}**: {seats}\n{luck}",
        title=title_of(league),
        round=table.round,
        number=table.number,
        seats=", ".join(people) + _plus_computers(table),
        luck=sealed_luck(table.secret),
    )
    return layout(TextDisplay(str(text)), row(table_control(league, table)))


def _plus_computers(table: LeagueTable) -> str:
    """The number of computers after the people of a table: ` + 2 computers`, or nothing."""
    computers = sum(not user_id for user_id in table.planned)
    return str(Text(" + {n} {n:computer|computers}", n=computers)) if computers else ""


def table_control(league: League, table: LeagueTable) -> Control:
    """The control by which the message of a table is found again after a crash."""
    return standings_control(league, f"{table.round}.{table.number}")


def standings_control(league: League, mark: str = "") -> Control:
    """The button *Standings*, with the mark of its message."""
    return standings_button(league.id, mark)


def results_control(league: League, mark: str) -> Control:
    """*As text*, below the picture of the standings after a round."""
    return show_results.button(Text("As text"), league_id=league.id, mark=mark)


def thread_name(league: League, table: LeagueTable, names: Sequence[str]) -> str:
    """The name of the thread of a table, with its people and the number of its computers."""
    more = _plus_computers(table)
    name = Text(
        "{title} R{round} T{number}: {people}",
        title=title_of(league),
        round=table.round,
        number=table.number,
        # a name of invisible characters is empty
        people=", ".join(filter(None, names)),
    )
    # cut long names, not the computers
    return str(name)[: MAX_THREAD_NAME - len(more)] + more
