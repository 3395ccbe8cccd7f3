"""*Your move* begins with the events since the user's last look, in order and in few lines."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import cast

import pytest

from bot.interactions.phone import lines_of
from bot.posting.board_texts import log_pages, moves_of, recap, story, table_events_of
from bot.store.table_events import TableEvent, TableEventKind
from engine.core import Event
from engine.match import Match
from engine.texts import CHANCE, Seat
from engine.turns import Turn
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.walks import table_of
from tests.engine.toys import TOYS
from tests.engine.toys.sealed import Bid
from tests.robots import BOARD
from tests.rooms import Room, play_move, start_game

TABLE = table_of(TOYS["toll"], 3)
ANA, BEN, CARO = map(Seat, range(3))


class Robbed(Event):
    template = "{robber} robs {seat}."

    robber: Seat
    seat: Seat


class Beaten(Event):
    template = "{loser} {loser:loses|lose} to {winner}."

    winner: Seat
    loser: Seat


class Sang(Event):
    template = "{seat} {seat:sings|sing}."

    seat: Seat


class Undressed(Event):
    template = "The cloak of {seat} falls."

    seat: Seat


class Walked(Event):
    template = "{seat} {seat:walks|walk}."
    minor = True

    seat: Seat


class Rained(Event):
    template = "It rains."


class Stuck(Event):
    template = "{seats} {seats:is|are} stuck."
    lasting = True

    seats: tuple[Seat, ...]


class Told(Event):
    template = "{seat} {seat:tells|tell} a story that goes on for a hundred and one nights."

    seat: Seat


class Warned(Event):
    template = "{seat} {seat:shouts|shout}! Everyone at this end of the long market street looks up and runs."

    seat: Seat


class Moved(Event):
    template = "{seat} {seat:moves|move} from one end of the long market street to field {field}."
    brief = "moves to {field}"

    seat: Seat
    field: int


ENOUGH = 20
"""More lines than anything here takes: the names at this table are long."""


class Paid(Event):
    template = "{seat} {seat:pays|pay} {coins}."

    seat: Seat
    coins: int

    def and_then(self, after: Event) -> Event | None:
        return Paid(self.seat, self.coins + after.coins) if isinstance(after, Paid) else None


def lines(*history: tuple[Seat, tuple[Event, ...]]) -> list[str]:
    return recap(TABLE, ANA, history, most=ENOUGH).splitlines()


def test_the_recap_is_in_chronological_order() -> None:
    ben, caro = TABLE.names[1:]
    summary = lines((BEN, (Sang(BEN),)), (CARO, (Sang(CARO), Robbed(BEN, ANA))), (CHANCE, (Robbed(BEN, ANA),)))
    assert [f"{ben} sings.", f"{caro} sings. {ben} robs you. {ben.removeprefix('🟦 ')} robs you."] == summary


def test_an_automatic_answer_appears_where_it_happened() -> None:
    ben, caro = TABLE.names[1:]
    answered = (ANA, (Sang(ANA),))
    history = (BEN, (Sang(BEN),)), answered, (CHANCE, (Robbed(BEN, ANA),)), (CARO, (Sang(CARO),))
    lines_of_recap = recap(TABLE, ANA, history, [answered], most=ENOUGH).splitlines()
    assert [
        f"{ben} sings.",
        "↪ Answered for you: You sing.",
        f"{ben} robs you.",
        f"{caro} sings.",
    ] == lines_of_recap


def test_a_short_recap_prefers_events_about_the_reader_and_the_newest() -> None:
    robbed = [(seat, (Robbed(seat, ANA),)) for seat in (BEN, CARO)]
    others = [(seat, (Sang(seat),)) for seat in (BEN, CARO) * 5]
    words = recap(TABLE, ANA, (*robbed, *others), most=3)
    assert ["robs you", "robs you", "sings"] == [line.split(maxsplit=2)[-1].strip(".") for line in words.splitlines()]
    assert lines_of(words) <= 3
    assert words.splitlines() == [lines(*robbed)[0], lines(*robbed)[1], lines(*others)[-1]]


def test_the_consequences_of_a_move_are_told_with_the_move_first_if_it_fits() -> None:
    short, long = [
        recap(TABLE, ANA, [(BEN, (move, Rained(), Robbed(CARO, ANA))), (CARO, (Sang(CARO),))], most=2)
        for move in (Sang(BEN), Told(BEN))
    ]
    assert f"{TABLE.names[BEN]} sings. {TABLE.names[CARO]} robs you." == short
    assert [f"{TABLE.names[CARO]} robs you.", f"{TABLE.names[CARO]} sings."] == long.splitlines()


def test_each_line_begins_with_the_mark_of_the_seat_it_is_about_and_shows_it_once() -> None:
    red, blue = TABLE.marks[:2]
    ben = TABLE.names[BEN].removeprefix(f"{blue} ")
    assert [f"{red} You sing."] == lines((BEN, (Sang(ANA),))), "it is Ben’s turn, but the sentence is about Ana"
    assert [f"{blue} It rains. {ben} sings."] == lines((BEN, (Rained(), Sang(BEN))))
    assert [f"{blue} {ben} loses to you."] == lines((ANA, (Beaten(ANA, BEN),)))
    assert [f"{blue} The cloak of {ben} falls."] == lines((CARO, (Undressed(BEN),)))


def test_the_recap_is_never_empty_even_with_little_room() -> None:
    assert 1 == len(recap(TABLE, ANA, [(BEN, (Robbed(BEN, ANA), Sang(BEN)))], most=1).splitlines())
    assert "robs you" in recap(TABLE, ANA, [(BEN, (Robbed(BEN, ANA), Sang(BEN)))], most=1)


def test_an_overlong_sentence_gives_way_to_another_event_and_is_never_cut() -> None:
    history = [(CARO, (Moved(CARO, 7),)), (BEN, (Told(BEN),))]
    results = [recap(TABLE, ANA, history[-count:], most=most) for count, most in ((1, 2), (2, 1), (1, 1))]
    sentence = f"{TABLE.names[BEN]} tells a story that goes on for a hundred and one nights."
    assert [sentence, f"{TABLE.marks[CARO]} Moves to 7", ""] == results


def test_an_overlong_event_is_told_by_its_first_sentence() -> None:
    short = recap(TABLE, ANA, [(BEN, (Warned(BEN),))], most=1)
    assert f"{TABLE.names[BEN]} shouts!" == short


def test_a_sentence_that_is_slightly_too_long_is_in_small_print_with_its_end() -> None:
    (line,) = lines((BEN, (Paid(BEN, 10**10),)))
    words = recap(TABLE, ANA, [(BEN, (Paid(BEN, 10**10),))], most=1)
    assert (2, 1, f"-# {line}") == (lines_of(line), lines_of(words), words)


def test_the_short_form_of_an_event_keeps_the_end_of_a_sentence_from_being_cut() -> None:
    turn = (BEN, (Moved(BEN, 7),))
    assert [f"{TABLE.marks[BEN]} Moves to 7"] == recap(TABLE, ANA, [turn], most=1).splitlines()
    assert recap(TABLE, ANA, [turn], most=ENOUGH).endswith("to field 7.")


def test_an_automatic_answer_is_told_even_late_among_many_events() -> None:
    answered = (ANA, (Rained(),))
    others = [(seat, (Sang(seat),)) for seat in (BEN, CARO) * 5]
    words = recap(TABLE, ANA, (*others, answered), [answered]).splitlines()
    assert "↪ Answered for you: It rains." == words[-1]


def test_what_happens_before_the_first_move_has_no_number_in_the_log() -> None:
    setup, move = (CHANCE, (Rained(),)), (BEN, (Sang(BEN),))
    assert ["🎲 It rains.", f"`1` {TABLE.names[BEN]} sings."] == log_pages(TABLE, [setup, move])[0].splitlines()


def test_a_board_tells_minor_events_only_if_nothing_else_has_happened() -> None:
    ana, ben = (TABLE.names[seat] for seat in (ANA, BEN))
    walks = [(ANA, (Walked(ANA),)), (BEN, (Walked(BEN),))]
    assert [f"{ana} walks.", f"{ben} walks."] == story(TABLE, walks).splitlines()
    assert [f"{ana} sings."] == story(TABLE, [*walks, (ANA, (Sang(ANA),))]).splitlines()
    assert "" == story(TABLE, [])


def test_consecutive_equal_events_are_merged_except_in_the_log() -> None:
    history = [(BEN, (Paid(BEN, 1),)), (CHANCE, (Paid(BEN, 2),)), (BEN, (Sang(BEN), Paid(BEN, 4)))]
    ben = TABLE.names[BEN]
    name = ben.removeprefix("🟦 ")
    assert [f"{ben} pays 3. {name} sings. {name} pays 4."] == story(TABLE, history).splitlines() == lines(*history)
    assert f"{ben} pays 1. {name} pays 2. {name} sings. {name} pays 4." in log_pages(TABLE, history)[0]


def test_a_lasting_condition_is_reported_once_until_it_changes() -> None:
    stuck = [(BEN, (Sang(BEN), Stuck(seats))) for seats in ((ANA,), (ANA,), (ANA, CARO), (ANA, CARO))]
    history = [part for turn in stuck for part in (turn, (CARO, (Sang(CARO),)))]
    sentence = "\n".join(story(TABLE, history, most=2 * ENOUGH).splitlines())
    assert 2 == sentence.count("stuck")
    assert 8 == sentence.count("sings")


def test_an_automatic_answer_comes_before_newer_events_about_others() -> None:
    answer = (ANA, (Rained(),))
    assert "↪ Answered for you: It rains." == recap(TABLE, ANA, [answer, (BEN, (Sang(BEN),))], [answer], most=1)


def test_equal_automatic_answers_are_not_merged_into_one_that_was_not_given() -> None:
    answers = (ANA, (Paid(ANA, 1), Paid(ANA, 1)))
    assert "↪ Answered for you: You pay 1. You pay 1." == recap(TABLE, ANA, [answers], [answers])


@pytest.mark.parametrize(
    ("moves", "words"), [((0, 3), "1–3"), ((0, 1), "1"), ((2, 2), "2"), ((12, 14), "12–14"), ((3, 2), "3")]
)
def test_moves_are_numbered_from_one(moves: tuple[int, int], words: str) -> None:
    assert words == moves_of(cast(Turn, SimpleNamespace(moves=moves)))


def test_a_line_that_is_higher_than_a_page_makes_no_empty_page() -> None:
    endless = [(seat, (Moved(seat, 10**900),)) for seat in (BEN, CARO, BEN)]
    assert [1, 1, 1] == [page.count("\n") for page in log_pages(TABLE, endless)]


def test_an_automatic_answer_has_no_short_form_that_would_hide_that_it_was_one() -> None:
    turn = (ANA, (Moved(ANA, 7),))
    assert recap(TABLE, ANA, [turn], [turn], most=ENOUGH).startswith("↪ Answered for you: You")
    assert "↪ Answered for you: see *Log*." == recap(TABLE, ANA, [turn], [turn], most=1)


@pytest.mark.parametrize(
    ("draw", "later", "due", "lines_of_seats"),
    [
        ((Paid(BEN, 2),), (), BEN, 2),
        ((Paid(BEN, 2),), (), CARO, 1),
        ((Paid(BEN, 2),), ((BEN, (Sang(BEN),)),), CARO, 2),
        ((Paid(BEN, 2),), ((CHANCE, (Rained(),)), (BEN, (Sang(BEN),))), CARO, 2),
        ((Paid(BEN, 2), Paid(CARO, 2)), (), BEN, 1),
        ((Rained(),), (), BEN, 1),
    ],
)
def test_a_draw_for_the_player_who_acts_next_begins_their_line(
    draw: tuple[Event, ...], later: tuple[tuple[Seat, tuple[Event, ...]], ...], due: Seat, lines_of_seats: int
) -> None:
    table = table_of(TOYS["toll"], 3)
    state = SimpleNamespace(decisions=lambda: [SimpleNamespace(seat=due)])
    table.match = cast(Match, SimpleNamespace(state=state, setup=table.setup))
    first, *others = story(table, [(ANA, (Sang(ANA),)), (CHANCE, draw), *later]).splitlines()
    assert (lines_of_seats, True) == (1 + len(others), first.startswith(f"{TABLE.names[ANA]} sings."))
    assert others == [line for line in others if line.startswith(f"{TABLE.names[BEN]} pays 2.")]


def test_without_events_the_recap_is_empty() -> None:
    assert [] == lines()
    assert [] == lines((BEN, ()), (CHANCE, ()))


def test_table_events_are_numbered_by_the_log_even_after_an_undo() -> None:
    match = Match.begin(TOYS["sealed"], TOYS["sealed"].setup(2), "seed")
    match.play(ANA, Bid(1))
    match.undo(ANA)
    match.play(ANA, Bid(2))
    paced = TableEvent(TableEventKind.PACED, match.version, datetime(2026, 1, 1, tzinfo=UTC), user_id=1)
    (words,) = table_events_of(table_of(match.spec, 2, match), [paced], 1)
    assert str(words).startswith("-# after move 1: ")


@pytest.fixture
def room(app: App) -> Room:
    return app.room()


async def begin(room: Room, game: str, *names: str) -> Seen:
    host, *others = room.people(*names)
    await host.slash("table new", game=game)
    for person in others:
        await person.tap("Join")
    await start_game(host, *others)
    return await room.onlooker.expect(BOARD)


async def split_reply(person: Player, board: Seen) -> tuple[list[str], str]:
    """The lines that *Your move* tells before its question, and the question."""
    answer, _, question = f"\n{(await person.tap('Your move', on=board)).text}".partition("\n### ")
    return answer.splitlines()[1:], question


async def restart(app: App) -> None:
    """Restart the bot: everything is written before it goes."""
    await app.close()
    await app.open()


async def test_events_are_told_once_to_each_player(app: App, room: Room) -> None:
    board = await begin(room, "sealed", "Ana", "Ben")
    ana, ben = room.people("Ana", "Ben")
    assert [] == (await split_reply(ana, board))[0], "nothing has happened"
    for person, coins in ((ana, "3"), (ben, "1")):
        await play_move(person, "sealed bid", coins=coins)
    board = await room.board(after=board)
    for person in (ana, ben):
        words, question = await split_reply(person, board)
        assert ["The bids are 3 and 1."] == [line[2:] for line in words]
        await restart(app)
        assert ([], question) == await split_reply(person, board)


async def test_two_quick_taps_show_the_recap_once_and_a_failed_response_shows_it_again(app: App, room: Room) -> None:
    board = await begin(room, "garden", "Ana", "Ben")
    ana, ben = room.people("Ana", "Ben")
    await play_move(ana, "garden plant", bed="a1", crop="fallow")
    board = await room.board(after=board)
    app.local.fault("POST /interactions/*/callback", 403)
    app.local.allow("bot log: .* failed")
    assert "Something went wrong" in await ben.tap("Your move", on=board)
    taps = await asyncio.gather(split_reply(ben, board), split_reply(ben, board))
    assert ["🔴 Ana plants a1 with nothing."] == [line for selected, _ in taps for line in selected]


async def test_the_recap_begins_after_the_readers_last_act_or_look(app: App, room: Room) -> None:
    board = await begin(room, "garden", "Ana", "Ben")
    ana, ben = room.people("Ana", "Ben")
    await play_move(ana, "garden plant", bed="a1", crop="fallow")
    board = await room.board(after=board)
    assert ["🔴 Ana plants a1 with nothing."] == (await split_reply(ben, board))[0]
    await play_move(ben, "garden plant", bed="a2", crop="fallow")
    board = await room.board(after=board)
    await restart(app)
    assert ["🟦 Ben plants a2 with nothing."] == (await split_reply(ana, board))[0]


def test_an_automatic_answer_does_not_count_as_an_act_of_the_player() -> None:
    """Travelers set out by themselves: the owner of the gate has done so before being asked for the first time."""
    spec = TOYS["toll"]
    match = Match.begin(spec, spec.setup(2), "gate 0")
    table = table_of(spec, 2, match)
    while (decision := match.state.decisions()[0]).automatic:
        match.play(decision.seat, decision.options[0])
    assert decision.seat in [entry.seat for entry in match.entries]
    assert [0, 0] == [table.seen_version(ANA), table.seen_version(BEN)]
    before = match.version
    match.play(decision.seat, decision.options[0])
    assert sorted((0, before + 1)) == sorted((table.seen_version(ANA), table.seen_version(BEN)))


def test_only_events_of_a_turn_of_the_player_are_answers_for_them() -> None:
    answered = ((ANA, (Rained(), Paid(ANA, 1))),)
    history = (*answered, (BEN, (Rained(),)), (CARO, (Paid(ANA, 1), Paid(ANA, 2))))
    assert ["↪ Answered for you: It rains. You pay 1.", "🟦 It rains.", "🔴 You pay 3."] == recap(
        TABLE, ANA, history, answered, most=ENOUGH
    ).splitlines()
