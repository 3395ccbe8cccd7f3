"""A game as files: the public part while it runs, and a finished one that continues from any move."""

from __future__ import annotations

import dataclasses
import json
from contextlib import suppress
from functools import cache
from importlib.resources import files as files_of_package
from typing import Any

import pytest

from bot.features.view.export import _lines
from engine.errors import EngineError, SetupError
from engine.games import discover
from engine.languages import reading
from engine.match import Match
from engine.record import MAX_BYTES, MAX_ENTRIES, Record, format_record, parse_record
from engine.texts import CHANCE
from engine.town.actions import Appear
from engine.town.thieves import THIEVES
from engine.wording import label
from locales import language_of
from playground.player import Player, Seen
from tests.bot.ahead import walk_until
from tests.bot.app import App
from tests.bot.moderating import begin
from tests.bot.walks import walk
from tests.rooms import Room, play_move, tap_more


@pytest.fixture
def room(app: App) -> Room:
    return app.room()


def files(seen: Seen) -> dict[str, bytes]:
    """Contents of a message's attachments, by the ends of the names."""
    return {image.filename.rpartition(".")[2]: image.data for image in seen.images}


async def play_to_the_end(room: Room) -> Player:
    """Play sealed bids as Ana and Ben, to the end. Returns Ana."""
    await begin(room, "Ana", "Ben")
    ana, ben = room.people("Ana", "Ben")
    for _ in range(3):
        await play_move(ana, "sealed bid", coins="1")
        await play_move(ben, "sealed bid", coins="2")
    await room.onlooker.expect("wins!")
    return ana


async def exported_by(person: Player) -> Seen:
    return await person.tap("Export", on=await person.slash("game log"))


async def test_during_a_game_exports_contain_only_what_the_user_may_know(app: App, room: Room) -> None:
    await begin(room, "Ana", "Ben", game="alibaba")
    ana, dan = room.people("Ana", "Dan")
    own, others = await exported_by(ana), await exported_by(dan)
    assert own.ephemeral
    assert ["txt"] == list(files(own)) == list(files(others))
    assert "You are dealt" in files(own)["txt"].decode()
    assert "dealt 1" not in files(others)["txt"].decode()
    assert app.seeds()[0] not in files(own)["txt"].decode()


async def test_a_finished_game_can_be_continued_from_its_file(app: App, room: Room) -> None:
    ana = await play_to_the_end(room)
    exported = files(await exported_by(ana))
    assert "The end:" in exported["txt"].decode()
    record = json.loads(exported["json"])
    assert ["Ana", "Ben"] == record["names"]
    elsewhere = app.room().person("Ben")
    answer = await elsewhere.slash("table continue", file=("game.json", exported["json"]), at=1)
    assert "after move 1." in answer
    assert [(0, "bid 1")] == app.query("SELECT seat, notation FROM entries WHERE match_id = 2 AND n = 0")
    assert [("", "uniform"), ("Ben", None)] == app.query("SELECT name, computer FROM seat_history WHERE match_id = 2")
    assert app.seeds()[1] not in (record["seed"], exported["json"].decode())
    whole = await app.room().person("Ana").slash("table continue", file=("game.json", exported["json"]))
    assert "is over" in whole


BROKEN: dict[str, tuple[Any, str]] = {
    "no json": (b"\xff\xfe", "not JSON in UTF-8"),
    "half a sign": ({"seed": "\ud800"}, "not JSON in UTF-8"),
    "deep": (b'{"format":' + b"[" * 100_000, "not JSON in UTF-8"),
    "long": (b" " * (MAX_BYTES + 1), "more than 1,000,000 bytes"),
    "something else": ([], "has no game"),
    "newer": ({"version": 2}, "another version"),
    "unknown game": ({"game": "chess"}, "do not know the game “chess”"),
    "older rules": ({"rules_version": 0}, "under other rules"),
    "odd options": ({"options": {"rounds": [1]}}, "option “rounds” in this file makes no sense"),
    "unknown option": ({"options": {"speed": 1}}, "has no option “speed”"),
    "too many people": ({"names": ["x"] * 99}, "not for 99"),
    "no seed": ({"seed": None}, "“seed” is missing"),
    "no pair": ({"entries": [[0]]}, "Entry 0 of this file is not a pair"),
    "no seat": ({"entries": [[True, "bid 1"]]}, "Entry 0 of this file is not a pair"),
    "endless": ({"entries": [[0, "x"]] * (MAX_ENTRIES + 1)}, "more than 5,000 moves"),
    "nonsense": ({"entries": [[0, "dance"]]}, "Entry 0 cannot be read"),
    "not allowed": ({"entries": [[0, "undo 7"]]}, "Entry 0, “undo”, does not fit"),
    "nobody": ({"entries": [[17, "done"]]}, "Entry 0"),
}


