"""Recorded games: a text file with a header, each entry with its decision and events, and the outcome.

`python -m tests.playthroughs.recorder muscat` plays some random games for each number of seats and writes down one for
each way they end, with every event as the whole table would tell it. `... muscat 3 palace start_player=1` looks for a
game of three that ends for that reason, with an option that is not the usual one.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from engine.core import Action, Decision, Event, GameSpec, OptionValue, Outcome, State
from engine.errors import SetupError
from engine.games import discover
from engine.match import Entry
from engine.notation import format_action, parse_action
from engine.texts import CHANCE, Seat, listed, option_text
from engine.wording import say

FOLDER = Path(__file__).parent

_HEADER = re.compile(r"^(\w[\w ]*): (.*)$", re.MULTILINE)
_ENTRY = re.compile(r"^ *\d+  (.+?) {2,}(.+?)  of ", re.MULTILINE)
_LUCK = "luck"

FEW_GAMES, MAX_GAMES = 20, 2000
"""Random games among which one is looked for: any that there are, and one that ends for a reason."""


@dataclass(frozen=True)
class Playthrough:
    """A recorded game. `options` are the options that differ from the defaults; `entries` may end before the game."""

    spec: GameSpec
    seats: int
    options: dict[str, OptionValue]
    seed: str
    entries: tuple[Entry, ...]

    @classmethod
    def read(cls, text: str) -> Playthrough:
        """Parse the text of a file."""
        header = dict(_HEADER.findall(text.split("\n\n", 1)[0]))
        spec, seats = discover()[header["game"]], int(header["seats"])
        options = dict(_read_options(spec, header["options"]))
        names = spec.seat_names(spec.setup(seats, options))
        entries = tuple(Entry(_seat(name, names), notation) for name, notation in _ENTRY.findall(text))
        return cls(spec, seats, options, header["seed"], entries)

    def text(self) -> str:
        """The file: the entries as far as they are legal, then random ones to the end of the game."""
        return "\n".join((*self._header(), "", *self._body(), ""))

    def _header(self) -> Iterator[str]:
        options = (f"{name}={option_text(value)}" for name, value in self.options.items())
        yield f"game: {self.spec.slug}"
        yield f"rules version: {self.spec.rules_version}"
        yield f"seats: {self.seats}"
        yield f"options: {', '.join(options) or 'as usual'}"
        yield f"seed: {self.seed}"

    def _body(self) -> Iterator[str]:
        names = self.spec.seat_names(self.spec.setup(self.seats, self.options))
        state = self.start()
        for ply, (before, seat, action, after, events) in enumerate(self.steps()):
            state = after
            decision = next(d for d in before.decisions() if d.seat == seat)
            name = _name(seat, names)
            yield f"{ply:4}  {name:6}  {format_action(action)}  of {len(decision.options) or 'many'}"
            yield from (f"              {_sentence(event, names)}" for event in events)
        outcome = state.outcome()
        assert outcome is not None, "the last position has an outcome"
        yield ""
        yield from _result(outcome, names)

    def start(self) -> State:
        """The position before the first entry."""
        return self.spec.start(self.spec.setup(self.seats, self.options))

    def steps(self) -> Iterator[tuple[State, Seat, Action, State, tuple[Event, ...]]]:
        """Position, seat, action, next position and events of every ply."""
        state, rng, recorded = self.start(), Random(self.seed), list(reversed(self.entries))
        while decisions := state.decisions():
            choice = self._known(recorded.pop(), decisions) if recorded else None
            if choice is None:
                recorded.clear()
            seat, action = choice or _random(state, decisions, rng)
            after, events = state.apply(seat, action)
            yield state, seat, action, after, events
            state = after

    def _known(self, entry: Entry, decisions: tuple[Decision, ...]) -> tuple[Seat, Action] | None:
        """An entry of the record if the position allows it."""
        action = parse_action(entry.notation, self.spec.chances if entry.seat == CHANCE else self.spec.actions)
        for decision in decisions:
            if decision.seat == entry.seat and (action in decision.options or not decision.options):
                return entry.seat, action
        return None


def _random(state: State, decisions: tuple[Decision, ...], rng: Random) -> tuple[Seat, Action]:
    decision = rng.choice(decisions)
    return decision.seat, state.sample(rng) if decision.seat == CHANCE else rng.choice(decision.options)


def _sentence(event: Event, names: tuple[str, ...]) -> str:
    """An event as a sentence, with its audience unless it is public."""
    if event.audience is None:
        return say(event, names)
    seats = [names[seat] for seat in sorted(s for s in event.audience if s is not None)]
    return f"{say(event, names)} ({listed([*seats, 'the public'] if None in event.audience else seats)} only)"


def _result(outcome: Outcome, names: tuple[str, ...]) -> Iterator[str]:
    yield f"end: {outcome.reason}"
    for name, score, share in zip(names, outcome.scores, outcome.returns, strict=True):
        yield f"{name:6}  {score:4} points, {share:g} of the win"


def _name(seat: Seat, names: tuple[str, ...]) -> str:
    return _LUCK if seat == CHANCE else names[seat]


def _seat(name: str, names: tuple[str, ...]) -> Seat:
    return CHANCE if name == _LUCK else Seat(names.index(name))


def _read_options(spec: GameSpec, text: str) -> Iterator[tuple[str, OptionValue]]:
    choices = {f.name: f.metadata["choices"] for f in spec.options.__dataclass_fields__.values()}
    for name, value in re.findall(r"(\w+)=([^,]+)", text):
        yield name, next(choice for choice in choices[name] if option_text(choice) == value)


def _outcome(playthrough: Playthrough) -> Outcome:
    *_, (_, _, _, last, _) = playthrough.steps()
    outcome = last.outcome()
    assert outcome is not None, "random games come to an end"
    return outcome


def record(slug: str, seats: int, reason: str, options: dict[str, OptionValue]) -> Path:
    """Write down the first random game that ends for this reason. Raises `LookupError` if none of many does."""
    ends = set()
    for game in _random_games(slug, seats, options, MAX_GAMES):
        ends.add(str(_outcome(game).reason))
        if reason in ends:
            return _write(game, reason)
    raise LookupError(f"No game of {MAX_GAMES} ended by {reason}, but by {listed(sorted(ends))}.")


def record_each(slug: str) -> Iterator[Path]:
    """Write down a random game for each number of seats and each end of the first few, as far as there is none yet."""
    for seats in discover()[slug].seats:
        for game in _random_games(slug, seats, {}, FEW_GAMES):
            reason = _outcome(game).reason
            if not (FOLDER / slug / f"{seats}-{reason}.txt").exists():
                yield _write(game, reason)


def _random_games(slug: str, seats: int, options: dict[str, OptionValue], most: int) -> Iterator[Playthrough]:
    return (Playthrough(discover()[slug], seats, options, str(seed), ()) for seed in range(1, most + 1))


def _write(game: Playthrough, reason: str) -> Path:
    options = (name if isinstance(value, bool) else option_text(value) for name, value in game.options.items())
    path = FOLDER / game.spec.slug / f"{'-'.join((str(game.seats), reason, *options))}.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_text(game.text(), encoding="utf-8")
    return path


def main() -> None:
    """Record the games of the arguments."""
    parser = argparse.ArgumentParser(prog="python -m tests.playthroughs.recorder", description=__doc__)
    parser.add_argument("game", choices=discover())
    parser.add_argument("seats", type=int, nargs="?")
    parser.add_argument("reason", nargs="?", help="how the game ends")
    parser.add_argument("options", nargs="*", metavar="NAME=VALUE", help="options of the game")
    arguments = parser.parse_args()
    if arguments.reason is None:
        print("\n".join(map(str, record_each(arguments.game))) or "A game of each kind is recorded already.")
        return
    try:
        options = dict(_read_options(discover()[arguments.game], ",".join(arguments.options)))
        print(record(arguments.game, arguments.seats, arguments.reason, options))
    except (LookupError, SetupError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
