"""The pages of `/stats`, as plain data: what a picture and a message say in their own ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.errors import UserError
from bot.store.ratings import Ratings
from bot.store.tally import ALL_SERVERS, PLACEMENT, Meeting, RecordKind, SeatStory, Standing, computer_ratings
from bot.tables.people import mention
from engine.games import discover
from engine.languages import language
from engine.players import discover as discover_players
from engine.texts import Text, joined, number, term

LEAST, MOST = PLACEMENT, 10
"""How many games somebody needs to be in the table of a server, and how many people are in it."""

COURSE = 60
"""Most changes of a rating that are drawn."""

NONE_HERE = Text(
    "No rated game has ended in this server yet. Every game between at least two people is rated, unless its host "
    "turns that off."
)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a page: what or whom it is about, and its values, one for each column. `user_id` is whose it is, if it
    is somebody's. `share` is what a bar shows, from 0 to 1, and `fair` what it would be among equals.
    """

    about: Text
    values: tuple[str, ...]
    user_id: int | None = None
    share: float | None = None
    fair: float | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page: `key` brings it again. `games` are those that it is there for, `course` is a rating with its margin after
    each game of `game`, `partners` are those with whom somebody plays most.
    """

    key: str
    heading: Text
    columns: tuple[Text, ...]
    rows: tuple[Row, ...]
    notes: tuple[Text, ...] = ()
    games: tuple[str, ...] = ()
    game: str = ""
    course: tuple[tuple[int, int], ...] = ()
    partners: tuple[int, ...] = ()

    @property
    def is_ranking(self) -> bool:
        """Whether its rows are people, the best first."""
        return self.key.startswith("server/")


def title_of(game: str) -> Text:
    """What a game is called, also one that this program no longer has."""
    return discover()[game].name if game in discover() else term(game)


def rating_words(standing: Standing) -> str:
    """A rating with its margin, and a mark while it is provisional; of a newcomer, how many games they have played."""
    if not standing.is_placed:
        return str(Text("placing {n}/{most}", n=standing.matches, most=PLACEMENT))
    rating = standing.rating
    return f"{number(rating.points)} ± {rating.margin}{'?' if rating.is_provisional else ''}"


PLAYER_COLUMNS = (
    Text("rating"),
    Text("games"),
    Text("won"),
    Text("fair share"),
    Text("place"),
    Text("points"),
    Text("wins in a row"),
    Text("accuracy"),
    Text("a column\4luck"),
)
PROVISIONAL = Text("? means provisional: more games will settle it.")


async def player_page(ratings: Ratings, guild_id: int, user_id: int, *, own: bool) -> Page:
    """What somebody has reached in a server; over all servers where there is none."""
    standings = await ratings.standings(guild_id, user_id)
    if not standings:
        nothing = Text("{user} has no rated games here.", user=mention(user_id))
        raise UserError(Text("You have not played a rated game here yet.") if own else nothing)
    stories = await ratings.stories(guild_id, user_id)
    # the first one is what they play most
    course = await ratings.history(guild_id, user_id, standings[0].game, COURSE)
    meetings = await ratings.meetings(guild_id, user_id)
    here = {(one.game, one.matches) for one in standings}
    everywhere = await ratings.standings(ALL_SERVERS, user_id) if own else []
    # with as many games as here, all were played here: it would say the same twice
    more = [one for one in everywhere if (one.game, one.matches) not in here]
    return Page(
        f"player/{user_id}",
        Text("{user}", user=mention(user_id)),
        PLAYER_COLUMNS,
        tuple(_row(one, stories.get(one.game, SeatStory())) for one in standings),
        (MARKED, *_luck(stories), *_like_computers(standings), *_provisional(standings), *_everywhere(more)),
        game=str(title_of(standings[0].game)),
        # a newcomer sees no fall: nothing is known yet of how good they are
        course=tuple((change.rating.points, change.rating.margin) for change in course if standings[0].is_placed),
        partners=_partners(meetings),
    )


def _row(one: Standing, story: SeatStory) -> Row:
    share, fair = one.wins / one.matches, one.fair / one.matches
    accuracy = "–" if story.accuracy is None else number(story.accuracy)
    values = (*_values(one), accuracy, _signed(story.luck))
    return Row(Text("{game}", game=title_of(one.game)), values, share=share, fair=fair)


def _signed(wins: float) -> str:
    return language().decimals(f"{wins:+.1f}")


def _luck(stories: Mapping[str, SeatStory]) -> list[Text]:
    """How many wins luck has brought in all games together, as the stories have it."""
    if not stories:
        return []
    wins = sum(story.luck for story in stories.values())
    return [Text("Luck has been worth {wins} wins in all, according to the stories of the games.", wins=_signed(wins))]


MARKED = Text("Bars show the share of games won; the mark is what equal players would win.")


def _partners(meetings: Iterable[Meeting]) -> tuple[int, ...]:
    """The three with whom somebody plays most, in all games together."""
    counted: Counter[int] = Counter()
    for one in meetings:
        counted[one.other_id] += one.matches
    return tuple(user_id for user_id, _ in counted.most_common(3))


def _values(one: Standing) -> tuple[str, ...]:
    percents = (str(Text("{n}%", n=round(100 * part / one.matches))) for part in (one.wins, one.fair))
    place = language().decimals(f"{one.places / one.matches:.1f}")
    # over the games that they played alone to the end
    points = language().decimals(f"{one.points / one.scored:.1f}") if one.scored else "–"
    return (rating_words(one), number(one.matches), *percents, place, points, number(one.longest_run))


def _provisional(standings: Iterable[Standing]) -> list[Text]:
    return [PROVISIONAL] if any(one.is_placed and one.rating.is_provisional for one in standings) else []


def _like_computers(standings: Iterable[Standing]) -> list[Text]:
    """The computer that plays about as well, for each game in which that is known."""
    told = []
    for one in standings:
        known = computer_ratings().get(one.game)
        if known and not one.rating.is_provisional:
            nearest = min(known, key=lambda player: abs(known[player].mu - one.mu))
            title = term(discover_players()[nearest].title)
            told.append(Text("{game} like a *{player}*", game=title_of(one.game), player=title))
    return [Text("Plays {told}", told=joined(told, ", "))] if told else []


def _everywhere(standings: Sequence[Standing]) -> list[Text]:
    """One's own ratings over all servers, which nobody else sees, where there are more games than in this one."""
    if not standings:
        return []
    told = [Text("{game} {rating}", game=title_of(one.game), rating=rating_words(one)) for one in standings]
    return [Text("Across all servers (only you see this): {told}", told=joined(told, ", "))]