def test_a_file_with_too_many_values_is_refused_before_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    full = json.dumps(record_of("muses") | {"entries": [[0, "place B"]] * MAX_ENTRIES, "options": {"x": "," * 10_000}})
    with pytest.raises(EngineError, match="no option “x”"):
        parse_record(full.encode())
    monkeypatch.setattr(json, "loads", None)
    with pytest.raises(EngineError, match="more than 5,000 moves"):
        parse_record(b'{"entries": [' + b"[0, 1], " * 100_000 + b"1]}")


@cache
def written_by(slug: str) -> str:
    """The file of a whole game, with the options that a lobby has at first."""
    spec = discover()[slug]
    options = spec.presets[0].options if spec.presets else {}
    begun = Match.begin(spec, spec.setup(spec.seats[0], options), "seed")
    match = walk_until(begun, lambda match: match.outcome is not None)
    return format_record(
        Record(spec, match.setup, options, ("x",) * spec.seats[0], "seed", tuple(match.entries)), match.outcome
    )


def record_of(slug: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(written_by(slug))
    return record


@pytest.mark.parametrize("what", BROKEN)
def test_an_invalid_file_is_refused_with_an_explanation(what: str) -> None:
    change, sentence = BROKEN[what]
    record = change if not isinstance(change, dict) else record_of("muses") | change
    raw = record if isinstance(record, bytes) else json.dumps(record).encode()
    with pytest.raises(EngineError) as refused:
        parse_record(raw).match()
    assert sentence in str(refused.value)


def test_manipulated_luck_in_a_file_is_detected() -> None:
    record = record_of("jinns")
    n = next(n for n, (seat, _) in enumerate(record["entries"]) if seat == -1)
    others = {notation for seat, notation in record["entries"] if seat == -1} - {record["entries"][n][1]}
    record["entries"][n][1] = min(others)
    with pytest.raises(EngineError, match="is not what luck draws there"):
        parse_record(json.dumps(record).encode()).match()


@pytest.mark.parametrize("slug", discover())
def test_every_exported_game_is_read_back_unchanged(slug: str) -> None:
    record = parse_record(json.dumps(record_of(slug)).encode())
    assert record_of(slug)["options"] == record.options
    whole = record.match()
    assert whole.outcome is not None
    assert whole.entries == list(record.entries)
    assert whole.entries == record.match(len(whole.effective)).entries
    half = record.match(whole.ply // 2)
    assert half.outcome is None
    assert whole.effective[: half.ply] == half.effective
    with pytest.raises(EngineError, match=f"has {whole.ply} moves"):
        record.match(whole.ply + 1)


@pytest.mark.parametrize("slug", discover())
def test_every_option_value_is_read_back_unchanged(slug: str) -> None:
    """Some options may have no value at all."""
    for field in dataclasses.fields(discover()[slug].options):
        for value in field.metadata["choices"]:
            record = record_of(slug) | {"options": {**record_of(slug)["options"], field.name: value}}
            with suppress(SetupError):  # it does not go with the others
                assert value == parse_record(json.dumps(record).encode()).options[field.name]


@pytest.mark.parametrize(("code", "words"), [("en", "Draw a hidden artist"), ("it", "Pesca un artista coperto")])
def test_a_choice_of_which_no_event_tells_is_in_the_words_of_its_button(code: str, words: str) -> None:
    *_, table = walk(discover()["muscat"], 3, "seed")
    with reading(language_of(code)):
        lines = list(_lines(table, table.viewable_match(), None))
    draws = [n for n, entry in enumerate(table.viewable_match().effective, 1) if entry.notation == "draw"]
    exported = [line for line in lines if line.endswith(f": {words}")]
    assert [f"{n}." for n in draws] == [line.split()[0] for line in exported]
    assert draws


def test_luck_of_which_no_event_tells_is_in_words() -> None:
    *_, table = walk(discover()["jinns"], 2, "seed")
    with reading(language_of("fr")):
        lines = list(_lines(table, table.viewable_match(), None))
        assert "bleu 3" == label(Appear(THIEVES[10]))
    draws = {entry.notation for entry in table.viewable_match().effective if entry.seat == CHANCE}
    unseen = [line.split(maxsplit=1)[1] for line in lines if " le hasard" in line]
    assert unseen
    assert set(unseen) <= {draw.replace("lay ", "le hasard\u202f: ") for draw in draws}


def test_a_file_with_one_move_is_described_in_the_singular() -> None:
    record = record_of("muses")
    with pytest.raises(EngineError, match=r"has 1 move\.$"):
        parse_record(json.dumps(record | {"entries": record["entries"][:1]}).encode()).match(5)


MARKUP = "[free](https://x.yz)**b**||s||<@1>@all"
"""A name as long as that of a table of Muses may be."""


def with_powers_named(name: str) -> bytes:
    """The file of a whole game of Muses with a table of powers by this name."""
    timed_app = files_of_package("engine.games.muses").joinpath("house_powers.toml").read_text(encoding="utf-8")
    powers = timed_app.replace('name = "House powers"', f'name = "{name}"')
    spec, options = discover()["muses"], {"powers": powers, "hands": 1}
    begun = Match.begin(spec, spec.setup(spec.seats[0], options), "seed")
    match = walk_until(begun, lambda match: match.outcome is not None)
    record = Record(spec, match.setup, options, ("Ana", "x"), "seed", tuple(match.entries))
    return format_record(record, match.outcome).encode()


def has_markup(seen: Seen) -> bool:
    return any(sign in seen.text for sign in ("](http", "**b**", "||s||", "<@1>", "@all"))


async def test_names_from_a_file_are_escaped_in_channel_messages(room: Room) -> None:
    ana = room.person("Ana")
    await ana.slash("table continue", file=("game.json", with_powers_named(MARKUP)))
    over = await room.onlooker.expect("wins!")
    lobby = await ana.tap("Rematch", on=over)
    assert "free" in lobby
    assert not has_markup(lobby)
    rules = await tap_more(ana, "Rules")
    assert "free" in rules
    assert not has_markup(rules)
    options = await ana.slash("table options")
    assert any(MARKUP in row.label for menu in options.menus for row in menu.options), "a menu knows no markup"


async def test_names_from_a_file_are_escaped_in_the_board_text(room: Room) -> None:
    ana = room.person("Ana")
    await ana.slash("table continue", file=("game.json", with_powers_named(MARKUP)), at=12)
    text = await ana.slash("game board", **{"as": "text"})
    assert "free" in text
    assert not has_markup(text)


@pytest.mark.parametrize(
    "change",
    [
        {"game": MARKUP},
        {"options": {MARKUP: 1}},
        {"options": {"powers": f'name = "x"\n"{MARKUP}" = 1'}},
        {"options": {"powers": f'name = "x"\n[calliope]\nsuns = "{MARKUP}"'}},
        {"options": {"hands": MARKUP}},
        {"entries": [[-1, MARKUP]]},
        {"entries": [[0, MARKUP]]},
    ],
    ids=str,
)
async def test_quotes_from_an_invalid_file_are_escaped(room: Room, change: dict[str, Any]) -> None:
    raw = json.dumps(record_of("muses") | change).encode()
    reply = await room.person("Ana").slash("table continue", file=("game.json", raw))
    assert "free" in reply or "entries" in change, "what a file says of moves is never quoted: it may be a secret"
    assert not has_markup(reply)


async def test_a_bad_file_opens_no_table(app: App, room: Room) -> None:
    page = await room.person("Ana").slash("table continue", file=("game.json", b"{}"))
    assert "has no game" in page
    assert [] == app.query("SELECT 1 FROM matches")
