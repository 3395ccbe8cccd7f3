"""The positions of the golden pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.core import View
from engine.games import discover
from engine.match import Match
from engine.notation import format_action
from renders.games.alibaba.scene import SCENE as CAVE_SCENE
from renders.town.marks import reachable_landings
from tests.playthroughs.recorder import FOLDER, Playthrough
from tests.renders.positions import replay_recorded
from tests.renders.town_games import ended_match, first_match, is_crowded, is_endangered, private_view

GOLDEN = Path(__file__).parent / "golden"


def of_muscat(name: str) -> View[Any]:
    """The end of a recorded game. If a seat is due there, it is that seat's view with all options offered."""
    match = replay_recorded(name)
    due = next(iter(match.state.decisions()), None)
    return match.view(due.seat, offered=due.options) if due else match.view(None)


def recorded_view(slug: str, name: str, ply: int | None = None, *, offered: str | None = None) -> View[Any]:
    """A recorded game after `ply` entries, or at its end. `offered` is a prefix of the options to mark."""
    game = Playthrough.read((FOLDER / slug / f"{name}.txt").read_text(encoding="utf-8"))
    match = Match.replay(game.spec, game.spec.setup(game.seats, game.options), game.seed, game.entries[:ply])
    due = next(iter(match.state.decisions()), None)
    if due is None or offered is None:
        return match.view(None)
    return match.view(due.seat, offered=tuple(o for o in due.options if format_action(o).startswith(offered)))


def after_a_hand() -> View[Any]:
    views = (recorded_view("muses", "2-hands-2", ply) for ply in range(99))
    return next(view for view in views if view.state.finished and view.due)


def at_the_fork() -> View[Any]:
    return private_view(
        first_match(4, "cave", lambda match: len(reachable_landings(CAVE_SCENE, private_view(match))) > 5)
    )


def undecided_view(match: Match) -> View[Any]:
    """The view of the seat that is due, before it begins to choose."""
    return match.view(match.state.decisions()[0].seat)


BLESSED: dict[str, Callable[[], View[Any]]] = {
    "muscat/start": lambda: of_muscat("start"),
    "muscat/middle": lambda: of_muscat("middle"),
    "muscat/end": lambda: of_muscat("end"),
    "muses/start": lambda: recorded_view("muses", "3-hands-1", 5),
    "muses/laying": lambda: recorded_view("muses", "2-hands-1", 5, offered="place"),
    "muses/middle": lambda: recorded_view("muses", "4-hands-2", 24),
    "muses/own": lambda: recorded_view("muses", "3-hands-1", 21, offered="step erato"),
    "muses/between": after_a_hand,
    "muses/end": lambda: recorded_view("muses", "4-hands-2"),
    "jinns/start": lambda: recorded_view("jinns", "3-no-moves", 14),
    "jinns/full": lambda: recorded_view("jinns", "2-no-moves-later", 32),
    "jinns/middle": lambda: recorded_view("jinns", "4-repetition", 52),
    "jinns/own": lambda: recorded_view("jinns", "3-repetition", 55, offered=""),
    "jinns/again": lambda: recorded_view("jinns", "3-repetition-draft", 86),
    "jinns/end": lambda: recorded_view("jinns", "4-no-moves-team"),
    "alibaba/start": lambda: private_view(Match.begin(discover()["alibaba"], discover()["alibaba"].setup(3), "start")),
    "alibaba/middle": lambda: undecided_view(first_match(6, "cave", is_crowded)),
    "alibaba/close": lambda: private_view(first_match(6, "cave", is_crowded)),
    "alibaba/fork": at_the_fork,
    "alibaba/end": lambda: ended_match(2, "cave").view(None),
    "gangs/middle": lambda: undecided_view(first_match(6, "gangs", is_endangered)),
    "gangs/close": lambda: private_view(first_match(6, "gangs", is_endangered)),
}
"""Functions that return a picture's view, by game and name."""
