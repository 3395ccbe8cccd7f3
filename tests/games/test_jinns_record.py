"""The record of positions: it counts right, is a value, and costs a move the same however long a match stalls."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product
from random import Random

from engine.games.jinns.events import EndReason
from engine.games.jinns.record import BUCKET, Record, Standing, noted, times
from engine.texts import Seat
from tests.games.jinns_positions import board_of, table
from tests.games.stall_jinns import known, stalling


def strangers(number: int, seed: int = 1) -> list[Standing]:
    """Positions that no match has, all different."""
    rng = Random(seed)
    return [(Seat(n % 4), (n, *(rng.randrange(1 << 13) for _ in range(31)))) for n in range(number)]


def record_of(standings: list[Standing]) -> Record:
    record: Record = ()
    for standing in standings:
        record = noted(record, standing)
    return record


def cells(record: Record) -> Iterator[tuple[object, ...]]:
    """Every tuple a record is made of."""
    yield record if isinstance(record, tuple) else record.parts
    if not isinstance(record, tuple):
        for part in record.parts:
            yield from cells(part)


def copied(before: Record, after: Record) -> int:
    """How many places of a record are not those of the one before it."""
    kept = {id(cell) for cell in cells(before)}
    return sum(len(cell) for cell in cells(after) if id(cell) not in kept)


def test_to_note_a_position_copies_as_little_after_thousands_as_after_a_few() -> None:
    """Each level of the tree has sixteen branches, and a full bucket is parted into as many."""
    standings = strangers(5000)
    for number in (10, 100, 1000, 4999):
        record = record_of(standings[:number])
        assert copied(record, noted(record, standings[number])) <= 16 * 5 + 2 * BUCKET


def test_to_look_a_position_up_takes_a_few_comparisons_after_thousands() -> None:
    record = record_of(strangers(5000))
    assert BUCKET >= max(len(cell) for cell in cells(record))


def test_a_stalling_match_copies_no_more_per_move_the_longer_it_lasts() -> None:
    states = [state for state, _ in stalling(2, 700)]
    costs = [copied(one.record, other.record) for one, other in pairwise(states)]
    assert known(states[-1].record) > 300
    assert max(costs) <= 16 * 4 + 2 * BUCKET


def test_a_record_counts_as_a_list_does() -> None:
    rng, standings = Random(3), strangers(400)
    record, counted = record_of([]), Counter[Standing]()
    for _ in range(1500):
        standing = rng.choice(standings)
        record = noted(record, standing)
        counted[standing] += 1
        assert counted[standing] == times(record, standing)
    assert all(counted[standing] == times(record, standing) for standing in (*standings, *strangers(50, seed=2)))


def test_positions_with_the_same_hash_are_told_apart() -> None:
    """Python gives -1 and -2 the same hash, so these can never be parted."""
    alike = [(Seat(0), board) for board in product((-1, -2), repeat=6)]
    assert {hash(standing) for standing in alike} == {hash(alike[0])}
    record = record_of(alike)
    assert [1] * 64 == [times(record, standing) for standing in alike]
    assert 2 == times(noted(record, alike[9]), alike[9])


def test_a_record_is_a_value() -> None:
    one, other = record_of(strangers(300)), record_of(strangers(300))
    assert (one, hash(one)) == (other, hash(other))
    assert one == pickle.loads(pickle.dumps(one))
    assert one != noted(one, strangers(1)[0])
    assert 300 == sum(times(one, standing) for standing in strangers(300))


def test_a_position_comes_again_after_a_thousand_others() -> None:
    t = table({0: "Y4 B1", 5: "R4"}, turn=1)
    start: Standing = (Seat(1), board_of({0: "Y4 B1", 5: "R4"}))
    t.match.state = replace(t.state, record=noted(record_of(strangers(1000)), start))
    assert t.play("move 0 1 5", "move 5 1 0", "move 0 1 5").over is None
    assert EndReason.REPETITION is t.play("move 5 1 0").over
