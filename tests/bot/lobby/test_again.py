"""Messages after a game: its end in full, a rematch, and a list of the past games of a channel."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from bot.features.view.games import list_games, show
from bot.store.matches import SeatHolder, Status
from bot.tables.table import Table
from engine.core import CHANCE, Decision, GameSpec
from engine.games import discover
from engine.match import Match
from engine.texts import Seat
from tests.bot.ahead import go_ahead, walk_until
from tests.bot.desk import NAMES, PRIVATE, PUBLIC, Desk
from tests.bot.outcomes import sent
from tests.bot.refusing import CHANNEL, GUEST, HOST, NOON, House
from tests.bot.walks import name_of

ANA, BEN, CARO, DAN = HOST, GUEST, 72, 73
every_game = pytest.mark.parametrize("spec", discover().values(), ids=name_of)


@pytest.fixture
def home(home: House) -> House:
    home.let_make_events()
    home.add_channel(CHANNEL)
    return home


async def begin(home: House, *people: int, game: str = "sealed", channel_id: int = CHANNEL, **row: Any) -> Table:
    holders = [SeatHolder(user_id, name=NAMES.get(user_id, "Dan")) for user_id in people]
    return await home.posted(channel_id, *holders, game=game, **row)


async def finish(home: House, spec: GameSpec, *people: int) -> Table:
    """A whole game of these people, whose last board was not posted yet."""
    table = await begin(home, *people, game=spec.slug)
    seat, option, version = _last_move(table.require_match())
    await go_ahead(home, table, lambda match: match.version == version)
    user_id = table.users[seat]
    await home.services.moves.play(table, user_id, option, interaction_id=1, version=None)
    assert Status.OVER is table.row.status
    return table


def _last_move(match: Match) -> tuple[Seat, Any, int]:
    """The move of a person that ends a random game: its seat, the move, and the version of the match before it."""
    end = walk_until(match, lambda match: match.outcome is not None)
    for version in range(end.version - 1, match.version - 1, -1):
        before = end.until(version)
        for decision in before.state.decisions():
            for option in () if decision.automatic or decision.seat == CHANCE else decision.options:
                if _ends(before, decision, option):
                    return decision.seat, option, version
    raise AssertionError("no move ends it")


def _ends(match: Match, decision: Decision, option: Any) -> bool:
    after = match.copy()
    after.play(decision.seat, option)
    while (pending := after.state.decisions()) and pending[0].automatic:
        after.play(pending[0].seat, pending[0].options[0])
    return after.outcome is not None


@pytest.fixture
async def over(home: House) -> Table:
    """A game of Toll of Ana, Ben and Caro that is over. It begins without a ready check."""
    return await finish(home, discover()["toll"], ANA, BEN, CARO)


# --- the end ---


@every_game
async def test_the_final_board_shows_places_points_and_a_reason_and_winners_see_that_they_won(
    desk: Desk, spec: GameSpec
) -> None:
    people = (ANA, BEN, CARO)[: spec.seats[0]]
    table = await finish(desk.home, spec, *people)
    await desk.home.services.poster.publish(table)
    *_, (head, *lines) = [request for request in sent(desk.home) if request[0].startswith("POST")]
    assert {*map(str, people)} == {*re.findall(r"@(\d+)", head)} == {*re.findall(r"<@(\d+)>", "\n".join(lines))}
    texts, buttons = lines[:-2], lines[-2:]
    assert ["Rematch", "More"] == [re.sub(r"\[| [a-z].*", "", button) for button in buttons]
    beginning = next(n for n, line in enumerate(texts) if line.startswith("## "))
    won, *standings, reason, rating = texts[beginning:]
    assert re.fullmatch(r"## .+ wins?!", won)
    assert rating.startswith("-# Rating: ")
    assert re.fullmatch(r"-# [A-Z].+\.", reason), "a sentence"
    places = [re.fullmatch(r"([🥇🥈🥉]) \S+ <@(\d+)> · (−?[\d,]+)(: .+)?", line) for line in standings]
    assert all(places), standings
    match = table.viewable_match()
    assert match.outcome is not None
    changes = {int(place[2]): int(place[3].replace(",", "").replace("−", "-")) for place in places if place}
    assert changes == dict(zip(people, match.outcome.scores, strict=True))
    explained = {int(place[2]) for place in places if place and place[4]}
    with_accounts = {user_id for seat, user_id in enumerate(people) if match.state.account(Seat(seat))}
    assert explained == with_accounts, "where the game tells how points come about"
    await _everybody_is_told_who_wins(desk, people, match.outcome.returns)


async def _everybody_is_told_who_wins(desk: Desk, people: tuple[int, ...], returns: tuple[float, ...]) -> None:
    """Winners are told so."""
    winners = [user_id for user_id, share in zip(people, returns, strict=True) if share == max(returns)]
    for user_id in people:
        ((_, *lines),) = await desk.command(user_id, show, over=True)
        (won,) = [line for line in lines if line.startswith("## ")]
        if [user_id] == winners:
            assert "## You win!" == won
        elif user_id in winners:
            assert re.fullmatch(r"## .*\b[Yy]ou\b.* win!", won)
        else:
            assert not re.search(r"\byou\b", won, re.IGNORECASE)


async def test_the_log_opens_next_to_a_private_board(desk: Desk) -> None:
    table = await finish(desk.home, discover()["muses"], ANA, BEN)
    ((_, *board),) = await desk.command(ANA, show, over=True)
    assert "[Log past]" in board
    ((how, *log),) = await desk.tap(ANA, f"past:{table.id}:0:", message=PRIVATE)
    assert ("new private", True) == (how, any("The game is over" in line for line in log))
    (previous,) = [line.strip("[]").split()[-1] for line in log if line.startswith("[Previous ")]
    ((how, *earlier),) = await desk.tap(ANA, f"log:{table.id}:0:{previous}", message=PRIVATE)
    assert ("edit", False) == (how, log == earlier), "its pages take each other’s place"


# --- once more ---


async def rematch(desk: Desk, table: Table, user_id: int) -> list[str]:
    """Tap on *Rematch*. Returns the answer."""
    (answer,) = await desk.tap(user_id, f"rematch:{table.id}:0:", message=PUBLIC)
    return answer


def seated_mentions(lobby: list[str]) -> list[int]:
    """The players in a lobby, in the order of their seats."""
    return [int(user_id) for user_id in re.findall(r"^\S+ <@(\d+)>", "\n".join(lobby), re.MULTILINE)]


async def test_a_rematch_rotates_the_seats_and_pings_the_other_players_once(desk: Desk, over: Table) -> None:
    how, *lobby = await rematch(desk, over, BEN)
    assert (f"new @{CARO} @{ANA}", [BEN, CARO, ANA]) == (how, seated_mentions(lobby))
    assert f"🔴 <@{BEN}> · host" in lobby
    table = await desk.home.services.tables.at(CHANNEL)
    assert [True, False, False] == [holder.interaction_id > 0 for holder in table.row.holders], "only their tap counts"
    sent(desk.home)
    ((how, *_), *_) = await desk.tap(CARO, f"start:{table.id}:0:", message=PUBLIC)
    assert {f"@{ANA}", f"@{BEN}"} < {*how.split()}, "who was only seated by another player is asked"
    for user_id in (ANA, BEN):
        await desk.tap(user_id, f"ready:{table.id}:0:", message=PUBLIC)
    assert (Status.RUNNING, BEN) == (table.row.status, table.users[Seat(0)])
    assert not any(f"@{ANA}" in head for head, *_ in sent(desk.home) if head.startswith("PATCH")), (
        "an edit calls nobody"
    )


async def test_a_rematch_keeps_the_options_and_the_computers(desk: Desk) -> None:
    computer = SeatHolder(computer="uniform")
    table = await desk.home.posted(CHANNEL, SeatHolder(ANA, name="Ana"), computer, options={"rounds": 1})
    (bid, *_) = table.require_match().decision_of(Seat(0)).options
    await desk.home.services.moves.play(table, ANA, bid, interaction_id=1, version=None)
    _, *lobby = await rematch(desk, table, ANA)
    again = await desk.home.services.tables.at(CHANNEL)
    assert (["uniform", None], {"rounds": 1}) == ([one.computer for one in again.row.holders], again.row.options)
    assert any("rounds: 1" in line for line in lobby)


async def test_a_second_rematch_tap_is_refused_and_creates_no_second_table(desk: Desk, over: Table) -> None:
    answers = await asyncio.gather(rematch(desk, over, ANA), rematch(desk, over, BEN))
    answers += [await rematch(desk, over, user_id) for user_id in (ANA, BEN)]
    opened, *refused = sorted(answers, key=lambda answer: answer[0].startswith("new private"))
    assert "(Join join)" in opened
    assert [["new private", "There’s already a Toll table here, and you’re at it."]] * 3 == refused
    assert await desk.home.services.tables.find(over.id + 2) is None


async def test_only_a_player_of_the_game_can_request_a_rematch(desk: Desk, over: Table) -> None:
    assert ["new private", "Only somebody who played can start a rematch."] == await rematch(desk, over, DAN)
    assert await desk.home.store.matches.open_in(CHANNEL) is None


async def test_a_rematch_waits_for_another_table_to_close_and_works_after_a_restart(desk: Desk, over: Table) -> None:
    dan = await desk.home.lobby(CHANNEL, SeatHolder(DAN, name="Dan"), host_id=DAN)
    await desk.home.services.lobbies.note_lobby_message(dan, 55)
    how, refused = await rematch(desk, over, ANA)
    assert ("new private", True) == (how, "already has a game of Sealed Bids" in refused)
    await desk.home.services.seats.end(dan, at=NOON)
    successor = desk.home.successor()
    assert 3 == len(seated_mentions(await rematch(Desk(successor), over, ANA)))


# --- looking back ---


def name_in(row: str) -> str:
    """A row of the list, without its id and its day."""
    return row.strip().partition(" – ")[0].partition(" ")[2]


async def games(desk: Desk) -> list[str]:
    """The rows of the list of games."""
    ((how, title, _, *rows),) = await desk.command(DAN, list_games)
    assert ("new private", "### Games in this channel") == (how, title)
    return rows


async def test_the_game_list_shows_running_finished_and_called_off_games(desk: Desk, over: Table) -> None:
    ended = await begin(desk.home, ANA, BEN)
    await desk.home.services.seats.end(ended, by=ANA, at=NOON)
    await begin(desk.home, ANA, BEN, game="garden")
    rows = await games(desk)
    assert ["Garden, being played", "Sealed Bids, called off", "Toll, over"] == [name_in(row) for row in rows]
    assert f"  {over.id} Toll, over – last move on June 1, 2026" == rows[2]


async def test_choosing_a_finished_game_shows_its_final_board(desk: Desk, over: Table) -> None:
    ((_, *own),) = await desk.command(ANA, show, over=True)
    running = await begin(desk.home, ANA, BEN, game="garden")
    ((how, *screen),) = await desk.tap(ANA, f"game:{running.id}:0:", str(over.id))
    assert ("edit", own, ["a.png"]) == (how, screen, [file.filename for file in desk.files])
    assert ["[Log past]", "[As text text]", "[Replay film]"] == screen[-3:]
    pictures: Any = desk.home.services.pictures
    assert over.viewable_match().view(Seat(0)).state == pictures.drawings[-1][0].state


async def test_forged_rows_of_the_game_list_are_refused(desk: Desk, over: Table) -> None:
    """The second game is played in another channel."""
    other = await begin(desk.home, ANA, BEN, channel_id=3)
    gone = [["new private", "I can’t find that game here anymore."]]
    for row in (str(other.id), "999", "0", "-1", "x", "", "9" * 40, "٢"):
        assert gone == await desk.tap(ANA, f"game:{over.id}:0:", row), row


async def test_a_long_game_list_shows_the_newest_games(desk: Desk) -> None:
    home = desk.home
    for game in ("garden", *["sealed"] * 24):
        table = await home.match(game=game)
        await home.services.seats.end(table, by=HOST, at=home.clock.now())
    await home.match()
    ((_, _, _, *listed),) = await desk.command(HOST, list_games)
    over = [f"  {number} Sealed Bids, called off" for number in range(25, 1, -1)]
    assert ["  26 Sealed Bids, being played", *over] == [row.partition(" – ")[0] for row in listed]


async def test_a_channel_without_games_lists_none(desk: Desk) -> None:
    nothing = "There’s no game in this channel. Start one with `/table new`."
    assert [["new private", nothing]] == await desk.command(ANA, list_games)
    await desk.home.lobby()
    assert [["new private", "No game has begun in this channel yet."]] == await desk.command(ANA, list_games)
