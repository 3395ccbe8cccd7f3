"""The luck of a match: announced before it, mixed with what Discord makes, proved at its end, never told earlier."""

from __future__ import annotations

import json

import pytest

from engine.proof import AS_STORED, SETTLED, Proof, commitment
from engine.record import parse_record
from engine.verify import check_record
from playground.player import Player, Seen
from tests.bot.ahead import newest
from tests.bot.app import App
from tests.bot.moderating import begin
from tests.engine.toys import TOYS
from tests.rooms import Room, play_move, tap_more

SEED = Proof.seed


@pytest.fixture
def room(app: App, monkeypatch: pytest.MonkeyPatch) -> Room:
    """A room whose seeds are made as in production."""
    monkeypatch.setattr(Proof, "seed", SEED)
    return app.room()


def files(seen: Seen) -> dict[str, str]:
    """Contents of a message's attachments, by the ends of the names."""
    return {file.filename.rpartition(".")[2]: file.data.decode() for file in seen.images}


def secrets_of(app: App) -> list[str]:
    return [secret for (secret,) in app.query("SELECT secret FROM matches ORDER BY id")]


async def play_to_the_end(app: App, room: Room) -> Player:
    """Play a game with two deals as Ana and Ben, to the end. Returns Ana."""
    await begin(room, "Ana", "Ben", game="lay")
    people = room.people("Ana", "Ben")
    while (match := newest(app)[0]).outcome is None:
        for decision in match.state.decisions():
            await play_move(people[decision.seat], "lay lay", card=str(decision.options[0].card))
    await room.onlooker.expect("🥇")
    return people[0]


async def luck(person: Player) -> Seen:
    return await person.tap("Luck", on=await person.slash("game log"))


async def test_a_table_announces_its_luck_before_other_players_join(app: App, room: Room) -> None:
    ana, ben = room.people("Ana", "Ben")
    lobby = await ana.slash("table new", game="lay")
    (secret,) = secrets_of(app)
    assert 64 == len(secret)
    # 128 bits where everyone reads them, most of them behind a tap
    assert f"The luck of this game is sealed: ||{commitment(secret)[:32]}||" in lobby
    answer = await ben.tap("Luck", on=await ben.tap("More", on=lobby))
    assert answer.ephemeral
    assert commitment(secret) in answer
    assert secret not in answer.text


async def test_the_announced_luck_survives_a_restart(app: App, room: Room) -> None:
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="lay")
    before = secrets_of(app)
    await app.close()
    await app.open()
    assert f"is sealed: ||{commitment(before[0])[:32]}||" in await ben.tap("Join")
    assert before == secrets_of(app)


async def test_while_the_game_runs_only_the_announcement_is_shown(app: App, room: Room) -> None:
    await begin(room, "Ana", "Ben", game="lay")
    for person in room.people("Ana", "Dan"):
        reply = await luck(person)
        assert commitment(secrets_of(app)[0]) in reply
        assert not reply.images
        assert secrets_of(app)[0] not in reply.text


async def test_the_seed_includes_the_interaction_ids_of_joining_and_starting(app: App, room: Room) -> None:
    await begin(room, "Ana", "Ben", game="lay")
    ((ids, seed, options),) = app.query("SELECT ids, seed, options FROM matches")
    sat_down = [number for (number,) in app.query("SELECT interaction_id FROM seat_history ORDER BY seat")]
    assert sat_down == json.loads(ids)[:-1]
    assert sorted(set(json.loads(ids))) == json.loads(ids), "Start came after them"
    proof = Proof(secrets_of(app)[0], tuple(json.loads(ids)))
    assert seed == proof.seed(TOYS["lay"], json.loads(options))


async def test_after_the_end_every_draw_can_be_checked_in_the_chat_and_offline(app: App, room: Room) -> None:
    ana = await play_to_the_end(app, room)
    page = await tap_more(ana, "Luck")
    assert "✅ Every draw matches the seed (2 draws checked)." in page
    assert f"announced as `{commitment(secrets_of(app)[0])[:32]}…`" in page
    assert secrets_of(app)[0] in files(page)["txt"]
    assert "(Ben) You hold" in files(page)["txt"]
    exported = files(await ana.tap("Export", on=await ana.slash("game log")))["json"]
    assert check_record(parse_record(exported.encode())).fault is None


async def test_the_luck_of_a_called_off_game_is_proved(app: App, room: Room) -> None:
    await begin(room, "Ana", "Ben", game="lay")
    ana = room.person("Ana")
    await ana.tap("End it", on=await ana.slash("table end"))
    response = await ana.tap("Luck", on=await _log_of_the_first(ana))
    assert "✅ Every draw matches the seed (1 draw checked)." in response
    assert secrets_of(app)[0] in files(response)["txt"]


async def _log_of_the_first(person: Player) -> Seen:
    listed = await person.slash("game list")
    return await person.tap("Log", on=await person.choose(listed.menus[0].options[0].value, on=listed))


async def test_a_seed_changed_after_the_start_is_detected(app: App, room: Room) -> None:
    ana = await play_to_the_end(app, room)
    await app.close()
    app.write("UPDATE matches SET seed = ?", [("0" * 64,)])
    await app.open()
    assert "❌ The seed was not made from this secret" in await tap_more(ana, "Luck")


async def test_a_game_continued_from_a_file_has_a_new_secret_and_no_proof(app: App, room: Room) -> None:
    ana = await play_to_the_end(app, room)
    exported = files(await ana.tap("Export", on=await ana.slash("game log")))["json"]
    elsewhere = app.room().person("Ana")
    await elsewhere.slash("table continue", file=("game.json", exported.encode()), at=2)
    assert "no proof of its luck" in await luck(elsewhere)
    first, second = app.seeds()
    assert first != second


async def test_a_game_keeps_the_version_of_its_proof(app: App, room: Room) -> None:
    ana = await play_to_the_end(app, room)
    assert [(SETTLED,)] == app.query("SELECT proof_version FROM matches")
    await app.close()
    app.write("UPDATE matches SET proof_version = ?", [(AS_STORED,)])
    await app.open()
    exported = files(await ana.tap("Export", on=await ana.slash("game log")))["json"]
    assert AS_STORED == json.loads(exported)["proof"]["version"]
