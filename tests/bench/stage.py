"""A bot in a local Discord of its own, and tables at which seeded games are played by commands and by taps."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import sqlite3
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from bot.features.play.your_move import AGAIN
from engine.core import Action, GameSpec, field_types
from engine.games import discover
from engine.notation import field_values, format_action
from engine.texts import Seat
from engine.values import Value
from playground.acts import Acts
from playground.botprocess import BotProcess
from playground.harness import Playground
from playground.interactions import Interaction
from playground.local import LocalDiscord, Notice
from playground.reading import buttons_of, menus_of, text_of
from playground.world import Channel, Message, User
from tests.bench.measure import cpu_seconds
from tests.bench.walk import Walk

PATIENCE = 20.0
QUIET = 0.03
"""Seconds without any request after which a bot has done all that a move asks for."""
GLANCE = 0.004

MOST_TAPS = 40
"""More than any turn takes."""

UNCOUNTED = ("/interactions/", "/webhooks/")
"""Beginnings of the routes that do not count for Discord's global limit."""


class Kind(Enum):
    """Kinds of bots: this bot, this bot with a ready picture (B0), or a bare bot of the same shape (D0)."""

    HOUSE = "house"
    READY = "B0"
    BARE = "D0"


class Moment(Value):
    """One act that brought a board: seconds from the act on, requests to Discord, the bot's CPU seconds.

    `counted` are the requests that count for Discord's global limit.
    """

    start: float
    end: float
    acknowledged: float
    posted: float
    requests: int
    counted: int
    cpu: float


class Notes(Value):
    """Notes of `probed` from within a process."""

    lags: list[tuple[float, float]]
    commits: list[tuple[float, float]]

    @classmethod
    def read(cls, path: Path) -> Notes:
        lags, commits = [], []
        for line in path.read_text(encoding="ascii").splitlines():
            match line.split():
                case ["lag", moment, late]:
                    lags.append((float(moment), float(late)))
                case ["commit", moment, cpu]:
                    commits.append((float(moment), float(cpu)))
        return cls(lags, commits)


class Stage:
    """A running bot with its playground."""

    def __init__(self, kind: Kind, folder: Path, playground: Playground, bot: BotProcess) -> None:
        self.kind = kind
        self.folder = folder
        self.playground = playground
        self.bot = bot
        self.acts = Acts(self.local)
        self.boards: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
        self.local.watchers.add(self._watch)

    @property
    def local(self) -> LocalDiscord:
        return self.playground.discord

    @property
    def cpu(self) -> float:
        """CPU seconds the bot has used."""
        return cpu_seconds(self.bot.pid)

    @property
    def requests(self) -> int:
        """Requests the bot has made."""
        return sum(self.playground.requests.values())

    @property
    def counted(self) -> int:
        """Requests that count for Discord's global limit: all but answers to interactions."""
        return sum(
            n for route, n in self.playground.requests.items() if not route.startswith(UNCOUNTED, route.index("/"))
        )

    async def notes(self) -> Notes:
        """Fetch the notes from within the bot so far."""
        (place := self.folder / "notes").unlink(missing_ok=True)
        os.kill(self.bot.pid, signal.SIGUSR1)
        async with asyncio.timeout(PATIENCE):
            while not place.exists():  # noqa: ASYNC110 (another process writes it)
                await asyncio.sleep(GLANCE)
        return Notes.read(place)

    async def answer_of(self, interaction: Interaction, patience: float = PATIENCE) -> Message:
        """The answer of the bot, once it is there."""
        await self.local.notifier.until(lambda: interaction.is_answered, patience)
        if interaction.answer is None:
            raise RuntimeError(f"{interaction.label} was not answered\n{self.playground.transcript(30)}")
        return interaction.answer

    async def board_after(self, channel: Channel, known: int) -> float:
        """Time at which a further board than the `known` ones came into a channel, in monotonic seconds."""
        boards = self.boards[channel.id]
        await self.local.notifier.until(lambda: len(boards) > known, PATIENCE)
        return boards[known][1]

    async def quiet(self, span: float = QUIET) -> None:
        """Wait until the bot asks for nothing more."""
        count, since = self.requests, time.monotonic()
        while time.monotonic() - since < span:
            await asyncio.sleep(GLANCE)
            if self.requests != count:
                count, since = self.requests, time.monotonic()

    def _watch(self, notice: Notice) -> None:
        """Note public messages with a picture the first time they are seen."""
        if notice.kind != "message" or notice.data["ephemeral"] or not notice.data["attachments"]:
            return
        message_id, boards = int(notice.data["id"]), self.boards[int(notice.data["channel_id"])]
        if all(message_id != earlier for earlier, _ in boards):  # one comes again when it is edited
            boards.append((message_id, time.monotonic()))


