"""Answer for me: small questions outside one's own turn, given to a computer or to an auto-answer."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from bot.clock import Clock
from bot.features.lobby.substitutes import join
from bot.features.play.move_commands import move
from bot.features.play.undo_buttons import undo_last
from bot.features.settings.auto_answer_page import show_answers
from bot.features.view.games import show, show_log
from bot.store.auto_answers import AutoAnswer
from bot.store.facts import Facts
from bot.store.jobs import JobKind, ReplaceAll, version_of
from bot.store.matches import SeatHolder, Status
from bot.tables import asides
from bot.tables.asides import asides_of
from bot.tables.moves import Moves, NextStep
from bot.tables.options import starting_options
from bot.tables.table import Table
from bot.tables.tables import Tables
from engine.core import CHANCE, State
from engine.games import discover
from engine.match import Match
from engine.notation import format_action
from engine.texts import Seat
from tests.bot.ahead import go_ahead
from tests.bot.desk import NAMES, Desk, Screen
from tests.bot.outcomes import prefer, sent
from tests.bot.refusing import CHANNEL, GUEST, HOST, HOUR, NOON, House, refusal
from tests.bot.tables.test_silence import Notes
from tests.bot.walks import set_row, table_of
from tests.engine.toys import TOYS
from tests.engine.toys.toll import LEVYING

ANA, BEN, CARO = HOST, GUEST, 72
ASK, FIRST, DECLINE, COMPUTER = "ask", "first", "decline", "computer"
FOR_HIM = "↪ Answered for you: "
WHILE = asides.MAX_DELAY + timedelta(minutes=1)
"""The time after which every answer has come."""


async def begin(home: House, game: str, *people: int) -> Table:
    """A game of these people, whose first board was posted; the worker has begun."""
    await home.begin()
    holders = [SeatHolder(user_id, name=NAMES[user_id]) for user_id in people]
    return await home.posted(CHANNEL, *holders, game=game, options=starting_options({**discover(), **TOYS}[game]))


async def begin_begging(home: House) -> Table:
    """A game in which Ana begs and Ben is asked; neither knows the hand of the other."""
    return await begin(home, "beg", ANA, BEN)


async def always(desk: Desk, user_id: int, way: str, key: str = "begged") -> Screen:
    """Somebody chooses how a question is answered. Returns the page as it is then."""
    return (await desk.tap(user_id, f"answer:1:0:{key}", way))[0]


def chosen(page: list[str]) -> list[str]:
    return [line[3:].partition(" ")[0] for line in page if line.startswith("  *")]


def notations(table: Table) -> list[str]:
    return [entry.notation for entry in table.require_match().entries]


async def timers(home: House) -> list[Any]:
    return [(job.user_id, job.due_at) for job in await home.store.jobs.of_match(JobKind.ANSWER, 1)]


async def play(desk: Desk, user_id: int, what: str) -> Screen:
    """Type a move and confirm it; its board is posted. Returns the answer."""
    (preview,) = await desk.command(user_id, move, what=what)
    done = await desk.press(user_id, "Confirm", preview)
    await desk.home.services.poster.publish(await desk.home.services.tables.at(CHANNEL))
    return done


async def text_of(desk: Desk, user_id: int, command: Any, **columns: Any) -> str:
    """The text of the answer to a command."""
    return (await desk.command(user_id, command, over=True, **columns))[0].text


# --- the page ---


async def test_the_auto_answer_page_is_private_and_a_choice_survives_a_restart(desk: Desk) -> None:
    await begin(desk.home, "toll", ANA, BEN, CARO)
    (page,) = await desk.command(ANA, show_answers)
    assert ("new private", [ASK]) == (page[0], chosen(page))
    assert "**Whether a traveler pays me**" in page
    after = await always(desk, ANA, COMPUTER, "levying")
    assert ("edit", [COMPUTER]) == (after[0], chosen(after))
    assert "the question you were asked" not in after.text, "none is open"
    desk = Desk(desk.home.successor())
    assert [[COMPUTER], [ASK]] == [chosen((await desk.command(user_id, show_answers))[0]) for user_id in (ANA, BEN)]


async def test_forged_auto_answers_are_refused(desk: Desk) -> None:
    table = await begin(desk.home, "toll", ANA, BEN, CARO)
    for values in (["perhaps"], ["decline"], []):
        for key in ("levying", "sleeping"):
            (answer,) = await desk.tap(ANA, f"answer:1:0:{key}", *values)
            assert "new private" == answer[0]
    assert {} == table.auto_answers
    assert "not playing" in (await desk.command(75, show_answers))[0][1]


async def test_games_without_questions_out_of_turn_have_no_auto_answer_page(desk: Desk) -> None:
    await begin(desk.home, "sealed", ANA, BEN)
    assert "nobody is asked anything outside their turn" in (await desk.command(ANA, show_answers))[0][1]


# --- answers that everybody may see at once ---


def asking(match: Match) -> tuple[Seat, str, Seat] | None:
    """A seat, its move that leads to a question for another seat, and that seat; `None` without such a move."""
    for decision in match.state.decisions():
        for option in () if decision.seat == CHANCE else decision.options:
            then = match.copy()
            then.play(decision.seat, option)
            for question in then.state.decisions():
                if then.state.aside(question.seat) and not question.automatic:
                    return decision.seat, format_action(option), question.seat
    return None


async def test_an_auto_answer_settles_the_open_question_and_later_ones(desk: Desk) -> None:
    home, table = desk.home, await begin(desk.home, "toll", ANA, BEN)
    payer = table.users[table.require_match().state.decisions()[0].seat]
    (question,) = await desk.tap(payer, "turn:1:0:")
    page = await desk.press(payer, "Always answer…", question)
    sent(home)
    assert "✓ I’ve answered the question you were asked." in await desk.choose(payer, FIRST, page)
    await home.let_pass(0 * HOUR)
    board = "\n".join(line for message in sent(home) for line in message)
    assert "nswered" not in board, "nobody is told that they were not asked"
    await always(desk, ANA + BEN - payer, FIRST, "levying")
    assert Status.OVER is table.row.status
    match = table.viewable_match()
    answers = [entry.notation for n, entry in enumerate(match.entries) if n in match.answered]
    assert (True, {"levy yes"}) == (len(answers) > 1, set(answers))


async def test_an_auto_answer_is_shown_to_its_player_and_undone_with_the_move_it_followed(desk: Desk) -> None:
    """A rise in Muscat."""
    table = await begin(desk.home, "muscat", ANA, BEN, CARO)
    await go_ahead(desk.home, table, lambda match: asking(match) is not None)
    mine, what, theirs = asking(table.require_match()) or (Seat(0), "", Seat(0))
    actor, other = table.users[mine], table.users[theirs]
    aside = next(iter(asides_of(table)))
    assert [FIRST] == chosen(await always(desk, other, FIRST, aside.key))
    await desk.command(other, show)
    before = table.require_match().version
    await play(desk, actor, what)
    assert any(n >= before for n in table.require_match().answered)
    desk = Desk(desk.home.successor())
    assert FOR_HIM in await text_of(desk, other, show)
    assert FOR_HIM not in await text_of(desk, 75, show)
    assert "You took this back" in await text_of(desk, actor, undo_last)
    assert FOR_HIM not in await text_of(desk, other, show), "it does not count any more"


# --- answers that take their time ---


async def test_a_revealing_auto_answer_is_delayed_and_then_looks_like_any_other(desk: Desk) -> None:
    home, table = desk.home, await begin_begging(desk.home)
    await always(desk, BEN, DECLINE)
    sent(home)
    await play(desk, ANA, "beg 1")
    ((head, *lines),) = sent(home)
    assert f"🟦 <@{BEN}>: Give 1, or say no." in lines
    assert f"POST /channels/{CHANNEL}/messages @{BEN}" == head, "Ben is called like anybody else"
    assert [BEN] == [user_id for user_id, _ in await timers(home)]
    assert "the question you were asked in a little while" in (await always(desk, BEN, DECLINE)).text
    await home.let_pass(asides.MIN_DELAY / 2)
    assert "beg 1" == notations(table)[-1]
    desk = Desk(home := home.successor())
    await home.begin()
    await home.let_pass(WHILE)
    table = await home.services.tables.at(CHANNEL)
    assert any("🟦 Ben has nothing to give." in message for message in sent(home))
    assert ("deny", []) == (notations(table)[-1], await timers(home))
    assert FOR_HIM in await text_of(desk, BEN, show)
    assert "would have to agree" in await text_of(desk, ANA, undo_last), "as after a choice of one's own"
    assert "turned on auto-answers" in await text_of(desk, BEN, show_log)
    assert "turned on auto-answers" not in await text_of(desk, ANA, show_log), "that is nobody else’s business now"
    await home.services.seats.end(table, by=ANA, at=NOON)
    assert f"<@{BEN}> turned on auto-answers" in await text_of(desk, ANA, show_log)


async def test_an_auto_answer_interrupted_by_a_kill_is_given_once(desk: Desk) -> None:
    home, _ = desk.home, await begin_begging(desk.home)
    await always(desk, BEN, DECLINE)
    await play(desk, ANA, "beg 1")
    home.time.now += WHILE
    refused, home = home, home.successor()
    home.network.fault = lambda: refusal(503)
    await home.begin()
    await home.let_pass(0 * HOUR)
    home.network.fault = None
    last = home.successor()
    await last.begin()
    await last.let_pass(WHILE)
    table = await last.services.tables.at(CHANNEL)
    assert ["beg 1", "deny"] == notations(table)[1:]
    messages = [message for one in (refused, home, last) for message in sent(one)]
    assert 1 == sum("🟦 Ben has nothing to give." in message for message in messages)


@pytest.mark.parametrize("way", ["answers", "asked", "leaves", "undone"])
async def test_an_auto_answer_is_canceled_once_it_no_longer_applies(desk: Desk, way: str) -> None:
    home, table = desk.home, await begin_begging(desk.home)
    await always(desk, BEN, DECLINE)
    await play(desk, ANA, "beg 1")
    match way:
        case "answers":
            await play(desk, BEN, "deny")
        case "asked":
            assert "the question you were asked" not in (await always(desk, BEN, ASK)).text
        case "leaves":
            await desk.tap(BEN, "resign:1:0:")
        case "undone":
            await desk.command(ANA, undo_last)
    assert [] == await timers(home)
    await home.let_pass(0 * HOUR)  # a computer plays in the seat of a player who left
    before = notations(table)
    await home.let_pass(WHILE)
    assert before == notations(table)
    if way == "leaves":
        assert ({}, ["answered", "asked"]) == (table.auto_answers, [event.kind for event in table.facts.events][:2])
        await desk.command(BEN, join)
        assert [ASK] == chosen((await desk.command(BEN, show_answers))[0])


async def test_an_auto_answer_waits_for_quiet_hours_but_not_for_an_absence(desk: Desk) -> None:
    home = desk.home
    home.time.now = NOON + 10 * HOUR
    table = await begin_begging(home)
    await prefer(home, BEN, quiet="22-8", away="2100-01-01T00:00:00+00:00")
    await always(desk, BEN, DECLINE)
    await play(desk, ANA, "beg 1")
    await home.let_pass(9 * HOUR)
    assert "beg 1" == notations(table)[-1]
    await home.let_pass(HOUR + WHILE)
    assert "deny" == notations(table)[-1]


async def test_a_started_answer_stops_the_auto_answer_and_other_settings_do_not_hurry_it(desk: Desk) -> None:
    home, table = desk.home, await begin_begging(desk.home)
    await always(desk, BEN, DECLINE)
    await play(desk, ANA, "beg 1")
    before = await timers(home)
    ((how, *_),) = await desk.tap(BEN, "habit:0:0:interval", "4")
    assert "edit" == how
    assert before == await timers(home) != []
    (question,) = await desk.tap(BEN, "turn:1:0:")
    preview = (await desk.tap(BEN, question.buttons[question.labels[0]]))[0]
    await home.let_pass(WHILE)
    assert "beg 1" == notations(table)[-1]
    await desk.press(BEN, "Confirm", preview)
    assert 1 == table.require_match().entries[3].seat


async def test_a_repeated_choice_is_recorded_once_and_the_last_choice_counts(desk: Desk) -> None:
    table = await begin_begging(desk.home)
    for _ in range(2):
        await always(desk, BEN, DECLINE)
    assert {Seat(1): {"begged": AutoAnswer.DECLINE}} == table.auto_answers
    await always(desk, BEN, FIRST)
    await always(desk, BEN, ASK)
    assert ({}, ["answered", "asked"]) == (table.auto_answers, [event.kind for event in table.facts.events])


def test_a_discreet_auto_answer_is_delayed_even_if_it_is_visible_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.begin(TOYS["toll"], TOYS["toll"].setup(2), "discreet")
    while (aside := match.state.aside(seat := match.state.decisions()[0].seat)) is None:
        match.play(seat, match.decision_of(seat).options[0])
    assert not asides.needs_delay(match, seat)
    monkeypatch.setattr(State, "aside", lambda state, seat: replace(aside, discreet=True))
    assert asides.needs_delay(match, seat)


def test_the_delay_of_an_auto_answer_is_unpredictable() -> None:
    times = {asides.random_delay() for _ in range(100)}
    assert len(times) > 10
    assert asides.MIN_DELAY <= min(times) < max(times) <= asides.MAX_DELAY


# --- silence ---


class Ledger(Notes):
    """Remembers when an answer is to be given."""

    def __init__(self) -> None:
        super().__init__()
        self.expected: list[Any] = []

    async def write(self, before: Facts, after: Facts, *more: object) -> Facts:
        now = Clock().now()
        expected = [job for change in after.jobs if isinstance(change, ReplaceAll) for job in change.jobs]
        waits = [round((job.due_at - now).total_seconds() / 10) for job in expected]
        self.expected = [(job.key, job.state["version"], wait) for job, wait in zip(expected, waits, strict=True)]
        return await super().write(before, after, *more)


@pytest.mark.parametrize("way", list(AutoAnswer))
async def test_the_timing_of_an_auto_answer_reveals_nothing_hidden(
    monkeypatch: pytest.MonkeyPatch, way: AutoAnswer
) -> None:
    """Tables that differ in secrets only: whether Ben holds the card that is begged for."""
    spec, heard, held = TOYS["beg"], set(), set()
    monkeypatch.setattr(secrets, "randbelow", lambda most: most // 2)
    for n in range(12):
        match = Match.begin(spec, spec.setup(2), "silence")
        match.state = match.state.determinize(None, Random(n))
        table = table_of(spec, 2, match)
        set_row(table, holders=(SeatHolder(1), SeatHolder(2)))
        table.facts = replace(table.facts, auto_answers={Seat(1): {"begged": way}})
        held.add(1 in match.state.hands[1])
        store: Any = Ledger()
        await Moves(store, Tables(store), Clock()).play(table, 1, match.parse("beg 1"), interaction_id=1, version=None)
        heard.add((tuple(store.expected), tuple(table.match.entries[1:]), version_of(table.waiting or "0")))
    assert {True, False} == held
    assert 1 == len(heard)


def match_at_toll(seed: str) -> tuple[Match, Seat]:
    """A game of toll that has come to a question for the toll, and the seat that is asked."""
    match = Match.begin(TOYS["toll"], TOYS["toll"].setup(2), seed)
    while (decision := match.state.decisions()[0]).automatic:
        match.play(decision.seat, decision.options[0])
    return match, decision.seat


async def answered_once(match: Match, seat: Seat) -> Table:
    """The table after the auto-answer of a seat, which ends with a board."""
    table = table_of(match.spec, 2, match)
    set_row(table, holders=(SeatHolder(1), SeatHolder(2)))
    table.facts = replace(table.facts, auto_answers={seat: {"levying": AutoAnswer.FIRST}})
    store: Any = Ledger()
    tables = Tables(store)
    async with tables.changing(table) as change:
        assert NextStep.BOARD is await Moves(store, tables, Clock()).answer(table, change, seat)
    return table


async def test_a_delayed_auto_answer_goes_on_until_another_player_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player, too, answers the next question in the same private message: one board for all of them."""
    real, answered_on = State.aside, 0
    monkeypatch.setattr(State, "aside", lambda *asked: (aside := real(*asked)) and replace(aside, discreet=True))
    for n in range(12):
        match, seat = match_at_toll(f"{n}")
        table = await answered_once(match, seat)
        answered_on += sum(entry.notation == "levy yes" for entry in table.match.entries) > 1
        assert seat not in {decision.seat for decision in table.match.state.decisions()}
    assert answered_on


