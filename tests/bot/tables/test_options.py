"""How options, paces and places read, as whole lists."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.store.matches import MatchRow, Status
from bot.tables import options as options_module
from bot.tables.hours import find_zones
from bot.tables.options import option_words, plain_option_words, preset_of, starting_options, unusual, value_words
from bot.tables.paces import DAY, HOUR, PACES, all_paces, pace_label, pace_of, pace_rows, pace_words
from engine.core import field_types
from engine.games import discover
from engine.texts import Seat, Text


def test_the_paces_of_a_menu_say_the_time_and_what_comes_after_it() -> None:
    vote, computer = "the others decide", "a computer plays"
    lines = {
        "none": ("No time limit", ""),
        "relaxed": ("3 days, then a vote", f"Relaxed: 3 days per turn plus 3 to spare; after that, {vote}"),
        "relaxed-firm": (
            "3 days, then a computer",
            f"Relaxed: 3 days per turn plus 3 to spare; after that, {computer}",
        ),
        "daily": ("24 hours, then a vote", f"Daily: 24 hours per turn plus 2 days to spare; after that, {vote}"),
        "daily-firm": (
            "24 hours, then a computer",
            f"Daily: 24 hours per turn plus 2 days to spare; after that, {computer}",
        ),
        "brisk": ("4 hours, then a vote", f"Brisk: 4 hours per turn plus 12 to spare; after that, {vote}"),
        "brisk-firm": ("4 hours, then a computer", f"Brisk: 4 hours per turn plus 12 to spare; after that, {computer}"),
    }
    assert [(value, *words) for value, words in lines.items()] == [
        (value, str(label), str(details)) for value, label, details in pace_rows()
    ]
    assert ("", False) == all_paces()["none"]
    assert {("daily", False), ("daily", True)} < {*all_paces().values()}
    assert "No time limit" == str(pace_words("gone", firm=True)) == str(pace_label("gone", firm=True))
    assert (3 * HOUR, 4 * HOUR, 12 * HOUR) == (PACES["daily"].refill, PACES["brisk"].period, PACES["brisk"].bank)
    row = MatchRow(1, 9, 1, 7, "muscat", 1, {}, "", Status.LOBBY, None, (), pace="relaxed")
    assert (3 * DAY, 3 * DAY) == ((pace := pace_of(row)) and pace.period, pace and pace.bank)


def test_what_a_file_says_is_written_without_markup_and_other_values_by_their_names() -> None:
    spec, words = discover()["muscat"], cast(Any, value_words)
    metadata = {"choices": ("a_b", "c"), "file": str.upper}
    name = next(name for name, kind in field_types(spec.options).items() if kind is not Seat)
    field = SimpleNamespace(name=name, metadata=metadata)
    for value, written, plain in (("own", "<OWN>", "OWN"), ("a_b", "a b", "a b")):
        assert written == str(words(spec, field, value, written=lambda name: f"<{name}>"))
        assert plain == str(words(spec, field, value))


def test_only_a_message_escapes_the_words_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def words_of_file(*_: Any, written: Callable[[str], str]) -> Text:
        return Text("{value}", value=written("*own*"))

    monkeypatch.setattr(options_module, "value_words", words_of_file)
    spec = discover()["muscat"]
    name = next(iter(field_types(spec.options)))
    words = [str(words_of(spec, name, "")).rpartition(" ")[2] for words_of in (option_words, plain_option_words)]
    assert ["\\*own\\*", "*own*"] == words


@pytest.mark.parametrize("game", discover())
def test_each_option_reads_alike_in_messages_and_in_files(game: str) -> None:
    spec = discover()[game]
    setup = spec.setup(spec.seats[0])
    assert () == unusual(spec, setup)
    for name, value in setup.chosen().items():
        assert str(plain_option_words(spec, name, value)) == str(option_words(spec, name, value)).replace("\\", "")
    first = spec.presets[0] if spec.presets else None
    assert (dict(first.options) if first else {}) == starting_options(spec) == starting_options(spec, None)
    assert {} == starting_options(spec, {}) == starting_options(spec, {"no such option": 1})
    assert setup.chosen() == starting_options(spec, setup.chosen())
    assert first is None or first == preset_of(spec, first.options)


@pytest.mark.parametrize(
    ("typed", "zones"),
    [
        ("Zürich", ["Europe/Zurich"]),
        ("são paulo", ["America/Sao_Paulo"]),
        ("東京 Tokyo", ["Asia/Tokyo"]),
        ("tokio", ["Asia/Tokyo"]),
        ("Etc/GMT+2", ["Etc/GMT+2"]),
        ("!?", []),
        ("", []),
        ("no such place", []),
    ],
)
def test_a_place_is_found_however_it_is_written(typed: str, zones: list[str]) -> None:
    assert zones == [*find_zones(typed)]
