"""Players that know no game: they look at messages, tap controls, and type suggestions.

After a crash of the bot they act as a patient person does: wait for it and try once more.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Protocol, TypeVar

from playground.harness import Playground
from playground.player import ExpectationFailed, Player, Seen

NEUTRAL_LABELS = ("Always answer…", "Back", "Cancel", "Confirm", "Hint", "Log", "More", "Undo")
"""Labels of buttons that choose nothing."""

OVER = re.compile(r"^##+ .* wins?!$", re.MULTILINE)
DUE = re.compile(r"^\S+ <@.*?>: ", re.MULTILINE)
USER = re.compile(r"<@(\d+)>")
BOARD_ID = re.compile(r"c[vm]:boardmore:.*")
DONE_BEFORE = "Already done when you typed it"
REFUSALS = ("Not your turn", "It is not ", "This game is over")
TURN_LENGTH = 60
"""More acts than any turn takes: after them, a robot goes in circles."""

T = TypeVar("T")


class Supervisor(Protocol):
    """Repeats what fails over a crash of the bot. `crashes` counts them."""

    crashes: int

    async def through_crashes(self, act: Callable[[], Awaitable[T]]) -> T:
        """The result of an act that may have to be repeated."""
        ...


def due_robots(board: Seen, robots: Mapping[int, Robot]) -> list[Robot]:
    """The robots whose turn it is, as the newest board says."""
    return [robots[user_id] for user_id in dict.fromkeys(due_users(board))]


def due_users(board: Seen) -> list[int]:
    """The ids of the people that a board asks."""
    return [int(number) for line in DUE.findall(board.text) for number in USER.findall(line)]


def BOARD(seen: Seen) -> bool:
    """Whether a message is a board, by its buttons."""
    return any(BOARD_ID.fullmatch(button.custom_id or "") for button in seen.buttons)


def is_over(board: Seen) -> bool:
    return OVER.search(board.text) is not None


class Robot(ABC):
    """Somebody at the table. `acts` counts what it has done, `longest` the most taps up to a preview."""

    def __init__(self, player: Player, rng: Random, supervisor: Supervisor) -> None:
        self.player = player
        self.rng = rng
        self.acts = 0
        self.longest = 0
        self._supervisor = supervisor

    @abstractmethod
    async def take_turn(self, board: Seen) -> None:
        """Answer all questions of this player, starting from the board, until another one is due."""

    async def _patiently(self, act: Callable[[], Awaitable[Seen | None]]) -> Seen:
        """Do something, once more if the bot was killed meanwhile. Returns what it answered."""
        answer = await self._supervisor.through_crashes(act)
        assert answer is not None, f"{self.player.name} got no answer"
        return answer


class Tapper(Robot):
    """*Your move*, a random choice of the offered ones, the preview, *Confirm*; sometimes back and forth first."""

    async def take_turn(self, board: Seen) -> None:
        reply = await self._patiently(lambda: self.player.tap("Your move", on=board))
        taps = 1
        while _asks(reply):
            assert self.acts < TURN_LENGTH * 100, f"{self.player.name} is asked without end"
            reply = await self._choose(reply, taps)
            taps = 0
        assert "✓" in reply or reply.text.startswith(REFUSALS), f"{self.player.name} is told {reply.text!r}"

    async def _choose(self, screen: Seen, taps: int) -> Seen:
        """Go from the first step of a decision to its confirmation. Returns the answer."""
        if self.rng.random() < 0.06 and _offers(screen):
            screen = await self._wander(screen)
        preview, more = await self._to_preview(screen)
        self.longest = max(self.longest, taps + more)
        if self.rng.random() < 0.06 and "Back" in preview.labels:
            changed = await self._patiently(lambda: self.player.tap("Back", on=preview))
            assert _offers(changed), "Back leads to the choice"
            preview, _ = await self._to_preview(changed)
        while _offers(preview) and self.rng.random() < 0.7:
            preview, _ = await self._to_preview(await self._follow(preview))
        self.acts += 1
        return await self._patiently(lambda: self.player.tap("Confirm", on=preview))

    async def _to_preview(self, screen: Seen) -> tuple[Seen, int]:
        taps = 0
        while "Confirm" not in screen.labels:
            screen = await self._follow(screen)
            taps += 1
            assert taps < TURN_LENGTH, f"no preview after {taps} taps"
        return screen, taps

    async def _follow(self, shown: Seen) -> Seen:
        """Make one tap towards a move: a random button, or a random row of a random menu."""
        ways: list[Callable[[], Awaitable[Seen | None]]] = [
            lambda label=label: self._tap(label, shown) for label in shown.labels if label not in NEUTRAL_LABELS
        ]
        ways += [
            lambda number=number, value=option.value: self.player.choose(value, on=shown, menu=number)
            for number, menu in enumerate(shown.menus)
            for option in menu.options
        ]
        assert ways, f"{self.player.name} is asked {shown.text!r} and has nothing to choose from"
        return await self._patiently(self.rng.choice(ways))

    async def _tap(self, label: str, shown: Seen) -> Seen | None:
        """Press a button; a form that it opens is filled in."""
        answer = await self.player.tap(label, on=shown)
        return await self.player.submit(self._filled_in()) if answer is None else answer

    def _filled_in(self) -> dict[str, str]:
        """Random answers to the questions of the open form, or a price."""
        assert self.player.modal is not None, "a form is open"
        fields = [part["component"] for part in self.player.modal["components"]]
        price = str(10 * self.rng.randint(-9, 99))
        return {
            field["custom_id"]: self.rng.choice(options)["value"] if (options := field.get("options")) else price
            for field in fields
        }

    async def _wander(self, shown: Seen) -> Seen:
        """Go one step forth and one back: the same choice must be there again."""
        deeper = await self._follow(shown)
        # the usual answer counts as chosen once a player goes on from it: it can be confirmed, and Back leads past it
        usual = any(label.endswith("…") and label not in NEUTRAL_LABELS for label in shown.labels)
        if usual and "Back" not in deeper.labels:
            return deeper
        assert "Back" in deeper.labels, f"no way back from {deeper.text!r}"
        again = await self._patiently(lambda: self.player.tap("Back", on=deeper))
        if not usual and not self._supervisor.crashes:
            assert (_ways(shown), _rows(shown)) == (_ways(again), _rows(again)), "Back leads elsewhere"
        return again


class Typist(Robot):
    """Slash commands: a verb that has suggestions, one of them for every field, *Confirm* if there is a preview."""

    def __init__(self, player: Player, rng: Random, supervisor: Supervisor, local: Playground, game: str) -> None:
        super().__init__(player, rng, supervisor)
        group = next(command for command in local.discord.all_commands() if command["name"] == game)
        self._verbs = {
            f"{game} {verb['name']}": [field["name"] for field in verb.get("options", ())] for verb in group["options"]
        }

    async def take_turn(self, board: Seen) -> None:
        for _ in range(TURN_LENGTH):
            answer = await self._type_something()
            if "Confirm" in answer.labels:
                answer = await self._patiently(lambda preview=answer: self.player.tap("Confirm", on=preview))
            # after a crash a move may count or not: the question now may need verbs that were skipped before
            if not _asks(answer) and DONE_BEFORE not in answer:
                return
        raise AssertionError(f"{self.player.name} is asked without end")

    async def _type_something(self) -> Seen:
        """Try the verbs in random order until one is taken; also the answer that it is not one's turn."""
        for path in self.rng.sample(list(self._verbs), len(self._verbs)):
            typed = await self._filled(path)
            if typed is None:
                continue
            crashes = self._supervisor.crashes
            answer = await self._patiently(lambda path=path, typed=typed: self.player.slash(path, **typed))
            if "Rule " in answer and answer.ephemeral and not _asks(answer):
                is_new_crash = typed and crashes == self._supervisor.crashes
                assert not is_new_crash, f"/{path} {typed} was suggested and is refused: {answer.text}"
                continue
            self.acts += 1
            return answer
        # only the player whose turn it is gets suggestions: let the bot say so
        answer = await self._patiently(lambda: self.player.slash(next(iter(self._verbs)), **self._nonsense()))
        assert answer.text.startswith(REFUSALS), f"{self.player.name} is due and finds nothing to type: {answer.text}"
        return answer

    async def _filled(self, path: str) -> dict[str, str] | None:
        """A value for every field that has suggestions, some need none; `None` if no field of the verb has any."""
        typed: dict[str, str] = {}
        fields = self._verbs[path]
        for field in self.rng.sample(fields, len(fields)):
            result = await self._suggestions(path, field, typed)
            if result:
                typed[field] = self.rng.choice(result)
        return typed if typed or not fields else None

    async def _suggestions(self, path: str, field: str, typed: dict[str, str]) -> list[str]:
        rows: list[str] = []

        async def ask() -> None:
            rows[:] = [value for _, value in await self.player.suggest(path, field, "", **typed)]

        await self._supervisor.through_crashes(ask)
        return rows

    def _nonsense(self) -> dict[str, str]:
        return dict.fromkeys(next(iter(self._verbs.values())), "-")


