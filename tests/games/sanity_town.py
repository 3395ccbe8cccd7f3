"""`python -m tests.games.sanity_town [games]`: the figures of the prototype beside what the engine gives.

Sections 3.4 and 4.3 of the specification name them: how long a game is, how often thieves strike, which stays in the
cave pay, and what plain plans for the gangs bring. Each row is computed over that many games (2000 if left out).

Lengths, rolls and catches agree. Where stays and gangs differ it is by the plans, not by the rules: which card a plan
plays, how many thieves it turns up and what it brings back is its own affair on either side.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from engine.core import Action, Event, GameSpec, State
from engine.games.alibaba import GAME as CAVE_GAME
from engine.games.alibaba.actions import Steal, TurnUp
from engine.games.alibaba.data import CAVE
from engine.games.alibaba.events import Caught, CaughtPenniless, Rolled
from engine.games.alibaba.state import Cave
from engine.games.gangs import GAME as GANGS_GAME
from engine.games.gangs.actions import Done, Return
from engine.games.gangs.data import FINE, RETURN_FEE
from engine.games.gangs.state import GangsTable
from engine.texts import CHANCE, Seat
from engine.town.actions import Play, Stop, Take
from engine.town.data import MARKS, VALUES
from engine.town.state import Town
from engine.town.track import landing

Plan = Callable[[Town, Seat, tuple[Action, ...], Random], Action]


@dataclass(frozen=True)
class Played:
    """A finished game: its last position, its plays, rolls, rolls that caught somebody, and stakes lost to thieves."""

    last: Town
    turns: int
    rolls: int
    strikes: int
    stakes: int


def play(seats: int, spec: GameSpec, plans: list[Plan], rng: Random) -> Played:
    """A game in which every seat follows its plan."""
    state: State = spec.start(spec.setup(seats))
    turns, told = 0, list[tuple[Event, ...]]()
    while decisions := state.decisions():
        (decision,) = decisions
        assert isinstance(state, Town)
        if decision.seat == CHANCE:
            action = state.sample(rng)
        else:
            action = plans[decision.seat](state, decision.seat, decision.options, rng)
        turns += isinstance(action, Play)
        state, events = state.apply(decision.seat, action)
        told.append(events)
    assert isinstance(state, Town)
    rolls = sum(isinstance(event, Rolled) for events in told for event in events)
    lost = [sum(isinstance(event, Caught | CaughtPenniless) for event in events) for events in told]
    return Played(state, turns, rolls, sum(map(bool, lost)), sum(lost))


# --- Plans -----------------------------------------------------------------------------------------------------------


def random_options(state: Town, seat: Seat, options: tuple[Action, ...], rng: Random) -> Action:
    """Any option is as good as any other."""
    return rng.choice(options)


def random_cards(state: Town, seat: Seat, options: tuple[Action, ...], rng: Random) -> Action:
    """Any card of the hand, and nothing else of any interest."""
    if isinstance(options[0], Play):
        card = rng.choice(state.cards.hands[seat])
        return rng.choice([option for option in options if isinstance(option, Play) and option.card == card])
    return options[0]


def staying(turns: int) -> Plan:
    """Always steals for so many turns, extends nothing; seeks danger while others have more at stake."""

    def plan(state: Town, seat: Seat, options: tuple[Action, ...], rng: Random) -> Action:
        assert isinstance(state, Cave)
        own = state.stakes[seat]
        bold = 2 * own < max(state.stakes)
        match options[0]:
            case Steal():
                return options[min(turns, state.left // 2, len(options) - 1)]
            case TurnUp():
                return options[-1 if bold else 0]
            case Play():
                return (max if bold else min)(options, key=lambda option: (_danger(state, option), rng.random()))
        return options[0]

    return plan


def _danger(state: Town, play: Action) -> int:
    """How many marks the jewels bear where a card leads."""
    assert isinstance(play, Play)
    space = landing(state.space, play.card, play.route)
    return sum(len(MARKS[f"{gang[0].upper()}1"]) for gang in space.jewels)


def hiring(*gangs: str) -> Plan:
    """Takes bandits of these gangs wherever it can; brings back, after the black die, what loses on the average."""

    def plan(state: Town, seat: Seat, options: tuple[Action, ...], rng: Random) -> Action:
        if isinstance(options[0], Play):
            return random_cards(state, seat, options, rng)
        assert isinstance(state, GangsTable)
        wanted = [option for option in options if isinstance(option, Take) and option.gang in gangs]
        losing = [option for option in options if isinstance(option, Return) and _loses(state, option)]
        return rng.choice(wanted or losing or [option for option in options if isinstance(option, Done | Stop)])

    return plan


def _loses(state: GangsTable, action: Return) -> bool:
    """Whether to risk this bandit costs more than to bring it back, once its line is known."""
    danger = state.danger
    if danger is None or not danger.black:
        return False
    marks = sum(6 * danger.black - 6 < n <= 6 * danger.black for n in MARKS[action.thief])
    value = VALUES[action.thief.gang]
    return value * (6 - marks) - FINE * value * marks < -6 * RETURN_FEE


# --- Figures ---------------------------------------------------------------------------------------------------------

Row = tuple[str, str, str]
"""What it is, the prototype's figure, ours."""


