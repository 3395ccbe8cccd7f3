"""The pages of `/stats` as plain data, for pictures and messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from bot.errors import UserError
from bot.store.ratings import Ratings
from bot.store.tally import ALL_SERVERS, PLACEMENT_MATCHES, Meeting, RecordKind, SeatStory, Standing, computer_ratings
from bot.tables.people import mention
from engine.games import discover
from engine.languages import language
from engine.players import discover as discover_players
from engine.texts import Text, joined, number, term
from engine.values import Value

MIN_GAMES, MAX_ROWS = PLACEMENT_MATCHES, 10
"""Games that a player needs for the ranking of a server, and the length of that ranking."""

MAX_CHANGES = 60
"""Changes of a rating that a picture shows at most."""

NO_GAMES_TEXT = Text(
    "No rated game has ended in this server yet. Every game with at least two people is rated, unless its host "
    "turns that off."
)


IN_SERVERS_TEXT = Text("Only games in servers are rated. Use this command in one.")


class Row(Value):
    """A line of a page: its subject, and a value for each column. `user_id` is its player, if it has one. `share` is
    the value of a bar, from 0 to 1, and `fair` the value of equal players.
    """

    about: Text
    values: tuple[str, ...]
    user_id: int | None = None
    share: float | None = None
    fair: float | None = None


class Page(Value):
    """A page, which its `key` identifies. `games` are the games with such a page, `course` is a rating with its margin
    after each game of `game`, `partners` are the most frequent co-players.
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
        """Whether its rows are players, the best first."""
        return self.key.startswith("server/")


def title_of(game: str) -> Text:
    """The name of a game, also of one that is no longer installed."""
    return discover()[game].name if game in discover() else term(game)


def rating_words(standing: Standing) -> str:
    """A rating with its margin, and a mark while it is provisional; for a newcomer, the number of their games."""
    if not standing.is_placed:
        return str(Text("placement {n}/{most}", n=standing.matches, most=PLACEMENT_MATCHES))
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
MISSING = "–"
"""The value of a column without one."""

MARGIN_NOTE = Text("± is how far off a rating may be.")
PLACEMENT_NOTE = Text("A rating shows after {most} games.", most=PLACEMENT_MATCHES)
PROVISIONAL_NOTE = Text("? means provisional: more games will settle it.")


async def player_page(ratings: Ratings, guild_id: int, user_id: int, *, own: bool) -> Page:
    """The results of a player in a server, or over all servers outside of one. Raises `UserError` without any."""
    standings = await ratings.standings(guild_id, user_id)
    if not standings:
        nothing = Text("{user} has no rated games here.", user=mention(user_id))
        raise UserError(Text("You haven’t played a rated game here yet.") if own else nothing)
    stories = await ratings.stories(guild_id, user_id)
    # the first standing is that of their most played game
    course = await ratings.history(guild_id, user_id, standings[0].game, MAX_CHANGES)
    meetings = await ratings.meetings(guild_id, user_id)
    here = {(standing.game, standing.matches) for standing in standings}
    everywhere = await ratings.standings(ALL_SERVERS, user_id) if own else []
    # without games played elsewhere, the line would repeat the rating
    more = [standing for standing in everywhere if (standing.game, standing.matches) not in here]
    return Page(
        f"player/{user_id}",
        Text("{user}", user=mention(user_id)),
        PLAYER_COLUMNS,
        tuple(_row(standing, stories.get(standing.game)) for standing in standings),
        (BARS_NOTE, *_luck(stories), *_like_computers(standings), *_rating_notes(standings), *_everywhere(more)),
        game=str(title_of(standings[0].game)),
        # a newcomer's rating is too uncertain to show its course
        course=tuple((change.rating.points, change.rating.margin) for change in course if standings[0].is_placed),
        partners=_partners(meetings),
    )


def _row(standing: Standing, story: SeatStory | None) -> Row:
    share, fair = standing.wins / standing.matches, standing.fair / standing.matches
    accuracy = MISSING if story is None or story.accuracy is None else number(story.accuracy)
    values = (*_values(standing), accuracy, _format_signed(story.luck) if story else MISSING)
    return Row(Text("{game}", game=title_of(standing.game)), values, share=share, fair=fair)


def _format_signed(wins: float) -> str:
    # `z`, since −0.04 would be −0.0.
    return language().decimals(f"{wins:+z.1f}")


def _luck(stories: Mapping[str, SeatStory]) -> list[Text]:
    """The wins that luck is worth in all games together, according to the stories."""
    if not stories:
        return []
    wins = sum(story.luck for story in stories.values())
    return [
        Text(
            "Luck has been worth {wins} wins in all, according to the stories of the games.", wins=_format_signed(wins)
        )
    ]


BARS_NOTE = Text("Bars show the share of games won; the mark is what equal players would win.")


