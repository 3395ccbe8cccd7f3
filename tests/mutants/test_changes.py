"""The changes are what they are called, and a changed program stays on this machine."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.mutants.changes import changes, places
from tests.mutants.scratch import GUARD

SOURCE = '''
LATE = 1.0

async def show(self, viewer: str = "x") -> None:
    """A docstring."""
    if not self.late and viewer in ("a b", "ß", None):
        await self.answer(viewer, ephemeral=True)
    return [v for v in self.seen(of=viewer, n=len(viewer) + 1) if v]
'''

EXPECTED = {
    "LATE = 2.0",
    "async def show(self, viewer: str = 'xx') -> None:",
    '    if (self.late) and viewer in ("a b", "ß", None):',
    '    if not self.late and viewer not in ("a b", "ß", None):',
    '    if (not self.late or viewer in ("a b", "ß", None)):',
    '    if not (not self.late and viewer in ("a b", "ß", None)):',
    "    if not self.late and viewer in (\"a b\", 'ßx', None):",
    "        pass",
    "        await self.answer(viewer)",
    "        await self.answer(viewer, ephemeral=False)",
    "    return None",
    "    return [v for v in self.seen(of=viewer, n=len(viewer) + 1) if not (v)]",
    "    return [v for v in self.seen(n=len(viewer) + 1) if v]",
    "    return [v for v in self.seen(of=viewer) if v]",
    "    return [v for v in self.seen(of=viewer, n=len(viewer) - 1) if v]",
    "    return [v for v in self.seen(of=viewer, n=len(viewer) + 2) if v]",
}


def test_each_change_is_a_small_one_and_all_are_made() -> None:
    before = SOURCE.splitlines()
    found = [change.applied_to(SOURCE).splitlines() for change in changes(SOURCE)]
    assert EXPECTED == {line for after in found for line in after if line not in before}
    assert len(EXPECTED) == len(found)


def test_a_change_knows_its_place() -> None:
    assert {"show"} == places(SOURCE)
    assert {"", "show"} == {change.place for change in changes(SOURCE)}


@pytest.mark.parametrize(
    "act", ["socket.create_connection(('192.0.2.1', 80))", "socket.getaddrinfo('discord.com', 443)"]
)
def test_a_changed_program_reaches_nothing_but_this_machine(act: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(GUARD)}
    run = subprocess.run(
        [sys.executable, "-c", f"import socket; {act}"], env=environment, capture_output=True, text=True
    )
    assert "may not reach" in run.stderr
