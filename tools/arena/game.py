"""One game between computer players, with the CPU time of each move."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from time import process_time

from engine.core import Action, Outcome, Setup
from engine.games import discover
from engine.match import Match
from engine.players import discover as discover_players
from engine.players.search import evaluation_of, rank_in_worlds
from engine.players.search.thinker import Thinker, with_effort
from engine.texts import Seat
from engine.values import Value


class Game(Value):
    """A game to play: its setup, the id of the player in each seat, and the seed.

    The player in the `measured` seat, if it searches, uses the part `effort` of its thinking time, and with `peeking`
    it sees everything. With a verb in `only`, its player makes only the decisions for that verb, in which the others
    take the first option; the player of the others makes all other decisions for all seats.
    """

    slug: str
    setup: Setup
    players: tuple[str, ...]
    seed: str
    measured: Seat | None = None
    effort: float = 1.0
    peeking: bool = False
    only: str = ""

    @property
    def others(self) -> str:
        """The player in the seats that are not measured."""
        return next((player for seat, player in enumerate(self.players) if seat != self.measured), self.players[0])


@dataclass(slots=True)
class GameResult:
    """The result of a game: its outcome, its number of plies, and the CPU time of each seat's moves in seconds."""

    outcome: Outcome
    plies: int
    seconds: tuple[list[float], ...] = field(repr=False)


def play(game: Game) -> GameResult:
    """Play a game to its end. Deterministic: equal games are played equally."""
    match = Match.begin(discover()[game.slug], game.setup, game.seed)
    # Separate from the luck of the match, so that all players get the same dice.
    rng = Random(f"players of {game.seed} {game.players}")
    seconds: tuple[list[float], ...] = tuple([] for _ in game.players)
    while match.outcome is None:
        decision = match.state.decisions()[0]
        started = process_time()
        action = decision.options[0] if decision.automatic else _choice(match, decision.seat, game, rng)
        if not decision.automatic:
            seconds[decision.seat].append(process_time() - started)
        match.play(decision.seat, action)
    return GameResult(match.outcome, match.ply, seconds)


def _choice(match: Match, seat: Seat, game: Game, rng: Random) -> Action:
    view, first = match.view(seat), match.decision_of(seat).options[0]
    measured = seat == game.measured and game.only in ("", first.verb)
    if game.only == first.verb and not measured:
        return first
    player = game.others if game.only and not measured else game.players[seat]
    choose = discover_players()[player].choose
    if not measured or not isinstance(choose, Thinker):
        return choose(view, rng)
    if not game.peeking:
        return with_effort(choose, game.effort)(view, rng)
    thinker = replace(choose, seconds=choose.seconds * game.effort)
    # Search only the true position.
    return rank_in_worlds([match.state], seat, rng, thinker.effort(view), evaluation_of(view, rng))[0].option


def seating(first: str, others: str, seats: int, number: int) -> tuple[str, ...]:
    """The players of a game: one against others of another kind, in the next seat in each game."""
    return tuple(first if seat == number % seats else others for seat in range(seats))
