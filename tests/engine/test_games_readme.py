"""The example in the page for authors of games."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

import engine.games
from engine.match import Match


def test_the_example_in_the_readme_is_a_complete_game(monkeypatch: pytest.MonkeyPatch) -> None:
    readme = Path(engine.games.__file__).with_name("README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    module = ModuleType("race")
    monkeypatch.setitem(sys.modules, "race", module)
    exec(code, module.__dict__)
    match = Match.begin(module.GAME, module.GAME.setup(2), "seed")
    while match.outcome is None:
        (seat,) = match.view(None).due
        match.play(seat, match.decision_of(seat).options[-1])
    assert "arrived" == match.outcome.reason
