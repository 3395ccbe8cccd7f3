"""Limits of expensive requests: one at a time for each user, and some in a while; a refusal says when to try again."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest

from bot.clock import Clock
from bot.errors import UserError
from bot.interactions import limits
from bot.interactions.limits import Limit, Limits
from bot.interactions.parts import stamp
from engine.texts import Text
from playground.player import Player
from tests.bot.app import App
from tests.bot.fake_clock import FakeClock
from tests.rooms import Room, play_move, start_game

ANA, BEN, MAX_REQUESTS = 70, 71, 2
SOME = timedelta(minutes=3)


class Still(Clock):
    """A clock that tests set."""

    def __init__(self) -> None:
        self.at = datetime(2026, 11, 22, 18, 30, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at


@pytest.fixture
def clock() -> Still:
    return Still()


@pytest.fixture
def limit(clock: Still) -> Limit:
    return Limit(clock, MAX_REQUESTS)


def ask(limit: Limit, user_id: int = ANA) -> str:
    """The text of the refusal; empty without one."""
    try:
        with limit.one(user_id):
            return ""
    except UserError as declined:
        return str(declined.text)


def test_a_user_over_the_limit_reads_when_to_try_again(limit: Limit, clock: Still) -> None:
    first = clock.at
    assert "" == ask(limit)
    clock.at += SOME
    assert "" == ask(limit)
    assert f"another {stamp(first + limits.WINDOW, 'R')}" in ask(limit)
    assert "" == ask(limit, BEN), "everybody has a limit of their own"
    clock.at = first + limits.WINDOW
    assert "" == ask(limit)
    assert f"another {stamp(first + SOME + limits.WINDOW, 'R')}" in ask(limit)


def test_a_refusal_names_the_limit_and_its_time(clock: Still) -> None:
    texts = []
    for window in (limits.WINDOW, limits.DAY):
        few = Limit(clock, 2, window)
        assert ["", ""] == [ask(few), ask(few)]
        texts.append(ask(few).partition(". ")[0])
    assert ["That’s 2 of these in ten minutes", "That’s 2 of these within a day"] == texts


def test_each_user_has_one_request_at_a_time(limit: Limit) -> None:
    with limit.one(ANA):
        assert "still working on your last request" in ask(limit)
        assert "" == ask(limit, BEN)
    assert "" == ask(limit)


def test_declined_requests_do_not_count_and_failed_ones_do(limit: Limit) -> None:
    for _ in range(MAX_REQUESTS + 1):
        with suppress(UserError), limit.one(ANA):
            raise UserError(Text("Nobody has moved yet."))
    with suppress(UserError), limit.one(ANA):
        ask(limit, BEN)
        raise UserError(Text("Nobody has moved yet."))
    assert "" == ask(limit)
    with suppress(UserError), limit.one(ANA):
        raise UserError(Text("Nobody has moved yet."))
    with suppress(OSError), limit.one(ANA):
        raise OSError
    assert "another" in ask(limit), "a declined request takes only itself back"


def test_old_requests_are_forgotten(limit: Limit, clock: Still) -> None:
    for user_id in range(100):
        ask(limit, user_id)
    clock.at += limits.WINDOW
    ask(limit)
    assert [ANA] == list(limit._starts)


def test_a_request_that_outlasts_the_time_window_ends_normally(limit: Limit, clock: Still) -> None:
    with suppress(UserError), limit.one(ANA):
        clock.at += 2 * limits.WINDOW
        ask(limit, BEN)
        raise UserError(Text("This is too late."))
    assert "" == ask(limit)


def test_a_clock_that_was_briefly_ahead_locks_no_user_out(limit: Limit, clock: Still) -> None:
    clock.at += timedelta(days=30)
    for _ in range(MAX_REQUESTS):
        ask(limit)
    clock.at -= timedelta(days=30)
    assert "" == ask(limit)


# --- in the chat ---


async def play_to_the_end(app: App) -> Room:
    """Play sealed bids as Ana and Ben, to the end."""
    room = app.room()
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="sealed")
    await ben.tap("Join")
    await start_game(ana, ben)
    for _ in range(3):
        await play_move(ana, "sealed bid", coins="1")
        await play_move(ben, "sealed bid", coins="2")
    await room.onlooker.expect("wins!")
    return room


@pytest.mark.parametrize("what", ["replay", "export", "share"])
async def test_replays_exports_and_shares_are_limited(
    app: App, fake_clock: FakeClock, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    await app.close()
    for name in ("MAX_REPLAYS", "MAX_EXPORTS", "MAX_SHARES"):
        monkeypatch.setattr(limits, name, MAX_REQUESTS if name == f"MAX_{what.upper()}S" else MAX_REQUESTS + 7)
    await app.open()
    room = await play_to_the_end(app)
    ana, ben = room.people("Ana", "Ben")
    pages = {person: await person.slash("game log" if what == "export" else "game replay") for person in (ana, ben)}
    fake_clock.ahead += limits.WINDOW

    async def asked(person: Player = ana) -> str:
        label = {"replay": "Whole game", "export": "Export", "share": "Show to everyone"}[what]
        answer = await person.tap(label, on=pages[person])
        return answer.text if answer.ephemeral else ""

    for _ in range(MAX_REQUESTS):
        assert "You can have another" not in await asked()
    posted = len(room.onlooker.messages)
    assert "That’s 2 of these in ten minutes. You can have another <t:" in await asked()
    assert posted == len(room.onlooker.messages)
    assert "You can have another" not in await asked(ben)
    fake_clock.ahead += limits.WINDOW
    assert "You can have another" not in await asked()


TEN_MINUTES, DAY = timedelta(minutes=10), timedelta(days=1)


@pytest.mark.parametrize(
    ("name", "most", "window"),
    [
        ("replays", 10, TEN_MINUTES),
        ("exports", 10, TEN_MINUTES),
        ("shares", 3, TEN_MINUTES),
        ("files", 10, TEN_MINUTES),
        ("retries", 30, TEN_MINUTES),
        ("my_data", 3, DAY),
        ("forgetting", 3, DAY),
    ],
)
def test_each_kind_of_request_has_its_own_limit(clock: Still, name: str, most: int, window: timedelta) -> None:
    limit: Limit = getattr(Limits.by(clock), name)
    for _ in range(most):
        with limit.one(ANA):
            pass
    clock.at += window - timedelta(seconds=1)
    with pytest.raises(UserError), limit.one(ANA):
        pass
    clock.at += timedelta(seconds=1)
    with limit.one(ANA):
        pass
