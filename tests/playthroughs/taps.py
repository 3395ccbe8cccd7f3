"""Taps, words and height of the private messages of a turn, and height of its boards, counted over whole games.

`python -m tests.playthroughs.taps` prints them for every game, or for those that are named, and the lists to choose
from. Three people who look one
step ahead play three whole games in the local Discord, and tap their way to the best move.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import secrets
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from random import Random
from statistics import median

import pytest

import renders
from bot.features.play.drafting import _mark
from bot.features.play.steps import PART
from bot.interactions.phone import BOARD_GAP, BUTTON_EMOJI, CARD_WIDTH, MENU_WIDTH, text_height, width_of
from engine.core import Action, GameSpec
from engine.games import discover
from engine.match import Match
from engine.notation import format_action
from engine.players.greedy import PLAYER
from engine.proof import Proof
from engine.texts import Seat
from engine.values import Value
from playground.components import SELECTS, Kind
from playground.player import Player, Seen
from playground.wire import Json
from renders.picture import Picture
from tests.bot.app import App, open_app
from tests.bot.watch import SMALLEST_PNG
from tests.luck import seed_by_secret
from tests.robots import BOARD, is_over
from tests.rooms import start_game

GAMES = 2
"""Games of a kind that are counted together."""

NAMES = ("Ana", "Ben", "Caro", "Dan", "Eva")
USUAL = 3
"""People at a table, if the game allows this number."""

SCREEN, WORDS, TAPS = 631, 120, 5
"""Limits of a turn: height of a message in pixels, its words, and taps (median).

