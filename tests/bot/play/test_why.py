"""Explanations of moves: true, by the rules, and without secrets."""

from __future__ import annotations

import itertools
import re
from random import Random

import pytest

from bot.features.play import why
from bot.features.play.spelling import plain
from bot.features.play.why import Explained, _how_to_type, _moves_like, explain, known_options, position_of, reader_at
from bot.interactions.phone import text_height
from bot.interactions.typed import suggestion
from engine.core import Action
from engine.errors import IllegalAction, MatchOver
from engine.games import discover
from engine.languages import reading
from engine.match import Match
from engine.notation import format_action, shown_action
from engine.texts import Seat
from locales import language_of, languages
from tests.bot.desk import Desk
from tests.bot.refusing import GUEST, HOST
from tests.bot.walks import CASES, name_of, table_of, walk
from tests.engine.toys.sealed import Bid
from tests.playthroughs.taps import SETTINGS
from tests.sampling import every

EVERY = [(spec, seats) for spec in discover().values() for seats in spec.seats]
SECRETIVE = [(spec, seats) for spec, seats in EVERY if spec.hands and seats > 2]
"""Games with secrets for three or more: of two hands that make up the whole deck, neither is a secret to the other."""


def moves_of_others(match: Match, rng: Random) -> list[Action]:
    """Some moves that are possible for other seats, now or on their turn."""
    seats = map(Seat, range(match.setup.seats))
    options = list(itertools.chain.from_iterable(known_options(match, seat) for seat in seats))
    return rng.sample(options, min(12, len(options)))


def all_told(match: Match, seat: Seat, moves: list[Action]) -> list[Explained]:
    table = table_of(match.spec, match.setup.seats, match)
    return [explain(table, match, seat, action) for action in moves]


@pytest.mark.parametrize(("spec", "seats"), EVERY, ids=name_of)
def test_an_explanation_matches_the_result_of_playing_the_move(spec, seats):
    rng = Random(seats)
    for table in itertools.islice(walk(spec, seats, "why"), 0, 200, 18):
        match = table.match
        due = [decision.seat for decision in match.state.decisions()]
        moves = moves_of_others(match, rng)
        for seat in due:
            for action, explanation in zip(moves, all_told(match, seat, moves), strict=True):
                assert explanation.possible == (action in match.decision_of(seat).options)
                if explanation.possible:
                    assert re.match(r"### You can do that now\n\*\*\S", table.say(explanation.text, seat))
                else:
                    with pytest.raises(IllegalAction) as caught:
                        match.copy().play(seat, action)
                    assert (caught.value.text, caught.value.rule) == (explanation.text, explanation.rule)


@pytest.mark.parametrize(("spec", "seats"), EVERY, ids=name_of)
def test_waiting_players_read_who_is_due_and_change_nothing(spec, seats):
    rng = Random(seats)
    for table in itertools.islice(walk(spec, seats, "wait"), 0, 200, 18):
        match, before = table.match, table.match.state
        due = {decision.seat for decision in before.decisions()}
        for seat in set(map(Seat, range(seats))) - due:
            for explanation in all_told(match, seat, moves_of_others(match, rng)):
                sentence = table.say(explanation.text)
                assert sentence.startswith(f"### Not your turn yet, {table.names[seat]}\n")
                assert all(table.say(table.person(other)) in sentence for other in due)
                assert not explanation.possible
                assert explanation.rule in {"", *spec.rulebook.sections}
        assert before == match.state


@pytest.mark.parametrize(("spec", "seats"), SECRETIVE, ids=name_of)
def test_answers_and_suggestions_reveal_nothing_hidden(spec, seats):
    rng, changed = Random(seats), 0
    for table in itertools.islice(walk(spec, seats, "secrets"), 0, None, every(29)):
        match = table.match
        moves = moves_of_others(match, rng)
        for viewer in map(Seat, range(seats)):
            other = match.copy()
            other.state = match.state.determinize(viewer, rng)
            changed += other.state != match.state
            assert all_told(match, viewer, moves) == all_told(other, viewer, moves)
            offered, of_other = (
                list(_moves_like(table_of(spec, seats, position), viewer, "")) for position in (match, other)
            )
            assert offered == of_other
    assert changed > 0


