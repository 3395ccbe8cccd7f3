"""Users who know no rules: they tap controls, type suggestions, and retry without an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from random import Random

from engine.values import Value
from playground.harness import Playground
from playground.options import CannotDo
from playground.player import ExpectationFailed, Player, Seen
from tests.robots import BOARD, due_users, is_over

PATIENCE = 3.0
"""Seconds of real time (a minute of the bot's) that a user waits for an answer."""

FORWARD = {"Confirm": 30, "Start": 12, "Ready": 12, "Join": 8, "Rematch": 8, "Agree": 12, "Add computer": 3}
ASIDE = {"Back": 0.3, "Cancel": 0.1, "Hint": 0.1, "More": 0.1, "Undo": 0.6, "Leave": 0.0, "Log": 0.02}
"""The weights of buttons; those of `ASIDE` lead away from a move."""

DIRECT = "In a direct message"

LOOKS = (
    "game board",
    "game hand",
    "game log",
    "game list",
    "me games",
    "game undo",
    "me answers",
    "table pace",
)


class Request(Value):
    """A wish for users to type and tap certain words, so that a rare step is reached; `days` pass before."""

    typed: tuple[str, ...] = ()
    tapped: tuple[str, ...] = ()
    days: int = 0
    at_new_table: bool = False


NOTHING_SPECIAL = Request()

REQUESTS = {
    "Lobbies": Request(typed=("game leave",), tapped=("Join",), at_new_table=True),
    "Moves.start": Request(at_new_table=True),
    "Undoing": Request(typed=("game undo",), tapped=("Undo", "Ask them", "Redo")),
    "Reminders": Request(days=2),
    "Worker": Request(days=1),
    "Ladder": Request(typed=("table pace",), days=1),
}
"""Requests by the beginning of the step's name."""


def request_for(step: str) -> Request:
    """The request that makes users reach a step."""
    return next((request for begin, request in REQUESTS.items() if step.startswith(begin)), NOTHING_SPECIAL)


@dataclass
class User:
    """A user at one table. `open_message` is their latest private message. `direct`: reminders by direct message."""

    player: Player
    game: str
    luck: Random
    verbs: Mapping[str, list[str]]
    direct: bool = False
    in_thread: bool = False
    request: Request = NOTHING_SPECIAL
    open_message: Seen | None = None

    async def act(self) -> None:
        """Do one thing; any answer is fine."""
        try:
            async with asyncio.timeout(PATIENCE):
                self.open_message = await self._act()
        except (ExpectationFailed, CannotDo, TimeoutError):
            self.open_message = None if self.luck.random() < 0.3 else self.open_message

    async def _act(self) -> Seen | None:
        before = self.open_message and self.player.look(self.open_message)
        if before is not None and self._ways(before) and self.luck.random() < 0.93:
            return await self._follow(before)
        if self.luck.random() < 0.05:
            return await self.player.slash(self.luck.choice(LOOKS))
        if self.direct and self.luck.random() < 0.03:
            return await self._ask_for_direct_messages()
        if self.request.typed and self.luck.random() < 0.2:
            return await self.player.slash(self.luck.choice(self.request.typed))
        public = self._public()
        if public is None:  # also if the bot was killed before it posted the message of their table
            return await self._begin()
        if BOARD(public) and not is_over(public) and self.luck.random() < 0.25:
            return await self._type()
        return await self._follow(public)

    async def _begin(self) -> Seen | None:
        way = self.luck.choice(("table new", "game join", "table start"))
        there = {"where": "thread"} if self.in_thread else {}
        return await self.player.slash(way, **({"game": self.game, **there} if way == "table new" else {}))

    async def _ask_for_direct_messages(self) -> Seen | None:
        page = await self.player.slash("me settings")
        page = await self.player.tap("Reminders", on=page) if page else None
        for number, menu in enumerate(page.menus if page else ()):
            if any(option.label == DIRECT for option in menu.options):
                await self.player.choose(DIRECT, on=page, menu=number)
        return None

    def _public(self) -> Seen | None:
        """The newest public message with a control to use."""
        messages = [seen for seen in self.player.messages if not seen.ephemeral][-30:]
        return next((seen for seen in reversed(messages) if set(seen.labels) - {"Log", "As text"}), None)

    def is_due(self) -> bool:
        """Whether the newest board asks this user to move."""
        public = self._public()
        return public is not None and self.player.id in due_users(public)

    async def _follow(self, seen: Seen) -> Seen | None:
        ways = self._ways(seen)
        if not ways:
            return None
        (way,) = self.luck.choices([way for way, _ in ways], [weight for _, weight in ways])
        answer = await way()
        if answer is None and self.player.modal:
            answer = await self.player.submit({"Your choice": str(10 * self.luck.randint(-9, 99))})
        return answer if answer is not None and answer.ephemeral else None

    def _ways(self, seen: Seen) -> list[tuple[Callable[[], Awaitable[Seen | None]], float]]:
        ways: list[tuple[Callable[[], Awaitable[Seen | None]], float]] = [
            (lambda label=label: self.player.tap(label, on=seen), self._weight(label, seen)) for label in seen.labels
        ]
        for number, menu in enumerate(seen.menus):
            ways += [
                (lambda number=number, value=option.value: self.player.choose(value, on=seen, menu=number), 1.0)
                for option in menu.options
            ]
        return [way for way in ways if way[1]]

    def _weight(self, label: str, seen: Seen) -> float:
        if label in self.request.tapped:
            return 20.0
        if seen.ephemeral:
            return FORWARD.get(label, ASIDE.get(label, 2.0))
        if label == "Your move":
            return 8.0
        return FORWARD.get(label, ASIDE.get(label, 0.05))

    async def _type(self) -> Seen | None:
        """Type a verb of the game with suggested values, if all its fields have suggestions."""
        path = self.luck.choice([path for path in self.verbs if path.startswith(f"{self.game} ")])
        typed: dict[str, str] = {}
        for name in self.verbs[path]:
            values = [value for _, value in await self.player.suggest(path, name, "", **typed)]
            if not values:
                return None
            typed[name] = str(self.luck.choice(values))
        return await self.player.slash(path, **typed)


def verbs_of(local: Playground) -> dict[str, list[str]]:
    """The registered verbs of all games, with the names of their fields."""
    return {
        f"{group['name']} {verb['name']}": [field["name"] for field in verb.get("options", ())]
        for group in local.discord.all_commands()
        for verb in group.get("options", ())
        if verb.get("type") == 1 and group["name"] not in ("game", "server")
    }
