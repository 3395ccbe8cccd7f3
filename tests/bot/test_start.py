"""The start of the program does only what it needs: a bot that is updated in the middle of games is away for less."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

UNTIL_LOGIN = """
import sys, pathlib
import bot.__main__
from bot.features.admin import installation
installation.check(pathlib.Path("."))
print(*sys.modules)
"""
"""What runs before the bot connects to Discord."""


@pytest.fixture(scope="module")
def modules() -> set[str]:
    """The modules that are loaded before the bot connects to Discord."""
    root = Path(__file__).parents[2]
    run = [sys.executable, "-c", UNTIL_LOGIN]
    return {*subprocess.check_output(run, text=True, env={**os.environ, "PYTHONPATH": str(root)}).split()}


def test_games_are_loaded_while_the_bot_connects(modules: set[str]) -> None:
    assert {"engine.games", "bot.client"} <= modules
    assert not [name for name in modules if name.startswith(("engine.games.", "renders.games."))]


def test_the_web_server_is_loaded_only_where_the_host_wants_the_pages_for_monitoring(modules: set[str]) -> None:
    assert "aiohttp.client" in modules
    assert "aiohttp.web" not in modules


def test_no_data_of_languages_is_read_until_a_person_uses_one() -> None:
    code = "import bot.__main__; from babel import localedata; print(*localedata._cache)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == []
