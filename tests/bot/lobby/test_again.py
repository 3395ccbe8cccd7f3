"""Messages after a game: its end in full, a rematch, and a list of the past games of a channel."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass

import pytest

from bot.features.view.games import list_games
from bot.tables.people import SEAT_MARKS
from engine.core import Decision, GameSpec
from engine.games import discover
from engine.match import Match
from engine.notation import format_action
from engine.texts import Seat
from playground.player import Player, Seen
from tests.bot.ahead import newest, play_ahead
from tests.bot.app import App
from tests.bot.desk import Desk
from tests.bot.forging import forge_row
from tests.bot.refusing import HOST
from tests.bot.walks import name_of
from tests.e2e.robots import BOARD
from tests.e2e.rooms import Room, play_move, start_game

PEOPLE = ("Ana", "Ben", "Caro")
MARKS = tuple(SEAT_MARKS.values())
every_game = pytest.mark.parametrize("spec", discover().values(), ids=name_of)


@dataclass(frozen=True)
class Over:
    """A game that has just ended, its people in order of their seats, and its last board."""

    app: App
    room: Room
    people: list[Player]
    board: Seen


async def begin(room: Room, spec: GameSpec, *names: str) -> tuple[list[Player], Seen]:
    """A game of these people. Returns them and the board."""
    people = room.people(*names)
    await people[0].slash("table new", game=spec.slug)
    for person in people[1:]:
        await person.tap("Join")
    await start_game(*people)
    return people, await room.onlooker.expect(BOARD)


async def play(app: App, room: Room, spec: GameSpec) -> Over:
    """A whole game of as few people as there can be."""
    people, board = await begin(room, spec, *PEOPLE[: spec.seats[0]])
    match = await play_ahead(app, lambda match: _last_move(match) is not None)
    seat, notation = _last_move(match)
    await play_move(people[seat], "game move", what=notation)
    return Over(app, room, people, await room.board(after=board))


def _last_move(match: Match) -> tuple[Seat, str] | None:
    """The seat and the notation of a move that ends the match, if there is one now."""
    moves = (
        (decision.seat, format_action(option))
        for decision in match.state.decisions()
        if not decision.automatic
        for option in decision.options
        if _ends(match, decision, option)
    )
    return next(moves, None)


def _ends(match: Match, decision: Decision, option: object) -> bool:
    after = match.copy()
    after.play(decision.seat, option)
    while (pending := after.state.decisions()) and pending[0].automatic:
        after.play(pending[0].seat, pending[0].options[0])
    return after.outcome is not None


@pytest.fixture
def room(app: App) -> Room:
    return app.room()


@pytest.fixture
async def full_game(app: App, room: Room) -> Over:
    """A game of Muscat without free seats."""
    return await play(app, room, discover()["muscat"])


# --- the end ---


@every_game
async def test_the_final_board_shows_places_points_and_a_reason_and_winners_see_that_they_won(
    app: App, room: Room, spec: GameSpec
) -> None:
    over = await play(app, room, spec)
    names = [person.name for person in over.people]
    assert sorted(names) == sorted(over.board.mentions) == sorted(over.board.pinged)
    assert ["Rematch", "Log", "As text", "Replay", "Luck"] == over.board.labels
    *_, won, standings, reason, rating = re.split(r"\n(?=## )|\n(?=-# )|(?<=!)\n", over.board.text)
    assert re.fullmatch(r"## .+ wins?!", won)
    assert rating.startswith("-# Rating: ")
    lines = standings.splitlines()
    places = [re.fullmatch(r"([🥇🥈🥉]) \S+ (<@\d+>) · (−?[\d,]+)(: .+)?", line) for line in lines]
    assert all(places), standings
    assert {person.mention for person in over.people} == {place[2] for place in places}
    points = dict(app.query("SELECT seat, score FROM results"))
    changes = {place[2]: int(place[3].replace(",", "").replace("−", "-")) for place in places}
    assert changes == {person.mention: points[seat] for seat, person in enumerate(over.people)}
    state = newest(app)[0].state
    explained = {person.mention for seat, person in enumerate(over.people) if state.account(Seat(seat))}
    assert explained == {place[2] for place in places if place[4]}, "where the game tells how points come about"
    assert re.fullmatch(r"-# [A-Z].+\.", reason), "a sentence"
    await _everybody_is_told_who_wins(over)


async def _everybody_is_told_who_wins(over: Over) -> None:
    """Winners are told so."""
    app = over.app
    (best,) = app.query("SELECT max(share) FROM results")[0]
    winners = [seat for (seat,) in app.query("SELECT seat FROM results WHERE share = ? ORDER BY seat", best)]
    for seat, person in enumerate(over.people):
        (won,) = [line for line in (await person.slash("game board")).text.splitlines() if line.startswith("## ")]
        if [seat] == winners:
            assert "## You win!" == won
        elif seat in winners:
            assert re.fullmatch(r"## .*\b[Yy]ou\b.* win!", won)
        else:
            assert not re.search(r"\byou\b", won, re.IGNORECASE)


async def test_the_log_opens_next_to_a_private_board(full_game: Over) -> None:
    ana = full_game.people[0]
    looked = await ana.slash("game board")
    log = await ana.tap("Log", on=looked)
    assert log.ephemeral
    assert looked.id != log.id
    assert looked.text == ana.look(looked).text
    assert "The game is over" in log
    earlier = await ana.tap("Previous", on=log)
    assert log.id == earlier.id, "its pages take each other’s place"


# --- once more ---


def seated_mentions(lobby: Seen) -> list[str]:
    """Mentions of the players in a lobby, in the order of their seats."""
    return re.findall(r"^\S+ (<@\d+>)", lobby.text, re.MULTILINE)


async def test_a_rematch_rotates_the_seats_and_pings_the_other_players_once(full_game: Over) -> None:
    ana, ben, caro = full_game.people
    called = {person.name: len(person.pings) for person in full_game.people}
    lobby = await ben.tap("Rematch", on=full_game.board)
    assert [ben.mention, caro.mention, ana.mention] == seated_mentions(lobby)
    assert f"{ben.mention} · host" in lobby
    assert [1, 0, 1] == [len(person.pings) - called[person.name] for person in full_game.people]
    assert not lobby.ephemeral
    question = await caro.tap("Start", on=lobby)
    waiting = question.text.partition("Waiting for ")[2]
    assert all(person.mention in waiting for person in (ana, ben)), "who was only seated by another player is asked"
    await ana.tap("Ready", on=question)
    await ben.tap("Ready", on=question)
    board = await full_game.room.onlooker.expect(BOARD, after=full_game.board)
    assert f"🔴 {ben.mention}: " in board
    assert [1, 0, 1] == [sum(seen.id == lobby.id for seen in person.pings) for person in full_game.people], (
        "the lobby calls nobody when it is edited"
    )


async def test_a_rematch_keeps_the_options_and_the_computers(app: App, room: Room) -> None:
    ana = room.person("Ana")
    await ana.slash("table new", game="sealed")
    await ana.tap("Add computer")
    answer = await ana.slash("table options")
    await ana.choose("rounds: 1", on=answer)
    await ana.tap("Start")
    board = await room.onlooker.expect(BOARD)
    await play_move(ana, "sealed bid", coins="3")
    board = await room.board(after=board)
    lobby = await ana.tap("Rematch", on=board)
    assert "🔴 Tumbleweed" in lobby.text.split(ana.mention)[0]
    assert "rounds: 1" in lobby
    assert [1, 1] == [options.count("rounds") for (options,) in app.query("SELECT options FROM matches")]


async def test_a_second_rematch_tap_is_refused_and_creates_no_second_table(full_game: Over) -> None:
    ana, ben, _ = full_game.people
    await asyncio.gather(ana.tap("Rematch", on=full_game.board), ben.tap("Rematch", on=full_game.board))
    assert [("OVER",), ("LOBBY",)] == [
        (status.upper(),) for (status,) in full_game.app.query("SELECT status FROM matches ORDER BY id")
    ]
    for person in (ana, ben):
        reply = await person.tap("Rematch", on=full_game.board)
        assert reply.ephemeral
        assert "There’s already a" in reply
    lobbies = [seen for seen in full_game.room.onlooker.messages if "Join" in seen.labels]
    assert 1 == len(lobbies)


async def test_only_a_player_of_the_game_can_request_a_rematch(full_game: Over) -> None:
    page = await full_game.room.onlooker.tap("Rematch", on=full_game.board)
    assert page.ephemeral
    assert "Only somebody who played" in page
    assert 1 == len(full_game.app.seeds())


async def test_a_rematch_waits_for_another_table_to_close_and_works_after_a_restart(full_game: Over) -> None:
    ana, dan = full_game.people[0], full_game.room.person("Dan")
    await dan.slash("table new", game="sealed")
    response = await ana.tap("Rematch", on=full_game.board)
    assert response.ephemeral
    assert "already has a game of Sealed Bids" in response
    await dan.slash("game leave")
    await full_game.app.close()
    await full_game.app.open()
    assert 3 == len(seated_mentions(await ana.tap("Rematch", on=full_game.board)))


# --- looking back ---


def rows(listed: Seen) -> list[str]:
    """The rows of the list, without their days."""
    return [option.label.partition(" – ")[0] for option in listed.menus[0].options]


async def test_the_game_list_shows_running_finished_and_called_off_games(full_game: Over) -> None:
    ana = full_game.people[0]
    for game in ("sealed", "garden"):
        await begin(full_game.room, discover()[game], "Ana", "Ben")
        if game == "sealed":
            await ana.tap("End it", on=await ana.slash("table end"))
    listed = await full_game.room.onlooker.slash("game list")
    assert listed.ephemeral
    assert ["Garden, being played", "Sealed Bids, called off", "Muscat, over"] == rows(listed)
    assert re.fullmatch(r"Muscat, over – last move on \w+ \d\d?, \d{4}", listed.menus[0].options[2].label)


async def test_choosing_a_finished_game_shows_its_final_board(full_game: Over) -> None:
    ana = full_game.people[0]
    own = (await ana.slash("game board")).text
    await begin(full_game.room, discover()["sealed"], "Ana", "Ben")
    screen = await ana.choose(await _muscat(ana), on=await ana.slash("game list"))
    assert (own, 1, ["Log", "As text", "Replay"]) == (screen.text, len(screen.images), screen.labels)
    assert "The game is over" in await ana.tap("Log", on=screen), "its own log, not that of the game that runs"
    assert "Palace" in await ana.tap("As text", on=screen)


async def _muscat(person: Player) -> str:
    (menu,) = (await person.slash("game list")).menus
    return next(option.value for option in menu.options if option.label.startswith("Muscat"))


async def test_forged_rows_of_the_game_list_are_refused(full_game: Over) -> None:
    """The second game is played in another channel."""
    await begin(full_game.app.room(), discover()["sealed"], "Ana", "Ben")
    ana = full_game.people[0]
    listed = await ana.slash("game list")
    for row in ("2", "999", "0", "-1", "x", "", "9" * 40, "٢"):
        places = await forge_row(full_game.app, ana, listed, listed.menus[0].custom_id, row)
        assert places.ephemeral
        assert "find that game here anymore" in places
        assert [] == list(places.images)


async def test_a_long_game_list_shows_the_newest_games(desk: Desk) -> None:
    home = desk.home
    for game in ("garden", *["sealed"] * 24):
        table = await home.match(game=game)
        await home.services.seats.end(table, by=HOST, at=home.clock.now())
    await home.match()
    ((_, _, _, *listed),) = await desk.command(HOST, list_games)
    over = [f"  {number} Sealed Bids, called off" for number in range(25, 1, -1)]
    assert ["  26 Sealed Bids, being played", *over] == [row.partition(" – ")[0] for row in listed]


async def test_a_channel_without_games_lists_none(room: Room) -> None:
    ana = room.person("Ana")
    assert "no game in this channel" in await ana.slash("game list")
    await ana.slash("table new", game="sealed")
    assert "No game has begun" in await ana.slash("game list")
