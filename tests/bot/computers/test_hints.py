"""Hints: for people who play alone, or where the host allows them; never for others, and never of an old position."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from discord.ui import TextDisplay

from bot.computers import thinkers
from bot.computers.queue import Priority
from bot.features.play import hints as asking
from bot.features.play.drafting import TurnDraft
from bot.store.facts import Facts
from bot.store.matches import MatchRow, PastHolder, SeatHolder, Status
from bot.tables import rated
from bot.tables.table import Table
from engine.core import State, View
from engine.games import discover
from engine.players import hints
from engine.players.search.thinker import Thinker
from engine.texts import Seat, Text
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.forging import forge_row
from tests.bot.queueing import noted_priorities
from tests.bot.walks import walk
from tests.robots import BOARD
from tests.rooms import Room, choose_first, play_move

HINT = "Hint"


@pytest.fixture(autouse=True)
def _in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The workers are threads: they know the toys, and need not be started."""
    monkeypatch.setattr(thinkers, "_processes", ThreadPoolExecutor)
    monkeypatch.setattr(hints, "THINKER", Thinker(seconds=0.002, worlds=2))


async def begin(app: App, *, computer: bool, allowed: bool = False) -> tuple[Room, Seen]:
    """Ana plays the garden against a computer or Ben. Returns the board."""
    room = app.room()
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="garden")
    if allowed:
        page = await ana.slash("table options")
        menu = next(
            n for n, menu_shown in enumerate(page.menus) if any("Hints: yes" == o.label for o in menu_shown.options)
        )
        await ana.choose("Hints: yes", on=page, menu=menu)
        assert "**Hints** – players can ask" in await ben.tap("More")
    if computer:
        await ana.tap("Add computer")
    else:
        await ben.tap("Join")
    await ana.tap("Start")
    return room, await room.onlooker.expect(BOARD)


async def test_a_solo_player_can_request_a_hint_and_play_it(app: App) -> None:
    room, board = await begin(app, computer=True)
    ana = room.person("Ana")
    question = await ana.tap("Your move", on=board)
    answer = await ana.tap(HINT, on=question)
    assert answer.ephemeral
    assert answer.id != question.id, "the question stays"
    assert "If I were you" in answer
    assert "`over 95%` **Plant a1" in answer, "chances are told as guesses"
    assert 3 == len(answer.labels)
    preview = await choose_first(ana, answer)
    assert "Confirm" in preview.labels
    assert answer.text == (await ana.slash("game hint")).text, "of a complete turn, hints are about its beginning"
    await ana.tap("Confirm", on=preview)
    assert "moved on" in await ana.tap(HINT, on=question)
    assert 3 == len((await ana.slash("game hint")).labels)