def test_nothing_is_explained_after_the_end():
    spec = discover()["muses"]
    *_, table = walk(spec, 2, "end")
    match = table.match
    while not match.outcome:
        decision = match.state.decisions()[0]
        match.play(decision.seat, decision.options[0])
    with pytest.raises(MatchOver):
        explain(table, match, Seat(0), spec.actions[-1]())
    assert () == known_options(match, Seat(0))


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize(("spec", "seats"), CASES[:: every(2)], ids=name_of)
def test_every_suggestion_parses_to_one_move_in_the_language_of_the_reader(spec, seats, code):
    for table in itertools.islice(walk(spec, seats, "suggested"), 0, 41, 40):
        with reading(language_of(code)):
            for seat in map(Seat, range(seats)):
                rows = [row for row in _moves_like(table, seat, "") if row]
                reader = reader_at(table, seat)
                assert rows or table.match.state.decision_of(seat) is None
                assert len(rows) == len({value for _, value in rows})
                for name, value in Random(seats).sample(rows, min(2, len(rows))):
                    assert 1 == len(reader.read(value)), (name, value)
                    assert name == suggestion(name, value).name, "no name is cut"


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize(("spec", "seats"), CASES[:: every(2)], ids=name_of)
def test_suggestions_are_found_by_english_words_in_every_language_and_need_a_position(spec, seats, code):
    rng = Random(seats)
    for table in itertools.islice(walk(spec, seats, "english"), 0, 41, 20):
        for seat in map(Seat, range(seats)):
            reader = reader_at(table, seat)
            typed = {move: shown_action(move) for move in rng.sample(reader.options, min(3, len(reader.options)))}
            with reading(language_of(code)):
                for move, english in typed.items():
                    # one by one: those after it, and all that are not legal, need not be put into words
                    values = (value for _, value in filter(None, _moves_like(table, seat, english)))
                    assert shown_action(move) in values, english
                assert bool(reader.options) == any(_moves_like(table, seat, ""))


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize(("spec", "seats"), CASES[:: every(2)], ids=name_of)
def test_the_answer_to_a_misspelled_move_names_moves_like_it_on_one_screen(spec, seats, code):
    table = next(walk(spec, seats, "misspelled"))
    seat = table.match.state.decisions()[0].seat
    with reading(language_of(code)):
        reader = reader_at(table, seat)
        longest = max(plain(reader.voice.label(reader.options[-1])), key=len)
        misspelled = f"qq {longest[:2]}q{longest[2:]}"
        answer = table.say(_how_to_type(table, reader, misspelled), seat)
        assert text_height(answer) <= SETTINGS
        examples = answer.splitlines()[-min(3, len(reader.options)) :]
        assert longest in plain(examples[0]), "the most similar move comes first"
        assert len({*examples}) == len(examples)


def test_button_labels_are_understood_even_without_the_button():
    spec = discover()["gangs"]
    table = next(walk(spec, 3, "buttons"))
    with reading(language_of("de")):
        for seat in map(Seat, range(3)):
            assert ["accept"] == [format_action(move) for move in reader_at(table, seat).read("Ja")]
            assert ["accept"] == [format_action(move) for move in reader_at(table, seat).read("yes")]


def test_a_long_suggestion_ends_with_a_whole_word():
    assert f"{'words ' * 16}…" == suggestion("words " * 40, "value").name


async def test_a_typed_move_is_explained_to_each_player_and_understood_on_their_turn(desk: Desk) -> None:
    table = await desk.home.posted()
    usage = "* **Bid** (`bid coins`) – Seal a bid; the highest unique bid wins."
    how = ["This is how to type it:", usage, "  * coins: Coins to bid"]
    possible = ["### You can do that now", "**Bid 2**", "[Your move turn]"]
    refused = ["“Bid” is not possible now. To decide: Bid 0 to 3 coins.", "[Rule 2: Bids rule 2]"]
    several = ["That could mean 4 moves, such as Bid 0, Bid 1 and Bid 2. Please be more specific."]
    misread = ["“x” does not fit in “Bid”. Needed: Coins to bid.", *how]
    waiting = ["### Not your turn yet", "It’s 🔴 <@70>’s turn."]

    examples = ["“fly” isn’t a move of Sealed Bids.", "Examples of moves:", *(f"* **Bid {n}**" for n in range(3))]

    def without_position(typed: str) -> list[str]:
        return [f"“{typed}” is not a move here; try Bid."]

    answers = {
        "bid": (several, ["“Bid” alone is not a whole move.", *how]),
        "BID 2": (possible, waiting),
        "2": (possible, without_position("2")),
        "bid 7": (refused, waiting),
        "bid x": (misread, misread),
        "fly": (examples, without_position("fly")),
    }
    await desk.home.services.moves.play(table, GUEST, Bid(2), interaction_id=1, version=None)
    for typed, expected in answers.items():
        for user_id, lines in zip((HOST, GUEST), expected, strict=True):
            assert [["new private", *lines]] == await desk.command(user_id, why.why, typed=typed)


def test_a_seat_asks_from_its_view_of_the_position_or_of_that_of_its_turn() -> None:
    beginning, middle = (
        next(table.match for number, table in enumerate(walk(discover()["muses"], 2, "why")) if number == last)
        for last in (8, 10)
    )
    for match in (beginning, middle):
        (decision,) = match.state.decisions()
        mine, other = decision.seat, Seat(1 - decision.seat)
        own, on_turn = match.state.observe(mine), match.state.observe(other).if_on_turn(other)
        assert [own, on_turn, None] == [position_of(match, seat) for seat in (mine, other, None)]
        assert (match is middle) == (own != own.if_on_turn(mine)) == (on_turn is None)
        theirs = on_turn.decisions()[0].options if on_turn else ()
        assert [decision.options, theirs, ()] == [known_options(match, seat) for seat in (mine, other, None)]
