"""Functions written out field by field do what the loops they stand for would do."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields

import pytest

from engine.core import Event
from engine.texts import Seat
from engine.written import filling_slots


@filling_slots
@dataclass(frozen=True, slots=True)
class Rolled(Event):
    seat: Seat
    value: int = 3
    doubled: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "doubled", 2 * self.value)


def test_slots_are_filled_by_place_by_name_and_by_default() -> None:
    rolled = Rolled(Seat(1), value=5, audience=frozenset({Seat(1)}))
    assert (Seat(1), 5, 10, frozenset({Seat(1)})) == (rolled.seat, rolled.value, rolled.doubled, rolled.audience)
    assert [None, Seat(0), 3, 6] == [getattr(Rolled(Seat(0)), each.name) for each in fields(Rolled)]


def test_what_is_missing_or_strange_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Rolled.__init__\(\) missing 1 required positional argument: 'seat'"):
        Rolled()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'color'"):
        Rolled(Seat(0), color=1)  # type: ignore[call-arg]


def test_it_stays_a_frozen_value() -> None:
    rolled = Rolled(Seat(0), 4)
    with pytest.raises(FrozenInstanceError):
        rolled.value = 5  # type: ignore[misc]
    assert rolled == Rolled(Seat(0), 4) == pickle.loads(pickle.dumps(rolled))
    assert hash(rolled) == hash(Rolled(Seat(0), 4))
