"""Answer for me: small questions outside one's own turn, given to a computer or to an auto-answer."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from bot.clock import Clock
from bot.store.auto_answers import AutoAnswer
from bot.store.facts import Facts
from bot.store.jobs import JobKind, ReplaceAll, version_of
from bot.store.matches import SeatHolder
from bot.tables import asides
from bot.tables.moves import Moves, NextStep
from bot.tables.table import Table
from bot.tables.tables import Tables
from engine.core import State
from engine.games import discover
from engine.match import Entry, Match
from engine.notation import format_action
from engine.texts import Seat
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.fake_clock import NAP
from tests.bot.forging import forge_row
from tests.bot.habits import choose_preference
from tests.bot.tables.test_silence import Notes
from tests.bot.timed_app import TimedApp
from tests.bot.walks import set_row, table_of
from tests.bot.watch import Watch
from tests.e2e.robots import BOARD
from tests.e2e.rooms import Room, choose_first, play_move, start_game
from tests.engine.toys import TOYS
from tests.engine.toys.toll import LEVYING

ALL_GAMES = {**discover(), **TOYS}
ASK, FIRST, DECLINE = "Ask me", "The first legal answer", "Decline"
FOR_HIM = "↪ Answered for you: "
WHILE = asides.MAX_DELAY / timedelta(hours=1) + 0.01
"""Hours after which every answer has come."""


async def always(person: Player, way: str, menu: int = 0) -> Seen:
    """Somebody chooses how a question is answered. Returns the page as it is then."""
    return await person.choose(way, on=await person.slash("me answers"), menu=menu)


def selected_labels(page: Seen) -> list[str]:
    return [option.label for menu in page.menus for option in menu.options if option.chosen]


def entries(app: App) -> list[tuple[int, str]]:
    return app.query("SELECT seat, notation FROM entries ORDER BY match_id, n")


def timers(app: App) -> list[Any]:
    return app.query("SELECT user_id, state, due_at FROM jobs WHERE kind = ?", JobKind.ANSWER)


async def begin_begging(timed_app: TimedApp) -> tuple[Room, Player, Player]:
    """Begin a game in which Ana begs and Ben is asked; neither knows the hand of the other."""
    room, (ana, ben) = await timed_app.begin("Ana", "Ben", game="beg")
    return room, ana, ben


async def beg(person: Player, card: int = 1) -> Seen | None:
    return await play_move(person, "beg beg", card=str(card))


# --- the page ---


async def test_the_auto_answer_page_is_private_and_a_choice_survives_a_restart(app: App) -> None:
    room = app.room()
    await start(room, "toll", "Ana", "Ben", "Caro")
    ana = room.person("Ana")
    page = await ana.slash("me answers")
    assert (True, [ASK]) == (page.ephemeral, selected_labels(page))
    assert "**Whether a traveler pays me**" in page
    after = await ana.choose("A computer decides", on=page)
    assert (page.id, ["A computer decides"]) == (after.id, selected_labels(after))
    await app.close()
    await app.open()
    assert ["A computer decides"] == selected_labels(await ana.slash("me answers"))
    assert [ASK] == selected_labels(await room.person("Ben").slash("me answers")), "nobody else’s"


async def test_a_choice_made_while_no_question_is_open_reports_no_answer(app: App) -> None:
    room = app.room()
    await start(room, "beg", "Ana", "Ben")
    page = await always(room.person("Ben"), "A computer decides")
    assert (["A computer decides"], False) == (selected_labels(page), "the question you were asked" in page)


async def start(room: Room, game: str, *names: str) -> Seen:
    host, *others = room.people(*names)
    await host.slash("table new", game=game)
    for person in others:
        await person.tap("Join")
    await start_game(host, *others)
    return await room.onlooker.expect(BOARD)


@pytest.mark.parametrize("values", [["perhaps"], ["decline"], []])
async def test_forged_auto_answers_are_refused(app: App, values: list[str]) -> None:
    room = app.room()
    await start(room, "toll", "Ana", "Ben", "Caro")
    ana = room.person("Ana")
    page = await ana.slash("me answers")
    for key in ("levying", "sleeping"):
        reply = await forge_row(app, ana, page, f"cm:answer:1:0:{key}", *values)
        assert "wrong on my end" not in reply
    assert [] == app.query("SELECT * FROM auto_answers")
    assert "not playing" in await room.onlooker.slash("me answers")


async def test_games_without_questions_out_of_turn_have_no_auto_answer_page(app: App) -> None:
    room = app.room()
    await start(room, "sealed", "Ana", "Ben")
    assert "nobody is asked anything outside their turn" in await room.person("Ana").slash("me answers")


# --- answers that everybody may see at once ---


def match_of(app: App) -> Match:
    """The only match there is, read from the database."""
    ((game,),) = app.query("SELECT game FROM matches")
    seats = len(app.query("SELECT seat FROM seat_history"))
    spec = ALL_GAMES[game]
    log = [Entry(Seat(seat), notation) for seat, notation in entries(app)]
    return Match.replay(spec, spec.setup(seats, spec.presets[0].options if spec.presets else {}), *app.seeds(), log)


async def until_asked(app: App, room: Room, *names: str) -> tuple[Player, str, Player]:
    """Play at random until a move of one would ask something of another. Returns who, the move, and the other."""
    people, rng = room.people(*names), Random(7)
    while True:
        match = match_of(app)
        (decision,) = match.state.decisions()
        for option in decision.options:
            then = match.copy()
            then.play(decision.seat, option)
            results = [d for d in then.state.decisions() if then.state.aside(d.seat) and not d.automatic]
            if results:
                return people[decision.seat], format_action(option), people[results[0].seat]
        option = rng.choice(decision.options)
        board = room.onlooker.last
        await play_move(people[decision.seat], "game move", what=format_action(option))
        match.play(decision.seat, option)
        if match.state.decisions()[0].seat != decision.seat:
            await room.onlooker.expect(BOARD, after=board)


async def test_an_auto_answer_settles_the_open_question_and_later_ones(app: App) -> None:
    room = app.room()
    board = await start(room, "toll", "Ana", "Ben")
    moderator, other = room.people("Ana", "Ben")
    if f"{moderator.mention}:" not in board.text:
        moderator, other = other, moderator
    page = await moderator.tap("Always answer…", on=await moderator.tap("Your move", on=board))
    assert "✓ I’ve answered the question you were asked." in await moderator.choose(FIRST, on=page)
    newer = await room.onlooker.expect(BOARD, after=board)
    assert moderator.mention not in newer.text.splitlines()[-1]
    assert "nswered" not in newer.text, "nobody is told that Ben was not asked"
    await always(other, FIRST)
    await room.onlooker.expect("wins!")
    answers = app.query("SELECT notation, at_once FROM entries JOIN answered USING (match_id, n)")
    assert len(answers) > 1
    assert {("levy yes", 1)} == set(answers)


async def test_an_auto_answer_is_shown_to_its_player_and_undone_with_the_move_it_followed(
    app: App, watch: Watch
) -> None:
    """A rise in Muscat. Pictures are tiny, since the first question comes after some moves."""
    room, names = app.room(), ("Ana", "Ben", "Caro")
    await start(room, "muscat", *names)
    actor, move, other = await until_asked(app, room, *names)
    page = await always(other, FIRST)
    assert FIRST in selected_labels(page)
    board, before = room.onlooker.last, len(entries(app))
    await other.slash("game board")
    await play_move(actor, "game move", what=move)
    after = await room.onlooker.expect(BOARD, after=board)
    answered = app.query("SELECT n FROM answered WHERE n > ?", before - 1)
    assert answered
    await app.close()
    await app.open()
    assert FOR_HIM in await other.slash("game board")
    assert FOR_HIM not in await room.onlooker.slash("game board")
    assert "You took this back" in await actor.slash("game undo")
    newest = await room.onlooker.expect(BOARD, after=after)
    assert actor.mention in newest.text
    assert FOR_HIM not in await other.slash("game board"), "it does not count any more"


# --- answers that take their time ---


async def test_a_revealing_auto_answer_is_delayed_and_then_looks_like_any_other(
    timed_app: TimedApp,
) -> None:
    room, ana, ben = await begin_begging(timed_app)
    await always(ben, DECLINE)
    await beg(ana)
    message = await room.onlooker.expect("Give 1")
    assert f"{ben.mention}: Give 1, or say no." in message.text
    assert ("Ben",) == message.pinged, "Ben is called like anybody else"
    ((user, _, _),) = timers(timed_app.app)
    assert ben.id == user
    assert "the question you were asked in a little while" in await always(ben, DECLINE)
    await timed_app.hours(asides.MIN_DELAY / timedelta(hours=1) / 2)
    assert (0, "beg 1") == entries(timed_app.app)[-1]
    await timed_app.app.close()
    await timed_app.app.open()
    await timed_app.hours(WHILE)
    board = await room.onlooker.expect(BOARD, after=message)
    assert "🟦 Ben has nothing to give." in board
    assert (1, "deny") == entries(timed_app.app)[-1]
    assert [] == timers(timed_app.app)
    assert FOR_HIM in await ben.slash("game board")
    assert "would have to agree" in await ana.slash("game undo"), "as after a choice of one's own"
    assert "turned on auto-answers" in await ben.slash("game log")
    assert "turned on auto-answers" not in await ana.slash("game log"), "that is nobody else’s business now"
    await ana.tap("End it", on=await ana.slash("table end"))
    assert f"{ben.mention} turned on auto-answers" in await ana.slash("game log")


async def test_an_auto_answer_interrupted_by_a_kill_is_given_once(timed_app: TimedApp) -> None:
    room, ana, ben = await begin_begging(timed_app)
    await always(ben, DECLINE)
    await beg(ana)
    await timed_app.app.close()
    timed_app.fake_clock.ahead += timedelta(hours=WHILE)
    fault = timed_app.app.local.fault("POST /channels/*/messages", status=503)
    await timed_app.app.open()
    await timed_app.hours(0)
    await timed_app.app.let_pass(2 * NAP)
    await room.onlooker.expect("🟦 Ben has nothing to give.")
    await timed_app.app.close()
    await timed_app.app.open()
    await ana.slash("game board")
    await timed_app.hours(WHILE)
    assert 1 == fault.struck
    assert [(0, "beg 1"), (1, "deny")] == entries(timed_app.app)[1:]
    assert 1 == sum("has nothing to give" in seen.text for seen in room.onlooker.messages)


@pytest.mark.parametrize("way", ["answers", "asked", "leaves", "undone"])
async def test_an_auto_answer_is_canceled_once_it_no_longer_applies(timed_app: TimedApp, way: str) -> None:
    room, ana, ben = await begin_begging(timed_app)
    await always(ben, DECLINE)
    await beg(ana)
    match way:
        case "answers":
            await play_move(ben, "beg deny")
        case "asked":
            assert "will be answered" not in await always(ben, ASK)
        case "leaves":
            await ben.tap("Resign", on=await ben.slash("game leave"))
            await room.onlooker.expect("begs 🔴 Ana")
        case "undone":
            await ana.slash("game undo")
    assert [] == timers(timed_app.app)
    entries_before = entries(timed_app.app)
    await timed_app.hours(WHILE)
    assert entries_before == entries(timed_app.app)
    if way == "leaves":
        assert [] == timed_app.app.query("SELECT * FROM auto_answers")
        rows = [kind for (kind,) in timed_app.app.query("SELECT kind FROM table_events")]
        assert ["answered", "asked"] == rows
        await ben.slash("game join")
        assert [ASK] == selected_labels(await ben.slash("me answers"))


async def test_an_auto_answer_waits_for_quiet_hours_but_not_for_an_absence(timed_app: TimedApp) -> None:
    timed_app.fake_clock.show(22)
    _, ana, ben = await begin_begging(timed_app)
    await timed_app.likes(ben, quiet="22-8", away="2100-01-01T00:00:00+00:00")
    await always(ben, DECLINE)
    await beg(ana)
    await timed_app.hours(9)
    assert (0, "beg 1") == entries(timed_app.app)[-1]
    timed_app.fake_clock.show(8)
    await timed_app.hours(WHILE)
    assert (1, "deny") == entries(timed_app.app)[-1]


async def test_a_started_answer_stops_the_auto_answer_and_other_settings_do_not_hurry_it(timed_app: TimedApp) -> None:
    room, ana, ben = await begin_begging(timed_app)
    await always(ben, DECLINE)
    await beg(ana)
    before = timers(timed_app.app)
    await choose_preference(ben, "interval", "Every 4 hours")
    assert before == timers(timed_app.app)
    posted = await ben.tap("Your move", on=await room.board())
    preview = await choose_first(ben, posted)
    await timed_app.hours(WHILE)
    assert (0, "beg 1") == entries(timed_app.app)[-1]
    await ben.tap("Confirm", on=preview)
    assert 1 == entries(timed_app.app)[-1][0]


async def test_a_repeated_choice_is_recorded_once_and_the_last_choice_counts(app: App) -> None:
    room = app.room()
    await start(room, "beg", "Ana", "Ben")
    ben = room.person("Ben")
    page = await always(ben, DECLINE)
    await room.repeat()
    await ben.choose(DECLINE, on=page)
    assert [("decline",)] == app.query("SELECT way FROM auto_answers")
    await ben.choose(FIRST, on=page)
    await ben.choose(ASK, on=page)
    assert [] == app.query("SELECT way FROM auto_answers")
    assert [("answered",), ("asked",)] == app.query("SELECT kind FROM table_events")


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
