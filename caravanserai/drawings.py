"""Makes the drawings at the first use of an installation that has none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bot.admin.installation import PRERENDERED


def prepare(folder: Path = PRERENDERED) -> None:
    """Draw the grounds of all pictures if none are there, which takes about half a minute.

    Where the folder cannot be written, the bot draws them in memory at each start, and says so.
    """
    if any(folder.glob("*.png")):
        return
    print("Drawing the grounds of the pictures. This happens once and takes half a minute …", file=sys.stderr)
    # a process of its own gives back the memory; why it failed is printed by itself, and keeps no bot from starting
    subprocess.run([sys.executable, "-m", "renders.prerendering"], check=False)