async def test_a_hint_uses_only_what_its_player_can_see(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    views: list[View[State]] = []
    monkeypatch.setattr(asking, "hints", lambda view, seed: (views.append(view), hints.hints(view, seed))[1])
    room = app.room()
    ana = room.person("Ana")
    await ana.slash("table new", game="alibaba")
    await ana.tap("Add computer")
    await ana.tap("Start")
    await room.onlooker.expect(BOARD)
    await ana.slash("game hint")
    (view,) = views
    assert view.state == view.state.observe(Seat(0)) != view.state.observe(None)


async def test_a_repeated_hint_request_gets_the_same_hint_until_the_next_move(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[str] = []

    def noted(view: View[State], seed: str) -> tuple[hints.Hint, ...]:
        seeds.append(seed)
        return hints.hints(view, seed)

    monkeypatch.setattr(asking, "hints", noted)
    room, _ = await begin(app, computer=True)
    ana = room.person("Ana")
    first, again = await ana.slash("game hint"), await ana.slash("game hint")
    assert first.text == again.text
    await ana.tap("Confirm", on=await choose_first(ana, first))
    await room.onlooker.expect(BOARD)
    await ana.slash("game hint")
    assert ["1 0", "1 2"] == seeds, "each position is thought about once, and the same after a restart"


async def test_a_hint_is_queued_with_hint_priority(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    priorities = noted_priorities(monkeypatch)
    room, _ = await begin(app, computer=True)
    await room.person("Ana").slash("game hint")
    assert [Priority.HINT] == priorities


@pytest.mark.parametrize(
    ("reasons", "expected"),
    [
        ("aaa", "- - - a"),
        ("aab", "- - a - b"),
        ("aba", "- a - b - a"),
        ("a-a", "- a - - a"),
        ("--a", "- - - a"),
    ],
)
def test_a_reason_shared_by_several_hints_appears_once_below_them(reasons: str, expected: str) -> None:
    spec = discover()["muses"]
    table = next(walk(spec, 2, "hints"))
    (decision,) = table.match.state.decisions()
    turn = TurnDraft(table, table.match, decision.seat, (), table.match)
    whys = [None if reason == "-" else Text(reason) for reason in reasons]
    best = [hints.Hint(option, 0.5, why) for option, why in zip(decision.options, whys, strict=False)]
    text, _ = asking.hint_layout(turn, best).children
    assert isinstance(text, TextDisplay)
    _, *lines, _ = text.content.splitlines()
    assert expected.split() == [line.removeprefix("-# ") if line.startswith("-#") else "-" for line in lines]


async def test_games_between_people_have_hints_only_if_the_host_allows_them(app: App) -> None:
    room, board = await begin(app, computer=False)
    ana = room.person("Ana")
    assert HINT not in (await ana.tap("Your move", on=board)).labels
    assert "There are no hints at this table" in await ana.slash("game hint")
    room, board = await begin(app, computer=False, allowed=True)
    await app.close()
    await app.open()
    ana, ben, finn = room.people("Ana", "Ben", "Finn")
    assert HINT in (await ana.tap("Your move", on=board)).labels
    assert "If I were you" in await ana.tap("Show the hint", on=await ana.slash("game hint"))
    assert "Not your turn" in await ben.slash("game hint")
    assert "not playing" in await finn.slash("game hint")


async def resign(person: Player) -> None:
    await person.tap("Resign", on=await person.slash("game leave"))


async def first_move(person: Player) -> None:
    (_, what), *_ = await person.suggest("game move", "what")
    await play_move(person, "game move", what=what)


async def test_the_last_remaining_player_gets_no_hints(app: App) -> None:
    room, board = await begin(app, computer=False)
    ana, ben = room.people("Ana", "Ben")
    await first_move(ana)
    board = await room.onlooker.expect(BOARD, after=board)
    await resign(ben)
    await room.onlooker.expect(BOARD, after=board)  # the computer has moved
    assert "There are no hints at this table" in await ana.slash("game hint")


PERSON, OTHER, COMPUTER = SeatHolder(70), SeatHolder(71), SeatHolder(computer="easy")


@pytest.mark.parametrize(
    ("holders", "before", "may"),
    [
        ([PERSON, COMPUTER], [], True),
        ([PERSON, OTHER], [], False),
        ([PERSON, COMPUTER], [(1, OTHER)], False),
        ([PERSON, COMPUTER], [(1, COMPUTER)], True),
        ([OTHER, COMPUTER], [(0, PERSON)], True),
        ([COMPUTER, OTHER], [(0, PERSON), (1, COMPUTER)], False),
    ],
)
def test_hints_require_that_only_one_seat_was_ever_played_by_people(holders, before, may) -> None:
    sat = tuple(PastHolder(Seat(seat), holder, 1) for seat, holder in before)
    row = MatchRow(1, 1, 1, 70, "sealed", 1, {}, "", Status.RUNNING, None, tuple(holders), past_holders=sat)
    assert may == Table(Facts(row), None).may_hint


async def test_only_the_host_allows_hints_and_only_before_the_game(app: App) -> None:
    room = app.room()
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="garden")
    await ben.tap("Join")
    page = await ana.slash("table options")
    (match_id,) = app.query("SELECT id FROM matches")[0]
    control = f"cm:hints:{match_id}:0:"
    assert "Only the host" in await forge_row(app, ben, room.onlooker.last, control, "yes")
    assert "no such choice" in await forge_row(app, ana, page, control, "perhaps")
    await ana.tap("Start", on=room.onlooker.last)
    assert "begun" in await forge_row(app, ana, page, control, "yes")
    assert "There are no hints" in await ana.slash("game hint")


async def test_a_hint_makes_the_game_unrated_after_confirmation(app: App) -> None:
    room, board = await begin(app, computer=False, allowed=True)
    ana = room.person("Ana")
    reply = await ana.tap(HINT, on=await ana.tap("Your move", on=board))
    assert "no longer counts" in reply
    assert "If I were you" not in reply
    assert [(1,)] == app.query("SELECT rated FROM matches")
    assert "If I were you" in await ana.tap("Show the hint", on=reply)
    assert [(0,)] == app.query("SELECT rated FROM matches")
    assert "If I were you" in await ana.slash("game hint"), "it does not ask again"


async def test_a_player_who_is_behind_is_told_that_a_hint_forfeits_the_game(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def behind(_: Table) -> frozenset[Seat]:
        return frozenset({Seat(0)})

    monkeypatch.setattr(rated, "behind_now", behind)
    room, _ = await begin(app, computer=False, allowed=True)
    ana = room.person("Ana")
    reply = await ana.slash("game hint")
    assert "If you take a hint, this game counts as a loss for you" in reply
    assert [] == app.query("SELECT kind FROM table_events")
    assert "If I were you" in await ana.tap("Show the hint", on=reply)
    assert [("conceded",)] == app.query("SELECT kind FROM table_events")
    assert [(1,)] == app.query("SELECT rated FROM matches"), "it still counts for Ben"
    assert "If I were you" in await ana.slash("game hint"), "it does not ask again"