def _partners(meetings: Iterable[Meeting]) -> tuple[int, ...]:
    """The three most frequent co-players, over all games."""
    matches: Counter[int] = Counter()
    for meeting in meetings:
        matches[meeting.other_id] += meeting.matches
    return tuple(user_id for user_id, _ in matches.most_common(3))


def _values(standing: Standing) -> tuple[str, ...]:
    percents = (str(Text("{n}%", n=round(100 * part / standing.matches))) for part in (standing.wins, standing.fair))
    place = language().decimals(f"{standing.places / standing.matches:.1f}")
    # the average over games that they played to the end themselves
    points = language().decimals(f"{standing.points / standing.scored:.1f}") if standing.scored else MISSING
    return (rating_words(standing), number(standing.matches), *percents, place, points, number(standing.longest_run))


def _rating_notes(standings: Sequence[Standing]) -> list[Text]:
    """What the ratings of a page mean, as far as it has such ratings."""
    placed = [standing for standing in standings if standing.is_placed]
    notes = {
        MARGIN_NOTE: bool(placed),
        PROVISIONAL_NOTE: any(standing.rating.is_provisional for standing in placed),
        PLACEMENT_NOTE: len(placed) < len(standings),
    }
    return [note for note, applies in notes.items() if applies]


def _like_computers(standings: Iterable[Standing]) -> list[Text]:
    """The computer of about the same strength, for each game with rated computers."""
    phrases = []
    for standing in standings:
        ratings = computer_ratings().get(standing.game)
        if ratings and not standing.rating.is_provisional:
            nearest = min(ratings, key=lambda player: abs(ratings[player].mu - standing.mu))
            title = term(discover_players()[nearest].title)
            phrases.append(Text("{game} like a *{player}*", game=title_of(standing.game), player=title))
    return [Text("Plays {told}", told=joined(phrases, ", "))] if phrases else []


def _everywhere(standings: Sequence[Standing]) -> list[Text]:
    """The user's own ratings over all servers, for the user alone, if they have played elsewhere, too."""
    if not standings:
        return []
    phrases = [
        Text("{game} {rating}", game=title_of(standing.game), rating=rating_words(standing)) for standing in standings
    ]
    return [Text("Across all servers (only you see this): {told}", told=joined(phrases, ", "))]


async def versus_page(ratings: Ratings, guild_id: int, user_id: int, other_id: int) -> Page:
    """The results of two players against each other in a server. Raises `UserError` without any."""
    meetings = [meeting for meeting in await ratings.meetings(guild_id, user_id) if meeting.other_id == other_id]
    if not meetings:
        raise UserError(Text("These two haven’t played each other in a rated game here."))
    # a picture has the first three columns, which add up to the games
    counts = (
        (meeting, (meeting.ahead, meeting.matches - meeting.ahead - meeting.behind, meeting.behind, meeting.matches))
        for meeting in meetings
    )
    return Page(
        f"versus/{user_id}/{other_id}",
        Text("{user} against {other}", user=mention(user_id), other=mention(other_id)),
        (Text("ahead"), Text("equal"), Text("behind"), Text("games")),
        tuple(
            Row(
                Text("{game}", game=title_of(meeting.game)),
                tuple(map(number, values)),
                share=meeting.ahead / meeting.matches,
            )
            for meeting, values in counts
        ),
    )


async def server_page(ratings: Ratings, guild_id: int, game: str) -> Page:
    """The ranking of a game in a server."""
    games = await _games(ratings, guild_id)
    game = game or games[0]
    standings = await ratings.table(guild_id, game, MIN_GAMES, MAX_ROWS)
    empty = Text("Nobody here has played {least} rated games yet.", least=MIN_GAMES)
    return Page(
        f"server/{game}",
        Text("{game} in this server", game=title_of(game)),
        # without shares of wins: a ranking should not shame a player
        (Text("rating"), Text("games")),
        tuple(
            Row(Text("{user}", user=mention(standing.user_id)), _values(standing)[:2], standing.user_id)
            for standing in standings
        ),
        tuple(_rating_notes(standings) if standings else [empty]),
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
    records = {record.kind: record for record in await ratings.records(guild_id, game)}
    run = await ratings.longest_run(guild_id, game)
    rows = [(name, records[kind].figure, records[kind].user_id) for kind, name in RECORDS.items() if kind in records]
    rows += [(Text("Most wins in a row"), run.longest_run, run.user_id)] if run else []
    return Page(
        f"records/{game}",
        Text("{game} records in this server", game=title_of(game)),
        (Text(""),),
        tuple(Row(name, (number(figure),), user_id) for name, figure, user_id in rows),
        () if rows else (Text("No rated game has ended here yet."),),
        tuple(games),
    )


async def _games(ratings: Ratings, guild_id: int) -> Sequence[str]:
    if guild_id == ALL_SERVERS:
        raise UserError(IN_SERVERS_TEXT)
    if not (games := await ratings.games(guild_id)):
        raise UserError(NO_GAMES_TEXT)
    return games
