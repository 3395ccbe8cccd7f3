"""Requests to Discord: no odd answer doubles a message, reaches the log, or stops the next request."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot import logs, metrics
from bot.clock import Clock
from bot.errors import DISCORD_ERRORS, ShuttingDown, UnreadableAnswer, is_refused, reason
from bot.interactions import channels, requests
from bot.interactions.channels import Channels
from bot.interactions.controls import Control, ControlId
from bot.interactions.exchanges import MAX_RATE_LIMIT, Exchanges
from bot.interactions.members import Members
from bot.interactions.parts import text_layout, words_layout
from bot.interactions.requests import WATCHDOG_TIMEOUT, Attempt, Requests, forget_limits
from bot.interactions.responses import Response
from engine.texts import Text
from playground import plan
from playground.broken import BROKEN, ODD_LIMITS
from playground.faults import NO_FIELD
from playground.harness import Playground
from playground.interactions import Cause, Interaction
from playground.launch import point_at
from playground.wire import TOKEN
from playground.world import Channel
from tests.bot.refusing import refusal
from tests.crowd.discord import EasyServers

HAND = "Your-hand-is-7-and-9"
"""A secret in everything that is sent."""

POSTS, EDITS = "POST /channels/{channel_id}/messages", "PATCH /channels/{channel_id}/messages/{message_id}"

MEMBER = "GET /guilds/*/members/*"

ODD_PAUSES: dict[str, object] = {"a word": "soon", "null": None, "missing": NO_FIELD, "1e300": 1e300, "below 0": -1}


class Line:
    """The bot's way to a local Discord, without a gateway; what it writes into its log at INFO is in `log`."""

    def __init__(self, local: Playground, client: discord.Client, requests: Requests, log: io.StringIO) -> None:
        self.local = local
        self.client = client
        self.requests = requests
        self.log = log
        self.channels = Channels(
            client, EasyServers(), on_gone=lambda _: None, on_success=lambda: None, requests=requests
        )
        self.members = Members(Clock(), requests)
        self.channel: Channel = local.channel("caravanserai")
        self.guild = local.discord.world.guild_id
        self.ana = local.player("Ana").id
        self.server = discord.Guild(data={"id": str(self.guild)}, state=client._connection)
        client._connection._add_guild(self.server)

    async def send(self, nonce: str = "") -> int:
        return await self.channels.send(self.channel.id, lambda: words_layout(HAND), nonce=nonce)

    async def edit(self, message_id: int) -> None:
        await self.channels.edit(self.channel.id, message_id, lambda: words_layout(HAND))

    @property
    def messages(self) -> int:
        return len(self.channel.messages)

    def command(self) -> tuple[Response, Interaction]:
        """A command that was typed."""
        data = {"id": "1", "name": "game", "type": 1}
        user = self.local.discord.world.users[self.ana]
        typed = self.local.discord.begin(Cause.COMMAND, user, self.channel, data, label="/game")
        event: Any = typed.event
        return Response(discord.Interaction(data=event, state=self.client._connection)), typed


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """The log of a bot at INFO, as it is written."""
    stream, root = io.StringIO(), logging.getLogger()
    handler = logs._Handler(stream)
    handler.setFormatter(logs.FORMATS["text"])
    handler.addFilter(logs.brief)
    root.addHandler(handler)
    levels = {name: logging.getLogger(name).level for name in ("", *logs.REVEALING, *logs.CHATTY)}
    root.setLevel(logging.INFO)
    for name in logs.REVEALING + logs.CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
    yield stream
    root.removeHandler(handler)
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture
async def line(log: io.StringIO) -> AsyncIterator[Line]:
    async with Playground(strict=True) as local:
        local.allow("left unanswered")
        point_at(local.base_url)
        way = Requests(repair=lambda: forget_limits(client.http))
        client: Any = discord.Client(intents=discord.Intents(guilds=True), http_trace=way.trace)
        client.requests = way
        async with client:
            await client.login(TOKEN)
            yield Line(local, client, way, log)
            await way.close()
    assert HAND not in log.getvalue()
    assert "Traceback" not in log.getvalue()