@asynccontextmanager
async def staged(kind: Kind, folder: Path, picture: Path, *, lag: float = 0.0) -> AsyncIterator[Stage]:
    """Start a bot of a kind, watched from inside by `probed`."""
    folder.mkdir(exist_ok=True)  # noqa: ASYNC240 (nothing else runs yet)
    env = {
        "BENCH_MODULE": "tests.bench.bare_bot" if kind is Kind.BARE else "bot",
        "BENCH_NOTES": str(folder / "notes"),
        **settings(folder),
        **({} if kind is Kind.HOUSE else {"BENCH_PICTURE": str(picture)}),
        **({"BENCH_LAG": str(lag)} if lag else {}),
    }
    async with Playground(strict=False) as playground:
        bot = await playground.start_bot("tests.bench.probed", env=env)
        yield Stage(kind, folder, playground, bot)
        if playground.violations:
            raise RuntimeError("\n".join(playground.violations[:5]))


def settings(folder: Path) -> dict[str, str]:
    """The environment of a bot that keeps its things in a folder."""
    return {
        "DATA_DIR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'caravanserai.db'}",
        "LOG_LEVEL": "WARNING",
        "STORIES": "no",  # whole games go by in seconds here, and a story is seconds of work for both cores
    }


# --- tables ---

_names = (f"bench-{n}" for n in itertools.count(1))


@dataclass
class Room:
    """A channel in which boards can be asked for."""

    stage: Stage
    channel: Channel

    def person(self, number: int) -> User:
        """Somebody to play with."""
        name = f"Guest {number}"
        return self.stage.local.world.user_named(name) or self.stage.local.add_member(name)

    async def act(self, interaction: Interaction, *, alone: bool, board: bool = True) -> Moment | None:
        """Time an act that was just begun. `alone`: nothing else happens, so CPU and requests are its own."""
        stage, posted_before = self.stage, len(self.stage.boards[self.channel.id])
        cpu, requests, counted = (stage.cpu, stage.requests, stage.counted) if alone else (0.0, 0, 0)
        await self._meant(interaction)
        start = interaction.timing.created
        posted = await stage.board_after(self.channel, posted_before) if board else time.monotonic()
        end = time.monotonic()
        if alone:
            await stage.quiet()
            end = time.monotonic() - QUIET
            cpu, requests, counted = stage.cpu - cpu, stage.requests - requests, stage.counted - counted
        if not board:
            return None
        acknowledged = interaction.timing.acknowledged or posted
        return Moment(start, end, acknowledged - start, posted - start, requests, counted, cpu)

    async def _meant(self, begun: Interaction) -> None:
        """Confirm a command if the bot asks: it does so when the same one comes again before it knows that its answer
        has arrived.
        """
        answer = await self.stage.answer_of(begun)
        again = next(filter(_confirms, ids_of(answer)), None)
        if again and str(AGAIN) in text_of(answer):  # what leaves no choice is also shown with Confirm
            await self.stage.answer_of(self.stage.acts.tap(begun.user, answer, again))


@dataclass
class BareRoom(Room):
    """A channel of the bare bot."""

    held: Message | None = None

    async def slash(self, *, alone: bool = True) -> Moment | None:
        """A typed move."""
        begun = self.stage.acts.slash(self.person(0), self.channel, "bare move", {"market": "B"})
        return await self.act(begun, alone=alone)

    async def confirm(self) -> Moment | None:
        """A tapped move."""
        if self.held is None:
            begun = self.stage.acts.slash(self.person(0), self.channel, "bare hold", {})
            self.held = await self.stage.answer_of(begun)
            await self.stage.quiet()
        return await self.act(self.stage.acts.tap(self.person(0), self.held, "bare:do"), alone=True)


