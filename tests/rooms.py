"""A channel of its own for every test, and the short ways to a lobby and to a running game."""

from __future__ import annotations

from dataclasses import dataclass

from playground.harness import Playground
from playground.player import Player, Seen
from tests.robots import BOARD, NEUTRAL_LABELS

GAME = "muscat"
FIRST_MOVE, SECOND_MOVE = "A (empty)", "New artist (snake charmer) → A"
"""Ana's options in the beginning, and in her first turn after it: the luck of these tests is always the same."""

TITLE = "Muscat"


async def start_game(host: Player, *others: Player) -> Seen:
    """*Start*; where everybody is asked first, all the others are ready. Returns the last answer."""
    screen = await host.tap("Start")
    if "Ready" in screen.labels or "Asking everyone" in screen:  # a late answer is private
        for person in others:
            screen = await person.tap("Ready")
    return screen


async def tap_more(person: Player, label: str, on: Seen | None = None) -> Seen:
    """A button that a lobby or a board has behind *More*. Returns the answer."""
    return await person.tap(label, on=await person.tap("More", on=on))


async def play_move(person: Player, command: str, **typed: str) -> Seen:
    """Type a move and confirm it. Returns the answer."""
    return await person.tap("Confirm", on=await person.slash(command, **typed))


async def choose_first(person: Player, on: Seen) -> Seen:
    """Choose the first of the options that a message offers. Returns the answer."""
    if on.menus:
        return await person.choose(on.menus[0].options[0].value, on=on)
    return await person.tap(next(label for label in on.labels if label not in NEUTRAL_LABELS), on=on)


@dataclass(frozen=True)
class Room:
    """A channel with a bot in it. People come in by name."""

    local: Playground
    channel: str

    def person(self, name: str) -> Player:
        return self.local.player(name, self.channel)

    def people(self, *names: str) -> list[Player]:
        return [self.person(name) for name in names]

    def let_boards_be_posted(self) -> None:
        """All of them: where the bot may not look whether a message has come, no board is an answer."""
        self.local.forbid(self.channel, "READ_MESSAGE_HISTORY")

    @property
    def onlooker(self) -> Player:
        """Somebody who plays in no test and sees what everybody sees."""
        return self.person("Finn")

    @property
    def public(self) -> list[tuple[str, list[str], bool]]:
        """Public messages: words, buttons that can be pressed, whether it was edited."""
        return [(seen.text, seen.labels, seen.edited) for seen in self.onlooker.messages]

    async def lobby(self, *names: str, computers: int = 0) -> Seen:
        """A table with these people, the first one being its host. Returns the lobby message."""
        host, *others = self.people(*names)
        await host.slash("table new", game=GAME)
        for person in others:
            await person.tap("Join")
        for _ in range(computers):
            await host.tap("Add computer")
        screen = self.onlooker.last
        assert screen is not None
        return screen

    async def game(self, *names: str, computers: int = 0) -> Seen:
        """A game just begun: the first seat is asked for the market of its first artist. Returns the board."""
        await self.lobby(*names, computers=computers)
        await self.person(names[0]).tap("Start")
        return await self.board()

    async def first_turn(self, *names: str) -> Seen:
        """A game of three people in which the first one has a whole turn to choose. Returns the board."""
        board = await self.game(*names)
        for name, market in zip(names, "AB", strict=False):
            answer = await self.person(name).slash(f"{GAME} place", market=market)
            if "Confirm" in answer.labels:
                await self.person(name).tap("Confirm", on=answer)
            board = await self.board(after=board)
        return board

    async def board(self, after: Seen | None = None) -> Seen:
        """The newest board, once there is one newer than `after`."""
        return await self.onlooker.expect(BOARD, after=after)

    @property
    def boards(self) -> list[str]:
        """The names of the pictures posted here: one a position."""
        return [image.filename for seen in self.onlooker.messages for image in seen.images]