async def test_a_question_without_an_auto_answer_brings_a_board_that_mentions_its_player(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody else would tell them: the answer before it was not their own, so they have no private message."""
    real, asked_on = State.aside, 0
    for n in range(12):
        match, seat = match_at_toll(f"{n}")
        first = match.state

        def aside(state: State, seat: Seat, first: State = first) -> Any:
            key = "levying" if state == first else "another question"
            return (aside := real(state, seat)) and replace(aside, discreet=True, key=key)

        monkeypatch.setattr(State, "aside", aside)
        table = await answered_once(match, seat)
        asked_on += {decision.seat for decision in table.require_match().state.decisions()} == {seat}
    assert asked_on


async def test_an_auto_answer_is_delayed_anew_where_others_are_asked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise it would come at once, and the others would see that a person did not give it."""
    aside = replace(LEVYING, discreet=True)
    monkeypatch.setattr(State, "aside", lambda state, seat: aside if state.decision_of(seat) else None)
    match = Match.begin(TOYS["sealed"], TOYS["sealed"].setup(2), "")
    match.play(Seat(0), match.parse("bid 1"))
    table = await answered_once(match, Seat(1))
    assert ["bid 1", "bid 0", "open"] == [entry.notation for entry in table.require_match().entries]
    assert {Seat(0), Seat(1)} == {decision.seat for decision in table.require_match().state.decisions()}
