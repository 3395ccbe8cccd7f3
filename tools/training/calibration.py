"""`python -m tools.training.calibration muscat [--games 300]`: fit and validate the calibration of predicted chances.

The player of medium strength plays games, whose positions are evaluated as in stories. The powers that calibrate these
predictions are fitted to the results of the games and validated on other games.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib import resources
from itertools import chain, product
from pathlib import Path
from random import Random
from statistics import mean
from typing import NamedTuple

from engine.calibration import FILE, Powers, calibrate, from_equal
from engine.core import GameSpec
from engine.evaluation import Evaluation, Knots
from engine.games import discover
from engine.match import Match
from engine.players import discover as discover_players
from engine.players.search.thinker import with_effort
from engine.story.looking import value_of
from engine.story.telling import first_looks
from tools.training.fit import fit_weights
from tools.training.selfplay import Sample

PLAYER = "fair"
"""The player in all seats."""

QUARTERS = (0.25, 0.5, 0.75, 0.9)
"""The parts of a game, by plies, that have a column in the table."""

PARTS = (0.05, 0.15, 0.25, 0.35, 0.5, 0.65, 0.75, 0.85, 0.9, 0.95)
"""The parts of a game, by plies, whose positions are evaluated."""

FOLDS = 5
"""Number of folds of the cross-validation."""

MOMENTS = 5
"""Number of moments, evenly spaced by the progress of a game, with a power of their own."""

REGULARIZATION = 0.1
"""Regularization of powers towards 0 and towards each other, relative to that of the weights of an evaluation."""

SIDE_REGULARIZATION = 20.0
"""Regularization of the powers for seats ahead and behind towards a common one."""

SEAT_REGULARIZATION = 3.0
"""Regularization of the powers for a number of seats towards those for all."""

MAX_POWER = 2.0
"""Upper limit of powers. With 1.5, chances in Gangs came true up to 5.5 points more often than predicted."""

RESAMPLES = 400
"""Number of bootstrap samples for an interval."""

BINS, MIN_IN_BIN = 10, 100
"""Number of bins for predicted chances, and the minimum number of predictions that makes a bin meaningful."""


class Forecast(NamedTuple):
    """A position of a finished game: its part of the plies, its progress, and the predicted shares, not calibrated."""

    part: float
    progress: float
    shares: tuple[float, ...]


class Record(NamedTuple):
    """A finished game with the predictions for some of its positions."""

    seats: int
    companies: int
    returns: tuple[float, ...]
    forecasts: tuple[Forecast, ...]


def main() -> None:
    """Play the games, fit the powers, write them, and print the rows of the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.training.calibration", description=__doc__)
    parser.add_argument("game", choices=discover())
    parser.add_argument("--games", type=int, default=300, help="games for each number of seats")
    parser.add_argument("--effort", type=float, default=1.0, help="part of its thinking time that the player uses")
    parser.add_argument("--seed", default="told")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="file of games: new ones are added, all are used")
    args = parser.parse_args()
    spec = discover()[args.game]
    assert isinstance(spec.evaluate, Evaluation), "only games with features are measured"
    records = _records(args, spec)
    path = Path(str(resources.files(spec.evaluate.package).joinpath(FILE)))
    path.write_text(table_of(spec, records), encoding="utf-8")
    print(f"Written to {path}.")
    print(*_rows(spec, records), sep="\n")


# --- Games -----------------------------------------------------------------------------------------------------------


def _records(args: argparse.Namespace, spec: GameSpec) -> list[Record]:
    """All stored games of this game, and newly played ones up to the requested number."""
    lines = args.keep.read_text(encoding="utf-8").splitlines() if args.keep and args.keep.exists() else []
    rows = [(json.loads(line), line) for line in lines]
    # A file may contain several games.
    games = {(row["seats"], row["seed"]): line for row, line in rows if row["game"] == spec.slug}
    for number, seats in product(range(args.games), spec.seats):
        key = seats, f"{args.seed} {number}"
        if key not in games:
            games[key] = json.dumps(play_game(spec, *key, args.effort))
            # Stored at once, so that an aborted run loses at most one game.
            _keep(args.keep, games[key])
    return [record_of(line) for line in games.values()]


def _keep(path: Path | None, line: str) -> None:
    if path:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


