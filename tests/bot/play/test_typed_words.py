"""`/game move`: every move use the words on the buttons, or in the board as text."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from bot.errors import UserError
from bot.features.play.drafting import TurnDraft
from bot.features.play.typed_words import MoveReader, move_said, reader_of
from bot.interactions.typed import MAX_TYPED, shortened_words
from bot.posting.pictures import describe
from bot.store.matches import SeatHolder
from engine.core import Action, GameSpec
from engine.games import discover
from engine.languages import reading
from engine.match import Match
from engine.notation import format_action, shown_action
from engine.texts import Seat
from engine.wording import Voice
from locales import language_of
from playground.player import Player, Seen
from tests.bot.ahead import walk_until
from tests.bot.app import App
from tests.bot.reading import phrases
from tests.bot.walks import CASES, name_of, set_row, table_of, walk
from tests.engine.toys import TOYS
from tests.engine.toys.garden import Bed, Crop, Plant
from tests.robots import BOARD

EVERY = 9
"""Moves between two checked positions."""

SOME = 8
"""Number of checked options of each position."""

TOY_CASES = [(spec, seats) for slug, spec in TOYS.items() for seats in spec.seats if slug != "garden"]
"""Games without a picture of their own; the garden has more options than any text."""

every_case = pytest.mark.parametrize(("spec", "seats"), CASES, ids=name_of)


def turns(spec: GameSpec, seats: int) -> Iterator[TurnDraft]:
    """The turns of a random game, some of them."""
    holders = tuple(SeatHolder(user_id=seat + 1, name=f"Wolfeschlegelstein {seat}") for seat in range(seats))
    for number, table in enumerate(walk(spec, seats, f"{spec.slug} {seats}")):
        set_row(table, holders=holders)
        if number % EVERY == 0 and table.match.outcome is None:
            seat = table.match.state.decisions()[0].seat
            yield TurnDraft(table, table.match, seat, (), table.match)


def read(reader: MoveReader, said: str) -> list[Action]:
    """The moves that the words of a player may mean; the command gets the first ones."""
    return list(reader.read(shortened_words(said, MAX_TYPED)))


def understood(turn: TurnDraft, said: str) -> Action:
    """The meaning of the words of a player; the command gets the first ones."""
    return move_said([turn], shortened_words(said, MAX_TYPED)).chosen[-1]


@every_case
def test_every_option_is_understood_by_its_labels_and_its_notation(spec: GameSpec, seats: int) -> None:
    rng = Random(spec.slug)
    for turn in turns(spec, seats):
        names, seen, reader = turn.table.names, turn.voice.state, reader_of(turn)
        voices = turn.voice, Voice(names, turn.seat, seen), Voice(names, None, seen)
        for option in rng.sample(turn.decision.options, min(SOME, len(turn.decision.options))):
            for typed_words in (shown_action(option), *(voice.label(option) for voice in voices)):
                assert [option] == read(reader, typed_words), typed_words
            assert [option] == read(reader, voices[0].label(option).upper())
        with reading(language_of("de")):
            german = voices[0].label(option)
        assert [option] == read(reader, german), "in any language, after others"


@pytest.mark.parametrize(("spec", "seats"), [*CASES, *TOY_CASES], ids=name_of)
def test_the_board_as_text_lists_every_option_in_words_that_parse(spec: GameSpec, seats: int) -> None:
    rng = Random(spec.slug)
    for turn in turns(spec, seats):
        options, reader = turn.decision.options, reader_of(turn)
        text = describe(turn.match.view(turn.seat), turn.table.names)
        assert len(text) < 3500
        listed = phrases(text)
        assert len(options) == len(listed) == len(set(listed)), text
        sample = rng.sample(listed, min(SOME, len(listed)))
        meanings = [read(reader, phrase) for phrase in sample]
        assert all(len(moves) == 1 and moves[0] in options for moves in meanings), text
        assert len(sample) == len({format_action(move) for (move,) in meanings}), text


# --- one move at a time ---


def turn_of(game: str, match: Match) -> TurnDraft:
    """The turn of the seat that is due first."""
    spec = (discover() | TOYS)[game]
    return TurnDraft(table_of(spec, 2, match), match, match.state.decisions()[0].seat, (), match)


@pytest.mark.parametrize(
    ("said", "notation"),
    [
        ("plant a1 nothing", "plant a1 fallow"),
        ("a1 nothing", "plant a1 fallow"),
        ("Nothing, A1", "plant a1 fallow"),
        ("noth b7", "plant b7 fallow"),
        ("(`plant b7 fallow`)", "plant b7 fallow"),
        ("**Plant** b7: nothing.", "plant b7 fallow"),
        ("b7 date", "plant b7 date blue"),
        ("b7 tree", None),
        ("b", None),
        ("a1 everything", None),
        ("", None),
        ("?!", None),
        ("x" * 6000, None),
    ],
)
def test_a_typed_move_must_be_specific_enough_for_one_option(said: str, notation: str | None) -> None:
    turn = turn_of("garden", Match.begin(TOYS["garden"], TOYS["garden"].setup(2), "seed"))
    if notation is None:
        with pytest.raises(UserError):
            understood(turn, said)
    else:
        assert notation == format_action(understood(turn, said))


def test_a_typed_move_is_added_to_the_choices_of_the_turn() -> None:
    spec = discover()["gangs"]
    turn = turn_of("gangs", Match.begin(spec, spec.setup(2), "seed"))
    begun = turn.with_chosen(turn.match.decision_of(turn.seat).options[:1])
    assert begun.decision is not None
    option = begun.decision.options[0]
    assert (*begun.chosen, option) == move_said([begun], format_action(option)).chosen


def test_a_leading_minus_sign_counts_and_separators_within_numbers_do_not() -> None:
    spec = discover()["gangs"]
    match = Match.begin(spec, spec.setup(2, {"trading": True}), "seed")
    turn = turn_of("gangs", walk_until(match, lambda match: any(len(d.options) > 200 for d in match.state.decisions())))
    for typed_words, price in (
        ("price -150", -150),
        ("−150", -150),
        ("price 150", 150),
        ("1,000 piastres", 1000),
    ):
        assert price == understood(turn, typed_words).piastres, typed_words
    assert -1000 == understood(turn, "you pay 1000 piastres").piastres


@pytest.fixture
async def board(app: App) -> Seen:
    """The garden: Ana is due, Ben is not."""
    ana, ben = (room := app.room()).people("Ana", "Ben")
    await ana.slash("table new", game="garden")
    await ben.tap("Join")
    await ana.tap("Start")
    return await room.onlooker.expect(BOARD)


def people(app: App, board: Seen) -> list[Player]:
    return [app.local.player(name, board.channel) for name in ("Ana", "Ben")]


async def test_unknown_or_ambiguous_words_get_a_friendly_answer_and_change_nothing(app: App, board: Seen) -> None:
    ana, ben = people(app, board)
    answer = await ana.slash("game move", what="a1 nothing")
    several = await ana.slash("game move", what="a2")
    assert "That could mean 3 moves, such as Plant a2 date tree 🟦 Ben, " in several
    assert several.text.endswith("Please be more specific.")
    nothing = await ana.slash("game move", what="@everyone **z9**")
    assert "I couldn’t find a move like “@\u200beveryone \\*\\*z9\\*\\*”." in nothing
    assert "**As text**" in nothing
    assert [True] * 2 == [results.ephemeral for results in (several, nothing)]
    assert ana.mention in await ben.slash("game move", what="a3 nothing")
    assert answer.text == (await ana.tap("Your move", on=board)).text, "what was chosen stays"
    assert [] == app.query("SELECT * FROM entries")


async def test_moves_are_suggested_by_button_labels_to_the_due_player_only(app: App, board: Seen) -> None:
    ana, ben = people(app, board)
    assert [("Plant b7 nothing", "plant b7 fallow")] == await ana.suggest("game move", "what", "b7 noth")
    assert 25 == len(await ana.suggest("game move", "what", ""))
    assert [] == await ana.suggest("game move", "what", "zzz")
    assert [] == await ben.suggest("game move", "what", "")
    (_, value), *_ = await ana.suggest("game move", "what", "b7 date")
    preview = await ana.slash("game move", what=value)
    await ana.tap("Confirm", on=preview)
    assert [("plant b7 date blue",)] == app.query("SELECT notation FROM entries")


def test_a_move_is_read_by_its_name_then_as_notation_then_by_some_of_its_words() -> None:
    options = [Plant(Bed("b", 4), crop, Seat(0)) for crop in (Crop.DATE, Crop.FIG)] + [
        Plant(Bed("b", 4), Crop.FALLOW, None)
    ]
    reader = MoveReader((Plant,), options, Voice(("Ana", "Ben"), Seat(1)))
    date, fig, fallow = options
    for typed, moves in {
        "plant B4 fig tree ana": [fig],
        "plant c4 fallow": [Plant(Bed("c", 4), Crop.FALLOW, None)],
        "fallow b4": [fallow],
        "tree": [date, fig],
        "tre": [date, fig],
        "camel": [],
        "?!": [],
    }.items():
        assert list(moves) == list(reader.read(typed)), typed