A phone shows 708 pixels, of which author, note of privacy and margins take 77.
"""

SETTINGS = 600
"""Pixels of a page of settings at most, so that a phone shows it with the author above it."""

LIST_ROWS, JOINED_ROWS, JOINED_LETTERS = 25, 8, 40
"""The most rows of a list; of one that answers several questions at once, and the most letters of its rows."""

RULES_TEXT = 450
"""Pixels of the text of a page of rules at most, so that the page fits with the author above it."""

ACROSS, GAP = 352, 8
"""Pixels of a message on a phone that is 390 wide, a few less than it has, and between two parts of a message."""

PICTURE = 414
"""Pixels from top to bottom of a picture in a private message: 49 % of the phone."""

PHONE = 708
"""Pixels of a board at most: what a phone shows of a channel."""

BOARD_PICTURE, AROUND_BOARD = 464, 62
"""Pixels of the picture of a board, 55 % of the phone, and of author and margins."""

BUTTON, MENU = 44, 46
AROUND = 24
"""Pixels around the label of a button."""

IN_CIRCLES = 80
"""More taps than any turn takes."""

CONTROL_ID = re.compile(r"c[vm]:(?P<kind>[a-z]+):\d+:\d+(~(?P<draft>[0-9a-f]{6}))?:(?P<text>.*)")


class Choices(Value):
    """The choices of a message: the menus they are in, or the line of buttons, with its title and its rows.

    A row is the words it chooses, its label, and what its label does not say.
    """

    title: str
    rows: tuple[tuple[str, str, str], ...]
    is_menu: bool

    @classmethod
    def all_of(cls, seen: Seen) -> Iterator[Choices]:
        """The ways to go on from a message, and those that are buttons."""
        for menu in seen.menus:
            rows = tuple((row.value, row.label, row.description or "") for row in menu.options)
            yield cls(menu.placeholder or "", rows, is_menu=True)
        title = next((line for line in seen.text.splitlines() if line.startswith("### ")), "")
        buttons = [(CONTROL_ID.fullmatch(button.custom_id or ""), button.label) for button in seen.buttons]
        ways = tuple(
            (sentence["text"], label, "") for sentence, label in buttons if sentence and sentence["kind"] == "try"
        )
        if ways:
            yield cls(title, ways, is_menu=False)

    @property
    def is_joined(self) -> bool:
        """Whether a row answers several questions at once, beside verbs that say all."""
        verbs: dict[str, list[list[str]]] = {}
        for value, _, _ in self.rows:
            verb, *words = value.replace(",", " ").split()
            verbs.setdefault(verb, []).append(words)
        several = [rows for rows in verbs.values() if len(rows) > 1]
        return len(several) > 1 or any(map(_share_a_word, several))

    @property
    def longest(self) -> int:
        """Letters of the longest label."""
        return max(len(label) for _, label, _ in self.rows)

    @property
    def faults(self) -> list[str]:
        """Rows and titles that a reader has to decipher."""
        labels = [label for _, label, _ in self.rows]
        problems = {
            "has one row": self.is_menu and len(labels) == 1,
            "is too long": len(labels) > LIST_ROWS,
            "is joined and too long": self.is_joined and len(labels) > JOINED_ROWS,
            "is joined and too wide": self.is_joined and self.longest > JOINED_LETTERS,
            "is titled by its rows": "…" in self.title
            or any(label in self.title for label in labels if " on " in label),
            "asks more than a phone shows": self.is_menu and width_of(self.title) > MENU_WIDTH,
            "is cut": any(text.endswith("…") or len(text) > 99 for row in self.rows for text in row),
            "has rows alike": len(set(labels)) < len(labels),
        }
        return [f"“{self.title}” {fault}: {labels}" for fault, has_it in problems.items() if has_it]


def _share_a_word(rows: list[list[str]]) -> bool:
    """Whether the first word that tells rows apart does not tell all of them apart: another question is answered."""
    differing = next(words for words in zip_longest(*rows) if len(set(words)) > 1)
    return len(set(differing)) < len(rows)


class Message(Value):
    """A private message: its words, without the rows of closed menus, its pixels from top to bottom, and its lists."""

    words: int
    height: int
    text: str
    lists: tuple[Choices, ...]

    @classmethod
    def of(cls, seen: Seen) -> Message:
        """A message as its reader sees it."""
        controls = [*seen.labels, *(menu.placeholder or "" for menu in seen.menus)]
        text = "\n".join((seen.text, *controls))
        words = len(re.findall(r"\S*\w\S*", text))
        return cls(words, height_of(seen.components), text, tuple(Choices.all_of(seen)))


def height_of(components: Sequence[Json]) -> int:
    """The pixels of the parts of a message from top to bottom, as on the page of the local Discord."""
    return sum(map(_height, components)) + GAP * (len(components) - 1)


def _height(component: Json) -> int:
    match component["type"]:
        case Kind.TEXT_DISPLAY:
            return text_height(component["content"])
        case Kind.MEDIA_GALLERY:
            return PICTURE
        case Kind.ACTION_ROW:
            controls = component["components"]
            if controls[0]["type"] in SELECTS:
                return MENU
            lines = _lines([*map(_button_width, controls)])
            return BUTTON * lines + GAP * (lines - 1)
    raise ValueError(f"no height is known of {component}")


def board_height(board: Seen) -> int:
    """The pixels of a board from top to bottom, as on the page of the local Discord."""
    (card,) = board.components
    parts = card["components"]
    return AROUND_BOARD + sum(map(_board_height, parts)) + BOARD_GAP * (len(parts) - 1)


def _board_height(part: Json) -> int:
    match part["type"]:
        case Kind.MEDIA_GALLERY:
            return BOARD_PICTURE
        case Kind.TEXT_DISPLAY:
            return text_height(part["content"], CARD_WIDTH)
    return _height(part)


def _button_width(button: Json) -> float:
    emoji = BUTTON_EMOJI if button.get("emoji") else 0
    return AROUND + emoji + width_of(button["label"])


def _lines(widths: Sequence[float]) -> int:
    """The number of lines of buttons of these widths, which wrap."""
    lines, room = 1, float(ACROSS)
    for width in (min(width, ACROSS) for width in widths):
        if width > room:
            lines, room = lines + 1, ACROSS
        room -= width + GAP
    return lines


@dataclass(slots=True)
class Taken:
    """A turn as it was taken: its taps from the board on, those of menus among them, how often something was
    confirmed, the messages on the way, and the pixels of the board after it.
    """

    taps: int = 0
    menus: int = 0
    confirmed: int = 0
    messages: list[Message] = field(default_factory=list)
    board: int = 0
    board_text: str = ""


class Wishes:
    """The next actions that the people of a match want; it goes on as the one that they play does."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._rng = Random(match.spec.slug)

    def of(self, seat: Seat) -> list[Action]:
        """The actions that a seat wants to play until luck or another seat is next."""
        results: list[Action] = []
        ahead = self.match
        while any(decision.seat == seat for decision in ahead.state.decisions()):
            results.append(PLAYER.choose(ahead.view(seat), self._rng))
            ahead = self.match.ahead(seat, results)
        return results

    def fulfil(self, seat: Seat, wanted: Iterable[Action]) -> None:
        """Play the wished actions, and the automatic answers after them."""
        self.match.play(seat, *wanted)
        while automatic := next((d for d in self.match.state.decisions() if d.automatic), None):
            self.match.play(automatic.seat, automatic.options[0])


