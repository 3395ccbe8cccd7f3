"""The contract as a pytest plugin: `pytest --caravanserai nard` checks the installed game `nard`."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games import discover, discover_all

pytest.register_assert_rewrite("kit.contract")

CONTRACT = Path(__file__).parent / "contract.py"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--caravanserai GAME`."""
    group = parser.getgroup("caravanserai", "games of Caravanserai")
    group.addoption(
        "--caravanserai",
        action="append",
        default=[],
        metavar="GAME",
        help="check the contract of a game, by its slug; can be repeated",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Collect the contract beside the author's own tests."""
    games = config.getoption("--caravanserai")
    for game in games:
        if game not in discover():
            reasons = [problem for problem in discover_all().problems if problem.startswith(f"The game {game} ")]
            raise pytest.UsageError(*(reasons or [f"There is no game {game}: {', '.join(discover())} are installed."]))
    if games and str(CONTRACT) not in config.args:
        config.args.append(str(CONTRACT))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Check every promise on every game that was named."""
    if metafunc.module.__name__ == "kit.contract":
        games = [discover()[game] for game in metafunc.config.getoption("--caravanserai")]
        metafunc.parametrize("spec", games, ids=lambda game: game.slug)