def record_of(line: str) -> Record:
    """Parse a stored game."""
    row = json.loads(line)
    forecasts = tuple(Forecast(part, progress, tuple(shares)) for part, progress, shares, *_ in row["rows"])
    return Record(row["seats"], len(set(row["companies"])), tuple(row["returns"]), forecasts)


def play_game(spec: GameSpec, seats: int, seed: str, effort: float = 1.0) -> dict[str, object]:
    """Play a game to its end and evaluate some of its positions as a story would. Returns JSON values."""
    match, rng = Match.begin(spec, spec.setup(seats), seed), Random(f"players of {seed}")
    choose = with_effort(discover_players()[PLAYER].choose, effort)
    while match.outcome is None:
        decision = match.state.decisions()[0]
        match.play(decision.seat, decision.options[0] if decision.automatic else choose(match.view(decision.seat), rng))
    rows = list(_forecasts(spec, match, seed))
    companies = spec.companies(match.setup)
    return {
        "game": spec.slug,
        "seats": seats,
        "seed": seed,
        "returns": match.outcome.returns,
        "companies": companies,
        "rows": rows,
    }


def _forecasts(spec: GameSpec, match: Match, seed: str) -> Iterator[tuple[float, float, list[float]]]:
    """The next position with a choice at each part of a game: the part, the progress, and the shares."""
    assert isinstance(spec.evaluate, Evaluation), "a game without features has no progress"
    looks = first_looks(match)
    for part in PARTS:
        if look := next((look for look in looks if look.ply >= round(part * match.ply)), None):
            shares = value_of(spec.slug, match.setup.seats, look, seed)
            yield part, round(spec.evaluate.progress(look.state), 4), [round(share, 5) for share in shares]


# --- The fit ---------------------------------------------------------------------------------------------------------


def fit_powers(records: Sequence[Record]) -> dict[int, Powers]:
    """Number of seats -> both powers at each of `MOMENTS`. Powers never decrease, since evaluations improve over time.

    The fit is regularized so that a few games do not lead to bold chances: powers towards 0, those of the two sides
    towards each other, and those of a number of seats towards those of all.
    """
    samples: dict[int, list[Sample]] = {seats: [] for seats in sorted({record.seats for record in records})}
    for record in records:
        returns, no_scores = record.returns, (0,) * record.seats
        for forecast in record.forecasts:
            # `calibrate` is a softmax of weighted distances, so the fit of weights can fit the powers.
            rows = tuple(from_equal(forecast.shares))
            samples[record.seats].append(Sample(forecast.progress, rows, returns, no_scores, hindsight_shares=returns))
    everything = list(chain.from_iterable(samples.values()))
    # First one power for all, then one for each side near it, then those for each number of seats.
    undivided = [sample._replace(rows=tuple((sum(row),) for row in sample.rows)) for sample in everything]
    (power,) = _powers(undivided, [[0.0] * MOMENTS], REGULARIZATION)
    sides = _powers(everything, [power, power], SIDE_REGULARIZATION)
    return {
        seats: Powers(*map(_clamp_powers, _powers(own, sides, SEAT_REGULARIZATION))) for seats, own in samples.items()
    }


def _powers(samples: Sequence[Sample], near: Sequence[Knots], strength: float) -> list[list[float]]:
    return [
        non_decreasing(powers) for powers in fit_weights(samples, len(near), near, knots=MOMENTS, strength=strength)
    ]


def _clamp_powers(powers: Sequence[float]) -> list[float]:
    # A negative power would reverse chances.
    return [round(max(0.0, min(MAX_POWER, power)), 3) for power in powers]


def non_decreasing(values: Sequence[float]) -> list[float]:
    """Isotonic regression: the nearest non-decreasing values (pool adjacent violators: M. Ayer and others, 1955)."""
    pools: list[list[float]] = []
    for value in values:
        pools.append([value])
        while len(pools) > 1 and mean(pools[-2]) > mean(pools[-1]):
            last = pools.pop()
            pools[-1] += last
    return [mean(pool) for pool in pools for _ in pool]


# --- Validation ------------------------------------------------------------------------------------------------------


class Prediction(NamedTuple):
    """A predicted chance not used for the fit, before and after calibration, with an equal chance and the result."""

    part: float
    equal: float
    before: float
    after: float
    actual: float