class Tapper:
    """A person who taps their way to a move."""

    def __init__(self, player: Player, seat: Seat, wishes: Wishes) -> None:
        self._player, self._seat, self._wishes = player, seat, wishes
        self._turn = Taken()

    async def take_turn(self, board: Seen) -> Taken:
        """Play from *Your move* until nothing more is asked."""
        self._turn = Taken()
        reply = self._saw(await self._player.tap("Your move", on=board))
        while _asks(reply):
            actions = self._wishes.of(self._seat)
            while (draft := _draft(reply)) != _marks(actions)[-1] or "Confirm" not in reply.labels:
                reply = await self._follow(reply, draft, actions)
            reply = self._saw(await self._player.tap("Confirm", on=reply))
            self._wishes.fulfil(self._seat, actions)
            self._turn.confirmed += 1
        return self._turn

    async def _follow(self, shown: Seen, draft: str, wanted: list[Action]) -> Seen:
        """Make one tap nearer to the move, or back to a common beginning."""
        marks = _marks(wanted)
        rest = [*map(format_action, wanted[marks.index(draft) :])] if draft in marks else []
        way = max(_ways(shown), key=lambda way: way.worth(marks, draft, rest))
        assert way.worth(marks, draft, rest), f"nothing leads to {rest} from {shown.text} {shown.labels}"
        if way.menu is not None:
            self._turn.menus += 1
            return self._saw(await self._player.choose(way.text, on=shown, menu=way.menu))
        if (answer := await self._player.tap_id(way.custom_id, on=shown)) is None:
            answer = await self._player.submit({"line": rest[0].rpartition(" ")[2]})
        return self._saw(answer)

    def _saw(self, shown: Seen | None) -> Seen:
        assert shown is not None, "a message answers"
        self._turn.taps += 1
        assert self._turn.taps < IN_CIRCLES, f"{self._player.name} gets nowhere: {shown.text}"
        if _asks(shown):
            self._turn.messages.append(Message.of(shown))
        return shown


class Way(Value):
    """A button, or a row of a menu: the draft it belongs to, and the words it adds."""

    custom_id: str
    kind: str
    draft: str
    text: str
    menu: int | None = None

    def worth(self, marks: list[str], draft: str, left: list[str]) -> int:
        """Progress toward the next action; 0 if it leads elsewhere."""
        if draft not in marks:
            return marks.index(self.draft) + 1 if self.kind == "step" and self.draft in marks else 0
        if not left or self.draft != draft or self.kind not in ("try", "pick", "step", "form"):
            return 0
        goal, words = left[0].split(), self.text.split()
        whole = [word for word in words if not word.startswith(PART)]
        value = goal[len(whole)] if len(whole) < len(goal) else ""
        parts = {*value.split(","), value.rstrip("0123456789")}
        fits = goal[: len(whole)] == whole and {word.removeprefix(PART) for word in words[len(whole) :]} <= parts
        return 1 + len(self.text) if fits else 0


def _ways(shown: Seen) -> list[Way]:
    """Controls and rows that can be tapped."""
    buttons = [(button.custom_id or "", None, None) for button in shown.buttons]
    rows = [(menu.custom_id, row.value, n) for n, menu in enumerate(shown.menus) for row in menu.options]
    matches = ((CONTROL_ID.fullmatch(custom_id), value, menu) for custom_id, value, menu in (*buttons, *rows))
    return [
        Way(match[0], match["kind"], match["draft"] or "", match["text"] if value is None else value, menu)
        for match, value, menu in matches
        if match
    ]


def _marks(wanted: list[Action]) -> list[str]:
    """Texts of the draft in a turn's controls, before the first choice and after each."""
    return [_mark(wanted[:n]) for n in range(len(wanted) + 1)]


def _draft(shown: Seen) -> str:
    """The mark of the choices so far in the controls of a message."""
    return next(way.draft for way in _ways(shown) if way.kind == "close")


def _asks(shown: Seen) -> bool:
    """Whether a private message wants a choice."""
    return any(way.kind == "close" for way in _ways(shown))


