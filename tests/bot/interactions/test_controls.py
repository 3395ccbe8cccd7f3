"""Every kind of control has one handler, wherever it is from."""

from __future__ import annotations

import pkgutil
from collections import Counter
from importlib import import_module

import bot
from bot.client import TAPS


def test_no_two_modules_have_a_control_of_the_same_kind() -> None:
    names = [found.name for found in pkgutil.walk_packages(bot.__path__, "bot.") if found.name != "bot.client"]
    modules = [import_module(name) for name in names if "migrations" not in name and not name.endswith("__main__")]
    kinds = Counter(kind for module in modules for kind in getattr(module, "TAPS", ()))
    assert kinds.keys() == TAPS.keys(), "the client knows all of them"
    assert {} == {kind: times for kind, times in kinds.items() if times > 1}