def lengths(games: int) -> Iterator[Row]:
    """Turns of a game with random cards."""
    for seats in CAVE_GAME.seats:
        rng = Random(f"cards {seats}")
        turns = [play(seats, CAVE_GAME, [random_cards] * seats, rng).turns for _ in range(games)]
        ours = f"{sum(turns) / games:.1f} ({min(turns)} to {max(turns)})"
        yield f"turns, random cards, {seats} seats", "47.8 (28 to 68)", ours


def dangers(games: int) -> Iterator[Row]:
    """Rolls and catches of a game of random options."""
    for seats in CAVE_GAME.seats:
        rng = Random(f"random {seats}")
        played = [play(seats, CAVE_GAME, [random_options] * seats, rng) for _ in range(games)]
        rolls, strikes, stakes = (
            sum(getattr(game, name) for game in played) / games for name in ("rolls", "strikes", "stakes")
        )
        ours = f"{rolls:.1f}, {strikes:.1f} ({stakes:.1f} stakes lost)"
        yield f"rolls, and those that catch, random play, {seats} seats", "20 to 23, 7 to 9", ours


def stays(games: int) -> Iterator[Row]:
    """Which stays pay best: seat by seat a length of its own, drawn anew in each game."""
    expected = {2: "best 6 to 10", 4: "best 3 to 8; 1 and 10 to 12 bad", 6: "best 3 to 7; 1 and 10 to 12 bad"}
    for seats, told in expected.items():
        rng = Random(f"stays {seats}")
        earned: dict[int, list[int]] = {turns: [] for turns in range(1, len(CAVE))}
        for _ in range(games):
            chosen = [rng.randrange(1, len(CAVE)) for _ in range(seats)]
            last = play(seats, CAVE_GAME, [staying(turns) for turns in chosen], rng).last
            for seat, turns in enumerate(chosen):
                earned[turns].append(last.purses[seat] - 1000 * (seat + 1))
        means = {turns: sum(found) / len(found) / 1000 for turns, found in earned.items()}
        good = [turns for turns, mean in means.items() if mean >= 0.8 * max(means.values())]
        ours = " ".join(f"{turns}:{mean:.0f}" for turns, mean in means.items())
        yield f"thousands earned by length of stay, {seats} seats", told, f"{ours}; best {good}"


def plans(games: int) -> Iterator[Row]:
    """Plain plans for the gangs against each other: average and wins in 100, six seats."""
    table = {
        "no bandits": ((), "2500, wins 1"),
        "only yellow": (("yellow",), "2790"),
        "only green": (("green",), "–"),
        "only blue": (("blue",), "–"),
        "only red": (("red",), "2930, wins 38"),
        "mixed": (("yellow", "green", "blue", "red"), "2750"),
    }
    rng = Random("gangs")
    money, wins = dict.fromkeys(table, 0), dict.fromkeys(table, 0.0)
    for _ in range(games):
        order = rng.sample(list(table), len(table))
        last = play(6, GANGS_GAME, [hiring(*table[name][0]) for name in order], rng).last
        outcome = last.outcome()
        assert outcome is not None, "the game was played to its end"
        for seat, name in enumerate(order):
            money[name] += last.purses[seat]
            wins[name] += outcome.returns[seat]
    for name, (_, told) in table.items():
        yield f"gangs, {name}", told, f"{money[name] / games:.0f}, wins {100 * wins[name] / games:.0f}"


def main() -> None:
    """Print the table."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print(f"{'figure':48}  {'prototype':34}  engine, {games} games a row")
    for rows in (lengths, dangers, stays, plans):
        for what, told, ours in rows(games):
            print(f"{what:48}  {told:34}  {ours}", flush=True)


if __name__ == "__main__":
    main()