async def versus_page(ratings: Ratings, guild_id: int, user_id: int, other_id: int) -> Page:
    """How two people have played against each other in a server."""
    found = [one for one in await ratings.meetings(guild_id, user_id) if one.other_id == other_id]
    if not found:
        raise UserError(Text("These two have not played each other in a rated game here."))
    counts = ((one, (one.matches, one.ahead, one.behind, one.matches - one.ahead - one.behind)) for one in found)
    return Page(
        f"versus/{user_id}/{other_id}",
        Text("{user} against {other}", user=mention(user_id), other=mention(other_id)),
        (Text("games"), Text("ahead"), Text("behind"), Text("equal")),
        tuple(
            Row(Text("{game}", game=title_of(one.game)), tuple(map(number, values)), share=one.ahead / one.matches)
            for one, values in counts
        ),
    )


async def server_page(ratings: Ratings, guild_id: int, game: str) -> Page:
    """Who plays a game best in a server."""
    games = await _games(ratings, guild_id)
    game = game or games[0]
    standings = await ratings.table(guild_id, game, LEAST, MOST)
    few = Text("Nobody has played {least} rated games of it here yet.", least=LEAST)
    return Page(
        f"server/{game}",
        Text("{game} in this server", game=title_of(game)),
        # no shares of wins: a table is to be looked up to, and shames nobody
        (Text("rating"), Text("games")),
        tuple(Row(Text("{user}", user=mention(one.user_id)), _values(one)[:2], one.user_id) for one in standings),
        tuple(_provisional(standings) if standings else [few]),
        tuple(games),
    )


RECORDS = {
    RecordKind.POINTS: Text("Most points"),
    RecordKind.CLOSEST: Text("Closest finish, in points"),
    RecordKind.LONGEST: Text("Longest game, in moves"),
    RecordKind.COMEBACK: Text("Won from the slimmest chance, in %"),
    RecordKind.ACCURATE: Text("Most accurate game"),
}


async def records_page(ratings: Ratings, guild_id: int, game: str) -> Page:
    """The records of a game in a server."""
    games = await _games(ratings, guild_id)
    game = game or games[0]
    found = {one.kind: one for one in await ratings.records(guild_id, game)}
    run = await ratings.longest_run(guild_id, game)
    rows = [(name, found[kind].figure, found[kind].user_id) for kind, name in RECORDS.items() if kind in found]
    rows += [(Text("Most wins in a row"), run.longest_run, run.user_id)] if run else []
    return Page(
        f"records/{game}",
        Text("{game} records in this server", game=title_of(game)),
        (Text(""),),
        tuple(Row(name, (number(figure),), user_id) for name, figure, user_id in rows),
        () if rows else (Text("No rated game of it has ended here yet."),),
        tuple(games),
    )


async def _games(ratings: Ratings, guild_id: int) -> Sequence[str]:
    games = await ratings.games(guild_id) if guild_id != ALL_SERVERS else []
    if not games:
        raise UserError(NONE_HERE)
    return games
