"""Verifiable luck: the inputs that a proof binds, and the changes that a check detects."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from importlib import resources
from itertools import combinations
from random import Random
from typing import Any

import pytest

from engine.core import Event, GameSpec, OptionValue, only
from engine.errors import BadRecord
from engine.games import discover
from engine.match import Draw, Match, UndoKind
from engine.players import discover as discover_players
from engine.proof import AS_STORED, SETTLED, Proof, commitment
from engine.record import Record, format_record, parse_record
from engine.texts import CHANCE, Seat
from engine.verify import Check, check_record, main, report

PROOF = Proof("ab" * 32, (11, 22, 33))
GAME = "muscat"


def record_random_game(spec: GameSpec, proof: Proof = PROOF) -> str:
    """The file of a whole game at random."""
    rng, player = Random("proof"), discover_players()["uniform"]
    seed = proof.seed(spec, {})
    match = Match.begin(spec, spec.setup(spec.seats[0], {}), seed)
    while match.outcome is None:
        decision = match.state.decisions()[0]
        match.play(decision.seat, player.choose(match.view(decision.seat), rng))
    names = ("Ana", "Ben", "Caro", "Dan")[: spec.seats[0]]
    return format_record(Record(spec, match.setup, {}, names, seed, tuple(match.entries), proof), match.outcome)


@pytest.fixture(scope="module")
def file() -> str:
    return record_random_game(discover()[GAME])


@pytest.mark.parametrize(
    "other",
    [
        lambda: replace(PROOF, secret="ab" * 31 + "ac").seed(SPEC, {}),
        lambda: replace(PROOF, ids=(11, 22, 34)).seed(SPEC, {}),
        lambda: replace(PROOF, ids=(22, 11, 33)).seed(SPEC, {}),
        lambda: PROOF.seed(discover()["jinns"], {}),
        lambda: PROOF.seed(replace(SPEC, rules_version=SPEC.rules_version + 1), {}),
        lambda: PROOF.seed(SPEC, {"hands": 1}),
        lambda: PROOF.seed(SPEC, {"powers": "none"}),
        lambda: PROOF.seed(SPEC, {"powers": WITHOUT_NAME.replace("suns = 1", "suns = 2", 1)}),
    ],
)
def test_secret_ids_game_rules_and_options_all_change_the_seed(other: Callable[[], str]) -> None:
    assert PROOF.seed(SPEC, {}) != other()


SPEC = discover()["muses"]
WITHOUT_NAME = resources.files("engine.games.muses").joinpath("house_powers.toml").read_text(encoding="utf-8")


def ways_to_choose(spec: GameSpec) -> Iterator[dict[str, OptionValue]]:
    """The default options, each written out or left out, in reverse order."""
    usual = {field.name: field.default for field in fields(spec.options)}
    names = list(usual)
    for number in range(len(names) + 1):
        for some in combinations(names, number):
            yield {name: usual[name] for name in reversed(some)}


@pytest.mark.parametrize("slug", discover())
def test_one_secret_gives_one_seed_however_the_options_are_written(slug: str) -> None:
    spec = discover()[slug]
    ways = list(ways_to_choose(spec))
    assert 2 ** len(fields(spec.options)) == len(ways)
    assert 1 == len({PROOF.seed(spec, options) for options in ways})


def test_a_value_that_implies_others_gives_the_same_seed_as_those() -> None:
    jinns = discover()["jinns"]
    early = {"setup": "placement", "partners": "yes", "neutral_tower": "mover"}
    later = {"setup": "random", "partners": "no", "neutral_tower": "zero"}
    assert PROOF.seed(jinns, {}) == PROOF.seed(jinns, early)
    assert PROOF.seed(jinns, {"edition": "later"}) == PROOF.seed(jinns, later) != PROOF.seed(jinns, early)
    assert PROOF.seed(jinns, {"edition": "later", **early}) == PROOF.seed(jinns, early)


def test_comments_names_and_the_order_in_a_file_do_not_change_the_seed() -> None:
    sections = WITHOUT_NAME.split("\n[")
    files = [
        WITHOUT_NAME,
        f"# luck, be with me\n{WITHOUT_NAME}",
        WITHOUT_NAME.replace("name = ", 'name = "Other" # ', 1),
        "\n[".join((sections[0], *reversed(sections[1:]))) + "\n",
        WITHOUT_NAME.replace("suns = 1", "suns = 0x1"),
        "house",
    ]
    assert len(files) == len(set(files))
    assert 1 == len({PROOF.seed(SPEC, {"powers": text}) for text in files})


def test_an_old_proof_is_checked_by_the_old_scheme() -> None:
    before = replace(PROOF, version=AS_STORED)
    assert before.seed(SPEC, {}) != before.seed(SPEC, {"hands": 2}), "options were hashed as they were stored"
    options = {"hands": 2, "powers": "none"}
    assert before.seed(SPEC, options) == before.seed(SPEC, dict(reversed(options.items()))), "but in no order"
    old = json.loads(record_random_game(SPEC, before))
    assert AS_STORED == old["proof"].pop("version")
    assert check_record(parse_record(json.dumps(old).encode())).fault is None, "files of before name no version"
    old["proof"]["version"] = SETTLED
    assert "not made from this secret" in str(check_record(parse_record(json.dumps(old).encode())).verdict)


def test_a_shell_computes_the_same_hashes() -> None:
    options: dict[str, OptionValue] = {"powers": f"# Ali’s “cave” isn't here\n{WITHOUT_NAME}"}
    hashes = [
        subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout.split()[0]
        for command in PROOF.commands(SPEC, options)
    ]
    assert [commitment(PROOF.secret), PROOF.seed(SPEC, options)] == hashes


def test_a_secret_is_in_no_repr() -> None:
    assert PROOF.secret not in repr(PROOF)


@pytest.mark.parametrize("slug", discover())
def test_every_draw_of_every_game_follows_from_the_seed(slug: str) -> None:
    check = check_record(record := parse_record(record_random_game(discover()[slug]).encode()))
    assert check.fault is None
    assert bool(check.draws) == any(entry.seat == CHANCE for entry in record.entries)
    assert all(draw.notation == draw.expected for draw in check.draws)
    assert f"({len(check.draws)} draws checked)" in list(report(check))[-2]


def test_the_report_lists_draws_with_names_and_the_commands_to_recompute_them(file: str) -> None:
    record = parse_record(file.encode())
    text = "\n".join(report(check_record(record)))
    for part in (PROOF.secret, commitment(PROOF.secret), record.seed, "11 22 33", "| sha256sum", "Ana"):
        assert part in text
    assert f"Announced when the table was set up:\n  {commitment(PROOF.secret)}\n" in text
    assert f"when the game started:\n  {record.seed}\n" in text


class Dealt(Event):
    """A card dealt to one seat."""

    template = "{seat} {seat:takes|take} the {card}."

    seat: Seat
    card: str


def test_a_report_repeats_a_secret_draw_for_each_seat_in_its_audience(file: str) -> None:
    record = replace(parse_record(file.encode()), names=("Ana", "Ben", "Caro"))
    events = (
        Dealt(Seat(0), "sun"),
        Dealt(Seat(1), "moon", audience=only(Seat(1))),
        Dealt(Seat(2), "star", audience=frozenset({Seat(0), Seat(2)})),
    )
    report_lines = "\n".join(report(Check(record, (Draw(3, "deal", "deal", events),))))
    sentences = (
        "Draw 3: Ana takes the sun. (Ben) You take the moon. (Ana) Caro takes the star. (Caro) You take the star."
    )
    assert sentences in report_lines


def read_changed(file: str, change: Callable[[dict[str, Any]], object]) -> Record:
    content = json.loads(file)
    change(content)
    return parse_record(json.dumps(content).encode())


def _draw_otherwise(found: dict[str, Any]) -> None:
    draws = [entry for entry in found["entries"] if entry[0] == CHANCE]
    last = draws[-1]
    other = next(entry for entry in draws if entry[1].split()[0] == last[1].split()[0] and entry[1] != last[1])
    last[1] = other[1]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda found: found["proof"].update(secret="ab" * 31 + "ac"), "not made from this secret"),
        (lambda found: found["proof"].update(ids=[11, 22, 34]), "not made from this secret"),
        (lambda found: found.update(seed="0" * 64), "not made from this secret"),
        (_draw_otherwise, "is not what luck draws there"),
        (lambda found: found["result"].update(reason="conceded"), "not the result of its moves"),
        (lambda found: found["result"]["scores"].reverse(), "not the result of its moves"),
        (lambda found: found["result"].update(shares=[1.0, 0.0, 0.0]), "not the result of its moves"),
        (lambda found: found["entries"].pop(), "not the result of its moves"),
        (lambda found: found.pop("proof"), "no proof"),
    ],
)
def test_every_change_of_a_file_is_detected_and_named(file: str, change: Any, says: str) -> None:
    assert says in str(check_record(read_changed(file, change)).verdict)


def test_a_report_states_the_limits_of_a_check(file: str) -> None:
    last_line = list(report(check_record(parse_record(file.encode()))))[-1]
    assert last_line.startswith("Not checked: the names of the players, whether these are the moves that they made")
    cut = read_changed(file, lambda found: (found["entries"].pop(), found.pop("result")))
    assert check_record(cut).fault is None
    assert "does not reach the end" in list(report(check_record(cut)))[-2]
    assert check_record(read_changed(file, lambda found: found.pop("result"))).fault is None, (
        "a file need not name a result"
    )
    unproved = check_record(read_changed(file, lambda found: found.pop("proof")))
    assert unproved.fault is not None
    assert ["Muscat, rules 1", str(unproved.fault)] == list(report(unproved))[:2]
    renamed = read_changed(file, lambda found: found["names"].reverse())
    assert check_record(renamed).fault is None


@pytest.mark.parametrize(
    "result",
    [
        {},
        [],
        {"reason": 1, "scores": [], "shares": []},
        {"reason": "", "scores": [None], "shares": []},
        {"reason": "", "scores": [0] * 1000, "shares": []},
    ],
)
def test_an_invalid_result_is_refused(file: str, result: Any) -> None:
    with pytest.raises(BadRecord, match="result"):
        read_changed(file, lambda found: found.update(result=result))


@pytest.mark.parametrize("change", [{"ids": [7, True]}, {"ids": [7, "8"]}, {"version": True}, {"version": 99}])
def test_an_invalid_proof_is_refused(file: str, change: dict[str, Any]) -> None:
    with pytest.raises(BadRecord, match="proof"):
        read_changed(file, lambda found: found["proof"].update(change))


def test_a_changed_option_is_detected() -> None:
    spec = next(spec for spec in discover().values() if spec.presets)
    options = dict(spec.presets[-1].options)
    record = parse_record(record_random_game(spec).encode())
    assert "not made from this secret" in str(check_record(replace(record, options=options)).verdict)


def test_an_undone_draw_is_drawn_again_and_checked() -> None:
    spec, rng, player = discover()["alibaba"], Random("undo"), discover_players()["uniform"]
    seed = PROOF.seed(spec, {})
    match = Match.begin(spec, spec.setup(2), seed)
    while not any(entry.notation.startswith("undo") for entry in match.entries):
        seat = match.state.decisions()[0].seat
        match.play(seat, player.choose(match.view(seat), rng))
        policy = match.undo_policy(seat)
        if match.entries[-1].seat == CHANCE and policy.kind is UndoKind.CONSENT:
            again = match.entries[-1]
            match.undo(seat, policy.seats)
    match.redo(seat)
    assert again == match.effective[-1]
    record = Record(spec, match.setup, {}, ("Ana", "Ben"), seed, tuple(match.entries), PROOF)
    assert check_record(record).fault is None


def test_the_program_checks_a_file(file: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    (good := tmp_path / "game.json").write_text(file)
    (bad := tmp_path / "other.json").write_text("{}")
    (false := tmp_path / "false.json").write_text(file.replace('"reason": "', '"reason": "no '))
    assert [0, 1, 1, 2] == [main([str(path)]) for path in (good, bad, false, tmp_path / "none.json")]
    output = capsys.readouterr().out
    assert "Every draw matches the seed" in output
    assert "No such file" in output


def test_the_check_needs_only_the_standard_library(file: str, tmp_path: Any) -> None:
    (place := tmp_path / "game.json").write_text(file)
    run = subprocess.run([sys.executable, "-I", "-S", "-c", _ALONE, str(place)], capture_output=True, text=True)
    assert 0 == run.returncode, run.stderr


_ALONE = "import sys; sys.path.insert(0, '.'); from engine.verify import main; sys.exit(main(sys.argv[1:]))"