async def play(app: App, spec: GameSpec, most: int | None = None) -> list[Taken]:
    """A game, of three if that can be, as a lobby offers it: every turn that was taken, or the first ones."""
    room = app.room()
    seats = min(spec.seats, key=lambda seats: abs(seats - USUAL))
    people = room.people(*NAMES[:seats])
    await people[0].slash("table new", game=spec.slug)
    for person in people[1:]:
        await person.tap("Join")
    await start_game(*people)
    board = await room.onlooker.expect(BOARD)
    ((seed, options),) = app.query("SELECT seed, options FROM matches ORDER BY id DESC LIMIT 1")
    wishes = Wishes(Match.begin(spec, spec.setup(seats, json.loads(options)), seed))
    tappers = [Tapper(person, Seat(number), wishes) for number, person in enumerate(people)]
    turns = []
    while not is_over(board) and len(turns) != most:
        turns.append(await tappers[wishes.match.state.decisions()[0].seat].take_turn(board))
        board = await room.onlooker.expect(BOARD, after=board)
        turns[-1].board, turns[-1].board_text = board_height(board), board.text
    return turns


@contextmanager
def repeatable() -> Iterator[None]:
    """Repeatable luck, and tiny pictures: their height is known."""
    luck = Random("taps")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_hex", lambda length: luck.randbytes(length).hex())
        patch.setattr(Proof, "seed", seed_by_secret)
        patch.setattr(renders, "draw", lambda *_: Picture(SMALLEST_PNG, "a board"))
        yield


def table(played: dict[str, list[Taken]]) -> Iterator[str]:
    """A line for each game: medians and maxima of taps by turn, and of words and pixels by message."""
    yield (
        "game      turns  taps: median most  menus opened, too  confirmed  words: median most  pixels: median most"
        "  boards: median most"
    )
    for slug, turns in played.items():
        messages = [message for turn in turns for message in turn.messages]
        taps, opened = [turn.taps for turn in turns], [turn.taps + turn.menus for turn in turns]
        words, heights = [message.words for message in messages], [message.height for message in messages]
        boards = [turn.board for turn in turns]
        confirmed = sum(turn.confirmed for turn in turns) / len(turns)
        yield (
            f"{slug:9} {len(turns):5}  {median(taps):12g} {max(taps):4}  {median(opened):12g} {max(opened):4}"
            f"  {confirmed:9.2f}  {median(words):13g} {max(words):4}  {median(heights):14g} {max(heights):4}"
            f"  {median(boards):14g} {max(boards):4}"
        )


def lists(played: dict[str, list[Taken]]) -> Iterator[str]:
    """The lists of each game: how often each was shown, its most rows, its longest row and its title."""
    for slug, turns in played.items():
        by_title: dict[str, list[Choices]] = {}
        for choices in (choices for turn in turns for message in turn.messages for choices in message.lists):
            by_title.setdefault(choices.title, []).append(choices)
        yield f"\n{slug}: lists, most rows, letters of the longest row, joined, title"
        for title, same_title in sorted(by_title.items(), key=lambda pair: -len(pair[1])):
            rows, longest = (
                max(counts)
                for counts in zip(*((len(question.rows), question.longest) for question in same_title), strict=True)
            )
            joined = sum(question.is_joined for question in same_title)
            yield f"{len(same_title):5} {rows:3} {longest:3} {joined:4}  {title}"
        yield from dict.fromkeys(
            fault for same_title in by_title.values() for question in same_title for fault in question.faults
        )


async def play_games(app: App, spec: GameSpec, games: int = GAMES) -> list[Taken]:
    """All turns of several games, so that no single game decides."""
    return [turn for _ in range(games) for turn in await play(app, spec)]


async def count(slug: str) -> list[Taken]:
    """The turns of games of a kind; the first of them is that of the test."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_app(Path(folder)) as app:
            with repeatable():
                return await play_games(app, discover()[slug])


def main() -> None:
    """Count for the games of the arguments."""
    parser = argparse.ArgumentParser(prog="python -m tests.playthroughs.taps", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"all by default: {', '.join(discover())}")
    games = parser.parse_args().games or list(discover())
    played = {slug: asyncio.run(count(slug)) for slug in games}
    print("\n".join((*table(played), *lists(played))))


if __name__ == "__main__":
    main()