def cross_validate(records: Sequence[Record]) -> list[list[Prediction]]:
    """All predicted chances of each game, calibrated by a fit to the games of the other folds."""
    games: list[list[Prediction]] = []
    # Shuffled, since records cycle through the numbers of seats: a fold could have games of only one number.
    mixed = Random("folds").sample(records, len(records))
    for fold in range(FOLDS):
        powers = fit_powers([record for n, record in enumerate(mixed) if n % FOLDS != fold])
        for record in mixed[fold::FOLDS]:
            rows = (_predictions(record, forecast, powers[record.seats]) for forecast in record.forecasts)
            games.append(list(chain.from_iterable(rows)))
    return games


def _predictions(record: Record, forecast: Forecast, powers: Powers) -> Iterator[Prediction]:
    after, mates = calibrate(forecast.shares, powers.at(forecast.progress)), record.seats // record.companies
    for seat in range(record.companies):  # team mates sit opposite, so the first seats have different companies
        own = (mates * share[seat] for share in (forecast.shares, after, record.returns))
        yield Prediction(forecast.part, 1 / record.companies, *own)


def skill(chances: Sequence[Prediction], *, after: bool) -> float:
    """The Brier skill score of chances, relative to equal ones."""
    errors = sum(((chance.after if after else chance.before) - chance.actual) ** 2 for chance in chances)
    return 1 - errors / sum((chance.equal - chance.actual) ** 2 for chance in chances)


def bins(chances: Sequence[Prediction], *, after: bool) -> list[tuple[int, float, float]]:
    """The number of chances, the mean prediction and the part that came true, for each bin with enough chances."""
    by_bin: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for prediction in chances:
        chance = prediction.after if after else prediction.before
        by_bin[min(BINS - 1, int(chance * BINS))].append((chance, prediction.actual))
    full = [list(zip(*some, strict=True)) for _, some in sorted(by_bin.items()) if len(some) >= MIN_IN_BIN]
    return [(len(predicted), mean(predicted), mean(actual)) for predicted, actual in full]


def _rows(spec: GameSpec, records: Sequence[Record]) -> Iterator[str]:
    """The rows of the table in engine/players/measurements.md."""
    games = cross_validate(records)
    chances = list(chain.from_iterable(games))
    for after, name in ((False, "before"), (True, "after")):
        cells = [_cell(games, part, after=after) for part in QUARTERS]
        worst = max((abs(chance - actual) for _, chance, actual in bins(chances, after=after)), default=0.0)
        yield f"| {spec.title}, {name} | {len(records)} | {' | '.join(cells)} | {100 * worst:.1f} |"
    yield " · ".join(f"{chance:.0%} predicted, {actual:.0%} of {n}" for n, chance, actual in bins(chances, after=True))


def _cell(games: Sequence[Sequence[Prediction]], part: float, *, after: bool) -> str:
    """The skill at a part of a game with its 95 % bootstrap interval over games."""
    there = [[sample for sample in game if sample.part == part] for game in games]
    # Seeded by the part, so that both rows of a game use the same bootstrap samples.
    rng = Random(part)
    resamples = (chain.from_iterable(rng.choices(there, k=len(there))) for _ in range(RESAMPLES))
    skills = sorted(skill(list(resample), after=after) for resample in resamples)
    # 2.5 % of the samples are cut off at either end.
    low, high = skills[RESAMPLES // 40], skills[-1 - RESAMPLES // 40]
    return f"{skill(list(chain.from_iterable(there)), after=after):.1%} ({100 * low:.0f} to {100 * high:.0f})"


def table_of(spec: GameSpec, records: Sequence[Record]) -> str:
    """The calibration file of a game, as TOML."""
    powers = fit_powers(records)
    head = (
        "# How far told chances can be believed, at evenly spaced moments of a game from its beginning to its end.\n"
        f"# Written by `make calibrate GAME={spec.slug}`, never by hand.\n"
    )
    parts = [
        f"[seats.{seats}]\ngames = {sum(record.seats == seats for record in records)}\n"
        f"ahead = {own.ahead}\nbehind = {own.behind}\n"
        for seats, own in powers.items()
    ]
    return "\n".join([head, *parts])


if __name__ == "__main__":
    main()
