"""Prerender the drawings when an installation without them is first used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bot.features.admin.installation import PRERENDERED


def prepare(folder: Path = PRERENDERED) -> None:
    """Draw all grounds if the folder has none, which takes about half a minute.

    If the folder cannot be written, the bot draws them in memory at each start and logs that.
    """
    if any(folder.glob("*.png")):
        return
    print("Drawing the grounds of the pictures. This happens once and takes half a minute …", file=sys.stderr)
    # A separate process releases its memory. It prints its own errors, and a failure does not prevent the start.
    subprocess.run([sys.executable, "-m", "renders.prerendering"], check=False)