@dataclass
class GameRoom(Room):
    """A channel with a game that is followed here move by move, so that legal moves are known without asking."""

    specs: Iterator[GameSpec]
    match_id: int = 0
    walk: Walk | None = field(default=None, repr=False)

    async def slash(self, *, alone: bool = True) -> Moment | None:
        """A typed move; `None` for a part of a turn."""
        walk = await self._at_play()
        seat, action = walk.choose()
        typed = dict(zip(field_types(type(action)), field_values(action), strict=False))
        path = f"{walk.match.spec.slug} {action.verb}"
        begun = self.stage.acts.slash(self.person(seat), self.channel, path, typed)
        return await self.act(begun, alone=alone, board=self._play(seat, action))

    async def confirm(self) -> Moment | None:
        """A move by taps from *Your move* to *Confirm*; only the last tap is timed."""
        walk = await self._at_play()
        seat, actions, choices = walk.choose_by_taps()
        message = await self._preview(seat, choices)
        await self.stage.quiet(2 * GLANCE)  # a preview leaves nothing to be done
        do = next(filter(_confirms, ids_of(message)))
        begun = self.stage.acts.tap(self.person(seat), message, do)
        return await self.act(begun, alone=True, board=self._play(seat, *actions))

    async def look(self, person: User) -> Interaction:
        """A tap on *Your move*, once it is answered."""
        board = self.channel.message(self.stage.boards[self.channel.id][-1][0])
        assert board is not None, "boards stay"
        tap = self.stage.acts.tap(person, board, f"cv:turn:{self.match_id}:0:")
        await self.stage.answer_of(tap)
        return tap

    async def time_to_look(self) -> float:
        """Seconds until a tap on *Your move* is acknowledged."""
        timing = (await self.look(self.person(1))).timing
        assert timing.acknowledged is not None, "it was answered"
        return timing.acknowledged - timing.created

    def _play(self, seat: Seat, *actions: Action) -> bool:
        assert self.walk is not None, "a game is being played"
        return [self.walk.play(seat, action) for action in actions][-1][1]

    async def _at_play(self) -> Walk:
        """The game, a new one in a new channel when the last has come to its end."""
        if self.walk is None or self.walk.over:
            await self.stage.quiet()
            if self.walk is not None:
                self.stage.local.close_channel(self.channel)
                self.channel = new_channel(self.stage)
            self.walk = await self._begin(next(self.specs))
        return self.walk

    async def _begin(self, spec: GameSpec) -> Walk:
        people = [self.person(n) for n in range(spec.seats[-1])]
        await self._say(people[0], "table new", game=spec.slug)
        for person in people[1:]:
            await self._say(person, "game join")
        answer = await self._say(people[0], "table start")
        for ready in filter(_says_ready, ids_of(answer)):  # only where secrets are dealt
            for person in people[1:]:
                await self.stage.answer_of(self.stage.acts.tap(person, answer, ready))
        await self.stage.board_after(self.channel, 0)
        await self.stage.quiet()
        return self._followed(spec)

    def _followed(self, spec: GameSpec) -> Walk:
        """A copy of the match, begun from the seed in the bot's database."""
        with sqlite3.connect(self.stage.folder / "caravanserai.db") as database:
            query = "SELECT id, seed, options FROM matches WHERE channel_id = ? ORDER BY id DESC"
            self.match_id, seed, options = database.execute(query, (self.channel.id,)).fetchone()
        database.close()
        return Walk(spec, spec.seats[-1], seed, json.loads(options))

    async def _say(self, person: User, path: str, **typed: str) -> Message:
        return await self.stage.answer_of(self.stage.acts.slash(person, self.channel, path, typed))

    async def _preview(self, seat: Seat, choices: list[Action]) -> Message:
        """Tap through the steps of some actions, until *Confirm* is offered for all of them."""
        person, notations = self.person(seat), [*map(format_action, choices)]
        message = await self.stage.answer_of(await self.look(person))
        for _ in range(MOST_TAPS):
            if not notations and any(map(_confirms, ids_of(message))):
                return message
            named, tap = self._nearer(person, message, notations[0])
            message = await self.stage.answer_of(tap)
            # the words of a whole option are done with; of a part of one the next step has more
            notations = notations[named == notations[0] :]
        raise RuntimeError(f"no way to {notations}: {text_of(message)}")

    def _nearer(self, person: User, message: Message, wanted: str) -> tuple[str, Interaction]:
        """The words of the control that names most of the wanted ones, and a tap on it."""
        taps = [(words, custom_id, False) for custom_id in ids_of(message) if (words := _words(custom_id)) is not None]
        for menu in menus_of(message.components):
            taps += [(option.value, menu.custom_id, True) for option in menu.options]
        fitting = [tap for tap in taps if _leads_to(tap[0], wanted)]
        words, custom_id, is_row = max(fitting, key=lambda tap: len(tap[0]))
        if is_row:
            return words, self.stage.acts.choose(person, message, custom_id, [words])
        return words, self.stage.acts.tap(person, message, custom_id)


def _leads_to(words: str, wanted: str) -> bool:
    """Whether a step's words begin the wanted ones; `place erato ~n` stands for all that begin with `place erato n`."""
    whole, tilde, start = words.partition("~")
    return wanted.startswith(f"{whole}{start}") if tilde else f"{wanted} ".startswith(f"{words} ")


def ids_of(message: Message) -> list[str]:
    """Ids of a message's buttons."""
    return [button.custom_id or "" for button in buttons_of(message.components)]


def _confirms(custom_id: str) -> bool:
    return custom_id.startswith("cv:do:")


def _says_ready(custom_id: str) -> bool:
    return custom_id.startswith("cv:ready:")


def _words(custom_id: str) -> str | None:
    """The words a control adds to an action: those of `cv:try:...` and `cv:step:...`."""
    parts = custom_id.split(":", 4)
    return parts[4] if parts[1] in ("try", "step") else None


def new_channel(stage: Stage) -> Channel:
    """A new channel."""
    return stage.playground.add_channel(next(_names))


def room(stage: Stage, first: int = 0) -> BareRoom | GameRoom:
    """A table in a channel of its own; games take turns from number `first` on."""
    if stage.kind is Kind.BARE:
        return BareRoom(stage, new_channel(stage))
    games = list(discover().values())
    return GameRoom(stage, new_channel(stage), itertools.islice(itertools.cycle(games), first % len(games), None))