async def outcome_of(request: Awaitable[Any]) -> Any:
    """The result of a request, or its trouble, which is logged. Any other error fails the test."""
    try:
        return await request
    except DISCORD_ERRORS as error:
        logging.getLogger("bot").warning("it failed: %s", reason(error))
        return error


# --- answers that cannot be read ---


@pytest.mark.parametrize("way", BROKEN)
async def test_a_message_with_an_unreadable_response_is_sent_once(line: Line, way: str):
    before = line.messages
    line.local.fault(plan.POST, broken=way, times=2)
    for _ in range(3):
        outcome = await outcome_of(line.send("once"))
        assert isinstance(outcome, int) or not is_refused(outcome)
    assert line.channel.messages[-1].id == outcome
    assert before + 1 == line.messages


@pytest.mark.parametrize("way", BROKEN)
async def test_an_accepted_message_returns_its_id_despite_an_unreadable_response(line: Line, way: str):
    line.local.fault(plan.POST, broken=way)
    assert await line.send() == line.channel.messages[-1].id


async def test_a_picture_is_complete_when_its_message_is_sent_again(line: Line):
    # as if a proxy had answered, without ever asking Discord
    line.local.fault(plan.POST, 200, html=True)
    picture = discord.File(io.BytesIO(b"all of it"), "a.png")
    layout = words_layout(HAND)
    layout.add_item(discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://a.png")))
    await line.channels.send(line.channel.id, lambda: layout, files=[picture])
    assert [b"all of it"] == [attachment.data for attachment in line.channel.messages[-1].attachments]


WITHOUT_STATUS = {"too long", "204 with a body", "bad chunk", "bad status", "bad header"}
"""Ways to break an answer of which aiohttp, which reads ahead, shows nothing at all."""

Act = Callable[[Line, int], Awaitable[object]]

CONTROL = Control(ControlId("board", 1), "Board")

ACTS: dict[str, tuple[str, Act, object]] = {
    "an edit": (plan.EDIT, lambda line, n: line.edit(n), None),
    "a deletion": ("DELETE /channels/*", lambda line, n: line.channels.delete(line.channel.id, n), None),
    "a look back": (plan.HISTORY, lambda line, _: line.channels.find(line.channel.id, CONTROL), ...),
    "a channel": (plan.FETCH, lambda line, _: line.channels.exists(line.channel.id), True),
    "a thread": (plan.THREAD, lambda line, n: line.channels.open_thread(line.guild, line.channel.id, n, HAND), ...),
    "a conversation": (plan.DIRECT, lambda line, _: line.channels._conversation(line.ana), ...),
    "a member": (
        "GET /guilds/*/members/*",
        lambda line, _: line.members.names(line.server, [line.ana], asked_by=1),
        ...,
    ),
}
"""A kind of request: its route, the request about a message, and its result if the status of the answer says enough."""


@pytest.mark.parametrize("way", BROKEN)
@pytest.mark.parametrize("what", ACTS)
async def test_an_unreadable_response_counts_by_its_status_and_never_as_a_refusal(line: Line, what: str, way: str):
    route, act, enough = ACTS[what]
    message_id = await line.send()
    line.local.fault(route, broken=way)
    outcome = await outcome_of(act(line, message_id))
    if way not in WITHOUT_STATUS and enough is not ...:
        assert outcome == enough
    assert not (isinstance(outcome, Exception) and is_refused(outcome))


@pytest.mark.parametrize("way", BROKEN)
@pytest.mark.parametrize("first", [True, False], ids=["first", "later"])
async def test_a_command_is_answered_once(line: Line, first: bool, way: str):
    response, typed = line.command()
    async with response:
        if not first:
            await response.defer()
        line.local.fault(plan.ANSWER if first else plan.LATER_ANSWER, broken=way)
        await outcome_of(response.show_text(Text(HAND)))
        await outcome_of(response.say(Text("And this.")))
    assert 1 == typed.callbacks_tried.count(200)
    assert [typed.answer] == [message for message in line.channel.messages if message.only_for]


@pytest.mark.parametrize("way", BROKEN)
async def test_a_public_answer_returns_its_message_id(line: Line, way: str):
    response, typed = line.command()
    line.local.fault(plan.ANSWER, broken=way)
    async with response:
        outcome = await outcome_of(response.publish(text_layout(Text(HAND), str)))
    assert line.channel.messages[-1].id == outcome
    assert 1 == typed.callbacks_tried.count(200)


async def test_an_error_of_the_bot_is_not_taken_for_an_unreadable_response(line: Line):
    with pytest.raises(ZeroDivisionError):
        await line.channels.send(line.channel.id, lambda: 1 // 0)

    async def mistaken() -> None:
        raise KeyError(HAND)

    with pytest.raises(KeyError):
        await line.requests.run(mistaken, limit=1.0)


async def test_a_refusal_after_an_ambiguous_response_counts_as_unreadable(line: Line, monkeypatch: pytest.MonkeyPatch):
    """The first try may have made the message; the refusal is of discord.py's second one."""
    monkeypatch.setattr(discord.http.asyncio, "sleep", _no_pause)
    line.local.fault(plan.POST, 502, after=True)
    line.local.fault(plan.POST, 403, code=50013, times=2)
    outcome = await outcome_of(line.send("twice"))
    assert isinstance(outcome, UnreadableAnswer)
    assert await line.send("twice") == line.channel.messages[-1].id


async def _no_pause(_seconds: float) -> None: ...


# --- limits ---


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channels, "SEND_TIMEOUT", 0.2)
    monkeypatch.setattr(channels, "EDIT_TIMEOUT", 0.2)


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time enough for a busy machine, and no more."""
    monkeypatch.setattr(channels, "SEND_TIMEOUT", 3.0)


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("what", ["a message", "an edit"])
async def test_an_overlong_global_limit_blocks_no_request_for_good(line: Line, what: str):
    message_id, before = await line.send(), line.messages
    limited = line.local.fault(plan.POST if what == "a message" else plan.EDIT, 429, retry_after=0.6, is_global=True)
    outcome = await outcome_of(line.send("late") if what == "a message" else line.edit(message_id))
    assert isinstance(outcome, TimeoutError)
    for _ in range(9):
        if isinstance(outcome := await outcome_of(line.send("late")), int):
            break
    assert (outcome, before + 1) == (line.channel.messages[-1].id, line.messages)
    assert 1 == limited.struck
    assert await line.send("next")


@pytest.mark.usefixtures("soon")
async def test_an_abandoned_edit_does_not_change_a_message_later(line: Line):
    message_id = await line.send()
    limited = line.local.fault(plan.EDIT, 429, retry_after=0.5)
    edits = line.local.requests[EDITS]
    assert isinstance(await outcome_of(line.edit(message_id)), TimeoutError)
    await asyncio.sleep(0.6)
    assert (1, edits + 1) == (limited.struck, line.local.requests[EDITS])


@pytest.mark.usefixtures("seconds")
@pytest.mark.parametrize("pause", ODD_PAUSES)
@pytest.mark.parametrize("is_global", [True, False], ids=["global", "of a route"])
async def test_a_rate_limit_without_a_duration_is_a_temporary_refusal(line: Line, pause: str, is_global: bool):
    for route in (plan.POST, plan.HISTORY):
        line.local.fault(route, 429, retry_after=ODD_PAUSES[pause], is_global=is_global)
    assert is_refused(await outcome_of(line.send("one")))
    assert is_refused(await outcome_of(line.channels.find(line.channel.id, CONTROL)))
    assert await line.send("one") == line.channel.messages[-1].id
    assert await line.channels.find(line.channel.id, CONTROL) is None


@pytest.mark.usefixtures("seconds")
@pytest.mark.parametrize("odd", ODD_LIMITS)
async def test_rate_limit_headers_that_never_end_delay_no_request(line: Line, odd: str):
    line.local.fault(plan.POST, headers=ODD_LIMITS[odd], times=3)
    sent = [await line.send(f"number {n}") for n in range(4)]
    assert sent == [message.id for message in line.channel.messages[-4:]]
    response, typed = line.command()
    line.local.fault(plan.ANSWER, headers=ODD_LIMITS[odd])
    async with response:
        await response.show_text(Text(HAND))
        await response.show_text(Text(HAND))
    assert [200] == typed.callbacks_tried


async def test_a_repeated_request_joins_the_one_in_flight(line: Line, monkeypatch: pytest.MonkeyPatch):
    line.local.fault(plan.POST, hang=True)
    monkeypatch.setattr(channels, "SEND_TIMEOUT", 0.1)
    for _ in range(3):
        assert isinstance(await outcome_of(line.send("same")), TimeoutError)
    assert 1 == line.local.requests[POSTS]
    monkeypatch.undo()
    line.local.release()
    assert await line.send("same") == line.channel.messages[-1].id
    assert 1 == line.local.requests[POSTS]


async def test_a_result_serves_a_retry_but_not_a_later_message_with_the_same_nonce(
    line: Line, monkeypatch: pytest.MonkeyPatch
):
    for nonce in ("soon repeated", "late"):
        hanging = line.local.fault(plan.POST, hang=True)
        with monkeypatch.context() as impatient:
            impatient.setattr(channels, "SEND_TIMEOUT", 0.1)
            assert isinstance(await outcome_of(line.send(nonce)), TimeoutError)
        await line.local.wait_for_fault(hanging)
        line.local.release()
        # all at once, they would wait for each other: discord.py sends one message at a time to a channel
        await asyncio.wait([attempt.task for attempt in line.requests._by_key.values()])
    assert line.channel.messages[-2].id == await line.send("soon repeated")
    assert 2 == line.local.requests[POSTS]
    monkeypatch.setattr(requests, "RESULT_LIFETIME", 0.0)
    await line.send("late")
    assert 3 == line.local.requests[POSTS]


async def test_a_message_that_is_withdrawn_is_not_sent_later(line: Line, monkeypatch: pytest.MonkeyPatch):
    before = line.messages
    line.local.fault(plan.POST, 429, retry_after=0.3)
    monkeypatch.setattr(channels, "SEND_TIMEOUT", 0.1)
    assert isinstance(await outcome_of(line.send("old")), TimeoutError)
    with pytest.raises(TimeoutError):
        await line.channels.withdraw(line.channel.id, "old")
    monkeypatch.undo()
    assert await line.channels.withdraw(line.channel.id, "old") is None
    assert (before, False) == (line.messages, line.channels.is_sending(line.channel.id, "old"))


async def test_a_failure_that_nobody_has_called_for_is_no_result_of_a_later_request() -> None:
    way = Requests()

    async def fail() -> None:
        raise TimeoutError

    await asyncio.wait({way.begin(fail, "key").task})
    assert not way.is_under_way("key")
    await way.close()


async def test_of_too_many_results_that_nobody_has_called_for_the_oldest_one_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(requests, "MAX_RESULTS", 3)
    way, never = Requests(), asyncio.Event()
    way.begin(never.wait, "pending")

    async def answer() -> None:
        """Discord answers at once."""

    for key in ("first", "second", "third"):
        await asyncio.wait({way.begin(answer, key).task})
    stored = [key for key in ("pending", "first", "second", "third") if way.is_under_way(key)]
    assert ["pending", "second", "third"] == stored
    await way.close()


NO_EXCHANGE, CUT, UNAVAILABLE, TAKEN = (
    Exchanges(),
    Exchanges(number=1),
    Exchanges(number=1, response=SimpleNamespace(status=503)),  # type: ignore[arg-type]  # an answer
    Exchanges(number=1, response=SimpleNamespace(status=200), answer=b'{"id": "5"}'),  # type: ignore[arg-type]
)
UNCLEAR = Exchanges(number=2, response=SimpleNamespace(status=400), is_unclear=True)  # type: ignore[arg-type]
HEADERS: Any = SimpleNamespace(real_url="https://discord.com")


@pytest.mark.parametrize(
    ("error", "key", "exchanges", "problem"),
    [
        (RuntimeError("Session is closed"), "", CUT, "ShuttingDown"),
        (RuntimeError("the session is closed"), "", NO_EXCHANGE, "ShuttingDown"),
        (ValueError("Session is closed"), "", CUT, "unreadable answer (no status, ValueError"),
        (RuntimeError("a bug"), "", TAKEN, "unreadable answer (200, RuntimeError"),
        (KeyError("id"), "", NO_EXCHANGE, None),
        (UnreadableAnswer(200, "KeyError"), "key", UNCLEAR, None),
        (
            refusal(400, 50035),
            "key",
            UNCLEAR,
            "unreadable answer (400, after an unclear answer: 400 Bad Request (50035,",
        ),
        (refusal(499, 1), "key", UNCLEAR, "unreadable answer (400, after an unclear answer: 499 (1)"),
        (refusal(400, 50035), "", UNCLEAR, None),
        (refusal(400, 50035), "key", CUT, None),
        (refusal(500), "key", UNCLEAR, None),
        (TimeoutError(), "", TAKEN, None),
        (aiohttp.ClientError(), "", NO_EXCHANGE, None),
        (aiohttp.ServerDisconnectedError(), "", CUT, None),
        (aiohttp.ServerDisconnectedError(), "", UNAVAILABLE, "unreadable answer (503, ServerDisconnectedError)"),
        (aiohttp.ClientOSError(), "", TAKEN, "unreadable answer (200, ClientOSError)"),
        (aiohttp.ClientResponseError(HEADERS, ()), "", CUT, "unreadable answer (no status, ClientResponseError)"),
    ],
)
async def test_an_error_of_reading_an_answer_leaves_it_open_whether_discord_has_the_request(
    error: Exception, key: str, exchanges: Exchanges, problem: str | None
) -> None:
    attempt = Attempt[object](key, exchanges=exchanges)
    result = requests._problem(attempt, error)
    if problem is None:
        assert result is None
    else:
        assert reason(result).startswith(problem), reason(result)
    if exchanges is TAKEN and isinstance(result, UnreadableAnswer):
        assert 5 == result.object_id()


async def test_unreadable_answers_are_counted_and_other_errors_are_not() -> None:
    way, errors = Requests(), [refusal(500), aiohttp.ClientResponseError(HEADERS, ())]
    before = metrics.total(metrics.UNREADABLE)

    async def fail() -> None:
        raise errors.pop(0)

    for kind, more in ((discord.HTTPException, 0), (UnreadableAnswer, 1)):
        with pytest.raises(kind):
            await way.run(fail, limit=5)
        assert before + more == metrics.total(metrics.UNREADABLE)
    await way.close()


# --- the watchdog ---


@pytest.mark.parametrize(
    ("age", "silence", "limit", "is_stopped"),
    [
        (WATCHDOG_TIMEOUT + 1, WATCHDOG_TIMEOUT + 1, 0, True),
        (WATCHDOG_TIMEOUT - 1, WATCHDOG_TIMEOUT + 1, 0, False),
        (WATCHDOG_TIMEOUT + 1, WATCHDOG_TIMEOUT + 1, WATCHDOG_TIMEOUT * 2, False),
        (WATCHDOG_TIMEOUT + 1, 0, 0, False),
        (MAX_RATE_LIMIT + WATCHDOG_TIMEOUT - 1, 0, 0, False),
        (MAX_RATE_LIMIT + WATCHDOG_TIMEOUT + 1, 0, 0, True),
    ],
)
async def test_a_request_that_does_not_begin_is_stopped_once_no_limit_explains_it(
    age: float, silence: float, limit: float, is_stopped: bool
) -> None:
    repairs, never, loop = list[bool](), asyncio.Event(), asyncio.get_running_loop()
    way = Requests(repair=lambda: repairs.append(True))
    attempt = way.begin(never.wait, "one")
    attempt.began = loop.time() - age
    way._record_answer(200, limit)
    way._last_answer -= silence
    way._record_answer(500, 0)  # of a server that is in trouble
    way._stop_stuck()
    assert (is_stopped, [True] * is_stopped) == (attempt.is_stopped, repairs)
    await way.close()


@pytest.fixture
def minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """The watchdog's minute is short."""
    monkeypatch.setattr(requests, "WATCHDOG_TIMEOUT", 0.3)


async def until_sent(line: Line) -> object:
    """Send a message until it is accepted, at most 20 times, like the worker; returns the last outcome."""
    outcomes: list[object] = []
    while not outcomes or (isinstance(outcomes[-1], TimeoutError) and len(outcomes) < 20):
        outcomes.append(await outcome_of(line.send("one")))
    return outcomes[-1]


@pytest.mark.usefixtures("minute", "soon")
async def test_the_watchdog_releases_a_stuck_lock_and_logs_it_once(line: Line):
    line.client.http._global_over.clear()
    for _ in range(2):
        assert isinstance(await outcome_of(line.send("one")), TimeoutError)
    assert 1.0 == metrics.value(metrics.STUCK)
    line.local.fault(plan.POST, 503)
    assert isinstance(await outcome_of(line.send("two")), discord.HTTPException)
    assert 1.0 == metrics.value(metrics.STUCK), "an error of a proxy proves nothing"
    assert await line.send("one") == line.channel.messages[-1].id
    assert 0.0 == metrics.value(metrics.STUCK)
    assert 1 == line.log.getvalue().count("no request gets through to Discord")
    assert 1 == line.log.getvalue().count("answers requests again")


@pytest.mark.usefixtures("minute", "soon")
async def test_a_bucket_that_never_resets_is_forgotten(line: Line):
    await line.send()
    for bucket in line.client.http._buckets.values():
        bucket.limit = bucket.remaining = 0
    assert await until_sent(line) == line.channel.messages[-1].id


@pytest.mark.usefixtures("minute", "soon")
async def test_the_watchdog_respects_a_rate_limit_set_by_discord(line: Line):
    line.local.fault(plan.POST, 429, retry_after=1.0, is_global=True)
    assert await until_sent(line) == line.channel.messages[-1].id
    assert "gets through" not in line.log.getvalue()


@pytest.mark.usefixtures("minute", "soon")
async def test_a_hanging_request_is_canceled_and_its_message_sent_again(line: Line):
    line.local.fault(plan.POST, hang=True)
    assert isinstance(await until_sent(line), int)
    assert 2 == line.local.requests[POSTS]


async def test_one_timer_watches_all_requests() -> None:
    requests, timers = Requests(), []

    async def wait() -> None:
        await asyncio.Event().wait()

    for _ in range(2):
        requests.begin(wait)
        timers.append(requests._watchdog)
    await requests.close()
    first, second = timers
    assert first is second
    assert first is not None
    assert first.cancelled()


async def test_shutdown_does_not_wait_for_a_request(line: Line):
    hanging = line.local.fault(plan.POST, hang=True)
    sending = asyncio.create_task(outcome_of(line.send("one")))
    await line.local.wait_for_fault(hanging)
    await line.requests.close()
    assert isinstance(await sending, ShuttingDown)
    assert isinstance(await outcome_of(line.send("two")), ShuttingDown)


# --- a second process ---

ALARM = "a second process uses the token"


async def answered_by_another(line: Line) -> None:
    response, _ = line.command()
    line.local.fault(plan.ANSWER, 400, code=40060)
    async with response:
        await outcome_of(response.show_text(Text("There is no game.")))


async def test_an_interaction_answered_by_another_process_is_logged_once_an_hour(
    line: Line, monkeypatch: pytest.MonkeyPatch
):
    for _ in range(3):
        await answered_by_another(line)
    assert 1 == line.log.getvalue().count(ALARM)
    assert "ERROR" in line.log.getvalue()
    monkeypatch.setattr(requests, "REMINDER_INTERVAL", 0.0)
    await answered_by_another(line)
    assert 2 == line.log.getvalue().count(ALARM)


async def test_an_interaction_answered_by_the_previous_process_raises_no_alarm(line: Line):
    response, _ = line.command()
    line.requests._created += timedelta(minutes=1)
    line.local.fault(plan.ANSWER, 400, code=40060)
    async with response:
        await outcome_of(response.show_text(Text("There is no game.")))
    assert ALARM not in line.log.getvalue()


@pytest.mark.parametrize("fault", [{"status": 502, "after": True}, {"cut": True, "after": True}])
async def test_an_interaction_answered_by_this_process_raises_no_alarm(
    line: Line, monkeypatch: pytest.MonkeyPatch, fault: dict[str, Any]
):
    monkeypatch.setattr(discord.webhook.async_.asyncio, "sleep", _no_pause)
    response, typed = line.command()
    line.local.fault(plan.ANSWER, **fault)
    async with response:
        await outcome_of(response.show_text(Text(HAND)))
        await outcome_of(response.say(Text("Only my answer got lost.")))
    assert 400 in typed.callbacks_tried
    assert ALARM not in line.log.getvalue()