async def play_to_the_end(
    robots: Mapping[int, Robot], onlooker: Player, rng: Random, supervisor: Supervisor
) -> list[Seen]:
    """Let the robots of a channel play, one due robot after the other. Returns all boards in order."""
    board = await onlooker.expect(BOARD)
    boards = [board]
    while not is_over(board):
        await rng.choice(due_robots(board, robots)).take_turn(board)
        board = await supervisor.through_crashes(lambda seen=board: onlooker.expect(BOARD, after=seen))
        boards.append(board)
    return boards


def _asks(seen: Seen) -> bool:
    """Whether a private message wants a choice."""
    return seen.ephemeral and bool(seen.menus or set(seen.labels) - {"Your move", "Undo"})


def _offers(seen: Seen) -> bool:
    """Whether there is something to choose."""
    return bool(seen.menus or set(seen.labels) - set(NEUTRAL_LABELS))


def _ways(seen: Seen) -> list[str]:
    """The buttons; the recap and its *Log* come only once."""
    return [label for label in seen.labels if label != "Log"]


def _rows(seen: Seen) -> list[tuple[str, ...]]:
    return [tuple(option.value for option in menu.options) for menu in seen.menus]


__all__ = ["BOARD", "ExpectationFailed", "Robot", "Tapper", "Typist", "due_robots", "is_over", "play_to_the_end"]
